// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/filehash.h"
#include "models/cluster/transfer/fileentry.h"

#include <QFile>
#include <QStringList>

#include <atomic>
#include <memory>

namespace rankwright {

// Files of this machine by their bytes: POSIX, as QDir and QFile lose names that are not UTF-8. May be called on any
// thread.

/// Files and folders that a person named, each under its own last name.
struct LocalTree {
    QList<FileEntry> entries; ///< a folder before what is in it
    QHash<QByteArray, QByteArray> roots; ///< by first name: the folder of this machine that it lies in
    qint64 ignored = 0; ///< left out by an ignore file, a folder counts once
    QList<QByteArray> ignoredNames; ///< the first of them

    QByteArray localPath(const QByteArray& path) const;
};

enum class IgnoreFiles { Used, Skipped }; ///< whether what they name is left out
/// Error: a path that is missing or cannot be read, two paths of one name. `stopped` ends it early.
Result<LocalTree> listLocal(
    const QStringList& paths, IgnoreFiles ignoreFiles, const std::shared_ptr<std::atomic<bool>>& stopped);
/// What lies below `folder` of `paths`, by path; a link is not followed.
QHash<QByteArray, FileEntry> localStates(const QByteArray& folder, const QList<FileEntry>& entries);

/// SHA-256 of the first `limit` bytes (-1: all); the hash can be gone on with. Error: they cannot be read.
Result<std::shared_ptr<FileHash>> localSum(
    const QByteArray& path, qint64 limit, const std::shared_ptr<std::atomic<bool>>& stopped);

/// Opens a file whatever its name; a link is not followed. Error in words of the system.
Result<void> openLocal(QFile& file, const QByteArray& path, int flags);
/// Makes the folders that lead to `path` below `root`; a link among them is refused.
Result<void> makeFolders(const QByteArray& root, const QByteArray& path, int mode = 0700);
/// Gives a finished file its rights and time, and puts it into the place of `to` by one rename.
Result<void> placeLocal(const QByteArray& part, const QByteArray& to, const FileEntry& entry);
Result<void> makeLink(const QByteArray& at, const QByteArray& target);
void removeLocal(const QByteArray& path);

} // namespace rankwright

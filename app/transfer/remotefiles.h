// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"
#include "models/cluster/transfer/fileentry.h"
#include "models/cluster/transfer/transferplan.h"

namespace rankwright {

/// One step of resources/remote/transfer-files.sh in a folder of the cluster. Paths are bytes; a folder that is empty
/// or relative begins at home.
RemoteCommand transferStep(const QString& step, const QByteArray& folder, const QList<QByteArray>& arguments = {});
/// A path for an argument of it.
QByteArray stepPath(const QByteArray& path);
/// Paths for its input.
QByteArray stepPaths(const QList<QByteArray>& paths);
/// The error of a step in words about files: a full disk or quota is named as such.
Error stepError(const CommandOutcome& outcome, const RemoteCommand& command, const QString& context);

using FileStates = QHash<QByteArray, FileEntry>;
using FileSums = QHash<QByteArray, QByteArray>;

// Each asks once; `then` is not called when `guard` is gone.

/// What lies in a folder, `levels` deep (0: all of it), `most` entries at most.
void listRemote(
    RemoteShell& shell, const QByteArray& folder, int levels, qsizetype most, QObject* guard, Then<FileListing> then);
void askRemote(RemoteShell& shell, const QByteArray& folder, const QList<QByteArray>& paths, QObject* guard,
    Then<FileStates> then);
void sumRemote(
    RemoteShell& shell, const QByteArray& folder, const QList<QByteArray>& paths, QObject* guard, Then<FileSums> then);
/// Home, scratch and what else the account's variables and `places` (name, path) name, with quota where known.
void askRoom(RemoteShell& shell, const QList<std::pair<QString, QString>>& places, QObject* guard,
    Then<QList<StorageRoom>> then);

} // namespace rankwright

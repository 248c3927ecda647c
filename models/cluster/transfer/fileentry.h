// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QHash>
#include <QList>

namespace rankwright::inline cluster {

/// One file, folder or link below a root, on either side.
struct FileEntry {
    enum class Kind { File, Folder, Link, Other };
    QByteArray path; ///< relative to the root, bytes as they are
    Kind kind = Kind::File;
    qint64 size = 0; ///< bytes; 0 for all but files
    qint64 modified = 0; ///< seconds since 1970
    int mode = 0644; ///< rights, as chmod writes them
    QByteArray target = {}; ///< of a link
    bool operator==(const FileEntry&) const = default;
};

/// What is in a folder of a cluster.
struct FileListing {
    QByteArray root; ///< absolute, without links; empty: it does not exist
    QList<FileEntry> entries;
    QList<QByteArray> refused; ///< names by which a server would lead out of the folder; never used
    bool isCut = false; ///< there is more than `most`
};

// Answers of resources/remote/transfer-files.sh. Error: the answer is not whole.

/// Of its step "list", which was asked for `most` entries.
Result<FileListing> parseListing(const QByteArray& answer, qsizetype most);
/// Of "ask", by path. What it does not name is not there.
Result<QHash<QByteArray, FileEntry>> parseStates(const QByteArray& answer);
/// Of "sum" and "take-tar": SHA-256 in hexadecimal by path.
Result<QHash<QByteArray, QByteArray>> parseSums(const QByteArray& answer);

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace rankwright::inline cluster {

/// One entry of a tar stream (POSIX.1-1988 "ustar"; names and sizes beyond its fields as GNU tar writes and every tar
/// of a cluster reads them).
struct TarEntry {
    QString path; ///< relative, '/' between folders, no line break
    bool isFolder = false;
    int mode = 0644; ///< rights, as chmod writes them
    qint64 size = 0; ///< bytes; 0 for folders
    qint64 modified = 0; ///< seconds since 1970
};

/// What is before the file's bytes.
QByteArray tarHeader(const TarEntry& entry);
/// How many zero bytes are behind them.
qint64 tarPadding(qint64 size);
/// The end of a stream.
QByteArray tarEnd();

} // namespace rankwright::inline cluster

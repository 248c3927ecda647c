// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/log/logtail.h"

namespace rankwright::inline insight {

/// The shell line that follows files (docs/telemetry.md, "The follow command").
QString followCommand(const QList<LogTail::Followed>& files, const QList<OutputFile>& patterns, qint64 lastBytes);

/// Bytes `from` to `from + length` of a file, and no more than are there.
RemoteCommand rangeCommand(const QString& path, qint64 from, qint64 length);
/// How many line feeds are before `offset`; a number and a newline. Gives up after 20 s: nothing is printed.
RemoteCommand countLinesCommand(const QString& path, qint64 offset);
/// The lines that ranks of generated scripts write at their start (RankReport), of those before `before`.
RemoteCommand rankLinesCommand(const QString& path, qint64 before);

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/insight/log/outputfiles.h"

#include <QDateTime>
#include <QList>

namespace rankwright::inline insight {

/// An output file as it lies on the cluster.
struct ListedOutput {
    QString path;
    qint64 size = 0; ///< bytes
    QDateTime modified; ///< UTC
    std::optional<int> rank; ///< that its name says
    bool operator==(const ListedOutput&) const = default;
};

inline constexpr int mostListedOutputs = 512;
inline constexpr int mostOutputLines = 10000; ///< of one answer

/// Asks which of a job's output files exist, with size and time; of patterns all that they find.
RemoteCommand listOutputsCommand(const QList<OutputFile>& files);
/// Reads that answer; each path once, in the order of `files`. What cannot be read is left out.
QList<ListedOutput> listedOutputs(const QByteArray& answer, const QList<OutputFile>& files);

/// The last lines of a file, of its last 16 MiB. Carriage returns of bars begin lines.
RemoteCommand lastLinesCommand(const QString& path, int lines);
/// The last lines that match a POSIX extended expression, each cut after 4000 bytes. Exit status: that of grep (1: none
/// does, 2: the expression is not valid), 124: the search took longer than two minutes.
RemoteCommand matchingLinesCommand(const QString& path, const QString& expression, int lines);

} // namespace rankwright::inline insight

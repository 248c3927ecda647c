// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/reportmaker.h"

namespace rankwright {

/// The end of one output file.
struct JobFileOutput {
    QString path; ///< on the cluster
    std::optional<qint64> wholeBytes; ///< of the file; empty: not known
    QByteArray end; ///< its last bytes
    bool operator==(const JobFileOutput&) const = default;
};

/// The ends of a job's output files, and its batch script as the cluster has it.
struct JobOutputEnds {
    QList<JobFileOutput> outputs; ///< likeliest first, at most mostJobFileOutputs
    QByteArray script; ///< empty: the cluster does not say
};

/// All that a job file is made from, as this machine has it: with its secrets. What is missing is empty.
struct JobFileParts {
    QString cluster; ///< name in the catalogue
    QString clusterTitle;
    StoredUsage usage; ///< its job record is always filled
    QString recording; ///< path
    QByteArray script, design;
    QList<JobFileOutput> outputs;
    std::optional<JobReports> report;

    /// Adds what the cluster has; a script that was sent from here stays, and outputs that it no longer has.
    void addOutputs(const JobOutputEnds& ends);
};

/// Output files in one job file, and bytes of each.
constexpr int mostJobFileOutputs = 16;
constexpr qint64 longestOutputEnd = 256 << 10;

/// What this machine keeps of the job that `made` reports on. `log`, `profile`: null when there are none. Outputs are
/// those that were kept when the job ended; take() brings those of the cluster.
JobFileParts keptParts(const QString& dataFolder, const JobLog* log, const ClusterProfile* profile,
    const QString& cluster, const JobReports& made);

} // namespace rankwright

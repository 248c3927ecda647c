// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

#include <QByteArray>
#include <QHash>

namespace rankwright::inline cluster {

// Readers of the answers to slurmcommands. All take any bytes and give a value or Fault::Unreadable; a record that
// cannot be read is left out, a cell that cannot be read is empty. A last line without its newline has not arrived.

Result<QList<JobRecord>> parseSqueue(const QByteArray& answer);

/// sacct's rows under its own header line. Steps ("123.batch", "123.0") are folded into their job: an OUT_OF_MEMORY
/// step shows as stepState.
struct AccountedJob {
    JobRecord job;
    QString submitLine; ///< sbatch as it was typed; empty before Slurm 21.08
    bool operator==(const AccountedJob&) const = default;
};
Result<QList<AccountedJob>> parseSacct(const QByteArray& answer);

/// One line of `scontrol -o show job`: fills what the queue does not say (output file, exit code, all GPUs).
JobRecord mergeScontrol(JobRecord job, const QByteArray& line);

/// Where `scontrol -o show job` says that the job's errors go, patterns expanded; empty: not reported.
QString standardErrorOf(const QByteArray& line, const JobRecord& job);

/// `sbatch --parsable`: "123" or "123;cluster", perhaps after lines that a site's plug-in prints.
Result<JobId> parseSubmitted(const QByteArray& answer);
/// `sbatch --test-only` on stderr, in UTC: "... to start at 2026-07-14T08:00:00 ... using 16 processors on nodes n[1-2]
/// in partition small-g"; all between these words is prose and changes with releases (slurm_job_will_run() in Slurm's
/// src/api/allocate.c). Without such a line, or with a time that cannot be read: no estimate.
StartForecast parseForecast(const QByteArray& errorOutput);

/// The answer to discoverCommand. `elapsedSeconds` is how long we waited; latency is what the remote did not use.
Result<ClusterFacts> parseDiscovery(const QByteArray& answer, double elapsedSeconds);

/// The parts of an answer by name: each begins with a line of sectionMark and its name.
QHash<QString, QByteArray> splitSections(const QByteArray& answer);

/// Slurm's file name patterns (sbatch(1) of 26.05, "FILENAME PATTERN") of a batch script put into a path, with widths
/// ("%5j") for those that are numbers. A pattern whose value is not known stays as it is.
QString expandOutputPattern(const QString& path, const JobRecord& job);

} // namespace rankwright::inline cluster

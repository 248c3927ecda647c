// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// A file that a job writes, or a pattern that finds several: one for each task or rank.
struct OutputFile {
    QString path; ///< on the cluster; of a pattern a shell's glob, where everything else is escaped
    bool isPattern = false;
    QString
        rankForm; ///< of a pattern: expression over a path that was found, with the group `rank`; empty: not reported
    QString label; ///< "output", "errors"; empty: the file's name is said
    bool operator==(const OutputFile&) const = default;
};

/// srun's --output or --error ("log-%t.txt", sbatch(1) and srun(1), "filename pattern"): what holds for the whole job
/// is put in, %t %n %N %s %J become a glob. Empty for "none", "all", and a single task's number, which are not files.
std::optional<OutputFile> stepOutput(const QString& pattern, const JobRecord& job, const QString& label = {});

/// torchrun's --log-dir (--log_dir) with redirects or tee: FOLDER/RUN/attempt_N/LOCALRANK/stdout.log, one for each
/// worker. The local rank is not the global rank.
OutputFile agentOutput(const QString& folder, const JobRecord& job);

/// The rank in the name of a file that `pattern` found.
std::optional<int> rankInName(const OutputFile& pattern, const QString& path);
/// "err", "rank 3 · train-3.log": how a file is called where there is little room.
QString shortName(const QString& path, std::optional<int> rank);

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

#include <QByteArray>

#include <optional>

namespace rankwright {

/// What a recording says of its job beside the samples.
struct RecordingFacts {
    QString cluster; ///< name in the catalogue
    JobRecord job; ///< newest state reported; its id must not be empty
    QString gpuWord = QStringLiteral("GPU"); ///< what the site calls one device ("GCD")
    int gpusPerPackage = 1;
    std::optional<int> gpusPerNode; ///< that were asked for; empty: not known
    QByteArray design; ///< design file, when the job was launched here
    QString entryId; ///< of the job log, the same
    bool operator==(const RecordingFacts&) const = default;
};

/// Can both be the same job? Ids start again when a cluster is set up again, so the time of submission counts too,
/// where both know it.
bool isSameJob(const RecordingFacts& a, const RecordingFacts& b);

} // namespace rankwright

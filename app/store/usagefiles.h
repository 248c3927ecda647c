// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"

namespace rankwright {

/// What a cluster reported of a job's use, kept on this machine so that its report can be made without the cluster.
struct StoredUsage {
    QString cluster;
    QDateTime asked; ///< when it was reported
    JobUsage usage;
    bool accounted = false; ///< the accounting knew it; else only the queue did
    MeasuredTraining measured; ///< read from its output
    RankBinding binding = {}; ///< the same
    bool operator==(const StoredUsage&) const = default;
};

/// Such a file's bytes, and what they say. Error: not such a file, or a newer program's; it names `name`.
QByteArray usageBytes(const StoredUsage& kept);
Result<StoredUsage> usageFrom(const QByteArray& bytes, const QString& name);

/// Writes it below `dataFolder`, one small file for each job; a job reported again takes its place. The file is whole
/// or as it was before.
Result<void> storeUsage(const QString& dataFolder, const StoredUsage& kept);
/// Empty: nothing is kept of it. Error: it cannot be read.
Result<std::optional<StoredUsage>> findStoredUsage(const QString& dataFolder, const QString& cluster, const JobId& job);

} // namespace rankwright

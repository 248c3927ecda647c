// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/core/error.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

#include <QList>

namespace rankwright {

// The records that jobs write of their GPUs by themselves, in the folder .rankwright of their working directory
// (docs/telemetry.md, "The sampler inside the job"): the commands that read the records and remove them, and what these
// answer. Nothing here runs a command. `workdir` empty: the home folder.

/// A stretch of time that is wanted of one node; `node` empty: of all.
struct MissingSpan {
    QString node;
    TimeSpan span;
    bool operator==(const MissingSpan&) const = default;
};

/// Streams the parts of a job's records that hold these spans, at most `limit` bytes. Whole stretches between two full
/// readings come, so some of what was not asked for comes, too. Answer: lines of the records, then for each node
/// "@rw-reach NODE LAST_MS" (how far its record reaches), and last "@rw-end done", "@rw-end limit" or "@rw-end none"
/// (no record).
RemoteCommand fetchRecordCommand(
    const QString& workdir, const QString& job, const QList<MissingSpan>& missing, qint64 limit);

/// What one job's record on the cluster takes.
struct SamplerRecords {
    QString job;
    int nodes = 0;
    qint64 bytes = 0;
    qint64 changedMs = 0; ///< newest line, cluster's clock
    bool operator==(const SamplerRecords&) const = default;
};
RemoteCommand listRecordsCommand(const QString& workdir);
Result<QList<SamplerRecords>> readRecordList(const QByteArray& answer);

/// Removes the records of these jobs, and nothing else in that folder. Answers "removed JOB" for each that was there.
RemoteCommand removeRecordsCommand(const QString& workdir, const QStringList& jobs);
QStringList readRemoved(const QByteArray& answer);

} // namespace rankwright

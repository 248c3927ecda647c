// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/telemetry/history/telemetryhistory.h"
#include "models/tables/recordmodel.h"

namespace rankwright::inline tables {

/// One recording on this computer, as its list shows it.
struct RecordingRow {
    QString path; ///< of its file; the row's id
    QString cluster;
    JobRecord job;
    TimeSpan span; ///< empty: no sample yet
    std::optional<int> nodes; ///< empty: not known, as below
    std::optional<int> gpusPerNode;
    QString gpuWord = QStringLiteral("GPU");
    qint64 bytes = 0;
    bool isWritten = false; ///< some program records it now
    QString fault; ///< one sentence: why it cannot be read; empty: it can
    bool operator==(const RecordingRow&) const = default;
};

/// Recordings, the newest first by default (SortRole of the column "Recorded"), updated in place by path.
class RecordingModel final : public RecordModel<RecordingRow> {
public:
    enum Column { Job, Name, Cluster, State, Recorded, Length, Gpus, Size, Note };
    explicit RecordingModel(QObject* parent = nullptr);
};

/// "12 recordings, 1.4 GiB of at most 2 GiB"
QString recordingsTotal(const QList<RecordingRow>& rows, qint64 limitBytes);

} // namespace rankwright::inline tables

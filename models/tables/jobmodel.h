// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/tables/recordmodel.h"

namespace rankwright::inline tables {

/// One row of the Jobs page: what the cluster reports, joined with what our own job log knows (launched here, token,
/// outcome not known yet).
struct JobRow {
    JobRecord job;
    QString cluster; ///< its name in the catalogue
    QString clusterTitle; ///< for people; empty: the catalogue has none
    QString gpuWord; ///< what the site counts: "GCD"; empty: not known
    bool launchedHere = false;
    QString note; ///< reason or outcome in words; "not known: the link was lost while submitting"
    QString entryId; ///< of the job log; empty for foreign jobs
    QString recording; ///< of its samples, to be replayed; empty: none
    /// What people read: the title, else the name.
    const QString& clusterText() const { return clusterTitle.isEmpty() ? cluster : clusterTitle; }
    bool operator==(const JobRow&) const = default;
};

/// Jobs, newest first by default (SortRole of the first column), updated in place by id.
class JobModel final : public RecordModel<JobRow> {
public:
    explicit JobModel(QObject* parent = nullptr);
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static constexpr int nameColumn = 1;
    static constexpr int stateColumn = 2;
    static constexpr int partitionColumn = 3;
    static constexpr int nodesColumn = 4;
    static constexpr int gpuColumn = 5; ///< "GCDs" where all jobs count them so, else "GPUs"
    static constexpr int timeColumn = 6; ///< elapsed and limit
    static constexpr int submittedColumn = 7;
    static constexpr int clusterColumn = 8; ///< worth its room only where there are several

private:
    void renameGpus();

    QString m_gpuWord;
};

} // namespace rankwright::inline tables

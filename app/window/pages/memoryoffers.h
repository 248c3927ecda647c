// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/report/efficiency.h"
#include "widgets/log/offeredchange.h"

#include <QObject>

#include <map>
#include <utility>

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class JobLog;
class JobsController;
class JobsPage;
class LiveController;
class LivePage;

/// After a job of ours ran out of GPU memory: the change of the design that its report advises is offered on the Live
/// and the Jobs page as well, beside why it failed, and written into the open design on a click. Owns none of them.
class MemoryOffers final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Design& design;
        const JobLog& log;
        LiveController& live;
        LivePage& livePage;
        JobsController& jobs;
        JobsPage& jobsPage;
    };
    explicit MemoryOffers(const Parts& parts, QObject* parent = nullptr);

private:
    struct Offer {
        QString cluster;
        JobId job;
        ReportAdvice advice;
        QString done;
    };
    std::optional<Offer> offerOf(
        const QString& cluster, const JobRecord& job, QList<Diagnosis> diagnoses, const std::optional<Offer>& before);
    std::optional<OfferedChange> shown(const std::optional<Offer>& offer) const;
    void offerLive();
    void offerInJobs(const JobRecord& job, const QString& cluster, const QList<Diagnosis>& diagnoses);
    void showLive();
    void showInJobs();
    void apply(Offer& offer);

    Parts m_parts;
    QList<Diagnosis> m_diagnoses; ///< of the job on the Live page
    std::optional<Offer> m_inLive;
    /// By cluster and job: causes are read on the cluster, and may come when another job is selected.
    std::map<std::pair<QString, JobId>, Offer> m_inJobs;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/memoryoffers.h"

#include "app/report/memorycase.h"
#include "app/watch/launchedjob.h"
#include "app/window/pages/adviceapply.h"
#include "app/window/pages/jobscontroller.h"
#include "app/window/pages/livecontroller.h"
#include "models/script/document/design.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"

namespace rankwright {

MemoryOffers::MemoryOffers(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    connect(&m_parts.live.output(), &OutputController::diagnosed, this, [this](const QList<Diagnosis>& diagnoses) {
        m_diagnoses = diagnoses;
        offerLive();
    });
    connect(&m_parts.live, &LiveController::jobOver, this, &MemoryOffers::offerLive);
    connect(&m_parts.livePage.log(), &JobLogView::changeWanted, this, [this] {
        if (m_inLive)
            apply(*m_inLive);
        showLive();
    });
    connect(&m_parts.jobs, &JobsController::causeShown, this, &MemoryOffers::offerInJobs);
    connect(&m_parts.jobsPage, &JobsPage::changeRequested, this, [this](const JobId& job, const QString& cluster) {
        if (const auto its = m_inJobs.find({cluster, job}); its != m_inJobs.end()) {
            apply(its->second);
            showInJobs();
        }
    });
    connect(&m_parts.design, &Design::changed, this, [this] { // perhaps for another cluster
        showLive();
        showInJobs();
    });
}

/// Empty: it did not run out of memory, was not launched here, or no change of its design helps.
std::optional<MemoryOffers::Offer> MemoryOffers::offerOf(
    const QString& cluster, const JobRecord& job, QList<Diagnosis> diagnoses, const std::optional<Offer>& before)
{
    const bool hasFailed = hasEnded(job.state) && job.state != JobState::Completed && job.state != JobState::Cancelled;
    if (!hasFailed || diagnoses.isEmpty())
        return {};
    for (Diagnosis& one : diagnoses)
        one.confirmed = true;
    const LaunchedJob launched = launchedJob(m_parts.log, cluster, job.id);
    const auto advice = memoryAdvice(diagnoses, launched.design, launched.script,
        m_parts.design.catalogue().find(cluster), m_parts.design.calibrations());
    if (!advice)
        return {};
    const bool isSame = before && before->cluster == cluster && before->job == job.id && before->advice == *advice;
    return Offer{cluster, job.id, *advice, isSame ? before->done : QString()};
}

std::optional<OfferedChange> MemoryOffers::shown(const std::optional<Offer>& offer) const
{
    if (!offer)
        return {};
    return OfferedChange{
        offer->advice.text, offer->advice.reason, whyNotApply(m_parts.design, offer->cluster), offer->done};
}

void MemoryOffers::offerLive()
{
    m_inLive = offerOf(m_parts.live.cluster(), m_parts.livePage.job(), m_diagnoses, m_inLive);
    showLive();
}

void MemoryOffers::offerInJobs(const JobRecord& job, const QString& cluster, const QList<Diagnosis>& diagnoses)
{
    const std::pair key(cluster, job.id);
    const auto before = m_inJobs.find(key);
    const auto offer
        = offerOf(cluster, job, diagnoses, before == m_inJobs.end() ? std::nullopt : std::optional(before->second));
    if (offer)
        m_inJobs.insert_or_assign(key, *offer);
    else
        m_inJobs.erase(key);
    m_parts.jobsPage.showChange(job.id, shown(offer), cluster);
}

void MemoryOffers::showLive() { m_parts.livePage.log().showChange(shown(m_inLive)); }

void MemoryOffers::showInJobs()
{
    for (const auto& [key, offer] : m_inJobs) // the page knows which one it shows
        m_parts.jobsPage.showChange(offer.job, shown(offer), offer.cluster);
}

void MemoryOffers::apply(Offer& offer)
{
    offer.done = applyToDesign(m_parts.design, offer.advice, offer.cluster, offer.job);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/reportwaiter.h"

#include "app/session/clustersession.h"
#include "app/window/links/connections.h"

namespace rankwright {

namespace {

constexpr int firstMs = 2000; // the recording is closed by then
constexpr int againMs = 8000; // the accounting lags some seconds behind the queue
constexpr int mostAsked = 4;

} // namespace

ReportWaiter::ReportWaiter(Connections& connections, JobLog& log, const QString& dataFolder, QObject* parent)
    : QObject(parent), m_connections(connections), m_maker(connections.catalogue(), &log, dataFolder)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &ReportWaiter::askNow);
}

ReportWaiter::~ReportWaiter() = default;

void ReportWaiter::ask(const QString& cluster, const JobId& job, const IsWhole& isWhole)
{
    stop();
    m_cluster = cluster;
    m_job = job;
    m_isWhole = isWhole;
    m_asked = 0;
    m_isPending = true;
    m_again.start(firstMs);
}

void ReportWaiter::stop()
{
    m_isPending = false;
    m_again.stop();
    m_question.reset();
}

void ReportWaiter::askNow()
{
    ++m_asked;
    m_question = std::make_unique<QObject>();
    if (m_learned)
        m_maker.setLearned(m_learned());
    const auto then = [this](const Result<JobReports>& made) { handleReports(made); };
    ClusterSession* session = m_connections.session(m_cluster);
    if (!session || !session->isOnline()) {
        m_maker.makeOffline(m_cluster, {m_job}, SumUp::First, m_question.get(), then);
        return;
    }
    // With the session go its shell and all that waits for it.
    connect(session->guard(), &QObject::destroyed, m_question.get(), [this] {
        m_question.release()->deleteLater();
        m_again.start(againMs); // from what is kept
    });
    m_maker.make(session->client(), session->shell(), m_cluster, {m_job}, SumUp::First, m_question.get(), then);
}

void ReportWaiter::handleReports(const Result<JobReports>& made)
{
    m_question.release()->deleteLater(); // not within its own answer
    // Whoever hears of it may ask for another job, or give this one up.
    const JobId job = m_job;
    const EfficiencyReport* report = made && !made->reports.isEmpty() ? &made->reports.first() : nullptr;
    const bool isLast = (report && m_isWhole(*report)) || m_asked >= mostAsked;
    if (report)
        emit reportArrived(*report);
    if (!m_isPending || job != m_job)
        return;
    if (!isLast) {
        m_again.start(againMs);
        return;
    }
    m_isPending = false;
    emit reportsEnded();
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/queuepoller.h"

#include "models/core/logging.h"

#include <algorithm>

namespace rankwright {

namespace {

constexpr qsizetype keptPages = 500;

} // namespace

QueuePoller::QueuePoller(RemoteShell& shell, SlurmClient& client, QObject* parent)
    : QObject(parent), m_shell(shell), m_client(client)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &QueuePoller::askQueue);
    connect(&m_shell, &RemoteShell::stateChanged, this, &QueuePoller::handleState);
}

void QueuePoller::handleState(LinkState state)
{
    const bool over = state == LinkState::Offline || state == LinkState::Lost;
    if (!over && state != LinkState::Online)
        return;
    m_next.stop();
    m_connection.reset();
    m_asking = false;
    m_namesAsked = false;
    if (over)
        return;
    m_connection = std::make_unique<QObject>();
    m_retry.reset();
    askQueue();
}

void QueuePoller::setWanted(bool wanted)
{
    if (m_wanted == wanted)
        return;
    m_wanted = wanted;
    if (wanted && m_sight == Sight::Window && isAnswerOlderThan(m_timing.activeMs))
        refresh();
    else
        schedule();
}

void QueuePoller::setSight(Sight sight)
{
    if (m_sight == sight)
        return;
    m_sight = sight;
    if (sight == Sight::Window && isAnswerOlderThan(m_timing.activeMs))
        refresh();
    else
        schedule();
}

void QueuePoller::setPace(Pace pace)
{
    m_pace = pace;
    if (!m_next.isActive())
        schedule();
}

bool QueuePoller::isAnswerOlderThan(int ms) const
{
    return !m_queueTime.isValid() || m_queueTime.msecsTo(QDateTime::currentDateTimeUtc()) > ms;
}

void QueuePoller::refresh()
{
    if (isOnline() && !m_asking)
        askQueue();
}

std::optional<int> QueuePoller::intervalMs() const
{
    const bool awaits = m_pace == Pace::Awaiting || m_pace == Pace::Eager;
    if (m_sight == Sight::Window) {
        if (m_pace == Pace::Eager)
            return m_timing.eagerMs;
        return m_wanted || m_pace != Pace::Idle ? m_timing.activeMs : m_timing.idleMs;
    }
    if (awaits)
        return m_timing.unseenAwaitingMs;
    if (m_pace == Pace::Active)
        return m_timing.unseenMs;
    return m_sight == Sight::Tray ? std::optional(m_timing.unseenIdleMs) : std::nullopt;
}

void QueuePoller::schedule()
{
    if (!isOnline() || m_asking)
        return;
    if (const auto interval = intervalMs())
        m_next.start(m_troubled ? std::max(*interval, m_retry.nextDelayMs()) : *interval);
    else
        m_next.stop();
}

void QueuePoller::askQueue()
{
    if (m_asking || !m_connection || !isOnline())
        return;
    m_next.stop();
    m_asking = true;
    m_client.queue(m_connection.get(), [this](const Result<QList<JobRecord>>& jobs) {
        m_asking = false;
        handleQueue(jobs);
        schedule();
    });
}

void QueuePoller::handleQueue(const Result<QList<JobRecord>>& jobs)
{
    if (!jobs) {
        m_troubled = true;
        emit troubleChanged(jobs.error());
        return;
    }
    if (m_troubled) {
        m_troubled = false;
        m_retry.reset();
        emit troubleChanged(std::nullopt);
    }
    m_queue = *jobs;
    for (JobRecord& record : m_queue) {
        if (m_pages.contains(record.id))
            record = mergedRecord(m_pages.value(record.id), record);
    }
    m_queueTime = QDateTime::currentDateTimeUtc();
    emit queueChanged(m_queue);
}

void QueuePoller::askPage(const JobId& job)
{
    if (!m_connection)
        return;
    m_client.job(job, m_connection.get(), [this, job](const Result<JobRecord>& record) { handlePage(job, record); });
}

void QueuePoller::handlePage(const JobId& job, const Result<JobRecord>& record)
{
    if (!record) {
        qCInfo(logApp) << "job" << job << ":" << record.error().oneLine();
        if (record.error().fault == Fault::Invalid)
            emit pageMissing(job, record.error());
        return;
    }
    if (m_pages.size() > keptPages)
        m_pages.clear();
    m_pages.insert(job, *record);
    emit pageArrived(job, *record);
}

void QueuePoller::learnNames()
{
    if (!m_connection || m_namesAsked)
        return;
    m_namesAsked = true;
    m_client.names(m_connection.get(), [this](const Result<ClusterNames>& names) {
        if (!names)
            return; // completion goes on with what is published
        m_names = *names;
        emit namesLearned(*m_names);
    });
}

} // namespace rankwright

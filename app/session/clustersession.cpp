// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"

#include "models/core/logging.h"

#include <algorithm>

namespace rankwright {

ClusterSession::ClusterSession(
    const ClusterProfile& profile, std::unique_ptr<ClusterLink> link, JobLog& log, QObject* parent)
    : QObject(parent), m_profile(profile), m_log(log), m_shell(std::move(link)),
      m_client(std::make_unique<SlurmClient>(*m_shell)), m_guard(std::make_unique<QObject>()),
      m_poller(*m_shell, *m_client), m_keeper(*m_shell, profile.name, profile.title),
      m_recovery(std::make_unique<SubmitRecovery>(*m_shell, *m_client, log, profile.name)),
      m_submit(std::make_unique<SubmitFlow>(*m_shell, *m_client, log, *m_recovery)),
      m_ours(std::make_unique<JobTracker>(log, *m_submit, profile.name))
{
    connectParts();
}

ClusterSession::~ClusterSession()
{
    // No receiver is left; what is destroyed below must not call back into a half-destroyed session.
    m_shell->disconnect(this);
    m_keeper.disconnect(this);
    m_poller.disconnect(this);
    m_watch.reset();
    m_guard.reset();
    m_discovery.reset();
    m_ours.reset();
    m_submit.reset();
    m_recovery.reset();
}

void ClusterSession::connectParts()
{
    connect(&m_keeper, &LinkKeeper::changed, this, &ClusterSession::linkChanged);
    connect(&m_keeper, &LinkKeeper::promptRaised, this, &ClusterSession::promptRaised);
    connect(&m_network, &NetworkWatch::changed, &m_keeper, &LinkKeeper::noteNetwork);
    connect(&m_network, &NetworkWatch::machineWoke, &m_keeper, &LinkKeeper::noteWake);
    connect(m_shell.get(), &RemoteShell::stateChanged, this, &ClusterSession::discover);
    connect(&m_poller, &QueuePoller::queueChanged, this, &ClusterSession::readQueue);
    connect(&m_poller, &QueuePoller::troubleChanged, this, [this](const std::optional<Error>& why) {
        m_poller.setPace(pace());
        emit queueTroubleChanged(why);
    });
    connect(&m_poller, &QueuePoller::namesLearned, this, &ClusterSession::namesLearned);
    connect(&m_poller, &QueuePoller::pageArrived, this, &ClusterSession::readPage);
    connect(&m_poller, &QueuePoller::pageMissing, this, [this](const JobId& job, const Error& why) {
        m_ours->readMissing(job);
        if (m_watch && m_watch->job() == job)
            m_watch->reportMissing(why);
    });
    connect(
        m_recovery.get(), &SubmitRecovery::submissionDecided, this, [this](const QString& entryId, EntryStage stage) {
            emit submissionDecided(entryId, stage);
            refresh();
        });
    connect(m_ours.get(), &JobTracker::pageWanted, &m_poller, &QueuePoller::askPage);
    connect(m_ours.get(), &JobTracker::jobEnded, this, &ClusterSession::ourJobEnded);
    connect(m_submit.get(), &SubmitFlow::stateChanged, this, [this](const SubmitState& state) {
        if (state.stage == SubmitState::Stage::Submitted)
            refresh();
    });
}

void ClusterSession::open() { m_keeper.open(); }

void ClusterSession::close()
{
    m_watch.reset();
    m_keeper.close();
}

void ClusterSession::answer(quint64 promptId, const PromptAnswer& answer) { m_shell->answer(promptId, answer); }

void ClusterSession::discover(LinkState state)
{
    if (state != LinkState::Online) {
        m_discovery.reset();
        return;
    }
    m_discovery = std::make_unique<QObject>();
    m_client->discover(m_discovery.get(), [this](const Result<ClusterFacts>& facts) {
        if (!facts) {
            // Slurm may be away while the login works: the queue's poll says so and goes on.
            qCInfo(logApp) << "discovery:" << facts.error().oneLine();
            return;
        }
        m_facts = *facts;
        m_keeper.setFacts(*m_facts);
        emit factsDiscovered(*m_facts);
    });
}

void ClusterSession::setLineRate(const LineRate& rate)
{
    m_line = rate;
    if (!rate.isPending)
        m_keeper.setLineRate(rate.bytesPerSecond);
    if (m_watch)
        m_watch->setLineRate(rate);
}

void ClusterSession::learnNames() { m_poller.learnNames(); }

void ClusterSession::setQueueWanted(bool wanted) { m_poller.setWanted(wanted); }

void ClusterSession::setSight(QueuePoller::Sight sight) { m_poller.setSight(sight); }

void ClusterSession::refresh() { m_poller.refresh(); }

QueuePoller::Pace ClusterSession::pace() const
{
    if (m_watch && m_watch->isEager())
        return QueuePoller::Pace::Eager;
    if (m_watch && m_watch->isAwaited())
        return QueuePoller::Pace::Awaiting;
    const bool watching = m_watch && !m_watch->isOver();
    return m_ours->isAnyActive() || watching ? QueuePoller::Pace::Active : QueuePoller::Pace::Idle;
}

void ClusterSession::readQueue(const QList<JobRecord>& queue)
{
    m_ours->readQueue(queue);
    reportWatch(queue);
    m_poller.setPace(pace());
    emit queueChanged(queue);
}

void ClusterSession::readPage(const JobId& job, const JobRecord& record)
{
    if (m_watch && m_watch->job() == job)
        m_watch->update(record);
    m_ours->readPage(record);
}

void ClusterSession::reportWatch(const QList<JobRecord>& queue)
{
    if (!m_watch || m_watch->isOver())
        return;
    const auto found = std::find_if(
        queue.cbegin(), queue.cend(), [this](const JobRecord& record) { return record.id == m_watch->job(); });
    // The queue's table lacks some of what a job's own page reports: output file, GPUs, exit code.
    const JobRecord& known = m_watch->record();
    const bool lacks = isActive(known.state) && (known.standardOutput.isEmpty() || known.nodeList.isEmpty());
    if (found == queue.cend() || found->state != known.state || lacks)
        m_poller.askPage(m_watch->job());
    else
        m_watch->update(*found);
}

void ClusterSession::cancelJob(const JobId& job, QObject* guard, Then<void> then)
{
    const QPointer<QObject> alive(guard);
    m_client->cancel(job, m_guard.get(), [this, alive, then](const Result<void>& done) {
        refresh();
        if (alive)
            then(done);
    });
}

JobWatch& ClusterSession::watch(const JobId& job)
{
    m_watch = std::make_unique<JobWatch>(*m_shell, m_profile, job);
    m_watch->setLineRate(m_line);
    m_watch->setLaunched(launchedJob(m_log, m_profile.name, job));
    m_poller.setPace(pace());
    connect(m_watch.get(), &JobWatch::askWanted, this, &ClusterSession::refresh);
    // Reported in the next turn, so that the caller has connected; nothing known yet: asked at once.
    QTimer::singleShot(0, m_watch.get(), [this] {
        m_poller.askPage(m_watch->job());
        refresh();
    });
    return *m_watch;
}

void ClusterSession::unwatch()
{
    m_watch.reset();
    m_poller.setPace(pace());
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"

#include "models/core/logging.h"
#include "models/document/designjson.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Sites ask users not to poll hard (see docs/slurm.md); a person notices nothing below 5 s.
constexpr int eagerPollMs = 1000;
constexpr int wantedPollMs = 5000;
constexpr int idlePollMs = 30000;
constexpr int meterMs = 2000;
constexpr qsizetype keptPages = 500;

qint64 nowMs() { return QDateTime::currentMSecsSinceEpoch(); }

} // namespace

ClusterSession::ClusterSession(const ClusterProfile& profile, std::unique_ptr<RemoteShell> shell, LinkControl control,
    JobLog& log, QObject* parent)
    : QObject(parent), m_profile(profile), m_log(log), m_control(std::move(control)), m_shell(std::move(shell)),
      m_client(std::make_unique<SlurmClient>(*m_shell)), m_guard(std::make_unique<QObject>()),
      m_recovery(std::make_unique<SubmitRecovery>(*m_shell, *m_client, log, profile.name)),
      m_submit(std::make_unique<SubmitFlow>(*m_shell, *m_client, log, *m_recovery)),
      m_ours(std::make_unique<JobTracker>(log, *m_submit, profile.name))
{
    m_link.cluster = profile.name;
    m_link.title = profile.title;
    m_reconnect.setSingleShot(true);
    m_poll.setSingleShot(true);
    m_meter.setInterval(meterMs);
    connect(m_shell.get(), &RemoteShell::stateChanged, this, &ClusterSession::handleLink);
    connect(&m_reconnect, &QTimer::timeout, this, &ClusterSession::reconnect);
    connect(&m_poll, &QTimer::timeout, this, &ClusterSession::poll);
    connect(&m_meter, &QTimer::timeout, this, &ClusterSession::report);
    connect(m_recovery.get(), &SubmitRecovery::decided, this, [this](const QString& entryId, EntryStage stage) {
        emit submissionDecided(entryId, stage);
        refresh();
    });
    connect(m_ours.get(), &JobTracker::pageWanted, this, &ClusterSession::askJob);
    connect(m_ours.get(), &JobTracker::ended, this, &ClusterSession::ourJobEnded);
    connect(m_submit.get(), &SubmitFlow::stateChanged, this, [this](const SubmitState& state) {
        if (state.stage == SubmitState::Stage::Submitted)
            refresh();
    });
}

ClusterSession::~ClusterSession()
{
    // Nobody listens any more; what is destroyed below must not call back into a half-destroyed session.
    m_shell->disconnect(this);
    m_watch.reset();
    m_guard.reset();
    m_ours.reset();
    m_submit.reset();
    m_recovery.reset();
    m_client.reset();
}

void ClusterSession::open()
{
    m_wanted = true;
    m_automatic = false;
    m_reconnect.stop();
    m_retry.reset();
    m_link.error = {};
    m_control.open();
    report();
}

void ClusterSession::close()
{
    m_wanted = false;
    m_reconnect.stop();
    m_poll.stop();
    m_meter.stop();
    m_watch.reset();
    m_control.close();
    m_link.error = {};
    m_link.activity.clear();
    report();
}

void ClusterSession::answer(quint64 promptId, const PromptAnswer& answer)
{
    if (m_control.answer)
        m_control.answer(promptId, answer);
}

void ClusterSession::raisePrompt(const LoginPrompt& prompt)
{
    if (!m_automatic) {
        emit promptRaised(prompt);
        return;
    }
    // No second factor fires, and no dialog pops up, because of a connection that was lost while nobody looked.
    m_wanted = false;
    answer(prompt.id, {});
    m_control.close();
    m_link.error = {
        Fault::LoginRefused, tr("The connection was lost, and logging in again needs you."), {}, tr("Connect again.")};
    m_link.activity.clear();
    report();
}

void ClusterSession::handleLink(LinkState state)
{
    if (state == LinkState::Online)
        handleOnline();
    else if (state == LinkState::Offline || state == LinkState::Lost)
        handleLoss();
    report();
}

void ClusterSession::handleOnline()
{
    qCInfo(logApp) << "online:" << m_profile.name;
    ++m_round;
    m_asking = false;
    m_wasOnline = true;
    m_automatic = false;
    m_retry.reset();
    m_pollRetry.reset();
    m_link.error = {};
    m_link.activity.clear();
    m_meter.start();
    discover();
    poll();
}

void ClusterSession::handleLoss()
{
    ++m_round;
    m_asking = false;
    m_poll.stop();
    m_meter.stop();
    if (!m_wanted)
        return;
    m_link.error = m_shell->lastError();
    // A first attempt that fails is told at once: most likely something is mistyped.
    if (!m_wasOnline || !worthRetrying(m_link.error)) {
        m_link.activity.clear();
        return;
    }
    const int delay = m_retry.nextDelayMs();
    m_link.activity = tr("connecting again in %1 s").arg((delay + 999) / 1000);
    m_reconnect.start(delay);
}

void ClusterSession::reconnect()
{
    if (!m_wanted || m_shell->state() == LinkState::Online || m_shell->state() == LinkState::Connecting)
        return;
    m_automatic = true;
    m_link.activity = tr("connecting again");
    m_control.open();
    report();
}

void ClusterSession::report()
{
    m_link.state = m_shell->state();
    if (m_control.traffic && m_link.state == LinkState::Online) {
        reportTraffic(m_control.traffic());
    } else if (m_link.state != LinkState::Online) {
        m_link.openChannels = 0;
        m_link.bytesPerSecond.reset();
        m_link.commandsPerMinute.reset();
    }
    emit linkChanged(m_link);
}

void ClusterSession::reportTraffic(const SshShell::Traffic& traffic)
{
    const double seconds = meterMs / 1000.0;
    m_link.openChannels = traffic.openChannels;
    m_link.bytesPerSecond = double(std::max<qint64>(0, traffic.bytesIn - m_lastTraffic.bytesIn)) / seconds;
    if (traffic.roundTripMs)
        m_link.latencyMs = traffic.roundTripMs;
    m_lastTraffic = traffic;
    // Commands come in bursts: only a whole minute tells a rate.
    const qint64 now = nowMs();
    if (!m_commandCounts.isEmpty() && m_commandCounts.last().second > traffic.commands)
        m_commandCounts.clear(); // another connection
    m_commandCounts.append({now, traffic.commands});
    while (m_commandCounts.first().first < now - 60000)
        m_commandCounts.removeFirst();
    m_link.commandsPerMinute = double(traffic.commands - m_commandCounts.first().second);
}

void ClusterSession::discover()
{
    m_client->discover(m_guard.get(), [this, round = m_round](const Result<ClusterFacts>& facts) {
        if (round != m_round)
            return;
        if (!facts) {
            // Slurm may be away while the login works: the queue's poll says so and goes on.
            qCInfo(logApp) << "discovery:" << facts.error().oneLine();
            return;
        }
        m_facts = *facts;
        m_link.user = facts->user;
        m_link.slurmVersion = facts->slurmVersion;
        if (facts->latencySeconds && !m_link.latencyMs)
            m_link.latencyMs = *facts->latencySeconds * 1000.0;
        // Of several, the design chooses.
        m_link.account = facts->accounts.size() == 1 ? facts->accounts.first() : QString();
        emit discovered(*m_facts);
        report();
    });
}

void ClusterSession::learnNames()
{
    if (!isOnline() || m_namesRound == m_round)
        return;
    m_namesRound = m_round;
    m_client->names(m_guard.get(), [this, round = m_round](const Result<ClusterNames>& names) {
        if (round != m_round || !names)
            return; // completion goes on with what is published
        m_names = *names;
        emit namesLearned(*m_names);
    });
}

void ClusterSession::setQueueWanted(bool wanted)
{
    if (m_queueWanted == wanted)
        return;
    m_queueWanted = wanted;
    if (wanted && (!m_queueTime.isValid() || m_queueTime.msecsTo(QDateTime::currentDateTimeUtc()) > wantedPollMs))
        refresh();
    else
        schedulePoll();
}

void ClusterSession::refresh()
{
    if (isOnline() && !m_asking)
        poll();
}

int ClusterSession::pollIntervalMs() const
{
    if (m_watch && m_watch->isEager())
        return eagerPollMs;
    const bool watching = m_watch && !m_watch->isOver();
    return m_queueWanted || m_ours->isAnyActive() || watching ? wantedPollMs : idlePollMs;
}

void ClusterSession::schedulePoll()
{
    if (isOnline() && !m_asking)
        m_poll.start(m_troubled ? std::max(pollIntervalMs(), m_pollRetry.nextDelayMs()) : pollIntervalMs());
}

void ClusterSession::poll()
{
    if (m_asking || !isOnline())
        return;
    m_poll.stop();
    m_asking = true;
    m_client->queue(m_guard.get(), [this, round = m_round](const Result<QList<JobRecord>>& jobs) {
        if (round != m_round)
            return;
        m_asking = false;
        handleQueue(jobs);
        schedulePoll();
    });
}

void ClusterSession::handleQueue(const Result<QList<JobRecord>>& jobs)
{
    if (!jobs) {
        m_troubled = true;
        emit queueTrouble(jobs.error());
        return;
    }
    if (m_troubled) {
        m_troubled = false;
        m_pollRetry.reset();
        emit queueTrouble({Fault::Cancelled, {}, {}, {}});
    }
    m_queue = *jobs;
    for (JobRecord& record : m_queue) {
        if (m_pages.contains(record.id))
            record = mergedRecord(m_pages.value(record.id), record);
    }
    m_queueTime = QDateTime::currentDateTimeUtc();
    m_ours->readQueue(m_queue);
    reportWatch();
    emit queueChanged(m_queue);
}

void ClusterSession::reportWatch()
{
    if (!m_watch || m_watch->isOver())
        return;
    const auto found = std::find_if(
        m_queue.cbegin(), m_queue.cend(), [this](const JobRecord& record) { return record.id == m_watch->job(); });
    // The queue's table lacks some of what a job's own page tells: output file, GPUs, exit code.
    const JobRecord& known = m_watch->record();
    const bool lacks = isActive(known.state) && (known.standardOutput.isEmpty() || known.nodeList.isEmpty());
    if (found == m_queue.cend() || found->state != known.state || lacks)
        askJob(m_watch->job());
    else
        m_watch->update(*found);
}

void ClusterSession::askJob(const JobId& job)
{
    m_client->job(job, m_guard.get(), [this, job, round = m_round](const Result<JobRecord>& record) {
        if (round != m_round)
            return;
        if (!record) {
            qCInfo(logApp) << "job" << job << ":" << record.error().oneLine();
            if (record.error().fault == Fault::Invalid) {
                m_ours->readMissing(job);
                if (m_watch && m_watch->job() == job)
                    m_watch->reportMissing(record.error());
            }
            return;
        }
        if (m_pages.size() > keptPages)
            m_pages.clear();
        m_pages.insert(job, *record);
        if (m_watch && m_watch->job() == job)
            m_watch->update(*record);
        m_ours->readPage(*record);
    });
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
    connect(m_watch.get(), &JobWatch::askWanted, this, &ClusterSession::refresh);
    if (const auto entries = m_log.withJob(m_profile.name, job); entries && !entries->isEmpty()) {
        if (const auto design = readDesign(entries->first().design, {}))
            m_watch->setDesign(design->spec);
    }
    // Told in the next turn, so that the caller has connected; nothing known yet: asked at once.
    QTimer::singleShot(0, m_watch.get(), [this] {
        if (isOnline())
            askJob(m_watch->job());
        refresh();
    });
    return *m_watch;
}

void ClusterSession::unwatch() { m_watch.reset(); }

} // namespace rankwright

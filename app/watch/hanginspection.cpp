// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/hanginspection.h"

#include "models/cluster/forward/nodestep.h"
#include "models/insight/telemetry/sampling/samplingend.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Of a job that ran when the inspection began; empty: it still runs, as far as its state says.
QString overSentence(JobState state)
{
    if (isWaiting(state))
        return u"The job went back into the queue while it was inspected (%1)."_s.arg(toText(state));
    if (hasEnded(state) || state == JobState::Completing)
        return u"The job ended while it was inspected (%1)."_s.arg(toText(state));
    return {};
}

} // namespace

HangInspection::HangInspection(SlurmClient& client, RemoteShell& shell, const ClusterProfile& profile, QObject* parent)
    : QObject(parent), m_client(client), m_shell(shell), m_profile(profile)
{ }

HangInspection::~HangInspection() = default;

void HangInspection::begin(const JobId& job)
{
    cancel();
    m_job = job;
    m_reading.begin();
    m_isSecondRound = false;
    m_isWhole = false;
    m_clock.start();
    m_guard = std::make_unique<QObject>();
    m_client.job(job, m_guard.get(), [this](const Result<JobRecord>& record) {
        if (record)
            plan(*record);
        else
            end(fail(record.error()));
    });
}

void HangInspection::cancel()
{
    ++m_round;
    m_heartbeat.stop();
    m_process.reset();
    m_reading.cancel();
    m_guard.reset();
}

void HangInspection::plan(const JobRecord& record)
{
    const auto step = stepOn(record, {});
    if (!step) {
        end(fail(step.error()));
        return;
    }
    const QStringList nodes = record.nodeList.names();
    for (const QString& node : nodes) {
        if (isNodeName(node))
            continue;
        end(fail(Error{
            Fault::Unreadable, u"What Slurm reported of job %1 cannot be used."_s.arg(m_job), node.left(80), {}}));
        return;
    }
    m_request = {step->job, nodes, {}, SamplingWay::Step, m_profile.launch.monitorAllNodesInOneStep};
    m_plan = collectPlan(m_request);
    emit nodesAsked(m_plan.askedNodes().size());
    startRound();
}

/// One round, at the nodes of m_plan.
void HangInspection::startRound()
{
    if (!isRunning())
        return; // cancelled by whoever heard of it
    const int round = ++m_round;
    m_process = m_shell.start(collectCommand(m_plan));
    connect(m_process.get(), &RemoteProcess::outputArrived, this,
        [this](const QByteArray& bytes) { m_reading.feed(bytes); });
    connect(m_process.get(), &RemoteProcess::finished, this, [this, round](const Result<CommandOutcome>& outcome) {
        // the process tells us of its end: it cannot be deleted in here
        QTimer::singleShot(0, this, [this, round, outcome] {
            if (round == m_round)
                handleOutcome(outcome);
        });
    });
    connect(&m_heartbeat, &QTimer::timeout, m_process.get(), [this] { m_process->write("\n"); });
    m_heartbeat.start(collectHeartbeatMs);
}

void HangInspection::handleOutcome(const Result<CommandOutcome>& outcome)
{
    m_heartbeat.stop();
    m_process.reset();
    m_reading.endRound(m_plan, outcome ? QString() : outcome.error().oneLine(),
        [this, outcome](const HangRound& round) { handleRound(outcome, round); });
}

void HangInspection::handleRound(const Result<CommandOutcome>& outcome, const HangRound& round)
{
    if (round.isSilent) {
        handleSilence(outcome);
        return;
    }
    m_isWhole = outcome && round.nodesDone >= m_plan.askedNodes().size();
    if (!m_isSecondRound && outcome && !round.nodesNext.isEmpty()) {
        m_isSecondRound = true;
        m_plan = nextPlan(m_plan, round.nodesNext);
        startRound();
    } else {
        conclude();
    }
}

/// No node said anything.
void HangInspection::handleSilence(const Result<CommandOutcome>& outcome)
{
    if (m_isSecondRound) {
        m_isWhole = false;
        conclude();
        return;
    }
    if (!outcome) {
        end(fail(outcome.error()));
        return;
    }
    if (m_plan.way == SamplingWay::Step && isStepRefused(outcome->errorOutput)
        && m_profile.login.nodeLogin.value_or(false)) {
        m_request.way = SamplingWay::Ssh;
        m_plan = collectPlan(m_request);
        startRound();
        return;
    }
    const SamplingEnd why = samplingEnd(*outcome, m_job, SamplesBefore::None, m_plan.way);
    endUnlessOver(fail(why.error.value_or(
        Error{Fault::Invalid, u"Job %1 ended before its nodes had answered."_s.arg(m_job), {}, {}})));
}

void HangInspection::conclude()
{
    m_reading.assess({}, [this](const HangAnswer& answer) {
        if (m_isWhole && answer.verdict.cause != HangCause::Unknown && answer.ranksEnded == 0)
            end(answer);
        else
            endUnlessOver(answer);
    });
}

/// What ends looks like what hangs: where too little came, or ranks have gone, Slurm is asked whether the job is over.
void HangInspection::endUnlessOver(const Result<HangAnswer>& answer)
{
    m_client.job(m_job, m_guard.get(), [this, answer](const Result<JobRecord>& record) {
        const QString over = record ? overSentence(record->state) : QString();
        if (over.isEmpty())
            end(answer);
        else
            m_reading.assess(over, [this](const HangAnswer& last) { end(last); });
    });
}

void HangInspection::end(const Result<HangAnswer>& answer)
{
    // a question tells us of its answer: its guard cannot be deleted in here
    if (m_guard)
        m_guard.release()->deleteLater();
    ++m_round;
    m_reading.cancel();
    Result<HangAnswer> timed = answer;
    if (timed)
        timed->verdict.seconds = seconds();
    emit finished(timed);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/classroom/classrun.h"

#include "app/session/practicedesign.h"
#include "app/submit/submitorder.h"
#include "models/core/quantitytext.h"
#include "models/insight/diagnosis/explain.h"
#include "models/teaching/classroom/classplace.h"
#include "models/teaching/classroom/classrules.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int answerWaitMs = 5000; // for sbatch's and scancel's answers once interrupted

/// Hints are for the person who edits the design.
QList<Finding> withoutHints(QList<Finding> findings)
{
    findings.removeIf([](const Finding& finding) { return finding.severity == Severity::Hint; });
    return findings;
}

/// The class of what kept a job from completing; empty: nothing did, or it is unknown.
QString failureOf(const TrialOutcome& trial)
{
    if (!trial.failures.isEmpty())
        return firstFailure(trial.failures);
    return trial.isRefused ? QString(refusedBySlurm) : QString();
}

} // namespace

bool ExerciseOutcome::isPassed() const
{
    return !checks.isEmpty() && std::all_of(checks.cbegin(), checks.cend(), [](const CheckVerdict& verdict) {
        return verdict.state == CheckState::Seen;
    });
}

ClassRun::ClassRun(CliLogin& login, ClusterProfile profile, ClassRunOrder order)
    : m_login(login), m_profile(std::move(profile)), m_order(std::move(order)),
      m_trials(classTrials(m_order.file, m_order.only))
{
    m_limit.setSingleShot(true);
    m_lastWait.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, &ClassRun::handleLimit);
    connect(&m_lastWait, &QTimer::timeout, this, [this] {
        printLine(
            u"Interrupted; it is not known yet whether Slurm took the job. rankwright-cli jobs %1 looks for it."_s.arg(
                m_profile.name));
        end(ExitUnreachable);
    });
    SubmitFlow& flow = m_login.session().submitFlow();
    connect(&flow, &SubmitFlow::stateChanged, this, &ClassRun::handleState);
    connect(&flow, &SubmitFlow::jobCompared, this, [this](const SubmitState& state) {
        if (state.job == m_now.facts.job)
            m_now.notes += state.differences;
    });
    m_login.onInterruption([this] { handleInterruption(); });
}

ClassRun::~ClassRun() { m_login.onInterruption({}); }

void ClassRun::start()
{
    m_at.reset();
    QTimer::singleShot(0, this, &ClassRun::startNextTrial);
}

void ClassRun::startNextTrial()
{
    if (m_isOver)
        return;
    m_at = m_at ? *m_at + 1 : 0;
    if (*m_at < m_trials.size()) {
        begin(m_trials.at(*m_at));
        return;
    }
    const bool isPassed = std::all_of(
        m_outcomes.cbegin(), m_outcomes.cend(), [](const ExerciseOutcome& outcome) { return outcome.isPassed(); });
    end(isPassed ? ExitDone : ExitNo);
}

JobSpec ClassRun::specOf(const ClassTrial& trial) const
{
    const bool isGiven
        = m_order.design && trial.isChecked && m_order.file.exercises.at(trial.exercise).id == m_order.only;
    JobSpec spec = isGiven ? *m_order.design : trialSpec(m_order.file, trial);
    spec.cluster = m_profile.name;
    if (!spec.account && !m_order.account.isEmpty())
        spec.account = m_order.account;
    if (!spec.workdir && !m_order.folder.isEmpty())
        spec.workdir = m_order.folder;
    if (m_login.practice())
        fillFromPractice(spec, *m_login.practice());
    return spec;
}

void ClassRun::begin(const ClassTrial& trial)
{
    const ClassExercise& exercise = m_order.file.exercises.at(trial.exercise);
    m_now = {};
    m_now.trial = trial;
    m_now.isGiven = m_order.design && trial.isChecked && exercise.id == m_order.only;
    m_said = JobState::Unknown;
    const JobSpec spec = specOf(trial);
    m_derived = derive(spec, m_profile, m_login.measuredRuns());
    m_derived.addFindings(classFindings(m_order.file, exercise, m_derived.resolved, QDateTime::currentDateTimeUtc()));
    m_meter = ClassMeter(m_derived.resolved.node.gpu.word);
    m_now.findings = withoutHints(m_derived.findings());
    const auto error = std::find_if(m_now.findings.cbegin(), m_now.findings.cend(),
        [](const Finding& finding) { return finding.severity == Severity::Error; });
    if (error != m_now.findings.cend())
        m_now.refusal = error->text;
    else if (spec.options.array)
        m_now.refusal = u"A job array is not tried: each of its tasks would be a job to check."_s;
    if (!m_now.refusal.isEmpty()) {
        printLine(place() + u": not submitted: "_s + m_now.refusal);
        close();
        return;
    }
    SubmitOrder order = submitOrder(spec, m_derived, SubmitPurpose::Submission);
    order.asked = m_at == 0 ? std::optional(m_login.jobLog().openedAt()) : std::nullopt;
    m_login.session().submitFlow().start(order);
}

void ClassRun::handleState(const SubmitState& state)
{
    switch (state.stage) {
    case SubmitState::Stage::Submitted:
        m_now.facts.job = state.job;
        m_now.facts.at = QDateTime::currentDateTimeUtc();
        m_now.facts.gpus = int(m_derived.resolved.worldSize());
        m_now.wasFound = state.wasFound;
        printLine(u"%1: %2 job %3"_s.arg(place(), state.wasFound ? u"found"_s : u"submitted"_s, state.job));
        // Reported now: the same design tried again is another job.
        m_login.session().submitFlow().acknowledge();
        if (m_isInterrupted)
            cancelAndEnd(state.job);
        else
            watch(state.job);
        break;
    case SubmitState::Stage::Refused:
        m_now.refusal = state.error.oneLine();
        m_now.isRefused = state.error.fault != Fault::Offline;
        printLine(place() + u": "_s + m_now.refusal);
        if (state.error.fault == Fault::Offline) {
            close();
            end(ExitUnreachable);
            break;
        }
        close();
        break;
    case SubmitState::Stage::Unknown:
        m_now.refusal = state.text;
        close();
        report(m_login.context(),
            {Fault::Offline, state.text, state.error.oneLine(),
                u"Try the class again, or see rankwright-cli jobs %1: both look for it first."_s.arg(m_profile.name)});
        end(ExitUnreachable);
        break;
    default: break;
    }
}

void ClassRun::watch(const JobId& job)
{
    m_isWatching = true;
    if (m_order.limit)
        m_limit.start(int(std::min<qint64>(m_order.limit->count, 10 * 24 * 3600) * 1000));
    JobWatch& watch = m_login.session().watch(job);
    connect(&watch, &JobWatch::recordChanged, this, &ClassRun::handleRecord);
    connect(&watch, &JobWatch::tickArrived, this, [this](const NodeTick& tick) { m_meter.addTick(tick); });
    connect(&watch, &JobWatch::jobEnded, this, &ClassRun::handleEnd);
    const JobOutput* output = &watch.output();
    connect(
        output, &JobOutput::progressChanged, this, [this](const TrainingProgress& seen) { m_meter.addProgress(seen); });
    connect(output, &JobOutput::lossesChanged, this, [this](const QList<LossPoint>& seen) { m_meter.setLosses(seen); });
    connect(output, &JobOutput::bindingChanged, this, [this](const RankBinding& seen) { m_meter.setBinding(seen); });
    connect(output, &JobOutput::linesArrived, this, [this](const QList<LogLine>& lines) {
        for (const LogLine& line : lines)
            m_meter.addLine(line.text);
    });
}

void ClassRun::handleRecord(const JobRecord& record)
{
    applyRecord(m_now.facts, record, QDateTime::currentDateTimeUtc());
    if (record.state == std::exchange(m_said, record.state))
        return;
    const QString why
        = record.state == JobState::Pending && !record.reason.isEmpty() ? u" ("_s + record.reason + u')' : QString();
    printLine(u"%1: job %2 %3%4"_s.arg(place(), record.id, toText(record.state), why));
}

void ClassRun::handleEnd(const JobRecord& record)
{
    if (!std::exchange(m_isWatching, false))
        return;
    m_limit.stop();
    const JobOutput& output = m_login.session().watched()->output();
    m_meter.addProgress(output.progress());
    m_meter.setLosses(output.losses());
    m_meter.setBinding(output.binding());
    applyRecord(m_now.facts, record, QDateTime::currentDateTimeUtc());
    m_meter.fill(m_now.facts);
    m_now.ending = explainOutcome(record);
    m_now.failures = confirmedOf(output.diagnoses());
    if (m_isInterrupted)
        return; // cancelled: what it says is not an answer
    close();
}

void ClassRun::handleLimit()
{
    const JobId job = m_now.facts.job;
    m_now.notes.append(
        u"The job was cancelled: it had not ended %1 after its submission."_s.arg(humanDuration(*m_order.limit)));
    printLine(place() + u": "_s + m_now.notes.last());
    m_login.session().cancelJob(job, this, [this](const Result<void>& done) {
        if (!done)
            report(m_login.context(), done.error());
    });
}

/// The present trial is over: its exercise's checks are evaluated if this was its last one.
void ClassRun::close()
{
    const ClassExercise& exercise = m_order.file.exercises.at(m_now.trial.exercise);
    if (m_outcomes.isEmpty() || m_outcomes.last().exercise != m_now.trial.exercise)
        m_outcomes.append({m_now.trial.exercise, {}, {}, {}});
    ExerciseOutcome& outcome = m_outcomes.last();
    outcome.trials.append(m_now);
    if (m_now.trial.isChecked) {
        if (!m_now.facts.job.isEmpty())
            m_runs[exercise.id].prepend(m_now.facts);
        outcome.checks
            = evaluate(exercise.checks, {&m_derived, m_runs.value(exercise.id), m_runs, m_order.file.limits});
        outcome.progress.exercise = exercise.id;
        for (const CheckVerdict& verdict : std::as_const(outcome.checks))
            outcome.progress.checks.append(verdict.state);
        outcome.progress.stuckOn = stuckOn(m_derived.findings(), failureOf(m_now));
        outcome.progress.at = QDateTime::currentDateTimeUtc();
        const auto seen
            = std::count(outcome.progress.checks.cbegin(), outcome.progress.checks.cend(), CheckState::Seen);
        printLine(
            u"%1: %2 of %3 seen"_s.arg(place(), QString::number(seen), counted(outcome.checks.size(), u"check"_s)));
    }
    QTimer::singleShot(0, this, &ClassRun::startNextTrial); // the watch is within its own signal
}

void ClassRun::handleInterruption()
{
    if (std::exchange(m_isInterrupted, true))
        return;
    SubmitFlow& flow = m_login.session().submitFlow();
    if (m_isWatching) {
        cancelAndEnd(m_now.facts.job);
        return;
    }
    switch (flow.state().stage) {
    case SubmitState::Stage::Sending:
        printLine(
            u"Interrupted while Slurm has the script: waiting up to %1 s for its answer, to cancel the job (interrupt "
            "again to stop waiting)."_s.arg(answerWaitMs / 1000));
        m_lastWait.start(answerWaitMs);
        break;
    case SubmitState::Stage::Recovering:
        if (!flow.entryId().isEmpty()) {
            m_lastWait.start(0);
            break;
        }
        [[fallthrough]];
    default:
        disconnect(&flow, nullptr, this, nullptr);
        flow.stop();
        printLine(u"Interrupted; no job of this class is under way."_s);
        end(ExitNo);
    }
}

void ClassRun::cancelAndEnd(const JobId& job)
{
    m_lastWait.stop();
    m_limit.stop();
    printLine(u"Interrupted; job %1 is being cancelled (interrupt again to leave it)."_s.arg(job));
    m_login.session().cancelJob(job, this, [this, job](const Result<void>& done) {
        printLine(done ? u"Job %1 was cancelled."_s.arg(job)
                       : u"Job %1 could not be cancelled: %2 End it by rankwright-cli cancel %3 %1."_s.arg(
                           job, done.error().oneLine(), m_profile.name));
        end(done ? ExitNo : ExitUnreachable);
    });
}

void ClassRun::end(int code)
{
    if (std::exchange(m_isOver, true))
        return;
    m_lastWait.stop();
    m_limit.stop();
    m_login.finish(code);
}

void ClassRun::printLine(const QString& text)
{
    m_login.context().err << text << u'\n';
    m_login.context().err.flush();
}

QString ClassRun::place() const
{
    const QString design = m_now.isGiven ? u" (the design given)"_s
        : m_now.trial.isChecked          ? QString()
                                         : u" (its start, which leaves the checkpoint)"_s;
    return u"[%1/%2] %3%4"_s.arg(m_at.value_or(0) + 1)
        .arg(m_trials.size())
        .arg(m_order.file.exercises.at(m_now.trial.exercise).id, design);
}

} // namespace rankwright

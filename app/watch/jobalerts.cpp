// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/jobalerts.h"

#include "app/watch/jobexpectation.h"

namespace rankwright {

namespace {

constexpr int lookEveryMs = 1000;
constexpr qint64 pastMs = 300'000;

} // namespace

JobAlerts::JobAlerts(const ClusterProfile& profile, QObject* parent) : QObject(parent), m_profile(profile)
{
    m_clock.setInterval(lookEveryMs);
    connect(&m_clock, &QTimer::timeout, this, &JobAlerts::evaluate);
}

void JobAlerts::setDesign(const JobSpec& design)
{
    m_design = design;
    updateExpectation();
}

void JobAlerts::setRecord(const JobRecord& record)
{
    m_record = record;
    updateExpectation();
    if (record.started.isValid() && !isWaiting(record.state))
        m_watch.started(record.started.toMSecsSinceEpoch());
    if (hasEnded(record.state)) {
        const qint64 atMs = (record.ended.isValid() ? record.ended : QDateTime::currentDateTime()).toMSecsSinceEpoch();
        if (record.state == JobState::Completed)
            m_watch.completed(atMs);
        else
            m_watch.ended(atMs);
        m_clock.stop();
        evaluate();
    } else if (isActive(record.state) && !m_clock.isActive()) {
        m_clock.start();
    }
}

void JobAlerts::setDiagnoses(const QList<Diagnosis>& diagnoses, qint64 nowMs)
{
    if (isWaiting(m_record.state))
        return; // of a run before: Slurm took the job off, and it will run again
    m_watch.feed(diagnoses, nowMs);
    evaluate();
}

void JobAlerts::addPast(
    const TelemetryHistory& history, const ProgressTrack& progress, const QList<FoundFailures>& failures)
{
    for (const FoundFailures& found : failures)
        m_watch.noteFound(found.diagnoses, found.atMs);
    evaluate();
    const TimeSpan span = history.span();
    const int gpus = int(history.nodes().size()) * history.gpusPerNode();
    if (span.length() <= 0 || gpus <= 0 || !isActive(m_record.state))
        return;
    AlertReplay past;
    past.expect(m_expectation, m_record.started.isValid() ? m_record.started.toMSecsSinceEpoch() : span.fromMs);
    for (const FoundFailures& found : failures)
        past.report(found);
    // The newest minutes: what rules look at, and little enough to be done at once.
    past.seek(span.toMs - std::max<qint64>(0, AlertReplay::lookbackMs(gpus) - pastMs), gpus);
    past.seek(span.toMs, gpus);
    while (past.feedNext(history, progress)) { }
    m_watch = past.release();
    evaluate();
}

void JobAlerts::restart()
{
    m_clock.stop();
    m_watch = AlertWatch();
    m_watch.expect(m_expectation);
    evaluate();
}

void JobAlerts::updateExpectation()
{
    const JobExpectation expectation
        = m_design ? expectationOf(derive(*m_design, m_profile), m_record) : expectationOf(m_profile, m_record);
    if (expectation == m_expectation)
        return;
    m_expectation = expectation;
    m_watch.expect(expectation);
}

void JobAlerts::evaluate()
{
    const QList<Alert> alerts = m_watch.alerts(QDateTime::currentMSecsSinceEpoch());
    if (m_watch.phase() != m_phase) {
        m_phase = m_watch.phase();
        emit phaseChanged(m_phase);
    }
    if (alerts == m_alerts)
        return;
    m_alerts = alerts;
    emit changed(m_alerts);
}

} // namespace rankwright

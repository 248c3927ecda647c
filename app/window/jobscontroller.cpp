// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobscontroller.h"

#include "app/session/clustersession.h"
#include "app/session/jobrows.h"
#include "app/watch/outputfilesofjob.h"
#include "models/core/logging.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "widgets/jobs/jobspage.h"

#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int shownDays = 7;
constexpr int shownEntries = 300;
constexpr qint64 recordingsEveryMs = 30'000;
constexpr qint64 causeBytes = 1024 * 1024;

} // namespace

JobsController::JobsController(JobModel& jobs, JobsPage& page, JobLog& log, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_page(page), m_log(log)
{
    m_clock.setInterval(1000);
    connect(&m_clock, &QTimer::timeout, this, &JobsController::reportFreshness);
    connect(&m_log, &JobLog::entryChanged, this, &JobsController::rebuild, Qt::QueuedConnection);
    connect(&m_page, &JobsPage::jobSelected, this, &JobsController::showSelected);
    connect(&m_page, &JobsPage::refreshRequested, this, &JobsController::refresh);
}

void JobsController::show(const QString& cluster, ClusterSession* session)
{
    if (m_session && m_session != session)
        m_session->disconnect(this);
    if (cluster != m_cluster || m_session != session)
        m_history.clear();
    const bool isNew = session && m_session != session;
    m_cluster = cluster;
    m_session = session;
    m_trouble.clear();
    if (isNew) {
        connect(session, &ClusterSession::queueChanged, this, &JobsController::rebuild);
        connect(session, &ClusterSession::discovered, this, &JobsController::askHistory);
        connect(session, &ClusterSession::ourJobEnded, this, &JobsController::askHistory);
        connect(session, &ClusterSession::queueTroubleChanged, this, [this](const std::optional<Error>& why) {
            m_trouble = why ? why->what : QString();
            reportFreshness();
        });
        askHistory();
    }
    m_readAgo.invalidate();
    rebuild();
    m_clock.start();
}

void JobsController::refresh()
{
    if (!m_session)
        return;
    m_session->refresh();
    askHistory();
}

void JobsController::askHistory()
{
    if (!m_session || !m_session->isOnline())
        return;
    m_session->client().history(
        shownDays, m_session->guard(), [this, session = m_session](const Result<QList<JobRecord>>& history) {
            if (session != m_session)
                return;
            if (history)
                m_history = *history;
            else
                qCInfo(logApp) << "history:" << history.error().oneLine();
            rebuild();
        });
}

void JobsController::setRecordings(const QString& folder)
{
    m_folder = folder;
    readRecordingsAnew();
}

void JobsController::readRecordingsAnew()
{
    m_readAgo.invalidate();
    rebuild();
}

void JobsController::readRecordings()
{
    if (m_folder.isEmpty() || m_reading || (m_readAgo.isValid() && m_readAgo.elapsed() < recordingsEveryMs))
        return;
    m_readAgo.start();
    m_reading = true;
    // Files of anybody may lie there: the window does not wait for them.
    QtConcurrent::run([folder = m_folder] {
        return listRecordings(folder);
    }).then(this, [this](const QList<RecordingInfo>& recordings) {
        m_reading = false;
        m_recordings = recordings;
        rebuild(); // reads again where that was asked for meanwhile
    });
}

void JobsController::rebuild()
{
    readRecordings();
    const auto entries = m_log.newest(m_cluster, shownEntries);
    m_jobs.assign(jobRows(m_cluster, m_session ? m_session->queue() : QList<JobRecord>(), m_history,
        entries ? *entries : QList<JobLogEntry>(), m_recordings));
    reportFreshness();
}

void JobsController::showSelected(const QString& jobId)
{
    showScript(jobId);
    for (const JobRow& row : m_jobs.records()) {
        if (row.job.id != jobId)
            continue;
        const auto entry = m_log.find(row.entryId);
        seekCause(row, entry ? entry->script : QByteArray());
        return;
    }
}

/// A job that failed: the end of its output is read once, and the cause shown.
void JobsController::seekCause(const JobRow& row, const QByteArray& script)
{
    const JobRecord& job = row.job;
    const QString key = m_cluster + u'/' + job.id;
    if (!hasEnded(job.state) || job.state == JobState::Completed)
        return;
    if (m_causes.contains(key)) {
        m_page.showDiagnoses(job.id, m_causes.value(key));
        return;
    }
    const QString path = outputPathOf(job, script);
    if (path.isEmpty() || !m_session || !m_session->isOnline())
        return;
    RemoteCommand command = RemoteCommand::of({u"tail"_s, u"-c"_s, QString::number(causeBytes), u"--"_s, path});
    command.outputLimit = causeBytes + 4096;
    m_session->shell().run(
        command, m_session->guard(), [this, key, id = job.id](const Result<CommandOutcome>& outcome) {
            if (!outcome || !outcome->succeeded())
                return;
            LogDiagnoser diagnoser;
            diagnoser.startAt(outcome->output.size() < causeBytes ? 0 : 1); // a part's lines have no numbers
            diagnoser.feed(outcome->output);
            m_causes.insert(key, diagnoser.diagnoses());
            m_page.showDiagnoses(id, m_causes.value(key));
        });
}

void JobsController::showScript(const QString& jobId)
{
    for (const JobRow& row : m_jobs.records()) {
        if (row.job.id != jobId)
            continue;
        const auto entry = m_log.find(row.entryId);
        m_page.showScript(jobId, entry ? QString::fromUtf8(entry->script) : QString());
        return;
    }
    m_page.showScript(jobId, {});
}

void JobsController::reportFreshness()
{
    if (!m_session || !m_session->isOnline()) {
        m_page.setFreshness(tr("not connected: shown from the job log"));
        return;
    }
    const QDateTime asked = m_session->queueTime();
    QString text
        = asked.isValid() ? tr("asked %1 s ago").arg(asked.secsTo(QDateTime::currentDateTimeUtc())) : tr("asking …");
    if (!m_trouble.isEmpty())
        text += u" · "_s + m_trouble;
    m_page.setFreshness(text);
}

JobId JobsController::newest() const
{
    const JobRow* best = nullptr;
    for (const JobRow& row : m_jobs.records()) {
        const bool watchable = !row.job.id.isEmpty() && row.job.id != row.entryId;
        if (watchable && (!best || row.job.submitted > best->job.submitted))
            best = &row;
    }
    return best ? best->job.id : JobId();
}

} // namespace rankwright

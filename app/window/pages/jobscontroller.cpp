// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/jobscontroller.h"

#include "app/base/whendone.h"
#include "app/session/clustersession.h"
#include "app/session/jobrows.h"
#include "app/session/recordedcause.h"
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

bool isListed(const JobId& job, const QList<JobRecord>& jobs)
{
    return std::any_of(jobs.cbegin(), jobs.cend(), [&job](const JobRecord& one) { return one.id == job; });
}

} // namespace

JobsController::JobsController(JobModel& jobs, JobsPage& page, JobLog& log, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_page(page), m_log(log)
{
    m_clock.setInterval(1000);
    connect(&m_clock, &QTimer::timeout, this, &JobsController::reportFreshness);
    connect(&m_log, &JobLog::entryChanged, this, &JobsController::rebuild, Qt::QueuedConnection);
    connect(&m_page, &JobsPage::jobSelected, this, &JobsController::showSelected);
    connect(&m_page, &JobsPage::refreshRequested, this, &JobsController::refresh);
    m_clock.start();
}

void JobsController::add(ClusterSession& session)
{
    const QString cluster = session.profile().name;
    Source& source = m_sources[cluster];
    source.session = &session;
    source.title = session.profile().title;
    source.trouble.clear();
    connect(&session, &ClusterSession::queueChanged, this,
        [this, cluster](const QList<JobRecord>& queue) { followQueue(cluster, queue); });
    connect(&session, &ClusterSession::factsDiscovered, this, [this, cluster] { askHistory(cluster); });
    connect(&session, &ClusterSession::ourJobEnded, this, [this, cluster] { askHistory(cluster); });
    connect(&session, &ClusterSession::linkChanged, this, &JobsController::reportFreshness);
    connect(&session, &ClusterSession::queueTroubleChanged, this, [this, cluster](const std::optional<Error>& why) {
        m_sources[cluster].trouble = why ? why->what : QString();
        reportFreshness();
    });
    askHistory(cluster);
    m_readAgo.invalidate();
    rebuild();
}

void JobsController::remove(ClusterSession& session)
{
    session.disconnect(this);
    const auto found = m_sources.find(session.profile().name);
    if (found == m_sources.end() || found->second.session != &session)
        return;
    Source& source = found->second;
    if (session.queueTime().isValid()) {
        source.queue = session.queue();
        source.asked = session.queueTime();
    }
    source.session.clear();
    source.trouble.clear();
    rebuild();
}

void JobsController::refresh()
{
    for (const auto& [cluster, source] : m_sources) {
        if (source.session)
            source.session->refresh();
        askHistory(cluster);
    }
    reloadRecordings();
}

void JobsController::askHistory(const QString& cluster)
{
    const QPointer<ClusterSession> session = m_sources[cluster].session;
    if (!session || !session->isOnline())
        return;
    session->client().history(
        shownDays, session->guard(), [this, session, cluster](const Result<QList<JobRecord>>& history) {
            Source& source = m_sources[cluster];
            if (session != source.session)
                return;
            if (history) {
                source.history = *history;
                source.left.removeIf([&history](const JobRecord& job) { return isListed(job.id, *history); });
            } else
                qCInfo(logApp) << "history:" << history.error().oneLine();
            rebuild();
        });
}

/// A job that leaves the queue stays in the list: as it was last seen, until the accounting reports its end.
void JobsController::followQueue(const QString& cluster, const QList<JobRecord>& queue)
{
    Source& source = m_sources[cluster];
    const qsizetype before = source.left.size();
    for (JobRecord& job : source.seen) {
        if (isListed(job.id, queue) || isListed(job.id, source.left))
            continue;
        if (!hasEnded(job.state))
            job.state = JobState::Unknown;
        source.left.append(job);
    }
    source.left.removeIf([&queue](const JobRecord& job) { return isListed(job.id, queue); });
    source.seen = queue;
    if (source.left.size() > before)
        askHistory(cluster);
    rebuild();
}

QList<JobRecord> JobsController::pastOf(const Source& source)
{
    QList<JobRecord> past = source.history + source.left;
    for (const JobRecord& page : source.pages)
        past.append(page);
    return past;
}

void JobsController::setRecordings(const QString& folder)
{
    m_folder = folder;
    reloadRecordings();
}

void JobsController::reloadRecordings()
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
    const QFuture<Listing> listing = QtConcurrent::run([folder = m_folder, known = m_recordedCauses] {
        Listing found{listRecordings(folder), {}};
        for (const RecordingInfo& one : std::as_const(found.recordings)) {
            // That of a job on the Live page stays open after its end, and its last alerts may be still to come.
            const JobState state = one.facts.job.state;
            if (one.fault || state == JobState::Completed || (one.isWritten && !hasEnded(state)))
                continue;
            const auto cause = one.isWritten ? known.cend() : known.constFind(one.path);
            found.causes.insert(one.path, cause == known.cend() ? causeInRecording(one.path) : *cause);
        }
        return found;
    });
    whenDone(listing, this, [this](const Listing& found) {
        m_reading = false;
        m_recordings = found.recordings;
        m_recordedCauses = found.causes;
        rebuild(); // reads again where that was asked for meanwhile
    });
}

QStringList JobsController::clusters(const QList<JobLogEntry>& entries) const
{
    QStringList all;
    for (const auto& [cluster, source] : m_sources)
        all.append(cluster);
    for (const JobLogEntry& entry : entries)
        all.append(entry.cluster);
    for (const RecordingInfo& recording : m_recordings)
        all.append(recording.facts.cluster);
    all.removeDuplicates();
    return all;
}

void JobsController::rebuild()
{
    readRecordings();
    const auto read = m_log.newest({}, shownEntries);
    const QList<JobLogEntry> entries = read ? *read : QList<JobLogEntry>();
    QList<JobRow> rows;
    for (const QString& cluster : clusters(entries)) {
        const auto source = m_sources.find(cluster);
        const bool any = source != m_sources.end();
        QList<JobLogEntry> its;
        std::copy_if(entries.cbegin(), entries.cend(), std::back_inserter(its),
            [&cluster](const JobLogEntry& entry) { return entry.cluster == cluster; });
        rows += jobRows(cluster, any ? queueOf(source->second) : QList<JobRecord>(),
            any ? pastOf(source->second) : QList<JobRecord>(), its, m_recordings);
    }
    for (JobRow& row : rows) {
        fillIn(row);
        row.gpuWord = gpuWordOf(row);
        const QString cause = m_recordedCauses.value(row.recording);
        if (!cause.isEmpty() && hasEnded(row.job.state) && row.job.state != JobState::Completed)
            row.note = cause; // in the words of the Live page and the report
        if (const ClusterProfile* profile = m_catalogue ? m_catalogue->find(row.cluster) : nullptr)
            row.clusterTitle = profile->title;
    }
    m_jobs.assign(rows);
    reportFreshness();
}

/// A new session has not asked yet: what the one before saw stands until then.
QList<JobRecord> JobsController::queueOf(const Source& source)
{
    return source.session && source.session->queueTime().isValid() ? source.session->queue() : source.queue;
}

/// A job that was launched here is known by its script where the cluster does not report it.
void JobsController::fillIn(JobRow& row)
{
    if (row.entryId.isEmpty())
        return;
    if (row.job.standardOutput.isEmpty() && row.job.id != row.entryId) // the accounting does not keep it
        row.job.standardOutput = outputOf(row);
    if (row.job.nodes && row.job.gpus && row.job.timeLimit)
        return;
    if (!m_requests.contains(row.entryId)) {
        const auto entry = m_log.find(row.entryId);
        m_requests.insert(row.entryId, entry ? requestOf(entry->script) : JobRecord());
    }
    const JobRecord& asked = m_requests[row.entryId];
    if (row.job.partition.isEmpty())
        row.job.partition = asked.partition;
    if (row.job.account.isEmpty())
        row.job.account = asked.account;
    if (!row.job.nodes)
        row.job.nodes = asked.nodes;
    if (!row.job.gpus)
        row.job.gpus = asked.gpus;
    if (!row.job.timeLimit)
        row.job.timeLimit = asked.timeLimit;
}

QString JobsController::outputOf(const JobRow& row)
{
    QString& path = m_outputs[row.entryId + u'/' + row.job.id];
    if (path.isEmpty()) {
        if (const auto entry = m_log.find(row.entryId))
            path = outputPathOf(row.job, entry->script);
    }
    return path;
}

QString JobsController::gpuWordOf(const JobRow& row) const
{
    const ClusterProfile* profile = m_catalogue ? m_catalogue->find(row.cluster) : nullptr;
    const Partition* partition
        = profile ? profile->partitionAsked({row.job.partition, row.job.qos, {}, {}, {}}) : nullptr;
    if (profile && !partition)
        partition = profile->partitionAsked({row.job.partition, {}, {}, {}, {}});
    const NodeShape* shape = partition ? profile->nodeShape(partition->name) : nullptr;
    return shape ? shape->gpu.word : QString();
}

const JobRow* JobsController::find(const QString& cluster, const JobId& job) const
{
    const int row = m_jobs.rowOf(cluster + u'/' + job);
    return row < 0 ? nullptr : &m_jobs.records().at(row);
}

void JobsController::showSelected(const QString& jobId, const QString& cluster)
{
    const JobRow* row = find(cluster, jobId);
    const auto entry = row ? m_log.find(row->entryId) : Result<JobLogEntry>(fail(Fault::Invalid, {}));
    m_page.showScript(jobId, entry ? QString::fromUtf8(entry->script) : QString(), cluster);
    if (!row)
        return;
    askPage(*row);
    seekCause(*row, entry ? entry->script : QByteArray());
}

/// What the queue's table lacks of a job, and the accounting of older versions too: its output file, its exit code.
void JobsController::askPage(const JobRow& row)
{
    const auto source = m_sources.find(row.cluster);
    ClusterSession* session = source == m_sources.end() ? nullptr : source->second.session.data();
    const bool lacks = row.job.standardOutput.isEmpty() || (hasEnded(row.job.state) && !row.job.exitCode);
    if (!session || !session->isOnline() || !lacks || row.job.id == row.entryId)
        return;
    const auto known = source->second.pages.constFind(row.job.id);
    if (known != source->second.pages.cend() && known->state == row.job.state)
        return;
    session->client().job(
        row.job.id, session->guard(), [this, id = row.job.id, cluster = row.cluster](const Result<JobRecord>& record) {
            if (!record)
                return; // the row shows what is known
            m_sources[cluster].pages.insert(id, *record);
            rebuild();
        });
}

/// A job that failed: the end of its output is read once, and the cause shown.
void JobsController::seekCause(const JobRow& row, const QByteArray& script)
{
    const JobRecord& job = row.job;
    const QString key = row.cluster + u'/' + job.id;
    if (!hasEnded(job.state) || job.state == JobState::Completed)
        return;
    if (m_causes.contains(key)) {
        showCause(job, row.cluster);
        return;
    }
    const auto source = m_sources.find(row.cluster);
    ClusterSession* session = source == m_sources.end() ? nullptr : source->second.session.data();
    if (!session || !session->isOnline())
        return;
    if (!job.standardOutput.isEmpty() || !script.isEmpty()) {
        readCause(job, row.cluster, outputPathOf(job, script));
        return;
    }
    session->shell().run(outputQuestion(job), session->guard(),
        [this, job, cluster = row.cluster](const Result<CommandOutcome>& answer) {
            const QList<OutputFile> files = outputFilesOf(job, answer ? answer->output : QByteArray());
            const auto file
                = std::find_if(files.cbegin(), files.cend(), [](const OutputFile& one) { return !one.isPattern; });
            readCause(job, cluster, file == files.cend() ? outputPathOf(job, {}) : file->path);
        });
}

void JobsController::readCause(const JobRecord& job, const QString& cluster, const QString& path)
{
    const QPointer<ClusterSession> session = m_sources[cluster].session;
    if (path.isEmpty() || !session || !session->isOnline())
        return;
    RemoteCommand command = RemoteCommand::of({u"tail"_s, u"-c"_s, QString::number(causeBytes), u"--"_s, path});
    command.purpose = tr("Reads the end of a job's output, to see why it failed");
    command.outputLimit = causeBytes + 4096;
    session->shell().run(command, session->guard(), [this, job, cluster](const Result<CommandOutcome>& outcome) {
        if (!outcome || !outcome->succeeded())
            return;
        LogDiagnoser diagnoser;
        diagnoser.setNodes(job.nodes);
        diagnoser.startAt(outcome->output.size() < causeBytes ? 0 : 1); // a part's lines have no numbers
        diagnoser.feed(outcome->output);
        m_causes.insert(cluster + u'/' + job.id, diagnoser.diagnoses());
        showCause(job, cluster);
    });
}

void JobsController::showCause(const JobRecord& job, const QString& cluster)
{
    const QList<Diagnosis> causes = m_causes.value(cluster + u'/' + job.id);
    m_page.showDiagnoses(job.id, causes, cluster);
    emit causeShown(job, cluster, causes);
}

void JobsController::reportFreshness()
{
    QStringList parts;
    for (const auto& [cluster, source] : m_sources) {
        const QString& title = source.title;
        const bool hasAsked = source.session && source.session->queueTime().isValid();
        const QDateTime asked = hasAsked ? source.session->queueTime() : source.asked;
        if (!source.session || !source.session->isOnline()) {
            parts.append(asked.isValid()
                    ? tr("%1: not connected, as of %2").arg(title, asked.toLocalTime().toString(u"HH:mm"_s))
                    : tr("%1: not connected").arg(title));
            continue;
        }
        parts.append(hasAsked ? tr("%1: asked %2 s ago").arg(title).arg(asked.secsTo(QDateTime::currentDateTimeUtc()))
                              : tr("%1: asking …").arg(title));
        if (!source.trouble.isEmpty())
            parts.append(source.trouble);
    }
    m_page.setFreshness(parts.isEmpty() ? tr("not connected: shown from the job log") : parts.join(u" · "_s));
}

const JobRow* JobsController::newest() const
{
    const JobRow* best = nullptr;
    for (const JobRow& row : m_jobs.records()) {
        const bool watchable = !row.job.id.isEmpty() && row.job.id != row.entryId;
        if (watchable && (!best || row.job.submitted > best->job.submitted))
            best = &row;
    }
    return best;
}

} // namespace rankwright

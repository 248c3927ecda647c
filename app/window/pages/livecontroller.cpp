// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/livecontroller.h"

#include "app/base/whendone.h"
#include "app/recording/recordedpast.h"
#include "app/session/clustersession.h"
#include "app/watch/jobexpectation.h"
#include "app/watch/joblayout.h"
#include "app/watch/outputfilesofjob.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/quantitytext.h"
#include "models/tables/grid/gpugrid.h"
#include "widgets/heatmap/gpureading.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"

#include <QFileInfo>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Where it went wrong, else `otherwise`. Lines that may mean a failure do not count, and a job that completed has
/// none.
qint64 firstMoment(const RecordedPast& past, JobState state, const TimeSpan& span, qint64 otherwise)
{
    const auto wrong = std::find_if(past.failures.cbegin(), past.failures.cend(),
        [](const FoundFailures& found) { return !confirmedOf(found.diagnoses).isEmpty(); });
    if (state == JobState::Completed || wrong == past.failures.cend())
        return otherwise;
    return std::clamp(wrong->atMs, span.fromMs, span.toMs);
}

std::optional<JobPrice> priceOf(const ClusterProfile& profile, const JobRecord& job, const LaunchedJob& launched)
{
    return jobPrice(profile, {job.partition, job.qos, job.nodes, job.gpus}, launched.spec ? &*launched.spec : nullptr);
}

} // namespace

LiveController::LiveController(GpuGrid& grid, LivePage& page, QObject* parent)
    : QObject(parent), m_grid(grid), m_page(page), m_replay(grid, page), m_output(page.log())
{
    m_report.setInterval(2000);
    connect(&m_report, &QTimer::timeout, this, &LiveController::showCost);
}

LiveController::~LiveController() = default;

void LiveController::follow(ClusterSession& session, const JobId& job)
{
    if (m_watch && m_job == job && m_session == &session && !m_watch->isOver())
        return;
    m_watched.reset();
    if (m_session && m_session != &session)
        m_session->unwatch();
    m_output.forget();
    m_recordedOutput.reset();
    m_past.reset();
    m_path.clear();
    m_kept = Kept::None;
    if (m_session && m_session != &session)
        m_session->disconnect(this);
    m_session = &session;
    m_cluster = session.profile().name;
    m_job = job;
    m_shapedNodes.clear();
    m_sampled = false;
    m_heardMs = 0;
    JobRecord first;
    first.id = job;
    for (const JobRecord& record : session.queue()) {
        if (record.id == job)
            first = record;
    }
    m_grid.reset({}, 0, 1, gpuWord(first));
    m_page.showJob(first);
    m_watch = &session.watch(job);
    m_page.setStrategy(m_watch->launched().strategy());
    m_page.setPrice(priceOf(session.profile(), first, m_watch->launched()));
    m_replay.begin(first, ReplayController::Subject::Watched);
    forgetFile();
    connectWatch();
    followLink(session);
    record();
    m_report.start();
}

/// The job's present state is shown only while its cluster answers.
void LiveController::followLink(ClusterSession& session)
{
    session.disconnect(this);
    const auto stale = [this](bool isStale) {
        if (!m_session)
            return;
        m_page.setAsOf(isStale ? std::optional(heardMs()) : std::nullopt);
    };
    connect(&session, &ClusterSession::linkChanged, this, [stale](const LinkInfo& link) {
        if (link.state != LinkState::Online)
            stale(true);
    });
    connect(&session, &ClusterSession::queueTroubleChanged, this,
        [stale](const std::optional<Error>& why) { stale(why.has_value()); });
    connect(&session, &ClusterSession::queueChanged, this, [stale] { stale(false); });
}

/// When anything was heard of the job last: its queue's answer, its record, or a sample.
qint64 LiveController::heardMs() const
{
    const QDateTime asked = m_session ? m_session->queueTime() : QDateTime();
    const qint64 heard = std::max(m_heardMs, asked.isValid() ? asked.toMSecsSinceEpoch() : 0);
    return heard > 0 ? heard : QDateTime::currentMSecsSinceEpoch();
}

void LiveController::connectWatch()
{
    connect(m_watch, &JobWatch::recordChanged, this, &LiveController::showRecord);
    connect(m_watch, &JobWatch::tickArrived, this, [this](const NodeTick& tick, qint64 arrivedMs) {
        m_heardMs = std::max(m_heardMs, arrivedMs);
        m_grid.store(tick, arrivedMs);
        m_replay.addTick(tick, arrivedMs);
        if (!m_sampled) {
            m_sampled = true;
            emit firstSample(tick.node);
        }
    });
    connect(m_watch, &JobWatch::processesArrived, this, &LiveController::placeReported);
    m_output.follow(m_watch->output());
    const JobOutput* output = &m_watch->output();
    connect(output, &JobOutput::progressChanged, this, &LiveController::handleProgress);
    connect(output, &JobOutput::lossesChanged, &m_page, &LivePage::showLosses);
    connect(output, &JobOutput::bindingChanged, &m_page, &LivePage::showBinding);
    connect(output, &JobOutput::bindingChanged, this,
        [this](const RankBinding& binding) { m_replay.addBinding(binding, QDateTime::currentMSecsSinceEpoch()); });
    m_page.showBinding(output->binding());
    connect(&m_watch->alerts(), &JobAlerts::phaseChanged, &m_page, &LivePage::showPhase);
    m_page.showPhase(m_watch->alerts().phase());
    connect(&m_watch->alerts(), &JobAlerts::changed, this, [this](const QList<Alert>& alerts) {
        m_page.showAlerts(alerts);
        m_replay.setAlerts(alerts, QDateTime::currentMSecsSinceEpoch());
    });
    connect(output, &JobOutput::diagnosesChanged, this, [this](const QList<Diagnosis>& diagnoses) {
        m_replay.addDiagnoses(diagnoses, QDateTime::currentMSecsSinceEpoch());
    });
    connect(m_watch, &JobWatch::troubleChanged, &m_page, &LivePage::showTrouble);
    connect(m_watch, &JobWatch::jobEnded, this, [this](const JobRecord& record) {
        m_report.stop();
        showCost();
        m_replay.setRecord(record);
        emit jobOver(record);
    });
}

void LiveController::handleProgress(const TrainingProgress& progress)
{
    m_page.showProgress(progress);
    const QList<LossPoint>& losses = m_watch->output().losses();
    m_replay.addProgress(progress, losses.isEmpty() ? std::nullopt : std::optional(losses.last().step),
        QDateTime::currentMSecsSinceEpoch());
}

void LiveController::record()
{
    if (m_recordings.isEmpty())
        return;
    m_watched = std::make_unique<WatchedJob>(m_session->shell(), *m_watch);
    connect(m_watched.get(), &WatchedJob::recordingBegan, this, &LiveController::useRecording);
    connect(m_watched.get(), &WatchedJob::gapsFilled, this, &LiveController::showCost);
    connect(m_watched.get(), &WatchedJob::recordingGrew, this, &LiveController::joinPast);
    connect(m_watched.get(), &WatchedJob::troubleChanged, &m_page, &LivePage::showTrouble);
    m_watched->record(m_session->profile(), {m_recordings});
}

void LiveController::useRecording(const QString& path)
{
    auto reader = RecordingReader::open(path);
    if (!reader) {
        m_page.showTrouble(TroubleSource::Recording, reader.error());
        return;
    }
    m_path = path;
    const std::shared_ptr<RecordingReader> history = std::move(*reader);
    // What an earlier session saw of the same job is its past now.
    const RecordedPast past = recordedPast(*history);
    m_replay.setHistory(history);
    m_replay.setPast(past.progress, past.marks, past.failures, past.bindings);
    if (past.trouble)
        m_page.showTrouble(TroubleSource::Recording, *past.trouble);
    m_past = history;
    if (!past.progress.isEmpty() && m_watch && m_watch->output().progress() == TrainingProgress())
        m_page.showProgress(past.progress.last().progress);
    if (!past.losses.isEmpty() && m_watch && m_watch->output().losses().isEmpty())
        m_page.showLosses(past.losses);
    joinPast();
}

/// What the recording, and the job's own record in it, know of the job: watching late does not mean to know nothing.
void LiveController::joinPast()
{
    if (!m_watch || !m_past || m_past->span().length() <= 0)
        return;
    const RecordedPast past = recordedPast(*m_past);
    ProgressTrack progress;
    for (const ProgressTrack::Entry& entry : past.progress)
        progress.add(entry);
    m_watch->addPast(*m_past, progress, past.failures);
    m_page.showAlerts(m_watch->alerts().all());
    if (hasEnded(m_watch->record().state))
        showLastValues(*m_past);
    showCost();
}

/// The last recorded values, of nodes of which no sample came by itself.
void LiveController::showLastValues(const TelemetryHistory& history)
{
    const TimeSpan span = history.span();
    if (span.length() <= 0)
        return;
    for (const NodeTick& tick : history.frameAt(span.toMs, TelemetryHistory::shownForMs)) {
        const int row = m_grid.series().rowOf(tick.node);
        if (row < 0 || newestArrival(m_grid, row) == 0)
            m_grid.store(tick, tick.takenMs);
    }
    for (const NodeProcesses& processes : history.processesAt(span.toMs))
        m_grid.store(processes);
    m_grid.flush(span.toMs);
}

/// What was shown.
void LiveController::leaveJob()
{
    m_watched.reset();
    if (m_session)
        m_session->unwatch();
    unfollow();
    m_output.forget();
    m_recordedOutput.reset();
    m_recorded = {};
    m_kept = Kept::None;
    m_outputFrom.clear();
    m_job.clear();
    m_path.clear();
    m_cluster.clear();
}

void LiveController::forgetFile()
{
    if (!m_file)
        return;
    m_output.forget();
    m_file.reset();
    emit fileClosed();
}

Result<void> LiveController::open(const QString& path)
{
    auto reader = RecordingReader::open(path);
    if (!reader)
        return fail(reader.error());
    const std::shared_ptr<RecordingReader> history = std::move(*reader);
    const RecordingInfo info = history->info();
    leaveJob();
    m_path = path;
    m_cluster = info.facts.cluster;
    m_recorded = recordedJob(info);
    showRecorded(history, m_recorded, info.facts, ShownFirst::Beginning);
    forgetFile(); // after the history that read in its folder
    m_page.log().setEmptyText(
        tr("A recording keeps what the GPUs did. The output is on %1: connect to read it here.")
            .arg(m_catalogue && m_catalogue->find(m_cluster) ? m_catalogue->find(m_cluster)->title : m_cluster));
    m_page.setSamplingCost(
        tr("A recording: %1 of %2, %3 on this computer. Nothing is asked of the cluster.")
            .arg(humanDuration({history->span().length() / 1000}), m_recorded.id, humanBytes(Bytes{info.bytes})));
    readKeptOutput();
    return {};
}

/// What was kept beside the recording when the job ended: megabytes, so not on this thread.
void LiveController::readKeptOutput()
{
    m_kept = Kept::Reading;
    const auto reading = QtConcurrent::run([path = m_path] { return readKeptOutputs(path); });
    whenDone(reading, this, [this, path = m_path](const Result<QList<KeptOutput>>& kept) {
        if (m_kept != Kept::Reading || path != m_path) // another job is shown
            return;
        m_kept = Kept::None;
        showKeptOutput(kept);
        if (m_outputFrom)
            readOutput(*m_outputFrom);
    });
}

void LiveController::showKeptOutput(const Result<QList<KeptOutput>>& kept)
{
    if (!kept) {
        m_page.showTrouble(TroubleSource::Output, kept.error());
        return;
    }
    if (kept->isEmpty())
        return;
    QList<OutputText> texts;
    for (const KeptOutput& output : *kept)
        texts.append({output.path, output.rank, output.bytes, output.wholeBytes});
    const bool areWhole
        = std::all_of(kept->begin(), kept->end(), [](const KeptOutput& each) { return each.isWhole(); });
    m_kept = areWhole ? Kept::Whole : Kept::Parts;
    m_output.showTexts(texts, m_recorded);
}

Result<void> LiveController::openFile(const std::shared_ptr<const JobFile>& file)
{
    std::shared_ptr<RecordingReader> history;
    if (!file->recording().isEmpty()) {
        auto reader = RecordingReader::open(file->recording());
        if (!reader)
            return fail(reader.error());
        history = std::move(*reader);
    }
    leaveJob();
    forgetFile();
    m_file = file;
    JobRecord job = file->manifest().job;
    RecordingFacts facts;
    if (history) {
        m_path = file->recording();
        facts = history->info().facts;
        if (!hasEnded(job.state))
            job = recordedJob(history->info());
    }
    if (!hasEnded(job.state)) // how it goes on is not asked
        job.state = JobState::Unknown;
    facts.cluster = file->manifest().cluster;
    if (facts.design.isEmpty())
        facts.design = file->text(JobFileMember::Kind::Design);
    showRecorded(history, job, facts, ShownFirst::End);
    const QString name = QFileInfo(file->path()).fileName();
    m_page.setFile(name);
    m_page.setSamplingCost(tr("From a file: job %1 as %2 has it. Nothing is asked of a cluster.").arg(job.id, name));
    m_page.log().setEmptyText(tr("This file holds no output of the job."));
    QList<OutputText> texts;
    for (const JobFileMember& member : file->manifest().members) {
        if (member.kind == JobFileMember::Kind::Output)
            texts.append(
                {member.file.isEmpty() ? member.name : member.file, {}, file->text(member), member.wholeBytes});
    }
    m_output.showTexts(texts, job);
    return {};
}

void LiveController::closeFile()
{
    if (!m_file)
        return;
    leaveJob();
    m_replay.begin({}, ReplayController::Subject::Recorded);
    m_grid.reset({}, 0, 1, u"GPU"_s);
    m_page.showJob({});
    forgetFile();
}

/// A recording and its job. Without one (null): the job alone.
void LiveController::showRecorded(
    const std::shared_ptr<RecordingReader>& history, const JobRecord& job, RecordingFacts facts, ShownFirst shownFirst)
{
    const QStringList nodes = history ? history->nodes() : job.nodeList.names();
    if (history)
        m_grid.reset(nodes, history->gpusPerNode(), facts.gpusPerPackage, facts.gpuWord);
    else
        m_grid.reset({}, 0, 1, u"GPU"_s);
    if (history)
        showLastValues(*history);
    m_page.showJob(job);
    m_replay.begin(job, ReplayController::Subject::Recorded);
    describe(facts, job, nodes);
    if (!history)
        return;
    const TimeSpan span = history->span();
    const RecordedPast past = recordedPast(*history);
    m_page.showAlerts(past.lastAlerts);
    m_page.showLosses(past.losses);
    if (!past.progress.isEmpty())
        m_page.showProgress(past.progress.last().progress);
    if (!past.bindings.isEmpty())
        m_page.showBinding(past.bindings.last().binding);
    m_replay.setHistory(history);
    m_replay.setPast(past.progress, past.marks, past.failures, past.bindings);
    if (past.trouble)
        m_page.showTrouble(TroubleSource::Recording, *past.trouble);
    m_replay.goTo(firstMoment(past, job.state, span, shownFirst == ShownFirst::End ? span.toMs : span.fromMs));
}

void LiveController::readOutput(ClusterSession& session)
{
    if (m_kept == Kept::Reading) { // then it is known what is missing
        m_outputFrom = &session;
        return;
    }
    if (m_kept == Kept::Whole) // the job has ended: there is nothing newer
        return;
    if (m_watch || m_recordedOutput || session.profile().name != m_cluster || m_recorded.id != m_page.jobId())
        return;
    JobRecord job = m_recorded;
    if (job.standardOutput.isEmpty())
        job.standardOutput = outputPathOf(job, launchedJob(session.jobLog(), m_cluster, job.id).script);
    if (job.standardOutput.isEmpty()) {
        m_page.log().setEmptyText(tr("Where this job wrote its output is not known: neither the recording nor the job "
                                     "log names its folder."));
        return;
    }
    if (m_kept != Kept::None) // the ends give way to the files
        m_page.log().clear();
    m_page.log().setEmptyText(tr("Reading %1 …").arg(job.standardOutput));
    m_recordedOutput = std::make_unique<JobOutput>(session.shell());
    m_output.follow(*m_recordedOutput);
    connect(m_recordedOutput.get(), &JobOutput::troubleChanged, this,
        [this](const std::optional<Error>& why) { m_page.showTrouble(TroubleSource::Output, why); });
    connect(m_recordedOutput.get(), &JobOutput::ended, this, [this, path = job.standardOutput] {
        m_page.log().setEmptyText(tr("%1 is empty, or no longer there.").arg(path));
    });
    // It goes with its connection.
    connect(session.guard(), &QObject::destroyed, m_recordedOutput.get(), [this] { m_recordedOutput.reset(); });
    m_recordedOutput->start(job);
    m_recordedOutput->finishUp(3000, job.state);
}

/// What the design of a recorded job says of it, and its cluster.
void LiveController::describe(const RecordingFacts& facts, const JobRecord& job, const QStringList& nodes)
{
    const ClusterProfile* profile = m_catalogue ? m_catalogue->find(facts.cluster) : nullptr;
    const LaunchedJob launched = launchedFrom(facts.design);
    m_replay.expect(expectationOf(facts, launched.spec, nodes, profile));
    if (profile)
        m_page.setPrice(priceOf(*profile, job, launched));
    if (!launched.spec)
        return;
    if (const QString strategy = launched.strategy(); !strategy.isEmpty())
        m_page.setStrategy(strategy);
    JobRecord placed = job;
    placed.nodeList = nodes;
    if (profile)
        m_grid.setPlacement(placementOf(launched, *profile, placed));
}

void LiveController::unfollow()
{
    if (m_watch && m_session && isActive(m_watch->record().state))
        m_page.setAsOf(heardMs());
    if (m_session)
        m_session->disconnect(this);
    m_report.stop();
    m_replay.endWatch();
    m_watched.reset();
    m_watch.clear();
    m_session.clear();
}

void LiveController::showRecord(const JobRecord& record)
{
    m_heardMs = QDateTime::currentMSecsSinceEpoch();
    shapeGrid(record);
    m_page.updateJob(record);
    if (m_past && hasEnded(record.state))
        showLastValues(*m_past);
    if (m_session)
        m_page.setPrice(priceOf(m_session->profile(), record, m_watch->launched()));
    m_replay.expect(m_watch->alerts().expectation());
    m_replay.setRecord(record);
}

/// What the site calls one device of the job.
QString LiveController::gpuWord(const JobRecord& record) const
{
    const NodeShape* shape = m_session->profile().nodeShape(record.partition);
    return shape ? shape->gpu.word : u"GPU"_s;
}

void LiveController::shapeGrid(const JobRecord& record)
{
    const bool over = hasEnded(record.state) && !m_shapedNodes.isEmpty();
    if (record.nodeList == m_shapedNodes || !m_session || over)
        return;
    m_shapedNodes = record.nodeList;
    const NodeShape* shape = m_session->profile().nodeShape(record.partition);
    if (record.nodeList.isEmpty()) { // waits again
        m_grid.reset({}, 0, 1, gpuWord(record));
        return;
    }
    const int nodes = int(record.nodeList.size());
    // Without the job's own count the node's is the best guess of the shape; samples extend or leave cells stale.
    const int each = record.gpus && nodes > 0 ? *record.gpus / nodes : shape ? shape->gpus : 1;
    m_grid.reset(record.nodeList, qMax(1, each), shape ? shape->gpu.perPackage : 1, gpuWord(record));
    const QList<RankPlace> designed = placementOf(m_watch->launched(), m_session->profile(), record);
    m_grid.setPlacement(designed);
    m_reported = designed.isEmpty() ? std::optional(ReportedPlaces()) : std::nullopt;
    constexpr int many = 64; // nodes that are shown one by one need no groups
    if (nodes <= many)
        return;
    askSwitches(m_session->shell(), record.nodeList, m_watch, [this](const QHash<QString, QString>& switchOf) {
        if (!switchOf.isEmpty())
            m_grid.setSwitches(switchOf);
    });
}

/// In the map, too, a rank has its own number (in the alerts it has): a job may use a part of the GPUs that it got.
void LiveController::placeReported(const NodeProcesses& processes)
{
    m_grid.store(processes);
    if (!m_reported || !m_reported->add(processes, m_grid.series().rowOf(processes.node)))
        return;
    if (const QList<RankPlace> placement = m_reported->placement(); !placement.isEmpty())
        m_grid.setPlacement(placement);
}

void LiveController::showCost()
{
    if (!m_watch)
        return;
    const TelemetryFeed::Cost cost = m_watch->cost();
    QStringList parts{
        tr("Watching costs 1 channel, %1, %2 received")
            .arg(counted(cost.steps, tr("step of the job"), tr("steps of the job")), humanBytes(Bytes{cost.bytes}))};
    if (m_session && m_session->link().bytesPerSecond)
        parts.append(tr("%1/s now").arg(humanBytes(Bytes{qint64(*m_session->link().bytesPerSecond)})));
    if (cost.cpuSeconds)
        parts.append(tr("%1\u2009s of processor time on all nodes together").arg(humanNumber(*cost.cpuSeconds, 1)));
    if (!m_path.isEmpty())
        parts.append(tr("recorded: %1").arg(humanBytes(Bytes{QFileInfo(m_path).size()})));
    if (m_watched && !m_watched->gapSummary().isEmpty())
        parts.append(m_watched->gapSummary());
    m_page.setSamplingCost(parts.join(u" · "_s));
    m_page.setCoverage(m_watch->coverage(QDateTime::currentMSecsSinceEpoch()));
}

} // namespace rankwright

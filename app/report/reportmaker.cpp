// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/reportmaker.h"

#include "app/report/joblaunch.h"
#include "app/report/memorycase.h"
#include "app/report/recordedevidence.h"
#include "app/store/joblog.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/core/logging.h"
#include "models/script/write/figurepassing.h"

#include <QFutureWatcher>
#include <QTimer>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

/// One call of make() on its way.
struct ReportMaker::Question {
    SlurmClient& client;
    QPointer<RemoteShell> shell;
    QString cluster;
    QList<JobId> jobs;
    SumUp sums;
    QPointer<QObject> guard;
    Then<JobReports> then;
    QList<JobUsage> found; ///< in the order asked for
    QList<JobId> accounted;
    QList<JobId> unknown; ///< still to be asked for one by one
    QStringList notes;
    QList<JobEvidence> evidence; ///< of `found`, in its order
    QList<JobId> missing;
    std::optional<Error> whyMissing; ///< of the last one
};

namespace {

bool covers(const JobId& asked, const JobRecord& reported)
{
    const JobId& id = reported.id;
    return id == asked || id.section(u'_', 0, 0) == asked || id.section(u'+', 0, 0) == asked
        || (!asked.isEmpty() && reported.sluid == asked);
}

constexpr int reportEveryMs = 100;

/// How far the recordings of some jobs are read, one after another.
struct Reading {
    SummaryWatch watch;
    std::atomic<int> done{0};
    int of = 1;
    double share() const { return qMin(1.0, (done + watch.permille / 1000.0) / of); }
};

QList<JobEvidence> readAll(
    const QString& folder, const QString& cluster, const QList<JobUsage>& jobs, SumUp sums, Reading& reading)
{
    QList<JobEvidence> all;
    for (const JobUsage& usage : jobs) {
        const bool summed = sums == SumUp::All || (sums == SumUp::First && all.isEmpty());
        all.append(reading.watch.cancelled
                ? JobEvidence()
                : recordedEvidence(folder, cluster, usage.job, summed ? &reading.watch : nullptr));
        reading.watch.permille = 0;
        reading.done += summed ? 1 : 0;
    }
    return all;
}

/// A note on what is damaged of a job: of many entries the first.
void noteUnreadable(const JobId& job, const QList<Error>& unreadable, QStringList& notes)
{
    if (!unreadable.isEmpty())
        notes.append(u"Job %1: %2 left out because of damage: %3"_s.arg(job)
                         .arg(unreadable.size())
                         .arg(unreadable.first().oneLine()));
}

QList<JobUsage> usagesOf(const QList<StoredUsage>& kept)
{
    QList<JobUsage> usages;
    for (const StoredUsage& each : kept)
        usages.append(each.usage);
    return usages;
}

} // namespace

ReportMaker::ReportMaker(const Catalogue& catalogue, const JobLog* log, QString dataFolder, QObject* parent)
    : QObject(parent), m_catalogue(catalogue), m_log(log), m_dataFolder(std::move(dataFolder))
{ }

void ReportMaker::readRecordings(const QString& cluster, const QList<JobUsage>& jobs, SumUp sums, QObject* guard,
    std::function<void(const Evidence&)> then)
{
    auto reading = std::make_shared<Reading>();
    if (sums == SumUp::None) { // a few rows each
        then(readAll(m_dataFolder, cluster, jobs, sums, *reading));
        return;
    }
    reading->of = sums == SumUp::All ? int(qMax<qsizetype>(1, jobs.size())) : 1;
    // The watcher is deleted with its guard, without a notification.
    auto* watcher = new QFutureWatcher<Evidence>(guard);
    connect(guard, &QObject::destroyed, watcher, [reading] { reading->watch.cancelled = true; });
    auto* timer = new QTimer(watcher);
    connect(timer, &QTimer::timeout, this, [this, reading] { emit sumProgressed(reading->share()); });
    timer->start(reportEveryMs);
    connect(watcher, &QFutureWatcherBase::finished, this, [watcher, then = std::move(then)] {
        const Evidence found = watcher->result();
        watcher->deleteLater();
        then(found);
    });
    watcher->setFuture(QtConcurrent::run([folder = m_dataFolder, cluster, jobs, sums, reading] {
        return readAll(folder, cluster, jobs, sums, *reading);
    }));
}

void ReportMaker::make(SlurmClient& client, RemoteShell& shell, const QString& cluster, const QList<JobId>& jobs,
    SumUp sums, QObject* guard, Then<JobReports> then)
{
    auto question = std::make_shared<Question>(
        Question{client, &shell, cluster, jobs, sums, guard, std::move(then), {}, {}, {}, {}, {}, {}, {}});
    client.usage(jobs, guard, [this, question](const Result<QList<JobUsage>>& reported) {
        if (!reported && reported.error().fault != Fault::RemoteExit) {
            question->then(fail(reported.error()));
            return;
        }
        if (!reported) // no accounting here, or it is away: the controller knows at least the times
            question->notes.append(u"Slurm's accounting did not answer: %1"_s.arg(reported.error().what));
        for (const JobUsage& usage : reported.valueOr({})) {
            const bool asked = std::any_of(question->jobs.begin(), question->jobs.end(),
                [&usage](const JobId& job) { return covers(job, usage.job); });
            if (asked)
                question->found.append(usage);
        }
        for (const JobUsage& usage : question->found)
            question->accounted.append(usage.job.id);
        for (const JobId& job : question->jobs) {
            const bool known = std::any_of(question->found.begin(), question->found.end(),
                [&job](const JobUsage& usage) { return covers(job, usage.job); });
            if (!known)
                question->unknown.append(job);
        }
        askUnknown(question);
    });
}

void ReportMaker::askUnknown(const std::shared_ptr<Question>& question)
{
    if (question->unknown.isEmpty() && question->found.isEmpty() && question->whyMissing) {
        question->then(fail(*question->whyMissing));
        return;
    }
    if (question->unknown.isEmpty()) {
        sortAsAsked(*question);
        askRecords(question);
        return;
    }
    const JobId job = question->unknown.takeFirst();
    question->client.job(job, question->guard, [this, question, job](const Result<JobRecord>& record) {
        if (!record) {
            const auto before = kept(question->cluster, job);
            if (!before || !*before) {
                const Fault fault = record.error().fault;
                if (fault == Fault::Offline || fault == Fault::TimedOut || fault == Fault::Cancelled) {
                    question->then(fail(record.error()));
                    return;
                }
                question->missing.append(job);
                question->whyMissing = record.error();
                question->notes.append(u"job %1: %2"_s.arg(job, record.error().oneLine()));
                askUnknown(question);
                return;
            }
            question->found.append((*before)->usage);
            question->notes.append(
                u"The cluster does not know job %1 any more: this report uses what was kept on %2."_s.arg(
                    job, (*before)->asked.toString(u"yyyy-MM-dd"_s)));
            if ((*before)->accounted)
                question->accounted.append(job);
        } else {
            JobUsage usage;
            usage.job = *record;
            question->found.append(usage);
        }
        askUnknown(question);
    });
}

void ReportMaker::askRecords(const std::shared_ptr<Question>& question)
{
    const auto read = [this, question] {
        readRecordings(question->cluster, question->found, question->sums, question->guard,
            [this, question](const Evidence& recorded) {
                for (qsizetype i = 0; i < recorded.size(); ++i)
                    question->evidence.append(completed(recorded.at(i), question->cluster, question->found.at(i).job));
                askOutputs(question);
            });
    };
    QList<JobRecord> jobs; // those whose samples are added up
    for (const JobUsage& usage : std::as_const(question->found)) {
        if (question->sums == SumUp::All || (question->sums == SumUp::First && jobs.isEmpty()))
            jobs.append(usage.job);
    }
    if (m_bring && !jobs.isEmpty())
        m_bring(question->cluster, jobs, question->guard, read);
    else
        read();
}

void ReportMaker::sortAsAsked(Question& question)
{
    std::stable_sort(question.found.begin(), question.found.end(), [&](const JobUsage& a, const JobUsage& b) {
        const auto place = [&](const JobRecord& job) {
            for (qsizetype i = 0; i < question.jobs.size(); ++i) {
                if (covers(question.jobs.at(i), job))
                    return i;
            }
            return question.jobs.size();
        };
        return place(a.job) < place(b.job);
    });
}

void ReportMaker::askOutputs(const std::shared_ptr<Question>& question)
{
    QStringList paths;
    QList<QStringList> outputs, errors; // of each job, likeliest first
    for (qsizetype i = 0; i < question->found.size(); ++i) {
        const JobRecord& job = question->found.at(i).job;
        const JobEvidence& known = question->evidence.at(i);
        outputs.append(isWaiting(job.state) ? QStringList() : outputPaths(job, known.design));
        if (!isWaiting(job.state) && known.output.startsWith(u'/') && job.standardOutput.isEmpty())
            outputs.last().prepend(known.output); // some time after the end Slurm reports no path any more
        errors.append(isWaiting(job.state) ? QStringList() : errorPaths(job, known));
        paths += outputs.last() + errors.last();
    }
    paths.removeDuplicates();
    if (paths.isEmpty()) {
        finish(question);
        return;
    }
    if (!question->shell) { // closed while a record was fetched
        question->notes.append(u"The jobs' outputs could not be read: the connection was closed."_s);
        finish(question);
        return;
    }
    question->shell->run(logEndingCommand(paths), question->guard,
        [this, question, paths, outputs, errors](const Result<CommandOutcome>& outcome) {
            if (!outcome)
                question->notes.append(u"The jobs' outputs could not be read: %1"_s.arg(outcome.error().what));
            const auto found = outcome ? splitLogEndings(outcome->output, paths) : QHash<QString, LogEndingText>();
            for (qsizetype i = 0; i < outputs.size(); ++i) {
                QStringList files;
                for (const QStringList& candidates : {outputs.at(i), errors.at(i)}) {
                    const auto first = std::find_if(candidates.cbegin(), candidates.cend(),
                        [&found](const QString& path) { return found.contains(path); });
                    if (first != candidates.cend() && !files.contains(*first))
                        files.append(*first);
                }
                QList<LogEndingText> texts;
                for (const QString& file : std::as_const(files))
                    texts.append(found.value(file));
                if (!texts.isEmpty()) // else what was kept here when it ended stays
                    question->evidence[i].ending = readLogEnding(texts, question->found.at(i).job.nodes);
            }
            finish(question);
        });
}

void ReportMaker::finish(const std::shared_ptr<Question>& question)
{
    QList<JobCase> cases;
    for (qsizetype i = 0; i < question->found.size(); ++i) {
        const JobUsage& usage = question->found.at(i);
        const bool accounted = question->accounted.contains(usage.job.id);
        noteUnreadable(usage.job.id, question->evidence.at(i).unreadable, question->notes);
        cases.append(makeCase(usage, accounted ? UsageSource::Accounting : UsageSource::Queue, question->evidence.at(i),
            m_catalogue.find(question->cluster), m_learned));
        if (!hasEnded(usage.job.state))
            continue;
        const auto written = storeUsage(m_dataFolder,
            {question->cluster, QDateTime::currentDateTimeUtc(), usage, accounted, cases.last().inputs.measured,
                cases.last().inputs.binding});
        if (!written)
            qCWarning(logApp) << written.error().oneLine();
    }
    JobReports made = reportsOf(question->cluster, cases);
    made.notes = question->notes;
    made.missing = question->missing;
    question->then(made);
}

JobReports ReportMaker::reportsOf(const QString& cluster, const QList<JobCase>& cases) const
{
    JobReports made;
    QList<SpeedupRun> runs;
    for (JobCase one : cases) {
        if (one.inputs.cluster.isEmpty())
            one.inputs.cluster = cluster;
        made.reports.append(makeReport(one.inputs));
        runs.append(one.run);
    }
    made.speedup = speedupTable(runs, cases.isEmpty() ? u"GPU"_s : cases.first().inputs.rules.gpuWord);
    return made;
}

JobEvidence ReportMaker::completed(JobEvidence evidence, const QString& cluster, const JobRecord& job) const
{
    if (m_log) {
        if (const auto launch = launchOf(*m_log, cluster, job)) {
            evidence.design = launch->design;
            evidence.script = launch->script;
        }
    }
    if (!evidence.stepSeconds) {
        for (const MeasuredRun& run : m_learned.runs) {
            const bool same = run.cluster == cluster && run.job.section(u' ', 0, 0) == job.id;
            if (same && (!job.ended.isValid() || qAbs(job.ended.secsTo(run.when)) < 86400))
                evidence.stepSeconds = run.measuredSeconds;
        }
    }
    const auto before = kept(cluster, job.id);
    if (!before)
        evidence.unreadable.append(before.error());
    else if (*before) {
        evidence.kept = (*before)->measured;
        if ((*before)->binding.isReported())
            evidence.keptBinding = (*before)->binding;
    }
    if (m_further)
        m_further(job, evidence);
    return evidence;
}

Result<std::optional<StoredUsage>> ReportMaker::kept(const QString& cluster, const JobId& job) const
{
    auto found = findStoredUsage(m_dataFolder, cluster, job);
    if (!found || *found)
        return found;
    // Watched and recorded, but never asked what it used: the recording has the record.
    const auto record = recordedRecord(m_dataFolder, cluster, job);
    if (!record)
        return found;
    StoredUsage made;
    made.cluster = cluster;
    made.usage.job = *record;
    return std::optional(made);
}

bool ReportMaker::canOffline(const QString& cluster, const QList<JobId>& jobs) const
{
    return !jobs.isEmpty() && std::all_of(jobs.begin(), jobs.end(), [&](const JobId& job) {
        const auto found = kept(cluster, job);
        return found && *found;
    });
}

Result<QList<StoredUsage>> ReportMaker::keptOf(const QString& cluster, const QList<JobId>& jobs) const
{
    QList<StoredUsage> usages;
    for (const JobId& job : jobs) {
        const auto found = kept(cluster, job);
        if (!found)
            return fail(found.error());
        if (!*found)
            return fail(Fault::Invalid, u"Nothing is kept about job %1 of %2 on this machine."_s.arg(job, cluster), {},
                u"Ask with a connection to the cluster."_s);
        usages.append(**found);
    }
    return usages;
}

JobReports ReportMaker::offlineReports(
    const QString& cluster, const QList<StoredUsage>& usages, const Evidence& recorded) const
{
    QList<JobCase> cases;
    QStringList notes;
    QDateTime oldest;
    for (qsizetype i = 0; i < usages.size(); ++i) {
        const StoredUsage& usage = usages.at(i);
        const JobEvidence evidence = completed(recorded.at(i), cluster, usage.usage.job);
        noteUnreadable(usage.usage.job.id, evidence.unreadable, notes);
        cases.append(makeCase(usage.usage, usage.accounted ? UsageSource::Accounting : UsageSource::Queue, evidence,
            m_catalogue.find(cluster), m_learned));
        if (usage.asked.isValid() && (!oldest.isValid() || usage.asked < oldest))
            oldest = usage.asked;
    }
    JobReports made = reportsOf(cluster, cases);
    made.notes = notes;
    made.keptSince = oldest;
    return made;
}

void ReportMaker::makeOffline(
    const QString& cluster, const QList<JobId>& jobs, SumUp sums, QObject* guard, Then<JobReports> then)
{
    const auto usages = keptOf(cluster, jobs);
    if (!usages) {
        then(fail(usages.error()));
        return;
    }
    readRecordings(cluster, usagesOf(*usages), sums, guard,
        [this, cluster, kept = *usages, then = std::move(then)](
            const Evidence& recorded) { then(offlineReports(cluster, kept, recorded)); });
}

Result<JobReports> ReportMaker::makeOfflineNow(const QString& cluster, const QList<JobId>& jobs) const
{
    const auto usages = keptOf(cluster, jobs);
    if (!usages)
        return fail(usages.error());
    Reading reading;
    return offlineReports(cluster, *usages, readAll(m_dataFolder, cluster, usagesOf(*usages), SumUp::All, reading));
}

bool applyAdvice(JobSpec& spec, const ReportAdvice& advice)
{
    const auto count = int(qBound(1.0, advice.value, 1e6));
    if (advice.field == field::time)
        spec.time = Seconds{qint64(advice.value)};
    else if (advice.field == field::memoryPerNode)
        spec.resources.memoryPerNode = Bytes{qint64(advice.value)};
    else if (advice.field == field::cpusPerGpu)
        spec.resources.cpusPerGpu = count;
    else if (advice.field == field::gpusPerNode)
        spec.resources.gpusPerNode = count;
    else if (advice.field == field::nodes)
        spec.resources.nodes = count;
    else if (advice.field == field::microBatch)
        setMicroBatch(spec, count);
    else
        return applyDesignChange(spec, advice.design);
    return true;
}

} // namespace rankwright

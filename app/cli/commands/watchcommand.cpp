// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/cli/clilogin.h"
#include "app/cli/commands/watchjson.h"
#include "app/recording/endedrecord.h"
#include "app/recording/watchedjob.h"
#include "app/watch/jobexpectation.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/insight/diagnosis/explain.h"
#include "ssh/localshell.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// The words of `watch`, read and checked.
struct WatchRequest {
    QString cluster;
    JobId job; ///< empty: the machine itself
    int seconds = 0; ///< 0: until it ends
    JobWatch::Sampling sampling;
    bool local = false; ///< this very machine
};

Result<int> number(const CliContext& context, const QString& option, int least)
{
    if (!context.has(option))
        return 0;
    bool good = false;
    const int value = context.option(option).toInt(&good);
    if (!good || value < least)
        return fail(Fault::Invalid, u"--%1 %2 is not a time."_s.arg(option, context.option(option)), {},
            least > 1 ? u"Give milliseconds, %1 or more."_s.arg(least) : u"Give whole seconds."_s);
    return value;
}

Result<WatchRequest> requestOf(const CliContext& context)
{
    static constexpr int shortestMs = 200;
    WatchRequest request;
    request.cluster = context.positional.value(0);
    request.job = context.positional.value(1);
    if (!request.job.isEmpty()) {
        if (const auto fault = jobIdFault(request.job))
            return fail(*fault);
    }
    request.local = request.cluster == u"here" && !context.catalogue.find(request.cluster);
    const auto seconds = number(context, u"seconds"_s, 0);
    const auto interval = number(context, u"interval"_s, shortestMs);
    if (!seconds || !interval)
        return fail(seconds ? interval.error() : seconds.error());
    request.seconds = *seconds;
    if (*interval > 0)
        request.sampling.intervalMs = *interval;
    const QString via = context.option(u"via"_s, request.local ? u"here"_s : QString());
    static const QHash<QString, SamplingWay> ways{
        {u"step"_s, SamplingWay::Step}, {u"ssh"_s, SamplingWay::Ssh}, {u"here"_s, SamplingWay::Here}};
    if (!via.isEmpty() && !ways.contains(via))
        return fail(Fault::Invalid, u"--via %1 is not a way to sample."_s.arg(via), {}, u"Give step, ssh or here."_s);
    if (!via.isEmpty())
        request.sampling.way = ways.value(via);
    const bool machine = request.sampling.way == SamplingWay::Here;
    if (request.local && !machine)
        return fail(Fault::Invalid, u"This machine is sampled without Slurm and ssh."_s, {}, u"Leave --via out."_s);
    if (request.job.isEmpty() && !machine)
        return fail(Fault::Invalid, u"Which job?"_s, {},
            u"Give its number; --via here samples the machine itself, without a job."_s);
    return request;
}

/// A machine without Slurm: samples of all its GPUs until the time is up.
void watchMachine(RemoteShell& shell, const WatchRequest& request, GpuVendor vendor, WatchJson& printer,
    std::unique_ptr<TelemetryFeed>& feed, const std::function<void(int)>& finish)
{
    const SamplingPlan plan = samplingPlan({1, {}, SamplingWay::Here, false, request.sampling.intervalMs});
    TelemetryFeed::Target target;
    target.job = request.job;
    target.vendor = vendor;
    target.way = SamplingWay::Here;
    target.intervalMs = plan.intervalMs;
    target.ranksEveryMs = plan.ranksEveryMs;
    feed = std::make_unique<TelemetryFeed>(shell, target);
    printer.printPlan(plan);
    const auto now = [] { return QDateTime::currentMSecsSinceEpoch(); };
    QObject::connect(feed.get(), &TelemetryFeed::tickArrived, &printer,
        [&printer, now](const NodeTick& tick) { printer.printTick(tick, now()); });
    QObject::connect(feed.get(), &TelemetryFeed::processesArrived, &printer,
        [&printer, now](const NodeProcesses& reported) { printer.printProcesses(reported, now()); });
    QObject::connect(
        feed.get(), &TelemetryFeed::troubleChanged, &printer, [&, finish](const std::optional<Error>& why) {
            printer.printTrouble(TroubleSource::Telemetry, why);
            if (!feed->isRunning())
                finish(ExitNo);
        });
    printer.printCosts([&feed] { return feed->cost(); });
    feed->start();
    if (request.seconds > 0)
        QTimer::singleShot(request.seconds * 1000, &printer, [&, finish] {
            printer.printCost(feed->cost());
            printer.printEvent(u"end"_s, {{u"why"_s, u"time"_s}});
            finish(ExitDone);
        });
}

int watchHere(const CliContext& context, const WatchRequest& request)
{
    QEventLoop loop;
    LocalShell shell;
    WatchJson printer(context.out);
    std::unique_ptr<TelemetryFeed> feed;
    int code = ExitDone;
    watchMachine(shell, request, GpuVendor::Nvidia, printer, feed, [&](int reported) {
        code = reported;
        loop.quit();
    });
    loop.exec();
    return code;
}

void follow(WatchJson& printer, JobWatch& watch)
{
    QObject::connect(&watch, &JobWatch::samplingPlanned, &printer, &WatchJson::printPlan);
    QObject::connect(&watch, &JobWatch::tickArrived, &printer, &WatchJson::printTick);
    QObject::connect(&watch, &JobWatch::processesArrived, &printer, &WatchJson::printProcesses);
    QObject::connect(&watch.alerts(), &JobAlerts::phaseChanged, &printer, &WatchJson::printPhase);
    QObject::connect(&watch, &JobWatch::recordChanged, &printer, &WatchJson::printState);
    QObject::connect(&watch.output(), &JobOutput::progressChanged, &printer, &WatchJson::printProgress);
    QObject::connect(&watch.output(), &JobOutput::bindingChanged, &printer, &WatchJson::printBinding);
    QObject::connect(&watch.output(), &JobOutput::diagnosesChanged, &printer,
        [&printer, &watch, printed = QList<Diagnosis>()](const QList<Diagnosis>& all) mutable {
            const QList<Diagnosis> found = confirmedOf(all); // the others are an alert of the lowest level
            if (found != printed)
                printer.printDiagnoses(found, watch.output().files());
            printed = found;
        });
    QObject::connect(&watch, &JobWatch::troubleChanged, &printer, &WatchJson::printTrouble);
    QObject::connect(&watch.alerts(), &JobAlerts::changed, &printer, &WatchJson::printAlerts);
    printer.printCosts([&watch] { return watch.cost(); });
}

/// What is recorded of a watched job: by the watch, and what it missed by the job itself.
struct Recording {
    std::optional<JobRecorder::Place> place; ///< empty: nothing is to be recorded
    std::unique_ptr<WatchedJob> watched;
    std::unique_ptr<EndedRecord> rest;
};

/// The job is over: what its recording lacks is read from the job's own record, then the watch ends.
void endWith(Recording& recording, CliLogin& login, WatchJson& printer, JobWatch& watch)
{
    const JobRecord record = watch.record();
    printer.printCost(watch.cost());
    const auto end = [&login, &printer, &watch, record](qint64 ticks) {
        if (ticks > 0)
            printer.printEvent(u"record"_s, {{u"ticks"_s, double(ticks)}});
        printer.printEnd(u"job"_s, watch);
        login.finish(record.state == JobState::Completed ? ExitDone : ExitNo);
    };
    if (!recording.watched) {
        end(0);
        return;
    }
    // The recorder is inside the same signal, and has to close the file.
    QTimer::singleShot(0, &printer, [&recording, &login, record, end] {
        const QString folder = recording.place->folder;
        recording.watched.reset();
        ClusterSession& session = login.session();
        recording.rest = std::make_unique<EndedRecord>(session.shell(), folder);
        recording.rest->bring({factsOf(session.profile().name, &session.profile(), record)}, end);
    });
}

/// Where recordings go; empty when nothing is to be recorded.
std::optional<JobRecorder::Place> recordingPlace(const CliContext& context)
{
    const auto folder = prepareDataFolder(context.option(u"data-dir"_s));
    if (context.has(u"no-record"_s) || !folder)
        return std::nullopt;
    return JobRecorder::Place{recordingsFolder(*folder)};
}

bool isArray(const QList<JobRecord>& tasks) { return tasks.size() > 1 && tasks.first().id.contains(u'_'); }

Error arrayQuestion(const JobId& job, const QList<JobRecord>& tasks)
{
    QStringList names;
    for (const JobRecord& task : tasks.first(qMin<qsizetype>(tasks.size(), 12)))
        names.append(u"%1 (%2)"_s.arg(task.id, toText(task.state)));
    if (tasks.size() > names.size())
        names.append(u"…"_s);
    return {Fault::Invalid, u"%1 is an array of %2 tasks; one of them can be watched."_s.arg(job).arg(tasks.size()),
        names.join(u", "_s), u"Name the task."_s};
}

/// Asks what Slurm has of the job, and begins with its record and the user's own name. An unknown job is
/// reported now; the watch would wait for it. Of an array one task is watched, and which is the user's choice.
void askForRecord(CliLogin& login, const JobId& job, std::function<void(const JobRecord&, const QString&)> begin)
{
    SlurmClient& client = login.session().client();
    client.tasks(job, &login, [&login, &client, job, begin = std::move(begin)](const Result<QList<JobRecord>>& tasks) {
        if (!tasks) {
            login.finish(tasks.error());
        } else if (isArray(*tasks)) {
            report(login.context(), arrayQuestion(job, *tasks));
            login.finish(ExitUsage);
        } else {
            client.job(job, &login, [&login, begin](const Result<JobRecord>& record) {
                if (!record)
                    login.finish(record.error());
                else
                    login.askUser([begin, known = *record](const QString& user) { begin(known, user); });
            });
        }
    });
}

int runWatch(const CliContext& context)
{
    const auto request = requestOf(context);
    if (!request)
        return report(context, request.error());
    const auto patterns = userPatterns(context.all(u"pattern"_s));
    if (!patterns)
        return report(context, patterns.error());
    if (request->local)
        return watchHere(context, *request);
    CliLogin login(context);
    if (const auto failed = login.connectTo(request->cluster))
        return *failed;
    WatchJson printer(context.out);
    ClusterSession& session = login.session();
    std::unique_ptr<TelemetryFeed> feed;
    if (request->sampling.way == SamplingWay::Here) {
        const NodeShape* shape = session.profile().nodeShape({});
        printer.setGpusPerPackage(shape ? std::max(1, shape->gpu.perPackage) : 1);
        watchMachine(session.shell(), *request, shape ? shape->gpu.vendor : GpuVendor::Nvidia, printer, feed,
            [&login](int code) { login.finish(code); });
        return login.wait();
    }
    Recording recording{recordingPlace(context), nullptr, nullptr};
    const JobId named = request->job;
    const auto begin = [&](const JobRecord& record, const QString& user) {
        const JobId job = isSluid(named) ? record.id : named;
        if (!user.isEmpty() && !record.user.isEmpty() && record.user != user) {
            context.err
                << u"rankwright-cli: job %1 is %2's, not yours (%3): its state is followed; nothing is recorded\n"_s
                       .arg(job, record.user, user);
            context.err.flush();
            recording.place.reset();
        }
        printer.setGpusPerPackage(expectationOf(session.profile(), record).gpusPerPackage);
        JobWatch& watch = session.watch(job);
        watch.setSampling(request->sampling);
        watch.output().setPatterns(*patterns);
        follow(printer, watch);
        QObject::connect(&watch, &JobWatch::jobEnded, &printer, [&] { endWith(recording, login, printer, watch); });
        if (recording.place) {
            recording.watched = std::make_unique<WatchedJob>(session.shell(), watch);
            QObject::connect(recording.watched.get(), &WatchedJob::troubleChanged, &printer, &WatchJson::printTrouble);
            recording.watched->record(session.profile(), *recording.place);
        }
        QObject::connect(&session, &ClusterSession::queueTroubleChanged, &printer,
            [&printer](const std::optional<Error>& why) { printer.printTrouble(TroubleSource::Scheduler, why); });
        watch.update(record);
        if (request->seconds > 0)
            QTimer::singleShot(request->seconds * 1000, &printer, [&] {
                printer.printCost(watch.cost());
                printer.printEnd(u"time"_s, watch);
                login.finish(ExitDone);
            });
    };
    askForRecord(login, named, begin);
    return login.wait();
}

} // namespace

CliCommand watchCommand()
{
    return {
        .name = "watch",
        .summary = "Follow a job or a machine: one JSON document per line for samples, ranks, states, progress",
        .words = "CLUSTER [JOB] | here",
        .run = runWatch,
        .printsJson = true,
        .options = loginOptions({
            {.name = "seconds", .value = "N", .text = "end after N seconds"},
            {.name = "interval", .value = "MS", .text = "milliseconds between samples"},
            {.name = "via", .value = "step|ssh|here", .text = "how the sampler gets onto the nodes"},
            {.name = "no-record", .text = "keep no recording"},
            {.name = "pattern",
                .value = "REGEX",
                .text = "how the program's own lines of progress look: named groups step, loss, rate ...",
                .takes = CliOption::Repeated},
        }),
        .minimumWords = 1,
        .maximumWords = 2,
    };
}

} // namespace rankwright

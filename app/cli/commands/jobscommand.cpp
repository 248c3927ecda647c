// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/networkcommands.h"
#include "models/insight/diagnosis/explain.h"
#include "models/slurm/jobrecordjson.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonObject factsJson(const ClusterFacts& facts)
{
    QJsonArray partitions;
    for (const ClusterFacts::PartitionFact& partition : facts.partitions)
        partitions.append(QJsonObject{
            {u"name"_s, partition.name},
            {u"state"_s, orNull(partition.state)},
            {u"nodes"_s, orNull(partition.nodes)},
            {u"idleNodes"_s, orNull(partition.idleNodes)},
            {u"maxSeconds"_s, orNull(partition.maxTime)},
            {u"gres"_s, orNull(partition.gres)},
        });
    return {
        {u"user"_s, orNull(facts.user)},
        {u"host"_s, orNull(facts.host)},
        {u"slurmVersion"_s, orNull(facts.slurmVersion)},
        {u"clusterName"_s, orNull(facts.clusterName)},
        {u"accounts"_s, QJsonArray::fromStringList(facts.accounts)},
        {u"partitions"_s, partitions},
        {u"latencySeconds"_s, orNull(facts.latencySeconds)},
    };
}

void printFacts(const ClusterFacts& facts, QTextStream& out)
{
    TextFacts lines;
    lines.add(u"user"_s, facts.user);
    lines.add(u"host"_s, facts.host);
    lines.add(u"Slurm"_s, facts.slurmVersion);
    lines.add(u"accounts"_s, facts.accounts.join(u", "_s));
    for (const ClusterFacts::PartitionFact& partition : facts.partitions)
        lines.add(u"partition"_s,
            u"%1 (%2), %3 nodes, %4 idle"_s.arg(partition.name, partition.state,
                partition.nodes ? QString::number(*partition.nodes) : u"?"_s,
                partition.idleNodes ? QString::number(*partition.idleNodes) : u"?"_s));
    lines.print(out);
}

int printJobs(QList<JobRecord> jobs, const CliContext& context)
{
    std::stable_sort(
        jobs.begin(), jobs.end(), [](const JobRecord& a, const JobRecord& b) { return a.submitted > b.submitted; });
    const TextTable table({u"job"_s, u"name"_s, u"partition"_s, u"state"_s, u"nodes"_s, u"elapsed"_s, u"note"_s});
    printRecords(context.out, context.json, jobs, jobRecordJson, table, [](TextTable& rows, const JobRecord& job) {
        const QString note = hasEnded(job.state) ? explainOutcome(job)
            : job.reason.isEmpty()               ? QString()
                                                 : explainPendingReason(job.reason);
        rows.add({job.id, job.name, job.partition, toText(job.state), job.nodes ? QString::number(*job.nodes) : u"?"_s,
            job.elapsed ? slurmTime(*job.elapsed) : QString(), note});
    });
    return ExitDone;
}

} // namespace

int runConnect(const CliContext& context)
{
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    login.session().client().discover(&login, [&login, &context](const Result<ClusterFacts>& facts) {
        if (!facts) {
            login.finish(facts.error());
            return;
        }
        if (context.json)
            printJson(context.out, factsJson(*facts));
        else
            printFacts(*facts, context.out);
        login.finish(ExitDone);
    });
    return login.wait();
}

int runJobs(const CliContext& context)
{
    bool good = true;
    const int days = context.has(u"past"_s) ? context.option(u"past"_s).toInt(&good) : 0;
    if (!good || days < 0 || days > 365)
        return report(context,
            {Fault::Invalid, u"--past %1 is not a number of days."_s.arg(context.option(u"past"_s)), {},
                u"Give 0 to 365."_s});
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    SlurmClient& client = login.session().client();
    client.queue(&login, [&](const Result<QList<JobRecord>>& queue) {
        if (!queue || days == 0) {
            if (queue)
                login.finish(printJobs(*queue, context));
            else
                login.finish(queue.error());
            return;
        }
        client.history(days, &login, [&login, &context, jobs = *queue](const Result<QList<JobRecord>>& history) {
            if (!history) {
                login.finish(history.error());
                return;
            }
            QList<JobRecord> all = jobs;
            QStringList seen;
            for (const JobRecord& job : jobs)
                seen.append(job.id);
            for (const JobRecord& job : *history) {
                if (!seen.contains(job.id))
                    all.append(job);
            }
            login.finish(printJobs(all, context));
        });
    });
    return login.wait();
}

int runCancel(const CliContext& context)
{
    const QString job = context.positional.value(1);
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    ClusterSession& session = login.session();
    session.cancelJob(job, &login, [&](const Result<void>& done) {
        if (!done) {
            login.finish(done.error());
            return;
        }
        // What became of it is told, not assumed: a job may have ended by itself just before.
        session.client().job(job, &login, [&](const Result<JobRecord>& record) {
            if (context.json)
                printJson(context.out,
                    record ? jobRecordJson(*record) : QJsonObject{{u"jobId"_s, job}, {u"state"_s, QJsonValue()}});
            else
                context.out << u"job "_s << job << u": "_s
                            << (record ? toText(record->state) : u"cancelled, state not told"_s) << u'\n';
            login.finish(ExitDone);
        });
    });
    return login.wait();
}

} // namespace rankwright

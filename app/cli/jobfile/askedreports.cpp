// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobfile/askedreports.h"

#include "app/base/datafolder.h"
#include "app/cli/clioutput.h"
#include "app/recording/endedrecord.h"
#include "app/store/measuredruns.h"
#include "app/store/recordings.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

enum class Insist { No, Yes }; ///< on what is kept, also where that is nothing

/// Empty: not everything asked for is kept.
std::optional<int> takeKept(const CliContext& context, const ReportTask& task, Insist insist)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    auto database = Database::openOrCopy(folder);
    if (!database)
        return insist == Insist::Yes ? std::optional(report(context, database.error())) : std::nullopt;
    JobLog log(**database);
    ReportMaker maker(context.catalogue, &log, folder);
    maker.setLearned(MeasuredRuns(**database).load().valueOr({}));
    if (insist == Insist::No && !maker.canOffline(task.cluster, task.jobs))
        return {};
    return task.kept(log, maker.makeOfflineNow(task.cluster, task.jobs));
}

int ask(const CliContext& context, CliLogin& login, const ReportTask& task)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    ReportMaker maker(context.catalogue, &login.jobLog(), folder);
    maker.setLearned(login.measuredRuns());
    ClusterSession& session = login.session();
    EndedRecord records(session.shell(), recordingsFolder(folder));
    QString me;
    maker.setRecordSource([&](const QString& name, const QList<JobRecord>& ended, QObject*, const auto& then) {
        QList<RecordingFacts> facts; // of our own jobs alone
        for (const JobRecord& job : ended) {
            if (me.isEmpty() || job.user.isEmpty() || job.user == me)
                facts.append(factsOf(name, &session.profile(), job));
        }
        records.bring(facts, [then](qint64) { then(); });
    });
    const auto finish = [&](const Result<JobReports>& made) {
        if (made)
            task.asked(login, *made, me);
        else
            login.finish(made.error());
    };
    login.askUser([&](const QString& user) {
        me = user;
        maker.make(session.client(), session.shell(), task.cluster, task.jobs, SumUp::All, &login, finish);
    });
    return login.wait();
}

} // namespace

int runReportTask(const CliContext& context, const ReportTask& task)
{
    if (!context.catalogue.find(task.cluster))
        return report(context,
            {Fault::Invalid, u"“%1” is not in the catalogue."_s.arg(task.cluster), {},
                u"Choose one of "_s + context.catalogue.names().join(u", "_s)});
    if (context.has(u"offline"_s))
        return takeKept(context, task, Insist::Yes).value_or(ExitNo);
    CliLogin login(context);
    const auto failed = login.connectTo(task.cluster);
    if (!failed)
        return ask(context, login, task);
    if (*failed != ExitUnreachable)
        return *failed;
    return takeKept(context, task, Insist::No).value_or(*failed);
}

} // namespace rankwright

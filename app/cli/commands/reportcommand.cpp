// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/commands/reportjson.h"
#include "app/recording/endedrecord.h"
#include "app/store/measuredruns.h"
#include "app/store/recordings.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/insight/report/reportmarkdown.h"
#include "models/teaching/learn/acknowledgement.h"

#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

void printReport(const EfficiencyReport& report, QTextStream& out)
{
    out << reportTitle(report) << u'\n' << reportSubtitle(report) << u'\n' << report.verdict << u"\n\n"_s;
    TextTable table({u"figure"_s, u"value"_s, u"of"_s, u"share"_s, u"source"_s});
    for (const ReportFigure& figure : report.figures)
        table.add({figure.label, figure.value ? figure.text : u"-"_s, figure.of,
            figure.share ? humanNumber(*figure.share * 100, *figure.share < 0.01 ? 1 : 0) + u" %"_s : QString(),
            sourceText(figure)});
    if (!report.figures.isEmpty())
        table.print(out);
    for (const ReportComparison& row : report.comparisons)
        out << row.label << u": "_s << row.measuredText << u", expected "_s << row.predictedText
            << (row.bandText.isEmpty() ? QString() : u" ("_s + row.bandText + u')') << u": "_s << differenceText(row)
            << u'\n';
    for (const ReportAdvice& advice : report.advice)
        out << u"Next time: "_s << advice.text << (advice.option.isEmpty() ? QString() : u" ["_s + advice.option + u']')
            << u' ' << advice.reason << u'\n';
    for (const QString& finding : report.findings)
        out << u"Seen: "_s << finding << u'\n';
    for (const QString& unknown : report.unknown)
        out << u"Not known: "_s << unknown << u'\n';
    out << u'\n';
}

void printSpeedup(const SpeedupTable& table, QTextStream& out)
{
    if (table.points.size() < 2)
        return;
    out << describe(table) << u'\n';
    TextTable rows({u"GPUs"_s, u"time"_s, u"speed-up"_s, u"efficiency"_s, u"jobs"_s});
    for (const SpeedupPoint& point : table.points)
        rows.add({QString::number(point.gpus), secondsText(table, point.seconds), humanNumber(point.speedup, 2),
            humanNumber(point.efficiency * 100, 0) + u" %"_s, point.jobs.join(u", "_s)});
    rows.print(out);
    for (const QString& note : table.notes)
        out << note << u'\n';
}

/// With the site's own sentence for papers; a plain one of ours is no part of a report.
int report(JobReports made, const CliContext& context, const QString& cluster)
{
    if (const ClusterProfile* site = context.catalogue.find(cluster)) {
        const Acknowledgement thanks = acknowledgement(*site);
        made.acknowledgement = thanks.known ? thanks.text : QString();
    }
    for (const QString& note : made.notes)
        context.err << u"rankwright-cli: "_s << note << u'\n';
    if (context.has(u"markdown"_s)) {
        const QString path = context.option(u"markdown"_s);
        const QByteArray text = toMarkdown(made.reports, made.speedup, made.acknowledgement).toUtf8();
        if (path == u"-"_s) {
            if (!context.json)
                context.out << QString::fromUtf8(text);
        } else {
            QSaveFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
                return report(context,
                    {Fault::Io, path + u": cannot be written"_s, file.errorString(),
                        u"check the path and its permissions"_s});
        }
    }
    if (context.json) {
        printJson(context.out, reportsJson(made));
    } else if (!context.has(u"markdown"_s)) {
        for (const EfficiencyReport& one : made.reports)
            printReport(one, context.out);
        printSpeedup(made.speedup, context.out);
        if (!made.acknowledgement.isEmpty())
            context.out << u"Acknowledgement: "_s << made.acknowledgement << u'\n';
    }
    return made.missing.isEmpty() ? ExitDone : ExitNo;
}

QString keptText(const JobReports& made)
{
    return made.keptSince.isValid() ? u"rankwright-cli: the report uses what was kept on this machine on %1.\n"_s.arg(
               made.keptSince.toUTC().toString(u"yyyy-MM-dd HH:mm 'UTC'"_s))
                                    : u"rankwright-cli: the report uses what was kept on this machine.\n"_s;
}

/// Without the cluster. Empty: not everything asked for is kept.
std::optional<int> reportKept(const CliContext& context, const QString& cluster, const QStringList& jobs, bool insist)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    auto database = Database::openOrCopy(folder);
    if (!database)
        return insist ? std::optional(report(context, database.error())) : std::nullopt;
    JobLog log(**database);
    ReportMaker maker(context.catalogue, &log, folder);
    maker.setLearned(MeasuredRuns(**database).load().valueOr({}));
    if (!insist && !maker.canOffline(cluster, jobs))
        return {};
    const auto made = maker.makeOfflineNow(cluster, jobs);
    if (!made)
        return report(context, made.error(), made.error().fault == Fault::Invalid ? ExitNo : ExitUsage);
    context.err << keptText(*made);
    return report(*made, context, cluster);
}

int reportAsked(const CliContext& context, CliLogin& login, const QString& cluster, const QStringList& jobs)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    ReportMaker maker(context.catalogue, &login.jobLog(), folder);
    maker.setLearned(login.measuredRuns());
    ClusterSession& session = login.session();
    EndedRecord records(session.shell(), recordingsFolder(folder));
    QString me;
    const auto isOfOther
        = [&me](const JobRecord& job) { return !me.isEmpty() && !job.user.isEmpty() && job.user != me; };
    maker.setRecordSource([&](const QString& name, const QList<JobRecord>& ended, QObject*, const auto& then) {
        QList<RecordingFacts> facts;
        for (const JobRecord& job : ended) {
            if (!isOfOther(job))
                facts.append(factsOf(name, &session.profile(), job));
        }
        records.bring(facts, [then](qint64) { then(); });
    });
    const auto finish = [&](const Result<JobReports>& made) {
        if (!made) {
            login.finish(made.error());
            return;
        }
        JobReports shown = *made;
        for (const EfficiencyReport& one : made->reports) {
            if (isOfOther(one.job))
                shown.notes.append(
                    u"job %1 is %2's, not yours (%3): only what Slurm shows to everybody is reported"_s.arg(
                        one.job.id, one.job.user, me));
        }
        login.finish(report(shown, context, cluster));
    };
    login.askUser([&](const QString& user) {
        me = user;
        maker.make(session.client(), session.shell(), cluster, jobs, SumUp::All, &login, finish);
    });
    return login.wait();
}

int runReport(const CliContext& context)
{
    const QString cluster = context.positional.value(0);
    QStringList jobs;
    for (const QString& job : context.positional.mid(1)) {
        if (const auto fault = jobIdFault(job))
            return report(context, *fault);
        if (!jobs.contains(job))
            jobs.append(job);
    }
    if (!context.catalogue.find(cluster))
        return report(context,
            {Fault::Invalid, u"“%1” is not in the catalogue."_s.arg(cluster), {},
                u"Choose one of "_s + context.catalogue.names().join(u", "_s)});
    if (context.has(u"offline"_s))
        return reportKept(context, cluster, jobs, true).value_or(ExitNo);
    CliLogin login(context);
    const auto failed = login.connectTo(cluster);
    if (!failed)
        return reportAsked(context, login, cluster, jobs);
    if (*failed != ExitUnreachable)
        return *failed;
    return reportKept(context, cluster, jobs, false).value_or(*failed);
}

} // namespace

CliCommand reportCommand()
{
    return {
        .name = "report",
        .summary = "What jobs used, how well, what to ask for next time; the speed-up over several",
        .words = "CLUSTER JOB...",
        .run = runReport,
        .options = loginOptions({
            {.name = "markdown", .value = "FILE|-", .text = "write the report as Markdown"},
            {.name = "offline", .text = "from what this machine keeps, without a connection"},
        }),
        .minimumWords = 2,
    };
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/reportprinter.h"

#include "app/cli/clioutput.h"
#include "app/report/reportjson.h"
#include "models/core/quantitytext.h"
#include "models/insight/report/reporthtml.h"
#include "models/insight/report/reportmarkdown.h"
#include "models/teaching/learn/acknowledgement.h"

#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

void printReport(const EfficiencyReport& report, QTextStream& out)
{
    out << reportTitle(report) << u'\n' << reportSubtitle(report) << u'\n' << gradeTitle(report) << u". "_s
        << report.verdict << u"\n\n"_s;
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

int writeMarkdown(const QByteArray& text, const CliContext& context)
{
    const QString path = context.option(u"markdown"_s);
    if (path == u"-"_s) {
        if (!context.json)
            context.out << QString::fromUtf8(text);
        return ExitDone;
    }
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit())
        return ExitDone;
    return report(context,
        {Fault::Io, path + u": cannot be written"_s, file.errorString(), u"check the path and its permissions"_s});
}

} // namespace

CliOption reportFormatOption()
{
    return {.name = "format", .value = "text|markdown|html", .text = "the form of the report: text, or for a ticket"};
}

Result<ReportFormat> reportFormat(const CliContext& context)
{
    const QString format = context.option(u"format"_s, u"text"_s);
    if (format == u"text")
        return ReportFormat::Text;
    if (format == u"markdown")
        return ReportFormat::Markdown;
    if (format == u"html")
        return ReportFormat::Html;
    return fail(Fault::Invalid, u"--format %1 is not known."_s.arg(format), {}, u"Give text, markdown or html."_s);
}

int printReports(JobReports made, const CliContext& context, const QString& cluster)
{
    const Result<ReportFormat> format = reportFormat(context);
    if (!format)
        return report(context, format.error());
    // The site's own sentence for papers; our own plain one is not part of a report.
    if (const ClusterProfile* site = context.catalogue.find(cluster)) {
        const Acknowledgement thanks = acknowledgement(*site);
        made.acknowledgement = thanks.known ? thanks.text : QString();
    }
    for (const QString& note : made.notes)
        context.err << u"rankwright-cli: "_s << note << u'\n';
    const QString markdown = toMarkdown(made.reports, made.speedup, made.acknowledgement);
    if (context.has(u"markdown"_s)) {
        if (const int code = writeMarkdown(markdown.toUtf8(), context); code != ExitDone)
            return code;
    }
    if (context.json) {
        printJson(context.out, reportsJson(made));
    } else if (*format == ReportFormat::Markdown) {
        context.out << markdown;
    } else if (*format == ReportFormat::Html) {
        context.out << toHtml(made.reports, made.speedup, made.acknowledgement);
    } else if (!context.has(u"markdown"_s)) {
        for (const EfficiencyReport& one : made.reports)
            printReport(one, context.out);
        printSpeedup(made.speedup, context.out);
        if (!made.acknowledgement.isEmpty())
            context.out << u"Acknowledgement: "_s << made.acknowledgement << u'\n';
    }
    return made.missing.isEmpty() ? ExitDone : ExitNo;
}

} // namespace rankwright

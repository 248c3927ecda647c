// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/reporthtml.h"

#include "models/core/harmlesstext.h"
#include "models/core/quantitytext.h"
#include "models/insight/report/reportfigures.h"
#include "models/insight/report/reportmarkdown.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

QString escaped(const QString& text) { return harmlessText(text.simplified()).toHtmlEscaped(); }

QString tagged(const QString& tag, const QString& inner) { return u"<%1>"_s.arg(tag) + inner + u"</%1>"_s.arg(tag); }

/// Cells that are plain text; the columns in `numbers` stand on the right.
QString tableOf(const QStringList& heads, const QList<QStringList>& rows, const QList<int>& numbers)
{
    const auto row = [&numbers](const QStringList& cells, const QString& tag) -> QString {
        QString made;
        for (qsizetype i = 0; i < cells.size(); ++i)
            made += (numbers.contains(i) ? u"<%1 class=\"n\">"_s : u"<%1>"_s).arg(tag) + escaped(cells.at(i))
                + u"</%1>"_s.arg(tag);
        return tagged(u"tr"_s, made) + u'\n';
    };
    QString made = tagged(u"thead"_s, row(heads, u"th"_s)) + u"\n<tbody>\n"_s;
    for (const QStringList& cells : rows)
        made += row(cells, u"td"_s);
    return u"<table>\n"_s + made + u"</tbody>\n</table>\n"_s;
}

QString listOf(const QString& title, const QStringList& lines)
{
    if (lines.isEmpty())
        return {};
    QString made = tagged(u"h3"_s, title) + u"\n<ul>\n"_s;
    for (const QString& line : lines)
        made += tagged(u"li"_s, escaped(line)) + u'\n';
    return made + u"</ul>\n"_s;
}

QString advicePart(const EfficiencyReport& report)
{
    if (report.advice.isEmpty())
        return {};
    QString made = u"<h3>Next time</h3>\n<ul>\n"_s;
    for (const ReportAdvice& advice : report.advice)
        made += u"<li>"_s + tagged(u"strong"_s, escaped(advice.text))
            + (advice.option.isEmpty() ? QString() : u' ' + tagged(u"code"_s, escaped(advice.option))) + u"<br>"_s
            + escaped(advice.reason) + u"</li>\n"_s;
    return made + u"</ul>\n"_s;
}

QString figuresPart(const EfficiencyReport& report)
{
    if (report.figures.isEmpty())
        return {};
    QList<QStringList> rows;
    for (const ReportFigure& figure : report.figures)
        rows.append({figure.label, figure.value ? figure.text : u"–"_s, figure.of,
            figure.share ? percentText(100 * *figure.share) : QString(), sourceText(figure)});
    return u"<h3>Figures</h3>\n"_s + tableOf({u"figure"_s, u"value"_s, u"of"_s, u"share"_s, u"source"_s}, rows, {1, 3});
}

QString comparisonsPart(const EfficiencyReport& report)
{
    if (report.comparisons.isEmpty())
        return {};
    QList<QStringList> rows;
    for (const ReportComparison& row : report.comparisons)
        rows.append({row.label, row.predictedText, row.bandText, row.measuredText, differenceText(row)});
    return u"<h3>Expected and measured</h3>\n"_s
        + tableOf({u"figure"_s, u"expected"_s, u"band"_s, u"measured"_s, u"difference"_s}, rows, {1, 3});
}

QString jobSection(const EfficiencyReport& report)
{
    return tagged(u"h2"_s, escaped(reportTitle(report))) + u'\n' + tagged(u"p"_s, escaped(reportSubtitle(report)))
        + u"\n<p class=\"verdict\">"_s + escaped(gradeTitle(report) + u". "_s + report.verdict) + u"</p>\n"_s
        + advicePart(report) + listOf(u"What was seen"_s, report.findings) + figuresPart(report)
        + comparisonsPart(report) + listOf(u"What is not known"_s, report.unknown);
}

QString speedupPart(const SpeedupTable& speedup)
{
    if (speedup.points.size() < 2)
        return {};
    QList<QStringList> rows;
    for (const SpeedupPoint& point : speedup.points)
        rows.append({QString::number(point.gpus), secondsText(speedup, point.seconds), humanNumber(point.speedup, 2),
            percentText(100 * point.efficiency), point.jobs.join(u", "_s)});
    QString made = u"<h2>Speed-up</h2>\n"_s + tagged(u"p"_s, escaped(describe(speedup))) + u'\n'
        + tableOf(
            {pluralOf(speedup.gpuWord), u"time"_s, u"speed-up"_s, u"efficiency"_s, u"jobs"_s}, rows, {0, 1, 2, 3});
    for (const QString& note : speedup.notes)
        made += tagged(u"p"_s, escaped(note)) + u'\n';
    return made;
}

} // namespace

QString toHtml(const QList<EfficiencyReport>& reports, const SpeedupTable& speedup, const QString& acknowledgement)
{
    const QString begin
        = u"<!DOCTYPE html>\n"
          "<html lang=\"en\">\n"
          "<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
          "<title>Efficiency report</title>\n"
          "<style>\n"
          "body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color-scheme: light dark; }\n"
          "table { border-collapse: collapse; margin: 0.5em 0 1.5em; }\n"
          "th, td { padding: 0.2em 0.7em; border-bottom: 1px solid silver; text-align: left; vertical-align: top; }\n"
          ".n { text-align: right; white-space: nowrap; }\n"
          ".verdict { font-weight: bold; }\n"
          "code { border: 1px solid silver; padding: 0 0.2em; }\n"
          "</style>\n"
          "</head>\n"
          "<body>\n"
          "<h1>Efficiency report</h1>\n"_s;
    QString made = begin;
    for (const EfficiencyReport& report : reports)
        made += jobSection(report);
    made += speedupPart(speedup);
    if (!acknowledgement.isEmpty())
        made += u"<h2>Acknowledgement</h2>\n"_s + tagged(u"p"_s, escaped(acknowledgement)) + u'\n';
    return made + u"</body>\n</html>\n"_s;
}

} // namespace rankwright::inline insight

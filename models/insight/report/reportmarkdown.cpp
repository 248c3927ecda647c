// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/reportmarkdown.h"

#include "models/core/quantitytext.h"
#include "models/insight/report/reportfigures.h"

#include <cmath>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// Text that Markdown must not take for its own; one line.
QString plain(const QString& text)
{
    static const QString special = uR"(\`*_{}[]<>#|~)"_s;
    QString safe;
    for (const QChar symbol : text.simplified()) {
        if (special.contains(symbol))
            safe += u'\\';
        safe += symbol;
    }
    return safe;
}

QString code(const QString& text) { return u'`' + QString(text).remove(u'`') + u'`'; }

QString row(const QStringList& cells) { return u"| "_s + cells.join(u" | "_s) + u" |\n"_s; }

QString figuresText(const EfficiencyReport& report)
{
    QString text = row({u"figure"_s, u"value"_s, u"of"_s, u"share"_s, u"source"_s});
    text += u"|---|---:|---|---:|---|\n"_s;
    for (const ReportFigure& figure : report.figures)
        text += row({plain(figure.label), plain(figure.value ? figure.text : u"–"_s), plain(figure.of),
            figure.share ? percentText(100 * *figure.share) : QString(), plain(sourceText(figure))});
    return text + u'\n';
}

QString comparisonsText(const EfficiencyReport& report)
{
    if (report.comparisons.isEmpty())
        return {};
    QString text = u"### Expected and measured\n\n"_s;
    text += row({u"figure"_s, u"expected"_s, u"band"_s, u"measured"_s, u"difference"_s});
    text += u"|---|---:|---|---:|---|\n"_s;
    for (const ReportComparison& line : report.comparisons)
        text += row({plain(line.label), plain(line.predictedText), plain(line.bandText), plain(line.measuredText),
            plain(differenceText(line))});
    return text + u'\n';
}

QString listText(const QString& title, const QStringList& lines)
{
    if (lines.isEmpty())
        return {};
    QString text = u"### "_s + title + u"\n\n"_s;
    for (const QString& line : lines)
        text += u"- "_s + plain(line) + u'\n';
    return text + u'\n';
}

QString adviceText(const EfficiencyReport& report)
{
    if (report.advice.isEmpty())
        return {};
    QString text = u"### Next time\n\n"_s;
    for (const ReportAdvice& advice : report.advice) {
        text += u"- **"_s + plain(advice.text) + u"**"_s;
        if (!advice.option.isEmpty())
            text += u' ' + code(advice.option);
        text += u"  \n  "_s + plain(advice.reason) + u'\n';
    }
    return text + u'\n';
}

QString jobText(const EfficiencyReport& report)
{
    QString text = u"## "_s + plain(reportTitle(report)) + u"\n\n"_s + plain(reportSubtitle(report)) + u"\n\n"_s;
    text += u"**"_s + plain(gradeTitle(report) + u". "_s + report.verdict) + u"**\n\n"_s;
    text += adviceText(report);
    text += listText(u"What was seen"_s, report.findings);
    if (!report.figures.isEmpty())
        text += u"### Figures\n\n"_s + figuresText(report);
    text += comparisonsText(report);
    text += listText(u"What is not known"_s, report.unknown);
    return text;
}

QString speedupText(const SpeedupTable& table)
{
    if (table.points.size() < 2)
        return {};
    QString text = u"## Speed-up\n\n"_s + plain(describe(table)) + u"\n\n"_s;
    text += row({pluralOf(table.gpuWord), u"time"_s, u"speed-up"_s, u"efficiency"_s, u"jobs"_s})
        + u"|---:|---:|---:|---:|---|\n"_s;
    for (const SpeedupPoint& point : table.points)
        text += row({QString::number(point.gpus), secondsText(table, point.seconds), humanNumber(point.speedup, 2),
            percentText(100 * point.efficiency), plain(point.jobs.join(u", "_s))});
    text += u'\n';
    for (const QString& note : table.notes)
        text += u"- "_s + plain(note) + u'\n';
    return text;
}

} // namespace

QString reportTitle(const EfficiencyReport& report)
{
    QString title = u"Job %1"_s.arg(report.job.id);
    if (!report.job.name.isEmpty())
        title += u" (%1)"_s.arg(report.job.name);
    return report.cluster.isEmpty() ? title : title + u" on %1"_s.arg(report.cluster);
}

QString reportSubtitle(const EfficiencyReport& report)
{
    const JobRecord& job = report.job;
    QStringList size;
    if (job.nodes)
        size.append(counted(*job.nodes, u"node"_s));
    if (job.gpus)
        size.append(counted(*job.gpus, report.gpuWord));
    if (!job.partition.isEmpty())
        size.append(u"partition %1"_s.arg(job.partition));
    QStringList parts;
    if (!size.isEmpty())
        parts.append(size.join(u", "_s));
    if (job.started.isValid())
        parts.append(u"started %1 UTC"_s.arg(job.started.toUTC().toString(u"yyyy-MM-dd HH:mm"_s)));
    parts.append(toText(job.state));
    return parts.join(u" · "_s);
}

QString sourceText(const ReportFigure& figure)
{
    QString text = figure.source;
    if (figure.coverage && *figure.coverage < 0.995)
        text += u", %1 of the run time"_s.arg(percentText(100 * *figure.coverage));
    return figure.value || figure.note.isEmpty() ? text : figure.note;
}

QString differenceText(const ReportComparison& line)
{
    if (line.isLimit && line.differencePercent < 0.5)
        return u"%1 of the most that it could be"_s.arg(percentText(100 + line.differencePercent));
    const double percent = std::abs(line.differencePercent);
    QString text = percent < 0.5
        ? u"as expected"_s
        : u"%1 %2 than expected"_s.arg(percentText(percent), line.differencePercent > 0 ? u"more"_s : u"less"_s);
    if (line.insideBand)
        text += *line.insideBand ? u", inside the band"_s : u", outside the band"_s;
    return text;
}

QString toMarkdown(const QList<EfficiencyReport>& reports, const SpeedupTable& speedup, const QString& acknowledgement)
{
    QString text = u"# Efficiency report\n\n"_s;
    for (const EfficiencyReport& report : reports)
        text += jobText(report);
    text += speedupText(speedup);
    if (!acknowledgement.isEmpty())
        text += (text.endsWith(u"\n\n"_s) ? u"## Acknowledgement\n\n"_s : u"\n## Acknowledgement\n\n"_s)
            + plain(acknowledgement) + u'\n';
    return text;
}

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/reportdocument.h"

#include "models/core/quantitytext.h"
#include "models/insight/report/reportmarkdown.h"
#include "widgets/base/theme.h"
#include "widgets/report/picturehandler.h"
#include "widgets/report/reportpainter.h"

#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int pictureObject = QTextFormat::UserObject + 7;
constexpr double textPoints = 9.5;

using T = Theme::Token;

QString safe(const QString& text) { return text.toHtmlEscaped(); }
QString hex(T token) { return Theme::colour(token, Theme::Scheme::Light).name(); }

QString gradeWord(const EfficiencyReport& report)
{
    using Grade = EfficiencyReport::Grade;
    const Grade grade = report.grade;
    const T colour = grade == Grade::Good ? T::Good
        : grade == Grade::Fair            ? T::Warn
        : grade == Grade::Poor            ? T::Bad
                                          : T::Foreground3;
    return u"<span style='color:%1; font-weight:600'>%2.</span> "_s.arg(hex(colour), safe(gradeTitle(report)));
}

/// A share as a bar of two cells: text documents have no other.
QString barCell(const ReportFigure& figure)
{
    if (!figure.share)
        return u"<td></td>"_s;
    const int filled = qBound(1, qRound(*figure.share * 100), 100);
    QString bar
        = u"<table width='100%' cellspacing='0' cellpadding='0'><tr><td width='%1%' bgcolor='%2' style='font-size:4pt'>&nbsp;</td>"_s
              .arg(filled)
              .arg(hex(T::Accent));
    if (filled < 100)
        bar += u"<td width='%1%' bgcolor='%2' style='font-size:4pt'>&nbsp;</td>"_s.arg(100 - filled).arg(hex(T::Line));
    return u"<td valign='middle'>%1</tr></table></td>"_s.arg(bar);
}

QString figuresHtml(const EfficiencyReport& report)
{
    QString html = u"<h3>Figures</h3><table width='100%' cellspacing='0' cellpadding='3'>"_s;
    for (const ReportFigure& figure : report.figures)
        html += u"<tr><td width='28%'>%1</td><td width='17%' align='right'><b>%2</b></td><td width='21%'>%3</td>"_s.arg(
                    safe(figure.label), safe(figure.value ? figure.text : u"–"_s), safe(figure.of))
            + (figure.share ? barCell(figure) : u"<td width='12%'></td>"_s)
            + u"<td width='22%' style='color:%1; font-size:8pt'>%2</td></tr>"_s.arg(
                hex(T::Foreground2), safe(sourceText(figure)));
    return html + u"</table>"_s;
}

QString tableHtml(const QStringList& heads, const QList<QStringList>& rows)
{
    QString html = u"<table width='100%' cellspacing='0' cellpadding='3'><tr>"_s;
    for (const QString& head : heads)
        html += u"<th align='left' style='color:%1'>%2</th>"_s.arg(hex(T::Foreground2), safe(head));
    html += u"</tr>"_s;
    for (const QStringList& row : rows) {
        html += u"<tr>"_s;
        for (const QString& cell : row)
            html += u"<td>%1</td>"_s.arg(safe(cell));
        html += u"</tr>"_s;
    }
    return html + u"</table>"_s;
}

QString listHtml(const QString& title, const QStringList& lines)
{
    if (lines.isEmpty())
        return {};
    QString html = u"<h3>%1</h3><ul>"_s.arg(safe(title));
    for (const QString& line : lines)
        html += u"<li>%1</li>"_s.arg(safe(line));
    return html + u"</ul>"_s;
}

QString adviceHtml(const EfficiencyReport& report)
{
    if (report.advice.isEmpty())
        return {};
    QString html = u"<h3>Next time</h3><ul>"_s;
    for (const ReportAdvice& advice : report.advice) {
        html += u"<li><b>%1</b>"_s.arg(safe(advice.text));
        if (!advice.option.isEmpty())
            html += u" <code>%1</code>"_s.arg(safe(advice.option));
        html += u"<br><span style='color:%1'>%2</span></li>"_s.arg(hex(T::Foreground2), safe(advice.reason));
    }
    return html + u"</ul>"_s;
}

QString comparisonsHtml(const EfficiencyReport& report)
{
    if (report.comparisons.isEmpty())
        return {};
    QList<QStringList> rows;
    for (const ReportComparison& row : report.comparisons)
        rows.append({row.label, row.predictedText, row.bandText, row.measuredText, differenceText(row)});
    return u"<h3>Expected and measured</h3>"_s
        + tableHtml({u""_s, u"expected"_s, u"band"_s, u"measured"_s, u"difference"_s}, rows);
}

/// The text with its pictures, laid out for one width.
class PaperText {
public:
    PaperText(const ReportPaper& paper, double width, double unit) : m_width(width), m_unit(unit)
    {
        m_document.setDefaultStyleSheet(
            u"h1{font-size:17pt; margin:0} h2{font-size:14pt; margin-top:0; margin-bottom:2px} h3{font-size:10.5pt; margin-top:12px; margin-bottom:3px; color:%1} code{font-family:monospace}"_s
                .arg(hex(T::Foreground2)));
        QTextCursor cursor(&m_document);
        bool first = true;
        for (const EfficiencyReport& report : paper.reports) {
            if (!first) {
                QTextBlockFormat page;
                page.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
                cursor.insertBlock(page);
            }
            add(cursor, report);
            first = false;
        }
        addSpeedup(cursor, paper.speedup);
        if (!paper.acknowledgement.isEmpty()) {
            startBlock(cursor);
            cursor.insertHtml(u"<h3>Acknowledgement</h3><p>%1</p>"_s.arg(safe(paper.acknowledgement)));
        }
    }
    QTextDocument& document() { return m_document; }
    const QList<TextPicture>& pictures() const { return m_pictures; }

private:
    void add(QTextCursor& cursor, const EfficiencyReport& report)
    {
        cursor.insertHtml(
            u"<h2>%1</h2><p style='color:%2; margin-top:0'>%3</p><p>%4%5</p>"_s.arg(safe(reportTitle(report)),
                hex(T::Foreground2), safe(reportSubtitle(report)), gradeWord(report), safe(report.verdict))
            + adviceHtml(report) + listHtml(u"What was seen"_s, report.findings));
        if (report.recorded && !report.recorded->isEmpty()) {
            const HistorySummary& seen = *report.recorded;
            picture(cursor, u"Use, memory and power over the run time"_s, m_unit * 15,
                [seen, unit = m_unit](QPainter& painter, const QRectF& area) {
                    paintCurve(painter, area, seen, ReportColours::of(false), unit);
                });
            const double height = qMin(mapHeight(seen, m_width, m_unit), m_unit * 48);
            picture(cursor, u"All %1s"_s.arg(report.gpuWord), height,
                [seen, unit = m_unit](QPainter& painter, const QRectF& area) {
                    painter.save();
                    painter.setClipRect(area);
                    paintMap(painter, area, seen, ReportColours::of(false), unit);
                    painter.restore();
                });
        }
        startBlock(cursor);
        cursor.insertHtml(
            figuresHtml(report) + comparisonsHtml(report) + listHtml(u"What is not known"_s, report.unknown));
    }

    void addSpeedup(QTextCursor& cursor, const SpeedupTable& table)
    {
        if (table.points.size() < 2)
            return;
        startBlock(cursor);
        QList<QStringList> rows;
        for (const SpeedupPoint& point : table.points)
            rows.append({QString::number(point.gpus), secondsText(table, point.seconds), humanNumber(point.speedup, 2),
                percentText(100 * point.efficiency), point.jobs.join(u", "_s)});
        cursor.insertHtml(u"<h2>Speed-up</h2><p>%1</p>"_s.arg(safe(describe(table)))
            + tableHtml({pluralOf(table.gpuWord), u"time"_s, u"speed-up"_s, u"efficiency"_s, u"jobs"_s}, rows));
        picture(cursor, {}, m_unit * 20, [table, unit = m_unit](QPainter& painter, const QRectF& area) {
            paintSpeedup(painter, area, table, ReportColours::of(false), unit);
        });
        startBlock(cursor);
        cursor.insertHtml(listHtml(u"Notes"_s, table.notes));
    }

    /// Out of the list or table before: inserted HTML goes on in the block where it begins.
    static void startBlock(QTextCursor& cursor)
    {
        cursor.movePosition(QTextCursor::End);
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
    }

    void picture(
        QTextCursor& cursor, const QString& title, double height, std::function<void(QPainter&, const QRectF&)> paint)
    {
        startBlock(cursor);
        if (!title.isEmpty())
            cursor.insertHtml(u"<h3>%1</h3>"_s.arg(safe(title)));
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
        QTextCharFormat format;
        format.setObjectType(pictureObject);
        format.setProperty(PictureHandler::indexProperty, int(m_pictures.size()));
        m_pictures.append({height, std::move(paint)});
        cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat());
    }

    double m_width, m_unit;
    QTextDocument m_document;
    QList<TextPicture> m_pictures;
};

} // namespace

int paintReport(const ReportPaper& paper, QPagedPaintDevice& device)
{
    QPainter painter(&device);
    if (!painter.isActive())
        return 0;
    QFont font = Theme::uiFont(13);
    font.setPointSizeF(textPoints);
    painter.setFont(font);
    const QRectF page(QPointF(0, 0), QSizeF(device.width(), device.height()));
    const double unit = QFontMetricsF(font, &device).height();
    const double footer = unit * 2;
    PaperText text(paper, page.width(), unit);
    QTextDocument& document = text.document();
    PictureHandler pictures(text.pictures(), page.width() - unit * 0.2, font);
    document.documentLayout()->registerHandler(pictureObject, &pictures);
    document.documentLayout()->setPaintDevice(&device);
    document.setDefaultFont(font);
    document.setDocumentMargin(0);
    document.setPageSize(QSizeF(page.width(), page.height() - footer));
    const int count = document.pageCount();
    for (int i = 0; i < count; ++i) {
        if (i > 0)
            device.newPage();
        painter.save();
        const double top = i * (page.height() - footer);
        painter.translate(0, -top);
        QAbstractTextDocumentLayout::PaintContext context;
        context.palette.setColor(QPalette::Text, Theme::colour(T::Foreground, Theme::Scheme::Light));
        context.clip = QRectF(0, top, page.width(), page.height() - footer);
        painter.setClipRect(context.clip);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(font);
        painter.setPen(Theme::colour(T::Foreground2, Theme::Scheme::Light));
        const QRectF line(0, page.height() - unit * 1.2, page.width(), unit * 1.2);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom, paper.made);
        painter.drawText(line, Qt::AlignRight | Qt::AlignBottom, u"%1 / %2"_s.arg(i + 1).arg(count));
    }
    return count;
}

Result<void> writeReportPdf(const ReportPaper& paper, const QString& path, QPageSize::PageSizeId size)
{
    QFile file(path);
    const auto failed = [&] {
        return fail(Fault::Io, u"%1 cannot be written."_s.arg(path), file.errorString(),
            u"Choose another folder, or make room on the disk."_s);
    };
    if (!file.open(QIODevice::WriteOnly))
        return failed();
    {
        QPdfWriter writer(&file);
        writer.setPageSize(QPageSize(size));
        writer.setPageMargins(QMarginsF(16, 14, 16, 12), QPageLayout::Millimeter);
        writer.setResolution(600);
        writer.setTitle(paper.reports.isEmpty() ? u"Efficiency report"_s : reportTitle(paper.reports.first()));
        writer.setCreator(u"Rankwright"_s);
        if (paintReport(paper, writer) < 1)
            return failed();
    }
    if (!file.flush() || file.error() != QFileDevice::NoError)
        return failed();
    return {};
}

} // namespace rankwright

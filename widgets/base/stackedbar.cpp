// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/stackedbar.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;
constexpr double swatch = 9;
constexpr double swatchGap = 5;
constexpr double radius = 4;

constexpr double labelPad = 5;

QFont legendFont() { return Theme::uiFont(11); }
QFont labelFont() { return Theme::uiFont(11, QFont::DemiBold); }

} // namespace

double StackedBarData::total() const
{
    double sum = 0;
    for (const Part& part : parts)
        sum += part.value;
    return sum;
}

StackedBar::StackedBar(const QString& name, QWidget* parent) : QWidget(parent)
{
    setAccessibleName(name);
    describeAsTable(*this, [this] { return tableShown(); });
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void StackedBar::setData(const StackedBarData& shown, const QString& description)
{
    m_data = shown;
    if (m_marked && *m_marked >= shown.parts.size())
        m_marked.reset();
    setAccessibleDescription(description);
    const double before = m_layout.height;
    m_layout = layOut(width());
    if (m_layout.height != before)
        updateGeometry();
    update();
}

/// A figure with the unit of the axis, which the legend's own figures have already.
QString StackedBar::figureText(double value) const
{
    return m_data.figure ? m_data.figure(value) : QStringList{humanNumber(value), m_data.unit}.join(u' ').trimmed();
}

PictureTable StackedBar::tableShown() const
{
    PictureTable table{{tr("Figure"), tr("What it is")}, {}};
    for (const StackedBarData::Part& part : m_data.parts)
        table.rows.append({part.name, {std::isfinite(part.value) ? figureText(part.value) : QString(), part.summary}});
    if (m_data.parts.isEmpty())
        return table;
    table.rows.append({tr("Together"),
        {std::isfinite(m_data.total()) ? figureText(m_data.total()) : QString(), tr("The sum of all parts")}});
    if (m_data.high > m_data.low)
        table.rows.append({tr("Likely"),
            {tr("%1 to %2").arg(figureText(m_data.low), figureText(m_data.high)),
                tr("The sum is expected between these")}});
    if (m_data.limit > 0) {
        const QString beside = !m_data.overText.isEmpty() ? m_data.overText : m_data.limitText;
        table.rows.append({tr("Limit"), {figureText(m_data.limit), beside}});
    }
    return table;
}

QString StackedBar::legendText(const StackedBarData::Part& part) const
{
    return u"%1 %2"_s.arg(part.name, m_data.figure ? m_data.figure(part.value) : humanNumber(part.value));
}

StackedBarLayout StackedBar::layOut(int width) const
{
    StackedBarFigures figures{{}, m_data.low, m_data.high, m_data.limit, {}, m_data.most, m_data.hasAxis,
        QFontMetricsF(labelFont()).horizontalAdvance(m_data.limitText) + 2};
    const QFontMetricsF metrics(legendFont());
    for (const auto& part : m_data.parts) {
        figures.parts.append(part.value);
        const double text = metrics.horizontalAdvance(legendText(part));
        figures.legendWidths.append(m_data.hasLegend && part.value > 0 ? swatch + swatchGap + text + 1 : 0);
    }
    const StackedBarLayout whole = layOutStackedBar(figures, width);
    if (whole.legend.isEmpty() || whole.legend.first().box.top() == whole.legend.last().box.top())
        return whole;
    // Where the legend would take a second line, what the bar itself names is left out of it.
    const QFontMetricsF bold(labelFont());
    for (const auto& segment : whole.segments) {
        if (bold.horizontalAdvance(legendText(m_data.parts.at(segment.part)))
            <= whole.labelRoom(segment).width() - 2 * labelPad)
            figures.legendWidths[segment.part] = 0;
    }
    return layOutStackedBar(figures, width);
}

int StackedBar::heightForWidth(int width) const { return qRound(layOut(width).height); }

void StackedBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_layout = layOut(width());
}

void StackedBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    painter.setPen(QPen(theme.colour(T::FieldLine), 1));
    painter.setBrush(theme.colour(T::Background));
    painter.drawRoundedRect(m_layout.track.adjusted(-0.5, -0.5, 0.5, 0.5), radius, radius);
    paintSegments(painter);
    if (!m_layout.over.isEmpty())
        paintOver(painter);
    if (!m_layout.band.isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.colour(T::Foreground), 1.3, Qt::CustomDashLine));
        QPen dashes = painter.pen();
        dashes.setDashPattern({3, 2.2});
        painter.setPen(dashes);
        painter.drawRoundedRect(m_layout.band, 3, 3);
    }
    paintAxis(painter);
    paintLegend(painter);
    if (hasFocus() && !m_marked) {
        painter.setPen(QPen(theme.colour(T::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

void StackedBar::paintSegments(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    QPainterPath outline;
    outline.addRoundedRect(
        m_layout.over.isEmpty() ? m_layout.track : m_layout.track.united(m_layout.over), radius, radius);
    const QFont font = labelFont();
    const QFontMetricsF metrics(font);
    painter.save();
    painter.setClipPath(outline);
    for (const auto& segment : m_layout.segments) {
        const auto& part = m_data.parts.at(segment.part);
        const QColor fill = Theme::category(part.category);
        const QRectF whole = segment.box.united(segment.over);
        painter.fillRect(whole, fill);
        // A hair of the background between neighbours, so that they are distinguished without their colours.
        painter.fillRect(QRectF(whole.right() - 0.5, whole.top(), 1, whole.height()), theme.colour(T::Panel));
        const QRectF room = m_layout.labelRoom(segment).adjusted(labelPad, 0, -labelPad, 0);
        const QString value = m_data.figure ? m_data.figure(part.value) : humanNumber(part.value);
        const QString both = u"%1 %2"_s.arg(part.name, value);
        const QString text = metrics.horizontalAdvance(both) <= room.width() ? both
            : metrics.horizontalAdvance(value) <= room.width()               ? value
                                                                             : QString();
        painter.setFont(font);
        painter.setPen(Theme::foregroundOn(fill));
        painter.drawText(room, Qt::AlignCenter, text);
    }
    painter.restore();
    if (m_marked) {
        const QRectF box = m_layout.partBox(*m_marked);
        if (!box.isEmpty()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.colour(T::Foreground), 2));
            painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 3, 3);
        }
    }
}

void StackedBar::paintOver(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    const QColor bad = theme.colour(T::Bad);
    const QRectF over = m_layout.over;
    // Hatched, framed and said in words: what does not fit is seen without any colour.
    painter.save();
    painter.setClipRect(over);
    painter.setPen(QPen(theme.colour(T::Panel), 2));
    constexpr double hatchStep = 8;
    const int hatches = int(std::ceil((over.width() + over.height()) / hatchStep));
    for (int i = 0; i < hatches; ++i) {
        const double x = over.left() - over.height() + i * hatchStep;
        painter.drawLine(QPointF(x, over.bottom()), QPointF(x + over.height(), over.top()));
    }
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(bad, 2.5));
    painter.drawRect(over.adjusted(1, 1, -1, -1));
    const QFont font = Theme::uiFont(12, QFont::DemiBold);
    painter.setFont(font);
    const double width = QFontMetricsF(font).horizontalAdvance(m_data.overText) + 16;
    QRectF box(over.right() - width, m_layout.overLabel.top(), width, m_layout.overLabel.height());
    box.moveLeft(qBound(0.0, box.left(), qMax(0.0, this->width() - width)));
    painter.setPen(QPen(bad, 1.8, Qt::SolidLine, Qt::RoundCap));
    const QRectF cross(box.left(), box.center().y() - 4, 8, 8);
    painter.drawLine(cross.topLeft(), cross.bottomRight());
    painter.drawLine(cross.topRight(), cross.bottomLeft());
    painter.drawText(box.adjusted(14, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_data.overText);
}

void StackedBar::paintAxis(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    const QFont font = legendFont();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.colour(T::Foreground3));
    const QRectF line = m_layout.axis;
    for (const auto& tick : m_layout.ticks) {
        const QString text = tick.value == 0 ? u"0 %1"_s.arg(m_data.unit) : humanNumber(tick.value, 3);
        const double width = metrics.horizontalAdvance(text) + 2;
        const double left = tick.value == 0 ? m_layout.track.left() : tick.x - width / 2;
        painter.drawText(
            QRectF(qMin(left, this->width() - width), line.top(), width, line.height()), Qt::AlignCenter, text);
    }
    if (!m_layout.limitX)
        return;
    const double x = *m_layout.limitX;
    const bool beyond = !m_layout.over.isEmpty();
    painter.setPen(QPen(theme.colour(beyond ? T::Bad : T::Foreground), 2));
    painter.drawLine(QPointF(x, m_layout.track.top() - 3), QPointF(x, m_layout.track.bottom() + 5));
    if (!m_data.hasAxis)
        return;
    painter.setFont(labelFont());
    painter.setPen(theme.colour(T::Foreground2));
    painter.drawText(m_layout.limitLabel, Qt::AlignCenter, m_data.limitText);
}

void StackedBar::paintLegend(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    painter.setFont(legendFont());
    for (const auto& item : m_layout.legend) {
        const auto& part = m_data.parts.at(item.part);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::category(part.category));
        const QRectF mark(item.box.left() + 0.5, item.box.center().y() - swatch / 2, swatch, swatch);
        painter.drawRoundedRect(mark, 2, 2);
        painter.setPen(theme.colour(m_marked == item.part ? T::Foreground : T::Foreground2));
        painter.drawText(
            item.box.adjusted(swatch + swatchGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, legendText(part));
    }
}

QString StackedBar::toolTipOf(int part) const
{
    const auto& reported = m_data.parts.at(part);
    const double total = m_data.total();
    const QString share = total > 0 ? tr(", %1 of all").arg(percentText(100 * reported.value / total, 0)) : QString();
    const QString figure = m_data.figure ? m_data.figure(reported.value) : humanNumber(reported.value);
    return u"%1: %2 %3%4\n%5"_s.arg(
        reported.name.left(1).toUpper() + reported.name.mid(1), figure, m_data.unit, share, reported.summary);
}

void StackedBar::mark(std::optional<int> part)
{
    if (part == m_marked)
        return;
    m_marked = part;
    update();
}

void StackedBar::mouseMoveEvent(QMouseEvent* event) { mark(m_layout.partAt(event->position())); }

void StackedBar::keyPressEvent(QKeyEvent* event)
{
    const int last = int(m_data.parts.size()) - 1;
    if (last < 0 || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int step = event->key() == Qt::Key_Right ? 1 : -1;
    int next = m_marked.value_or(-1);
    do
        next += step;
    while (next >= 0 && next <= last && m_layout.partBox(next).isEmpty());
    if (next < 0 || next > last)
        return;
    mark(next);
    const QRectF box = m_layout.partBox(next);
    QToolTip::showText(mapToGlobal(box.bottomLeft().toPoint()), richToolTip(toolTipOf(next)), this);
}

bool StackedBar::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto part = m_layout.partAt(help->pos()))
            QToolTip::showText(help->globalPos(), richToolTip(toolTipOf(*part)), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave || event->type() == QEvent::FocusOut)
        mark({});
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut || event->type() == QEvent::PaletteChange)
        update();
    return QWidget::event(event);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/historypainter.h"

#include "widgets/base/theme.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double tickRoom = 74;
constexpr double legendRow = 17;
constexpr double legendColumn = 132;

qint64 middleOf(const HistoryBucket& bucket) { return (bucket.span.fromMs + bucket.span.toMs) / 2; }

QString figureText(const HistoryStrip& strip, const std::optional<HistoryBucket>& bucket)
{
    return figureWithUnit(strip.measure, bucket ? std::optional(double(bucket->mean)) : std::nullopt);
}

void paintLine(QPainter& painter, const HistoryStrip& strip, const HistoryLine& line, const HistoryStyle& style)
{
    const QColor colour = Theme::category(line.category);
    const auto place = [&](const HistoryBucket& bucket, float value) {
        const double up = std::clamp(strip.scale.position(double(value)), 0.0, 1.0);
        return QPointF(style.time.x(middleOf(bucket)), strip.box.bottom() - 0.5 - up * (strip.box.height() - 2));
    };
    const bool alone = strip.lines.size() == 1;
    const QList<HistoryBucket> whole = style.curves.curve({line.subject, strip.measure});
    for (const QList<HistoryBucket>& piece : piecesOf(whole, holesOf(whole, style.gaps, style.gapLongerThanMs))) {
        QPolygonF curve;
        QPolygonF upper;
        QPolygonF lower;
        for (const HistoryBucket& bucket : piece) {
            curve.append(place(bucket, bucket.mean));
            upper.append(place(bucket, bucket.most));
            lower.prepend(place(bucket, bucket.least));
        }
        if (curve.size() == 1)
            curve.append(curve.first() + QPointF(1.5, 0));
        painter.setPen(Qt::NoPen);
        QColor fill = colour;
        if (alone) { // the background under a single curve; several would hide each other
            QPolygonF background = curve;
            background.append({curve.last().x(), strip.box.bottom()});
            background.append({curve.first().x(), strip.box.bottom()});
            fill.setAlphaF(0.12F);
            painter.setBrush(fill);
            painter.drawPolygon(background);
        }
        fill.setAlphaF(alone ? 0.30F : 0.16F);
        painter.setBrush(fill);
        painter.drawPolygon(upper + lower);
        painter.setPen(QPen(colour, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(curve);
    }
}

/// Where this strip's only line, or the whole job, reported nothing.
QList<TimeSpan> holesOf(const HistoryStrip& strip, const HistoryStyle& style)
{
    if (strip.lines.size() != 1)
        return style.gaps;
    const QList<HistoryBucket> curve = style.curves.curve({strip.lines.first().subject, strip.measure});
    return holesOf(curve, style.gaps, style.gapLongerThanMs);
}

qint64 nearMs(const HistoryStyle& style)
{
    return style.time.span.length() * 6 / std::max<qint64>(1, qint64(style.time.width));
}

void paintLabel(QPainter& painter, const HistoryStrip& strip, const HistoryStyle& style)
{
    const Theme& theme = style.theme;
    painter.setFont(Theme::uiFont(11));
    const double row = QFontMetricsF(painter.font()).height();
    painter.setPen(theme.colour(Theme::Token::Foreground2));
    const QString title = QFontMetricsF(painter.font()).elidedText(strip.title, Qt::ElideRight, strip.label.width());
    painter.drawText(QRectF(strip.label.left(), strip.label.top(), strip.label.width(), row), Qt::AlignLeft, title);
    double top = strip.label.top() + row;
    if (strip.lines.size() == 1) {
        const HistoryFigure figure = figureOf(strip, style);
        painter.setFont(Theme::uiFont(13, QFont::DemiBold));
        painter.setPen(theme.colour(Theme::Token::Foreground));
        painter.drawText(QRectF(strip.label.left(), top, strip.label.width(), row + 4), Qt::AlignLeft, figure.text);
        top += row + 3;
        if (!figure.made.isEmpty()) { // instead of the limit: there is room for one
            painter.setFont(Theme::uiFont(11));
            painter.setPen(theme.colour(Theme::Token::Foreground3));
            painter.drawText(QRectF(strip.label.left(), top, strip.label.width(), row), Qt::AlignLeft,
                QFontMetricsF(painter.font()).elidedText(figure.made, Qt::ElideRight, strip.label.width()));
            return;
        }
    }
    const bool limited = strip.measure != Measure::Utilization && strip.measure != Measure::Temperature
        && strip.measure != Measure::Processes;
    if (!limited || top + row > strip.label.bottom() + 4)
        return;
    painter.setFont(Theme::uiFont(11));
    painter.setPen(theme.colour(Theme::Token::Foreground3));
    const QString limit = figureWithUnit(strip.measure, strip.scale.high);
    painter.drawText(QRectF(strip.label.left(), top, strip.label.width(), row), Qt::AlignLeft,
        strip.scale.guessed ? tr("to %1").arg(limit) : tr("of %1").arg(limit));
}

/// The figures under the pointer, a row per line.
void paintFigures(QPainter& painter, const HistoryStrip& strip, const HistoryStyle& style)
{
    if (!style.hoverX || strip.lines.size() < 2)
        return;
    const Theme& theme = style.theme;
    const qint64 at = style.time.ms(*style.hoverX);
    painter.setFont(Theme::uiFont(11));
    double x = *style.hoverX + 6;
    for (const HistoryLine& line : strip.lines) {
        const QString text
            = figureText(strip, bucketAt(style.curves.curve({line.subject, strip.measure}), at, nearMs(style)));
        const double wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 16;
        if (x + wide > strip.box.right())
            return;
        const QRectF chip(x, strip.box.top() + 1, wide, 15);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colour(Theme::Token::Panel));
        painter.drawRoundedRect(chip, 3, 3);
        painter.setBrush(Theme::category(line.category));
        painter.drawEllipse(QPointF(chip.left() + 6, chip.center().y()), 3, 3);
        painter.setPen(theme.colour(Theme::Token::Foreground));
        painter.drawText(chip.adjusted(12, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += wide + 2;
    }
}

} // namespace

std::optional<HistoryBucket> bucketAt(const QList<HistoryBucket>& curve, qint64 ms, qint64 within)
{
    std::optional<HistoryBucket> best;
    qint64 nearest = 0;
    for (const HistoryBucket& bucket : curve) {
        if (bucket.samples == 0)
            continue;
        const qint64 away
            = ms < bucket.span.fromMs ? bucket.span.fromMs - ms : std::max<qint64>(0, ms - bucket.span.toMs);
        if (away <= within && (!best || away < nearest)) {
            best = bucket;
            nearest = away;
        }
    }
    return best;
}

HistoryFigure figureOf(const HistoryStrip& strip, const HistoryStyle& style)
{
    if (strip.lines.isEmpty())
        return {};
    const HistoryCurves::Key key{strip.lines.first().subject, strip.measure};
    if (!style.hoverX) {
        const GpuValue value = style.values.value(key);
        return {figureWithUnit(strip.measure, value.value), howMade(value, style.gpuWord)};
    }
    const auto bucket = bucketAt(style.curves.curve(key), style.time.ms(*style.hoverX), nearMs(style));
    if (!bucket || bucket->samples == 1)
        return {figureText(strip, bucket), {}};
    GpuValue mean;
    mean.value = double(bucket->mean);
    mean.spanMs = bucket->span.length();
    return {figureText(strip, bucket), howMade(mean)};
}

void paintHistoryStrip(QPainter& painter, const HistoryStrip& strip, const HistoryStyle& style)
{
    const Theme& theme = style.theme;
    painter.save();
    painter.setClipRect(strip.box.adjusted(-1, -1, 1, 1));
    const QColor hatch = Theme::mix(theme.colour(Theme::Token::Foreground3), theme.colour(Theme::Token::Panel), 0.38);
    for (const TimeSpan& hole : holesOf(strip, style)) {
        const QRectF box(
            QPointF(style.time.x(hole.fromMs), strip.box.top()), QPointF(style.time.x(hole.toMs), strip.box.bottom()));
        if (box.width() >= 2)
            paintHatch(painter, box.intersected(strip.box), hatch);
    }
    for (const HistoryLine& line : strip.lines)
        paintLine(painter, strip, line, style);
    painter.restore();
    painter.fillRect(
        QRectF(strip.box.left(), strip.box.bottom(), strip.box.width(), 1), theme.colour(Theme::Token::Line));
    paintLabel(painter, strip, style);
    paintFigures(painter, strip, style);
}

void paintHistoryAxis(QPainter& painter, const QRectF& box, const HistoryStyle& style)
{
    painter.setFont(Theme::uiFont(11));
    painter.setPen(style.theme.colour(Theme::Token::Foreground3));
    const QFontMetricsF metrics(painter.font());
    double last = box.left() - 8;
    for (const TimeTick& tick : timeTicks(style.time, tickRoom)) {
        const double wide = metrics.horizontalAdvance(tick.label);
        const double left
            = std::clamp(style.time.x(tick.ms) - wide / 2, box.left(), std::max(box.left(), box.right() - wide));
        if (left < last + 8)
            continue;
        painter.drawText(QRectF(left, box.top(), wide + 1, box.height()), Qt::AlignLeft | Qt::AlignTop, tick.label);
        last = left + wide;
    }
}

/// The whole name where there is room, else what distinguishes it: "rank 13".
static QString legendName(const HistoryLine& line, const QFontMetricsF& metrics, double room)
{
    const bool fits = metrics.horizontalAdvance(line.name) <= room;
    return fits ? line.name : metrics.elidedText(line.shortName, Qt::ElideRight, room);
}

double paintHistoryLegend(QPainter* painter, const QRectF& box, const QList<HistoryLine>& lines, const Theme& theme)
{
    const int columns = std::max(1, std::min(int(lines.size()), int(box.width() / legendColumn)));
    const int rows = (int(lines.size()) + columns - 1) / columns;
    const double wide = box.width() / columns;
    for (int place = 0; painter && place < lines.size(); ++place) {
        const QRectF cell(
            box.left() + place % columns * wide, box.top() + place / columns * legendRow, wide, legendRow);
        painter->setPen(QPen(Theme::category(lines.at(place).category), 2.4));
        painter->drawLine(cell.left() + 1, cell.center().y(), cell.left() + 13, cell.center().y());
        painter->setFont(Theme::uiFont(11));
        painter->setPen(theme.colour(Theme::Token::Foreground2));
        painter->drawText(cell.adjusted(18, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
            legendName(lines.at(place), QFontMetricsF(painter->font()), wide - 22));
    }
    return rows * legendRow;
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/timestrip.h"

#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapmarks.h"
#include "widgets/history/timestripaccessible.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double stripAxisHeight = 16;
constexpr double side = 7; // the handle's knob at either end
constexpr double markBand = 9;
constexpr double markSize = 9;
constexpr double stripTickRoom = 92;
constexpr qint64 fineStepMs = 1000;

} // namespace

TimeStrip::TimeStrip(QWidget* parent) : QWidget(parent)
{
    installTimeStripAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time of the job"));
    setAccessibleDescription(tr("Arrows move by a second, with Shift by more; Space holds and plays; + and - change "
                                "the speed; Home is the beginning, End the newest."));
    connect(&themeOf(this), &Theme::changed, this, [this] { update(); });
}

void TimeStrip::setOverview(const TimeOverview& overview)
{
    if (m_overview == overview)
        return;
    m_overview = overview;
    update();
}

void TimeStrip::setMoment(qint64 ms, Shown shown)
{
    const bool live = shown == Shown::Live;
    if (ms == m_moment && live == m_live)
        return;
    m_moment = ms;
    m_live = live;
    update();
    if (QAccessible::isActive() && hasFocus() && !live) {
        QAccessibleValueChangeEvent changed(this, double(ms));
        QAccessible::updateAccessibility(&changed);
    }
}

QRectF TimeStrip::plot() const { return QRectF(rect()).adjusted(side, 1, -side, -stripAxisHeight); }

TimeScale TimeStrip::scale() const { return {m_overview.span, plot().left(), plot().width()}; }

qint64 TimeStrip::coarseStep() const { return roundStep(std::max<qint64>(10'000, m_overview.span.length() / 60)); }

QString TimeStrip::describe(qint64 ms) const
{
    QStringList lines{stampText(ms, m_overview.span.toMs)};
    const TimeSpan& span = m_overview.span;
    if (!m_overview.curve.isEmpty() && span.length() > 0) {
        const qsizetype place = std::clamp<qsizetype>(
            (ms - span.fromMs) * m_overview.curve.size() / span.length(), 0, m_overview.curve.size() - 1);
        const HistoryBucket& bucket = m_overview.curve.at(place);
        if (bucket.samples > 0)
            lines.append(tr("%1 of all in %2: mean %3, %4 to %5")
                             .arg(toText(m_overview.measure), spanText(std::max<qint64>(1000, bucket.span.length())),
                                 figureWithUnit(m_overview.measure, double(bucket.mean)),
                                 figureWithUnit(m_overview.measure, double(bucket.least)),
                                 figureWithUnit(m_overview.measure, double(bucket.most))));
        else
            lines.append(tr("nothing was recorded"));
    }
    const qint64 near = m_overview.span.length() * 5 / std::max(1, int(plot().width()));
    for (const TimelineMark& mark : m_overview.marks) {
        const qint64 end = mark.toMs == 0 ? span.toMs : mark.toMs;
        if (ms >= mark.fromMs - near && ms <= end + near)
            lines.append(stampText(mark.fromMs, span.toMs) + u"  "_s + mark.text);
    }
    return lines.join(u'\n');
}

void TimeStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const QRectF box = plot();
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::mix(theme.colour(Theme::Token::Line), theme.colour(Theme::Token::Panel), 0.42));
    painter.drawRoundedRect(box, 4, 4);
    if (m_overview.span.length() <= 0) {
        painter.setPen(theme.colour(Theme::Token::Foreground3));
        painter.setFont(Theme::uiFont(11));
        painter.drawText(box, Qt::AlignCenter, tr("No sample of this job is recorded."));
        return;
    }
    const TimeScale time = scale();
    painter.save();
    QPainterPath round;
    round.addRoundedRect(box, 4, 4);
    painter.setClipPath(round);
    paintCurve(painter, time, box);
    for (const TimeSpan& gap : m_overview.gaps) {
        const QRectF hole(QPointF(time.x(gap.fromMs), box.top()), QPointF(time.x(gap.toMs), box.bottom()));
        if (hole.width() >= 1)
            paintHatch(painter, hole,
                Theme::mix(theme.colour(Theme::Token::Foreground3), theme.colour(Theme::Token::Panel), 0.45));
    }
    paintProgress(painter, time, box);
    painter.restore();
    paintMarks(painter, time, box);
    paintAxis(painter, time, box);
    paintHandle(painter, time, box);
}

void TimeStrip::paintCurve(QPainter& painter, const TimeScale& scale, const QRectF& box) const
{
    const QColor colour = Theme::category(m_overview.measure == Measure::Power ? 5 : 0);
    const double room = box.height() - markBand;
    const auto place = [&](qint64 ms, float value) {
        const double share = m_overview.high > 0 ? std::clamp(double(value) / m_overview.high, 0.0, 1.0) : 0;
        return QPointF(scale.x(ms), box.bottom() - 1 - share * (room - 2));
    };
    QPolygonF upper;
    QPolygonF lower;
    QPolygonF line;
    const auto flush = [&] {
        if (line.size() == 1) // a single bucket is as wide as a hair
            line.append(line.first() + QPointF(1.5, 0));
        std::reverse(lower.begin(), lower.end());
        QColor fill = colour;
        fill.setAlphaF(0.26F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(upper + lower);
        painter.setPen(QPen(colour, 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
        upper.clear();
        lower.clear();
        line.clear();
    };
    for (const HistoryBucket& bucket : m_overview.curve) {
        if (bucket.samples == 0) {
            if (!line.isEmpty())
                flush();
            continue;
        }
        const qint64 middle = (bucket.span.fromMs + bucket.span.toMs) / 2;
        line.append(place(middle, bucket.mean));
        upper.append(place(middle, bucket.most));
        lower.append(place(middle, bucket.least));
    }
    if (!line.isEmpty())
        flush();
}

void TimeStrip::paintProgress(QPainter& painter, const TimeScale& scale, const QRectF& box) const
{
    if (m_overview.progress.size() < 2)
        return;
    QPolygonF line;
    for (const auto& [ms, share] : m_overview.progress)
        line.append({scale.x(ms), box.bottom() - 1 - std::clamp(share, 0.0, 1.0) * (box.height() - markBand - 2)});
    painter.setPen(QPen(themeOf(this).colour(Theme::Token::Good), 1.2, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void TimeStrip::paintMarks(QPainter& painter, const TimeScale& scale, const QRectF& box) const
{
    const Theme& theme = themeOf(this);
    for (const TimelineMark& mark : m_overview.marks) {
        const qint64 end = mark.toMs == 0 ? m_overview.span.toMs : mark.toMs;
        if (end < m_overview.span.fromMs || mark.fromMs > m_overview.span.toMs)
            continue;
        const bool state = mark.kind == TimelineMark::Kind::State;
        const QColor colour = state ? theme.colour(Theme::Token::Foreground2) : colourOf(mark.level, theme);
        const double from = std::clamp(scale.x(mark.fromMs), box.left(), box.right());
        const double to = std::clamp(scale.x(end), box.left(), box.right());
        const double y = box.top() + 5;
        if (state) {
            painter.fillRect(QRectF(from, box.top(), 1, box.height()), colour);
        } else if (to - from > 4) {
            painter.fillRect(QRectF(from, y - 1, to - from, 2), colour);
            QColor background = colour;
            background.setAlphaF(0.10F);
            painter.fillRect(QRectF(from, box.top(), to - from, box.height()), background);
        }
        if (!state) {
            paintMark(painter, {std::max(from, box.left() + markSize / 2), y}, markSize, mark.level, theme);
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(QPolygonF({{from, box.top()}, {from + 7, box.top() + 3}, {from, box.top() + 6}}));
    }
}

void TimeStrip::paintAxis(QPainter& painter, const TimeScale& scale, const QRectF& box) const
{
    const Theme& theme = themeOf(this);
    painter.setFont(Theme::uiFont(11));
    painter.setPen(theme.colour(Theme::Token::Foreground3));
    const QFontMetricsF metrics(painter.font());
    for (const TimeTick& tick : timeTicks(scale, stripTickRoom)) {
        const double wide = metrics.horizontalAdvance(tick.label);
        const double left = std::clamp(scale.x(tick.ms) - wide / 2, 0.0, double(width()) - wide);
        painter.drawText(QRectF(left, box.bottom() + 2, wide + 1, stripAxisHeight - 2),
            Qt::AlignLeft | Qt::AlignVCenter, tick.label);
        painter.fillRect(QRectF(scale.x(tick.ms), box.bottom() - 3, 1, 3), theme.colour(Theme::Token::Foreground3));
    }
}

void TimeStrip::paintHandle(QPainter& painter, const TimeScale& scale, const QRectF& box) const
{
    const Theme& theme = themeOf(this);
    const QColor colour = m_live ? theme.colour(Theme::Token::Accent) : pastColour(theme);
    const double x = std::clamp(scale.x(m_moment), box.left(), box.right());
    if (!m_live && x < box.right()) { // what comes after the moment that is shown
        QColor veil = theme.colour(Theme::Token::Panel);
        veil.setAlphaF(0.55F);
        painter.fillRect(QRectF(x, box.top(), box.right() - x, box.height()), veil);
    }
    if (m_hoverX) {
        painter.fillRect(QRectF(*m_hoverX, box.top(), 1, box.height()), theme.colour(Theme::Token::Foreground3));
    }
    painter.fillRect(QRectF(x - 1, box.top() - 1, 2, box.height() + 2), colour);
    painter.setPen(QPen(theme.colour(Theme::Token::Panel), 1.5));
    painter.setBrush(colour);
    painter.drawEllipse(QPointF(x, box.bottom()), 5.5, 5.5);
    if (!hasFocus())
        return;
    painter.setPen(QPen(theme.colour(Theme::Token::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(-2, 0, 2, 0), 5, 5);
}

bool TimeStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_overview.span.length() > 0) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), richToolTip(describe(scale().ms(help->pos().x()))), this);
        return true;
    }
    return QWidget::event(event);
}

void TimeStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_overview.span.length() > 0)
        emit momentPicked(scale().ms(event->position().x()));
}

void TimeStrip::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    m_hoverX = plot().left() <= x && x <= plot().right() ? std::optional(x) : std::nullopt;
    if (event->buttons() & Qt::LeftButton && m_overview.span.length() > 0)
        emit momentPicked(scale().ms(x));
    update();
}

void TimeStrip::leaveEvent(QEvent*)
{
    m_hoverX.reset();
    update();
}

void TimeStrip::keyPressEvent(QKeyEvent* event)
{
    const qint64 step = event->modifiers() & Qt::ShiftModifier ? coarseStep() : fineStepMs;
    switch (event->key()) {
    case Qt::Key_Left: emit stepped(-step); return;
    case Qt::Key_Right: emit stepped(step); return;
    case Qt::Key_PageUp: emit stepped(-roundStep(m_overview.span.length() / 10)); return;
    case Qt::Key_PageDown: emit stepped(roundStep(m_overview.span.length() / 10)); return;
    case Qt::Key_Home: emit momentPicked(m_overview.span.fromMs); return;
    case Qt::Key_End: emit endWanted(); return;
    case Qt::Key_Space: emit playToggled(); return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: emit speedStepped(1); return;
    case Qt::Key_Minus: emit speedStepped(-1); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace rankwright

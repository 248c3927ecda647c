// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gpuhistoryview.h"

#include "widgets/theme.h"

#include <QFontMetrics>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 windowMs = 600'000;
constexpr qint64 gapMs = 5'000; // as long as a cell stays fresh
constexpr int labelWidth = 84;
constexpr int axisHeight = 20;

struct Strip {
    Measure measure;
    int category; ///< of the theme: told apart by place and label as well
};
constexpr std::array<Strip, 4> strips{
    {{Measure::Utilization, 0}, {Measure::Memory, 2}, {Measure::Power, 5}, {Measure::Temperature, 3}}};

} // namespace

QList<Stroke> strokesOf(const QList<TelemetrySeries::Point>& points, Measure measure, qint64 gap)
{
    QList<Stroke> strokes;
    qint64 before = 0;
    for (const TelemetrySeries::Point& point : points) {
        const float value = point.of(measure);
        if (std::isnan(value))
            continue;
        if (strokes.isEmpty() || point.arrivedMs - before > gap)
            strokes.append(Stroke());
        strokes.last().append(QPointF(qreal(point.arrivedMs), qreal(value)));
        before = point.arrivedMs;
    }
    return strokes;
}

GpuHistoryView::GpuHistoryView(const GpuGridModel& grid, QWidget* parent) : QWidget(parent), m_grid(grid)
{
    setMouseTracking(true);
    setAccessibleName(tr("History of the selected GPU"));
    connect(&themeOf(this), &Theme::changed, this, [this] { update(); });
}

void GpuHistoryView::show(std::optional<GpuAddress> gpu)
{
    m_gpu = gpu;
    setAccessibleDescription(gpu ? describeGpu(m_grid, *gpu, m_ended) : QString());
    update();
}

void GpuHistoryView::setEnded(bool ended)
{
    m_ended = ended;
    update();
}

GpuHistoryView::Frame GpuHistoryView::frame() const
{
    Frame frame;
    frame.to = m_grid.nowMs();
    if (m_ended && m_gpu)
        frame.to = std::max<qint64>(windowMs, newestArrival(m_grid, m_gpu->node));
    frame.from = frame.to - windowMs;
    frame.plot = rect().adjusted(labelWidth, 2, -2, -axisHeight);
    return frame;
}

void GpuHistoryView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_gpu) {
        painter.setPen(themeOf(this).colour(Theme::Token::Ink3));
        painter.setFont(Theme::uiFont(13));
        painter.drawText(rect().adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap,
            tr("Select a cell to see the last ten minutes of its %1.").arg(m_grid.gpuWord()));
        return;
    }
    const Frame now = frame();
    QList<TelemetrySeries::Point> points = m_grid.series().window(*m_gpu, now.to, windowMs);
    const int height = now.plot.height() / int(strips.size());
    for (int index = 0; index < int(strips.size()); ++index) {
        const Measure measure = strips.at(std::size_t(index)).measure;
        const QRect strip(now.plot.left(), now.plot.top() + index * height, now.plot.width(), height - 9);
        if (measure == Measure::Power && m_grid.gpusPerPackage() > 1) { // told on the package's first die only
            const int first = m_gpu->gpu / m_grid.gpusPerPackage() * m_grid.gpusPerPackage();
            paintStrip(painter, now, measure, strip, m_grid.series().window({m_gpu->node, first}, now.to, windowMs));
        } else {
            paintStrip(painter, now, measure, strip, points);
        }
    }
    paintAxis(painter, now);
}

void GpuHistoryView::paintStrip(QPainter& painter, const Frame& frame, Measure measure, const QRect& strip,
    const QList<TelemetrySeries::Point>& points) const
{
    const Theme& theme = themeOf(this);
    const MeasureScale scale = scaleOf(m_grid, measure);
    const auto* look
        = std::find_if(strips.begin(), strips.end(), [&](const Strip& one) { return one.measure == measure; });
    const QColor colour = Theme::category(look->category);
    painter.fillRect(QRectF(strip.left(), strip.bottom(), strip.width(), 1), theme.colour(Theme::Token::Line));
    const auto place = [&](const QPointF& point) {
        const double along = (point.x() - double(frame.from)) / double(frame.to - frame.from);
        const double up = std::clamp(scale.position(point.y()), 0.0, 1.0);
        return QPointF(strip.left() + along * strip.width(), strip.bottom() - up * (strip.height() - 3));
    };
    std::optional<double> shown = readGpu(m_grid, *m_gpu, measure, m_ended).value;
    double nearest = 1e9;
    for (const Stroke& stroke : strokesOf(points, measure, gapMs)) {
        QPainterPath line(place(stroke.first()));
        for (const QPointF& point : stroke) {
            line.lineTo(place(point));
            const double distance = m_hoverX ? std::abs(place(point).x() - *m_hoverX) : 1e9;
            if (distance < nearest) {
                nearest = distance;
                shown = point.y();
            }
        }
        QPainterPath area = line;
        area.lineTo(line.currentPosition().x(), strip.bottom());
        area.lineTo(place(stroke.first()).x(), strip.bottom());
        QColor fill = colour;
        fill.setAlphaF(0.14F);
        painter.fillPath(area, fill);
        painter.setPen(QPen(colour, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(line);
    }
    if (m_hoverX && nearest > 6)
        shown.reset(); // the pointer is over a gap
    painter.setFont(Theme::uiFont(11));
    painter.setPen(theme.colour(Theme::Token::Ink2));
    const int lineHeight = QFontMetrics(painter.font()).height();
    painter.drawText(QRect(0, strip.top(), labelWidth - 8, lineHeight), Qt::AlignLeft, toText(measure));
    painter.setFont(Theme::uiFont(13, QFont::DemiBold));
    painter.setPen(theme.colour(Theme::Token::Ink));
    painter.drawText(QRect(0, strip.top() + lineHeight, labelWidth - 8, lineHeight + 4), Qt::AlignLeft,
        figureWithUnit(measure, shown));
    const bool limited = measure == Measure::Memory || measure == Measure::Power;
    if (!limited || strip.height() < 3 * lineHeight + 2)
        return;
    painter.setFont(Theme::uiFont(11));
    painter.setPen(theme.colour(Theme::Token::Ink3));
    painter.drawText(QRect(0, strip.top() + 2 * lineHeight + 3, labelWidth - 8, lineHeight), Qt::AlignLeft,
        tr("of %1").arg(figureWithUnit(measure, scale.high)));
}

void GpuHistoryView::paintAxis(QPainter& painter, const Frame& frame) const
{
    const Theme& theme = themeOf(this);
    painter.setFont(Theme::uiFont(11));
    painter.setPen(theme.colour(Theme::Token::Ink3));
    const QRect axis(frame.plot.left(), height() - axisHeight + 4, frame.plot.width(), axisHeight - 4);
    painter.drawText(axis, Qt::AlignLeft | Qt::AlignTop, tr("10 min ago"));
    painter.drawText(
        axis, Qt::AlignRight | Qt::AlignTop, m_ended && frame.to > windowMs ? clockText(frame.to) : tr("now"));
    if (!m_hoverX)
        return;
    painter.fillRect(QRectF(*m_hoverX, frame.plot.top(), 1, frame.plot.height()), theme.colour(Theme::Token::Ink3));
    const double share = double(*m_hoverX - frame.plot.left()) / std::max(1, frame.plot.width());
    painter.drawText(axis, Qt::AlignHCenter | Qt::AlignTop, clockText(frame.from + qint64(share * double(windowMs))));
}

void GpuHistoryView::mouseMoveEvent(QMouseEvent* event)
{
    const QRect plot = frame().plot;
    const int x = int(event->position().x());
    m_hoverX = x >= plot.left() && x <= plot.right() ? std::optional(x) : std::nullopt;
    update();
}

void GpuHistoryView::leaveEvent(QEvent*)
{
    m_hoverX.reset();
    update();
}

} // namespace rankwright

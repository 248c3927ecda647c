// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/stackedbarlayout.h"

#include <algorithm>
#include <cmath>

namespace rankwright {

namespace {

constexpr double margin = 4; // the band stands out of the bar by as much
constexpr double barHeight = 26;
constexpr double overHeight = 17;
constexpr double axisHeight = 17;
constexpr double legendHeight = 17;
constexpr double legendGap = 14;
constexpr double tickRoom = 58;
constexpr double tickText = 18; // half of the widest number of a tick, and air
constexpr double smallestSegment = 0.75;

double sane(double value) { return std::isfinite(value) ? std::max(0.0, value) : 0; }

/// 1, 2 or 5 times a power of ten, the least that is not below `step`.
double roundStep(double step)
{
    const double power = std::pow(10.0, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= step * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

void layOutTicks(StackedBarLayout& layout, double range)
{
    if (range <= 0 || layout.scale <= 0)
        return;
    const double step = roundStep(tickRoom / layout.scale);
    for (int i = 0; i * step <= range * (1 + 1e-9); ++i) {
        const double x = layout.xOf(i * step);
        // The limit is named on the same line, and matters more than a round number beside it.
        if (layout.limitX && i > 0
            && (std::abs(x - *layout.limitX) < tickRoom
                || (x > layout.limitLabel.left() - tickText && x < layout.limitLabel.right() + tickText)))
            continue;
        layout.ticks.append({i * step, x});
    }
}

void layOutLegend(StackedBarLayout& layout, const QList<double>& widths, double width, double top)
{
    double x = 0;
    double y = top;
    for (int part = 0; part < widths.size(); ++part) {
        if (widths.at(part) <= 0)
            continue;
        if (x > 0 && x + widths.at(part) > width) {
            x = 0;
            y += legendHeight;
        }
        layout.legend.append({part, QRectF(x, y, std::min(widths.at(part), width), legendHeight)});
        x += widths.at(part) + legendGap;
    }
    layout.height = layout.legend.isEmpty() ? top : y + legendHeight;
}

} // namespace

std::optional<int> StackedBarLayout::partAt(QPointF point) const
{
    for (const Segment& segment : segments) {
        if (segment.box.contains(point) || segment.over.contains(point))
            return segment.part;
    }
    for (const LegendItem& item : legend) {
        if (item.box.contains(point))
            return item.part;
    }
    return std::nullopt;
}

QRectF StackedBarLayout::labelRoom(const Segment& segment) const
{
    QRectF widest;
    double left = segment.box.left();
    const auto add = [&](double right) {
        if (right - left > widest.width())
            widest = QRectF(left, segment.box.top(), right - left, segment.box.height());
    };
    for (const double edge : {band.left(), band.right()}) {
        if (band.isEmpty() || edge <= left || edge >= segment.box.right())
            continue;
        add(edge);
        left = edge;
    }
    add(segment.box.right());
    return widest;
}

QRectF StackedBarLayout::partBox(int part) const
{
    for (const Segment& segment : segments) {
        if (segment.part == part)
            return segment.box.united(segment.over);
    }
    return {};
}

StackedBarLayout layOutStackedBar(const StackedBarFigures& figures, double width)
{
    StackedBarLayout layout;
    double total = 0;
    for (const double part : figures.parts)
        total += sane(part);
    const double limit = sane(figures.limit);
    const double low = sane(figures.low);
    const double high = sane(figures.high);
    const double range = std::max({limit, high, total, sane(figures.most)});
    const bool beyond = limit > 0 && total > limit;
    const double room = std::max(40.0, width - 2 * margin);
    layout.scale = range > 0 ? room / range : 0;
    const double top = (beyond ? overHeight : 0) + margin;
    layout.track = QRectF(margin, top, limit > 0 ? limit * layout.scale : room, barHeight);
    if (limit > 0)
        layout.limitX = layout.track.right();
    double from = 0;
    for (int part = 0; part < figures.parts.size(); ++part) {
        const double to = from + sane(figures.parts.at(part));
        if ((to - from) * layout.scale >= smallestSegment) {
            const double inside = limit > 0 ? std::min(to, limit) : to;
            StackedBarLayout::Segment segment{part, {}, {}};
            if (inside > from)
                segment.box = QRectF(layout.xOf(from), top, (inside - from) * layout.scale, barHeight);
            if (to > inside)
                segment.over = QRectF(
                    QPointF(layout.xOf(std::max(from, inside)), top), QPointF(layout.xOf(to), top + barHeight));
            layout.segments.append(segment);
        }
        from = to;
    }
    if (beyond) {
        layout.over = QRectF(QPointF(layout.xOf(limit), top), QPointF(layout.xOf(total), top + barHeight));
        layout.overLabel = QRectF(margin, 0, room, overHeight - 2);
    }
    if (high > low)
        layout.band = QRectF(QPointF(layout.xOf(low), top - 3), QPointF(layout.xOf(high), top + barHeight + 3));
    layout.axis = QRectF(0, top + barHeight + margin, width, figures.hasAxis ? axisHeight : 0);
    if (layout.limitX && figures.limitWidth > 0) {
        const double left
            = std::clamp(*layout.limitX - figures.limitWidth / 2, 0.0, std::max(0.0, width - figures.limitWidth));
        layout.limitLabel = QRectF(left, layout.axis.top(), figures.limitWidth, layout.axis.height());
    }
    if (figures.hasAxis)
        layOutTicks(layout, range);
    layOutLegend(layout, figures.legendWidths, width, layout.axis.bottom() + 2);
    return layout;
}

} // namespace rankwright

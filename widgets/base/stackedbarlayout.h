// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRectF>

#include <optional>

namespace rankwright {

/// Geometry of a stacked horizontal bar: parts one after another, an axis below, a limit that they should stay within,
/// the band in which the sum is expected, and a legend. Pixels only: no painting, no widget, no colour.
struct StackedBarLayout {
    struct Segment {
        int part = 0;
        QRectF box; ///< up to the limit
        QRectF over; ///< of the same part, beyond the limit; empty: none
    };
    struct Tick {
        double value = 0;
        double x = 0;
    };
    struct LegendItem {
        int part = 0;
        QRectF box; ///< swatch and text
    };

    double scale = 0; ///< pixels per unit
    QRectF track; ///< of the bar, up to the limit; without a limit the whole width
    QList<Segment> segments; ///< parts that are at least visible
    QRectF over; ///< what lies beyond the limit; empty: all within
    QRectF overLabel; ///< the line above, only when something lies beyond
    QRectF band; ///< from low to high, a little higher than the bar; empty: none
    std::optional<double> limitX;
    QList<Tick> ticks;
    QRectF limitLabel; ///< the limit's words on the axis; no tick is within them
    QRectF axis; ///< line of the axis' labels; without height where it has none
    QList<LegendItem> legend;
    double height = 0; ///< all of it

    double xOf(double value) const { return track.left() + value * scale; }
    /// Part under a point of bar or legend.
    std::optional<int> partAt(QPointF point) const;
    /// Bar and overflow of a part together, empty when it is not drawn.
    QRectF partBox(int part) const;
    /// Where a word of the segment may be: the widest part of it that no edge of the band goes through.
    QRectF labelRoom(const Segment& segment) const;
};

/// What is laid out: lengths in the unit of the axis; negative and not finite ones count as nothing.
struct StackedBarFigures {
    QList<double> parts;
    double low = 0; ///< low == high: no band
    double high = 0;
    double limit = 0; ///< 0: none
    QList<double> legendWidths; ///< pixels of each part's legend entry; 0: not in the legend
    double most = 0; ///< the axis reaches at least so far: bars with the same one share a scale
    bool hasAxis = true;
    double limitWidth = 0; ///< pixels of the limit's words on the axis
};

StackedBarLayout layOutStackedBar(const StackedBarFigures& figures, double width);

} // namespace rankwright

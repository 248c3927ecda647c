// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/batchlayout.h"

#include <cmath>

namespace rankwright {

namespace {

constexpr double gapX = 4;
constexpr double labelHeight = 15;
constexpr double pad = 4;
constexpr double boxHeight = 42;
constexpr double widestBox = 92;
constexpr double narrowestBox = 22;
constexpr double smallestBlock = 3;
constexpr int mostStripes = 8;

} // namespace

QRectF BatchLayout::rankBox(int rank) const
{
    int slot = rank;
    if (gap && rank == ranks - 1)
        slot = shown + 1;
    else if (rank >= shown)
        return {};
    if (rank < 0 || rank >= ranks)
        return {};
    return QRectF(QPointF((slot % perRow) * (box.width() + gapX), (slot / perRow) * rowStep), box);
}

QRectF BatchLayout::gapBox() const
{
    if (!gap)
        return {};
    return QRectF(QPointF((shown % perRow) * (box.width() + gapX), (shown / perRow) * rowStep), box);
}

QRectF BatchLayout::blockBox(int step) const
{
    if (block.isEmpty())
        return {};
    const int column = step % blockColumns;
    const int row = step / blockColumns;
    return QRectF(QPointF(pad + column * (block.width() + 2), pad + row * (block.height() + 2)), block);
}

std::optional<int> BatchLayout::rankAt(QPointF point) const
{
    for (int rank = 0; rank < shown; ++rank) {
        if (rankBox(rank).contains(point))
            return rank;
    }
    if (gap && rankBox(ranks - 1).contains(point))
        return ranks - 1;
    return std::nullopt;
}

BatchLayout layOutBatch(int ranks, qint64 steps, qint64 microBatch, QSizeF room)
{
    BatchLayout layout;
    layout.ranks = qMax(1, ranks);
    layout.rowStep = boxHeight + labelHeight + 4;
    const int rows = qMax(1, int((room.height() + 4) / layout.rowStep));
    const int narrowPerRow = qMax(3, int((room.width() + gapX) / (narrowestBox + gapX)));
    // All in one row while they can be read, else as many rows as there is room for, else with a gap.
    const int wantedRows = qBound(1, int(std::ceil(layout.ranks / double(narrowPerRow))), rows);
    layout.perRow = qMin(narrowPerRow, int(std::ceil(layout.ranks / double(wantedRows))));
    if (layout.ranks > narrowPerRow * wantedRows)
        layout.perRow = narrowPerRow;
    const double width = (room.width() - (layout.perRow - 1) * gapX) / layout.perRow;
    layout.box = QSizeF(std::floor(qBound(narrowestBox, width, widestBox)), boxHeight);
    const int places = layout.perRow * wantedRows;
    layout.gap = layout.ranks > places;
    layout.shown = layout.gap ? places - 2 : layout.ranks;

    const QSizeF inner(layout.box.width() - 2 * pad, layout.box.height() - 2 * pad);
    const double total = double(qMax<qint64>(1, steps));
    double best = 0;
    for (int lines = 1; lines <= 4; ++lines) {
        const double columns = std::ceil(total / lines);
        const QSizeF block((inner.width() - (columns - 1) * 2) / columns, (inner.height() - (lines - 1) * 2) / lines);
        // Full rows are counted at a glance, so a whole grid may be smaller than a broken one.
        const bool whole = total <= columns || qint64(total) % qint64(columns) == 0;
        const double side = qMin(block.width(), block.height()) * (whole ? 1.6 : 1.0);
        // Wide flat blocks say less than square ones: the smaller side decides.
        if (side > best) {
            best = side;
            layout.blockColumns = int(qMin(columns, 1e6));
            layout.blockRows = lines;
            layout.block = block;
        }
    }
    if (qMin(layout.block.width(), layout.block.height()) < smallestBlock)
        layout.block = {};
    const bool stripesFit = !layout.block.isEmpty() && microBatch > 1 && microBatch <= mostStripes
        && layout.block.width() >= double(microBatch) * 4 - 1;
    layout.stripes = stripesFit ? int(microBatch) : 0;
    return layout;
}

} // namespace rankwright

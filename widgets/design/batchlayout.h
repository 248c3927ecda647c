// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <optional>

namespace rankwright {

/// Geometry of the batch picture: one box per rank, in it one block per step (micro-batch), in a block one stripe per
/// sequence as long as stripes can be distinguished. When not all ranks fit, the last boxes are "…" and the last rank.
struct BatchLayout {
    int ranks = 0;
    int shown = 0; ///< boxes drawn from the front
    bool gap = false; ///< then "…" and the last rank
    int perRow = 1;
    QSizeF box;
    int blockColumns = 1;
    int blockRows = 1;
    QSizeF block; ///< empty: too many accumulation steps to draw each
    int stripes = 0; ///< per block; 0: a block is drawn whole
    double rowStep = 0;

    /// Place of the box of a rank, empty when it is not drawn.
    QRectF rankBox(int rank) const;
    QRectF gapBox() const;
    /// A step's block, relative to the box.
    QRectF blockBox(int step) const;
    std::optional<int> rankAt(QPointF point) const;
};

BatchLayout layOutBatch(int ranks, qint64 steps, qint64 microBatch, QSizeF room);

} // namespace rankwright

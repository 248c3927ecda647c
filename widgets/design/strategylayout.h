// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/strategypicture.h"

#include <QRectF>

namespace rankwright {

/// Geometry of the picture of a strategy: up to three drawings, each in a panel of its own. Pixels only: no painting,
/// no widget, no colour.
struct StrategyLayout {
    struct Panel {
        QRectF box;
        QRectF title;
        QRectF caption;
    };

    // Data-parallel ranks as columns, weights, gradients and optimiser as rows.
    struct Column {
        int index = 0; ///< data-parallel rank
        QRectF box;
        QRectF head; ///< its number
        std::array<QRectF, 3> cells; ///< what one copy would take
        std::array<QRectF, 3> slices; ///< what this rank holds of it
    };
    struct Gap {
        int hidden = 0; ///< ranks that are not drawn here
        QRectF box;
    };
    struct Group {
        int index = 0;
        QRectF box;
    };
    struct DataDrawing {
        Panel panel;
        std::array<QRectF, 3> rowLabels;
        QList<Column> columns;
        QList<Gap> gaps;
        QList<Group> groups; ///< ranks that share one copy out; empty: one group
        QRectF ring; ///< where the exchange is drawn
    };

    // A layer's matrices, cut.
    enum class MatrixKind { Qkv, Out, Up, Down };
    struct Matrix {
        MatrixKind kind = MatrixKind::Qkv;
        QRectF box;
        QRectF label;
        QList<QRectF> slices; ///< one for each tensor rank; more than can be distinguished: the first few and the last
        QList<int> owners;
    };
    struct TensorDrawing {
        Panel panel;
        QList<Matrix> matrices;
    };

    // Stages and time.
    struct StageRow {
        int stage = 0;
        QRectF label;
        QRectF lane;
    };
    struct Bar {
        int pass = 0; ///< index in the timeline
        QRectF box;
    };
    struct PipelineDrawing {
        Panel panel;
        PipelineTimeline timeline; ///< of as many micro-batches as are drawn
        int drawn = 0; ///< micro-batches
        QList<StageRow> rows;
        QList<int> hiddenStages; ///< in front of which row stages are left out
        QList<Bar> bars;
        QRectF chart;
        QRectF cut; ///< where further micro-batches are left out; empty: all are drawn
        QRectF axis;
    };

    std::optional<DataDrawing> data;
    std::optional<TensorDrawing> tensor;
    std::optional<PipelineDrawing> pipeline;

    /// Data-parallel rank under a point, or stage.
    std::optional<int> dataAt(QPointF point) const;
    std::optional<int> passAt(QPointF point) const;
};

/// `selectedIndex`: a data-parallel rank that must be among the columns; -1: none.
StrategyLayout layOutStrategy(const StrategyPicture& picture, QSizeF room, int selectedIndex = -1);

/// Which of `count` are drawn in `places`: all, or the first ones, `wanted` and the last, with room for a gap wherever
/// some are left out. Ascending.
QList<int> foldedIndices(int count, int places, int wanted = -1);

} // namespace rankwright

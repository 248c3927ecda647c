// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/core/gpuaddress.h"

#include <QRectF>
#include <optional>

namespace rankwright {

/// Geometry of the node map: where packages, dies, cores and links of every node stand. All nodes of a job have one
/// shape, so one node is laid out and the nodes form a grid. Pixels only: no painting, no widget, no colour.
struct RankMapLayout {
    /// Full: cores and links are drawn. Compact: a row of dies per node. Dense: one small square per GPU.
    enum class Detail { Full, Compact, Dense };

    struct Core {
        int number = 0;
        bool reserved = false;
        QRectF box;
    };
    struct Die {
        int gpu = 0;
        int package = 0;
        std::optional<int> numa;
        QRectF box;
        QList<Core> cores; ///< empty when unknown or too many to draw
        QRectF coreArea; ///< empty when no map is published
        QRectF coreLabel;
    };
    struct Package {
        int index = 0;
        std::optional<int> numa;
        QList<int> gpus;
        QRectF box;
        QRectF caption;
    };
    /// A link between two dies: inside of a package a bar, outside an arc in the lane above the packages.
    struct Link {
        int from = 0;
        int to = 0;
        int links = 1;
        double gigabytesPerSecond = 0;
        bool inPackage = false;
        QRectF bar;
        QPointF start;
        QPointF end;
        double rise = 0;
    };
    struct NodeRange {
        int first = 0;
        int end = 0; ///< one past the last
    };

    Detail detail = Detail::Full;
    double scale = 1;
    int nodes = 0;
    int columns = 1;
    QSizeF nodeSize;
    double gapX = 0;
    double gapY = 0;
    double left = 0; ///< room for row labels before the first column
    QSizeF contents;
    QRectF head; ///< a node's name and what is in it
    QRectF coreNote; ///< where it says that nearest cores are not published; empty when they are
    QList<Package> packages;
    QList<Die> dies; ///< in order of the GPU index
    QList<Link> links;

    int rows() const { return nodes == 0 ? 0 : (nodes + columns - 1) / columns; }
    QPointF nodeOrigin(int node) const;
    /// In contents coordinates; empty: no such GPU.
    QRectF dieBox(GpuAddress spot) const;
    std::optional<GpuAddress> spotAt(QPointF point) const;
    NodeRange visibleNodes(double top, double bottom) const;
    /// The GPU that an arrow key goes to; the same one at the border.
    GpuAddress neighbour(GpuAddress spot, Qt::Key key) const;
};

/// Lays out `nodes` nodes for a viewport, at the richest level of detail that can still be read.
RankMapLayout layOutRankMap(const NodeShape& shape, int nodes, QSizeF viewport);

/// The node as boxes to fill: which dies are in which package.
struct RankMapInventory {
    static constexpr int mostCoresDrawn = 24; ///< of one die: beyond, squares say less than their number
    static constexpr int coreColumns = 4;

    QList<RankMapLayout::Package> packages;
    QList<RankMapLayout::Die> dies;
    int diesPerPackage = 1;
    int coreRows = 0; // of the richest die; 0: no map
    bool outerLinks = false;
    bool published = false;
};
RankMapInventory rankMapInventory(const NodeShape& shape);

} // namespace rankwright

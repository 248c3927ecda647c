// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/rankorder.h"
#include "models/planner/design/rankplaces.h"
#include "widgets/base/theme.h"
#include "widgets/rankmap/rankmaplayout.h"

#include <QMap>

class QPainter;

namespace rankwright {

/// What the node map shows, as values.
struct RankMapData {
    NodeShape shape;
    int nodes = 0;
    RankOrder order; ///< ranks that hold one replica together have one colour
    RankPlaces plan;
    QMap<int, QList<int>> coresOfOthers; ///< GPU -> cores beside it that ranks of other GPUs have by the script
    QList<int> rankAt; ///< node * GPUs + gpu -> index in plan.ranks, -1: the job does not ask for this GPU

    const RankPlace* placeAt(GpuAddress spot) const;
    std::optional<GpuAddress> spotOf(int rank) const;
    bool operator==(const RankMapData&) const = default;
};
RankMapData rankMapData(const ResolvedSpec& resolved, const RankPlaces& plan);

/// What is marked on it.
struct RankMapMarks {
    std::optional<GpuAddress> selected;
    std::optional<GpuAddress> hovered;
    bool focused = false;
};

/// Paints the part of the map that meets `visible` (contents coordinates). Stateless: geometry and data in, pixels out.
void paintRankMap(QPainter& painter, const RankMapLayout& layout, const RankMapData& data, const RankMapMarks& marks,
    const QRectF& visible, Theme::Scheme scheme);

} // namespace rankwright

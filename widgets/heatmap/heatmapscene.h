// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alert.h"
#include "widgets/heatmap/gpureading.h"
#include "widgets/heatmap/heatmaparrangement.h"

#include <map>

namespace rankwright {

class Theme;

/// A GPU that an alert is about. Its level is drawn as a shape and a colour.
struct HeatMapMark {
    GpuAddress gpu;
    Alert::Level level = Alert::Level::Warning;
    bool operator==(const HeatMapMark&) const = default;
};

/// What is drawn over the measure's colours.
enum class HeatMapOverlay { None, Ranks, Tensor, Stage, Data, Shard };
std::optional<GroupKind> groupKindOf(HeatMapOverlay overlay);
QString toText(HeatMapOverlay overlay); ///< "Ranks", "Pipeline stages", ...

using HeatMapMarks = std::map<GpuAddress, Alert::Level>;

/// Everything a picture of the grid depends on; references must outlive it, and it lives for one paint event.
struct HeatMapScene {
    const GpuGrid& grid;
    const GpuMeasure& field; ///< of `measure`
    const HeatMapLayout& layout;
    const QList<int>& rows; ///< of the grid, in the order in which they are shown
    const Theme& theme;
    const HeatMapMarks& marks;
    const HeatMapPins& pins;
    const std::set<GpuAddress>& groupMembers; ///< ranks of the current one's group
    Measure measure = Measure::Utilization;
    MeasureScale scale;
    GridState state = GridState::Running;
    HeatMapOverlay overlay = HeatMapOverlay::None;
    std::optional<GpuAddress> current;
    bool focused = false;
    bool vector = false; ///< for a file of shapes: no textures
};

} // namespace rankwright

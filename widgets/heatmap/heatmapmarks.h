// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapscene.h"

#include <QColor>

class QPainter;

namespace rankwright {

/// Colour of an alert's level; never the only sign: paintMark() gives each its own shape.
QColor colourOf(Alert::Level level, const Theme& theme);
/// A failure is a square with a cross, a warning a triangle, a hint a diamond, what is normal a ring. Centred, `size`
/// pixels across, with a rim of `background` that lifts it off any colour.
void paintMark(QPainter& painter, QPointF centre, qreal size, Alert::Level level, const Theme& theme);
/// A needle with a head, for what is pinned.
void paintPin(QPainter& painter, QPointF head, qreal size, const Theme& theme);
/// The worst level among the GPUs [first, end) of a row; empty: none is marked.
std::optional<Alert::Level> worstMark(const HeatMapMarks& marks, GpuAddress first, int end);

} // namespace rankwright

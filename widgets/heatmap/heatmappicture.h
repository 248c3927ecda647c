// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QString>

class QPainter;
class QSize;

namespace rankwright {

class HeatMapView;

/// What is above an exported picture.
struct HeatMapCaption {
    QString title; ///< "llama8b · job 9304946 on LUMI"
    qint64 atMs = 0; ///< the moment shown, ms since 1970; 0: not written
    int pixelRatio = 2; ///< of a PNG
};

/// Size of the whole picture in points: the map as it is ordered, folded and zoomed in the view, with all that is
/// scrolled out of sight, its title, its legend and what hatches and outlines mean.
QSize heatMapPictureSize(const HeatMapView& view);
/// What its file holds: with shapes only nothing is painted that is made of pixels.
enum class HeatMapFile { Pixels, Shapes };
/// Paints it at the painter's origin.
void paintHeatMapPicture(QPainter& painter, const HeatMapView& view, const HeatMapCaption& caption, HeatMapFile file);
/// Writes it: PNG, or SVG when the name ends so. Error: a name of another kind, or a file that cannot be written.
Result<void> saveHeatMapPicture(const QString& fileName, const HeatMapView& view, const HeatMapCaption& caption);

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/templates/designsummary.h"
#include "widgets/base/theme.h"

#include <QRectF>

class QPainter;

namespace rankwright {

/// What a way of the Welcome page ends with.
enum class WelcomePicture {
    Practice, ///< a machine with GPUs, steps, a job that has finished
    Fitting, ///< GPUs in their packages, below them memory against its limit
    Watching ///< a map with one GPU that differs, a loss that falls
};

/// Paints into `area`, at the left of it; each is about 330 x 62 and is made smaller, not cut, where there is less.
void paintWelcomePicture(QPainter& painter, const QRectF& area, WelcomePicture picture, const Theme& theme);

/// The GPUs of a design: a row for each node while they are few, else a field of small squares; pipeline stages differ
/// in colour. Of more than 256 GPUs the first are drawn. Nothing for a design whose cluster is not known.
void paintDesignPicture(QPainter& painter, const QRectF& area, const DesignSummary& design, const Theme& theme);

} // namespace rankwright

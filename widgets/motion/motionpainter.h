// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/motion/motionpicture.h"
#include "widgets/base/theme.h"

class QPainter;

namespace rankwright {

/// Paints what is between two frames on `sheet`: `share` 0 is `from`, 1 is `to`. Boxes of one id move and grow, others
/// come and go; arrows of `to` are drawn as far as they have come. With share 1 it is the picture of `to` alone.
void paintMotion(QPainter& painter, const MotionFrame& from, const MotionFrame& to, double share, const QRectF& sheet,
    const Theme& theme);
/// The colour of a role, from the theme's categories.
QColor motionColour(MotionRole role, const Theme& theme);

} // namespace rankwright

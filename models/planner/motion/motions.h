// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/motion/motionfigures.h"
#include "models/planner/motion/motionpicture.h"

namespace rankwright::inline planner {

/// Pictures that say something of this design, the one that matters most first; never empty.
QList<MotionKind> motionsFor(const MotionFigures& figures);
/// A short name to choose by: "All-reduce", "Pipeline".
QString motionName(MotionKind kind);
/// Any picture of any design; where nothing travels the frames say so.
MotionPicture motionPicture(MotionKind kind, const MotionFigures& figures);

/// Bytes in words: "512 MiB", "14.9 GiB".
QString motionSize(double bytes);
/// What each rank of a ring sends so that all have the sum of `bytes`: 2 (n - 1) / n of them (Patarasuk and Yuan
/// 2009, section 3); an all-gather or a reduce-scatter is half of it.
double ringAllReduceBytes(double bytes, int ranks);

} // namespace rankwright::inline planner

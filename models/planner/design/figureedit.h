// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/batchplan.h"

namespace rankwright::inline planner {

/// A number that stands in a picture of the design and can be changed there.
enum class PictureFigure { Nodes, GpusPerNode, MicroBatch, Accumulation, GlobalBatch };

/// The value that the picture shows now.
qint64 figureOf(PictureFigure figure, const ResolvedSpec& resolved, const BatchPlan& batch);
/// Puts a number of the picture into the design. The batch's other terms follow by solveBatch(): accumulation steps
/// keep the micro-batch and make the global batch; the other figures leave what the design says of the batch alone.
/// Fails with one sentence on a number that cannot be.
Result<void> setFigure(
    JobSpec& spec, PictureFigure figure, qint64 value, const ResolvedSpec& resolved, const BatchPlan& batch);

} // namespace rankwright::inline planner

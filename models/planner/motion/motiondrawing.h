// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/motion/motionfigures.h"
#include "models/planner/motion/motionpicture.h"

namespace rankwright::inline planner {

/// Columns for a row of ranks: all of them where they are few, else the first two, a gap and the last.
struct MotionColumns {
    QList<int> ranks; ///< -1: the gap
    int count = 1; ///< ranks that there are
    double top = 10;
    double height = 340;

    explicit MotionColumns(int all);
    QRectF area(qsizetype column) const;
    /// A strip of a column: `share` 0..1 is where it begins, of the height below the rank's name.
    QRectF strip(qsizetype column, double share, double part) const;
    /// The frames of the ranks, with their names; a gap is "…".
    QList<MotionBox> boxes(const QString& word) const;
    /// A ring over all columns at the height of `share`: from each to the next, and back from the last.
    QList<MotionArrow> ring(MotionRole role, double share, const QString& id) const;
};

/// Adds a frame with the time to read its sentence.
void addFrame(MotionPicture& picture, const QString& sentence, const QList<MotionBox>& boxes,
    const QList<MotionArrow>& arrows = {});
/// The amount with a blank before it, or nothing: "" or " (14.9 GiB)".
QString inBrackets(const std::optional<double>& bytes);

// One file each.
MotionPicture allReduceMotion(const MotionFigures& figures);
MotionPicture shardingMotion(const MotionFigures& figures);
MotionPicture tensorMotion(const MotionFigures& figures);
MotionPicture pipelineMotion(const MotionFigures& figures);
MotionPicture accumulationMotion(const MotionFigures& figures);
MotionPicture loadingMotion(const MotionFigures& figures);

} // namespace rankwright::inline planner

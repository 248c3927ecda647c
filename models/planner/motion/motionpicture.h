// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRectF>
#include <QString>

namespace rankwright::inline planner {

/// What a part of a moving picture stands for; the view gives each its colour and pattern.
enum class MotionRole { Rank, Weights, Gradients, Optimizer, Activations, Samples, Forward, Backward, Waiting, Mark };

/// One box on the sheet. The same id in the next frame is the same thing: it moves there and grows or shrinks.
struct MotionBox {
    QString id;
    MotionRole role = MotionRole::Rank;
    QRectF area; ///< on a sheet of motionSheet units
    QString label; ///< a few characters; empty: none
    double filled = 1; ///< 0..1, from the left: how much of it is there
    bool operator==(const MotionBox&) const = default;
};

/// Something travels.
struct MotionArrow {
    QString id;
    MotionRole role = MotionRole::Gradients;
    QPointF from;
    QPointF to;
    double bend = 0; ///< units that its middle is off the straight line, downwards
    bool operator==(const MotionArrow&) const = default;
};

struct MotionFrame {
    QList<MotionBox> boxes; ///< painted in this order
    QList<MotionArrow> arrows;
    QString sentence; ///< one, with the design's own figures where they are known
    int milliseconds = 0; ///< how long it stands when it is played, time to read it included
    bool operator==(const MotionFrame&) const = default;
};

enum class MotionKind { AllReduce, Sharding, Tensor, Pipeline, Accumulation, Loading };

/// A moving picture as a value: frames in their order.
struct MotionPicture {
    MotionKind kind = MotionKind::AllReduce;
    QString title; ///< "DDP: all-reduce of the gradients"
    QList<MotionFrame> frames; ///< 1 to 12
    bool operator==(const MotionPicture&) const = default;
};

/// Width and height of the sheet on which boxes and arrows stand.
inline constexpr QSizeF motionSheet{1000, 360};

} // namespace rankwright::inline planner

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"

namespace rankwright {

/// The figures that a change in a picture may move, taken before it.
struct ChangeFigures {
    int nodes = 0;
    int gpusPerNode = 0;
    qint64 global = 0;
    qint64 micro = 0;
    qint64 accumulation = 0;
    std::optional<double> stepsPerEpoch;
    std::optional<double> learningRate; ///< linear factor against one rank's batch
    std::optional<double> memory; ///< bytes of the fullest rank

    static ChangeFigures of(const Derived& derived);
};

/// "Accumulation 8 → 4, global batch 512 → 256, 49 → 98 steps per epoch, memory 41.3 → 38.0 GiB"; empty: nothing moved.
QString changeText(const ChangeFigures& before, const Derived& after);

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/motion/motionfigures.h"

namespace rankwright::inline planner {

/// A phase of a training step: what each rank computes, and what travels meanwhile.
struct StepPhase {
    enum class Kind { Forward, Backward, Step };
    Kind kind = Kind::Forward;
    QString name; ///< "Backward"
    QString computes; ///< a sentence
    QString travels; ///< a sentence; also where nothing does
    bool exchanges = false; ///< something travels
    bool operator==(const StepPhase&) const = default;
};

/// The three phases of an optimiser step of any design, as far as they need no model: forward, backward, the
/// optimiser's step. DDP: Li et al. 2020 (PyTorch Distributed, VLDB 13, section 3.2); sharded states: Rajbhandari et
/// al. 2020 (ZeRO, 1910.02054, sections 5 and 7).
QList<StepPhase> stepPhases(const MotionFigures& figures);

} // namespace rankwright::inline planner

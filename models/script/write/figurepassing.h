// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/batchplan.h"
#include "models/planner/design/commandfigures.h"

namespace rankwright::inline script {

/// How figures of a design come to its program.
struct FigurePassing {
    QList<ProgramFigure> follows; ///< the script writes them from the design: another value runs by itself
    QList<ProgramFigure> typed; ///< in the command, a variable or lines of the user's own
    QList<ProgramFigure> own; ///< the user says: the program's own configuration has them
    QList<ProgramFigure> unsaid; ///< drawn, and nothing passes them: the program decides

    bool isUnsaid(ProgramFigure figure) const { return unsaid.contains(figure); }
    bool batchIsUnsaid() const; ///< micro-batch or accumulation steps
};

/// Pure. Reads what the script writer hands over, so that the two cannot disagree. Without a command nothing is unsaid:
/// no program is named yet.
FigurePassing figurePassing(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile);

/// Whether another micro-batch in the design can change what runs: the script writes it, or the command has it.
bool canPassMicroBatch(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// Puts a micro-batch into the design, and into the command where that carries it.
void setMicroBatch(JobSpec& spec, qint64 microBatch);

} // namespace rankwright::inline script

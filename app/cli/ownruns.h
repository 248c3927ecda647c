// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"
#include "models/planner/estimate/calibration.h"

namespace rankwright {

/// The options of a command whose estimates the user's own measured runs correct: its own, then --uncorrected and
/// --data-dir.
QList<CliOption> withOwnRuns(const QList<CliOption>& own = {});

/// What the user's runs taught, as the window keeps it; none with --uncorrected, when their use is switched off, or
/// when there is no database yet (none is made). One that cannot be read is reported and not used.
CalibrationTable ownRuns(const CliContext& context);

} // namespace rankwright

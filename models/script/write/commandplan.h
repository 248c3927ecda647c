// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/design/resolve.h"

namespace rankwright {

/// The design's command as the launcher takes it, word by word.
struct CommandPlan {
    QStringList words; ///< what is at the end of the launch line; never empty without a problem
    QString programFile; ///< a script that has to be readable before the start; empty: cannot be checked
    bool addedPython = false; ///< the interpreter was put in front
    QString problem; ///< why there is nothing to launch; empty: all is well
    bool operator==(const CommandPlan&) const = default;
};

/// "train.py --x", "-m package", "python3 train.py" and other programs; see docs/script_rules.md, "Command".
/// `direct`: started by a shell even under an agent, so with its interpreter.
CommandPlan planCommand(const ResolvedSpec& resolved, const ClusterProfile& profile, bool direct = false);

} // namespace rankwright

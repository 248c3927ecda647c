// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"

namespace rankwright::inline script {

/// The design's command as the launcher takes it, word by word.
struct CommandPlan {
    QStringList words; ///< what is at the end of the launch line; never empty without a problem
    QString programFile; ///< a script that has to be readable before the start; empty: cannot be checked
    bool addedPython = false; ///< the interpreter was put in front
    bool python = false; ///< a Python program
    QString interpreter; ///< that the command names by its path: of an environment, and its agents with it
    QString problem; ///< why there is nothing to launch; empty: all is well
    bool operator==(const CommandPlan&) const = default;
};

/// Words for the program as they have to be written where torchrun's agent hands them on: it reads each as a template,
/// "$$" becomes "$", "${local_rank}" a number (torch.distributed.elastic, macros.substitute).
QStringList wordsForAgent(const ResolvedSpec& resolved, QStringList words);

/// Who starts the command: the design's launcher, or a shell even under an agent, so that it needs its interpreter.
enum class CommandStarter { Launcher, Shell };

/// "train.py --x", "-m package", "python3 train.py" and other programs; see docs/script_rules.md, "Command".
CommandPlan planCommand(
    const ResolvedSpec& resolved, const ClusterProfile& profile, CommandStarter startedBy = CommandStarter::Launcher);

} // namespace rankwright::inline script

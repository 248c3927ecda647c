// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/planner/design/jobspec.h"
#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// A part of a script that no field of a design can say.
struct NotUnderstood {
    int line = 1;
    QString text; ///< as written
    QString why; ///< one sentence
    bool operator==(const NotUnderstood&) const = default;
};

/// A design read back from a batch script: only what the script says; the rest is left open.
struct ScriptReading {
    JobSpec spec; ///< without overrides
    QMap<FieldPath, int> understood; ///< field -> line that says it
    QList<NotUnderstood> notUnderstood;

    // What a design has no field for, as written.
    QStringList directives; ///< "#SBATCH --hint=nomultithread"
    QStringList srunOptions; ///< "--label"
    QString program; ///< the program with its arguments, when these are expanded by the shell; else empty
    QStringList after; ///< lines after the launch
};

/// Reads the script of a cluster. Every spelling of sbatch and the launchers is understood (script_rules, section 0);
/// values that only the shell could determine are left open and reported.
ScriptReading readScript(const BatchText& batch, const ClusterProfile& profile);

} // namespace rankwright::inline script

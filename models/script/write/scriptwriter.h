// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"
#include "models/script/batch/batchtext.h"
#include "models/script/write/overrides.h"

namespace rankwright::inline script {

/// The batch script of a design, section by section: directives, guards, modules or container, network and cache
/// variables, rendezvous, launch line. Follows R01-R38 of docs/script_rules.md. Pure; never fails: what is missing is a
/// finding, the script then carries a visible placeholder that `bash -n` accepts and that stops the job at start.
/// The design's overrides (overrides.h) are put in their places.
ScriptDocument writeScript(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// The same without the overrides: what the fields alone say.
ScriptDocument generatedScript(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// The script of a design, and what it was made of: written once, it serves all who look at it.
struct WrittenScript : ScriptDocument {
    ScriptDocument generated; ///< what the fields alone say; empty where the text is its author's
    QList<OverrideNote> notes; ///< on the design's overrides
    BatchText batch; ///< the text, taken apart
};
WrittenScript writtenScript(const ResolvedSpec& resolved, const ClusterProfile& profile);

} // namespace rankwright::inline script

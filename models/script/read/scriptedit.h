// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/planner/design/jobspec.h"
#include "models/script/write/scriptwriter.h"

namespace rankwright::inline script {

/// What became of a text that was typed into the script of a design.
struct ScriptEdit {
    /// Its script is exactly the text: what the fields do not say is in overrides.
    JobSpec exact;
    /// For typing: lines that the user did not touch follow the fields. Changing --nodes=2 into --nodes=4 also changes
    /// the guard that counts the tasks, where `exact` would keep it as an override. The typed line itself is as typed.
    JobSpec followed;
    QList<FieldPath> changed; ///< fields whose value came from the text
    ScriptDocument generated; ///< what the fields alone write after the edit
};

/// Reads an edited script back into its design. `spec` is the design before, whose script the text was made from; the
/// property writeScript(resolve(exact)).text() == text holds for any text. Nothing typed is ever lost: what becomes no
/// field is an override. Only what differs from the text before is taken over.
ScriptEdit applyScriptEdit(const JobSpec& spec, const ClusterProfile& profile, const QString& text);
/// The same with the script of `spec`, which is there already.
ScriptEdit applyScriptEdit(
    const JobSpec& spec, const WrittenScript& shown, const ClusterProfile& profile, const QString& text);

} // namespace rankwright::inline script

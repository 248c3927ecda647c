// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/catalogue/clusterprofile.h"
#include "models/design/jobspec.h"

namespace rankwright {

/// What became of a text that was typed into the script of a design.
struct ScriptEdit {
    /// Its script is exactly the text: what the fields do not say is in overrides.
    JobSpec exact;
    /// For typing: lines that the user did not touch follow the fields. Changing --nodes=2 into --nodes=4 also changes
    /// the guard that counts the tasks, where `exact` would keep it as an override. The typed line itself is as typed.
    JobSpec followed;
    QList<FieldPath> changed; ///< fields whose value came from the text
    bool whole = false; ///< so little is left of the generated script that the text is kept as a whole
};

/// Reads an edited script back into its design. `spec` is the design before, whose script the text was made from; the
/// property writeScript(resolve(exact)).text() == text holds for any text. Nothing typed is ever lost: what becomes no
/// field is an override.
ScriptEdit applyScriptEdit(const JobSpec& spec, const ClusterProfile& profile, const QString& text);

} // namespace rankwright

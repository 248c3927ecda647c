// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

namespace rankwright::inline script {

/// Of our own writing, as its second line says: its lines are known one by one, also where somebody typed between them.
/// Any other script stays its author's text (models/script/document/authoredit).
bool isOwnScript(const BatchText& batch);

/// The design of a script of ours, line by line: what no field says is in its overrides.
JobSpec designOf(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile);

/// The design of a stranger's script, all of it written by us, directives and options of srun without a field in their
/// place among the lines. What of the text it would not repeat: scriptLosses().
JobSpec rewrittenDesignOf(const ScriptReading& reading, const ClusterProfile& profile);

/// Takes from `reading` what it says of lines that the writer puts into this design's script by itself: they are not
/// the user's, so nothing about them is left open.
void dropOwnLines(ScriptReading& reading, const JobSpec& spec, const ClusterProfile& profile);

} // namespace rankwright::inline script

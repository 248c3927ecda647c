// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

namespace rankwright {

struct ImportedScript {
    JobSpec spec;
    QList<NotUnderstood> kept; ///< why the commands are kept as written; empty: the design writes them anew
};

/// The design of a stranger's script. Its script starts the same program with the same ranks: written anew where that
/// can be proved (startDifferences), else the directives follow the fields and all commands stay as they are. Scripts
/// of ours come back line by line.
ImportedScript importScript(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile);

/// Of our own writing, as its second line says: its lines are known one by one, also where somebody typed between them.
bool isOwnScript(const BatchText& batch);

/// The design of a stranger's script, all of it written anew, what has no field in its place among the lines. `kept`:
/// what of the start it would not repeat, for a person to judge.
ImportedScript rewrittenScript(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile);

/// Its design alone.
JobSpec designOf(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile);

/// Adds to `reading` why commands were kept as they are.
void reportKept(ScriptReading& reading, const ImportedScript& imported);

/// Takes from `reading` what it says of lines that the writer puts into this design's script by itself: they are not
/// the user's, so nothing about them is left open.
void dropOwnLines(ScriptReading& reading, const JobSpec& spec, const ClusterProfile& profile);

} // namespace rankwright

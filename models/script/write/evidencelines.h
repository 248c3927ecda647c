// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/launchers.h"

namespace rankwright::inline script {

// The lines by which a batch script prepares for the question where its ranks hang (docs/where.md, "In scripts"), and
// the way back from them to the design: PyTorch's Flight Recorder, the port of NCCL's or RCCL's RAS, Python's stacks.

/// Whether a script has them: its ranks train together by PyTorch, and the design does not say no.
bool writesEvidence(const ResolvedSpec& resolved);

/// What has to wait until the program's container is entered, as the value of an exported variable: what depends on the
/// folders and the PYTHONPATH in there. Empty: nothing, or no container.
QString evidenceInContainer(const LaunchPlan& plan);

/// One paragraph, after the trainer's configuration; nothing where there is none. A setting that the design, its
/// set-up lines or the site have already is left to them, by its old name as by its new one.
void writeEvidence(ScriptBuilder& builder, const LaunchPlan& plan);

/// Whether these lines of a script, a command with what belongs to it, are of that paragraph.
bool isEvidence(const QStringList& lines);

/// The design leaves it open again where that makes no difference.
void dropUsualEvidence(JobSpec& spec, const ClusterProfile& profile);

} // namespace rankwright::inline script

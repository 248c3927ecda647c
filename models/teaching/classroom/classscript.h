// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptdocument.h"
#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

/// Lines of a script, 0 based, both included.
struct ScriptSpan {
    int first = 0;
    int last = 0;
    bool operator==(const ScriptSpan&) const = default;
};

/// Whole paragraphs of a script in which an attendee can set nothing: no open field made them, and they were not typed.
/// What Slurm is asked for (#SBATCH) stays in view, and so does what is too short to be worth folding.
QList<ScriptSpan> classScriptSpans(const ClassFile& file, const ClassExercise& exercise, const ScriptDocument& script);

} // namespace rankwright::inline teaching

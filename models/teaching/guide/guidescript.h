// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptdocument.h"
#include "models/teaching/guide/guidestep.h"

namespace rankwright::inline teaching {

/// A part of a batch script that is explained as one.
struct GuideScriptPart {
    QString id; ///< "request", "launch"
    QString title; ///< "What Slurm is asked for"
    QString text; ///< one sentence with the design's own numbers
    QList<int> lines; ///< 0 based, ascending
    bool operator==(const GuideScriptPart&) const = default;
};

/// Four to six parts of a generated script, in the order of their first lines; every line that is not blank is in one.
/// Pure.
QList<GuideScriptPart> guideScriptParts(const ScriptDocument& script, const ResolvedSpec& resolved);

} // namespace rankwright::inline teaching

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// A paragraph of a generated script that is much the same in every job: lines, 0 based, both included, and in a few
/// words what it does.
struct RoutinePart {
    int first = 0;
    int last = 0;
    QString title;
    bool operator==(const RoutinePart&) const = default;
};

/// Guards, environment, evidence of a hang, rendezvous, check of the ranks, GPU record and files that the job writes,
/// from above to below; only paragraphs of at least three lines. Never the directives, modules or the launch. Pure.
QList<RoutinePart> routineParts(const ScriptDocument& script);

} // namespace rankwright::inline script

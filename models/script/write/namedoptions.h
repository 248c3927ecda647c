// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// Figures of the design as arguments of the program, by the options that JobSpec::Program names; those that `given`
/// has are left alone. The pieces are bash words.
QList<ScriptLine> namedOptions(const ResolvedSpec& resolved, const QStringList& given);

} // namespace rankwright::inline script

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// Megatron-LM's arguments for what the design says; `given` are the words that the command has already.
QList<ScriptLine> megatronArguments(const ResolvedSpec& resolved, const QStringList& given);

} // namespace rankwright::inline script

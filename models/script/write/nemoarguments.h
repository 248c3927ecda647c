// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// What the estimate relies on as overrides ("model.sequence_parallel=true") of the programs that read them: NeMo 1's
/// megatron_gpt_pretraining.py and its like, `nemo llm pretrain` of NeMo 2, recipes of Megatron Bridge. Other programs
/// of NeMo are Python of their own and get none; `given` are the words that the command has already.
QList<ScriptLine> nemoArguments(const ResolvedSpec& resolved, const QStringList& given);

} // namespace rankwright::inline script

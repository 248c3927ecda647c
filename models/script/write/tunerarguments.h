// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/design/trainingprogram.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright {

/// What the estimate relies on of adapter, loss, packing and optimiser, in the program's own words; `given` are the
/// words that the command has already, which are left alone. Names from: torchtune 0.6 (recipes/configs, "key=value"),
/// TRL (trl/trainer/model_config.py, sft_config.py), axolotl (cli/args.py: the keys of its file), LLaMA-Factory
/// (src/llamafactory/hparams), LitGPT (litgpt/finetune/lora.py), ms-swift (swift/llm/argument).
QList<ScriptLine> tunerArguments(const ResolvedSpec& resolved, const QStringList& given);

/// The same read back: puts what a command says into the fields of a design; the answer names each field and the option
/// that says it. In: the words of a command that tunerProgram() knows. Absence says nothing: the program's own file may
/// have it.
QMap<FieldPath, QString> readTunerArguments(TunerProgram program, const QStringList& words, JobSpec& spec);

} // namespace rankwright

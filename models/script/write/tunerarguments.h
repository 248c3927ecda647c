// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/trainingprogram.h"
#include "models/script/write/scriptdocument.h"

namespace rankwright::inline script {

/// What the estimate relies on of adapter, loss, packing and optimiser, in the program's own words; `given` are the
/// words that the command has already, which are left alone. Names as in
/// - torchtune 0.7 at bd2a0fc (recipes/configs; torchtune/models/llama3_1/_model_builders.py): "key=value";
/// - TRL 1.9 (trl/trainer/model_config.py, sft_config.py; loss_type chunked_nll: since 1.4, the default since 1.7);
/// - axolotl 0.18 (src/axolotl/cli/config_options.py, utils/schemas/peft.py): flags take no value;
/// - LLaMA-Factory 0.9.6.dev0 at ff6d4d1 (src/llamafactory/hparams);
/// - LitGPT 0.5.13 (litgpt/finetune/lora.py);
/// - ms-swift 4.5 (swift/arguments/tuner_args.py, base_args; tuner_type was train_type in ms-swift 3).
QList<ScriptLine> tunerArguments(const ResolvedSpec& resolved, const QStringList& given);

/// The same read back: puts what a command says into the fields of a design; the answer names each field and the option
/// that says it. In: the words of a command that tunerProgram() knows. Absence says nothing: the program's own file may
/// have it.
QMap<FieldPath, QString> readTunerArguments(TunerProgram program, const QStringList& words, JobSpec& spec);

} // namespace rankwright::inline script

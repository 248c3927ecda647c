// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/trainerconfig.h"

#include "models/planner/design/commandfigures.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/write/launchlayout.h"
#include "models/script/write/megatronarguments.h"
#include "models/script/write/namedoptions.h"
#include "models/script/write/nemoarguments.h"
#include "models/script/write/tunerarguments.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

bool isZero(Strategy strategy)
{
    return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 || strategy == Strategy::Zero3;
}

/// The path of the file as a bash word: the user's own, or the one that the job writes.
QString configWord(const ResolvedSpec& resolved, const QString& name)
{
    const auto& own = resolved.spec.options.config;
    if (own && !own->isEmpty())
        return scriptWord(*own);
    return u"\"$%1/%2\""_s.arg(jobFilesVariable, name);
}

bool isOwn(const ResolvedSpec& resolved) { return !resolved.spec.options.config.value_or(QString()).isEmpty(); }

/// The pieces that hand a file over, and the file itself unless the user has one.
void handOver(TrainerPlan& plan, const ResolvedSpec& resolved, const ConfigFile& file, const QString& option,
    const QString& reason, const QString& source, bool toLauncher)
{
    ScriptLine piece{option + configWord(resolved, file.name), {field::config, field::strategy}, reason, source};
    (toLauncher ? plan.launcherPieces : plan.programPieces).append(piece);
    if (!isOwn(resolved))
        plan.file = file;
}

void planDeepspeed(TrainerPlan& plan, const ResolvedSpec& resolved, const QStringList& words, Trainer trainer)
{
    const bool trainerClass = trainer == Trainer::HfTrainer;
    if (hasOption(words, u"--deepspeed_config"_s) || (trainerClass && hasOption(words, u"--deepspeed"_s)))
        return;
    const QString flag = hasOption(words, u"--deepspeed"_s) ? QString() : u"--deepspeed "_s;
    handOver(plan, resolved, deepspeedConfig(resolved),
        trainerClass ? u"--deepspeed="_s : flag + u"--deepspeed_config="_s,
        trainerClass
            ? u"The Trainer's own option for the configuration; without it the Trainer would use plain DDP."_s
            : u"DeepSpeed's own options, read by deepspeed.add_config_arguments(); without them the program needs a "
              "configuration of its own (then set options.config to none)."_s,
        u"R28"_s, false);
}

/// A program that is known to parse TrainingArguments: others take no argument of the Trainer's.
bool parsesTrainingArguments(const ResolvedSpec& resolved)
{
    JobSpec bare = resolved.spec;
    bare.training.framework.reset();
    const auto known = knownProgram(bare);
    return (known && known->options.microBatch == u"--per_device_train_batch_size"_s)
        || resolved.command.contains(u"--output_dir"_s);
}

/// What the Trainer of transformers 4 takes as arguments (training_args.py): FSDP, recomputation, compiler.
void planTrainerClass(TrainerPlan& plan, const ResolvedSpec& resolved, const QStringList& words)
{
    const auto add
        = [&](const QString& option, const QString& value, const QList<FieldPath>& origins, const QString& reason) {
              if (!hasOption(words, option))
                  plan.programPieces.append({option + u'=' + value, origins, reason, u"R28"_s});
          };
    const bool hybrid = resolved.strategy == Strategy::Hsdp,
               full = resolved.activationCheckpointing == ActivationCheckpointing::Full;
    if (resolved.strategy == Strategy::Fsdp || hybrid) {
        const bool reshards = resolved.spec.parallel.reshard.value_or(true);
        QString how = hybrid ? (reshards ? u"hybrid_shard"_s : u"hybrid_shard_zero2"_s)
                             : (reshards ? u"full_shard"_s : u"shard_grad_op"_s);
        if (resolved.spec.training.offload == Offload::OptimizerAndParameters)
            how += u" offload"_s;
        add(u"--fsdp"_s, u"\"%1 auto_wrap\""_s.arg(how), {field::strategy, field::reshard, field::offload},
            u"How the Trainer splits the state of the training; without it, it would use plain DDP."_s);
    }
    if (full)
        add(u"--gradient_checkpointing"_s, u"True"_s, {field::activationCheckpointing},
            u"Activations are computed again instead of kept."_s);
    if (resolved.spec.training.compile.value_or(false))
        add(u"--torch_compile"_s, u"True"_s, {field::compile}, u"Fuses small operations."_s);
}

} // namespace

QString jobFilesLine() { return u"export %1=\"$PWD/rankwright-$SLURM_JOB_ID\""_s.arg(jobFilesVariable); }

bool hasOption(const QStringList& words, const QString& option)
{
    const QString plain = QString(option).replace(u'_', u'-');
    return std::any_of(words.cbegin(), words.cend(),
        [&](const QString& word) { return word.section(u'=', 0, 0).replace(u'_', u'-') == plain; });
}

/// Files and arguments that the training stack itself knows.
static TrainerPlan planStack(const ResolvedSpec& resolved, const CommandPlan& command)
{
    TrainerPlan plan;
    const bool none = resolved.spec.options.config == u"none"_s;
    const Trainer trainer = trainerOf(resolved);
    if (starterOf(resolved) == Starter::Accelerate) {
        if (!none) {
            handOver(plan, resolved, accelerateConfig(resolved), u"--config_file="_s,
                u"Only this file counts: without it accelerate takes the one that accelerate config left in the home "
                "directory."_s,
                u"R27"_s, true);
        }
        return plan;
    }
    if (trainer == Trainer::Megatron || trainer == Trainer::MegatronDeepspeed)
        plan.programPieces = megatronArguments(resolved, command.words);
    else if (resolved.spec.training.framework == Framework::Nemo)
        plan.programPieces = nemoArguments(resolved, command.words);
    else if (trainer == Trainer::HfTrainer && parsesTrainingArguments(resolved))
        planTrainerClass(plan, resolved, command.words);
    if (trainer == Trainer::Titan && takesTitanFunction(resolved.command)) {
        for (const ScriptLine& piece : titanArguments(resolved)) {
            if (!hasOption(command.words, piece.text.section(u'=', 0, 0)))
                plan.programPieces.append(piece);
        }
        return plan;
    }
    if (none)
        return plan;
    const bool zero = isZero(resolved.strategy);
    if (trainer == Trainer::Deepspeed && (zero || resolved.strategy == Strategy::Ddp))
        planDeepspeed(plan, resolved, command.words, trainer);
    else if ((trainer == Trainer::HfTrainer || trainer == Trainer::MegatronDeepspeed) && zero)
        planDeepspeed(plan, resolved, command.words, trainer);
    else if (trainer == Trainer::Titan && !hasOption(command.words, u"--job.config_file"_s)) {
        handOver(plan, resolved, titanConfig(resolved), u"--job.config_file="_s,
            u"torchtitan's option for its configuration; without it torchtitan trains its built-in example."_s,
            u"R39"_s, false);
    }
    return plan;
}

TrainerPlan planTrainer(const ResolvedSpec& resolved, const CommandPlan& command)
{
    TrainerPlan plan = planStack(resolved, command);
    QStringList given = command.words;
    for (const ScriptLine& piece : std::as_const(plan.programPieces))
        given.append(piece.text);
    for (const ScriptLine& piece : tunerArguments(resolved, given)) {
        given.append(piece.text);
        plan.programPieces.append(piece);
    }
    plan.programPieces += namedOptions(resolved, given);
    return plan;
}

} // namespace rankwright::inline script

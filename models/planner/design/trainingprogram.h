// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"
#include "models/planner/estimate/stack/stackfeatures.h"

namespace rankwright::inline planner {

// Who starts the processes of a job, and which training stack they are: by the design's fields and its command.

/// What the one srun line starts on each node.
enum class Starter {
    Tasks, ///< the ranks themselves, one task each
    Torchrun, ///< an agent per node
    Accelerate, ///< accelerate's agent per node
    Deepspeed ///< the deepspeed command, one node
};

/// DeepSpeed's own command needs ssh between nodes, which clusters do not allow: on several nodes torchrun takes over.
Starter starterOf(const ResolvedSpec& resolved);
bool isAgent(Starter starter); ///< starts the workers of a node itself

/// The training stack, as far as the script has to know it: what it is configured with and reads from the environment.
enum class Trainer { Plain, Deepspeed, HfTrainer, Lightning, Megatron, MegatronDeepspeed, Titan, Horovod };

/// Whether a command starts a program of Megatron-LM, by the name of the program or module (pretrain_gpt.py) or by
/// options of Megatron's own: others know none of its arguments. What is elsewhere (a folder of data) says nothing.
bool isMegatronProgram(const QString& command);
/// By the design's framework; when open, by strategy, launcher and program (torchtitan names itself).
Trainer trainerOf(const ResolvedSpec& resolved);

/// Whether a command starts torchtitan with a Python function as its configuration ("--module llama3 --config
/// llama3_8b", after v0.2: torchtitan/config/README.md at b5bcd76) instead of a file. Single values still go before it
/// as "--section.name=value"; what recomputes and in which numbers is the function's.
bool takesTitanFunction(const QString& command);

/// Whether the script asks the program for this recomputation, by arguments or a file that it writes; otherwise the
/// program has to do it by itself.
bool writesRecomputing(const ResolvedSpec& resolved, ActivationCheckpointing how);

/// A program of a fine-tuning stack that takes adapters, packing and the like as arguments.
enum class TunerProgram { Torchtune, Trl, Axolotl, LlamaFactory, Litgpt, MsSwift };

/// By the program's words: "tune run", "trl sft", "axolotl train", "llamafactory-cli train", "litgpt finetune_lora",
/// "swift sft". Empty: another one, which decides by itself.
std::optional<TunerProgram> tunerProgram(const QString& command);
QString tunerTitle(TunerProgram program);
/// Whether a program's own arguments begin with "--" in this command. torchtune takes "key=value" alone; LLaMA-Factory
/// takes that behind a file and "--key=value" without one (src/llamafactory/hparams/parser.py, read_args).
bool takesDashes(TunerProgram program, const QString& command);

/// The stack that a design trains with: the one it names, else the one its program belongs to, else the usual one of
/// its strategy.
Framework stackInUse(const ResolvedSpec& resolved);

/// Something that a design asks of its training stack, and the field that asks for it.
struct StackNeed {
    StackFeature feature;
    FieldPath field;
};
/// All that a design names beside its strategy and degrees: adapters, optimiser, loss, packing ...
QList<StackNeed> needsBesideLayout(const JobSpec& spec);
/// Strategy and degrees.
QList<StackNeed> layoutNeeds(const ResolvedSpec& resolved);
QList<StackFeature> featuresOf(Strategy strategy);
QList<StackFeature> featuresOf(Offload offload);

/// The least that a stack does of each; 3D is tensor and pipeline parallelism.
Support supportOf(Framework stack, Strategy strategy);

/// Why a stack cannot do what is asked of it on a generation of GPUs (GpuFigures::gpuClass).
struct StackObstacle {
    StackFeature feature; ///< that has to go
    QString text; ///< "Megatron-Core does not do a frozen base in nf4"
    QString source;
};
std::optional<StackObstacle> stackObstacle(
    Framework stack, const QString& gpuClass, const QList<StackFeature>& features);

/// Stacks that can do all of it by their own options, those of fine-tuning first where adapters are asked for.
QList<Framework> stacksThatCan(const QString& gpuClass, const QList<StackFeature>& features);

} // namespace rankwright::inline planner

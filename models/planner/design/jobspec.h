// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"
#include "models/planner/estimate/workload.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline planner {

/// Names one field of a design: the dotted path of its JSON member ("resources.nodes", "training.globalBatch").
/// Script lines, findings and form rows meet at this name.
using FieldPath = QString;

namespace field {
inline constexpr QLatin1StringView name{"name"};
inline constexpr QLatin1StringView cluster{"cluster"};
inline constexpr QLatin1StringView partition{"partition"};
inline constexpr QLatin1StringView account{"account"};
inline constexpr QLatin1StringView reservation{"reservation"};
inline constexpr QLatin1StringView time{"time"};
inline constexpr QLatin1StringView nodes{"resources.nodes"};
inline constexpr QLatin1StringView gpusPerNode{"resources.gpusPerNode"};
inline constexpr QLatin1StringView cpusPerGpu{"resources.cpusPerGpu"};
inline constexpr QLatin1StringView memoryPerNode{"resources.memoryPerNode"};
inline constexpr QLatin1StringView globalBatch{"training.globalBatch"};
inline constexpr QLatin1StringView microBatch{"training.microBatch"};
inline constexpr QLatin1StringView datasetSamples{"training.datasetSamples"};
inline constexpr QLatin1StringView datasetTokens{"training.datasetTokens"};
inline constexpr QLatin1StringView epochs{"training.epochs"};
inline constexpr QLatin1StringView strategy{"parallel.strategy"};
inline constexpr QLatin1StringView tensor{"parallel.tensor"};
inline constexpr QLatin1StringView pipeline{"parallel.pipeline"};
inline constexpr QLatin1StringView context{"parallel.context"};
inline constexpr QLatin1StringView expert{"parallel.expert"};
inline constexpr QLatin1StringView expertTensor{"parallel.expertTensor"};
inline constexpr QLatin1StringView virtualStages{"parallel.virtualStages"};
inline constexpr QLatin1StringView firstStageLayers{"parallel.firstStageLayers"};
inline constexpr QLatin1StringView lastStageLayers{"parallel.lastStageLayers"};
inline constexpr QLatin1StringView sequenceParallel{"parallel.sequenceParallel"};
inline constexpr QLatin1StringView shardOptimizer{"parallel.shardOptimizer"};
inline constexpr QLatin1StringView reshard{"parallel.reshard"};
inline constexpr QLatin1StringView launcher{"launcher"};
inline constexpr QLatin1StringView container{"environment.container"};
inline constexpr QLatin1StringView modules{"environment.modules"};
inline constexpr QLatin1StringView venv{"environment.venv"};
inline constexpr QLatin1StringView conda{"environment.conda"};
inline constexpr QLatin1StringView uenv{"environment.uenv"};
inline constexpr QLatin1StringView binds{"environment.binds"};
inline constexpr QLatin1StringView setup{"environment.setup"};
inline constexpr QLatin1StringView variables{"environment.variables"};
inline constexpr QLatin1StringView hangEvidence{"environment.hangEvidence"};
inline constexpr QLatin1StringView qos{"options.qos"};
inline constexpr QLatin1StringView constraint{"options.constraint"};
inline constexpr QLatin1StringView exclude{"options.exclude"};
inline constexpr QLatin1StringView exclusive{"options.exclusive"};
inline constexpr QLatin1StringView localDisk{"options.localDisk"};
inline constexpr QLatin1StringView cpuBinding{"options.cpuBinding"};
inline constexpr QLatin1StringView numaBinding{"options.numaBinding"};
inline constexpr QLatin1StringView mpi{"options.mpi"};
inline constexpr QLatin1StringView config{"options.config"};
inline constexpr QLatin1StringView signal{"options.signal"};
inline constexpr QLatin1StringView requeue{"options.requeue"};
inline constexpr QLatin1StringView requeueAtLimit{"options.requeueAtLimit"};
inline constexpr QLatin1StringView resumeArguments{"options.resumeArguments"};
inline constexpr QLatin1StringView array{"options.array"};
inline constexpr QLatin1StringView dependency{"options.dependency"};
inline constexpr QLatin1StringView output{"options.output"};
inline constexpr QLatin1StringView error{"options.error"};
inline constexpr QLatin1StringView mailUser{"options.mailUser"};
inline constexpr QLatin1StringView mailType{"options.mailType"};
inline constexpr QLatin1StringView framework{"training.framework"};
inline constexpr QLatin1StringView precision{"training.precision"};
inline constexpr QLatin1StringView sequence{"training.sequence"};
inline constexpr QLatin1StringView activationCheckpointing{"training.activationCheckpointing"};
inline constexpr QLatin1StringView optimizer{"training.optimizer"};
inline constexpr QLatin1StringView attention{"training.attention"};
inline constexpr QLatin1StringView offload{"training.offload"};
inline constexpr QLatin1StringView float8{"training.float8"};
inline constexpr QLatin1StringView compile{"training.compile"};
inline constexpr QLatin1StringView groupedExperts{"training.groupedExperts"};
inline constexpr QLatin1StringView trainedFraction{"training.trainedFraction"};
inline constexpr QLatin1StringView frozen{"training.frozen"};
inline constexpr QLatin1StringView adapterMethod{"training.adapter.method"};
inline constexpr QLatin1StringView adapterRank{"training.adapter.rank"};
inline constexpr QLatin1StringView adapterAlpha{"training.adapter.alpha"};
inline constexpr QLatin1StringView adapterTargets{"training.adapter.targets"};
inline constexpr QLatin1StringView adapterQuantisation{"training.adapter.quantisation"};
inline constexpr QLatin1StringView optimizerInBackward{"training.optimizerInBackward"};
inline constexpr QLatin1StringView loss{"training.loss"};
inline constexpr QLatin1StringView packed{"training.packed"};
inline constexpr QLatin1StringView sampler{"monitor.sampler"};
inline constexpr QLatin1StringView samplerInterval{"monitor.interval"};
inline constexpr QLatin1StringView model{"model"};
inline constexpr QLatin1StringView command{"command"};
inline constexpr QLatin1StringView microBatchOption{"program.microBatch"};
inline constexpr QLatin1StringView accumulationOption{"program.accumulation"};
inline constexpr QLatin1StringView globalBatchOption{"program.globalBatch"};
inline constexpr QLatin1StringView epochsOption{"program.epochs"};
inline constexpr QLatin1StringView precisionOption{"program.precision"};
inline constexpr QLatin1StringView workdir{"workdir"};
inline constexpr QLatin1StringView overrides{"overrides"};
} // namespace field

/// Whether a field is `whole` or a part of it, as "training.adapter.rank" is of "training.adapter".
bool isPartOf(const FieldPath& field, const FieldPath& whole);
/// Whether two fields are the same, or one of them is a part of the other.
bool fieldsOverlap(const FieldPath& one, const FieldPath& other);

enum class Strategy { Single, Ddp, Zero1, Zero2, Zero3, Fsdp, Hsdp, Pipeline, Tensor, ThreeD, Horovod };
enum class Launcher { Torchrun, Srun, Accelerate, Deepspeed, Lightning, Horovod };
/// The training stacks that a design may name. Published runs know more of them:
/// models/planner/estimate/stack/stacknames.h.
enum class Framework {
    Pytorch,
    Fsdp2,
    Fsdp1,
    Deepspeed,
    MegatronCore,
    MegatronDeepspeed,
    Nemo,
    HfTrainer,
    Lightning,
    Torchtune,
    Trl,
    Peft,
    Axolotl,
    LlamaFactory,
    Litgpt,
    Unsloth,
    MsSwift,
    Generic
};
/// What a design asks to have computed again; what "selective" recomputes is the stack's default (Recompute).
enum class ActivationCheckpointing { None, Selective, Full };
/// How the base of an adapter training is kept.
enum class FrozenWeights { Bf16, Int8, Nf4 };
/// Where torchrun itself puts each worker (--numa-binding): on the cores of the NUMA node, the socket or the core
/// complex of its GPU, or on a part of the NUMA node's cores that no other worker has.
enum class NumaBinding { Node, Socket, Exclusive, CoreComplex };

/// Lines of the script that are the user's own: they are in the generated script at their place, as typed.
struct OverrideBlock {
    QString after; ///< key of a generated line above (scriptLineKey); empty: the script's beginning
    int below = 0; ///< generated lines between that line and the block
    QStringList instead; ///< generated lines whose place it takes, as they were then
    QStringList lines; ///< the user's text; empty: the generated lines are left out
    bool toEnd = false; ///< takes the place of all generated lines from there on, whatever they will be
    bool noFinalNewline = false; ///< the script ends behind it without a newline
    bool isLatin1 = false; ///< the script's file is in Latin-1, not in UTF-8: of an author's script alone
    bool operator==(const OverrideBlock&) const = default;
};

/// The design as the user gave it: an empty optional is "you choose", filled in by resolve() with a stated reason.
struct JobSpec {
    QString name;
    QString cluster;
    std::optional<QString> partition;
    std::optional<QString> account;
    std::optional<QString> reservation;
    std::optional<Seconds> time;

    struct Resources {
        std::optional<int> nodes;
        std::optional<int> gpusPerNode;
        std::optional<int> cpusPerGpu;
        std::optional<Bytes> memoryPerNode;
        bool operator==(const Resources&) const = default;
    } resources;

    /// One of: preset name, parameter count, figures, Hugging Face config; kept as read, used by the planner.
    QJsonObject model;

    struct Training {
        std::optional<Framework> framework;
        std::optional<qint64> globalBatch;
        std::optional<qint64> microBatch;
        std::optional<qint64> sequence;
        std::optional<Precision> precision;
        std::optional<Optimizer> optimizer;
        std::optional<ActivationCheckpointing> activationCheckpointing;
        std::optional<AttentionKind> attention;
        std::optional<Offload> offload; ///< to the node's memory
        std::optional<Float8> float8; ///< linears in 8 bit beside `precision`; open: none
        std::optional<bool> compile; ///< by torch.compile; open: no
        std::optional<bool> groupedExperts; ///< the experts of a rank in one grouped product; open: where a stack can
        std::optional<double> trainedFraction; ///< LoRA and the like: trained / all parameters; open: all are trained
        std::optional<FrozenWeights> frozen; ///< how the base that is not trained is kept
        std::optional<bool> optimizerInBackward; ///< each layer is stepped as soon as its gradient is there
        std::optional<LossKind> loss; ///< open: as the stack does it
        std::optional<bool> packed; ///< samples are laid end to end up to the sequence length; open: yes
        std::optional<qint64> datasetSamples;
        std::optional<qint64> datasetTokens; ///< where its samples are not counted
        std::optional<double> epochs;
        bool operator==(const Training&) const = default;
    } training;

    /// What is trained of a loaded model: member "adapter" of the file's "training".
    struct AdapterChoice {
        std::optional<AdapterMethod> method;
        std::optional<int> rank;
        std::optional<double> alpha; ///< scale of the update; no memory and no time depends on it
        QStringList targets; ///< PEFT's target_modules: "q_proj", "all-linear"; empty: as the stack does it
        std::optional<Quantisation> quantisation; ///< of the frozen base's matrices
        bool operator==(const AdapterChoice&) const = default;
    } adapter;

    struct Parallel {
        std::optional<Strategy> strategy;
        std::optional<int> tensor;
        std::optional<int> pipeline;
        std::optional<int> context; ///< ranks that share each sequence
        std::optional<int> expert
            = {}; ///< ranks that share one set of experts; open: as many as the stack's recipes take
        std::optional<int> expertTensor = {}; ///< tensor ranks that split each expert; open: by the stack
        std::optional<int> virtualStages = {}; ///< chunks of layers that each pipeline stage holds; open: 1
        std::optional<int> firstStageLayers
            = {}; ///< open: even, or what an even split of the others leaves for the ends
        std::optional<int> lastStageLayers = {};
        std::optional<bool> sequenceParallel
            = {}; ///< norms and dropout split over the tensor ranks; open: by the stack
        std::optional<bool> shardOptimizer
            = {}; ///< optimiser states split over the data-parallel ranks; open: by strategy and stack
        std::optional<bool> reshard = {}; ///< FSDP drops gathered weights after the forward pass; open: yes
        bool operator==(const Parallel&) const = default;
    } parallel;

    std::optional<Launcher> launcher;

    struct Environment {
        std::optional<QString> container;
        QStringList modules;
        std::optional<QString> venv; ///< folder of a Python virtual environment, in the container where there is one
        std::optional<QString> conda; ///< name or folder of a conda environment
        std::optional<QString> uenv; ///< CSCS: image and, behind a blank, its view: "pytorch/v2.6.0:v1 default"
        QStringList setup; ///< lines of bash before the launch, as typed: "source env.sh"
        QStringList binds; ///< folders made visible in the container: "/here" or "/here:/inside"
        QMap<QString, QString> variables; ///< exported, values quoted: never expanded
        std::optional<bool> hangEvidence; ///< ranks of PyTorch can be asked where they hang; open: yes
        bool operator==(const Environment&) const = default;
    } environment;

    /// What Slurm and the launcher are asked for beyond size and time; texts are in Slurm's own spelling.
    struct Options {
        std::optional<QString> qos;
        std::optional<QString> constraint;
        std::optional<QString> exclude; ///< nodes to stay away from: "nid005138,nid006369"
        std::optional<bool> exclusive;
        std::optional<Bytes> localDisk; ///< fast local disk of each node, where a site gives it by request
        std::optional<bool> cpuBinding; ///< ranks on the cores beside their GPUs; open: the site's default
        std::optional<NumaBinding> numaBinding; ///< torchrun binds its workers; open: it does not
        std::optional<QString> mpi; ///< srun's --mpi
        std::optional<QString> config; ///< the trainer's configuration file: a path, or "none"; open: written
        std::optional<QString> signal; ///< "USR1@300": to every task, seconds before the limit
        std::optional<bool> requeue; ///< after a node failure or preemption
        std::optional<int> requeueAtLimit; ///< how often a job that met its time limit queues itself again
        std::optional<QString> resumeArguments; ///< added to the command when the job is a continuation
        std::optional<QString> array; ///< "0-9%1"
        std::optional<QString> dependency; ///< "afterok:1234"
        std::optional<QString> output; ///< pattern of the log's name
        std::optional<QString> error; ///< pattern, when errors go to a file of their own
        std::optional<QString> mailUser;
        std::optional<QString> mailType; ///< "END,FAIL"
        bool operator==(const Options&) const = default;
    } options;

    /// What is noted of the job from inside, for later reading.
    struct Monitor {
        std::optional<bool> sampler; ///< a small step beside the training records every GPU; open: no
        std::optional<int> interval; ///< seconds between two readings; open: by the job's size and length
        bool operator==(const Monitor&) const = default;
    } monitor;

    /// How the program calls figures of the training: the option that the script passes each with ("--batch-size",
    /// "trainer.epochs="), or "own": it takes it from its own configuration. Open: nothing is passed beside the
    /// command.
    struct Program {
        std::optional<QString> microBatch;
        std::optional<QString> accumulation;
        std::optional<QString> globalBatch;
        std::optional<QString> epochs;
        std::optional<QString> precision;
        bool operator==(const Program&) const = default;
    } program;

    std::optional<QString> command; ///< program and arguments as one would type them after "python3"
    std::optional<QString> workdir;
    QList<OverrideBlock> overrides; ///< in the order of the script

    bool operator==(const JobSpec&) const = default;
};

/// A value that resolve() took because the design left it open, or had to replace.
struct Choice {
    FieldPath field;
    QString value; ///< as shown
    QString reason; ///< one sentence
    bool operator==(const Choice&) const = default;
};

/// As in the design file: "ddp", "megatron-core". The words of each enum, and the enumerator of a word, are in
/// models/planner/design/enumwords.h.
QString toText(Strategy strategy);
QString toText(Launcher launcher);
QString toText(Framework framework);
QString toText(Precision precision);
QString toText(Optimizer optimizer);
QString toText(ActivationCheckpointing checkpointing);
QString toText(AttentionKind attention);
QString toText(Offload offload);
QString toText(FrozenWeights frozen);
QString toText(LossKind loss);
QString toText(AdapterMethod method);
QString toText(Quantisation quantisation);
QString toText(NumaBinding binding);
QString toText(Float8 float8);
std::optional<Strategy> strategyFrom(const QString& text);
std::optional<Launcher> launcherFrom(const QString& text);

} // namespace rankwright::inline planner

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"
#include "models/estimate/network/precision.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright {

/// Names one field of a design: the dotted path of its JSON member ("resources.nodes", "training.globalBatch").
/// Script lines, findings and form rows meet at this name.
using FieldPath = QString;

namespace field {
inline constexpr const char16_t* name = u"name";
inline constexpr const char16_t* cluster = u"cluster";
inline constexpr const char16_t* partition = u"partition";
inline constexpr const char16_t* account = u"account";
inline constexpr const char16_t* reservation = u"reservation";
inline constexpr const char16_t* time = u"time";
inline constexpr const char16_t* nodes = u"resources.nodes";
inline constexpr const char16_t* gpusPerNode = u"resources.gpusPerNode";
inline constexpr const char16_t* cpusPerGpu = u"resources.cpusPerGpu";
inline constexpr const char16_t* memoryPerNode = u"resources.memoryPerNode";
inline constexpr const char16_t* globalBatch = u"training.globalBatch";
inline constexpr const char16_t* microBatch = u"training.microBatch";
inline constexpr const char16_t* datasetSamples = u"training.datasetSamples";
inline constexpr const char16_t* epochs = u"training.epochs";
inline constexpr const char16_t* strategy = u"parallel.strategy";
inline constexpr const char16_t* tensor = u"parallel.tensor";
inline constexpr const char16_t* pipeline = u"parallel.pipeline";
inline constexpr const char16_t* context = u"parallel.context";
inline constexpr const char16_t* launcher = u"launcher";
inline constexpr const char16_t* container = u"environment.container";
inline constexpr const char16_t* modules = u"environment.modules";
inline constexpr const char16_t* binds = u"environment.binds";
inline constexpr const char16_t* variables = u"environment.variables";
inline constexpr const char16_t* qos = u"options.qos";
inline constexpr const char16_t* constraint = u"options.constraint";
inline constexpr const char16_t* exclude = u"options.exclude";
inline constexpr const char16_t* exclusive = u"options.exclusive";
inline constexpr const char16_t* localDisk = u"options.localDisk";
inline constexpr const char16_t* cpuBinding = u"options.cpuBinding";
inline constexpr const char16_t* mpi = u"options.mpi";
inline constexpr const char16_t* config = u"options.config";
inline constexpr const char16_t* signal = u"options.signal";
inline constexpr const char16_t* requeue = u"options.requeue";
inline constexpr const char16_t* requeueAtLimit = u"options.requeueAtLimit";
inline constexpr const char16_t* resumeArguments = u"options.resumeArguments";
inline constexpr const char16_t* array = u"options.array";
inline constexpr const char16_t* dependency = u"options.dependency";
inline constexpr const char16_t* output = u"options.output";
inline constexpr const char16_t* error = u"options.error";
inline constexpr const char16_t* mailUser = u"options.mailUser";
inline constexpr const char16_t* mailType = u"options.mailType";
inline constexpr const char16_t* framework = u"training.framework";
inline constexpr const char16_t* precision = u"training.precision";
inline constexpr const char16_t* sequence = u"training.sequence";
inline constexpr const char16_t* activationCheckpointing = u"training.activationCheckpointing";
inline constexpr const char16_t* optimizer = u"training.optimizer";
inline constexpr const char16_t* attention = u"training.attention";
inline constexpr const char16_t* offload = u"training.offload";
inline constexpr const char16_t* trainedFraction = u"training.trainedFraction";
inline constexpr const char16_t* frozen = u"training.frozen";
inline constexpr const char16_t* sampler = u"monitor.sampler";
inline constexpr const char16_t* samplerInterval = u"monitor.interval";
inline constexpr const char16_t* model = u"model";
inline constexpr const char16_t* command = u"command";
inline constexpr const char16_t* workdir = u"workdir";
inline constexpr const char16_t* overrides = u"overrides";
} // namespace field

enum class Strategy { Single, Ddp, Zero1, Zero2, Zero3, Fsdp, Hsdp, Pipeline, Tensor, ThreeD, Horovod };
enum class Launcher { Torchrun, Srun, Accelerate, Deepspeed, Lightning, Horovod };

/// Lines of the script that are the user's own: they stand in the generated script at their place, as typed.
struct OverrideBlock {
    QString after; ///< key of a generated line above (scriptLineKey); empty: the script's beginning
    int below = 0; ///< generated lines between that line and the block
    QStringList instead; ///< generated lines whose place it takes, as they were then
    QStringList lines; ///< the user's text; empty: the generated lines are left out
    bool noFinalNewline = false; ///< the script ends behind it without a newline
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
        std::optional<QString> framework;
        std::optional<qint64> globalBatch;
        std::optional<qint64> microBatch;
        std::optional<qint64> sequence;
        std::optional<Precision> precision;
        std::optional<QString> optimizer;
        std::optional<QString> activationCheckpointing;
        std::optional<QString> attention;
        std::optional<QString> offload; ///< to the node's memory: "none", "optimizer", "all"
        std::optional<double> trainedFraction; ///< LoRA and the like: trained / all parameters; open: all are trained
        std::optional<QString> frozen; ///< how the base that is not trained is kept: "bf16", "int8", "nf4"
        std::optional<qint64> datasetSamples;
        std::optional<double> epochs;
        bool operator==(const Training&) const = default;
    } training;

    struct Parallel {
        std::optional<Strategy> strategy;
        std::optional<int> tensor;
        std::optional<int> pipeline;
        std::optional<int> context; ///< ranks that share each sequence
        bool operator==(const Parallel&) const = default;
    } parallel;

    std::optional<Launcher> launcher;

    struct Environment {
        std::optional<QString> container;
        QStringList modules;
        QStringList binds; ///< folders made visible in the container: "/here" or "/here:/inside"
        QMap<QString, QString> variables; ///< exported, values quoted: never expanded
        bool operator==(const Environment&) const = default;
    } environment;

    /// What Slurm and the launcher are asked for beyond size and time; texts are in Slurm's own spelling.
    struct Options {
        std::optional<QString> qos;
        std::optional<QString> constraint;
        std::optional<QString> exclude; ///< nodes to stay away from: "nid005138,nid006369"
        std::optional<bool> exclusive;
        std::optional<Bytes> localDisk; ///< fast local disk of each node, where a site gives it by request
        std::optional<bool> cpuBinding; ///< ranks on the cores beside their GPUs; open: the site's habit
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

QString toText(Strategy strategy); ///< as in the JSON form: "ddp", "3d"
QString toText(Launcher launcher);
QString toText(Precision precision);
std::optional<Strategy> strategyFrom(const QString& text);
std::optional<Launcher> launcherFrom(const QString& text);
std::optional<Precision> precisionFrom(const QString& text);

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <QJsonObject>
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
inline constexpr const char16_t* launcher = u"launcher";
inline constexpr const char16_t* container = u"environment.container";
inline constexpr const char16_t* modules = u"environment.modules";
inline constexpr const char16_t* variables = u"environment.variables";
inline constexpr const char16_t* command = u"command";
inline constexpr const char16_t* workdir = u"workdir";
} // namespace field

enum class Strategy { Single, Ddp, Zero1, Zero2, Zero3, Fsdp, Hsdp, Pipeline, Tensor, ThreeD, Horovod };
enum class Launcher { Torchrun, Srun, Accelerate, Deepspeed, Lightning, Horovod };
enum class Precision { Fp32, Tf32, Fp16Mixed, Bf16Mixed, Bf16 };

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
        std::optional<qint64> datasetSamples;
        std::optional<double> epochs;
        bool operator==(const Training&) const = default;
    } training;

    struct Parallel {
        std::optional<Strategy> strategy;
        std::optional<int> tensor;
        std::optional<int> pipeline;
        bool operator==(const Parallel&) const = default;
    } parallel;

    std::optional<Launcher> launcher;

    struct Environment {
        std::optional<QString> container;
        QStringList modules;
        QMap<QString, QString> variables; ///< exported, values quoted: never expanded
        bool operator==(const Environment&) const = default;
    } environment;

    std::optional<QString> command; ///< program and arguments as one would type them after "python3"
    std::optional<QString> workdir;

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

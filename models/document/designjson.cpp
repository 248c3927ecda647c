// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/document/designjson.h"

#include "models/core/jsonreader.h"

#include <QJsonDocument>

#include <limits>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int formatVersion = 1;
constexpr qint64 mostSamples = std::numeric_limits<qint64>::max();

// The words that docs/design_file.md allows where the design keeps plain text.
const QStringList frameworks{u"pytorch"_s, u"fsdp2"_s, u"fsdp1"_s, u"deepspeed"_s, u"megatron-core"_s,
    u"megatron-deepspeed"_s, u"nemo"_s, u"hf-trainer"_s, u"lightning"_s, u"generic"_s};
const QStringList optimizers{u"adamw"_s, u"adamw8bit"_s, u"adafactor"_s, u"sgd"_s, u"sgd-momentum"_s};
const QStringList checkpointings{u"none"_s, u"selective"_s, u"full"_s};
const QStringList attentions{u"flash"_s, u"standard"_s};
const QStringList frozenForms{u"bf16"_s, u"int8"_s, u"nf4"_s};
const QStringList offloads{u"none"_s, u"optimizer"_s, u"all"_s};

QString quoted(const QString& text) { return u"“"_s + text.left(60) + u"”"_s; }

std::optional<int> readInt(JsonReader& json, const QString& key)
{
    // any int is read: a figure that makes no sense is a finding with a fix, not an unreadable file
    const auto value = json.integer(key, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::optional<qint64> readCount(JsonReader& json, const QString& key)
{
    return json.integer(key, -mostSamples, mostSamples);
}

std::optional<QString> readWord(JsonReader& json, const QString& key, const QStringList& words)
{
    const auto value = json.text(key);
    if (value && !words.contains(*value))
        json.refuse(key, u"expected one of "_s + words.join(u", "_s) + u"; found "_s + quoted(*value));
    return value;
}

/// An enumerator by its word, with a fault that lists the words.
template <typename Enum>
std::optional<Enum> readEnum(
    JsonReader& json, const QString& key, std::optional<Enum> (*from)(const QString&), int count)
{
    const auto value = json.text(key);
    if (!value)
        return std::nullopt;
    const auto found = from(*value);
    if (!found) {
        QStringList words;
        for (int i = 0; i < count; ++i)
            words.append(toText(static_cast<Enum>(i)));
        json.refuse(key, u"expected one of "_s + words.join(u", "_s) + u"; found "_s + quoted(*value));
    }
    return found;
}

/// "01:00:00" as Slurm takes it, or a number of minutes.
std::optional<Seconds> readTime(JsonReader& json, const QString& key)
{
    if (json.json().value(key).isDouble()) {
        const auto minutes = json.number(key);
        if (minutes && !(*minutes >= 0 && *minutes <= 1e9)) {
            json.refuse(key, u"minutes must be from 0 to 1000000000"_s);
            return std::nullopt;
        }
        return minutes ? std::optional(Seconds{qRound64(*minutes * 60)}) : std::nullopt;
    }
    const auto text = json.text(key);
    if (!text)
        return std::nullopt;
    const auto time = parseSlurmTime(*text);
    if (!time) {
        json.refuse(key, time.error().what + u". "_s + time.error().remedy);
        return std::nullopt;
    }
    return *time;
}

/// "480G" as Slurm takes it, or a number of bytes.
std::optional<Bytes> readMemory(JsonReader& json, const QString& key)
{
    if (json.json().value(key).isDouble()) {
        const auto count = json.integer(key, 0, qint64(1) << 62);
        return count ? std::optional(Bytes{*count}) : std::nullopt;
    }
    const auto text = json.text(key);
    if (!text)
        return std::nullopt;
    const auto memory = parseSlurmMemory(*text);
    if (!memory) {
        json.refuse(key, memory.error().what + u". "_s + memory.error().remedy);
        return std::nullopt;
    }
    return *memory;
}

void readResources(JsonReader& json, JobSpec::Resources& resources)
{
    resources.nodes = readInt(json, u"nodes"_s);
    resources.gpusPerNode = readInt(json, u"gpusPerNode"_s);
    resources.cpusPerGpu = readInt(json, u"cpusPerGpu"_s);
    resources.memoryPerNode = readMemory(json, u"memoryPerNode"_s);
}

void readTraining(JsonReader& json, JobSpec::Training& training)
{
    training.framework = readWord(json, u"framework"_s, frameworks);
    training.globalBatch = readCount(json, u"globalBatch"_s);
    training.microBatch = readCount(json, u"microBatch"_s);
    training.sequence = readCount(json, u"sequence"_s);
    training.precision = readEnum<Precision>(json, u"precision"_s, precisionFrom, int(Precision::Bf16) + 1);
    training.optimizer = readWord(json, u"optimizer"_s, optimizers);
    training.activationCheckpointing = readWord(json, u"activationCheckpointing"_s, checkpointings);
    training.attention = readWord(json, u"attention"_s, attentions);
    training.offload = readWord(json, u"offload"_s, offloads);
    training.trainedFraction = json.number(u"trainedFraction"_s);
    training.frozen = readWord(json, u"frozen"_s, frozenForms);
    training.datasetSamples = readCount(json, u"datasetSamples"_s);
    training.epochs = json.number(u"epochs"_s);
}

void readEnvironment(JsonReader& json, JobSpec::Environment& environment)
{
    environment.container = json.text(u"container"_s);
    environment.modules = json.texts(u"modules"_s).value_or(QStringList());
    environment.binds = json.texts(u"binds"_s).value_or(QStringList());
    auto variables = json.object(u"variables"_s);
    if (!variables)
        return;
    const QStringList names = variables->json().keys();
    for (const QString& name : names) {
        if (const auto value = variables->text(name))
            environment.variables.insert(name, *value);
    }
    json.absorb(*variables);
}

template <typename Part>
void readPart(JsonReader& json, const QString& key, void (*read)(JsonReader&, Part&), Part& part)
{
    if (auto member = json.object(key)) {
        read(*member, part);
        json.absorb(*member);
    }
}

void readParallel(JsonReader& json, JobSpec::Parallel& parallel)
{
    parallel.strategy = readEnum<Strategy>(json, u"strategy"_s, strategyFrom, int(Strategy::Horovod) + 1);
    parallel.tensor = readInt(json, u"tensor"_s);
    parallel.pipeline = readInt(json, u"pipeline"_s);
    parallel.context = readInt(json, u"context"_s);
}

QList<OverrideBlock> readOverrides(JsonReader& json)
{
    QList<OverrideBlock> blocks;
    QList<JsonReader> members = json.objects(u"overrides"_s);
    for (JsonReader& member : members) {
        OverrideBlock block;
        block.after = member.text(u"after"_s).value_or(QString());
        const auto below = member.integer(u"below"_s, 0, 1000000);
        block.below = below ? static_cast<int>(*below) : 0;
        block.instead = member.texts(u"instead"_s).value_or(QStringList());
        block.lines = member.texts(u"lines"_s).value_or(QStringList());
        block.noFinalNewline = member.flag(u"noFinalNewline"_s).value_or(false);
        blocks.append(block);
        json.absorb(member);
    }
    return blocks;
}

void readOptions(JsonReader& json, JobSpec::Options& options)
{
    options.qos = json.text(u"qos"_s);
    options.constraint = json.text(u"constraint"_s);
    options.exclude = json.text(u"exclude"_s);
    options.exclusive = json.flag(u"exclusive"_s);
    options.localDisk = readMemory(json, u"localDisk"_s);
    options.cpuBinding = json.flag(u"cpuBinding"_s);
    options.mpi = json.text(u"mpi"_s);
    options.config = json.text(u"config"_s);
    options.signal = json.text(u"signal"_s);
    options.requeue = json.flag(u"requeue"_s);
    options.requeueAtLimit = readInt(json, u"requeueAtLimit"_s);
    options.resumeArguments = json.text(u"resumeArguments"_s);
    options.array = json.text(u"array"_s);
    options.dependency = json.text(u"dependency"_s);
    options.output = json.text(u"output"_s);
    options.error = json.text(u"error"_s);
    options.mailUser = json.text(u"mailUser"_s);
    options.mailType = json.text(u"mailType"_s);
}

void readMonitor(JsonReader& json, JobSpec::Monitor& monitor)
{
    monitor.sampler = json.flag(u"sampler"_s);
    monitor.interval = readInt(json, u"interval"_s);
}

JobSpec readMembers(JsonReader& json)
{
    JobSpec spec;
    json.ignore(u"note"_s);
    json.ignore(u"understood"_s); // what "read" adds for people
    json.ignore(u"notUnderstood"_s);
    spec.name = json.text(u"name"_s).value_or(QString());
    if (!json.has(u"cluster"_s))
        json.refuse(u"cluster"_s, u"the name of a cluster is needed, for instance \"lumi\""_s);
    spec.cluster = json.text(u"cluster"_s).value_or(QString());
    spec.partition = json.text(u"partition"_s);
    spec.account = json.text(u"account"_s);
    spec.reservation = json.text(u"reservation"_s);
    spec.time = readTime(json, u"time"_s);
    readPart(json, u"resources"_s, readResources, spec.resources);
    if (const auto model = json.object(u"model"_s))
        spec.model = model->json();
    readPart(json, u"training"_s, readTraining, spec.training);
    readPart(json, u"parallel"_s, readParallel, spec.parallel);
    spec.launcher = readEnum<Launcher>(json, u"launcher"_s, launcherFrom, int(Launcher::Horovod) + 1);
    readPart(json, u"environment"_s, readEnvironment, spec.environment);
    readPart(json, u"options"_s, readOptions, spec.options);
    readPart(json, u"monitor"_s, readMonitor, spec.monitor);
    spec.command = json.text(u"command"_s);
    spec.workdir = json.text(u"workdir"_s);
    spec.overrides = readOverrides(json);
    return spec;
}

QJsonValue value(const std::optional<QString>& text) { return text ? QJsonValue(*text) : QJsonValue(QJsonValue::Null); }
QJsonValue value(const std::optional<double>& number)
{
    return number ? QJsonValue(*number) : QJsonValue(QJsonValue::Null);
}

template <typename Integer>
QJsonValue whole(const std::optional<Integer>& number)
{
    return number ? QJsonValue(static_cast<qint64>(*number)) : QJsonValue(QJsonValue::Null);
}

template <typename Enum>
QJsonValue word(const std::optional<Enum>& enumerator)
{
    return enumerator ? QJsonValue(toText(*enumerator)) : QJsonValue(QJsonValue::Null);
}

QJsonValue time(const std::optional<Seconds>& seconds)
{
    return seconds ? QJsonValue(slurmTime(*seconds)) : QJsonValue(QJsonValue::Null);
}

QJsonValue memory(const std::optional<Bytes>& bytes)
{
    if (!bytes)
        return QJsonValue::Null;
    // Slurm's spelling counts whole MiB; what is not whole is kept exactly, as bytes
    return bytes->count % 1048576 == 0 && bytes->count >= 0 ? QJsonValue(slurmMemory(*bytes))
                                                            : QJsonValue(bytes->count);
}

QJsonObject environmentJson(const JobSpec::Environment& environment)
{
    QJsonObject variables;
    for (auto it = environment.variables.begin(); it != environment.variables.end(); ++it)
        variables.insert(it.key(), it.value());
    return {{u"container"_s, value(environment.container)},
        {u"modules"_s, QJsonArray::fromStringList(environment.modules)},
        {u"binds"_s, QJsonArray::fromStringList(environment.binds)}, {u"variables"_s, variables}};
}

QJsonValue flag(const std::optional<bool>& value) { return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null); }

QJsonArray overridesJson(const QList<OverrideBlock>& blocks)
{
    QJsonArray json;
    for (const OverrideBlock& block : blocks) {
        QJsonObject member{{u"after"_s, block.after}, {u"below"_s, block.below},
            {u"instead"_s, QJsonArray::fromStringList(block.instead)},
            {u"lines"_s, QJsonArray::fromStringList(block.lines)}};
        if (block.noFinalNewline)
            member.insert(u"noFinalNewline"_s, true);
        json.append(member);
    }
    return json;
}

QJsonObject optionsJson(const JobSpec::Options& options)
{
    return {{u"qos"_s, value(options.qos)}, {u"constraint"_s, value(options.constraint)},
        {u"exclude"_s, value(options.exclude)}, {u"exclusive"_s, flag(options.exclusive)},
        {u"localDisk"_s, memory(options.localDisk)}, {u"cpuBinding"_s, flag(options.cpuBinding)},
        {u"mpi"_s, value(options.mpi)}, {u"config"_s, value(options.config)}, {u"signal"_s, value(options.signal)},
        {u"requeue"_s, flag(options.requeue)}, {u"requeueAtLimit"_s, whole(options.requeueAtLimit)},
        {u"resumeArguments"_s, value(options.resumeArguments)}, {u"array"_s, value(options.array)},
        {u"dependency"_s, value(options.dependency)}, {u"output"_s, value(options.output)},
        {u"error"_s, value(options.error)}, {u"mailUser"_s, value(options.mailUser)},
        {u"mailType"_s, value(options.mailType)}};
}

QJsonObject trainingJson(const JobSpec::Training& training)
{
    return {{u"framework"_s, value(training.framework)}, {u"globalBatch"_s, whole(training.globalBatch)},
        {u"microBatch"_s, whole(training.microBatch)}, {u"sequence"_s, whole(training.sequence)},
        {u"precision"_s, word(training.precision)}, {u"optimizer"_s, value(training.optimizer)},
        {u"activationCheckpointing"_s, value(training.activationCheckpointing)},
        {u"attention"_s, value(training.attention)}, {u"offload"_s, value(training.offload)},
        {u"trainedFraction"_s, value(training.trainedFraction)}, {u"frozen"_s, value(training.frozen)},
        {u"datasetSamples"_s, whole(training.datasetSamples)}, {u"epochs"_s, value(training.epochs)}};
}

} // namespace

Result<ReadDesign> readDesign(const QByteArray& json, const QString& name)
{
    const auto object = parseJsonObject(json, name);
    if (!object)
        return fail(object.error());
    JsonReader reader(*object);
    const auto version = reader.integer(u"version"_s, 1, std::numeric_limits<int>::max());
    if (!reader.fault() && version != formatVersion) {
        return fail(Fault::Unreadable,
            version ? u"%1: $.version: this program reads designs of version 1, found %2"_s.arg(
                name, QString::number(*version))
                    : u"%1: $.version: a version is needed"_s.arg(name),
            u"$.version"_s, u"Put \"version\": 1 first, or open a newer design with a newer program."_s);
    }
    ReadDesign design;
    design.spec = readMembers(reader);
    if (reader.fault()) {
        Error error = reader.fault()->within(name);
        error.remedy = u"Correct that member; the format stands in docs/design_file.md."_s;
        return fail(error);
    }
    design.unknownMembers = reader.unknownMembers();
    return design;
}

QByteArray writeDesign(const JobSpec& spec)
{
    const QJsonObject resources{{u"nodes"_s, whole(spec.resources.nodes)},
        {u"gpusPerNode"_s, whole(spec.resources.gpusPerNode)}, {u"cpusPerGpu"_s, whole(spec.resources.cpusPerGpu)},
        {u"memoryPerNode"_s, memory(spec.resources.memoryPerNode)}};
    const QJsonObject parallel{{u"strategy"_s, word(spec.parallel.strategy)},
        {u"tensor"_s, whole(spec.parallel.tensor)}, {u"pipeline"_s, whole(spec.parallel.pipeline)},
        {u"context"_s, whole(spec.parallel.context)}};
    const QJsonObject monitor{
        {u"sampler"_s, flag(spec.monitor.sampler)}, {u"interval"_s, whole(spec.monitor.interval)}};
    const QJsonObject document{{u"version"_s, formatVersion}, {u"name"_s, spec.name}, {u"cluster"_s, spec.cluster},
        {u"partition"_s, value(spec.partition)}, {u"account"_s, value(spec.account)},
        {u"reservation"_s, value(spec.reservation)}, {u"time"_s, time(spec.time)}, {u"resources"_s, resources},
        {u"model"_s, spec.model.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(spec.model)},
        {u"training"_s, trainingJson(spec.training)}, {u"parallel"_s, parallel}, {u"launcher"_s, word(spec.launcher)},
        {u"environment"_s, environmentJson(spec.environment)}, {u"options"_s, optionsJson(spec.options)},
        {u"monitor"_s, monitor}, {u"command"_s, value(spec.command)}, {u"workdir"_s, value(spec.workdir)},
        {u"overrides"_s, overridesJson(spec.overrides)}};
    QByteArray json = QJsonDocument(document).toJson(QJsonDocument::Indented);
    // Qt takes a byte order mark at the beginning of any text for one and drops it: escaped, it stays.
    return json.replace("\xef\xbb\xbf", "\\ufeff");
}

} // namespace rankwright

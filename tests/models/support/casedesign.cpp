// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/casedesign.h"

#include "models/planner/design/enumwords.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::test {
namespace {

std::optional<Seconds> timeOf(const QJsonValue& walltime)
{
    const QString text = walltime.isDouble() ? QString::number(walltime.toInt()) : walltime.toString();
    const Result<Seconds> time = parseSlurmTime(text);
    return text.isEmpty() || !time ? std::nullopt : std::optional(*time);
}

/// The published words for strategies name training stacks as well.
void setStrategy(JobSpec& spec, const QJsonObject& inputs)
{
    const QString strategy = inputs.value(u"strategy"_s).toString();
    const QString sharding = inputs.value(u"sharding"_s).toString();
    spec.parallel.strategy = strategyFrom(strategy).value_or(Strategy::Ddp);
    if (strategy == u"pipeline")
        spec.parallel.strategy = Strategy::ThreeD;
    if (strategy == u"deepspeed")
        spec.parallel.strategy = Strategy::Zero2;
    if (sharding.startsWith(u"HYBRID"_s))
        spec.parallel.strategy = Strategy::Hsdp;
    if (strategy == u"hf-trainer" || strategy == u"lightning" || strategy == u"deepspeed")
        spec.training.framework = enumeratorOf<Framework>(strategy);
    const auto number = [&](const QString& key) {
        const int value = inputs.value(key).toInt();
        return value > 0 ? std::optional(value) : std::nullopt;
    };
    if (spec.parallel.strategy != Strategy::Single) {
        spec.parallel.tensor = number(u"tensor_parallel"_s);
        spec.parallel.pipeline = number(u"pipeline_parallel"_s);
    }
    spec.training.microBatch = number(u"micro_batch"_s);
    spec.training.globalBatch = number(u"global_batch"_s);
    const QString launcher = inputs.value(u"launcher"_s).toString();
    spec.launcher = launcher == u"mpirun" ? Launcher::Horovod : launcherFrom(launcher);
}

void setOptions(JobSpec& spec, const QJsonObject& inputs)
{
    auto& options = spec.options;
    if (inputs.contains(u"cpu_binding"_s))
        options.cpuBinding = inputs.value(u"cpu_binding"_s).toBool();
    if (inputs.contains(u"array"_s))
        options.array = inputs.value(u"array"_s).toString();
    if (inputs.value(u"requeue"_s).toBool() || inputs.value(u"auto_requeue"_s).toBool())
        options.requeue = true;
    static const QRegularExpression signal(u"^(\\w+) (\\d+) s before the end$"_s);
    const auto match = signal.match(inputs.value(u"signal"_s).toString());
    if (match.hasMatch())
        options.signal = match.captured(1) + u'@' + match.captured(2);
    if (inputs.value(u"whole_node_on_shared_partition"_s).toBool())
        options.exclusive = true;
}

void setUnpublished(JobSpec& spec, const QJsonObject& derived, const ClusterProfile& profile)
{
    const NodeShape* node = profile.nodeShape(spec.partition.value_or(QString()));
    if (node == nullptr)
        node = profile.nodeShape({});
    if ((node == nullptr || node->usableCores == 0) && derived.contains(u"cpus_per_gpu"_s))
        spec.resources.cpusPerGpu = derived.value(u"cpus_per_gpu"_s).toInt();
    if ((node == nullptr || node->memory.count == 0) && derived.contains(u"mem_gib_per_node"_s))
        spec.resources.memoryPerNode = Bytes::gib(derived.value(u"mem_gib_per_node"_s).toInt());
}

} // namespace

QList<ScriptCase> readScriptCases()
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/script_cases.jsonl"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QList<ScriptCase> cases;
    while (!file.atEnd()) {
        const QJsonObject row = QJsonDocument::fromJson(file.readLine()).object();
        if (!row.isEmpty())
            cases.append({row.value(u"id"_s).toString(), row});
    }
    return cases;
}

const ClusterProfile* clusterOf(const ScriptCase& one, const Catalogue& catalogue)
{
    const QString name = one.inputs().value(u"cluster"_s).toString().toLower();
    const ClusterProfile* profile = catalogue.find(name);
    return profile != nullptr ? profile : catalogue.find(u"generic"_s);
}

JobSpec designOf(const ScriptCase& one, const ClusterProfile& profile)
{
    const QJsonObject inputs = one.inputs();
    JobSpec spec;
    spec.cluster = profile.name;
    spec.name = u"case"_s;
    if (!inputs.value(u"job_name"_s).toString().startsWith(u'<'))
        spec.name = inputs.value(u"job_name"_s).toString(spec.name);
    const QString partition = inputs.value(u"partition"_s).toString();
    if (!partition.isEmpty() && !partition.startsWith(u'<'))
        spec.partition = partition;
    if (profile.launch.accountRequired)
        spec.account = profile.launch.accountExample.isEmpty() ? u"project"_s : profile.launch.accountExample;
    const QJsonValue nodes = inputs.value(inputs.contains(u"nodes_train"_s) ? u"nodes_train"_s : u"nodes"_s);
    if (nodes.isDouble())
        spec.resources.nodes = nodes.toInt();
    spec.resources.gpusPerNode = inputs.value(u"gpus_per_node"_s).toInt();
    spec.time = timeOf(inputs.value(u"walltime"_s));
    setStrategy(spec, inputs);
    if (!inputs.value(u"container"_s).toBool())
        spec.environment.container = u"none"_s;
    else if (profile.container.image.isEmpty())
        spec.environment.container = u"container.sif"_s;
    setOptions(spec, inputs);
    setUnpublished(spec, one.expected().value(u"derived"_s).toObject(), profile);
    spec.command = u"train.py"_s;
    return spec;
}

} // namespace rankwright::test

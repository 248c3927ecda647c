// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "models/core/hostlist.h"
#include "models/script/read/scriptbinding.h"
#include "models/script/write/scriptwriter.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonValue coresJson(const QList<int>& cores)
{
    if (cores.isEmpty())
        return {};
    QJsonArray list;
    for (const int core : cores)
        list.append(core);
    return list;
}

QJsonObject rankJson(const RankPlace& place)
{
    return {
        {u"rank"_s, place.rank},
        {u"node"_s, place.node},
        {u"localRank"_s, place.localRank},
        {u"gpu"_s, place.gpu},
        {u"numa"_s, orNull(place.numa)},
        {u"cores"_s, coresJson(place.cores)},
        {u"mask"_s, orNull(place.mask)},
    };
}

/// What srun would be given for a layout asked for by --order, --gpus-per-task or --all-threads.
struct AskedLayout {
    bool asked = false;
    TaskLayout layout;
    QList<QList<int>> tasks;
};

Result<int> wholeOption(const CliContext& context, const QString& name, int fallback)
{
    if (!context.has(name))
        return fallback;
    bool number = false;
    const int value = context.option(name).toInt(&number);
    if (!number || value < 1 || value > 64)
        return fail(Fault::Invalid, u"--%1 “%2” is not a valid number"_s.arg(name, context.option(name)), {},
            u"give a whole number from 1 to 64"_s);
    return value;
}

/// The options alone; their mistakes are of usage.
Result<AskedLayout> readLayout(const CliContext& context, int coresPerGpu)
{
    AskedLayout result;
    result.asked = context.has(u"order"_s) || context.has(u"gpus-per-task"_s) || context.has(u"all-threads"_s);
    const auto gpus = wholeOption(context, u"gpus-per-task"_s, 1);
    if (!gpus)
        return fail(gpus.error());
    result.layout.gpusPerTask = *gpus;
    result.layout.coresPerGpu = coresPerGpu;
    result.layout.allThreads = context.has(u"all-threads"_s);
    if (const QString order = context.option(u"order"_s); !order.isEmpty()) {
        const auto names = expandHostlist(u'[' + order + u']', 64);
        if (!names)
            return fail(Fault::Invalid, u"--order “%1” is not a list of GPUs"_s.arg(order), {}, u"write 0,1,3,2"_s);
        for (const QString& name : *names)
            result.layout.gpuOrder.append(name.toInt());
    }
    return result;
}

Result<QList<QList<int>>> tasksOf(const TaskLayout& layout, const LoadedDesign& design, const RankPlaces& plan)
{
    if (!plan.bound)
        return fail(Fault::Invalid, plan.unboundReason, {}, u"masks need whole nodes whose core map is published"_s);
    return coresBesideGpus(design.resolved.node, layout);
}

QJsonObject layoutJson(const AskedLayout& asked, const NodeShape& node)
{
    QJsonArray tasks;
    for (qsizetype task = 0; task < asked.tasks.size(); ++task) {
        tasks.append(QJsonObject{{u"task"_s, task}, {u"cores"_s, coresJson(asked.tasks.at(task))},
            {u"mask"_s, coreMask(asked.tasks.at(task))}});
    }
    return {{u"cpuBind"_s, maskOption(asked.tasks)}, {u"mapCpu"_s, mapOption(asked.tasks)},
        {u"gpuBind"_s, gpuOption(node, asked.layout)}, {u"tasks"_s, tasks}};
}

void printPlan(const CliContext& context, const RankPlaces& plan, const QString& gpuWord)
{
    TextTable table({u"rank"_s, u"node"_s, u"local"_s, gpuWord, u"NUMA"_s, u"cores"_s, u"mask"_s});
    for (const RankPlace& place : plan.ranks) {
        QStringList cores;
        for (const int core : place.cores)
            cores.append(QString::number(core));
        table.add({QString::number(place.rank), QString::number(place.node), QString::number(place.localRank),
            QString::number(place.gpu), place.numa ? QString::number(*place.numa) : u"not known"_s,
            cores.isEmpty() ? u"not bound"_s : cores.join(u','), place.mask});
    }
    table.print(context.out);
    context.out << (plan.bound ? plan.note : plan.unboundReason) << u'\n';
}

int runBind(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const RankPlaces plan
        = placesInScript(design->resolved, *design->profile, writtenScript(design->resolved, *design->profile).batch);
    auto asked = readLayout(context, design->resolved.cpusPerGpu);
    if (!asked)
        return report(context, asked.error());
    if (asked->asked) {
        const auto tasks = tasksOf(asked->layout, *design, plan);
        if (!tasks)
            return report(context, tasks.error(), ExitNo);
        asked->tasks = *tasks;
    }
    if (context.json) {
        QJsonArray ranks;
        for (const RankPlace& place : plan.ranks)
            ranks.append(rankJson(place));
        QJsonObject answer{{u"ranks"_s, ranks}, {u"bound"_s, plan.bound}, {u"boundBy"_s, toText(plan.boundBy)},
            {u"reason"_s, orNull(plan.bound ? QString() : plan.unboundReason)}, {u"note"_s, orNull(plan.note)}};
        if (asked->asked)
            answer.insert(u"layout"_s, layoutJson(*asked, design->resolved.node));
        printJson(context.out, answer);
        return ExitDone;
    }
    printPlan(context, plan, design->resolved.node.gpu.word);
    if (asked->asked)
        context.out << u"--cpu-bind="_s << maskOption(asked->tasks) << u"\n--cpu-bind="_s << mapOption(asked->tasks)
                    << u"\n--gpu-bind="_s << gpuOption(design->resolved.node, asked->layout) << u'\n';
    return ExitDone;
}

} // namespace

CliCommand bindCommand()
{
    return {
        .name = "bind",
        .summary = "Show the node, GPU, NUMA domain and cores of every rank",
        .words = "DESIGN",
        .run = runBind,
        .options = {{.name = "order", .value = "GPU,GPU,...", .text = "the GPUs of local rank 0, 1, ..."},
            {.name = "gpus-per-task", .value = "N", .text = "GPUs of one rank"},
            {.name = "all-threads", .text = "both hardware threads of a core"}},
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright

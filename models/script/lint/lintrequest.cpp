// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrequest.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

std::optional<int> positive(const QString& text)
{
    bool fine = false;
    const int number = text.trimmed().toInt(&fine);
    return fine && number > 0 ? std::optional(number) : std::nullopt;
}

std::optional<int> positive(const BatchOption* option) { return option ? positive(option->value) : std::nullopt; }

std::optional<Bytes> size(const BatchOption* option)
{
    if (option == nullptr)
        return std::nullopt;
    const Result<Bytes> read = parseSlurmMemory(option->value);
    return read ? std::optional(*read) : std::nullopt;
}

/// The options that ask for GPUs, each once, as it counts.
QList<const BatchOption*> gpuOptions(const BatchText& batch)
{
    QList<const BatchOption*> found;
    for (const QString& name :
        {u"gpus-per-node"_s, u"gres"_s, u"gpus"_s, u"gpus-per-task"_s, u"tres-per-task"_s, u"gpus-per-socket"_s}) {
        const BatchOption* option = batch.option(name);
        if (option && (name != u"gres" || gresGpu(option->value))
            && (name != u"tres-per-task" || tresGpu(option->value)))
            found.append(option);
    }
    return found;
}

std::optional<GpuCount> gpusOf(const BatchOption& option)
{
    if (option.name == u"tres-per-task")
        return tresGpu(option.value);
    return option.name == u"gres" ? gresGpu(option.value) : gpuCount(option.value);
}

void readTasks(LintRequest& request, const BatchText& batch)
{
    const BatchOption* nodes = batch.option(u"nodes"_s);
    request.nodesGiven = nodes != nullptr;
    request.nodes = nodes ? positive(nodes->value.section(u'-', 0, 0)) : std::nullopt;
    request.tasks = positive(batch.option(u"ntasks"_s));
    request.tasksPerNode = positive(batch.option(u"ntasks-per-node"_s));
    request.anyTaskOption = batch.option(u"ntasks"_s) || batch.option(u"ntasks-per-node"_s)
        || batch.option(u"ntasks-per-gpu"_s) || batch.option(u"ntasks-per-socket"_s);
    if (!nodes) {
        if (request.tasks && request.tasksPerNode)
            request.nodes = (*request.tasks + *request.tasksPerNode - 1) / *request.tasksPerNode;
        else if (!request.tasks || *request.tasks == 1)
            request.nodes = 1;
    }
    if (request.tasks && request.nodes && *request.tasks % *request.nodes == 0)
        request.tasksPerNode = *request.tasks / *request.nodes;
    else if (!request.anyTaskOption || (request.tasks && request.nodes && *request.tasks < *request.nodes))
        request.tasksPerNode = 1;
}

void readGpus(LintRequest& request, const BatchText& batch)
{
    request.gpuOptions = gpuOptions(batch);
    for (const BatchOption* option : std::as_const(request.gpuOptions)) {
        const std::optional<GpuCount> asked = gpusOf(*option);
        if (!asked)
            continue;
        if (!asked->type.isEmpty())
            request.gpuType = asked->type;
        if (option->name == u"gpus") {
            request.gpusTotal = asked->count;
            if (request.nodes && asked->count % *request.nodes == 0 && !request.gpusPerNode)
                request.gpusPerNode = asked->count / *request.nodes;
        } else if (option->name == u"gpus-per-task" || option->name == u"tres-per-task") {
            if (request.tasksPerNode && !request.gpusPerNode)
                request.gpusPerNode = asked->count * *request.tasksPerNode;
        } else if (option->name != u"gpus-per-socket") {
            request.gpusPerNode = asked->count;
        }
    }
}

} // namespace

std::optional<GpuCount> gpuCount(const QString& value)
{
    const QStringList parts = value.split(u':');
    const std::optional<int> count = positive(parts.last());
    if (parts.size() == 1)
        return count ? std::optional(GpuCount{{}, *count}) : std::nullopt;
    if (parts.size() == 2 && !parts.first().isEmpty() && count)
        return GpuCount{parts.first(), *count};
    return std::nullopt;
}

std::optional<GpuCount> gresGpu(const QString& value)
{
    for (const QString& item : value.split(u',')) {
        const QStringList parts = item.trimmed().split(u':');
        if (parts.first() != u"gpu" && parts.first() != u"gres/gpu")
            continue;
        if (parts.size() == 1)
            return GpuCount{{}, 1};
        if (parts.size() == 2)
            return positive(parts.at(1)) ? GpuCount{{}, *positive(parts.at(1))} : GpuCount{parts.at(1), 1};
        if (const std::optional<int> count = positive(parts.at(2)))
            return GpuCount{parts.at(1), *count};
        return std::nullopt;
    }
    return std::nullopt;
}

std::optional<GpuCount> tresGpu(const QString& value)
{
    for (const QString& item : value.split(u',')) {
        QString text = item.trimmed();
        if (!text.startsWith(u"gres/gpu") && !text.startsWith(u"gres:gpu"))
            continue;
        return gresGpu(text.mid(5).replace(u'=', u':'));
    }
    return std::nullopt;
}

std::optional<int> arrayTasks(const QString& value)
{
    static const QRegularExpression item(u"^(\\d{1,7})(?:-(\\d{1,7})(?::(\\d{1,7}))?)?$"_s);
    qint64 tasks = 0;
    const QString list = value.section(u'%', 0, 0).remove(u'[').remove(u']');
    for (const QString& part : list.split(u',')) {
        const auto match = item.match(part.trimmed());
        if (!match.hasMatch())
            return std::nullopt;
        const int first = match.captured(1).toInt();
        const int last = match.captured(2).isEmpty() ? first : match.captured(2).toInt();
        const int step = match.captured(3).isEmpty() ? 1 : match.captured(3).toInt();
        if (last < first || step < 1)
            return std::nullopt;
        tasks += (last - first) / step + 1;
    }
    return tasks <= 10'000'000 ? std::optional(int(tasks)) : std::nullopt;
}

std::optional<int> tresCores(const QString& value)
{
    for (const QString& item : value.split(u',')) {
        const QString text = item.trimmed();
        if (text.startsWith(u"cpu=") || text.startsWith(u"cpu:"))
            return positive(text.mid(4));
    }
    return std::nullopt;
}

std::optional<int> LintRequest::coresPerNode() const
{
    if (!cpusPerTask || !tasksPerNode)
        return std::nullopt;
    return *cpusPerTask * *tasksPerNode;
}

LintRequest readRequest(const BatchText& batch)
{
    LintRequest request;
    readTasks(request, batch);
    readGpus(request, batch);
    request.cpusPerTask = positive(batch.option(u"cpus-per-task"_s));
    if (const BatchOption* each = batch.option(u"tres-per-task"_s); each && !request.cpusPerTask)
        request.cpusPerTask = tresCores(each->value);
    const BatchOption* memory = batch.option(u"mem"_s);
    request.wholeMemory = memory && memory->value.trimmed() == u"0";
    if (!request.wholeMemory)
        request.memory = size(memory);
    request.memoryPerGpu = size(batch.option(u"mem-per-gpu"_s));
    request.memoryPerCpu = size(batch.option(u"mem-per-cpu"_s));
    if (const BatchOption* time = batch.option(u"time"_s)) {
        const Result<Seconds> read = parseSlurmTime(time->value);
        request.time = read ? std::optional(*read) : std::nullopt;
    }
    request.exclusive = batch.option(u"exclusive"_s) != nullptr;
    return request;
}

} // namespace rankwright::inline script::lint

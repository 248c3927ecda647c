// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/cpumasks.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr int mostCores = 4096;

const GpuPlace* placeOf(const NodeShape& node, int gpu)
{
    const auto found = std::find_if(
        node.places.cbegin(), node.places.cend(), [gpu](const GpuPlace& place) { return place.gpu == gpu; });
    return found == node.places.cend() ? nullptr : &*found;
}

QList<int> orderOf(const NodeShape& node, const TaskLayout& layout)
{
    if (!layout.gpuOrder.isEmpty())
        return layout.gpuOrder;
    QList<int> order;
    for (int gpu = 0; gpu < node.gpus; ++gpu)
        order.append(gpu);
    return order;
}

Error layoutError(const QString& what, const QString& remedy = {}) { return {Fault::Invalid, what, {}, remedy}; }

/// A hexadecimal mask without leading zeros beyond `least` digits.
QString hexMask(const QList<int>& bits, int least)
{
    int highest = 4 * least - 1;
    for (const int bit : bits)
        highest = qMax(highest, bit);
    QList<int> digits(highest / 4 + 1, 0);
    for (const int bit : bits) {
        if (bit >= 0)
            digits[digits.size() - 1 - bit / 4] |= 1 << (bit % 4);
    }
    QString mask = u"0x"_s;
    for (const int digit : std::as_const(digits))
        mask += QString::number(digit, 16);
    return mask;
}

/// Adds the cores of one GPU to a task; the further threads of all its cores come after the first ones.
Result<QList<int>> coresOfTask(const NodeShape& node, const QList<int>& gpus, const TaskLayout& layout)
{
    QList<int> cores;
    for (const int gpu : gpus) {
        const GpuPlace* place = placeOf(node, gpu);
        if (place == nullptr)
            return fail(layoutError(u"the map of the node has no GPU %1"_s.arg(gpu)));
        const int wanted = layout.coresPerGpu > 0 ? layout.coresPerGpu : int(place->cores.size());
        if (wanted > place->cores.size() || place->cores.isEmpty())
            return fail(
                layoutError(u"%1 cores are wanted beside GPU %2, a job can have %3 there"_s.arg(wanted).arg(gpu).arg(
                    place->cores.size())));
        cores += place->cores.mid(0, wanted);
    }
    const qsizetype own = cores.size();
    for (int thread = 1; layout.allThreads && thread < node.threadsPerCore; ++thread) {
        for (qsizetype i = 0; i < own; ++i)
            cores.append(cores.at(i) + thread * node.cores);
    }
    return cores;
}

} // namespace

QString coreMask(const QList<int>& cores) { return hexMask(cores, 16); }

Result<QList<int>> coresOfMask(const QString& mask)
{
    QString digits = mask.trimmed();
    if (digits.startsWith(u"0x"_s, Qt::CaseInsensitive))
        digits = digits.mid(2);
    const bool hexadecimal = std::all_of(digits.cbegin(), digits.cend(),
        [](QChar c) { return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F'); });
    if (digits.isEmpty() || !hexadecimal || digits.size() > mostCores / 4)
        return fail(layoutError(u"“%1” is not a mask of cores"_s.arg(mask.left(60)),
            u"write hexadecimal digits, such as fe or 0xfe for cores 1 to 7"_s));
    QList<int> cores;
    for (qsizetype at = 0; at < digits.size(); ++at) {
        const int digit = QStringView(digits).mid(digits.size() - 1 - at, 1).toInt(nullptr, 16);
        for (int bit = 0; bit < 4; ++bit) {
            if (digit & (1 << bit))
                cores.append(int(at) * 4 + bit);
        }
    }
    return cores;
}

QList<QList<int>> coresOfBinding(const QString& value)
{
    static const QRegularExpression form(
        u"(mask_cpu|map_cpu)[:=]((?:0x)?[0-9a-f]+(?:,(?:0x)?[0-9a-f]+)*)"_s, QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(value);
    const bool single = match.captured(1).compare(u"map_cpu"_s, Qt::CaseInsensitive) == 0;
    QList<QList<int>> tasks;
    for (const QString& item : match.captured(2).split(u',', Qt::SkipEmptyParts)) {
        bool fine = true;
        const int core = single ? item.toInt(&fine, 0) : 0;
        const Result<QList<int>> cores = single ? Result<QList<int>>(QList<int>{core}) : coresOfMask(item);
        if (!fine || !cores)
            return {};
        tasks.append(*cores);
    }
    return tasks;
}

Result<QList<QList<int>>> coresBesideGpus(const NodeShape& node, const TaskLayout& layout)
{
    if (node.places.isEmpty())
        return fail(layoutError(u"which cores are next to which %1 is not published"_s.arg(node.gpu.word)));
    const QList<int> order = orderOf(node, layout);
    const int each = qMax(1, layout.gpusPerTask);
    if (order.size() % each != 0)
        return fail(layoutError(u"%1 %2s cannot be shared out to tasks of %3"_s.arg(
            QString::number(order.size()), node.gpu.word, QString::number(each))));
    QList<int> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.cbegin(), sorted.cend()); twice != sorted.cend())
        return fail(layoutError(u"the order names %1 %2 twice"_s.arg(node.gpu.word).arg(*twice)));
    QList<QList<int>> tasks;
    for (qsizetype first = 0; first < order.size(); first += each) {
        auto cores = coresOfTask(node, order.mid(first, each), layout);
        if (!cores)
            return fail(cores.error());
        tasks.append(*cores);
    }
    return tasks;
}

QString maskOption(const QList<QList<int>>& tasks)
{
    QStringList masks;
    for (const QList<int>& cores : tasks)
        masks.append(coreMask(cores));
    return u"mask_cpu:"_s + masks.join(u',');
}

QString mapOption(const QList<QList<int>>& tasks)
{
    QStringList firsts;
    for (const QList<int>& cores : tasks) {
        if (!cores.isEmpty())
            firsts.append(QString::number(cores.first()));
    }
    return u"map_cpu:"_s + firsts.join(u',');
}

QString gpuOption(const NodeShape& node, const TaskLayout& layout)
{
    const QList<int> order = orderOf(node, layout);
    const int each = qMax(1, layout.gpusPerTask);
    QStringList words;
    for (qsizetype first = 0; first < order.size(); first += each)
        words.append(each == 1 ? QString::number(order.at(first)) : hexMask(order.mid(first, each), 2));
    return (each == 1 ? u"map:"_s : u"mask:"_s) + words.join(u',');
}

Result<QList<QList<int>>> slurmTaskCpus(
    const SocketLayout& node, int tasks, int cpusPerTask, Spread spread, CoreThreads counted)
{
    const int perCore = counted == CoreThreads::One ? 1 : qMax(1, node.threadsPerCore);
    const int cores = (cpusPerTask + perCore - 1) / perCore; // of each task; threads of one core never go to two tasks
    const int total = node.sockets * node.coresPerSocket;
    if (tasks < 1 || cpusPerTask < 1 || qint64(cores) * tasks > total)
        return fail(
            layoutError(u"%1 tasks of %2 CPUs do not fit a node of %3 cores"_s.arg(tasks).arg(cpusPerTask).arg(total)));
    QList<int> used(node.sockets, 0); // cores handed out on each socket
    QList<QList<int>> result;
    int socket = 0;
    for (int task = 0; task < tasks; ++task) {
        QList<int> own;
        if (spread == Spread::Cyclic)
            socket = task % node.sockets;
        while (own.size() < cores) { // a task that is larger than what is left goes on with the next socket
            if (used.at(socket) < node.coresPerSocket)
                own.append(socket * node.coresPerSocket + used[socket]++);
            else
                socket = (socket + 1) % node.sockets;
        }
        for (int thread = 1; thread < perCore; ++thread) {
            for (int core = 0; core < cores && own.size() < cpusPerTask; ++core)
                own.append(own.at(core) + thread * total);
        }
        result.append(own);
    }
    return result;
}

} // namespace rankwright::inline planner

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/stack/stackmemory.h"

#include "models/planner/estimate/network/plannerdata.h"
#include "models/planner/estimate/stack/stacknames.h"

#include <QHash>
#include <QJsonArray>

#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

struct NumberHabit {
    QStringView key;
    double StackMemory::*member;
};

struct FlagHabit {
    QStringView key;
    bool StackMemory::*member;
};

constexpr NumberHabit numberDefaults[] = {
    {u"gradientBytes", &StackMemory::gradientBytes},
    {u"gradientCopyBytes", &StackMemory::gradientCopyBytes},
    {u"reduceCopyBytes", &StackMemory::reduceCopyBytes},
    {u"bucketElements", &StackMemory::bucketElements},
    {u"bucketCopies", &StackMemory::bucketCopies},
    {u"bucketCopiesAlone", &StackMemory::bucketCopiesAlone},
    {u"attentionCopies", &StackMemory::attentionCopies},
    {u"liveElements", &StackMemory::liveElements},
    {u"workspaceBytes", &StackMemory::workspaceBytes},
    {u"float8CacheBytes", &StackMemory::float8CacheBytes},
    {u"float8EagerBytes", &StackMemory::float8EagerBytes},
    {u"lossBytes", &StackMemory::lossBytes},
    {u"lossBytesCompiled", &StackMemory::lossBytesCompiled},
    {u"lossBytesLocal", &StackMemory::lossBytesLocal},
    {u"lossBytesLocalCompiled", &StackMemory::lossBytesLocalCompiled},
    {u"lossBytesExperts", &StackMemory::lossBytesExperts},
    {u"lossChunks", &StackMemory::lossChunks},
    {u"lossBytesInPlace", &StackMemory::lossBytesInPlace},
    {u"lossHidden", &StackMemory::lossHidden},
    {u"lossTokens", &StackMemory::lossTokens},
    {u"maskedShare", &StackMemory::maskedShare},
    {u"liveFactor", &StackMemory::liveFactor},
    {u"adapterRank", &StackMemory::adapterRank},
    {u"ownTables", &StackMemory::ownTables},
    {u"keptRatio", &StackMemory::keptRatio},
    {u"keptRatioSharded", &StackMemory::keptRatioSharded},
    {u"quantisingBytes", &StackMemory::quantisingBytes},
    {u"subGroupElements", &StackMemory::subGroupElements},
    {u"usualMicroBatch", &StackMemory::usualMicroBatch},
    {u"usualTokens", &StackMemory::usualTokens},
    {u"adapterBytes", &StackMemory::adapterBytes},
    {u"adapterStateBytes", &StackMemory::adapterStateBytes},
    {u"gatedBytes", &StackMemory::gatedBytes},
    {u"gatedBytesCompiled", &StackMemory::gatedBytesCompiled},
    {u"plainBytes", &StackMemory::plainBytes},
    {u"normBytes", &StackMemory::normBytes},
    {u"targetShare", &StackMemory::targetShare},
    {u"offloadedShare", &StackMemory::offloadedShare},
    {u"reservedRatio", &StackMemory::reservedRatio},
    {u"contextShare", &StackMemory::contextShare},
    {u"collectiveBytes", &StackMemory::collectiveBytes},
    {u"spreadAllocated", &StackMemory::spreadAllocated},
    {u"spreadReserved", &StackMemory::spreadReserved},
    {u"spreadVendorTool", &StackMemory::spreadVendorTool},
};

constexpr FlagHabit flagDefaults[] = {
    {u"masterWeights", &StackMemory::masterWeights},
    {u"gradientCopySharded", &StackMemory::gradientCopySharded},
    {u"gradientsResident", &StackMemory::gradientsResident},
    {u"castCache", &StackMemory::castCache},
    {u"bucketIsView", &StackMemory::bucketIsView},
    {u"foreachOptimizer", &StackMemory::foreachOptimizer},
    {u"autocastNorms", &StackMemory::autocastNorms},
    {u"hostCheckpoints", &StackMemory::hostCheckpoints},
    {u"kbitStream", &StackMemory::kbitStream},
    {u"recomputes", &StackMemory::recomputes},
    {u"wholeGradients", &StackMemory::wholeGradients},
    {u"eagerNorms", &StackMemory::eagerNorms},
    {u"adaptsAll", &StackMemory::adaptsAll},
    {u"chunksLoss", &StackMemory::chunksLoss},
    {u"fusesLoss", &StackMemory::fusesLoss},
    {u"heldInputGradients", &StackMemory::heldInputGradients},
    {u"rootGathered", &StackMemory::rootGathered},
    {u"frozenUnsharded", &StackMemory::frozenUnsharded},
};

struct Tables {
    QStringList names;
    QHash<QString, StackMemory> stacks;
    QHash<QString, QString> sources; ///< "stack/default"
    QHash<QString, QHash<QString, QStringList>> taught; ///< of a stack: default, sources of the runs that taught it
    StackMemory unknown;
};

QStringList texts(const QJsonValue& value)
{
    QStringList result;
    for (const QJsonValue& one : value.toArray())
        result.append(one.toString());
    return result;
}

StackMemory readStack(const QJsonObject& json, Tables& tables)
{
    const QString name = json.value(u"name"_s).toString();
    StackMemory stack = tables.stacks.value(json.value(u"like"_s).toString());
    stack.source = json.value(u"source"_s).toString();
    stack.nearest = json.value(u"nearest"_s).toString();
    const QJsonObject defaults = json.value(u"habits"_s).toObject();
    QHash<QString, QStringList> taught = tables.taught.value(json.value(u"like"_s).toString());
    for (auto habit = defaults.begin(); habit != defaults.end(); ++habit) {
        const QJsonArray cells = habit->toArray();
        tables.sources.insert(name + u'/' + habit.key(), cells.at(1).toString());
        taught.remove(habit.key());
        if (cells.size() > 2)
            taught.insert(habit.key(), texts(cells.at(2)));
    }
    stack.evidence.clear();
    for (const QStringList& sources : taught)
        stack.evidence += sources;
    stack.evidence.sort();
    stack.evidence.removeDuplicates();
    tables.taught.insert(name, taught);
    const auto figure = [&defaults](QStringView key) { return defaults.value(key).toArray().at(0); };
    for (const auto& [key, member] : numberDefaults)
        stack.*member = figure(key).toDouble(stack.*member);
    for (const auto& [key, member] : flagDefaults)
        stack.*member = figure(key).toBool(stack.*member);
    return stack;
}

const Tables& tables()
{
    static const Tables known = [] {
        Tables read;
        for (const QJsonValue& one : plannerData(u"stacks-memory.json"_s).value(u"stacks"_s).toArray()) {
            const QString name = one.toObject().value(u"name"_s).toString();
            StackMemory stack = readStack(one.toObject(), read);
            read.names.append(name);
            read.stacks.insert(name, std::move(stack));
        }
        read.unknown = read.stacks.value(stackname::generic);
        return read;
    }();
    return known;
}

/// `past` are stacks that were asked before: two may be each other's nearest.
StackMemory without(const QString& name, const QString& source, QStringList past)
{
    StackMemory stack = stackMemory(name);
    const QHash<QString, QStringList> taught = tables().taught.value(name);
    const auto isTaught = [&](QStringView habit) { return taught.value(habit.toString()).contains(source); };
    if (!stack.evidence.contains(source))
        return stack;
    past.append(name);
    const bool turns = stack.nearest.isEmpty() || past.contains(stack.nearest);
    const QString other = turns ? stackname::generic : stack.nearest;
    const StackMemory nearest = past.contains(other) ? StackMemory{} : without(other, source, past);
    for (const auto& [key, member] : numberDefaults)
        if (isTaught(key))
            stack.*member = nearest.*member;
    for (const auto& [key, member] : flagDefaults)
        if (isTaught(key))
            stack.*member = nearest.*member;
    stack.evidence.removeAll(source);
    return stack;
}

} // namespace

QStringList memoryStacks() { return tables().names; }

const StackMemory& stackMemory(const QString& name)
{
    const auto found = tables().stacks.constFind(name);
    return found == tables().stacks.constEnd() ? tables().unknown : *found;
}

StackMemory stackMemoryWithout(const QString& name, const QString& source) { return without(name, source, {}); }

QString habitSource(const QString& name, const QString& habit) { return tables().sources.value(name + u'/' + habit); }

} // namespace rankwright::inline planner

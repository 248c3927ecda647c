// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/estimate/stack/stackmemory.h"

#include "models/estimate/network/plannerdata.h"
#include "models/estimate/stack/stacknames.h"

#include <QHash>
#include <QJsonArray>

#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright {

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
    stack.evidence = texts(json.value(u"evidence"_s));
    const QJsonObject defaults = json.value(u"habits"_s).toObject();
    for (auto habit = defaults.begin(); habit != defaults.end(); ++habit)
        tables.sources.insert(name + u'/' + habit.key(), habit->toArray().at(1).toString());
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

} // namespace

QStringList memoryStacks() { return tables().names; }

const StackMemory& stackMemory(const QString& name)
{
    const auto found = tables().stacks.constFind(name);
    return found == tables().stacks.constEnd() ? tables().unknown : *found;
}

QString habitSource(const QString& name, const QString& habit) { return tables().sources.value(name + u'/' + habit); }

} // namespace rankwright

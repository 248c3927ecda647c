// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/stack/stackspeed.h"

#include "models/planner/estimate/network/plannerdata.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

/// How a level changes what the wider level says: by a factor, or (shares between 0 and 1) by a shift of the log-odds.
enum class Scale { Factor, Odds };

struct Constant {
    QString name;
    double StackSpeed::*member;
    Scale scale = Scale::Factor;
};

const QList<Constant>& constants()
{
    static const QList<Constant> all{
        {u"linearEfficiency"_s, &StackSpeed::linearEfficiency},
        {u"rollOff"_s, &StackSpeed::rollOff},
        {u"elementwise"_s, &StackSpeed::elementwise},
        {u"compiledElementwise"_s, &StackSpeed::compiledElementwise},
        {u"launch"_s, &StackSpeed::launch},
        {u"backwardLaunch"_s, &StackSpeed::backwardLaunch},
        {u"tensorLaunch"_s, &StackSpeed::tensorLaunch},
        {u"contextLaunch"_s, &StackSpeed::contextLaunch},
        {u"unfusedSoftmax"_s, &StackSpeed::unfusedSoftmax},
        {u"crossLaunch"_s, &StackSpeed::crossLaunch},
        {u"attentionEfficiency"_s, &StackSpeed::attentionEfficiency},
        {u"scoreTraffic"_s, &StackSpeed::scoreTraffic},
        {u"collectiveLatency"_s, &StackSpeed::collectiveLatency},
        {u"nodeBus"_s, &StackSpeed::nodeBus},
        {u"network"_s, &StackSpeed::network},
        {u"gatherNetwork"_s, &StackSpeed::gatherNetwork},
        {u"gatherOverlap"_s, &StackSpeed::gatherOverlap, Scale::Odds},
        {u"gradientVolume"_s, &StackSpeed::gradientVolume},
        {u"reduceOverlap"_s, &StackSpeed::reduceOverlap, Scale::Odds},
        {u"sendLatency"_s, &StackSpeed::sendLatency},
        {u"sendBandwidth"_s, &StackSpeed::sendBandwidth},
        {u"stepOverhead"_s, &StackSpeed::stepOverhead},
        {u"optimizerBandwidth"_s, &StackSpeed::optimizerBandwidth},
        {u"optimizerLaunch"_s, &StackSpeed::optimizerLaunch},
        {u"hostOptimizer"_s, &StackSpeed::hostOptimizer},
        {u"float8Tensorwise"_s, &StackSpeed::float8Tensorwise},
        {u"float8Rowwise"_s, &StackSpeed::float8Rowwise},
        {u"lossTraffic"_s, &StackSpeed::lossTraffic},
        {u"straggling"_s, &StackSpeed::straggling},
        {u"misaligned"_s, &StackSpeed::misaligned},
        {u"expertEfficiency"_s, &StackSpeed::expertEfficiency},
        {u"convolutionEfficiency"_s, &StackSpeed::convolutionEfficiency},
        {u"convolutionTraffic"_s, &StackSpeed::convolutionTraffic},
    };
    return all;
}

/// What one level changes: constants by their place in constants().
struct Level {
    QList<std::pair<int, double>> changes;
    std::optional<double> spread;
    QString source;
};

struct SpeedTables {
    StackSpeed all; ///< the widest level
    QHash<QString, Level> levels; ///< "gpu a100", "kind megatron", "stack nemo", "stack nemo on h100"
    QHash<QString, QString> kinds; ///< of a stack
    QStringList fusedFloat8, overlapsTensor, dispatchesByNode;
};

Level readLevel(const QJsonObject& json)
{
    Level level;
    for (int i = 0; i < constants().size(); ++i) {
        if (const QJsonValue change = json.value(constants().at(i).name); change.isDouble())
            level.changes.append({i, change.toDouble()});
    }
    if (const QJsonValue spread = json.value(u"spread"_s); spread.isDouble())
        level.spread = spread.toDouble();
    level.source = json.value(u"source"_s).toString();
    return level;
}

SpeedTables readTables()
{
    SpeedTables read;
    const QJsonObject json = plannerData(u"stacks-speed.json"_s);
    const QJsonObject kinds = json.value(u"kinds"_s).toObject();
    for (auto kind = kinds.begin(); kind != kinds.end(); ++kind) {
        for (const QJsonValue& stack : kind.value().toArray())
            read.kinds.insert(stack.toString(), kind.key());
    }
    const auto namesOf = [&json](const QString& list) {
        QStringList names;
        for (const QJsonValue& stack : json.value(list).toArray())
            names.append(stack.toString());
        return names;
    };
    read.fusedFloat8 = namesOf(u"fusedFloat8"_s);
    read.overlapsTensor = namesOf(u"overlapsTensor"_s);
    read.dispatchesByNode = namesOf(u"dispatchesByNode"_s);
    for (const QJsonValue& one : json.value(u"levels"_s).toArray()) {
        const QJsonObject object = one.toObject();
        const QString name = object.value(u"level"_s).toString();
        const Level level = readLevel(object);
        read.levels.insert(name, level);
        if (name != u"all")
            continue;
        for (const auto& [place, value] : level.changes)
            read.all.*constants().at(place).member = value;
        read.all.spread = object.value(u"spreadUnseen"_s).toDouble(0.5);
        read.all.source = level.source;
    }
    return read;
}

const SpeedTables& speedTables()
{
    static const SpeedTables known = readTables();
    return known;
}

/// "fsdp2-2024" is "fsdp2" in its state of 2024: an own level on a GPU, all else in common.
QString baseStack(const QString& stack)
{
    static const QRegularExpression year(u"-20\\d\\d$"_s);
    const QRegularExpressionMatch match = year.match(stack);
    return match.hasMatch() ? stack.left(match.capturedStart()) : stack;
}

double shifted(double value, double change, Scale scale)
{
    if (scale == Scale::Factor)
        return value * change;
    const double odds = std::log(value / (1 - value)) + change;
    return 1 / (1 + std::exp(-odds));
}

} // namespace

QStringList speedConstants()
{
    QStringList names;
    for (const Constant& constant : constants())
        names.append(constant.name);
    return names;
}

void setSpeedConstant(StackSpeed& speed, const QString& name, double value)
{
    for (const Constant& constant : constants()) {
        if (constant.name == name)
            speed.*constant.member = value;
    }
}

QString stackKind(const QString& stack) { return speedTables().kinds.value(baseStack(stack)); }

StackSpeed stackSpeed(const QString& stack, const QString& gpuClass)
{
    const SpeedTables& tables = speedTables();
    StackSpeed speed = tables.all;
    speed.fusedFloat8 = tables.fusedFloat8.contains(baseStack(stack));
    speed.overlapsTensor = tables.overlapsTensor.contains(baseStack(stack));
    speed.dispatchesByNode = tables.dispatchesByNode.contains(baseStack(stack));
    const QString ofStack = u"stack "_s + baseStack(stack);
    const QString ofPair = u"stack "_s + stack + u" on "_s + gpuClass;
    const QStringList names{u"gpu "_s + gpuClass, u"kind "_s + stackKind(stack), ofStack, ofPair};
    for (qsizetype i = 0; i < names.size(); ++i) {
        const auto level = tables.levels.constFind(names.at(i));
        if (level == tables.levels.constEnd())
            continue;
        for (const auto& [place, change] : level->changes) {
            const Constant& constant = constants().at(place);
            speed.*constant.member = shifted(speed.*constant.member, change, constant.scale);
        }
        speed.spread = level->spread.value_or(speed.spread);
        if (i >= 2)
            speed.source = level->source;
        speed.known = i == 3;
    }
    if (!speed.known) // a stack that one knows, on a GPU that it was never measured on
        speed.spread = std::max(speed.spread, (speed.spread + tables.all.spread) / 2);
    return speed;
}

} // namespace rankwright::inline planner

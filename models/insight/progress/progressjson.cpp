// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressjson.h"

#include "models/core/jsonvalue.h"

#include <cmath>
#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr auto frameworkMember = "framework"_L1;
constexpr auto epochMember = "epoch"_L1;
constexpr auto epochsMember = "epochs"_L1;
constexpr auto stepMember = "step"_L1;
constexpr auto stepsMember = "steps"_L1;
constexpr auto lossMember = "loss"_L1;
constexpr auto lostLossMember = "lossNotFinite"_L1;
constexpr auto rateMember = "rate"_L1;
constexpr auto rateUnitMember = "rateUnit"_L1;
constexpr auto etaMember = "etaSeconds"_L1;
constexpr auto withinEpochMember = "stepWithinEpoch"_L1;
constexpr auto stepSecondsMember = "stepSeconds"_L1;
constexpr auto microBatchMember = "microBatch"_L1;
constexpr auto globalBatchMember = "globalBatch"_L1;

constexpr auto rewardMember = "reward"_L1;
constexpr auto klMember = "kl"_L1;
constexpr auto evalLossMember = "evalLoss"_L1;
constexpr auto tokensMember = "tokensPerSecond"_L1;
constexpr auto samplesMember = "samplesPerSecond"_L1;

constexpr qint64 least = std::numeric_limits<qint64>::min();
constexpr qint64 largest = std::numeric_limits<qint64>::max();

} // namespace

QJsonObject progressJson(const TrainingProgress& progress)
{
    QJsonObject json{
        {frameworkMember, orNull(progress.framework)},
        {epochMember, orNull(progress.epoch)},
        {epochsMember, orNull(progress.epochs)},
        {stepMember, orNull(progress.step)},
        {stepsMember, orNull(progress.steps)},
        {lossMember, orNull(progress.loss)},
        {rateMember, orNull(progress.rate)},
        {rateUnitMember, orNull(progress.rateUnit)},
        {etaMember, orNull(progress.etaSeconds)},
        {withinEpochMember, progress.stepWithinEpoch},
        {stepSecondsMember, orNull(progress.stepSeconds)},
        {microBatchMember, orNull(progress.microBatch)},
        {globalBatchMember, orNull(progress.globalBatch)},
    };
    if (progress.loss && !std::isfinite(*progress.loss))
        json.insert(lostLossMember, true); // JSON has no such number
    for (const auto& [member, value] : {std::pair(rewardMember, progress.reward), std::pair(klMember, progress.kl),
             std::pair(evalLossMember, progress.evalLoss), std::pair(tokensMember, progress.tokensPerSecond),
             std::pair(samplesMember, progress.samplesPerSecond)}) {
        if (value && std::isfinite(*value))
            json.insert(member, *value);
    }
    return json;
}

Result<TrainingProgress> progressFromJson(JsonReader json)
{
    TrainingProgress progress;
    progress.framework = json.text(frameworkMember).value_or(QString());
    progress.epoch = json.number(epochMember);
    progress.epochs = json.number(epochsMember);
    progress.step = json.integer(stepMember, least, largest);
    progress.steps = json.integer(stepsMember, least, largest);
    progress.loss = json.number(lossMember);
    if (json.flag(lostLossMember).value_or(false))
        progress.loss = std::numeric_limits<double>::quiet_NaN();
    progress.rate = json.number(rateMember);
    progress.rateUnit = json.text(rateUnitMember).value_or(QString());
    progress.etaSeconds = json.number(etaMember);
    progress.stepWithinEpoch = json.flag(withinEpochMember).value_or(false);
    progress.stepSeconds = json.number(stepSecondsMember);
    progress.microBatch = json.integer(microBatchMember, least, largest);
    progress.globalBatch = json.integer(globalBatchMember, least, largest);
    progress.reward = json.number(rewardMember);
    progress.kl = json.number(klMember);
    progress.evalLoss = json.number(evalLossMember);
    progress.tokensPerSecond = json.number(tokensMember);
    progress.samplesPerSecond = json.number(samplesMember);
    if (json.fault())
        return fail(*json.fault());
    return progress;
}

} // namespace rankwright::inline insight

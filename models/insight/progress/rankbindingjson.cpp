// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/rankbindingjson.h"

#include "models/core/jsonvalue.h"

#include <QJsonArray>

#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr auto stateMember = "state"_L1;
constexpr auto ranksMember = "ranks"_L1;
constexpr auto boundMember = "bound"_L1;
constexpr auto notAsPlannedMember = "notAsPlanned"_L1;
constexpr auto startsMember = "starts"_L1;
constexpr auto beganMember = "began"_L1;
constexpr auto titleMember = "title"_L1;
constexpr auto textMember = "text"_L1;
constexpr auto firstMember = "first"_L1;
constexpr auto differingMember = "differing"_L1;
constexpr auto rankMember = "rank"_L1;
constexpr auto nodeMember = "node"_L1;
constexpr auto coresMember = "cores"_L1;
constexpr auto plannedCoresMember = "plannedCores"_L1;
constexpr auto coresPlannedMember = "coresPlanned"_L1;
constexpr auto comparableMember = "comparable"_L1;
constexpr auto deviceMember = "device"_L1;
constexpr auto plannedDeviceMember = "plannedDevice"_L1;
constexpr int largestInt = std::numeric_limits<int>::max();

QJsonObject reportJson(const RankReport& report)
{
    return {{rankMember, report.rank}, {nodeMember, orNull(report.node)}, {coresMember, orNull(report.cores)},
        {plannedCoresMember, orNull(report.plannedCores)}, {coresPlannedMember, report.coresPlanned},
        {comparableMember, report.comparable}, {deviceMember, orNull(report.device)},
        {plannedDeviceMember, orNull(report.plannedDevice)}, {textMember, rankReportText(report)}};
}

RankReport reportFrom(JsonReader& json, int worldSize)
{
    RankReport report;
    report.rank = json.whole(rankMember, 0, largestInt).value_or(0);
    report.worldSize = worldSize;
    report.node = json.text(nodeMember).value_or(QString());
    report.cores = json.text(coresMember).value_or(QString());
    report.plannedCores = json.text(plannedCoresMember).value_or(QString());
    report.coresPlanned = json.flag(coresPlannedMember).value_or(false);
    report.comparable = json.flag(comparableMember).value_or(true);
    report.device = json.text(deviceMember).value_or(QString());
    report.plannedDevice = json.text(plannedDeviceMember).value_or(QString());
    return report;
}

} // namespace

QString toText(RankBinding::State state)
{
    switch (state) {
    case RankBinding::State::NotReported: return u"not-reported"_s;
    case RankBinding::State::Pending: return u"pending"_s;
    case RankBinding::State::Bound: return u"bound"_s;
    case RankBinding::State::Differs: return u"differs"_s;
    case RankBinding::State::Unplanned: return u"unplanned"_s;
    case RankBinding::State::OtherHardware: return u"other-hardware"_s;
    }
    return {};
}

QJsonObject rankBindingJson(const RankBinding& binding)
{
    QJsonArray differing;
    for (const RankReport& report : binding.differing())
        differing.append(reportJson(report));
    const bool known = binding.isReported();
    return {{stateMember, toText(binding.state())}, {ranksMember, known ? QJsonValue(binding.ranks()) : QJsonValue()},
        {boundMember, orNull(binding.bound())},
        {notAsPlannedMember, known ? QJsonValue(binding.notAsPlanned()) : QJsonValue()},
        {startsMember, known ? QJsonValue(binding.starts()) : QJsonValue()}, {beganMember, binding.hasBegun()},
        {titleMember, rankBindingTitle(binding)}, {textMember, rankBindingText(binding)},
        {firstMember, binding.first() ? QJsonValue(reportJson(*binding.first())) : QJsonValue()},
        {differingMember, differing}};
}

Result<RankBinding> rankBindingFromJson(JsonReader json)
{
    const int ranks = json.whole(ranksMember, 0, largestInt).value_or(0);
    QList<RankReport> reports;
    if (auto first = json.object(firstMember)) {
        reports.append(reportFrom(*first, ranks));
        json.absorb(*first);
    }
    for (JsonReader& each : json.objects(differingMember)) {
        reports.append(reportFrom(each, ranks));
        json.absorb(each);
    }
    const int notAsPlanned = json.whole(notAsPlannedMember, 0, largestInt).value_or(0);
    const int starts = json.whole(startsMember, 0, largestInt).value_or(0);
    const bool began = json.flag(beganMember).value_or(false);
    return json.fault() ? fail(*json.fault())
                        : Result<RankBinding>(RankBinding::restored({reports, notAsPlanned, starts, began}));
}

} // namespace rankwright::inline insight

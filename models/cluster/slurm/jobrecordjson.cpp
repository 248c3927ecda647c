// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobrecordjson.h"

#include "models/core/jsonvalue.h"

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr auto idMember = "jobId"_L1;
constexpr auto nameMember = "name"_L1;
constexpr auto userMember = "user"_L1;
constexpr auto accountMember = "account"_L1;
constexpr auto partitionMember = "partition"_L1;
constexpr auto stateMember = "state"_L1;
constexpr auto stepStateMember = "stepState"_L1;
constexpr auto qosMember = "qos"_L1;
constexpr auto reservationMember = "reservation"_L1;
constexpr auto reasonMember = "reason"_L1;
constexpr auto nodesMember = "nodes"_L1;
constexpr auto nodeListMember = "nodeList"_L1;
constexpr auto gresMember = "gres"_L1;
constexpr auto gpusMember = "gpus"_L1;
constexpr auto elapsedMember = "elapsedSeconds"_L1;
constexpr auto timeLimitMember = "timeLimitSeconds"_L1;
constexpr auto submittedMember = "submitted"_L1;
constexpr auto startedMember = "started"_L1;
constexpr auto endedMember = "ended"_L1;
constexpr auto commentMember = "comment"_L1;
constexpr auto workdirMember = "workdir"_L1;
constexpr auto outputMember = "standardOutput"_L1;
constexpr auto exitCodeMember = "exitCode"_L1;
constexpr auto exitSignalMember = "exitSignal"_L1;

} // namespace

QJsonObject jobRecordJson(const JobRecord& record)
{
    return {
        {idMember, record.id},
        {nameMember, orNull(record.name)},
        {userMember, orNull(record.user)},
        {accountMember, orNull(record.account)},
        {partitionMember, orNull(record.partition)},
        {qosMember, orNull(record.qos)},
        {reservationMember, orNull(record.reservation)},
        {stateMember, toText(record.state)},
        {stepStateMember, record.stepState == JobState::Unknown ? QJsonValue() : QJsonValue(toText(record.stepState))},
        {reasonMember, orNull(record.reason)},
        {nodesMember, orNull(record.nodes)},
        {nodeListMember, QJsonArray::fromStringList(record.nodeList)},
        {gresMember, orNull(record.gres)},
        {gpusMember, orNull(record.gpus)},
        {elapsedMember, orNull(record.elapsed)},
        {timeLimitMember, orNull(record.timeLimit)},
        {submittedMember, timeJson(record.submitted)},
        {startedMember, timeJson(record.started)},
        {endedMember, timeJson(record.ended)},
        {commentMember, orNull(record.comment)},
        {workdirMember, orNull(record.workdir)},
        {outputMember, orNull(record.standardOutput)},
        {exitCodeMember, orNull(record.exitCode)},
        {exitSignalMember, orNull(record.exitSignal)},
    };
}

Result<JobRecord> jobRecordFromJson(JsonReader json)
{
    JobRecord record;
    const auto text = [&json](QLatin1StringView member) { return json.text(member).value_or(QString()); };
    const auto time = [&json](QLatin1StringView member) { return json.time(member).value_or(QDateTime()); };
    record.id = json.requiredText(idMember);
    record.name = text(nameMember);
    record.user = text(userMember);
    record.account = text(accountMember);
    record.partition = text(partitionMember);
    record.qos = text(qosMember);
    record.reservation = text(reservationMember);
    record.state = jobStateFrom(text(stateMember));
    record.stepState = jobStateFrom(text(stepStateMember));
    record.reason = text(reasonMember);
    record.nodes = json.whole(nodesMember);
    record.nodeList = json.texts(nodeListMember).value_or(QStringList());
    record.gres = text(gresMember);
    record.gpus = json.whole(gpusMember);
    record.elapsed = json.seconds(elapsedMember);
    record.timeLimit = json.seconds(timeLimitMember);
    record.submitted = time(submittedMember);
    record.started = time(startedMember);
    record.ended = time(endedMember);
    record.comment = text(commentMember);
    record.workdir = text(workdirMember);
    record.standardOutput = text(outputMember);
    record.exitCode = json.whole(exitCodeMember);
    record.exitSignal = json.whole(exitSignalMember);
    if (json.fault())
        return fail(*json.fault());
    return record;
}

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/jobjson.h"

#include "app/cli/clioutput.h"

using namespace Qt::StringLiterals;

namespace rankwright {

QJsonValue timeJson(const QDateTime& time)
{
    return time.isValid() ? QJsonValue(time.toUTC().toString(Qt::ISODate)) : QJsonValue();
}

QJsonObject jobJson(const JobRecord& record)
{
    return {
        {u"jobId"_s, record.id},
        {u"name"_s, orNull(record.name)},
        {u"user"_s, orNull(record.user)},
        {u"account"_s, orNull(record.account)},
        {u"partition"_s, orNull(record.partition)},
        {u"state"_s, toText(record.state)},
        {u"reason"_s, orNull(record.reason)},
        {u"nodes"_s, orNull(record.nodes)},
        {u"nodeList"_s, QJsonArray::fromStringList(record.nodeList)},
        {u"gpus"_s, orNull(record.gpus)},
        {u"elapsedSeconds"_s, orNull(record.elapsed)},
        {u"timeLimitSeconds"_s, orNull(record.timeLimit)},
        {u"submitted"_s, timeJson(record.submitted)},
        {u"started"_s, timeJson(record.started)},
        {u"ended"_s, timeJson(record.ended)},
        {u"exitCode"_s, orNull(record.exitCode)},
        {u"exitSignal"_s, orNull(record.exitSignal)},
        {u"comment"_s, orNull(record.comment)},
        {u"standardOutput"_s, orNull(record.standardOutput)},
    };
}

} // namespace rankwright

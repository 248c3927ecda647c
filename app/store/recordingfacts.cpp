// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingfacts.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

void put(QJsonObject& object, const QString& key, const QString& text)
{
    if (!text.isEmpty())
        object.insert(key, text);
}

void put(QJsonObject& object, const QString& key, const std::optional<int>& number)
{
    if (number)
        object.insert(key, *number);
}

void put(QJsonObject& object, const QString& key, const std::optional<Seconds>& seconds)
{
    if (seconds)
        object.insert(key, double(seconds->count));
}

void put(QJsonObject& object, const QString& key, const QDateTime& time)
{
    if (time.isValid())
        object.insert(key, time.toUTC().toString(Qt::ISODateWithMs));
}

std::optional<int> numberOf(const QJsonObject& object, const QString& key)
{
    return object.value(key).isDouble() ? std::optional<int>(object.value(key).toInt()) : std::nullopt;
}

std::optional<Seconds> secondsOf(const QJsonObject& object, const QString& key)
{
    return object.value(key).isDouble() ? std::optional<Seconds>(Seconds{object.value(key).toInteger()}) : std::nullopt;
}

QDateTime timeOf(const QJsonObject& object, const QString& key)
{
    return QDateTime::fromString(object.value(key).toString(), Qt::ISODateWithMs);
}

} // namespace

QByteArray jobRecordText(const JobRecord& record)
{
    QJsonObject object;
    put(object, u"jobId"_s, record.id);
    put(object, u"name"_s, record.name);
    put(object, u"user"_s, record.user);
    put(object, u"account"_s, record.account);
    put(object, u"partition"_s, record.partition);
    put(object, u"state"_s, record.state == JobState::Unknown ? QString() : toText(record.state));
    put(object, u"reason"_s, record.reason);
    put(object, u"nodes"_s, record.nodes);
    if (!record.nodeList.isEmpty())
        object.insert(u"nodeList"_s, QJsonArray::fromStringList(record.nodeList));
    put(object, u"gres"_s, record.gres);
    put(object, u"gpus"_s, record.gpus);
    put(object, u"elapsedSeconds"_s, record.elapsed);
    put(object, u"timeLimitSeconds"_s, record.timeLimit);
    put(object, u"submitted"_s, record.submitted);
    put(object, u"started"_s, record.started);
    put(object, u"ended"_s, record.ended);
    put(object, u"comment"_s, record.comment);
    put(object, u"workdir"_s, record.workdir);
    put(object, u"standardOutput"_s, record.standardOutput);
    put(object, u"exitCode"_s, record.exitCode);
    put(object, u"exitSignal"_s, record.exitSignal);
    put(object, u"stepState"_s, record.stepState == JobState::Unknown ? QString() : toText(record.stepState));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

JobRecord jobRecordFrom(const QByteArray& text)
{
    const QJsonObject object = QJsonDocument::fromJson(text).object();
    const auto textOf = [&object](const QString& key) { return object.value(key).toString(); };
    JobRecord record;
    record.id = textOf(u"jobId"_s);
    record.name = textOf(u"name"_s);
    record.user = textOf(u"user"_s);
    record.account = textOf(u"account"_s);
    record.partition = textOf(u"partition"_s);
    record.state = jobStateFrom(textOf(u"state"_s));
    record.reason = textOf(u"reason"_s);
    record.nodes = numberOf(object, u"nodes"_s);
    for (const QJsonValue& node : object.value(u"nodeList"_s).toArray())
        record.nodeList.append(node.toString());
    record.gres = textOf(u"gres"_s);
    record.gpus = numberOf(object, u"gpus"_s);
    record.elapsed = secondsOf(object, u"elapsedSeconds"_s);
    record.timeLimit = secondsOf(object, u"timeLimitSeconds"_s);
    record.submitted = timeOf(object, u"submitted"_s);
    record.started = timeOf(object, u"started"_s);
    record.ended = timeOf(object, u"ended"_s);
    record.comment = textOf(u"comment"_s);
    record.workdir = textOf(u"workdir"_s);
    record.standardOutput = textOf(u"standardOutput"_s);
    record.exitCode = numberOf(object, u"exitCode"_s);
    record.exitSignal = numberOf(object, u"exitSignal"_s);
    record.stepState = jobStateFrom(textOf(u"stepState"_s));
    return record;
}

bool isSameJob(const RecordingFacts& a, const RecordingFacts& b)
{
    if (a.cluster != b.cluster || a.job.id != b.job.id)
        return false;
    const bool bothReported = a.job.submitted.isValid() && b.job.submitted.isValid();
    return !bothReported || qAbs(a.job.submitted.secsTo(b.job.submitted)) <= 2;
}

} // namespace rankwright

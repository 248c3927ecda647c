// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/alertjson.h"

#include <QDateTime>
#include <QJsonArray>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array levels{Alert::Level::Normal, Alert::Level::Hint, Alert::Level::Warning, Alert::Level::Failure};

QString levelWord(Alert::Level level)
{
    switch (level) {
    case Alert::Level::Normal: return u"normal"_s;
    case Alert::Level::Hint: return u"hint"_s;
    case Alert::Level::Warning: return u"warning"_s;
    case Alert::Level::Failure: return u"failure"_s;
    }
    return {};
}

Alert::Level levelOf(const QString& word)
{
    for (const Alert::Level level : levels) {
        if (levelWord(level) == word)
            return level;
    }
    return Alert::Level::Normal;
}

QJsonValue orNull(const QString& text) { return text.isEmpty() ? QJsonValue() : QJsonValue(text); }

QJsonValue orNull(std::optional<int> number) { return number ? QJsonValue(*number) : QJsonValue(); }

std::optional<int> numberIn(const QJsonValue& value)
{
    return value.isDouble() ? std::optional(value.toInt()) : std::nullopt;
}

} // namespace

QJsonObject alertJson(const Alert& alert)
{
    QJsonArray gpus;
    for (const GpuAddress& gpu : alert.gpus)
        gpus.append(QJsonObject{{u"node"_s, gpu.node}, {u"gpu"_s, gpu.gpu}});
    return {
        {u"class"_s, alert.kind},
        {u"rule"_s, alert.rule},
        {u"level"_s, levelWord(alert.level)},
        {u"title"_s, alert.title},
        {u"seen"_s, orNull(alert.seen)},
        {u"since"_s,
            alert.sinceMs > 0
                ? QJsonValue(QDateTime::fromMSecsSinceEpoch(alert.sinceMs, Qt::UTC).toString(Qt::ISODateWithMs))
                : QJsonValue()},
        {u"meaning"_s, orNull(alert.meaning)},
        {u"advice"_s, orNull(alert.advice)},
        {u"field"_s, orNull(alert.field)},
        {u"source"_s, orNull(alert.source)},
        {u"gpus"_s, gpus},
        {u"nodes"_s, QJsonArray::fromStringList(alert.nodes)},
        {u"rank"_s, orNull(alert.rank)},
    };
}

Alert alertFrom(const QJsonObject& json)
{
    Alert alert;
    alert.kind = json.value(u"class"_s).toString();
    alert.rule = json.value(u"rule"_s).toString();
    alert.level = levelOf(json.value(u"level"_s).toString());
    alert.title = json.value(u"title"_s).toString();
    alert.seen = json.value(u"seen"_s).toString();
    if (const QString since = json.value(u"since"_s).toString(); !since.isEmpty())
        alert.sinceMs = QDateTime::fromString(since, Qt::ISODateWithMs).toMSecsSinceEpoch();
    alert.meaning = json.value(u"meaning"_s).toString();
    alert.advice = json.value(u"advice"_s).toString();
    alert.field = json.value(u"field"_s).toString();
    alert.source = json.value(u"source"_s).toString();
    for (const QJsonValue& gpu : json.value(u"gpus"_s).toArray())
        alert.gpus.append({gpu.toObject().value(u"node"_s).toInt(), gpu.toObject().value(u"gpu"_s).toInt()});
    for (const QJsonValue& node : json.value(u"nodes"_s).toArray())
        alert.nodes.append(node.toString());
    alert.rank = numberIn(json.value(u"rank"_s));
    return alert;
}

QJsonObject failureJson(const Diagnosis& diagnosis)
{
    return {
        {u"class"_s, diagnosis.kind},
        {u"rule"_s, diagnosis.rule},
        {u"rank"_s, orNull(diagnosis.rank)},
        {u"gpu"_s, orNull(diagnosis.gpu)},
        {u"node"_s, orNull(diagnosis.node)},
        {u"line"_s, diagnosis.line > 0 ? QJsonValue(double(diagnosis.line)) : QJsonValue()},
        {u"evidence"_s, orNull(diagnosis.evidence)},
        {u"advice"_s, orNull(diagnosis.advice)},
        {u"source"_s, orNull(diagnosis.source)},
    };
}

Diagnosis failureFrom(const QJsonObject& json)
{
    Diagnosis diagnosis;
    diagnosis.kind = json.value(u"class"_s).toString();
    diagnosis.rule = json.value(u"rule"_s).toString();
    diagnosis.rank = numberIn(json.value(u"rank"_s));
    diagnosis.gpu = numberIn(json.value(u"gpu"_s));
    diagnosis.node = json.value(u"node"_s).toString();
    diagnosis.line = qint64(json.value(u"line"_s).toDouble());
    diagnosis.evidence = json.value(u"evidence"_s).toString();
    diagnosis.advice = json.value(u"advice"_s).toString();
    diagnosis.source = json.value(u"source"_s).toString();
    return diagnosis;
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/eventjson.h"

#include "models/insight/alerts/alertjson.h"
#include "models/insight/diagnosis/diagnosisjson.h"
#include "models/insight/progress/rankbindingjson.h"

#include <QDateTime>
#include <QJsonDocument>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr auto alertsWord = "alerts"_L1; // the kind of event and its one member
constexpr auto failuresWord = "failures"_L1;
constexpr auto bindingWord = "binding"_L1;

QByteArray listText(QLatin1StringView member, const QJsonArray& list)
{
    return QJsonDocument(QJsonObject{{member, list}}).toJson(QJsonDocument::Compact);
}

QString nameOf(const RecordingEvent& event)
{
    const QString time = QDateTime::fromMSecsSinceEpoch(event.atMs, Qt::UTC).toString(Qt::ISODateWithMs);
    return u"the entry “%1” of %2"_s.arg(event.kind, time);
}

/// Version 1 of recordings said "class" and reported GPUs as "node" and "gpu".
QJsonValue ofVersion1(const QJsonValue& value)
{
    QJsonObject alert = value.toObject();
    if (!alert.contains("class"_L1) || alert.contains("kind"_L1))
        return value;
    alert.insert("kind"_L1, alert.take("class"_L1));
    if (!alert.value("gpus"_L1).isArray())
        return alert;
    QJsonArray gpus;
    const QJsonArray before = alert.value("gpus"_L1).toArray();
    for (const auto& gpu : before)
        gpus.append(QJsonObject{{"row"_L1, gpu["node"_L1]}, {"index"_L1, gpu["gpu"_L1]}});
    alert.insert("gpus"_L1, gpus);
    return alert;
}

/// The elements of the event's one list.
template <typename Value>
Result<QList<Value>> listIn(
    const RecordingEvent& event, QLatin1StringView member, Result<Value> (*read)(JsonReader json))
{
    const auto object = eventJson(event);
    if (!object)
        return fail(object.error());
    JsonReader json(*object);
    if (!json.has(member))
        json.refuse(member, u"expected a list, found nothing"_s);
    QList<Value> all;
    for (const JsonReader& element : json.objects(member)) {
        const auto value = read(element);
        if (!value)
            return fail(value.error().within(nameOf(event)));
        all.append(*value);
    }
    if (json.fault())
        return fail(json.fault()->within(nameOf(event)));
    return all;
}

} // namespace

RecordingEvent alertsEvent(const QList<Alert>& alerts, qint64 nowMs)
{
    QJsonArray all;
    for (const Alert& alert : alerts)
        all.append(alertJson(alert));
    return {nowMs, alertsWord, listText(alertsWord, all)};
}

RecordingEvent failuresEvent(const QList<Diagnosis>& failures, qint64 nowMs)
{
    QJsonArray all;
    for (const Diagnosis& failure : failures)
        all.append(diagnosisJson(failure));
    return {nowMs, failuresWord, listText(failuresWord, all)};
}

RecordingEvent bindingEvent(const RankBinding& binding, qint64 nowMs)
{
    return {nowMs, bindingWord, QJsonDocument(rankBindingJson(binding)).toJson(QJsonDocument::Compact)};
}

Result<QJsonObject> eventJson(const RecordingEvent& event)
{
    auto object = parseJsonObject(event.json, nameOf(event));
    if (!object || event.kind != alertsWord || !object->value(alertsWord).isArray())
        return object;
    QJsonArray alerts;
    const QJsonArray before = object->value(alertsWord).toArray();
    for (const auto& alert : before)
        alerts.append(ofVersion1(alert));
    object->insert(alertsWord, alerts);
    return object;
}

Result<QList<Alert>> alertsIn(const RecordingEvent& event) { return listIn<Alert>(event, alertsWord, alertFromJson); }

Result<QList<Diagnosis>> failuresIn(const RecordingEvent& event)
{
    return listIn<Diagnosis>(event, failuresWord, diagnosisFromJson);
}

Result<RankBinding> bindingIn(const RecordingEvent& event)
{
    const auto object = eventJson(event);
    if (!object)
        return fail(object.error());
    const auto binding = rankBindingFromJson(JsonReader(*object));
    return binding ? binding : fail(binding.error().within(nameOf(event)));
}

} // namespace rankwright

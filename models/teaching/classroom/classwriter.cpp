// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classwriter.h"

#include "models/core/jsonreader.h"
#include "models/teaching/classroom/designobject.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

/// Without what is open: a class file is read by people, too.
QJsonValue pruned(const QJsonValue& value)
{
    if (!value.isObject())
        return value;
    QJsonObject kept;
    const QJsonObject object = value.toObject();
    for (auto member = object.constBegin(); member != object.constEnd(); ++member) {
        const QJsonValue part = pruned(member.value());
        const bool empty = part.isNull() || (part.isObject() && part.toObject().isEmpty())
            || (part.isArray() && part.toArray().isEmpty()) || (part.isString() && part.toString().isEmpty());
        if (!empty)
            kept.insert(member.key(), part);
    }
    return kept;
}

QJsonObject checkObject(const ClassCheck& check)
{
    QJsonObject object{{u"check"_s, toText(check.kind)}, {u"text"_s, check.text}, {u"against"_s, check.against},
        {u"hint"_s, check.hint}};
    switch (parameterOf(check.kind)) {
    case CheckParameter::Count: object.insert(u"count"_s, check.count); break;
    case CheckParameter::Value: object.insert(u"value"_s, check.value); break;
    case CheckParameter::Word: object.insert(u"word"_s, check.word); break;
    case CheckParameter::None: break;
    }
    return object;
}

QJsonObject exerciseObject(const ClassExercise& exercise)
{
    QJsonArray checks;
    for (const ClassCheck& check : exercise.checks)
        checks.append(pruned(checkObject(check)));
    QJsonObject object{{u"id"_s, exercise.id}, {u"title"_s, exercise.title}, {u"task"_s, exercise.task},
        {u"design"_s, pruned(designObject(exercise.start))}, {u"open"_s, QJsonArray::fromStringList(exercise.open)},
        {u"checks"_s, checks}, {u"hints"_s, QJsonArray::fromStringList(exercise.hints)},
        {u"solutionText"_s, exercise.solutionText}};
    if (exercise.solution)
        object.insert(u"solution"_s, pruned(designObject(*exercise.solution)));
    return object;
}

QJsonObject limitsObject(const ClassFile& file)
{
    QJsonObject locked;
    for (auto set = file.locked.cbegin(); set != file.locked.cend(); ++set)
        locked.insert(set.key(), set.value());
    QJsonObject object{{u"open"_s, QJsonArray::fromStringList(file.open)}, {u"locked"_s, locked}};
    if (file.limits.maxNodes)
        object.insert(u"maxNodes"_s, *file.limits.maxNodes);
    if (file.limits.maxGpus)
        object.insert(u"maxGpus"_s, *file.limits.maxGpus);
    if (file.limits.maxTime)
        object.insert(u"maxTime"_s, slurmTime(*file.limits.maxTime));
    return object;
}

QJsonObject classObject(const ClassFile& file)
{
    QJsonArray exercises, links;
    for (const ClassExercise& exercise : file.exercises)
        exercises.append(pruned(exerciseObject(exercise)));
    for (const ClassLink& link : file.links)
        links.append(QJsonObject{{u"title"_s, link.title}, {u"url"_s, link.url}});
    QJsonObject object{{u"format"_s, QString(classFormat)}, {u"version"_s, ClassFile::version},
        {u"title"_s, file.title}, {u"author"_s, file.author}, {u"about"_s, file.about}, {u"cluster"_s, file.cluster},
        {u"account"_s, file.account}, {u"partition"_s, file.partition}, {u"container"_s, file.container},
        {u"limits"_s, limitsObject(file)}, {u"exercises"_s, exercises}, {u"links"_s, links},
        {u"acknowledgement"_s, file.acknowledgement}, {u"progressFolder"_s, file.progressFolder}};
    if (file.reservation)
        object.insert(u"reservation"_s,
            QJsonObject{{u"name"_s, file.reservation->name},
                {u"begin"_s, file.reservation->begin.toUTC().toString(Qt::ISODate)},
                {u"end"_s, file.reservation->end.toUTC().toString(Qt::ISODate)}});
    if (file.expires.isValid())
        object.insert(u"expires"_s, file.expires.toUTC().toString(Qt::ISODate));
    return pruned(object).toObject();
}

} // namespace

QByteArray classBytes(const ClassFile& file)
{
    return file.readBytes.isEmpty() ? QJsonDocument(classObject(file)).toJson(QJsonDocument::Compact) : file.readBytes;
}

QByteArray writeClass(const ClassFile& file)
{
    QJsonObject object = parseJsonObject(classBytes(file), file.title).valueOr({});
    if (!file.signature.isEmpty())
        object.insert(
            u"signature"_s, QJsonObject{{u"key"_s, file.signature.key}, {u"value"_s, file.signature.armoured}});
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

ClassFile unsignedClass(ClassFile file)
{
    file.signature = {};
    file.readBytes.clear();
    return file;
}

} // namespace rankwright::inline teaching

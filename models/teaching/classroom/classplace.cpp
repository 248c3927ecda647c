// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classplace.h"

#include "models/core/jsonreader.h"
#include "models/teaching/classroom/classwriter.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

const QString lostLoss = u"inf"_s; // JSON has no number for it

template <typename Number>
void put(QJsonObject& object, const QString& key, const std::optional<Number>& value)
{
    if (value)
        object.insert(key, *value);
}

std::optional<double> number(const QJsonObject& object, const QString& key)
{
    const QJsonValue value = object.value(key);
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

std::optional<int> whole(const QJsonObject& object, const QString& key)
{
    const auto value = number(object, key);
    return value && *value >= 0 && *value <= 1e7 ? std::optional(int(*value)) : std::nullopt;
}

QJsonObject toJson(const RunFacts& run)
{
    QJsonObject object{{u"job"_s, run.job}, {u"state"_s, toText(run.state)}};
    if (run.at.isValid())
        object.insert(u"at"_s, run.at.toUTC().toString(Qt::ISODateWithMs));
    if (!run.leastBusyGpu.isEmpty())
        object.insert(u"leastBusyGpu"_s, run.leastBusyGpu);
    put(object, u"nodes"_s, run.nodes);
    put(object, u"gpus"_s, run.gpus);
    put(object, u"ranks"_s, run.ranks);
    put(object, u"ranksBound"_s, run.ranksBound);
    put(object, u"leastBusyPercent"_s, run.leastBusyPercent);
    put(object, u"resumed"_s, run.resumed);
    put(object, u"stepSeconds"_s, run.stepSeconds);
    put(object, u"samplesPerSecond"_s, run.samplesPerSecond);
    put(object, u"elapsedSeconds"_s, run.elapsedSeconds);
    put(object, u"firstLoss"_s, run.firstLoss);
    if (run.lastLoss && !std::isfinite(*run.lastLoss))
        object.insert(u"lastLoss"_s, lostLoss);
    else
        put(object, u"lastLoss"_s, run.lastLoss);
    if (!run.trouble.isEmpty())
        object.insert(u"trouble"_s, run.trouble);
    if (!run.remedy.isEmpty())
        object.insert(u"remedy"_s, run.remedy);
    return object;
}

RunFacts runFrom(const QJsonObject& object)
{
    RunFacts run;
    run.job = object.value(u"job"_s).toString();
    run.at = QDateTime::fromString(object.value(u"at"_s).toString(), Qt::ISODateWithMs);
    run.state = jobStateFrom(object.value(u"state"_s).toString());
    run.leastBusyGpu = object.value(u"leastBusyGpu"_s).toString();
    run.nodes = whole(object, u"nodes"_s);
    run.gpus = whole(object, u"gpus"_s);
    run.ranks = whole(object, u"ranks"_s);
    run.ranksBound = whole(object, u"ranksBound"_s);
    run.leastBusyPercent = number(object, u"leastBusyPercent"_s);
    if (object.value(u"resumed"_s).isBool())
        run.resumed = object.value(u"resumed"_s).toBool();
    run.stepSeconds = number(object, u"stepSeconds"_s);
    run.samplesPerSecond = number(object, u"samplesPerSecond"_s);
    run.elapsedSeconds = number(object, u"elapsedSeconds"_s);
    run.firstLoss = number(object, u"firstLoss"_s);
    run.lastLoss = number(object, u"lastLoss"_s);
    if (object.value(u"lastLoss"_s) == QJsonValue(lostLoss))
        run.lastLoss = std::numeric_limits<double>::infinity();
    run.trouble = object.value(u"trouble"_s).toString();
    run.remedy = object.value(u"remedy"_s).toString();
    return run;
}

QJsonArray sorted(const QSet<QString>& texts)
{
    QStringList list(texts.cbegin(), texts.cend());
    list.sort();
    return QJsonArray::fromStringList(list);
}

QSet<QString> texts(const QJsonValue& value)
{
    QSet<QString> found;
    for (const QJsonValue& one : value.toArray())
        if (one.isString())
            found.insert(one.toString());
    return found;
}

} // namespace

int ClassPlace::index(const ClassFile& file) const { return qMax(0, file.exerciseIndex(exercise)); }

RunFacts& ClassPlace::run(const QString& of, const QString& job)
{
    QList<RunFacts>& all = runs[of];
    for (RunFacts& one : all)
        if (one.job == job)
            return one;
    RunFacts made;
    made.job = job;
    all.prepend(made);
    if (all.size() > mostRuns)
        all.removeLast();
    return all.first();
}

QByteArray writePlace(const ClassPlace& place)
{
    QJsonObject hints;
    for (auto each = place.hints.cbegin(); each != place.hints.cend(); ++each)
        hints.insert(each.key(), each.value());
    QJsonObject runs;
    for (auto each = place.runs.cbegin(); each != place.runs.cend(); ++each) {
        QJsonArray list;
        for (const RunFacts& run : each.value())
            list.append(toJson(run));
        runs.insert(each.key(), list);
    }
    const QJsonObject object{{u"exercise"_s, place.exercise}, {u"hints"_s, hints},
        {u"solutions"_s, sorted(place.solutions)}, {u"done"_s, sorted(place.done)}, {u"runs"_s, runs},
        {u"shares"_s, place.shares}, {u"alias"_s, place.alias}, {u"name"_s, place.name},
        {u"owed"_s, sorted(place.owed)}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

ClassPlace readPlace(const QByteArray& bytes)
{
    const auto read = parseJsonObject(bytes, u"where you are in the class"_s);
    const QJsonObject object = read ? *read : QJsonObject();
    ClassPlace place;
    place.exercise = object.value(u"exercise"_s).toString();
    place.solutions = texts(object.value(u"solutions"_s));
    place.done = texts(object.value(u"done"_s));
    place.shares = object.value(u"shares"_s).toBool();
    place.alias = object.value(u"alias"_s).toString();
    place.name = object.value(u"name"_s).toString();
    place.owed = texts(object.value(u"owed"_s));
    const QJsonObject hints = object.value(u"hints"_s).toObject();
    for (auto each = hints.constBegin(); each != hints.constEnd(); ++each)
        place.hints.insert(each.key(), qBound(0, each.value().toInt(), 100));
    const QJsonObject runs = object.value(u"runs"_s).toObject();
    for (auto each = runs.constBegin(); each != runs.constEnd(); ++each) {
        QList<RunFacts> list;
        for (const QJsonValue& one : each.value().toArray()) {
            const RunFacts run = runFrom(one.toObject());
            if (!run.job.isEmpty() && list.size() < ClassPlace::mostRuns)
                list.append(run);
        }
        place.runs.insert(each.key(), list);
    }
    return place;
}

QString classDigest(const ClassFile& file)
{
    return QString::fromLatin1(QCryptographicHash::hash(classBytes(file), QCryptographicHash::Sha256).toHex());
}

QString placeKey(const ClassFile& file)
{
    const QByteArray name = (file.title + u'\n' + file.author).toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex().left(24));
}

void applyRecord(RunFacts& facts, const JobRecord& record, const QDateTime& now)
{
    if (record.state == JobState::Unknown || (hasEnded(facts.state) && !hasEnded(record.state)))
        return; // nothing is said, or a slower answer about what is known to have ended
    facts.at = record.ended.isValid() ? record.ended : now;
    facts.state = record.state;
    if (record.nodes)
        facts.nodes = record.nodes;
    if (record.gpus)
        facts.gpus = record.gpus;
    if (record.elapsed)
        facts.elapsedSeconds = double(record.elapsed->count);
}

void mergeFacts(RunFacts& facts, const RunFacts& seen)
{
    const auto take = [](auto& member, const auto& value) {
        if (value)
            member = value;
    };
    if (seen.state != JobState::Unknown && (hasEnded(seen.state) || !hasEnded(facts.state))) {
        facts.state = seen.state;
        facts.at = seen.at.isValid() ? seen.at : facts.at;
    }
    take(facts.nodes, seen.nodes);
    take(facts.gpus, seen.gpus);
    take(facts.ranks, seen.ranks);
    take(facts.ranksBound, seen.ranksBound);
    take(facts.leastBusyPercent, seen.leastBusyPercent);
    if (seen.leastBusyPercent)
        facts.leastBusyGpu = seen.leastBusyGpu;
    take(facts.resumed, seen.resumed);
    take(facts.stepSeconds, seen.stepSeconds);
    take(facts.samplesPerSecond, seen.samplesPerSecond);
    take(facts.elapsedSeconds, seen.elapsedSeconds);
    take(facts.firstLoss, seen.firstLoss);
    take(facts.lastLoss, seen.lastLoss);
    // A remedy stands with the line that it is for.
    if (!seen.trouble.isEmpty() && (facts.trouble.isEmpty() || !seen.remedy.isEmpty())) {
        facts.trouble = seen.trouble;
        facts.remedy = seen.remedy;
    }
}

} // namespace rankwright::inline teaching

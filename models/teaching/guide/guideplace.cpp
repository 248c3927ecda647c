// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guideplace.h"

#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/jsonreader.h"
#include "models/script/document/designjson.h"

#include <QJsonDocument>

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype largestPlace = 1024 * 1024;

QString placeName() { return u"where you are in the guided first job"_s; }

QJsonObject designObject(const JobSpec& spec)
{
    return parseJsonObject(writeDesign(spec), placeName()).valueOr(QJsonObject());
}

std::optional<JobSpec> designFrom(const QJsonObject& object)
{
    const auto read = readDesign(QJsonDocument(object).toJson(QJsonDocument::Compact), placeName());
    return read ? std::optional(read->spec) : std::nullopt;
}

/// The job's part; false: it cannot be read.
bool readJob(JsonReader& json, GuidePlace& place)
{
    place.job = json.text(u"job"_s).value_or(QString());
    if (place.job.isEmpty())
        return true;
    place.cluster = json.requiredText(u"cluster"_s);
    const auto launched = json.object(u"launched"_s);
    const auto spec = launched ? designFrom(launched->json()) : std::nullopt;
    if (!spec)
        return false;
    place.launched = *spec;
    if (const auto record = json.object(u"record"_s)) {
        const auto read = jobRecordFromJson(*record);
        if (!read || read->id != place.job || !hasEnded(read->state))
            return false;
        place.record = *read;
    }
    return true;
}

} // namespace

QByteArray writeGuidePlace(const GuidePlace& place)
{
    QJsonObject object{{u"step"_s, guideStepIndex(place.step)}, {u"reached"_s, guideStepIndex(place.reached)},
        {u"design"_s, designObject(place.spec)}};
    if (!place.job.isEmpty()) {
        object.insert(u"job"_s, place.job);
        object.insert(u"cluster"_s, place.cluster);
        object.insert(u"launched"_s, designObject(place.launched));
        if (hasEnded(place.record.state))
            object.insert(u"record"_s, jobRecordJson(place.record));
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<GuidePlace> readGuidePlace(const QByteArray& bytes)
{
    if (bytes.isEmpty() || bytes.size() > largestPlace)
        return std::nullopt;
    const auto object = parseJsonObject(bytes, placeName());
    if (!object)
        return std::nullopt;
    JsonReader json(*object);
    const auto step = json.whole(u"step"_s, 0, guideSteps - 1);
    const auto reached = json.whole(u"reached"_s, 0, guideSteps - 1);
    const auto design = json.object(u"design"_s);
    const auto spec = design ? designFrom(design->json()) : std::nullopt;
    GuidePlace place;
    if (!step || !reached || !spec || !readJob(json, place) || json.fault())
        return std::nullopt;
    // Without a job there is nothing to watch.
    const int last = guideStepIndex(place.job.isEmpty() ? GuideStep::Launch : GuideStep::Watch);
    place.step = GuideStep(std::min(*step, last));
    place.reached = GuideStep(std::clamp(*reached, guideStepIndex(place.step), last));
    place.spec = *spec;
    return place;
}

} // namespace rankwright::inline teaching

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertjson.h"

#include "models/core/jsonvalue.h"

#include <array>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kindMember = "kind"_L1;
constexpr auto ruleOfAlertMember = "rule"_L1;
constexpr auto levelMember = "level"_L1;
constexpr auto titleMember = "title"_L1;
constexpr auto seenMember = "seen"_L1;
constexpr auto sinceMember = "since"_L1;
constexpr auto meaningMember = "meaning"_L1;
constexpr auto adviceOfAlertMember = "advice"_L1;
constexpr auto fieldMember = "field"_L1;
constexpr auto sourceOfAlertMember = "source"_L1;
constexpr auto gpusMember = "gpus"_L1;
constexpr auto rowMember = "row"_L1;
constexpr auto indexMember = "index"_L1;
constexpr auto nodesMember = "nodes"_L1;
constexpr auto rankOfAlertMember = "rank"_L1;

struct LevelWord {
    Alert::Level level;
    QLatin1StringView word;
};

constexpr std::array<LevelWord, 4> levelWords{{
    {Alert::Level::Normal, "normal"_L1},
    {Alert::Level::Hint, "hint"_L1},
    {Alert::Level::Warning, "warning"_L1},
    {Alert::Level::Failure, "failure"_L1},
}};

QString levelWord(Alert::Level level)
{
    for (const LevelWord& entry : levelWords) {
        if (entry.level == level)
            return entry.word;
    }
    return {};
}

Alert::Level readLevel(JsonReader& json)
{
    const QString word = json.requiredText(levelMember);
    for (const LevelWord& entry : levelWords) {
        if (word == entry.word)
            return entry.level;
    }
    if (!word.isEmpty())
        json.refuse(levelMember, u"“%1” is not a level of an alert"_s.arg(word.left(60)));
    return Alert::Level::Normal;
}

QList<GpuAddress> readGpus(JsonReader& json)
{
    QList<GpuAddress> gpus;
    for (JsonReader& gpu : json.objects(gpusMember)) {
        gpus.append({gpu.requiredWhole(rowMember), gpu.requiredWhole(indexMember)});
        json.absorb(gpu);
    }
    return gpus;
}

} // namespace

QJsonObject alertJson(const Alert& alert)
{
    QJsonArray gpus;
    for (const GpuAddress& gpu : alert.gpus)
        gpus.append(QJsonObject{{rowMember, gpu.node}, {indexMember, gpu.gpu}});
    const QDateTime since = alert.sinceMs ? QDateTime::fromMSecsSinceEpoch(*alert.sinceMs, Qt::UTC) : QDateTime();
    return {
        {kindMember, alert.kind},
        {ruleOfAlertMember, orNull(alert.rule.text())},
        {levelMember, levelWord(alert.level)},
        {titleMember, alert.title},
        {seenMember, orNull(alert.seen)},
        {sinceMember, momentJson(since)},
        {meaningMember, orNull(alert.meaning)},
        {adviceOfAlertMember, orNull(alert.advice)},
        {fieldMember, orNull(alert.field)},
        {sourceOfAlertMember, orNull(alert.source)},
        {gpusMember, gpus},
        {nodesMember, QJsonArray::fromStringList(alert.nodes)},
        {rankOfAlertMember, orNull(alert.rank)},
    };
}

Result<Alert> alertFromJson(JsonReader json)
{
    Alert alert;
    alert.kind = json.requiredText(kindMember);
    alert.rule = FixedWord<AlertKind>::read(json.text(ruleOfAlertMember).value_or(QString()));
    alert.level = readLevel(json);
    alert.title = json.text(titleMember).value_or(QString());
    alert.seen = json.text(seenMember).value_or(QString());
    if (const auto since = json.time(sinceMember))
        alert.sinceMs = since->toMSecsSinceEpoch();
    alert.meaning = json.text(meaningMember).value_or(QString());
    alert.advice = json.text(adviceOfAlertMember).value_or(QString());
    alert.field = json.text(fieldMember).value_or(QString());
    alert.source = json.text(sourceOfAlertMember).value_or(QString());
    alert.gpus = readGpus(json);
    alert.nodes = json.texts(nodesMember).value_or(QStringList());
    alert.rank = json.whole(rankOfAlertMember);
    if (json.fault())
        return fail(*json.fault());
    return alert;
}

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisjson.h"

#include "models/core/jsonvalue.h"

#include <QJsonArray>

#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr auto classMember = "class"_L1;
constexpr auto ruleMember = "rule"_L1;
constexpr auto rankMember = "rank"_L1;
constexpr auto gpuMember = "gpu"_L1;
constexpr auto nodeMember = "node"_L1;
constexpr auto amongNodesMember = "amongNodes"_L1;
constexpr auto lineMember = "line"_L1;
constexpr auto offsetMember = "offset"_L1;
constexpr auto evidenceMember = "evidence"_L1;
constexpr auto adviceMember = "advice"_L1;
constexpr auto sourceMember = "source"_L1;
constexpr auto printedTimeMember = "printedTime"_L1;
constexpr auto confirmedMember = "confirmed"_L1;

constexpr auto memoryMember = "memory"_L1;

/// Members of the figures, in bytes; "runtime" is beside them.
constexpr std::pair<QLatin1StringView, std::optional<Bytes> MemoryMessage::*> memoryFigures[]
    = {{"triedBytes"_L1, &MemoryMessage::tried}, {"capacityBytes"_L1, &MemoryMessage::capacity},
        {"freeBytes"_L1, &MemoryMessage::free}, {"inUseBytes"_L1, &MemoryMessage::inUse},
        {"allocatedBytes"_L1, &MemoryMessage::allocated}, {"unusedBytes"_L1, &MemoryMessage::unused},
        {"otherProcessesBytes"_L1, &MemoryMessage::others}};
constexpr std::pair<QLatin1StringView, MemoryMessage::Runtime> runtimeWords[]
    = {{"cuda"_L1, MemoryMessage::Runtime::Cuda}, {"hip"_L1, MemoryMessage::Runtime::Hip}};

constexpr qint64 largest = std::numeric_limits<qint64>::max();

QJsonObject memoryJson(const MemoryMessage& message)
{
    QJsonObject json{{"runtime"_L1, QJsonValue()}};
    for (const auto& [word, runtime] : runtimeWords) {
        if (message.runtime == runtime)
            json.insert("runtime"_L1, word);
    }
    for (const auto& [name, figure] : memoryFigures)
        json.insert(name, orNull(message.*figure));
    return json;
}

MemoryMessage memoryFromJson(JsonReader& json)
{
    MemoryMessage message;
    const QString said = json.text("runtime"_L1).value_or(QString());
    for (const auto& [word, runtime] : runtimeWords) {
        if (said == word)
            message.runtime = runtime;
    }
    for (const auto& [name, figure] : memoryFigures) {
        if (const auto bytes = json.integer(name, 0, largest))
            message.*figure = Bytes{*bytes};
    }
    return message;
}

} // namespace

QJsonObject diagnosisJson(const Diagnosis& diagnosis)
{
    QJsonObject json{
        {classMember, diagnosis.kind},
        {ruleMember, orNull(diagnosis.rule)},
        {rankMember, orNull(diagnosis.rank)},
        {gpuMember, orNull(diagnosis.gpu)},
        {nodeMember, orNull(diagnosis.node)},
        {lineMember, orNull(diagnosis.line)},
        {offsetMember, orNull(diagnosis.offset)},
        {evidenceMember, orNull(diagnosis.evidence)},
        {adviceMember, orNull(diagnosis.advice)},
        {sourceMember, orNull(diagnosis.source)},
        {confirmedMember, diagnosis.confirmed},
    };
    if (!diagnosis.amongNodes.isEmpty())
        json.insert(amongNodesMember, QJsonArray::fromStringList(diagnosis.amongNodes));
    if (!diagnosis.printedTime.isEmpty())
        json.insert(printedTimeMember, diagnosis.printedTime);
    if (diagnosis.memory)
        json.insert(memoryMember, memoryJson(*diagnosis.memory));
    return json;
}

QJsonObject noDiagnosisJson() { return {{classMember, QJsonValue()}}; }

Result<Diagnosis> diagnosisFromJson(JsonReader json)
{
    Diagnosis diagnosis;
    diagnosis.kind = json.requiredText(classMember);
    diagnosis.rule = json.text(ruleMember).value_or(QString());
    diagnosis.rank = json.whole(rankMember);
    diagnosis.gpu = json.whole(gpuMember);
    diagnosis.node = json.text(nodeMember).value_or(QString());
    diagnosis.amongNodes = json.texts(amongNodesMember).value_or(QStringList());
    diagnosis.line = json.integer(lineMember, 1, largest);
    diagnosis.offset = json.integer(offsetMember, 0, largest);
    diagnosis.evidence = json.text(evidenceMember).value_or(QString());
    diagnosis.advice = json.text(adviceMember).value_or(QString());
    diagnosis.source = json.text(sourceMember).value_or(QString());
    diagnosis.printedTime = json.text(printedTimeMember).value_or(QString());
    diagnosis.confirmed = json.flag(confirmedMember).value_or(true);
    if (auto memory = json.object(memoryMember)) {
        diagnosis.memory = memoryFromJson(*memory);
        json.absorb(*memory);
    }
    if (json.fault())
        return fail(*json.fault());
    return diagnosis;
}

} // namespace rankwright::inline insight

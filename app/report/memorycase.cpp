// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/memorycase.h"

#include "app/report/knowndesign.h"
#include "models/core/jsonreader.h"
#include "models/core/quantitytext.h"
#include "models/planner/planning/remedies.h"
#include "models/script/document/designjson.h"
#include "models/script/write/figurepassing.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1StringView joinsPieces{"expandable_segments:True"};
constexpr QLatin1StringView allocatorVariable{"PYTORCH_CUDA_ALLOC_CONF"};

MemoryShortage::Plan planOf(const MemoryEstimate& memory)
{
    const MemoryParts& parts = memory.parts;
    MemoryShortage::Plan plan;
    for (const auto& [key, label, bytes] : {std::tuple(u"weights"_s, u"weights"_s, parts.weights),
             std::tuple(u"gradients"_s, u"gradients"_s, parts.gradients),
             std::tuple(u"optimizer"_s, u"optimiser states"_s, parts.optimizer),
             std::tuple(u"activations"_s, u"activations"_s, parts.activations),
             std::tuple(u"temporary"_s, u"short-lived buffers"_s, parts.temporary),
             std::tuple(u"overhead"_s, u"context and allocator"_s, parts.overhead)}) {
        if (bytes > 0)
            plan.parts.append({key, label, bytes});
    }
    plan.totalBytes = memory.totalBytes;
    plan.usableBytes = memory.usableBytes;
    plan.fixedBytes = parts.weights + parts.gradients + parts.optimizer;
    plan.passingBytes = parts.activations + parts.temporary;
    return plan;
}

/// Recomputation has many names; a script without any of them does not switch it on.
bool speaksOfRecomputing(const QByteArray& script)
{
    static const QRegularExpression word(u"checkpointing|recompute|activation[_-]?checkpoint|act[_-]ckpt|\\bremat"_s,
        QRegularExpression::CaseInsensitiveOption);
    return QString::fromUtf8(script).contains(word);
}

QStringList unpassedOf(const PlannedJob& planned, const QByteArray& script)
{
    QStringList all;
    const FigurePassing passing = figurePassing(planned.resolved, planned.batch, planned.profile);
    if (passing.isUnsaid(ProgramFigure::MicroBatch))
        all.append(u"micro-batch %1"_s.arg(planned.batch.microBatch));
    if (!script.isEmpty() && planned.estimate && planned.estimate->run.workload.recompute != Recompute::None
        && !speaksOfRecomputing(script))
        all.append(u"recomputed activations"_s);
    return all;
}

/// Members of `after` that are others in `before`.
QJsonObject changed(const QJsonObject& before, const QJsonObject& after)
{
    QJsonObject members;
    for (auto it = after.begin(); it != after.end(); ++it) {
        const QJsonValue was = before.value(it.key());
        if (was == it.value())
            continue;
        const bool isPart = was.isObject() && it->isObject();
        members.insert(it.key(), isPart ? QJsonValue(changed(was.toObject(), it->toObject())) : QJsonValue(it.value()));
    }
    return members;
}

QJsonObject merged(QJsonObject into, const QJsonObject& members)
{
    for (auto it = members.begin(); it != members.end(); ++it) {
        const QJsonValue was = into.value(it.key());
        const bool isPart = was.isObject() && it->isObject();
        into.insert(it.key(), isPart ? QJsonValue(merged(was.toObject(), it->toObject())) : QJsonValue(it.value()));
    }
    return into;
}

QJsonObject objectOf(const JobSpec& spec) { return parseJsonObject(writeDesign(spec), u"design"_s).valueOr({}); }

ReportAdvice adviceOf(
    const PlannedJob& planned, const QString& text, const QString& reason, const std::function<void(JobSpec&)>& apply)
{
    ReportAdvice advice;
    advice.kind = AdviceKind::Design;
    advice.text = text;
    advice.reason = reason;
    JobSpec after = planned.resolved.spec;
    apply(after);
    advice.design = designChange(planned.resolved.spec, after);
    return advice;
}

/// Whether the pieces are joined already.
bool joins(const JobSpec& spec, const QByteArray& script)
{
    return spec.environment.variables.value(allocatorVariable).contains(u"expandable_segments")
        || script.contains("expandable_segments");
}

} // namespace

QByteArray designChange(const JobSpec& before, const JobSpec& after)
{
    const QJsonObject members = changed(objectOf(before), objectOf(after));
    return members.isEmpty() ? QByteArray() : QJsonDocument(members).toJson(QJsonDocument::Compact);
}

bool applyDesignChange(JobSpec& spec, const QByteArray& change)
{
    const QJsonObject members = parseJsonObject(change, u"change"_s).valueOr({});
    if (members.isEmpty())
        return false;
    const auto read
        = readDesign(QJsonDocument(merged(objectOf(spec), members)).toJson(QJsonDocument::Compact), u"design"_s);
    if (!read)
        return false;
    JobSpec changed = read->spec;
    const std::optional<qint64> micro = changed.training.microBatch;
    if (micro && micro != spec.training.microBatch && changed.command == spec.command) {
        changed.training.microBatch = spec.training.microBatch; // which of the command's figures it is
        setMicroBatch(changed, *micro);
    }
    spec = changed;
    return true;
}

std::optional<MemoryShortage> memoryShortage(
    const QList<Diagnosis>& diagnoses, const PlannedJob* planned, const QByteArray& script)
{
    const auto found = std::find_if(diagnoses.begin(), diagnoses.end(), [](const Diagnosis& one) {
        return one.confirmed && one.memory && (one.memory->tried || one.memory->allocated);
    });
    if (found == diagnoses.end())
        return {};
    MemoryShortage shortage;
    shortage.said = *found->memory;
    if (!planned)
        return shortage;
    if (planned->estimate)
        shortage.plan = planOf(planned->estimate->memory);
    shortage.unpassed = unpassedOf(*planned, script);
    return shortage;
}

std::optional<ReportAdvice> memoryChange(
    const MemoryShortage& shortage, const PlannedJob& planned, const QByteArray& script)
{
    if (shortage.isFragmented() && shortage.said.runtime == MemoryMessage::Runtime::Cuda
        && !joins(planned.resolved.spec, script))
        return adviceOf(planned,
            u"Set %1=%2: the allocator then joins what is free."_s.arg(allocatorVariable, joinsPieces),
            u"%1 were reserved and unused when %2 were asked for."_s.arg(
                humanBytes(*shortage.said.unused), humanBytes(*shortage.said.tried)),
            [](JobSpec& spec) {
                QString& value = spec.environment.variables[allocatorVariable];
                value = value.isEmpty() ? QString(joinsPieces) : value + u',' + joinsPieces;
            });
    // Where nothing tells the program what the design says, no change of the design changes what runs.
    if (!planned.estimate || !shortage.unpassed.isEmpty())
        return {};
    const auto needed = shortage.said.needed();
    const QList<Remedy> changes = remedies(planned.resolved, planned.profile, Result<DesignEstimate>(*planned.estimate),
        planned.learned, needed ? std::optional(double(needed->count)) : std::nullopt);
    if (changes.isEmpty())
        return {};
    const Remedy& smallest = changes.first();
    const auto excess = shortage.excess();
    return adviceOf(planned, smallest.label + u'.',
        u"The smallest change after which it fits: %1%2."_s.arg(smallest.effect,
            excess ? u"; that it needed %1 more than planned is counted in"_s.arg(percentText(100 * (*excess - 1)))
                   : QString()),
        smallest.apply);
}

std::optional<ReportAdvice> memoryAdvice(const QList<Diagnosis>& diagnoses, const QByteArray& design,
    const QByteArray& script, const ClusterProfile* profile, const CalibrationTable& learned)
{
    if (std::none_of(diagnoses.begin(), diagnoses.end(), [](const Diagnosis& one) { return one.memory.has_value(); }))
        return {};
    const auto known = knownDesign(design, profile, learned);
    if (!known)
        return {};
    const PlannedJob planned{known->resolved, known->batch, known->estimate, *profile, learned};
    const auto shortage = memoryShortage(diagnoses, &planned, script);
    return shortage ? memoryChange(*shortage, planned, script) : std::nullopt;
}

} // namespace rankwright

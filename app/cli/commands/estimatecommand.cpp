// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/candidatejson.h"
#include "app/cli/designfile.h"
#include "app/cli/inputstream.h"
#include "app/cli/ownruns.h"
#include "models/core/quantitytext.h"
#include "models/planner/estimate/runs/runestimate.h"
#include "models/planner/planning/advice.h"
#include "models/planner/planning/estimatetext.h"
#include "models/planner/planning/remedies.h"
#include "models/script/document/design.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

bool mayRun(FitVerdict verdict) { return verdict == FitVerdict::Fits || verdict == FitVerdict::Probably; }

QJsonObject memoryJson(const DesignEstimate& estimate)
{
    const MemoryEstimate& memory = estimate.memory;
    const MemoryParts& parts = memory.parts;
    return {{u"totalBytes"_s, memory.totalBytes}, {u"lowBytes"_s, memory.lowBytes}, {u"highBytes"_s, memory.highBytes},
        {u"usableBytes"_s, memory.usableBytes},
        {u"parts"_s,
            QJsonObject{{u"weights"_s, parts.weights}, {u"gradients"_s, parts.gradients},
                {u"optimizer"_s, parts.optimizer}, {u"activations"_s, parts.activations},
                {u"temporary"_s, parts.temporary}, {u"overhead"_s, parts.overhead}}},
        {u"worstRank"_s, worstRank(estimate.run.layout, memory.worstStage)}, {u"worstStage"_s, memory.worstStage},
        {u"hostBytesPerNode"_s, memory.hostBytesPerNode > 0 ? QJsonValue(memory.hostBytesPerNode) : QJsonValue()}};
}

/// Tokens make no sense of an image model: its rate is reported in samples.
bool countsTokens(const Workload& workload)
{
    return workload.shape.family != ModelFamily::Convolution && workload.shape.family != ModelFamily::Vision;
}

QJsonObject stepJson(const DesignEstimate& estimate)
{
    const StepEstimate& step = estimate.step;
    const double perGpu = step.tokensPerSecondPerGpu;
    const double samples
        = double(estimate.run.layout.globalBatch()) / qMax(1e-12, step.seconds * double(estimate.run.layout.gpus()));
    return {{u"seconds"_s, step.seconds}, {u"lowSeconds"_s, step.lowSeconds}, {u"highSeconds"_s, step.highSeconds},
        {u"tokensPerSecondPerGpu"_s, countsTokens(estimate.run.workload) ? QJsonValue(perGpu) : QJsonValue()},
        {u"samplesPerSecondPerGpu"_s, samples}, {u"tflopsPerGpu"_s, step.teraflopsPerGpu}, {u"mfu"_s, step.mfu},
        {u"parts"_s,
            QJsonObject{{u"compute"_s, step.parts.compute}, {u"communication"_s, step.parts.communication},
                {u"bubble"_s, step.parts.bubble}, {u"other"_s, step.parts.other}}}};
}

QJsonArray choicesJson(const QList<Choice>& choices)
{
    QJsonArray json;
    for (const Choice& choice : choices)
        json.append(QJsonObject{{u"field"_s, choice.field}, {u"value"_s, choice.value}, {u"reason"_s, choice.reason}});
    return json;
}

/// Null: published figures alone.
QJsonValue correctionJson(const Correction& correction)
{
    if (correction.runs == 0)
        return {};
    return QJsonObject{{u"runs"_s, correction.runs}, {u"percent"_s, 100 * correction.share}};
}

/// ", corrected by 2 runs, −6 %"
QString correctedText(const Correction& correction)
{
    const QString text = EstimateText::correction(correction);
    return text.isEmpty() ? text : u"; "_s + text;
}

/// Null: no published run is of this kind.
QJsonValue nearestJson(const std::optional<NearestRun>& nearest)
{
    if (!nearest)
        return {};
    const auto percent
        = [](const std::optional<double>& share) { return share ? QJsonValue(100 * *share) : QJsonValue(); };
    const PublishedRun& run = nearest->run;
    return QJsonObject{{u"text"_s, nearest->text()}, {u"model"_s, run.model}, {u"gpu"_s, run.gpu},
        {u"gpus"_s, run.gpus}, {u"framework"_s, run.stack}, {u"source"_s, run.source},
        {u"memoryErrorPercent"_s, percent(run.memoryError)}, {u"stepErrorPercent"_s, percent(run.timeError)},
        {u"distance"_s, nearest->distance}};
}

QJsonObject estimateJson(
    const DesignEstimate& estimate, const QList<Remedy>& cures, const QString& noRemedy, const QString& reason)
{
    QJsonArray remedies;
    for (const Remedy& cure : cures)
        remedies.append(
            QJsonObject{{u"text"_s, cure.label}, {u"effect"_s, cure.effect}, {u"verdict"_s, toText(cure.verdict)},
                {u"memoryBytes"_s, cure.memoryBytes}, {u"stepSeconds"_s, cure.stepSeconds}});
    return {{u"fits"_s, mayRun(estimate.memory.verdict)}, {u"verdict"_s, toText(estimate.memory.verdict)},
        {u"framework"_s, toText(estimate.run.stack)}, {u"memory"_s, memoryJson(estimate)},
        {u"step"_s, stepJson(estimate)}, {u"parameters"_s, double(estimate.run.parameters.total)},
        {u"largestMicroBatch"_s, double(estimate.largestMicroBatch)}, {u"reason"_s, orNull(reason)},
        {u"limitedBy"_s, orNull(estimate.limitedBy)}, {u"calibratedBy"_s, orNull(estimate.calibratedBy)},
        {u"correction"_s,
            QJsonObject{{u"memory"_s, correctionJson(estimate.memoryCorrection)},
                {u"time"_s, correctionJson(estimate.timeCorrection)}}},
        {u"nearestRun"_s, nearestJson(estimate.nearest)}, {u"remedies"_s, remedies}, {u"noRemedy"_s, orNull(noRemedy)},
        {u"assumed"_s, choicesJson(estimate.run.choices)}, {u"assumes"_s, assumesJson(assumptionsOf(estimate.run))}};
}

void printEstimate(
    const CliContext& context, const DesignEstimate& estimate, const QList<Remedy>& cures, const QString& noRemedy)
{
    const MemoryEstimate& memory = estimate.memory;
    const StepEstimate& step = estimate.step;
    TextFacts facts;
    facts.add(u"verdict"_s, toText(memory.verdict));
    facts.add(u"memory"_s,
        u"%1 GiB, likely %2 to %3, of %4 usable"_s.arg(gibFigure(memory.totalBytes), gibFigure(memory.lowBytes),
            gibFigure(memory.highBytes), gibFigure(memory.usableBytes))
            + correctedText(estimate.memoryCorrection));
    const MemoryParts& parts = memory.parts;
    facts.add(u"of it"_s,
        u"weights %1, gradients %2, optimiser %3, activations %4, temporary %5, overhead %6"_s.arg(
            gibFigure(parts.weights), gibFigure(parts.gradients), gibFigure(parts.optimizer),
            gibFigure(parts.activations), gibFigure(parts.temporary), gibFigure(parts.overhead)));
    facts.add(u"step"_s,
        u"%1 s, likely %2 to %3"_s.arg(
            humanNumber(step.seconds, 3), humanNumber(step.lowSeconds, 3), humanNumber(step.highSeconds, 3))
            + correctedText(estimate.timeCorrection));
    facts.add(u"rate"_s,
        u"%1 %2/s per GPU, %3 TFLOP/s, MFU %4"_s.arg(humanNumber(step.tokensPerSecondPerGpu, 0),
            countsTokens(estimate.run.workload) ? u"tokens"_s : u"samples"_s, humanNumber(step.teraflopsPerGpu, 1),
            humanNumber(step.mfu, 2)));
    if (estimate.nearest)
        facts.add(u"nearest published run"_s, estimate.nearest->text());
    if (!estimate.limitedBy.isEmpty())
        facts.add(u"limited by"_s, estimate.limitedBy);
    facts.add(u"largest micro-batch"_s, humanNumber(double(estimate.largestMicroBatch)));
    for (const Remedy& cure : cures)
        facts.add(u"remedy"_s, cure.label + u": "_s + cure.effect);
    if (!noRemedy.isEmpty())
        facts.add(u"remedy"_s, noRemedy);
    for (const Choice& choice : estimate.run.choices)
        facts.add(u"assumed"_s, choice.field + u" "_s + choice.value + u": "_s + choice.reason);
    facts.print(context.out);
}

QJsonObject runJson(const RunEstimate& run)
{
    const auto bytes
        = [&](double MemoryEstimate::*member) { return run.memory ? QJsonValue((*run.memory).*member) : QJsonValue(); };
    const auto figure
        = [&](double StepEstimate::*member) { return run.step ? QJsonValue((*run.step).*member) : QJsonValue(); };
    return {{u"id"_s, run.id}, {u"framework"_s, orNull(run.framework)},
        {u"memoryBytes"_s, bytes(&MemoryEstimate::totalBytes)}, {u"lowBytes"_s, bytes(&MemoryEstimate::lowBytes)},
        {u"highBytes"_s, bytes(&MemoryEstimate::highBytes)}, {u"counter"_s, toText(run.counter)},
        {u"verdict"_s, run.memory ? QJsonValue(toText(run.memory->verdict)) : QJsonValue()},
        {u"stepSeconds"_s, figure(&StepEstimate::seconds)},
        {u"tokensPerSecondPerGpu"_s, figure(&StepEstimate::tokensPerSecondPerGpu)},
        {u"tflopsPerGpu"_s, figure(&StepEstimate::teraflopsPerGpu)}, {u"note"_s, orNull(run.note)}};
}

int runTable(const CliContext& context)
{
    const QString path = context.option(u"runs"_s);
    const QString name = inputName(path);
    const Result<QByteArray> bytes = readInput(path, name);
    if (!bytes)
        return report(context, bytes.error());
    const auto rows = readRuns(*bytes);
    if (!rows)
        return report(context, rows.error().within(name));
    QJsonArray answer;
    TextTable table({u"id"_s, u"framework"_s, u"GiB"_s, u"verdict"_s, u"step s"_s, u"tokens/s"_s, u"note"_s});
    for (const RunRow& row : *rows) {
        const RunEstimate run = estimateRun(row);
        if (context.json)
            answer.append(runJson(run));
        else
            table.add({run.id, run.framework, run.memory ? gibFigure(run.memory->totalBytes) : QString(),
                run.memory ? toText(run.memory->verdict) : QString(),
                run.step ? humanNumber(run.step->seconds, 3) : QString(),
                run.step ? humanNumber(run.step->tokensPerSecondPerGpu, 0) : QString(), run.note});
    }
    if (context.json)
        printJson(context.out, answer);
    else
        table.print(context.out);
    return ExitDone;
}

/// What `check` calls an error because no job can have it: a batch, a sequence, a number of nodes of 0 or less.
QList<Finding> impossibleSizes(const LoadedDesign& design)
{
    QList<Finding> sizes = derive(design.resolved.spec, *design.profile).findings();
    sizes.removeIf([](const Finding& one) { return one.severity != Severity::Error || one.slug != u"size-range"; });
    return sizes;
}

int runEstimate(const CliContext& context)
{
    if (context.has(u"runs"_s)) {
        if (!context.positional.isEmpty())
            return report(context,
                Error{Fault::Invalid, u"estimate takes a design or a table of runs, not both"_s, {},
                    u"leave out %1 or --runs"_s.arg(context.positional.first())});
        return runTable(context);
    }
    if (context.positional.isEmpty())
        return report(context,
            Error{Fault::Invalid, u"estimate needs a design"_s, {}, u"give a design file, or --runs RUNS.csv"_s});
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    if (const QList<Finding> impossible = impossibleSizes(*design); !impossible.isEmpty()) {
        for (const Finding& one : impossible)
            report(context,
                Error{Fault::Invalid, one.field + u": "_s + one.text, {}, one.fixLabels().join(u", or: "_s)}.within(
                    design->name));
        return ExitUsage;
    }
    const BatchPlan batch = planBatch(design->resolved);
    const CalibrationTable runs = ownRuns(context);
    const auto estimate = estimateDesign(design->resolved, batch, *design->profile, runs);
    if (!estimate)
        return report(context, estimate.error().within(design->name));
    const QList<Remedy> cures = remedies(design->resolved, *design->profile, estimate, runs);
    const QString noRemedy = cures.isEmpty() ? noRemedyReason(design->resolved, *design->profile, estimate) : QString();
    if (context.json)
        printJson(context.out, estimateJson(*estimate, cures, noRemedy, strategyReason(*estimate, design->resolved)));
    else
        printEstimate(context, *estimate, cures, noRemedy);
    return mayRun(estimate->memory.verdict) ? ExitDone : ExitNo;
}

} // namespace

CliCommand estimateCommand()
{
    return {
        .name = "estimate",
        .summary = "Estimate memory per GPU, step time and rate of a design, or of a table of runs",
        .words = "[DESIGN]",
        .run = runEstimate,
        .options = withOwnRuns(
            {{.name = "runs", .value = "RUNS.csv", .text = "in place of a design: each row of a table of runs"}}),
        .maximumWords = 1,
    };
}

} // namespace rankwright

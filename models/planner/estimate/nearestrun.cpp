// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/nearestrun.h"

#include "models/planner/estimate/network/plannerdata.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr QLatin1StringView partWords[]{"all"_L1, "adapters"_L1, "adapters of a quantised base"_L1};

std::optional<double> figure(const QJsonValue& value)
{
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

double decades(double value) { return std::log10(std::max(value, 1.0)); }

/// A published run as it is compared: logarithms and words cost more than all the rest of a comparison.
struct Compared {
    ModelFamily family = ModelFamily::Decoder;
    TrainedPart part = TrainedPart::All;
    bool experts = false;
    qsizetype gpuClass = 0, stack = 0; ///< places in the lists of words
    double parameters = 0, sequence = 0, gpus = 0; ///< decades
};

struct ComparedRuns {
    QStringList gpuClasses, stacks;
    std::vector<Compared> runs; ///< in the order of publishedRunTable()
};

qsizetype placeOf(QStringList& words, const QString& word)
{
    const qsizetype place = words.indexOf(word);
    if (place >= 0)
        return place;
    words.append(word);
    return words.size() - 1;
}

const ComparedRuns& comparedRuns()
{
    static const ComparedRuns all = [] {
        ComparedRuns table;
        for (const PublishedRun& run : publishedRunTable())
            table.runs.push_back({run.family, run.part, run.experts, placeOf(table.gpuClasses, run.gpuClass),
                placeOf(table.stacks, run.stack), decades(run.parameters), decades(run.sequence), decades(run.gpus)});
        return table;
    }();
    return all;
}

QString offText(double share) { return u"%1 %"_s.arg(std::abs(100 * share), 0, 'f', 1); }

} // namespace

TrainedPart trainedPart(const Workload& workload)
{
    if (workload.adapter.method == AdapterMethod::None)
        return workload.trainedFraction < 1 ? TrainedPart::Adapters : TrainedPart::All;
    return workload.adapter.quantisation == Quantisation::None ? TrainedPart::Adapters
                                                               : TrainedPart::AdaptersOfQuantised;
}

QList<PublishedRun> readPublishedRuns(const QJsonObject& document)
{
    QList<PublishedRun> runs;
    for (const QJsonValue& one : document.value(u"runs"_s).toArray()) {
        const QJsonObject json = one.toObject();
        PublishedRun run;
        run.model = json.value(u"model"_s).toString();
        run.gpu = json.value(u"gpu"_s).toString();
        run.gpuClass = json.value(u"class"_s).toString();
        run.gpus = json.value(u"gpus"_s).toInt(1);
        run.stack = json.value(u"stack"_s).toString();
        run.source = json.value(u"source"_s).toString();
        const QString part = json.value(u"trained"_s).toString();
        const auto word = std::find(std::begin(partWords), std::end(partWords), part);
        run.part
            = word == std::end(partWords) ? TrainedPart::All : static_cast<TrainedPart>(word - std::begin(partWords));
        const QString family = json.value(u"family"_s).toString();
        for (const ModelFamily kind : {ModelFamily::Decoder, ModelFamily::Encoder, ModelFamily::EncoderDecoder,
                 ModelFamily::Vision, ModelFamily::Convolution, ModelFamily::Diffusion}) {
            if (toText(kind) == family)
                run.family = kind;
        }
        run.parameters = json.value(u"parameters"_s).toDouble();
        run.sequence = json.value(u"sequence"_s).toDouble(1);
        run.experts = json.value(u"experts"_s).toBool();
        run.memoryError = figure(json.value(u"memoryError"_s));
        run.timeError = figure(json.value(u"timeError"_s));
        runs.append(run);
    }
    return runs;
}

const QList<PublishedRun>& publishedRunTable()
{
    static const QList<PublishedRun> all = readPublishedRuns(plannerData(u"published.json"_s));
    return all;
}

QString NearestRun::text() const
{
    QStringList errors;
    if (run.memoryError)
        errors.append(u"memory %1 off"_s.arg(offText(*run.memoryError)));
    if (run.timeError)
        errors.append(u"step %1 off"_s.arg(offText(*run.timeError)));
    const QString how = run.part == TrainedPart::All ? QString()
        : run.part == TrainedPart::Adapters          ? u", adapters"_s
                                                     : u", adapters of a quantised base"_s;
    return u"Like %1%2 on %3 %4 (%5): %6"_s.arg(run.model, how)
        .arg(run.gpus)
        .arg(run.gpu, run.source, errors.join(u", "_s));
}

std::optional<NearestRun> nearestRun(
    const Workload& workload, const Layout& layout, const QString& stack, const GpuFigures& gpu)
{
    if (!checkShape(workload.shape))
        return std::nullopt;
    const double parameters = decades(static_cast<double>(countParameters(workload.shape).total));
    const double sequence = decades(static_cast<double>(workload.sequence));
    const double gpus = decades(layout.gpus());
    const TrainedPart part = trainedPart(workload);
    const bool experts = workload.shape.experts > 0;
    const ComparedRuns& table = comparedRuns();
    const qsizetype gpuClass = table.gpuClasses.indexOf(gpu.gpuClass);
    const qsizetype ofStack = table.stacks.indexOf(stack);
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t i = 0; i < table.runs.size(); ++i) {
        const Compared& run = table.runs[i];
        if (run.family != workload.shape.family)
            continue;
        const double distance = std::abs(parameters - run.parameters) + std::abs(sequence - run.sequence)
            + std::abs(gpus - run.gpus) / 2.0 + (run.gpuClass == gpuClass ? 0.0 : 1.0)
            + (run.stack == ofStack ? 0.0 : 1.0) + (run.part == part ? 0.0 : 1.0)
            + (run.experts == experts ? 0.0 : 1.0);
        if (!best || distance < least) {
            best = i;
            least = distance;
        }
    }
    return best ? std::optional(NearestRun{publishedRunTable().at(qsizetype(*best)), least}) : std::nullopt;
}

double bandFactor(double distance) { return std::clamp(1.0 + 0.25 * (distance - 1.0), 1.0, 2.0); }

} // namespace rankwright::inline planner

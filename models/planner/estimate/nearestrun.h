// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/workload.h"

#include <QJsonObject>
#include <QList>

#include <optional>

namespace rankwright::inline planner {

/// How the weights of a run are trained: what tells fine-tuning from training everything.
enum class TrainedPart { All, Adapters, AdaptersOfQuantised };
TrainedPart trainedPart(const Workload& workload);

/// A published run and how far the planner's estimate of it is off.
struct PublishedRun {
    QString model; ///< as its source writes it
    QString gpu; ///< "MI250X GCD"
    QString gpuClass; ///< GpuFigures::gpuClass
    int gpus = 1;
    QString stack; ///< of stacknames.h
    QString source; ///< "spyysalo/lumi-llm-scaling"
    TrainedPart part = TrainedPart::All;
    ModelFamily family = ModelFamily::Decoder;
    double parameters = 0;
    double sequence = 1;
    bool experts = false;
    std::optional<double> memoryError; ///< predicted / measured - 1; empty: no peak was published
    std::optional<double> timeError; ///< the same of a step
    bool operator==(const PublishedRun&) const = default;
};

/// The table resources/planner/published.json, which tests/bench/planner_runs writes.
const QList<PublishedRun>& publishedRunTable();
QList<PublishedRun> readPublishedRuns(const QJsonObject& document);

/// How unlike two runs are: 0 the same; 1 for ten times the parameters, ten times the tokens of a sample, a hundred
/// times the GPUs, another generation of GPU, another stack, or adapters in place of all weights; the parts add up.
struct NearestRun {
    PublishedRun run;
    double distance = 0;
    /// "Like Llama 2 7B on 16 MI250X GCD (spyysalo/lumi-llm-scaling): memory 1.9 % off, step 2.3 % off"
    QString text() const;
};

/// The published run that is most like this one; empty: none of its family. Pure; a few microseconds.
std::optional<NearestRun> nearestRun(
    const Workload& workload, const Layout& layout, const QString& stack, const GpuFigures& gpu);

/// Factor of a band's half width at a distance: 1 up to 1, a quarter more for each further step, at most 2.
double bandFactor(double distance);

} // namespace rankwright::inline planner

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/planning/advice.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"

#include <QJsonObject>

#include <cstdlib>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int runs = 11;

JobSpec design(const QString& preset, qint64 batch)
{
    JobSpec spec;
    spec.name = u"bench"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.model = QJsonObject{{u"preset"_s, preset}};
    spec.training.globalBatch = batch;
    spec.training.sequence = 4096;
    spec.resources.nodes = 16;
    spec.parallel.strategy = Strategy::Fsdp;
    spec.training.microBatch = 1;
    return spec;
}

void measureEstimate(const ClusterProfile& profile)
{
    const ResolvedSpec resolved = resolve(design(u"llama-3-70b"_s, 1024), profile);
    const BatchPlan batch = planBatch(resolved);
    QList<double> times;
    double sum = 0;
    constexpr int repeats = 2000;
    for (int run = 0; run < runs; ++run) {
        const double start = bench::threadSeconds();
        for (int i = 0; i < repeats; ++i)
            sum += estimateDesign(resolved, batch, profile)->step.seconds;
        times.append((bench::threadSeconds() - start) * 1e6 / repeats);
    }
    if (!(sum > 0))
        std::abort();
    bench::report("one estimate, 70 B on 16 LUMI nodes", times, "us");
}

void measureSearch(const ClusterProfile& profile, int nodes, qint64 batch)
{
    const ResolvedSpec resolved = resolve(design(u"llama-3-70b"_s, batch), profile);
    const BatchPlan plan = planBatch(resolved);
    SearchLimits limits;
    limits.maxNodes = nodes;
    QList<double> times, rates;
    for (int run = 0; run < runs; ++run) {
        const double start = bench::threadSeconds();
        const auto found = searchLayouts(resolved, plan, profile, limits);
        const double seconds = bench::threadSeconds() - start;
        if (!found || found->feasible == 0)
            std::abort();
        times.append(seconds * 1e3);
        rates.append(double(found->examined) / seconds);
    }
    const QString what = u"search, 70 B, up to %1 LUMI nodes, global batch %2"_s.arg(nodes).arg(batch);
    bench::report(qPrintable(what), times, "ms");
    bench::report(qPrintable(what + u": layouts examined"_s), rates, "1/s");
}

} // namespace

/// The planner's answers: one estimate, and the whole search. For comparison: Calculon examines 391 layouts a second
/// (Isaev et al., SC23). Processor time: a busy machine does not stretch it.
int main()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile* profile = catalogue.find(u"lumi"_s);
    if (profile == nullptr)
        return 1;
    measureEstimate(*profile);
    measureSearch(*profile, 256, 1024);
    measureSearch(*profile, 256, 2048 * 60);
    return 0;
}

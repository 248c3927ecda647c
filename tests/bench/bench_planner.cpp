// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/timemodel.h"
#include "tests/bench/benchreport.h"

#include <cstdlib>
#include <ctime>

using namespace rankwright;
using namespace Qt::StringLiterals;

// The planner's inner loop: nanoseconds of one layout. Calculon publishes 391 layouts in a second.

namespace {

constexpr int warmUps = 3;
constexpr int runs = 21;

/// Llama 3 70B.
Workload seventyBillion()
{
    Workload workload;
    ModelShape& shape = workload.shape;
    shape.layers = 80;
    shape.hidden = 8192;
    shape.heads = 64;
    shape.kvHeads = 8;
    shape.headSize = 128;
    shape.ffn = 28672;
    shape.vocab = 128256;
    shape.gatedMlp = true;
    shape.tiedEmbeddings = false;
    shape.norm = NormKind::RmsNorm;
    workload.sequence = 8192;
    return workload;
}

/// All sensible degrees of up to 2048 GPUs.
QList<Layout> layoutsOf(const Workload& workload)
{
    QList<Layout> layouts;
    for (int nodes = 1; nodes <= 256; nodes *= 2)
        for (const int tensor : {1, 2, 4, 8})
            for (const int pipeline : {1, 2, 4, 8, 16})
                for (const qint64 micro : {1, 2, 4, 8})
                    for (const Sharding sharding : {Sharding::None, Sharding::OptimizerStates, Sharding::Full}) {
                        Layout layout;
                        layout.nodes = nodes;
                        layout.gpusPerNode = 8;
                        layout.tensor = tensor;
                        layout.pipeline = pipeline;
                        layout.data = nodes * 8 / (tensor * pipeline);
                        layout.sharding = sharding;
                        layout.microBatch = micro;
                        layout.accumulation = 64;
                        if (layout.data > 0 && checkLayout(workload, layout))
                            layouts.append(layout);
                    }
    return layouts;
}

/// Nanoseconds of one core, as the processor counts them, of `work` for one of `count` things.
template <typename Work>
QList<double> timed(qsizetype count, const Work& work)
{
    QList<double> times;
    for (int run = 0; run < warmUps + runs; ++run) {
        const std::clock_t start = std::clock();
        work();
        if (run >= warmUps)
            times.append(double(std::clock() - start) * 1e9 / CLOCKS_PER_SEC / double(count));
    }
    return times;
}

void measureMemory()
{
    constexpr int rounds = 50;
    const Workload workload = seventyBillion();
    const QList<Layout> layouts = layoutsOf(workload);
    const GpuFigures gpu = gpuFigures(u"mi250x-gcd"_s);
    double bytes = 0; // used, so that nothing is optimised away
    for (const QString& stack : {u"fsdp2"_s, u"megatron-core"_s}) {
        const MemoryModel model(workload, *trainingStack(stack), gpu);
        const auto once = timed(layouts.size() * rounds, [&] {
            for (int round = 0; round < rounds; ++round)
                for (const Layout& layout : layouts)
                    bytes += model.estimate(layout).totalBytes;
        });
        bench::report(qPrintable(u"memory of one layout, %1"_s.arg(stack)), once, "ns");
    }
    const auto whole = timed(1000, [&] {
        for (int i = 0; i < 1000; ++i)
            bytes += MemoryModel(workload, *trainingStack(u"fsdp2"_s), gpu).estimate(layouts.first()).totalBytes;
    });
    bench::report("memory of one design: model and one layout", whole, "ns");
    const auto checks = timed(layouts.size(), [&] {
        for (const Layout& layout : layouts)
            bytes += checkSpread(workload, layout) ? 1 : 0;
    });
    bench::report("check of one layout", checks, "ns");
    if (!(bytes > 0))
        std::abort();
}

void measureTime()
{
    constexpr int rounds = 50;
    const Workload workload = seventyBillion();
    const QList<Layout> layouts = layoutsOf(workload);
    const GpuFigures gpu = gpuFigures(u"mi250x-gcd"_s);
    double seconds = 0; // used, so that nothing is optimised away
    for (const QString& stack : {u"fsdp2"_s, u"megatron-core"_s}) {
        const TimeModel time(workload, *trainingStack(stack), gpu);
        const MemoryModel memory(workload, *trainingStack(stack), gpu);
        const auto once = timed(layouts.size() * rounds, [&] {
            for (int round = 0; round < rounds; ++round)
                for (const Layout& layout : layouts)
                    seconds += time.estimate(layout).seconds;
        });
        bench::report(qPrintable(u"time of one layout, %1"_s.arg(stack)), once, "ns");
        auto both = timed(layouts.size() * rounds, [&] {
            for (int round = 0; round < rounds; ++round)
                for (const Layout& layout : layouts)
                    seconds += time.estimate(layout).seconds + memory.estimate(layout).totalBytes;
        });
        for (double& run : both)
            run = 1e9 / run;
        bench::report(qPrintable(u"memory and time, %1 (Calculon: 391)"_s.arg(stack)), both, "layouts/s");
    }
    const auto whole = timed(1000, [&] {
        for (int i = 0; i < 1000; ++i)
            seconds += TimeModel(workload, *trainingStack(u"fsdp2"_s), gpu).estimate(layouts.first()).seconds;
    });
    bench::report("time of one design: model and one layout", whole, "ns");
    if (!(seconds > 0))
        std::abort();
}

} // namespace

int main()
{
    measureMemory();
    measureTime();
    return 0;
}

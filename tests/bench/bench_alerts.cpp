// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertwatch.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int nodes = 1024;
constexpr int gpusPerNode = 8;
constexpr int warmSeconds = 90;
constexpr int seconds = 30; // of one run
constexpr qint64 startMs = 1'772'460'000'000;

NodeTick tickOf(const QString& node, int row, qint64 ms)
{
    NodeTick tick{node, ms, {}};
    for (int gpu = 0; gpu < gpusPerNode; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = 96 + (row + gpu + int(ms / 1000)) % 5;
        sample.memoryUsedBytes = 45'000'000'000 + 1000 * row;
        sample.memoryTotalBytes = 68'702'699'520;
        sample.secondaryDie = gpu % 2 == 1;
        if (!sample.secondaryDie) {
            sample.powerWatts = 420 + (row * 7 + gpu + int(ms / 1000)) % 40;
            sample.powerCapWatts = 500;
        }
        sample.temperatureCelsius = 60;
        sample.clockMhz = 1650;
        sample.processes = 1;
        tick.gpus.append(sample);
    }
    return tick;
}

NodeProcesses processesOf(const QString& node, int row, qint64 ms)
{
    NodeProcesses reported{node, ms, {}, 56, 512LL << 30, 300LL << 30};
    for (int local = 0; local < gpusPerNode; ++local) {
        RankSample rank;
        rank.pid = 1000 + local;
        rank.rank = row * gpusPerNode + local;
        rank.localRank = local;
        rank.worldSize = nodes * gpusPerNode;
        rank.cpus = u"%1-%2"_s.arg(local * 7).arg(local * 7 + 6);
        rank.cpuPercent = 100;
        rank.state = 'R';
        reported.ranks.append(rank);
    }
    return reported;
}

} // namespace

/// What watching 1,024 nodes of 8 GPUs costs: share of one core at a sample per second and GPU, ranks every 3 s.
int main()
{
    AlertWatch watch;
    JobExpectation expectation;
    QStringList names;
    for (int row = 0; row < nodes; ++row)
        names.append(u"nid%1"_s.arg(row + 1, 6, 10, QLatin1Char('0')));
    expectation.nodes = names;
    expectation.gpusPerNode = gpusPerNode;
    expectation.gpusPerPackage = 2;
    for (int rank = 0; rank < nodes * gpusPerNode; ++rank) {
        const int local = rank % gpusPerNode;
        RankPlace place{.rank = rank, .node = rank / gpusPerNode, .localRank = local, .gpu = local};
        for (int core = local * 7; core < local * 7 + 7; ++core)
            place.cores.append(core);
        expectation.placement.append(place);
    }
    watch.expect(expectation);
    watch.started(startMs);
    QList<double> feeding;
    QList<double> looking;
    int reported = 0;
    int second = 0;
    const auto play = [&](int count) {
        double fed = 0;
        double looked = 0;
        for (int end = second + count; second < end; ++second) {
            const qint64 ms = startMs + second * 1000;
            QList<NodeTick> ticks;
            QList<NodeProcesses> processes;
            for (int row = 0; row < nodes; ++row) {
                ticks.append(tickOf(names.at(row), row, ms));
                if ((second + row) % 3 == 0)
                    processes.append(processesOf(names.at(row), row, ms));
            }
            TrainingProgress progress;
            progress.step = second;
            progress.steps = 100'000;
            const double before = bench::cpuSeconds();
            // The first tick of a second also lets the rules look.
            for (const NodeTick& tick : std::as_const(ticks))
                watch.feed(tick, ms);
            for (const NodeProcesses& one : std::as_const(processes))
                watch.feed(one, ms);
            const double between = bench::cpuSeconds();
            watch.feed(progress, ms);
            reported += int(watch.alerts(ms).size());
            fed += between - before;
            looked += bench::cpuSeconds() - between;
        }
        feeding.append(100 * fed / count);
        looking.append(100 * looked / count);
    };
    play(warmSeconds);
    feeding.clear();
    looking.clear();
    for (int run = 0; run < 5; ++run)
        play(seconds);
    bench::report("8,192 GPUs at 1 Hz: samples, ranks, all rules", feeding, "% of one core");
    bench::report("8,192 GPUs at 1 Hz: reporting what stands", looking, "% of one core");
    std::printf("statements per second: %.2f\n", double(reported) / second);
    return 0;
}

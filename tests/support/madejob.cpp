// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/madejob.h"

#include <algorithm>
#include <cmath>

namespace rankwright::test {

using namespace Qt::StringLiterals;

namespace {

constexpr double gibibyte = 1073741824.0;
constexpr int partsOfSecond = 4; ///< of which a sample is the mean
constexpr double longAgoS = -60;

/// -1..1, the same for the same words.
double noise(unsigned seed, unsigned a, unsigned b, unsigned c)
{
    unsigned hash = seed * 2654435761U;
    for (const unsigned word : {a, b, c}) {
        hash ^= word + 0x9e3779b9U + (hash << 6) + (hash >> 2);
        hash *= 2246822519U;
        hash ^= hash >> 13;
    }
    return double(hash % 20001U) / 10000.0 - 1;
}

} // namespace

const MadeMachine& machineOf(Made kind)
{
    using Reports = MadeMachine::Reports;
    static const MadeMachine mi250x{u"lumi"_s, u"standard-g"_s, u"GCD"_s, 8, 2, 64, 500, 88, 15, 8, 190, 1650, 7};
    static const MadeMachine a100{u"mahti"_s, u"gpumedium"_s, u"GPU"_s, 4, 1, 40, 400, 54, 9, 36, 285, 1380, 32,
        Reports::UseProcessesAndThrottle};
    static const MadeMachine h100{
        u"marenostrum5"_s, u"acc_ehpc"_s, u"GPU"_s, 4, 1, 64, 700, 70, 20, 25, 520, 1830, 20, Reports::UseAndProcesses};
    static const MadeMachine mi300a{u"viper-gpu"_s, u"apu"_s, u"APU"_s, 2, 1, 120, 550, 110, 10, 30, 360, 2000, 24};
    switch (kind) {
    case Made::Mi250x: return mi250x;
    case Made::A100: return a100;
    case Made::H100: return h100;
    case Made::Mi300a: break;
    }
    return mi300a;
}

QString MadeJob::nodeName(int node) const { return u"nid%1"_s.arg(5001 + node, 6, 10, QLatin1Char('0')); }

QStringList MadeJob::nodeNames() const
{
    QStringList names;
    for (int node = 0; node < nodes; ++node)
        names.append(nodeName(node));
    return names;
}

std::optional<RankDoing> MadeJob::doing(int rank, double second) const
{
    for (const auto& [who, since] : gone) {
        if (who == rank && second >= since)
            return {};
    }
    const auto now = std::upper_bound(stretches.begin(), stretches.end(), second,
        [](double at, const MadeStretch& stretch) { return at < stretch.toS; });
    if (now == stretches.end() || second < now->fromS || second < 0)
        return {};
    return now->of(rank, second - now->fromS);
}

NodeTick MadeJob::tick(int node, double second) const
{
    NodeTick tick{nodeName(node), madeStart + qint64(second * 1000), {}};
    const auto isHole = [&](int gpu) {
        return std::any_of(holes.begin(), holes.end(), [&](const Hole& hole) {
            return (hole.node < 0 || hole.node == node) && second >= hole.fromS && second < hole.toS
                && (!hole.gpu || *hole.gpu == gpu);
        });
    };
    if (isHole(-1))
        return tick;
    struct Load {
        double compute = 0, wait = 0, heat = 0, memory = 0, clock = 1, celsius = 38;
        int held = 0;
        Throttles throttle;
    };
    std::vector<Load> loads{size_t(gpus)};
    for (int local = 0; local < ranksPerNode; ++local) {
        const int rank = node * ranksPerNode + local;
        Load& load = loads[size_t(gpuOf ? gpuOf(local) : local % gpus)];
        for (int part = 0; part < partsOfSecond; ++part) {
            const auto now = doing(rank, second - double(part) / partsOfSecond);
            if (!now)
                continue;
            load.compute += now->compute / partsOfSecond;
            load.wait += now->wait / partsOfSecond;
            load.heat += now->compute * now->intensity / partsOfSecond;
            if (part > 0)
                continue;
            load.held += now->memory > 0 ? 1 : 0;
            load.memory += now->memory;
            load.clock = now->clock;
            load.celsius = now->celsius;
            load.throttle = now->throttle;
        }
        load.compute = std::min(1.0, load.compute);
        load.wait = std::min(1 - load.compute, load.wait);
    }
    const auto at = unsigned(second * 10);
    for (int gpu = 0; gpu < gpus; ++gpu) {
        const Load& load = loads[size_t(gpu)];
        GpuSample sample;
        sample.index = gpu;
        const auto random = [&](unsigned what) { return noise(seed + what, unsigned(node), unsigned(gpu), at); };
        const double busy = load.compute + load.wait;
        sample.utilizationPercent = std::clamp(std::round(busy * 99 + (busy > 0 ? 1.5 * random(1) : 0)), 0.0, 100.0);
        sample.memoryTotalBytes = qint64(machine.memoryGib * gibibyte);
        sample.memoryUsedBytes
            = qint64(std::min(0.998, load.memory * (1 + 0.002 * random(2))) * machine.memoryGib * gibibyte + 60e6);
        sample.secondaryDie = gpu % machine.dies != 0;
        if (!sample.secondaryDie) {
            double watts = machine.idle;
            for (int die = gpu; die < std::min(gpu + machine.dies, gpus); ++die) {
                const Load& one = loads[size_t(die)];
                watts += (one.held > 0 ? machine.held : 0) + machine.waiting * one.wait + machine.computing * one.heat;
            }
            sample.powerWatts = std::round(watts * (1 + 0.03 * random(3)));
            sample.powerCapWatts = machine.cap;
        }
        sample.temperatureCelsius = load.celsius + random(4);
        sample.clockMhz = std::round(machine.clockMhz * load.clock + 12 * random(5));
        if (machine.reports == MadeMachine::Reports::UseProcessesAndThrottle)
            sample.throttle = load.throttle;
        if (machine.reports != MadeMachine::Reports::Use)
            sample.processes = load.held;
        if (!isHole(gpu))
            tick.gpus.append(sample);
    }
    return tick;
}

NodeProcesses MadeJob::processes(int node, double second) const
{
    NodeProcesses reported{nodeName(node), madeStart + qint64(second * 1000), {}, machine.coresPerGpu * gpus,
        qint64(480 * gibibyte), qint64((hostLeft ? hostLeft(second) : 0.5) * 480 * gibibyte)};
    for (int local = 0; local < ranksPerNode; ++local) {
        const int rank = node * ranksPerNode + local;
        const auto now = doing(rank, second);
        if (!now)
            continue;
        const int first = local * machine.coresPerGpu;
        RankSample sample;
        sample.pid = 4000 + rank;
        sample.rank = rank;
        sample.localRank = local;
        sample.worldSize = worldSize;
        sample.visibleDevices = QString::number(local);
        sample.cpus = cpus ? cpus(local) : u"%1-%2"_s.arg(first).arg(first + machine.coresPerGpu - 1);
        sample.cpuPercent = std::max(0.0, now->cpu * (1 + 0.1 * noise(seed + 6, unsigned(rank), 0, unsigned(second))));
        sample.residentBytes = 6'000'000'000;
        sample.state = now->state;
        reported.ranks.append(sample);
    }
    return reported;
}

JobRecord MadeJob::record(double second) const
{
    const auto when = [](double at) { return QDateTime::fromMSecsSinceEpoch(madeStart + qint64(at * 1000), Qt::UTC); };
    JobRecord job;
    job.id = QString::number(7000 + int(seed));
    job.name = QString::fromLatin1(name).replace(u' ', u'-');
    job.partition = machine.partition;
    job.submitted = when(longAgoS);
    job.timeLimit = Seconds{qint64(limitS)};
    job.nodes = nodes;
    job.gpus = nodes * gpus;
    job.workdir = u"/scratch/made"_s;
    job.standardOutput = u"/scratch/made/slurm.out"_s;
    const double began = requeuedS > 0 && second >= requeuedS ? requeuedS : 0;
    job.started = when(began);
    job.nodeList = nodeNames();
    job.state = second >= seconds ? state : JobState::Running;
    job.elapsed = Seconds{qint64(std::min(second, seconds) - began)};
    if (second < seconds)
        return job;
    job.ended = when(seconds);
    job.exitCode = exitCode;
    job.stepState = stepState;
    return job;
}

JobUsage MadeJob::usage() const
{
    JobUsage usage;
    usage.job = record(seconds);
    usage.cpus = nodes * gpus * machine.coresPerGpu;
    const double ran = double(usage.job.elapsed->count);
    double cores = 0;
    constexpr int looks = 200;
    for (int look = 0; look < looks; ++look) {
        for (int rank = 0; rank < ranks(); ++rank) {
            const auto now = doing(rank, seconds - ran + ran * (look + 0.5) / looks);
            cores += now ? now->cpu / 100 / looks : 0;
        }
    }
    usage.cpuSeconds = cores * ran;
    usage.memory = Bytes::gib(480.0 * nodes);
    StepUsage step;
    step.id = u"0"_s;
    step.name = u"python3"_s;
    step.state = state;
    step.tasks = ranks();
    step.nodes = nodes;
    step.elapsed = usage.job.elapsed;
    step.largestTaskMemory = Bytes::gib(12);
    usage.steps = {step};
    return usage;
}

} // namespace rankwright::test

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"
#include "tests/support/memoryhistory.h"

#include <cmath>

/// A made-up job of two LUMI-G nodes: two GCDs never at work, a slow start, a gap, a slow end.
namespace rankwright::test {

inline MemoryHistory someHistory(qint64 startMs, int seconds)
{
    MemoryHistory history;
    for (int second = 0; second < seconds; second += 2) {
        if (second > seconds * 0.55 && second < seconds * 0.62)
            continue;
        for (int node = 0; node < 2; ++node) {
            NodeTick tick{QStringLiteral("nid00500%1").arg(node + 1), startMs + second * 1000, {}};
            for (int index = 0; index < 8; ++index) {
                const bool works = second > seconds * 0.08 && second < seconds * 0.94 && (node == 0 || index < 6);
                const double wave = 6 * std::sin(second / 23.0 + index) + 3 * std::sin(second / 7.0);
                GpuSample gpu;
                gpu.index = index;
                gpu.utilizationPercent = works ? qBound(0.0, 88 + wave - 3 * index, 100.0) : 0.0;
                gpu.memoryTotalBytes = 68702699520;
                gpu.memoryUsedBytes = works ? qint64((22.5 + index * 0.3) * 1073741824.0) : 12 << 20;
                gpu.secondaryDie = index % 2 == 1;
                if (!gpu.secondaryDie)
                    gpu.powerWatts = works ? 410 + 3 * wave : 90;
                gpu.temperatureCelsius = works ? 61 : 38;
                tick.gpus.append(gpu);
            }
            history.store(tick);
        }
    }
    return history;
}

inline EfficiencyReport someReport()
{
    constexpr qint64 startMs = 1'772'352'000'000;
    constexpr int seconds = 4320;
    ReportInputs in;
    in.cluster = QStringLiteral("LUMI");
    in.accounted = true;
    JobRecord& job = in.usage.job;
    job.id = QStringLiteral("7100412");
    job.name = QStringLiteral("gpt-imdb");
    job.state = JobState::Completed;
    job.partition = QStringLiteral("small-g");
    job.nodes = 2;
    job.gpus = 16;
    job.elapsed = Seconds{seconds};
    job.timeLimit = Seconds{4 * 3600};
    job.submitted = QDateTime::fromMSecsSinceEpoch(startMs - 700000, Qt::UTC);
    job.started = QDateTime::fromMSecsSinceEpoch(startMs, Qt::UTC);
    job.ended = job.started.addSecs(seconds);
    in.usage.cpus = 224;
    in.usage.memory = Bytes::gib(960);
    in.usage.cpuSeconds = seconds * 31.0;
    in.usage.energyJoules = 1.9e7;
    StepUsage step;
    step.id = QStringLiteral("0");
    step.tasks = 2;
    step.nodes = 2;
    step.largestTaskMemory = Bytes::gib(96.4);
    in.usage.steps = {step};
    in.rules.gpuWord = QStringLiteral("GCD");
    in.rules.packageWord = QStringLiteral("MI250X");
    in.rules.cpusPerCore = 2;
    in.rules.coresPerGpu = 7;
    in.rules.memoryPerGpu = Bytes::gib(60);
    in.rules.microBatch = 8;
    in.rules.billingAccounts = {
        {{}, QStringLiteral("GPU-hours"), 9.6, 32.0, QStringLiteral("GCDs"), QStringLiteral("LUMI's billing rules")}};
    in.recorded = summarise(someHistory(startMs, seconds), {startMs, startMs + seconds * 1000});
    in.predicted.stepSeconds = JobPrediction::Band{0.52, 0.43, 0.68};
    in.predicted.memoryBytes = JobPrediction::Band{26.0e9, 23.5e9, 30.1e9};
    in.predicted.tokensPerSecond = JobPrediction::Band{252000, 193000, 305000};
    in.measured = {0.61, 210.0, 215000.0, 6400, 6400, QStringLiteral("measured while watching")};
    return makeReport(in);
}

inline SpeedupTable someSpeedup()
{
    QList<SpeedupRun> runs;
    const QList<std::pair<int, int>> times{{1, 3120}, {2, 1610}, {4, 850}, {8, 470}, {16, 290}};
    for (const auto& [gpus, seconds] : times) {
        SpeedupRun run;
        run.job.id = QString::number(7100400 + gpus);
        run.job.name = QStringLiteral("gpt-imdb");
        run.job.state = JobState::Completed;
        run.job.gpus = gpus;
        run.job.elapsed = Seconds{seconds};
        run.globalBatch = 128;
        run.steps = 6400;
        runs.append(run);
    }
    return speedupTable(runs, QStringLiteral("GCD"));
}

} // namespace rankwright::test

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingfacts.h"
#include "models/insight/telemetry/ranksample.h"
#include "models/insight/telemetry/telemetryseries.h"

#include <QRandomGenerator>

namespace rankwright::test {

constexpr qint64 recordedStart = 1'790'000'000'000; ///< 2026-09-21T14:13:20Z

/// A tick of a training job as rocm-smi reports it: noise as on real runs, power on every other die only.
inline NodeTick trainingTick(QRandomGenerator& random, const QString& node, qint64 ms, int gpus = 8)
{
    NodeTick tick{node, ms, {}};
    for (int index = 0; index < gpus; ++index) {
        GpuSample gpu;
        gpu.index = index;
        gpu.utilizationPercent = 88 + random.bounded(13);
        gpu.memoryUsedBytes = 61'203'283'968 + 2'097'152LL * random.bounded(3);
        gpu.memoryTotalBytes = 68'702'699'520;
        gpu.secondaryDie = index % 2 == 1;
        if (!gpu.secondaryDie) {
            gpu.powerWatts = 380 + random.bounded(120);
            gpu.powerCapWatts = 560;
        }
        gpu.temperatureCelsius = 52 + random.bounded(4);
        gpu.clockMhz = 1500 + 5 * random.bounded(40);
        gpu.throttle = random.bounded(50) == 0 ? Throttles(Throttle::Power) : Throttles();
        gpu.processes = 1;
        tick.gpus.append(gpu);
    }
    return tick;
}

inline NodeProcesses trainingProcesses(QRandomGenerator& random, const QString& node, qint64 ms, int ranks = 8)
{
    NodeProcesses reported{node, ms, {}, 56, qint64(512) << 30, (qint64(400) << 30) + random.bounded(1 << 20) * 4096LL};
    for (int rank = 0; rank < ranks; ++rank)
        reported.ranks.append({40'000 + rank, rank, rank, ranks, QString::number(rank), QStringLiteral("1-7,65-71"),
            double(9800 + random.bounded(400)) / 100, 6'000'000'000 + 4096LL * random.bounded(1000),
            random.bounded(8) == 0 ? 'S' : 'R', rank, 61'000'000'000});
    return reported;
}

inline RecordingFacts recordedJob(const JobId& id = QStringLiteral("4711"), const QStringList& nodes = {})
{
    RecordingFacts facts;
    facts.cluster = QStringLiteral("lumi");
    facts.job.id = id;
    facts.job.name = QStringLiteral("gpt-imdb");
    facts.job.state = JobState::Running;
    facts.job.nodeList = nodes;
    facts.job.submitted = QDateTime::fromMSecsSinceEpoch(recordedStart - 60'000, Qt::UTC);
    facts.job.started = QDateTime::fromMSecsSinceEpoch(recordedStart, Qt::UTC);
    facts.gpuWord = QStringLiteral("GCD");
    facts.gpusPerPackage = 2;
    return facts;
}

} // namespace rankwright::test

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/linkinfo.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/progress/logline.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/tables/grid/gpugrid.h"

#include <cmath>
#include <random>

/// Made-up runs with figures as one meets them on real machines: an MI250X package at work draws 350 to 480 W of 500,
/// one that waits in a collective about 135 W at full utilisation (LUMI course notes; MI250X tool output).
namespace rankwright::shots {

using namespace Qt::StringLiterals;

inline constexpr double gib = 1073741824.0;

struct RunShape {
    int nodes = 2;
    int gpus = 8;
    int perPackage = 2;
    QString word = u"GCD"_s;
    QString prefix = u"nid00"_s;
    int first = 5525;
    double memoryTotal = 63.984; ///< GiB, 65520 MiB on a GCD
    double cap = 500;
};

struct RunMood {
    double utilisation = 100;
    double power = 430;
    double memory = 41.9;
    std::optional<GpuAddress> late = {}; ///< works while the others wait
    std::optional<int> silentNode = {}; ///< has reported nothing in the last 15 s
    std::optional<int> neverNode = {};
};

inline QStringList nodeNames(const RunShape& shape)
{
    QStringList names;
    for (int node = 0; node < shape.nodes; ++node)
        names.append(shape.prefix + QString::number(shape.first + node));
    return names;
}

inline GpuSample sampleOf(
    const RunShape& shape, const RunMood& mood, GpuAddress address, std::mt19937& random, qint64 second)
{
    std::normal_distribution<double> noise(0, 1);
    const bool late = mood.late == address;
    const bool latePackage = mood.late && mood.late->node == address.node
        && mood.late->gpu / shape.perPackage == address.gpu / shape.perPackage;
    GpuSample sample;
    sample.index = address.gpu;
    sample.name = shape.perPackage > 1 ? u"AMD Instinct MI250X"_s : u"NVIDIA A100-SXM4-40GB"_s;
    const double swing = 2.5 * std::sin(double(second) / 9 + address.node);
    sample.utilizationPercent = std::clamp(
        std::round(late ? 96 + noise(random) : mood.utilisation + swing * (mood.utilisation < 99)), 0.0, 100.0);
    sample.memoryUsedBytes
        = qint64((mood.memory + 0.35 * std::sin(address.gpu + address.node * 3) + 0.05 * noise(random)) * gib);
    sample.memoryTotalBytes = qint64(shape.memoryTotal * gib);
    sample.secondaryDie = shape.perPackage > 1 && address.gpu % shape.perPackage != 0;
    if (!sample.secondaryDie) {
        const double base = mood.late ? (latePackage ? 318 : 136) : mood.power;
        sample.powerWatts = std::round(base + (mood.late ? 4 : 18) * noise(random));
        sample.powerCapWatts = shape.cap;
    }
    sample.temperatureCelsius = std::round(44 + 12 * sample.utilizationPercent.value_or(0) / 100
        + 3 * std::sin(address.gpu * 1.7 + address.node) + (latePackage ? 7 : 0));
    return sample;
}

/// Ten minutes of a run up to `now`.
inline void fillRun(GpuGrid& grid, const RunShape& shape, const RunMood& mood, qint64 now)
{
    std::mt19937 random(7);
    const QStringList names = nodeNames(shape);
    grid.reset(names, shape.gpus, shape.perPackage, shape.word);
    const qint64 history = shape.nodes > 100 ? 30'000 : 599'000; // a thousand nodes need no ten minutes
    for (qint64 at = now - history; at <= now; at += 1000) {
        for (int node = 0; node < shape.nodes; ++node) {
            const bool hole = at > now - 250'000 && at < now - 205'000;
            if (hole || mood.neverNode == node || (mood.silentNode == node && at > now - 15'000))
                continue;
            RunMood then = mood;
            if (at < now - 280'000) { // before something went wrong
                then.late.reset();
                then.utilisation = std::max(mood.utilisation - 3, 0.0);
            }
            NodeTick tick{names.at(node), at, {}};
            for (int gpu = 0; gpu < shape.gpus; ++gpu)
                tick.gpus.append(sampleOf(shape, then, {node, gpu}, random, at / 1000));
            grid.store(tick, at);
        }
    }
    grid.flush(now);
}

inline JobRecord runningJob(const RunShape& shape, JobState state = JobState::Running)
{
    JobRecord job;
    job.id = u"9304946"_s;
    job.name = u"llama8b"_s;
    job.user = u"ada"_s;
    job.account = u"project_462000265"_s;
    job.partition = shape.perPackage > 1 ? u"standard-g"_s : u"gpu"_s;
    job.state = state;
    job.nodes = shape.nodes;
    job.gpus = shape.nodes * shape.gpus;
    job.nodeList = nodeNames(shape);
    job.elapsed = Seconds{6720};
    job.timeLimit = Seconds{12 * 3600};
    job.workdir = u"/scratch/project_462000265/ada/llama8b"_s;
    job.standardOutput = job.workdir + u"/llama8b-9304946.out"_s;
    job.exitCode = 0;
    return job;
}

inline QList<LossPoint> lossCurve(int points)
{
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0, 1);
    QList<LossPoint> losses;
    for (int index = 0; index < points; ++index) {
        const double step = index * 10;
        losses.append({step, 2.2 + 6.1 * std::exp(-step / 640) + 0.9 * std::exp(-step / 2600) + 0.035 * noise(random)});
    }
    return losses;
}

inline TrainingProgress progressAt(qint64 step, qint64 steps, double loss)
{
    TrainingProgress progress;
    progress.framework = u"rankwright"_s;
    progress.step = step;
    progress.steps = steps;
    progress.loss = loss;
    progress.etaSeconds = double(steps - step) * 1.5;
    return progress;
}

inline QList<LogLine> logLines(bool failing)
{
    QList<LogLine> lines;
    const auto add = [&lines](std::optional<int> rank, const QString& text, bool error = false) {
        lines.append({text, rank, error, false});
    };
    add({}, u"srun: job 9304946 has been allocated resources"_s);
    add(0, u"NCCL INFO Bootstrap : Using hsn0:10.253.6.17<0>"_s);
    add(0, u"world size 16, FSDP full shard, micro-batch 4, accumulate 8"_s);
    for (int step = 4430; step < 4440; ++step) {
        add(0,
            u"step %1  loss %2  1.51 s/it  71.%3k tok/s"_s.arg(step)
                .arg(2.33 - (step - 4430) * 0.0016, 0, 'f', 4)
                .arg(step % 7));
        if (step == 4434)
            add(8, u"checkpoint saved (step_4400, 96 GB) in 41 s"_s);
    }
    if (failing) {
        add(13, u"WARNING dataloader waited 11.8 s"_s);
        add(0, u"step 4440  loss 2.3144  41.2 s/it  50.9k tok/s"_s);
        add(13, u"torch.cuda.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB."_s, true);
    }
    lines.append({u" 37%|███▋      | 4440/12000 [1:52:02<3:10:44,  1.51s/it, loss=2.31]"_s, 0, false, true});
    return lines;
}

} // namespace rankwright::shots

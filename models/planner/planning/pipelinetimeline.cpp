// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/pipelinetimeline.h"

#include <QHash>

#include <algorithm>

namespace rankwright::inline planner {

namespace {

struct Pass {
    int microBatch = 0;
    int chunk = 0;
    bool backward = false;
};

/// The k-th pass of an interleaved schedule: groups of `stages` micro-batches go through all chunks in turn.
Pass interleavedPass(int k, int stages, int chunks, bool backward)
{
    const int inGroup = k % (stages * chunks);
    const int chunk = inGroup / stages;
    return {k / (stages * chunks) * stages + k % stages, backward ? chunks - 1 - chunk : chunk, backward};
}

QList<Pass> passesOf(PipelineSchedule schedule, int stage, int stages, int microBatches, int chunks)
{
    const int total = microBatches * chunks;
    int warmUp = total; // GPipe: all forward passes first
    if (schedule == PipelineSchedule::OneForwardOneBackward
        || (schedule == PipelineSchedule::Interleaved && chunks == 1))
        warmUp = stages - stage - 1;
    else if (schedule == PipelineSchedule::Interleaved)
        warmUp = (stages - stage - 1) * 2 + (chunks - 1) * stages;
    warmUp = std::min(warmUp, total);
    const auto pass = [&](int k, bool backward) {
        return chunks == 1 ? Pass{k, 0, backward} : interleavedPass(k, stages, chunks, backward);
    };
    QList<Pass> passes;
    for (int k = 0; k < warmUp; ++k)
        passes.append(pass(k, false));
    for (int k = warmUp; k < total; ++k) {
        passes.append(pass(k, false));
        passes.append(pass(k - warmUp, true));
    }
    for (int k = total - warmUp; k < total; ++k)
        passes.append(pass(k, true));
    return passes;
}

} // namespace

PipelineTimeline pipelineTimeline(
    PipelineSchedule schedule, int stages, int microBatches, int virtualStages, double backwardPerForward)
{
    PipelineTimeline timeline;
    stages = std::max(1, stages);
    microBatches = std::max(1, microBatches);
    const bool interleaves
        = schedule == PipelineSchedule::Interleaved && virtualStages > 1 && microBatches % stages == 0;
    const int chunks = interleaves ? virtualStages : 1;
    const int depth = stages * chunks;
    timeline.stages = stages;
    QList<QList<Pass>> queues;
    for (int stage = 0; stage < stages; ++stage)
        queues.append(passesOf(schedule, stage, stages, microBatches, chunks));
    // When a pass at a depth of the model has ended; absent: not yet.
    QHash<qint64, double> ended;
    const auto key = [depth](int microBatch, int level, bool backward) {
        return (qint64(microBatch) * depth + level) * 2 + (backward ? 1 : 0);
    };
    QList<qsizetype> next(stages, 0);
    QList<double> free(stages, 0.0);
    double busy = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int stage = 0; stage < stages; ++stage) {
            while (next.at(stage) < queues.at(stage).size()) {
                const Pass& pass = queues.at(stage).at(next.at(stage));
                const int level = pass.chunk * stages + stage;
                // A forward pass waits for the level before, a backward pass for the level behind (the last: for its
                // own forward pass).
                const bool first = !pass.backward && level == 0;
                const qint64 waitsFor = !pass.backward ? key(pass.microBatch, level - 1, false)
                    : level == depth - 1               ? key(pass.microBatch, level, false)
                                                       : key(pass.microBatch, level + 1, true);
                if (!first && !ended.contains(waitsFor))
                    break;
                const double start = std::max(free.at(stage), first ? 0.0 : ended.value(waitsFor));
                const double length = (pass.backward ? backwardPerForward : 1.0) / chunks;
                timeline.passes.append({stage, pass.microBatch, pass.chunk, pass.backward, start, length});
                ended.insert(key(pass.microBatch, level, pass.backward), start + length);
                free[stage] = start + length;
                busy += length;
                timeline.length = std::max(timeline.length, start + length);
                ++next[stage];
                moved = true;
            }
        }
    }
    timeline.idleShare = timeline.length > 0 ? 1 - busy / (stages * timeline.length) : 0;
    return timeline;
}

double pipelineIdleShare(int stages, qint64 microBatches, int virtualStages)
{
    const double waiting = std::max(0, stages - 1);
    const double working = double(std::max<qint64>(1, microBatches)) * std::max(1, virtualStages);
    return waiting / (working + waiting);
}

} // namespace rankwright::inline planner

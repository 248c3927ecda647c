// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alertwatch.h"
#include "tests/shots/synthetic.h"

#include <limits>

/// What the program itself says of made-up samples.
namespace rankwright::shots {

inline const qint64 now = QDateTime(QDate(2026, 3, 2), QTime(14, 12, 31)).toMSecsSinceEpoch();

struct Situation {
    RunShape shape = {};
    RunMood mood = {};
    bool lossBreaks = false;
    QList<Diagnosis> diagnoses = {};
};

/// What the program says of these samples: its own rules over the last ten minutes.
inline QList<Alert> alertsOf(const Situation& situation)
{
    AlertWatch watch;
    JobExpectation expectation;
    expectation.nodes = nodeNames(situation.shape);
    expectation.gpusPerNode = situation.shape.gpus;
    expectation.gpusPerPackage = situation.shape.perPackage;
    expectation.gpuWord = situation.shape.word;
    expectation.launchOption = u"--ntasks-per-node=8"_s;
    watch.expect(expectation);
    watch.started(now - 6'720'000);
    std::mt19937 random(7);
    double step = 4000;
    for (qint64 at = now - 599'000; at <= now; at += 1000) {
        const bool before = at < now - 280'000;
        RunMood then = situation.mood;
        if (before)
            then.late.reset();
        for (int node = 0; node < situation.shape.nodes; ++node) {
            if (situation.mood.silentNode == node && at > now - 25'000)
                continue;
            NodeTick tick{expectation.nodes.at(node), at, {}};
            for (int gpu = 0; gpu < situation.shape.gpus; ++gpu)
                tick.gpus.append(sampleOf(situation.shape, then, {node, gpu}, random, at / 1000));
            watch.feed(tick, at);
        }
        step += situation.mood.late && !before ? 0.4 : 0.7;
        TrainingProgress progress = progressAt(qint64(step), 12000, 2.314);
        if (situation.lossBreaks && at > now - 40'000)
            progress.loss = std::numeric_limits<double>::quiet_NaN();
        watch.feed(progress, at);
    }
    if (!situation.diagnoses.isEmpty())
        watch.feed(situation.diagnoses, now);
    return watch.alerts(now);
}

inline Diagnosis outOfMemory()
{
    Diagnosis found;
    found.kind = u"oom_gpu"_s;
    found.rule = u"F01"_s;
    found.rank = 13;
    found.gpu = 5;
    found.node = u"nid005526"_s;
    found.line = 12'048;
    found.offset = 4'200'000 + 16 * 60;
    found.evidence = u"torch.cuda.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB."_s;
    found.advice
        = u"The GPU's memory is full. Halve the micro-batch (training.microBatch) and double the accumulation, "
          "or shard more of the state."_s;
    return found;
}

} // namespace rankwright::shots

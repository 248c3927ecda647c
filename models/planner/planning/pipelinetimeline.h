// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/workload.h"

#include <QList>

namespace rankwright::inline planner {

/// One forward or backward pass of a micro-batch on one stage.
struct PipelinePass {
    int stage = 0;
    int microBatch = 0;
    int chunk = 0; ///< of the stage, with interleaved schedules
    bool backward = false;
    double start = 0; ///< in units of a stage's forward pass
    double length = 0;
    bool operator==(const PipelinePass&) const = default;
};

/// Who does what when in a pipeline.
struct PipelineTimeline {
    int stages = 0;
    QList<PipelinePass> passes;
    double length = 0;
    double idleShare = 0; ///< 0..1, of all stages' time together
};

/// The schedules of GPipe (Huang et al. 2019, arXiv 1811.06965) and of Megatron-LM, with and without interleaving
/// (Narayanan et al. 2021, arXiv 2104.04473, section 2.2): every stage takes its passes in the schedule's order, each
/// as soon as what it needs is there. Nothing is lost to communication. Interleaving needs a multiple of `stages`
/// micro-batches; otherwise the plain schedule is drawn.
PipelineTimeline pipelineTimeline(
    PipelineSchedule schedule, int stages, int microBatches, int virtualStages = 1, double backwardPerForward = 2);

/// Share of the time that stages idle: (p - 1) / (v m + p - 1), section 2.2 of the same.
double pipelineIdleShare(int stages, qint64 microBatches, int virtualStages = 1);

} // namespace rankwright::inline planner

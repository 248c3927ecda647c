// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/batchplan.h"
#include "models/planner/design/rankorder.h"
#include "models/planner/planning/designestimate.h"
#include "models/planner/planning/pipelinetimeline.h"
#include "widgets/design/phasespainter.h"

#include <array>

namespace rankwright {

/// What the picture of a strategy shows, with the design's own figures: who holds which part of the model's states, how
/// a layer is cut, which layers are in which stage and how the micro-batches flow.
struct StrategyPicture {
    /// Data-parallel ranks and their shares. Rows: weights, gradients, optimiser.
    struct Data {
        int ranks = 1;
        int shardGroup = 1; ///< ranks that share one copy out; 1: all hold everything
        std::array<bool, 3> sharded{};
        std::array<double, 3> each{}; ///< bytes on a rank
        std::array<double, 3> whole{}; ///< bytes of one copy
        QString exchange; ///< what travels, one sentence
        QString groupWord; ///< "node" where a group is a node; empty: one group
    };
    /// A layer cut across ranks.
    struct Tensor {
        int ranks = 1;
        int heads = 0;
        qint64 hidden = 0;
        qint64 qkv = 0; ///< columns of queries, keys and values together
        qint64 ffn = 0;
        bool gated = false;
        QString caption;
    };
    struct Stage {
        int firstLayer = 0; ///< 1 based
        int lastLayer = 0;
        QString extra; ///< "embedding", "output"
    };
    struct Pipeline {
        QList<Stage> stages;
        qint64 microBatches = 1;
        int virtualStages = 1;
        PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
        double backwardPerForward = 2;
        double idleShare = 0;
        QString caption;
    };

    QString title; ///< "FSDP over 16 GCDs"
    QString unknown; ///< why it is drawn without figures; empty: they are known
    PhasesPicture phases; ///< of a step, where the figures are not known
    RankOrder order;
    std::optional<Data> data;
    std::optional<Tensor> tensor;
    std::optional<Pipeline> pipeline;

    /// Column, slice of a layer and stage of a rank; -1: none.
    int shardIndex(int rank) const { return rank < 0 ? -1 : order.shardIndex(rank); }
    int tensorIndex(int rank) const { return rank < 0 || !tensor ? -1 : order.tensorIndex(rank); }
    int stageIndex(int rank) const { return rank < 0 || !pipeline ? -1 : order.stage(rank); }
};

/// Without an estimate: the phases of a step, which need no model.
StrategyPicture strategyPicture(
    const Result<DesignEstimate>& estimate, const ResolvedSpec& resolved, const BatchPlan& batch = {});

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/estimate/memorymodel.h"

#include <QList>
#include <QStringList>

#include <optional>

namespace rankwright {

/// One row of a table of runs (columns of docs/planner.md, "Table of runs"), understood.
struct RunRow {
    QString id;
    QString source; ///< where it was published: the family a calibration belongs to
    QString stack; ///< one of knownStacks(), from the words of source, strategy and notes
    QString hardware; ///< as written
    QString gpu; ///< gpuFigures() knows it by this; empty: not known
    Workload workload;
    Layout layout;
    MemoryCounter counter = MemoryCounter::VendorTool; ///< notes' "mem_kind="
    int stage = -1; ///< pipeline stage whose rank the peak was read on; -1: the worst of all
    QString missing; ///< what any estimate needs and the row lacks, one sentence; empty: complete
    QString missingForMemory; ///< what only the memory needs and the row lacks; empty: nothing
    QString missingForTime; ///< what only the step time needs and the row lacks; empty: nothing
    QString note; ///< what was assumed, sentences; may be empty
    // Measured; empty where the table has none. Never used for an estimate.
    std::optional<double> peakBytes;
    std::optional<double> stepSeconds;
    std::optional<double> tokensPerSecondPerGpu; ///< images where a sample has no tokens
    std::optional<double> teraflopsPerGpu;
    bool outOfMemory = false;
    bool recomputeCounted = false; ///< teraflopsPerGpu counts recomputation too
};

/// Names of the training stacks that rows are recognised as, and what makes a row one of them:
///
///   torchtitan-graph    torchtitan's graph trainer: "(graph)"; its single-GPU runs from 2026 on
///   simple-fsdp         torchtitan's SimpleFSDP
///   fsdp2               torchtitan otherwise; "FSDP2"; FSDP of unknown make from mid 2024 on
///   fsdp2-2024          the same, dated before May 2025
///   fsdp1               "FSDP1", FairScale, accelerate, PyTorch blog; FSDP of unknown make before
///   llm-foundry         MosaicML, Databricks, MPT
///   megatron-vtrain     vTrain's runs of Megatron-DeepSpeed
///   megatron-2021       Megatron-LM of 2021-22 (fp16, unfused attention), Korthikanti et al.
///   megatron-deepspeed  ZeRO or DeepSpeed together with tensor or pipeline ranks: BLOOM, LUMI, MT-NLG
///   megatron-deepspeed-2022  the same at BigScience
///   megatron-core       Megatron-LM since 2023: distributed optimiser, functional tests; other tensor-parallel runs
///   nemo                NeMo, Megatron-Bridge
///   deepspeed           DeepSpeed or ZeRO without tensor and pipeline ranks
///   colossalai, oneflow, lightning, horovod
///   dle, timm           NVIDIA's DeepLearningExamples; pytorch-image-models
///   hf-trainer          Hugging Face's Trainer, peft, accelerate without FSDP and DeepSpeed
///   pytorch             one GPU or DDP otherwise
///   generic             nothing of this
QStringList knownStacks();

/// Reads a CSV with a header line (RFC 4180: quotes, commas and newlines inside them). Columns are found by name, in
/// any order; unknown ones are ignored; a missing one is empty. A cell that makes no sense makes the row incomplete,
/// not the table. Fails when it is no table of runs.
Result<QList<RunRow>> readRuns(const QByteArray& csv, const QString& name = QStringLiteral("the table"));

} // namespace rankwright

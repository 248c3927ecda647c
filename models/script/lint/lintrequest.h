// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"
#include "models/script/batch/batchtext.h"

namespace rankwright::inline script::lint {

/// A number of GPUs with the type that was named, if any.
struct GpuCount {
    QString type;
    int count = 0;
};

/// "4", "a100:4", as --gpus-per-node and its kin take it. Nothing: neither.
std::optional<GpuCount> gpuCount(const QString& value);
/// The GPUs of a --gres value: "gpu:4", "gpu:a100:4,nvme:900", "gpu". Nothing: no GPUs in it, or not readable.
std::optional<GpuCount> gresGpu(const QString& value);

/// The GPUs of each task by --tres-per-task: "cpu=4,gres/gpu=1", "gres/gpu:a100=2", in 23.11 with ":" before the count.
/// Nothing: no GPUs in it, or not readable.
std::optional<GpuCount> tresGpu(const QString& value);
/// The cores of each task by --tres-per-task: "cpu=7,gres/gpu=1". Nothing: none in it, or not readable.
std::optional<int> tresCores(const QString& value);

/// How many tasks an --array value has: "0-9", "1,3,5", "0-90:10%2". Nothing: not readable.
std::optional<int> arrayTasks(const QString& value);

/// What the job asks for by its directives, as sbatch counts it. An empty optional: not said, or not readable.
struct LintRequest {
    std::optional<int> nodes; ///< also 1 where Slurm's defaults leave no choice
    bool nodesGiven = false;
    std::optional<int> tasks; ///< --ntasks as written
    std::optional<int> tasksPerNode; ///< written, or following from the others
    bool anyTaskOption = false; ///< the job names a number of tasks, so that SLURM_NTASKS is set
    std::optional<int> cpusPerTask;
    std::optional<int> gpusPerNode; ///< by whichever option
    std::optional<int> gpusTotal; ///< --gpus
    QString gpuType; ///< "a100" of gpu:a100:4; empty: none named
    QList<const BatchOption*> gpuOptions; ///< the options that ask for GPUs, each once
    std::optional<Bytes> memory; ///< --mem
    bool wholeMemory = false; ///< --mem=0
    std::optional<Bytes> memoryPerGpu;
    std::optional<Bytes> memoryPerCpu;
    std::optional<Seconds> time;
    bool exclusive = false;

    bool severalNodes() const { return nodes.value_or(1) > 1; }
    std::optional<int> coresPerNode() const;
};

/// The request points into `batch`, which must outlive it.
LintRequest readRequest(const BatchText& batch);

} // namespace rankwright::inline script::lint

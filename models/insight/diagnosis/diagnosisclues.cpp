// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisclues.h"

#include "models/insight/diagnosis/diagnosisrules.h"

namespace rankwright::inline insight {

const ClueFinder& diagnosisClues()
{
    static const ClueFinder finder = [] {
        QList<ClueFinder::Clues> all{{SrunTask, {"srun: error: "}}, {RootCause, {"root cause (first observed"}},
            {Failures, {"failures:"}}, {Traceback, {"traceback (most recent"}},
            {IgnoredException, {"exception ignored in"}}, {RocmCollectives, {"rccl"}},
            {RankBlock, {"begin global rank ", "end global rank "}}, {HydraProcess, {" running at "}},
            {Agent,
                {"torch.distributed.elastic", "torch/distributed/elastic",
                    "torch.distributed.run:", "torch/distributed/run.py"}},
            {Requeued, {"due to preemption", "due to job requeue", "due to node failure"}},
            {EndOfStep,
                {"srun: terminating", "job step aborted", "force terminated", "cancelled at",
                    "forcing job termination"}},
            {NoGpu,
                {"no cuda gpus are available", "no hip gpus are available", "no gpu", "cuda is not available",
                    "gpu is not available", "gpu not available", "gpu not found", "no cuda runtime is found",
                    "falling back to cpu", "setting accelerator to cpu", "gpu available: false", "gpu will not be used",
                    "registering gpu devices", "cannot dlopen some gpu", "could not retrieve rocm device",
                    "found no nvidia driver"}},
            {ThreadException, {"exception in thread"}},
            {Begun,
                {"setting omp_num_threads environment variable for each", "nccl version 2", "setting ds_accelerator to",
                    "initializing distributed: global_rank", "| distributed init (rank", "starting elastic_operator",
                    "number of parameters", "***** running training *****", "> initializing torch distributed",
                    "training starts at step", "resuming training from", "resuming from", "loading checkpoint from",
                    "trainable params"}}};
        for (int i = 0; i < int(diagnosisRules().size()); ++i)
            all.append({i, diagnosisRules().at(i).clues});
        return ClueFinder(all);
    }();
    return finder;
}

} // namespace rankwright::inline insight

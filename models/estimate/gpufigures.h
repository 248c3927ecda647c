// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// Sourced figures of one GPU and of the node and network around it, as the planner needs them
/// (resources/planner/gpus.json; what a cluster's catalogue says goes before it).
struct GpuFigures {
    QString name; ///< "A100 80 GB", "MI250X GCD"
    double memoryBytes = 0; ///< label
    double usableBytes = 0; ///< that a process really gets
    double contextBytes = 0; ///< per process outside the allocator: context, kernels, NCCL/RCCL
    double peakFlops = 0; ///< dense bf16 (V100: fp16), FLOP/s
    double peakFlopsFp32 = 0; ///< without and ...
    double peakFlopsTf32 = 0; ///< ... with tensor cores; 0: has none
    double peakFlopsFp8 = 0; ///< 0: has none
    double memoryBandwidth = 0; ///< bytes/s
    double nodeBusBandwidth = 0; ///< ring inside a node, bytes/s
    double packageBusBandwidth = 0; ///< between two dies of a package, bytes/s; 0: no such thing
    double networkBandwidth = 0; ///< ring across whole nodes, bytes/s (all network cards of a node together)
    int gpusPerNode = 8;
    QString source;
    bool operator==(const GpuFigures&) const = default;
};

} // namespace rankwright

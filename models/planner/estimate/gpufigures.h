// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace rankwright::inline cluster {
struct ClusterProfile;
struct NodeShape;
} // namespace rankwright::inline cluster

namespace rankwright::inline planner {

/// Sourced figures of one GPU and of the node and network around it, as the planner needs them
/// (resources/planner/gpus.json; what a cluster's catalogue says goes before it).
struct GpuFigures {
    QString key; ///< "a100-80", with what is known around it "v100-32@jean-zay", "a100-80@800Gbit"; empty: unknown GPU
    QString name; ///< "A100 80 GB", "MI250X GCD"
    QString gpuClass; ///< generation whose speed figures it shares: "v100", "a100", "h100", "mi250x", "consumer"
    double memoryBytes = 0; ///< label
    double usableBytes = 0; ///< that a process really gets
    double contextBytes = 0; ///< per process outside the allocator: context, kernels, NCCL/RCCL
    double peakFlops = 0; ///< dense 16 bit (bf16; where the chip has none, fp16), FLOP/s
    double peakFlopsFp16 = 0; ///< dense fp16
    double peakFlopsFp32 = 0; ///< without and ...
    double peakFlopsTf32 = 0; ///< ... with tensor cores; 0: has none
    double peakFlopsFp8 = 0; ///< 0: has none
    bool hasBf16 = true; ///< in hardware
    double sustainedShare = 1; ///< of the chip's usual sustained clock that this version's power limit allows
    double memoryBandwidth = 0; ///< bytes/s
    double nodeBusBandwidth = 0; ///< ring inside a node, bytes/s
    double packageBusBandwidth = 0; ///< between two dies of a package, bytes/s; 0: no such thing
    double networkBandwidth = 0; ///< ring across whole nodes, bytes/s (all network cards of a node together)
    double hostLaunch = 1; ///< host time of a kernel's launch, against the usual hosts of this generation
    double groupedFloat8 = 1; ///< speed of grouped products in 8 bit, against 16 bit
    double hostBandwidth = 0; ///< to the node's memory (PCIe, C2C), bytes/s each direction
    int gpusPerNode = 8;
    int linkedGpus = 0; ///< that NVLink joins beyond a node; 0: those of a node
    QStringList assumed; ///< what is a guess, one sentence each; empty: all figures are published or measured
    QString source;
    bool operator==(const GpuFigures&) const = default;
};

/// All GPUs of the table, without systems.
QList<GpuFigures> knownGpus();

/// By key, "a100-80", "v100-32@jean-zay" or "a100-80@800Gbit" (network of a node). An empty key in the answer: no such
/// GPU.
GpuFigures gpuFigures(const QString& key);

/// From a hardware text as papers and tables write it ("A100-SXM-40GB", "V100-SXM2-32GB (Jean Zay, OPA)",
/// "MI250X GCD (LUMI, Slingshot-11 4x200G/node)"): the GPU by its words, of several sizes the one nearest to `memoryGb`
/// (0: as the text says), the network by the system's name or by the rate that is in the text.
/// `gpusPerNode` 0: the system's. An empty key in the answer: no known GPU is named.
GpuFigures gpuFiguresForText(const QString& hardware, double memoryGb = 0, int gpusPerNode = 0);

/// Of a cluster: the catalogue's own figures (memory, peak, bandwidth, links, network cards) before the table's; what
/// neither knows is filled with the figures of the nearest GPU and named in `assumed`. An empty key: no GPU is named.
GpuFigures gpuFiguresFor(const ClusterProfile& cluster, const NodeShape& node);

} // namespace rankwright::inline planner

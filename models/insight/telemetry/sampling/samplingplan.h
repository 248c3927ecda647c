// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace rankwright::inline insight {

/// How the sampler gets onto the nodes.
enum class SamplingWay : quint8 {
    Step, ///< overlapping Slurm steps (Slurm 20.11 and newer)
    Ssh, ///< ssh from the login node to each node, where the site lets a job's owner in
    Here, ///< on the machine that the connection ends at: no Slurm
};
QString toText(SamplingWay way); ///< "Slurm steps", "ssh to the nodes", "on this machine"

/// What is to be sampled, and what the user wants.
struct SamplingRequest {
    int nodes = 1;
    std::optional<int> gpusPerNode; ///< empty, or none: 8 are assumed
    SamplingWay way = SamplingWay::Step;
    bool oneStepForAllNodes = false; ///< LaunchDefaults::monitorAllNodesInOneStep
    std::optional<int> intervalMs; ///< the user's choice
};

/// What watching one job may cost.
struct SamplingLimits {
    double bytesPerSecond = 640e3; ///< about 5 Mbit/s, over all nodes
    int steps = 64; ///< steps or ssh logins where each node takes one: each is a process on the login node
    int longestMs = 4000; ///< of an interval that we choose: older samples count as stale
};

/// How a job is sampled so that it costs little: each second whenever the limits allow, else more seldom, else an
/// evenly spread part of the nodes.
struct SamplingPlan {
    int intervalMs = 1000;
    int ranksEveryMs = 3000; ///< lines about the ranks' processes
    QList<int> nodes; ///< which of them, in order; first and last are always among them
    int ofNodes = 0;
    int steps = 0; ///< Slurm steps; 0 for other ways
    double bytesPerSecond = 0; ///< expected, from the length of the lines
    QString text; ///< for people: "128 of 1,024 nodes are sampled every second, evenly spread: ..."
    bool isPart() const { return nodes.size() < ofNodes; }
    bool operator==(const SamplingPlan&) const = default;
};
SamplingPlan samplingPlan(const SamplingRequest& request, const SamplingLimits& limits = {});

/// The plan's nodes of a job's.
QStringList watchedNodes(const SamplingPlan& plan, const QStringList& nodes);

} // namespace rankwright::inline insight

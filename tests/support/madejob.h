// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobusage.h"
#include "models/insight/telemetry/ranksample.h"
#include "models/insight/telemetry/telemetryseries.h"

#include <functional>

namespace rankwright::test {

inline constexpr qint64 madeStart = 1'790'000'000'000; ///< when each made-up job begins, ms since 1970

/// A kind of node. Power: what is known of real GPUs (docs/alerts.md), W of one package; its dies add up.
struct MadeMachine {
    QString cluster, partition, gpuWord;
    int gpusPerNode = 4, dies = 1;
    double memoryGib = 64, cap = 500;
    double idle = 60, held = 15, waiting = 40, computing = 300; ///< W: of the package, then more for each die
    double clockMhz = 1700;
    int coresPerGpu = 8;
    enum class Reports { Use, UseAndProcesses, UseProcessesAndThrottle } reports = Reports::Use;
};
enum class Made { Mi250x, A100, H100, Mi300a };
const MadeMachine& machineOf(Made kind);

/// What one rank and its GPU do in one second.
struct RankDoing {
    double compute = 0; ///< share of the second in which kernels do work
    double wait = 0; ///< in which they only wait for others
    double intensity = 1; ///< power of that work, of the most
    double memory = 0.6; ///< of the GPU's
    double cpu = 80; ///< % of a core
    char state = 'R';
    double clock = 1; ///< of the usual
    double celsius = 60;
    Throttles throttle = {};
};
using Doing = std::function<RankDoing(int rank, double second)>;

/// So long everybody does that; `second` counts from its begin.
struct MadeStretch {
    double fromS = 0, toS = 0;
    Doing of;
};

/// Bytes of the output, with their line ends, at a moment.
struct MadeLine {
    double atS = 0;
    QByteArray text;
};

/// What is true of the job, and what every view must say of it.
struct MadeTruth {
    QString alert; ///< class of what is to be said while it runs; empty: nothing is wrong
    std::optional<int> rank;
    QString node;
    double faultS = 0; ///< when it begins
    double withinS = 60; ///< it is said before this has gone by
    QString cause; ///< class of the failure that the report names; empty: none
    QStringList also; ///< said beside it, and true
    std::optional<double> stepSeconds; ///< of a usual step
    std::optional<qint64> steps; ///< done
    int unused = 0; ///< GPUs that never worked
    bool mayStandStill = false; ///< the report may say so
};

/// A made-up job: what its nodes, its output and Slurm would report of it, at any moment of hours. A value; no clock,
/// no network, no randomness but that of `seed`.
struct MadeJob {
    QByteArray name;
    MadeMachine machine;
    int nodes = 1, gpus = 4; ///< GPUs of each node that are the job's
    int ranksPerNode = 4;
    int worldSize = 4;
    int everyMs = 5000; ///< between two samples of a node
    QList<MadeStretch> stretches;
    QList<MadeLine> output; ///< by time
    double seconds = 0; ///< it ran
    JobState state = JobState::Completed;
    std::optional<int> exitCode;
    JobState stepState = JobState::Unknown;
    double limitS = 4 * 3600;
    QByteArray design; ///< file of the design; empty: launched elsewhere
    std::function<QString(int local)> cpus; ///< of each rank of a node; empty: cores of its own
    std::function<int(int local)> gpuOf; ///< empty: its own
    std::function<double(double second)> hostLeft; ///< share of the nodes' memory that is left; empty: half
    struct Hole {
        int node = 0; ///< -1: all of them
        double fromS = 0, toS = 0;
        std::optional<int> gpu = {}; ///< of this one alone
    };
    QList<Hole> holes; ///< nothing is reported
    double lateFromS = 0, lateToS = 0; ///< samples of that time come all at its end
    QList<std::pair<int, double>> gone; ///< ranks whose process has ended, since when
    double requeuedS = 0; ///< Slurm took the job off and started it again then; 0: never
    unsigned seed = 1;
    MadeTruth truth;

    int ranks() const { return nodes * ranksPerNode; }
    QString nodeName(int node) const;
    QStringList nodeNames() const;
    /// Nothing: it is not there.
    std::optional<RankDoing> doing(int rank, double second) const;
    /// Of one node; without GPUs where it reports nothing.
    NodeTick tick(int node, double second) const;
    NodeProcesses processes(int node, double second) const;
    /// As the queue, and after its end the accounting, has it.
    JobRecord record(double second) const;
    JobUsage usage() const;
};

/// Healthy jobs of different kinds; 20.
QList<MadeJob> healthyJobs();
/// Jobs with one fault each, or an end that they did not cause; 30.
QList<MadeJob> faultyJobs();

} // namespace rankwright::test

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alertwatch.h"

#include <random>

namespace rankwright::test {

/// A made-up job, second by second, as its nodes, its output and its processes would report it. Use and power of each
/// state are those known of real machines (docs/practice.md, "Figures of the GPUs").
struct JobPlan {
    enum class Fault {
        None,
        IdleGpus, ///< half of the ranks were never started, and the world is that small
        IdleNode, ///< the last node has no rank
        Crowded, ///< all ranks of a node on GPU 0
        Straggler, ///< one rank takes three times as long
        HungryRank, ///< one rank's GPU waits for its processor
        Collective, ///< slow network: everybody spins most of the time, steps go on
        HangOne, ///< one rank stops before the collective
        HangAll, ///< all spin, nobody is late
        Unstarted, ///< one rank is missing from the start
        Unjoined, ///< one rank is there and sleeps before it takes its GPU
        LostRank, ///< one process vanishes
        DeadNode, ///< a node falls silent and the others wait
        SilentNode, ///< a node falls silent and the job goes on
        Waves, ///< slow loader: all GPUs pause together
        Starved, ///< the same, too fast to see single pauses
        SmallWork, ///< steps of some milliseconds
        Leak, ///< memory grows to the end
        Hot, ///< one GPU is throttled by heat
        OneCore, ///< all ranks of a node on one core
        SameCores, ///< two ranks on the same cores
        WrongCores, ///< ranks on each other's cores
        Stages, ///< a pipeline whose last stage has half the work
        Stalled, ///< everything sleeps
        Nan, ///< the loss is lost
        Late, ///< needs twice the time limit
        Unpaid, ///< whole node billed, half of it used
        SlowShell, ///< no fault: the first rank's shell takes its time until it binds itself and starts the program
    };
    Fault fault = Fault::None;
    int faultAt = 60; ///< s since the start; faults that are there from the start ignore it
    int nodes = 2;
    int gpus = 8;
    bool mi250 = true;
    bool reportsProgress = true;
    bool reportsRanks = true;
    bool reportsProcesses = false; ///< processes per GPU
    bool reportsResources = true; ///< what nodes have beside their GPUs
    bool waitsForFiles = false; ///< processes wait for the file system, from `faultAt` on
    ResourceScope pressureOf = ResourceScope::Job; ///< whose waiting is told
    double linkShare = 0.2; ///< of what the nodes' links can carry
    int intervalSeconds = 1;
    double stepSeconds = 0.8;
    int logEvery = 1; ///< steps between two reports
    int pieceSeconds = 0; ///< the output is handed on so seldom, as srun does with a bar that is redrawn; 0: at once
    int warmup = 25; ///< s: imports, first compilation; GPUs idle, one rank late by some
    double level = 0.8; ///< of the power at full work
    double memoryShare = 0.6;
    int checkpointEvery = 0, checkpointSeconds = 0; ///< rank 0 writes, the others spin
    int evaluateEvery = 0, evaluateSeconds = 0; ///< rank 0 works alone, the others spin
    int dipEvery = 0; ///< s: a second of idleness (logging, a new epoch)
    int seconds = 240;
    bool endsEarly = false; ///< the last 5 s: ranks go one after the other
    unsigned seed = 1;
};

struct Reported {
    QString kind;
    Alert::Level level = Alert::Level::Normal;
    int second = 0; ///< when it was reported first
    Alert alert;
};

/// What AlertWatch reported of the job, each kind once, in order of time. `everySecond` sees the list of each second.
QList<Reported> watchJob(const JobPlan& plan);
/// What the job's design said.
JobExpectation expectationOf(const JobPlan& plan);
/// A healthy job of random size, pace, vendor, pauses and ways of reporting.
JobPlan healthyPlan(unsigned seed);

} // namespace rankwright::test

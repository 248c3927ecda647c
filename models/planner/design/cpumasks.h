// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/core/error.h"

namespace rankwright::inline planner {

// Cores of tasks and their spellings: what srun's --cpu-bind and --gpu-bind take (srun(1)). Cores are numbered as the
// operating system does: thread t of core c is CPU c + t * (cores of the node).

/// Hexadecimal mask of cores, lower case, "0x" and 16 digits or more: {1..7} -> 0x00000000000000fe.
QString coreMask(const QList<int>& cores);
/// The cores of a mask, ascending: "f05a" or "0xf05a" -> 1, 3, 4, 6, 12, 13, 14, 15. Error: not hexadecimal, empty, or
/// longer than 4096 cores.
Result<QList<int>> coresOfMask(const QString& mask);

/// The CPUs of each task of a --cpu-bind value: "v,mask_cpu:fe,fe00", "map_cpu:1,9". Empty: no masks or single cores,
/// or not readable.
QList<QList<int>> coresOfBinding(const QString& value);

/// How the tasks of a node are laid beside its GPUs.
struct TaskLayout {
    QList<int> gpuOrder; ///< GPUs in the order of the tasks; empty: 0, 1, ... all of the node
    int gpusPerTask = 1; ///< consecutive GPUs of the order that a task takes
    int coresPerGpu = 0; ///< number of cores beside each GPU that are used, from the first; 0: all that a job may use
    bool allThreads = false; ///< the other hardware threads of the cores, too
};
/// The cores of each task. Error: the map is not published, a GPU is not in it or is in the order twice, the order
/// does not divide into tasks, or a GPU has fewer cores beside it.
Result<QList<QList<int>>> coresBesideGpus(const NodeShape& node, const TaskLayout& layout);

/// "mask_cpu:0x00fe...,0x..." for --cpu-bind.
QString maskOption(const QList<QList<int>>& tasks);
/// "map_cpu:49,57,..." for --cpu-bind: the first core of each task.
QString mapOption(const QList<QList<int>>& tasks);
/// "map:4,5,2,3" (one GPU for each task) or "mask:0x03,0x0c" (several) for --gpu-bind.
QString gpuOption(const NodeShape& node, const TaskLayout& layout);

/// A node as Slurm's own distribution of tasks sees it.
struct SocketLayout {
    int sockets = 1; ///< what Slurm treats as a socket: a socket, a superchip, a NUMA domain
    int coresPerSocket = 1;
    int threadsPerCore = 1;
};
/// --distribution within a node: Block fills a socket before the next one, Cyclic takes the sockets in turn.
enum class Spread { Block, Cyclic };
/// Which threads of a core are counted as CPUs: one with --hint=nomultithread, else all.
enum class CoreThreads { One, All };
/// CPUs that Slurm itself gives to each of `tasks` tasks. Error: they do not fit the node.
Result<QList<QList<int>>> slurmTaskCpus(
    const SocketLayout& node, int tasks, int cpusPerTask, Spread spread, CoreThreads counted);

} // namespace rankwright::inline planner

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"

#include <QMap>
#include <QStringList>

namespace rankwright::inline cluster {

// What a cluster's own Slurm reports about its hardware and rules, for drafting a cluster file.

/// Everything that a draft needs, in one round trip: scontrol show partition, node and config, sinfo (for sites that
/// hide nodes), sacctmgr (QoS and the user's associations), the module list where there is one, $SCRATCH.
RemoteCommand surveyCommand();

/// "Key=Value" cells of one line of `scontrol -o show ...`; values may hold blanks. Slurm's words for nothing are
/// empty.
using SlurmCells = QMap<QString, QString>;
SlurmCells slurmCells(const QString& line);

/// A kind of node as Slurm describes it: all nodes that are alike, with the partitions they are in.
struct SurveyedNodes {
    QString gpuType; ///< "a100" of "gpu:a100:4"; empty when gres names none
    int gpus = 0;
    QStringList otherGres; ///< "nvme:3500": what else is counted there
    int count = 1;
    int sockets = 1;
    int coresPerSocket = 0;
    int threadsPerCore = 1;
    int cpus = 0; ///< as Slurm counts them
    int usableCpus = 0; ///< without those kept for the system
    qint64 memoryMib = 0; ///< that jobs can get; the least of all nodes
    qint64 largestMemoryMib = 0;
    QString architecture;
    QStringList features; ///< those that all of them have
    QStringList anyFeatures; ///< those that at least one of them has
    QStringList partitions; ///< in which at least one of them stands
};

struct ClusterSurvey {
    QString host;
    QString clusterName;
    QString version;
    SlurmCells config;
    QList<SlurmCells> partitions; ///< scontrol's cells, in its order
    QList<SurveyedNodes> nodes;
    bool nodesFromSinfo = false; ///< scontrol reported no nodes
    QList<SlurmCells> qos; ///< Name, MaxWall, MaxTRES, MaxTRESPU, MaxJobsPU, MaxSubmitPU, MinTRES
    QStringList accounts; ///< of this cluster; those with resources left first
    QStringList spentAccounts; ///< those without
    QString defaultAccount; ///< taken by Slurm where a job names none; empty: none, or not reported
    QList<SlurmCells> reservations; ///< scontrol's cells
    QStringList modules; ///< names as `module -t avail` prints them
    bool hasScratch = false; ///< $SCRATCH is set
};

/// Reads the answer to surveyCommand(). Error: it holds no partition at all.
Result<ClusterSurvey> readSurvey(const QByteArray& answer);

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/insight/hang/rankevidence.h"
#include "models/insight/telemetry/sampling/samplingplan.h"

#include <QStringList>

namespace rankwright::inline insight {

/// The job whose ranks are to be inspected.
struct CollectRequest {
    QString job; ///< the number that --jobid takes
    QStringList nodes; ///< of the job, in Slurm's order
    QStringList oddNodes; ///< known to be unlike the others: asked in full in any case
    SamplingWay way = SamplingWay::Step; ///< not Here
    bool oneStepForAllNodes = false; ///< LaunchDefaults::monitorAllNodesInOneStep
};

/// What one look at a job may cost.
struct CollectLimits {
    int deepNodes = 64; ///< whose ranks are asked for stacks and records; each may take a step of its own
    qint64 bytes = qint64(40) << 20; ///< of texts, over all nodes
    int gapMs = 3000; ///< between the two looks
    int seconds = 14; ///< at most, on each node
};

/// Which nodes are asked for what. Bounded for any size of job.
struct CollectPlan {
    QString job;
    QStringList deepNodes; ///< processes, stacks, records
    QStringList lightNodes; ///< processes alone: those for which no step of their own is needed
    QStringList rasNodes; ///< of the deep ones: those asked for RAS, which answers for the whole job
    int ofNodes = 0;
    SamplingWay way = SamplingWay::Step;
    bool oneStepForAllNodes = false;
    qint64 bytesPerNode = 0;
    CollectLimits limits;
    QString note; ///< for people, where not all nodes are asked in full; else empty
    QStringList askedNodes() const { return deepNodes + lightNodes; }
};
CollectPlan collectPlan(const CollectRequest& request, const CollectLimits& limits = {});

/// A second look, at nodes that the first one showed to be odd and did not ask in full: at most `most` of those that
/// have a rank which is stopped, waits for a file system, or stands differently from nineteen of twenty ranks. Empty:
/// there are none.
QStringList nodesToAskNext(const CollectPlan& plan, const HangEvidence& evidence, int most = 16);
/// The plan for these.
CollectPlan nextPlan(const CollectPlan& plan, const QStringList& nodes);

/// Runs resources/remote/node-hang.sh on the plan's nodes. Its input has to stay open, with a line at least every 5 s;
/// its end ends everything on the nodes. What it prints is read by CollectReader.
RemoteCommand collectCommand(const CollectPlan& plan);
inline constexpr int collectHeartbeatMs = 3000;

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::samplingscript {

// What runs on the cluster, piece by piece; docs/telemetry.md explains it. No piece writes a file. bash 4.1 and newer.

/// awk programs that condense one answer of a tool to lines "D" and records, "U" and UUIDs, or "H" and why there are
/// none. Variables: pc "INDEX=PROCESSES ...", th 1 when the query's last field is the throttle reasons.
const QString& amdFilter();
const QString& nvidiaFilter();

/// Parts of the sampler of a node, in this order; the whole runs as `bash -c SCRIPT rankwright VENDOR INTERVAL_MS
/// AMD_FILTER NVIDIA_FILTER [JOB [RANKS_EVERY_MS]]`. RANKWRIGHT_SYSROOT stands before /sys and /dev (tests).
const QString& toolPart(); ///< finds the cheapest source of figures: amdgpu's sysfs files, else the vendor's tool
const QString& rankPart(); ///< the job's ranks from /proc, and the processes on each GPU
const QString& loopPart(); ///< one sample per interval, and the lease that ends it

/// On the login node, where one step (or one ssh) per node is started and fed from one stdin. $1 "step" or "ssh", $2
/// job, $3 to $9 the node script and its words, then the nodes.
const QString& fanScript();

} // namespace rankwright::samplingscript

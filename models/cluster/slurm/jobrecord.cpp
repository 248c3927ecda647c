// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::inline cluster {

namespace {

template <typename T>
void fill(T& value, const T& known)
{
    if (value == T())
        value = known;
}

} // namespace

JobRecord mergedRecord(const JobRecord& known, const JobRecord& fresh)
{
    JobRecord merged = fresh;
    fill(merged.sluid, known.sluid);
    fill(merged.stepJob, known.stepJob);
    fill(merged.name, known.name);
    fill(merged.user, known.user);
    fill(merged.account, known.account);
    fill(merged.partition, known.partition);
    fill(merged.qos, known.qos);
    fill(merged.reservation, known.reservation);
    fill(merged.nodes, known.nodes);
    if (!isWaiting(fresh.state))
        fill(merged.nodeList, known.nodeList);
    fill(merged.gres, known.gres);
    fill(merged.gpus, known.gpus);
    fill(merged.timeLimit, known.timeLimit);
    fill(merged.comment, known.comment);
    fill(merged.workdir, known.workdir);
    fill(merged.standardOutput, known.standardOutput);
    if (fresh.state == known.state) {
        fill(merged.exitCode, known.exitCode);
        fill(merged.exitSignal, known.exitSignal);
        fill(merged.stepState, known.stepState);
    }
    // While it completes, Slurm names only the nodes that are not free again yet.
    if (fresh.state == JobState::Completing && known.nodeList.size() > fresh.nodeList.size()) {
        merged.nodes = known.nodes;
        merged.gpus = known.gpus;
        merged.nodeList = known.nodeList;
    }
    if (!merged.submitted.isValid())
        merged.submitted = known.submitted;
    if (!merged.started.isValid() && !isWaiting(fresh.state))
        merged.started = known.started;
    return merged;
}

} // namespace rankwright::inline cluster

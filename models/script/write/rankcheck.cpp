// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/rankcheck.h"

#include "models/core/numberranges.h"
#include "models/planner/design/rankplaces.h"
#include "models/script/bash/launchnames.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Cores and device of each local rank as the plan has them; both empty where it has none.
struct PlannedPlaces {
    QStringList cores;
    QStringList devices;
};

PlannedPlaces plannedPlaces(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const RankPlaces plan = planNodeRanks(resolved, profile);
    PlannedPlaces places;
    if (!plan.bound || !isDistributed(resolved))
        return places;
    for (const RankPlace& place : plan.ranks) {
        places.cores.append(numberRanges(place.cores));
        places.devices.append(QString::number(place.gpu));
    }
    return places;
}

} // namespace

bool checksRanks(const ResolvedSpec& resolved, const BindingOptions& binding)
{
    return startsRanksBySlurm(resolved) || !binding.cores.isEmpty();
}

void writeRankCheck(ScriptBuilder& builder, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const bool tasks = startsRanksBySlurm(resolved);
    const PlannedPlaces places = plannedPlaces(resolved, profile);
    const bool amd = resolved.node.gpu.vendor == GpuVendor::Amd;
    const QString visible = amd ? u"ROCR_VISIBLE_DEVICES"_s : u"CUDA_VISIBLE_DEVICES"_s;
    const QList<FieldPath> origins{field::cpuBinding, field::gpusPerNode, field::launcher};
    const auto line
        = [&](const QString& text, const QString& reason) { builder.line(text, origins, reason, u"R43"_s); };
    builder.heading(
        u"Each rank compares its cores and device with the plan: rank 0 says so, others only what differs"_s, origins);
    line(u"export %1='%2() {"_s.arg(rankCheckVariable, rankCheckFunction),
        u"A small text that each rank runs before the program. It changes nothing and takes some milliseconds."_s);
    line(u"  local rank=%1 size=%2 at=%3 cores=(%4) gpus=(%5)"_s.arg(tasks ? u"$SLURM_PROCID"_s : u"${RANK:-0}"_s,
             tasks ? u"$SLURM_NTASKS"_s : u"${WORLD_SIZE:-1}"_s, tasks ? u"$SLURM_LOCALID"_s : u"${LOCAL_RANK:-0}"_s,
             places.cores.join(u' '), places.devices.join(u' ')),
        u"Who this rank is; planned cores and device of each local rank, empty where the plan has none."_s);
    line(u"  local key has last seen want=${cores[at]:-} gpu=${gpus[at]:-} place differs="_s,
        u"What the plan has for this rank."_s);
    line(u"  while read -r key has; do [[ $key == Cpus_allowed_list: ]] && break; done < /proc/self/status"_s,
        u"The cores that this process may really use, as the kernel has them."_s);
    line(u"  { read -r last < /sys/devices/system/cpu/present; } 2> /dev/null"_s,
        u"The CPUs of this node: a plan for other hardware cannot be compared."_s);
    line(u"  if [[ -z $want ]]; then place=\"cores $has\""_s, u"On a part of a node Slurm chooses."_s);
    line(u"  elif [[ $has == \"$want\" ]]; then place=\"cores $has as planned\""_s, u"Bound as planned."_s);
    line(u"  elif [[ -n $last ]] && (( ${want##*[,-]} > ${last##*[,-]} )); then"_s,
        u"The node has not got these CPUs: the plan is for other hardware."_s);
    line(u"    place=\"cores $has (planned $want, but this node has CPUs $last)\""_s,
        u"Said once, by rank 0; it holds for all."_s);
    line(u"  else place=\"cores $has instead of $want\" differs=yes; fi"_s, u"Bound elsewhere, or not at all."_s);
    line(u"  seen=(${%1//,/ })"_s.arg(visible), u"The devices that this process sees, in its order."_s);
    line(u"  if (( ${#seen[@]} == 0 )); then place+=\", device $at\""_s, u"Unset: all devices are visible."_s);
    line(u"  elif (( at >= ${#seen[@]} )); then place+=\", no device $at (visible: $%1)\" differs=yes"_s.arg(visible),
        u"The program would fail with an invalid device."_s);
    line(
        u"  elif [[ -z $gpu || ${seen[at]} == *[!0-9]* || ${seen[at]} == \"$gpu\" ]]; then place+=\", device ${seen[at]}\""_s,
        u"The planned device, or one that cannot be compared."_s);
    line(u"  else place+=\", device ${seen[at]} instead of $gpu\" differs=yes; fi"_s,
        u"Another device than the one beside the cores."_s);
    line(u"  place=\"rankwright: rank $rank of $size on node ${SLURMD_NODENAME:-$HOSTNAME}: $place\""_s,
        u"One line, in the job's log."_s);
    line(u"  if [[ -n $differs ]]; then echo \"$place\" >&2"_s, u"One line for each rank that differs."_s);
    line(u"  elif (( rank == 0 )); then echo \"$place; other ranks report only what differs\" >&2; fi"_s,
        u"All is well: one line for the job."_s);
    line(u"}"_s, u"End of the function."_s);
    line(rankCheckFunction + u"'"_s, u"Runs it; the rank's shell goes on with the program."_s);
    builder.blank();
}

} // namespace rankwright::inline script

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reach/joboncluster.h"

#include "app/watch/joblayout.h"
#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/cluster/slurm/slurmcommands.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

/// The node on which a rank of a running job is: by the design where it was launched from here and got what it says,
/// else as if each GPU had one rank, node by node. Error: no such rank, or its node is unknown.
Result<QString> nodeOfRank(const JobLog& log, const ClusterProfile& profile, const JobRecord& record, int rank)
{
    const QList<RankPlace> placed = placementOf(launchedJob(log, profile.name, record.id), profile, record);
    for (const RankPlace& one : placed) {
        if (one.rank == rank && one.node < record.nodeList.size())
            return record.nodeList.value(one.node);
    }
    const auto nodes = static_cast<int>(record.nodeList.size());
    std::optional<int> onEach;
    if (record.gpus && nodes > 0 && *record.gpus % nodes == 0 && *record.gpus > 0)
        onEach = *record.gpus / nodes;
    return nodeOfRank(record.nodeList, rank, onEach);
}

} // namespace

Result<NodeChoice> NodeChoice::read(const CliContext& context)
{
    NodeChoice choice;
    choice.job = context.positional.value(1);
    if (const auto fault = jobIdFault(choice.job))
        return fail(*fault);
    choice.node = context.option(u"node"_s);
    if (!choice.node.isEmpty() && !isNodeName(choice.node))
        return fail(Fault::Invalid, u"\"%1\" is not a node's name."_s.arg(choice.node.left(80)));
    if (!context.has(u"rank"_s))
        return choice;
    bool good = false;
    const int rank = context.option(u"rank"_s).toInt(&good);
    if (!good || rank < 0)
        return fail(
            Fault::Invalid, u"--rank %1 is not a rank."_s.arg(context.option(u"rank"_s)), {}, u"Give 0 or more."_s);
    if (!choice.node.isEmpty())
        return fail(Fault::Invalid, u"--node and --rank cannot both be given."_s, {}, u"Leave one out."_s);
    choice.rank = rank;
    return choice;
}

void findNode(CliLogin& login, const NodeChoice& choice,
    const std::function<void(const JobRecord& job, const NodeStep& step)>& then)
{
    ClusterSession& session = login.session();
    session.client().job(choice.job, &login, [&login, &session, choice, then](const Result<JobRecord>& record) {
        if (!record) {
            login.finish(record.error());
            return;
        }
        QString node = choice.node;
        if (choice.rank && record->state == JobState::Running) {
            const auto its = nodeOfRank(login.jobLog(), session.profile(), *record, *choice.rank);
            if (!its) {
                login.finish(its.error());
                return;
            }
            node = *its;
        }
        if (const auto step = stepOn(*record, node))
            then(*record, *step);
        else
            login.finish(step.error());
    });
}

} // namespace rankwright

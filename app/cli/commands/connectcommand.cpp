// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonObject factsJson(const ClusterFacts& facts, const QString& way)
{
    QJsonArray partitions;
    for (const ClusterFacts::PartitionFact& partition : facts.partitions)
        partitions.append(QJsonObject{
            {u"name"_s, partition.name},
            {u"state"_s, orNull(partition.state)},
            {u"nodes"_s, orNull(partition.nodes)},
            {u"idleNodes"_s, orNull(partition.idleNodes)},
            {u"maxSeconds"_s, orNull(partition.maxTime)},
            {u"gres"_s, orNull(partition.gres)},
        });
    return {
        {u"user"_s, orNull(facts.user)},
        {u"host"_s, orNull(facts.host)},
        {u"slurmVersion"_s, orNull(facts.slurmVersion)},
        {u"clusterName"_s, orNull(facts.clusterName)},
        {u"accounts"_s, QJsonArray::fromStringList(facts.accounts)},
        {u"partitions"_s, partitions},
        {u"latencySeconds"_s, orNull(facts.latencySeconds)},
        {u"way"_s, orNull(way)},
    };
}

void printFacts(const ClusterFacts& facts, const QString& way, QTextStream& out)
{
    TextFacts lines;
    if (!way.isEmpty())
        lines.add(u"connection"_s, u"over "_s + way);
    lines.add(u"user"_s, facts.user);
    lines.add(u"host"_s, facts.host);
    lines.add(u"Slurm"_s, facts.slurmVersion);
    lines.add(u"accounts"_s, facts.accounts.join(u", "_s));
    for (const ClusterFacts::PartitionFact& partition : facts.partitions)
        lines.add(u"partition"_s,
            u"%1 (%2), %3 nodes, %4 idle"_s.arg(partition.name, partition.state,
                partition.nodes ? QString::number(*partition.nodes) : u"?"_s,
                partition.idleNodes ? QString::number(*partition.idleNodes) : u"?"_s));
    lines.print(out);
}

int runConnect(const CliContext& context)
{
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    if (!login.whyNoMaster().isEmpty())
        context.err << u"rankwright-cli: your ssh connection is not used: "_s << login.whyNoMaster() << u'\n';
    login.session().client().discover(&login, [&login, &context](const Result<ClusterFacts>& facts) {
        if (!facts) {
            login.finish(facts.error());
            return;
        }
        const QString way = login.session().link().way;
        if (context.json)
            printJson(context.out, factsJson(*facts, way));
        else
            printFacts(*facts, way, context.out);
        login.finish(ExitDone);
    });
    return login.wait();
}

} // namespace

CliCommand connectCommand()
{
    return {
        .name = "connect",
        .summary = "Log in to a cluster and print what it reports about itself",
        .words = "CLUSTER",
        .run = runConnect,
        .options = loginOptions(),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright

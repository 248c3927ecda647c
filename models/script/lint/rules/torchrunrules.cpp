// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintstarts.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

using Kind = LaunchLayer::Kind;

Hits rendezvousMissing(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        if (start.kind != LaunchKind::Agent || !start.severalNodes() || !facts.request.nodesGiven
            || isOtherWay(facts, start))
            continue;
        const BatchOption* count = start.agentOption(u"nnodes"_s);
        if (count && facts.numberOf(*count) == 1)
            continue; // one node for itself, as it says
        const bool meets = start.agentOption(u"rdzv-endpoint"_s) || start.agentOption(u"master-addr"_s)
            || start.agentOption(u"standalone"_s) || start.agentOption(u"rdzv-conf"_s)
            || facts.sets(u"PET_RDZV_ENDPOINT"_s) || facts.sets(u"PET_MASTER_ADDR"_s)
            || !start.launch->unresolved.isEmpty();
        if (!meets)
            hits.append({start.line(),
                (count ? u"%1 on %2 nodes has no rendezvous endpoint, so each node waits at its own 127.0.0.1: add --rdzv_backend=c10d and --rdzv_endpoint."_s
                       : u"%1 on %2 nodes has neither --nnodes nor a rendezvous endpoint, so each node trains for itself: add --nnodes, --rdzv_backend=c10d and --rdzv_endpoint."_s)
                    .arg(start.agent->name, QString::number(*start.nodes))});
    }
    return hits;
}

Hits nodeRank(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* endpoint = start.agentOption(u"rdzv-endpoint"_s);
        const BatchOption* backend = start.agentOption(u"rdzv-backend"_s);
        const bool meetsByStore = endpoint && (!backend || backend->value != u"static");
        if (start.kind != LaunchKind::Agent || !start.severalNodes() || meetsByStore
            || !(start.agentOption(u"master-addr"_s) || endpoint))
            continue;
        const BatchOption* rank = start.agentOption(u"node-rank"_s);
        static const QRegularExpression number(u"^\\d+$"_s);
        const bool constant = rank && rank->value.contains(number);
        if ((rank && !constant) || facts.sets(u"PET_NODE_RANK"_s))
            continue;
        hits.append({rank ? rank->line : start.line(),
            u"With --master_addr each of the %1 nodes needs its own --node_rank%2: read it in the task (srun bash -c '… --node_rank=$SLURM_NODEID'), or use --rdzv_backend=c10d."_s
                .arg(QString::number(*start.nodes), rank ? u", not %1 everywhere"_s.arg(rank->value) : QString())});
    }
    return hits;
}

Hits standaloneWins(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* standalone = start.agentOption(u"standalone"_s);
        const BatchOption* other = start.agentOption(u"rdzv-endpoint"_s);
        if (!other)
            other = start.agentOption(u"master-addr"_s);
        if (standalone && other && !start.severalNodes())
            hits.append(
                {other->line, u"--standalone overrides %1: leave one of them out."_s.arg(quoted(other->written))});
    }
    return hits;
}

Hits masterMissing(const LintFacts& facts)
{
    const Setting* rank = facts.setting(u"RANK"_s);
    if (!rank || !rank->value->expands(u"SLURM_PROCID"_s) || facts.oneProcessDrivesAll)
        return {};
    QStringList missing;
    for (const QString& name : {u"MASTER_ADDR"_s, u"MASTER_PORT"_s, u"WORLD_SIZE"_s}) {
        if (!facts.sets(name) && !facts.batch.text.contains(name))
            missing.append(name);
    }
    if (missing.isEmpty())
        return {};
    return {{rank->line,
        u"RANK is set but %1 not: PyTorch needs RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT together."_s.arg(
            missing.join(u" and "_s))}};
}

Hits masterInContainer(const LintFacts& facts)
{
    Hits hits;
    for (const Launch& launch : facts.batch.launches) {
        bool container = false;
        bool shellInside = false;
        for (const LaunchLayer& layer : launch.layers) {
            container = container || layer.kind == Kind::Container;
            shellInside = shellInside || (container && layer.kind == Kind::Shell);
        }
        if (!shellInside)
            continue;
        if (hits.size() >= 16)
            break;
        for (const Setting& setting : facts.settings) {
            if (!setting.inTask || setting.line < launch.line || setting.line > launch.lastLine)
                continue;
            for (const Expansion& one : setting.value->expansions) {
                if (one.kind == Expansion::Kind::Command && !one.early && one.text.contains(u"scontrol"))
                    hits.append({setting.line,
                        u"scontrol does not exist inside the container: work out %1 before srun and export it."_s.arg(
                            setting.name)});
            }
        }
    }
    return hits;
}

Hits hostSuffix(const LintFacts& facts)
{
    const QString suffix = facts.profile->launch.masterAddressSuffix;
    const Setting* address = facts.setting(u"MASTER_ADDR"_s);
    if (suffix.isEmpty() || !address || !facts.request.severalNodes())
        return {};
    for (const Setting* one : facts.settingsOf(u"MASTER_ADDR"_s)) {
        if (one->value->value.endsWith(suffix) || one->value->value.contains(u'}' + suffix))
            return {};
    }
    return {{address->line,
        u"At %1 the fast network answers to the host name with “%2” after it: MASTER_ADDR=\"${MASTER_ADDR}%2\"."_s.arg(
            facts.profile->title, suffix),
        address->inTask ? std::nullopt
                        : std::optional(insertLine(address->line + 1, u"MASTER_ADDR=\"${MASTER_ADDR}%1\""_s.arg(suffix),
                            u"Add the suffix"_s))}};
}

} // namespace

QList<LintRule> torchrunRules()
{
    const QString torchrun = u"torchrun documentation; measured"_s;
    return {
        {{u"R244"_s, u"rendezvous-missing"_s, Severity::Error, u"launcher"_s,
             u"torchrun on several nodes without a rendezvous endpoint"_s, torchrun},
            rendezvousMissing},
        {{u"R245"_s, u"node-rank"_s, Severity::Error, u"launcher"_s,
             u"static rendezvous without a rank for each node"_s, torchrun},
            nodeRank},
        {{u"R246"_s, u"standalone-wins"_s, Severity::Warning, u"launcher"_s,
             u"--standalone beside a rendezvous endpoint"_s, torchrun},
            standaloneWins},
        {{u"R247"_s, u"rank-variables"_s, Severity::Warning, {}, u"RANK set, but not what PyTorch needs with it"_s,
             u"PyTorch, torch.distributed"_s},
            masterMissing},
        {{u"R248"_s, u"master-in-container"_s, Severity::Error, {}, u"scontrol called inside a container"_s,
             u"LUMI workshop, Getting Started with AI"_s},
            masterInContainer},
        {{u"R249"_s, u"host-suffix"_s, Severity::Hint, {},
             u"MASTER_ADDR without the suffix that the site's network needs"_s, u"the site's user guide"_s, true},
            hostSuffix},
    };
}

} // namespace rankwright::inline script::lint

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/agents.h"

#include "models/planner/design/enumwords.h"
#include "models/planner/design/torchrelease.h"
#include "models/script/bash/launchnames.h"
#include "models/script/bash/scriptquoting.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Collects "agent --first", then further options below each other.
class Agent {
public:
    Agent(const QString& command, QList<FieldPath> origins, const QString& reason, const QString& source)
        : m_pad(fitsOneLine(command) ? static_cast<int>(command.size()) + 1 : 4, u' ')
    {
        m_pieces.append({command, std::move(origins), reason, source});
        m_openLine = fitsOneLine(command);
    }
    /// Whether the first option is on the agent's own line.
    static bool fitsOneLine(const QString& command) { return command.size() <= 18; }

    /// The first option is on the agent's own line, when that is short.
    void option(const QString& text, const QList<FieldPath>& origins, const QString& reason, const QString& source)
    {
        if (m_openLine) {
            ScriptLine& line = m_pieces.last();
            line.text += u' ' + text;
            line.origins += origins;
            line.reason += u' ' + reason;
            line.source = source;
            m_openLine = false;
            return;
        }
        m_pieces.append({m_pad + text, origins, reason, source});
    }
    void option(const ScriptLine& line) { option(line.text, line.origins, line.reason, line.source); }
    QList<ScriptLine> take() { return m_pieces; }

private:
    QString m_pad;
    bool m_openLine = true;
    QList<ScriptLine> m_pieces;
};

const QList<FieldPath>& launcherOrigins()
{
    static const QList<FieldPath> origins{field::launcher};
    return origins;
}

QString commandText(const QString& text, const QString& fallback)
{
    const Result<QStringList> split = splitShellWords(text);
    return scriptWords(split && !split->isEmpty() ? *split : QStringList{fallback});
}

/// Starts every worker through a small shell that moves it to the cores beside its GPU (R20).
void addBinding(Agent& agent, const LaunchPlan& plan)
{
    if (plan.binding.cores.isEmpty())
        return;
    if (starterOf(plan.resolved) == Starter::Deepspeed)
        agent.option(u"--no_local_rank"_s, {field::cpuBinding},
            u"The small shell takes no option; the program reads LOCAL_RANK instead."_s, u"R28"_s);
    agent.option(
        u"--no_python bash -c 'cores=(%1); bind=(taskset -c \"${cores[LOCAL_RANK]}\"); \"${bind[@]}\" true 2> /dev/null || "
        "bind=(); exec \"${bind[@]}\" bash -c \"${%2:-:}; exec \\\"\\$@\\\"\" _ \"$@\"' _"_s.arg(
            plan.binding.cores.join(u' '), QString(rankCheckVariable)),
        {field::cpuBinding, field::gpusPerNode, field::cpusPerGpu},
        u"Masks on the srun line would bind the agent only; so each worker is started on the cores beside its GPU by its "
        "local rank, or unbound where it cannot have them, and says so; where a container drops the text of the check, "
        "the program runs without it. No word here has two dollar signs in a row: "
        "torchrun would make one of them."_s,
        u"R20"_s);
}

/// The agent as a module of the interpreter that the command names: the same environment for agent and workers.
QString agentOf(const LaunchPlan& plan, const QString& module)
{
    return scriptWords(QStringList{plan.command.interpreter, u"-m"_s, module});
}

/// torchrun as this site spells it.
QString torchrunWords(const LaunchPlan& plan)
{
    if (!plan.command.interpreter.isEmpty())
        return agentOf(plan, u"torch.distributed.run"_s);
    return commandText(plan.profile.launch.torchrunCommand, u"torchrun"_s);
}

/// Whether each agent needs to know which node opens the meeting point, since it cannot find out by the name.
bool namesRendezvousHost(const LaunchPlan& plan)
{
    return starterOf(plan.resolved) == Starter::Torchrun && plan.resolved.nodes > 1
        && (plan.profile.launch.rendezvousHostNamed || !plan.profile.launch.masterAddressSuffix.isEmpty());
}

QList<ScriptLine> torchrunPieces(const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    const QList<FieldPath> nodes{field::nodes, field::launcher};
    QString reason = u"The agent starts one worker per GPU of its node and sets RANK, LOCAL_RANK and WORLD_SIZE."_s;
    if (resolved.launcher == Launcher::Deepspeed)
        reason += u" The deepspeed command itself would log in to the other nodes by ssh."_s;
    Agent agent(torchrunWords(plan), launcherOrigins(), reason, u"R01"_s);
    const bool alone = resolved.nodes == 1;
    if (namesRendezvousHost(plan))
        agent.option(u"--rdzv_conf=is_host=$((SLURM_NODEID == 0))"_s, {field::nodes, field::cluster},
            u"Which node holds the meeting point, read in the task. torchrun would compare the endpoint with the node's "
            "own name, and the name on the fast network is another: no node would open it."_s,
            u"R10"_s);
    if (alone) {
        agent.option(u"--standalone"_s, nodes,
            u"One node: the workers meet on a free port of this node. On several nodes this would train separate "
            "models."_s,
            u"R09"_s);
        agent.option(u"--nnodes=1"_s, {field::nodes}, u"One node, said in full."_s, u"R09"_s);
    } else {
        agent.option(u"--nnodes=\"$SLURM_NNODES\""_s, nodes, u"How many agents join the rendezvous."_s, u"R10"_s);
    }
    agent.option(u"--nproc_per_node="_s + QString::number(workersPerNode(resolved)), {field::gpusPerNode},
        u"One worker per GPU, as a plain number: Slurm's own variable may hold a type or be unset. Underscores work "
        "with every PyTorch."_s,
        u"R14"_s);
    if (!alone) {
        agent.option(u"--rdzv_backend=c10d"_s, nodes,
            u"The agents agree on ranks by themselves, so no node needs a number of its own."_s, u"R10"_s);
        agent.option(u"--rdzv_endpoint=\"$MASTER_ADDR:$MASTER_PORT\""_s, nodes,
            u"The rendezvous endpoint: the first node. With localhost each node would train alone, without any error."_s,
            u"R10"_s);
        agent.option(u"--rdzv_id=\"$SLURM_JOB_ID\""_s, nodes,
            u"Keeps agents of another job away that happen to use the same port."_s, u"R10"_s);
        agent.option(u"--max_restarts=0"_s, nodes,
            u"A failed worker ends the job at once, with its own message; restarts inside a job hide the cause."_s,
            u"R10"_s);
    }
    if (const auto& numa = resolved.spec.options.numaBinding;
        numa && numaBindingObstacle(resolved, plan.profile).isEmpty())
        agent.option(u"--numa-binding="_s + wordOf(*numa), {field::numaBinding},
            u"torchrun puts each worker on cores beside its GPU, by its local rank, with the program numactl."_s,
            u"R20"_s);
    addBinding(agent, plan);
    return agent.take();
}

QList<ScriptLine> acceleratePieces(const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    const QList<FieldPath> nodes{field::nodes, field::launcher};
    Agent agent(
        plan.command.interpreter.isEmpty() ? u"accelerate launch"_s : agentOf(plan, u"accelerate.commands.launch"_s),
        launcherOrigins(), u"One command per node, which starts a worker per GPU through torchrun's agent."_s,
        u"R27"_s);
    if (resolved.nodes > 1) {
        agent.option(u"--machine_rank=\"$SLURM_NODEID\""_s, nodes,
            u"Each node's own number, read in the task: in the batch shell it would be 0 for all, and the run would "
            "hang."_s,
            u"R27"_s);
    }
    for (const ScriptLine& piece : plan.trainer.launcherPieces)
        agent.option(piece);
    agent.option(u"--num_machines=\"$SLURM_NNODES\""_s, nodes, u"How many commands join the rendezvous."_s, u"R27"_s);
    agent.option(u"--num_processes=%1"_s.arg(workersPerNode(resolved) * resolved.nodes),
        {field::nodes, field::gpusPerNode},
        u"All workers of the job together, not those of one node; it wins over what a configuration file says."_s,
        u"R27"_s);
    if (isDistributed(resolved)) {
        if (resolved.nodes > 1)
            agent.option(
                u"--main_process_ip=\"$MASTER_ADDR\""_s, nodes, u"The first node, where rank 0 is."_s, u"R27"_s);
        agent.option(u"--main_process_port=\"$MASTER_PORT\""_s, nodes,
            u"A port from the job id; the default 29500 collides on shared nodes."_s, u"R12"_s);
    }
    if (!resolved.coresOpen)
        agent.option(u"--num_cpu_threads_per_process=%1"_s.arg(resolved.cpusPerGpu), {field::cpusPerGpu},
            u"Each worker computes with its own cores, not with those of all."_s, u"R22"_s);
    addBinding(agent, plan);
    return agent.take();
}

QList<ScriptLine> deepspeedPieces(const LaunchPlan& plan)
{
    Agent agent(plan.command.interpreter.isEmpty() ? u"deepspeed"_s : agentOf(plan, u"deepspeed.launcher.runner"_s),
        launcherOrigins(),
        u"DeepSpeed's own command starts a worker per GPU that it sees; no host file, so nothing goes over ssh."_s,
        u"R28"_s);
    if (isDistributed(plan.resolved))
        agent.option(u"--master_port=\"$MASTER_PORT\""_s, {field::launcher},
            u"A port from the job id; the default 29500 collides on shared nodes."_s, u"R12"_s);
    if (plan.resolved.wholeNodes && workersPerNode(plan.resolved) < plan.resolved.node.gpus)
        agent.option(u"--num_gpus=%1"_s.arg(workersPerNode(plan.resolved)), {field::gpusPerNode},
            u"The job owns the node and sees all of its GPUs; without it a worker would start on each."_s, u"R28"_s);
    addBinding(agent, plan);
    return agent.take();
}

} // namespace

QList<ScriptLine> agentPieces(const LaunchPlan& plan)
{
    switch (starterOf(plan.resolved)) {
    case Starter::Torchrun: return torchrunPieces(plan);
    case Starter::Accelerate: return acceleratePieces(plan);
    case Starter::Deepspeed: return deepspeedPieces(plan);
    case Starter::Tasks: break;
    }
    return {};
}

int piecesExpandedByTask(const LaunchPlan& plan)
{
    if (namesRendezvousHost(plan))
        return Agent::fitsOneLine(torchrunWords(plan)) ? 1 : 2;
    if (starterOf(plan.resolved) == Starter::Accelerate && plan.resolved.nodes > 1)
        return plan.command.interpreter.isEmpty() ? 1 : 2; // a long command's first option is a piece of its own
    return 0;
}

} // namespace rankwright::inline script

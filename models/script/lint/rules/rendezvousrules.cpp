// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintuses.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

const QString firstHost = u"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)"_s;
const QString portOfJob = u"$((10000 + SLURM_JOB_ID % 10000))"_s;

bool isLocal(const QString& host)
{
    static const QRegularExpression local(u"^(?:localhost|127\\.\\d+\\.\\d+\\.\\d+|::1|\\[::1\\])(?::|$)"_s);
    return host.contains(local);
}

/// A word of an option with its plain variables replaced as far as they are known.
QString knownText(const LintFacts& facts, const BatchOption& option)
{
    if (!option.word)
        return option.value;
    const std::optional<QString> known = facts.valueOf(*option.word);
    if (!known)
        return option.value;
    const QString prefix = option.typedName + u'=';
    return known->startsWith(prefix) ? known->mid(prefix.size()) : *known;
}

bool isInOwnFlow(const LintFacts& facts, const Start& start)
{
    return !facts.batch.shell.commands.at(start.launch->command).parent;
}

Hits standalone(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        if (!start.agent || !start.severalNodes())
            continue;
        const QString nodes = QString::number(*start.nodes);
        if (const BatchOption* option = start.agentOption(u"standalone"_s)) {
            const QString meeting = u"--rdzv_backend=c10d --rdzv_id=\"$SLURM_JOB_ID\" --rdzv_endpoint=\"%1:%2\""_s.arg(
                firstHost, portOfJob);
            hits.append({option->line,
                u"--standalone on %1 nodes makes %1 separate training runs, without any error: use --rdzv_backend=c10d with one endpoint."_s
                    .arg(nodes),
                isInOwnFlow(facts, start) ? replaceInLine(
                    facts, option->line, u"--standalone"_s, meeting, u"Use the first node as the endpoint"_s)
                                          : std::nullopt});
        }
        for (const QString& name : {u"rdzv-endpoint"_s, u"master-addr"_s, u"main-process-ip"_s}) {
            const BatchOption* option = start.agentOption(name);
            if (option && isLocal(knownText(facts, *option)))
                hits.append({option->line,
                    u"%1 means each node itself: %2 nodes never meet and train separately. Use the first node's name."_s
                        .arg(quoted(option->written), nodes)});
        }
    }
    const Setting* address = facts.setting(u"MASTER_ADDR"_s);
    if (address && facts.request.severalNodes() && facts.request.nodesGiven && address->value->isStatic()
        && isLocal(address->value->value))
        hits.append({address->line,
            u"MASTER_ADDR=%1 means each node itself: the ranks of %2 nodes never meet."_s.arg(
                address->value->value, QString::number(*facts.request.nodes)),
            address->inTask
                ? std::nullopt
                : replaceInLine(facts, address->line, address->value->text, firstHost, u"Use the first node"_s)});
    return hits;
}

Hits worldSize(const LintFacts& facts)
{
    Hits hits;
    for (const Setting* setting : facts.settingsOf(u"WORLD_SIZE"_s)) {
        const bool ofTasks = setting->value->expands(u"SLURM_NTASKS"_s) || setting->value->expands(u"SLURM_NPROCS"_s);
        const bool ofNodes = setting->value->value == u"$SLURM_NNODES"
            || setting->value->value == u"$SLURM_JOB_NUM_NODES" || setting->value->value == u"${SLURM_NNODES}";
        if (ofTasks && !facts.request.anyTaskOption && !setting->inTask && facts.request.nodesGiven) {
            const QString written = u"--ntasks-per-node=%1"_s.arg(facts.request.gpusPerNode.value_or(1));
            hits.append({setting->line,
                u"Slurm leaves this variable unset because the job asks for no number of tasks: WORLD_SIZE becomes empty. Add --ntasks-per-node."_s,
                facts.request.gpusPerNode ? std::optional(addDirective(facts, written)) : std::nullopt,
                facts.request.gpuOptions.isEmpty() ? std::optional(Severity::Hint) : std::nullopt});
        } else if (ofNodes && facts.request.tasksPerNode.value_or(1) > 1) {
            hits.append({setting->line,
                u"WORLD_SIZE is the number of ranks, not of nodes: with %1 tasks on each node use $SLURM_NTASKS."_s.arg(
                    *facts.request.tasksPerNode),
                replaceInLine(facts, setting->line, setting->value->text, u"$SLURM_NTASKS"_s, u"Use $SLURM_NTASKS"_s)});
        }
    }
    return hits;
}

Hits worldSizeNumber(const LintFacts& facts)
{
    const bool perRank = std::any_of(facts.starts.cbegin(), facts.starts.cend(),
        [](const Start& start) { return start.kind == LaunchKind::Python && start.srun && start.training; });
    if (!perRank)
        return {};
    for (const Start& start : facts.starts) {
        const Setting* setting = facts.settingFor(u"WORLD_SIZE"_s, start);
        if (!setting || !setting->value->isStatic())
            continue;
        bool isNumber = false;
        const int said = setting->value->value.toInt(&isNumber);
        const bool spawns = start.tasks == start.nodes && !facts.sets(u"RANK"_s) && facts.request.gpusPerNode
            && start.nodes && said == *start.nodes * *facts.request.gpusPerNode; // the program starts the others
        if (isNumber && start.training && start.srun && start.tasks && start.nodes && *start.tasks != said
            && !start.agent && !spawns)
            return {{setting->line,
                u"WORLD_SIZE=%1, but srun starts %2: the ranks wait for each other or refuse to start."_s.arg(
                    QString::number(said), counted(*start.tasks, u"task"_s)),
                replaceInLine(facts, setting->line, setting->value->text, u"$SLURM_NTASKS"_s, u"Use $SLURM_NTASKS"_s)}};
    }
    return {};
}

/// A port where ranks or workers meet, not the base from which others are counted.
bool isMeetingPort(const LintFacts& facts, const QString& text)
{
    const QString name = text.section(u'=', 0, 0);
    const QList<int> places = facts.usesByName.value(name);
    return std::none_of(places.cbegin(), places.cend(), [&](int place) {
        const Expansion* use = facts.uses.at(place).expansion;
        return use && use->kind == Expansion::Kind::Arithmetic;
    });
}

struct Port {
    int line = 0;
    QString text; ///< as reported
    std::optional<Fix> fix;
};

/// The port of an endpoint "host:port": nothing when it is not a fixed one, 0 when there is none at all.
std::optional<int> fixedPort(const LintFacts& facts, const BatchOption& option)
{
    QString value = knownText(facts, option);
    static const QRegularExpression variable(u"^\\$\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?$"_s);
    if (const auto match = variable.match(value); match.hasMatch()) {
        const BatchVariable* set = facts.batch.variable(match.captured(1), option.line);
        static const QRegularExpression hostOnly(
            u"(?:ADDR|_IP|HOST|HOSTNAME|NODE)$"_s, QRegularExpression::CaseInsensitiveOption);
        if (!set)
            return match.captured(1).contains(hostOnly) ? std::optional(0) : std::nullopt;
        value = set->value.value;
    }
    static const QRegularExpression port(u":(\\d+)$"_s);
    if (const auto match = port.match(value); match.hasMatch())
        return match.captured(1).toInt();
    const QString afterHost = QString(value).remove(QRegularExpression(u"\\$\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)"_s));
    return afterHost.contains(u':') || afterHost.count(u'$') > 1 ? std::nullopt : std::optional(0);
}

/// "29500" of "${MASTER_PORT:-29500}", where nothing else sets the variable: Slurm does not.
QString defaultedPort(const LintFacts& facts, const QString& text, const QString& own)
{
    static const QRegularExpression fallback(u"\\$\\{([A-Za-z_][A-Za-z0-9_]*):?[-=](\\d{4,5})\\}[\"']?$"_s);
    const auto match = fallback.match(text);
    if (!match.hasMatch() || (match.captured(1) != own && facts.sets(match.captured(1))))
        return {};
    return match.captured(2);
}

QList<Port> fixedPorts(const LintFacts& facts)
{
    static const QRegularExpression portName(u"PORT$"_s);
    static const QRegularExpression number(u"^\\d{4,5}$"_s);
    QList<Port> ports;
    for (const Setting& setting : facts.settings) {
        if (setting.name.contains(portName) && setting.value->isStatic() && setting.value->value.contains(number))
            ports.append({setting.line, setting.name + u'=' + setting.value->value,
                setting.inTask ? std::nullopt
                               : replaceInLine(facts, setting.line, setting.name + u'=' + setting.value->text,
                                   setting.name + u'=' + portOfJob, u"Take it from the job id"_s)});
    }
    QSet<QString> defaulted; // set once from a number is enough: the second time it may come from elsewhere
    for (const Setting& setting : facts.settings) {
        const bool again = defaulted.contains(setting.name);
        defaulted.insert(setting.name);
        const QString fallback = again ? QString() : defaultedPort(facts, setting.value->text, setting.name);
        if (setting.name.contains(portName) && !fallback.isEmpty())
            ports.append({setting.line, setting.name + u'=' + setting.value->text, std::nullopt});
    }
    for (const Start& start : facts.starts) {
        if (!start.agent)
            continue;
        for (const QString& name : {u"master-port"_s, u"main-process-port"_s, u"rdzv-endpoint"_s}) {
            const BatchOption* given = start.agentOption(name);
            if (given && !defaultedPort(facts, given->value, {}).isEmpty())
                ports.append({given->line, given->written, std::nullopt});
        }
        for (const QString& name : {u"master-port"_s, u"main-process-port"_s}) {
            const BatchOption* option = start.agentOption(name);
            if (option && option->value.contains(number))
                ports.append({option->line, option->written,
                    isInOwnFlow(facts, start)
                        ? replaceInLine(facts, option->line, option->value, portOfJob, u"Take it from the job id"_s)
                        : std::nullopt});
        }
        const BatchOption* endpoint = start.agentOption(u"rdzv-endpoint"_s);
        const std::optional<int> port = endpoint ? fixedPort(facts, *endpoint) : std::nullopt;
        const bool written = port && *port > 0 && endpoint->value.endsWith(u':' + QString::number(*port));
        if (port == 0 && !start.agentOption(u"standalone"_s) && !endpoint->value.endsWith(u":0")) // :0 is any free one
            ports.append({endpoint->line, u"an endpoint without a port means 29400"_s, {}});
        else if (written)
            ports.append({endpoint->line, u"the endpoint's port %1"_s.arg(*port),
                isInOwnFlow(facts, start) ? replaceInLine(
                    facts, endpoint->line, u":%1"_s.arg(*port), u':' + portOfJob, u"Take it from the job id"_s)
                                          : std::nullopt});
        const bool meets = endpoint || start.agentOption(u"standalone"_s) || start.agentOption(u"master-port"_s)
            || start.agentOption(u"master-addr"_s) || facts.sets(u"PET_RDZV_ENDPOINT"_s);
        if (start.kind == LaunchKind::Agent && !meets && !start.severalNodes() && start.workers.value_or(2) > 1)
            ports.append({start.line(), u"torchrun without --standalone takes 29500"_s, {}});
        if (start.kind == LaunchKind::Accelerate && start.severalNodes() && !start.agentOption(u"main-process-port"_s)
            && !start.agentOption(u"rdzv-conf"_s))
            ports.append({start.line(), u"accelerate without --main_process_port takes 29500"_s, {}});
    }
    return ports;
}

Hits fixedPortHits(const LintFacts& facts)
{
    Hits hits;
    const bool shared = facts.sharedNodes();
    for (const Port& port : fixedPorts(facts)) {
        hits.append({port.line,
            u"A fixed port (%1) is taken when another job%2 uses it, too: derive it from the job id."_s.arg(
                port.text, shared ? u" on this shared node"_s : u" on the node"_s),
            port.fix,
            shared && !facts.oneProcessDrivesAll && isMeetingPort(facts, port.text) ? std::optional(Severity::Warning)
                                                                                    : std::nullopt});
    }
    return hits;
}

Hits rendezvousId(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* option = start.agentOption(u"rdzv-id"_s);
        if (!option || !option->word || !option->word->isStatic() || start.agentOption(u"standalone"_s))
            continue;
        const QString name = option->written.section(u'=', 0, 0).section(u' ', 0, 0);
        hits.append({option->line,
            u"%1 is the same in every job: two jobs that meet at one address would join. Use $SLURM_JOB_ID."_s.arg(
                quoted(option->written)),
            replaceInLine(facts, option->line, option->written, name + u"=$SLURM_JOB_ID"_s, u"Use $SLURM_JOB_ID"_s),
            facts.meetsByStore(start) ? std::nullopt : std::optional(Severity::Hint)});
    }
    return hits;
}

/// Is the address that a line works out used by no command: printed, or kept in a variable that nothing reads?
bool isAddressUnused(const LintFacts& facts, int line)
{
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    for (const ShellCommand& command : commands) {
        if (command.name() != u"hostname" || command.line > line || command.lastLine < line)
            continue;
        const ShellCommand* root = &command;
        while (root->parent)
            root = &commands.at(*root->parent);
        if (root == &command ? !isPipe(command.separator) && command.separator != ShellSeparator::Or
                    && command.redirections.isEmpty()
                             : onlyPrints(*root))
            return true;
    }
    const auto here = [&](const Setting& one) { return one.line == line && one.value->value.contains(u"hostname"); };
    const auto set = std::find_if(facts.settings.cbegin(), facts.settings.cend(), here);
    return set != facts.settings.cend() && !set->exported && !facts.reads(set->name);
}

Hits addressByIp(const LintFacts& facts)
{
    if (facts.request.nodes == 1 && facts.request.gpusPerNode == 1)
        return {}; // no other rank to meet
    static const QRegularExpression ip(u"hostname\\s+(?:-i|-I|--ip-address(?:es)?|--all-ip-addresses)(?![\\w-])"_s);
    static const QRegularExpression oneOfThem(u"==\\s*\\*\"\\s+\"\\*"_s); // several are looked for, one is taken
    const bool several = facts.request.severalNodes() || !facts.request.nodes;
    const bool takesOne = facts.mentions(oneOfThem);
    Hits hits;
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const auto match = ip.match(facts.codeLines.at(i));
        if (!match.hasMatch())
            continue;
        const int line = static_cast<int>(i) + 1;
        if (isAddressUnused(facts, line))
            continue;
        const QString direct = u"$("_s + match.captured(0) + u')';
        hits.append({line,
            u"%1 may print a loopback address or several: take the first name of scontrol show hostnames."_s.arg(
                quoted(match.captured(0))),
            replaceInLine(facts, line, direct, u"$(hostname)"_s, u"Use the host's name"_s),
            several && !takesOne ? std::nullopt : std::optional(Severity::Hint)});
    }
    return hits;
}

/// Whose name a task works out, when it expands a word itself.
enum class OwnHost {
    No,
    Inherited, ///< $HOSTNAME: of the first node, which Slurm sets for the batch shell (src/common/env.c); of its own
               ///< node where a start-up file or the container sets it
    Yes
};

OwnHost ownHost(const ShellWord& word)
{
    static const QRegularExpression hostname(u"\\b(?:hostname|uname\\s+-n)\\b"_s);
    OwnHost found = OwnHost::No;
    for (const Expansion& one : word.expansions) {
        const bool isName = one.kind == Expansion::Kind::Variable;
        if (one.early)
            continue;
        if (isName ? one.name == u"SLURMD_NODENAME" : one.text.contains(hostname) && !one.text.contains(u"scontrol"))
            return OwnHost::Yes;
        if (isName && one.name == u"HOSTNAME")
            found = OwnHost::Inherited;
    }
    return found;
}

/// A meeting place within the text of a task's shell.
const BatchOption* placeInTask(const Start& start, const QString& name)
{
    bool inTask = false;
    bool inShell = false;
    for (const LaunchLayer& layer : start.launch->layers) {
        inTask = inTask || layer.kind == LaunchLayer::Kind::Srun;
        inShell = inShell || (inTask && layer.kind == LaunchLayer::Kind::Shell);
    }
    const BatchOption* option = inShell ? start.agentOption(name) : nullptr;
    return option && option->word ? option : nullptr;
}

Hits masterInTask(const LintFacts& facts)
{
    const auto hit = [](int line, const QString& what, OwnHost host) {
        return host == OwnHost::Yes
            ? Hit{line,
                u"%1 is worked out by each task, so each names its own node: set it once, before srun."_s.arg(what)}
            : Hit{line,
                u"%1 takes $HOSTNAME in each task: that is the first node only as long as nothing there sets it again, as start-up files do. Set it once, before srun."_s
                    .arg(what),
                std::nullopt, Severity::Warning};
    };
    Hits hits;
    if (facts.request.nodes == 1 && facts.request.nodesGiven)
        return hits;
    for (const Setting& setting : facts.settings) {
        const bool isPlace = setting.name == u"MASTER_ADDR" || setting.name == u"MAIN_PROCESS_IP";
        const OwnHost host = setting.inTask && isPlace ? ownHost(*setting.value) : OwnHost::No;
        if (host != OwnHost::No)
            hits.append(hit(setting.line, setting.name, host));
    }
    for (const Start& start : facts.starts) {
        if (!start.agent || !start.severalNodes())
            continue;
        for (const QString& name : {u"rdzv-endpoint"_s, u"master-addr"_s, u"main-process-ip"_s}) {
            const BatchOption* option = placeInTask(start, name);
            const OwnHost host = option ? ownHost(*option->word) : OwnHost::No;
            if (host != OwnHost::No)
                hits.append(hit(option->line, option->typedName, host));
        }
    }
    return hits;
}

} // namespace

QList<LintRule> rendezvousRules()
{
    const QString torchrun = u"torchrun documentation; measured"_s;
    const QString measured = u"measured with Slurm 22.05"_s;
    return {
        {{u"L04"_s, u"standalone-nodes"_s, Severity::Error, u"launcher"_s,
             u"--standalone or localhost with several nodes"_s, torchrun},
            standalone},
        {{u"L13"_s, u"world-size-unset"_s, Severity::Error, {},
             u"WORLD_SIZE from a task count that the job does not ask for, or from the node count"_s, measured},
            worldSize},
        {{u"L18"_s, u"fixed-port"_s, Severity::Hint, {}, u"a fixed or default port (a warning on shared nodes)"_s,
             u"LUMI AI guide; measured"_s},
            fixedPortHits},
        {{u"L19"_s, u"rendezvous-id"_s, Severity::Warning, {}, u"a constant --rdzv_id"_s, torchrun}, rendezvousId},
        {{u"L20"_s, u"address-by-ip"_s, Severity::Warning, {}, u"the address from hostname -i"_s, u"hostname(1)"_s},
            addressByIp},
        {{u"L21"_s, u"master-in-task"_s, Severity::Error, {},
             u"MASTER_ADDR, or the agents' meeting place, worked out by each task"_s,
             measured + u"; Slurm, src/common/env.c"_s},
            masterInTask},
        {{u"R243"_s, u"world-size-number"_s, Severity::Error, {},
             u"WORLD_SIZE as a number that is not the number of tasks"_s, u"PyTorch, torch.distributed"_s},
            worldSizeNumber},
    };
}

} // namespace rankwright::inline script::lint

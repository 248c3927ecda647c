// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/samestart.h"

#include "models/core/quantitytext.h"
#include "models/script/bash/launchnames.h"
#include "models/script/read/scriptstart.h"
#include "models/script/read/shellfunctions.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

using Kind = LaunchLayer::Kind;

/// A number that is the job's own: both scripts count it by themselves, so a variable of Slurm is as good as a figure.
constexpr int bySlurm = -1;

class Comparison {
public:
    Comparison(const BatchText& original, const ScriptReading& reading, const BatchText& written,
        const ClusterProfile& profile)
        : m_reading(reading), m_profile(profile), m_was(original, profile), m_now(written, profile)
    { }

    QList<NotUnderstood> run()
    {
        if (m_was.launch() == nullptr || m_was.launch()->command < 0)
            return {{m_was.batch().firstCommandLine, QString(), u"No command that starts a training was found."_s}};
        if (m_now.launch() == nullptr)
            return {{m_was.line(), QString(), u"This start is none that a design can write."_s}};
        compareSurroundings();
        compareSize();
        compareDirectives();
        compareAdditions();
        compareLayers();
        compareAgent();
        compareProgram();
        compareContainer();
        compareEnvironment();
        return m_found;
    }

private:
    void differ(int line, const QString& text, const QString& why)
    {
        for (const NotUnderstood& part : std::as_const(m_found)) {
            if (part.line == line && part.why == why)
                return;
        }
        m_found.append({line, text.simplified().left(200), why});
    }

    QString lineText(int line) const { return m_was.batch().lines.value(line - 1); }

    /// The launch is one plain command, the last of the script, and the only one that starts anything.
    void compareSurroundings()
    {
        const ShellCommand& command = m_was.command();
        const int line = command.line;
        if (!command.isPlain() || command.isCondition || command.negated)
            differ(line, lineText(line), u"The launch is part of a loop, a condition or a function."_s);
        if (command.isBackground())
            differ(line, lineText(line), u"The launch runs in the background, and the script waits for it."_s);
        else if (command.separator == u"|" || command.separator == u"|&" || command.separator == u"&&"
            || command.separator == u"||" || !command.before.isEmpty() || !command.redirections.isEmpty())
            differ(line, lineText(line), u"The launch shares its line with a pipe, a file or another command."_s);
        if (!m_reading.after.isEmpty())
            differ(command.lastLine, m_reading.after.first(), u"More commands follow the launch."_s);
        for (const Launch& other : m_was.batch().launches) {
            if (other.command != m_was.launch()->command)
                differ(other.line, lineText(other.line), u"Another command of the script starts something, too."_s);
        }
        for (const ShellCommand& each : m_was.batch().shell.commands) {
            for (const ShellWord& word : each.words) {
                if (std::any_of(word.expansions.cbegin(), word.expansions.cend(),
                        [](const Expansion& expansion) {
                            return expansion.name == u"@" || expansion.name == u"*" || expansion.name == u"1";
                        })
                    && !each.inInnerShell)
                    differ(word.line, word.text, u"The script takes words from the command line of sbatch."_s);
            }
        }
        compareSetup();
    }

    void compareSetup()
    {
        const QStringList& setup = m_reading.spec.environment.setup;
        if (setup.isEmpty())
            return;
        for (const ShellFunction& unit : shellFunctions(m_was.batch())) {
            if (unit.first >= m_was.line())
                continue;
            const ShellCommand& first = m_was.batch().shell.commands.at(unit.commands.value(0));
            const bool strict = first.name() == u"set" && first.words.size() > 1
                && (first.words.at(1).value == u"-o" || first.words.at(1).value.startsWith(u"-e")
                    || first.words.at(1).value.startsWith(u"-u"));
            if (strict)
                differ(unit.first, lineText(unit.first), u"The set-up lines stop at an error, too."_s);
            if (!setup.contains(lineText(unit.first)))
                continue;
            const bool hasDocument = std::any_of(unit.commands.cbegin(), unit.commands.cend(), [&](int index) {
                const auto& redirections = m_was.batch().shell.commands.at(index).redirections;
                return std::any_of(redirections.cbegin(), redirections.cend(),
                    [](const ShellRedirection& one) { return one.hereDocument >= 0; });
            });
            if (unit.isBlock || hasDocument)
                differ(
                    unit.first, lineText(unit.first), u"A block of the shell decides something before the launch."_s);
            for (const int index : unit.commands) {
                static const QSet<QString> ends{u"exit"_s, u"trap"_s, u"exec"_s, u"return"_s, u"scancel"_s};
                const ShellCommand& command = m_was.batch().shell.commands.at(index);
                if (command.isBackground() || ends.contains(command.name()))
                    differ(
                        unit.first, lineText(unit.first), u"This concerns the whole script, not the launch alone."_s);
            }
        }
    }

    void compareSize()
    {
        const ScriptStart::Size was = m_was.size(), now = m_now.size();
        const LaunchLayer* steps = m_was.layer(Kind::Srun);
        const int line = steps != nullptr ? steps->line : m_was.line();
        const bool alone = steps == nullptr && m_was.layer(Kind::Mpirun) == nullptr;
        if (m_was.layer(Kind::Mpirun) != nullptr)
            differ(line, lineText(line), u"mpirun starts the ranks; a design writes srun."_s);
        if (!was.nodes || !was.tasks)
            differ(line, lineText(line), u"The number of tasks is known only when the job runs."_s);
        else if (was.nodes != now.nodes)
            differ(line, lineText(line), u"The design has another number of nodes."_s);
        else if (was.tasks != now.tasks)
            differ(line, lineText(line),
                u"%1 %2 here; a design of this launcher starts %3."_s.arg(counted(*was.tasks, u"task"_s),
                    nounFor(*was.tasks, u"starts"_s, u"start"_s), QString::number(now.tasks.value_or(0))));
        else if (alone && *was.nodes > 1)
            differ(line, lineText(line), u"One process on the first node drives the others."_s);
        const auto [count, type] = m_was.gpus();
        const auto [nowCount, nowType] = m_now.gpus();
        if (!type.isEmpty() && type != nowType)
            differ(line, type, u"The type of GPU has no field for this cluster."_s);
        const auto perTask = [](const ScriptStart& start) {
            return start.batch().option(u"gpus-per-task"_s) != nullptr
                || (start.layer(Kind::Srun) != nullptr
                    && start.layer(Kind::Srun)->option(u"gpus-per-task"_s) != nullptr);
        };
        if (perTask(m_was) && !perTask(m_now) && was.tasks.value_or(0) > was.nodes.value_or(0))
            differ(line, u"--gpus-per-task"_s, u"Each task sees its own GPUs alone; a design shows all to all."_s);
        if (count < 0 && nowCount > 0)
            differ(line, lineText(line), u"The script asks for no GPU, a design does."_s);
        if (count > 0 && nowCount > 0 && *was.nodes == 1 && count != nowCount && *was.tasks == 1)
            differ(line, lineText(line), u"The design has another number of GPUs."_s);
    }

    /// What else Slurm is asked for: the same, or more exactly.
    void compareDirectives()
    {
        static const QSet<QString> compared{u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s, u"gres"_s,
            u"gpus-per-node"_s, u"gpus-per-task"_s, u"gpus"_s, u"cpus-per-gpu"_s, u"cpus-per-task"_s, u"mem-per-cpu"_s,
            u"mem-per-gpu"_s, u"image"_s, u"volume"_s, u"module"_s, u"mail-type"_s, u"chdir"_s, u"output"_s};
        for (const BatchOption& option : m_was.batch().options) {
            if (compared.contains(option.name) || m_was.batch().option(option.name)->line != option.line)
                continue;
            const BatchOption* now = m_now.batch().option(option.name);
            if (now == nullptr || !isSameRequest(option.name, option.value, now->value))
                differ(option.line, option.written, u"A design would ask Slurm for something else."_s);
        }
    }

    /// Where a QoS or a constraint chooses the partition, a script need not name it: naming it asks for the same.
    bool isPartitionMeant(const QString& name) const
    {
        const auto said = [this](const QString& option) {
            const BatchOption* found = m_was.batch().option(option);
            return found != nullptr ? found->value : QString();
        };
        const Partition* meant
            = m_profile.partitionAsked({{}, said(u"qos"_s), said(u"constraint"_s), said(u"account"_s), {}});
        return meant != nullptr && meant->slurmName() == name
            && (!meant->constraint.isEmpty() || !meant->qos.isEmpty());
    }

    /// A limit of time, memory or cores that the script leaves to the queue is no smaller request.
    void compareAdditions()
    {
        static const QSet<QString> harmless{u"job-name"_s, u"output"_s, u"error"_s, u"open-mode"_s, u"nodes"_s,
            u"ntasks"_s, u"ntasks-per-node"_s, u"gres"_s, u"gpus-per-node"_s, u"gpus-per-task"_s, u"gpus"_s, u"chdir"_s,
            u"image"_s, u"volume"_s, u"module"_s};
        const auto asksBy = [this](const QString& beginning) {
            return std::any_of(m_was.batch().options.cbegin(), m_was.batch().options.cend(),
                [&](const BatchOption& option) { return option.name.startsWith(beginning); });
        };
        for (const BatchOption& option : m_now.batch().options) {
            const bool said = m_was.batch().option(option.name) != nullptr
                || (option.name == u"cpus-per-task" && asksBy(u"cpus-per-"_s))
                || (option.name == u"mem" && asksBy(u"mem-per-"_s))
                || (option.name == u"partition" && isPartitionMeant(option.value));
            if (!said && !harmless.contains(option.name))
                differ(m_was.batch().options.isEmpty() ? 1 : m_was.batch().options.first().line, option.written,
                    u"A design would ask Slurm for this, too."_s);
        }
    }

    /// Kinds of layers that a design writes for everybody; and nothing that a task does beside them.
    void compareLayers()
    {
        const Launch& launch = *m_was.launch();
        for (const LaunchLayer& layer : launch.layers) {
            const bool own = layer.kind == Kind::Wrapper && layer.name != u"exec";
            if (own && !isTaskset(layer))
                differ(layer.line, layer.name, u"A command of its own stands between srun and the program."_s);
            if (layer.kind == Kind::Shell && layer.words.isEmpty())
                differ(layer.line, layer.name, u"A script of its own is what the tasks run."_s);
            if (layer.kind == Kind::Environment && !layer.options.isEmpty())
                differ(layer.line, layer.name, u"The tasks' environment is changed beyond single variables."_s);
        }
        for (const QString& work : launch.sideWork)
            differ(launch.line, work, u"Done by each task before the program."_s);
        for (const QString& name : launch.unresolved)
            differ(launch.line, u'$' + name, u"What this holds is known only when the job runs."_s);
        const LaunchLayer* was = m_was.layer(Kind::Srun);
        const LaunchLayer* now = m_now.layer(Kind::Srun);
        for (qsizetype i = 0; was != nullptr && i < was->options.size(); ++i)
            compareStepOption(was->options.at(i), now);
    }

    static bool isTaskset(const LaunchLayer& layer) { return layer.name == u"taskset" || layer.name == u"numactl"; }

    void compareStepOption(const BatchOption& option, const LaunchLayer* now)
    {
        static const QSet<QString> compared{u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s, u"gpus"_s,
            u"gpus-per-node"_s, u"gres"_s, u"cpus-per-task"_s, u"jobid"_s, u"cpu-bind"_s, u"container-image"_s,
            u"container-mounts"_s, u"container-workdir"_s, u"environment"_s, u"kill-on-bad-exit"_s, u"distribution"_s};
        if (compared.contains(option.name) || (option.name == u"export" && option.value == u"ALL"))
            return;
        const BatchOption* same = now != nullptr ? now->option(option.name) : nullptr;
        if (same == nullptr || same->value != option.value)
            differ(option.line, option.written, u"There is no field for this option of srun."_s);
    }

    /// What a number of an agent's option is; bySlurm: what Slurm says of the job. Nothing: known only by the shell.
    std::optional<int> agentNumber(const ScriptStart& start, const BatchOption* option, int otherwise) const
    {
        if (option == nullptr)
            return otherwise;
        static const QRegularExpression slurm(
            u"^\\$\\{?SLURM_(NNODES|JOB_NUM_NODES|GPUS_ON_NODE|GPUS_PER_NODE)\\}?$"_s);
        if (slurm.match(option->value).hasMatch() || option->value == u"gpu")
            return bySlurm;
        bool fine = false;
        const int count = start.value(*option).value_or(QString()).toInt(&fine);
        return fine ? std::optional(count) : std::nullopt;
    }

    void compareAgent()
    {
        const LaunchLayer* was = m_was.layer(Kind::Agent);
        const LaunchLayer* now = m_now.layer(Kind::Agent);
        if ((was != nullptr) != (now != nullptr))
            return differ(m_was.line(), lineText(m_was.line()), u"Something else starts the ranks."_s);
        if (was == nullptr)
            return;
        // torch/distributed/launch.py: the program is given --local-rank unless --use_env is
        if (was->name.contains(u"distributed.launch") && was->option(u"use-env"_s) == nullptr)
            differ(was->line, was->name,
                u"This launcher hands the program a --local-rank of its own; a design's does not."_s);
        // said anew by the design, for the same ranks
        static const QSet<QString> own{u"nnodes"_s, u"nproc-per-node"_s, u"node-rank"_s, u"rdzv-backend"_s,
            u"rdzv-endpoint"_s, u"rdzv-id"_s, u"standalone"_s, u"master-addr"_s, u"master-port"_s, u"num-machines"_s,
            u"num-processes"_s, u"machine-rank"_s, u"main-process-ip"_s, u"main-process-port"_s, u"m"_s, u"module"_s,
            u"num-gpus"_s, u"num-nodes"_s, u"use-env"_s, u"same-network"_s};
        for (const BatchOption& option : was->options) {
            const BatchOption* same = now->option(option.name);
            const bool equal = same != nullptr && m_was.value(option) == m_now.value(*same);
            const bool noRestart = option.name == u"max-restarts" && option.value == u"0";
            if (!own.contains(option.name) && !equal && !noRestart)
                differ(option.line, option.written, u"There is no field for this option of the launcher."_s);
        }
        const BatchOption* file = was->option(u"config-file"_s);
        if (file != nullptr && was->option(u"num-processes"_s) == nullptr && now->option(u"num-processes"_s) != nullptr)
            differ(file->line, file->written,
                u"This file says how many processes start; a design would say it beside it."_s);
        const int nodes = m_was.size().nodes.value_or(0);
        compareCount(was, now, u"nnodes"_s, nodes);
        compareCount(was, now, u"num-machines"_s, nodes);
        const int gpus = m_now.gpus().first;
        compareCount(was, now, u"nproc-per-node"_s, gpus);
        compareCount(was, now, u"num-processes"_s, gpus * nodes);
        compareCount(was, now, u"num-gpus"_s, gpus);
        if (nodes > 1)
            compareMeeting(*was);
    }

    void compareCount(const LaunchLayer* was, const LaunchLayer* now, const QString& name, int ofJob)
    {
        const BatchOption* option = was->option(name);
        const BatchOption* written = now->option(name);
        const bool torch = was->name.contains(u"torch");
        if (option == nullptr && !(torch && name == u"nproc-per-node"))
            return;
        const auto before = agentNumber(m_was, option, 1);
        const auto after = agentNumber(m_now, written, ofJob);
        const auto figure
            = [ofJob](std::optional<int> count) { return count == bySlurm ? std::optional(ofJob) : count; };
        if (!before || figure(before) != figure(after))
            differ(option != nullptr ? option->line : was->line, option != nullptr ? option->written : name,
                u"The launcher counts its workers in another way than a design."_s);
    }

    /// Several agents that do not meet are several trainings: nothing that a design would write.
    void compareMeeting(const LaunchLayer& agent)
    {
        const BatchOption* place = nullptr;
        for (const QString& name : {u"rdzv-endpoint"_s, u"master-addr"_s, u"main-process-ip"_s}) {
            if (place == nullptr)
                place = agent.option(name);
        }
        const QString where = place != nullptr ? m_was.value(*place).value_or(place->value) : QString();
        if (where.isEmpty() || where.startsWith(u"localhost") || where.startsWith(u"127.")
            || agent.option(u"standalone"_s) != nullptr)
            differ(agent.line, where, u"The agents of the nodes have no common meeting point."_s);
        if (const BatchOption* rank = agent.option(u"machine-rank"_s); rank != nullptr && !rank->value.contains(u'$'))
            differ(rank->line, rank->written, u"All nodes call themselves by this number."_s);
    }

    void compareProgram()
    {
        if (!m_reading.program.isEmpty())
            differ(m_was.line(), m_reading.program, u"The shell puts the program's words together."_s);
        if (const LaunchLayer* program = m_was.layer(Kind::Program)) {
            for (const ShellWord& word : program->words) {
                if (isShellsWork(word))
                    differ(word.line, word.text, u"The shell puts the program's words together."_s);
            }
        }
        const QStringList was = m_was.program(), now = m_now.program();
        if (was != now.mid(0, was.size()) || was.isEmpty())
            differ(m_was.line(), was.join(u' '), u"A design would write the program's words in another way."_s);
        else if (now.size() > was.size())
            differ(m_was.line(), now.mid(was.size()).join(u' '), u"A design would add words to the program's."_s);
        compareInterpreter();
        const bool interpreter = m_was.layer(Kind::Python) != nullptr;
        const bool agent = m_was.layer(Kind::Agent) != nullptr;
        if (!agent && interpreter != (m_now.layer(Kind::Python) != nullptr))
            differ(m_was.line(), was.join(u' '), u"Started with another interpreter."_s);
    }

    /// The path of the Python or agent that is named by one; its options, but -u, which a design has as a variable.
    void compareInterpreter()
    {
        const auto pathOf = [](const ScriptStart& start, Kind kind) {
            const LaunchLayer* layer = start.layer(kind);
            const ShellWord word = layer != nullptr ? layer->words.value(0) : ShellWord();
            return start.value(word).value_or(word.value);
        };
        for (const Kind kind : {Kind::Python, Kind::Agent}) {
            if (const QString was = pathOf(m_was, kind); was != pathOf(m_now, kind))
                differ(m_was.line(), was, u"Started with another interpreter."_s);
        }
        const LaunchLayer* was = m_was.layer(Kind::Python);
        const LaunchLayer* now = m_now.layer(Kind::Python);
        for (const BatchOption& option : was != nullptr ? was->options : QList<BatchOption>()) {
            const bool kept = now != nullptr && now->option(option.name) != nullptr;
            if (option.name != u"u" && !kept)
                differ(option.line, option.written, u"There is no field for this option of the interpreter."_s);
        }
    }

    /// Words that the shell splits, drops or matches with file names: a design's are taken as they are.
    bool isShellsWork(const ShellWord& word) const
    {
        static const QRegularExpression pattern(u"[*?\\[]|\\{.*[,.].*\\}|^~"_s);
        static const QRegularExpression blank(u"\\s"_s);
        if (word.isStatic())
            return !word.quoted && word.value.contains(pattern);
        const auto value = m_was.value(word);
        const bool open = std::any_of(word.expansions.cbegin(), word.expansions.cend(),
            [](const Expansion& expansion) { return !expansion.inQuotes; });
        return !value || (open && (value->isEmpty() || value->contains(blank) || value->contains(pattern)));
    }

    static QString shifterModules(const ScriptStart& start)
    {
        const LaunchLayer* layer = start.layer(Kind::Container);
        const BatchOption* option = layer != nullptr ? layer->option(u"module"_s) : nullptr;
        if (option == nullptr)
            option = start.batch().option(u"module"_s);
        return option != nullptr ? option->value : QString();
    }

    void compareContainer()
    {
        const auto was = m_was.container(), now = m_now.container();
        const LaunchLayer* layer = m_was.layer(Kind::Container);
        const int line = layer != nullptr ? layer->line : m_was.line();
        if (was.first != now.first)
            differ(
                line, was.first.isEmpty() ? now.first : was.first, u"The design would take another container image."_s);
        if (was.second != now.second)
            differ(
                line, was.second.join(u' '), u"The folders seen in the container are known only when the job runs."_s);
        if (layer == nullptr)
            return;
        if (layer->name.startsWith(u"shifter") && shifterModules(m_was) != shifterModules(m_now))
            differ(line, shifterModules(m_was), u"A design would take other modules of shifter."_s);
        static const QSet<QString> usual{
            u"module"_s, u"B"_s, u"bind"_s, u"V"_s, u"volume"_s, u"image"_s, u"nv"_s, u"rocm"_s};
        const LaunchLayer* written = m_now.layer(Kind::Container);
        // Apptainer answers to both names, SingularityCE to its own alone
        if (layer->name.startsWith(u"singularity") && written != nullptr && written->name.startsWith(u"apptainer"))
            differ(line, layer->name, u"A design would call the container's program by another name here."_s);
        for (const BatchOption& option : layer->options) {
            if (!usual.contains(option.name) && (written == nullptr || written->option(option.name) == nullptr))
                differ(option.line, option.written, u"There is no field for this option of the container."_s);
        }
    }

    void compareEnvironment()
    {
        if (m_was.modules() != m_now.modules())
            differ(m_was.batch().firstCommandLine, m_now.modules().join(u' '),
                u"The design would load other modules than this script."_s);
        if (m_was.layer(Kind::Agent) == nullptr) {
            for (const QString& name : {u"RANK"_s, u"LOCAL_RANK"_s, u"WORLD_SIZE"_s, u"MASTER_ADDR"_s}) {
                // where the ranks meet is said already: then these are the same numbers by another name
                if (!m_was.sets(name) && m_was.sets(u"MASTER_ADDR"_s))
                    continue;
                if (m_was.sets(name) != m_now.sets(name))
                    differ(m_was.line(), name,
                        m_was.sets(name) ? u"The tasks would no longer be given this."_s
                                         : u"The tasks would be given this in addition."_s);
            }
        }
        const bool fenced = m_was.layer(Kind::Srun) != nullptr
            && (m_was.layer(Kind::Srun)->option(u"gpus-per-task"_s) != nullptr
                || m_was.batch().option(u"gpus-per-task"_s) != nullptr);
        for (const QString& name : {u"ROCR_VISIBLE_DEVICES"_s, u"CUDA_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s}) {
            if (m_now.sets(name) && (fenced || m_was.sets(name)))
                differ(m_was.line(), name, u"Which GPUs a task sees would be another choice."_s);
        }
        for (const BatchVariable& variable : m_now.batch().variables) {
            if (variable.exported && variable.value.value.contains(u'/') && !m_was.batch().sets(variable.name)
                && variable.name != u"SIF" && variable.name != rankCheckVariable)
                differ(m_was.line(), variable.name + u'=' + variable.value.value,
                    u"A design would let programs look into another folder."_s);
        }
        for (const BatchVariable& variable : m_was.batch().variables) {
            if (variable.exported && !isRankName(variable.name))
                compareVariable(variable);
        }
    }

    static bool isRankName(const QString& name)
    {
        static const QSet<QString> names{u"RANK"_s, u"LOCAL_RANK"_s, u"WORLD_SIZE"_s, u"MASTER_ADDR"_s,
            u"MASTER_PORT"_s, u"LOCAL_WORLD_SIZE"_s, u"NODE_RANK"_s, u"SRUN_CPUS_PER_TASK"_s};
        return names.contains(name);
    }

    void compareVariable(const BatchVariable& variable)
    {
        const BatchVariable* last = m_was.batch().variable(variable.name);
        if (last != nullptr && last->line != variable.line)
            return; // a later one counts
        const BatchVariable* now = m_now.batch().variable(variable.name);
        const auto text = [](const ScriptStart& start, const BatchVariable& one) {
            const auto known = staticValue(start.batch(), one.value, one.line);
            return known ? *known : one.value.value;
        };
        if (now == nullptr || !now->exported || text(m_was, variable) != text(m_now, *now))
            differ(variable.line, lineText(variable.line), u"A design would set this variable in another way."_s);
    }

    const ScriptReading& m_reading;
    const ClusterProfile& m_profile;
    ScriptStart m_was;
    ScriptStart m_now;
    QList<NotUnderstood> m_found;
};

} // namespace

QList<NotUnderstood> startDifferences(
    const BatchText& original, const ScriptReading& reading, const BatchText& written, const ClusterProfile& profile)
{
    return Comparison(original, reading, written, profile).run();
}

bool isSameRequest(const QString& option, const QString& one, const QString& other)
{
    if (one == other)
        return true;
    if (option == u"time") {
        const auto time = parseSlurmTime(one), same = parseSlurmTime(other);
        return time && same && time->count == same->count;
    }
    if (option == u"mem" || option == u"mem-per-gpu" || option == u"mem-per-cpu") {
        const auto memory = parseSlurmMemory(one), same = parseSlurmMemory(other);
        return memory && same && memory->count == same->count;
    }
    return false;
}

} // namespace rankwright

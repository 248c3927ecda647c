// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintwords.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

/// Differ from task to task; in the batch shell they are all 0 (measured).
bool isPerTask(const QString& name)
{
    return name == u"SLURM_PROCID" || name == u"SLURM_LOCALID" || name == u"SLURM_NODEID";
}

QString perTaskNameIn(const ShellWord& word)
{
    for (const Expansion& one : word.expansions) {
        for (const QString& name : one.names) {
            if (isPerTask(name))
                return name;
        }
        if (one.kind == Expansion::Kind::Variable && isPerTask(one.name))
            return one.name;
    }
    return {};
}

bool onlyOneTask(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    return request.nodes == 1 && request.tasksPerNode == 1 && request.gpusPerNode.value_or(1) == 1;
}

/// Does a variable hold a command line, to be run later, rather than a value?
bool holdsCommand(const Setting& setting)
{
    return !setting.inTask && !setting.inFunction && setting.value->quoted
        && setting.value->value.trimmed().contains(u' ');
}

/// The rank of a node given to agents that meet through a store, where PyTorch does not read it.
bool isUnreadNodeRank(const LintFacts& facts, const QString& text)
{
    static const QRegularExpression rank(
        u"--?(?:node|machine)[-_]rank[=\\s]+[\"']?\\\\?\\$\\{?SLURM_(?:PROCID|NODEID)\\}?"_s);
    static const QRegularExpression store(u"rdzv[-_]backend[=\\s]+[\"']?(?!static)\\w"_s);
    static const QRegularExpression perTask(u"(?<!\\\\)\\$\\{?SLURM_(?:PROCID|LOCALID|NODEID)\\b"_s);
    const bool meets = facts.someMeetByStore || text.contains(store);
    return meets && text.contains(rank) && !QString(text).remove(rank).contains(perTask);
}

QString textOf(const ShellCommand& command)
{
    QStringList words;
    for (const ShellWord& word : command.words)
        words.append(word.text);
    return words.join(u' ');
}

/// A file name with the same variable in another command, which therefore means the same file.
bool isNamedElsewhere(const LintFacts& facts, int command, const ShellWord& word)
{
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    for (int i = 0; i < commands.size() && !word.value.contains(u' '); ++i) {
        const auto same = [&](const ShellWord& other) { return other.value == word.value; };
        const auto into = [&](const ShellRedirection& one) { return same(one.target); };
        const ShellCommand& other = commands.at(i);
        const bool writes = std::any_of(other.redirections.cbegin(), other.redirections.cend(), into);
        const bool names = std::any_of(other.words.cbegin(), other.words.cend(), same);
        if (i != command && other.name() != u"srun" && (writes || names))
            return true;
    }
    return false;
}

const QString unreadRank
    = u"The node rank is expanded by the batch shell, where it is 0. That has no effect: with this rendezvous the agents number themselves. Leave it out."_s;

/// A command kept in a variable between double quotes: its $ are gone before the task sees it.
Hits earlyInCommand(const LintFacts& facts)
{
    Hits hits;
    for (const Setting& setting : facts.settings) {
        const QString name = holdsCommand(setting) ? perTaskNameIn(*setting.value) : QString();
        if (name.isEmpty())
            continue;
        const int line = setting.value->line;
        if (isUnreadNodeRank(facts, setting.value->text)) {
            hits.append({line, unreadRank, std::nullopt, Severity::Hint, setting.value->lastLine});
            continue;
        }
        hits.append({line,
            u"$%1 is replaced when %2 is set, in the batch shell, where it is 0: every task gets 0. Write \\$%1."_s.arg(
                name, setting.name),
            replaceInLine(facts, line, u'$' + name, u"\\$"_s + name, u"Write \\$%1"_s.arg(name)), std::nullopt,
            setting.value->lastLine});
    }
    return hits;
}

/// Where a text is expanded by the batch shell although each task has its own value.
Hits earlyVariable(const LintFacts& facts)
{
    Hits hits;
    QSet<int> seen;
    for (const Start& start : facts.starts) {
        if (!start.srun || seen.contains(start.launch->command))
            continue;
        seen.insert(start.launch->command);
        const ShellCommand& command = facts.batch.shell.commands.at(start.launch->command);
        if (command.inInnerShell || start.tasks == 1)
            continue;
        const bool unread = isUnreadNodeRank(facts, textOf(command));
        for (const ShellWord& word : command.words) {
            const QString name = perTaskNameIn(word);
            if (name.isEmpty())
                continue;
            if (unread) {
                hits.append({word.line, unreadRank, std::nullopt, Severity::Hint, word.lastLine});
                continue;
            }
            if (isNamedElsewhere(facts, start.launch->command, word)) {
                hits.append({word.line,
                    u"$%1 is 0 here as in the other place that names %2: all tasks use that one file."_s.arg(
                        name, quoted(word.value)),
                    std::nullopt, Severity::Hint, word.lastLine});
                continue;
            }
            const bool inner = word.quoted && word.value.contains(u' ');
            hits.append({word.line,
                u"$%1 is replaced by the batch shell, where it is 0, before srun starts: every task gets 0. %2"_s.arg(
                    name,
                    inner ? u"Put the text in single quotes, or write \\$%1."_s.arg(name)
                          : u"Read it in the task: srun bash -c '… $%1 …'."_s.arg(name)),
                inner ? replaceInLine(facts, word.line, u'$' + name, u"\\$"_s + name, u"Write \\$%1"_s.arg(name))
                      : std::nullopt,
                start.training ? std::nullopt : std::optional(Severity::Hint), word.lastLine});
        }
    }
    for (const HereDocument& document : facts.batch.shell.hereDocuments) {
        static const QRegularExpression live(u"(?<!\\\\)\\$\\{?(SLURM_(?:PROCID|LOCALID|NODEID))\\b"_s);
        if (document.quoted || document.target.isEmpty() || document.body.contains(u"#SBATCH"))
            continue;
        const auto match = live.match(document.body);
        if (match.hasMatch()) {
            const int line
                = document.firstLine + static_cast<int>(document.body.left(match.capturedStart()).count(u'\n'));
            hits.append({line,
                u"$%1 in an unquoted here-document is replaced when the file is written, by 0: quote the delimiter (<<'EOF'), or write \\$%1."_s
                    .arg(match.captured(1)),
                replaceInLine(
                    facts, line, match.captured(0), u'\\' + match.captured(0), u"Write \\$"_s + match.captured(1))});
        }
    }
    const bool steps
        = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& one) { return one.srun; });
    return steps && !onlyOneTask(facts) ? hits + earlyInCommand(facts) : hits;
}

/// How much it matters that a variable has one value for all tasks.
std::optional<Severity> weightOfCommonValue(const LintFacts& facts, const Setting& setting)
{
    static const QSet<QString> ofAgents{u"RANK"_s, u"LOCAL_RANK"_s, u"GROUP_RANK"_s, u"ROLE_RANK"_s};
    const bool agents = std::all_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) {
        return !start.training || !start.srun || (start.agent && start.kind != LaunchKind::Mpi);
    });
    if (ofAgents.contains(setting.name) && agents)
        return Severity::Hint; // the agent sets it for each worker
    static const QSet<QString> ofPrograms{u"RANK"_s, u"LOCAL_RANK"_s, u"NODE_RANK"_s, u"PMI_RANK"_s,
        u"CUDA_VISIBLE_DEVICES"_s, u"ROCR_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s};
    static const QRegularExpression ofNode(u"^[\"']?/(?:tmp|dev/shm|local|scratch-local|var/tmp)/"_s);
    if (setting.value->text.contains(ofNode) && perTaskNameIn(*setting.value) == u"SLURM_NODEID")
        return Severity::Hint; // each node has its own folder of that name
    if (!facts.reads(setting.name))
        return !setting.exported                ? std::optional(Severity::Hint)
            : ofPrograms.contains(setting.name) ? std::nullopt
                                                : std::optional(Severity::Warning);
    const QRegularExpression asRank(
        u"--?(?:node|machine)[-_]rank[=\\s]+[\"']?\\$\\{?%1\\b"_s.arg(QRegularExpression::escape(setting.name)));
    const bool onlyAsRank
        = facts.someMeetByStore && std::all_of(facts.uses.cbegin(), facts.uses.cend(), [&](const VariableUse& use) {
              return use.name != setting.name || use.isPrinted
                  || facts.batch.lines.value(use.line - 1).contains(asRank);
          });
    return onlyAsRank ? std::optional(Severity::Hint) : std::nullopt;
}

/// The same in a variable that the tasks read.
Hits perTaskInBatch(const LintFacts& facts)
{
    Hits hits;
    const bool tasks
        = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) { return start.srun; });
    if (!tasks || onlyOneTask(facts))
        return {};
    for (const Setting& setting : facts.settings) {
        const QString name = perTaskNameIn(*setting.value);
        if (setting.inTask || setting.inFunction || name.isEmpty() || holdsCommand(setting))
            continue;
        hits.append({setting.line,
            u"$%1 is 0 in the batch shell: %2 gets the same value for every task. Set it inside the task, after srun "
            u"(bash -c '…'), or write \\$%1 when the text is run there."_s.arg(name, setting.name),
            std::nullopt, weightOfCommonValue(facts, setting)});
    }
    return hits;
}

Hits literalVariable(const LintFacts& facts)
{
    static const QRegularExpression escaped(u"\\\\\\$\\{?([A-Z_][A-Z0-9_]*)"_s);
    Hits hits;
    for (const Start& start : facts.starts) {
        const ShellCommand& command = facts.batch.shell.commands.at(start.launch->command);
        for (const ShellWord& word : command.words) {
            if (command.inInnerShell || !word.text.startsWith(u'\''))
                continue;
            const auto match = escaped.match(word.text);
            if (!match.hasMatch())
                continue;
            const QString name = match.captured(1);
            const QStringView before = QStringView(word.text).left(match.capturedStart());
            if (before.count(u'"') % 2 == 1)
                continue; // within the double quotes of another shell, which takes the backslash away
            const int line = word.line + static_cast<int>(word.text.left(match.capturedStart()).count(u'\n'));
            hits.append(
                {line, u"\\$%1 in single quotes stays the text “$%1” in the task: inside '…' write $%1."_s.arg(name),
                    replaceInLine(facts, line, match.captured(0), match.captured(0).mid(1), u"Write $"_s + name),
                    isPerTask(name) ? std::optional(Severity::Error) : std::nullopt});
        }
    }
    return hits;
}

/// Every use of a variable in commands, with its line.
template <typename Visit>
void eachUse(const LintFacts& facts, Visit visit)
{
    const auto words = [&](const ShellWord& word) {
        for (const Expansion& one : word.expansions) {
            if (one.kind == Expansion::Kind::Variable)
                visit(one, one.name, one.line > 0 ? one.line : word.line);
            for (const QString& name : one.names) {
                if (name != one.name)
                    visit(one, name, one.line > 0 ? one.line : word.line);
            }
        }
    };
    for (const ShellCommand& command : facts.batch.shell.commands) {
        for (const ShellWord& word : command.words)
            words(word);
        for (const ShellAssignment& assignment : command.assignments) {
            words(assignment.value);
            for (const ShellWord& element : assignment.elements)
                words(element);
        }
    }
}

/// A variable that holds what one option of sbatch asks for, and is not set without it.
struct OptionVariable {
    QString name;
    QString option;
};

Hits gpusVariable(const LintFacts& facts, const OptionVariable& variable)
{
    const LintRequest& request = facts.request;
    const bool asked = facts.option(variable.option) != nullptr;
    const bool typed = asked && !request.gpuType.isEmpty();
    const bool ofStep = std::any_of(facts.starts.cbegin(), facts.starts.cend(),
        [&](const Start& start) { return start.srunOption(variable.option) != nullptr; });
    if (request.gpuOptions.isEmpty() || (asked && !typed) || ofStep || facts.sets(variable.name))
        return {};
    // the variable of a total has no namesake that counts all nodes
    const bool isTotal = variable.option == u"gpus";
    const bool perNode = !isTotal || request.nodes == 1;
    const QString instead = perNode ? u"SLURM_GPUS_ON_NODE"_s : u"$((SLURM_NNODES * SLURM_GPUS_ON_NODE))"_s;
    // an unset variable ends such a script also where it is only printed
    static const QRegularExpression nounset(
        u"^\\s*set\\s+(?:\\S+\\s+)*(?:-[a-z]*u[a-z]*|-[a-z]*o\\s+nounset)(?!\\S)"_s);
    const bool stopsAtUnset = !typed && facts.mentions(nounset);
    Hits hits;
    QSet<int> seen;
    for (const VariableUse& use : facts.uses) {
        if (!use.expansion || use.name != variable.name || (use.isPrinted && !stopsAtUnset) || seen.contains(use.line))
            continue;
        const QString& operation = use.expansion->operation;
        const bool repaired = typed && operation.contains(u':') && operation.contains(u'#');
        const bool fallback = !typed && operation.contains(u'-');
        if (repaired || fallback)
            continue;
        seen.insert(use.line);
        const bool alone = facts.batch.lines.value(use.line - 1).count(u"SLURM_GPUS") == 1;
        hits.append({use.line,
            (typed ? u"%1 holds the type, too (%2), which is not a number. "_s.arg(
                 variable.name, facts.optionValue(variable.option))
                   : u"Slurm sets %1 only for --%2, not for %3: it is empty. "_s.arg(
                       variable.name, variable.option, request.gpuOptions.first()->written))
                + u"Use %1."_s.arg(instead),
            perNode && alone ? replaceInLine(facts, use.line, variable.name, instead, u"Use "_s + instead)
                             : std::nullopt});
    }
    return hits;
}

/// sbatch(1), OUTPUT ENVIRONMENT VARIABLES: “only set if the option is specified”.
Hits gpusVariables(const LintFacts& facts)
{
    return gpusVariable(facts, {u"SLURM_GPUS_PER_NODE"_s, u"gpus-per-node"_s})
        + gpusVariable(facts, {u"SLURM_GPUS"_s, u"gpus"_s});
}

Hits unknownSlurmVariable(const LintFacts& facts)
{
    static const QRegularExpression form(u"^SLURM_[A-Z_]+$"_s);
    static const QRegularExpression grouped(u"_(?:HET|PACK)_GROUP"_s);
    static const QSet<QString> known(slurmVariables().cbegin(), slurmVariables().cend());
    Hits hits;
    QSet<QString> seen;
    eachUse(facts, [&](const Expansion& one, const QString& name, int line) {
        const bool guarded
            = one.operation.startsWith(u':') || one.operation.startsWith(u'-') || one.operation.startsWith(u'+');
        const bool fallback = one.operation.startsWith(u":-") || one.operation.startsWith(u'-');
        if (!name.contains(form) || known.contains(name) || name.contains(grouped) || facts.sets(name)
            || (guarded && (!fallback || one.name != name)) || seen.contains(name))
            return;
        seen.insert(name);
        static const QHash<QString, QString> meant{{u"SLURM_NUM_NODES"_s, u"SLURM_NNODES"_s},
            {u"SLURM_NODES"_s, u"SLURM_NNODES"_s}, {u"SLURM_NUM_TASKS"_s, u"SLURM_NTASKS"_s},
            {u"SLURM_CPUS"_s, u"SLURM_CPUS_PER_TASK"_s}, {u"SLURM_CPUS_PER_NODE"_s, u"SLURM_CPUS_ON_NODE"_s},
            {u"SLURM_TASK_ARRAY_ID"_s, u"SLURM_ARRAY_TASK_ID"_s}, {u"SLURM_CPU_PER_TASK"_s, u"SLURM_CPUS_PER_TASK"_s},
            {u"SLURM_RANK"_s, u"SLURM_PROCID"_s}, {u"SLURM_LOCAL_ID"_s, u"SLURM_LOCALID"_s},
            {u"SLURM_PROC_ID"_s, u"SLURM_PROCID"_s}, {u"SLURM_NODE_ID"_s, u"SLURM_NODEID"_s},
            {u"SLURM_GPU_PER_NODE"_s, u"SLURM_GPUS_ON_NODE"_s}, {u"SLURM_NODE_LIST"_s, u"SLURM_JOB_NODELIST"_s},
            {u"SLURM_ID"_s, u"SLURM_JOB_ID"_s}};
        const QString nearest = meant.value(name, nearestWord(name, slurmVariables()));
        const QString value = fallback
            ? u"it is always %1"_s.arg(quoted(one.operation.mid(one.operation.indexOf(u'-') + 1)))
            : u"it is empty"_s;
        if (fallback && nearest.isEmpty())
            return; // a name of their own that they may set when they submit
        hits.append({line,
            nearest.isEmpty() ? u"Slurm sets no variable %1: %2."_s.arg(name, value)
                              : u"Slurm sets no variable %1: %2. Did you mean %3?"_s.arg(name, value, nearest),
            nearest.isEmpty() ? std::nullopt : replaceInLine(facts, line, name, nearest, u"Use "_s + nearest),
            nearest.isEmpty() ? std::optional(Severity::Hint) : std::nullopt}); // a site may set names of its own
    });
    return hits;
}

/// Names that programs read from their environment, for certain: a leftover of the script may look like one.
bool isForPrograms(const LintFacts& facts, const QString& name)
{
    static const QRegularExpression families(
        u"^(?:(?:TORCH_)?NCCL_|GLOO_|UCX_|FI_(?:CXI|EFA|MR|PROVIDER)|MIOPEN_|OMP_|HSA_|TORCHELASTIC_|CUDA_(?:VISIBLE_DEVICES|DEVICE_MAX_CONNECTIONS|DEVICE_ORDER|LAUNCH_BLOCKING)$|(?:ROCR|HIP)_VISIBLE_DEVICES$)"_s);
    static const QSet<QString> ofRanks{u"MASTER_ADDR"_s, u"MASTER_PORT"_s, u"WORLD_SIZE"_s, u"RANK"_s, u"LOCAL_RANK"_s};
    // what a job's environment has before exports each new value
    static const QSet<QString> inherited{u"CUDA_VISIBLE_DEVICES"_s, u"ROCR_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s,
        u"PYTHONPATH"_s, u"LD_LIBRARY_PATH"_s, u"CUDA_HOME"_s, u"ROCM_PATH"_s, u"XDG_CACHE_HOME"_s};
    if (inherited.contains(name))
        return false;
    if (ofRanks.contains(name)) { // an agent sets them itself
        return std::any_of(facts.starts.cbegin(), facts.starts.cend(),
            [](const Start& start) { return start.training && start.srun && start.kind == LaunchKind::Python; });
    }
    return name.contains(families) || readNames().contains(name);
}

Hits notExported(const LintFacts& facts)
{
    const bool tasks
        = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& one) { return one.training; });
    if (!tasks)
        return {};
    static const QRegularExpression lookalike(
        u"^(?:(?:CUDA|ROCR|HIP)_VISIBLE_DEVICES|PYTHONPATH)$|^(?:WANDB|HF|TRANSFORMERS|TOKENIZERS|TORCH|PYTORCH|TRITON|RCCL)_"_s);
    Hits hits;
    QSet<QString> seen;
    for (const BatchVariable& variable : facts.batch.variables) {
        const bool known = isForPrograms(facts, variable.name);
        if (variable.exported || (!known && !variable.name.contains(lookalike))
            || facts.usesByName.contains(variable.name) || seen.contains(variable.name))
            continue;
        const QList<const Setting*> all = facts.settingsOf(variable.name);
        if (std::any_of(all.cbegin(), all.cend(), [](const Setting* one) { return one->exported || one->inFunction; }))
            continue;
        seen.insert(variable.name);
        hits.append({variable.line, u"%1 is not exported: the program does not see it."_s.arg(variable.name),
            replaceInLine(
                facts, variable.line, variable.name + u'=', u"export %1="_s.arg(variable.name), u"Export it"_s),
            known ? std::nullopt : std::optional(Severity::Hint)});
    }
    return hits;
}

Hits emptyInTask(const LintFacts& facts)
{
    Hits hits;
    QSet<QString> seen;
    const auto& commands = facts.batch.shell.commands;
    QSet<int> roots;
    for (const Start& start : facts.starts) {
        if (start.srun)
            roots.insert(start.launch->command);
    }
    QSet<QString> setInTask;
    for (const Setting& setting : facts.settings) {
        if (setting.inTask)
            setInTask.insert(setting.name);
    }
    for (const ShellCommand& command : commands) {
        if (!command.inInnerShell || !command.parent || !roots.contains(*command.parent))
            continue;
        for (const ShellWord& word : command.words) {
            for (const Expansion& one : word.expansions) {
                const BatchVariable* variable = one.early || one.kind != Expansion::Kind::Variable
                    ? nullptr
                    : facts.batch.variable(one.name, command.line + 1);
                const QList<const Setting*> all = variable ? facts.settingsOf(one.name) : QList<const Setting*>();
                const bool exported
                    = std::any_of(all.cbegin(), all.cend(), [](const Setting* s) { return s->exported; });
                if (!variable || variable->exported || exported || setInTask.contains(one.name)
                    || seen.contains(one.name))
                    continue;
                seen.insert(one.name);
                hits.append({one.line > 0 ? one.line : command.line,
                    u"$%1 is read by the task's own shell, but the batch shell does not export it: it is empty there. Export it in line %2."_s
                        .arg(one.name)
                        .arg(variable->line),
                    replaceInLine(
                        facts, variable->line, one.name + u'=', u"export %1="_s.arg(one.name), u"Export it"_s)});
            }
        }
    }
    return hits;
}

Hits misspelt(const LintFacts& facts)
{
    static const QRegularExpression digit(u"\\d"_s);
    QStringList names;
    QSet<QString> known;
    const auto add = [&](const QString& name) {
        if (name.size() >= 6 && !known.contains(name) && !name.contains(digit) && names.size() < 500)
            names.append(name);
        known.insert(name);
    };
    for (const Setting& setting : facts.settings)
        add(setting.name);
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() == u"for" || command.name() == u"read" || command.name() == u"select") {
            for (const ShellWord& word : command.words)
                known.insert(word.value);
        }
    }
    Hits hits;
    QSet<QString> seen;
    eachUse(facts, [&](const Expansion& one, const QString& name, int line) {
        if (known.contains(name) || seen.contains(name) || name.size() < 6 || !one.operation.isEmpty()
            || seen.size() > 200 || name.startsWith(u"SLURM") || name.contains(digit))
            return;
        seen.insert(name);
        for (const QString& near : std::as_const(names)) {
            if (wordDistance(name, near, 1) == 1 && near + u'S' != name && name + u'S' != near) {
                hits.append({line, u"$%1 is never set in this script; did you mean $%2?"_s.arg(name, near),
                    replaceInLine(facts, line, name, near, u"Use "_s + near)});
                break;
            }
        }
    });
    return hits;
}

} // namespace

QList<LintRule> variableRules()
{
    const QString measured = u"measured with Slurm 22.05"_s;
    const QString bash = u"bash(1); "_s + measured;
    return {
        {{u"L01"_s, u"gpus-variable"_s, Severity::Error, {},
             u"SLURM_GPUS_PER_NODE or SLURM_GPUS where it is unset or holds a type"_s,
             u"sbatch(1), output environment variables; "_s + measured},
            gpusVariables},
        {{u"L05"_s, u"early-rank-variable"_s, Severity::Error, {},
             u"a task's variable expanded by the batch shell, on the srun line or in a file it writes"_s, bash},
            earlyVariable},
        {{u"L06"_s, u"literal-variable"_s, Severity::Warning, {}, u"\\$ inside single quotes (an error for a rank)"_s,
             bash},
            literalVariable},
        {{u"L07"_s, u"task-value-in-batch"_s, Severity::Error, {},
             u"a value of one task given to all by the batch shell"_s, measured},
            perTaskInBatch},
        {{u"R250"_s, u"not-exported"_s, Severity::Warning, {}, u"a variable for programs set without export"_s, bash},
            notExported},
        {{u"R251"_s, u"empty-in-task"_s, Severity::Error, {}, u"a task's shell reads a variable that is not exported"_s,
             bash},
            emptyInTask},
        {{u"R252"_s, u"slurm-variable"_s, Severity::Warning, {}, u"a SLURM_ variable that Slurm does not set"_s,
             u"sbatch(1), srun(1)"_s},
            unknownSlurmVariable},
        {{u"R253"_s, u"variable-misspelt"_s, Severity::Warning, {},
             u"a variable that is never set, one letter from one that is"_s, u"bash(1)"_s},
            misspelt},
    };
}

} // namespace rankwright::inline script::lint

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/completion.h"

#include "models/script/batch/optionhelp.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Variables that Slurm sets in a job (sbatch(1), OUTPUT ENVIRONMENT VARIABLES; srun(1)) and that scripts use.
QList<NamedValue> slurmVariables()
{
    return {{u"SLURM_JOB_ID"_s, tr("Number of the job")}, {u"SLURM_JOB_NAME"_s, tr("Name of the job")},
        {u"SLURM_JOB_NODELIST"_s, tr("Nodes of the job, shortened: expand with scontrol show hostnames")},
        {u"SLURM_JOB_NUM_NODES"_s, tr("Nodes of the job")}, {u"SLURM_NNODES"_s, tr("Nodes of the job or step")},
        {u"SLURM_NTASKS"_s, tr("Tasks of the job or step; unset without --ntasks or --ntasks-per-node")},
        {u"SLURM_NTASKS_PER_NODE"_s, tr("Tasks on each node, when asked for")},
        {u"SLURM_CPUS_PER_TASK"_s, tr("Cores of each task, when asked for")},
        {u"SLURM_GPUS_ON_NODE"_s, tr("GPUs of the job on this node")},
        {u"SLURM_GPUS_PER_NODE"_s, tr("GPUs on each node, when asked for")},
        {u"SLURM_PROCID"_s, tr("Rank of this task in the step: set by srun")},
        {u"SLURM_LOCALID"_s, tr("Rank of this task on its node: set by srun")},
        {u"SLURM_NODEID"_s, tr("Number of this node in the job: set by srun")},
        {u"SLURMD_NODENAME"_s, tr("Name of this node")}, {u"SLURM_SUBMIT_DIR"_s, tr("Folder of the submission")},
        {u"SLURM_SUBMIT_HOST"_s, tr("Host of the submission")},
        {u"SLURM_JOB_ACCOUNT"_s, tr("Project that pays for the job")},
        {u"SLURM_JOB_PARTITION"_s, tr("Queue of the job")},
        {u"SLURM_ARRAY_TASK_ID"_s, tr("Index of this task of an array")},
        {u"SLURM_ARRAY_JOB_ID"_s, tr("Number of the array's first job")},
        {u"SLURM_RESTART_COUNT"_s, tr("How often the job was started again")},
        {u"SLURM_MEM_PER_NODE"_s, tr("Memory on each node in MiB, when asked for")},
        {u"SLURM_TMPDIR"_s, tr("Folder on the node's own disk, where the site sets it")},
        {u"LOCAL_RANK"_s, tr("Rank on the node: set by torchrun")}, {u"RANK"_s, tr("Rank: set by torchrun")},
        {u"WORLD_SIZE"_s, tr("All ranks: set by torchrun")}};
}

bool isContinued(const QString& line)
{
    qsizetype slashes = 0;
    while (slashes < line.size() && line.at(line.size() - 1 - slashes) == u'\\')
        ++slashes;
    return slashes % 2 == 1;
}

bool isDirective(const QString& line) { return line.startsWith(u"#SBATCH "_s) || line.startsWith(u"#SBATCH\t"_s); }

/// The command up to the place, lines that continue one another joined.
QString commandBefore(const QStringList& lines, int line, int column)
{
    QString text = lines.at(line).left(column);
    for (int i = line - 1; i >= 0 && isContinued(lines.at(i)); --i)
        text.prepend(lines.at(i).chopped(1) + u' ');
    return text;
}

/// Items whose text begins as typed, then those that do but for capitals, then those that hold it elsewhere.
QList<CompletionItem> fitting(const QList<CompletionItem>& all, const QString& typed)
{
    QList<CompletionItem> first;
    QList<CompletionItem> second;
    QList<CompletionItem> third;
    for (const CompletionItem& item : all) {
        if (item.text.startsWith(typed))
            first.append(item);
        else if (item.text.startsWith(typed, Qt::CaseInsensitive))
            second.append(item);
        else if (typed.size() > 1 && item.text.contains(typed, Qt::CaseInsensitive))
            third.append(item);
    }
    first += second + third;
    // Nothing to offer when it is there already.
    if (first.size() == 1 && first.first().text == typed)
        first.clear();
    return first;
}

QList<CompletionItem> itemsOf(const QList<NamedValue>& values)
{
    QList<CompletionItem> items;
    for (const NamedValue& value : values)
        items.append({value.name, value.note});
    return items;
}

/// Options that most scripts of this field hold come first; those that only make sense on a command line last.
int rankOf(const QString& option)
{
    static const QStringList usual{u"account"_s, u"partition"_s, u"nodes"_s, u"ntasks-per-node"_s, u"cpus-per-task"_s,
        u"gpus-per-node"_s, u"gres"_s, u"mem"_s, u"time"_s, u"job-name"_s, u"output"_s, u"error"_s, u"constraint"_s,
        u"reservation"_s, u"qos"_s, u"array"_s, u"exclusive"_s, u"signal"_s, u"requeue"_s, u"cpu-bind"_s,
        u"kill-on-bad-exit"_s, u"nproc_per_node"_s, u"nnodes"_s, u"rdzv_backend"_s, u"rdzv_endpoint"_s, u"rdzv_id"_s};
    static const QStringList unusual{u"help"_s, u"usage"_s, u"version"_s, u"parsable"_s, u"test-only"_s, u"wrap"_s,
        u"quiet"_s, u"verbose"_s, u"ignore-pbs"_s, u"uid"_s, u"gid"_s, u"no-allocate"_s, u"priority"_s, u"power"_s};
    return usual.contains(option) ? 0 : unusual.contains(option) ? 2 : 1;
}

QList<CompletionItem> optionItems(const QString& program)
{
    QList<CompletionItem> items;
    QList<OptionHelp> options = optionsOf(program);
    std::stable_sort(options.begin(), options.end(),
        [](const OptionHelp& a, const OptionHelp& b) { return rankOf(a.name) < rankOf(b.name); });
    for (const OptionHelp& option : std::as_const(options)) {
        const bool goesOn = option.value != OptionHelp::Value::None && !option.optionalValue;
        items.append({u"--"_s + option.name + (goesOn ? u"="_s : QString()), option.help, goesOn});
    }
    return items;
}

QList<CompletionItem> valueItems(const OptionHelp& option, const CompletionFacts& facts)
{
    using V = OptionHelp::Value;
    switch (option.value) {
    case V::Partition: return itemsOf(facts.partitions);
    case V::Account: return itemsOf(facts.accounts);
    case V::Gres: return itemsOf(option.name == u"gres" ? facts.gres : facts.gpuCounts);
    case V::Constraint: return itemsOf(facts.constraints);
    case V::Reservation: return itemsOf(facts.reservations);
    case V::Qos: return itemsOf(facts.qos);
    case V::Time:
        return {{u"00:15:00"_s, tr("a quarter of an hour")}, {u"01:00:00"_s, tr("one hour")},
            {u"12:00:00"_s, tr("half a day")}, {u"1-00:00:00"_s, tr("one day")}, {u"2-00:00:00"_s, tr("two days")}};
    default: break;
    }
    QList<CompletionItem> items;
    for (const QString& choice : option.choices)
        items.append({choice, {}, choice.endsWith(u':') || choice.endsWith(u'=')});
    return items;
}

/// The value after "=" or after a blank: where it starts, and the option that it belongs to.
struct ValuePlace {
    const OptionHelp* option = nullptr;
    int from = 0;
};

ValuePlace valuePlace(const QString& program, const QString& before)
{
    static const QRegularExpression joined(uR"((?:^|\s)(--[\w-]+)=["']?((?:[^\s,"']*,)*)([^\s,"']*)$)"_s);
    static const QRegularExpression apart(uR"((?:^|\s)(--[\w-]+|-\w)\s+([^\s"'-][^\s"']*)?$)"_s);
    auto match = joined.match(before);
    if (match.hasMatch()) {
        const OptionHelp* option = helpOf(program, match.captured(1));
        // Lists (--mail-type, --partition) go on after a comma.
        return {option, int(match.capturedStart(3))};
    }
    match = apart.match(before);
    if (match.hasMatch()) {
        const OptionHelp* option = helpOf(program, match.captured(1));
        if (option && option->value != OptionHelp::Value::None && !option->optionalValue)
            return {option, int(match.capturedStart(2) < 0 ? before.size() : match.capturedStart(2))};
    }
    return {};
}

/// Where the word under the cursor ends, so that it is replaced whole.
int wordEnd(const QString& line, int column)
{
    int end = column;
    while (end < line.size() && !line.at(end).isSpace() && !u"\"',\\)"_s.contains(line.at(end)))
        ++end;
    return end;
}

Completion variablesAt(const QString& line, const QString& before)
{
    static const QRegularExpression variable(uR"(\$\{?([A-Za-z_]\w*)?$)"_s);
    const auto match = variable.match(before);
    if (!match.hasMatch())
        return {};
    const int from = match.capturedStart(1) < 0 ? int(before.size()) : int(match.capturedStart(1));
    int to = int(before.size());
    while (to < line.size() && (line.at(to).isLetterOrNumber() || line.at(to) == u'_'))
        ++to;
    return {from, to, fitting(itemsOf(slurmVariables()), before.mid(from))};
}

Completion modulesAt(const QString& line, const QString& before, const CompletionFacts& facts)
{
    static const QRegularExpression load(
        uR"(^\s*(?:module\s+(?:load|add|swap|switch|try-load)|ml)\s+(?:\S+\s+)*(\S*)$)"_s);
    const auto match = load.match(before);
    if (!match.hasMatch())
        return {};
    const int from = int(match.capturedStart(1));
    return {from, wordEnd(line, int(before.size())), fitting(itemsOf(facts.modules), match.captured(1))};
}

} // namespace

QString programAt(const QStringList& lines, int line, int column)
{
    if (line < 0 || line >= lines.size())
        return {};
    if (isDirective(lines.at(line)))
        return u"sbatch"_s;
    static const QRegularExpression program(
        uR"((?:^|[\s;&|(/])(srun|sbatch|salloc|torchrun|torch\.distributed\.run|torch\.distributed\.launch|accelerate\s+launch|deepspeed)(?=\s|$))"_s);
    QString command = commandBefore(lines, line, column);
    const qsizetype start = command.lastIndexOf(QRegularExpression(u"[;|&]\\s"_s));
    if (start >= 0)
        command.remove(0, start + 1);
    QString found;
    for (auto matches = program.globalMatch(command); matches.hasNext();)
        found = matches.next().captured(1);
    if (found.startsWith(u"torch."_s))
        return u"torchrun"_s;
    if (found == u"salloc")
        return u"sbatch"_s;
    return found.simplified();
}

Completion completionAt(
    const QStringList& lines, int line, int column, const CompletionFacts& facts, CompletionCause cause)
{
    if (line < 0 || line >= lines.size())
        return {};
    const QString& text = lines.at(line);
    const QString before = text.left(column);
    const bool directive = isDirective(text);
    if (!directive && before.trimmed().startsWith(u'#')) {
        // "#S" is the beginning of a directive.
        const bool begins = before.size() > 1 && u"#SBATCH "_s.startsWith(before) && line > 0;
        return begins ? Completion{0, int(before.size()), {{u"#SBATCH "_s, tr("An option of the job"), true}}}
                      : Completion{};
    }
    if (!directive) {
        if (const Completion variables = variablesAt(text, before); !variables.isEmpty())
            return variables;
        if (const Completion modules = modulesAt(text, before, facts); !modules.isEmpty())
            return modules;
    }
    const QString program = programAt(lines, line, column);
    if (program.isEmpty())
        return {};
    if (const ValuePlace place = valuePlace(program, before); place.option) {
        const QString typed = before.mid(place.from);
        return {place.from, wordEnd(text, column), fitting(valueItems(*place.option, facts), typed)};
    }
    static const QRegularExpression option(uR"((?:^|\s)(-[\w-]*)$)"_s);
    const auto match = option.match(before);
    if (match.hasMatch()) {
        const int from = int(match.capturedStart(1));
        int to = column;
        while (to < text.size() && (text.at(to).isLetterOrNumber() || text.at(to) == u'-' || text.at(to) == u'_'))
            ++to;
        QList<CompletionItem> items = fitting(optionItems(program), match.captured(1));
        const bool hasValue = to < text.size() && text.at(to) == u'=';
        for (CompletionItem& item : items) {
            if (hasValue && item.text.endsWith(u'='))
                item.text.chop(1), item.goesOn = false;
        }
        return {from, to, items};
    }
    if (cause == CompletionCause::Request && (before.isEmpty() || before.back().isSpace()))
        return {column, column, optionItems(program)};
    return {};
}

} // namespace rankwright

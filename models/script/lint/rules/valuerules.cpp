// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

/// A value that somebody still has to fill in, or that only a shell could work out: other rules speak of it.
bool isOpen(const QString& value) { return value.contains(u'<') || value.contains(u'$') || value.contains(u'`'); }

Hits timeForm(const LintFacts& facts)
{
    static const QSet<QString> words{u"unlimited"_s, u"infinite"_s};
    Hits hits;
    for (const QString& name : {u"time"_s, u"time-min"_s}) {
        const BatchOption* option = facts.option(name);
        if (!option || !option->hasValue || isOpen(option->value) || words.contains(option->value.toLower())
            || parseSlurmTime(option->value).hasValue())
            continue;
        hits.append({option->line,
            u"%1 is not a time for Slurm: it takes MM, MM:SS, HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS."_s.arg(
                quoted(option->value))});
    }
    return hits;
}

Hits timeMeaning(const LintFacts& facts)
{
    static const QSet<int> hours{24, 36, 48, 72, 96, 120, 144, 168};
    static const QRegularExpression minutes(u"^(\\d+)(?::00)?$"_s);
    const BatchOption* option = facts.option(u"time"_s);
    if (!option)
        return {};
    const auto match = minutes.match(option->value);
    if (!match.hasMatch() || !hours.contains(match.captured(1).toInt()))
        return {};
    const QString wanted = u"--time=%1:00:00"_s.arg(match.captured(1));
    return {{option->line,
        u"--time=%1 means %1 minutes%2, not hours."_s.arg(
            match.captured(1), option->value.contains(u':') ? u" (MM:SS)"_s : QString()),
        replaceOption(facts, *option, wanted, u"Use "_s + wanted)}};
}

Hits numberForm(const LintFacts& facts)
{
    static const QRegularExpression number(u"^\\d+$"_s);
    static const QRegularExpression nodes(u"^\\d+[kKmM]?(?:-\\d+[kKmM]?)?(?:[,:][\\d,:-]+)?$"_s);
    Hits hits;
    for (const BatchOption& option : facts.batch.options) {
        static const QSet<QString> names{u"ntasks"_s, u"ntasks-per-node"_s, u"cpus-per-task"_s, u"cpus-per-gpu"_s,
            u"ntasks-per-gpu"_s, u"threads-per-core"_s, u"ntasks-per-core"_s, u"ntasks-per-socket"_s};
        const bool isNodes = option.name == u"nodes";
        if (!option.hasValue || (!isNodes && !names.contains(option.name)) || isOpen(option.value)
            || option.value.contains(isNodes ? nodes : number))
            continue;
        hits.append({option.line, u"--%1 takes a whole number, not %2."_s.arg(option.name, quoted(option.value))});
    }
    return hits;
}

/// Whole GPUs only: "0.5" and "1/8", also after a type, are parts of one.
Hits gpuNumber(const LintFacts& facts)
{
    static const QRegularExpression part(u"^\\d*\\.\\d+$|^\\d+\\.\\d*$|^\\d+/\\d+$"_s);
    static const QSet<QString> names{
        u"gpus"_s, u"gpus-per-node"_s, u"gpus-per-task"_s, u"gpus-per-socket"_s, u"gres"_s};
    Hits hits;
    for (const BatchOption& option : facts.batch.options) {
        if (!names.contains(option.name) || isOpen(option.value))
            continue;
        for (const QString& item : option.value.split(u',')) {
            const QStringList words = item.trimmed().section(u'(', 0, 0).split(u':');
            if ((option.name == u"gres" && words.first() != u"gpu") || !words.last().contains(part))
                continue;
            hits.append({option.line,
                u"--%1 takes whole GPUs, not %2: Slurm does not hand out fractions of one. A site that cuts its GPUs "
                "into slices gives them a type of their own."_s.arg(option.name, quoted(item.trimmed()))});
            break;
        }
    }
    return hits;
}

/// What is wrong with one item of --gres, with the right form; nothing when it may be right.
std::optional<QString> betterGres(const QString& item)
{
    static const QRegularExpression number(u"^\\d+$"_s);
    static const QRegularExpression wrongName(u"^(?:gpus|GPU|GPUs|Gpu|gres:gpu)$"_s);
    static const QRegularExpression equals(u"^gpu=(\\d+)$"_s);
    if (const auto match = equals.match(item); match.hasMatch())
        return u"gpu:"_s + match.captured(1);
    if (item.contains(number))
        return u"gpu:"_s + item;
    const QStringList parts = item.split(u':');
    if (parts.first().contains(wrongName))
        return QStringList(QStringList{u"gpu"_s} + parts.mid(1)).join(u':');
    static const QRegularExpression model(u"^(?:[avhl]\\d{2,4}|mi\\d{3}|gh200|rtx\\w*|v100\\w*|a100\\w*|h100\\w*)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    if (parts.first().contains(model))
        return u"gpu:"_s + item;
    if (parts.size() == 3 && parts.at(1).contains(number) && !parts.at(2).contains(number))
        return u"%1:%2:%3"_s.arg(parts.at(0), parts.at(2), parts.at(1));
    return std::nullopt;
}

Hits gresForm(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"gres"_s);
    if (!option || isOpen(option->value))
        return {};
    QStringList items = option->value.split(u',');
    bool changed = false;
    for (QString& item : items) {
        const std::optional<QString> better = betterGres(item.trimmed());
        changed = changed || better;
        item = better.value_or(item);
    }
    if (!changed)
        return {};
    const QString written = u"--gres="_s + items.join(u',');
    return {{option->line,
        u"%1 is not a resource that Slurm knows: GPUs are written gpu:N or gpu:TYPE:N."_s.arg(quoted(option->value)),
        replaceOption(facts, *option, written, u"Use "_s + written)}};
}

Hits memoryForm(const LintFacts& facts)
{
    static const QRegularExpression form(u"^\\d+(?:[KMGTP]B?)?$"_s, QRegularExpression::CaseInsensitiveOption);
    Hits hits;
    for (const QString& name : {u"mem"_s, u"mem-per-gpu"_s, u"mem-per-cpu"_s}) {
        const BatchOption* option = facts.option(name);
        if (option && option->hasValue && !isOpen(option->value) && !option->value.contains(form))
            hits.append({option->line,
                u"%1 is not an amount of memory: --%2 takes a whole number with K, M, G or T after it."_s.arg(
                    quoted(option->value), name)});
    }
    return hits;
}

/// A bare number is MiB: what looks like GiB is far too little for a job with GPUs.
Hits memoryUnit(const LintFacts& facts)
{
    static const QRegularExpression bare(u"^\\d+$"_s);
    Hits hits;
    for (const auto& [name, most] : {std::pair{u"mem"_s, 999}, {u"mem-per-gpu"_s, 1024}, {u"mem-per-cpu"_s, 64}}) {
        const BatchOption* option = facts.option(name);
        const int number = option && option->value.contains(bare) ? option->value.toInt() : 0;
        if (number < 1 || number > most || facts.request.gpuOptions.isEmpty())
            continue;
        const QString written = u"--%1=%2G"_s.arg(name, option->value);
        hits.append({option->line,
            u"--%1=%2 means %2 MiB: Slurm counts in MiB when no unit is given."_s.arg(name, option->value),
            replaceOption(facts, *option, written, u"Use "_s + written)});
    }
    return hits;
}

QList<const BatchOption*> logOptions(const LintFacts& facts)
{
    QList<const BatchOption*> found;
    for (const QString& name : {u"output"_s, u"error"_s}) {
        const BatchOption* option = facts.option(name);
        if (option && !option->value.contains(u'$') && option->value != u"/dev/null" && option->value != u"none")
            found.append(option);
    }
    return found;
}

/// A script that makes the folder and hands itself to sbatch: the job finds the folder there.
bool makesFolderAndSubmits(const LintFacts& facts, const QString& folder)
{
    const auto plain = [](QString path) {
        while (path.startsWith(u"./"))
            path.remove(0, 2);
        while (path.endsWith(u'/'))
            path.chop(1);
        return path;
    };
    bool submits = false;
    bool makes = false;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        for (const ShellWord& word : command.words) {
            const bool itself = word.expands(u"0"_s) || word.expands(u"BASH_SOURCE"_s);
            submits = submits || (command.name() == u"sbatch" && itself);
            const QString made = plain(facts.valueOf(word).value_or(word.value));
            makes = makes || (command.name() == u"mkdir" && (made == folder || made.startsWith(folder + u'/')));
        }
    }
    return submits && makes;
}

/// The folder of a log that may be missing when the job starts; empty: none, or one that is certainly there.
QString folderOfLog(const LintFacts& facts, const BatchOption& option)
{
    QString folder = option.value.section(u'/', 0, -2);
    while (folder.startsWith(u"./"))
        folder.remove(0, 2);
    const bool shallow = option.value.startsWith(u'/') && option.value.count(u'/') <= 3 && !folder.contains(u'%');
    static const QRegularExpression ofUser(
        u"^(?:/\\w+)+/(\\w)/\\1[\\w.-]+$"_s); // /network/scratch/a/ada: theirs, and there
    const bool isThere = folder == u"." || shallow || folder.contains(ofUser) || folder == u".."
        || folder.startsWith(u"/tmp") || makesFolderAndSubmits(facts, folder);
    return isThere ? QString() : folder;
}

/// Each folder once, whichever of the two logs is in it.
Hits outputFolder(const LintFacts& facts)
{
    static const QRegularExpression ofJob(u"%\\d*[jJA]"_s);
    QStringList folders;
    Hits hits;
    for (const BatchOption* option : logOptions(facts)) {
        const QString folder = folderOfLog(facts, *option);
        if (folder.isEmpty())
            continue;
        const QString written = u"--%1=%2"_s.arg(option->name, option->value.section(u'/', -1));
        const bool movable = !option->value.startsWith(u'/') && !folder.contains(ofJob);
        std::optional<Fix> fix
            = movable ? std::optional(replaceOption(facts, *option, written, u"Use "_s + written)) : std::nullopt;
        if (const qsizetype known = folders.indexOf(folder); known >= 0) {
            Hit& other = hits[known];
            if (!fix || !other.fix || fix->edits.first().first <= other.fix->edits.last().last)
                other.fix.reset();
            else
                other.fix = Fix{u"Leave the folder out"_s, {}, other.fix->edits + fix->edits};
            continue;
        }
        folders.append(folder);
        hits.append({option->line,
            folder.contains(ofJob)
                ? u"The folder %1 is named by the job's id, so it cannot exist before: Slurm before 23.02 does not make it, and the job dies at once and leaves no log. Put the id in the file's name."_s
                      .arg(quoted(folder))
                : u"Slurm before 23.02 does not make the folder %1: if it is not there when the job starts, the job dies at once and leaves no log; a mkdir in the script comes too late."_s
                      .arg(quoted(folder)),
            fix});
    }
    return hits;
}

Hits outputName(const LintFacts& facts)
{
    const bool array = facts.option(u"array"_s) != nullptr;
    const bool appends = facts.optionValue(u"open-mode"_s) == u"append";
    static const QRegularExpression perTask(u"%\\d*[jJab]"_s);
    Hits hits;
    for (const BatchOption* option : logOptions(facts)) {
        const QString& name = option->value;
        const bool fine = array ? name.contains(perTask) : name.contains(u'%') || appends;
        if (fine)
            continue;
        QString better = name;
        const qsizetype dot = better.lastIndexOf(u'.');
        better.insert(dot > better.lastIndexOf(u'/') + 1 ? dot : better.size(),
            !array                     ? u"-%j"_s
                : name.contains(u"%A") ? u"_%a"_s
                                       : u"-%A_%a"_s);
        const QString written = u"--%1=%2"_s.arg(option->name, better);
        hits.append({option->line,
            (array ? u"All tasks of the array write to one file %1: add %A_%a."_s
                   : u"%1 is overwritten by the next job: add %j, the job id."_s)
                .arg(quoted(name)),
            replaceOption(facts, *option, written, u"Use "_s + written)});
    }
    return hits;
}

Hits outputPattern(const LintFacts& facts)
{
    static const QRegularExpression pattern(u"%(?:%|\\d*([A-Za-z]))"_s);
    static const QString known = u"AabJjNnrSstuxW"_s; // %r and %S from 25.11 on
    Hits hits;
    for (const BatchOption* option : logOptions(facts)) {
        for (const auto& match : pattern.globalMatch(option->value)) {
            const QString letter = match.captured(1);
            if (!letter.isEmpty() && !known.contains(letter))
                hits.append({option->line,
                    u"Slurm has no pattern %%1 for file names: it stays as it is. There are %j, %x, %A, %a, %N, %u."_s
                        .arg(letter)});
            else if (letter == u"a" && !facts.option(u"array"_s)
                && !facts.usesByName.contains(u"SLURM_ARRAY_TASK_ID"_s))
                hits.append({option->line,
                    u"%a is the number of an array task; in a job without --array it becomes 4294967294."_s,
                    replaceOption(facts, *option,
                        QString(option->written).replace(u"%A_%a"_s, u"%j"_s).replace(u"%a"_s, u"%j"_s), u"Use %j"_s)});
        }
    }
    return hits;
}

Hits outputNodeLocal(const LintFacts& facts)
{
    static const QRegularExpression local(u"^/(?:tmp|dev/shm|var/tmp|local)/"_s);
    Hits hits;
    for (const BatchOption* option : logOptions(facts)) {
        if (option->value.contains(local))
            hits.append({option->line,
                u"%1 lies on the node itself: the log is out of reach when the job has ended."_s.arg(
                    quoted(option->value))});
    }
    return hits;
}

Hits mailType(const LintFacts& facts)
{
    static const QSet<QString> known{u"NONE"_s, u"BEGIN"_s, u"END"_s, u"FAIL"_s, u"REQUEUE"_s, u"ALL"_s,
        u"INVALID_DEPEND"_s, u"STAGE_OUT"_s, u"TIME_LIMIT"_s, u"TIME_LIMIT_90"_s, u"TIME_LIMIT_80"_s,
        u"TIME_LIMIT_50"_s, u"ARRAY_TASKS"_s};
    Hits hits;
    for (const BatchOption& option : facts.batch.optionsNamed(u"mail-type"_s)) {
        const QStringList types = option.value.split(u',', Qt::SkipEmptyParts);
        const bool someKnown = std::any_of(
            types.cbegin(), types.cend(), [](const QString& type) { return known.contains(type.trimmed().toUpper()); });
        for (const QString& type : types) {
            if (known.contains(type.trimmed().toUpper()) || isOpen(type))
                continue;
            hits.append({option.line,
                u"--mail-type knows no %1: %2. There are BEGIN, END, FAIL, REQUEUE, TIME_LIMIT_90, ALL."_s.arg(
                    quoted(type), someKnown ? u"no mail is sent for it"_s : u"sbatch stops"_s),
                std::nullopt, someKnown ? std::optional(Severity::Warning) : std::nullopt});
        }
    }
    return hits;
}

Hits signalForm(const LintFacts& facts)
{
    static const QRegularExpression form(u"^(?:[BR]{1,2}:)?[A-Za-z]*\\d*(?:@\\d+)?$"_s);
    const BatchOption* option = facts.option(u"signal"_s);
    if (!option || isOpen(option->value) || option->value.contains(form))
        return {};
    return {{option->line,
        u"%1 is not a signal request: it reads [B:]SIGNAL[@SECONDS], for instance USR1@300."_s.arg(
            quoted(option->value))}};
}

Hits arrayForm(const LintFacts& facts)
{
    static const QRegularExpression form(
        u"^\\[?\\d+(?:-\\d+(?::\\d+)?)?(?:,\\d+(?:-\\d+(?::\\d+)?)?)*\\]?(?:%\\d+)?$"_s);
    const BatchOption* option = facts.option(u"array"_s);
    if (!option || isOpen(option->value) || option->value.contains(form))
        return {};
    return {{option->line,
        u"%1 is not a list of array tasks: write 0-9 or 1,3,5 or 0-90:10."_s.arg(quoted(option->value))}};
}

Hits lightningName(const LintFacts& facts)
{
    static const QRegularExpression lightning(u"lightning|litgpt"_s, QRegularExpression::CaseInsensitiveOption);
    const BatchOption* option = facts.option(u"job-name"_s);
    const QString name = option ? option->value : QString();
    if ((name != u"bash" && name != u"interactive") || !facts.mentions(lightning))
        return {};
    return {{option->line,
        u"Lightning takes a job named %1 for an interactive one and does not look at Slurm: each task trains alone."_s
            .arg(quoted(name)),
        replaceOption(facts, *option, u"--job-name=train"_s, u"Use --job-name=train"_s)}};
}

} // namespace

QList<LintRule> valueRules()
{
    const QString sbatch = u"sbatch(1)"_s;
    const QString measured = u"measured with Slurm 22.05"_s;
    return {
        {{u"L14"_s, u"output-folder"_s, Severity::Hint, {},
             u"a log in a folder that must exist beforehand, once for each folder"_s,
             u"Slurm, CHANGELOG/slurm-23.02.md; "_s + measured},
            outputFolder},
        {{u"L15"_s, u"output-name"_s, Severity::Warning, {}, u"a log name that the next job or array task overwrites"_s,
             sbatch},
            outputName},
        {{u"L39"_s, u"lightning-job-name"_s, Severity::Error, u"name"_s,
             u"Lightning in a job named “bash” or “interactive”"_s, u"Lightning, environments/slurm.py"_s},
            lightningName},
        {{u"R210"_s, u"time-form"_s, Severity::Error, u"time"_s, u"a wall time that Slurm cannot read"_s, sbatch},
            timeForm},
        {{u"R211"_s, u"time-meaning"_s, Severity::Warning, u"time"_s,
             u"--time=48 or 48:00: minutes where hours are usual"_s, sbatch},
            timeMeaning},
        {{u"R212"_s, u"number-form"_s, Severity::Error, {}, u"text where a whole number is needed"_s, sbatch},
            numberForm},
        {{u"R213"_s, u"gres-form"_s, Severity::Error, u"resources.gpusPerNode"_s,
             u"--gres with parts in the wrong order or a wrong name"_s, sbatch},
            gresForm},
        {{u"R271"_s, u"gpu-fraction"_s, Severity::Error, u"resources.gpusPerNode"_s,
             u"a part of a GPU: --gpus-per-node=0.5, --gres=gpu:1/8"_s, sbatch},
            gpuNumber},
        {{u"R214"_s, u"memory-form"_s, Severity::Error, u"resources.memoryPerNode"_s,
             u"an amount of memory that Slurm cannot read"_s, sbatch},
            memoryForm},
        {{u"R215"_s, u"memory-unit"_s, Severity::Warning, u"resources.memoryPerNode"_s,
             u"--mem=480: MiB where GiB were meant"_s, sbatch},
            memoryUnit},
        {{u"R216"_s, u"output-pattern"_s, Severity::Warning, {},
             u"a % pattern that Slurm does not have, or one for arrays in a job without"_s,
             u"sbatch(1), filename pattern"_s},
            outputPattern},
        {{u"R217"_s, u"output-node-local"_s, Severity::Warning, {}, u"a log below /tmp, on the node"_s, sbatch},
            outputNodeLocal},
        {{u"R218"_s, u"mail-type"_s, Severity::Error, {}, u"an event that --mail-type does not know"_s, sbatch},
            mailType},
        {{u"R219"_s, u"signal-form"_s, Severity::Error, {}, u"a --signal that Slurm cannot read"_s, sbatch},
            signalForm},
        {{u"R220"_s, u"array-form"_s, Severity::Error, {}, u"an --array list that Slurm cannot read"_s, sbatch},
            arrayForm},
    };
}

} // namespace rankwright::inline script::lint

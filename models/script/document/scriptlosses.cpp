// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/scriptlosses.h"

#include "models/planner/design/jobspec.h"
#include "models/script/bind/scriptfields.h"
#include "models/script/lint/lintrequest.h"

#include <QSet>

#include <algorithm>

namespace rankwright::inline script {

using namespace Qt::StringLiterals;

namespace {

/// A command, or a directive, with the lines that continue it.
struct LogicalLine {
    int first = 1;
    int last = 1;
    QString text; ///< blanks folded
};

QString withoutQuotes(QString text) { return text.remove(u'"').remove(u'\''); }

QList<LogicalLine> logicalLines(const QString& script)
{
    QList<LogicalLine> all;
    const QStringList lines = script.split(u'\n');
    for (int i = 0; i < lines.size(); ++i) {
        LogicalLine line{i + 1, i + 1, lines.at(i)};
        while (line.text.endsWith(u'\\') && i + 1 < lines.size()) {
            line.text.chop(1);
            line.text += u' ' + lines.at(++i);
            line.last = i + 1;
        }
        line.text = withoutQuotes(line.text).simplified();
        all.append(line);
    }
    return all;
}

bool isComment(const QString& line)
{
    return line.isEmpty() || (line.startsWith(u'#') && !line.startsWith(u"#SBATCH"_s));
}

QString shown(const std::optional<int>& number) { return number ? QString::number(*number) : u"not said"_s; }

/// What Slurm is asked for, figure by figure.
void compareRequests(const BatchText& before, const BatchText& now, QList<NotUnderstood>& losses)
{
    const lint::LintRequest asked = lint::readRequest(before);
    const lint::LintRequest asks = lint::readRequest(now);
    const auto compare = [&](const QString& what, const QString& option, const std::optional<int>& old,
                             const std::optional<int>& fresh) {
        if (!old || old == fresh)
            return;
        const BatchOption* written = before.option(option);
        losses.append({written ? written->line : 0, written ? written->written : what,
            u"%1: your script asks for %2, the design for %3."_s.arg(what, shown(old), shown(fresh))});
    };
    compare(u"Nodes"_s, u"nodes"_s, asked.nodesGiven ? asked.nodes : std::nullopt, asks.nodes);
    compare(u"Tasks per node"_s, u"ntasks-per-node"_s, asked.tasksPerNode, asks.tasksPerNode);
    compare(u"GPUs per node"_s, u"gpus-per-node"_s, asked.gpusPerNode, asks.gpusPerNode);
    compare(u"CPUs per task"_s, u"cpus-per-task"_s, asked.cpusPerTask, asks.cpusPerTask);
}

bool isCertain(const ScriptField& field)
{
    return !field.value.isEmpty()
        && (field.state == ScriptField::State::Bound || field.state == ScriptField::State::Follows);
}

/// Fields that both texts say for certain, and arguments that the program no longer gets. The numbers of nodes, GPUs,
/// tasks and cores are compared as requests.
void compareFields(const BatchText& before, const BatchText& now, QList<NotUnderstood>& losses)
{
    const ScriptFields old = bindScript(before), fresh = bindScript(now);
    for (auto it = old.fields.cbegin(); it != old.fields.cend(); ++it) {
        const bool isRequest = it.key().startsWith(u"resources."_s) && !it.key().startsWith(u"resources.memory"_s);
        if (!isCertain(*it) || it->places.isEmpty() || isRequest || it.key() == field::command)
            continue;
        const ScriptField* same = fresh.find(it.key());
        const bool isGone = same == nullptr || same->state == ScriptField::State::Absent;
        const int line = it->places.first().line;
        const QString text = before.lines.value(line - 1).simplified();
        if (isGone && it.key().startsWith(u"arguments."_s))
            losses.append(
                {line, text, u"%1: the program no longer gets this argument."_s.arg(it.key().section(u'.', 1))});
        else if (!isGone && isCertain(*same) && same->value != it->value)
            losses.append(
                {line, text, u"%1: your script says %2, the design %3."_s.arg(it.key(), it->value, same->value)});
    }
}

/// "torchrun", "python -m torch.distributed.run" and torch.distributed.launch with --use_env are one program.
QString programOf(const LaunchLayer& layer)
{
    const bool isTorchrun = layer.name == u"torch.distributed.run"
        || (layer.name == u"torch.distributed.launch" && layer.option(u"use-env"_s) != nullptr);
    return isTorchrun ? u"torchrun"_s : layer.name;
}

/// torch/distributed/launch.py, accelerate/commands/launch.py: what the old launcher and a file say beside the options.
QString saidBeside(const LaunchLayer& was, const LaunchLayer* is)
{
    if (was.name == u"torch.distributed.launch" && was.option(u"use-env"_s) == nullptr)
        return u"This launcher hands the program a --local-rank of its own; the design's does not."_s;
    const bool counts = is != nullptr && is->option(u"num-processes"_s) != nullptr;
    if (counts && was.option(u"config-file"_s) != nullptr && was.option(u"num-processes"_s) == nullptr)
        return u"The file says how many processes start; the design says it beside it."_s;
    return {};
}

/// Options that say how many ranks start, where they meet and what they see: compared as fields and requests, or said
/// again by the design for the same ranks.
bool isSaidAnew(const QString& option)
{
    static const QSet<QString> those{u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s, u"gpus"_s, u"gpus-per-node"_s,
        u"gres"_s, u"cpus-per-task"_s, u"jobid"_s, u"container-image"_s, u"image"_s, u"environment"_s, u"nnodes"_s,
        u"nproc-per-node"_s, u"node-rank"_s, u"rdzv-backend"_s, u"rdzv-endpoint"_s, u"rdzv-id"_s, u"standalone"_s,
        u"master-addr"_s, u"master-port"_s, u"num-machines"_s, u"num-processes"_s, u"machine-rank"_s,
        u"main-process-ip"_s, u"main-process-port"_s, u"m"_s, u"module"_s, u"num-gpus"_s, u"num-nodes"_s, u"u"_s,
        u"use-env"_s, u"same-network"_s};
    return those.contains(option);
}

/// Layer by layer, from srun to the interpreter: its program, its path and its options.
void compareLayers(const BatchText& before, const Launch& was, const Launch& is, QList<NotUnderstood>& losses)
{
    for (const LaunchLayer& layer : was.layers) {
        if (layer.kind == LaunchLayer::Kind::Program)
            continue;
        const LaunchLayer* same = is.layer(layer.kind);
        const auto words = [](const LaunchLayer* one) {
            QStringList all;
            for (qsizetype i = 0; one != nullptr && one->kind != LaunchLayer::Kind::Container && i < one->words.size();
                 ++i)
                all.append(one->words.at(i).text);
            if (one != nullptr && one->kind == LaunchLayer::Kind::Agent && !all.isEmpty()
                && !all.first().contains(u'/'))
                all.first() = programOf(*one);
            return all;
        };
        const bool agentStarts
            = layer.kind == LaunchLayer::Kind::Python && is.layer(LaunchLayer::Kind::Agent) != nullptr;
        if (same == nullptr ? !agentStarts : programOf(*same) != programOf(layer) || words(same) != words(&layer))
            losses.append({layer.line, before.lines.value(layer.line - 1).simplified(),
                u"%1: the design starts this in another way."_s.arg(
                    layer.words.isEmpty() ? layer.name : layer.words.first().text)});
        if (const QString why = saidBeside(layer, same); !why.isEmpty())
            losses.append({layer.line, before.lines.value(layer.line - 1).simplified(), why});
        for (const BatchOption& option : layer.options) {
            if (option.name == u"max-restarts" && option.value == u"0") // torchrun's default
                continue;
            const BatchOption* kept = same != nullptr ? same->option(option.name) : nullptr;
            const auto text = [](const BatchText& batch, const BatchOption& one) {
                return one.word ? staticValue(batch, *one.word, one.line + 1).value_or(one.value) : one.value;
            };
            if (!isSaidAnew(option.name) && (kept == nullptr || text(before, *kept) != text(before, option)))
                losses.append({option.line, option.written, u"The design's launch does not have this option."_s});
        }
    }
}

/// What the commands that start something share with the rest of the script.
void compareLaunches(const BatchText& before, const BatchText& now, QList<NotUnderstood>& losses)
{
    for (const Launch& launch : before.launches) {
        const ShellCommand& command = before.shell.commands.at(launch.command);
        const auto lose = [&](const QString& why) {
            losses.append({launch.line, before.lines.value(launch.line - 1).simplified(), why});
        };
        if (!command.isPlain() || command.isCondition || command.negated)
            lose(u"The launch is part of a loop, a condition or a function."_s);
        if (command.isBackground())
            lose(u"The launch runs in the background, and the script waits for it."_s);
        else if (joins(command.separator) || command.isJoined() || !command.redirections.isEmpty())
            lose(u"The launch shares its line with a pipe, a file or another command."_s);
        for (const QString& work : launch.sideWork)
            losses.append({launch.line, work, u"Done by each task before the program."_s});
        for (const QString& name : launch.unresolved)
            losses.append({launch.line, u'$' + name, u"What this holds is known only when the job runs."_s});
        if (!now.launches.isEmpty())
            compareLayers(before, launch, now.launches.last(), losses);
    }
    if (before.launches.size() > now.launches.size()) {
        for (const Launch& launch : before.launches.mid(now.launches.size()))
            losses.append({launch.line, before.lines.value(launch.line - 1).simplified(),
                u"Another command of the script starts something, too."_s});
    }
}

bool stopsAtErrors(const BatchText& batch)
{
    return std::any_of(batch.lines.cbegin(), batch.lines.cend(), [](const QString& line) {
        const QString text = line.trimmed();
        return text.startsWith(u"set -"_s) && text.section(u' ', 1, 1).contains(u'e');
    });
}

} // namespace

QList<NotUnderstood> scriptLosses(const BatchText& before, const ScriptReading& reading, const BatchText& now)
{
    QSet<int> covered; // lines that a field says, or of which the reader speaks
    for (const int line : reading.understood)
        covered.insert(line);
    QSet<QString> kept;
    for (const LogicalLine& line : logicalLines(now.text))
        kept.insert(line.text);
    QList<NotUnderstood> losses;
    for (const NotUnderstood& part : reading.notUnderstood) {
        covered.insert(part.line);
        if (!kept.contains(withoutQuotes(part.text).simplified()))
            losses.append(part);
    }
    for (const Launch& launch : before.launches) { // compared by themselves
        for (int line = launch.line; line <= launch.lastLine; ++line)
            covered.insert(line);
    }
    // A value that the script's new text says by another name, or in place, is not lost.
    const QString plain = withoutQuotes(now.text);
    for (const BatchVariable& variable : before.variables) {
        const auto value = staticValue(before, variable.value, variable.line);
        if (value && !value->isEmpty() && plain.contains(*value))
            covered.insert(variable.line);
    }
    for (const LogicalLine& line : logicalLines(before.text)) {
        if (isComment(line.text) || kept.contains(line.text))
            continue;
        bool isKept = false;
        for (int each = line.first; each <= line.last; ++each)
            isKept = isKept || covered.contains(each);
        if (!isKept)
            losses.append({line.first, line.text, u"Dropped: no field says it, and the design's script lacks it."_s});
    }
    compareRequests(before, now, losses);
    compareFields(before, now, losses);
    compareLaunches(before, now, losses);
    if (stopsAtErrors(now) && !stopsAtErrors(before))
        losses.append(
            {0, u"set -e"_s, u"Added: the design's script ends at the first command that fails; yours went on."_s});
    std::stable_sort(
        losses.begin(), losses.end(), [](const NotUnderstood& a, const NotUnderstood& b) { return a.line < b.line; });
    losses.erase(std::unique(losses.begin(), losses.end()), losses.end());
    return losses;
}

} // namespace rankwright::inline script

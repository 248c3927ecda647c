// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/launchchoice.h"

#include "models/script/bash/launchnames.h"
#include "models/script/batch/launchlikeness.h"
#include "models/script/batch/launchreader.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

constexpr int likenessOfTraining = 4; // an agent, or Python in a step; another step may only ask for something

/// "$TOOLS/watch.py": whatever the folder is, it is a program of that name.
bool namesProgram(const ShellWord& word)
{
    const qsizetype slash = word.value.lastIndexOf(u'/');
    return std::all_of(word.expansions.cbegin(), word.expansions.cend(),
        [slash](const Expansion& expansion) { return expansion.at + expansion.text.size() <= slash; });
}

bool startsTasks(const Launch& launch)
{
    return launch.viaSrun() || launch.layer(LaunchLayer::Kind::Mpirun) != nullptr;
}

/// Where among the words of a shell the file stands that it runs; words.size(): it reads a text or its input.
qsizetype scriptOfShell(const QList<ShellWord>& words)
{
    qsizetype at = 1;
    for (; at < words.size() && words.at(at).value.startsWith(u'-'); ++at) {
        const QString& option = words.at(at).value;
        if (!option.startsWith(u"--") && (option.contains(u'c') || option.contains(u's')))
            return words.size();
    }
    return at;
}

bool holds(const QList<Launch>& launches, int command)
{
    return std::any_of(
        launches.cbegin(), launches.cend(), [command](const Launch& launch) { return launch.command == command; });
}

/// The last program that the batch shell runs itself, or the command behind it that may start any other.
struct ShellProgram {
    std::optional<Launch> program;
    std::optional<int> unknown; ///< its index

    QString doubt(const BatchText& batch) const
    {
        return unknown
            ? u"Line %1 starts what %2 says, which is decided while the job runs: change the program there."_s
                  .arg(batch.shell.commands.at(*unknown).line)
                  .arg(unknownWord(batch))
            : QString();
    }
    QString note(const BatchText& batch) const
    {
        return unknown ? u"Line %1 starts what %2 says as well, which is decided while the job runs."_s
                             .arg(batch.shell.commands.at(*unknown).line)
                             .arg(unknownWord(batch))
                       : QString();
    }

private:
    QString unknownWord(const BatchText& batch) const
    {
        const QList<ShellWord>& words = batch.shell.commands.at(*unknown).words;
        const qsizetype at = workAt(words);
        const bool isEval = words.at(at).value == u"eval" && at + 1 < words.size();
        return words.at(isEval ? at + 1 : at).text;
    }
};

/// Of the commands behind `first`, besides `known`.
ShellProgram programOfBatchShell(const BatchText& batch, const QList<Launch>& known, int first = 0)
{
    const QList<ShellCommand>& commands = batch.shell.commands;
    QSet<QString> functions;
    for (const ShellCommand& command : commands) {
        if (!command.function.isEmpty())
            functions.insert(command.function);
    }
    for (auto i = static_cast<int>(commands.size()) - 1; i >= first; --i) {
        const ShellCommand& command = commands.at(i);
        if (command.parent || !command.function.isEmpty() || command.isCondition || prepares(command)
            || isPipe(command.before) || command.before == ShellSeparator::Or || isTool(command.words)
            || holds(known, i))
            continue;
        QList<ShellWord> words = command.words.mid(workAt(command.words));
        const QString name = words.first().value;
        if (isDeclaration(name) || functions.contains(name)
            || isPython(name)) // python -m pip; what Python trains was found before
            continue;
        if (name == u"eval" && words.size() == 2 && words.at(1).quoted) {
            const Launch read = readLaunch(batch, i);
            const LaunchLayer* program = read.layer(LaunchLayer::Kind::Program);
            if (program == nullptr || program->words.isEmpty()
                || (!program->words.first().isStatic() && program->words.size() == 1))
                return {{}, i}; // eval "${LIST[i]}"
            return {read, {}};
        }
        const bool isLayer = isStarter(name) || (isPrefix(name) && name != u"eval") || baseName(name) == u"env";
        if (isLayer || !words.first().isStatic()) { // srun singularity run a.sif, $CMD
            const Launch read = readLaunch(batch, i);
            const bool isProgram = read.layers.isEmpty() || read.layers.first().kind == LaunchLayer::Kind::Program;
            const bool isHelper = read.layer(LaunchLayer::Kind::Program) != nullptr && startsTasks(read)
                && trainingLikeness(batch, read) == 0;
            if (!isProgram && !isHelper)
                return {read, {}};
            if (isHelper || isLayer)
                continue; // docker rm, apptainer pull: starts nothing
            if (!read.layers.isEmpty())
                words = read.layers.first().words;
            ShellCommand held = command; // CLEANUP="rm -r a"; $CLEANUP
            held.words = words;
            if (!words.isEmpty() && words.first().isStatic() && (prepares(held) || isTool(words)))
                continue;
        }
        Launch launch;
        launch.command = i;
        launch.line = command.line;
        launch.lastLine = command.lastLine;
        LaunchLayer program;
        program.kind = LaunchLayer::Kind::Program;
        program.words = words;
        if (isShell(name)) {
            const qsizetype file = scriptOfShell(words);
            if (file == words.size())
                continue; // a text or a here-document
            program.words = words.mid(file); // bash -x run.sh
        } else if (!words.first().isStatic() && words.size() > 1 && words.at(1).value.endsWith(u".py"))
            program.words = words.mid(1); // "$PYTHON" train.py
        else if (!namesProgram(words.first()) || name == u"eval" || baseName(name) == u"parallel") {
            return {{}, i};
        }
        program.name = program.words.first().value;
        program.line = command.line;
        launch.layers = {program};
        return {launch, {}};
    }
    return {};
}

/// Earlier commands of the batch shell that start the same program as `last`.
QList<Launch> startsOfSame(const BatchText& batch, const Launch& last, QList<Launch> known)
{
    constexpr int most = 30; // of more no one is meant
    const LaunchLayer* program = last.layer(LaunchLayer::Kind::Program);
    const auto work = [](const LaunchLayer& layer) { // axolotl preprocess, axolotl train: another task of it
        static const QRegularExpression verb(u"^[a-z][a-z-]*$"_s);
        const QString next = layer.words.value(1).value;
        return verb.match(next).hasMatch() ? layer.name + u' ' + next : layer.name;
    };
    QList<Launch> found{last};
    known.append(last);
    for (int i = 0; program != nullptr && i < most; ++i) {
        const std::optional<Launch> before = programOfBatchShell(batch, known).program;
        if (!before)
            break;
        known.append(*before);
        const LaunchLayer* its = before->layer(LaunchLayer::Kind::Program);
        if (its != nullptr && work(*its) == work(*program))
            found.prepend(*before);
    }
    return found;
}

/// OUT=$(srun python train.py): what trains, in a command whose output the script keeps.
QList<Launch> programsWithin(const BatchText& batch)
{
    QList<Launch> found = launchesInSubstitutions(batch);
    found.removeIf([&batch](const Launch& launch) { return trainingLikeness(batch, launch) < likenessOfTraining; });
    return found;
}

/// What may fail without harm is perhaps a check behind the training.
bool allMayFail(const BatchText& batch, const QList<Launch>& launches)
{
    return std::all_of(launches.cbegin(), launches.cend(),
        [&batch](const Launch& launch) { return isAllowedToFail(batch, launch.command); });
}

/// Agents and Python in steps whose failure the script forgives: beside Python in the batch shell alone, which may only
/// look at what they wrote, either may be meant.
QList<Launch> surelyAllowedToFail(const BatchText& batch, const QList<Launch>& lesser)
{
    QList<Launch> found;
    for (const Launch& launch : lesser) {
        const bool isSure = launch.layer(LaunchLayer::Kind::Agent) != nullptr
            || (startsTasks(launch) && launch.layer(LaunchLayer::Kind::Python) != nullptr);
        if (isSure && isAllowedToFail(batch, launch.command))
            found.append(launch);
    }
    return found;
}

/// Steps with all tasks of a job that asks for several: beside Python in the batch shell, which may only look at what
/// they wrote, either may be meant.
QList<Launch> stepsOfAllTasks(const BatchText& batch, const QList<Launch>& lesser)
{
    static const QStringList names{u"ntasks"_s, u"ntasks-per-node"_s};
    const bool severalTasks = std::any_of(names.cbegin(), names.cend(), [&batch](const QString& name) {
        const BatchOption* option = batch.option(name);
        return option != nullptr && option->value.toInt() > 1;
    });
    static const QStringList smaller{u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s, u"nodelist"_s, u"relative"_s,
        u"overlap"_s, u"het-group"_s, u"exclude"_s};
    QList<Launch> found;
    for (const Launch& launch : severalTasks ? lesser : QList<Launch>()) {
        const LaunchLayer* srun = launch.layer(LaunchLayer::Kind::Srun);
        const bool isWhole = srun != nullptr && !launch.background && trainingLikeness(batch, launch) == likenessOfStep
            && std::none_of(smaller.cbegin(), smaller.cend(),
                [srun](const QString& name) { return srun->option(name) != nullptr; });
        if (isWhole)
            found.append(launch);
    }
    return found;
}

using Ways = QHash<int, QSet<int>>; ///< `if` or `case` -> those of its arms that lead to a command

/// The arms around a command, and around the calls of the function that it stands in.
Ways waysTo(const BatchText& batch, int index)
{
    const ShellCommand& command = batch.shell.commands.at(index);
    QList<qsizetype> sites{command.begin};
    for (const ShellCommand& call : batch.shell.commands) {
        if (!command.function.isEmpty() && call.kind == ShellCommand::Kind::Simple && call.name() == command.function)
            sites.append(call.begin);
    }
    Ways ways;
    for (int i = 0; i < batch.shell.arms.size(); ++i) {
        const ShellArm& arm = batch.shell.arms.at(i);
        if (std::any_of(sites.cbegin(), sites.cend(),
                [&arm](qsizetype site) { return site >= arm.begin && (!arm.end || site < *arm.end); }))
            ways[arm.block].insert(i);
    }
    return ways;
}

/// One of the two runs, never both.
bool areAlternatives(const Ways& one, const Ways& other)
{
    for (auto it = one.cbegin(); it != one.cend(); ++it) {
        const auto same = other.constFind(it.key());
        if (same != other.cend() && !same->intersects(*it))
            return true;
    }
    return false;
}

/// What may run in the place of one of the launches, though it looks less like a training.
QList<Launch> alternatives(const BatchText& batch, const QList<Launch>& launches, const QList<Launch>& lesser)
{
    constexpr qsizetype most = 30; // of more no one is meant
    QList<Launch> found;
    if (launches.size() > most || lesser.size() > most || batch.shell.arms.isEmpty())
        return found;
    for (const Launch& launch : launches) {
        const Ways ways = waysTo(batch, launch.command);
        for (const Launch& other : ways.isEmpty() ? QList<Launch>() : lesser) {
            if (areAlternatives(ways, waysTo(batch, other.command)))
                found.append(other);
        }
    }
    return found;
}

void inOrder(QList<Launch>& launches)
{
    std::sort(launches.begin(), launches.end(),
        [](const Launch& one, const Launch& other) { return one.command < other.command; });
    launches.erase(std::unique(launches.begin(), launches.end(),
                       [](const Launch& one, const Launch& other) { return one.command == other.command; }),
        launches.end());
}

/// Commands that run only to be asked how they end, or that another command feeds.
QList<Launch> inPassing(const BatchText& batch)
{
    QList<Launch> found;
    for (const Launch& launch : batch.launches) {
        const ShellCommand& command = batch.shell.commands.at(launch.command);
        const int least = command.isCondition ? likenessOfStep + 1 : likenessOfStep;
        if ((isPipe(command.before) || command.isCondition) && trainingLikeness(batch, launch) >= least)
            found.append(launch);
    }
    return found;
}

/// "$CLEANUP" behind a training: a command of nothing but a variable that the script does not set is not what its
/// arguments belong to.
bool isOneVariable(const BatchText& batch, const ShellProgram& own)
{
    if (!own.unknown)
        return false;
    const QList<ShellWord>& words = batch.shell.commands.at(*own.unknown).words;
    return words.size() == 1 && words.first().expansions.size() == 1
        && words.first().expansions.first().kind == Expansion::Kind::Variable
        && words.first().expansions.first().text.size() == words.first().value.size();
}

/// Steps of a tool: srun make, srun xargs. Where nothing else is started, they are the job.
QList<Launch> stepsOfTools(const BatchText& batch)
{
    static const QSet<QString> names{u"make"_s, u"xargs"_s};
    QList<Launch> found;
    for (const Launch& launch : batch.launches) {
        const LaunchLayer* program = launch.layer(LaunchLayer::Kind::Program);
        if (startsTasks(launch) && program != nullptr && !program->words.isEmpty()
            && names.contains(baseName(program->words.first().value)))
            found.append(launch);
    }
    return found;
}

/// What the batch shell itself starts, where no other launch is surely the training.
void chooseInShell(const BatchText& batch, LaunchChoice& choice, int best)
{
    QList<Launch>& launches = choice.launches;
    ShellProgram own;
    if (launches.isEmpty() || best == likenessOfService) {
        const QList<Launch> passing = launches.isEmpty() ? inPassing(batch) : QList<Launch>();
        own = programOfBatchShell(batch, launches + passing);
        if (own.program)
            launches = passing + startsOfSame(batch, *own.program, launches + passing);
        else
            launches += passing;
    } else if (allMayFail(batch, launches)) {
        own = programOfBatchShell(batch, launches);
        if (own.program)
            launches.append(*own.program);
    } else {
        own = programOfBatchShell(batch, launches, launches.last().command + 1);
    }
    if (best >= likenessOfTraining && !launches.isEmpty() && isOneVariable(batch, own))
        choice.note = own.note(batch);
    else
        choice.doubt = own.doubt(batch);
    if (!choice.doubt.isEmpty())
        launches.clear();
    inOrder(launches);
}

/// srun --multi-prog FILE, srun ./one : ./other: a step of several programs.
bool startsSeveral(const Launch& launch)
{
    const LaunchLayer* srun = launch.layer(LaunchLayer::Kind::Srun);
    const LaunchLayer* program = launch.layer(LaunchLayer::Kind::Program);
    if (srun != nullptr && srun->option(u"multi-prog"_s) != nullptr)
        return true;
    return startsTasks(launch) && program != nullptr
        && std::any_of(program->words.cbegin(), program->words.cend(),
            [](const ShellWord& word) { return word.value == u":" && !word.quoted; });
}

} // namespace

LaunchChoice chooseLaunch(const BatchText& batch)
{
    LaunchChoice choice;
    QList<Launch> lesser;
    int best = 0;
    for (const Launch& launch : batch.launches) {
        const ShellCommand& command = batch.shell.commands.at(launch.command);
        const int likeness = isPipe(command.before) || command.before == ShellSeparator::Or || command.isCondition
            ? 0
            : trainingLikeness(batch, launch);
        if (likeness == 0)
            continue;
        if (likeness > best) {
            lesser += choice.launches;
            choice.launches.clear();
            best = likeness;
        }
        (likeness < best ? lesser : choice.launches).append(launch);
    }
    choice.launches += alternatives(batch, choice.launches, lesser);
    if (best == likenessOfStep + 1)
        choice.launches += surelyAllowedToFail(batch, lesser) + stepsOfAllTasks(batch, lesser);
    if (choice.launches.isEmpty())
        choice.launches = programsWithin(batch);
    inOrder(choice.launches);
    chooseInShell(batch, choice, best);
    if (choice.launches.isEmpty() && choice.doubt.isEmpty())
        choice.launches = stepsOfTools(batch);
    const auto several = std::find_if(choice.launches.cbegin(), choice.launches.cend(), startsSeveral);
    if (several != choice.launches.cend()) {
        choice.doubt = u"Line %1 starts several programs in one step: change the one that is meant in the text."_s.arg(
            several->line);
    } else if (choice.launches.size() > 1) {
        QStringList lines;
        bool decided = false;
        for (const Launch& launch : std::as_const(choice.launches)) {
            lines.append(QString::number(launch.line));
            decided = decided || !waysTo(batch, launch.command).isEmpty();
        }
        choice.doubt = decided
            ? u"Several commands start a program (lines %1): which of them runs is decided while the job runs."_s
            : u"Several commands start a program (lines %1): change the one that is meant in the text."_s;
        choice.doubt = choice.doubt.arg(lines.join(u", "));
    }
    return choice;
}

} // namespace rankwright::inline script

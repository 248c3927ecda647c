// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/launchchoice.h"

#include "models/script/bash/launchnames.h"
#include "models/script/batch/launchreader.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Reads what another command wrote, or works on files and jobs.
bool isTool(const QString& name)
{
    static const QSet<QString> names{u"tee"_s, u"sbatch"_s, u"scancel"_s, u"scontrol"_s, u"squeue"_s, u"sacct"_s,
        u"git"_s, u"pip"_s, u"pip3"_s, u"awk"_s, u"sed"_s, u"grep"_s, u"sort"_s, u"tar"_s, u"rsync"_s, u"touch"_s,
        u"ln"_s, u"mv"_s, u"ls"_s, u"find"_s, u"head"_s, u"tail"_s, u"wc"_s, u"which"_s, u"env"_s, u"printenv"_s,
        u"clear"_s, u"pushd"_s, u"popd"_s, u"shopt"_s, u"read"_s, u"return"_s, u"shift"_s, u"let"_s, u"hash"_s,
        u"nvcc"_s, u"uname"_s, u"lscpu"_s, u"free"_s, u"df"_s, u"du"_s, u"unzip"_s, u"wget"_s, u"curl"_s, u"gunzip"_s,
        u"continue"_s, u"break"_s, u"type"_s, u"alias"_s, u"sync"_s, u"xargs"_s, u"dirname"_s, u"basename"_s,
        u"realpath"_s, u"readlink"_s, u"export"_s, u"false"_s, u"seff"_s, u"sstat"_s, u"spack"_s, u"conda"_s,
        u"mamba"_s, u"mkfifo"_s, u"disown"_s, u"jobs"_s, u"gcc"_s, u"make"_s, u"cmake"_s, u"id"_s, u"whoami"_s,
        u"groups"_s, u"lfs"_s, u"ps"_s, u"top"_s, u"pkill"_s, u"killall"_s, u"logger"_s, u"mail"_s, u"jq"_s, u"cut"_s,
        u"tr"_s, u"md5sum"_s, u"sha256sum"_s, u"diff"_s, u"cmp"_s, u"stat"_s, u"getopts"_s, u"set"_s, u"enable"_s};
    return names.contains(baseName(name));
}

/// "$TOOLS/watch.py": whatever the folder is, it is a program of that name.
bool namesProgram(const ShellWord& word)
{
    const qsizetype slash = word.value.lastIndexOf(u'/');
    return std::all_of(word.expansions.cbegin(), word.expansions.cend(),
        [slash](const Expansion& expansion) { return expansion.at + expansion.text.size() <= slash; });
}

std::optional<Launch> programOfBatchShell(const BatchText& batch)
{
    const QList<ShellCommand>& commands = batch.shell.commands;
    QSet<QString> functions;
    for (const ShellCommand& command : commands) {
        if (!command.function.isEmpty())
            functions.insert(command.function);
    }
    for (auto i = static_cast<int>(commands.size()) - 1; i >= 0; --i) {
        const ShellCommand& command = commands.at(i);
        if (command.parent || !command.function.isEmpty() || command.isCondition || prepares(command)
            || isPipe(command.before) || command.before == ShellSeparator::Or || isTool(command.name())
            || isDeclaration(command.name()) || functions.contains(command.name())
            || isPython(command.name())) // python -m pip; what Python trains was found before
            continue;
        if (isStarter(command.name())) { // srun singularity run a.sif
            const Launch read = readLaunch(batch, i);
            if (!read.layers.isEmpty() && read.layers.first().kind != LaunchLayer::Kind::Program)
                return read;
        }
        Launch launch;
        launch.command = i;
        launch.line = command.line;
        launch.lastLine = command.lastLine;
        LaunchLayer program;
        program.kind = LaunchLayer::Kind::Program;
        program.words = command.words;
        if (isShell(command.name()) && command.words.size() > 1 && !command.words.at(1).value.startsWith(u'-'))
            program.words = command.words.mid(1);
        else if (isShell(command.name()))
            continue; // a text or a here-document
        else if (!command.words.first().isStatic() && command.words.size() > 1
            && command.words.at(1).value.endsWith(u".py"))
            program.words = command.words.mid(1); // "$PYTHON" train.py
        else if (!namesProgram(command.words.first()))
            continue; // may be any command
        program.name = program.words.first().value;
        program.line = command.line;
        launch.layers = {program};
        return launch;
    }
    return std::nullopt;
}

/// OUT=$(srun python train.py): what trains, in a command whose output the script keeps.
QList<Launch> programsWithin(const BatchText& batch)
{
    constexpr int surely = 4; // an agent, or Python in a step; another step may only ask for something
    QList<Launch> found = launchesInSubstitutions(batch);
    found.removeIf([](const Launch& launch) { return trainingLikeness(launch) < surely; });
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
            : trainingLikeness(launch);
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
    std::sort(choice.launches.begin(), choice.launches.end(),
        [](const Launch& one, const Launch& other) { return one.command < other.command; });
    choice.launches.erase(std::unique(choice.launches.begin(), choice.launches.end(),
                              [](const Launch& one, const Launch& other) { return one.command == other.command; }),
        choice.launches.end());
    if (choice.launches.isEmpty())
        choice.launches = programsWithin(batch);
    if (choice.launches.isEmpty()) {
        if (const auto program = programOfBatchShell(batch))
            choice.launches = {*program};
    }
    if (choice.launches.size() > 1) {
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

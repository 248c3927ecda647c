// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/innerwork.h"

#include "models/script/bash/launchnames.h"
#include "models/script/batch/innershell.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

bool isProgramFile(const ShellWord& word) { return word.value.endsWith(u".py"); }

/// What Python is asked to do by the words behind its name.
InnerWork workOfPython(const QList<ShellWord>& words)
{
    static const QSet<QString> agents{u"torch.distributed.run"_s, u"torch.distributed.launch"_s, u"torchrun_jsc"_s,
        u"accelerate.commands.launch"_s, u"accelerate.commands.accelerate_cli"_s, u"deepspeed.launcher.runner"_s};
    qsizetype at = 0;
    while (at < words.size() && words.at(at).value.startsWith(u'-') && words.at(at).value != u"-m"
        && words.at(at).value != u"-c")
        at += words.at(at).value == u"-W" || words.at(at).value == u"-X" ? 2 : 1;
    const QList<ShellWord> rest = words.mid(at);
    if (rest.size() > 1 && rest.first().value == u"-m" && agents.contains(rest.at(1).value))
        return InnerWork::Agent;
    return isPythonProgram(rest) ? InnerWork::Python : InnerWork::Step;
}

/// The last of the most likely ones.
qsizetype lastOf(const QList<InnerChoice>& choices, InnerWork work)
{
    for (qsizetype i = choices.size() - 1; i >= 0; --i) {
        if (choices.at(i).work == work)
            return i;
    }
    return choices.size() - 1;
}

} // namespace

InnerWork innerWork(const QList<ShellWord>& words)
{
    static const QSet<QString> agents{
        u"torchrun"_s, u"torchrun_jsc"_s, u"deepspeed"_s, u"horovodrun"_s, u"accelerate"_s};
    const QList<ShellWord> own = words.mid(workAt(words));
    if (own.isEmpty() || isTool(own))
        return InnerWork::Tool;
    for (qsizetype i = 0; i < own.size(); ++i) {
        const QString name = baseName(own.at(i).value);
        const bool isValue = i > 0 && own.at(i - 1).value.startsWith(u"--") && own.at(i - 1).value.size() > 2
            && !own.at(i - 1).value.contains(u'=');
        if (isValue || !own.at(i).isStatic())
            continue;
        if (agents.contains(name))
            return InnerWork::Agent;
        if (isPython(name))
            return workOfPython(own.mid(i + 1));
    }
    const bool namesFile = std::any_of(own.cbegin(), own.cend(), isProgramFile);
    if (!own.first().isStatic() && own.first().value.startsWith(u'$'))
        return own.size() > 1 && isProgramFile(own.at(1)) ? InnerWork::Python
            : namesFile                                   ? InnerWork::Agent
                                                          : InnerWork::Unknown;
    const bool runsText = isShell(own.first().value) && own.size() > 2 && own.at(1).value.endsWith(u'c');
    const bool runsFile = isProgramFile(own.first()) || (isPrefix(own.first().value) && namesFile);
    return runsText || runsFile ? InnerWork::Python : InnerWork::Step;
}

bool endsCommand(const QString& text)
{
    const QString end = text.trimmed();
    return end.endsWith(u'&') || end.endsWith(u';') || end.endsWith(u'|');
}

int earlyLineOf(const ShellWord& text) { return text.use && text.use->begin != text.begin ? text.line : text.line + 1; }

QStringList workBeside(const QList<ShellCommand>& commands, qsizetype main)
{
    QStringList found;
    for (qsizetype i = 0; i < commands.size(); ++i) {
        if (const QString work = sideWork(commands.at(i));
            i != main && !work.isEmpty() && !commands.at(i).inSubstitution)
            found.append(work);
    }
    return found;
}

std::optional<qsizetype> chooseInner(
    const QList<ShellCommand>& commands, QList<InnerChoice> choices, int line, QString& doubt)
{
    const auto works = [](const InnerChoice& choice) { return choice.work != InnerWork::Tool; };
    if (std::any_of(choices.cbegin(), choices.cend(), works))
        choices.removeIf([works](const InnerChoice& choice) { return !works(choice); });
    const auto isPassing = [&commands](const InnerChoice& choice) { // fed by another, or only asked how it ends
        const ShellCommand& command = commands.at(choice.command);
        return isPipe(command.before) || command.isCondition;
    };
    if (!std::all_of(choices.cbegin(), choices.cend(), isPassing))
        choices.removeIf(isPassing);
    if (choices.isEmpty())
        return {};
    const InnerWork best = std::max_element(choices.cbegin(), choices.cend(), [](const auto& one, const auto& other) {
        return one.work < other.work;
    })->work;
    const auto count = [&choices](InnerWork work) {
        return std::count_if(
            choices.cbegin(), choices.cend(), [work](const InnerChoice& choice) { return choice.work == work; });
    };
    const qsizetype main = best < InnerWork::Python ? choices.size() - 1 : lastOf(choices, best);
    const bool isUnsure = std::any_of(choices.cbegin(), choices.cend(), [&](const InnerChoice& choice) {
        const bool entersFirst // "$WITH_CONDA; python train.py"
            = choice.command < choices.at(main).command && commands.at(choice.command).words.size() == 1;
        return choice.work == InnerWork::Unknown && !entersFirst;
    });
    const auto isAlternative = [&](qsizetype other) {
        if (other < 0 || other >= choices.size() || other == main)
            return false;
        const ShellCommand& first = commands.at(choices.at(qMin(main, other)).command);
        const ShellCommand& second = commands.at(choices.at(qMax(main, other)).command);
        return (first.conditionDepth > 0 && second.conditionDepth > 0) || second.before == ShellSeparator::Or;
    };
    if (isAlternative(main - 1) || isAlternative(main + 1))
        doubt
            = u"The text of a shell in line %1 starts one of several programs, which is decided while the job runs: change the one that is meant in the text."_s
                  .arg(line);
    else if (best >= InnerWork::Python && (count(best) > 1 || (best == InnerWork::Python && isUnsure)))
        doubt = u"The text of a shell in line %1 starts several programs: change the one that is meant in the text."_s
                    .arg(line);
    return choices.at(main).command;
}

} // namespace rankwright::inline script

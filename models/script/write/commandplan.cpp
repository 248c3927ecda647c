// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/commandplan.h"

#include "models/script/bash/launchnames.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/write/launchlayout.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

QStringList wordsOr(const QString& text, const QStringList& fallback)
{
    const Result<QStringList> words = splitShellWords(text);
    return words && !words->isEmpty() ? *words : fallback;
}

/// Arguments of the agent for a Python program: it starts the interpreter itself and always unbuffered, so other
/// interpreter options need the interpreter by name.
QStringList agentWords(QStringList words, const QStringList& python)
{
    while (words.size() > 1 && words.first() == u"-u")
        words.removeFirst();
    const bool plain = words.first() == u"-m" || !words.first().startsWith(u'-');
    return plain ? words : QStringList{u"--no_python"_s} + python + words;
}

/// DeepSpeed's command spells the module option out.
QStringList deepspeedWords(QStringList words)
{
    if (words.first() == u"-m")
        words.first() = u"--module"_s;
    return words;
}

} // namespace

QStringList wordsForAgent(const ResolvedSpec& resolved, QStringList words)
{
    static const QRegularExpression changed(u"\\$\\$|\\$local_rank(?![A-Za-z0-9_])|\\$\\{local_rank\\}"_s);
    for (QString& word : words) {
        if (fillsTemplates(resolved) && word.contains(changed))
            word.replace(u'$', u"$$"_s); // doubled, every dollar sign arrives as given
    }
    return words;
}

CommandPlan planCommand(const ResolvedSpec& resolved, const ClusterProfile& profile, CommandStarter startedBy)
{
    CommandPlan plan;
    const Result<QStringList> split = splitShellWords(resolved.command);
    if (!split) {
        plan.problem = split.error().what;
        return plan;
    }
    QStringList words = *split;
    const bool ownPython = !words.isEmpty() && words.first().contains(u'/') && isPython(words.first());
    const bool interpreter
        = ownPython || (!words.isEmpty() && (words.first() == u"python" || words.first() == u"python3"));
    if (ownPython)
        plan.interpreter = words.first();
    if (interpreter)
        words.removeFirst();
    if (words.isEmpty() || words.first().isEmpty()) {
        plan.problem = u"The design names no program to run"_s;
        return plan;
    }
    while (ownPython && words.size() > 1 && words.first() == u"-u")
        words.removeFirst();
    const bool script = words.first().endsWith(u".py") && !words.first().startsWith(u'-');
    const bool python = interpreter || script || words.first().startsWith(u'-');
    // An absolute path may exist in the image only.
    if (script && (resolved.container.isEmpty() || !words.first().startsWith(u'/')))
        plan.programFile = words.first();

    plan.python = python;
    const QStringList pythonCommand
        = ownPython ? QStringList{plan.interpreter} : wordsOr(profile.launch.pythonCommand, {u"python3"_s});
    const Starter starter = starterOf(resolved);
    const bool direct = startedBy == CommandStarter::Shell || !isAgent(starter);
    plan.addedPython = python && !ownPython && direct;
    if (direct) {
        plan.words = python ? pythonCommand + words : words;
    } else {
        plan.words = python ? agentWords(words, pythonCommand) : QStringList{u"--no_python"_s} + words;
        if (starter == Starter::Deepspeed)
            plan.words = deepspeedWords(plan.words);
    }
    plan.words = wordsForAgent(resolved, plan.words);
    return plan;
}

} // namespace rankwright::inline script

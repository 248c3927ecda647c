// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/commandplan.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/write/launchlayout.h"

using namespace Qt::StringLiterals;

namespace rankwright {
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

CommandPlan planCommand(const ResolvedSpec& resolved, const ClusterProfile& profile, bool direct)
{
    CommandPlan plan;
    const Result<QStringList> split = splitShellWords(resolved.command);
    if (!split) {
        plan.problem = split.error().what;
        return plan;
    }
    QStringList words = *split;
    const bool interpreter = !words.isEmpty() && (words.first() == u"python" || words.first() == u"python3");
    if (interpreter)
        words.removeFirst();
    if (words.isEmpty() || words.first().isEmpty()) {
        plan.problem = u"The design names no program to run"_s;
        return plan;
    }
    const bool script = words.first().endsWith(u".py") && !words.first().startsWith(u'-');
    const bool python = interpreter || script || words.first().startsWith(u'-');
    // An absolute path may exist in the image only.
    if (script && (resolved.container.isEmpty() || !words.first().startsWith(u'/')))
        plan.programFile = words.first();

    const QStringList pythonCommand = wordsOr(profile.launch.pythonCommand, {u"python3"_s});
    const Starter starter = starterOf(resolved);
    plan.addedPython = python && (direct || !isAgent(starter));
    if (direct || !isAgent(starter)) {
        plan.words = python ? pythonCommand + words : words;
        return plan;
    }
    plan.words = python ? agentWords(words, pythonCommand) : QStringList{u"--no_python"_s} + words;
    if (starter == Starter::Deepspeed)
        plan.words = deepspeedWords(plan.words);
    return plan;
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/absence.h"

#include "models/planner/design/jobspec.h"
#include "models/script/bash/launchnames.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// An exported variable whose name ends so: "SINGULARITY_BIND".
const BatchVariable* exported(const BoundScript& script, const QStringList& ends)
{
    for (const BatchVariable& variable : script.batch.variables) {
        const bool fits = std::any_of(
            ends.cbegin(), ends.cend(), [&variable](const QString& end) { return variable.name.endsWith(end); });
        if (variable.exported && fits)
            return &variable;
    }
    return nullptr;
}

QString noImage(const BoundScript& script)
{
    const ScriptField* environment = script.fields.find(u"environment.uenv"_s);
    if (environment != nullptr && environment->state != ScriptField::State::Absent)
        return u"The program runs in a user environment, not in a container: set environment.uenv"_s;
    for (const BatchVariable& variable : script.batch.variables) {
        ShellWord name;
        name.expansions = {{}};
        name.expansions.first().name = variable.name;
        if (variable.exported && namesImage(name))
            return u"No command of this script takes a container image; what it starts may read $%1 of line %2: set environment.variables.%1, or change it in the text"_s
                .arg(variable.name)
                .arg(variable.line);
    }
    return u"No command of this script takes a container image: write one in front of the program in the text"_s;
}

QString noLauncher(const BoundScript& script)
{
    for (const Launch& launch : script.batch.launches) {
        if (const LaunchLayer* agent = launch.layer(LaunchLayer::Kind::Agent))
            return u"No option of %1 (line %2) says it: add one there in the text"_s.arg(agent->name).arg(agent->line);
    }
    return u"No launcher (torchrun, accelerate, deepspeed) starts the program of this script: write one in front of the program in the text"_s;
}

} // namespace

QString absenceOf(const BoundScript& script, const QString& path)
{
    const ScriptField* field = script.fields.find(path);
    if (field != nullptr && !field->why.isEmpty())
        return field->why;
    if (path == field::container)
        return noImage(script);
    if (path == field::binds) {
        if (const BatchVariable* variable = exported(script, {u"_BIND"_s, u"_BINDPATH"_s, u"_MOUNTS"_s}))
            return u"No option of a command binds folders; $%1 of line %2 does: set environment.variables.%1"_s
                .arg(variable->name)
                .arg(variable->line);
        return u"No command of this script binds a folder into a container: add the option to its command in the text"_s;
    }
    if (path == field::uenv)
        return u"The script names no user environment (--uenv, uenv run): write it in the text"_s;
    if (path == field::modules)
        return u"The script loads no modules: write “module load NAME” before the program in the text"_s;
    if (path == field::setup)
        return u"No line of the script sets an environment up (source, conda activate): write one before the program in the text"_s;
    if (path == field::conda || path == field::venv)
        return u"In a script that is opened, the lines that set the environment up are one field: set environment.setup"_s;
    return path.startsWith(u"launcher.") ? noLauncher(script) : u"The script has no such field"_s;
}

QString noDirectives(const BoundScript& script, const QString& path)
{
    const QString option = script.options.value(path);
    for (const LostDirective& lost : script.batch.lost) {
        if (lost.why == LostDirective::Why::Late)
            return u"sbatch reads no #SBATCH line of this script, since a command stands before them (line %1): move them above it in the text"_s
                .arg(script.batch.firstCommandLine);
    }
    return u"The script has no #SBATCH line, so that its options come from the command that submits it: give --%1 there, or write “#SBATCH --%1=VALUE” below the first line in the text"_s
        .arg(option);
}

QString unexported(const BoundScript& script, const QString& name)
{
    const BatchVariable* variable = script.batch.variable(name);
    return u"Line %2 sets $%1 without exporting it, so that the program does not see it: change it there in the text"_s
        .arg(name)
        .arg(variable != nullptr ? variable->line : 1);
}

} // namespace rankwright::inline script

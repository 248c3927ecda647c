// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/programcheck.h"

#include "models/core/shellquote.h"
#include "models/script/write/commandplan.h"

#include <QDir>
#include <QFileInfo>

namespace rankwright {

using namespace Qt::StringLiterals;

ProgramFile programOf(const Derived& derived)
{
    // The program that a design proposes is not that of an author's script in which none was found.
    if (derived.author && !derived.resolved.spec.command)
        return {QString(), derived.resolved.spec.workdir.value_or(QString())};
    return {
        planCommand(derived.resolved, *derived.profile).programFile, derived.resolved.spec.workdir.value_or(QString())};
}

void askForProgram(RemoteShell& shell, const ProgramFile& program, QObject* guard, const Then<bool>& then)
{
    const QString enter
        = program.folder.isEmpty() ? QString() : u"cd -- "_s + shellQuote({program.folder}) + u" 2>/dev/null && "_s;
    const RemoteCommand command = RemoteCommand::shell(u"if "_s + enter + u"[ -r "_s + shellQuote({program.file})
        + u" ]; then echo @rw-there; else echo @rw-missing; fi"_s)
                                      .withPurpose(u"Checks whether the program of the design is on the cluster"_s);
    shell.run(command, guard, [then, command](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            then(fail(outcome.error()));
        else if (outcome->output.contains("@rw-there"))
            then(true);
        else if (outcome->output.contains("@rw-missing"))
            then(false);
        else
            then(fail(outcome->toError(command)));
    });
}

QString uploadFor(const QString& file, const QString& folder)
{
    const QString path = QDir::cleanPath(file);
    if (file.isEmpty() || QDir::isAbsolutePath(path) || path.startsWith(u".."_s)
        || !QFileInfo(folder + u'/' + path).isFile())
        return {};
    return QDir(folder).absoluteFilePath(path.section(u'/', 0, 0));
}

} // namespace rankwright

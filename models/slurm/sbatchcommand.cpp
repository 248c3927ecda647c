// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/slurm/sbatchcommand.h"

#include "models/core/shellquote.h"
#include "models/slurm/slurmtext.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QStringList sbatchWords(const SubmitRequest& request)
{
    QStringList words;
    if (!request.token.isEmpty())
        words.append(u"--comment="_s + request.token);
    if (!request.workdir.isEmpty())
        words.append(u"--chdir="_s + request.workdir);
    return words;
}

/// A start-up file may have left the home directory, in which a job without a folder of its own starts.
const QString goHome = u"cd && "_s;

} // namespace

RemoteCommand rehearseCommand(const SubmitRequest& request)
{
    RemoteCommand command = RemoteCommand::shell(
        goHome + slurmAsks + shellQuote(QStringList{u"sbatch"_s, u"--test-only"_s} + sbatchWords(request)),
        request.script);
    command.deadlineSeconds = 60; // the controller walks through its whole plan
    return command;
}

RemoteCommand submitCommand(const SubmitRequest& request)
{
    // No LC_ALL or TZ here: sbatch hands its environment on to the job.
    // When the link breaks in the upload, the server closes our command's stdin, which a reader can't distinguish from
    // the script's end: sbatch would queue the half that came. So the shell reads it first and counts; the x keeps the
    // newlines that $( ) cuts off the end.
    const QString whole = goHome + u"s=$(cat; echo x); if [ \"$(printf %s \"$s\" | wc -c)\" -ne %1 ]; then echo "_s
        + u"'The batch script did not arrive whole, so nothing was submitted.' >&2; exit 75; fi; "_s
        + u"printf %s \"${s%x}\" | "_s;
    RemoteCommand command = RemoteCommand::shell(whole.arg(request.script.size() + 1)
            + shellQuote(QStringList{u"sbatch"_s, u"--parsable"_s} + sbatchWords(request)),
        request.script);
    command.urgent = true;
    command.deadlineSeconds = 120; // a busy controller answers late; giving up early only makes the outcome unknown
    return command;
}

} // namespace rankwright

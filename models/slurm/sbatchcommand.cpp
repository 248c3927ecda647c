// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/slurm/sbatchcommand.h"

#include "models/core/shellquote.h"
#include "models/remote/remoteprogram.h"
#include "models/slurm/slurmtext.h"

#include <QRegularExpression>

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

/// SBATCH_* variables, which start-up files set, win over the script's own lines (sbatch(1), INPUT ENVIRONMENT
/// VARIABLES). What the script leaves open of where and for whom the job runs stays the account's own choice; all else
/// is the script's. The home folder is where a login begins, wherever a start-up file has gone since.
QString prepared(const SubmitRequest& request)
{
    static const QStringList choices{u"account"_s, u"partition"_s, u"qos"_s, u"reservation"_s, u"wckey"_s,
        u"constraint"_s, u"clusters"_s, u"export"_s, u"get-user-env"_s, u"network"_s};
    QString kept;
    for (const QString& option : choices) {
        if (!request.options.contains(option))
            kept += u"SBATCH_"_s + option.toUpper().replace(u'-', u'_') + u'|';
    }
    return u"cd; for w in $(env | cut -d= -f1 | grep -x 'SBATCH_[A-Z0-9_]*'); do case $w in "_s + kept
        + u"SBATCH_DEBUG) ;; *) unset $w;; esac; done; "_s;
}

} // namespace

RemoteCommand rehearseCommand(const SubmitRequest& request)
{
    QMap<QString, QString> values{{u"PARTITIONS"_s, request.partition}};
    const QStringList words = sbatchWords(request);
    for (const auto& [name, option] : {std::pair{u"COMMENT"_s, u"--comment="_s}, {u"CHDIR"_s, u"--chdir="_s}})
        values.insert(name, words.filter(QRegularExpression(u'^' + option)).value(0));
    for (const QString& name : {u"asked"_s, u"skipped"_s})
        values.insert(name.toUpper(), QChar::fromLatin1(sectionMark) + name);
    RemoteCommand command = RemoteCommand::shell(
        slurmAsks + prepared(request) + u'\n' + remoteProgram(u"rehearse.sh"_s, values), request.script);
    command.deadlineSeconds = 60; // the controller walks through its whole plan
    return command;
}

RemoteCommand sbatchCommand(const SubmitRequest& request)
{
    // No LC_ALL or TZ here: sbatch hands its environment on to the job.
    // When the link breaks in the upload, the server closes our command's stdin, which a reader can't distinguish from
    // the script's end: sbatch would queue the half that came. So the shell reads it first and counts; the x keeps the
    // newlines that $( ) cuts off the end.
    const QString whole = u"s=$(cat; echo x); if [ \"$(printf %s \"$s\" | wc -c)\" -ne %1 ]; then echo "_s
        + u"'The batch script did not arrive whole, so nothing was submitted.' >&2; exit 75; fi; "_s;
    RemoteCommand command
        = RemoteCommand::shell(whole.arg(request.script.size() + 1) + prepared(request) + u"printf %s \"${s%x}\" | "_s
                + shellQuote(QStringList{u"sbatch"_s, u"--parsable"_s} + sbatchWords(request)),
            request.script);
    command.urgent = true;
    command.deadlineSeconds = 120; // a busy controller answers late; giving up early only makes the outcome unknown
    return command;
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/sbatchcommand.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/cluster/slurm/slurmtext.h"
#include "models/core/shellquote.h"

#include <QRegularExpression>

namespace rankwright::inline cluster {

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

QString scriptMark(const SubmissionToken& token) { return u"# Submitted by Rankwright as "_s + token; }

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
    command.purpose = u"Asks Slurm what it would do with the script (dry run)"_s;
    command.deadlineSeconds = 60; // the controller walks through its whole plan
    return command;
}

RemoteCommand sbatchCommand(const SubmitRequest& request, const HandoverSeconds& seconds)
{
    // No LC_ALL or TZ here: sbatch hands its environment on to the job.
    // When the link breaks in the upload, the server closes our command's stdin, which a reader can't distinguish from
    // the script's end, or leaves it open for good: hence the program in front.
    // findCommand() looks for the token in the process list, of which old kernels (before 4.2) keep 4 KiB: it stands in
    // front.
    QString line = u": "_s + shellQuote(sbatchWords(request)) + u"; "_s;
    line += remoteProgram(u"take-script.sh"_s,
        {{u"SIZE"_s, QString::number(request.script.size())}, {u"READY"_s, QString::fromLatin1(scriptIsThere)},
            {u"SCRIPT_SECONDS"_s, QString::number(seconds.script + request.script.size() / 4096)},
            {u"WORD_SECONDS"_s, QString::number(seconds.word)}});
    line += prepared(request) + u"{ printf %s \"${script%x}\"; "_s;
    // A site may replace the comment. After the last line nothing of the script is moved; the empty line is for a
    // backslash at its end.
    if (!request.token.isEmpty())
        line += (request.script.endsWith('\n') ? u"echo; echo "_s : u"echo; echo; echo "_s)
            + shellQuote(scriptMark(request.token)) + u"; "_s;
    line += u"} | "_s + shellQuote(QStringList{u"sbatch"_s, u"--parsable"_s} + sbatchWords(request));
    RemoteCommand command = RemoteCommand::shell(line, request.script);
    command.purpose = u"Submits the script"_s;
    command.interactive = true;
    command.urgent = true;
    command.deadlineSeconds = 120; // a busy controller answers late; giving up early only makes the outcome unknown
    return command;
}

} // namespace rankwright::inline cluster

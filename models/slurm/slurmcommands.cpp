// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/slurm/slurmcommands.h"

#include "models/core/shellquote.h"
#include "models/slurm/slurmtext.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Slurm prints times in the zone and form of its environment: ours, whatever the account's start-up files set.
const QString ask = u"export LC_ALL=C TZ=UTC0 SLURM_TIME_FORMAT=standard; "_s;

/// id, state, reason, name, user, account, partition, nodes, node list, GPUs per node, elapsed, limit, submitted,
/// start, end, comment, directory: squeue(1), --format. Without a width nothing is cut.
QString squeueWords(const QString& selection)
{
    const QString letters = u"iTrjuaPDNbMlVSekZ"_s;
    QString format(QChar::fromLatin1(recordMark));
    for (qsizetype i = 0; i < letters.size(); ++i)
        format += (i > 0 ? QString(QChar::fromLatin1(cellMark)) : QString()) + u'%' + letters.at(i);
    return u"squeue -h -t all "_s + selection + u" -o "_s + shellQuote(format);
}

/// sacct with the columns that this version has: SubmitLine came with 21.08, StdOut with 24.05, Reason is
/// in 22.05's list; asking for an unknown one is an error. The header line stays on, so that the reader sees what it
/// got.
QString sacctWords(const QString& selection, const QString& more = {})
{
    static const QString always = u"JobID,JobName,User,Account,Partition,State,NNodes,NodeList,AllocTRES,ReqTRES,"
                                  "ElapsedRaw,TimelimitRaw,Submit,Start,End,Comment,WorkDir,ExitCode"_s;
    return u"f="_s + always + more
        + u"; e=\" $(sacct -e 2>/dev/null | tr -s '[:space:]' ' ') \"; for w in SubmitLine StdOut Reason; do "
          "case \"$e\" in *\" $w \"*) f=$f,$w;; esac; done; sacct -P --delimiter="_s
        + shellQuote(QString(QChar::fromLatin1(cellMark))) + u' ' + selection + u" -o \"$f\""_s;
}

const QString me = u"-u \"$(id -un)\""_s;

QString section(const QString& name)
{
    return u"printf '%s\\n' "_s + shellQuote(QChar::fromLatin1(sectionMark) + name) + u"; "_s;
}

QStringList sbatchWords(const SubmitRequest& request)
{
    QStringList words;
    if (!request.token.isEmpty())
        words.append(u"--comment="_s + request.token);
    if (!request.workdir.isEmpty())
        words.append(u"--chdir="_s + request.workdir);
    return words;
}

} // namespace

bool isJobId(const QString& text)
{
    static const QRegularExpression form(uR"(^\d{1,10}(\+\d{1,6})?(_(\d{1,10}|\[[\d,:%-]{1,200}\]))?\z)"_s);
    return form.match(text).hasMatch();
}

RemoteCommand discoverCommand()
{
    // The clock before and after: what is left of the time we waited is the way there and back.
    QString line = ask;
    line += section(u"began"_s) + u"date +%s%N; "_s;
    line += section(u"user"_s) + u"id -un; "_s;
    line += section(u"host"_s) + u"hostname; "_s;
    line += section(u"version"_s) + u"sinfo -V; v=$?; "_s;
    line += u"if [ $v = 0 ]; then "_s;
    line += section(u"cluster"_s) + u"scontrol show config | sed -n 's/^ClusterName *= *//p'; "_s;
    line += section(u"accounts"_s) + u"sacctmgr -nP show assoc user=\"$(id -un)\" format=account,partition; "_s;
    const QString us(QChar::fromLatin1(cellMark));
    line += section(u"partitions"_s) + u"sinfo -h -o "_s
        + shellQuote(QStringList{u"%R"_s, u"%a"_s, u"%F"_s, u"%l"_s, u"%G"_s}.join(us)) + u"; v=$?; fi; "_s;
    line += section(u"ended"_s) + u"date +%s%N; exit $v"_s;
    return RemoteCommand::shell(line);
}

RemoteCommand queueCommand() { return RemoteCommand::shell(ask + squeueWords(me)); }

RemoteCommand jobCommand(const JobId& id)
{
    const QString quoted = shellQuote(id);
    const QString us(QChar::fromLatin1(cellMark));
    QStringList alive;
    for (const QString& state : {u"PENDING"_s, u"RUNNING"_s, u"CONFIGURING"_s, u"COMPLETING"_s})
        alive.append(u'*' + shellQuote(us + state + us) + u'*');
    QString line = ask + u"q=$("_s + squeueWords(u"-j "_s + quoted) + u"); s=$?; "_s;
    line += section(u"squeue"_s) + u"if [ -n \"$q\" ]; then printf '%s\\n' \"$q\"; "_s;
    line += section(u"scontrol"_s) + u"scontrol -o show job "_s + quoted + u"; fi; "_s;
    line += u"case \"$q\" in "_s + alive.join(u'|') + u") ;; *) "_s + section(u"sacct"_s)
        + sacctWords(u"-j "_s + quoted) + u";; esac; exit $s"_s;
    return RemoteCommand::shell(line);
}

RemoteCommand historyCommand(int days)
{
    return RemoteCommand::shell(ask + sacctWords(u"-X "_s + me + u" -S now-%1days"_s.arg(qBound(1, days, 3650))));
}

RemoteCommand usageCommand(const QList<JobId>& ids)
{
    // Every column is in sacct's list since 20.02 at the latest; a site without a meter leaves its cells empty or 0.
    static const QString more = u",QOS,AllocCPUS,ReqMem,Suspended,NTasks,TotalCPU,UserCPU,SystemCPU,MaxRSS,MaxRSSNode,"
                                "AveRSS,ConsumedEnergyRaw,TRESUsageInAve,TRESUsageInMax,TRESUsageInTot"_s;
    return RemoteCommand::shell(ask + sacctWords(u"-j "_s + shellQuote(QStringList(ids).join(u',')), more));
}

RemoteCommand findCommand(const SubmissionToken& token)
{
    // 30 days: somebody may come back from holidays to a submission whose answer was lost.
    QString line = ask + u"q=$("_s + squeueWords(me) + u") || exit; "_s;
    line += section(u"squeue"_s) + u"printf '%s\\n' \"$q\"; case \"$q\" in *"_s + shellQuote(token)
        + u"*) exit 0;; esac; "_s;
    line += section(u"sacct"_s) + sacctWords(u"-X "_s + me + u" -S now-30days"_s);
    return RemoteCommand::shell(line);
}

RemoteCommand rehearseCommand(const SubmitRequest& request)
{
    RemoteCommand command = RemoteCommand::shell(
        ask + shellQuote(QStringList{u"sbatch"_s, u"--test-only"_s} + sbatchWords(request)), request.script);
    command.deadlineSeconds = 60; // the controller walks through its whole plan
    return command;
}

RemoteCommand submitCommand(const SubmitRequest& request)
{
    // No LC_ALL or TZ here: sbatch hands its environment on to the job.
    // When the link breaks in the upload, the server closes our command's stdin, which a reader can't distinguish from
    // the script's end: sbatch would queue the half that came. So the shell reads it first and counts; the x keeps the
    // newlines that $( ) cuts off the end.
    const QString whole = u"s=$(cat; echo x); if [ \"$(printf %s \"$s\" | wc -c)\" -ne %1 ]; then echo "_s
        + u"'The batch script did not arrive whole, so nothing was submitted.' >&2; exit 75; fi; "_s
        + u"printf %s \"${s%x}\" | "_s;
    RemoteCommand command = RemoteCommand::shell(whole.arg(request.script.size() + 1)
            + shellQuote(QStringList{u"sbatch"_s, u"--parsable"_s} + sbatchWords(request)),
        request.script);
    command.urgent = true;
    command.deadlineSeconds = 120; // a busy controller answers late; giving up early only makes the outcome unknown
    return command;
}

RemoteCommand cancelCommand(const JobId& id)
{
    QString known = id;
    static const QRegularExpression atATime(uR"(%\d+(?=\]))"_s); // "[5-9%2]": scancel wants the tasks alone
    known.remove(atATime);
    RemoteCommand command = RemoteCommand::of({u"scancel"_s, known});
    command.urgent = true;
    return command;
}

} // namespace rankwright

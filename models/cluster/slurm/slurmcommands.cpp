// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmcommands.h"

#include "models/cluster/slurm/sbatchcommand.h"
#include "models/cluster/slurm/slurmtext.h"
#include "models/core/shellquote.h"

#include <QRegularExpression>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

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

/// sacct with the columns that this version has: SubmitLine came with 21.08, StdOut with 24.05, Restarts and SLUID with
/// 24.11, OriginalSLUID with 26.05; asking for an unknown one is an error. The header line stays on, so that the reader
/// sees what it got.
QString sacctWords(const QString& selection, const QString& more = {})
{
    static const QString always = u"JobID,JobName,User,Account,Partition,State,NNodes,NodeList,AllocTRES,ReqTRES,"
                                  "ElapsedRaw,TimelimitRaw,Submit,Start,End,Comment,WorkDir,ExitCode"_s;
    return u"f="_s + always + more
        + u"; e=\" $(sacct -e 2>/dev/null | tr -s '[:space:]' ' ') \"; for w in SubmitLine StdOut Reason Restarts SLUID OriginalSLUID; do "
          "case \"$e\" in *\" $w \"*) f=$f,$w;; esac; done; sacct -P --delimiter="_s
        + shellQuote(QString(QChar::fromLatin1(cellMark))) + u' ' + selection + u" -o \"$f\""_s;
}

const QString me = u"-u \"$(id -un)\""_s;

QString section(const QString& name)
{
    return u"printf '%s\\n' "_s + shellQuote(QChar::fromLatin1(sectionMark) + name) + u"; "_s;
}

} // namespace

bool isJobId(const QString& text)
{
    static const QRegularExpression form(uR"(^\d{1,10}(\+\d{1,6})?(_(\d{1,10}|\[[\d,:%-]{1,200}\]))?\z)"_s);
    return form.match(text).hasMatch() || isSluid(text);
}

bool isSluid(const QString& text)
{
    static const QRegularExpression form(uR"(^s[0-9A-HJKMNP-TV-Z]{13}\z)"_s);
    return form.match(text).hasMatch();
}

std::optional<Error> jobIdFault(const QString& text)
{
    if (isJobId(text))
        return {};
    return Error{
        Fault::Invalid, u"\"%1\" is not a job id."_s.arg(text.left(80)), {}, u"Job ids look like 123 or 123_4."_s};
}

RemoteCommand discoverCommand()
{
    // The clock before and after: what is left of the time we waited is the way there and back.
    QString line = slurmAsks;
    line += section(u"began"_s) + u"date +%s%N; "_s;
    line += section(u"user"_s) + u"id -un; "_s;
    line += section(u"host"_s) + u"hostname; "_s;
    line += section(u"version"_s) + u"sinfo -V; v=$?; "_s;
    line += u"if [ $v = 0 ]; then "_s;
    // One accounting serves many clusters: of the associations only those of this one.
    line += section(u"cluster"_s)
        + u"c=$(scontrol show config | sed -n 's/^ClusterName *= *//p'); "_s
        // while the controller is away
        + u"[ \"$c\" ] || c=$(sed -n 's/^ *ClusterName *= *\\([^ #]*\\).*/\\1/Ip' \"${SLURM_CONF:-/etc/slurm/slurm.conf}\" 2>/dev/null | sed q); "_s
        + u"printf '%s\\n' \"$c\"; "_s;
    line += section(u"accounts"_s)
        + u"[ -z \"$c\" ] || sacctmgr -nP show assoc user=\"$(id -un)\" cluster=\"$c\" format=account,partition,defaultqos; "_s;
    const QString us(QChar::fromLatin1(cellMark));
    // -a: hidden partitions, which hide their nodes, too.
    line += section(u"partitions"_s) + u"sinfo -a -h -o "_s
        + shellQuote(QStringList{u"%R"_s, u"%a"_s, u"%F"_s, u"%l"_s, u"%G"_s}.join(us)) + u"; v=$?; "_s;
    line += section(u"limits"_s) + u"scontrol -a -o show partition; "_s;
    line += section(u"qos"_s) + u"sacctmgr -nP show qos format=name,maxtrespu,maxtres; fi; "_s;
    line += section(u"ended"_s) + u"date +%s%N; exit $v"_s;
    return RemoteCommand::shell(line).withPurpose(
        u"Asks who you are, which Slurm runs, and for accounts and partitions"_s);
}

RemoteCommand queueCommand()
{
    return RemoteCommand::shell(slurmAsks + squeueWords(me)).withPurpose(u"Asks for your jobs in the queue"_s);
}

RemoteCommand jobCommand(const JobId& id)
{
    const QString quoted = shellQuote(id);
    const QString us(QChar::fromLatin1(cellMark));
    QStringList alive;
    for (const QString& state : {u"PENDING"_s, u"RUNNING"_s, u"CONFIGURING"_s, u"COMPLETING"_s})
        alive.append(u'*' + shellQuote(us + state + us) + u'*');
    QString line = slurmAsks + u"q=$("_s + squeueWords(u"-j "_s + quoted) + u"); s=$?; "_s;
    line += section(u"squeue"_s) + u"if [ -n \"$q\" ]; then printf '%s\\n' \"$q\"; "_s;
    line += section(u"scontrol"_s) + u"scontrol -o show job "_s + quoted + u"; fi; "_s;
    line += u"case \"$q\" in "_s + alive.join(u'|') + u") ;; *) "_s + section(u"sacct"_s)
        + sacctWords(u"-j "_s + quoted) + u";; esac; exit $s"_s;
    return RemoteCommand::shell(line).withPurpose(u"Asks about one job"_s);
}

RemoteCommand tasksCommand(const JobId& id)
{
    const QString quoted = shellQuote(id);
    QString line = slurmAsks + section(u"squeue"_s) + squeueWords(u"-r -j "_s + quoted) + u"; s=$?; "_s;
    line += section(u"sacct"_s) + sacctWords(u"-X -j "_s + quoted) + u"; exit $s"_s;
    return RemoteCommand::shell(line).withPurpose(u"Asks for the tasks of a job array"_s);
}

RemoteCommand historyCommand(int days)
{
    return RemoteCommand::shell(slurmAsks + sacctWords(u"-X "_s + me + u" -S now-%1days"_s.arg(qBound(1, days, 3650))))
        .withPurpose(u"Asks for your jobs of the last days"_s);
}

RemoteCommand usageCommand(const QList<JobId>& ids)
{
    // Every column is in sacct's list since 20.02 at the latest; a site without a meter leaves its cells empty or 0.
    static const QString more = u",QOS,AllocCPUS,ReqMem,Suspended,NTasks,TotalCPU,UserCPU,SystemCPU,MaxRSS,MaxRSSNode,"
                                "AveRSS,ConsumedEnergyRaw,TRESUsageInAve,TRESUsageInMax,TRESUsageInTot"_s;
    return RemoteCommand::shell(slurmAsks + sacctWords(u"-j "_s + shellQuote(QStringList(ids).join(u',')), more))
        .withPurpose(u"Asks what jobs used"_s);
}

RemoteCommand findCommand(const SubmissionToken& token)
{
    // 30 days: somebody may come back from holidays to a submission whose answer was lost.
    QString line = slurmAsks;
    // An sbatch (or the shell before it) of a program that was killed may still be at work on this login node. The
    // brackets keep the pattern from finding this very command.
    line += section(u"sending"_s) + u"ps -u \"$(id -un)\" -ww -o args= 2>/dev/null | grep -c -e "_s
        + shellQuote(u"[-]-comment="_s + token) + u"; "_s;
    line += u"q=$("_s + squeueWords(me) + u") || exit; "_s;
    line += section(u"squeue"_s) + u"printf '%s\\n' \"$q\"; case \"$q\" in *"_s + shellQuote(token)
        + u"*) exit 0;; esac; "_s;
    line += section(u"sacct"_s) + sacctWords(u"-X "_s + me + u" -S now-30days"_s);
    return RemoteCommand::shell(line).withPurpose(u"Checks whether a submission has arrived"_s);
}

RemoteCommand scriptsCommand(const QList<JobId>& ids, const SubmissionToken& token)
{
    // scontrol ends with 0 where it has no script, so the text decides: a batch script begins with "#!". Without
    // scontrol (126, 127) nothing can be read.
    QString line = slurmAsks + u"set -f; for j in "_s + shellQuote(QStringList(ids))
        + u"; do t=$(scontrol write batch_script \"$j\" - 2>&1); [ $? -lt 126 ] || exit 0; case $t in *"_s
        + shellQuote(scriptMark(token)) + u"*) echo \"$j found\"; exit 0;; '#!'*) ;; *) echo \"$j\" $t;; esac; done"_s;
    RemoteCommand command = RemoteCommand::shell(line);
    command.purpose = u"Searches scripts of jobs for a submission of this program"_s;
    command.deadlineSeconds = 60; // one question to the controller for each job
    return command;
}

RemoteCommand cancelCommand(const JobId& id)
{
    QString known = id;
    static const QRegularExpression atATime(uR"(%\d+(?=\]))"_s); // "[5-9%2]": scancel wants the tasks alone
    known.remove(atATime);
    // What users keep in variables of scancel narrows what it cancels, or asks back.
    RemoteCommand command = RemoteCommand::shell(
        u"unset SCANCEL_ACCOUNT SCANCEL_BATCH SCANCEL_CRON SCANCEL_FULL SCANCEL_HURRY SCANCEL_INTERACTIVE SCANCEL_NAME "
        "SCANCEL_PARTITION SCANCEL_QOS SCANCEL_SIBLING SCANCEL_STATE SCANCEL_USER SCANCEL_VERBOSE SCANCEL_WCKEY; "_s
        + shellQuote(QStringList{u"scancel"_s, known}));
    command.purpose = u"Cancels a job"_s;
    command.urgent = true;
    return command;
}

} // namespace rankwright::inline cluster

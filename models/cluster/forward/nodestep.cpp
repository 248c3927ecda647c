// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/nodestep.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/quantitytext.h"
#include "models/core/shellquote.h"

#include <QRegularExpression>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

QStringList stepWords(const NodeStep& step, const QStringList& more = {})
{
    return QStringList{u"srun"_s, u"--overlap"_s, u"--jobid="_s + step.job, u"--nodes=1"_s, u"--ntasks=1"_s,
               u"--nodelist="_s + step.node}
    + more;
}

RemoteCommand stream(const QString& line)
{
    // What users keep in variables of srun would change the step: another program's input, labels before each line.
    RemoteCommand command = RemoteCommand::shell(
        u"unset SLURM_LABELIO SLURM_STDINMODE SLURM_STDOUTMODE SLURM_STDERRMODE SLURM_UNBUFFEREDIO SLURM_PTY_PORT "
        "SLURM_NTASKS SLURM_NPROCS SLURM_MULTI_PROG SLURM_WAIT SLURM_HOSTFILE SLURM_EXACT; exec "_s
        + line);
    command.interactive = true;
    command.deadlineSeconds.reset();
    command.keepsPlace = true;
    return command;
}

/// A word for ~/.ssh/config, which knows double quotes and no escapes in them.
QString configWord(const QString& word)
{
    static const QRegularExpression bare(uR"(^[A-Za-z0-9_.@:+/-]+\z)"_s);
    QString clean = word;
    clean.remove(u'"').remove(u'\n').remove(u'\r');
    return bare.match(clean).hasMatch() ? clean : u'"' + clean + u'"';
}

/// "[user@]host[:port]"
QString placeOf(const LoginName& login)
{
    if (!login.alias.isEmpty())
        return login.alias;
    const QString place = (login.user.isEmpty() ? QString() : login.user + u'@') + login.host;
    return login.port == 22 ? place : place + u':' + QString::number(login.port);
}

} // namespace

bool isNodeName(const QString& text)
{
    static const QRegularExpression form(uR"(^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})\z)"_s);
    return form.match(text).hasMatch();
}

Result<QString> nodeOfRank(const NodeList& nodes, int rank, std::optional<int> ranksPerNode)
{
    const QStringList names = nodes.names();
    if (names.size() == 1 && !ranksPerNode && rank >= 0)
        return names.first();
    if (!ranksPerNode || *ranksPerNode < 1)
        return fail(Fault::Invalid, u"It is not known on which node rank %1 runs."_s.arg(rank), {},
            u"Name the node: --node NODE, one of %1."_s.arg(nodes.folded()));
    const qint64 all = qint64(names.size()) * *ranksPerNode;
    if (rank < 0 || rank >= all)
        return fail(Fault::Invalid, u"There is no rank %1: the job has %2."_s.arg(rank).arg(all),
            u"%1, %2 on each"_s.arg(counted(names.size(), u"node"_s), counted(*ranksPerNode, u"rank"_s)),
            u"Give 0 to %1."_s.arg(all - 1));
    return names.at(rank / *ranksPerNode);
}

Result<QString> nodeOfJob(const JobRecord& job, const QString& node)
{
    const QStringList names = job.nodeList.names();
    if (names.isEmpty())
        return fail(
            Fault::Invalid, u"Job %1 has no nodes now."_s.arg(job.id), toText(job.state), u"Try again when it runs."_s);
    if (node.isEmpty())
        return names.first();
    if (!names.contains(node))
        return fail(Fault::Invalid, u"Node %1 is not one of job %2's."_s.arg(node.left(80), job.id),
            job.nodeList.folded(), u"Choose one of them."_s);
    return node;
}

Result<NodeStep> stepOn(const JobRecord& job, const QString& node)
{
    if (job.state != JobState::Running)
        return fail(Fault::Invalid, u"Job %1 is not running."_s.arg(job.id), toText(job.state),
            hasEnded(job.state) ? QString() : u"Try again when it runs."_s);
    const auto chosen = nodeOfJob(job, node);
    if (!chosen)
        return fail(chosen.error());
    const QString number = job.stepJob.isEmpty() ? job.id : job.stepJob;
    if (!isJobId(number) || !isNodeName(*chosen))
        return fail(Fault::Unreadable, u"What Slurm reported of job %1 cannot be used."_s.arg(job.id),
            number + u' ' + *chosen, {});
    return NodeStep{number, *chosen};
}

RemoteCommand shellCommand(
    const NodeStep& step, const std::optional<TerminalRequest>& terminal, const QStringList& words)
{
    QStringList line = stepWords(step, terminal ? QStringList{u"--pty"_s} : QStringList{u"--unbuffered"_s});
    line += words.isEmpty() ? QStringList{u"bash"_s, u"-l"_s} : words;
    RemoteCommand command = stream(shellQuote(line)).withPurpose(u"Opens a shell on a node of a job"_s);
    command.terminal = terminal;
    return command;
}

RemoteCommand relayCommand(const NodeStep& step)
{
    static const QString start
        = u"for p in python3 platform-python /usr/libexec/platform-python; do command -v \"$p\" >/dev/null 2>&1 && "
          "\"$p\" -I -c 'import sys; sys.exit(sys.version_info < (3, 5))' 2>/dev/null && exec \"$p\" -I -c \"$1\"; done; "
          "echo; echo RANKWRIGHT-RELAY none"_s;
    return stream(shellQuote(stepWords(step)
                      + QStringList{u"sh"_s, u"-c"_s, start, u"rankwright"_s, remoteProgram(u"node-relay.py"_s)}))
        .withPurpose(u"Opens ports of a node of a job, through Slurm"_s);
}

RemoteCommand bashRelayCommand(const NodeStep& step, int port)
{
    // --unbuffered: else srun hands on whole lines, and the last words of an answer often are none.
    return stream(shellQuote(stepWords(step, {u"--unbuffered"_s})
                      + QStringList{u"bash"_s, u"-c"_s, remoteProgram(u"node-relay.sh"_s), u"rankwright"_s,
                          QString::number(port)}))
        .withPurpose(u"Opens a port of a node of a job, through Slurm"_s);
}

QString sshShellLine(const LoginName& login, const NodeStep& step)
{
    QStringList words{u"ssh"_s, u"-t"_s};
    if (login.alias.isEmpty() && login.port != 22)
        words += {u"-p"_s, QString::number(login.port)};
    words += login.alias.isEmpty() ? (login.user.isEmpty() ? QString() : login.user + u'@') + login.host : login.alias;
    // OpenSSH hands one text to the far shell: quoted for that one, and once more for this one.
    return shellQuote(words + QStringList{shellQuote(stepWords(step, {u"--pty"_s}) + QStringList{u"bash"_s, u"-l"_s})});
}

QString editorLine(const LoginName& login, const QString& folder)
{
    return shellQuote(QStringList{u"code"_s, u"--remote"_s, u"ssh-remote+"_s + placeOf(login), folder});
}

QString sshConfigBlock(const LoginName& login, const QString& cluster, const QString& node)
{
    QString block = u"Host "_s + configWord(cluster + u'-' + node) + u"\n    HostName "_s + configWord(node);
    if (!login.user.isEmpty())
        block += u"\n    User "_s + configWord(login.user);
    return block + u"\n    ProxyJump "_s + configWord(placeOf(login)) + u'\n';
}

} // namespace rankwright::inline cluster

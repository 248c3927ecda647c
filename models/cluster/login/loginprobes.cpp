// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginprobes.h"

#include "models/core/harmlesstext.h"
#include "models/core/shellquote.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

constexpr QByteArrayView startUpMark = "rankwright-start-up-probe";
constexpr int mostFolders = 12; // of people with very many accounts

/// Lines of our own among what profiles print: "rankwright: ok /scratch/a".
QStringList ourLines(const CommandOutcome& answer)
{
    constexpr QByteArrayView mark = "rankwright: ";
    QStringList lines;
    for (const QByteArray& line : answer.output.split('\n')) {
        if (line.startsWith(mark))
            lines << harmlessLine(QString::fromUtf8(line.mid(mark.size())));
    }
    return lines;
}

QString firstLines(const QByteArray& bytes)
{
    QStringList lines;
    for (const QByteArray& line : bytes.trimmed().split('\n').mid(0, 4))
        lines << harmlessLine(QString::fromUtf8(line), 160);
    return lines.join(u'\n');
}

/// With the profile of a login shell: variables such as $SCRATCH and the command `module` come from there.
RemoteCommand inLoginShell(const QString& script, int seconds)
{
    RemoteCommand command = RemoteCommand::of({u"bash"_s, u"-lc"_s, script});
    command.purpose = u"Tests a step of the first login in a login shell"_s;
    command.deadlineSeconds = seconds;
    return command;
}

/// A path of the catalogue as a word of bash in double quotes; empty: it holds more than variables and names.
QString pathWord(const QString& path)
{
    static const QRegularExpression plain(u"^[\\w./:${}-]+$"_s);
    return plain.match(path).hasMatch() ? QString(u'"' + path + u'"') : QString();
}

} // namespace

RemoteCommand startUpProbe()
{
    RemoteCommand command = RemoteCommand::of({u"printf"_s, u"%s\\n"_s, QString::fromLatin1(startUpMark)});
    command.purpose = u"Tests whether start-up files of the account print anything"_s;
    command.fenced = false;
    command.outputLimit = 1 << 20;
    return command;
}

StepOutcome readStartUp(const CommandOutcome& answer)
{
    const QString remedy
        = u"On the cluster, put “case $- in *i*) ;; *) return ;; esac” as the first line of ~/.bashrc; "
          u"what prints goes below it."_s;
    QByteArray rest = answer.output;
    const qsizetype at = rest.indexOf(startUpMark);
    if (at < 0) {
        const QString printed = firstLines(answer.output + answer.errorOutput);
        return {Light::Failed,
            printed.isEmpty() ? u"A start-up file ends the shell before any command runs."_s
                              : u"The command did not run; this came instead:\n"_s + printed,
            remedy, {u"noisy_startup"_s}};
    }
    rest.remove(at, startUpMark.size());
    if (rest.trimmed().isEmpty())
        return {Light::Ok, u"a shell without a person prints nothing by itself"_s, {}, {}};
    return {Light::Failed, u"Start-up files print:\n"_s + firstLines(rest), remedy, {u"noisy_startup"_s}};
}

RemoteCommand slurmProbe()
{
    return RemoteCommand::of({u"sinfo"_s, u"-V"_s}).withPurpose(u"Asks for Slurm's version"_s);
}

StepOutcome readSlurm(const CommandOutcome& answer)
{
    const QString said = firstLines(answer.output);
    if (answer.succeeded() && said.startsWith(u"slurm"_s, Qt::CaseInsensitive))
        return {Light::Ok, said, {}, {}};
    return {Light::Failed, firstLines(answer.output + answer.errorOutput),
        u"Slurm's commands are not there for shells without a person. Is this a login node? Some sites load them by a "
        u"module in ~/.bashrc."_s,
        {}};
}

RemoteCommand accountProbe()
{
    // One accounting serves many clusters: of the associations only those of this one.
    RemoteCommand command
        = RemoteCommand::shell(u"c=$(scontrol show config 2>/dev/null | sed -n 's/^ClusterName *= *//p'); "
                               u"sacctmgr -nP show assoc user=\"$(id -un)\" ${c:+cluster=\"$c\"} format=account"_s);
    command.purpose = u"Asks for your accounts"_s;
    return command;
}

StepOutcome readAccounts(const CommandOutcome& answer, QStringList* accounts)
{
    accounts->clear();
    if (!answer.succeeded())
        return {Light::Unknown, u"sacctmgr does not answer: "_s + firstLines(answer.errorOutput),
            u"The accounting may be away or closed to users; type the account by hand."_s, {}};
    for (const QByteArray& line : answer.output.split('\n')) {
        const QString name = harmlessLine(QString::fromUtf8(line.trimmed()), 120);
        if (!name.isEmpty() && !accounts->contains(name))
            accounts->append(name);
    }
    if (!accounts->isEmpty())
        return {Light::Ok, accounts->join(u", "_s), {}, {}};
    return {Light::Failed, u"Slurm has no account of yours on this cluster."_s,
        u"Ask the project's leader to add you, or apply for a project; new members may have to wait a day."_s,
        {u"no_project"_s}};
}

RemoteCommand scratchProbe(const QString& scratch, const QStringList& accounts)
{
    QStringList words;
    if (scratch.contains(u"{account}"_s)) {
        for (const QString& account : accounts.mid(0, mostFolders))
            words << pathWord(QString(scratch).replace(u"{account}"_s, account));
    } else {
        words << pathWord(scratch);
    }
    words.removeAll(QString());
    if (words.isEmpty())
        words = {u"\"$SCRATCH\""_s, u"\"$WORK\""_s};
    return inLoginShell(
        u"for d in %1; do [ -n \"$d\" ] || continue; "
        u"if f=$(mktemp \"$d/.rankwright.XXXXXX\" 2>&1) && rm -f \"$f\"; then printf 'rankwright: ok %s\\n' \"$d\"; "
        u"else printf 'rankwright: no %s %s\\n' \"$d\" \"$f\"; fi; done; exit 0"_s.arg(words.join(u' ')),
        30);
}

StepOutcome readScratch(const CommandOutcome& answer)
{
    QStringList good;
    QStringList bad;
    for (const QString& line : ourLines(answer)) {
        if (line.startsWith(u"ok "_s))
            good << line.mid(3);
        else if (line.startsWith(u"no "_s))
            bad << line.mid(3);
    }
    if (!good.isEmpty())
        return {Light::Ok, u"writable: "_s + good.join(u", "_s), {}, {}};
    if (!bad.isEmpty())
        return {Light::Failed, u"not writable: "_s + bad.join(u'\n'),
            u"The folder comes with the project: new members may have to wait, and a full quota refuses too."_s,
            {u"no_project"_s}};
    return {Light::Unknown, u"Where scratch is on this cluster is not known here."_s,
        u"Look it up in the site's guide and give the folder in the design."_s, {}};
}

RemoteCommand softwareProbe(const ClusterProfile& profile)
{
    const QString& image = profile.container.image;
    if (image.startsWith(u'/'))
        return inLoginShell(u"if [ -r %1 ]; then echo 'rankwright: image'; else echo 'rankwright: no image'; fi"_s.arg(
                                shellQuote(image)),
            20);
    QString script;
    for (const QString& module : profile.launch.modules)
        script += u"module load %1 >/dev/null 2>&1; "_s.arg(shellQuote(module));
    // Found, not imported: importing PyTorch takes half a minute from a parallel file system.
    const QString look
        = u"import importlib.util as u; print('rankwright:', 'torch' if u.find_spec('torch') else 'no torch')"_s;
    script += u"command -v %1 >/dev/null || echo 'rankwright: no python'; %1 -c %2; exit 0"_s.arg(
        shellQuote(profile.launch.pythonCommand), shellQuote(look));
    return inLoginShell(script, 60);
}

StepOutcome readSoftware(const CommandOutcome& answer, const ClusterProfile& profile)
{
    const QStringList lines = ourLines(answer);
    const QString& image = profile.container.image;
    if (lines.contains(u"image"_s))
        return {Light::Ok, u"the container is there: "_s + image, {}, {}};
    if (lines.contains(u"no image"_s))
        return {Light::Failed, u"the container cannot be read: "_s + image,
            u"The site may have a newer one: look in its guide, and name the image in the design."_s, {}};
    if (lines.contains(u"torch"_s)) {
        const QString modules = profile.launch.modules.join(u", "_s);
        return {Light::Ok,
            modules.isEmpty() ? u"Python finds PyTorch"_s : u"Python finds PyTorch with the modules "_s + modules, {},
            {}};
    }
    const QString from = profile.launch.torchAdvice.isEmpty()
        ? u"Name a container or an environment of yours that has PyTorch in the design."_s
        : profile.launch.torchAdvice;
    if (lines.contains(u"no torch"_s))
        return {profile.launch.bringsTorch ? Light::Failed : Light::Unknown,
            u"Python does not find PyTorch by itself on the login node."_s, from, {}};
    return {Light::Unknown,
        lines.contains(u"no python"_s) ? u"There is no %1 on the login node."_s.arg(profile.launch.pythonCommand)
                                       : u"The login node did not say."_s,
        from, {}};
}

} // namespace rankwright::inline cluster

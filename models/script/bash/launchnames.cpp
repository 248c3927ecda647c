// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/launchnames.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

bool isRankCheck(const ShellWord& word)
{
    return word.expansions.size() == 1 && word.expansions.first().name == rankCheckVariable;
}

bool isRankStart(const ShellCommand& command)
{
    const auto isOwn = [](const ShellWord& word) {
        return isRankCheck(word) || (word.expansions.size() == 1 && word.expansions.first().name == evidenceVariable);
    };
    if (command.words.size() == 1) // the text of the shell within the shell
        return isOwn(command.words.first());
    return command.words.size() == 2 && (isOwn(command.words.at(1)) || command.words.first().value == u"${bind[@]}");
}

QString baseName(const QString& word)
{
    const qsizetype slash = word.lastIndexOf(u'/');
    return slash < 0 ? word : word.sliced(slash + 1);
}

bool isShell(const QString& word)
{
    static const QSet<QString> names{u"bash"_s, u"sh"_s, u"zsh"_s, u"dash"_s, u"ksh"_s};
    return names.contains(baseName(word));
}

bool isStarter(const QString& word)
{
    static const QSet<QString> names{u"srun"_s, u"mpirun"_s, u"mpiexec"_s, u"orterun"_s, u"singularity"_s,
        u"apptainer"_s, u"singularity_wrapper"_s, u"apptainer_wrapper"_s, u"shifter"_s, u"podman-hpc"_s, u"podman"_s,
        u"docker"_s, u"nvidia-docker"_s, u"sarus"_s, u"ch-run"_s, u"enroot"_s, u"uenv"_s, u"torchrun"_s,
        u"torchrun_jsc"_s, u"accelerate"_s, u"deepspeed"_s, u"horovodrun"_s};
    return isPython(word) || names.contains(baseName(word));
}

bool startsWithVerb(const QString& word)
{
    static const QSet<QString> names{u"podman"_s, u"docker"_s, u"nvidia-docker"_s, u"sarus"_s, u"uenv"_s};
    return names.contains(baseName(word));
}

bool isPrefix(const QString& word)
{
    static const QSet<QString> names{u"exec"_s, u"nohup"_s, u"command"_s, u"time"_s, u"nice"_s, u"ionice"_s,
        u"timeout"_s, u"numactl"_s, u"taskset"_s, u"stdbuf"_s, u"setsid"_s, u"unbuffer"_s, u"nsys"_s, u"ncu"_s,
        u"rocprof"_s, u"conda"_s, u"mamba"_s, u"micromamba"_s, u"uv"_s, u"poetry"_s, u"pipenv"_s, u"pixi"_s,
        u"catchsegv"_s, u"gdb"_s, u"strace"_s, u"eval"_s};
    return names.contains(baseName(word));
}

qsizetype behindVerb(const QList<ShellWord>& words, qsizetype at)
{
    struct Runner {
        QString verb;
        QSet<QString> valued; ///< options with a value; empty: all
    };
    static const Runner conda{u"run"_s, {u"-n"_s, u"--name"_s, u"-p"_s, u"--prefix"_s, u"--cwd"_s}};
    static const QHash<QString, Runner> runners{{u"conda"_s, conda}, {u"mamba"_s, conda}, {u"micromamba"_s, conda},
        {u"poetry"_s, {u"run"_s, {u"-C"_s, u"--directory"_s, u"-P"_s, u"--project"_s}}},
        {u"pipenv"_s, {u"run"_s, {u"--python"_s, u"--categories"_s}}},
        {u"pixi"_s, {u"run"_s, {u"-e"_s, u"--environment"_s, u"--manifest-path"_s}}},
        {u"uv"_s,
            {u"run"_s,
                {u"--with"_s, u"--with-editable"_s, u"--with-requirements"_s, u"-p"_s, u"--python"_s, u"--extra"_s,
                    u"--no-extra"_s, u"--group"_s, u"--no-group"_s, u"--only-group"_s, u"--env-file"_s, u"--package"_s,
                    u"--project"_s, u"--directory"_s, u"--index"_s, u"--index-url"_s, u"--cache-dir"_s}}},
        {u"nsys"_s, {u"profile"_s, {}}}};
    const auto runner = runners.constFind(baseName(words.at(at).value));
    if (runner == runners.cend() || at + 1 >= words.size() || words.at(at + 1).value != runner->verb)
        return at;
    qsizetype next = at + 2;
    while (next < words.size() && words.at(next).value.startsWith(u'-')) {
        const QString& option = words.at(next).value;
        const bool takesNext = !option.contains(u'=') && (runner->valued.isEmpty() || runner->valued.contains(option));
        next += takesNext ? 2 : 1;
    }
    return next < words.size() ? next : at;
}

qsizetype behindPrefix(const QList<ShellWord>& words, qsizetype at)
{
    static const QHash<QString, QSet<QString>> valued{{u"nice"_s, {u"-n"_s}}, {u"time"_s, {u"-f"_s, u"-o"_s}},
        {u"timeout"_s, {u"-k"_s, u"-s"_s}}, {u"taskset"_s, {}}, {u"stdbuf"_s, {u"-i"_s, u"-o"_s, u"-e"_s}},
        {u"ionice"_s, {u"-c"_s, u"-n"_s}}, {u"numactl"_s, {u"-N"_s, u"-m"_s, u"-C"_s, u"-p"_s, u"-i"_s, u"-w"_s}}};
    if (const qsizetype behind = behindVerb(words, at); behind > at)
        return behind;
    const QString name = baseName(words.at(at).value);
    qsizetype next = at + 1;
    while (valued.contains(name) && next < words.size() && words.at(next).value.startsWith(u'-'))
        next += valued.value(name).contains(words.at(next).value) ? 2 : 1;
    if (name == u"timeout" || name == u"taskset") // a duration, a list of cores
        ++next;
    return next < words.size() ? next : at + 1;
}

bool isArguments(const ShellWord& word)
{
    return word.expansions.size() == 1 && (word.expansions.first().name == u"@" || word.expansions.first().name == u"*")
        && word.expansions.first().text.size() == word.value.size();
}

bool namesImage(const ShellWord& word)
{
    static const QRegularExpression file(
        u"\\.(?:sif|simg|sqsh|sqfs|squashfs|img)$|^(?:docker|oras|library|shub|instance):"_s);
    static const QRegularExpression variable(
        u"SIF|SIMG|IMAGE|IMG|CONTAINER|CTNR|SQSH"_s, QRegularExpression::CaseInsensitiveOption);
    return file.match(word.value).hasMatch()
        || std::any_of(word.expansions.cbegin(), word.expansions.cend(),
            [](const Expansion& one) { return variable.match(one.name).hasMatch(); });
}

bool mayBringOptions(const ShellWord& word)
{
    if (word.expansions.size() != 1 || namesImage(word))
        return false;
    const Expansion& only = word.expansions.first();
    return only.kind == Expansion::Kind::Variable && !only.inQuotes && only.text.size() == word.value.size();
}

bool bringsOptions(const ShellWord& word, const ShellWord& next)
{
    const bool isList = word.expansions.size() == 1 && word.expansions.first().operation == u"[@]"
        && word.expansions.first().text.size() == word.value.size();
    return isList || (mayBringOptions(word) && namesImage(next));
}

qsizetype workAt(const QList<ShellWord>& words)
{
    static const QSet<QString> names{u"time"_s, u"nohup"_s, u"command"_s, u"builtin"_s, u"sudo"_s, u"exec"_s};
    qsizetype at = words.size() > 1 && words.first().value == u"-p" ? 1 : 0; // of the keyword time
    while (at + 1 < words.size() && names.contains(baseName(words.at(at).value))) {
        if (words.at(at + 1).value.startsWith(u'-'))
            break;
        ++at;
    }
    return at;
}

bool isService(const QList<ShellWord>& words)
{
    static const QSet<QString> services{u"tensorboard"_s, u"redis-server"_s, u"redis-cli"_s, u"dask-scheduler"_s,
        u"dask-worker"_s, u"nvidia-cuda-mps-control"_s, u"nvidia-cuda-mps-server"_s};
    static const QSet<QString> ofRay{u"start"_s, u"stop"_s, u"status"_s, u"up"_s, u"down"_s, u"list"_s};
    if (words.isEmpty())
        return false;
    const QString name = baseName(words.first().value);
    return services.contains(name) || (name == u"ray" && words.size() > 1 && ofRay.contains(words.at(1).value));
}

bool isTool(const QList<ShellWord>& command)
{
    static const QSet<QString> names{u"tee"_s, u"sbatch"_s, u"scancel"_s, u"scontrol"_s, u"squeue"_s, u"sacct"_s,
        u"git"_s, u"pip"_s, u"pip3"_s, u"awk"_s, u"sed"_s, u"grep"_s, u"sort"_s, u"tar"_s, u"rsync"_s, u"touch"_s,
        u"ln"_s, u"mv"_s, u"ls"_s, u"find"_s, u"head"_s, u"tail"_s, u"wc"_s, u"which"_s, u"printenv"_s, u"clear"_s,
        u"pushd"_s, u"popd"_s, u"shopt"_s, u"read"_s, u"return"_s, u"shift"_s, u"let"_s, u"hash"_s, u"nvcc"_s,
        u"uname"_s, u"lscpu"_s, u"free"_s, u"df"_s, u"du"_s, u"unzip"_s, u"wget"_s, u"curl"_s, u"gunzip"_s,
        u"continue"_s, u"break"_s, u"type"_s, u"alias"_s, u"sync"_s, u"xargs"_s, u"dirname"_s, u"basename"_s,
        u"realpath"_s, u"readlink"_s, u"export"_s, u"false"_s, u"seff"_s, u"sstat"_s, u"spack"_s, u"mkfifo"_s,
        u"disown"_s, u"jobs"_s, u"gcc"_s, u"make"_s, u"cmake"_s, u"id"_s, u"whoami"_s, u"groups"_s, u"lfs"_s, u"ps"_s,
        u"pgrep"_s, u"egrep"_s, u"fgrep"_s, u"apt"_s, u"apt-get"_s, u"yum"_s, u"dnf"_s, u"top"_s, u"pkill"_s,
        u"killall"_s, u"logger"_s, u"mail"_s, u"jq"_s, u"cut"_s, u"tr"_s, u"md5sum"_s, u"sha256sum"_s, u"diff"_s,
        u"cmp"_s, u"stat"_s, u"getopts"_s, u"set"_s, u"enable"_s, u"ssh"_s, u"scp"_s, u"sftp"_s, u"zip"_s, u"rmdir"_s,
        u"deactivate"_s, u"clinfo"_s, u"lspci"_s, u"nproc"_s, u"sysctl"_s, u"lsof"_s, u"wall"_s};
    const QList<ShellWord> words = command.mid(workAt(command));
    if (words.isEmpty())
        return false;
    const QString name = baseName(words.first().value);
    if (name == u"env")
        return words.size() == 1;
    static const QSet<QString> environments{
        u"conda"_s, u"mamba"_s, u"micromamba"_s, u"uv"_s, u"poetry"_s, u"pipenv"_s, u"pixi"_s};
    if (environments.contains(name))
        return words.size() == 1 || words.at(1).value != u"run";
    static const QSet<QString> questions{u"--version"_s, u"-V"_s, u"--help"_s, u"-h"_s};
    if (words.size() == 2 && questions.contains(words.at(1).value))
        return true;
    return names.contains(name) || isService(words);
}

bool prepares(const ShellCommand& command)
{
    static const QSet<QString> names{u"export"_s, u"cd"_s, u"mkdir"_s, u"echo"_s, u"set"_s, u"ulimit"_s, u"module"_s,
        u"ml"_s, u"source"_s, u"."_s, u"unset"_s, u"trap"_s, u":"_s, u"wait"_s, u"exit"_s, u"date"_s, u"hostname"_s,
        u"rm"_s, u"cp"_s, u"sleep"_s, u"declare"_s, u"local"_s, u"printf"_s, u"test"_s, u"["_s, u"chmod"_s, u"cat"_s,
        u"pwd"_s, u"nvidia-smi"_s, u"rocm-smi"_s, u"true"_s, u"kill"_s, u"umask"_s, u"which"_s};
    if (command.kind != ShellCommand::Kind::Simple || command.words.isEmpty())
        return true;
    if (command.name() == u"command" && command.words.size() > 1 && command.words.at(1).value.toLower() == u"-v")
        return true; // asks where a program is
    if (command.name() == u"env")
        return command.words.size() == 1;
    if (command.name() == u"conda" || command.name() == u"mamba")
        return command.words.size() == 1 || command.words.at(1).value != u"run";
    const QString name = command.words.at(workAt(command.words)).value;
    return names.contains(name) || (name.startsWith(u'/') && names.contains(baseName(name)));
}

bool readsOutput(const ShellCommand& command)
{
    static const QSet<QString> names{u"tee"_s, u"cat"_s, u"head"_s, u"tail"_s, u"cut"_s, u"tr"_s, u"sort"_s, u"uniq"_s,
        u"wc"_s, u"nl"_s, u"fold"_s, u"expand"_s, u"grep"_s, u"egrep"_s, u"fgrep"_s, u"sed"_s, u"awk"_s, u"gawk"_s,
        u"mawk"_s, u"ts"_s, u"logger"_s, u"gzip"_s, u"xz"_s, u"zstd"_s};
    return isPipe(command.before) && names.contains(command.name());
}

bool isPythonProgram(const QList<ShellWord>& words)
{
    if (words.isEmpty())
        return false;
    static const QSet<QString> tools{
        u"pip"_s, u"venv"_s, u"virtualenv"_s, u"ensurepip"_s, u"site"_s, u"torch.utils.collect_env"_s};
    if (words.first().value == u"-m")
        return words.size() > 1 && !tools.contains(words.at(1).value);
    return !words.first().value.startsWith(u'-');
}

QString whereItRuns(const ShellCommand& command)
{
    if (command.loopDepth > 0)
        return u"in a loop"_s;
    if (command.conditionDepth > 0 || isAndOr(command.before))
        return u"in a condition"_s;
    if (!command.function.isEmpty())
        return u"in the function %1"_s.arg(command.function);
    return command.subshellDepth > 0 || command.inInnerShell ? u"in a shell of its own"_s : u"within another command"_s;
}

bool isDeclaration(const QString& name)
{
    return name == u"export" || name == u"declare" || name == u"local" || name == u"readonly" || name == u"typeset";
}

bool isShellTextNext(const QList<ShellWord>& words)
{
    if (words.isEmpty())
        return false;
    if (words.size() == 1 && words.first().value == u"eval")
        return true;
    for (qsizetype i = words.size() - 1; i > 0 && i > words.size() - 6; --i) {
        const QString& option = words.at(i).value;
        if (!option.startsWith(u'-') || option.startsWith(u"--"))
            return false;
        if (i == words.size() - 1 && !option.contains(u'c'))
            return false;
        if (isShell(words.at(i - 1).value))
            return true;
    }
    return false;
}

} // namespace rankwright::inline script

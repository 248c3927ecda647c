// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/agentoptions.h"

#include "models/script/batch/optionwords.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Kind = LaunchLayer::Kind;

StarterGrammar torchrunGrammar()
{
    return {Kind::Agent,
        {u"standalone"_s, u"no-python"_s, u"run-path"_s, u"m"_s, u"module"_s, u"use-env"_s, u"virtual-local-rank"_s,
            u"h"_s, u"help"_s},
        {}, true};
}

StarterGrammar accelerateGrammar()
{
    return {Kind::Agent,
        {u"cpu"_s, u"multi-gpu"_s, u"tpu"_s, u"ipex"_s, u"use-xpu"_s, u"use-deepspeed"_s, u"use-fsdp"_s,
            u"use-megatron-lm"_s, u"use-parallelism-config"_s, u"use-mps-device"_s, u"debug"_s, u"m"_s, u"module"_s,
            u"no-python"_s, u"q"_s, u"quiet"_s, u"same-network"_s, u"enable-cpu-affinity"_s, u"tpu-cluster"_s,
            u"no-tpu-cluster"_s, u"tpu-use-sudo"_s, u"downcast-bf16"_s, u"dynamo-use-dynamic"_s,
            u"dynamo-use-fullgraph"_s, u"main-training-function-only"_s, u"h"_s, u"help"_s},
        {}, true};
}

StarterGrammar deepspeedGrammar()
{
    return {Kind::Agent,
        {u"no-python"_s, u"no-local-rank"_s, u"no-ssh"_s, u"no-ssh-check"_s, u"module"_s, u"force-multi"_s,
            u"save-pid"_s, u"bind-cores-to-rank"_s, u"elastic-training"_s, u"use-hostfile"_s, u"h"_s, u"help"_s},
        {}, true};
}

/// Of singularity, apptainer and shifter; each runtime reads some letters in its own way.
StarterGrammar containerGrammar()
{
    return {Kind::Container, {},
        {u"B"_s, u"bind"_s, u"mount"_s, u"H"_s, u"home"_s, u"env"_s, u"env-file"_s, u"overlay"_s, u"o"_s, u"W"_s,
            u"workdir"_s, u"pwd"_s, u"cwd"_s, u"S"_s, u"scratch"_s, u"app"_s, u"add-caps"_s, u"drop-caps"_s,
            u"network"_s, u"network-args"_s, u"hostname"_s, u"dns"_s, u"security"_s, u"apply-cgroups"_s, u"fusemount"_s,
            u"image"_s, u"volume"_s, u"V"_s, u"module"_s, u"entrypoint"_s, u"v"_s, u"m"_s, u"r"_s},
        false};
}

/// After podman-run(1) and docker-run(1), of which podman has the words: -e, -w, -u, -h and -p take a value.
StarterGrammar podmanGrammar()
{
    return {Kind::Container, {},
        {u"e"_s, u"env"_s, u"env-file"_s, u"v"_s, u"volume"_s, u"mount"_s, u"w"_s, u"workdir"_s, u"name"_s, u"u"_s,
            u"user"_s, u"userns"_s, u"net"_s, u"network"_s, u"shm-size"_s, u"group-add"_s, u"device"_s, u"ulimit"_s,
            u"entrypoint"_s, u"h"_s, u"hostname"_s, u"p"_s, u"publish"_s, u"l"_s, u"label"_s, u"ipc"_s, u"pid"_s,
            u"cpus"_s, u"m"_s, u"memory"_s, u"cap-add"_s, u"cap-drop"_s, u"security-opt"_s, u"pull"_s, u"platform"_s,
            u"tmpfs"_s, u"cidfile"_s, u"log-driver"_s, u"log-opt"_s, u"add-host"_s, u"cpuset-cpus"_s, u"cpuset-mems"_s,
            u"c"_s, u"cpu-shares"_s, u"gpus"_s, u"runtime"_s, u"restart"_s, u"a"_s, u"attach"_s, u"dns"_s,
            u"dns-search"_s, u"dns-option"_s, u"link"_s, u"expose"_s, u"stop-signal"_s, u"stop-timeout"_s,
            u"memory-swap"_s, u"memory-swappiness"_s, u"memory-reservation"_s, u"oom-score-adj"_s, u"pids-limit"_s,
            u"storage-opt"_s, u"sysctl"_s, u"uts"_s, u"volumes-from"_s, u"volume-driver"_s, u"cgroup-parent"_s,
            u"cgroupns"_s, u"cgroups"_s, u"network-alias"_s, u"ip"_s, u"mac-address"_s, u"domainname"_s,
            u"label-file"_s, u"device-cgroup-rule"_s, u"blkio-weight"_s, u"uidmap"_s, u"gidmap"_s, u"subuidname"_s,
            u"subgidname"_s, u"pod"_s, u"arch"_s, u"os"_s, u"authfile"_s, u"secret"_s, u"preserve-fds"_s, u"tz"_s,
            u"timeout"_s, u"umask"_s, u"unsetenv"_s, u"systemd"_s, u"sdnotify"_s, u"image-volume"_s, u"hooks-dir"_s,
            u"init-path"_s, u"detach-keys"_s, u"health-cmd"_s, u"health-interval"_s, u"health-retries"_s,
            u"health-timeout"_s, u"health-start-period"_s, u"annotation"_s},
        false};
}

/// After the usage of `sarus run`: -m is its MPI switch.
StarterGrammar sarusGrammar()
{
    return {Kind::Container, {},
        {u"mount"_s, u"w"_s, u"workdir"_s, u"e"_s, u"env"_s, u"entrypoint"_s, u"device"_s, u"annotation"_s, u"pid"_s,
            u"n"_s, u"name"_s, u"mpi-type"_s},
        false};
}

/// After ch-run(1): -g, -u, -m and -s take a value, --set-env and --write-fake only after "=".
StarterGrammar chRunGrammar()
{
    return {Kind::Container, {},
        {u"b"_s, u"bind"_s, u"c"_s, u"cd"_s, u"g"_s, u"gid"_s, u"u"_s, u"uid"_s, u"m"_s, u"mount"_s, u"s"_s,
            u"storage"_s, u"join-pid"_s, u"join-ct"_s, u"join-tag"_s, u"unset-env"_s, u"feature"_s, u"warnings"_s},
        false};
}

/// `uenv run` (docs.cscs.ch).
StarterGrammar uenvGrammar() { return {Kind::Wrapper, {}, {u"v"_s, u"view"_s, u"repo"_s}, false}; }

/// After the usage of `enroot start`: -r and -w are switches.
StarterGrammar enrootGrammar()
{
    return {Kind::Container, {}, {u"c"_s, u"rc"_s, u"conf"_s, u"e"_s, u"env"_s, u"m"_s, u"mount"_s, u"n"_s, u"name"_s},
        false};
}

StarterGrammar mpirunGrammar()
{
    return {Kind::Mpirun, {},
        {u"np"_s, u"n"_s, u"N"_s, u"c"_s, u"npernode"_s, u"ppn"_s, u"perhost"_s, u"H"_s, u"host"_s, u"hosts"_s,
            u"hostfile"_s, u"machinefile"_s, u"f"_s, u"bind-to"_s, u"map-by"_s, u"rank-by"_s, u"x"_s, u"genv"_s,
            u"env"_s, u"wdir"_s, u"rf"_s, u"rankfile"_s, u"cpus-per-proc"_s, u"launcher"_s, u"mca"_s, u"genvlist"_s,
            u"output"_s},
        false};
}

BatchOption started(const ShellWord& word, const QString& name, const QString& typed)
{
    BatchOption option;
    option.name = QString(name).replace(u'_', u'-');
    option.typedName = typed;
    option.written = word.text;
    option.line = word.line;
    option.column = word.column;
    option.endColumn = word.column + static_cast<int>(word.end - word.begin);
    return option;
}

void give(BatchOption& option, const ShellWord& value)
{
    option.hasValue = true;
    option.value = value.value;
    option.word = value;
}

} // namespace

StarterGrammar starterGrammar(const QString& name)
{
    static const QHash<QString, StarterGrammar> known{{u"torchrun"_s, torchrunGrammar()},
        {u"accelerate launch"_s, accelerateGrammar()}, {u"deepspeed"_s, deepspeedGrammar()},
        {u"mpirun"_s, mpirunGrammar()}, {u"container"_s, containerGrammar()}, {u"podman-hpc"_s, podmanGrammar()},
        {u"enroot"_s, enrootGrammar()}, {u"podman"_s, podmanGrammar()}, {u"docker"_s, podmanGrammar()},
        {u"sarus"_s, sarusGrammar()}, {u"ch-run"_s, chRunGrammar()}, {u"uenv"_s, uenvGrammar()},
        {u"horovodrun"_s,
            {Kind::Agent,
                {u"gloo"_s, u"mpi"_s, u"verbose"_s, u"disable-cache"_s, u"check-build"_s, u"tcp"_s, u"autotune"_s,
                    u"no-autotune"_s, u"hierarchical-allreduce"_s, u"no-hierarchical-allreduce"_s,
                    u"hierarchical-allgather"_s, u"no-hierarchical-allgather"_s, u"timeline-mark-cycles"_s,
                    u"no-timeline-mark-cycles"_s, u"stall-check"_s, u"no-stall-check"_s, u"log-with-timestamp"_s,
                    u"log-hide-timestamp"_s, u"prefix-output-with-timestamp"_s},
                {}, true}},
        {u"python"_s, {Kind::Python, {}, {u"W"_s, u"X"_s, u"c"_s, u"check-hash-based-pycs"_s}, false}},
        {u"env"_s, {Kind::Environment, {}, {u"u"_s, u"unset"_s, u"C"_s, u"chdir"_s, u"S"_s}, false}},
        {u"wrapper"_s, {Kind::Wrapper, {}, {}, false}}};
    return known.value(name, known.value(u"torchrun"_s));
}

QList<BatchOption> readStarterOptions(const QList<ShellWord>& words, qsizetype& at, const StarterGrammar& grammar)
{
    QList<BatchOption> options;
    for (; at < words.size(); ++at) {
        const ShellWord& word = words.at(at);
        if (word.value == u"--") {
            ++at;
            break;
        }
        if (word.value.size() < 2 || !word.value.startsWith(u'-'))
            break;
        const qsizetype dashes = word.value.startsWith(u"--") ? 2 : 1;
        const qsizetype equals = word.value.indexOf(u'=');
        const QString typed = equals < 0 ? word.value : word.value.left(equals);
        BatchOption option = started(word, typed.mid(dashes), typed);
        const bool takesValue = grammar.valued.contains(option.name)
            || (grammar.othersTakeValues && !grammar.flags.contains(option.name));
        if (equals >= 0) {
            give(option, wordBehind(word, equals + 1));
        } else if (takesValue && at + 1 < words.size()) {
            give(option, words.at(++at));
            option.written += u' ' + words.at(at).text;
            if (option.name == u"mca" && at + 1 < words.size()) // two words: key and value
                option.value += u' ' + words.at(++at).value;
        }
        options.append(option);
    }
    return options;
}

} // namespace rankwright::inline script

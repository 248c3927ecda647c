// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/slurmoptions.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Argument = SlurmOption::Argument;
using Of = SlurmOption::Of;

struct Row {
    QStringView name;
    char16_t letter;
    Argument argument;
    Of of;
};

// Transcribed from the manual pages of Slurm 22.05, with what slurm_opt.c of 23.02 to 26.05 added: container-id, extra,
// tres-per-task (23.02), external-launcher, tres-bind, treewidth (23.11), segment, stepmgr, sbatch's resv-ports
// (24.05), oom-kill-step (24.11), external, wait-for-children (25.05), consolidate-segments, spread-segments,
// resources,
// --requeue=expedite (25.11), async, ignore-signals (26.05).
constexpr Row rows[] = {
    {u"accel-bind", u'\0', Argument::Required, Of::Srun},
    {u"account", u'A', Argument::Required, Of::Both},
    {u"acctg-freq", u'\0', Argument::Required, Of::Both},
    {u"array", u'a', Argument::Required, Of::Sbatch},
    {u"async", u'\0', Argument::None, Of::Srun},
    {u"batch", u'\0', Argument::Required, Of::Sbatch},
    {u"bb", u'\0', Argument::Required, Of::Both},
    {u"bbf", u'\0', Argument::Required, Of::Both},
    {u"bcast", u'\0', Argument::Optional, Of::Srun},
    {u"bcast-exclude", u'\0', Argument::Required, Of::Srun},
    {u"begin", u'b', Argument::Required, Of::Both},
    {u"chdir", u'D', Argument::Required, Of::Both},
    {u"cluster-constraint", u'\0', Argument::Required, Of::Both},
    {u"clusters", u'M', Argument::Required, Of::Both},
    {u"comment", u'\0', Argument::Required, Of::Both},
    {u"compress", u'\0', Argument::Optional, Of::Srun},
    {u"consolidate-segments", u'\0', Argument::None, Of::Both},
    {u"constraint", u'C', Argument::Required, Of::Both},
    {u"container", u'\0', Argument::Required, Of::Both},
    {u"container-id", u'\0', Argument::Required, Of::Both},
    {u"contiguous", u'\0', Argument::None, Of::Both},
    {u"core-spec", u'S', Argument::Required, Of::Both},
    {u"cores-per-socket", u'\0', Argument::Required, Of::Both},
    {u"cpu-bind", u'\0', Argument::Required, Of::Srun},
    {u"cpu-freq", u'\0', Argument::Required, Of::Both},
    {u"cpus-per-gpu", u'\0', Argument::Required, Of::Both},
    {u"cpus-per-task", u'c', Argument::Required, Of::Both},
    {u"deadline", u'\0', Argument::Required, Of::Both},
    {u"delay-boot", u'\0', Argument::Required, Of::Both},
    {u"dependency", u'd', Argument::Required, Of::Both},
    {u"disable-status", u'X', Argument::None, Of::Srun},
    {u"distribution", u'm', Argument::Required, Of::Both},
    {u"epilog", u'\0', Argument::Required, Of::Srun},
    {u"error", u'e', Argument::Required, Of::Both},
    {u"exact", u'\0', Argument::None, Of::Srun},
    {u"exclude", u'x', Argument::Required, Of::Both},
    {u"exclusive", u'\0', Argument::Optional, Of::Both},
    {u"export", u'\0', Argument::Required, Of::Both},
    {u"export-file", u'\0', Argument::Required, Of::Sbatch},
    {u"external", u'\0', Argument::None, Of::Sbatch},
    {u"external-launcher", u'\0', Argument::Optional, Of::Srun},
    {u"extra", u'\0', Argument::Required, Of::Both},
    {u"extra-node-info", u'B', Argument::Required, Of::Both},
    {u"get-user-env", u'\0', Argument::Optional, Of::Sbatch},
    {u"gid", u'\0', Argument::Required, Of::Both},
    {u"gpu-bind", u'\0', Argument::Required, Of::Both},
    {u"gpu-freq", u'\0', Argument::Required, Of::Both},
    {u"gpus", u'G', Argument::Required, Of::Both},
    {u"gpus-per-node", u'\0', Argument::Required, Of::Both},
    {u"gpus-per-socket", u'\0', Argument::Required, Of::Both},
    {u"gpus-per-task", u'\0', Argument::Required, Of::Both},
    {u"gres", u'\0', Argument::Required, Of::Both},
    {u"gres-flags", u'\0', Argument::Required, Of::Both},
    {u"help", u'h', Argument::None, Of::Both},
    {u"het-group", u'\0', Argument::Required, Of::Srun},
    {u"hint", u'\0', Argument::Required, Of::Both},
    {u"hold", u'H', Argument::None, Of::Both},
    {u"ignore-pbs", u'\0', Argument::None, Of::Sbatch},
    {u"ignore-signals", u'\0', Argument::Required, Of::Srun},
    {u"immediate", u'I', Argument::Optional, Of::Srun},
    {u"input", u'i', Argument::Required, Of::Both},
    {u"interactive", u'\0', Argument::None, Of::Srun},
    {u"job-name", u'J', Argument::Required, Of::Both},
    {u"jobid", u'\0', Argument::Required, Of::Srun},
    {u"kill-on-bad-exit", u'K', Argument::Optional, Of::Srun},
    {u"kill-on-invalid-dep", u'\0', Argument::Required, Of::Sbatch},
    {u"label", u'l', Argument::None, Of::Srun},
    {u"licenses", u'L', Argument::Required, Of::Both},
    {u"mail-type", u'\0', Argument::Required, Of::Both},
    {u"mail-user", u'\0', Argument::Required, Of::Both},
    {u"mcs-label", u'\0', Argument::Required, Of::Both},
    {u"mem", u'\0', Argument::Required, Of::Both},
    {u"mem-bind", u'\0', Argument::Required, Of::Both},
    {u"mem-per-cpu", u'\0', Argument::Required, Of::Both},
    {u"mem-per-gpu", u'\0', Argument::Required, Of::Both},
    {u"mincpus", u'\0', Argument::Required, Of::Both},
    {u"mpi", u'\0', Argument::Required, Of::Srun},
    {u"msg-timeout", u'\0', Argument::Required, Of::Srun},
    {u"multi-prog", u'\0', Argument::None, Of::Srun},
    {u"network", u'\0', Argument::Required, Of::Both},
    {u"nice", u'\0', Argument::Optional, Of::Both},
    {u"no-allocate", u'Z', Argument::None, Of::Srun},
    {u"no-kill", u'k', Argument::Optional, Of::Both},
    {u"no-requeue", u'\0', Argument::None, Of::Sbatch},
    {u"nodefile", u'F', Argument::Required, Of::Both},
    {u"nodelist", u'w', Argument::Required, Of::Both},
    {u"nodes", u'N', Argument::Required, Of::Both},
    {u"ntasks", u'n', Argument::Required, Of::Both},
    {u"ntasks-per-core", u'\0', Argument::Required, Of::Both},
    {u"ntasks-per-gpu", u'\0', Argument::Required, Of::Both},
    {u"ntasks-per-node", u'\0', Argument::Required, Of::Both},
    {u"ntasks-per-socket", u'\0', Argument::Required, Of::Both},
    {u"ntasks-per-tres", u'\0', Argument::Required, Of::Both},
    {u"oom-kill-step", u'\0', Argument::Optional, Of::Both},
    {u"open-mode", u'\0', Argument::Required, Of::Both},
    {u"output", u'o', Argument::Required, Of::Both},
    {u"overcommit", u'O', Argument::None, Of::Both},
    {u"overlap", u'\0', Argument::None, Of::Srun},
    {u"oversubscribe", u's', Argument::None, Of::Both},
    {u"parsable", u'\0', Argument::None, Of::Both},
    {u"partition", u'p', Argument::Required, Of::Both},
    {u"power", u'\0', Argument::Required, Of::Both},
    {u"prefer", u'\0', Argument::Required, Of::Both},
    {u"preserve-env", u'E', Argument::None, Of::Srun},
    {u"priority", u'\0', Argument::Required, Of::Both},
    {u"profile", u'\0', Argument::Required, Of::Both},
    {u"prolog", u'\0', Argument::Required, Of::Srun},
    {u"propagate", u'\0', Argument::Optional, Of::Both},
    {u"pty", u'\0', Argument::Optional, Of::Srun},
    {u"qos", u'q', Argument::Required, Of::Both},
    {u"quiet", u'Q', Argument::None, Of::Both},
    {u"quit-on-interrupt", u'\0', Argument::None, Of::Srun},
    {u"reboot", u'\0', Argument::None, Of::Both},
    {u"relative", u'r', Argument::Required, Of::Srun},
    {u"requeue", u'\0', Argument::Optional, Of::Sbatch},
    {u"reservation", u'\0', Argument::Required, Of::Both},
    {u"resources", u'\0', Argument::Required, Of::Both},
    {u"resv-ports", u'\0', Argument::Optional, Of::Both},
    {u"segment", u'\0', Argument::Required, Of::Both},
    {u"send-libs", u'\0', Argument::Optional, Of::Srun},
    {u"signal", u'\0', Argument::Required, Of::Both},
    {u"slurmd-debug", u'\0', Argument::Required, Of::Srun},
    {u"sockets-per-node", u'\0', Argument::Required, Of::Both},
    {u"spread-job", u'\0', Argument::None, Of::Both},
    {u"spread-segments", u'\0', Argument::None, Of::Both},
    {u"stepmgr", u'\0', Argument::None, Of::Both},
    {u"switches", u'\0', Argument::Required, Of::Both},
    {u"task-epilog", u'\0', Argument::Required, Of::Srun},
    {u"task-prolog", u'\0', Argument::Required, Of::Srun},
    {u"test-only", u'\0', Argument::None, Of::Both},
    {u"thread-spec", u'\0', Argument::Required, Of::Both},
    {u"threads", u'T', Argument::Required, Of::Srun},
    {u"threads-per-core", u'\0', Argument::Required, Of::Both},
    {u"time", u't', Argument::Required, Of::Both},
    {u"time-min", u'\0', Argument::Required, Of::Both},
    {u"tmp", u'\0', Argument::Required, Of::Both},
    {u"treewidth", u'\0', Argument::Required, Of::Srun},
    {u"tres-bind", u'\0', Argument::Required, Of::Both},
    {u"tres-per-task", u'\0', Argument::Required, Of::Both},
    {u"uid", u'\0', Argument::Required, Of::Both},
    {u"unbuffered", u'u', Argument::None, Of::Srun},
    {u"usage", u'\0', Argument::None, Of::Both},
    {u"use-min-nodes", u'\0', Argument::None, Of::Both},
    {u"verbose", u'v', Argument::None, Of::Both},
    {u"version", u'V', Argument::None, Of::Both},
    {u"wait", u'W', Argument::None, Of::Sbatch},
    {u"wait", u'W', Argument::Required, Of::Srun},
    {u"wait-all-nodes", u'\0', Argument::Required, Of::Sbatch},
    {u"wait-for-children", u'\0', Argument::None, Of::Srun},
    {u"wckey", u'\0', Argument::Required, Of::Both},
    {u"whole", u'\0', Argument::None, Of::Srun},
    {u"wrap", u'\0', Argument::Required, Of::Sbatch},
    {u"x11", u'\0', Argument::Optional, Of::Srun},
};

// CSCS's container engine and uenv (docs.cscs.ch), pyxis (github.com/NVIDIA/pyxis, README), shifter (docs.nersc.gov),
// SageMaker HyperPod (auto-resume), CSC (argos, in mvsjober/ml-benchmarks), JSC (cuda-mps, disable-dcgm,
// disable-perfparanoid, in scripts for JUWELS and JURECA), OLCF (gpu-srange, in scripts for Frontier).
constexpr Row pluginRows[] = {
    {u"environment", u'\0', Argument::Required, Of::Both},
    {u"uenv", u'\0', Argument::Required, Of::Both},
    {u"view", u'\0', Argument::Required, Of::Both},
    {u"container-image", u'\0', Argument::Required, Of::Both},
    {u"container-mounts", u'\0', Argument::Required, Of::Both},
    {u"container-name", u'\0', Argument::Required, Of::Both},
    {u"container-save", u'\0', Argument::Required, Of::Both},
    {u"container-workdir", u'\0', Argument::Required, Of::Both},
    {u"container-mount-home", u'\0', Argument::None, Of::Both},
    {u"no-container-mount-home", u'\0', Argument::None, Of::Both},
    {u"container-remap-root", u'\0', Argument::None, Of::Both},
    {u"no-container-remap-root", u'\0', Argument::None, Of::Both},
    {u"container-entrypoint", u'\0', Argument::None, Of::Both},
    {u"no-container-entrypoint", u'\0', Argument::None, Of::Both},
    {u"container-writable", u'\0', Argument::None, Of::Both},
    {u"container-readonly", u'\0', Argument::None, Of::Both},
    {u"container-env", u'\0', Argument::Required, Of::Both},
    {u"image", u'\0', Argument::Required, Of::Both},
    {u"module", u'\0', Argument::Required, Of::Both},
    {u"volume", u'\0', Argument::Required, Of::Both},
    {u"auto-resume", u'\0', Argument::Required, Of::Srun},
    {u"argos", u'\0', Argument::Required, Of::Both},
    {u"cuda-mps", u'\0', Argument::None, Of::Both},
    {u"disable-dcgm", u'\0', Argument::None, Of::Both},
    {u"disable-perfparanoid", u'\0', Argument::None, Of::Both},
    {u"gpu-srange", u'\0', Argument::Required, Of::Both},
};

struct OldName {
    QStringView old;
    QStringView name;
};
// Names that Slurm still reads; "workdir" and "share" it refuses (tried with 22.05).
constexpr OldName oldNames[] = {{u"tasks", u"ntasks"}, {u"tasks-per-node", u"ntasks-per-node"},
    {u"cluster", u"clusters"}, {u"cpu_bind", u"cpu-bind"}, {u"pack-group", u"het-group"}};

QList<SlurmOption> makeTable()
{
    QList<SlurmOption> table;
    for (const Row& row : rows)
        table.append({row.name.toString(), QChar(row.letter), row.argument, row.of, false});
    for (const Row& row : pluginRows)
        table.append({row.name.toString(), QChar(row.letter), row.argument, row.of, true});
    return table;
}

QString currentName(const QString& name)
{
    for (const OldName& old : oldNames) {
        if (name == old.old)
            return old.name.toString();
    }
    return name;
}

} // namespace

const QList<SlurmOption>& slurmOptions()
{
    static const QList<SlurmOption> table = makeTable();
    return table;
}

QStringList slurmOptionsBeginning(const QString& text, SlurmOption::Of command)
{
    QStringList names;
    for (const SlurmOption& option : slurmOptions()) {
        if (!option.plugin && option.takes(command) && option.name.startsWith(text))
            names.append(option.name);
    }
    return names;
}

const SlurmOption* findSlurmOption(const QString& name, SlurmOption::Of command)
{
    using Hash = QHash<QString, const SlurmOption*>;
    static const auto tableOf = [](SlurmOption::Of of) {
        Hash hash;
        for (const SlurmOption& option : slurmOptions()) {
            if (option.takes(of))
                hash.insert(option.name, &option);
        }
        return hash;
    };
    static const Hash ofSbatch = tableOf(Of::Sbatch);
    static const Hash ofSrun = tableOf(Of::Srun);
    const Hash& byName = command == Of::Sbatch ? ofSbatch : ofSrun;
    if (const SlurmOption* option = byName.value(currentName(name)))
        return option;
    const QStringList begun = name.isEmpty() ? QStringList() : slurmOptionsBeginning(name, command);
    return begun.size() == 1 ? byName.value(begun.first()) : nullptr;
}

const SlurmOption* findSlurmOption(QChar letter, SlurmOption::Of command)
{
    const QList<SlurmOption>& table = slurmOptions();
    const auto found = std::find_if(table.cbegin(), table.cend(), [&](const SlurmOption& option) {
        return !letter.isNull() && option.letter == letter && option.takes(command);
    });
    return found != table.cend() ? &*found : nullptr;
}

} // namespace rankwright::inline script

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/scriptsettings.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::test {
namespace {

/// The variables that the comparison is about: who is who, where one meets, what a rank sees.
const QStringList& comparedVariables()
{
    static const QStringList names{u"CUDA_VISIBLE_DEVICES"_s, u"LOCAL_RANK"_s, u"LOCAL_WORLD_SIZE"_s, u"MASTER_ADDR"_s,
        u"MASTER_PORT"_s, u"RANK"_s, u"ROCR_VISIBLE_DEVICES"_s, u"WORLD_SIZE"_s};
    return names;
}

/// Variables of the site: what a published script sets, ours has to set somewhere, too. Not NCCL_NET_GDR_LEVEL, which
/// LUMI's older scripts set and the site took out of its guide.
const QStringList& siteVariables()
{
    static const QStringList names{u"MIOPEN_CUSTOM_CACHE_DIR"_s, u"MIOPEN_USER_DB_PATH"_s, u"NCCL_SOCKET_IFNAME"_s,
        u"CUDA_DEVICE_MAX_CONNECTIONS"_s};
    return names;
}

QString namesIn(const QStringList& all, const QStringList& found)
{
    QStringList names;
    for (const QString& name : all) {
        if (found.contains(name))
            names.append(name);
    }
    return names.isEmpty() ? u"none"_s : names.join(u' ');
}

QMap<QString, QString> assignments(const QString& text)
{
    static const QRegularExpression exports(u"(?:^|;|')\\s*export ([^;\n]+)"_s, QRegularExpression::MultilineOption);
    static const QRegularExpression name(u"(?:^|\\s)([A-Z_][A-Z0-9_]*)(?:=(\"[^\"]*\"|\\S*)|(?=\\s|$))"_s);
    QMap<QString, QString> found;
    for (const QRegularExpressionMatch& one : exports.globalMatch(text)) {
        for (const QRegularExpressionMatch& assigned : name.globalMatch(one.captured(1)))
            found.insert(assigned.captured(1), assigned.captured(2));
    }
    return found;
}

void readLaunch(ReadScript& read)
{
    static const QRegularExpression option(u"\\s--?([A-Za-z][-_A-Za-z0-9]*)(?:=(\"[^\"]*\"|\\S+))?"_s);
    for (const QRegularExpressionMatch& one : option.globalMatch(read.command)) {
        QString value = one.captured(2);
        if (value.startsWith(u'"') && value.endsWith(u'"'))
            value = value.mid(1, value.size() - 2);
        read.launch.insert(one.captured(1).replace(u'-', u'_'), value);
    }
}

int number(const ReadScript& script, const QString& key) { return script.directives.value(key).toInt(); }

int gpusPerNode(const ReadScript& script)
{
    static const QRegularExpression gres(u"^gpu:(?:[^:,]+:)?(\\d+)"_s);
    const QString count = script.directives.value(u"gpus-per-node"_s);
    if (!count.isEmpty())
        return count.section(u':', -1).toInt();
    const auto match = gres.match(script.directives.value(u"gres"_s));
    return match.hasMatch() ? match.captured(1).toInt() : 0;
}

int workersPerNode(const ReadScript& script)
{
    if (script.launch.contains(u"nproc_per_node"_s))
        return script.launch.value(u"nproc_per_node"_s).toInt();
    if (script.launch.contains(u"num_processes"_s))
        return script.launch.value(u"num_processes"_s).toInt() / qMax(1, number(script, u"nodes"_s));
    static const QRegularExpression deepspeed(u"\\sdeepspeed\\s"_s);
    if (deepspeed.match(script.command).hasMatch())
        return gpusPerNode(script);
    return number(script, u"ntasks-per-node"_s);
}

QString runtimeOf(const QString& command)
{
    static const QRegularExpression container(u"\\b(singularity|apptainer) (?:run|exec)\\b"_s);
    const auto match = container.match(command);
    return match.hasMatch() ? match.captured(1) : u"none"_s;
}

int bindings(const QString& cpuBind)
{
    static const QRegularExpression list(u"(?:mask|map)_cpu[:=]([^ ]+)"_s);
    const auto match = list.match(cpuBind);
    return match.hasMatch() ? static_cast<int>(match.captured(1).split(u',').size()) : 0;
}

/// A published value with its correction: null leaves the key out.
QJsonValue corrected(const ScriptCase& one, const QString& part, const QString& key)
{
    const QJsonObject fixed = one.corrected().value(part).toObject();
    return fixed.contains(key) ? fixed.value(key) : one.expected().value(part).toObject().value(key);
}

QStringList sorted(QStringList names)
{
    names.sort();
    return names;
}

} // namespace

ReadScript readScript(const QString& script)
{
    ReadScript read;
    static const QRegularExpression directive(
        u"^#SBATCH --([a-z-]+)(?:=(\\S+))?$"_s, QRegularExpression::MultilineOption);
    for (const QRegularExpressionMatch& one : directive.globalMatch(script))
        read.directives.insert(one.captured(1), one.captured(2));
    static const QRegularExpression comment(u"^#.*\n"_s, QRegularExpression::MultilineOption);
    read.text = QString(script).remove(comment).replace(u"\\\n"_s, u" "_s);
    static const QRegularExpression taskShell(u"bash -c '([^']*)' _"_s);
    const QRegularExpressionMatch shell = taskShell.match(read.text);
    if (shell.captured(0).contains(u"cores=("_s)) // the worker's shell sets nothing
        read.task.clear();
    else
        read.task = assignments(shell.captured(1));
    QString outside = read.text;
    outside.remove(shell.captured(0));
    read.batch = assignments(outside);
    read.command = read.text.mid(read.text.indexOf(u"\nsrun "_s) + 1).section(u"\n#"_s, 0, 0).simplified();
    readLaunch(read);
    static const QRegularExpression masks(u"CPU_BIND_MASKS=\"([^\"]*)\""_s);
    if (read.launch.contains(u"cpu_bind"_s))
        read.masks = static_cast<int>(masks.match(read.text).captured(1).split(u',', Qt::SkipEmptyParts).size());
    return read;
}

Settings settingsOf(const ReadScript& script)
{
    const int nodes = number(script, u"nodes"_s);
    const int tasks = number(script, u"ntasks-per-node"_s);
    Settings settings;
    const auto set = [&](const QString& key, qint64 value) { settings.insert(key, QString::number(value)); };
    // Where Slurm does not count GPUs, whole nodes are asked for, and each GPU gets its worker.
    const bool uncounted = gpusPerNode(script) == 0 && script.directives.contains(u"exclusive"_s);
    set(u"gpus_total"_s, nodes * (uncounted ? workersPerNode(script) : gpusPerNode(script)));
    set(u"tasks_per_node"_s, tasks);
    set(u"workers_per_node"_s, workersPerNode(script));
    set(u"world_size"_s, nodes * workersPerNode(script));
    set(u"cpus_per_node"_s, number(script, u"cpus-per-task"_s) * tasks);
    set(u"masks"_s, script.masks);
    const Result<Bytes> memory = parseSlurmMemory(script.directives.value(u"mem"_s));
    set(u"mem_gib_per_node"_s, memory ? qRound64(double(memory->count) / double(1 << 30)) : 0);
    settings.insert(u"standalone"_s, script.launch.contains(u"standalone"_s) ? u"yes"_s : u"no"_s);
    settings.insert(u"rdzv_backend"_s, script.launch.value(u"rdzv_backend"_s, u"none"_s));
    settings.insert(u"container"_s, runtimeOf(script.command));
    settings.insert(u"env"_s, namesIn(comparedVariables(), script.batch.keys()));
    settings.insert(u"env_task"_s, namesIn(comparedVariables(), script.task.keys()));
    settings.insert(u"site_env"_s, namesIn(siteVariables(), script.batch.keys() + script.task.keys()));
    return settings;
}

Settings settingsOf(const ScriptCase& one)
{
    const QJsonObject derived = one.expected().value(u"derived"_s).toObject();
    const QJsonObject launch = one.expected().value(u"launch"_s).toObject();
    const QJsonObject sbatch = one.corrected().value(u"sbatch"_s).toObject();
    Settings settings;
    const auto set = [&](const QString& key, qint64 value) { settings.insert(key, QString::number(value)); };
    for (const QString& key : {u"gpus_total"_s, u"tasks_per_node"_s, u"workers_per_node"_s, u"world_size"_s})
        set(key, derived.value(key).toInt());
    if (sbatch.value(u"cpus-per-task"_s).isDouble())
        set(u"cpus_per_node"_s, sbatch.value(u"cpus-per-task"_s).toInt() * derived.value(u"tasks_per_node"_s).toInt());
    else if (derived.contains(u"cpus_per_node"_s))
        set(u"cpus_per_node"_s, derived.value(u"cpus_per_node"_s).toInt());
    if (derived.contains(u"mem_gib_per_node"_s))
        set(u"mem_gib_per_node"_s, qRound64(derived.value(u"mem_gib_per_node"_s).toDouble()));
    set(u"masks"_s, bindings(launch.value(u"cpu_bind"_s).toString()));
    settings.insert(u"standalone"_s, corrected(one, u"launch"_s, u"standalone"_s).toBool() ? u"yes"_s : u"no"_s);
    settings.insert(u"rdzv_backend"_s, launch.value(u"rdzv"_s).toObject().value(u"backend"_s).toString(u"none"_s));
    const QString runtime = launch.value(u"container"_s).toObject().value(u"runtime"_s).toString();
    settings.insert(u"container"_s, runtime == u"singularity" || runtime == u"apptainer" ? runtime : u"none"_s);
    const QStringList batch = one.expected().value(u"env"_s).toObject().keys();
    const QStringList task = one.expected().value(u"env_task"_s).toObject().keys();
    settings.insert(u"env"_s, namesIn(comparedVariables(), batch));
    settings.insert(u"env_task"_s, namesIn(comparedVariables(), task));
    settings.insert(u"site_env"_s, namesIn(siteVariables(), sorted(batch + task)));
    return settings;
}

bool matches(const QString& entry, const ReadScript& script)
{
    static const QRegularExpression grammar(u"^(sbatch|env|env_task|launch|text):([^=!]*)(?:(!?=)(.*))?$"_s);
    if (entry.startsWith(u"text:"_s))
        return QRegularExpression(entry.mid(5), QRegularExpression::MultilineOption).match(script.text).hasMatch();
    const auto parts = grammar.match(entry);
    if (!parts.hasMatch())
        return false;
    const QString kind = parts.captured(1);
    const auto& values = kind == u"sbatch" ? script.directives
        : kind == u"env"                   ? script.batch
        : kind == u"env_task"              ? script.task
                                           : script.launch;
    const QString key = kind == u"launch" ? parts.captured(2).replace(u'-', u'_') : parts.captured(2);
    if (!values.contains(key))
        return false;
    if (parts.captured(3) == u"!=")
        return values.value(key) != parts.captured(4);
    return parts.captured(3).isEmpty() || QRegularExpression(parts.captured(4)).match(values.value(key)).hasMatch();
}

} // namespace rankwright::test

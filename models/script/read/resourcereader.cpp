// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/resourcereader.h"

#include "models/script/batch/scriptcluster.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// "2" or "2-4" (sbatch(1), --nodes): the least number, which the job will get at least.
std::optional<int> leastNodes(const QString& text, bool& isRange)
{
    static const QRegularExpression form(u"^\\s*(\\d{1,6})(?:\\s*-\\s*(\\d{1,6}))?\\s*$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || match.captured(1).toInt() == 0)
        return std::nullopt;
    isRange = !match.captured(2).isEmpty() && match.captured(1) != match.captured(2);
    return match.captured(1).toInt();
}

/// The count of "4", "a100:4" (--gpus-per-node) or "gpu:a100:4", "gpu:4", "gpu" (--gres).
std::optional<int> gpuCount(const QString& text)
{
    const QString last = text.section(u'(', 0, 0).section(u':', -1);
    bool fine = false;
    const int count = last.toInt(&fine);
    if (fine)
        return count > 0 ? std::optional(count) : std::nullopt;
    return text.startsWith(u"gpu") ? std::optional(1) : std::nullopt;
}

class SizeReader {
public:
    explicit SizeReader(ReadState& state) : m_state(state), m_spec(state.reading.spec) { }

    void run()
    {
        readTasks();
        readGpus();
        guessNodes();
        readTotalGpus();
        readCores();
        readMemory();
    }

private:
    const BatchOption* taken(const QString& name)
    {
        const BatchOption* option = m_state.stepOption(name);
        if (option != nullptr)
            m_state.usedOptions.insert(name);
        return option;
    }

    /// The step's text, or the directive's where only the job knows the step's: --gpus-per-node=$SLURM_GPUS_PER_NODE.
    QString textOf(const BatchOption& option) const
    {
        const BatchOption* directive = m_state.batch.option(option.name);
        return m_state.valueOf(option).value_or(directive != nullptr ? directive->value : QString());
    }

    void readTasks()
    {
        if (const BatchOption* nodes = taken(u"nodes"_s)) {
            bool isRange = false;
            auto count = leastNodes(m_state.valueOf(*nodes).value_or(QString()), isRange);
            if (!count) {
                nodes = m_state.batch.option(u"nodes"_s);
                count = nodes != nullptr ? leastNodes(nodes->value, isRange) : std::nullopt;
            }
            if (count) {
                m_spec.resources.nodes = count;
                m_state.understand(field::nodes, nodes->line);
            }
            if (nodes != nullptr && (isRange || !count))
                m_state.miss(nodes->line, nodes->written,
                    isRange ? u"A range of nodes: the smallest number is taken."_s
                            : u"Not a number of nodes that can be read."_s);
        }
        m_perNode = m_state.number(taken(u"ntasks-per-node"_s));
        m_tasks = m_state.number(taken(u"ntasks"_s));
        if (!m_spec.resources.nodes && m_tasks && m_perNode && *m_tasks % *m_perNode == 0)
            setNodes(*m_tasks / *m_perNode, u"ntasks"_s);
        else if (!m_spec.resources.nodes && m_tasks == 1)
            setNodes(1, u"ntasks"_s);
        if (!m_perNode && m_tasks && m_spec.resources.nodes && *m_tasks % *m_spec.resources.nodes == 0)
            m_perNode = *m_tasks / *m_spec.resources.nodes;
    }

    void setNodes(int count, const QString& option)
    {
        m_spec.resources.nodes = count;
        m_state.understand(field::nodes, m_state.stepOption(option)->line);
    }

    void setGpus(int count, const BatchOption& option)
    {
        m_spec.resources.gpusPerNode = count;
        m_state.understand(field::gpusPerNode, option.line);
    }

    void readGres()
    {
        const BatchOption* gres = taken(u"gres"_s);
        if (gres == nullptr)
            return;
        for (const QString& part : textOf(*gres).split(u',')) {
            const QString item = part.trimmed();
            if (item == u"gpu" || item.startsWith(u"gpu:")) {
                if (const auto count = gpuCount(item))
                    setGpus(*count, *gres);
            } else if (item.startsWith(u"nvme:")) {
                bool fine = false;
                const int gib = item.mid(5).toInt(&fine);
                if (fine && gib > 0) {
                    m_spec.options.localDisk = Bytes::gib(gib);
                    m_state.understand(field::localDisk, gres->line);
                }
            } else if (!item.isEmpty() && item != u"none") {
                m_state.miss(gres->line, gres->written, u"There is no field for “%1”."_s.arg(item));
            }
        }
    }

    void readGpus()
    {
        readGres();
        if (const BatchOption* perNode = taken(u"gpus-per-node"_s)) {
            if (const auto count = gpuCount(textOf(*perNode)))
                setGpus(*count, *perNode);
        }
        if (m_spec.resources.gpusPerNode)
            return;
        if (const BatchOption* perTask = taken(u"gpus-per-task"_s)) {
            if (const auto count = gpuCount(textOf(*perTask)))
                setGpus(*count * m_perNode.value_or(1), *perTask);
        }
    }

    /// Several tasks and no node count: one agent each on a node, or as many ranks on a node as it has GPUs.
    void guessNodes()
    {
        if (m_spec.resources.nodes || !m_tasks)
            return;
        const bool agent = m_state.layer(LaunchLayer::Kind::Agent) != nullptr;
        if (m_spec.resources.gpusPerNode && !agent && *m_tasks % *m_spec.resources.gpusPerNode == 0)
            setNodes(*m_tasks / *m_spec.resources.gpusPerNode, u"ntasks"_s);
        else if (agent)
            setNodes(*m_tasks, u"ntasks"_s);
        if (m_spec.resources.nodes && *m_tasks % *m_spec.resources.nodes == 0)
            m_perNode = *m_tasks / *m_spec.resources.nodes;
    }

    void readTotalGpus()
    {
        const BatchOption* total = taken(u"gpus"_s);
        const int nodes = m_spec.resources.nodes.value_or(1);
        if (!m_spec.resources.gpusPerNode && total != nullptr) {
            const auto count = gpuCount(textOf(*total));
            if (count && *count % nodes == 0)
                setGpus(*count / nodes, *total);
            else
                m_state.miss(total->line, total->written, u"This total does not give the same number on every node."_s);
        }
        if (m_spec.resources.gpusPerNode)
            return;
        // no GPU option: clusters without gres give whole nodes, and the launcher says how many workers a node has
        const LaunchLayer* agent = m_state.layer(LaunchLayer::Kind::Agent);
        const BatchOption* workers = agent != nullptr ? agent->option(u"nproc-per-node"_s) : nullptr;
        if (const auto count = m_state.number(workers))
            setGpus(*count, *workers);
        else if (agent == nullptr && m_perNode.value_or(1) > 1)
            m_spec.resources.gpusPerNode = m_perNode;
        else
            readWorkersByHand();
    }

    /// GPUS_PER_NODE=8, NUM_GPUS=4: variables that nearly every script calls so.
    void readWorkersByHand()
    {
        static const QStringList names{u"GPUS_PER_NODE"_s, u"NUM_GPUS"_s, u"NUM_GPUS_PER_NODE"_s, u"NGPUS"_s, u"GPUS"_s,
            u"NPROC_PER_NODE"_s, u"num_gpus"_s, u"SLURM_GPUS_ON_NODE"_s};
        for (const QString& name : names) {
            const BatchVariable* variable = m_state.batch.variable(name);
            bool fine = false;
            const int count = variable != nullptr
                ? staticValue(m_state.batch, variable->value, variable->line).value_or(QString()).toInt(&fine)
                : 0;
            if (fine && count > 0 && count <= 64) {
                m_spec.resources.gpusPerNode = count;
                m_state.understand(field::gpusPerNode, variable->line);
                return;
            }
        }
    }

    void readCores()
    {
        const int gpus = m_spec.resources.gpusPerNode.value_or(1);
        if (const BatchOption* perGpu = taken(u"cpus-per-gpu"_s)) {
            m_spec.resources.cpusPerGpu = m_state.number(perGpu);
            m_state.understand(field::cpusPerGpu, perGpu->line);
            return;
        }
        const BatchOption* perTask = m_state.batch.option(u"cpus-per-task"_s);
        if (perTask == nullptr)
            perTask = m_state.stepOption(u"cpus-per-task"_s);
        m_state.usedOptions.insert(u"cpus-per-task"_s);
        const auto count = m_state.number(perTask);
        if (!count)
            return;
        const qint64 cores = qint64(*count) * m_perNode.value_or(1);
        if (cores % gpus != 0 || cores / gpus > 4096) {
            m_state.usedOptions.remove(u"cpus-per-task"_s);
            m_state.miss(perTask->line, perTask->written, u"These cores are not a whole number for each GPU."_s);
            return;
        }
        m_spec.resources.cpusPerGpu = static_cast<int>(cores / gpus);
        m_state.understand(field::cpusPerGpu, perTask->line);
    }

    void readMemory()
    {
        struct Form {
            QLatin1StringView option;
            qint64 times;
        };
        const qint64 gpus = m_spec.resources.gpusPerNode.value_or(1);
        const qint64 cores = gpus * m_spec.resources.cpusPerGpu.value_or(1);
        for (const Form& form : {Form{"mem"_L1, 1}, Form{"mem-per-gpu"_L1, gpus}, Form{"mem-per-cpu"_L1, cores}}) {
            const BatchOption* option = m_state.batch.option(form.option);
            if (option == nullptr)
                continue;
            m_state.usedOptions.insert(option->name);
            const Result<Bytes> memory = parseSlurmMemory(option->value);
            if (!memory) {
                m_state.usedOptions.remove(option->name);
                m_state.miss(option->line, option->written, memory.error().what + u'.');
            } else if (memory->count > 0 && memory->count < (qint64(1) << 50)) {
                m_spec.resources.memoryPerNode = Bytes{memory->count * form.times};
                m_state.understand(field::memoryPerNode, option->line);
            } else {
                m_state.understand(field::memoryPerNode, option->line); // 0: all that there is, which is the usual
            }
        }
    }

    ReadState& m_state;
    JobSpec& m_spec;
    std::optional<int> m_perNode; ///< tasks
    std::optional<int> m_tasks;
};

} // namespace

namespace {

/// Partition, QoS and constraint together are a queue of the catalogue; it takes the place of those options that it
/// writes itself. What the script leaves out is not added: then Slurm's own name stays.
void readQueue(ReadState& state)
{
    JobSpec& spec = state.reading.spec;
    auto& options = spec.options;
    const QString partition = spec.partition.value_or(QString()), qos = options.qos.value_or(QString());
    const QString constraint = options.constraint.value_or(QString());
    if (partition.isEmpty() && qos.isEmpty() && constraint.isEmpty() && !spec.account)
        return;
    const Partition* entry = state.profile.partitionAsked(
        {partition, qos, constraint, spec.account.value_or(QString()), gpuTypeOf(state.batch)});
    if (entry == nullptr || (!entry->qos.isEmpty() && entry->qos != qos)
        || (!entry->constraint.isEmpty() && entry->constraint != constraint))
        return;
    const bool named = !partition.isEmpty() || (!qos.isEmpty() && (qos == entry->qos || qos == entry->defaultQos))
        || (!constraint.isEmpty() && (constraint == entry->constraint || !gpuKinds(constraint).isEmpty()));
    if (!named)
        return;
    if (partition.isEmpty())
        state.understand(field::partition, state.batch.option(constraint.isEmpty() ? u"qos"_s : u"constraint"_s)->line);
    spec.partition = entry->name;
    if (!entry->qos.isEmpty())
        options.qos.reset();
    if (!entry->constraint.isEmpty())
        options.constraint.reset();
}

} // namespace

void readSize(ReadState& state) { SizeReader(state).run(); }

void readDirectiveFields(ReadState& state)
{
    JobSpec& spec = state.reading.spec;
    const auto read = [&](const QString& name, QLatin1StringView path, std::optional<QString>& out) {
        const BatchOption* option = state.batch.option(name);
        if (option == nullptr || !option->hasValue)
            return;
        out = option->value;
        state.usedOptions.insert(name);
        state.understand(path, option->line);
    };
    std::optional<QString> name;
    read(u"job-name"_s, field::name, name);
    spec.name = name.value_or(QString());
    read(u"account"_s, field::account, spec.account);
    read(u"partition"_s, field::partition, spec.partition);
    read(u"reservation"_s, field::reservation, spec.reservation);
    read(u"chdir"_s, field::workdir, spec.workdir);
    read(u"uenv"_s, field::uenv, spec.environment.uenv);
    std::optional<QString> view;
    read(u"view"_s, field::uenv, view);
    if (spec.environment.uenv && view && *view != u"default")
        *spec.environment.uenv += u' ' + *view;
    auto& options = spec.options;
    read(u"qos"_s, field::qos, options.qos);
    read(u"constraint"_s, field::constraint, options.constraint);
    readQueue(state);
    read(u"exclude"_s, field::exclude, options.exclude);
    read(u"signal"_s, field::signal, options.signal);
    read(u"array"_s, field::array, options.array);
    read(u"dependency"_s, field::dependency, options.dependency);
    read(u"output"_s, field::output, options.output);
    read(u"error"_s, field::error, options.error);
    read(u"mail-user"_s, field::mailUser, options.mailUser);
    read(u"mail-type"_s, field::mailType, options.mailType);
    QStringList mailTypes; // the one option that adds up
    for (const BatchOption& option : state.batch.optionsNamed(u"mail-type"_s))
        mailTypes.append(option.value);
    if (mailTypes.size() > 1)
        options.mailType = mailTypes.join(u',');
    for (const QString& flag : {u"requeue"_s, u"no-requeue"_s}) {
        if (const BatchOption* option = state.batch.option(flag)) {
            options.requeue = flag == u"requeue";
            state.usedOptions.insert(flag);
            state.understand(field::requeue, option->line);
        }
    }
    if (const BatchOption* option = state.batch.option(u"exclusive"_s); option != nullptr && !option->hasValue) {
        options.exclusive = true;
        state.usedOptions.insert(option->name);
        state.understand(field::exclusive, option->line);
    }
    if (const BatchOption* option = state.batch.option(u"time"_s)) {
        const Result<Seconds> time = parseSlurmTime(option->value);
        if (time && time->count > 0) {
            spec.time = *time;
            state.usedOptions.insert(option->name);
            state.understand(field::time, option->line);
        } else if (!time) {
            state.miss(option->line, option->written, time.error().what + u'.');
        }
    }
    if (options.output == u"%x-%j.out" || (options.output == u"%x-%A_%a.out" && options.array))
        options.output.reset(); // what is written anyway
    const BatchOption* mode = state.batch.option(u"open-mode"_s);
    if (mode != nullptr && mode->value == u"append")
        state.usedOptions.insert(mode->name);
}

} // namespace rankwright::inline script

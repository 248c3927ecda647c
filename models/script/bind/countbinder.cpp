// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/countbinder.h"

#include "models/script/bind/authorspelling.h"

#include <QHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

class CountBinder : public FieldBinder {
public:
    using FieldBinder::FieldBinder;

    void run()
    {
        for (const BatchOption& option : batch().options)
            countDirective(option);
        for (const Launch& launch : std::as_const(m_choice.launches))
            countLaunch(launch);
        noteFirstNode();
        countVariables();
        bindSize();
        bindCpus();
    }

private:
    using Of = CountPlace::Of;

    void countDirective(const BatchOption& option)
    {
        const BatchOption* last = batch().option(option.name);
        if (!option.hasValue || option.valueColumn <= 0 || (last != nullptr && last->value != option.value))
            return;
        const TextRange range = valueRange(option);
        const qsizetype before = m_out.counts.size();
        countOption(option.name, option.value, option.written, option.line, range,
            batch().text.mid(range.begin, range.end - range.begin));
        for (qsizetype i = before; i < m_out.counts.size(); ++i)
            m_out.counts[i].isDirective = true;
    }

    /// An option of sbatch or srun whose value is written in one piece, `raw`, at `range`.
    void countOption(const QString& name, const QString& value, const QString& written, int line,
        const TextRange& range, const QString& raw)
    {
        static const QHash<QString, Of> plain{
            {u"nodes"_s, Of::Nodes}, {u"ntasks"_s, Of::TasksOfJob}, {u"ntasks-per-node"_s, Of::Tasks}};
        if (plain.contains(name)) {
            bool fine = false;
            const qint64 number = value.toLongLong(&fine);
            const qsizetype at = raw.indexOf(value);
            if (fine && number > 0 && at >= 0)
                addCount(
                    {plain.value(name), number, {range.begin + at, range.begin + at + value.size()}, written, line});
            return;
        }
        static const QHash<QString, Of> gpus{{u"gres"_s, Of::Gpus}, {u"gpus-per-node"_s, Of::Gpus},
            {u"gpus"_s, Of::GpusOfJob}, {u"gpus-per-task"_s, Of::GpusOfTask}, {u"tres-per-task"_s, Of::GpusOfTask}};
        if (!gpus.contains(name))
            return;
        const bool isGres = name == u"gres" || name == u"tres-per-task";
        if (const auto count = isGres ? gresGpuCount(raw) : gpuCount(raw)) {
            addCount({gpus.value(name), count->number, {range.begin + count->begin, range.begin + count->end}, written,
                line});
        }
    }

    void addCount(CountPlace place)
    {
        place.range = withName(place.range);
        const auto same = [&](const CountPlace& other) { return other.of == place.of && other.range == place.range; };
        if (std::none_of(m_out.counts.cbegin(), m_out.counts.cend(), same))
            m_out.counts.append(place);
    }

    /// A number among the words of a command: typed there, in a variable that reaches it, or as the factor of a product
    /// whose others are Slurm's number of nodes.
    void countWord(Of of, const ShellWord& word, int use, const QString& written, const QString& option = {})
    {
        if (!option.isEmpty()) {
            const TracedValue traced = m_tracer->trace(word, use);
            if (traced.isCertain() && traced.isOnePlace() && m_tracer->doubtAt(traced.origins.first(), use).isEmpty()) {
                countOption(option, traced.text, written, word.line,
                    inText(traced.origins.first(), traced.origins.last() + 1), traced.text);
            }
        }
        const QList<ValueTracer::Factor> factors = m_tracer->factors(word, use);
        const bool isTotal = CountPlace{of, 0, {}, {}}.isOfJob();
        static const QSet<QString> nodeNames{u"SLURM_NNODES"_s, u"SLURM_JOB_NUM_NODES"_s};
        QList<ValueTracer::Factor> plain;
        bool byNodes = false;
        for (const ValueTracer::Factor& factor : factors) {
            if (factor.number.value_or(0) > 0)
                plain.append(factor);
            else if (nodeNames.contains(factor.variable) && !byNodes)
                byNodes = true;
            else
                return;
        }
        if (plain.size() != 1 || !plain.first().typed || (byNodes && !isTotal) || (factors.size() > 1 && !byNodes))
            return;
        const ValueTracer::Factor& number = plain.first();
        if (!m_tracer->doubtAt(number.typed->begin, use).isEmpty())
            return;
        if (!byNodes && !option.isEmpty())
            return; // counted above
        const Of counted = !byNodes    ? of
            : of == Of::TasksOfJob     ? Of::Tasks
            : of == Of::ProcessesOfJob ? Of::Processes
            : of == Of::GpusOfJob      ? Of::Gpus
                                       : of;
        CountPlace place{counted, *number.number, inText(number.typed->begin, number.typed->end), written, word.line};
        place.isFactor = byNodes;
        addCount(place);
    }

    void countLaunch(const Launch& launch)
    {
        m_out.agentStartsRanks = m_out.agentStartsRanks || launch.layer(Kind::Agent) != nullptr;
        if (!speaksForJob(launch))
            return;
        for (const LaunchLayer& layer : launch.layers) {
            for (const BatchOption& option : layer.options) {
                if (!option.word)
                    continue;
                if (layer.kind == Kind::Srun)
                    countStepOption(option, launch.command);
                else if (layer.kind == Kind::Agent)
                    countAgentOption(layer, option, launch.command);
                else if (layer.kind == Kind::Mpirun)
                    countMpiOption(option, launch.command);
            }
            if (layer.kind == Kind::Agent && layer.option(u"standalone"_s) != nullptr) {
                m_out.oneNodeOnly
                    = u"torchrun --standalone (line %1) starts the ranks of one node only: give it a rendezvous first, in the text."_s
                          .arg(layer.line);
            }
        }
    }

    /// torchrun or accelerate in the batch shell; deepspeed and horovodrun reach the other nodes themselves.
    void noteFirstNode()
    {
        const QList<Launch>& launches = m_choice.launches;
        const bool inBatchShell = std::all_of(launches.cbegin(), launches.cend(), [](const Launch& launch) {
            const LaunchLayer* agent = launch.layer(Kind::Agent);
            return agent != nullptr && (agent->name == u"torchrun" || agent->name == u"accelerate launch")
                && !launch.viaSrun() && launch.layer(Kind::Mpirun) == nullptr && launch.layer(Kind::Wrapper) == nullptr;
        });
        if (launches.isEmpty() || !inBatchShell)
            return;
        const LaunchLayer* agent = launches.last().layer(Kind::Agent);
        m_out.firstNodeOnly
            = u"%1 (line %2) starts on the first node only: put srun in front of it in the text."_s.arg(agent->name)
                  .arg(agent->line);
    }

    void countStepOption(const BatchOption& option, int use)
    {
        static const QHash<QString, Of> counted{{u"nodes"_s, Of::Nodes}, {u"ntasks"_s, Of::TasksOfJob},
            {u"ntasks-per-node"_s, Of::Tasks}, {u"gpus"_s, Of::GpusOfJob}, {u"gpus-per-node"_s, Of::Gpus},
            {u"gres"_s, Of::Gpus}, {u"gpus-per-task"_s, Of::GpusOfTask}};
        if (counted.contains(option.name))
            countWord(counted.value(option.name), *option.word, use, option.written, option.name);
    }

    void countAgentOption(const LaunchLayer& layer, const BatchOption& option, int use)
    {
        static const QHash<QString, Of> counted{{u"nnodes"_s, Of::Nodes}, {u"nproc-per-node"_s, Of::Processes},
            {u"num-machines"_s, Of::Nodes}, {u"num-processes"_s, Of::ProcessesOfJob}, {u"num-nodes"_s, Of::Nodes},
            {u"num-gpus"_s, Of::Processes}, {u"np"_s, Of::ProcessesOfJob}, {u"num-proc"_s, Of::ProcessesOfJob}};
        if (!counted.contains(option.name))
            return;
        countWord(counted.value(option.name), *option.word, use, option.written);
        Q_UNUSED(layer)
    }

    void countMpiOption(const BatchOption& option, int use)
    {
        static const QHash<QString, Of> counted{{u"np"_s, Of::TasksOfJob}, {u"n"_s, Of::TasksOfJob},
            {u"c"_s, Of::TasksOfJob}, {u"npernode"_s, Of::Tasks}, {u"ppn"_s, Of::Tasks}, {u"perhost"_s, Of::Tasks},
            {u"N"_s, Of::Tasks}};
        if (counted.contains(option.name))
            countWord(counted.value(option.name), *option.word, use, option.written);
    }

    /// WORLD_SIZE as a plain number: torch's own name for the ranks of the job.
    void countVariables()
    {
        for (const BatchVariable& variable : batch().variables) {
            if (variable.name != u"WORLD_SIZE" || !variable.certain || !variable.exported)
                continue;
            countWord(Of::World, variable.value, variable.command, variable.name + u'=' + variable.value.text);
        }
    }

    QList<const CountPlace*> countsOf(Of of) const
    {
        QList<const CountPlace*> found;
        for (const CountPlace& place : m_out.counts) {
            if (place.of == of)
                found.append(&place);
        }
        // directives come first: what they ask for is the job's
        std::stable_partition(found.begin(), found.end(), [](const CountPlace* place) { return place->isDirective; });
        return found;
    }

    std::optional<qint64> firstOf(Of of) const
    {
        const auto found = countsOf(of);
        return found.isEmpty() ? std::nullopt : std::optional(found.first()->number);
    }

    /// The number that the job itself has; a step's or a launcher's only where no directive says one.
    void deriveNodes()
    {
        m_out.nodes = firstOf(Of::Nodes);
        const BatchOption* asked = batch().option(u"nodes"_s);
        if (asked != nullptr && !countsOf(Of::Nodes).isEmpty() && !countsOf(Of::Nodes).first()->isDirective)
            m_out.nodes.reset(); // a range of nodes
        if (asked != nullptr || m_out.nodes)
            return;
        const auto total = firstOf(Of::TasksOfJob);
        const auto tasks = firstOf(Of::Tasks);
        if (total && tasks && *total % *tasks == 0)
            m_derivedNodes = *total / *tasks;
    }

    void deriveGpus()
    {
        const qint64 nodes = m_out.nodes.value_or(m_derivedNodes.value_or(1));
        const auto total = firstOf(Of::GpusOfJob);
        const auto each = firstOf(Of::GpusOfTask);
        m_out.gpus = firstOf(Of::Gpus);
        if (!m_out.gpus && total && *total % nodes == 0)
            m_out.gpus = *total / nodes;
        if (!m_out.gpus && each) {
            if (const auto tasks = tasksOfNode())
                m_out.gpus = *tasks * *each;
        }
    }

    std::optional<qint64> tasksOfNode() const
    {
        if (const auto tasks = firstOf(Of::Tasks))
            return tasks;
        const auto total = firstOf(Of::TasksOfJob);
        const qint64 nodes = m_out.nodes.value_or(m_derivedNodes.value_or(1));
        if (total)
            return *total % nodes == 0 ? std::optional(*total / nodes) : std::nullopt;
        return batch().option(u"ntasks"_s) == nullptr && batch().option(u"ntasks-per-node"_s) == nullptr
            ? std::optional<qint64>(1)
            : std::nullopt;
    }

    QList<TextRange> rangesOf(Of of, qint64 number, QStringList& notes) const
    {
        QList<TextRange> ranges;
        for (const CountPlace* place : countsOf(of)) {
            if (place->number == number)
                ranges.append(place->range);
            else
                notes.append(u"Line %1 says another number: %2."_s.arg(place->line).arg(place->written.simplified()));
        }
        return ranges;
    }

    void bindCount(const QString& path, const QString& option, Of of, const QString& absentWhy)
    {
        m_out.options.insert(path, option);
        const auto number = firstOf(of);
        const BatchOption* said = batch().option(option);
        const bool isRead = said == nullptr || !said->hasValue || (number && countsOf(of).first()->isDirective);
        if (!number || !isRead) { // what a step says is not the job's where a directive says something else
            if (said != nullptr && said->hasValue && said->valueColumn > 0)
                bound(path, said->value, {valueRange(*said)});
            else
                absent(path, absentWhy);
            return;
        }
        QStringList notes;
        bound(path, QString::number(*number), rangesOf(of, *number, notes));
        field(path).notes = notes;
    }

    void bindSize()
    {
        deriveNodes();
        deriveGpus();
        const QString heterogeneous = heterogeneousJob();
        const QString nodesPath = u"resources.nodes"_s;
        bindCount(nodesPath, u"nodes"_s, Of::Nodes, absenceOf(u"nodes"_s));
        if (m_derivedNodes && field(nodesPath).state == State::Absent)
            field(nodesPath).why = u"No directive says it; the numbers of tasks make it %1."_s.arg(*m_derivedNodes);
        bindCount(u"resources.tasksPerNode"_s, u"ntasks-per-node"_s, Of::Tasks, absenceOf(u"ntasks-per-node"_s));
        bindCount(u"resources.tasks"_s, u"ntasks"_s, Of::TasksOfJob, absenceOf(u"ntasks"_s));
        bindGpus();
        bindLauncher();
        if (heterogeneous.isEmpty())
            return;
        for (const QString& path : {nodesPath, u"resources.tasksPerNode"_s, u"resources.tasks"_s,
                 u"resources.gpusPerNode"_s, u"partition"_s, u"account"_s, u"resources.memoryPerNode"_s}) {
            undecided(path, heterogeneous);
            field(path).places.clear();
        }
    }

    QString heterogeneousJob() const
    {
        for (const LostDirective& lost : batch().lost) {
            if (lost.text == u"hetjob" || lost.text == u"packjob") {
                return u"The job has several components (line %1), each with directives of its own: change it in the text."_s
                    .arg(lost.line);
            }
        }
        return {};
    }

    void bindGpus()
    {
        const QString path = u"resources.gpusPerNode"_s;
        m_out.options.insert(path, u"gpus-per-node"_s);
        QStringList notes;
        QList<TextRange> ranges;
        if (m_out.gpus) {
            const qint64 nodes = m_out.nodes.value_or(m_derivedNodes.value_or(1));
            ranges = rangesOf(Of::Gpus, *m_out.gpus, notes) + rangesOf(Of::GpusOfJob, *m_out.gpus * nodes, notes);
            for (const CountPlace* place : countsOf(Of::GpusOfTask)) {
                if (place->number * tasksOfNode().value_or(0) == *m_out.gpus && place->number > 1)
                    ranges.append(place->range);
                else if (place->number == 1 && ranges.isEmpty())
                    ranges += rangesOf(Of::Tasks, *m_out.gpus, notes)
                        + rangesOf(Of::TasksOfJob, *m_out.gpus * nodes, notes);
            }
        }
        if (!ranges.isEmpty()) {
            bound(path, QString::number(*m_out.gpus), ranges);
            field(path).notes = notes;
            return;
        }
        const auto ofTask = countsOf(Of::GpusOfTask), ofJob = countsOf(Of::GpusOfJob);
        const BatchOption* unread = unreadGpus();
        if (!ofTask.isEmpty() || !ofJob.isEmpty()) {
            const CountPlace* said = !ofJob.isEmpty() ? ofJob.first() : ofTask.first();
            undecided(path,
                u"Line %1 asks for GPUs %2 (%3), and how many of these a node gets is Slurm's choice: change the number there."_s
                    .arg(said->line)
                    .arg(said->of == Of::GpusOfJob ? u"of the whole job"_s : u"of each task"_s,
                        said->written.simplified()),
                m_out.gpus ? QString::number(*m_out.gpus) : QString());
        } else if (unread != nullptr) {
            undecided(path,
                u"Line %1 asks for GPUs without a plain number (%2): change it there."_s.arg(unread->line)
                    .arg(unread->written.simplified()));
        } else {
            absent(path, u"No directive asks for GPUs."_s);
        }
    }

    /// A directive that asks for GPUs, in a way that says no number.
    const BatchOption* unreadGpus() const
    {
        for (const auto& name : {u"gpus-per-node"_s, u"gpus"_s, u"gpus-per-task"_s}) {
            if (const BatchOption* option = batch().option(name))
                return option;
        }
        const BatchOption* gres = batch().option(u"gres"_s);
        return gres != nullptr && gres->value.contains(u"gpu") ? gres : nullptr;
    }

    void bindLauncher()
    {
        const auto each = firstOf(Of::Processes);
        const auto all = firstOf(Of::ProcessesOfJob);
        QStringList notes;
        if (each)
            bound(u"launcher.processes"_s, QString::number(*each), rangesOf(Of::Processes, *each, notes));
        else if (all)
            bound(u"launcher.processes"_s, QString::number(*all), rangesOf(Of::ProcessesOfJob, *all, notes));
        else
            agentOption(u"launcher.processes"_s, {u"nproc-per-node"_s, u"num-processes"_s, u"num-gpus"_s, u"np"_s});
        QList<TextRange> nodes;
        qint64 number = 0;
        for (const CountPlace* place : countsOf(Of::Nodes)) {
            const bool ofAgent
                = !place->isDirective && place->written.startsWith(u"--n") && !place->written.startsWith(u"--nodes");
            if (ofAgent && (nodes.isEmpty() || number == place->number)) {
                number = place->number;
                nodes.append(place->range);
            }
        }
        if (!nodes.isEmpty())
            bound(u"launcher.nodes"_s, QString::number(number), nodes);
        else
            agentOption(u"launcher.nodes"_s, {u"nnodes"_s, u"num-machines"_s, u"num-nodes"_s});
    }

    /// Of what an option of the launcher is Slurm's own number, so that a person knows what to change.
    static QString followed(const QString& variable)
    {
        const QString what = variable == u"SLURM_NNODES" || variable == u"SLURM_JOB_NUM_NODES"
            ? u"the number of nodes"_s
            : variable.startsWith(u"SLURM_GPUS")                                  ? u"the number of GPUs"_s
            : variable.startsWith(u"SLURM_NTASKS") || variable == u"SLURM_NPROCS" ? u"the number of tasks"_s
                                                                                  : QString();
        return what.isEmpty() ? u"It follows the job: Slurm sets $%1."_s.arg(variable)
                              : u"It follows %1, from which Slurm sets $%2: change that number."_s.arg(what, variable);
    }

    /// What Slurm's own variable will hold: sbatch(1), OUTPUT ENVIRONMENT VARIABLES. Empty: no directive says it.
    QString numberOfJob(const QString& variable) const
    {
        static const QHash<QString, QString> fields{{u"SLURM_NNODES"_s, u"resources.nodes"_s},
            {u"SLURM_JOB_NUM_NODES"_s, u"resources.nodes"_s}, {u"SLURM_GPUS_ON_NODE"_s, u"resources.gpusPerNode"_s},
            {u"SLURM_GPUS_PER_NODE"_s, u"resources.gpusPerNode"_s}, {u"SLURM_NTASKS"_s, u"resources.tasks"_s},
            {u"SLURM_NPROCS"_s, u"resources.tasks"_s}, {u"SLURM_NTASKS_PER_NODE"_s, u"resources.tasksPerNode"_s}};
        const ScriptField* said = m_out.fields.find(fields.value(variable));
        const bool isStepsOwn = m_launch != nullptr && !speaksForJob(*m_launch);
        return said != nullptr && said->state == State::Bound && !isStepsOwn ? said->value : QString();
    }

    /// An option of the launcher whose value is not a plain number of the text.
    void agentOption(const QString& path, const QStringList& names)
    {
        const LaunchLayer* agent = m_launch != nullptr ? m_launch->layer(Kind::Agent) : nullptr;
        if (agent == nullptr)
            return;
        for (const QString& name : names) {
            const BatchOption* option = agent->option(name);
            if (option == nullptr || !option->word)
                continue;
            const TracedValue traced = m_tracer->trace(*option->word, m_launch->command);
            if (!traced.variable.isEmpty())
                undecided(path, followed(traced.variable), numberOfJob(traced.variable), State::Follows);
            else if (traced.isCertain())
                bindText(path, *option->word, m_launch->command);
            else
                undecided(path, traced.why);
            return;
        }
    }

    void bindCpus()
    {
        const QString path = u"resources.cpusPerTask"_s;
        bindDirective(path, u"cpus-per-task"_s);
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            const LaunchLayer* srun = launch.layer(Kind::Srun);
            const BatchOption* option = srun != nullptr ? srun->option(u"cpus-per-task"_s) : nullptr;
            if (option == nullptr || !option->word || !speaksForJob(launch))
                continue;
            const Text text = textOf(*option->word, launch.command);
            ScriptField& one = field(path);
            bool fine = false;
            text.value.toInt(&fine);
            if (!fine || !text.range)
                continue;
            if (one.state == State::Absent)
                bound(path, text.value, {*text.range});
            else if (one.value == text.value)
                bound(path, one.value, m_out.ranges.value(path) + QList<TextRange>{*text.range});
            else
                one.notes.append(u"Line %1 says another number: %2."_s.arg(option->line).arg(option->written));
        }
    }

    std::optional<qint64> m_derivedNodes;
};

} // namespace

void bindCounts(BindState& state) { CountBinder(state).run(); }

} // namespace rankwright::inline script

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/countedit.h"

#include "models/planner/design/jobspec.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Of = CountPlace::Of;

class CountEditor {
public:
    CountEditor(const BoundScript& bound, qint64 number) : m_bound(bound), m_number(number) { }

    Result<CountEdit> run(const QString& path)
    {
        if (m_bound.fields.find(path) != nullptr)
            m_edit.needsDirective = m_bound.fields.find(path)->state == ScriptField::State::Absent;
        if (path == field::nodes && m_bound.batch.option(u"nodes"_s) == nullptr)
            m_edit.needsDirective = true; // a launcher's number makes no node of the job
        const CountPlace* tasks = first(Of::Tasks);
        const CountPlace* all = first(Of::TasksOfJob);
        const bool isSaid = m_bound.nodes || m_bound.batch.option(u"nodes"_s) != nullptr;
        if (!isSaid && tasks != nullptr && all != nullptr && all->number % tasks->number == 0)
            m_derivedNodes = all->number / tasks->number;
        if (path == field::nodes)
            setNodes();
        else if (path == field::gpusPerNode)
            setGpus();
        else if (path == u"resources.tasksPerNode")
            setTasks();
        else if (path == u"resources.tasks")
            setAllTasks();
        else if (path == u"launcher.nodes")
            setLauncherNodes();
        else
            setProcesses();
        if (!m_why.isEmpty())
            return fail(Fault::Invalid, m_why);
        addList();
        if (path == field::nodes || path == field::gpusPerNode)
            noteLauncher();
        if (path == field::nodes)
            noteArguments({u"num-nodes"_s, u"nnodes"_s, u"nodes"_s}, nodes());
        else if (path == field::gpusPerNode)
            noteArguments({u"devices"_s, u"gpus"_s, u"num-gpus"_s, u"gpus-per-node"_s, u"ngpus-per-node"_s,
                              u"n-gpu-per-node"_s, u"ngpus"_s},
                m_bound.gpus.value_or(0));
        return m_edit;
    }

private:
    qint64 nodes() const { return m_bound.nodes.value_or(m_derivedNodes); }

    void put(const CountPlace& place, qint64 number)
    {
        const QString text = place.range.begin == place.range.end ? u":%1"_s.arg(number) : QString::number(number);
        for (const TextChange& change : std::as_const(m_edit.changes)) {
            if (!(change.range == place.range))
                continue;
            if (change.text != text && m_why.isEmpty())
                m_why = u"One place of the script (line %1: %2) says two numbers, which would become different."_s
                            .arg(place.line)
                            .arg(place.written.simplified());
            return;
        }
        m_edit.changes.append({place.range, text});
    }

    void leave(const CountPlace& place)
    {
        m_edit.notes.append(u"Line %1 stays as it is: %2. It did not go with the number before."_s.arg(place.line)
                                .arg(place.written.simplified()));
    }

    const CountPlace* first(Of of) const
    {
        const CountPlace* found = nullptr;
        for (const CountPlace& place : m_bound.counts) {
            if (place.of == of && (found == nullptr || (place.isDirective && !found->isDirective)))
                found = &place;
        }
        return found;
    }

    /// Steps that do not go with the job and ask for more than it has now, which srun refuses.
    void noteOtherSteps(const QStringList& options)
    {
        for (const Launch& launch : m_bound.batch.launches) {
            const LaunchLayer* srun = launch.layer(LaunchLayer::Kind::Srun);
            for (const QString& name : srun != nullptr ? options : QStringList()) {
                const BatchOption* option = srun->option(name);
                if (option == nullptr || goesWithJob(*option))
                    continue;
                // 4, gpu:4, gpu:a100:4(S:0-1), tmp:9,gpu:4
                const QString value = option->value.mid(qMax<qsizetype>(0, option->value.indexOf(u"gpu")));
                const qint64 asked = value.section(u',', 0, 0).section(u'(', 0, 0).section(u':', -1).toLongLong();
                if (asked > m_number)
                    m_edit.notes.append(
                        u"Line %1 stays as it is and asks for more than the job has now: %2."_s.arg(option->line)
                            .arg(option->written.simplified()));
            }
        }
    }

    /// An option whose number is changed with the job's, or noted.
    bool goesWithJob(const BatchOption& option) const
    {
        return std::any_of(m_bound.counts.cbegin(), m_bound.counts.cend(),
            [&](const CountPlace& place) { return place.line == option.line && place.written == option.written; });
    }

    /// How many processes the launcher starts may be computed in a way that is not followed here.
    void noteLauncher()
    {
        const ScriptField* processes = m_bound.fields.find(u"launcher.processes"_s);
        if (processes != nullptr && processes->state == ScriptField::State::Undecided)
            m_edit.notes.append(
                u"The number of processes that the launcher starts was not changed. "_s + processes->why);
    }

    bool isChanged(const QList<TextRange>& ranges) const
    {
        return std::any_of(m_edit.changes.cbegin(), m_edit.changes.cend(),
            [&ranges](const TextChange& change) { return ranges.contains(change.range); });
    }

    /// Arguments of the program by such names are its own business, but a person would want to know.
    void noteArguments(const QStringList& names, qint64 before)
    {
        for (auto it = m_bound.fields.fields.cbegin(); it != m_bound.fields.fields.cend(); ++it) {
            if (!it.key().startsWith(u"arguments.") || it->value != QString::number(before)
                || isChanged(m_bound.ranges.value(it.key())))
                continue;
            QString name = it.key().mid(10).section(u'.', -1).toLower();
            while (name.startsWith(u'-'))
                name.remove(0, 1);
            if (names.contains(name.replace(u'_', u'-')))
                m_edit.notes.append(u"%1 stays as it is: %2."_s.arg(it.key(), it->value));
        }
    }

    void setNodes()
    {
        const qint64 before = nodes();
        if (m_number > 1 && !m_bound.oneNodeOnly.isEmpty()) {
            m_why = m_bound.oneNodeOnly;
            return;
        }
        if (m_number > qMax<qint64>(1, before) && !m_bound.firstNodeOnly.isEmpty())
            m_edit.notes.append(m_bound.firstNodeOnly);
        for (const CountPlace& place : m_bound.counts) {
            if (place.of == Of::Nodes && place.number == before)
                put(place, m_number);
            else if (place.of == Of::Nodes)
                leave(place);
            else if (place.isOfJob() && before > 0 && place.number % before == 0)
                put(place, place.number / before * m_number);
            else if (place.isOfJob() && before > 0)
                leave(place);
        }
        noteOtherSteps({u"nodes"_s});
    }

    /// Whether a number of tasks of a node is one rank for each GPU.
    bool tasksFollow() const { return !m_bound.agentStartsRanks && m_bound.gpus.value_or(0) > 1; }

    void setGpus()
    {
        if (!m_bound.gpus)
            return; // a directive is added
        const qint64 before = *m_bound.gpus;
        const qint64 count = nodes() > 0 ? nodes() : 1;
        const qint64 each = first(Of::GpusOfTask) != nullptr ? first(Of::GpusOfTask)->number : 0;
        qint64 tasks = -1; // of a node, when they change
        qint64 newEach = each;
        if (each > 0 && before % each == 0) {
            const qint64 now = before / each;
            if (each > 1 && m_number % now == 0)
                newEach = m_number / now;
            else if (each == 1 && now == 1 && first(Of::Tasks) == nullptr && first(Of::TasksOfJob) == nullptr)
                newEach = m_number;
            else if (m_number % each == 0)
                tasks = m_number / each;
            else {
                m_why = u"Each task gets %1 GPUs, so a node can have a multiple of that only."_s.arg(each);
                return;
            }
        } else if (each == 0 && tasksFollow()) {
            tasks = m_number;
        }
        const qint64 tasksBefore = each > 0 ? before / qMax<qint64>(1, each) : before;
        for (const CountPlace& place : m_bound.counts) {
            const qint64 ofNode
                = place.isOfJob() ? (place.number % count == 0 ? place.number / count : -1) : place.number;
            const qint64 factor = place.isOfJob() ? count : 1;
            switch (place.of) {
            case Of::Gpus:
            case Of::GpusOfJob:
                if (ofNode == before)
                    put(place, m_number * factor);
                else
                    leave(place);
                break;
            case Of::GpusOfTask:
                if (place.number == each && newEach != each)
                    put(place, newEach);
                break;
            case Of::Tasks:
            case Of::TasksOfJob:
                if (tasks > 0 && ofNode == tasksBefore)
                    put(place, tasks * factor);
                break;
            case Of::Processes:
            case Of::ProcessesOfJob:
            case Of::World:
                if (ofNode == before)
                    put(place, m_number * factor);
                else if (ofNode > m_number)
                    leave(place);
                break;
            case Of::Nodes: break;
            }
        }
        noteOtherSteps({u"gres"_s, u"gpus-per-node"_s});
    }

    /// CUDA_VISIBLE_DEVICES and its kin, where they list the GPUs of a node one by one.
    void addList()
    {
        if (!m_isGpus || !m_bound.gpus)
            return;
        const auto list = [](qint64 count) {
            QStringList devices;
            for (qint64 i = 0; i < count; ++i)
                devices.append(QString::number(i));
            return devices.join(u',');
        };
        constexpr qint64 most = 64;
        for (const auto& name : {u"CUDA_VISIBLE_DEVICES"_s, u"ROCR_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s}) {
            const QString path = u"environment.variables."_s + name;
            const ScriptField* field = m_bound.fields.find(path);
            const QList<TextRange> ranges = m_bound.ranges.value(path);
            if (field == nullptr || ranges.size() != 1 || *m_bound.gpus > most || m_number > most)
                continue;
            if (QString(field->value).remove(u' ') == list(*m_bound.gpus))
                m_edit.changes.append({ranges.first(), list(m_number)});
            else
                m_edit.notes.append(u"%1 stays as it is: %2."_s.arg(name, field->value));
        }
    }

    void setTasks()
    {
        const CountPlace* said = first(Of::Tasks);
        for (const CountPlace& place : m_bound.counts) {
            if (place.of == Of::Tasks && said != nullptr && place.number == said->number)
                put(place, m_number);
            else if (place.of == Of::TasksOfJob && said != nullptr && nodes() > 0
                && place.number == said->number * nodes())
                put(place, m_number * nodes());
            else if (place.of == Of::TasksOfJob)
                leave(place);
        }
    }

    void setAllTasks()
    {
        const CountPlace* said = first(Of::TasksOfJob);
        for (const CountPlace& place : m_bound.counts) {
            if (place.of == Of::TasksOfJob && said != nullptr && place.number == said->number)
                put(place, m_number);
            if (place.of != Of::Tasks || said == nullptr || nodes() == 0 || place.number * nodes() != said->number)
                continue;
            if (m_number % nodes() == 0)
                put(place, m_number / nodes());
            else
                leave(place);
        }
    }

    void setProcesses()
    {
        const Of of = first(Of::Processes) != nullptr ? Of::Processes : Of::ProcessesOfJob;
        const CountPlace* said = first(of);
        for (const CountPlace& place : m_bound.counts) {
            if (place.of == of && place.number == said->number)
                put(place, m_number);
        }
    }

    void setLauncherNodes()
    {
        for (const TextRange& range : m_bound.ranges.value(u"launcher.nodes"_s))
            m_edit.changes.append({range, QString::number(m_number)});
        m_edit.notes.append(u"The nodes of the job stay as they are."_s);
    }

public:
    void ofGpus() { m_isGpus = true; }

private:
    const BoundScript& m_bound;
    qint64 m_number;
    qint64 m_derivedNodes = 0;
    bool m_isGpus = false;
    CountEdit m_edit;
    QString m_why;
};

} // namespace

bool isCountField(const QString& path)
{
    static const QStringList paths{u"resources.nodes"_s, u"resources.gpusPerNode"_s, u"resources.tasksPerNode"_s,
        u"resources.tasks"_s, u"launcher.processes"_s, u"launcher.nodes"_s};
    return paths.contains(path);
}

Result<CountEdit> countEdit(const BoundScript& bound, const QString& path, qint64 number)
{
    CountEditor editor(bound, number);
    if (path == field::gpusPerNode)
        editor.ofGpus();
    return editor.run(path);
}

} // namespace rankwright::inline script

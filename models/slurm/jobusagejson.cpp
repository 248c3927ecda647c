// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/slurm/jobusagejson.h"

#include <QJsonArray>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Writes only what is known; reads back only what is there and of its kind.
class Writer {
public:
    void put(const QString& name, const QString& text)
    {
        if (!text.isEmpty())
            m_object.insert(name, text);
    }
    void put(const QString& name, const std::optional<int>& number)
    {
        if (number)
            m_object.insert(name, *number);
    }
    void put(const QString& name, const std::optional<double>& number)
    {
        if (number)
            m_object.insert(name, *number);
    }
    void put(const QString& name, const std::optional<Seconds>& seconds)
    {
        if (seconds)
            m_object.insert(name, double(seconds->count));
    }
    void put(const QString& name, const std::optional<Bytes>& bytes)
    {
        if (bytes)
            m_object.insert(name, double(bytes->count));
    }
    void put(const QString& name, const QDateTime& time)
    {
        if (time.isValid())
            m_object.insert(name, time.toUTC().toString(Qt::ISODate));
    }
    void put(const QString& name, const QStringList& texts)
    {
        if (!texts.isEmpty())
            m_object.insert(name, QJsonArray::fromStringList(texts));
    }
    QJsonObject& object() { return m_object; }

private:
    QJsonObject m_object;
};

class Reader {
public:
    explicit Reader(const QJsonObject& object) : m_object(object) { }
    void get(const QString& name, QString& text) const { text = m_object.value(name).toString(); }
    void get(const QString& name, std::optional<int>& number) const
    {
        if (const auto value = finite(name); value && qAbs(*value) < 2e9)
            number = int(*value);
    }
    void get(const QString& name, std::optional<double>& number) const { number = finite(name); }
    void get(const QString& name, std::optional<Seconds>& seconds) const
    {
        if (const auto value = finite(name); value && qAbs(*value) < 9e18)
            seconds = Seconds{qint64(*value)};
    }
    void get(const QString& name, std::optional<Bytes>& bytes) const
    {
        if (const auto value = finite(name); value && qAbs(*value) < 9e18)
            bytes = Bytes{qint64(*value)};
    }
    void get(const QString& name, QDateTime& time) const
    {
        time = QDateTime::fromString(m_object.value(name).toString(), Qt::ISODate);
    }
    void get(const QString& name, QStringList& texts) const
    {
        for (const QJsonValue& value : m_object.value(name).toArray())
            texts.append(value.toString());
    }
    void get(const QString& name, JobState& state) const { state = jobStateFrom(m_object.value(name).toString()); }

private:
    std::optional<double> finite(const QString& name) const
    {
        const QJsonValue value = m_object.value(name);
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    }
    QJsonObject m_object;
};

/// One list of members for both ways, so that nothing is written that is not read.
template <typename Way, typename Record, typename Take>
void members(Way& way, Record& job, Take take)
{
    take(way, u"job"_s, job.id);
    take(way, u"name"_s, job.name);
    take(way, u"user"_s, job.user);
    take(way, u"account"_s, job.account);
    take(way, u"partition"_s, job.partition);
    take(way, u"nodes"_s, job.nodes);
    take(way, u"nodeList"_s, job.nodeList);
    take(way, u"gres"_s, job.gres);
    take(way, u"gpus"_s, job.gpus);
    take(way, u"elapsedSeconds"_s, job.elapsed);
    take(way, u"timeLimitSeconds"_s, job.timeLimit);
    take(way, u"submitted"_s, job.submitted);
    take(way, u"started"_s, job.started);
    take(way, u"ended"_s, job.ended);
    take(way, u"comment"_s, job.comment);
    take(way, u"workdir"_s, job.workdir);
    take(way, u"standardOutput"_s, job.standardOutput);
    take(way, u"exitCode"_s, job.exitCode);
    take(way, u"exitSignal"_s, job.exitSignal);
}

template <typename Way, typename Usage, typename Take>
void usageMembers(Way& way, Usage& usage, Take take)
{
    take(way, u"qos"_s, usage.qos);
    take(way, u"cpus"_s, usage.cpus);
    take(way, u"askedCpus"_s, usage.askedCpus);
    take(way, u"memoryBytes"_s, usage.memory);
    take(way, u"billingPerHour"_s, usage.billingPerHour);
    take(way, u"suspendedSeconds"_s, usage.suspended);
    take(way, u"cpuSeconds"_s, usage.cpuSeconds);
    take(way, u"userSeconds"_s, usage.userSeconds);
    take(way, u"systemSeconds"_s, usage.systemSeconds);
    take(way, u"energyJoules"_s, usage.energyJoules);
}

template <typename Way, typename Step, typename Take>
void stepMembers(Way& way, Step& step, Take take)
{
    take(way, u"step"_s, step.id);
    take(way, u"name"_s, step.name);
    take(way, u"started"_s, step.started);
    take(way, u"ended"_s, step.ended);
    take(way, u"elapsedSeconds"_s, step.elapsed);
    take(way, u"cpus"_s, step.cpus);
    take(way, u"tasks"_s, step.tasks);
    take(way, u"nodes"_s, step.nodes);
    take(way, u"cpuSeconds"_s, step.cpuSeconds);
    take(way, u"userSeconds"_s, step.userSeconds);
    take(way, u"systemSeconds"_s, step.systemSeconds);
    take(way, u"largestTaskBytes"_s, step.largestTaskMemory);
    take(way, u"averageTaskBytes"_s, step.averageTaskMemory);
    take(way, u"summedBytes"_s, step.summedMemory);
    take(way, u"largestTaskNode"_s, step.largestTaskNode);
    take(way, u"energyJoules"_s, step.energyJoules);
    take(way, u"gpuPercent"_s, step.gpuPercent);
    take(way, u"gpuPercentMost"_s, step.gpuPercentMost);
    take(way, u"gpuMemoryBytes"_s, step.gpuMemoryMost);
}

const auto write = [](Writer& way, const QString& name, const auto& value) { way.put(name, value); };
const auto read = [](const Reader& way, const QString& name, auto& value) { way.get(name, value); };

} // namespace

QJsonObject toJson(const JobUsage& usage)
{
    Writer out;
    members(out, usage.job, write);
    out.put(u"state"_s, toText(usage.job.state));
    if (usage.job.stepState != JobState::Unknown)
        out.put(u"stepState"_s, toText(usage.job.stepState));
    usageMembers(out, usage, write);
    QJsonArray steps;
    for (const StepUsage& step : usage.steps) {
        Writer one;
        stepMembers(one, step, write);
        one.put(u"state"_s, toText(step.state));
        steps.append(one.object());
    }
    out.object().insert(u"steps"_s, steps);
    return out.object();
}

JobUsage usageFromJson(const QJsonObject& object)
{
    const Reader in(object);
    JobUsage usage;
    members(in, usage.job, read);
    in.get(u"state"_s, usage.job.state);
    in.get(u"stepState"_s, usage.job.stepState);
    usageMembers(in, usage, read);
    for (const QJsonValue& value : object.value(u"steps"_s).toArray()) {
        const Reader one(value.toObject());
        StepUsage step;
        stepMembers(one, step, read);
        one.get(u"state"_s, step.state);
        usage.steps.append(step);
    }
    return usage;
}

} // namespace rankwright

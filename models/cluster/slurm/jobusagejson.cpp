// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobusagejson.h"

#include "models/cluster/slurm/jobrecordjson.h"
#include "models/core/jsonvalue.h"

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr auto jobMember = "job"_L1;
constexpr auto stepsMember = "steps"_L1;

/// What is not known is null.
struct Writer {
    void take(const QString& name, const QDateTime& time) { object.insert(name, timeJson(time)); }
    void take(const QString& name, JobState state)
    {
        object.insert(name, state == JobState::Unknown ? QJsonValue() : QJsonValue(toText(state)));
    }
    template <typename Value>
    void take(const QString& name, const Value& value)
    {
        object.insert(name, orNull(value));
    }
    QJsonObject object;
};

struct Reader {
    void take(const QString& name, QString& text) { text = json.text(name).value_or(QString()); }
    void take(const QString& name, QDateTime& time) { time = json.time(name).value_or(QDateTime()); }
    void take(const QString& name, JobState& state) { state = jobStateFrom(json.text(name).value_or(QString())); }
    void take(const QString& name, std::optional<int>& number) { number = json.whole(name); }
    void take(const QString& name, std::optional<double>& number) { number = json.number(name); }
    void take(const QString& name, std::optional<Seconds>& seconds) { seconds = json.seconds(name); }
    void take(const QString& name, std::optional<Bytes>& bytes) { bytes = json.bytes(name); }
    JsonReader& json;
};

/// One list of members for both ways, so that nothing is written that is not read.
template <typename Way, typename Usage>
void usageMembers(Way& way, Usage& usage)
{
    way.take("qos"_L1, usage.qos);
    way.take("cpus"_L1, usage.cpus);
    way.take("askedCpus"_L1, usage.askedCpus);
    way.take("memoryBytes"_L1, usage.memory);
    way.take("billingPerHour"_L1, usage.billingPerHour);
    way.take("suspendedSeconds"_L1, usage.suspended);
    way.take("cpuSeconds"_L1, usage.cpuSeconds);
    way.take("userSeconds"_L1, usage.userSeconds);
    way.take("systemSeconds"_L1, usage.systemSeconds);
    way.take("energyJoules"_L1, usage.energyJoules);
}

template <typename Way, typename Step>
void stepMembers(Way& way, Step& step)
{
    way.take("step"_L1, step.id);
    way.take("name"_L1, step.name);
    way.take("state"_L1, step.state);
    way.take("started"_L1, step.started);
    way.take("ended"_L1, step.ended);
    way.take("elapsedSeconds"_L1, step.elapsed);
    way.take("cpus"_L1, step.cpus);
    way.take("tasks"_L1, step.tasks);
    way.take("nodes"_L1, step.nodes);
    way.take("cpuSeconds"_L1, step.cpuSeconds);
    way.take("userSeconds"_L1, step.userSeconds);
    way.take("systemSeconds"_L1, step.systemSeconds);
    way.take("largestTaskBytes"_L1, step.largestTaskMemory);
    way.take("averageTaskBytes"_L1, step.averageTaskMemory);
    way.take("summedBytes"_L1, step.summedMemory);
    way.take("largestTaskNode"_L1, step.largestTaskNode);
    way.take("energyJoules"_L1, step.energyJoules);
    way.take("gpuPercent"_L1, step.gpuPercent);
    way.take("gpuPercentMost"_L1, step.gpuPercentMost);
    way.take("gpuMemoryBytes"_L1, step.gpuMemoryMost);
}

} // namespace

QJsonObject jobUsageJson(const JobUsage& usage)
{
    Writer out;
    out.object.insert(jobMember, jobRecordJson(usage.job));
    usageMembers(out, usage);
    QJsonArray steps;
    for (const StepUsage& step : usage.steps) {
        Writer one;
        stepMembers(one, step);
        steps.append(one.object);
    }
    out.object.insert(stepsMember, steps);
    return out.object;
}

Result<JobUsage> jobUsageFromJson(JsonReader json)
{
    JobUsage usage;
    if (const auto job = json.object(jobMember)) {
        const auto record = jobRecordFromJson(*job);
        if (!record)
            return fail(record.error());
        usage.job = *record;
    } else {
        json.refuse(jobMember, u"expected an object, found nothing"_s);
    }
    Reader in{json};
    usageMembers(in, usage);
    for (JsonReader& one : json.objects(stepsMember)) {
        StepUsage step;
        Reader way{one};
        stepMembers(way, step);
        json.absorb(one);
        usage.steps.append(step);
    }
    if (json.fault())
        return fail(*json.fault());
    return usage;
}

} // namespace rankwright::inline cluster

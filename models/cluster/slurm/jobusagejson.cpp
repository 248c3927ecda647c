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
    void member(const QString& name, const QDateTime& time) { object.insert(name, timeJson(time)); }
    void member(const QString& name, JobState state)
    {
        object.insert(name, state == JobState::Unknown ? QJsonValue() : QJsonValue(toText(state)));
    }
    template <typename Value>
    void member(const QString& name, const Value& value)
    {
        object.insert(name, orNull(value));
    }
    QJsonObject object;
};

struct Reader {
    void member(const QString& name, QString& text) { text = json.text(name).value_or(QString()); }
    void member(const QString& name, QDateTime& time) { time = json.time(name).value_or(QDateTime()); }
    void member(const QString& name, JobState& state) { state = jobStateFrom(json.text(name).value_or(QString())); }
    void member(const QString& name, std::optional<int>& number) { number = json.whole(name); }
    void member(const QString& name, std::optional<double>& number) { number = json.number(name); }
    void member(const QString& name, std::optional<Seconds>& seconds) { seconds = json.seconds(name); }
    void member(const QString& name, std::optional<Bytes>& bytes) { bytes = json.bytes(name); }
    JsonReader& json;
};

/// One list of members for both ways, so that nothing is written that is not read.
template <typename Way, typename Usage>
void usageMembers(Way& way, Usage& usage)
{
    way.member("qos"_L1, usage.qos);
    way.member("cpus"_L1, usage.cpus);
    way.member("askedCpus"_L1, usage.askedCpus);
    way.member("memoryBytes"_L1, usage.memory);
    way.member("billingPerHour"_L1, usage.billingPerHour);
    way.member("suspendedSeconds"_L1, usage.suspended);
    way.member("cpuSeconds"_L1, usage.cpuSeconds);
    way.member("userSeconds"_L1, usage.userSeconds);
    way.member("systemSeconds"_L1, usage.systemSeconds);
    way.member("energyJoules"_L1, usage.energyJoules);
}

template <typename Way, typename Step>
void stepMembers(Way& way, Step& step)
{
    way.member("step"_L1, step.id);
    way.member("name"_L1, step.name);
    way.member("state"_L1, step.state);
    way.member("started"_L1, step.started);
    way.member("ended"_L1, step.ended);
    way.member("elapsedSeconds"_L1, step.elapsed);
    way.member("cpus"_L1, step.cpus);
    way.member("tasks"_L1, step.tasks);
    way.member("nodes"_L1, step.nodes);
    way.member("cpuSeconds"_L1, step.cpuSeconds);
    way.member("userSeconds"_L1, step.userSeconds);
    way.member("systemSeconds"_L1, step.systemSeconds);
    way.member("largestTaskBytes"_L1, step.largestTaskMemory);
    way.member("averageTaskBytes"_L1, step.averageTaskMemory);
    way.member("summedBytes"_L1, step.summedMemory);
    way.member("largestTaskNode"_L1, step.largestTaskNode);
    way.member("energyJoules"_L1, step.energyJoules);
    way.member("gpuPercent"_L1, step.gpuPercent);
    way.member("gpuPercentMost"_L1, step.gpuPercentMost);
    way.member("gpuMemoryBytes"_L1, step.gpuMemoryMost);
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

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobusage.h"

#include "models/cluster/slurm/sacctrow.h"
#include "models/cluster/slurm/slurmparsers.h"

#include <QRegularExpression>

#include <cmath>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

/// NO_VAL and its kin are in ConsumedEnergyRaw of sites without a meter; so does 0.
std::optional<double> energyIn(const QString& text)
{
    bool fine = false;
    const double joules = text.toDouble(&fine);
    return fine && joules > 0 && joules < 1e15 ? std::optional(joules) : std::nullopt;
}

std::optional<double> percentIn(const QString& text)
{
    bool fine = false;
    const double value = text.toDouble(&fine);
    // 0 is what Slurm writes where nothing was gathered
    return fine && value > 0 && value <= 1e6 ? std::optional(value) : std::nullopt;
}

/// All of the job's memory: AllocTRES names it; ReqMem says it per node ("480Gn") or per CPU ("4000Mc") before 21.08,
/// for the whole job since.
std::optional<Bytes> memoryOf(const SacctRow& row, const JobRecord& job, std::optional<int> cpus)
{
    if (const auto reported = slurmUsedMemory(tresPart(row.text(u"AllocTRES"_s), u"mem"_s)))
        return reported;
    QString asked = row.text(u"ReqMem"_s);
    if (asked.endsWith(u'?'))
        asked.chop(1);
    const bool perNode = asked.endsWith(u'n'), perCpu = asked.endsWith(u'c');
    if (perNode || perCpu)
        asked.chop(1);
    const auto size = slurmUsedMemory(asked);
    const auto times = perNode ? job.nodes : perCpu ? cpus : std::optional(1);
    if (!size || !times)
        return {};
    return Bytes{size->count * *times};
}

StepUsage stepFrom(const SacctRow& row, const QString& id)
{
    StepUsage step;
    step.id = id;
    step.name = row.text(u"JobName"_s);
    step.state = jobStateFrom(row.text(u"State"_s));
    step.started = slurmTimestamp(row.text(u"Start"_s));
    step.ended = slurmTimestamp(row.text(u"End"_s));
    if (const auto seconds = slurmCount(row.text(u"ElapsedRaw"_s)))
        step.elapsed = Seconds{*seconds};
    const auto some = [&row](const QString& column) {
        const auto count = slurmCount(row.text(column));
        return count && *count > 0 ? count : std::nullopt;
    };
    step.cpus = some(u"AllocCPUS"_s);
    step.tasks = some(u"NTasks"_s);
    step.nodes = some(u"NNodes"_s);
    step.cpuSeconds = slurmCpuTime(row.text(u"TotalCPU"_s));
    step.userSeconds = slurmCpuTime(row.text(u"UserCPU"_s));
    step.systemSeconds = slurmCpuTime(row.text(u"SystemCPU"_s));
    step.largestTaskMemory = slurmUsedMemory(row.text(u"MaxRSS"_s));
    step.largestTaskNode = row.text(u"MaxRSSNode"_s);
    step.averageTaskMemory = slurmUsedMemory(row.text(u"AveRSS"_s));
    const QString total = row.text(u"TRESUsageInTot"_s), most = row.text(u"TRESUsageInMax"_s);
    step.summedMemory = slurmUsedMemory(tresPart(total, u"mem"_s));
    step.energyJoules = energyIn(row.text(u"ConsumedEnergyRaw"_s));
    step.gpuPercent = percentIn(tresPart(row.text(u"TRESUsageInAve"_s), u"gres/gpuutil"_s));
    step.gpuPercentMost = percentIn(tresPart(most, u"gres/gpuutil"_s));
    step.gpuMemoryMost = slurmUsedMemory(tresPart(most, u"gres/gpumem"_s));
    return step;
}

void readJob(JobUsage& usage, const SacctRow& row)
{
    usage.qos = row.text(u"QOS"_s);
    const auto cpus = slurmCount(row.text(u"AllocCPUS"_s));
    usage.cpus = cpus && *cpus > 0 ? cpus : std::nullopt;
    const auto asked = slurmCount(tresPart(row.text(u"ReqTRES"_s), u"cpu"_s));
    usage.askedCpus = asked && *asked > 0 ? asked : std::nullopt;
    usage.memory = memoryOf(row, usage.job, usage.cpus);
    bool fine = false;
    const double billing = tresPart(row.text(u"AllocTRES"_s), u"billing"_s).toDouble(&fine);
    if (fine && billing > 0)
        usage.billingPerHour = billing;
    if (const auto paused = slurmCpuTime(row.text(u"Suspended"_s)))
        usage.suspended = Seconds{qint64(*paused)};
    usage.cpuSeconds = slurmCpuTime(row.text(u"TotalCPU"_s));
    usage.userSeconds = slurmCpuTime(row.text(u"UserCPU"_s));
    usage.systemSeconds = slurmCpuTime(row.text(u"SystemCPU"_s));
    usage.energyJoules = energyIn(row.text(u"ConsumedEnergyRaw"_s));
}

/// An upper bound of what a step held on its fullest node.
std::optional<qint64> memoryOnANode(const StepUsage& step)
{
    if (!step.largestTaskMemory)
        return step.summedMemory ? std::optional(step.summedMemory->count) : std::nullopt;
    const int nodes = step.nodes.value_or(1), tasks = step.tasks.value_or(1);
    const qint64 bound = step.largestTaskMemory->count * ((tasks + nodes - 1) / nodes);
    if (!step.summedMemory || step.summedMemory->count < step.largestTaskMemory->count)
        return bound;
    return qMin(bound, step.summedMemory->count);
}

bool sideBySide(const StepUsage& step, const QDateTime& at)
{
    if (!step.started.isValid())
        return true; // not known when: counted
    return step.started <= at && (!step.ended.isValid() || at < step.ended || step.started == step.ended);
}

const StepUsage* longest(const QList<StepUsage>& steps, bool (*reported)(const StepUsage&))
{
    const StepUsage* best = nullptr;
    for (const StepUsage& step : steps) {
        const auto length = [](const StepUsage& one) { return one.elapsed.value_or(Seconds{}).count; };
        if (reported(step) && (!best || length(step) > length(*best)))
            best = &step;
    }
    return best;
}

} // namespace

std::optional<double> slurmCpuTime(const QString& text)
{
    static const QRegularExpression form(uR"(^(?:(\d{1,6})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2}(?:\.\d{1,6})?)$)"_s);
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch())
        return {};
    const double seconds
        = ((match.captured(1).toDouble() * 24 + match.captured(2).toDouble()) * 60 + match.captured(3).toDouble()) * 60
        + match.captured(4).toDouble();
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

std::optional<Bytes> slurmUsedMemory(const QString& text)
{
    static const QRegularExpression form(uR"(^(\d{1,18}(?:\.\d{1,9})?)([KMGTPE]?)$)"_s);
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch())
        return {};
    const QString unit = match.captured(2);
    const auto power = unit.isEmpty() ? 0 : u"KMGTPE"_s.indexOf(unit) + 1;
    const double count = match.captured(1).toDouble() * std::pow(1024.0, double(power));
    if (!(count >= 1) || count > 4e18)
        return {};
    return Bytes{std::llround(count)};
}

QString tresPart(const QString& list, const QString& name)
{
    for (const QString& part : list.split(u',')) {
        const qsizetype equals = part.indexOf(u'=');
        if (equals > 0 && part.left(equals).trimmed() == name)
            return part.mid(equals + 1).trimmed();
    }
    return {};
}

std::optional<Bytes> JobUsage::memoryPerNode() const
{
    if (!memory || !job.nodes || *job.nodes < 1)
        return {};
    return Bytes{memory->count / *job.nodes};
}

std::optional<Bytes> JobUsage::peakMemoryPerNode() const
{
    std::optional<qint64> most;
    for (const StepUsage& moment : steps) { // the sum can only grow where a step begins
        qint64 sum = 0;
        bool any = false;
        for (const StepUsage& step : steps) {
            const auto held = memoryOnANode(step);
            if (!held || (moment.started.isValid() && !sideBySide(step, moment.started)))
                continue;
            sum += *held;
            any = true;
        }
        if (any)
            most = qMax(most.value_or(0), sum);
    }
    return most ? std::optional(Bytes{*most}) : std::nullopt;
}

std::optional<double> JobUsage::busyCpus() const
{
    if (!cpuSeconds || !job.elapsed || job.elapsed->count < 1)
        return {};
    return *cpuSeconds / double(job.elapsed->count);
}

std::optional<double> JobUsage::gpuPercent() const
{
    const StepUsage* step = longest(steps, [](const StepUsage& one) { return one.gpuPercent.has_value(); });
    return step ? step->gpuPercent : std::nullopt;
}

std::optional<Bytes> JobUsage::gpuMemoryMost() const
{
    const StepUsage* step = longest(steps, [](const StepUsage& one) { return one.gpuMemoryMost.has_value(); });
    return step ? step->gpuMemoryMost : std::nullopt;
}

std::optional<int> JobUsage::tasksPerNode() const
{
    std::optional<int> most;
    for (const StepUsage& step : steps) {
        if (step.id != u"batch"_s && step.tasks && step.nodes)
            most = qMax(most.value_or(0), (*step.tasks + *step.nodes - 1) / *step.nodes);
    }
    return most;
}

Result<QList<JobUsage>> parseUsage(const QByteArray& answer)
{
    const auto accounted = parseSacct(answer);
    if (!accounted)
        return fail(accounted.error());
    QList<JobUsage> all;
    QHash<QString, qsizetype> places;
    for (const AccountedJob& entry : *accounted) {
        JobUsage usage;
        usage.job = entry.job;
        places.insert(entry.job.id, all.size());
        all.append(usage);
    }
    SacctRow table(answer.left(answer.indexOf('\n')));
    for (const QByteArray& row : sacctRows(answer)) {
        table.setRow(row);
        const QString id = table.text(u"JobID"_s);
        const qsizetype dot = id.indexOf(u'.');
        const auto place = places.constFind(dot < 0 ? id : id.left(dot));
        if (!table.rowIsWhole() || place == places.cend())
            continue;
        if (dot < 0)
            readJob(all[*place], table);
        else if (id.mid(dot + 1) != u"extern"_s)
            all[*place].steps.append(stepFrom(table, id.mid(dot + 1)));
    }
    return all;
}

} // namespace rankwright::inline cluster

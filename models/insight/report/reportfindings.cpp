// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/reportfindings.h"

#include "models/core/quantitytext.h"
#include "models/insight/alerts/failuretitle.h"
#include "models/insight/report/reportadvice.h"
#include "models/insight/telemetry/activitywords.h"

#include <algorithm>

namespace rankwright::inline insight::reportparts {

using namespace Qt::StringLiterals;
using Grade = EfficiencyReport::Grade;

namespace {

constexpr double stillShare = 0.5; ///< of the run time: steps account for less
constexpr qint64 stillSeconds = 300; ///< shorter jobs may just have started slowly
constexpr double longEnough = 0.1; ///< of the run time: an alert that lasted this long is one of the whole job
constexpr double mostlyWaiting = 0.5, hardlyWaiting = 0.2; ///< of a GPU's time at work
constexpr double muchMemory = 0.4;
constexpr qsizetype mostNamed = 8;

bool isOneOf(const QString& kind, std::initializer_list<QStringView> kinds)
{
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool isOneOf(const Alert& alert, std::initializer_list<AlertKind> kinds)
{
    return std::any_of(kinds.begin(), kinds.end(), [&alert](AlertKind kind) { return alert.isOf(kind); });
}

/// Of the training itself: true of a job that completed, too.
bool isOfTraining(const Alert& alert)
{
    return alert.isOf(AlertKind::LossNan) || isOneOf(alert.kind, {u"nan_loss", u"loss_scale_overflow", u"no_gpu"});
}

/// The whole job is known now, and shows something else.
bool isRefuted(const Alert& alert, const ReportInputs& in)
{
    const bool completed = in.usage.job.state == JobState::Completed;
    if (completed && alert.isOf(AlertKind::TimeLimit))
        return true;
    const auto isDead
        = [&alert](const Alert& other) { return other.isOf(AlertKind::DeadNode) && other.nodes == alert.nodes; };
    if (alert.isOf(AlertKind::SilentNode) && std::any_of(in.alerts.begin(), in.alerts.end(), isDead))
        return true;
    if (!in.recorded || !seenEnough(in))
        return false;
    const HistorySummary& seen = *in.recorded;
    if (alert.isOf(AlertKind::IdleGpus))
        return workers(seen).seen > 0 && workers(seen).idle.isEmpty();
    if (alert.isOf(AlertKind::MemoryUnused) && seen.memoryPeak && seen.memoryTotal)
        return double(seen.memoryPeak->count) > muchMemory * double(seen.memoryTotal->count);
    return false;
}

/// The GPUs worked for most of the time that the steps leave open: evaluations, answers being made, data for them.
bool workedBeside(const ReportInputs& in, double stepShare)
{
    if (!in.recorded || !seenEnough(in) || !in.recorded->meanUse || !in.recorded->waitingShare)
        return false; // without power it is not known whether they only waited
    const double worked = *in.recorded->meanUse / 100 - *in.recorded->waitingShare;
    return worked > stepShare + (1 - stepShare) / 2;
}

/// Long enough to tell of the job; what was not measured counts.
bool isLong(const Alert& alert, const ReportInputs& in)
{
    const bool endedIt
        = alert.level == Alert::Level::Failure && hasEnded(in.usage.job.state) && in.standingAtEnd.contains(alert.kind);
    if (endedIt)
        return true;
    const auto seconds = in.alertSeconds.constFind(alert.kind);
    const auto elapsed = in.usage.job.elapsed;
    return seconds == in.alertSeconds.constEnd() || !elapsed || *seconds >= longEnough * double(elapsed->count);
}

QString namesOf(const QList<GpuSummary>& gpus, const ReportInputs& in)
{
    QStringList names;
    for (const GpuSummary& gpu : gpus.mid(0, mostNamed))
        names.append(
            u"%1 %2 %3"_s.arg(in.recorded->nodes.value(gpu.address.node), in.rules.gpuWord).arg(gpu.address.gpu));
    if (gpus.size() > names.size())
        names.append(u"%1 more"_s.arg(gpus.size() - names.size()));
    return names.join(u", "_s);
}

/// Use says that something ran; this says how much of the GPUs it took. Empty: not reported, or nothing stands out.
QString activityFinding(const HistorySummary& seen, const QString& word)
{
    const GpuActivity& activity = seen.activity;
    const auto filled = isFilled(activity);
    if (!filled || seen.meanUse.value_or(0) < GpuSums::workingPercent)
        return {};
    const QString figures = u"While the %1s were in use: %2"_s.arg(
        word, activityText(activity).left(1).toLower() + activityText(activity).mid(1));
    if (!*filled)
        return figures
            + u". Small kernels, copies or waiting for other ranks fill the time: larger micro-batches, torch.compile or CUDA graphs, and fused kernels fill the %1s."_s
                  .arg(word);
    if (activity.memory.value_or(0) >= memoryBoundPercent)
        return figures + u". Their memory's bandwidth is the limit: fused kernels and fewer bytes per value help."_s;
    if (activity.tensor.value_or(100) < tensorPercent)
        return figures
            + u". The tensor cores hardly work: matrices are multiplied in float32 without TF32, or other work prevails; bf16 and fused attention use them."_s;
    return {};
}

QStringList recordedFindings(const ReportInputs& in)
{
    QStringList all;
    const HistorySummary& seen = *in.recorded;
    const QString& word = in.rules.gpuWord;
    const Workers who = workers(seen);
    if (!who.idle.isEmpty() && seenEnough(in))
        all.append(u"Never at work: %1."_s.arg(namesOf(who.idle, in)));
    if (const auto late = lateGpus(seen); !late.isEmpty() && seenEnough(in))
        all.append(u"%1 computed while the others waited at full use and low power for %2 of the time."_s.arg(
            namesOf(late, in), percentText(100 * seen.waitingShare.value_or(0))));
    if (seen.throttledShare.value_or(0) > 0.05)
        all.append(u"The %1s were slowed down by power limit, heat or hardware for %2 of the time."_s.arg(
            word, percentText(100 * *seen.throttledShare)));
    QList<GpuSummary> faulty;
    std::copy_if(seen.gpus.begin(), seen.gpus.end(), std::back_inserter(faulty),
        [](const GpuSummary& gpu) { return gpu.newErrors.value_or(0) > 0; });
    if (!faulty.isEmpty())
        all.append(
            u"Errors of the memory that could not be corrected came during the job: %1. What was in it is lost; report the node, and continue from a checkpoint before it."_s
                .arg(namesOf(faulty, in)));
    if (const QString activity = activityFinding(seen, word); !activity.isEmpty() && seenEnough(in))
        all.append(activity);
    if (seen.slowClockShare)
        all.append(u"%1 %2 at %3 of the others' clock."_s.arg(namesOf(seen.slowClocks, in),
            seen.slowClocks.size() == 1 ? u"ran"_s : u"all ran"_s, percentText(100 * *seen.slowClockShare)));
    const bool pairs
        = std::any_of(seen.gpus.begin(), seen.gpus.end(), [](const GpuSummary& gpu) { return gpu.secondaryDie; });
    if (pairs)
        all.append(
            u"Power is reported once for each package of two dies: it is normal that half of the %1s show none."_s.arg(
                word));
    return all;
}

} // namespace

QList<Alert> tellingAlerts(const ReportInputs& in)
{
    const bool completed = in.usage.job.state == JobState::Completed;
    QList<Alert> all;
    for (const Alert& alert : in.alerts) {
        const bool isOver = completed && alert.level == Alert::Level::Failure && !isOfTraining(alert);
        if (alert.level != Alert::Level::Normal && !alert.isOf(AlertKind::OutputSuspicion) && !isOver
            && !isRefuted(alert, in))
            all.append(alert);
    }
    std::stable_sort(all.begin(), all.end(), [](const Alert& a, const Alert& b) { return a.level > b.level; });
    return all;
}

bool hasAlert(const ReportInputs& in, std::initializer_list<AlertKind> kinds)
{
    const QList<Alert> alerts = tellingAlerts(in);
    return std::any_of(alerts.begin(), alerts.end(), [&](const Alert& alert) { return isOneOf(alert, kinds); });
}

bool hasFailure(const ReportInputs& in, std::initializer_list<QStringView> failures)
{
    const QList<Alert> alerts = tellingAlerts(in);
    return std::any_of(alerts.begin(), alerts.end(), [&](const Alert& alert) { return isOneOf(alert.kind, failures); });
}

bool stoodStill(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    if (job.state == JobState::Completed)
        return false;
    const auto stands = [&in](const Alert& alert) {
        using enum AlertKind;
        if (!isOneOf(alert, {Hang, Stalled, DeadNode, LostRank, MissingRank}))
            return false;
        const bool isLast = in.standingAtEnd.contains(alert.kind)
            && in.alertSeconds.value(alert.kind, double(stillSeconds)) >= double(stillSeconds);
        return isLast || isLong(alert, in);
    };
    const QList<Alert> alerts = tellingAlerts(in);
    if (std::any_of(alerts.begin(), alerts.end(), stands))
        return true;
    const MeasuredTraining& training = in.measured;
    const bool isCut = training.steps && training.step && *training.step < *training.steps;
    if (!hasEnded(job.state) || !isCut || !training.stepSeconds || !job.elapsed || job.elapsed->count < stillSeconds)
        return false;
    const double stepShare = *training.stepSeconds * double(*training.step) / double(job.elapsed->count);
    return stepShare < stillShare && !workedBeside(in, stepShare);
}

QList<GpuSummary> lateGpus(const HistorySummary& recorded)
{
    QList<GpuSummary> late;
    qsizetype waiting = 0, judged = 0;
    for (const GpuSummary& gpu : recorded.gpus) {
        if (!gpu.waitingShare)
            continue;
        ++judged;
        waiting += *gpu.waitingShare >= mostlyWaiting ? 1 : 0;
        if (*gpu.waitingShare <= hardlyWaiting)
            late.append(gpu);
    }
    return judged >= 3 && waiting * 2 > judged && late.size() * 4 <= judged ? late : QList<GpuSummary>();
}

Grade bestGrade(const ReportInputs& in)
{
    const bool isLost = std::any_of(in.diagnoses.begin(), in.diagnoses.end(), [](const Diagnosis& one) {
        return isOneOf(one.kind, {u"nan_loss", u"no_gpu"});
    });
    if (isLost || stoodStill(in) || hasAlert(in, {AlertKind::LossNan, AlertKind::CrowdedGpu})
        || hasFailure(in, {u"nan_loss", u"no_gpu"}))
        return Grade::Poor;
    const QList<Alert> alerts = tellingAlerts(in);
    const bool costs = std::any_of(alerts.begin(), alerts.end(), [&](const Alert& alert) {
        const bool isLoss = alert.level >= Alert::Level::Warning || alert.isOf(AlertKind::SmallWork);
        return isLoss && isLong(alert, in);
    });
    const bool isSlow = in.recorded && seenEnough(in)
        && (!lateGpus(*in.recorded).isEmpty() || in.recorded->slowClockShare
            || in.recorded->throttledShare.value_or(0) > 0.2);
    return costs || isSlow || !in.diagnoses.isEmpty() ? Grade::Fair : Grade::Good;
}

QStringList findings(const ReportInputs& in)
{
    QStringList all;
    for (const Diagnosis& diagnosis : in.diagnoses) {
        const QString failed = failureTitle(diagnosis, OutputState::Whole) + u": "_s + diagnosis.evidence;
        all.append(diagnosis.advice.isEmpty() ? failed : failed + u" — "_s + diagnosis.advice);
    }
    if (in.shortage)
        all += statementsOf(*in.shortage, in.rules.gpuWord);
    const QList<Alert> alerts = tellingAlerts(in);
    for (const Alert& alert : alerts) {
        const bool isReported = std::any_of(in.diagnoses.begin(), in.diagnoses.end(),
            [&alert](const Diagnosis& diagnosis) { return diagnosis.kind == alert.kind; });
        if (!isReported)
            all.append(alert.meaning.isEmpty() ? alert.title : alert.title + u". "_s + alert.meaning);
    }
    const bool isReported = std::any_of(
        alerts.begin(), alerts.end(), [](const Alert& alert) { return alert.isOf(AlertKind::WrongBinding); });
    if (in.binding.state() == RankBinding::State::Differs && !isReported)
        all.append(rankBindingTitle(in.binding) + u": "_s + rankBindingText(in.binding));
    const MeasuredTraining& training = in.measured;
    if (stoodStill(in) && alerts.isEmpty() && training.step && training.stepSeconds)
        all.append(u"Its %1 steps of %2 s account for %3 of the %4 that it ran: it stood still for the rest."_s.arg(
            humanNumber(double(*training.step), 0), humanNumber(*training.stepSeconds, 3),
            humanDuration(Seconds{qint64(*training.stepSeconds * double(*training.step))}),
            humanDuration(in.usage.job.elapsed.value_or(Seconds{}))));
    if (in.recorded)
        all += recordedFindings(in);
    return all;
}

} // namespace rankwright::inline insight::reportparts

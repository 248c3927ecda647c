// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/efficiency.h"

#include "models/core/quantitytext.h"
#include "models/insight/alerts/failuretitle.h"
#include "models/insight/diagnosis/explain.h"
#include "models/insight/report/reportadvice.h"
#include "models/insight/report/reportfigures.h"
#include "models/insight/report/reportfindings.h"
#include "models/insight/telemetry/history/samplegaps.h"

#include <array>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;
using namespace reportparts;
using Grade = EfficiencyReport::Grade;

namespace {

/// In the order of AdviceKind.
constexpr std::array<QStringView, std::size_t(AdviceKind::Hint) + 1> adviceKindWords{
    u"time", u"memory", u"cpus", u"gpus", u"nodes", u"microBatch", u"design", u"hint"};
static_assert(!adviceKindWords.back().isEmpty());

// Above this mean use a training keeps its GPUs busy; below that one it mostly waits. Kernels of one rank alone reach
// 90 % and more, so that lower figures come from loading, waiting and starting.
constexpr double busyPercent = 70;
constexpr double waitingPercent = 40;
constexpr double startingSeconds = 120; ///< no verdict on a job that still runs before this
constexpr double longestStart = 900; ///< and does no work: longer, and its GPUs stand idle

struct Verdict {
    Grade grade = Grade::Unknown;
    QString text;
};

QString ending(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    if (!job.elapsed || !job.timeLimit || job.state != JobState::Completed)
        return {};
    return u" It took %1 of the %2 asked for."_s.arg(humanDuration(*job.elapsed), humanDuration(*job.timeLimit));
}

/// ", after a start-up of 25 s"; empty: none that is worth a word.
QString afterStart(const ReportInputs& in)
{
    return hasNoticeableStart(in)
        ? u", after a start-up of %1"_s.arg(humanDuration(Seconds{qRound64(*in.recorded->startUpSeconds)}))
        : QString();
}

/// Start-up does not count as waiting: the time after it is assessed.
Verdict ofRecorded(const ReportInputs& in)
{
    const HistorySummary& seen = *in.recorded;
    const QString& word = in.rules.gpuWord;
    const Workers who = workers(seen);
    const double use = seen.useAfterStart.value_or(*seen.meanUse);
    const QString span = u"of the time"_s + afterStart(in);
    const QString size = counted(who.seen, word);
    if (who.busy() == 0)
        return {Grade::Poor,
            u"No %1 did any work: %2 stood idle for %3."_s.arg(
                word, size, humanDuration(Seconds{seen.job.length() / 1000}))};
    if (!who.idle.isEmpty())
        return {Grade::Poor,
            u"%1 of %2 never did any work; the others were busy for %3 %4."_s.arg(who.idle.size())
                .arg(size, percentText(use * who.seen / qMax(1, who.busy())), span)};
    // Full use at low power is a kernel that waits for others.
    const double waiting = 100 * seen.waitingAfterStart.value_or(0);
    const double working = qMax(0.0, use - waiting);
    if (use >= busyPercent && working < busyPercent)
        return {working >= waitingPercent ? Grade::Fair : Grade::Poor,
            u"Its %1 showed %2 use, but for %3 of the time%4 at such low power that they waited for each other, or for the network."_s
                    .arg(size, percentText(use), percentText(waiting),
                        hasNoticeableStart(in) ? afterStart(in) + u',' : QString())
                + ending(in)};
    if (use >= busyPercent)
        return {Grade::Good,
            u"It kept its %1 busy: %2 of the time on average%3."_s.arg(size, percentText(use), afterStart(in))
                + ending(in)};
    const bool hasRoom = in.usage.job.state == JobState::Completed && bestGrade(in) == Grade::Good;
    const QString words = use < waitingPercent ? u"Its %1 mostly waited: they were busy for %2 %3."_s
        : hasRoom                              ? u"Its %1 were busy for %2 %3: there is room for more work."_s
                                               : u"Its %1 were busy for %2 %3."_s;
    return {use >= waitingPercent ? Grade::Fair : Grade::Poor, words.arg(size, percentText(use), span) + ending(in)};
}

Verdict ofAccounted(const ReportInputs& in)
{
    if (const auto use = in.usage.gpuPercent()) {
        const Grade grade = *use >= busyPercent ? Grade::Good : *use >= waitingPercent ? Grade::Fair : Grade::Poor;
        return {grade,
            u"Slurm saw its %1s busy for %2 of the time on average."_s.arg(in.rules.gpuWord, percentText(*use))
                + ending(in)};
    }
    return {Grade::Unknown,
        u"How busy its %1s were is not known: the job was not watched, and Slurm reports time and processors only."_s
                .arg(in.rules.gpuWord)
            + ending(in)};
}

Verdict verdictOf(const ReportInputs& in)
{
    const JobRecord& job = in.usage.job;
    if (isWaiting(job.state))
        return {Grade::Unknown, u"The job has not started yet: there is nothing to report."_s};
    if (isStarting(in) && in.recorded->jobSeconds() < longestStart && bestGrade(in) != Grade::Poor)
        return {Grade::Unknown,
            u"It is still starting: no %1 has worked in its first %2."_s.arg(
                in.rules.gpuWord, humanDuration(Seconds{qint64(in.recorded->jobSeconds())}))};
    Verdict verdict = in.recorded && in.recorded->meanUse && seenEnough(in) ? ofRecorded(in) : ofAccounted(in);
    if (in.recorded && !seenEnough(in) && !in.usage.gpuPercent()) {
        verdict.text = u"Only %1 of the job was recorded: too little to judge how it used its %2s."_s.arg(
                           percentText(100 * in.recorded->seenShare), in.rules.gpuWord)
            + ending(in);
    }
    if (!hasEnded(job.state) && in.recorded && in.recorded->jobSeconds() < startingSeconds)
        verdict.grade = Grade::Unknown; // it loads libraries and data yet
    const bool worked = !in.recorded || in.recorded->firstWorkMs; // else that is said
    const bool isStill = verdict.grade != Grade::Unknown && stoodStill(in) && worked;
    if (isStill || (verdict.grade != Grade::Unknown && bestGrade(in) > verdict.grade)) { // ascending from good to poor
        verdict.grade = bestGrade(in);
        QList<Alert> alerts = tellingAlerts(in);
        alerts.removeIf([](const Alert& alert) { return isOfWholeJob(alert.kind); }); // the outcome says it
        if (isStill && !hasEnded(job.state))
            verdict.text += u" It makes no progress."_s;
        else if (isStill)
            verdict.text += u" It stood still before its end."_s;
        else if (!alerts.isEmpty())
            verdict.text += u" But: %1."_s.arg(alerts.first().title);
    }
    if (!hasEnded(job.state))
        verdict.text = u"It still runs; so far "_s + verdict.text.left(1).toLower() + verdict.text.mid(1);
    else if (job.state != JobState::Completed) {
        verdict.text.prepend(explainOutcome(job) + u' ');
        if (hasFailed(job.state))
            verdict.grade = Grade::Unknown; // no grade praises or blames a run that failed: its cause is said
        else if (verdict.grade == Grade::Good)
            verdict.grade = Grade::Fair; // it did not reach its end
    }
    return verdict;
}

QStringList unknownsOf(const ReportInputs& in)
{
    QStringList all;
    const JobRecord& job = in.usage.job;
    if (!in.accounted)
        all.append(
            u"Slurm's accounting was not asked or does not know the job: processors and memory of the nodes are not known."_s);
    if (!in.recorded)
        all.append(u"The job's %1s were not recorded: use, memory, power and energy of the %1s are not known."_s.arg(
            in.rules.gpuWord));
    else if (in.recorded->seenShare < 0.99)
        all.append(u"%1 of the %2s' run time was recorded; figures of the %2s are of that part."_s.arg(
                       percentText(100 * in.recorded->seenShare), in.rules.gpuWord)
            + (seenEnough(in) ? QString() : u" That is too little to advise on %1s."_s.arg(in.rules.gpuWord)));
    if (in.recorded && !in.recorded->gaps.isEmpty())
        all.append(u"Nothing was recorded in %1."_s.arg(gapsText(in.recorded->gaps)));
    if (in.accounted && job.elapsed.value_or(Seconds{}).count < 120 && hasEnded(job.state))
        all.append(u"The job was too short for Slurm's own sampling of memory and processors: no advice on them."_s);
    if (!job.gpus)
        all.append(u"Slurm did not report how many GPUs it had."_s);
    return all;
}

} // namespace

QStringView wordOf(AdviceKind kind)
{
    return std::size_t(kind) < adviceKindWords.size() ? adviceKindWords[std::size_t(kind)] : QStringView();
}

const ReportFigure* EfficiencyReport::figure(const QString& key) const
{
    for (const ReportFigure& each : figures) {
        if (each.key == key)
            return &each;
    }
    return nullptr;
}

QString toText(Grade grade)
{
    switch (grade) {
    case Grade::Good: return u"good"_s;
    case Grade::Fair: return u"fair"_s;
    case Grade::Poor: return u"poor"_s;
    case Grade::Unknown: break;
    }
    return u"unknown"_s;
}

QString gradeTitle(const EfficiencyReport& report)
{
    switch (report.grade) {
    case Grade::Good: return u"Good"_s;
    case Grade::Fair: return u"Fair"_s;
    case Grade::Poor: return u"Poor"_s;
    case Grade::Unknown: break;
    }
    return hasFailed(report.job.state) ? u"Not graded: it failed"_s : u"Not graded"_s;
}

EfficiencyReport makeReport(const ReportInputs& inputs)
{
    EfficiencyReport report;
    report.job = inputs.usage.job;
    report.cluster = inputs.cluster;
    report.gpuWord = inputs.rules.gpuWord;
    const Verdict verdict = verdictOf(inputs);
    report.grade = verdict.grade;
    report.verdict = verdict.text;
    report.unknown = unknownsOf(inputs);
    if (isWaiting(inputs.usage.job.state))
        return report;
    report.figures = reportparts::figures(inputs);
    report.comparisons = reportparts::comparisons(inputs);
    report.findings = reportparts::findings(inputs);
    report.advice = reportparts::advice(inputs);
    report.recorded = inputs.recorded;
    report.binding = inputs.binding;
    report.diagnoses = inputs.diagnoses;
    report.shortage = inputs.shortage;
    return report;
}

} // namespace rankwright::inline insight

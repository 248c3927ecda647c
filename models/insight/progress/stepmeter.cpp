// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/stepmeter.h"
#include "models/core/statistics.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostKept = 512;
constexpr std::size_t fewestReports = 3;
constexpr qint64 fewestSteps = 5; ///< fewer say more about the log's rhythm than about the training's
constexpr std::size_t fewestMarks = 3;
constexpr double burstShare = 0.25; ///< of the usual gap: what comes closer together came at once
constexpr double pauseTimes = 3; ///< a step that takes this many times the usual time is a pause
constexpr double longestStep = 7 * 86400.0;

template <typename Value>
void appendBounded(std::vector<Value>& all, const Value& value)
{
    all.push_back(value);
    if (all.size() < mostKept)
        return;
    for (std::size_t i = 0; i < mostKept / 2; ++i)
        all[i] = all[2 * i + 1];
    all.resize(mostKept / 2);
}

/// A stretch between two arrivals.
struct Stretch {
    double steps = 0, ms = 0;
    double stepMs() const { return ms / steps; }
};

} // namespace

Counted countedBy(const QString& rateUnit)
{
    static const QRegularExpression steps(u"^(?:it|iter(?:ation)?s?|steps?|ba|batch(?:es)?)$"_s);
    static const QRegularExpression samples(
        u"^(?:samples?|seqs?|sequences?|sentences?|imgs?|images?|ex(?:amples?)?)$"_s);
    const QString thing = rateUnit.section(u'/', 0, 0).endsWith(u's') && rateUnit.section(u'/', 0, 0).size() <= 2
        ? rateUnit.section(u'/', 1) // "s/it", "ms/it"
        : rateUnit.section(u'/', 0, 0);
    if (thing.isEmpty() || steps.match(thing).hasMatch())
        return Counted::Steps;
    return samples.match(thing).hasMatch() ? Counted::Samples : Counted::Others;
}

std::optional<double> stepSecondsByRate(const TrainingProgress& progress)
{
    if (!progress.rate || !std::isfinite(*progress.rate) || *progress.rate <= 0)
        return std::nullopt;
    const QString& unit = progress.rateUnit;
    std::optional<double> seconds;
    const Counted counted = countedBy(unit);
    if (unit.isEmpty() || counted == Counted::Others)
        return std::nullopt;
    const bool hasBatch = progress.globalBatch && *progress.globalBatch > 0;
    if (counted == Counted::Samples && !hasBatch)
        return std::nullopt;
    const double each = counted == Counted::Samples ? double(*progress.globalBatch) : 1;
    if (unit.endsWith(u"/s"))
        seconds = each / *progress.rate;
    else if (unit.startsWith(u"s/"))
        seconds = each * *progress.rate;
    else if (unit.startsWith(u"ms/"))
        seconds = each * *progress.rate / 1000;
    return seconds && *seconds < longestStep ? seconds : std::nullopt;
}

void StepMeter::report(double seconds)
{
    if (std::isfinite(seconds) && seconds > 0)
        appendBounded(m_reports, seconds);
}

void StepMeter::addProgress(const TrainingProgress& progress, qint64 ms)
{
    if (progress.stepSeconds)
        m_known = progress.stepSeconds;
    if (!progress.step || progress.countsOthers)
        return;
    const qint64 own = *progress.step;
    if (progress.stepWithinEpoch && progress.epoch && progress.steps)
        m_epochBase = qint64(*progress.epoch) * *progress.steps; // whole epochs may have come at once
    else if (progress.stepWithinEpoch && m_stepInEpoch && own < *m_stepInEpoch)
        m_epochBase = m_lastStep.value_or(0); // a new epoch counts from the start again
    m_stepInEpoch = own;
    const qint64 step = own + m_epochBase;
    if (step < 0 || (m_lastStep && step <= *m_lastStep))
        return;
    m_lastStep = step;
    if (!progress.stepSeconds) {
        if (const auto seconds = stepSecondsByRate(progress))
            report(*seconds);
    }
    if (!m_marks.empty() && ms <= m_marks.back().ms)
        m_marks.back().step = step; // came together
    else
        appendBounded(m_marks, {step, ms});
}

std::optional<double> StepMeter::reported() const
{
    if (m_reports.size() < fewestReports)
        return std::nullopt;
    std::vector<double> later(m_reports.begin() + std::ptrdiff_t(m_reports.size() / 2), m_reports.end());
    return median(later);
}

std::optional<double> StepMeter::measured() const
{
    if (m_marks.size() < fewestMarks)
        return std::nullopt;
    // Half of the time lies in gaps as long as this one, or longer: between two bursts, not within one.
    std::vector<std::pair<double, double>> gaps;
    const std::size_t from = m_marks.size() / 2 - 1;
    for (std::size_t i = from + 1; i < m_marks.size(); ++i) {
        const double gap = double(m_marks[i].ms - m_marks[i - 1].ms);
        gaps.emplace_back(gap, gap);
    }
    // A pause or two may be longer than all the rest.
    std::sort(gaps.begin(), gaps.end());
    gaps.resize(gaps.size() - gaps.size() / 16);
    const double together = burstShare * weightedMedian(gaps);
    std::vector<Mark> arrivals{m_marks[from]};
    for (std::size_t i = from + 1; i < m_marks.size(); ++i) {
        if (double(m_marks[i].ms - m_marks[i - 1].ms) < together)
            arrivals.back() = m_marks[i]; // with its time: a last piece that the end of the program hands on is shorter
        else
            arrivals.push_back(m_marks[i]);
    }
    std::vector<Stretch> stretches;
    std::vector<std::pair<double, double>> times;
    for (std::size_t i = 1; i < arrivals.size(); ++i) {
        stretches.push_back(
            {double(arrivals[i].step - arrivals[i - 1].step), double(arrivals[i].ms - arrivals[i - 1].ms)});
        times.emplace_back(stretches.back().stepMs(), stretches.back().steps);
    }
    const double usual = weightedMedian(times);
    Stretch sum;
    for (const Stretch& one : stretches) {
        if (one.stepMs() > pauseTimes * usual || one.stepMs() * pauseTimes < usual)
            continue;
        sum.steps += one.steps;
        sum.ms += one.ms;
    }
    if (sum.steps < double(fewestSteps))
        return std::nullopt;
    return sum.stepMs() / 1000;
}

std::optional<double> StepMeter::stepSeconds() const
{
    if (m_known)
        return m_known;
    const auto own = reported();
    return own ? own : measured();
}

} // namespace rankwright::inline insight

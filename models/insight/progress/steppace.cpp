// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/steppace.h"
#include "models/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace rankwright::inline insight {

namespace {

constexpr qint64 leastPauseMs = 2000;
constexpr int pauseGaps = 3; // a gap this many times the usual one is a pause
constexpr qint64 markEveryMs = 2000;

} // namespace

void StepPace::addProgress(const TrainingProgress& progress, qint64 ms)
{
    const bool news = m_updates == 0 ? progress.step || progress.epoch
                                     : progress.step != m_latest.step || progress.epoch != m_latest.epoch;
    if (progress.loss && (news || progress.loss != m_latest.loss))
        m_badLosses = std::isfinite(*progress.loss) ? 0 : m_badLosses + 1;
    m_latest = progress;
    m_meter.addProgress(progress, ms);
    if (!news)
        return;
    if (m_updates++ == 0) {
        m_firstMs = ms;
    } else {
        const qint64 gap = ms - m_lastMs;
        if (m_gapCount >= 4 && gap > pauseLimitMs()) {
            m_longestPauseMs = std::max(m_longestPauseMs, gap);
            m_pauseEndMs = ms;
        }
        m_gaps[size_t(m_gapCount++ % int(m_gaps.size()))] = gap;
    }
    m_lastMs = ms;
    const auto at = [this](int index) -> Mark& { return m_marks[size_t(index % int(m_marks.size()))]; };
    const Mark mark{ms, progress.step.value_or(-1), progress.fraction()};
    // Steps may count again with each epoch; the share of the whole does not fall but when something starts again.
    if (m_markCount > 0 && mark.fraction < at(m_markCount - 1).fraction)
        m_markCount = 0;
    if (m_markCount > 0 && ms - at(m_markCount - 1).ms < markEveryMs)
        return;
    at(m_markCount++) = mark;
}

std::optional<qint64> StepPace::usualGapMs() const
{
    const int count = std::min(m_gapCount, int(m_gaps.size()));
    if (count == 0)
        return {};
    std::array<qint64, 32> gaps = m_gaps;
    return median(std::span(gaps).first(std::size_t(count)));
}

qint64 StepPace::pauseLimitMs() const { return std::max(leastPauseMs, pauseGaps * usualGapMs().value_or(0)); }

bool StepPace::goesOn(qint64 nowMs, qint64 calmMs) const
{
    return isKnown() && sinceLastMs(nowMs) <= pauseLimitMs() && (m_pauseEndMs == 0 || nowMs - m_pauseEndMs > calmMs);
}

std::optional<double> StepPace::stepSeconds() const
{
    const auto usual = m_meter.stepSeconds();
    return usual ? usual : stepSecondsByRate(m_latest);
}

std::optional<double> StepPace::stepsLeft() const
{
    if (!m_latest.step || !m_latest.steps)
        return std::nullopt;
    double left = double(*m_latest.steps - *m_latest.step);
    if (m_latest.stepWithinEpoch) {
        if (!m_latest.epoch || !m_latest.epochs)
            return std::nullopt;
        left += std::max(0.0, *m_latest.epochs - *m_latest.epoch) * double(*m_latest.steps);
    }
    return left;
}

std::optional<double> StepPace::secondsLeftByRate(qint64 nowMs) const
{
    const auto step = stepSecondsByRate(m_latest);
    const auto left = stepsLeft();
    if (!step || !left)
        return std::nullopt;
    return std::max(0.0, *left * *step - double(sinceLastMs(nowMs)) / 1000);
}

std::optional<double> StepPace::secondsLeft(qint64 nowMs) const
{
    const double gone = double(sinceLastMs(nowMs)) / 1000;
    // The log's own figures do not depend on when its lines came.
    const auto left = stepsLeft();
    if (left && m_latest.stepSeconds)
        return std::max(0.0, *left * *m_latest.stepSeconds - std::min(gone, *m_latest.stepSeconds));
    if (m_markCount >= 5) {
        const int count = std::min(m_markCount, int(m_marks.size()));
        const Mark& last = m_marks[size_t((m_markCount - 1) % int(m_marks.size()))];
        const Mark& first = m_marks[size_t((m_markCount - count) % int(m_marks.size()))];
        if (first.fraction && last.fraction > first.fraction && *last.fraction < 1) {
            const double perSecond = (*last.fraction - *first.fraction) / (double(last.ms - first.ms) / 1000);
            return std::max(0.0, (1 - *last.fraction) / perSecond - gone);
        }
    }
    const bool oneEpoch = m_latest.epochs.value_or(1) <= 1;
    if (m_latest.etaSeconds && (!m_latest.stepWithinEpoch || oneEpoch))
        return std::max(0.0, *m_latest.etaSeconds - gone);
    return std::nullopt;
}

bool StepPace::isFinishing() const { return m_latest.fraction().value_or(0) >= 0.98; }

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classmeter.h"

#include "models/insight/telemetry/gpuvalue.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr qsizetype longestLine = 2000; // no program says so in more
constexpr double working = 1; // percent
} // namespace

std::optional<bool> resumedBy(const QString& line)
{
    if (line.size() > longestLine)
        return {};
    // Words of the trainings that the program knows: Lightning and Transformers ("Resuming from", "Resuming training
    // from"), plain loops ("resumed from"), and "training starts at step N"; the practice program says "starting at
    // step 0".
    static const QRegularExpression step(
        u"\\b(?:training )?start(?:s|ing) at step (\\d{1,12})\\b"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression resumed(
        u"\\b(?:resum(?:ed|ing)(?: training)?|restored) from\\b"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression scratch(
        u"\\b(?:no checkpoint (?:found|there)|training from scratch)\\b"_s, QRegularExpression::CaseInsensitiveOption);
    if (const auto found = step.match(line); found.hasMatch())
        return found.captured(1).toLongLong() > 0;
    if (resumed.match(line).hasMatch())
        return true;
    return scratch.match(line).hasMatch() ? std::optional(false) : std::nullopt;
}

void ClassMeter::addTick(const NodeTick& tick)
{
    for (const GpuSample& gpu : tick.gpus)
        m_began = m_began || valueIn(tick, gpu.index, Measure::Utilization).value_or(0) >= working;
    if (!m_began)
        return;
    for (const GpuSample& gpu : tick.gpus) {
        const auto reported = valueIn(tick, gpu.index, Measure::Utilization);
        if (!reported || !std::isfinite(*reported))
            continue;
        Use& use = m_use[{tick.node, gpu.index}];
        use.sum += qBound(0.0, *reported, 100.0);
        ++use.samples;
    }
}

void ClassMeter::addProgress(const TrainingProgress& progress)
{
    if (progress.stepSeconds && *progress.stepSeconds > 0) {
        m_stepSeconds = progress.stepSeconds;
        if (progress.globalBatch)
            m_samplesPerSecond = double(*progress.globalBatch) / *progress.stepSeconds;
    }
    if (progress.rate && *progress.rate > 0 && progress.rateUnit == u"samples/s"_s)
        m_samplesPerSecond = progress.rate;
    if (progress.loss)
        m_lossIsLost = !std::isfinite(*progress.loss);
}

void ClassMeter::setLosses(const QList<LossPoint>& losses)
{
    if (losses.isEmpty())
        return;
    if (!m_firstLoss || losses.first().step < m_firstLoss->step)
        m_firstLoss = losses.first();
    m_lastLoss = losses.last();
}

void ClassMeter::setBinding(const RankBinding& binding)
{
    if (binding.isReported())
        m_ranks = binding.ranks();
    if (const auto bound = binding.bound())
        m_bound = bound;
}

void ClassMeter::addLine(const QString& line)
{
    const auto resumed = resumedBy(line);
    // "Resumed from" beside "starts at step 0" of an epoch: it went on.
    if (resumed && !m_resumed.value_or(false))
        m_resumed = resumed;
}

void ClassMeter::fill(RunFacts& facts) const
{
    std::optional<double> least;
    for (auto each = m_use.cbegin(); each != m_use.cend(); ++each) {
        const double mean = each->sum / each->samples;
        if (least && mean >= *least)
            continue;
        least = mean;
        facts.leastBusyGpu = u"%1, %2 %3"_s.arg(each.key().first, m_gpuWord, QString::number(each.key().second));
    }
    const auto put = [](auto& member, const auto& value) {
        if (value)
            member = value;
    };
    put(facts.leastBusyPercent, least);
    put(facts.ranks, m_ranks);
    put(facts.ranksBound, m_bound);
    put(facts.stepSeconds, m_stepSeconds);
    put(facts.samplesPerSecond, m_samplesPerSecond);
    put(facts.resumed, m_resumed);
    // One value alone has not fallen yet, and has not failed to.
    if (m_firstLoss && (m_lossIsLost || m_lastLoss->step > m_firstLoss->step)) {
        facts.firstLoss = m_firstLoss->loss;
        facts.lastLoss = m_lossIsLost ? std::numeric_limits<double>::infinity() : m_lastLoss->loss;
    }
}

} // namespace rankwright

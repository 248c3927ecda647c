// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/outlierorder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankwright::inline tables {

namespace {

constexpr float lowest = 3; // below three robust standard deviations nothing is an outlier
constexpr float ratio = 1.5F;
constexpr float leaves = 0.75F; // of the class's lower bound
constexpr int highest = 12;

float boundOf(int level) { return lowest * std::pow(ratio, float(level - 1)); }

int classOf(float score, int before)
{
    if (!(score > 0))
        return 0;
    int level = score < lowest ? 0 : 1 + int(std::floor(std::log(score / lowest) / std::log(ratio)));
    level = std::min(level, highest);
    if (level < before && score >= leaves * boundOf(before))
        return before;
    return level;
}

} // namespace

bool OutlierOrder::update(std::span<const float> scores, qint64 nowMs)
{
    const auto count = qsizetype(scores.size());
    const bool resized = m_rows.size() != count;
    // No need to wait when the clock went back (replay).
    if (!resized && nowMs >= m_changedMs && nowMs - m_changedMs < pauseMs)
        return false;
    m_classes.resize(count);
    for (qsizetype row = 0; row < count; ++row)
        m_classes[row] = classOf(scores[std::size_t(row)], resized ? 0 : m_classes.at(row));
    QList<int> rows(count);
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(
        rows.begin(), rows.end(), [this](int one, int other) { return m_classes.at(one) > m_classes.at(other); });
    if (rows == m_rows)
        return false;
    m_rows = rows;
    m_changedMs = nowMs;
    return true;
}

} // namespace rankwright::inline tables

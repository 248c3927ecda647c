// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/coveragemeter.h"

#include <algorithm>

namespace rankwright {

namespace {

// Ticks of one second arrive within moments of one another; a burst after a frozen link may be a minute late.
constexpr std::size_t openSeconds = 120;
// A node's clock that is years off must not make the bit row huge: ten days of one job are enough.
constexpr qint64 longestSpan = 10 * 24 * 3600;

} // namespace

void CoverageMeter::expect(int nodes, int gpusPerNode, int intervalMs)
{
    m_nodes = nodes;
    m_gpusPerNode = gpusPerNode;
    m_intervalMs = std::max(1000, intervalMs);
}

void CoverageMeter::add(const NodeTick& tick, qint64 arrivedMs)
{
    if (tick.gpus.isEmpty() || tick.gpus.size() < m_gpusPerNode)
        return;
    const qint64 ms = tick.takenMs > 0 ? tick.takenMs : arrivedMs;
    const qint64 second = ms / 1000;
    if (!m_base)
        m_base = second - 60; // ticks of other nodes may be a little older than the first
    if (second < *m_base || second - *m_base > longestSpan)
        return;
    Node& node = m_reported[tick.node];
    const bool goesOn = node.newestMs > 0 && ms > node.newestMs && ms - node.newestMs <= m_intervalMs * 3LL / 2;
    const qint64 end = second + (m_intervalMs + 999) / 1000;
    for (qint64 each = goesOn ? node.seenTo : std::max(second, node.seenTo); each < end; ++each)
        count(each);
    node.seenTo = std::max(node.seenTo, end);
    node.newestMs = std::max(node.newestMs, ms);
}

/// One node more was seen in this second.
void CoverageMeter::count(qint64 second)
{
    if (++m_open[second] == m_nodes) {
        const qint64 bit = second - *m_base;
        if (qint64(m_complete.size()) <= bit)
            m_complete.resize(size_t(bit) + 1, false);
        m_complete[size_t(bit)] = true;
    }
    if (m_open.size() > openSeconds)
        m_open.erase(m_open.begin());
}

std::optional<double> CoverageMeter::share(qint64 fromMs, qint64 toMs) const
{
    const qint64 from = fromMs / 1000;
    const qint64 to = toMs / 1000;
    if (m_nodes <= 0 || to <= from)
        return std::nullopt;
    if (!m_base)
        return 0;
    qint64 seen = 0;
    for (qint64 second = std::max(from, *m_base); second < to; ++second) {
        const qint64 bit = second - *m_base;
        if (bit >= qint64(m_complete.size()))
            break;
        seen += m_complete.at(size_t(bit)) ? 1 : 0;
    }
    return double(seen) / double(to - from);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/coveragemeter.h"

#include <algorithm>

namespace rankwright {

namespace {

// Ticks of one second arrive within moments of one another; a burst after a frozen link may be a minute late.
constexpr qsizetype openSeconds = 120;
// A node's clock that is years off must not make the bit row huge: ten days of one job are enough.
constexpr qint64 longestSpan = 10 * 24 * 3600;

} // namespace

void CoverageMeter::expect(int nodes, int gpusPerNode)
{
    m_nodes = nodes;
    m_gpusPerNode = gpusPerNode;
}

void CoverageMeter::add(const NodeTick& tick, qint64 arrivedMs)
{
    if (tick.gpus.isEmpty() || tick.gpus.size() < m_gpusPerNode)
        return;
    const qint64 second = (tick.takenMs > 0 ? tick.takenMs : arrivedMs) / 1000;
    if (m_base < 0)
        m_base = second - 60; // ticks of other nodes may be a little older than the first
    const qint64 bit = second - m_base;
    if (bit < 0 || bit > longestSpan)
        return;
    QSet<QString>& nodes = m_open[second];
    nodes.insert(tick.node);
    if (m_nodes > 0 && nodes.size() >= m_nodes) {
        if (qint64(m_complete.size()) <= bit)
            m_complete.resize(size_t(bit) + 1, false);
        m_complete[size_t(bit)] = true;
    }
    if (m_open.size() > openSeconds) {
        const QList<qint64> seconds = m_open.keys();
        m_open.remove(*std::min_element(seconds.cbegin(), seconds.cend()));
    }
}

std::optional<double> CoverageMeter::share(qint64 fromMs, qint64 toMs) const
{
    const qint64 from = fromMs / 1000;
    const qint64 to = toMs / 1000;
    if (m_nodes <= 0 || to <= from)
        return std::nullopt;
    qint64 seen = 0;
    for (qint64 second = std::max(from, m_base); second < to && m_base >= 0; ++second) {
        const qint64 bit = second - m_base;
        if (bit >= qint64(m_complete.size()))
            break;
        seen += m_complete.at(size_t(bit)) ? 1 : 0;
    }
    return double(seen) / double(to - from);
}

} // namespace rankwright

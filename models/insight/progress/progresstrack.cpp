// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progresstrack.h"

#include <algorithm>

namespace rankwright::inline insight {

void ProgressTrack::add(const Entry& entry)
{
    const auto place = std::upper_bound(
        m_entries.begin(), m_entries.end(), entry.atMs, [](qint64 ms, const Entry& one) { return ms < one.atMs; });
    if (place != m_entries.begin() && std::prev(place)->atMs == entry.atMs) {
        *std::prev(place) = entry;
        return;
    }
    m_entries.insert(place, entry);
    // The newest is kept; the one before it only when it is far enough from its own predecessor.
    const qsizetype count = m_entries.size();
    if (count >= 3 && m_entries.at(count - 2).atMs - m_entries.at(count - 3).atMs < m_leastGapMs)
        m_entries.removeAt(count - 2);
    if (m_entries.size() > mostEntries)
        thinEntries();
}

void ProgressTrack::thinEntries()
{
    m_leastGapMs = std::max(m_leastGapMs * 2, (m_entries.last().atMs - m_entries.first().atMs) / (mostEntries / 2));
    QList<Entry> kept{m_entries.first()};
    for (const Entry& entry : std::as_const(m_entries)) {
        if (entry.atMs - kept.last().atMs >= m_leastGapMs)
            kept.append(entry);
    }
    if (kept.last().atMs != m_entries.last().atMs)
        kept.append(m_entries.last());
    m_entries = kept;
}

void ProgressTrack::clear()
{
    m_entries.clear();
    m_leastGapMs = 0;
}

const ProgressTrack::Entry* ProgressTrack::at(qint64 ms) const
{
    const auto after = std::upper_bound(
        m_entries.begin(), m_entries.end(), ms, [](qint64 moment, const Entry& one) { return moment < one.atMs; });
    return after == m_entries.begin() ? nullptr : &*std::prev(after);
}

} // namespace rankwright::inline insight

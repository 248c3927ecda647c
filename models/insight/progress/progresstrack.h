// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/trainingprogress.h"

#include <QList>

namespace rankwright::inline insight {

/// What a training's log reported, and when: how far a job was at any moment. Thinned beyond a few thousand entries,
/// the newest is always kept. Times are the caller's, of one clock. Value type.
class ProgressTrack {
public:
    struct Entry {
        qint64 atMs = 0;
        TrainingProgress progress;
        std::optional<double> lossStep; ///< of the newest point of the loss curve then
        bool operator==(const Entry&) const = default;
    };
    static constexpr qsizetype mostEntries = 4096;

    /// Older than the newest: goes in at its place.
    void add(const Entry& entry);
    /// As it was at `ms`; null: nothing had been reported yet.
    const Entry* at(qint64 ms) const;
    const QList<Entry>& entries() const { return m_entries; }
    bool isEmpty() const { return m_entries.isEmpty(); }
    void clear();

private:
    void thinEntries();

    QList<Entry> m_entries; ///< by time
    qint64 m_leastGapMs = 0; ///< between kept entries
};

} // namespace rankwright::inline insight

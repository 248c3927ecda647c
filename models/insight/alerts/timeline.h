// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alert.h"

namespace rankwright::inline insight {

/// Something that happened in a job's life, to be marked on its time: a state that changed, an alert and how long it
/// lasted.
struct TimelineMark {
    enum class Kind { State, Alert };
    Kind kind = Kind::State;
    Alert::Level level = Alert::Level::Normal; ///< of an alert
    qint64 fromMs = 0;
    qint64 toMs = 0; ///< equal to fromMs: a moment; 0: it still lasts
    QString text; ///< "Rank 5 is late", "began to run"
    bool operator==(const TimelineMark&) const = default;
};

/// Turns the alerts that stand, reported again and again, into stretches of time. Bounded: the oldest of thousands go.
/// Value type.
class Timeline {
public:
    static constexpr qsizetype mostMarks = 512;

    void addState(const QString& text, qint64 atMs);
    /// All alerts that stand at `nowMs`; those that stood before and are not among them end here. Alerts that say that
    /// something is normal are not marks.
    void setAlerts(const QList<Alert>& alerts, qint64 nowMs);
    void add(const TimelineMark& mark);
    QList<TimelineMark> marks() const; ///< by beginning
    void clear() { m_entries.clear(); }

private:
    struct Entry {
        QString key; ///< kind and whom it is about; empty: a state
        TimelineMark mark;
    };
    void insert(const Entry& entry);

    QList<Entry> m_entries; ///< by beginning
};

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/joboverview.h"

#include <QMap>

namespace rankwright::inline insight {

/// The curves that a plot shows, fetched one at a time, so that whoever asks for many of a long job keeps answering
/// between them. Curves that are not requested any more are dropped; those that are being fetched again stay readable.
/// Value type.
class HistoryCurves {
public:
    struct Key {
        HistorySubject subject;
        Measure measure = Measure::Utilization;
        auto operator<=>(const Key&) const = default; // NOLINT(modernize-use-nullptr): of what is generated
    };

    enum class Fetch { Missing, All }; ///< what the same request again fetches: what is not there yet, or everything
    /// What is wanted now.
    void want(const QList<Key>& keys, TimeSpan span, int count, Fetch fetch);
    /// Fetches one curve; false: all are there.
    bool fetchNext(const TelemetryHistory& history, int gpusPerPackage);
    bool isComplete() const { return m_waiting.isEmpty(); }
    /// As last fetched: its buckets may belong to the span before. Empty: not fetched yet.
    QList<HistoryBucket> curve(const Key& key) const { return m_curves.value(key); }
    void clear();

private:
    QMap<Key, QList<HistoryBucket>> m_curves;
    QList<Key> m_keys;
    QList<Key> m_waiting;
    TimeSpan m_span;
    int m_count = 0;
};

/// Where a curve has a hole, for drawing and for splitting its line: the given gaps of the whole job (gapsWithin) that
/// touch it, and where it alone reported nothing for longer than `longerThanMs` (gapLongerThanMs): counted from the end
/// of a bucket to the beginning of the next, so that coarse buckets make none up.
QList<TimeSpan> holesOf(const QList<HistoryBucket>& curve, const QList<TimeSpan>& gaps, qint64 longerThanMs);
/// A curve as pieces between its holes. Empty buckets are left out.
QList<QList<HistoryBucket>> piecesOf(const QList<HistoryBucket>& curve, const QList<TimeSpan>& holes);

} // namespace rankwright::inline insight

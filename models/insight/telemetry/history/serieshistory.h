// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// What the ring buffers of a watched job still hold, as a history: where no recording is kept. Times are those of
/// arrival. The series must outlive it.
class SeriesHistory final : public TelemetryHistory {
public:
    /// `nowMs`: the newest moment of the series' clock, asked for at every question.
    SeriesHistory(const TelemetrySeries& series, std::function<qint64()> nowMs);

    QStringList nodes() const override;
    int gpusPerNode() const override;
    TimeSpan span() const override;
    /// Figures without names and limits, which the buffers do not keep.
    QList<NodeTick> frameAt(qint64 ms, qint64 maxAgeMs = 5000) const override;
    QList<HistoryBucket> buckets(GpuAddress gpu, Measure measure, TimeSpan span, int count) const override;
    /// Looked for on a few nodes, spread evenly: all are sampled together.
    QList<TimeSpan> gaps(qint64 longerThanMs) const override;
    void forEachTick(TimeSpan span, const std::function<void(const NodeTick&)>& take) const override;
    QList<NodeProcesses> processesAt(qint64) const override { return {}; }

private:
    QList<TelemetrySeries::Point> points(GpuAddress gpu) const;

    const TelemetrySeries& m_series;
    std::function<qint64()> m_nowMs;
};

} // namespace rankwright::inline insight

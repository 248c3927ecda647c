// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QObject>

#include <optional>

namespace rankwright {

class HeatMapView;
class JobWatch;

/// Measures how old a sample is when its cell is painted: from the node's clock at the reading (the tool's own time
/// included) to the end of the paint event. True where node and window share a clock, as on the practice cluster.
/// Watches only; changes nothing of what it measures.
class PaintMeter final : public QObject {
    Q_OBJECT
public:
    explicit PaintMeter(QObject* parent = nullptr);

    void watch(const JobWatch& watch, const HeatMapView& view);
    /// Milliseconds: median, 95th percentile, largest, and how many ticks were seen; empty when none was painted.
    QJsonObject figures() const;

private:
    void notePainted(qint64 newestArrivalMs);

    QHash<qint64, qint64> m_taken; ///< arrival -> when it was read on the node
    QList<double> m_ages;
};

/// Resident memory of this process in MiB; empty where /proc is not there (other systems than Linux).
std::optional<double> residentMib();

/// Prints "first paint" to standard output when a window has painted itself for the first time; for measuring starts.
void traceFirstPaint(QObject& window);

} // namespace rankwright

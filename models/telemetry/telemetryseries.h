// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/gpusample.h"

#include <QHash>
#include <QStringList>

#include <limits>
#include <vector>

namespace rankwright {

enum class Measure { Utilization, Memory, Power, Temperature, Clock, Processes };

/// Address of one GPU in the series: row = node, column = GPU index.
struct GpuAddress {
    int node = 0;
    int gpu = 0;
    auto operator<=>(const GpuAddress&) const = default;
};

/// Ring buffers of samples per GPU: bounded memory by design (capacity ticks each, 600 by default = 10 min at 1 Hz).
/// Knows gaps: a GPU without a sample for `staleAfterMs` is stale, its last value stays readable with its age. Value
/// store on the GUI thread; does not parse, does not signal.
class TelemetrySeries {
public:
    static constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
    struct Point {
        qint64 arrivedMs = 0; ///< our clock
        qint64 takenMs = 0; ///< node's clock, 0 unknown
        /// NaN = not told
        float utilization = unknown, memoryGib = unknown, power = unknown, temperature = unknown;
        float clock = unknown, processes = unknown;
        float of(Measure measure) const;
    };

    explicit TelemetrySeries(int capacity = 600, qint64 staleAfterMs = 5000);

    /// Fixes the shape before data arrives (from the job's allocation), so that silent GPUs are visible as such.
    void setShape(const QStringList& nodes, int gpusPerNode);
    /// Stores a tick; unknown nodes and GPUs extend the shape. Returns the addresses that changed.
    QList<GpuAddress> store(const NodeTick& tick, qint64 arrivedMs);

    const QStringList& nodes() const { return m_nodes; }
    int rowOf(const QString& node) const { return m_rows.value(node, -1); }
    int gpusOf(int node) const;
    /// Newest sample; null when none ever arrived.
    const GpuSample* latest(GpuAddress address) const;
    qint64 latestArrival(GpuAddress address) const; ///< 0 when none
    bool isStale(GpuAddress address, qint64 nowMs) const;
    /// Points of the last `windowMs`, oldest first.
    QList<Point> window(GpuAddress address, qint64 nowMs, qint64 windowMs) const;
    /// Mean of what was told in the last `windowMs`; empty with fewer than `atLeast` values. Walks back from the newest
    /// point, so that thousands of GPUs can be asked every second.
    std::optional<double> mean(
        GpuAddress address, Measure measure, qint64 nowMs, qint64 windowMs, int atLeast = 1) const;
    /// Share of whole seconds of [fromMs, toMs) with a sample of this GPU, 0..1; counted from fromMs. What the ring no
    /// longer holds is left out of the span, not counted as missing.
    double coverage(GpuAddress address, qint64 fromMs, qint64 toMs) const;
    /// Larger indices come from broken lines: no node has so many.
    static constexpr int maxGpusPerNode = 256;
    static constexpr int maxNodes = 20000;
    /// Would store() keep anything of this tick?
    bool accepts(const NodeTick& tick) const;
    static std::optional<double> value(const GpuSample& sample, Measure measure); ///< memory in GiB

private:
    struct Track {
        GpuSample latest;
        qint64 latestArrival = 0;
        std::vector<Point> ring;
        int next = 0;
        int filled = 0;
    };
    const Track* track(GpuAddress address) const;

    int m_capacity;
    qint64 m_staleAfterMs;
    QStringList m_nodes;
    QHash<QString, int> m_rows;
    std::vector<std::vector<Track>> m_tracks;
};

QString toText(Measure measure); ///< "Utilisation", "Memory", ...
QString unitOf(Measure measure); ///< "%", "GiB", "W", "°C"

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/gpuaddress.h"
#include "models/insight/telemetry/gpusample.h"
#include "models/insight/telemetry/staleness.h"

#include <QHash>
#include <QStringList>

#include <array>
#include <limits>
#include <vector>

namespace rankwright::inline insight {

enum class Measure { Utilization, Memory, Power, Temperature, Clock, Processes };
/// In the order of the switch of the map and its keys 1 to 6, and of the columns of a recording's levels.
inline constexpr std::array allMeasures{
    Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature, Measure::Clock, Measure::Processes};

/// Ring buffers of samples: bounded memory by design (capacity moments of each node, 600 by default = 10 min at 1 Hz).
/// The newest sample of a GPU is kept as it came; older ones in 10 bytes: use to 0.01 %, memory to 8 MiB (up to
/// 511 GiB), power to 0.2 W (up to 13 kW), clock to 1 MHz, temperature to 0.5 °C (up to 126 °C), up to 253 processes.
/// Knows gaps: a GPU without a sample for `staleAfterMs` is stale, its last value stays readable with its age. Value
/// store on the GUI thread; does not parse, does not signal.
class TelemetrySeries {
public:
    static constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
    struct Point {
        qint64 arrivedMs = 0; ///< our clock
        std::optional<qint64> takenMs; ///< node's clock; empty: not reported
        /// NaN = not reported
        float utilization = unknown, memoryGib = unknown, power = unknown, temperature = unknown;
        float clock = unknown, processes = unknown;
        float of(Measure measure) const;
    };

    explicit TelemetrySeries(int capacity = 600, qint64 staleAfterMs = freshMs);

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
    qint64 freshForMs() const { return m_staleAfterMs; }
    /// Points of the last `windowMs`, oldest first.
    QList<Point> window(GpuAddress address, qint64 nowMs, qint64 windowMs) const;
    /// Mean of what was reported in the last `windowMs`; empty with fewer than `atLeast` values. Walks back from the
    /// newest point, so that thousands of GPUs can be asked every second.
    std::optional<double> mean(
        GpuAddress address, Measure measure, qint64 nowMs, qint64 windowMs, int atLeast = 1) const;
    /// Share of whole seconds of [fromMs, toMs) with a sample of this GPU, 0..1; counted from fromMs. What the ring no
    /// longer holds is left out of the span, not counted as missing.
    double coverage(GpuAddress address, qint64 fromMs, qint64 toMs) const;
    /// Larger indices come from broken lines: no node has that many GPUs.
    static constexpr int maxGpusPerNode = 256;
    static constexpr int maxNodes = 20000;
    /// Would store() keep anything of this tick?
    bool accepts(const NodeTick& tick) const;
    static std::optional<double> value(const GpuSample& sample, Measure measure); ///< memory in GiB

private:
    struct Moment {
        qint64 arrivedMs = 0;
        qint64 takenMs = 0;
    };
    struct Cell {
        quint16 utilization, memory, power, clock;
        quint8 temperature, processes;
    };
    struct Latest {
        GpuSample sample;
        qint64 arrivedMs = 0;
        bool any = false;
    };
    /// Of one node: its moments, and for each of them a cell per GPU.
    struct Ring {
        std::vector<Moment> moments;
        std::vector<Cell> cells;
        std::vector<Latest> latest;
        int next = 0;
    };
    static Cell packed(const GpuSample& gpu);
    static Point unpacked(const Moment& moment, const Cell& cell);
    static bool isAbsent(const Cell& cell);
    const Ring* ring(GpuAddress address) const;
    const Latest* latestOf(GpuAddress address) const;
    int slotFor(Ring& ring, const NodeTick& tick, qint64 arrivedMs) const;
    static void widen(Ring& ring, std::size_t width);
    /// The slot of the `back`-th newest moment; 0 is the newest.
    static std::size_t slotBack(const Ring& ring, int back);

    int m_capacity;
    qint64 m_staleAfterMs;
    QStringList m_nodes;
    QHash<QString, int> m_rows;
    std::vector<Ring> m_rings;
};

QString toText(Measure measure); ///< "Utilisation", "Memory", ...
QString unitOf(Measure measure); ///< "%", "GiB", "W", "°C"

} // namespace rankwright::inline insight

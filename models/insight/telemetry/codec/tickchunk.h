// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/codec/columncodec.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// Some ticks of one node, packed: columns of the same cell of the same GPU over time (docs/recording.md). Exact: every
/// cell comes back as it was reported, unknown ones unknown; only NaN comes back as unknown.
/// The node's name is not in it. About 4 bytes per GPU and tick of a training job.
QByteArray packTicks(const QList<NodeTick>& ticks);
/// The same without zlib and checksum: for what packs it together with something else.
QByteArray tickPayload(const QList<NodeTick>& ticks);

/// Reads packed ticks without unpacking more than is asked for. Value; shares its bytes with its copies.
class TickChunk {
public:
    /// All of the bytes are checked here, so that nothing can fail later. Error: Unreadable or Invalid (newer version).
    static Result<TickChunk> open(const QByteArray& blob);
    /// The same for what lies below zlib and checksum; for tests.
    static Result<TickChunk> openPayload(const QByteArray& payload);

    qsizetype size() const { return qsizetype(m_times.size()); }
    qint64 timeAt(qsizetype i) const { return m_times[std::size_t(i)]; }
    /// Index of the newest tick not after `ms`, -1 when there is none. Ticks are packed in order of time.
    qsizetype newestAt(qint64 ms) const;
    NodeTick tick(qsizetype i, const QString& node) const;
    QList<NodeTick> ticks(const QString& node) const;
    /// Calls `take` with every value of one GPU's measure (memory in GiB) that was reported; in order of time unless
    /// the GPU changed its place in the ticks' lists.
    void forEachValue(int gpu, Measure measure, const std::function<void(qint64 ms, float value)>& take) const;
    /// Largest GPU index in it, -1: none.
    int largestGpu() const;
    /// What it keeps in memory, about.
    qsizetype bytes() const { return m_payload.size() + qsizetype(m_times.size() * sizeof(qint64)); }

private:
    struct Device {
        int index = 0;
        QString name;
        bool secondaryDie = false;
    };
    using Layout = std::vector<int>; ///< devices by place in the tick's list
    bool read();
    bool readDevices(ColumnReader& reader);
    int placesAt(qsizetype i) const { return int(m_layouts[m_layoutOf[std::size_t(i)]].size()); }
    /// Ticks before the i-th that have this place.
    qsizetype countBefore(qsizetype i, std::size_t place) const;

    QByteArray m_payload;
    std::vector<qint64> m_times;
    std::vector<Device> m_devices;
    std::vector<Layout> m_layouts;
    std::vector<std::size_t> m_layoutOf; ///< by tick
    std::size_t m_places = 0; ///< of the widest tick
    std::size_t m_cells = 0; ///< kinds of cells that it has and that are known here
    std::vector<qsizetype> m_counts; ///< by place: ticks that have it
    std::vector<QByteArrayView> m_columns; ///< cell by cell, in it place by place; into m_payload
};

/// Ticks of one node in one chunk: more are never written, fewer are never refused.
constexpr int mostChunkCells = 1 << 18; ///< ticks times GPUs

} // namespace rankwright::inline insight

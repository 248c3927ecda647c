// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingfile.h"
#include "models/insight/telemetry/codec/tickchunk.h"

#include <map>

namespace rankwright {

/// No piece of a recording spans more: so a reader knows how far back it has to look.
constexpr qint64 longestPieceMs = 300'000;
constexpr int mostPerPiece = 300;

/// One kind of what is reported over time (ticks or processes) in a recording's table: takes it node by node, packs it,
/// writes it, packs small pieces into large ones, and puts what comes late into its place. Used by RecordingWriter,
/// inside its transactions; `Taken` is NodeTick or NodeProcesses.
template <typename Taken>
class RecordingStream {
public:
    RecordingStream(RecordingFile& file, QString table);

    /// Reads from the file where each node stands. To be called again after a transaction that failed.
    Result<void> load();
    /// Keeps it in memory until write(), which leaves it out when there is one of its node within `nearMs`: the same
    /// moment reported twice. False: it waits already.
    bool append(int row, const Taken& taken, qint64 nearMs = 0);
    /// Packs what waits, so that it is small when it cannot be written for long.
    void pack();
    qint64 waitingBytes() const { return m_waitingBytes; }
    /// Forgets the oldest of what waits until at most `bytes` are left. Returns how many of `Taken` went.
    qint64 dropWaiting(qint64 bytes);
    /// Writes what waits, in the caller's transaction. What is late (not behind the node's newest) takes its place in
    /// time. `changed` gets the stretches of time, by node, that are not as they were.
    Result<void> write(std::map<int, TimeSpan>& changed);
    /// What waits is in the file now: the transaction has been committed.
    void written();
    /// Packs a node's small pieces into a large one when they reach `sealMs`. Returns up to when its pieces are large,
    /// 0: nothing was done.
    Result<qint64> seal(int row, qint64 sealMs);

private:
    struct Piece {
        int row = 0;
        qint64 fromMs = 0;
        qint64 toMs = 0;
        qint64 holeMs = 0; ///< longest time between two of it
        int count = 0;
        qint64 nearMs = 0;
        QByteArray data;
    };
    struct Fresh {
        qint64 fromMs = 0;
        qint64 toMs = 0;
        int count = 0;
    };
    static QList<Piece> piecesOf(int row, const QList<Taken>& taken);
    enum class Seal { Open, Sealed };
    Result<void> insert(const Piece& piece, Seal seal);
    Result<void> merge(const Piece& late, std::map<int, TimeSpan>& changed);
    Result<void> replace(int row, const QList<qint64>& ids, const QList<Taken>& taken);
    Result<void> loadFresh(int row);

    RecordingFile& m_file;
    QString m_table;
    std::map<std::pair<qint64, int>, QList<Taken>> m_loose; ///< by `nearMs` and row, in order of time
    QList<Piece> m_waiting;
    qint64 m_waitingBytes = 0;
    std::map<int, qint64> m_newest; ///< by row: the newest that is in the file
    std::map<int, Fresh> m_fresh; ///< by row: small pieces in the file
};

extern template class RecordingStream<NodeTick>;
extern template class RecordingStream<NodeProcesses>;

} // namespace rankwright

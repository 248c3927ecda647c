// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingstream.h"

#include "models/insight/telemetry/codec/processcodec.h"
#include "models/insight/telemetry/history/kepttick.h"

#include <QSqlQuery>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QByteArray packed(const QList<NodeTick>& taken) { return packTicks(taken); }
QByteArray packed(const QList<NodeProcesses>& taken) { return packProcesses(taken); }

bool unpack(const QByteArray& blob, QList<NodeTick>& all)
{
    const auto chunk = TickChunk::open(blob);
    if (!chunk)
        return false;
    all += chunk->ticks({});
    return true;
}

bool unpack(const QByteArray& blob, QList<NodeProcesses>& all)
{
    const auto reported = unpackProcesses(blob, {});
    if (!reported)
        return false;
    all += *reported;
    return true;
}

/// Adds to `known` what `more` reports about the same moment beyond it.
bool join(NodeTick& known, const NodeTick& more) { return addGpus(known, more); }
bool join(NodeProcesses&, const NodeProcesses&) { return false; }

qsizetype widthOf(const NodeTick& tick) { return tick.gpus.size(); }
qsizetype widthOf(const NodeProcesses& reported) { return reported.ranks.size(); }

template <typename Taken>
auto placeOf(QList<Taken>& all, qint64 ms)
{
    return std::lower_bound(
        all.begin(), all.end(), ms, [](const Taken& one, qint64 moment) { return one.takenMs < moment; });
}

/// Puts `taken` in its place; false: it is there already, or one within `nearMs`.
template <typename Taken>
bool place(QList<Taken>& all, const Taken& taken, qint64 nearMs)
{
    const auto at = placeOf(all, taken.takenMs);
    if (at != all.end() && at->takenMs == taken.takenMs)
        return join(*at, taken);
    if (nearMs > 0) {
        const bool before = at != all.begin() && taken.takenMs - std::prev(at)->takenMs < nearMs;
        const bool after = at != all.end() && at->takenMs - taken.takenMs < nearMs;
        if (before || after)
            return false;
    }
    all.insert(at, taken);
    return true;
}

} // namespace

template <typename Taken>
RecordingStream<Taken>::RecordingStream(RecordingFile& file, QString table) : m_file(file), m_table(std::move(table))
{ }

template <typename Taken>
Result<void> RecordingStream<Taken>::load()
{
    m_newest.clear();
    m_fresh.clear();
    const auto newest = m_file.run(u"SELECT node, MAX(to_ms) FROM %1 GROUP BY node"_s.arg(m_table), {},
        [this](const QSqlQuery& row) { m_newest[row.value(0).toInt()] = row.value(1).toLongLong(); });
    if (!newest)
        return fail(newest.error());
    const auto fresh = m_file.run(
        u"SELECT node, MIN(from_ms), MAX(to_ms), SUM(count) FROM %1 WHERE sealed = 0 GROUP BY node"_s.arg(m_table), {},
        [this](const QSqlQuery& row) {
            m_fresh[row.value(0).toInt()]
                = {row.value(1).toLongLong(), row.value(2).toLongLong(), row.value(3).toInt()};
        });
    return fresh ? Result<void>() : fail(fresh.error());
}

template <typename Taken>
bool RecordingStream<Taken>::append(int row, const Taken& taken, qint64 nearMs)
{
    return place(m_loose[{nearMs, row}], taken, nearMs);
}

template <typename Taken>
QList<typename RecordingStream<Taken>::Piece> RecordingStream<Taken>::piecesOf(int row, const QList<Taken>& taken)
{
    QList<Piece> pieces;
    for (qsizetype begin = 0; begin < taken.size();) {
        qsizetype end = begin;
        qsizetype width = 1;
        qint64 hole = 0;
        for (; end < taken.size() && end - begin < mostPerPiece; ++end) {
            width = qMax(width, widthOf(taken.at(end)));
            const bool tooWide = width * (end - begin + 1) > mostChunkCells;
            if (end > begin && (tooWide || taken.at(end).takenMs - taken.at(begin).takenMs > longestPieceMs))
                break;
            if (end > begin)
                hole = qMax(hole, taken.at(end).takenMs - taken.at(end - 1).takenMs);
        }
        pieces.append({row, taken.at(begin).takenMs, taken.at(end - 1).takenMs, hole, int(end - begin), 0,
            packed(taken.mid(begin, end - begin))});
        begin = end;
    }
    return pieces;
}

template <typename Taken>
void RecordingStream<Taken>::pack()
{
    for (const auto& [key, taken] : m_loose) {
        for (Piece piece : piecesOf(key.second, taken)) {
            piece.nearMs = key.first;
            m_waitingBytes += piece.data.size();
            m_waiting.append(piece);
        }
    }
    m_loose.clear();
}

template <typename Taken>
qint64 RecordingStream<Taken>::dropWaiting(qint64 bytes)
{
    qint64 dropped = 0;
    qsizetype first = 0;
    for (; first < m_waiting.size() && m_waitingBytes > bytes; ++first) {
        m_waitingBytes -= m_waiting.at(first).data.size();
        dropped += m_waiting.at(first).count;
    }
    m_waiting.remove(0, first);
    return dropped;
}

template <typename Taken>
void RecordingStream<Taken>::written()
{
    m_waiting.clear();
    m_waitingBytes = 0;
}

template <typename Taken>
Result<void> RecordingStream<Taken>::insert(const Piece& piece, Seal seal)
{
    const auto done = m_file.run(
        u"INSERT INTO %1 (node, from_ms, to_ms, hole_ms, count, sealed, data) VALUES (?, ?, ?, ?, ?, ?, ?)"_s.arg(
            m_table),
        {piece.row, piece.fromMs, piece.toMs, piece.holeMs, piece.count, seal == Seal::Sealed ? 1 : 0, piece.data});
    return done ? Result<void>() : fail(done.error());
}

template <typename Taken>
Result<void> RecordingStream<Taken>::write(std::map<int, TimeSpan>& changed)
{
    for (const Piece& piece : std::as_const(m_waiting)) {
        const auto newest = m_newest.find(piece.row);
        if (newest != m_newest.end() && piece.fromMs <= newest->second + piece.nearMs) {
            if (const auto done = merge(piece, changed); !done)
                return done;
            continue;
        }
        if (const auto done = insert(piece, Seal::Open); !done)
            return done;
        m_newest[piece.row] = piece.toMs;
        Fresh& fresh = m_fresh[piece.row];
        if (fresh.count == 0)
            fresh.fromMs = piece.fromMs;
        fresh.toMs = piece.toMs;
        fresh.count += piece.count;
    }
    return {};
}

template <typename Taken>
Result<void> RecordingStream<Taken>::merge(const Piece& late, std::map<int, TimeSpan>& changed)
{
    const qint64 nearMs = late.nearMs;
    QList<Taken> all, added;
    QList<qint64> ids;
    const auto read = m_file.run(
        u"SELECT id, data FROM %1 WHERE node = ? AND from_ms >= ? AND from_ms <= ? AND to_ms >= ?"_s.arg(m_table),
        {late.row, late.fromMs - nearMs - longestPieceMs, late.toMs + nearMs, late.fromMs - nearMs},
        [&](const QSqlQuery& row) {
            // A damaged piece stays as it is: what cannot be read cannot be written again.
            if (unpack(row.value(1).toByteArray(), all))
                ids.append(row.value(0).toLongLong());
        });
    if (!read)
        return fail(read.error());
    std::stable_sort(all.begin(), all.end(), [](const Taken& a, const Taken& b) { return a.takenMs < b.takenMs; });
    unpack(late.data, added);
    bool any = false;
    for (const Taken& taken : std::as_const(added))
        any = place(all, taken, nearMs) || any;
    if (!any)
        return {};
    if (const auto done = replace(late.row, ids, all); !done)
        return done;
    TimeSpan& span = changed[late.row];
    span = span.length() > 0 ? TimeSpan{qMin(span.fromMs, late.fromMs), qMax(span.toMs, late.toMs + 1)}
                             : TimeSpan{late.fromMs, late.toMs + 1};
    qint64& newest = m_newest[late.row];
    newest = qMax(newest, late.toMs);
    return loadFresh(late.row);
}

template <typename Taken>
Result<void> RecordingStream<Taken>::replace(int row, const QList<qint64>& ids, const QList<Taken>& taken)
{
    for (const qint64 id : ids) {
        if (const auto done = m_file.run(u"DELETE FROM %1 WHERE id = ?"_s.arg(m_table), {id}); !done)
            return fail(done.error());
    }
    for (const Piece& piece : piecesOf(row, taken)) {
        if (const auto done = insert(piece, Seal::Sealed); !done)
            return done;
    }
    return {};
}

template <typename Taken>
Result<void> RecordingStream<Taken>::loadFresh(int row)
{
    Fresh fresh;
    const auto read = m_file.run(
        u"SELECT MIN(from_ms), MAX(to_ms), TOTAL(count) FROM %1 WHERE node = ? AND sealed = 0"_s.arg(m_table), {row},
        [&fresh](const QSqlQuery& found) {
            fresh = {found.value(0).toLongLong(), found.value(1).toLongLong(), found.value(2).toInt()};
        });
    m_fresh[row] = fresh;
    return read ? Result<void>() : fail(read.error());
}

template <typename Taken>
Result<qint64> RecordingStream<Taken>::seal(int row, qint64 sealMs)
{
    const auto fresh = m_fresh.find(row);
    if (fresh == m_fresh.end() || fresh->second.count == 0)
        return 0;
    // Nodes take turns, so that not all of a thousand are packed in the same commit.
    const qint64 turn = m_newest.size() > 16 ? (row % 16) * sealMs / 32 : 0;
    const bool full = fresh->second.count >= mostPerPiece;
    if (!full && fresh->second.toMs - fresh->second.fromMs + turn < sealMs)
        return 0;
    QList<Taken> all;
    QList<qint64> ids, unreadable;
    const auto read
        = m_file.run(u"SELECT id, data FROM %1 WHERE node = ? AND sealed = 0 ORDER BY from_ms"_s.arg(m_table), {row},
            [&](const QSqlQuery& found) {
                if (unpack(found.value(1).toByteArray(), all))
                    ids.append(found.value(0).toLongLong());
                else
                    unreadable.append(found.value(0).toLongLong());
            });
    if (!read)
        return fail(read.error());
    for (const qint64 id : std::as_const(unreadable)) { // stays as it is, and is not tried again
        if (const auto done = m_file.run(u"UPDATE %1 SET sealed = 1 WHERE id = ?"_s.arg(m_table), {id}); !done)
            return fail(done.error());
    }
    if (const auto done = replace(row, ids, all); !done)
        return fail(done.error());
    m_fresh.erase(fresh);
    return all.isEmpty() ? qint64(0) : all.last().takenMs;
}

template class RecordingStream<NodeTick>;
template class RecordingStream<NodeProcesses>;

} // namespace rankwright

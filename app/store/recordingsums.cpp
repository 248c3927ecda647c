// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingsums.h"

#include "models/insight/telemetry/codec/sumscodec.h"
#include "models/insight/telemetry/codec/tickchunk.h"

#include <QSqlQuery>

namespace rankwright {

using namespace Qt::StringLiterals;

Result<void> RecordingSums::load()
{
    m_next.clear();
    m_looseMs.clear();
    const auto read = m_file.run(
        u"SELECT node, MAX(from_ms), MAX(to_ms) FROM sums GROUP BY node"_s, {}, [this](const QSqlQuery& row) {
            const int node = row.value(0).toInt();
            m_next[node] = row.value(2).toLongLong();
            // What was made by a program that has ended is joined with what follows, where it is short.
            m_looseMs[node] = row.value(2).toLongLong() - longestMs;
        });
    return read ? Result<void>() : fail(read.error());
}

Result<void> RecordingSums::insert(int row, const Row& sums)
{
    const auto gone = m_file.run(
        u"DELETE FROM sums WHERE node = ? AND from_ms >= ? AND from_ms <= ?"_s, {row, sums.fromMs, sums.toMs});
    if (!gone)
        return fail(gone.error());
    const auto done
        = m_file.run(u"INSERT INTO sums (node, from_ms, to_ms, pieces, ids, data) VALUES (?, ?, ?, ?, ?, ?)"_s,
            {row, sums.fromMs, sums.toMs, sums.pieces, sums.ids, packSums(sums.sums)});
    return done ? Result<void>() : fail(done.error());
}

Result<void> RecordingSums::build(int row)
{
    const auto known = m_next.find(row);
    const qint64 after = known == m_next.end() ? 0 : known->second;
    QList<Row> made;
    qint64 newest = after;
    const auto read = m_file.run(
        u"SELECT id, from_ms, to_ms, data FROM ticks WHERE node = ? AND from_ms > ? AND sealed = 1 AND hole_ms <= ? AND "
        "NOT EXISTS (SELECT 1 FROM sums WHERE sums.node = ticks.node AND sums.from_ms <= ticks.from_ms AND "
        "sums.to_ms >= ticks.from_ms) ORDER BY from_ms"_s,
        {row, after, NodeSums::furthestApartMs}, [&](const QSqlQuery& found) {
            newest = found.value(2).toLongLong();
            const auto chunk = TickChunk::open(found.value(3).toByteArray());
            const auto sums = chunk ? NodeSums::of(chunk->ticks({})) : std::nullopt;
            if (sums)
                made.append({sums->first.takenMs, sums->last.takenMs, 1, found.value(0).toLongLong(), *sums});
        });
    if (!read)
        return fail(read.error());
    m_next[row] = newest;
    for (const Row& one : std::as_const(made)) {
        if (const auto done = insert(row, one); !done)
            return done;
    }
    if (made.isEmpty())
        return {};
    const auto loose = m_looseMs.try_emplace(row, made.first().fromMs).first;
    return made.last().toMs - loose->second >= longestMs ? join(row) : Result<void>();
}

Result<void> RecordingSums::join(int row)
{
    QList<Row> joined;
    qint64 rows = 0;
    const auto read
        = m_file.run(u"SELECT pieces, ids, data FROM sums WHERE node = ? AND from_ms >= ? ORDER BY from_ms"_s,
            {row, m_looseMs[row]}, [&](const QSqlQuery& found) {
                const auto sums = unpackSums(found.value(2).toByteArray(), {});
                if (!sums)
                    return;
                ++rows;
                Row* last = joined.isEmpty() ? nullptr : &joined.last();
                const bool fits = last && sums->last.takenMs - last->fromMs <= longestMs;
                if (fits && last->sums.append(*sums)) {
                    last->toMs = sums->last.takenMs;
                    last->pieces += found.value(0).toLongLong();
                    last->ids += found.value(1).toLongLong();
                } else {
                    joined.append({sums->first.takenMs, sums->last.takenMs, found.value(0).toLongLong(),
                        found.value(1).toLongLong(), *sums});
                }
            });
    if (!read)
        return fail(read.error());
    if (joined.isEmpty())
        return {};
    const bool isFull = joined.last().toMs - joined.last().fromMs > longestMs * 4 / 5;
    m_looseMs[row] = isFull ? joined.last().toMs + 1 : joined.last().fromMs;
    if (joined.size() == rows)
        return {};
    for (const Row& one : std::as_const(joined)) {
        if (const auto done = insert(row, one); !done)
            return done;
    }
    return {};
}

Result<void> RecordingSums::forget(int row, TimeSpan span)
{
    qint64 first = span.fromMs;
    const auto read = m_file.run(u"SELECT MIN(from_ms) FROM sums WHERE node = ? AND from_ms < ? AND to_ms >= ?"_s,
        {row, span.toMs, span.fromMs}, [&first](const QSqlQuery& found) {
            if (!found.value(0).isNull())
                first = qMin(first, found.value(0).toLongLong());
        });
    if (!read)
        return fail(read.error());
    const auto done = m_file.run(
        u"DELETE FROM sums WHERE node = ? AND from_ms < ? AND to_ms >= ?"_s, {row, span.toMs, span.fromMs});
    if (!done)
        return fail(done.error());
    // A late tick may have started a piece again that began earlier.
    const qint64 again = first - longestMs;
    if (const auto next = m_next.find(row); next != m_next.end())
        next->second = qMin(next->second, again);
    if (const auto loose = m_looseMs.find(row); loose != m_looseMs.end())
        loose->second = qMin(loose->second, again);
    return {};
}

} // namespace rankwright

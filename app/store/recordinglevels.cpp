// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordinglevels.h"

#include "app/store/recordingstream.h"

#include <QSqlQuery>

namespace rankwright {

using namespace Qt::StringLiterals;

Result<void> RecordingLevels::load()
{
    m_next.clear();
    const auto read = m_file.run(
        u"SELECT level, node, MAX(from_ms) FROM levels GROUP BY level, node"_s, {}, [this](const QSqlQuery& row) {
            const auto level = std::size_t(row.value(0).toInt());
            if (level < levelBucketMs.size())
                m_next[row.value(1).toInt()][level] = row.value(2).toLongLong() + levelBlockMs(level);
        });
    return read ? Result<void>() : fail(read.error());
}

Result<std::optional<qint64>> RecordingLevels::firstDataFrom(std::size_t level, int row, qint64 fromMs)
{
    std::optional<qint64> first;
    const auto take = [&first, fromMs](const QSqlQuery& found) {
        if (!found.value(0).isNull())
            first = qMax(fromMs, found.value(0).toLongLong());
    };
    const auto read = level == 0
        ? m_file.run(u"SELECT from_ms FROM ticks WHERE node = ? AND from_ms >= ? AND to_ms >= ? ORDER BY from_ms "
                     "LIMIT 1"_s,
            {row, fromMs - longestPieceMs, fromMs}, take)
        : m_file.run(u"SELECT MIN(from_ms) FROM levels WHERE level = ? AND node = ? AND from_ms >= ?"_s,
            {int(level) - 1, row, fromMs}, take);
    if (!read)
        return fail(read.error());
    return first;
}

Result<void> RecordingLevels::build(int row, qint64 untilMs)
{
    Next& next = m_next[row];
    qint64 until = untilMs;
    for (std::size_t level = 0; level < levelBucketMs.size(); ++level) {
        while (true) {
            const qint64 from = next[level].value_or(0);
            const auto first = firstDataFrom(level, row, from);
            if (!first)
                return fail(first.error());
            // Holes are jumped over; a block is made when its whole time has passed.
            const qint64 start = *first ? levelBlockStart(level, **first) : from;
            if (!*first || start + levelBlockMs(level) > until)
                break;
            if (const auto built = buildBlock(level, row, start); !built)
                return built;
            next[level] = start + levelBlockMs(level);
        }
        until = next[level].value_or(0);
    }
    return {};
}

Result<void> RecordingLevels::buildBlock(std::size_t level, int row, qint64 fromMs)
{
    const qint64 toMs = fromMs + levelBlockMs(level);
    bool known = false;
    const auto asked = m_file.run(u"SELECT 1 FROM levels WHERE level = ? AND node = ? AND from_ms = ?"_s,
        {int(level), row, fromMs}, [&known](const QSqlQuery&) { known = true; });
    if (!asked)
        return fail(asked.error());
    if (known)
        return {};
    LevelSums sums(fromMs, levelBucketMs[level]);
    const auto read = level == 0
        ? m_file.run(u"SELECT data FROM ticks WHERE node = ? AND from_ms >= ? AND from_ms < ? AND to_ms >= ?"_s,
            {row, fromMs - longestPieceMs, toMs, fromMs},
            [&sums](const QSqlQuery& found) {
                if (const auto chunk = TickChunk::open(found.value(0).toByteArray()))
                    sums.add(*chunk);
            })
        : m_file.run(u"SELECT data FROM levels WHERE level = ? AND node = ? AND from_ms >= ? AND from_ms < ?"_s,
            {int(level) - 1, row, fromMs, toMs}, [&sums](const QSqlQuery& found) {
                if (const auto block = LevelBlock::open(found.value(0).toByteArray()))
                    sums.add(*block);
            });
    if (!read)
        return fail(read.error());
    const auto done = m_file.run(u"INSERT OR REPLACE INTO levels (level, node, from_ms, data) VALUES (?, ?, ?, ?)"_s,
        {int(level), row, fromMs, sums.pack()});
    return done ? Result<void>() : fail(done.error());
}

Result<void> RecordingLevels::forget(int row, TimeSpan span)
{
    Next& next = m_next[row];
    for (std::size_t level = 0; level < levelBucketMs.size(); ++level) {
        const qint64 start = levelBlockStart(level, span.fromMs);
        const auto done
            = m_file.run(u"DELETE FROM levels WHERE level = ? AND node = ? AND from_ms >= ? AND from_ms < ?"_s,
                {int(level), row, start, span.toMs});
        if (!done)
            return fail(done.error());
        if (next[level])
            next[level] = qMin(*next[level], start);
    }
    return {};
}

} // namespace rankwright

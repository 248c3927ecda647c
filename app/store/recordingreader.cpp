// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingreader.h"

#include "app/store/recordingstream.h"
#include "models/core/logging.h"
#include "models/insight/telemetry/codec/processcodec.h"
#include "models/insight/telemetry/codec/sumscodec.h"
#include "models/insight/telemetry/history/bucketfiller.h"

#include <QSqlQuery>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <thread>

namespace rankwright {

using namespace Qt::StringLiterals;

class RecordingReader::Snapshot {
public:
    explicit Snapshot(const RecordingReader& reader) : m_reader(reader)
    {
        if (m_reader.m_depth++ == 0)
            m_reader.ask(u"BEGIN"_s, {}, {});
    }
    ~Snapshot()
    {
        if (--m_reader.m_depth == 0)
            m_reader.ask(u"COMMIT"_s, {}, {});
    }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

private:
    const RecordingReader& m_reader;
};

namespace {

/// Up to here pieces are kept unpacked: a replay asks for the same ones again and again. Of a longer span each is
/// needed once, and unpacking is most of the work: it is done on all cores.
constexpr qint64 keptSpanMs = 600'000;

/// Parts of `whole` that none of `covered` (by time) touches.
QList<TimeSpan> uncovered(TimeSpan whole, const QList<TimeSpan>& covered)
{
    QList<TimeSpan> left;
    qint64 at = whole.fromMs;
    for (const TimeSpan& span : covered) {
        if (span.fromMs > at)
            left.append({at, qMin(span.fromMs, whole.toMs)});
        at = qMax(at, span.toMs);
    }
    if (at < whole.toMs)
        left.append({at, whole.toMs});
    return left;
}

/// Does `work` for each of [first, end) on all cores, and waits for the last.
template <typename Iterator, typename Work>
void onAllCores(Iterator first, Iterator end, const Work& work)
{
    const qsizetype count = end - first;
    std::atomic<qsizetype> next{0};
    const auto run = [&] {
        for (qsizetype i = next++; i < count; i = next++)
            work(first[i]);
    };
    std::vector<std::jthread> helpers; // joined when they go
    for (qsizetype i = 1; i < qMin<qsizetype>(QThread::idealThreadCount(), count); ++i)
        helpers.emplace_back(run);
    run();
}

} // namespace

Result<std::unique_ptr<RecordingReader>> RecordingReader::open(const QString& path)
{
    auto file = RecordingFile::open(path, RecordingFile::Mode::Read);
    if (!file)
        return fail(file.error());
    return std::unique_ptr<RecordingReader>(new RecordingReader(std::move(*file)));
}

bool RecordingReader::ask(const QString& sql, const QVariantList& values, const RecordingFile::Row& row) const
{
    const auto done = m_file->run(sql, values, row);
    if (!done) {
        m_fault = done.error();
        qCDebug(logApp) << m_fault->oneLine();
    }
    return done.hasValue();
}

void RecordingReader::refresh() const
{
    const qint64 version = m_file->dataVersion();
    if (version == m_version && version >= 0)
        return;
    m_version = version;
    const auto info = readRecordingInfo(*m_file);
    if (!info) {
        m_fault = info.error();
        return;
    }
    m_span = info->span;
    m_gpusPerNode = info->gpusPerNode;
    if (info->nodes == m_nodes.size())
        return;
    m_nodes.clear();
    ask(u"SELECT name FROM nodes ORDER BY id"_s, {},
        [this](const QSqlQuery& row) { m_nodes.append(row.value(0).toString()); });
}

QStringList RecordingReader::nodes() const
{
    refresh();
    return m_nodes;
}

int RecordingReader::gpusPerNode() const
{
    refresh();
    return m_gpusPerNode;
}

TimeSpan RecordingReader::span() const
{
    refresh();
    return m_span;
}

RecordingInfo RecordingReader::info() const
{
    const auto info = readRecordingInfo(*m_file);
    if (info)
        return *info;
    RecordingInfo broken;
    broken.path = m_file->path();
    broken.fault = info.error();
    return broken;
}

std::optional<TickChunk> RecordingReader::chunk(qint64 id) const
{
    if (const TickChunk* known = m_chunks.object(id))
        return *known;
    std::optional<TickChunk> found;
    ask(u"SELECT data FROM ticks WHERE id = ?"_s, {id}, [&](const QSqlQuery& row) {
        auto opened = TickChunk::open(row.value(0).toByteArray());
        if (opened)
            found = *opened;
        else
            m_fault = opened.error();
    });
    if (found)
        m_chunks.insert(id, new TickChunk(*found), int(found->bytes()));
    return found;
}

QList<NodeTick> RecordingReader::frameAt(qint64 ms, qint64 maxAgeMs) const
{
    const Snapshot snapshot(*this);
    refresh();
    const qint64 oldest = ms - qMin(maxAgeMs, ms); // so that no age, however large, runs over
    QList<std::pair<int, qint64>> newest; // row and piece, the newest of a node last
    ask(u"SELECT node, id FROM ticks WHERE from_ms >= ? AND from_ms <= ? AND to_ms >= ? ORDER BY node, from_ms"_s,
        {oldest - longestPieceMs, ms, oldest}, [&newest](const QSqlQuery& row) {
            const int node = row.value(0).toInt();
            if (!newest.isEmpty() && newest.last().first == node)
                newest.removeLast();
            newest.append({node, row.value(1).toLongLong()});
        });
    QList<NodeTick> frame;
    for (const auto& [row, id] : std::as_const(newest)) {
        const auto piece = row < m_nodes.size() ? chunk(id) : std::nullopt;
        const qsizetype at = piece ? piece->newestAt(ms) : -1;
        if (at >= 0 && piece->timeAt(at) >= oldest)
            frame.append(piece->tick(at, m_nodes.at(row)));
    }
    return frame;
}

QList<HistoryBucket> RecordingReader::buckets(GpuAddress gpu, Measure measure, TimeSpan span, int count) const
{
    const Snapshot snapshot(*this);
    BucketFiller sums(span, count);
    // A level whose buckets are at most half as long as those asked for: none is put a whole bucket beside its place.
    int level = -1;
    while (
        level + 1 < int(levelBucketMs.size()) && double(levelBucketMs[std::size_t(level) + 1]) * 2 <= sums.bucketMs())
        ++level;
    sumUp(level, gpu, measure, span, sums);
    return sums.buckets();
}

void RecordingReader::sumUp(int level, GpuAddress gpu, Measure measure, TimeSpan span, BucketFiller& sums) const
{
    if (level < 0) {
        sumUpTicks(gpu, measure, span, sums);
        return;
    }
    // Buckets that the ends of the span cut are taken from the finer levels.
    const qint64 bucketMs = levelBucketMs[std::size_t(level)];
    const TimeSpan whole{(span.fromMs + bucketMs - 1) / bucketMs * bucketMs, span.toMs / bucketMs * bucketMs};
    if (whole.length() == 0) {
        sumUp(level - 1, gpu, measure, span, sums);
        return;
    }
    for (const TimeSpan& end : {TimeSpan{span.fromMs, whole.fromMs}, TimeSpan{whole.toMs, span.toMs}}) {
        if (end.length() > 0)
            sumUp(level - 1, gpu, measure, end, sums);
    }
    const qint64 blockMs = levelBlockMs(std::size_t(level));
    QList<TimeSpan> covered;
    ask(u"SELECT from_ms, data FROM levels WHERE level = ? AND node = ? AND from_ms > ? AND from_ms < ? ORDER BY "
        "from_ms"_s,
        {level, gpu.node, whole.fromMs - blockMs, whole.toMs}, [&](const QSqlQuery& row) {
            const auto block = LevelBlock::open(row.value(1).toByteArray());
            if (!block)
                return; // the finer level has it too
            const qint64 from = row.value(0).toLongLong();
            covered.append({from, from + blockMs});
            block->forEachBucket(gpu.gpu, measure, [&](const HistoryBucket& bucket) {
                if (bucket.span.fromMs >= whole.fromMs && bucket.span.toMs <= whole.toMs)
                    sums.add(bucket);
            });
        });
    for (const TimeSpan& part : uncovered(whole, covered))
        sumUp(level - 1, gpu, measure, part, sums);
}

void RecordingReader::sumUpTicks(GpuAddress gpu, Measure measure, TimeSpan span, BucketFiller& sums) const
{
    QList<qint64> ids;
    ask(u"SELECT id FROM ticks WHERE node = ? AND from_ms >= ? AND from_ms < ? AND to_ms >= ?"_s,
        {gpu.node, span.fromMs - longestPieceMs, span.toMs, span.fromMs},
        [&ids](const QSqlQuery& row) { ids.append(row.value(0).toLongLong()); });
    for (const qint64 id : std::as_const(ids)) {
        if (const auto piece = chunk(id)) {
            piece->forEachValue(gpu.gpu, measure, [&](qint64 ms, float value) {
                if (ms >= span.fromMs && ms < span.toMs)
                    sums.add(ms, value);
            });
        }
    }
}

QList<TimeSpan> RecordingReader::gaps(qint64 longerThanMs) const
{
    const Snapshot snapshot(*this);
    QList<TimeSpan> reported;
    QList<qint64> holed;
    ask(u"SELECT from_ms, to_ms, hole_ms, id FROM ticks ORDER BY from_ms"_s, {}, [&](const QSqlQuery& row) {
        const TimeSpan span{row.value(0).toLongLong(), row.value(1).toLongLong()};
        if (row.value(2).toLongLong() > longerThanMs)
            holed.append(row.value(3).toLongLong());
        else if (!reported.isEmpty() && span.fromMs - reported.last().toMs <= longerThanMs)
            reported.last().toMs = qMax(reported.last().toMs, span.toMs);
        else
            reported.append(span);
    });
    for (const qint64 id : std::as_const(holed)) {
        const auto piece = chunk(id);
        for (qsizetype i = 0; piece && i < piece->size(); ++i)
            reported.append({piece->timeAt(i), piece->timeAt(i)});
    }
    if (!holed.isEmpty())
        std::sort(
            reported.begin(), reported.end(), [](const TimeSpan& a, const TimeSpan& b) { return a.fromMs < b.fromMs; });
    QList<TimeSpan> gaps;
    qint64 end = reported.isEmpty() ? 0 : reported.first().toMs;
    for (const TimeSpan& span : std::as_const(reported)) {
        if (span.fromMs - end > longerThanMs)
            gaps.append({end, span.fromMs});
        end = qMax(end, span.toMs);
    }
    return gaps;
}

void RecordingReader::forEachTick(TimeSpan span, const std::function<void(const NodeTick&)>& take) const
{
    visit(span, {[&take](const NodeTick& tick) {
        take(tick);
        return true;
    }});
}

void RecordingReader::visit(TimeSpan span, const HistoryVisitor& visitor) const
{
    const Snapshot snapshot(*this);
    refresh();
    const auto report = [&](const QList<NodeTick>& ticks) {
        return std::all_of(ticks.cbegin(), ticks.cend(), [&](const NodeTick& tick) {
            return tick.takenMs < span.fromMs || tick.takenMs >= span.toMs || visitor.tick(tick);
        });
    };
    QList<Piece> pieces = ticksWithin(span);
    if (!visitor.sums && span.length() <= keptSpanMs) {
        for (const Piece& piece : std::as_const(pieces)) {
            const auto known = chunk(piece.id);
            if (known && !report(known->ticks(m_nodes.at(piece.row))))
                return;
        }
        return;
    }
    if (visitor.sums)
        pieces = withSums(pieces, span);
    unpackTogether(pieces, [&](Piece& piece) {
        if (piece.sums)
            return visitor.sums(*piece.sums);
        if (!piece.sumsToMs)
            return report(std::exchange(piece.ticks, {}));
        // sums that cannot be read: the ticks have it too
        for (const Piece& one : ticksWithin({piece.fromMs, *piece.sumsToMs + 1})) {
            const auto known = one.row == piece.row && one.fromMs >= piece.fromMs ? chunk(one.id) : std::nullopt;
            if (known && !report(known->ticks(m_nodes.at(one.row))))
                return false;
        }
        return true;
    });
}

QList<RecordingReader::Piece> RecordingReader::ticksWithin(TimeSpan span) const
{
    QList<Piece> pieces;
    ask(u"SELECT node, id, from_ms FROM ticks WHERE from_ms >= ? AND from_ms < ? AND to_ms >= ? ORDER BY node, from_ms"_s,
        {span.fromMs - longestPieceMs, span.toMs, span.fromMs}, [&](const QSqlQuery& found) {
            if (const int row = found.value(0).toInt(); row >= 0 && row < m_nodes.size())
                pieces.append({row, found.value(1).toLongLong(), found.value(2).toLongLong(), {}});
        });
    return pieces;
}

bool RecordingReader::hasSums() const
{
    bool has = false;
    ask(u"SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'sums'"_s, {},
        [&has](const QSqlQuery&) { has = true; });
    return has;
}

QList<RecordingReader::Piece> RecordingReader::withSums(const QList<Piece>& ticks, TimeSpan span) const
{
    if (!hasSums())
        return ticks;
    QList<Piece> mixed;
    auto next = ticks.cbegin();
    const auto isBefore = [&next, &ticks](int row, qint64 ms) {
        return next != ticks.cend() && (next->row < row || (next->row == row && next->fromMs < ms));
    };
    ask(u"SELECT node, rowid, from_ms, to_ms, pieces, ids FROM sums WHERE from_ms >= ? AND to_ms < ? ORDER BY node, "
        "from_ms"_s,
        {span.fromMs, span.toMs}, [&](const QSqlQuery& found) {
            const Piece sums{found.value(0).toInt(), found.value(1).toLongLong(), found.value(2).toLongLong(),
                found.value(3).toLongLong()};
            while (isBefore(sums.row, sums.fromMs))
                mixed.append(*next++);
            const auto first = next;
            qint64 ids = 0;
            for (; isBefore(sums.row, *sums.sumsToMs + 1); ++next)
                ids += next->id;
            // Numbers are never used again: others mean that the sums are of something that is not there any more.
            if (next - first == found.value(4).toLongLong() && ids == found.value(5).toLongLong() && next != first)
                mixed.append(sums);
            else
                std::copy(first, next, std::back_inserter(mixed));
        });
    std::copy(next, ticks.cend(), std::back_inserter(mixed));
    return mixed;
}

void RecordingReader::unpackTogether(QList<Piece>& pieces, const std::function<bool(Piece&)>& take) const
{
    const auto unpack = [this](Piece& piece) {
        const QByteArray packed = std::exchange(piece.packed, {});
        if (piece.sumsToMs) {
            auto sums = unpackSums(packed, m_nodes.at(piece.row));
            if (sums && sums->first.takenMs == piece.fromMs && sums->last.takenMs == *piece.sumsToMs)
                piece.sums = std::move(*sums);
            return;
        }
        const auto opened = TickChunk::open(packed);
        if (opened)
            piece.ticks = opened->ticks(m_nodes.at(piece.row));
        else
            piece.fault = opened.error();
    };
    const qsizetype together = 4 * qMax(1, QThread::idealThreadCount());
    constexpr qsizetype mostSums = 16; // of a piece's work
    for (auto first = pieces.begin(); first != pieces.end();) {
        qsizetype work = 0;
        auto end = first;
        for (; end != pieces.end() && work < together * mostSums; ++end) {
            work += end->sumsToMs ? 1 : mostSums;
            const QString sql
                = end->sumsToMs ? u"SELECT data FROM sums WHERE rowid = ?"_s : u"SELECT data FROM ticks WHERE id = ?"_s;
            ask(sql, {end->id}, [&end](const QSqlQuery& found) { end->packed = found.value(0).toByteArray(); });
        }
        onAllCores(first, end, unpack);
        for (; first != end; ++first) {
            if (first->fault)
                m_fault = *first->fault;
            if (!take(*first))
                return;
            first->sums.reset();
        }
    }
}

QList<NodeProcesses> RecordingReader::processesAt(qint64 ms) const
{
    const Snapshot snapshot(*this);
    refresh();
    QList<NodeProcesses> all;
    for (int row = 0; row < m_nodes.size(); ++row) {
        if (const auto reported = newestProcesses(row, ms))
            all.append(*reported);
    }
    return all;
}

std::optional<NodeProcesses> RecordingReader::processesOf(int node, qint64 ms) const
{
    const Snapshot snapshot(*this);
    refresh();
    return node >= 0 && node < m_nodes.size() ? newestProcesses(node, ms) : std::nullopt;
}

std::optional<NodeProcesses> RecordingReader::newestProcesses(int row, qint64 ms) const
{
    qint64 id = -1;
    ask(u"SELECT id FROM processes WHERE node = ? AND from_ms <= ? ORDER BY from_ms DESC LIMIT 1"_s, {row, ms},
        [&id](const QSqlQuery& found) { id = found.value(0).toLongLong(); });
    if (id >= 0 && !m_processes.contains(id))
        ask(u"SELECT data FROM processes WHERE id = ?"_s, {id}, [&](const QSqlQuery& found) {
            auto reported = unpackProcesses(found.value(0).toByteArray(), m_nodes.at(row));
            if (reported)
                m_processes.insert(id, new QList<NodeProcesses>(*reported));
            else
                m_fault = reported.error();
        });
    const QList<NodeProcesses>* reported = m_processes.object(id);
    for (qsizetype i = reported ? reported->size() : 0; i > 0; --i) {
        if (reported->at(i - 1).takenMs <= ms)
            return reported->at(i - 1);
    }
    return std::nullopt;
}

std::optional<TrainingProgress> RecordingReader::progressAt(qint64 ms) const
{
    const auto reported = progressUntil(ms);
    return reported ? std::optional(reported->progress) : std::nullopt;
}

std::optional<RecordedProgress> RecordingReader::progressUntil(qint64 ms) const
{
    const auto progress = recordedProgress(*m_file, ms);
    if (!progress)
        m_fault = progress.error();
    return progress ? *progress : std::nullopt;
}

QList<RecordedLoss> RecordingReader::lossesAt(qint64 ms) const
{
    const auto losses = recordedLosses(*m_file, ms);
    if (!losses)
        m_fault = losses.error();
    return losses ? *losses : QList<RecordedLoss>();
}

QList<RecordingEvent> RecordingReader::events(TimeSpan span, const QString& kind) const
{
    const auto events = recordedEvents(*m_file, span, kind);
    if (!events)
        m_fault = events.error();
    return events ? *events : QList<RecordingEvent>();
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/samplerfiledecoder.h"

#include "models/cluster/remote/linetags.h"

namespace rankwright::inline insight {

namespace {

constexpr qsizetype longestRecord = 16384; // a full reading of some thousand bytes; longer ones are not our records
constexpr qsizetype mostRecords = 2048; // keys of one node between two full readings

struct Decimal {
    qint64 units = 0;
    qsizetype places = 0; ///< behind the point
};

/// "421.5" -> 4215 with one place; only as the writer writes numbers that it takes differences of.
std::optional<Decimal> exactDecimal(QByteArray text)
{
    const qsizetype point = text.indexOf('.');
    const qsizetype places = point < 0 ? 0 : text.size() - point - 1;
    if (point >= 0)
        text.remove(point, 1);
    if (text.isEmpty() || text.size() > 15)
        return std::nullopt;
    for (const char digit : std::as_const(text)) {
        if (digit < '0' || digit > '9')
            return std::nullopt;
    }
    return Decimal{text.toLongLong(), places};
}

/// A cell after a change: "" the same, "+N" or "-N" in units of the last digit, "=TEXT".
std::optional<QByteArray> changed(const QByteArray& old, const QByteArray& change)
{
    if (change.isEmpty())
        return old;
    if (change.startsWith('='))
        return change.mid(1);
    bool fine = false;
    const qint64 by = change.toLongLong(&fine);
    const auto before = exactDecimal(old);
    if (!fine || !before || (change.at(0) != '+' && change.at(0) != '-') || change.size() > 17)
        return std::nullopt;
    const qint64 units = before->units + by;
    if (units < 0)
        return std::nullopt;
    QByteArray digits = QByteArray::number(units).rightJustified(before->places + 1, '0');
    if (before->places > 0)
        digits.insert(digits.size() - before->places, '.');
    return digits;
}

/// Of a line's kind; empty: there is no such kind.
QByteArrayView tagOf(char letter)
{
    for (const linetags::RecordKind& kind : linetags::recordKinds) {
        if (kind.letter == letter)
            return kind.tag;
    }
    return {};
}

} // namespace

QByteArrayList SamplerFileDecoder::feed(const QByteArray& bytes)
{
    QByteArrayList lines;
    qsizetype from = 0;
    for (qsizetype end = bytes.indexOf('\n'); end >= 0; from = end + 1, end = bytes.indexOf('\n', from)) {
        const QByteArray line = m_pending + bytes.mid(from, end - from);
        m_pending.clear();
        if (std::exchange(m_skipping, false) || line.size() > longestRecord) {
            skipDamaged();
            continue;
        }
        if (const auto decoded = decode(line))
            lines.append(*decoded);
    }
    if (!m_skipping)
        m_pending += bytes.mid(from);
    if (m_pending.size() > longestRecord) {
        m_pending.clear();
        m_skipping = true;
    }
    return lines;
}

void SamplerFileDecoder::skipDamaged()
{
    ++m_damaged;
    m_synced = false;
    m_old.clear();
}

void SamplerFileDecoder::readHead(const QByteArray& line)
{
    const QByteArrayList words = line.split(' '); // TAG 1 NODE EPOCH_MS JOB INTERVAL_MS
    m_old.clear();
    m_synced = false;
    m_next.reset();
    if (words.size() < 6 || words.at(1) != "1" || words.at(2).isEmpty()) {
        m_node.clear(); // written by a later version: nothing is guessed
        ++m_damaged;
        return;
    }
    ++m_starts;
    m_node = words.at(2);
    m_nodeName = QString::fromUtf8(m_node);
    m_job = QString::fromUtf8(words.at(4));
    bool fine = false;
    const int interval = words.at(5).toInt(&fine);
    m_intervalMs = fine && interval > 0 ? std::optional(interval) : std::nullopt;
    m_full = false;
}

std::optional<QByteArray> SamplerFileDecoder::decode(const QByteArray& line)
{
    if (line.isEmpty())
        return std::nullopt;
    if (linetags::begins(line, linetags::recordStart) || linetags::begins(line, linetags::earlierRecordStart)) {
        readHead(line);
        return std::nullopt;
    }
    if (linetags::begins(line, linetags::recordFull) || linetags::begins(line, linetags::earlierRecordFull)) {
        m_full = true;
        return std::nullopt;
    }
    if (m_node.isEmpty())
        return std::nullopt;
    const qsizetype blank = line.indexOf(' ', 3); // KIND SEQ ' ' TIME ' ' TEXT
    const int number = line.size() > 3 ? line.at(1) - '0' : -1;
    const std::optional<int> next = number >= 0 && number <= 9 ? std::optional((number + 1) % 10) : std::nullopt;
    if (blank < 0 || line.at(2) != ' ' || !next || (m_next && number != *m_next)) {
        m_next = next;
        skipDamaged();
        if (blank < 0 || line.at(2) != ' ' || line.at(3) != '=')
            return std::nullopt;
    }
    m_next = next;
    const QByteArray time = line.mid(3, blank - 3);
    const bool absolute = time.startsWith('=');
    if (!absolute && !m_synced)
        return std::nullopt; // somewhere between two full readings
    bool fine = false;
    const qint64 reported = (absolute ? time.mid(1) : time).toLongLong(&fine);
    constexpr qint64 farthest = 100000000000000; // the year 5138
    const qint64 ms = absolute ? reported : m_lastMs + (fine ? qBound(-farthest, reported, farthest) : 0);
    if (!fine || ms <= 0 || ms > farthest) {
        skipDamaged();
        return std::nullopt;
    }
    if (absolute)
        m_old.clear();
    m_synced = true;
    m_lastMs = ms;
    const auto text = decodeRecords(line.at(0), line.mid(blank + 1));
    if (!text) {
        skipDamaged();
        return std::nullopt;
    }
    const QByteArrayView tag = tagOf(line.at(0));
    if (tag.isEmpty())
        return std::nullopt; // a kind of a later version
    return tag.toByteArray() + ' ' + m_node + ' ' + QByteArray::number(ms) + ' ' + *text;
}

std::optional<QByteArray> SamplerFileDecoder::decodeRecords(char kind, const QByteArray& text)
{
    const bool coded = kind == '1' || kind == 'p';
    if (text.startsWith('"')) {
        if (coded)
            m_old.clear();
        return text.mid(1);
    }
    if (!coded || m_old.size() > mostRecords)
        return std::nullopt;
    QByteArrayList records;
    for (const QByteArray& piece : text.split('|')) {
        const auto record = decodeRecord(kind, piece);
        if (!record)
            return std::nullopt;
        records.append(*record);
    }
    return records.join('|');
}

std::optional<QByteArray> SamplerFileDecoder::decodeRecord(char kind, const QByteArray& text)
{
    const qsizetype full = text.indexOf('!');
    const qsizetype cell = text.indexOf(';');
    if (full >= 0 && (cell < 0 || full < cell)) {
        const QByteArray record = text.left(full) + text.mid(full + 1);
        m_old.insert(kind + text.left(full), record);
        return record;
    }
    const QByteArray key = cell < 0 ? text : text.left(cell);
    const auto old = m_old.find(kind + key);
    if (old == m_old.end())
        return std::nullopt;
    QByteArrayList cells = old->split(';');
    const QByteArrayList changes = text.split(';');
    if (changes.size() > cells.size())
        return std::nullopt;
    for (qsizetype i = 1; i < changes.size(); ++i) {
        const auto value = changed(cells.at(i), changes.at(i));
        if (!value)
            return std::nullopt;
        cells[i] = *value;
    }
    *old = cells.join(';');
    return *old;
}

} // namespace rankwright::inline insight

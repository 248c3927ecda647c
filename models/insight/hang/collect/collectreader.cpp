// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/collect/collectreader.h"

#include "models/cluster/remote/linetags.h"
#include "models/core/harmlesstext.h"
#include "models/core/hostlist.h"
#include "models/core/quantitytext.h"
#include "models/insight/hang/collect/gunzip.h"
#include "models/insight/telemetry/sampling/linecells.h"

#include <algorithm>
#include <array>
#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;
using namespace linecells;

namespace {

constexpr qsizetype mostNodes = 20000;
constexpr qsizetype mostProcesses = 131072;
constexpr qsizetype mostRanksOfNode = 4096;
constexpr qint64 mostPackedBytes = qint64(96) << 20;
constexpr qsizetype mostTextBytes = qsizetype(8) << 20;
constexpr qint64 mostTextBytesInAll = qint64(1) << 30;
constexpr qsizetype mostNotes = 256;
constexpr qsizetype mostNotesOfRank = 16;
constexpr qint64 mostCount = std::numeric_limits<qint64>::max();

/// What a line of node-hang.sh says (docs/where.md).
enum class CollectedLine {
    Begin, ///< the node begins: how many ranks
    Rank, ///< a process that is a rank
    Look, ///< what /proc says of it
    Gone, ///< it has ended
    Waiting, ///< a process of it waits for a file system
    Note, ///< what could not be reached
    Piece, ///< of a text
    Text, ///< the text is whole
    Same, ///< a text like another one
    End, ///< the node is done
};

std::optional<CollectedLine> collectedLineOf(QByteArrayView word)
{
    struct Named {
        QByteArrayView word;
        CollectedLine line;
    };
    static constexpr std::array all{Named{"begin", CollectedLine::Begin}, Named{"rank", CollectedLine::Rank},
        Named{"look", CollectedLine::Look}, Named{"gone", CollectedLine::Gone},
        Named{"waiting", CollectedLine::Waiting}, Named{"note", CollectedLine::Note},
        Named{"piece", CollectedLine::Piece}, Named{"text", CollectedLine::Text}, Named{"same", CollectedLine::Same},
        Named{"end", CollectedLine::End}};
    for (const Named& one : all) {
        if (one.word == word)
            return one.line;
    }
    return {};
}

/// %3B and the like, as say() of the program writes them.
QString unescaped(QByteArrayView cell)
{
    QByteArray text;
    for (qsizetype at = 0; at < cell.size(); ++at) {
        bool isHex = false;
        const bool mayBe = cell[at] == '%' && at + 2 < cell.size();
        const int value = mayBe ? cell.sliced(at + 1, 2).toInt(&isHex, 16) : 0;
        if (isHex && value >= 0x20) {
            text.append(char(value));
            at += 2;
        } else {
            text.append(cell[at]);
        }
    }
    return harmlessLine(QString::fromUtf8(text));
}

std::optional<int> smallNumber(QByteArrayView cell)
{
    const auto value = whole(cell, std::numeric_limits<int>::max());
    return value ? std::optional<int>(int(*value)) : std::nullopt;
}

QString sentenceOf(const QString& words)
{
    const QString sentence = capitalised(words);
    return sentence.endsWith(u'.') ? sentence : sentence + u'.';
}

/// The first line of what a tool printed in place of stacks.
QString wordsOf(const QByteArray& text)
{
    for (const QByteArray& line : text.left(4096).split('\n')) {
        const QString words = harmlessLine(QString::fromUtf8(line)).simplified().left(200);
        if (!words.isEmpty())
            return words;
    }
    return u"no answer in time"_s;
}

} // namespace

/// The cells behind the kind of a line.
class CollectReader::Line {
public:
    explicit Line(QByteArrayView rest) : m_cells(rest), m_kind(collectedLineOf(m_cells.next())) { }
    std::optional<CollectedLine> kind() const { return m_kind; } ///< empty: of a later version
    QByteArrayView next()
    {
        const QByteArrayView cell = m_cells.next();
        m_isWhole = m_isWhole && m_cells.isWhole();
        return cell;
    }
    /// All that next() gave was there.
    bool isWhole() const { return m_isWhole; }

private:
    Cells m_cells;
    std::optional<CollectedLine> m_kind;
    bool m_isWhole = true;
};

void CollectReader::feed(const QByteArray& bytes)
{
    m_rest += bytes;
    qsizetype from = 0;
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n', from)) {
        readLine(QByteArrayView(m_rest).sliced(from, end - from));
        from = end + 1;
    }
    m_rest.remove(0, from);
    if (m_rest.size() > longestLine) // none of ours: its end will be none either
        m_rest = m_rest.right(1);
}

CollectReader::Process* CollectReader::processOf(const Key& key)
{
    const auto found = m_processes.find(key);
    return found == m_processes.end() ? nullptr : &*found;
}

void CollectReader::addNote(const Key& key, const QString& text)
{
    if (Process* process = key.pid > 0 ? processOf(key) : nullptr) {
        QStringList& notes = process->seen.notes;
        if (const QString words = sentenceOf(text); notes.size() < mostNotesOfRank && !notes.contains(words))
            notes.append(words);
        return;
    }
    const QString sentence = sentenceOf(u"node %1: %2"_s.arg(harmlessLine(QString::fromUtf8(key.node)), text));
    if (m_notes.size() < mostNotes && !m_notes.contains(sentence))
        m_notes.append(sentence);
}

void CollectReader::readLine(QByteArrayView text)
{
    const auto head = headOf(text, linetags::hang);
    if (!head || head->node.size() > 255)
        return;
    Line line(head->rest);
    if (!line.kind())
        return;
    const QByteArray node = head->node.toByteArray();
    if (line.kind() == CollectedLine::Begin) {
        const auto ranks = smallNumber(line.next());
        if (line.isWhole() && ranks && *ranks <= mostRanksOfNode && m_ranksOf.size() < mostNodes)
            m_ranksOf.insert(node, *ranks);
        return;
    }
    if (line.kind() == CollectedLine::End) {
        const auto lasted = whole(line.next(), mostCount);
        if (line.isWhole() && lasted && m_ranksOf.contains(node))
            m_done.insert(node);
        return;
    }
    if (line.kind() == CollectedLine::Rank) {
        readRank(node, line);
        return;
    }
    const QByteArrayView cell = line.next();
    const Key key{node, whole(cell, std::numeric_limits<int>::max()).value_or(0)};
    Process* process = processOf(key);
    switch (*line.kind()) {
    case CollectedLine::Look:
        if (process)
            readSnapshot(*process, line, head->takenMs);
        break;
    case CollectedLine::Gone: // the process ended while we looked
        if (process && smallNumber(line.next()) && line.isWhole())
            process->seen.hasEnded = true;
        break;
    case CollectedLine::Waiting: {
        const auto moment = smallNumber(line.next());
        const auto worker = whole(line.next(), std::numeric_limits<int>::max());
        const QString channel = unescaped(line.next());
        if (process && line.isWhole() && worker && moment == 2)
            addNote(key,
                u"its process %1 waits for a file system%2"_s.arg(QString::number(*worker),
                    channel.isEmpty() || channel == "0"_L1 ? QString() : u" ("_s + channel + u')'));
        break;
    }
    case CollectedLine::Note: {
        const QString words = unescaped(line.next());
        if (line.isWhole() && !words.isEmpty())
            addNote(key, words);
        break;
    }
    case CollectedLine::Piece: readPiece(key, line); break;
    case CollectedLine::Text: endText(key, line); break;
    case CollectedLine::Same: repeatText(key, line); break;
    case CollectedLine::Begin:
    case CollectedLine::Rank:
    case CollectedLine::End: break;
    }
}

void CollectReader::readRank(const QByteArray& node, Line& line)
{
    const auto pid = whole(line.next(), std::numeric_limits<int>::max());
    QByteArrayView number = line.next();
    if (number.startsWith('s')) // of a task that may be a rank
        number = number.sliced(1);
    const auto rank = smallNumber(number);
    const auto local = smallNumber(line.next());
    const auto world = smallNumber(line.next());
    const QString command = unescaped(line.next());
    if (!line.isWhole() || !pid || *pid == 0 || !rank)
        return;
    const Key key{node, *pid};
    if (m_processes.size() >= mostProcesses && !m_processes.contains(key))
        return;
    Process& process = m_processes[key];
    if (!std::exchange(process.isListed, true))
        process.order = m_order++;
    process.worldSize = world;
    process.seen.rank = rank;
    process.seen.node = harmlessLine(QString::fromUtf8(node));
    process.seen.gpu = local;
    process.seen.pid = pid;
    process.seen.command = command;
}

void CollectReader::readSnapshot(Process& process, Line& line, qint64 takenMs)
{
    const auto moment = smallNumber(line.next());
    const QByteArrayView state = line.next();
    ProcessSnapshot snapshot;
    snapshot.state = state.size() == 1 ? processStateOf(state[0]) : std::nullopt;
    snapshot.waitChannel = unescaped(line.next());
    const QByteArrayView call = line.next();
    snapshot.syscall = call == "-1" ? std::optional<int>(-1) : smallNumber(call);
    snapshot.syscallName = unescaped(line.next());
    snapshot.io.readChars = whole(line.next(), mostCount);
    snapshot.io.writtenChars = whole(line.next(), mostCount);
    snapshot.io.readBytes = whole(line.next(), mostCount);
    snapshot.cpuTicks = whole(line.next(), mostCount);
    if (!line.isWhole())
        return;
    snapshot.sleeps = whole(line.next(), mostCount);
    if (moment == 1) {
        process.seen.before = snapshot;
        process.beforeMs = takenMs;
    } else if (moment == 2) {
        process.seen.now = snapshot;
        process.nowMs = takenMs;
    }
}

void CollectReader::readPiece(const Key& key, Line& line)
{
    const QByteArray name = line.next().toByteArray();
    const auto index = smallNumber(line.next());
    const QByteArrayView piece = line.next();
    if (key.pid > 0 ? !processOf(key) : m_ranksOf.size() >= mostNodes && !m_ranksOf.contains(key.node))
        return;
    if (name.size() > 16 || (m_texts.size() >= mostNodes && !m_texts.contains(key.node)))
        return;
    auto& texts = m_texts[key.node][key.pid];
    if (texts.size() >= 8 && !texts.contains(name))
        return;
    Text& text = texts[name];
    m_packedBytes += piece.size();
    text.isBroken = text.isBroken || !line.isWhole() || index != text.pieces || m_packedBytes > mostPackedBytes;
    ++text.pieces;
    if (!text.isBroken)
        text.packed.append(piece);
}

void CollectReader::endText(const Key& key, Line& line)
{
    const QByteArray name = line.next().toByteArray();
    const auto count = smallNumber(line.next());
    if (!line.isWhole() || !m_texts.contains(key.node) || !m_texts[key.node].contains(key.pid))
        return;
    const Text text = m_texts[key.node][key.pid].take(name);
    const auto packed = QByteArray::fromBase64Encoding(text.packed, QByteArray::AbortOnBase64DecodingErrors);
    if (text.isBroken || count != text.pieces || !packed) {
        addNote(
            key, u"a part of its %1 was lost on the way"_s.arg(name.startsWith("stacks") ? u"stacks"_s : u"record"_s));
        return;
    }
    const auto unpacked = gunzip(packed.decoded, mostTextBytes);
    if (!unpacked) {
        addNote(key, unpacked.error().what);
        return;
    }
    m_textBytes += unpacked->size();
    if (m_textBytes > mostTextBytesInAll)
        addNote(key, u"the answers are too large altogether; some were left out"_s);
    else
        readText(key, name, *unpacked);
}

void CollectReader::readText(const Key& key, const QByteArray& name, const QByteArray& text)
{
    const bool isFirst = name.endsWith('1');
    if (key.pid == 0) {
        const auto report = name.startsWith("ras") ? readRasReport(text) : Result<RasReport>(RasReport{});
        if (!report) {
            addNote(key, report.error().what);
        } else if (name.startsWith("ras")) {
            NodeRas& ras = m_ras[key.node];
            ras.node = harmlessLine(QString::fromUtf8(key.node));
            (isFirst ? ras.before : ras.now) = *report;
        }
        return;
    }
    Process* process = processOf(key);
    if (!process)
        return;
    if (name.startsWith("stacks")) {
        const auto stacks = readPythonStacks(text);
        if (stacks)
            (isFirst ? process->seen.stacksBefore : process->seen.stacks) = *stacks;
        else
            addNote(key, u"no Python stacks: %1"_s.arg(wordsOf(text)));
    } else if (name.startsWith("record")) {
        const auto record = readFlightRecord(text);
        if (record)
            (isFirst ? process->seen.recordBefore : process->seen.record) = *record;
        else
            addNote(key, u"its Flight Recorder's record cannot be read: %1"_s.arg(record.error().what));
    }
}

/// The second text is the same as the first.
void CollectReader::repeatText(const Key& key, Line& line)
{
    const QByteArrayView name = line.next();
    line.next();
    if (!line.isWhole())
        return;
    Process* process = processOf(key);
    if (process && name == "stacks2")
        process->seen.stacks = process->seen.stacksBefore;
    else if (process && name == "record2")
        process->seen.record = process->seen.recordBefore;
    else if (name == "ras2" && m_ras.contains(key.node))
        m_ras[key.node].now = m_ras[key.node].before;
}

HangEvidence CollectReader::evidence(const QStringList& nodes, Asked asked) const
{
    HangEvidence all;
    all.notes = m_notes;
    QList<const Process*> listed;
    for (const Process& process : m_processes)
        listed.append(&process);
    std::sort(listed.begin(), listed.end(), [](const Process* one, const Process* other) {
        return std::pair(one->seen.rank, one->order) < std::pair(other->seen.rank, other->order);
    });
    QList<double> gaps;
    for (const Process* process : std::as_const(listed)) {
        RankEvidence seen = process->seen;
        // what could be asked for once alone is the newest that there is
        if (!seen.stacks)
            seen.stacks = std::exchange(seen.stacksBefore, std::nullopt);
        if (!seen.record)
            seen.record = std::exchange(seen.recordBefore, std::nullopt);
        if (!seen.now)
            seen.now = std::exchange(seen.before, std::nullopt);
        if (seen.before && seen.now && process->nowMs > process->beforeMs)
            gaps.append(double(process->nowMs - process->beforeMs) / 1000);
        all.ranks.append(seen);
        if (process->worldSize && *process->worldSize > all.worldSize.value_or(0))
            all.worldSize = process->worldSize;
    }
    if (!gaps.isEmpty())
        all.secondsBetween = *std::min_element(gaps.begin(), gaps.end());
    for (NodeRas ras : m_ras) {
        if (!ras.now)
            ras.now = std::exchange(ras.before, std::nullopt);
        all.ras.append(ras);
    }
    std::sort(
        all.ras.begin(), all.ras.end(), [](const NodeRas& one, const NodeRas& other) { return one.node < other.node; });
    QHash<QString, int> ranksOf;
    for (const RankEvidence& rank : std::as_const(all.ranks))
        ++ranksOf[rank.node];
    QStringList silent, partly;
    for (const QString& node : nodes) {
        const QByteArray name = node.toUtf8();
        if (!m_ranksOf.contains(name))
            silent.append(node);
        else if (!m_done.contains(name) || ranksOf.value(node) < m_ranksOf.value(name))
            partly.append(node);
    }
    const auto named = [](const QStringList& names) { return foldHostlist(names).left(200); };
    if (!silent.isEmpty())
        all.notes.append(u"No answer from %1."_s.arg(named(silent)));
    if (!partly.isEmpty())
        all.notes.append(u"Not all of the answer came from %1."_s.arg(named(partly)));
    all.isComplete = asked == Asked::AllNodes && silent.isEmpty() && partly.isEmpty();
    return all;
}

void replaceRanks(HangEvidence& evidence, const HangEvidence& newer)
{
    QSet<QString> nodes;
    for (const RankEvidence& rank : newer.ranks)
        nodes.insert(rank.node);
    evidence.ranks.removeIf([&nodes](const RankEvidence& rank) { return nodes.contains(rank.node); });
    evidence.ranks += newer.ranks;
    std::stable_sort(evidence.ranks.begin(), evidence.ranks.end(),
        [](const RankEvidence& one, const RankEvidence& other) { return one.rank < other.rank; });
    for (const QString& note : newer.notes) {
        if (!evidence.notes.contains(note))
            evidence.notes.append(note);
    }
}

} // namespace rankwright::inline insight

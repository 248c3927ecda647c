// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangverdict.h"

#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/insight/hang/flightfusion.h"
#include "models/insight/hang/hangassessment.h"
#include "models/insight/hang/hangscene.h"
#include "models/insight/hang/hangwords.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <limits>
#include <numeric>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostStackLines = 64;

/// The last operation that the rank's record has and that has not ended, as text; empty: none.
QString openOperation(const RankEvidence& evidence)
{
    if (!evidence.record)
        return {};
    for (auto entry = evidence.record->entries.rbegin(); entry != evidence.record->entries.rend(); ++entry) {
        if (!entry->state || entry->isOver())
            continue;
        const FlightGroup* group = evidence.record->groupOf(*entry);
        const QString title = groupTitle(entry->groupName,
            entry->groupDescription.isEmpty() && group != nullptr ? group->description : entry->groupDescription);
        return operationText(callOfOperation(entry->name), entry->isP2p ? entry->peerSequence : entry->sequence, title);
    }
    return {};
}

HangRow hangRowOf(const RankEvidence& evidence, const RankStanding& standing)
{
    HangRow row;
    row.rank = evidence.rank;
    row.node = evidence.node;
    row.gpu = evidence.gpu;
    row.pid = evidence.pid;
    row.state = standing.state;
    row.waitChannel = standing.channel;
    if (standing.meaning.shown) {
        row.function = standing.meaning.shown->function;
        row.file = standing.meaning.shown->file;
        row.line = standing.meaning.shown->line;
    }
    const auto& stacks = evidence.stacks ? evidence.stacks : evidence.stacksBefore;
    const PythonThread* thread = stacks ? stacks->mainThread() : nullptr;
    if (thread != nullptr) {
        for (const PythonFrame& frame : thread->frames) {
            if (row.stack.size() >= mostStackLines)
                break;
            const QString place = frame.line ? frame.file + u':' + QString::number(*frame.line) : frame.file;
            row.stack.append(u"%1 (%2)"_s.arg(frame.function, place));
        }
    }
    row.collective = standing.meaning.collective;
    if (const QString open = openOperation(evidence); !open.isEmpty())
        row.collective = open;
    return row;
}

/// The ranks' notes, equal ones once.
QStringList notesOf(const QList<RankEvidence>& ranks)
{
    QStringList order;
    QHash<QString, QList<int>> ranksOf;
    QHash<QString, qsizetype> countOf;
    for (const RankEvidence& evidence : ranks) {
        for (const QString& note : evidence.notes) {
            if (countOf[note]++ == 0)
                order.append(note);
            if (evidence.rank)
                ranksOf[note].append(*evidence.rank);
        }
    }
    QStringList notes;
    for (const QString& note : std::as_const(order)) {
        const QList<int> whose = ranksOf.value(note);
        if (whose.size() != countOf.value(note))
            notes.append(u"%1: %2"_s.arg(counted(countOf.value(note), u"process"_s, u"processes"_s), note));
        else if (whose.size() == 1)
            notes.append(u"Rank %1: %2"_s.arg(whose.first()).arg(note));
        else
            notes.append(u"Ranks %1: %2"_s.arg(numberRangesForPeople(whose), note));
    }
    return notes;
}

using OddPlaces = QSet<qsizetype>;

/// The odd ones first, then by rank, then as they came.
QList<qsizetype> rowOrder(const HangScene& scene, const OddPlaces& odd)
{
    QList<qsizetype> order(scene.standings.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](qsizetype i) {
        return std::pair(
            odd.contains(i) ? 0 : 1, scene.evidence.ranks.at(i).rank.value_or(std::numeric_limits<int>::max()));
    };
    std::stable_sort(order.begin(), order.end(), [&key](qsizetype a, qsizetype b) { return key(a) < key(b); });
    return order;
}

/// Proofs name places in the evidence as they are made; here they become places among the rows.
void nameRows(QList<HangProof>& proofs, const QHash<qsizetype, qsizetype>& rowOf)
{
    for (HangProof& proof : proofs) {
        for (qsizetype& place : proof.rows)
            place = rowOf.value(place);
        std::sort(proof.rows.begin(), proof.rows.end());
    }
}

} // namespace

HangVerdict hangVerdict(const HangEvidence& evidence)
{
    const HangScene scene = hangScene(evidence);
    HangVerdict verdict;
    verdict.seconds = evidence.seconds;
    QStringList conflicts;
    const HangCase found = assessHang(scene, conflicts);
    const HangWords words = hangWords(found, scene);
    const bool isOver = !evidence.over.isEmpty();
    verdict.cause = isOver ? HangCause::Over : found.cause;
    verdict.sentence = isOver ? evidence.over : words.sentence;
    verdict.calledGroup = found.called.isEmpty() ? QString() : found.calledGroup;
    if (!isOver)
        verdict.proofs = words.proofs;
    const OddPlaces odd = isOver ? OddPlaces() : OddPlaces(found.odd.begin(), found.odd.end());
    QHash<qsizetype, qsizetype> rowOf;
    for (const qsizetype i : rowOrder(scene, odd)) {
        HangRow row = hangRowOf(scene.evidence.ranks.at(i), scene.standings.at(i));
        row.isOdd = odd.contains(i);
        if (const auto last = found.last.constFind(i); row.isOdd && last != found.last.cend())
            row.last = lastText(*last);
        if (row.rank && found.called.contains(*row.rank))
            row.called = found.called.value(*row.rank);
        if (row.isOdd && row.rank)
            verdict.odd.append(*row.rank);
        rowOf.insert(i, verdict.rows.size());
        verdict.rows.append(row);
    }
    std::sort(verdict.odd.begin(), verdict.odd.end());
    nameRows(verdict.proofs, rowOf);
    verdict.notes = conflicts + evidence.notes + notesOf(evidence.ranks);
    if (isOver && !found.odd.isEmpty())
        verdict.notes.prepend(u"Before its end: %1"_s.arg(words.sentence));
    if (found.isSeenOnce && !isOver)
        verdict.notes.append(u"Only one moment was seen: whether a rank goes on can't be told. Ask again."_s);
    return verdict;
}

} // namespace rankwright::inline insight

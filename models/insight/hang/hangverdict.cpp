// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangverdict.h"

#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/insight/hang/flightfusion.h"
#include "models/insight/hang/hangjudge.h"
#include "models/insight/hang/hangwords.h"

#include <QSet>

#include <algorithm>
#include <limits>

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
        if (!entry->state || *entry->state == FlightState::Completed || entry->isRetired)
            continue;
        const FlightGroup* group = evidence.record->groupOf(*entry);
        QString title
            = entry->groupDescription.isEmpty() && group != nullptr ? group->description : entry->groupDescription;
        if (title == "default_pg"_L1)
            title = u"default"_s;
        else if (title.isEmpty() || title == "undefined"_L1)
            title = entry->groupName;
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

} // namespace

HangVerdict hangVerdict(const HangEvidence& evidence)
{
    const HangScene scene = hangScene(evidence);
    HangVerdict verdict;
    verdict.seconds = evidence.seconds;
    QStringList conflicts;
    const HangCase found = judgeHang(scene, conflicts);
    const HangWords words = hangWords(found, scene);
    verdict.cause = found.cause;
    verdict.sentence = words.sentence;
    verdict.proofs = words.proofs;
    const QSet<qsizetype> odd(found.odd.begin(), found.odd.end());
    for (qsizetype i = 0; i < scene.standings.size(); ++i) {
        HangRow row = hangRowOf(scene.evidence.ranks.at(i), scene.standings.at(i));
        row.isOdd = odd.contains(i);
        if (row.isOdd && row.rank)
            verdict.odd.append(*row.rank);
        verdict.rows.append(row);
    }
    std::sort(verdict.odd.begin(), verdict.odd.end());
    const auto order = [](const HangRow& row) {
        return std::pair(row.isOdd ? 0 : 1, row.rank.value_or(std::numeric_limits<int>::max()));
    };
    std::stable_sort(verdict.rows.begin(), verdict.rows.end(),
        [&order](const HangRow& a, const HangRow& b) { return order(a) < order(b); });
    verdict.notes = conflicts + evidence.notes + notesOf(evidence.ranks);
    if (found.isSeenOnce)
        verdict.notes.append(u"Only one moment was seen: whether a rank goes on can't be told. Ask again."_s);
    return verdict;
}

} // namespace rankwright::inline insight

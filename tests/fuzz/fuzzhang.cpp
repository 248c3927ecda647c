// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzztargets.h"

#include "models/insight/hang/flightrecord.h"
#include "models/insight/hang/hangverdict.h"
#include "models/insight/hang/picklereader.h"
#include "models/insight/hang/pythonstack.h"
#include "models/insight/hang/rasreport.h"

namespace rankwright::fuzz {

namespace {

/// Two ranks of which one has what was read: whatever it says, somebody of the two is accused or nobody.
void assess(const RankEvidence& read, const NodeRas& ras)
{
    HangEvidence evidence;
    evidence.worldSize = 2;
    evidence.isComplete = true;
    evidence.ranks = {read, read};
    evidence.ranks[0].rank = 0;
    evidence.ranks[1].rank = 1;
    evidence.ranks[1].recordBefore.reset();
    evidence.ras.append(ras);
    const HangVerdict verdict = hangVerdict(evidence);
    require(
        !verdict.sentence.isEmpty() && verdict.rows.size() == 2, "a verdict has a sentence and a row for each rank");
    for (const int rank : verdict.odd)
        require(rank == 0 || rank == 1, "who is accused is of the job");
    for (const HangProof& proof : verdict.proofs)
        require(verdict.sentence.contains(proof.words), "a proof is of words of the sentence");
}

} // namespace

void flightRecorderDump(const QByteArray& bytes)
{
    if (const auto tree = readPickle(bytes))
        require(tree->size() <= bytes.size() + 4, "a value takes a byte at least");
    const auto record = readFlightRecord(bytes);
    if (!record) {
        require(!record.error().what.isEmpty(), "an error says what it is");
        return;
    }
    require(record->entries.size() <= 16'384, "entries are bounded");
    for (const FlightEntry& entry : record->entries) {
        require(entry.frames.size() <= 64 && entry.inputSizes.size() <= 16, "an entry is bounded");
        require(!entry.sequence || *entry.sequence >= 0, "numbers begin at 0");
        require(!entry.durationMs || *entry.durationMs == *entry.durationMs, "a duration is a number");
    }
    RankEvidence rank;
    rank.pid = 1;
    rank.record = rank.recordBefore = *record;
    assess(rank, {});
}

void rasAnswer(const QByteArray& bytes)
{
    const auto report = readRasReport(bytes);
    if (!report)
        return;
    require(report->communicators.size() <= 4'096, "communicators are bounded");
    require(rasStandstills(*report, *report).size() <= bytes.size(), "what stands still is in the answer");
    require(!rasMoves(*report, *report).value_or(false), "an answer does not move against itself");
    RankEvidence rank;
    rank.pid = 4002;
    assess(rank, {QString(), *report, *report});
}

void pythonStacks(const QByteArray& bytes)
{
    const auto stacks = readPythonStacks(bytes);
    if (!stacks)
        return;
    require(!stacks->threads.isEmpty() && stacks->threads.size() <= 256, "there are threads, and not too many");
    require(stacks->mainThread() != nullptr, "one of them is the main one");
    for (const PythonThread& thread : stacks->threads) {
        for (const PythonFrame& frame : thread.frames)
            require(!frame.line || *frame.line > 0, "lines begin at 1");
    }
    RankEvidence rank;
    rank.pid = 1;
    rank.stacks = rank.stacksBefore = *stacks;
    assess(rank, {});
}

} // namespace rankwright::fuzz

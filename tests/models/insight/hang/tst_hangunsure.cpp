// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangverdict.h"
#include "tests/models/insight/hang/madejob.h"
#include "tests/support/testbase.h"

#include <algorithm>

using namespace rankwright;
using namespace rankwright::test::madejob;
using namespace Qt::StringLiterals;

/// What is said where nobody can be accused: neither a slow rank named, nor a hang denied.
class HangUnsureTest final : public test::Suite {
    Q_OBJECT
private slots:
    void aSlowOneWithoutStacks();
    void waitingForTheGpuUsesTheProcessor();
    void standingStillIsSaid();
};

void HangUnsureTest::aSlowOneWithoutStacks()
{
    HangEvidence evidence = job(4);
    stands(evidence.ranks[2], {}, asleep(u"hrtimer_nanosleep"_s, 230));
    for (RankEvidence& rank : evidence.ranks) {
        rank.stacks.reset();
        rank.stacksBefore.reset();
        rank.before->sleeps = rank.now->sleeps = 100;
    }
    QCOMPARE(hangVerdict(evidence).odd, QList<int>{2});
    for (RankEvidence& rank : evidence.ranks)
        rank.now->sleeps = 104; // through some steps, and waiting again
    const HangVerdict verdict = hangVerdict(evidence);
    QVERIFY2(verdict.odd.isEmpty() && verdict.cause == HangCause::Nothing, qPrintable(verdict.sentence));
}

void HangUnsureTest::waitingForTheGpuUsesTheProcessor()
{
    // all spin in loss.item(): a long step, or an operation that does not end
    HangEvidence evidence = recordedJob(4, 10);
    for (RankEvidence& rank : evidence.ranks) {
        stands(rank, {u"step /home/u/train.py:52"_s}, asleep({}, -1));
        rank.before->state = rank.now->state = ProcessState::Running;
        rank.now->cpuTicks = *rank.before->cpuTicks + 300;
        rank.recordBefore = rank.record;
    }
    const HangVerdict recorded = hangVerdict(evidence);
    QVERIFY2(recorded.cause == HangCause::AllWait && recorded.odd.isEmpty(), qPrintable(recorded.sentence));
    for (RankEvidence& rank : evidence.ranks) {
        rank.record.reset();
        rank.recordBefore.reset();
    }
    const HangVerdict stacked = hangVerdict(evidence);
    QCOMPARE(stacked.sentence,
        u"Whether it hangs can't be told: all 4 ranks were at both moments in step() at train.py:52. A long step looks like "
        "that, too."_s);
    // one loads a file meanwhile: it is what differs, and no more than that is known
    stands(evidence.ranks[3], {}, asleep(u"pipe_read"_s, 0));
    for (RankEvidence& rank : evidence.ranks) {
        rank.stacks.reset();
        rank.stacksBefore.reset();
    }
    const HangVerdict bare = hangVerdict(evidence);
    QCOMPARE(bare.sentence,
        u"Whether it hangs can't be told without Python stacks: 3 ranks use processor time, as ranks do that wait for their "
        "GPUs; rank 3 (node n01, GPU 3) stands still, in the system call read."_s);
    QVERIFY(bare.odd.isEmpty());
    for (const HangVerdict& verdict : {stacked, bare}) {
        for (const HangProof& one : verdict.proofs)
            QVERIFY2(verdict.sentence.contains(one.words), qPrintable(one.words));
    }
}

void HangUnsureTest::standingStillIsSaid()
{
    HangEvidence evidence = job(4);
    for (RankEvidence& rank : evidence.ranks) {
        rank.stacks.reset();
        rank.stacksBefore.reset();
        rank.before->sleeps = rank.now->sleeps = 100;
    }
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.sentence,
        u"All 4 ranks stand still, in the system call futex: without Python stacks it can't be told which of them holds up "
        "the others."_s);
    QVERIFY(verdict.cause == HangCause::Unknown);
    QVERIFY(std::any_of(verdict.proofs.begin(), verdict.proofs.end(),
        [](const HangProof& one) { return one.words.contains(u"stand still"_s) && !one.source.isEmpty(); }));
    // one that reads goes on, but three that do not are not a job that does
    evidence.ranks[0].now->io.readChars = *evidence.ranks[0].before->io.readChars + (50 << 20);
    QVERIFY(hangVerdict(evidence).cause == HangCause::Unknown);
    evidence.ranks.resize(1);
    evidence.worldSize = 1;
    QVERIFY(hangVerdict(evidence).cause == HangCause::Nothing);
}

RANKWRIGHT_TEST_MAIN(HangUnsureTest)
#include "tst_hangunsure.moc"

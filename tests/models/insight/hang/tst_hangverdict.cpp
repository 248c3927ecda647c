// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/flightfusion.h"
#include "models/insight/hang/hangjson.h"
#include "models/insight/hang/hangverdict.h"
#include "models/insight/hang/lastoperation.h"
#include "tests/models/insight/hang/madejob.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QRandomGenerator>

using namespace rankwright;
using namespace rankwright::test::madejob;
using namespace Qt::StringLiterals;

/// Who is accused, in which words, from planted evidence; whatever is taken away of it.
class HangVerdictTest final : public test::Suite {
    Q_OBJECT
private slots:
    void theSentence();
    void theSameWithoutRecords();
    void wrongOrder();
    void wrongSizeAndType();
    void skippedOperation();
    void deadRank();
    void startedAgain();
    void stoppedProcess();
    void lastPlaceOfWhoCannotBeAsked();
    void lastPlacesOfSeveral();
    void barrierOfOneRank();
    void unevenBatches();
    void lockHeld();
    void slowIsNoHang_data();
    void slowIsNoHang();
    void aSlowOneIsNamed();
    void allInOneOperation();
    void theEarliestGroupLeads();
    void sourcesThatDisagree();
    void rasAlone();
    void recordsOfAJobThatHasEnded();
    void nothingThere();
    void json();

    /// Whatever is taken away at random: the right rank or nobody, every proof in the sentence, every rank one row.
    void anySubset();

private:
    static QString proof(const HangVerdict& verdict, const QString& words)
    {
        for (const HangProof& proof : verdict.proofs) {
            if (proof.words.contains(words))
                return proof.source;
        }
        return {};
    }
};

void HangVerdictTest::theSentence()
{
    HangEvidence evidence = recordedJob(32, 4812);
    evidence.ranks[11].record = recordOf(4811, 32, u"fsdp"_s, true);
    ProcessSnapshot look = asleep(u"nfs_wait_bit_killable"_s, 0);
    look.state = ProcessState::DiskSleep;
    stands(evidence.ranks[11],
        {u"read /home/u/dataset.py:88"_s, u"fetch "_s + site + u"torch/utils/data/_utils/fetch.py:52"_s,
            u"main /home/u/train.py:40"_s},
        look);
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(plain(verdict.sentence),
        u"Rank 11 (node n03, GPU 3) has not entered all_reduce 4 812 of group fsdp; it stands in read() at dataset.py:88, "
        "waiting for the file system. 31 ranks wait for it."_s);
    QCOMPARE(verdict.odd, QList<int>{11});
    QCOMPARE(verdict.rows.first().rank, 11);
    QCOMPARE(verdict.rows.first().line, 88);
    QCOMPARE(plain(verdict.rows.at(1).collective), u"all_reduce 4 812 of group fsdp"_s);
    QVERIFY(verdict.rows.at(1).collective.endsWith(u"of group fsdp"_s));
    QVERIFY(proof(verdict, u"has not entered"_s).contains(u"Flight Recorder"_s));
    QVERIFY(proof(verdict, u"stands in"_s).contains(u"py-spy of rank 11"_s));
    QVERIFY(proof(verdict, u"file system"_s).contains(u"nfs_wait_bit_killable"_s));
}

void HangVerdictTest::theSameWithoutRecords()
{
    HangEvidence evidence = job(8);
    stands(evidence.ranks[5], {u"__getitem__ /home/u/dataset.py:20"_s, u"main /home/u/train.py:40"_s},
        asleep(u"hrtimer_nanosleep"_s, 230));
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.sentence,
        u"Rank 5 (node n02, GPU 1) has not entered all_reduce; it stands in __getitem__() at dataset.py:20, asleep. "
        "7 ranks wait for it."_s);
    QVERIFY(proof(verdict, u"has not entered"_s).contains(u"Python stacks of 8"_s));
    // and without stacks: by what the kernel says of each
    for (RankEvidence& rank : evidence.ranks) {
        rank.stacks.reset();
        rank.stacksBefore.reset();
    }
    const HangVerdict bare = hangVerdict(evidence);
    QCOMPARE(bare.odd, QList<int>{5});
    QVERIFY2(bare.sentence.contains(u"clock_nanosleep"_s), qPrintable(bare.sentence));
}

void HangVerdictTest::wrongOrder()
{
    HangEvidence evidence = recordedJob(4, 10);
    evidence.ranks[2].record->entries.last().name = u"_all_gather_base"_s;
    evidence.ranks[2].record->entries.last().frames[1].line = 77;
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{2});
    QCOMPARE(plain(verdict.sentence),
        u"Rank 2 (node n01, GPU 2) called all_gather_into_tensor at train.py:77 where the others called all_reduce 10 of "
        "group fsdp at train.py:52. 3 ranks wait for it."_s);
    // by stacks alone
    for (RankEvidence& rank : evidence.ranks)
        rank.record.reset();
    stands(evidence.ranks[2], inCollective(u"broadcast"_s, u"step /home/u/train.py:77"_s));
    const HangVerdict stacked = hangVerdict(evidence);
    QCOMPARE(stacked.odd, QList<int>{2});
    QVERIFY2(stacked.sentence.contains(u"waits in broadcast at train.py:77, the others in all_reduce at train.py:52"_s),
        qPrintable(stacked.sentence));
}

void HangVerdictTest::wrongSizeAndType()
{
    HangEvidence evidence = recordedJob(4, 10);
    evidence.ranks[3].record->entries.last().inputSizes = {{1000, 1024}};
    const HangVerdict size = hangVerdict(evidence);
    QCOMPARE(size.odd, QList<int>{3});
    QVERIFY(size.cause == HangCause::WrongSize);
    QVERIFY2(size.sentence.contains(u"the others with"_s), qPrintable(size.sentence));
    evidence.ranks[3].record->entries.last().inputSizes = {{512, 2048}}; // as many elements
    evidence.ranks[3].record->entries.last().inputTypes = {u"Half"_s};
    const HangVerdict type = hangVerdict(evidence);
    QCOMPARE(type.odd, QList<int>{3});
    QVERIFY(type.cause == HangCause::WrongType);
    QVERIFY2(type.sentence.contains(u"Half"_s) && type.sentence.contains(u"Float"_s), qPrintable(type.sentence));
    // what may rightly differ
    for (RankEvidence& rank : evidence.ranks) {
        rank.record->entries.last().name = u"all_to_all"_s;
        rank.record->entries.last().inputTypes = {u"Float"_s};
        rank.record->entries.last().inputSizes = {{*rank.rank + 1}};
    }
    QCOMPARE(hangVerdict(evidence).odd, QList<int>());
}

void HangVerdictTest::skippedOperation()
{
    // one operation less in all, and in the barrier that comes after
    HangEvidence evidence = recordedJob(4, 10);
    evidence.ranks[1].record = recordOf(9, 4, u"fsdp"_s, true);
    evidence.ranks[1].record->entries.last().name = u"all_reduce"_s;
    stands(evidence.ranks[1], inCollective(u"barrier"_s, u"main /home/u/train.py:99"_s));
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{1});
    QVERIFY2(verdict.sentence.contains(u"train.py:99"_s), qPrintable(verdict.sentence));
}

void HangVerdictTest::deadRank()
{
    HangEvidence evidence = job(8);
    evidence.ranks.removeAt(6);
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.sentence,
        u"Rank 6 (node n02, GPU 2) has no process any more. 7 ranks wait in all_reduce at train.py:52 for it."_s);
    QCOMPARE(verdict.odd, QList<int>{6});
    QCOMPARE(verdict.rows.size(), 8);
    QVERIFY(!verdict.rows.first().pid);
    // of a sample of nodes nothing is said of ranks that were not looked at
    evidence.isComplete = false;
    QVERIFY(hangVerdict(evidence).odd.isEmpty());
    RankEvidence zombie;
    zombie.rank = 6;
    zombie.pid = 4006;
    zombie.now = ProcessSnapshot();
    zombie.now->state = ProcessState::Zombie;
    zombie.failure = u"RuntimeError: bad sample"_s;
    evidence.ranks.append(zombie);
    const HangVerdict failed = hangVerdict(evidence);
    QCOMPARE(failed.odd, QList<int>{6});
    QVERIFY2(failed.sentence.contains(u"“RuntimeError: bad sample”"_s), qPrintable(failed.sentence));
}

/// torchrun starts ranks again: what has ended of rank 2 is not missed while a new process of it lives.
void HangVerdictTest::startedAgain()
{
    HangEvidence evidence = job(4);
    RankEvidence earlier = evidence.ranks[2];
    earlier.pid = 3002;
    earlier.hasEnded = true;
    evidence.ranks.prepend(earlier);
    const HangVerdict verdict = hangVerdict(evidence);
    QVERIFY2(verdict.odd.isEmpty(), qPrintable(verdict.sentence));
    QCOMPARE(verdict.rows.size(), 4);
    evidence.ranks.removeLast();
    evidence.ranks.removeLast(); // ranks 2 and 3 of now
    QCOMPARE(hangVerdict(evidence).odd, (QList<int>{2, 3}));
}

void HangVerdictTest::stoppedProcess()
{
    HangEvidence evidence = job(4);
    evidence.ranks[1].before->state = evidence.ranks[1].now->state = ProcessState::Stopped;
    evidence.ranks[1].stacks.reset();
    evidence.ranks[1].stacksBefore.reset();
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{1});
    QVERIFY2(verdict.sentence.startsWith(u"Rank 1 (node n01, GPU 1) is stopped"_s), qPrintable(verdict.sentence));
    // for a moment alone, as by py-spy
    evidence.ranks[1].before->state = ProcessState::Sleeping;
    QVERIFY(!hangVerdict(evidence).odd.contains(1));
}

/// A stopped or dead rank prints no stack: the records tell what it did last, and that it is the last that is known.
void HangVerdictTest::lastPlaceOfWhoCannotBeAsked()
{
    HangEvidence evidence = recordedJob(4, 10);
    RankEvidence& stopped = evidence.ranks[1];
    stopped.before->state = stopped.now->state = ProcessState::Stopped;
    stopped.stacks.reset();
    stopped.stacksBefore.reset();
    stopped.record.reset();
    const HangVerdict others = hangVerdict(evidence);
    QCOMPARE(others.odd, QList<int>{1});
    QVERIFY2(plain(others.sentence)
                 .endsWith(u" The last that is known: it took part in all_reduce 9 of group fsdp (others called it at "
                           "train.py:52)."_s),
        qPrintable(others.sentence));
    QVERIFY(proof(others, u"it took part in"_s).contains(u"Flight Recorder of rank 0"_s));
    QVERIFY2(others.rows.first().last.startsWith(u"took part in"_s), qPrintable(others.rows.first().last));
    QVERIFY(others.rows.first().file.isEmpty()); // not a place of now
    // its own record, written before
    stopped.record = recordOf(8, 4, u"fsdp"_s, true);
    const HangVerdict own = hangVerdict(evidence);
    QVERIFY2(plain(own.sentence)
                 .endsWith(u" The last that is known: it called all_reduce 8 of group fsdp at train.py:52."_s),
        qPrintable(own.sentence));
    QCOMPARE(hangJson(own).value("ranks"_L1).toArray().first().toObject().value("last"_L1).toString(),
        own.rows.first().last);
    // its process has gone
    evidence.ranks.removeAt(1);
    const HangVerdict dead = hangVerdict(evidence);
    QCOMPARE(dead.odd, QList<int>{1});
    QVERIFY2(
        dead.sentence.contains(u"The last that is known: it took part in all_reduce"_s), qPrintable(dead.sentence));
    // a broadcast ends on its root without the others
    for (RankEvidence& rank : evidence.ranks) {
        for (FlightEntry& entry : rank.record->entries)
            entry.name = u"broadcast"_s;
    }
    QVERIFY2(!hangVerdict(evidence).sentence.contains(u"The last that"_s), qPrintable(hangVerdict(evidence).sentence));
}

/// Each of them by the newest of its own groups, whoever tells it.
void HangVerdictTest::lastPlacesOfSeveral()
{
    HangEvidence evidence = recordedJob(4, 10); // group fsdp of all: 9 has ended everywhere
    FlightGroup pair;
    pair.id = u"5"_s;
    pair.name = u"9"_s;
    pair.description = u"pair"_s;
    pair.ranks = {2, 3};
    FlightRecord& teller = *evidence.ranks[3].record;
    teller.groups.append(pair);
    FlightEntry ended = teller.entries.first();
    ended.groupId = pair.id;
    ended.groupName = pair.name;
    ended.groupDescription = pair.description;
    ended.sequence = 40;
    ended.createdNs = 60'000'000'000;
    teller.entries.append(ended);
    const QHash<int, LastOperation> last = lastTookPart({1, 2, 77}, evidence.ranks);
    QCOMPARE(last.size(), 2);
    QCOMPARE(last.value(1).sequence, std::optional<qint64>(9));
    QCOMPARE(last.value(2).sequence, std::optional<qint64>(40));
    QCOMPARE(last.value(2).group, u"pair"_s);
    QCOMPARE(last.value(2).teller, 3);
    QVERIFY(lastTookPart({}, evidence.ranks).isEmpty());
}

void HangVerdictTest::barrierOfOneRank()
{
    HangEvidence evidence = job(4);
    stands(evidence.ranks[0], inCollective(u"barrier"_s, u"save /home/u/train.py:61"_s));
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{0});
    QVERIFY2(verdict.sentence.contains(u"barrier at train.py:61"_s), qPrintable(verdict.sentence));
    // the others have ended
    for (int i = 1; i < 4; ++i)
        stands(evidence.ranks[i], {u"_shutdown /usr/lib/python3.12/threading.py:1590"_s});
    const HangVerdict alone = hangVerdict(evidence);
    QCOMPARE(alone.odd, QList<int>{0});
    QVERIFY(alone.cause == HangCause::Alone);
    evidence.ranks = {evidence.ranks.first()};
    QCOMPARE(hangVerdict(evidence).odd, QList<int>{0});
}

void HangVerdictTest::unevenBatches()
{
    HangEvidence evidence = recordedJob(4, 10);
    evidence.ranks[3].record = recordOf(8, 4, u"fsdp"_s, true);
    stands(evidence.ranks[3], {u"_shutdown /usr/lib/python3.12/threading.py:1590"_s});
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{3});
    QVERIFY2(verdict.sentence.contains(u"at the end of its program"_s), qPrintable(verdict.sentence));
}

void HangVerdictTest::lockHeld()
{
    HangEvidence evidence = job(4);
    stands(evidence.ranks[2], {u"acquire "_s + site + u"filelock/_api.py:344"_s, u"load /home/u/cache.py:12"_s},
        asleep(u"hrtimer_nanosleep"_s, 230));
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{2});
    QVERIFY2(verdict.sentence.contains(u"load() at cache.py:12, waiting for a lock"_s), qPrintable(verdict.sentence));
}

void HangVerdictTest::slowIsNoHang_data()
{
    QTest::addColumn<int>("how");
    QTest::newRow("computes") << 0;
    QTest::newRow("reads") << 1;
    QTest::newRow("elsewhere") << 2;
    QTest::newRow("others go on") << 3;
    QTest::newRow("records grow") << 4;
    QTest::newRow("RAS grows") << 5;
    QTest::newRow("writes") << 6;
}

void HangVerdictTest::slowIsNoHang()
{
    QFETCH(int, how);
    HangEvidence evidence = how == 4 ? recordedJob(4, 10) : job(4);
    RankEvidence& slow = evidence.ranks[2];
    stands(slow, {u"forward /home/u/model.py:20"_s, u"main /home/u/train.py:40"_s});
    if (how == 0)
        slow.now->cpuTicks = *slow.before->cpuTicks + 290;
    if (how == 1)
        slow.now->io.readChars = *slow.before->io.readChars + (50 << 20);
    if (how == 2)
        slow.stacks = stacksOf({u"forward /home/u/model.py:21"_s, u"main /home/u/train.py:40"_s});
    if (how == 3)
        evidence.ranks[0].stacksBefore = stacksOf({u"main /home/u/train.py:39"_s});
    if (how == 4) {
        for (RankEvidence& rank : evidence.ranks)
            rank.recordBefore = recordOf(9, 4);
        slow.record = recordOf(9, 4, u"fsdp"_s, true);
    }
    if (how == 5) {
        NodeRas ras;
        ras.before = *readRasReport(test::recordedFile(u"hang/ras/behind.json"_s));
        ras.now = ras.before;
        for (RasRank& rank : ras.now->communicators.first().ranks)
            ++rank.counts[u"AllReduce"_s];
        evidence.ras.append(ras);
    }
    if (how == 6)
        slow.now->io.writtenChars = *slow.before->io.writtenChars + (200 << 20);
    const HangVerdict verdict = hangVerdict(evidence);
    QVERIFY2(verdict.odd.isEmpty(), qPrintable(verdict.sentence));
    QVERIFY2(verdict.sentence.startsWith(u"Nothing hangs as far as can be seen"_s), qPrintable(verdict.sentence));
}

void HangVerdictTest::aSlowOneIsNamed()
{
    HangEvidence evidence = job(4);
    stands(evidence.ranks[2], {u"forward /home/u/model.py:20"_s});
    evidence.ranks[2].now->cpuTicks = *evidence.ranks[2].before->cpuTicks + 290;
    QCOMPARE(hangVerdict(evidence).sentence,
        u"Nothing hangs as far as can be seen: rank 2 (node n01, GPU 2) goes on; it stands in forward() at model.py:20, "
        "computing. 3 ranks wait in all_reduce at train.py:52 for it."_s);
}

void HangVerdictTest::allInOneOperation()
{
    const HangVerdict verdict = hangVerdict(recordedJob(4, 10));
    QVERIFY(verdict.cause == HangCause::AllWait);
    QVERIFY(verdict.odd.isEmpty());
    QVERIFY2(plain(verdict.sentence).startsWith(u"All 4 ranks wait in all_reduce 10 of group fsdp"_s),
        qPrintable(verdict.sentence));
    HangEvidence evidence = recordedJob(4, 10);
    evidence.ranks[1].record->entries.last().state = FlightState::Scheduled;
    const HangVerdict scheduled = hangVerdict(evidence);
    QVERIFY(scheduled.cause == HangCause::NotStarted);
    QCOMPARE(scheduled.odd, QList<int>{1});
}

void HangVerdictTest::theEarliestGroupLeads()
{
    // rank 3 is missing in a group of two since long; so rank 2 does not come to the group of all, later
    HangEvidence evidence = recordedJob(4, 10);
    for (const int i : {2, 3}) {
        FlightRecord pair = recordOf(i == 2 ? 6 : 5, 4, u"tensor"_s, i == 3);
        pair.groups.first().ranks = {2, 3};
        pair.groups.first().id = u"9"_s;
        pair.groups.first().name = u"11"_s;
        FlightRecord whole = recordOf(9, 4, u"fsdp"_s, true);
        for (FlightEntry& entry : pair.entries) {
            entry.groupId = u"9"_s;
            entry.groupName = u"11"_s;
        }
        whole.groups += pair.groups;
        whole.entries += pair.entries;
        evidence.ranks[i].record = whole;
    }
    stands(evidence.ranks[3], {u"main /home/u/train.py:33"_s});
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{3});
    QVERIFY2(verdict.sentence.contains(u"of group tensor"_s), qPrintable(verdict.sentence));
}

void HangVerdictTest::sourcesThatDisagree()
{
    HangEvidence evidence = recordedJob(4, 10);
    evidence.ranks[1].record = recordOf(9, 4, u"fsdp"_s, true);
    stands(evidence.ranks[2], {u"main /home/u/train.py:33"_s});
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{1});
    QVERIFY2(verdict.notes.join(u' ').contains(
                 u"Sources disagree: by the Flight Recorder it is rank 1, by the Python stacks rank 2."_s),
        qPrintable(verdict.notes.join(u' ')));
}

void HangVerdictTest::rasAlone()
{
    HangEvidence evidence = job(4);
    for (RankEvidence& rank : evidence.ranks) {
        rank.stacks.reset();
        rank.stacksBefore.reset();
    }
    NodeRas ras;
    ras.node = u"n01"_s;
    ras.before = ras.now = *readRasReport(test::recordedFile(u"hang/ras/behind.json"_s));
    evidence.ras.append(ras);
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{2}); // process 4002
    QVERIFY(proof(verdict, u"has not entered"_s).contains(u"RAS"_s));
}

void HangVerdictTest::recordsOfAJobThatHasEnded()
{
    HangEvidence evidence = recordedJob(4, 10);
    evidence.ranks[1].record = recordOf(9, 4, u"fsdp"_s, true);
    for (RankEvidence& rank : evidence.ranks) {
        rank.before.reset();
        rank.now.reset();
        rank.stacks.reset();
        rank.stacksBefore.reset();
        rank.pid.reset();
        rank.hasEnded = true;
    }
    const HangVerdict verdict = hangVerdict(evidence);
    QCOMPARE(verdict.odd, QList<int>{1});
    QVERIFY2(verdict.sentence.startsWith(u"Rank 1 (node n01, GPU 1) has not entered all_reduce"_s),
        qPrintable(verdict.sentence));
}

void HangVerdictTest::nothingThere()
{
    QVERIFY(hangVerdict({}).cause == HangCause::Unknown);
    QVERIFY(!hangVerdict({}).sentence.isEmpty());
    HangEvidence evidence;
    RankEvidence rank;
    rank.rank = 3;
    rank.notes.append(u"ptrace is not allowed on this node."_s);
    evidence.ranks.append(rank);
    evidence.notes.append(u"Node n02 did not answer."_s);
    const HangVerdict verdict = hangVerdict(evidence);
    QVERIFY(verdict.odd.isEmpty());
    QCOMPARE(
        verdict.notes, (QStringList{u"Node n02 did not answer."_s, u"Rank 3: ptrace is not allowed on this node."_s}));
}

void HangVerdictTest::json()
{
    HangEvidence evidence = job(4);
    evidence.ranks[2].node.clear();
    evidence.ranks[2].pid.reset();
    evidence.ranks[2].now.reset();
    evidence.ranks[2].before.reset();
    stands(evidence.ranks[3], {u"main /home/u/train.py:33"_s});
    const QJsonObject json = hangJson(hangVerdict(evidence));
    QCOMPARE(json.keys(), (QStringList{u"evidence"_s, u"notes"_s, u"odd"_s, u"ranks"_s, u"seconds"_s, u"sentence"_s}));
    QCOMPARE(json.value("odd"_L1), QJsonValue(QJsonArray{3}));
    QCOMPARE(json.value("seconds"_L1).toDouble(), 5.5);
    const QJsonArray ranks = json.value("ranks"_L1).toArray();
    QCOMPARE(ranks.first().toObject().value("rank"_L1).toInt(), 3);
    QCOMPARE(ranks.first().toObject().value("line"_L1).toInt(), 33);
    QVERIFY(ranks.first().toObject().value("collective"_L1).isNull());
    QCOMPARE(ranks.at(1).toObject().value("collective"_L1).toString(), u"all_reduce"_s);
    const QJsonObject third = ranks.at(3).toObject();
    QCOMPARE(third.value("rank"_L1).toInt(), 2);
    for (const QString& key : {u"node"_s, u"pid"_s, u"state"_s, u"waitChannel"_s})
        QVERIFY2(third.contains(key) && third.value(key).isNull(), qPrintable(key));
}

void HangVerdictTest::anySubset()
{
    QRandomGenerator random(20261129U);
    int found = 0;
    for (int round = 0; round < 400; ++round) {
        HangEvidence evidence = recordedJob(8, 10);
        evidence.ranks[5].record = recordOf(9, 8, u"fsdp"_s, true);
        stands(evidence.ranks[5], {u"__getitem__ /home/u/dataset.py:20"_s}, asleep(u"hrtimer_nanosleep"_s, 230));
        const bool hasRecords = random.bounded(2) != 0, hasStacks = random.bounded(2) != 0;
        for (RankEvidence& rank : evidence.ranks) {
            if (!hasRecords || random.bounded(8) == 0)
                rank.record.reset();
            if (!hasStacks || random.bounded(8) == 0)
                rank.stacks.reset();
            if (!rank.stacks || random.bounded(2) == 0)
                rank.stacksBefore.reset();
            if (random.bounded(8) == 0)
                rank.before.reset();
            if (random.bounded(8) == 0)
                rank.node.clear();
        }
        for (qsizetype i = evidence.ranks.size() - 1; i > 0; --i)
            evidence.ranks.swapItemsAt(i, random.bounded(int(i) + 1));
        const HangVerdict verdict = hangVerdict(evidence);
        QVERIFY2(verdict.odd.isEmpty() || verdict.odd == QList<int>{5}, qPrintable(verdict.sentence));
        found += verdict.odd.isEmpty() ? 0 : 1;
        QCOMPARE(verdict.rows.size(), 8);
        for (const HangProof& words : verdict.proofs)
            QVERIFY(verdict.sentence.contains(words.words) && !words.source.isEmpty());
        QVERIFY(verdict.sentence.endsWith(u'.'));
    }
    QVERIFY2(found > 280, qPrintable(QString::number(found)));
}

RANKWRIGHT_TEST_MAIN(HangVerdictTest)
#include "tst_hangverdict.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangjson.h"
#include "models/insight/hang/hangverdict.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QJsonArray>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Four real processes of torch.distributed that hang, each in its way (tests/data/hang/make-processes recorded /proc
/// and faulthandler's stacks twice): who is accused, and which line is shown.
class HangProcessesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void plantedHangs_data();
    void plantedHangs();
    /// The same with what is known of one moment alone: nobody gets lost, nobody is wrongly sure.
    void oneMomentIsSaidToBeOne();

private:
    static HangEvidence evidence(const QString& kind)
    {
        HangEvidence evidence;
        evidence.isComplete = true;
        const QList<QByteArray> lines = test::recordedFile(u"hang/processes/%1.txt"_s.arg(kind)).split('\n');
        QByteArray stacks;
        const auto takeStacks = [&] {
            if (!stacks.isEmpty()) {
                const auto read = readPythonStacks(stacks);
                RankEvidence& rank = evidence.ranks.last();
                (rank.now ? rank.stacks : rank.stacksBefore) = read ? std::optional(*read) : std::nullopt;
            }
            stacks.clear();
        };
        for (const QByteArray& line : lines) {
            const QList<QByteArray> words = line.split(' ');
            if (line.startsWith("| ")) {
                stacks += line.mid(2) + '\n';
                continue;
            }
            if (line == "|") {
                stacks += '\n';
                continue;
            }
            takeStacks();
            if (words.first() == "seconds")
                evidence.secondsBetween = words.at(1).toDouble();
            if (words.first() == "rank") {
                RankEvidence rank;
                rank.rank = words.at(1).toInt();
                rank.gpu = rank.rank;
                rank.pid = words.at(2).toLongLong();
                rank.node = u"n1"_s;
                evidence.ranks.append(rank);
            }
            if (words.first() == "look") {
                ProcessSnapshot look;
                look.state = processStateOf(words.at(1).at(0));
                look.waitChannel = words.at(2) == "-" ? QString() : QString::fromLatin1(words.at(2));
                bool isNumber = false;
                if (const int call = words.at(3).toInt(&isNumber); isNumber)
                    look.syscall = call;
                look.cpuTicks = words.at(4).toLongLong();
                look.io.readChars = words.at(5).toLongLong();
                look.io.writtenChars = words.at(6).toLongLong();
                look.io.readBytes = words.at(7).toLongLong();
                RankEvidence& rank = evidence.ranks.last();
                (rank.before ? rank.now : rank.before) = look;
            }
        }
        takeStacks();
        evidence.worldSize = int(evidence.ranks.size());
        return evidence;
    }
};

void HangProcessesTest::plantedHangs_data()
{
    QTest::addColumn<QList<int>>("odd");
    QTest::addColumn<QString>("place"); ///< words of the sentence
    QTest::newRow("loader") << QList<int>{2} << u"__getitem__() at train.py:14"_s;
    QTest::newRow("worker") << QList<int>{2} << u"train() at train.py:47"_s;
    QTest::newRow("skipped") << QList<int>{3} << u"barrier at train.py:78"_s;
    QTest::newRow("order") << QList<int>{2} << u"broadcast at train.py:71"_s;
    QTest::newRow("stopped") << QList<int>{1} << u"stopped"_s;
    QTest::newRow("rank0") << QList<int>{0} << u"barrier at train.py:67"_s;
    QTest::newRow("uneven") << QList<int>{3} << u"barrier at train.py:78"_s;
    QTest::newRow("ended") << QList<int>{3} << u"_shutdown() at threading.py"_s;
    QTest::newRow("exception") << QList<int>{1} << u"steps() at train.py:42"_s;
    QTest::newRow("lock") << QList<int>{1} << u"steps() at train.py:34"_s;
    QTest::newRow("filelock") << QList<int>{1} << u"flock() at train.py:36"_s;
    QTest::newRow("slow") << QList<int>{} << u"Nothing hangs"_s;
}

void HangProcessesTest::plantedHangs()
{
    QFETCH(QList<int>, odd);
    QFETCH(QString, place);
    const HangVerdict verdict = hangVerdict(evidence(QString::fromLatin1(QTest::currentDataTag())));
    QVERIFY2(verdict.odd == odd && verdict.sentence.contains(place), qPrintable(verdict.sentence));
    if (!odd.isEmpty())
        QCOMPARE(verdict.rows.first().rank, odd.first());
    for (const HangProof& proof : verdict.proofs)
        QVERIFY2(verdict.sentence.contains(proof.words), qPrintable(proof.words));
    QCOMPARE(hangJson(verdict).value("ranks"_L1).toArray().size(), 4);
}

void HangProcessesTest::oneMomentIsSaidToBeOne()
{
    HangEvidence one = evidence(u"loader"_s);
    for (RankEvidence& rank : one.ranks) {
        rank.before.reset();
        rank.stacksBefore.reset();
    }
    const HangVerdict verdict = hangVerdict(one);
    QVERIFY2(verdict.sentence.startsWith(u"Seen at one moment only"_s), qPrintable(verdict.sentence));
    QCOMPARE(verdict.notes.size(), 1);
}

RANKWRIGHT_TEST_MAIN(HangProcessesTest)
#include "tst_hangprocesses.moc"

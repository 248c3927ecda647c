// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QByteArray twoRanks = "@rw-ranks nid005001 1795257891159 56;515396075520;401234567168;2;"
                            "|4711;8;0;16;49-55,113-119;103.5;8123456789;R;0;20734247731;0,1,2,3,4,5,6,7;"
                            "|4712;9;1;16;xff00,00000000;;8100000000;S;;;;";

} // namespace

class RankLinesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsALine();
    void masks_data();
    void masks();
    void aNodeWithoutRanks();
    void refuses_data();
    void refuses();
    void severalLinesMakeOneMoment();
    void everyCutIsSurvived();
    void noise();
};

void RankLinesTest::readsALine()
{
    const auto line = parseRankLine(QByteArray("0: " + twoRanks));
    QVERIFY(line);
    QCOMPARE(line->ranksInAll, 2);
    const NodeProcesses& reported = line->reported;
    QCOMPARE(reported.node, u"nid005001"_s);
    QCOMPARE(reported.takenMs, qint64(1795257891159));
    QCOMPARE(reported.cpus, std::optional<int>(56));
    QCOMPARE(reported.hostMemoryTotalBytes, std::optional<qint64>(515396075520));
    QCOMPARE(reported.hostMemoryAvailableBytes, std::optional<qint64>(401234567168));
    QCOMPARE(reported.ranks.size(), 2);
    const RankSample first{
        4711, 8, 0, 16, u"0,1,2,3,4,5,6,7"_s, u"49-55,113-119"_s, 103.5, 8123456789, 'R', 0, 20734247731};
    QVERIFY(reported.ranks.at(0) == first);
    const RankSample second{4712, 9, 1, 16, {}, u"40-47"_s, {}, 8100000000, 'S', {}, {}};
    QVERIFY(reported.ranks.at(1) == second);
}

void RankLinesTest::masks_data()
{
    QTest::addColumn<QByteArray>("mask");
    QTest::addColumn<QString>("list");
    // as taskset(1) explains its masks
    QTest::newRow("one") << QByteArray("x1") << u"0"_s;
    QTest::newRow("0 and 1") << QByteArray("x3") << u"0-1"_s;
    QTest::newRow("all of 32") << QByteArray("xffffffff") << u"0-31"_s;
    QTest::newRow("every other of 8") << QByteArray("x55") << u"0,2,4,6"_s;
    QTest::newRow("LUMI's first mask") << QByteArray("xfe,00000000,000000fe") << u"1-7,65-71"_s;
    QTest::newRow("no mask") << QByteArray("xzz") << QString();
}

void RankLinesTest::masks()
{
    QFETCH(QByteArray, mask);
    QFETCH(QString, list);
    const auto line = parseRankLine(QByteArray("@rw-ranks n1 5 1;2;3;1;|7;;;;" + mask + ";;;;;;;"));
    QVERIFY(line);
    QCOMPARE(line->reported.ranks.first().cpus, list);
}

void RankLinesTest::aNodeWithoutRanks()
{
    const auto line = parseRankLine("@rw-ranks n1 5 ;;;0;");
    QVERIFY(line);
    QVERIFY(line->reported.ranks.isEmpty() && !line->reported.cpus && !line->reported.hostMemoryTotalBytes);
    QVERIFY(RankGatherer().add(*line)); // reported, too: there is no rank
}

void RankLinesTest::refuses_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line : {"", "@rw-gpus n1 5 3;1;2;3;4;5;6;", "@rw-ranks n1 5 ", "@rw-ranks n1 5 1;2;3;4",
             "@rw-ranks n1 x 1;2;3;0;", "@rw-ranks n1 5 1;2;3;99999;"})
        QTest::newRow(line) << QByteArray(line);
}

void RankLinesTest::refuses()
{
    QFETCH(QByteArray, line);
    QVERIFY(!parseRankLine(line));
}

void RankLinesTest::severalLinesMakeOneMoment()
{
    const auto part = [](const char* node, int ms, const char* ranks) {
        return *parseRankLine(
            QByteArray(QByteArray("@rw-ranks ") + node + ' ' + QByteArray::number(ms) + " 8;;;3;" + ranks));
    };
    RankGatherer gatherer;
    QVERIFY(!gatherer.add(part("n1", 5, "|1;0;;;;;;;;;;|2;1;;;;;;;;;;")));
    QVERIFY(!gatherer.add(part("n2", 5, "|8;4;;;;;;;;;;"))); // another node in between
    const auto whole = gatherer.add(part("n1", 5, "|3;2;;;;;;;;;;"));
    QVERIFY(whole);
    QCOMPARE(whole->ranks.size(), 3);
    QCOMPARE(whole->ranks.last().rank, std::optional<int>(2));
    // a lost line: the moment is dropped, the next one is whole again
    QVERIFY(!gatherer.add(part("n1", 8, "|1;0;;;;;;;;;;|2;1;;;;;;;;;;")));
    QVERIFY(!gatherer.add(part("n1", 11, "|1;0;;;;;;;;;;")));
    QCOMPARE(gatherer.add(part("n1", 11, "|2;1;;;;;;;;;;|3;2;;;;;;;;;;"))->ranks.size(), 3);
}

void RankLinesTest::everyCutIsSurvived()
{
    const auto whole = parseRankLine(twoRanks);
    for (qsizetype length = 0; length < twoRanks.size(); ++length) {
        const auto part = parseRankLine(twoRanks.left(length));
        if (!part)
            continue;
        QVERIFY(part->reported.ranks.size() < 2);
        if (!part->reported.ranks.isEmpty())
            QVERIFY(part->reported.ranks.first() == whole->reported.ranks.first());
        QVERIFY(!RankGatherer().add(*part));
    }
}

void RankLinesTest::noise()
{
    QRandomGenerator random(11);
    RankGatherer gatherer;
    for (int round = 0; round < 20000; ++round) {
        QByteArray line = twoRanks.left(random.bounded(twoRanks.size()));
        for (int i = 0; i < 4 && !line.isEmpty(); ++i)
            line[random.bounded(line.size())] = char(random.bounded(256));
        if (const auto read = parseRankLine(line))
            gatherer.add(*read);
    }
}

RANKWRIGHT_TEST_MAIN(RankLinesTest)
#include "tst_ranklines.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/reportedplaces.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A job of somebody's own script that uses four of eight GPUs of each node: its ranks have their own numbers.
class ReportedPlacesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void namesRanksOnceAllWereSeen();
    void anAgentIsNoRank();
    void aSecondProgramHasItsOwnRanks();
    void aTaskThatHoldsAGpuIsOne();

private:
    static NodeProcesses onNode(const QString& node, const QList<RankSample>& ranks)
    {
        NodeProcesses processes;
        processes.node = node;
        processes.ranks = ranks;
        return processes;
    }
    static RankSample rank(int rank, int localRank, int worldSize)
    {
        RankSample sample;
        sample.pid = 1000 + rank;
        sample.rank = rank;
        sample.localRank = localRank;
        sample.worldSize = worldSize;
        return sample;
    }
};

void ReportedPlacesTest::namesRanksOnceAllWereSeen()
{
    ReportedPlaces places;
    places.add(onNode(u"n2"_s, {rank(2, 0, 4), rank(3, 1, 4)}), 1);
    QVERIFY(places.placement().isEmpty());
    RankSample moved = rank(0, 0, 4);
    moved.gpu = 5; // what the driver reports precedes the local rank
    places.add(onNode(u"n1"_s, {moved, rank(1, 1, 4)}), 0);
    const QList<RankPlace> placement = places.placement();
    QCOMPARE(placement.size(), 4);
    QCOMPARE(placement.at(0).address(), (GpuAddress{0, 5}));
    QCOMPARE(placement.at(2).address(), (GpuAddress{1, 0}));
    places.add(onNode(u"n3"_s, {rank(9, 0, 4)}), -1); // a node that is not the job's
    QCOMPARE(places.placement(), placement);
    QVERIFY(!places.add(onNode(u"n1"_s, {moved, rank(1, 1, 4)}), 0)); // as before
    places.clear();
    QVERIFY(places.placement().isEmpty());
}

void ReportedPlacesTest::anAgentIsNoRank()
{
    ReportedPlaces places;
    RankSample agent = rank(0, 0, 1);
    agent.isByTask = true;
    places.add(onNode(u"n1"_s, {agent}), 0);
    QVERIFY(places.placement().isEmpty());
    places.add(onNode(u"n1"_s, {agent, rank(0, 0, 2), rank(1, 1, 2)}), 0);
    QCOMPARE(places.placement().size(), 2);
}

/// A job that trains on four GPUs, then evaluates on two of them.
void ReportedPlacesTest::aSecondProgramHasItsOwnRanks()
{
    ReportedPlaces places;
    places.add(onNode(u"n1"_s, {rank(0, 0, 4), rank(1, 1, 4), rank(2, 2, 4), rank(3, 3, 4)}), 0);
    QCOMPARE(places.placement().size(), 4);
    QVERIFY(places.add(onNode(u"n1"_s, {rank(0, 2, 2), rank(1, 3, 2)}), 0));
    QCOMPARE(places.placement().size(), 2);
    QCOMPARE(places.placement().first().address(), (GpuAddress{0, 2}));
    places.add(onNode(u"n1"_s, {rank(0, 0, 2), rank(1, 1, 2), rank(0, 3, 1)}), 0); // a small one beside it
    QCOMPARE(places.placement().size(), 2);
    QCOMPARE(places.placement().first().address(), (GpuAddress{0, 0}));
}

void ReportedPlacesTest::aTaskThatHoldsAGpuIsOne()
{
    ReportedPlaces places;
    RankSample task = rank(0, 0, 1);
    task.isByTask = true;
    task.gpu = 3;
    places.add(onNode(u"n1"_s, {task}), 0);
    QCOMPARE(places.placement().size(), 1);
    QCOMPARE(places.placement().first().address(), (GpuAddress{0, 3}));
    places.add(onNode(u"n1"_s, {rank(0, 0, 2), rank(1, 1, 2)}), 0); // it was an agent after all
    QCOMPARE(places.placement().size(), 2);
    QCOMPARE(places.placement().first().address(), (GpuAddress{0, 0}));
}

RANKWRIGHT_TEST_MAIN(ReportedPlacesTest)
#include "tst_reportedplaces.moc"

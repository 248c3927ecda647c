// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "app/watch/joblayout.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/openstore.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What a job that was launched from here brings along.
class LaunchedJobTest final : public test::Suite {
    Q_OBJECT

    static JobSpec designed()
    {
        JobSpec spec;
        spec.cluster = u"lumi"_s;
        spec.partition = u"standard-g"_s;
        spec.resources.nodes = 2;
        spec.resources.gpusPerNode = 8;
        spec.launcher = Launcher::Srun;
        spec.parallel.strategy = Strategy::Fsdp;
        return spec;
    }

private slots:
    void standsInTheJobLog();
    void aDesignThatCannotBeReadIsKeptAsItIs();
    void placesItsRanksWhereNodesAndGpusAreAsDesigned();
};

void LaunchedJobTest::standsInTheJobLog()
{
    QTemporaryDir folder;
    const auto database = test::openStore(folder.path());
    JobLog log(*database);
    const auto entry = log.record({u"rw-1"_s, u"lumi"_s, u"gpt"_s, writeDesign(designed()), "#!/bin/bash\n", {}});
    QVERIFY_RESULT(entry);
    QVERIFY_RESULT(log.markKnown(entry->id, u"77"_s));
    const LaunchedJob launched = launchedJob(log, u"lumi"_s, u"77"_s);
    QCOMPARE(launched.entryId, entry->id);
    QCOMPARE(launched.name, u"gpt"_s);
    QCOMPARE(launched.design, writeDesign(designed()));
    QVERIFY(launched.spec.has_value());
    QCOMPARE(launched.spec->resources.nodes, std::optional(2));
    QCOMPARE(launched.strategy(), u"FSDP"_s);
    const LaunchedJob elsewhere = launchedJob(log, u"raven"_s, u"77"_s);
    QVERIFY(elsewhere.entryId.isEmpty() && elsewhere.design.isEmpty() && !elsewhere.spec);
    QVERIFY(elsewhere.strategy().isEmpty());
}

void LaunchedJobTest::aDesignThatCannotBeReadIsKeptAsItIs()
{
    const LaunchedJob launched = launchedFrom("{ not json");
    QCOMPARE(launched.design, QByteArray("{ not json"));
    QVERIFY(!launched.spec && launched.strategy().isEmpty());
}

void LaunchedJobTest::placesItsRanksWhereNodesAndGpusAreAsDesigned()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile& lumi = *catalogue.find(u"lumi"_s);
    const LaunchedJob launched = launchedFrom(writeDesign(designed()));
    JobRecord record;
    record.nodeList = {u"nid005001"_s, u"nid005002"_s};
    record.gpus = 16;
    QCOMPARE(placementOf(launched, lumi, record).size(), 16);
    record.gpus = 8;
    QVERIFY(placementOf(launched, lumi, record).isEmpty()); // it got others: nobody knows
    QVERIFY(placementOf({}, lumi, record).isEmpty());
    JobSpec half = designed();
    half.partition = u"standard-g"_s; // gives whole nodes
    half.resources.gpusPerNode = 4;
    record.gpus = 16;
    const QList<RankPlace> placed = placementOf(launchedFrom(writeDesign(half)), lumi, record);
    QCOMPARE(placed.size(), 8);
    QCOMPARE(placed.at(4).address(), (GpuAddress{1, 0}));
}

RANKWRIGHT_TEST_MAIN(LaunchedJobTest)
#include "tst_launchedjob.moc"

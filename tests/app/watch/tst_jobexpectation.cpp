// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/jobexpectation.h"

#include "models/core/numberranges.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What a design promises of its job, in the plain figures that alerts compare with.
class JobExpectationTest final : public test::Suite {
    Q_OBJECT
private slots:
    void ranksStandWhereTheMapPutsThem();
    void optionsAreTheDesignsOwn_data();
    void optionsAreTheDesignsOwn();
    void halfANodeIsBilledWhole();
    void halfOfAWholeNodeIsPlacedAsDesigned();
    void anotherSizeHasNoPlacement();
    void aForeignJobHasWhatSlurmReports();

private:
    Catalogue m_catalogue = loadCatalogue();
    JobSpec lumi(int nodes, int gpus, Launcher launcher) const
    {
        JobSpec spec;
        spec.name = u"x"_s;
        spec.cluster = u"lumi"_s;
        spec.partition = u"standard-g"_s;
        spec.account = u"project_465000001"_s;
        spec.resources.nodes = nodes;
        spec.resources.gpusPerNode = gpus;
        spec.launcher = launcher;
        spec.parallel.strategy = Strategy::Ddp;
        return spec;
    }
    JobExpectation expected(const JobSpec& spec, const JobRecord& record = {}) const
    {
        return expectationOf(derive(spec, *m_catalogue.find(spec.cluster)), record);
    }
};

void JobExpectationTest::ranksStandWhereTheMapPutsThem()
{
    JobRecord record;
    record.nodeList = {u"nid005001"_s, u"nid005002"_s};
    record.nodes = 2;
    record.gpus = 16;
    record.timeLimit = Seconds{3600};
    const JobExpectation expectation = expected(lumi(2, 8, Launcher::Srun), record);
    QCOMPARE(expectation.nodes, record.nodeList);
    QCOMPARE(expectation.gpuWord, u"GCD"_s);
    QCOMPARE(expectation.gpusPerPackage, 2);
    QCOMPARE(expectation.ranks, std::optional(16));
    QCOMPARE(expectation.timeLimitSeconds, std::optional(3600.0));
    QCOMPARE(expectation.placement.size(), 16);
    // LUMI documentation, distribution and binding: GCD 0 is beside the cores 49-55, GCD 4 beside 1-7.
    QCOMPARE(numberRanges(expectation.placement.at(0).cores), u"49-55"_s);
    QCOMPARE(numberRanges(expectation.placement.at(12).cores), u"1-7"_s);
    QCOMPARE(expectation.placement.at(12).node, 1);
    QCOMPARE(expectation.placement.at(12).gpu, 4);
}

void JobExpectationTest::optionsAreTheDesignsOwn_data()
{
    QTest::addColumn<int>("launcher");
    QTest::addColumn<QString>("launch");
    QTest::addColumn<bool>("binds");
    QTest::newRow("srun") << int(Launcher::Srun) << u"--ntasks-per-node=8"_s << true;
    QTest::newRow("torchrun") << int(Launcher::Torchrun) << u"--nproc_per_node=8"_s << false;
    QTest::newRow("accelerate") << int(Launcher::Accelerate) << u"--num_processes=16"_s << false;
}

void JobExpectationTest::optionsAreTheDesignsOwn()
{
    QFETCH(int, launcher);
    QFETCH(QString, launch);
    QFETCH(bool, binds);
    const JobExpectation expectation = expected(lumi(2, 8, Launcher(launcher)));
    QCOMPARE(expectation.launchOption, launch);
    QCOMPARE(expectation.bindOption.startsWith(u"--cpu-bind=mask_cpu:"_s), binds);
    QCOMPARE(
        numberRanges(expectation.placement.first().cores), u"49-55"_s); // the script binds the workers of an agent, too
}

void JobExpectationTest::halfANodeIsBilledWhole()
{
    // LUMI bills standard-g by whole nodes: 8 GCDs.
    QCOMPARE(expected(lumi(1, 4, Launcher::Srun)).billedGpuUnits, std::optional(8));
    QCOMPARE(expected(lumi(1, 8, Launcher::Srun)).billedGpuUnits.value_or(8), 8);
}

/// Slurm reports all GCDs of the nodes that it gives whole.
void JobExpectationTest::halfOfAWholeNodeIsPlacedAsDesigned()
{
    JobRecord record;
    record.nodeList = {u"nid005001"_s, u"nid005002"_s};
    record.nodes = 2;
    record.gpus = 16;
    const JobExpectation expectation = expected(lumi(2, 4, Launcher::Srun), record);
    QCOMPARE(expectation.ranks, std::optional(8));
    QCOMPARE(expectation.gpusPerNode, 4);
    QCOMPARE(expectation.placement.size(), 8);
    QCOMPARE(expectation.placement.at(4).address(), (GpuAddress{1, 0}));
}

void JobExpectationTest::anotherSizeHasNoPlacement()
{
    JobRecord record;
    record.nodeList = {u"nid005001"_s};
    record.nodes = 1;
    record.gpus = 8;
    const JobExpectation expectation = expected(lumi(2, 8, Launcher::Srun), record);
    QVERIFY(expectation.placement.isEmpty());
    QVERIFY(!expectation.ranks);
    QCOMPARE(expectation.gpusPerNode, 8);
}

void JobExpectationTest::aForeignJobHasWhatSlurmReports()
{
    JobRecord record;
    record.partition = u"standard-g"_s;
    record.nodeList = {u"nid005001"_s, u"nid005002"_s};
    record.nodes = 2;
    record.gpus = 8;
    const JobExpectation expectation = expectationOf(*m_catalogue.find(u"lumi"_s), record);
    QCOMPARE(expectation.gpusPerNode, 4);
    QCOMPARE(expectation.gpusPerPackage, 2);
    QVERIFY(expectation.placement.isEmpty());
    QVERIFY(!expectation.timeLimitSeconds);
    QVERIFY(!expectation.billedGpuUnits);
}

RANKWRIGHT_TEST_MAIN(JobExpectationTest)
#include "tst_jobexpectation.moc"

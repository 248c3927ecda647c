// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/reportinputs.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/insight/report/efficiency.h"
#include "models/planner/design/costformula.h"
#include "models/planner/design/jobprice.h"
#include "models/script/document/designjson.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What an hour of one job costs is one figure in one unit, on every site and partition of the catalogue: in the bill
/// of the design (Design, `cost`), on Live, and in the report.
class CostAgreementTest final : public test::Suite {
    Q_OBJECT
private slots:
    void oneUnit_data();
    void oneUnit();
    void sharedNodesCostAtLeast();
    void nothingPublished();

private:
    Catalogue m_catalogue = loadCatalogue();
};

void CostAgreementTest::oneUnit_data()
{
    QTest::addColumn<QString>("site");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<int>("gpus");
    for (const ClusterProfile& site : m_catalogue.clusters) {
        for (const Partition& partition : site.partitions) {
            const NodeShape* node = site.nodeShape(partition.name);
            if (!node || node->gpus < 1)
                continue;
            for (const int gpus : {1, node->gpus})
                QTest::addRow("%s, %s, %d", qPrintable(site.name), qPrintable(partition.name), gpus)
                    << site.name << partition.name << gpus;
        }
    }
}

void CostAgreementTest::oneUnit()
{
    QFETCH(QString, site);
    QFETCH(QString, partition);
    QFETCH(int, gpus);
    const ClusterProfile& profile = *m_catalogue.find(site);
    JobSpec spec;
    spec.cluster = site;
    spec.partition = partition;
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = gpus;
    spec.time = Seconds{3600};
    const ResolvedSpec resolved = resolve(spec, profile);
    const CostQuote quote = quoteCost(resolved, profile);
    const JobSize size{resolved.partitionInfo.slurmName(), {}, 1, gpus};
    const auto live = jobPrice(profile, size, &spec);
    QCOMPARE(live.has_value(), quote.billingAccounts.has_value());
    if (!live)
        return;
    const CostQuote::BillingAccount& bill = quote.billingAccounts->first();
    QCOMPARE(live->unit, bill.unit);
    QCOMPARE(live->perHour, bill.perHour);
    QVERIFY(!live->isAtLeast);
    // of a job that was launched elsewhere no more is said than Slurm's queue has
    if (const auto foreign = jobPrice(profile, size); foreign && foreign->unit == bill.unit) {
        QVERIFY(foreign->perHour <= bill.perHour + 1e-9);
        QVERIFY(foreign->isAtLeast || qFuzzyCompare(foreign->perHour, bill.perHour));
    }
    // and the report of that job, as Slurm accounts for what it was given
    const CostRequest given = allocationOf(resolved);
    JobUsage usage;
    usage.job.id = u"1"_s;
    usage.job.state = JobState::Completed;
    usage.job.partition = size.partition;
    usage.job.nodes = 1;
    usage.job.gpus = given.gpus;
    usage.job.elapsed = Seconds{3600};
    usage.cpus = given.cores;
    usage.memory = Bytes::gib(given.memoryGib);
    JobEvidence evidence;
    evidence.design = writeDesign(spec);
    const EfficiencyReport report = makeReport(makeCase(usage, UsageSource::Accounting, evidence, &profile, {}).inputs);
    const ReportFigure* cost = report.figure(u"cost"_s);
    QVERIFY(cost && cost->value);
    QCOMPARE(cost->unit, live->unit);
    if (given.nvmeGib <= 0)
        QCOMPARE(*cost->value, live->perHour);
}

/// LUMI's small-g bills cores and memory as well, and squeue names neither.
void CostAgreementTest::sharedNodesCostAtLeast()
{
    const auto price = jobPrice(*m_catalogue.find(u"lumi"_s), {u"small-g"_s, {}, 1, 2});
    QVERIFY(price && price->isAtLeast);
    QCOMPARE(price->unit, u"GPU-hours"_s);
    QCOMPARE(price->perHour, 1.0); // 0.5 × 2 GCDs
    const auto whole = jobPrice(*m_catalogue.find(u"lumi"_s), {u"standard-g"_s, {}, 2, 16});
    QVERIFY(whole && !whole->isAtLeast);
    QCOMPARE(whole->perHour, 8.0); // 4 × nodes
}

void CostAgreementTest::nothingPublished()
{
    ClusterProfile profile = *m_catalogue.find(u"lumi"_s);
    profile.billing.clear();
    QVERIFY(!jobPrice(profile, {u"standard-g"_s, {}, 2, 16}));
    QVERIFY(!jobPrice(*m_catalogue.find(u"lumi"_s), {u"standard-g"_s, {}, {}, {}}));
    QVERIFY(!jobPrice(*m_catalogue.find(u"lumi"_s), {u"elsewhere"_s, {}, 1, 1}));
}

RANKWRIGHT_TEST_MAIN(CostAgreementTest)
#include "tst_costagreement.moc"

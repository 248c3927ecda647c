// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/cheaperrequest.h"
#include "models/planner/design/cost.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const ClusterProfile& site(const QString& name)
{
    static const Catalogue all = loadCatalogue();
    return *all.find(name);
}

using Of = BillingTerm::Of;

/// Sites that the catalogue does not carry (yet), as their billing pages describe them: the formula is data.
ClusterProfile billedBy(const QString& unit, BillingRule::Combine combine, const QList<BillingTerm>& terms)
{
    ClusterProfile profile;
    profile.name = u"test"_s;
    profile.billing = {{{}, false, {}, unit, 1, combine, terms, u"test"_s}};
    return profile;
}

ClusterProfile otherSite(const QString& name)
{
    const auto sum = BillingRule::Combine::Sum;
    const auto max = BillingRule::Combine::Max;
    if (name == u"puhti"_s) // CSC user guide, computing/hpc-billing
        return billedBy(u"GPU BU"_s, sum,
            {{Of::Gpus, 60, {}}, {Of::Cores, 1, {}}, {Of::MemoryGib, 0.1, {}}, {Of::NvmeGib, 0.006, {}}});
    if (name == u"puhti-cpu"_s)
        return billedBy(u"CPU BU"_s, sum, {{Of::Cores, 1, {}}, {Of::MemoryGib, 0.1, {}}, {Of::NvmeGib, 0.006, {}}});
    if (name == u"roihu"_s)
        return billedBy(u"GPU BU"_s, sum, {{Of::Gpus, 200, {}}, {Of::NvmeGib, 0.02, {}}});
    if (name == u"roihu-cpu"_s)
        return billedBy(u"CPU BU"_s, max, {{Of::Cores, 0.75, {}}, {Of::MemoryGib, 0.375, {}}});
    if (name == u"roihu-hugemem"_s)
        return billedBy(u"CPU BU"_s, max, {{Of::Cores, 12, {}}, {Of::MemoryGib, 0.25, {}}});
    if (name == u"snellius"_s) // SURF: quarters of a node, 18 cores and 120 GiB each
        return billedBy(u"SBU"_s, max, {{Of::Gpus, 128, 1.0}, {Of::Cores, 128, 18.0}, {Of::MemoryGib, 128, 120.0}});
    return billedBy(u"node-hours"_s, sum, {{Of::Nodes, 1, {}}}); // Clariden, Frontier
}

QString advised(int gpus, std::optional<int> cores, std::optional<double> memoryGib, const QString& partition)
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.partition = partition;
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = gpus;
    spec.resources.cpusPerGpu = cores;
    if (memoryGib)
        spec.resources.memoryPerNode = Bytes::gib(*memoryGib);
    return quoteCost(resolve(spec, site(u"lumi"_s)), site(u"lumi"_s)).advice;
}

} // namespace

/// Every row is printed in, or derived from the printed formula of, the site's billing page; ids as in the table of
/// cases.
class CostTest : public test::Suite {
    Q_OBJECT
private slots:
    void cases_data();
    void cases();
    void resolvedDesigns_data();
    void resolvedDesigns();
    void advice();
    void saidUnasked_data();
    void saidUnasked();
    void fewestRanks_data();
    void fewestRanks();
    void unpublished();
    void severalPurses();
};

void CostTest::cases_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus"); // on each node, as cores, memory and NVMe
    QTest::addColumn<int>("cores");
    QTest::addColumn<double>("gib");
    QTest::addColumn<double>("nvme");
    QTest::addColumn<double>("hours");
    QTest::addColumn<double>("amount");
    QTest::addColumn<QString>("decidedBy");
    const auto row
        = [](const char* tag, const char16_t* cluster, const char16_t* partition, int nodes, int gpus, int cores,
              double gib, double hours, double amount, const char16_t* decidedBy, double nvme = 0) {
              QTest::newRow(tag) << QString::fromUtf16(cluster) << QString::fromUtf16(partition) << nodes << gpus
                                 << cores << gib << nvme << hours << amount << QString::fromUtf16(decidedBy);
          };
    for (const char16_t* cluster : {u"lumi", u"practice"}) {
        const bool real = QStringView(cluster) == u"lumi";
        row(real ? "LG1 LUMI user guide" : "LG1 practice", cluster, u"standard-g", 4, 8, 56, 480, 24, 384, u"nodes");
        row(real ? "LG3 LUMI user guide, memory decides" : "LG3 practice", cluster, u"small-g", 1, 1, 8, 128, 24, 24,
            u"memory");
        row(real ? "LG4 course 2024, question 1" : "LG4 practice", cluster, u"small-g", 1, 1, 14, 60, 1, 1, u"cores");
        row(real ? "LG5 course notes 201-Slurm" : "LG5 practice", cluster, u"small-g", 1, 1, 16, 256, 1, 2, u"memory");
        row(real ? "LG7 course 2025" : "LG7 practice", cluster, u"small-g", 1, 1, 8, 64, 2, 1, u"gpus");
        row(real ? "LG8 course 2025" : "LG8 practice", cluster, u"standard-g", 1, 8, 56, 480, 1, 4, u"nodes");
        row(real ? "LG9 billing page 2026" : "LG9 practice", cluster, u"standard-g", 1, 1, 7, 60, 1, 4, u"nodes");
        row(real ? "LG12 boundary" : "LG12 practice", cluster, u"small-g", 1, 1, 8, 65, 1, 1, u"memory");
        row(real ? "LG13 the advised request" : "LG13 practice", cluster, u"small-g", 1, 1, 7, 60, 1, 0.5, u"gpus");
        row(real ? "LG14 two GCDs" : "LG14 practice", cluster, u"small-g", 1, 2, 14, 120, 1, 1, u"gpus");
        row(real ? "LG15 full node" : "LG15 practice", cluster, u"small-g", 1, 8, 56, 480, 1, 4, u"gpus");
        row(real ? "LG16 all memory" : "LG16 practice", cluster, u"small-g", 1, 1, 1, 480, 1, 4, u"memory");
        row(real ? "LG18 dev-g" : "LG18 practice", cluster, u"dev-g", 1, 1, 7, 60, 3, 1.5, u"gpus");
        row(real ? "LG20 actual run time" : "LG20 practice", cluster, u"standard-g", 1, 8, 56, 480, 0.25, 1, u"nodes");
        row(real ? "LG21 largest job" : "LG21 practice", cluster, u"standard-g", 1024, 8, 56, 480, 48, 196608,
            u"nodes");
    }
    row("PU2 Puhti 2 GPUs", u"puhti", u"gpu", 1, 2, 20, 64, 1, 146.4, u"gpus");
    row("PU3 Puhti 2 nodes, memory is per node", u"puhti", u"gpu", 2, 4, 40, 64, 1, 572.8, u"gpus");
    row("PU4 Puhti full node", u"puhti", u"gpu", 1, 4, 40, 320, 1, 312, u"gpus");
    row("PU7 Puhti full node with disk", u"puhti", u"gpu", 1, 4, 40, 373, 1, 338.9, u"gpus", 3600);
    row("PU8 Puhti 4 cores, 2 h used", u"puhti-cpu", u"small", 1, 0, 4, 0, 2, 8, u"cores");
    row("MA1 Mahti", u"mahti", u"gpusmall", 1, 1, 32, 122.5, 1, 100, u"gpus");
    row("MA2 Mahti full node", u"mahti", u"gpumedium", 1, 4, 128, 490, 1, 400, u"gpus");
    row("MA5 Mahti two nodes", u"mahti", u"gpumedium", 2, 4, 128, 490, 1, 800, u"gpus");
    row("MA6 Mahti largest job", u"mahti", u"gpumedium", 6, 4, 128, 490, 36, 86400, u"gpus");
    row("MA7 Mahti with NVMe", u"mahti", u"gpusmall", 1, 1, 32, 122.5, 2, 270, u"gpus", 3500);
    row("MA1 practice gpumedium", u"practice", u"gpumedium", 1, 1, 32, 122.5, 1, 100, u"gpus");
    row("MA5 practice gpumedium", u"practice", u"gpumedium", 2, 4, 128, 490, 1, 800, u"gpus");
    row("RO1 Roihu small", u"roihu-cpu", u"small", 1, 0, 4, 16, 2, 12, u"memory");
    row("RO2 Roihu 2 GPUs", u"roihu", u"gpumedium", 1, 2, 144, 434, 5, 2000, u"gpus");
    row("RO5 Roihu full node", u"roihu", u"gpumedium", 1, 4, 288, 868, 1, 800, u"gpus");
    row("RO7 Roihu hugemem", u"roihu-hugemem", u"hugemem", 1, 0, 8, 512, 1, 128, u"memory");
    row("RO8 Roihu with storage", u"roihu", u"gpumedium", 1, 1, 72, 217, 10, 2020, u"gpus", 100);
    row("SN1 Snellius one A100", u"snellius", u"gpu_a100", 1, 1, 18, 120, 1, 128, u"gpus");
    row("SN2 Snellius full node", u"snellius", u"gpu_a100", 1, 4, 72, 480, 1, 512, u"gpus");
    row("SN3 Snellius one A100, 20 cores", u"snellius", u"gpu_a100", 1, 1, 20, 120, 1, 256, u"cores");
    row("FR3 Frontier reservation", u"frontier", u"batch", 2000, 8, 56, 512, 8, 16000, u"nodes");
}

void CostTest::cases()
{
    QFETCH(QString, cluster);
    QFETCH(QString, partition);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(int, cores);
    QFETCH(double, gib);
    QFETCH(double, nvme);
    QFETCH(double, hours);
    const bool known = cluster == u"lumi"_s || cluster == u"practice"_s || cluster == u"mahti"_s;
    const ClusterProfile profile = known ? site(cluster) : otherSite(cluster);
    const CostQuote cost = quoteCost(profile, partition, nodes, gpus, cores, Bytes::gib(gib), hours, nvme);
    QVERIFY(cost.billingAccounts.has_value());
    QCOMPARE(cost.billingAccounts->size(), 1);
    QTEST(cost.billingAccounts->first().amount, "amount");
    const auto& decidedBy = cost.billingAccounts->first().decidedBy;
    QTEST(decidedBy ? toText(*decidedBy) : QString(), "decidedBy");
    QCOMPARE(cost.billingAccounts->first().perHour * hours, cost.billingAccounts->first().amount);
}

void CostTest::resolvedDesigns_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<qint64>("hours");
    QTest::addColumn<double>("amount");
    QTest::newRow("LG14 by rules of thumb") << u"lumi"_s << 1 << 2 << qint64(1) << 1.0;
    QTest::newRow("LG1 by rules of thumb") << u"lumi"_s << 4 << 8 << qint64(24) << 384.0;
    QTest::newRow("LG13 by rules of thumb") << u"lumi"_s << 1 << 1 << qint64(1) << 0.5;
    QTest::newRow("MA5 by rules of thumb") << u"mahti"_s << 2 << 4 << qint64(1) << 800.0;
    QTest::newRow("MA6 by rules of thumb") << u"mahti"_s << 6 << 4 << qint64(36) << 86400.0;
}

void CostTest::resolvedDesigns()
{
    QFETCH(QString, cluster);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(qint64, hours);
    JobSpec spec;
    spec.cluster = cluster;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = gpus;
    spec.time = Seconds{hours * 3600};
    const CostQuote cost = quoteCost(resolve(spec, site(cluster)), site(cluster));
    QTEST(cost.billingAccounts->first().amount, "amount");
    QCOMPARE(cost.advice, QString());
}

void CostTest::advice()
{
    // 9 cores are two slices of 8: one core less halves the price (LUMI billing page)
    QCOMPARE(advised(1, 9, {}, u"small-g"_s),
        u"8 cores for each GCD instead of 9 would cost 0.5 instead of 1 GPU-hours for each hour, half the price."_s);
    QVERIFY(advised(1, 14, {}, u"small-g"_s).startsWith(u"8 cores for each GCD instead of 14"_s));
    QVERIFY(advised(1, 7, 65, u"small-g"_s).startsWith(u"64G of memory for each node instead of 65G"_s));
    QVERIFY(advised(1, 16, 128, u"small-g"_s).startsWith(u"8 cores for each GCD instead of 16 and 64G of memory"_s));
    QVERIFY(advised(1, 1, 480, u"small-g"_s).startsWith(u"448G of memory for each node instead of 480G"_s));
    QCOMPARE(advised(1, 8, 64, u"small-g"_s), QString());
    QCOMPARE(advised(8, {}, {}, u"small-g"_s), QString());
    QVERIFY(
        advised(2, {}, {}, u"standard-g"_s).startsWith(u"In small-g this job would cost 1 instead of 4 GPU-hours"_s));
}

void CostTest::saidUnasked_data()
{
    QTest::addColumn<int>("cores");
    QTest::addColumn<double>("memoryGib"); // 0: open
    QTest::addColumn<bool>("advised");
    // Mahti's nodes: 4 GPUs, 128 cores, 490 GiB, so that one GPU's share is 32 cores and 122.5 GiB
    QTest::newRow("its share") << 32 << 0.0 << false;
    QTest::newRow("less") << 16 << 100.0 << false;
    QTest::newRow("more cores") << 40 << 0.0 << true;
}

/// Where each core and GiB is paid for, fewer are always cheaper: unasked that is said beyond a GPU's share only.
void CostTest::saidUnasked()
{
    QFETCH(int, cores);
    QFETCH(double, memoryGib);
    JobSpec spec;
    spec.cluster = u"mahti"_s;
    spec.partition = u"gpusmall"_s;
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 1;
    spec.resources.cpusPerGpu = cores;
    if (memoryGib > 0)
        spec.resources.memoryPerNode = Bytes::gib(memoryGib);
    const auto cheaper
        = cheaperRequest(otherSite(u"puhti"_s).billing.first(), resolve(spec, site(u"mahti"_s)), ClusterProfile());
    QVERIFY(cheaper);
    QTEST(cheaper->advised, "advised");
}

void CostTest::fewestRanks_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("nodesLeft"); // 0: as many
    QTest::addColumn<int>("gpusLeft"); // of each node; 0: as many
    // of 4 GPUs on each: a node less gives up 4 ranks, a GPU less on each as many as there are nodes
    QTest::newRow("two nodes") << 2 << 0 << 3;
    QTest::newRow("three nodes") << 3 << 0 << 3;
    QTest::newRow("four nodes") << 4 << 3 << 0;
    QTest::newRow("six nodes") << 6 << 5 << 0;
    QTest::newRow("one node") << 1 << 0 << 3;
}

void CostTest::fewestRanks()
{
    QFETCH(int, nodes);
    JobSpec spec;
    spec.cluster = u"mahti"_s;
    spec.partition = u"gpumedium"_s;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = 4;
    const auto cheaper
        = cheaperRequest(otherSite(u"roihu"_s).billing.first(), resolve(spec, site(u"mahti"_s)), ClusterProfile());
    QVERIFY(cheaper);
    QTEST(cheaper->nodes.value_or(0), "nodesLeft");
    QTEST(cheaper->gpusPerNode.value_or(0), "gpusLeft");
}

void CostTest::unpublished()
{
    JobSpec spec;
    spec.cluster = u"raven"_s;
    QVERIFY(!quoteCost(resolve(spec, site(u"raven"_s)), site(u"raven"_s)).billingAccounts);
    QVERIFY(!quoteCost(resolve(spec, {}), {}).billingAccounts);
    QVERIFY(!quoteCost(site(u"lumi"_s), u"nowhere"_s, 1, 1, 1, {}, 1).billingAccounts);
}

void CostTest::severalPurses()
{
    ClusterProfile profile = otherSite(u"puhti"_s);
    profile.billing.append(otherSite(u"puhti-cpu"_s).billing);
    profile.billing[0].billingAccount = u"GPU"_s;
    profile.billing[1].billingAccount = u"CPU"_s;
    const CostQuote cost = quoteCost(profile, u"gpu"_s, 1, 2, 20, Bytes::gib(64), 1);
    QCOMPARE(cost.billingAccounts->size(), 2);
    QCOMPARE(cost.billingAccounts->at(0).share(Of::Gpus), std::optional(120.0));
    QCOMPARE(cost.billingAccounts->at(0).share(Of::Cores), std::optional(20.0));
    QCOMPARE(cost.billingAccounts->at(0).share(Of::MemoryGib), std::optional(6.4));
    QCOMPARE(cost.billingAccounts->at(0).share(Of::Nodes), std::nullopt); // not in the formula: unknown, not 0
    QCOMPARE(cost.billingAccounts->at(1).billingAccount, u"CPU"_s);
    QCOMPARE(cost.billingAccounts->at(1).amount, 26.4);
}

RANKWRIGHT_TEST_MAIN(CostTest)
#include "tst_cost.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/estimate/gpufigures.h"
#include "tests/support/testbase.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace rankwright;

class GpuFiguresTest : public test::Suite {
    Q_OBJECT

private slots:
    void everyFigureIsThere();
    void textsNameGpus_data();
    void textsNameGpus();
    void textsNameNetworks();
    void unknownTexts();
    void catalogueGoesFirst();
    void everyClusterIsUnderstood();
};

void GpuFiguresTest::everyFigureIsThere()
{
    const QList<GpuFigures> gpus = knownGpus();
    QVERIFY(gpus.size() > 30);
    for (const GpuFigures& gpu : gpus) {
        QVERIFY2(!gpu.key.isEmpty() && !gpu.name.isEmpty() && !gpu.gpuClass.isEmpty(), qPrintable(gpu.key));
        QVERIFY2(!gpu.source.isEmpty(), qPrintable(gpu.key));
        // A GiB is more than a GB: what is usable can be a little above the label in GB, never above it in GiB.
        QVERIFY2(
            gpu.usableBytes > 0.8 * gpu.memoryBytes && gpu.usableBytes < 1.0738 * gpu.memoryBytes, qPrintable(gpu.key));
        QVERIFY2(gpu.peakFlops > 1e13 && gpu.peakFlopsFp32 > 0 && gpu.memoryBandwidth > 1e11, qPrintable(gpu.key));
        QVERIFY2(gpu.nodeBusBandwidth > 0 && gpu.networkBandwidth > 0 && gpu.hostBandwidth > 0, qPrintable(gpu.key));
        QVERIFY2(gpu.gpusPerNode > 0 && gpu.contextBytes > 0, qPrintable(gpu.key));
        QCOMPARE(gpuFigures(gpu.key), gpu);
    }
    // NVIDIA's and AMD's data sheets, dense.
    QCOMPARE(gpuFigures(u"h100-80"_s).peakFlops, 989e12);
    QCOMPARE(gpuFigures(u"a100-40"_s).peakFlops, 312e12);
    QCOMPARE(gpuFigures(u"mi250x-gcd"_s).peakFlops, 191.5e12);
    QCOMPARE(gpuFigures(u"v100-32"_s).peakFlopsFp16, 125e12);
    QVERIFY(!gpuFigures(u"v100-32"_s).hasBf16);
    QVERIFY(gpuFigures(u"cray-1"_s).key.isEmpty());
}

void GpuFiguresTest::textsNameGpus_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("memory");
    QTest::addColumn<QString>("key");
    const auto row = [](const char* text, double memory, const char* key) {
        QTest::newRow(text) << QString::fromLatin1(text) << memory << QString::fromLatin1(key);
    };
    row("A100-SXM-40GB", 0, "a100-40");
    row("A100-SXM-80GB (Selene, 8x HDR IB)", 80, "a100-80@selene");
    row("A100-SXM (8 per node, NVLink, 800 Gbit/s)", 0, "a100-80@800Gbit");
    row("A100-40GB (Mahti)", 40, "a100-40@mahti");
    row("V100-SXM2-32GB (Jean Zay, OPA)", 32, "v100-32@jean-zay");
    row("V100-SXM2-16GB (Jean Zay, OPA)", 16, "v100-16@jean-zay");
    row("A100-SXM-80GB (Jean Zay)", 80, "a100-80@jean-zay-a100");
    row("MI250X GCD (LUMI, Slingshot-11 4x200G/node)", 64, "mi250x-gcd@lumi");
    row("MI250 (whole card = 2 GCD, 128GB)", 128, "mi250-package");
    row("MI250 GCD", 64, "mi250-gcd");
    row("H100 96GB HBM2e (500W, Grand Teton)", 95, "h100-96");
    row("H100-SXM-80GB (Eos)", 80, "h100-80@eos");
    row("H200 141GB", 141, "h200");
    row("GH200 (JEDI, 96GB)", 96, "gh200-96");
    row("B200 (179.1 GiB)", 179, "b200");
    row("TITAN RTX 24GB", 24, "titan-rtx");
    row("RTX 3090 24GB", 24, "rtx-3090");
    row("NVIDIA L40S", 48, "l40s");
    row("NVIDIA A10", 24, "a10");
    row("NVIDIA A800 80GB", 80, "a800-80");
    row("H800-SXM", 80, "h800-80");
    row("H20 96GB", 96, "h20-96");
    row("GB300 NVL72", 288, "gb300");
    row("GH200 144GB", 144, "gh200-144");
    row("MI355X", 288, "mi355x");
    row("MI350X", 288, "mi355x");
    row("MI325X 256GB", 256, "mi325x");
    row("RTX PRO 6000 Blackwell Max-Q 96GB", 96, "rtx-pro-6000");
    row("NVIDIA GeForce RTX 5090", 32, "rtx-5090");
    row("RTX 6000 Ada 48GB", 48, "rtx-6000-ada");
    row("RTX A6000", 48, "rtx-a6000");
    row("Quadro RTX 6000", 24, "rtx-6000");
    row("RTX 3080 Ti", 12, "rtx-3080-ti");
    row("DGX Spark (GB10)", 128, "gb10");
    row("P100-16GB (128 servers x 4, RoCE 25 Gbit/s)", 16, "p100-16@25Gbit");
}

void GpuFiguresTest::textsNameGpus()
{
    QFETCH(QString, text);
    QFETCH(double, memory);
    QFETCH(QString, key);
    const GpuFigures gpu = gpuFiguresForText(text, memory);
    QCOMPARE(gpu.key, key);
    QCOMPARE(gpuFigures(key).networkBandwidth, gpu.networkBandwidth);
}

void GpuFiguresTest::textsNameNetworks()
{
    // 800 Gbit/s are 100 GB/s, of which a ring gets three quarters.
    QCOMPARE(gpuFiguresForText(u"A100 (800 Gbit/s)"_s).networkBandwidth, 75e9);
    QCOMPARE(gpuFiguresForText(u"H100 (8x NDR)"_s).networkBandwidth, 300e9);
    QCOMPARE(gpuFiguresForText(u"A100-SXM"_s, 80, 4).gpusPerNode, 4);
    QVERIFY(!gpuFiguresForText(u"A100-SXM"_s).assumed.isEmpty());
}

void GpuFiguresTest::unknownTexts()
{
    for (const QString& text : {QString(), u"a quantum annealer"_s, u"a1000"_s, u"xa100"_s, u"100"_s})
        QVERIFY2(gpuFiguresForText(text).key.isEmpty(), qPrintable(text));
    QVERIFY(gpuFigures(u"a100-80@nowhere"_s).networkBandwidth > 0);
    QVERIFY(gpuFigures(u"a100-80@-5Gbit"_s).networkBandwidth > 0);
    QVERIFY(gpuFigures(u"a100-80@nanGbit"_s).networkBandwidth > 0);
}

void GpuFiguresTest::catalogueGoesFirst()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile* lumi = catalogue.find(u"lumi"_s);
    QVERIFY(lumi);
    const GpuFigures gcd = gpuFiguresFor(*lumi, lumi->nodes.first());
    QCOMPARE(gcd.memoryBandwidth, 1.6e12); // the operator's figure, not the table's 1.638
    QCOMPARE(gcd.networkBandwidth, 60e9); // 4 x 200 Gbit/s, a ring's share
    QCOMPARE(gcd.nodeBusBandwidth, 70e9); // the weakest die has two links of 50 GB/s outside its package
    QVERIFY2(gcd.assumed.size() <= 1, qPrintable(gcd.assumed.join(u'|')));
    const ClusterProfile* mahti = catalogue.find(u"mahti"_s);
    QVERIFY(mahti);
    const GpuFigures slice = gpuFiguresFor(*mahti, mahti->nodes.last());
    QVERIFY(slice.peakFlops < 0.2 * 312e12);
    QVERIFY(slice.usableBytes < 5.5e9);
}

void GpuFiguresTest::everyClusterIsUnderstood()
{
    for (const ClusterProfile& cluster : loadCatalogue().clusters) {
        for (const NodeShape& node : cluster.nodes) {
            if (node.gpus == 0 || node.gpu.model.isEmpty())
                continue;
            const GpuFigures gpu = gpuFiguresFor(cluster, node);
            QVERIFY2(!gpu.key.isEmpty(), qPrintable(cluster.name + u' ' + node.gpu.model));
            QVERIFY2(gpu.networkBandwidth > 0 && gpu.nodeBusBandwidth > 0, qPrintable(cluster.name));
            QCOMPARE(gpu.gpusPerNode, node.gpus);
            if (!node.nicGigabytesPerSecond && node.nics.isEmpty())
                QVERIFY2(!gpu.assumed.isEmpty(), qPrintable(cluster.name));
        }
    }
}

RANKWRIGHT_TEST_MAIN(GpuFiguresTest)
#include "tst_gpufigures.moc"

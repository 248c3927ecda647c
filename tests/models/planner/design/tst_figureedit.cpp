// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/figureedit.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Numbers put into a design from its pictures.
class FigureEditTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void readsWhatIsShown();
    void keepsTheSumWhole();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();

private:
    ResolvedSpec resolvedOf(const JobSpec& spec) const { return resolve(spec, *m_profile); }

    Catalogue m_catalogue;
    const ClusterProfile* m_profile = nullptr;
    JobSpec m_spec;
};

void FigureEditTest::initTestCase()
{
    m_catalogue = loadCatalogue();
    for (const ClusterProfile& profile : m_catalogue.clusters) {
        if (profile.name == u"lumi")
            m_profile = &profile;
    }
    QVERIFY(m_profile);
    m_spec.cluster = u"lumi"_s;
    m_spec.resources.nodes = 2;
    m_spec.resources.gpusPerNode = 8;
    m_spec.parallel.strategy = Strategy::Ddp;
    m_spec.training.globalBatch = 512;
    m_spec.training.microBatch = 4;
}

void FigureEditTest::readsWhatIsShown()
{
    const ResolvedSpec resolved = resolvedOf(m_spec);
    const BatchPlan batch = planBatch(resolved);
    QCOMPARE(figureOf(PictureFigure::Nodes, resolved, batch), 2);
    QCOMPARE(figureOf(PictureFigure::GpusPerNode, resolved, batch), 8);
    QCOMPARE(figureOf(PictureFigure::MicroBatch, resolved, batch), 4);
    QCOMPARE(figureOf(PictureFigure::Accumulation, resolved, batch), 8); // 512 = 4 x 8 x 16
    QCOMPARE(figureOf(PictureFigure::GlobalBatch, resolved, batch), 512);
}

void FigureEditTest::keepsTheSumWhole()
{
    const auto after = [this](PictureFigure figure, qint64 value) {
        const ResolvedSpec resolved = resolvedOf(m_spec);
        JobSpec spec = m_spec;
        const auto outcome = setFigure(spec, figure, value, resolved, planBatch(resolved));
        return outcome ? planBatch(resolvedOf(spec)) : BatchPlan();
    };
    // Accumulation 3: 4 x 3 x 16 = 192.
    BatchPlan plan = after(PictureFigure::Accumulation, 3);
    QCOMPARE(plan.microBatch, 4);
    QCOMPARE(plan.gradientAccumulation, 3);
    QCOMPARE(plan.globalBatch, 192);
    // One node: 512 = 4 x 16 x 8.
    plan = after(PictureFigure::Nodes, 1);
    QCOMPARE(plan.globalBatch, 512);
    QCOMPARE(plan.gradientAccumulation, 16);
    // Four GPUs on each of two nodes are as many.
    QCOMPARE(after(PictureFigure::GpusPerNode, 4).gradientAccumulation, 16);
    // Micro-batch 8: 512 = 8 x 4 x 16.
    QCOMPARE(after(PictureFigure::MicroBatch, 8).gradientAccumulation, 4);
    QCOMPARE(after(PictureFigure::GlobalBatch, 1024).gradientAccumulation, 16);
}

void FigureEditTest::refusesWhatCannotBe_data()
{
    QTest::addColumn<int>("figure");
    QTest::addColumn<qint64>("value");
    QTest::newRow("no node") << int(PictureFigure::Nodes) << qint64(0);
    QTest::newRow("negative") << int(PictureFigure::MicroBatch) << qint64(-3);
    QTest::newRow("more than a node has") << int(PictureFigure::GpusPerNode) << qint64(9);
    QTest::newRow("beyond reason") << int(PictureFigure::GlobalBatch) << qint64(4'000'000'000'000);
    QTest::newRow("their product is beyond") << int(PictureFigure::Accumulation) << qint64(999'999'999'999);
}

void FigureEditTest::refusesWhatCannotBe()
{
    QFETCH(int, figure);
    QFETCH(qint64, value);
    const ResolvedSpec resolved = resolvedOf(m_spec);
    JobSpec spec = m_spec;
    const auto outcome = setFigure(spec, PictureFigure(figure), value, resolved, planBatch(resolved));
    QVERIFY(!outcome);
    QVERIFY(!outcome.error().what.isEmpty());
    QVERIFY(spec == m_spec);
}

RANKWRIGHT_TEST_MAIN(FigureEditTest)
#include "tst_figureedit.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/templates/designsummary.h"
#include "tests/support/testbase.h"

#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

class DesignSummaryTest final : public test::Suite {
    Q_OBJECT
private slots:
    void namesPlaceAndVerdict();
    void saysWhatDoesNotFit();
    void saysWhatIsNotKnown();
    void hasTheStagesOfThePipeline();
    void survivesNonsense();

private:
    static JobSpec llama(int nodes, Strategy strategy)
    {
        JobSpec spec;
        spec.name = u"llama8b"_s;
        spec.cluster = u"lumi"_s;
        spec.resources.nodes = nodes;
        spec.resources.gpusPerNode = 8;
        spec.parallel.strategy = strategy;
        spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
        return spec;
    }
    Catalogue m_catalogue = loadCatalogue();
};

void DesignSummaryTest::namesPlaceAndVerdict()
{
    const DesignSummary summary = summarise(llama(2, Strategy::Fsdp), m_catalogue);
    QCOMPARE(summary.title, u"llama8b"_s);
    QCOMPARE(summary.place(), u"LUMI · 2 nodes · FSDP"_s);
    QCOMPARE(summary.gpuWord, u"GCD"_s);
    QCOMPARE(summary.nodes * summary.gpusPerNode, 16);
    QCOMPARE(summary.gpusPerPackage, 2);
    QCOMPARE(summary.stages, 1);
    QVERIFY2(summary.verdict == u"Fits"_s || summary.verdict == u"Probably fits"_s, qPrintable(summary.verdict));
    QVERIFY2(summary.memory.endsWith(u"GiB"_s), qPrintable(summary.memory));
}

void DesignSummaryTest::saysWhatDoesNotFit()
{
    const DesignSummary summary = summarise(llama(1, Strategy::Ddp), m_catalogue);
    QCOMPARE(summary.verdict, u"Does not fit"_s);
    QCOMPARE(summary.tone, Tone::Bad);
    QVERIFY(!summary.memory.contains(u" of "_s));
}

void DesignSummaryTest::saysWhatIsNotKnown()
{
    JobSpec spec = llama(1, Strategy::Ddp);
    spec.model = {};
    QCOMPARE(summarise(spec, m_catalogue).verdict, u"No model is named"_s);
    QVERIFY(summarise(spec, m_catalogue).memory.isEmpty());
    spec.cluster = u"elsewhere"_s;
    const DesignSummary summary = summarise(spec, m_catalogue);
    QCOMPARE(summary.place(), u"elsewhere"_s);
    QCOMPARE(summary.nodes, 0);
    QVERIFY(summary.verdict.contains(u"not in the catalogue"_s));
}

void DesignSummaryTest::hasTheStagesOfThePipeline()
{
    JobSpec spec = llama(16, Strategy::ThreeD);
    spec.parallel.tensor = 8;
    spec.parallel.pipeline = 4;
    QCOMPARE(summarise(spec, m_catalogue).stages, 4);
}

/// Whatever a file holds: a card is drawn from it.
void DesignSummaryTest::survivesNonsense()
{
    JobSpec spec;
    for (const int nodes : {-5, 0, 1, 1'000'000'000}) {
        for (const int gpus : {-1, 0, 7, 1'000'000'000}) {
            spec.cluster = u"lumi"_s;
            spec.resources.nodes = nodes;
            spec.resources.gpusPerNode = gpus;
            spec.parallel.pipeline = gpus;
            const DesignSummary summary = summarise(spec, m_catalogue);
            QVERIFY(summary.nodes >= 1 && summary.gpusPerNode >= 1 && summary.stages >= 1);
        }
    }
    spec.model = QJsonObject{{u"layers"_s, -1}, {u"hidden"_s, u"x"_s}};
    QVERIFY(!summarise(spec, m_catalogue).verdict.isEmpty());
}

RANKWRIGHT_TEST_MAIN(DesignSummaryTest)
#include "tst_designsummary.moc"

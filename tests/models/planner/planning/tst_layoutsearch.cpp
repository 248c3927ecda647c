// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/searchspace.h"
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/planning/advice.h"
#include "tests/support/testbase.h"

#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const ClusterProfile& site(const QString& name)
{
    static const Catalogue all = loadCatalogue();
    return *all.find(name);
}

JobSpec design(const QString& cluster, const QString& preset, qint64 globalBatch = 0, qint64 sequence = 0)
{
    JobSpec spec;
    spec.name = u"plan"_s;
    spec.cluster = cluster;
    if (!preset.isEmpty())
        spec.model = QJsonObject{{u"preset"_s, preset}};
    if (globalBatch > 0)
        spec.training.globalBatch = globalBatch;
    if (sequence > 0)
        spec.training.sequence = sequence;
    return spec;
}

Result<SearchResult> searched(const JobSpec& spec, const SearchLimits& limits)
{
    const ClusterProfile& profile = site(spec.cluster);
    const ResolvedSpec resolved = resolve(spec, profile);
    return searchLayouts(resolved, planBatch(resolved), profile, limits);
}

/// Of a design that can be searched.
SearchResult search(const JobSpec& spec, const SearchLimits& limits)
{
    const auto found = searched(spec, limits);
    if (!found)
        qFatal("%s", qPrintable(found.error().oneLine()));
    return *found;
}

SearchLimits upTo(int nodes, Objective objective = Objective::Time, int top = 50)
{
    SearchLimits limits;
    limits.maxNodes = nodes;
    limits.objective = objective;
    limits.top = top;
    return limits;
}

} // namespace

/// The search over layouts: what it keeps can run, is ranked as asked, and says of the rest why not.
class LayoutSearchTest : public test::Suite {
    Q_OBJECT
private slots:
    void candidatesHold_data();
    void candidatesHold();
    void ranksByObjective_data();
    void ranksByObjective();
    void paretoFrontIsOne();
    void batchThatCannotBeSplitIsReported();
    void tooLargeModelIsReported();
    void oneSizeOnly();
    void perSizeKeepsVariety();
    void cancelStops();
    void withoutModel();
    void partitionLimits();
    void costIsTheSites();
    void fastestKeepsItsGpusBusy();
    void limitedPartitionIsSaid();
    void moreStagesThanLayers();
    void largeModelsAsPublished_data();
    void largeModelsAsPublished();
};

void LayoutSearchTest::largeModelsAsPublished_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<int>("expert");
    QTest::addColumn<int>("context");
    // Degrees of Megatron Bridge's recipes on four GPUs a node (405B: GB200) and on H100 (067f987,
    // src/megatron/bridge/perf_recipes): uneven stages, chunks, experts over ranks, contexts of 8192 tokens.
    QTest::newRow("Llama 3.1 405B") << u"llama-3.1-405b"_s << 128 << 16 << 4 << 1 << 2;
    QTest::newRow("Qwen3 235B-A22B") << u"qwen3-235b-a22b"_s << 32 << 8 << 4 << 32 << 1;
    QTest::newRow("Qwen3 30B-A3B") << u"qwen3-30b-a3b"_s << 2 << 1 << 1 << 16 << 1;
}

/// What the recipes of large models take is among what the search looks at: with the degrees asked for it is found.
void LayoutSearchTest::largeModelsAsPublished()
{
    QFETCH(QString, preset);
    QFETCH(int, nodes);
    QFETCH(int, stages);
    QFETCH(int, chunks);
    QFETCH(int, expert);
    QFETCH(int, context);
    JobSpec spec = design(u"jupiter"_s, preset, 1024);
    spec.training.sequence = context > 1 ? 8192 : 4096;
    spec.training.framework = Framework::MegatronCore;
    SearchLimits limits = upTo(2 * nodes);
    limits.onlyNodes = 2 * nodes; // of four GPUs
    limits.top = 1'000'000;
    limits.objective = Objective::Time;
    const SearchResult found = search(spec, limits);
    const ResolvedSpec resolved = resolve(spec, site(spec.cluster));
    const auto run = planRun(resolved, planBatch(resolved), site(spec.cluster));
    QVERIFY_RESULT(run);
    bool isStages = false, isChunks = false, isExpert = false, isContext = false;
    for (const Candidate& one : found.candidates) {
        isStages = isStages || one.layout.pipeline == stages;
        isChunks = isChunks || (one.layout.pipeline == stages && one.layout.virtualStages == chunks);
        isExpert = isExpert || one.layout.expert == expert;
        isContext = isContext || one.layout.context == context;
        QVERIFY2(checkSpread(run->workload, one.layout), qPrintable(one.why));
    }
    QVERIFY(isStages);
    QVERIFY(isChunks);
    QVERIFY(isExpert);
    QVERIFY(isContext);
}

void LayoutSearchTest::candidatesHold_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<qint64>("batch");
    QTest::addColumn<int>("nodes");
    QTest::newRow("8B on LUMI") << u"lumi"_s << u"llama-3-8b"_s << qint64(512) << 16;
    QTest::newRow("70B on LUMI") << u"lumi"_s << u"llama-3-70b"_s << qint64(1024) << 64;
    QTest::newRow("ResNet-50 on Puhti") << u"puhti"_s << u"resnet-50"_s << qint64(256) << 4;
    QTest::newRow("BERT-large on Raven") << u"raven"_s << u"bert-large"_s << qint64(1024) << 8;
    QTest::newRow("GPT-2 XL on Mahti, open batch") << u"mahti"_s << u"gpt-2-xl"_s << qint64(0) << 4;
    QTest::newRow("Mixtral on Leonardo") << u"leonardo"_s << u"mixtral-8x7b"_s << qint64(512) << 16;
}

/// What the search reports about a layout is what the estimate of a design with that layout reports.
void LayoutSearchTest::candidatesHold()
{
    QFETCH(QString, cluster);
    QFETCH(QString, preset);
    QFETCH(qint64, batch);
    QFETCH(int, nodes);
    const JobSpec spec = design(cluster, preset, batch);
    const ClusterProfile& profile = site(cluster);
    const SearchResult found = search(spec, upTo(nodes));
    QVERIFY(found.feasible > 0);
    QVERIFY(found.examined >= found.feasible);
    QVERIFY(!found.candidates.isEmpty());
    for (const Candidate& one : found.candidates) {
        JobSpec applied = spec;
        one.applyTo(applied);
        const ResolvedSpec resolved = resolve(applied, profile);
        QCOMPARE(resolved.nodes, one.layout.nodes);
        QCOMPARE(resolved.worldSize(), one.layout.gpus());
        QCOMPARE(resolved.strategy, one.strategy);
        const BatchPlan plan = planBatch(resolved);
        QVERIFY(plan.exact);
        QCOMPARE(plan.microBatch, one.layout.microBatch);
        QCOMPARE(plan.gradientAccumulation, one.layout.accumulation);
        if (batch > 0)
            QCOMPARE(plan.globalBatch, batch);
        const auto known = estimateDesign(resolved, plan, profile);
        QVERIFY_RESULT(known);
        const DesignEstimate& estimate = *known;
        QVERIFY2(estimate.memory.verdict == FitVerdict::Fits || estimate.memory.verdict == FitVerdict::Probably,
            qPrintable(one.why));
        QVERIFY2(qAbs(estimate.memory.totalBytes / one.memoryBytes - 1) < 1e-6,
            qPrintable(u"%1: %2 against %3"_s.arg(one.why).arg(estimate.memory.totalBytes).arg(one.memoryBytes)));
        QVERIFY2(qAbs(estimate.step.seconds / one.stepSeconds - 1) < 1e-6,
            qPrintable(u"%1: %2 against %3"_s.arg(one.why).arg(estimate.step.seconds).arg(one.stepSeconds)));
    }
}

void LayoutSearchTest::ranksByObjective_data()
{
    QTest::addColumn<Objective>("objective");
    QTest::newRow("time") << Objective::Time;
    QTest::newRow("cost") << Objective::Cost;
    QTest::newRow("nodes") << Objective::Nodes;
}

void LayoutSearchTest::ranksByObjective()
{
    QFETCH(Objective, objective);
    const SearchResult found = search(design(u"lumi"_s, u"llama-3-8b"_s, 256), upTo(16, objective, 200));
    QVERIFY(found.candidates.size() > 10);
    const auto key = [&](const Candidate& one) {
        return objective == Objective::Time ? one.stepSeconds
            : objective == Objective::Cost  ? one.cost.value_or(0)
                                            : double(one.layout.gpus());
    };
    for (qsizetype i = 1; i < found.candidates.size(); ++i) // differences below a per cent count as none
        QVERIFY(key(found.candidates.at(i)) > key(found.candidates.at(i - 1)) * 0.98);
}

void LayoutSearchTest::paretoFrontIsOne()
{
    const SearchResult found = search(design(u"lumi"_s, u"llama-3-8b"_s, 512), upTo(32, Objective::Time, 100000));
    QVERIFY(found.pareto.size() >= 2);
    for (const Candidate& front : found.pareto) {
        QVERIFY(front.pareto);
        for (const Candidate& other : found.candidates)
            QVERIFY(!(other.stepSeconds < front.stepSeconds * 0.99 && *other.cost < *front.cost * 0.98));
    }
}

void LayoutSearchTest::batchThatCannotBeSplitIsReported()
{
    const SearchResult found = search(design(u"lumi"_s, u"llama-3-8b"_s, 7), upTo(4));
    const auto reported = std::any_of(found.rejected.cbegin(), found.rejected.cend(),
        [](const Rejection& one) { return one.reason.contains(u"global batch") && one.count > 0; });
    QVERIFY(reported);
    for (const Candidate& one : found.candidates)
        QCOMPARE(one.layout.globalBatch(), qint64(7));
}

void LayoutSearchTest::tooLargeModelIsReported()
{
    JobSpec spec = design(u"puhti"_s, {}, 64);
    spec.model = QJsonObject{{u"parameters"_s, 1e12}};
    const SearchResult found = search(spec, upTo(2));
    QCOMPARE(found.feasible, qint64(0));
    QVERIFY(!found.rejected.isEmpty());
    QVERIFY(found.rejected.first().reason.contains(u"memory"));
}

void LayoutSearchTest::oneSizeOnly()
{
    SearchLimits limits;
    limits.onlyNodes = 2;
    limits.onlyGpusPerNode = 8;
    const SearchResult found = search(design(u"lumi"_s, u"llama-3-8b"_s, 256), limits);
    QVERIFY(!found.candidates.isEmpty());
    for (const Candidate& one : found.candidates) {
        QCOMPARE(one.layout.nodes, 2);
        QCOMPARE(one.layout.gpusPerNode, 8);
    }
}

void LayoutSearchTest::perSizeKeepsVariety()
{
    SearchLimits limits = upTo(16, Objective::Time, 100);
    limits.perSize = 3;
    const SearchResult found = search(design(u"lumi"_s, u"llama-3-8b"_s, 512), limits);
    QHash<int, int> ofSize;
    for (const Candidate& one : found.candidates)
        QVERIFY(++ofSize[one.layout.gpus()] <= 3);
    QVERIFY(ofSize.size() >= 4);
}

void LayoutSearchTest::cancelStops()
{
    const std::atomic_bool cancelled{true};
    SearchLimits limits = upTo(256);
    limits.cancelled = &cancelled;
    const SearchResult found = search(design(u"lumi"_s, u"llama-3-70b"_s, 1024), limits);
    QVERIFY(found.cancelled);
    QCOMPARE(found.examined, qint64(0));
}

void LayoutSearchTest::withoutModel()
{
    const auto none = searched(design(u"lumi"_s, {}), upTo(4));
    QVERIFY(!none);
    QVERIFY(!none.error().remedy.isEmpty());
    const auto unknown = searched(design(u"lumi"_s, u"llama-3-9b"_s), upTo(4));
    QVERIFY(!unknown);
    QVERIFY(unknown.error().oneLine().contains(u"llama-3-8b"));
}

void LayoutSearchTest::partitionLimits()
{
    JobSpec spec = design(u"lumi"_s, u"llama-3-8b"_s, 512);
    spec.partition = u"small-g"_s; // at most 4 nodes
    const SearchResult found = search(spec, upTo(64));
    QVERIFY(!found.candidates.isEmpty());
    for (const Candidate& one : found.candidates)
        QVERIFY(one.layout.nodes <= 4);
}

/// LUMI bills half a GPU-hour for a GCD-hour (LUMI user guide, billing): a full node-hour is 4.
void LayoutSearchTest::costIsTheSites()
{
    JobSpec spec = design(u"lumi"_s, u"llama-3-8b"_s, 512, 4096);
    spec.training.datasetSamples = 512000;
    spec.training.epochs = 1;
    const SearchResult found = search(spec, upTo(8));
    QCOMPARE(found.costOf, u"the whole training"_s);
    for (const Candidate& one : found.candidates) {
        if (one.layout.gpusPerNode == 8 && one.layout.nodes > 1)
            QVERIFY(qAbs(*one.cost - 1000 * one.stepSeconds / 3600 * 4 * one.layout.nodes) < 1e-6 * *one.cost);
    }
}

/// W12: "fastest" is not the layout that burns a thousand nodes at a few per cent of their power.
void LayoutSearchTest::fastestKeepsItsGpusBusy()
{
    const SearchResult found = search(design(u"lumi"_s, u"gpt-2-small"_s, 4096), upTo(1024));
    QVERIFY(!found.candidates.isEmpty());
    const Candidate& first = found.candidates.first();
    QVERIFY2(first.efficiency >= 0.5, qPrintable(QString::number(first.efficiency)));
    const auto wasteful = std::find_if(
        found.candidates.cbegin(), found.candidates.cend(), [](const Candidate& one) { return one.efficiency < 0.5; });
    for (auto one = wasteful; one != found.candidates.cend(); ++one)
        QVERIFY(one->efficiency < 0.5); // they follow, none is hidden
}

/// W12: a search within one partition says so.
void LayoutSearchTest::limitedPartitionIsSaid()
{
    JobSpec spec = design(u"lumi"_s, u"gpt-2-small"_s);
    QVERIFY(search(spec, upTo(64)).partition.isEmpty());
    spec.partition = u"small-g"_s;
    const SearchResult found = search(spec, upTo(64));
    QCOMPARE(found.partition, u"small-g"_s);
    for (const Rejection& one : found.rejected)
        QVERIFY2(!one.reason.contains(u"no partition"), qPrintable(one.reason));
    QVERIFY(std::any_of(found.rejected.begin(), found.rejected.end(),
        [](const Rejection& one) { return one.reason == u"sizes that small-g does not take"; }));
}

/// A hand-written number of stages is divided by nowhere before it is checked.
void LayoutSearchTest::moreStagesThanLayers()
{
    ModelShape shape;
    shape.layers = 32;
    for (const int stages : {33, 1'000'000, 2'000'000'000})
        QCOMPARE(chunksFor(shape, stages, StageCuts::Any), std::vector<int>{1});
}

RANKWRIGHT_TEST_MAIN(LayoutSearchTest)
#include "tst_layoutsearch.moc"

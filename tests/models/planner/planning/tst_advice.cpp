// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/quantitytext.h"
#include "models/planner/planning/advice.h"
#include "models/planner/planning/estimatetext.h"
#include "models/script/document/design.h"
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

JobSpec design(const QString& cluster, const QString& preset, int nodes = 0, int gpus = 0, qint64 batch = 0)
{
    JobSpec spec;
    spec.name = u"plan"_s;
    spec.cluster = cluster;
    spec.account = u"project_462000265"_s;
    spec.model = QJsonObject{{u"preset"_s, preset}};
    if (nodes > 0)
        spec.resources.nodes = nodes;
    if (gpus > 0)
        spec.resources.gpusPerNode = gpus;
    if (batch > 0)
        spec.training.globalBatch = batch;
    return spec;
}

Result<Advice> adviceOn(const JobSpec& spec)
{
    const ClusterProfile& profile = site(spec.cluster);
    const ResolvedSpec resolved = resolve(spec, profile);
    return advise(resolved, planBatch(resolved), profile);
}

bool mayRun(const Result<DesignEstimate>& estimate)
{
    return estimate
        && (estimate->memory.verdict == FitVerdict::Fits || estimate->memory.verdict == FitVerdict::Probably);
}

const Finding* find(const Derived& derived, const QString& slug)
{
    for (const Finding& finding : derived.findings()) {
        if (finding.slug == slug)
            return &finding;
    }
    return nullptr;
}

} // namespace

/// What the planner recommends, and the cures it offers: each cure is tried out.
class AdviceTest : public test::Suite {
    Q_OBJECT
private slots:
    void aRangeHasTheUnitOfItsTime();
    void recommends_data();
    void recommends();
    void givenSizeIsKept();
    void nothingCanRun();
    void reasonHasFigures();
    void remediesCure_data();
    void remediesCure();
    void fittingDesignNeedsNone();
    void openStrategyFollowsTheModel();
    void openMicroBatchFits();
    void findings();
    void sizeByModelOnAllClusters_data();
    void sizeByModelOnAllClusters();
    void whatCannotFit_data();
    void whatCannotFit();
    void onlyAModelNamed_data();
    void onlyAModelNamed();
    void recomputingIsWrittenOrSaid_data();
    void recomputingIsWrittenOrSaid();
    void sizeOfSplitLayers_data();
    void sizeOfSplitLayers();
    void openFieldsStopNobody();
    void fewerGpusOnlyWhereTheyMayRun();
    void timeFindings();
    void fitsOnlyWhereTheWholeRangeDoes();
    void oneSentenceAfterAnother();
};

void AdviceTest::recommends_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QList<Strategy>>("good");
    using List = QList<Strategy>;
    // A copy of the states takes 16 bytes a parameter (ZeRO paper, section 3.1): 2 GB for 125 M, 128 GB for 8 B.
    QTest::newRow("small model, many GPUs: DDP") << u"lumi"_s << u"gpt-2-small"_s << 1 << 8 << List{Strategy::Ddp};
    QTest::newRow("8B on a node of 64 GB: sharded")
        << u"lumi"_s << u"llama-3-8b"_s << 1 << 8
        << List{Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3, Strategy::Tensor, Strategy::ThreeD};
    QTest::newRow("70B on 16 nodes: sharded or split")
        << u"lumi"_s << u"llama-3-70b"_s << 16 << 8
        << List{Strategy::Fsdp, Strategy::Hsdp, Strategy::Zero3, Strategy::Tensor, Strategy::ThreeD};
    QTest::newRow("one GPU") << u"puhti"_s << u"resnet-50"_s << 1 << 1 << List{Strategy::Single};
}

void AdviceTest::recommends()
{
    QFETCH(QString, cluster);
    QFETCH(QString, preset);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(QList<Strategy>, good);
    const auto advice = adviceOn(design(cluster, preset, nodes, gpus));
    QVERIFY_RESULT(advice);
    QVERIFY2(good.contains(advice->strategy), qPrintable(toText(advice->strategy) + u": "_s + advice->reason));
    QVERIFY(!advice->reason.isEmpty());
}

void AdviceTest::givenSizeIsKept()
{
    const auto advice = adviceOn(design(u"lumi"_s, u"llama-3-8b"_s, 4, 8));
    QVERIFY_RESULT(advice);
    QCOMPARE(advice->nodes, 4);
    QCOMPARE(advice->gpusPerNode, 8);
}

void AdviceTest::nothingCanRun()
{
    const auto advice = adviceOn(design(u"puhti"_s, u"llama-3.1-405b"_s, 1, 1));
    QVERIFY(!advice);
    QVERIFY(advice.error().what.startsWith(u"No layout of this model"));
    QVERIFY(!advice.error().remedy.isEmpty());
}

/// 8.03 x 10^9 parameters, fp32 weights, gradients and two moments: 16 x 8.03e9 B = 119.7 GiB (ZeRO paper, 3.1).
void AdviceTest::reasonHasFigures()
{
    const auto advice = adviceOn(design(u"lumi"_s, u"llama-3-8b"_s, 2, 8));
    QVERIFY_RESULT(advice);
    QVERIFY2(advice->reason.contains(QRegularExpression(u"(119|120|12[0-9])[\u2009.]"_s)), qPrintable(advice->reason));
    QVERIFY2(advice->reason.contains(u"GCD"), qPrintable(advice->reason));
}

void AdviceTest::remediesCure_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<qint64>("micro");
    QTest::newRow("8B by DDP") << u"llama-3-8b"_s << 1 << qint64(1);
    QTest::newRow("batch too large") << u"gpt-2-xl"_s << 1 << qint64(64);
    QTest::newRow("70B by DDP on two nodes") << u"llama-3-70b"_s << 2 << qint64(1);
}

void AdviceTest::remediesCure()
{
    QFETCH(QString, preset);
    QFETCH(int, nodes);
    QFETCH(qint64, micro);
    JobSpec spec = design(u"lumi"_s, preset, nodes, 8);
    spec.parallel.strategy = Strategy::Ddp;
    spec.training.microBatch = micro;
    const ClusterProfile& profile = site(u"lumi"_s);
    const Derived before = derive(spec, profile);
    QVERIFY(!mayRun(before.estimate));
    QVERIFY(!before.remedies.isEmpty());
    for (const Remedy& remedy : before.remedies) {
        JobSpec cured = spec;
        remedy.apply(cured);
        const Derived after = derive(cured, profile);
        QVERIFY2(mayRun(after.estimate), qPrintable(remedy.label));
        QCOMPARE(after.estimate->memory.totalBytes, remedy.memoryBytes);
        QVERIFY2(after.batch.globalBatch % before.batch.globalBatch == 0 || after.resolved.nodes > nodes,
            qPrintable(remedy.label)); // the training stays the same one
    }
}

void AdviceTest::fittingDesignNeedsNone()
{
    const Derived derived = derive(design(u"lumi"_s, u"gpt-2-small"_s, 1, 8), site(u"lumi"_s));
    QVERIFY(mayRun(derived.estimate));
    QVERIFY(derived.remedies.isEmpty());
    QVERIFY(find(derived, u"memory-does-not-fit"_s) == nullptr);
}

void AdviceTest::openStrategyFollowsTheModel()
{
    const Derived small = derive(design(u"lumi"_s, u"gpt-2-small"_s, 1, 8), site(u"lumi"_s));
    QCOMPARE(small.resolved.strategy, Strategy::Ddp);
    const Derived large = derive(design(u"lumi"_s, u"llama-3-8b"_s, 2, 8), site(u"lumi"_s));
    QCOMPARE(large.resolved.strategy, Strategy::Fsdp);
    const auto choice = std::find_if(large.resolved.choices.cbegin(), large.resolved.choices.cend(),
        [](const Choice& one) { return one.field == u"parallel.strategy"; });
    QVERIFY(choice != large.resolved.choices.cend());
    QVERIFY(choice->reason.contains(u"GiB"));
}

void AdviceTest::openMicroBatchFits()
{
    const Derived derived = derive(design(u"lumi"_s, u"llama-3-8b"_s, 2, 8, 4096), site(u"lumi"_s));
    QVERIFY(mayRun(derived.estimate));
    QVERIFY(derived.batch.microBatch >= 1 && derived.batch.microBatch < 256);
    QCOMPARE(derived.batch.globalBatch, qint64(4096));
    QVERIFY(derived.estimate->largestMicroBatch >= derived.batch.microBatch);
}

void AdviceTest::findings()
{
    JobSpec spec = design(u"lumi"_s, u"llama-3-8b"_s, 1, 8);
    spec.parallel.strategy = Strategy::Ddp;
    const Derived derived = derive(spec, site(u"lumi"_s));
    const Finding* finding = find(derived, u"memory-does-not-fit"_s);
    QVERIFY(finding != nullptr);
    QCOMPARE(finding->severity, Severity::Error); // F8: the states alone are twice the GPU
    QVERIFY(finding->fix);
    JobSpec fixed = spec;
    finding->fix->apply(fixed);
    QVERIFY(find(derive(fixed, site(u"lumi"_s)), u"memory-does-not-fit"_s) == nullptr);

    spec.model = QJsonObject{{u"preset"_s, u"no-such-model"_s}};
    QVERIFY(find(derive(spec, site(u"lumi"_s)), u"model-unclear"_s) != nullptr);
    spec.model = {};
    QVERIFY(find(derive(spec, site(u"lumi"_s)), u"model-unclear"_s) == nullptr);
}

/// "✓ Fits, also when the estimate is too low" stood beside a range that ended beyond the limit.
void AdviceTest::fitsOnlyWhereTheWholeRangeDoes()
{
    int beyond = 0;
    for (const QString& preset : {u"llama-3-8b"_s, u"gpt-2-xl"_s, u"bert-large"_s}) {
        for (const Framework framework : {Framework::Deepspeed, Framework::MegatronCore, Framework::HfTrainer}) {
            for (int micro = 1; micro <= 64; micro += micro < 8 ? 1 : 4) {
                JobSpec spec = design(u"lumi"_s, preset, 2, 8);
                spec.training.framework = framework;
                spec.training.microBatch = micro;
                const Derived derived = derive(spec, site(u"lumi"_s));
                if (!derived.estimate)
                    continue;
                const MemoryEstimate& memory = derived.estimate->memory;
                if (memory.highBytes <= memory.usableBytes)
                    continue;
                QVERIFY2(memory.verdict != FitVerdict::Fits, qPrintable(u"%1, %2"_s.arg(preset).arg(micro)));
                if (memory.verdict != FitVerdict::Probably)
                    continue;
                ++beyond;
                const QString summary = EstimateText::verdictSummary(derived.estimate);
                QVERIFY2(summary.contains(u"but may not"_s), qPrintable(summary));
            }
        }
    }
    QVERIFY(beyond > 0);
}

/// "The layout uses 1 of the job's 8 GPUs.: Take 8 data-parallel ranks."
void AdviceTest::oneSentenceAfterAnother()
{
    JobSpec spec = design(u"lumi"_s, u"gpt-2-small"_s, 1, 8);
    spec.parallel.strategy = Strategy::Single;
    const Derived derived = derive(spec, site(u"lumi"_s));
    const Finding* unclear = find(derived, u"model-unclear"_s);
    QVERIFY(unclear != nullptr);
    QVERIFY2(!unclear->text.contains(u".:"_s) && unclear->text.contains(u". "_s), qPrintable(unclear->text));
}

void AdviceTest::timeFindings()
{
    JobSpec spec = design(u"lumi"_s, u"gpt-2-small"_s, 1, 8, 512);
    spec.training.epochs = 1;
    spec.training.datasetSamples = 500'000'000;
    spec.time = Seconds{3600};
    QVERIFY(find(derive(spec, site(u"lumi"_s)), u"time-too-short"_s) != nullptr);
    spec.training.datasetSamples = 5120;
    spec.time = Seconds{48 * 3600};
    const Derived derived = derive(spec, site(u"lumi"_s));
    const Finding* hint = find(derived, u"time-too-long"_s);
    QVERIFY(hint != nullptr && hint->fix);
    hint->fix->apply(spec);
    QVERIFY(find(derive(spec, site(u"lumi"_s)), u"time-too-long"_s) == nullptr);
    QVERIFY(find(derive(spec, site(u"lumi"_s)), u"time-too-short"_s) == nullptr);
}

void AdviceTest::sizeByModelOnAllClusters_data()
{
    QTest::addColumn<QString>("cluster");
    static const Catalogue catalogue = loadCatalogue();
    for (const QString& name : catalogue.names())
        QTest::newRow(qPrintable(name)) << name;
}

/// With nothing but a model named: where advise finds a layout the design has one that may run, and one sentence says
/// which; where it finds none, the design is an error.
void AdviceTest::sizeByModelOnAllClusters()
{
    QFETCH(QString, cluster);
    const ClusterProfile& profile = site(cluster);
    for (const QString& model :
        {u"gpt-2-xl"_s, u"llama-3-8b"_s, u"llama-3-70b"_s, u"gpt-3-175b"_s, u"llama-3.1-405b"_s}) {
        JobSpec spec;
        spec.cluster = cluster;
        spec.model = QJsonObject{{u"preset"_s, model}};
        const Derived derived = derive(spec, profile);
        if (!derived.estimate || derived.resolved.node.gpu.standIn)
            continue; // nothing is known of its GPUs
        const auto advice = advise(derived.resolved, derived.batch, profile);
        const Finding* cannot = find(derived, u"memory-does-not-fit"_s);
        const Finding* said = find(derived, u"size-by-model"_s);
        const QString what = model + u": "_s + (cannot ? cannot->text : QString());
        if (!advice || advice->best.offload != Offload::None) {
            // the design looks at more sizes than advise does, and may find one that needs no offloading
            QVERIFY2(said || cannot || find(derived, u"memory-borderline"_s), qPrintable(what));
            continue;
        }
        QVERIFY2(mayRun(derived.estimate), qPrintable(what));
        QVERIFY2(said && said->severity == Severity::Hint && said->fix, qPrintable(what));
        QVERIFY2(said->text.contains(nodesText(derived.resolved.nodes)), qPrintable(said->text));
        QVERIFY2(said->text.contains(strategyWords(derived.resolved.strategy)), qPrintable(said->text));
        JobSpec kept = spec;
        said->fix->apply(kept);
        const Derived after = derive(kept, profile);
        QVERIFY(find(after, u"size-by-model"_s) == nullptr);
        QCOMPARE(after.resolved.nodes, derived.resolved.nodes);
        QCOMPARE(after.resolved.tensor, derived.resolved.tensor);
        QCOMPARE(after.estimate->memory.totalBytes, derived.estimate->memory.totalBytes);
    }
}

void AdviceTest::whatCannotFit_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<Strategy>("strategy");
    QTest::addColumn<double>("trained"); // share of the parameters; 1: all
    QTest::addColumn<FrozenWeights>("frozen");
    QTest::addColumn<bool>("cannot"); // on one node with 8 x 63.9 GiB
    const auto row = [](const char* name, const QString& model, Strategy strategy, double trained, FrozenWeights frozen,
                         bool cannot) { QTest::newRow(name) << model << strategy << trained << frozen << cannot; };
    const FrozenWeights bf16 = FrozenWeights::Bf16;
    row("DDP", u"llama-3-8b"_s, Strategy::Ddp, 1, bf16, true); // 120 GiB of states on each
    row("Horovod", u"llama-3-8b"_s, Strategy::Horovod, 1, bf16, true);
    row("ZeRO-1", u"llama-3-70b"_s, Strategy::Zero1, 1, bf16, true);
    row("ZeRO-2", u"llama-3-70b"_s, Strategy::Zero2, 1, bf16, true);
    row("ZeRO-3", u"llama-3-70b"_s, Strategy::Zero3, 1, bf16, true); // 1051 GiB over 8 are 131
    row("FSDP", u"llama-3-70b"_s, Strategy::Fsdp, 1, bf16, true);
    row("HSDP", u"llama-3-70b"_s, Strategy::Hsdp, 1, bf16, true);
    row("tensor", u"llama-3-70b"_s, Strategy::Tensor, 1, bf16, true);
    row("pipeline", u"llama-3-70b"_s, Strategy::Pipeline, 1, bf16, true);
    row("3D", u"llama-3-70b"_s, Strategy::ThreeD, 1, bf16, true);
    row("FSDP, 8B", u"llama-3-8b"_s, Strategy::Fsdp, 1, bf16, false);
    row("ZeRO-3, 8B", u"llama-3-8b"_s, Strategy::Zero3, 1, bf16, false);
    row("tensor, 8B", u"llama-3-8b"_s, Strategy::Tensor, 1, bf16, false);
    row("LoRA by DDP, 70B", u"llama-3-70b"_s, Strategy::Ddp, 0.01, bf16, true); // 131 GiB of weights
    row("LoRA by DDP, 8B", u"llama-3-8b"_s, Strategy::Ddp, 0.01, bf16, false); // 15 GiB
    row("LoRA by FSDP, 70B", u"llama-3-70b"_s, Strategy::Fsdp, 0.01, bf16, false); // 16 GiB on each
    row("QLoRA by DDP, 70B", u"llama-3-70b"_s, Strategy::Ddp, 0.01, FrozenWeights::Nf4, false); // 35 GiB
    row("LoRA by FSDP, 405B", u"llama-3.1-405b"_s, Strategy::Fsdp, 0.01, bf16, true); // 94 GiB on each
}

/// What the exact states say cannot fit is an error with changes to choose from, each tried out; what may fit is none.
void AdviceTest::whatCannotFit()
{
    QFETCH(QString, model);
    QFETCH(Strategy, strategy);
    QFETCH(double, trained);
    QFETCH(FrozenWeights, frozen);
    QFETCH(bool, cannot);
    JobSpec spec = design(u"lumi"_s, model, 1, 8);
    spec.parallel.strategy = strategy;
    spec.training.sequence = 1024;
    if (trained < 1) {
        spec.training.trainedFraction = trained;
        spec.training.frozen = frozen;
    }
    const Derived derived = derive(spec, site(u"lumi"_s));
    const Finding* finding = find(derived, u"memory-does-not-fit"_s);
    QCOMPARE(finding != nullptr && finding->severity == Severity::Error, cannot);
    if (!cannot)
        return;
    QVERIFY2(finding->fix, qPrintable(finding->text));
    QCOMPARE(finding->fixLabels().size(), derived.remedies.size());
    QList<Fix> fixes = finding->otherFixes;
    fixes.prepend(*finding->fix);
    for (const Fix& fix : std::as_const(fixes)) {
        JobSpec cured = spec;
        fix.apply(cured);
        QVERIFY2(find(derive(cured, site(u"lumi"_s)), u"memory-does-not-fit"_s) == nullptr, qPrintable(fix.label));
    }
}

void AdviceTest::onlyAModelNamed_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("model");
    for (const QString& cluster : {u"lumi"_s, u"mahti"_s, u"leonardo"_s}) {
        for (const QString& model : {u"gpt-2-small"_s, u"llama-3-8b"_s, u"llama-3-70b"_s}) {
            if (cluster != u"mahti" || model != u"llama-3-70b") // 24 GPUs with 40 GB are too few
                QTest::newRow(qPrintable(cluster + u' ' + model)) << cluster << model;
        }
    }
}

/// S8: with nothing but a model named the resolved design fits, and advise says the same number of nodes.
void AdviceTest::onlyAModelNamed()
{
    QFETCH(QString, cluster);
    QFETCH(QString, model);
    JobSpec spec;
    spec.cluster = cluster;
    spec.model = QJsonObject{{u"preset"_s, model}};
    const ClusterProfile& profile = site(cluster);
    const Derived derived = derive(spec, profile);
    QVERIFY(mayRun(derived.estimate));
    const MemoryEstimate& memory = derived.estimate->memory;
    QVERIFY2(memory.totalBytes <= memory.usableBytes, qPrintable(QString::number(memory.totalBytes / 1e9)));
    const auto advice = advise(derived.resolved, derived.batch, profile);
    QVERIFY_RESULT(advice);
    QCOMPARE(advice->nodes, derived.resolved.nodes);
    QVERIFY(advice->best.memoryBytes <= advice->best.usableBytes);
}

void AdviceTest::recomputingIsWrittenOrSaid_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<std::optional<Launcher>>("launcher");
    QTest::addColumn<std::optional<Framework>>("framework");
    QTest::addColumn<QString>("written"); // in the script, when the estimate reckons with recomputation
    const auto row = [](const char* name, const QString& command, std::optional<Launcher> launcher,
                         std::optional<Framework> framework, const QString& written) {
        QTest::newRow(name) << command << launcher << framework << written;
    };
    row("a program of its own", u"train.py"_s, {}, {}, {});
    row("Megatron-LM", u"pretrain_gpt.py"_s, {}, Framework::MegatronCore, u"--recompute-"_s);
    row("torchtitan", u"-m torchtitan.train"_s, {}, {}, u"[activation_checkpoint]"_s);
    row("accelerate", u"train.py"_s, Launcher::Accelerate, {}, u"fsdp_activation_checkpointing: true"_s);
}

/// An estimate that reckons with recomputation lists it, and either the script asks for it or a finding says that the
/// program has to do it.
void AdviceTest::recomputingIsWrittenOrSaid()
{
    QFETCH(QString, command);
    QFETCH(std::optional<Launcher>, launcher);
    QFETCH(std::optional<Framework>, framework);
    QFETCH(QString, written);
    for (const QString& model : {u"llama-3-8b"_s, u"llama-3-70b"_s}) {
        for (const qint64 sequence : {4096, 16384}) {
            JobSpec spec = design(u"lumi"_s, model);
            spec.command = command;
            spec.launcher = launcher;
            spec.training.framework = framework;
            spec.training.sequence = sequence;
            const Derived derived = derive(spec, site(u"lumi"_s));
            QVERIFY_RESULT(derived.estimate);
            const PlannedRun& run = derived.estimate->run;
            const bool listed = std::any_of(run.choices.cbegin(), run.choices.cend(),
                [](const Choice& choice) { return choice.field == field::activationCheckpointing; });
            QVERIFY(listed);
            if (run.workload.recompute == Recompute::None)
                continue;
            const QString script = derived.script.text();
            const Finding* said = find(derived, u"recompute-unwritten"_s);
            QCOMPARE(said == nullptr, !written.isEmpty());
            if (!written.isEmpty())
                QVERIFY2(script.contains(written), qPrintable(script));
            else
                QVERIFY(said->text.contains(u"must recompute"_s) && said->severity == Severity::Warning);
        }
    }
}

void AdviceTest::sizeOfSplitLayers_data()
{
    QTest::addColumn<Strategy>("strategy");
    QTest::newRow("pipeline") << Strategy::Pipeline;
    QTest::newRow("tensor and pipeline") << Strategy::ThreeD;
}

/// An open number of nodes is found with the degrees that the design will have.
void AdviceTest::sizeOfSplitLayers()
{
    QFETCH(Strategy, strategy);
    JobSpec spec = design(u"lumi"_s, u"llama-3-70b"_s);
    spec.parallel.strategy = strategy;
    spec.command = u"pretrain_gpt.py"_s;
    const Derived derived = derive(spec, site(u"lumi"_s));
    QVERIFY2(mayRun(derived.estimate), qPrintable(QString::number(derived.resolved.nodes)));
    QVERIFY(derived.resolved.nodes > 1);
}

/// What the design leaves open may be set so that it fits: that is a warning, no end.
void AdviceTest::openFieldsStopNobody()
{
    JobSpec spec = design(u"lumi"_s, u"llama-3-8b"_s, 1);
    spec.parallel.strategy = Strategy::Fsdp;
    spec.training.sequence = 16384;
    const auto severity = [&] {
        const Derived derived = derive(spec, site(u"lumi"_s));
        const Finding* finding = find(derived, u"memory-does-not-fit"_s);
        return finding != nullptr ? std::optional(finding->severity) : std::nullopt;
    };
    QCOMPARE(severity(), std::optional(Severity::Warning));
    spec.training.activationCheckpointing = ActivationCheckpointing::None; // now it is said
    QCOMPARE(severity(), std::optional(Severity::Error));
}

/// A change that is offered may run; where one GPU is too small, the fewest nodes that hold the model.
void AdviceTest::fewerGpusOnlyWhereTheyMayRun()
{
    for (const auto& [model, nodes] :
        QList<std::pair<QString, int>>{{u"llama-3-8b"_s, 128}, {u"llama-3-70b"_s, 128}, {u"gpt-2-small"_s, 4}}) {
        JobSpec spec = design(u"lumi"_s, model, nodes, 8);
        spec.parallel.strategy = nodes > 4 ? Strategy::Fsdp : Strategy::Ddp;
        spec.training.sequence = 128;
        spec.training.microBatch = 1;
        const Derived derived = derive(spec, site(u"lumi"_s));
        const Finding* finding = find(derived, u"gpus-idle"_s);
        QVERIFY2(finding != nullptr, qPrintable(model));
        if (!finding->fix)
            continue;
        finding->fix->apply(spec);
        const Derived after = derive(spec, site(u"lumi"_s));
        QVERIFY2(mayRun(after.estimate), qPrintable(model + u": "_s + finding->fix->label));
        QVERIFY(after.resolved.worldSize() < derived.resolved.worldSize());
    }
}

/// "3 min 32 s 153–293" was two units for one figure.
void AdviceTest::aRangeHasTheUnitOfItsTime()
{
    StepEstimate step;
    const auto band = [&step](double low, double seconds, double high) {
        step.lowSeconds = low;
        step.seconds = seconds;
        step.highSeconds = high;
        return EstimateText::timeBandWithUnit(step);
    };
    QCOMPARE(band(0.456, 0.515, 1.2), u"456–1\u2009200 ms"_s);
    QCOMPARE(band(52, 71.6, 99), u"52–99 s"_s);
    QCOMPARE(band(153, 212, 293), u"%1–%2"_s.arg(humanDuration(Seconds{153}), humanDuration(Seconds{293})));
}

RANKWRIGHT_TEST_MAIN(AdviceTest)
#include "tst_advice.moc"

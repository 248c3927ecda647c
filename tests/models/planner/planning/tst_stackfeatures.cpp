// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/layoutsearch.h"
#include "models/planner/design/trainingprogram.h"
#include "models/planner/estimate/network/plannerdata.h"
#include "models/planner/estimate/stack/stackfeatures.h"
#include "models/script/checks/designchecks.h"
#include "models/script/document/design.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const ClusterProfile& site(const QString& name)
{
    static const Catalogue all = loadCatalogue();
    return *all.find(name);
}

JobSpec design(const QString& cluster, const QString& preset, int nodes = 0)
{
    JobSpec spec;
    spec.name = u"tune"_s;
    spec.cluster = cluster;
    spec.account = u"abc"_s;
    spec.model = QJsonObject{{u"preset"_s, preset}};
    if (nodes > 0)
        spec.resources.nodes = nodes;
    return spec;
}

Result<SearchResult> found(const JobSpec& spec)
{
    SearchLimits limits;
    limits.kept = Kept::Named;
    limits.usualSizes = true;
    limits.maxNodes = 4;
    limits.top = 400;
    const ResolvedSpec resolved = resolve(spec, site(spec.cluster));
    return searchLayouts(resolved, planBatch(resolved), site(spec.cluster), limits);
}

std::optional<Finding> said(const JobSpec& spec)
{
    for (const Finding& finding : check(resolve(spec, site(spec.cluster)), site(spec.cluster))) {
        if (finding.slug == u"stack-cannot")
            return finding;
    }
    return std::nullopt;
}

} // namespace

/// What a training stack cannot do is neither proposed nor passed over.
class StackFeaturesTest : public test::Suite {
    Q_OBJECT
private slots:
    void tableIsWhole();
    void searchProposesWhatStacksDo_data();
    void searchProposesWhatStacksDo();
    void searchSaysWhatItLeavesOut();
    void checkSaysSo_data();
    void checkSaysSo();
    void usualDesignsPass_data();
    void usualDesignsPass();
    void documentedByHandPasses_data();
    void documentedByHandPasses();
    void openStrategyIsOneThatTheStackDoes();
};

void StackFeaturesTest::tableIsWhole()
{
    QStringList words;
    for (const StackFeature feature : stackFeatures())
        words.append(toText(feature));
    QCOMPARE(QSet<QString>(words.cbegin(), words.cend()).size(), words.size());
    for (const EnumWord<Framework>& stack : enumWords<Framework>()) {
        QVERIFY2(featureStacks().contains(QString(stack.word)), qPrintable(QString(stack.word)));
        QVERIFY(!featureSource(stack.word).isEmpty());
    }
    for (const QJsonValue& value : plannerData(u"stacks-features.json"_s).value(u"stacks"_s).toArray()) {
        const QJsonObject row = value.toObject();
        QStringList named;
        for (const QString& column : {u"yes"_s, u"byHand"_s}) {
            for (const QJsonValue& word : row.value(column).toArray())
                named.append(word.toString());
        }
        for (const QJsonValue& refusal : row.value(u"no"_s).toArray()) {
            QVERIFY2(!refusal.toObject().value(u"source"_s).toString().isEmpty(),
                qPrintable(row.value(u"name"_s).toString()));
            for (const QJsonValue& word : refusal.toObject().value(u"features"_s).toArray())
                named.append(word.toString());
        }
        for (const QString& word : std::as_const(named)) {
            QVERIFY2(words.contains(word), qPrintable(word));
            QCOMPARE(named.count(word), 1);
        }
        for (const QJsonValue& clash : row.value(u"clashes"_s).toArray())
            QVERIFY(!clash.toObject().value(u"source"_s).toString().isEmpty());
    }
}

void StackFeaturesTest::searchProposesWhatStacksDo_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<std::function<void(JobSpec&)>>("ask");
    using Ask = std::function<void(JobSpec&)>;
    const auto row
        = [](const char* name, const QString& preset, const Ask& ask) { QTest::newRow(name) << preset << ask; };
    row("70B nf4", u"llama-3-70b"_s, [](JobSpec& spec) { spec.adapter.quantisation = Quantisation::Nf4; });
    row("70B LoRA", u"llama-3-70b"_s, [](JobSpec& spec) { spec.adapter.method = AdapterMethod::Lora; });
    row("8B DoRA", u"llama-3-8b"_s, [](JobSpec& spec) { spec.adapter.method = AdapterMethod::Dora; });
    row("8B int8", u"llama-3-8b"_s, [](JobSpec& spec) { spec.adapter.quantisation = Quantisation::Int8; });
    row("8B 8-bit AdamW", u"llama-3-8b"_s, [](JobSpec& spec) { spec.training.optimizer = Optimizer::AdamW8bit; });
    row("8B paged AdamW", u"llama-3-8b"_s, [](JobSpec& spec) { spec.training.optimizer = Optimizer::AdamWPaged; });
    row("8B optimiser in backward", u"llama-3-8b"_s, [](JobSpec& spec) { spec.training.optimizerInBackward = true; });
    row("70B chunked loss", u"llama-3-70b"_s, [](JobSpec& spec) { spec.training.loss = LossKind::Chunked; });
    row("8B torchtune in backward", u"llama-3-8b"_s, [](JobSpec& spec) {
        spec.training.framework = Framework::Torchtune;
        spec.training.optimizerInBackward = true;
        spec.training.globalBatch = 64;
    });
}

void StackFeaturesTest::searchProposesWhatStacksDo()
{
    QFETCH(QString, preset);
    QFETCH(std::function<void(JobSpec&)>, ask);
    for (const QString& cluster : {u"lumi"_s, u"leonardo"_s}) {
        JobSpec spec = design(cluster, preset);
        ask(spec);
        const auto search = found(spec);
        QVERIFY_RESULT(search);
        QVERIFY(!search->candidates.isEmpty());
        for (const Candidate& one : search->candidates) {
            QList<StackFeature> all = featuresOf(one.strategy) + featuresOf(one.offload);
            for (const StackNeed& need : needsBesideLayout(spec))
                all.append(need.feature);
            if (one.layout.accumulation > 1)
                all.append(StackFeature::Accumulation);
            const auto obstacle = stackObstacle(one.stack, {}, all);
            QVERIFY2(!obstacle, qPrintable(obstacle ? obstacle->text : QString()));
            if (one.layout.context > 1)
                QCOMPARE(supportOf(toText(one.stack), StackFeature::Context), Support::Yes);
            JobSpec applied = spec;
            one.applyTo(applied);
            QVERIFY(!said(applied));
        }
    }
}

void StackFeaturesTest::searchSaysWhatItLeavesOut()
{
    JobSpec spec = design(u"leonardo"_s, u"llama-3-70b"_s);
    spec.adapter.quantisation = Quantisation::Nf4;
    const auto search = found(spec);
    QVERIFY_RESULT(search);
    QVERIFY2(search->notes.join(u' ').contains(u"does not do a frozen base in nf4"_s),
        qPrintable(search->notes.join(u'\n')));
}

void StackFeaturesTest::checkSaysSo_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<std::function<void(JobSpec&)>>("ask");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("fix");
    using Ask = std::function<void(JobSpec&)>;
    const auto row
        = [](const char* name, const Ask& ask, const QString& text, const QString& fix,
              const QString& cluster = u"leonardo"_s) { QTest::newRow(name) << cluster << ask << text << fix; };
    row(
        "nf4 under Megatron-Core",
        [](JobSpec& spec) {
            spec.training.framework = Framework::MegatronCore;
            spec.parallel.strategy = Strategy::Tensor;
            spec.adapter.quantisation = Quantisation::Nf4;
        },
        u"nf4"_s, u"PEFT"_s);
    row(
        "nf4 with tensor parallelism",
        [](JobSpec& spec) {
            spec.parallel.strategy = Strategy::Tensor;
            spec.adapter.quantisation = Quantisation::Nf4;
        },
        u"nf4"_s, u"PEFT"_s);
    row(
        "int8 under FSDP",
        [](JobSpec& spec) {
            spec.training.framework = Framework::Peft;
            spec.parallel.strategy = Strategy::Fsdp;
            spec.adapter.quantisation = Quantisation::Int8;
        },
        u"together with FSDP"_s, u"DDP"_s);
    row(
        "DDP under torchtune",
        [](JobSpec& spec) {
            spec.training.framework = Framework::Torchtune;
            spec.parallel.strategy = Strategy::Ddp;
        },
        u"torchtune does not do DDP"_s, u"FSDP"_s);
    row(
        "pipeline under HF Trainer",
        [](JobSpec& spec) {
            spec.training.framework = Framework::HfTrainer;
            spec.parallel.strategy = Strategy::Pipeline;
        },
        u"does not do pipeline parallelism"_s, u"FSDP"_s);
    row(
        "several GPUs of nf4 under LitGPT",
        [](JobSpec& spec) {
            spec.training.framework = Framework::Litgpt;
            spec.parallel.strategy = Strategy::Fsdp;
            spec.adapter.quantisation = Quantisation::Nf4;
        },
        u"together with FSDP"_s, u"PEFT"_s);
    row(
        "optimiser in backward under Megatron",
        [](JobSpec& spec) {
            spec.training.framework = Framework::MegatronCore;
            spec.training.optimizerInBackward = true;
        },
        u"the optimiser in the backward pass"_s, u"torchtune"_s);
    row(
        "int8 on V100",
        [](JobSpec& spec) {
            spec.training.framework = Framework::Peft;
            spec.parallel.strategy = Strategy::Ddp;
            spec.adapter.quantisation = Quantisation::Int8;
        },
        u"compute capability 7.5"_s, {}, u"puhti"_s);
    row(
        "FlashAttention on V100", [](JobSpec& spec) { spec.training.attention = AttentionKind::Flash; },
        u"does not run FlashAttention"_s, {}, u"puhti"_s);
}

void StackFeaturesTest::checkSaysSo()
{
    QFETCH(QString, cluster);
    QFETCH(std::function<void(JobSpec&)>, ask);
    QFETCH(QString, text);
    QFETCH(QString, fix);
    JobSpec spec = design(cluster, u"llama-3-8b"_s, 1);
    spec.resources.gpusPerNode = 4;
    ask(spec);
    const auto finding = said(spec);
    QVERIFY(finding);
    QVERIFY2(finding->text.contains(text), qPrintable(finding->text));
    QCOMPARE(bool(finding->fix), !fix.isEmpty());
    if (!finding->fix)
        return;
    QVERIFY2(finding->fixLabels().join(u' ').contains(fix), qPrintable(finding->fixLabels().join(u", "_s)));
    JobSpec mended = spec;
    finding->fix->apply(mended);
    QVERIFY(!said(mended));
    for (const Fix& other : finding->otherFixes) {
        mended = spec;
        other.apply(mended);
        QVERIFY(!said(mended));
    }
}

void StackFeaturesTest::usualDesignsPass_data()
{
    QTest::addColumn<QString>("framework");
    QTest::addColumn<QString>("strategy");
    for (const auto& [framework, strategy] : {std::pair{u"pytorch"_s, u"ddp"_s}, {u"pytorch"_s, u"fsdp"_s},
             {u"fsdp2"_s, u"tensor"_s}, {u"deepspeed"_s, u"zero3"_s}, {u"megatron-core"_s, u"3d"_s},
             {u"nemo"_s, u"tensor"_s}, {u"hf-trainer"_s, u"fsdp"_s}, {u"lightning"_s, u"ddp"_s},
             {u"torchtune"_s, u"fsdp"_s}, {u"axolotl"_s, u"zero2"_s}, {u"megatron-deepspeed"_s, u"3d"_s}})
        QTest::newRow(qPrintable(framework + u' ' + strategy)) << framework << strategy;
}

void StackFeaturesTest::usualDesignsPass()
{
    QFETCH(QString, framework);
    QFETCH(QString, strategy);
    JobSpec spec = design(u"leonardo"_s, u"llama-3-8b"_s, 2);
    spec.training.framework = enumeratorOf<Framework>(framework);
    spec.parallel.strategy = strategyFrom(strategy);
    QVERIFY(spec.training.framework && spec.parallel.strategy);
    const auto finding = said(spec);
    QVERIFY2(!finding, qPrintable(finding ? finding->text : QString()));
}

/// Each of these was refused, and the stack's own source or manual shows that it is done.
void StackFeaturesTest::documentedByHandPasses_data()
{
    QTest::addColumn<std::function<void(JobSpec&)>>("ask");
    using Ask = std::function<void(JobSpec&)>;
    const auto row = [](const char* name, const Ask& ask) { QTest::newRow(name) << ask; };
    row("unsloth under FSDP: unsloth.ai/docs, Multi-GPU Fine-tuning", [](JobSpec& spec) {
        spec.training.framework = Framework::Unsloth;
        spec.parallel.strategy = Strategy::Fsdp;
    });
    row("unsloth under ZeRO-3: the same page", [](JobSpec& spec) {
        spec.training.framework = Framework::Unsloth;
        spec.parallel.strategy = Strategy::Zero3;
    });
    row("nf4 under NeMo: HFAutoModelForCausalLM(load_in_4bit)", [](JobSpec& spec) {
        spec.training.framework = Framework::Nemo;
        spec.parallel.strategy = Strategy::Fsdp;
        spec.adapter.quantisation = Quantisation::Nf4;
    });
    row("8-bit LoRA under axolotl's FSDP: monkeypatch/fsdp2_qlora.py", [](JobSpec& spec) {
        spec.training.framework = Framework::Axolotl;
        spec.parallel.strategy = Strategy::Fsdp;
        spec.adapter.method = AdapterMethod::Lora;
        spec.adapter.quantisation = Quantisation::Int8;
    });
    row("virtual stages under Megatron-DeepSpeed: --num-layers-per-virtual-pipeline-stage", [](JobSpec& spec) {
        spec.training.framework = Framework::MegatronDeepspeed;
        spec.parallel.strategy = Strategy::ThreeD;
        spec.parallel.pipeline = 4;
        spec.parallel.tensor = 1;
        spec.parallel.virtualStages = 2;
    });
    row("8-bit moments under Megatron-Core: --exp-avg-dtype fp8", [](JobSpec& spec) {
        spec.training.framework = Framework::MegatronCore;
        spec.training.optimizer = Optimizer::AdamW8bit;
    });
    row("a longer first stage under ms-swift: decoder_first_pipeline_num_layers", [](JobSpec& spec) {
        spec.training.framework = Framework::MsSwift;
        spec.parallel.strategy = Strategy::Pipeline;
        spec.parallel.pipeline = 4;
        spec.parallel.firstStageLayers = 5;
        spec.parallel.lastStageLayers = 7;
    });
}

void StackFeaturesTest::documentedByHandPasses()
{
    QFETCH(std::function<void(JobSpec&)>, ask);
    JobSpec spec = design(u"leonardo"_s, u"llama-3-8b"_s, 1);
    spec.resources.gpusPerNode = 4;
    ask(spec);
    const auto finding = said(spec);
    QVERIFY2(!finding, qPrintable(finding ? finding->text : QString()));
}

void StackFeaturesTest::openStrategyIsOneThatTheStackDoes()
{
    for (const EnumWord<Framework>& stack : enumWords<Framework>()) {
        JobSpec spec = design(u"leonardo"_s, u"llama-3-8b"_s, 1);
        spec.training.framework = stack.value;
        spec.resources.gpusPerNode = stack.value == Framework::Unsloth ? 1 : 4;
        const auto finding = said(spec);
        QVERIFY2(!finding, qPrintable(finding ? finding->text : QString()));
        spec.model = {};
        QVERIFY(!said(spec));
    }
}

RANKWRIGHT_TEST_MAIN(StackFeaturesTest)
#include "tst_stackfeatures.moc"

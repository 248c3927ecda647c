// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/estimate/timemodel.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

Workload adapted(const QString& model, AdapterTargets targets, int rank)
{
    Workload workload;
    workload.shape = findListedModel(model)->shape;
    workload.precision = Precision::Bf16;
    workload.recompute = Recompute::Full;
    workload.adapter.method = AdapterMethod::Lora;
    workload.adapter.targets = targets;
    workload.adapter.rank = rank;
    return workload;
}

MemoryParts adapterMemory(const Workload& workload, const QString& stack, const Layout& layout = {})
{
    return MemoryModel(workload, *trainingStack(stack), gpuFigures(u"a100-80"_s))
        .estimate(layout, MemoryCounter::Allocated)
        .parts;
}

} // namespace

/// Adapters beside a frozen model: counts that PEFT prints, bytes that fms-acceleration's runs print between steps.
class AdapterTest : public test::Suite {
    Q_OBJECT

private slots:
    void counts_data();
    void counts();

    /// DoRA: a magnitude for each output more (arXiv:2402.09353, 4.1).
    void magnitudes();

    /// Resident bytes printed by fms-acceleration: Mistral 7B 4.31, Llama 3 8B 5.88, Llama 2 70B 37.18 GB, all nf4 with
    /// LoRA of rank 16 on attention in fp32.
    void resident_data();
    void resident();

    /// The peaks of fms-acceleration's single GPU: Mistral 7B, 4 x 4,096 tokens, recomputed.
    void peaks();

    /// Attention alone keeps less than all matrices; 4-bit matrices keep their inputs, whoever is adapted.
    void keptInputs();

    /// No logits with a fused loss.
    void fusedLoss();

    /// Frozen weights have no gradient of their own: two thirds of the matrix products of full training.
    void fewerProducts();
    void words();
};

void AdapterTest::counts_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<AdapterTargets>("targets");
    QTest::addColumn<int>("rank");
    QTest::addColumn<qint64>("parameters");
    // "trainable params: 4,194,304" of PEFT's Llama 2 7B examples; 8 * 32 * 2 * (4096 + 4096)
    QTest::newRow("q, v") << u"llama-2-7b"_s << queryAndValue << 8 << qint64(4'194'304);
    QTest::newRow("all") << u"llama-2-7b"_s << allLinear << 8 << qint64(19'988'480);
    QTest::newRow("all, 64") << u"llama-2-7b"_s << allLinear << 64 << qint64(159'907'840);
    QTest::newRow("grouped") << u"llama-3-8b"_s << allLinear << 16 << qint64(41'943'040);
}

void AdapterTest::counts()
{
    QFETCH(QString, model);
    QFETCH(AdapterTargets, targets);
    QFETCH(int, rank);
    QFETCH(qint64, parameters);
    const Workload workload = adapted(model, targets, rank);
    QCOMPARE(qint64(adapterParameters(workload.adapter, workload.shape)), parameters);
}

void AdapterTest::magnitudes()
{
    Workload workload = adapted(u"llama-2-7b"_s, allLinear, 8);
    const double lora = adapterParameters(workload.adapter, workload.shape);
    workload.adapter.method = AdapterMethod::Dora;
    QCOMPARE(adapterParameters(workload.adapter, workload.shape) - lora, 32.0 * (5 * 4096 + 2 * 11008));
}

void AdapterTest::resident_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<double>("gigabytes");
    QTest::newRow("Mistral 7B") << u"mistral-7b"_s << 4.31;
    QTest::newRow("Llama 3 8B") << u"llama-3-8b"_s << 5.88;
    QTest::newRow("Llama 2 70B") << u"llama-2-70b"_s << 37.18;
}

void AdapterTest::resident()
{
    QFETCH(QString, model);
    QFETCH(double, gigabytes);
    Workload workload = adapted(model, attentionTargets, 16);
    workload.adapter.quantisation = Quantisation::Nf4Double;
    const MemoryParts parts = adapterMemory(workload, u"trl"_s);
    const double found = (parts.weights + parts.optimizer) / 1e9;
    QVERIFY2(std::abs(found / gigabytes - 1) < 0.01, qPrintable(QString::number(found)));
}

void AdapterTest::peaks()
{
    Workload workload = adapted(u"mistral-7b"_s, attentionTargets, 16);
    workload.sequence = 4096;
    Layout layout;
    layout.microBatch = 4;
    workload.adapter.quantisation = Quantisation::Nf4Double;
    workload.fusedNorms = false;
    const double plain = adapterMemory(workload, u"trl"_s, layout).total() / (1024.0 * 1024 * 1024);
    QVERIFY2(std::abs(plain / 15.249 - 1) < 0.03, qPrintable(QString::number(plain)));
    workload.adapter.wideStream = true; // 2 h bytes a token and block more
    const double wide = adapterMemory(workload, u"trl"_s, layout).total() / (1024.0 * 1024 * 1024);
    QCOMPARE((wide - plain) * 1024 * 1024 * 1024 / (4.0 * 4096 * 2 * 4096 * 32), 1.0);
}

void AdapterTest::keptInputs()
{
    const auto kept = [](AdapterTargets targets, Quantisation quantisation) {
        Workload workload = adapted(u"llama-3-8b"_s, targets, 8);
        workload.recompute = Recompute::None;
        workload.adapter.quantisation = quantisation;
        return adapterMemory(workload, u"peft"_s).activations / (2048.0 * 32);
    };
    const double difference = kept(allLinear, Quantisation::None) - kept(attentionTargets, Quantisation::None);
    QVERIFY(std::abs(difference - (2.0 * 4096 + 2.0 * 14336)) < 1.0); // gate and up share one input; down has its own
    QCOMPARE(kept(attentionTargets, Quantisation::Nf4), kept(allLinear, Quantisation::Nf4));
    QCOMPARE(kept(allLinear, Quantisation::Nf4), kept(allLinear, Quantisation::None));
    QVERIFY(kept(attentionTargets, Quantisation::Int8) < kept(allLinear, Quantisation::Int8));
}

void AdapterTest::fusedLoss()
{
    Workload workload = adapted(u"llama-3-8b"_s, allLinear, 8);
    const double whole = adapterMemory(workload, u"axolotl"_s).total();
    workload.loss = LossKind::Fused;
    QVERIFY(whole - adapterMemory(workload, u"axolotl"_s).total() > 0.5 * 11 * 2048.0 * 128256);
}

void AdapterTest::fewerProducts()
{
    Workload workload = adapted(u"llama-3-8b"_s, queryAndValue, 8);
    workload.sequence = 4096;
    Layout layout;
    layout.microBatch = 4;
    const auto seconds = [&](const Workload& w) {
        return TimeModel(w, *trainingStack(u"pytorch"_s), gpuFigures(u"a100-80"_s)).estimate(layout).seconds;
    };
    const double lora = seconds(workload);
    workload.adapter.method = AdapterMethod::None;
    const double ratio = seconds(workload) / lora;
    QVERIFY2(ratio > 1.15 && ratio < 1.5, qPrintable(QString::number(ratio)));
}

void AdapterTest::words()
{
    QCOMPARE(adapterTargets(u"q_proj"), AdapterTargets(AdapterTarget::Query));
    QCOMPARE(adapterTargets(u"ALL-LINEAR"), allLinear);
    QCOMPARE(adapterTargets(u"sauna"), AdapterTargets());
    QCOMPARE(toWords(queryAndValue), QStringList({u"q_proj"_s, u"v_proj"_s}));
    AdapterTargets again;
    for (const QString& word : toWords(allLinear))
        again |= adapterTargets(word);
    QCOMPARE(again, allLinear);
}

RANKWRIGHT_TEST_MAIN(AdapterTest)
#include "tst_adapter.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/searchspace.h"
#include "models/planner/planning/advice.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "tests/support/testbase.h"

#include <QJsonObject>
#include <QRandomGenerator>

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const Catalogue& sites()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

/// The whole of it is label long; a plain run takes a sample. RANKWRIGHT_PLANS: "all", or a number of designs a site.
bool isWhole() { return qEnvironmentVariable("RANKWRIGHT_PLANS") == u"all"; }

int designsOfASite()
{
    const int named = qEnvironmentVariableIntValue("RANKWRIGHT_PLANS");
    return isWhole() ? 100 : named > 0 ? named : 2;
}

const QStringList& fiftyModels()
{
    static const QStringList names{u"gpt-2-small"_s, u"gpt-2-xl"_s, u"gpt-neox-20b"_s, u"gpt-3-175b"_s, u"opt-1.3b"_s,
        u"opt-66b"_s, u"bloom-7.1b"_s, u"bloom-176b"_s, u"llama-1-13b"_s, u"llama-2-7b"_s, u"llama-2-70b"_s,
        u"llama-3-8b"_s, u"llama-3-70b"_s, u"llama-3.1-405b"_s, u"llama-3.2-1b"_s, u"llama-3.2-3b"_s,
        u"tinyllama-1.1b"_s, u"mistral-7b"_s, u"mixtral-8x7b"_s, u"mixtral-8x22b"_s, u"qwen2.5-0.5b"_s,
        u"qwen2.5-14b"_s, u"qwen2.5-72b"_s, u"qwen3-4b"_s, u"qwen3-32b"_s, u"qwen3-30b-a3b"_s, u"qwen3-235b-a22b"_s,
        u"gemma-7b"_s, u"gemma-2-27b"_s, u"phi-2"_s, u"phi-4-14b"_s, u"olmo-2-13b"_s, u"viking-33b"_s, u"falcon-40b"_s,
        u"mpt-30b"_s, u"bert-base"_s, u"bert-large"_s, u"roberta-large"_s, u"t5-base"_s, u"t5-11b"_s, u"vit-b-16"_s,
        u"vit-l-16"_s, u"vit-h-14"_s, u"resnet-50"_s, u"resnet-152"_s, u"whisper-small"_s, u"whisper-large-v3"_s,
        u"deepseek-v2-lite"_s, u"deepseek-v3"_s, u"gpt-oss-20b"_s};
    return names;
}

JobSpec openDesign(const QString& cluster, const QString& preset, qint64 batch)
{
    JobSpec spec;
    spec.name = u"plan"_s;
    spec.cluster = cluster;
    spec.account = u"abc"_s;
    spec.model = QJsonObject{{u"preset"_s, preset}};
    if (batch > 0)
        spec.training.globalBatch = batch;
    return spec;
}

template <typename T>
T oneOf(QRandomGenerator& dice, std::initializer_list<T> values)
{
    return *(values.begin() + dice.bounded(int(values.size())));
}

/// A design as people leave it half open: one of the fifty models, and one thing or none that it names.
JobSpec someDesign(const QString& cluster, int number)
{
    QRandomGenerator dice(quint32(
        qHashBits(cluster.constData(), std::size_t(cluster.size()) * sizeof(QChar), 7) + std::size_t(number) * 7919));
    JobSpec spec = openDesign(cluster, fiftyModels().at(dice.bounded(int(fiftyModels().size()))),
        oneOf<qint64>(dice, {0, 256, 512, 960, 1024}));
    switch (dice.bounded(12)) {
    case 0: spec.training.microBatch = oneOf<qint64>(dice, {1, 2, 3, 4}); break;
    case 1: spec.parallel.strategy = Strategy::Fsdp; break;
    case 2: spec.adapter.method = AdapterMethod::Lora; break;
    case 3: spec.adapter.quantisation = Quantisation::Nf4; break;
    case 4: spec.resources.nodes = oneOf(dice, {1, 2, 4}); break;
    case 5: spec.training.activationCheckpointing = ActivationCheckpointing::Full; break;
    case 6: spec.training.sequence = 2048; break;
    case 7: spec.training.offload = oneOf(dice, {Offload::Activations, Offload::None}); break;
    case 8: // programs for fine-tuning, whose recipes recompute where a design says nothing
        spec.training.framework
            = oneOf(dice, {Framework::Trl, Framework::Torchtune, Framework::Axolotl, Framework::LlamaFactory});
        spec.adapter.method = AdapterMethod::Lora;
        break;
    default: break;
    }
    return spec;
}

Result<SearchResult> found(const JobSpec& spec, const SearchLimits& limits)
{
    const ClusterProfile& profile = *sites().find(spec.cluster);
    const ResolvedSpec resolved = resolve(spec, profile);
    return searchLayouts(resolved, planBatch(resolved), profile, limits);
}

QString layoutText(const QString& partition, Strategy strategy, const Layout& layout, Recompute recompute)
{
    return u"%1 %2x%3 %4 t%5 p%6 c%7 e%8 v%9 "_s.arg(partition)
               .arg(layout.nodes)
               .arg(layout.gpusPerNode)
               .arg(toText(strategy))
               .arg(layout.tensor)
               .arg(layout.pipeline)
               .arg(layout.context)
               .arg(layout.expert)
               .arg(layout.virtualStages)
        + u"%1x%2 %3"_s.arg(layout.microBatch).arg(layout.accumulation).arg(toText(recompute));
}

QString layoutText(const Candidate& one)
{
    return layoutText(one.partition, one.strategy, one.layout, one.recompute) + u' ' + toText(one.offload);
}

QString layoutText(const Derived& design)
{
    const PlannedRun& run = design.estimate->run;
    return layoutText(design.resolved.partition, design.resolved.strategy, run.layout, run.workload.recompute) + u' '
        + toText(run.workload.offloadActivations ? Offload::Activations : run.workload.offload);
}

QString wordsOf(const JobSpec& spec) { return QString::fromUtf8(writeDesign(spec)).simplified(); }

} // namespace

/// What advise says, an open design becomes, search and the Plan page list first; and that none of it is absurd.
class OneAnswerTest : public test::Suite {
    Q_OBJECT
private slots:
    void sameEverywhere_data() { addSites(); }
    void sameEverywhere();
    void tunersAgree_data();
    void tunersAgree();
    void nothingAbsurd_data() { addSites(); }
    void nothingAbsurd();
    void limitsAreMet_data() { addSites(); }
    void limitsAreMet();

private:
    void addSites()
    {
        QTest::addColumn<QString>("cluster");
        for (const QString& name : sites().names())
            QTest::newRow(qPrintable(name)) << name;
    }
};

/// 100 designs of each site.
void OneAnswerTest::sameEverywhere()
{
    QFETCH(QString, cluster);
    const ClusterProfile& profile = *sites().find(cluster);
    const int designs = designsOfASite();
    for (int number = 0; number < designs; ++number) {
        const JobSpec spec = someDesign(cluster, number);
        const Derived design = derive(spec, profile);
        if (!design.estimate)
            continue; // nothing is known of its GPUs
        const auto advice = advise(design.resolved, design.batch, profile);
        SearchLimits limits;
        const auto plan = found(spec, limits); // as the Plan page looks
        limits.kept = Kept::Named; // as the command line does
        const auto search = found(spec, limits);
        QCOMPARE(bool(advice), search && !search->candidates.isEmpty());
        if (!advice)
            continue;
        const QString what = u'\n' + wordsOf(spec);
        QVERIFY2(layoutText(search->candidates.first()) == layoutText(advice->best),
            qPrintable(layoutText(search->candidates.first()) + u'\n' + layoutText(advice->best) + what));
        QVERIFY2(layoutText(plan->candidates.first()) == layoutText(advice->best),
            qPrintable(layoutText(plan->candidates.first()) + u'\n' + layoutText(advice->best) + what));
        if (search->opened.isEmpty() && (!spec.resources.nodes || !spec.parallel.strategy))
            QVERIFY2(layoutText(design) == layoutText(advice->best),
                qPrintable(layoutText(design) + u'\n' + layoutText(advice->best) + what));
        for (const Candidate& one : search->candidates)
            QVERIFY(one.efficiency <= 1 && one.efficiency > 0);
    }
}

/// What a fine-tuning program does unasked (recompute, keep activations in the node's memory) is the same in search and
/// estimate, also where a small model needs none of it.
void OneAnswerTest::tunersAgree_data()
{
    QTest::addColumn<int>("framework");
    for (const Framework stack : {Framework::Trl, Framework::Torchtune, Framework::Axolotl, Framework::LlamaFactory,
             Framework::MsSwift, Framework::Litgpt, Framework::Unsloth})
        QTest::newRow(qPrintable(toText(stack))) << int(stack);
}

void OneAnswerTest::tunersAgree()
{
    QFETCH(int, framework);
    const QString cluster = u"leonardo"_s;
    const ClusterProfile& profile = *sites().find(cluster);
    for (const qint64 sequence : {512, 8192}) {
        JobSpec spec = openDesign(cluster, u"llama-3.2-1b"_s, 64);
        spec.training.framework = Framework(framework);
        spec.training.sequence = sequence;
        spec.adapter.method = AdapterMethod::Lora;
        spec.resources.nodes = 1;
        if (spec.training.framework == Framework::Unsloth)
            spec.resources.gpusPerNode = 1;
        SearchLimits limits;
        limits.kept = Kept::Named;
        const auto search = found(spec, limits);
        QVERIFY(search && !search->candidates.isEmpty());
        const Derived design = derive(spec, profile);
        QVERIFY(bool(design.estimate));
        QCOMPARE(layoutText(design), layoutText(search->candidates.first()));
        const double seconds = design.estimate->step.seconds;
        QVERIFY(std::abs(seconds / search->candidates.first().stepSeconds - 1) < 1e-6);
    }
}

/// Fifty models by every objective: nothing is faster than any published run has been, the host has the memory, the
/// batch is split, and the script written for it checks clean.
void OneAnswerTest::nothingAbsurd()
{
    QFETCH(QString, cluster);
    const ClusterProfile& profile = *sites().find(cluster);
    const int step = qMax(1, 50 / designsOfASite());
    for (int number = int(cluster.size()) % step; number < fiftyModels().size(); number += step) {
        JobSpec spec = openDesign(cluster, fiftyModels().at(number), 960);
        if (number % 4 == 1)
            spec.adapter.method = AdapterMethod::Lora;
        if (number % 4 == 2)
            spec.adapter.quantisation = Quantisation::Nf4;
        for (const Objective objective : {Objective::Recommended, Objective::Time, Objective::Cost, Objective::Nodes}) {
            SearchLimits limits;
            limits.objective = objective;
            limits.maxNodes = 64;
            limits.top = isWhole() ? 5 : 1;
            const auto search = found(spec, limits);
            if (!search)
                continue;
            for (const Candidate& one : search->candidates) {
                JobSpec applied = spec;
                one.applyTo(applied);
                const Derived design = derive(applied, profile);
                const QString what = toText(objective) + u' ' + layoutText(one) + u' ' + wordsOf(spec);
                QVERIFY2(one.mfu > 0 && one.mfu <= 0.75, qPrintable(QString::number(one.mfu) + u' ' + what));
                QVERIFY2(one.layout.globalBatch() == 960, qPrintable(what));
                QVERIFY2(one.efficiency <= 1, qPrintable(what));
                QVERIFY2(bool(design.estimate), qPrintable(what));
                QVERIFY2(mayRun(design.estimate->memory), qPrintable(what));
                QVERIFY2(design.estimate->memory.hostBytesPerNode <= hostMemoryOf(design.resolved.node).bytes,
                    qPrintable(what));
                for (const Finding& finding : design.findings()) {
                    const bool ofTheSite = finding.field == field::account || finding.field == field::cluster
                        || finding.slug == u"cluster-retired";
                    QVERIFY2(finding.severity != Severity::Error || ofTheSite,
                        qPrintable(what + u'\n' + finding.slug + u' ' + finding.text));
                }
            }
        }
    }
}

/// Time, budget, nodes and batch: what is listed keeps to them.
void OneAnswerTest::limitsAreMet()
{
    QFETCH(QString, cluster);
    const int designs = designsOfASite();
    for (int number = 0; number < designs; ++number) {
        QRandomGenerator dice{quint32(number)};
        JobSpec spec = someDesign(cluster, number);
        if (number % 2 == 0)
            spec.training.datasetSamples = oneOf<qint64>(dice, {100'000, 1'000'000, 10'000'000});
        else
            spec.training.datasetTokens = oneOf<qint64>(dice, {1'000'000'000, 20'000'000'000});
        SearchLimits limits;
        limits.maxNodes = oneOf(dice, {1, 4, 16, 50});
        limits.withinSeconds = oneOf(dice, {86400.0, 7 * 86400.0});
        limits.budget = oneOf(dice, {300.0, 3000.0, 100'000.0});
        limits.top = 20;
        const auto search = found(spec, limits);
        if (!search)
            continue;
        for (const Candidate& one : search->candidates) {
            const QString what = layoutText(one) + u' ' + wordsOf(spec);
            QVERIFY2(one.layout.nodes <= limits.maxNodes, qPrintable(what));
            QVERIFY2(one.totalSeconds && *one.totalSeconds <= *limits.withinSeconds, qPrintable(what));
            if (one.totalCost)
                QVERIFY2(*one.totalCost <= *limits.budget, qPrintable(what));
            if (spec.training.globalBatch)
                QVERIFY2(one.layout.globalBatch() == *spec.training.globalBatch, qPrintable(what));
        }
    }
}

RANKWRIGHT_TEST_MAIN(OneAnswerTest)
#include "tst_oneanswer.moc"

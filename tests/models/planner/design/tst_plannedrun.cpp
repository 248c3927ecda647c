// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/plannedrun.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

Result<PlannedRun> planned(const ClusterProfile& profile, const std::function<void(JobSpec&)>& change = {})
{
    JobSpec spec;
    spec.cluster = profile.name;
    spec.model = {{u"preset"_s, u"llama-3-8b"_s}};
    spec.parallel.strategy = Strategy::Fsdp;
    if (change)
        change(spec);
    const ResolvedSpec resolved = resolve(spec, profile);
    return planRun(resolved, planBatch(resolved), profile);
}

} // namespace

class PlannedRunTest final : public test::Suite {
    Q_OBJECT
private slots:
    void noNodesInTheCatalogue();
    void remembersNothingOfAnotherCluster();
    void takesTheWordsOfADesign();
    void selectiveIsTheStacksHabit();

private:
    Catalogue m_catalogue = loadCatalogue();
};

/// Each HyperPod is another cluster: its catalogue has neither partitions nor figures to choose.
void PlannedRunTest::noNodesInTheCatalogue()
{
    const auto run = planned(*m_catalogue.find(u"aws-hyperpod"_s));
    QVERIFY(!run);
    QVERIFY2(run.error().remedy.contains(u"clusters --draft"_s), qPrintable(run.error().remedy));
    QVERIFY2(!run.error().remedy.contains(u"Choose a partition"_s), qPrintable(run.error().remedy));
}

/// The memo of GPU figures is keyed by all that they are made of: an edited cluster file counts at once.
void PlannedRunTest::remembersNothingOfAnotherCluster()
{
    ClusterProfile profile = *m_catalogue.find(u"lumi"_s);
    const auto before = planned(profile);
    QVERIFY_RESULT(before);
    QVERIFY(before->gpu.source.endsWith(profile.title));
    profile.title = u"Another title"_s;
    const auto after = planned(profile);
    QVERIFY_RESULT(after);
    QVERIFY2(after->gpu.source.endsWith(u"Another title"_s), qPrintable(after->gpu.source));
}

void PlannedRunTest::takesTheWordsOfADesign()
{
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    const auto open = planned(profile);
    QVERIFY_RESULT(open);
    QCOMPARE(open->stack, Framework::Fsdp2);
    QCOMPARE(open->workload.optimizer, Optimizer::AdamW);
    QCOMPARE(open->workload.attention, AttentionKind::Flash);
    QCOMPARE(open->workload.recompute, Recompute::None);
    QCOMPARE(open->workload.offload, Offload::None);
    const auto asked = planned(profile, [](JobSpec& spec) {
        spec.training.framework = Framework::Fsdp1;
        spec.training.optimizer = Optimizer::AdamW8bit;
        spec.training.attention = AttentionKind::Standard;
        spec.training.activationCheckpointing = ActivationCheckpointing::Full;
        spec.training.offload = Offload::OptimizerAndParameters;
        spec.training.trainedFraction = 0.01;
        spec.training.frozen = FrozenWeights::Nf4;
    });
    QVERIFY_RESULT(asked);
    QCOMPARE(asked->stack, Framework::Fsdp1);
    QCOMPARE(asked->workload.optimizer, Optimizer::AdamW8bit);
    QCOMPARE(asked->workload.attention, AttentionKind::Standard);
    QCOMPARE(asked->workload.recompute, Recompute::Full);
    QCOMPARE(asked->workload.offload, Offload::OptimizerAndParameters);
    QCOMPARE(asked->workload.frozenBytesPerParameter, 0.55); // Dettmers et al. 2023, 2305.14314, section 3
}

void PlannedRunTest::selectiveIsTheStacksHabit()
{
    QCOMPARE(recomputeOf(ActivationCheckpointing::Selective, Framework::Fsdp2), Recompute::SelectiveOperations);
    QCOMPARE(recomputeOf(ActivationCheckpointing::Selective, Framework::MegatronCore), Recompute::SelectiveAttention);
    for (const Recompute recompute : {Recompute::None, Recompute::SelectiveAttention, Recompute::SelectiveOperations,
             Recompute::SelectiveLayers, Recompute::Full}) {
        const ActivationCheckpointing asked = checkpointingOf(recompute);
        QCOMPARE(recompute == Recompute::None, asked == ActivationCheckpointing::None);
        QCOMPARE(recompute == Recompute::Full, asked == ActivationCheckpointing::Full);
    }
}

RANKWRIGHT_TEST_MAIN(PlannedRunTest)
#include "tst_plannedrun.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/plannedrun.h"
#include "models/script/write/launchers.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QJsonObject>
#include <QRegularExpression>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// Numbers that a script prints behind a word, wherever it does: "--nodes=", "gradient_accumulation_steps: ".
QList<qint64> numbersBehind(const QString& script, const QString& word)
{
    const QRegularExpression form(u"(?<![\\w-])"_s + QRegularExpression::escape(word) + u"\"?[=: ]+(\\d+)"_s);
    QList<qint64> found;
    for (auto match = form.globalMatch(script); match.hasNext();)
        found.append(match.next().captured(1).toLongLong());
    return found;
}

/// What is wrong, one line each; empty: they agree.
class Comparison {
public:
    Comparison(QString script, const PlannedRun& run) : m_script(std::move(script)), m_run(run) { }
    QStringList differences()
    {
        const Layout& layout = m_run.layout;
        wants(u"--nodes"_s, layout.nodes);
        wants(u"--num_machines"_s, layout.nodes); // "$SLURM_NNODES" is not a number
        wants(u"--num_processes"_s, layout.gpus());
        wants(u"num_processes"_s, layout.gpus());
        wants(u"--nproc_per_node"_s, layout.gpus() / layout.nodes);
        wants(u"--num_gpus"_s, layout.gpus() / layout.nodes);
        for (const char* word : {"train_micro_batch_size_per_gpu", "--micro-batch-size", "local_batch_size"})
            wants(QString::fromLatin1(word), layout.microBatch);
        for (const char* word : {"gradient_accumulation_steps", "megatron_lm_num_micro_batches"})
            wants(QString::fromLatin1(word), layout.accumulation);
        for (const char* word : {"--global-batch-size", "global_batch_size"})
            wants(QString::fromLatin1(word), layout.globalBatch());
        for (const char* word : {"--tensor-model-parallel-size", "megatron_lm_tp_degree", "tensor_parallel_degree"})
            wants(QString::fromLatin1(word), layout.tensor);
        for (const char* word : {"--pipeline-model-parallel-size", "megatron_lm_pp_degree", "pipeline_parallel_degree"})
            wants(QString::fromLatin1(word), layout.pipeline);
        for (const char* word : {"--context-parallel-size", "context_parallel_degree"})
            wants(QString::fromLatin1(word), layout.context);
        precision();
        ranks();
        return m_wrong;
    }
    int compared() const { return m_compared; }

private:
    void wants(const QString& word, qint64 value)
    {
        for (const qint64 found : numbersBehind(m_script, word))
            check(found == value, u"%1 %2, the estimate has %3"_s.arg(word).arg(found).arg(value));
    }
    void check(bool good, const QString& what)
    {
        ++m_compared;
        if (!good)
            m_wrong.append(what);
    }
    void says(const QString& word, bool expected)
    {
        if (m_script.contains(word))
            check(expected, word + u", the estimate has "_s + toText(m_run.workload.precision));
    }
    void precision()
    {
        const Precision computed = m_run.workload.precision;
        const bool bf16 = computed == Precision::Bf16Mixed || computed == Precision::Bf16;
        const bool fp16 = computed == Precision::Fp16Mixed;
        says(u"\"bf16\": { \"enabled\": true }"_s, bf16);
        says(u"\"fp16\": { \"enabled\": true }"_s, fp16);
        says(u" --bf16"_s, bf16);
        says(u" --fp16"_s, fp16);
        says(u"mixed_precision: bf16"_s, bf16);
        says(u"mixed_precision: fp16"_s, fp16);
        says(u"mixed_precision: 'no'"_s, !fp16 && computed != Precision::Bf16Mixed);
        says(u"mixed_precision_param = \"bfloat16\""_s, bf16 || fp16); // torchtitan has no fp16
        says(u"mixed_precision_param = \"float32\""_s, !bf16 && !fp16);
    }
    /// Tasks times workers of each.
    void ranks()
    {
        const QList<qint64> nodes = numbersBehind(m_script, u"--nodes"_s);
        const QList<qint64> tasks = numbersBehind(m_script, u"--ntasks-per-node"_s);
        QList<qint64> workers = numbersBehind(m_script, u"--nproc_per_node"_s);
        if (workers.isEmpty())
            workers = numbersBehind(m_script, u"--num_gpus"_s);
        static const QRegularExpression deepspeed(
            u"^ +(?:deepspeed|.*deepspeed\\.launcher\\.runner) "_s, QRegularExpression::MultilineOption);
        static const QRegularExpression owned(u"--(?:gpus-per-node|gres)=(?:[A-Za-z][\\w.-]*:)*(\\d+)"_s);
        if (workers.isEmpty() && m_script.contains(deepspeed)) // a worker for each GPU that it sees
            workers = {owned.match(m_script).captured(1).toLongLong()};
        const QList<qint64> whole = numbersBehind(m_script, u"--num_processes"_s);
        if (nodes.isEmpty() || tasks.isEmpty())
            return;
        const qint64 started = !whole.isEmpty() ? whole.first() : nodes.first() * tasks.first() * workers.value(0, 1);
        check(started == m_run.layout.gpus(),
            u"%1 ranks are started, the estimate has %2"_s.arg(started).arg(m_run.layout.gpus()));
    }

    QString m_script;
    const PlannedRun& m_run;
    QStringList m_wrong;
    int m_compared = 0;
};

} // namespace

/// What the estimate reckons with is what the script runs: ranks, nodes, batch, precision, degrees; on each cluster of
/// the catalogue, with each strategy and launcher, said and left open.
class ScriptEstimateTest final : public test::Suite {
    Q_OBJECT
private slots:
    void agree_data();
    void agree();
    void mistakesAreSeen();

private:
    Catalogue m_catalogue = loadCatalogue();
};

void ScriptEstimateTest::agree_data()
{
    QTest::addColumn<QString>("cluster");
    for (const ClusterProfile& profile : m_catalogue.clusters)
        QTest::newRow(qPrintable(profile.name)) << profile.name;
}

void ScriptEstimateTest::agree()
{
    QFETCH(QString, cluster);
    const ClusterProfile& profile = *m_catalogue.find(cluster);
    int compared = 0, planned = 0;
    QStringList wrong;
    const auto look = [&](const JobSpec& spec, const QString& what) {
        const ResolvedSpec resolved = resolve(spec, profile);
        const auto run = planRun(resolved, planBatch(resolved), profile);
        if (!run || !launchProblem(resolved).isEmpty())
            return; // a layout that cannot be is a finding, not a figure
        ++planned;
        Comparison comparison(writeScript(resolved, profile).text(), *run);
        for (const QString& difference : comparison.differences())
            wrong.append(what + u": "_s + difference);
        compared += comparison.compared();
    };
    for (const auto& strategy : enumWords<Strategy>()) {
        for (const auto& launcher : enumWords<Launcher>()) {
            for (int variant = 0; variant < 4; ++variant) {
                JobSpec spec;
                spec.cluster = cluster;
                spec.account = u"project"_s;
                spec.time = Seconds{3600};
                spec.resources.nodes = 1 + variant % 2;
                spec.parallel.strategy = strategy.value;
                spec.launcher = launcher.value;
                spec.command = strategy.value == Strategy::ThreeD ? u"pretrain_gpt.py"_s : u"train.py"_s;
                spec.model = QJsonObject{{u"preset"_s, u"gpt-2-small"_s}};
                if (variant >= 2) { // said
                    spec.training.microBatch = 2;
                    spec.training.globalBatch = 192;
                    spec.training.precision = variant == 2 ? Precision::Fp16Mixed : Precision::Fp32;
                }
                if (strategy.value == Strategy::Single)
                    spec.resources.nodes = 1; // more is a finding (trainingchecks), not a run
                if (variant == 3)
                    spec.training.framework = Framework::MegatronCore;
                look(spec,
                    u"%1, %2, %3"_s.arg(QString::fromLatin1(strategy.word.data(), strategy.word.size()),
                        QString::fromLatin1(launcher.word.data(), launcher.word.size()), QString::number(variant)));
            }
        }
    }
    QVERIFY2(
        wrong.isEmpty(), qPrintable(u"%1 of %2\n"_s.arg(wrong.size()).arg(compared) + wrong.mid(0, 60).join(u'\n')));
    QVERIFY2(planned == 0 || compared > 3 * planned, qPrintable(u"%1 in %2 designs"_s.arg(compared).arg(planned)));
}

/// The comparison itself finds what it is for.
void ScriptEstimateTest::mistakesAreSeen()
{
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    JobSpec spec;
    spec.cluster = profile.name;
    spec.resources = {2, 8, {}, {}};
    spec.launcher = Launcher::Accelerate;
    spec.parallel.strategy = Strategy::Zero2;
    spec.command = u"train.py"_s;
    spec.model = QJsonObject{{u"preset"_s, u"gpt-2-small"_s}};
    const ResolvedSpec resolved = resolve(spec, profile);
    auto run = planRun(resolved, planBatch(resolved), profile);
    QVERIFY_RESULT(run);
    const QString script = writeScript(resolved, profile).text();
    QCOMPARE(Comparison(script, *run).differences(), QStringList());
    PlannedRun other = *run;
    other.workload.precision = Precision::Fp16Mixed;
    QCOMPARE(Comparison(script, other).differences().size(), 1);
    other = *run;
    other.layout.accumulation += 1;
    QVERIFY(!Comparison(script, other).differences().isEmpty());
    other = *run;
    other.layout.data *= 2;
    QVERIFY(Comparison(script, other).differences().join(u' ').contains(u"ranks are started"_s));
}

RANKWRIGHT_TEST_MAIN(ScriptEstimateTest)
#include "tst_scriptestimate.moc"

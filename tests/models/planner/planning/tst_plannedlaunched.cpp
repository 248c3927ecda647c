// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/layoutsearch.h"
#include "models/script/checks/launchchecks.h"
#include "models/script/read/launchedswitches.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

struct Stack {
    Framework framework;
    Launcher launcher;
    const char* command;
};

constexpr Stack stacks[]{
    {Framework::MegatronCore, Launcher::Torchrun, "pretrain_gpt.py --data-path corpus"},
    {Framework::MegatronDeepspeed, Launcher::Srun, "pretrain_gpt.py --data-path corpus"},
    {Framework::Fsdp2, Launcher::Torchrun, "-m torchtitan.train"},
    {Framework::Fsdp2, Launcher::Accelerate, "train.py"},
    {Framework::Fsdp1, Launcher::Accelerate, "train.py"},
    {Framework::Deepspeed, Launcher::Torchrun, "train.py"},
    {Framework::HfTrainer, Launcher::Accelerate, "train.py"},
    {Framework::HfTrainer, Launcher::Torchrun, "run_clm.py --output_dir out"},
    {Framework::Nemo, Launcher::Srun, "megatron_gpt_pretraining.py"},
    {Framework::Nemo, Launcher::Torchrun, "megatron/bridge/run_recipe.py"},
    {Framework::Nemo, Launcher::Srun, "nemo llm pretrain --factory llama3_8b"},
    {Framework::Fsdp2, Launcher::Torchrun, "-m torchtitan.train --module llama3 --config llama3_8b"},
};

const ClusterProfile& siteOf(const QString& name)
{
    static const Catalogue all = loadCatalogue();
    return *all.find(name);
}

/// What a script alone says of its layout; the model and the stack are named beside it.
std::optional<PlannedRun> rebuilt(const QString& text, const JobSpec& design, const ClusterProfile& profile)
{
    const BatchText batch = parseBatch(text);
    JobSpec spec = readScript(batch, profile).spec;
    spec.model = design.model;
    spec.training.framework = design.training.framework;
    spec.training.sequence = design.training.sequence;
    const LaunchedSwitches switches = launchedSwitches(batch, profile);
    if (!switches.says(field::microBatch)) // the program's own argument
        spec.training.microBatch = design.training.microBatch;
    if (!switches.says(field::globalBatch))
        spec.training.globalBatch = design.training.globalBatch;
    ResolvedSpec launched = resolve(spec, profile);
    launched.activationCheckpointing = spec.training.activationCheckpointing; // not what would be chosen today
    launched = asLaunched(launched, switches);
    const auto run = planRun(launched, planBatch(launched), profile);
    return run ? std::optional(*run) : std::nullopt;
}

QString shown(const PlannedRun& run)
{
    QStringList words;
    for (const Assumption& one : assumptionsOf(run))
        words.append(one.field + u'=' + one.value);
    return words.join(u' ');
}

/// Megatron on LUMI, tensor parallelism 2: 8 billion parameters fit only with what Megatron's recipes switch on.
JobSpec eightBillion()
{
    JobSpec spec;
    spec.name = u"plan"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    spec.resources.nodes = 2;
    spec.training.framework = Framework::MegatronCore;
    spec.training.globalBatch = 64;
    spec.training.microBatch = 1;
    spec.training.sequence = 4096;
    spec.parallel.strategy = Strategy::Tensor;
    spec.parallel.tensor = 2;
    spec.command = u"pretrain_gpt.py"_s;
    return spec;
}

QString scriptOf(const JobSpec& spec)
{
    const ClusterProfile& profile = siteOf(spec.cluster);
    return writeScript(resolve(spec, profile), profile).text();
}

QList<Finding> launchFindingsOf(const JobSpec& spec)
{
    const ClusterProfile& profile = siteOf(spec.cluster);
    const ResolvedSpec resolved = resolve(spec, profile);
    const auto estimate = estimateDesign(resolved, planBatch(resolved), profile);
    return estimate ? launchFindings(resolved, profile, *estimate, writtenScript(resolved, profile).batch)
                    : QList<Finding>();
}

/// The design with a line of its script edited by hand.
JobSpec edited(JobSpec spec, const QString& line, const QString& instead)
{
    const ClusterProfile& profile = siteOf(spec.cluster);
    const ScriptDocument generated = generatedScript(resolve(spec, profile), profile);
    QStringList lines = generated.texts();
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!lines.at(i).contains(line))
            continue;
        if (instead.isEmpty())
            lines.removeAt(i);
        else
            lines[i].replace(line, instead);
        break;
    }
    spec.overrides = overridesFor(generated, lines.join(u'\n') + u'\n');
    return spec;
}

} // namespace

/// What is planned is what is launched: every switch that an estimate relies on is in the script, and read back from
/// it.
class PlannedLaunchedTest final : public test::Suite {
    Q_OBJECT
private slots:
    void megatronLaunchesItsSwitches();
    void layoutsComeBack_data();
    void layoutsComeBack();
    void askedSwitchesComeBack_data();
    void askedSwitchesComeBack();
    void handEdits_data();
    void handEdits();
    void aCommandOfItsOwn();
    void aProgramOfItsOwn();
    void typedLaunch();
    void aScriptAlone();
    void adaptersComeBack_data();
    void adaptersComeBack();
    void adaptersOfAnotherProgram();
};

void PlannedLaunchedTest::megatronLaunchesItsSwitches()
{
    const QString text = scriptOf(eightBillion());
    for (const QString& option :
        {u"--sequence-parallel"_s, u"--use-distributed-optimizer"_s, u"--attention-backend=flash"_s, u"--bf16"_s})
        QVERIFY2(text.contains(option), qPrintable(option));
    QVERIFY(launchFindingsOf(eightBillion()).isEmpty());
}

void PlannedLaunchedTest::layoutsComeBack_data()
{
    QTest::addColumn<int>("stack");
    for (int i = 0; i < int(std::size(stacks)); ++i)
        QTest::addRow("%s: %s", qPrintable(toText(stacks[i].framework)), stacks[i].command) << i;
}

void PlannedLaunchedTest::layoutsComeBack()
{
    QFETCH(int, stack);
    const Stack& tried = stacks[stack];
    int layouts = 0;
    for (const QString& cluster : {u"lumi"_s, u"leonardo"_s, u"raven"_s, u"mahti"_s}) {
        const ClusterProfile& profile = siteOf(cluster);
        for (const QString& model : {u"llama-3.2-1b"_s, u"llama-3-8b"_s, u"llama-3-70b"_s, u"mixtral-8x7b"_s}) {
            JobSpec spec;
            spec.name = u"plan"_s;
            spec.cluster = cluster;
            spec.account = u"project_465000001"_s;
            spec.model = QJsonObject{{u"preset"_s, model}};
            spec.training.framework = tried.framework;
            spec.training.globalBatch = 512;
            spec.training.sequence = 4096;
            spec.launcher = tried.launcher;
            spec.command = QString::fromLatin1(tried.command);
            SearchLimits limits;
            limits.maxNodes = 16;
            limits.top = 12;
            limits.perSize = 3;
            const ResolvedSpec open = resolve(spec, profile);
            const auto found = searchLayouts(open, planBatch(open), profile, limits);
            if (!found)
                continue;
            for (const Candidate& candidate : found->candidates) {
                if (candidate.strategy == Strategy::Single)
                    continue;
                JobSpec taken = spec;
                candidate.applyTo(taken);
                const ResolvedSpec resolved = resolve(taken, profile);
                const auto planned = planRun(resolved, planBatch(resolved), profile);
                QVERIFY_RESULT(planned);
                const auto again = rebuilt(writeScript(resolved, profile).text(), taken, profile);
                QVERIFY(again);
                const QByteArray what
                    = (cluster + u' ' + model + u'\n' + shown(*planned) + u'\n' + shown(*again)).toUtf8();
                QVERIFY2(again->layout == planned->layout, what.constData());
                // What accelerate and DeepSpeed have no word for, the program does by itself.
                const LaunchedSwitches said
                    = launchedSwitches(parseBatch(writeScript(resolved, profile).text()), profile);
                if (said.says(field::activationCheckpointing))
                    QVERIFY2(again->workload.recompute == planned->workload.recompute, what.constData());
                if (said.says(field::offload))
                    QVERIFY2(again->workload.offload == planned->workload.offload, what.constData());
                QVERIFY2(again->workload.precision == planned->workload.precision, what.constData());
                ++layouts;
            }
        }
    }
    QVERIFY2(layouts >= 60, qPrintable(QString::number(layouts)));
}

void PlannedLaunchedTest::askedSwitchesComeBack_data()
{
    QTest::addColumn<int>("stack");
    QTest::addColumn<QString>("change");
    for (const int stack : {0, 2}) {
        for (const char* change : {"context", "expert", "chunks", "float8", "recompute", "selective", "offload"})
            QTest::addRow("%s %s", qPrintable(toText(stacks[stack].framework)), change)
                << stack << QString::fromLatin1(change);
    }
    QTest::newRow("titan uneven") << 2 << u"titan uneven"_s;
    for (const char* change : {"uneven", "written out", "ends", "expert tensor"})
        QTest::addRow("megatron %s", change) << 0 << QString::fromLatin1(change);
    QTest::newRow("titan function, uneven") << 11 << u"titan uneven"_s;
    QTest::newRow("titan function, compile") << 11 << u"compile"_s;
    QTest::newRow("titan function, whole weights") << 11 << u"reshard"_s;
    QTest::newRow("Megatron Bridge, expert tensor") << 9 << u"expert tensor"_s;
    QTest::newRow("NeMo 2, expert tensor") << 10 << u"expert tensor"_s;
    QTest::newRow("titan compile") << 2 << u"compile"_s;
    QTest::newRow("titan whole weights") << 2 << u"reshard"_s;
    QTest::newRow("megatron whole norms") << 0 << u"sequence"_s;
    QTest::newRow("megatron whole optimiser") << 0 << u"optimiser"_s;
    QTest::newRow("accelerate whole weights") << 3 << u"reshard"_s;
    QTest::newRow("accelerate whole weights, FSDP 1") << 4 << u"reshard"_s;
    QTest::newRow("accelerate compile") << 3 << u"compile"_s;
}

void PlannedLaunchedTest::askedSwitchesComeBack()
{
    QFETCH(int, stack);
    QFETCH(QString, change);
    JobSpec spec = eightBillion();
    const Stack& tried = stacks[stack];
    spec.resources.nodes = 4;
    spec.training.framework = tried.framework;
    spec.launcher = tried.launcher;
    spec.command = QString::fromLatin1(tried.command);
    const bool megatron = tried.framework == Framework::MegatronCore;
    spec.parallel.strategy = megatron ? Strategy::ThreeD : Strategy::Fsdp;
    spec.parallel.tensor = tried.launcher == Launcher::Accelerate ? 1 : 2;
    spec.parallel.pipeline = megatron ? 2 : 1;
    if (change == u"context"_s)
        spec.parallel.context = 2;
    if (change == u"expert"_s) {
        spec.model = QJsonObject{{u"preset"_s, u"mixtral-8x7b"_s}};
        spec.parallel.expert = 4;
    }
    if (change == u"chunks"_s) {
        spec.parallel.pipeline = 4;
        spec.parallel.virtualStages = 4;
    }
    if (change == u"uneven"_s || change == u"written out"_s || change == u"ends"_s) {
        spec.model
            = QJsonObject{{u"preset"_s, change == u"written out"_s ? u"deepseek-v2-lite"_s : u"llama-3.1-405b"_s}};
        spec.resources.nodes = 64;
        spec.training.globalBatch = 512;
        spec.training.microBatch = 1;
        spec.parallel.pipeline = change == u"written out"_s ? 4 : 8;
        spec.parallel.virtualStages = change == u"ends"_s ? 1 : change == u"written out"_s ? 2 : 8;
        if (change == u"ends"_s) {
            spec.parallel.firstStageLayers = 18;
            spec.parallel.lastStageLayers = 12;
        }
    }
    if (change == u"titan uneven"_s) {
        spec.model = QJsonObject{{u"preset"_s, u"llama-3.1-405b"_s}};
        spec.resources.nodes = 64;
        spec.training.globalBatch = 512;
        spec.parallel.pipeline = 8;
        spec.parallel.virtualStages = 4;
    }
    if (change == u"expert tensor"_s) {
        spec.model = QJsonObject{{u"preset"_s, u"mixtral-8x7b"_s}};
        spec.parallel.expert = 4;
        spec.parallel.expertTensor = 2;
    }
    if (change == u"float8"_s)
        spec.training.float8 = Float8::Tensorwise;
    if (change == u"recompute"_s)
        spec.training.activationCheckpointing = ActivationCheckpointing::Full;
    if (change == u"selective"_s)
        spec.training.activationCheckpointing = ActivationCheckpointing::Selective;
    if (change == u"offload"_s)
        spec.training.offload = megatron ? Offload::OptimizerStates : Offload::OptimizerAndParameters;
    if (change == u"compile"_s)
        spec.training.compile = true;
    if (change == u"reshard"_s)
        spec.parallel.reshard = false;
    if (change == u"sequence"_s)
        spec.parallel.sequenceParallel = false;
    if (change == u"optimiser"_s)
        spec.parallel.shardOptimizer = false;
    const ClusterProfile& profile = siteOf(spec.cluster);
    const ResolvedSpec resolved = resolve(spec, profile);
    const auto planned = planRun(resolved, planBatch(resolved), profile);
    QVERIFY_RESULT(planned);
    JobSpec plain = spec;
    const auto again = rebuilt(writeScript(resolved, profile).text(), plain, profile);
    QVERIFY(again);
    QCOMPARE(shown(*again), shown(*planned));
    QVERIFY(again->layout == planned->layout);
    QVERIFY(again->workload == planned->workload);
}

void PlannedLaunchedTest::handEdits_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("instead");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::newRow("gone") << u"--sequence-parallel"_s << QString() << u"parallel.sequenceParallel"_s
                          << u"The plan assumes --sequence-parallel; the script does not have it: "_s;
    QTest::newRow("optimiser gone") << u"--use-distributed-optimizer"_s << QString() << u"parallel.shardOptimizer"_s
                                    << u"The plan assumes --use-distributed-optimizer; the script does not have it: "_s;
    QTest::newRow("another degree") << u"--tensor-model-parallel-size=2"_s << u"--tensor-model-parallel-size=4"_s
                                    << u"parallel.tensor"_s
                                    << u"The plan assumes --tensor-model-parallel-size 2; the script has 4: "_s;
}

void PlannedLaunchedTest::handEdits()
{
    QFETCH(QString, line);
    QFETCH(QString, instead);
    QFETCH(QString, field);
    QFETCH(QString, text);
    JobSpec spec = edited(eightBillion(), line, instead);
    const QList<Finding> findings = launchFindingsOf(spec);
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().field, field);
    QVERIFY2(findings.first().text.startsWith(text), qPrintable(findings.first().text));
    QVERIFY2(findings.first().text.contains(u" instead of "_s) && findings.first().text.endsWith(u"GiB."_s),
        qPrintable(findings.first().text));
    JobSpec put = spec;
    findings.first().fix->apply(put);
    QVERIFY(launchFindingsOf(put).isEmpty());
    QVERIFY(scriptOf(put).contains(line));
    JobSpec planned = spec; // or the plan takes what the script has
    findings.first().otherFixes.first().apply(planned);
    QVERIFY(launchFindingsOf(planned).isEmpty());
}

void PlannedLaunchedTest::aCommandOfItsOwn()
{
    JobSpec spec = eightBillion();
    spec.command = u"pretrain_gpt.py --tensor-model-parallel-size 4 --lr 1e-4"_s;
    const QList<Finding> findings = launchFindingsOf(spec);
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().field, QString(field::tensor));
    findings.first().fix->apply(spec);
    QVERIFY(launchFindingsOf(spec).isEmpty());
    QVERIFY(spec.command->contains(u"--lr 1e-4"_s));
}

/// A program that takes none of the options decides by itself, and that is said.
void PlannedLaunchedTest::aProgramOfItsOwn()
{
    JobSpec spec = eightBillion();
    spec.training.framework.reset();
    spec.command = u"train.py --lr 1e-4"_s;
    spec.training.compile = true;
    const QList<Finding> findings = launchFindingsOf(spec);
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().slug, u"switches-unpassed"_s);
    QCOMPARE(findings.first().text,
        u"Planned, but not passed: torch.compile, tensor parallelism 2, sequence parallelism, optimiser states split; "
        "train.py decides."_s);
    findings.first().fix->apply(spec);
    spec.training.compile.reset();
    QVERIFY(launchFindingsOf(spec).isEmpty());
}

/// A launch that somebody typed as a whole: the switch is put behind the program's last word.
void PlannedLaunchedTest::typedLaunch()
{
    JobSpec spec = eightBillion();
    const ClusterProfile& profile = siteOf(spec.cluster);
    QString text = scriptOf(spec);
    text.remove(u"         --sequence-parallel \\\n"_s);
    const ScriptDocument generated = generatedScript(resolve(spec, profile), profile);
    spec.overrides = overridesFor(generated, text);
    QVERIFY(!spec.overrides.isEmpty());
    const QList<Finding> findings = launchFindingsOf(spec);
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().field, QString(field::sequenceParallel));
    findings.first().fix->apply(spec);
    QVERIFY(launchFindingsOf(spec).isEmpty());
    QVERIFY(scriptOf(spec).contains(u"--sequence-parallel"_s));
}

/// Without a design the model's figures are in the arguments, and the plan is what Megatron's recipes have.
void PlannedLaunchedTest::aScriptAlone()
{
    const ClusterProfile& profile = siteOf(u"lumi"_s);
    QString text = scriptOf(eightBillion());
    QVERIFY(scriptLaunchFindings(parseBatch(text), profile).isEmpty());
    text.remove(u"         --use-distributed-optimizer \\\n"_s);
    const QList<Finding> own = scriptLaunchFindings(parseBatch(text), profile);
    QCOMPARE(own.size(), 1);
    QCOMPARE(own.first().severity, Severity::Error); // it fits no longer
    QVERIFY(
        own.first().text.startsWith(u"The plan assumes --use-distributed-optimizer; the script does not have it: "_s));
    QCOMPARE(own.first().fix->label, u"Put --use-distributed-optimizer into the command"_s);
    text.replace(u"Written by Rankwright."_s, u"Mine."_s);
    QCOMPARE(scriptLaunchFindings(parseBatch(text), profile).first().severity, Severity::Warning);
}

void PlannedLaunchedTest::adaptersComeBack_data()
{
    QTest::addColumn<Framework>("framework");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("expected"); // as the programs' own documentation spells it
    QTest::newRow("torchtune") << Framework::Torchtune
                               << u"tune run lora_finetune_single_device --config llama3/8B_lora_single_device"_s
                               << u"model.lora_rank=32"_s;
    QTest::newRow("trl") << Framework::Trl << u"trl sft --model_name_or_path meta-llama/Meta-Llama-3-8B"_s
                         << u"--lora_r=32"_s;
    QTest::newRow("axolotl") << Framework::Axolotl << u"axolotl train config.yml"_s << u"--lora-r=32"_s;
    QTest::newRow("llama-factory") << Framework::LlamaFactory << u"llamafactory-cli train config.yaml"_s
                                   << u"lora_rank=32"_s;
    QTest::newRow("litgpt") << Framework::Litgpt << u"litgpt finetune_lora meta-llama/Meta-Llama-3-8B"_s
                            << u"--lora_r=32"_s;
    QTest::newRow("ms-swift") << Framework::MsSwift << u"swift sft --model meta-llama/Meta-Llama-3-8B"_s
                              << u"--lora_rank=32"_s;
}

/// Adapter, base and packing are passed to the stacks that take them, and read back as they were planned.
void PlannedLaunchedTest::adaptersComeBack()
{
    QFETCH(Framework, framework);
    QFETCH(QString, command);
    QFETCH(QString, expected);
    JobSpec spec;
    spec.name = u"tune"_s;
    spec.cluster = u"leonardo"_s;
    spec.account = u"project_465000001"_s;
    spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 1;
    spec.parallel.strategy = Strategy::Single;
    spec.launcher = Launcher::Srun;
    spec.training.framework = framework;
    spec.training.sequence = 2048;
    spec.training.microBatch = 2;
    spec.training.globalBatch = 8;
    spec.adapter.method = AdapterMethod::Lora;
    spec.adapter.rank = 32;
    spec.adapter.alpha = 64;
    spec.adapter.targets = QStringList{u"all-linear"_s};
    spec.adapter.quantisation = Quantisation::Nf4Double;
    spec.command = command;
    if (framework != Framework::Litgpt) // it has no such option
        spec.training.packed = false;
    const ClusterProfile& profile = siteOf(spec.cluster);
    const ResolvedSpec resolved = resolve(spec, profile);
    const auto planned = planRun(resolved, planBatch(resolved), profile);
    QVERIFY_RESULT(planned);
    const QString text = writeScript(resolved, profile).text();
    QVERIFY2(text.contains(expected), qPrintable(text));
    const auto again = rebuilt(text, spec, profile);
    QVERIFY(again);
    QCOMPARE(again->workload.adapter, planned->workload.adapter);
    QCOMPARE(again->workload.packed, planned->workload.packed);
    QCOMPARE(launchedSwitches(parseBatch(text), profile).spec.adapter.alpha, spec.adapter.alpha);
    for (const Finding& finding : launchFindingsOf(spec))
        QVERIFY2(!finding.text.contains(u"LoRA"_s), qPrintable(finding.text));
}

/// A program of one's own decides by itself, and that is said.
void PlannedLaunchedTest::adaptersOfAnotherProgram()
{
    JobSpec spec = eightBillion();
    spec.training.framework = Framework::Peft;
    spec.parallel = {};
    spec.parallel.strategy = Strategy::Ddp;
    spec.command = u"train.py --lr 1e-4"_s;
    spec.adapter.method = AdapterMethod::Lora;
    spec.adapter.rank = 32;
    const QList<Finding> findings = launchFindingsOf(spec);
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().text, u"Planned, but not passed: LoRA, rank 32; train.py decides."_s);
}

RANKWRIGHT_TEST_MAIN(PlannedLaunchedTest)
#include "tst_plannedlaunched.moc"

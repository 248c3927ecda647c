// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/batchplan.h"
#include "models/script/write/commandplan.h"
#include "models/script/write/figurepassing.h"
#include "models/script/write/megatronarguments.h"
#include "models/script/write/namedoptions.h"
#include "models/script/write/nemoarguments.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"
#include "models/script/write/tunerarguments.h"
#include "tests/support/testbase.h"

#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What a design's fields become on a program's command line and in directives, by the programs' own documentation.
class ProgramOptionsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue(); }
    void fewerLayersAtTheEnds();
    void doraFlags_data();
    void doraFlags();
    void saysWhatItRead();
    void precisionWords_data();
    void precisionWords();
    void epochsThatNobodyPasses();
    void userEnvironment_data();
    void userEnvironment();
    void ownInterpreter_data();
    void ownInterpreter();
    void editsKeepTheirPlace();

private:
    const ClusterProfile& site(const QString& name) const { return *m_catalogue.find(name); }
    ResolvedSpec resolved(const JobSpec& spec) const { return resolve(spec, site(spec.cluster)); }
    static JobSpec design(const QString& command, const QString& cluster = u"lumi"_s)
    {
        JobSpec spec;
        spec.cluster = cluster;
        spec.resources.nodes = 1;
        spec.command = command;
        return spec;
    }
    static QStringList texts(const QList<ScriptLine>& lines)
    {
        QStringList all;
        for (const ScriptLine& line : lines)
            all.append(line.text);
        return all;
    }

    Catalogue m_catalogue;
};

/// Llama 3.1 405B has 126 blocks: one fewer in the first and the last stage, where embedding and head count as one each
/// (arXiv:2407.21783, 3.3.2). 8 stages of 8 chunks: 128 / 64 = 2 blocks in a chunk.
void ProgramOptionsTest::fewerLayersAtTheEnds()
{
    JobSpec spec = design(u"pretrain_gpt.py --data-path corpus"_s);
    spec.model = QJsonObject{{u"preset"_s, u"llama-3.1-405b"_s}};
    spec.resources.nodes = 64;
    spec.training.globalBatch = 512;
    spec.training.microBatch = 1;
    spec.training.sequence = 4096;
    spec.training.framework = Framework::MegatronCore;
    spec.launcher = Launcher::Torchrun;
    spec.parallel.strategy = Strategy::ThreeD;
    spec.parallel.tensor = 2;
    spec.parallel.pipeline = 8;
    spec.parallel.virtualStages = 8;
    const QString megatron = texts(megatronArguments(resolved(spec), {})).join(u'\n');
    for (const QString& word : {u"--num-layers-per-virtual-pipeline-stage=2"_s,
             u"--account-for-embedding-in-pipeline-split"_s, u"--account-for-loss-in-pipeline-split"_s})
        QVERIFY2(megatron.contains(word), qPrintable(word + u" is not in\n"_s + megatron));
    QVERIFY2(!megatron.contains(u"pipeline-model-parallel-layout"_s), qPrintable(megatron));

    spec.training.framework = Framework::Nemo;
    spec.launcher = Launcher::Srun;
    spec.command = u"nemo llm pretrain --factory llama3_8b"_s;
    const QString nemo = texts(nemoArguments(resolved(spec), {})).join(u'\n');
    for (const QString& word :
        {u"account_for_embedding_in_pipeline_split=true"_s, u"account_for_loss_in_pipeline_split=true"_s})
        QVERIFY2(nemo.contains(word), qPrintable(word + u" is not in\n"_s + nemo));
}

void ProgramOptionsTest::doraFlags_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("flag");
    // axolotl cli/args.py and utils/schemas/peft.py; torchtune recipes/configs; trl ModelConfig; LLaMA-Factory
    // finetuning_args.py
    QTest::newRow("axolotl") << u"axolotl train config.yml"_s << u"--peft-use-dora"_s;
    QTest::newRow("torchtune") << u"tune run lora_finetune_single_device --config x"_s << u"model.use_dora=True"_s;
    QTest::newRow("TRL") << u"trl sft --model_name_or_path x"_s << u"--use_dora=True"_s;
    QTest::newRow("LLaMA-Factory") << u"llamafactory-cli train x.yaml"_s << u"use_dora=true"_s;
}

void ProgramOptionsTest::doraFlags()
{
    QFETCH(QString, command);
    QFETCH(QString, flag);
    JobSpec spec = design(command, u"leonardo"_s);
    spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    spec.resources.gpusPerNode = 1;
    spec.parallel.strategy = Strategy::Single;
    spec.adapter.rank = 8;
    spec.adapter.method = AdapterMethod::Dora;
    const QStringList with = texts(tunerArguments(resolved(spec), command.split(u' ')));
    QVERIFY2(with.contains(flag), qPrintable(flag + u" is not in "_s + with.join(u' ')));
    spec.adapter.method = AdapterMethod::Lora;
    const QStringList without = texts(tunerArguments(resolved(spec), command.split(u' ')));
    QVERIFY2(!without.join(u' ').contains(u"dora"_s), qPrintable(without.join(u' ')));
}

/// Each field that was read, with the option that says it.
void ProgramOptionsTest::saysWhatItRead()
{
    JobSpec spec;
    const QStringList words{u"trl"_s, u"sft"_s, u"--use_peft=True"_s, u"--lora_r=16"_s};
    const QMap<FieldPath, QString> said = readTunerArguments(*tunerProgram(words.join(u' ')), words, spec);
    QCOMPARE(spec.adapter.rank, std::optional(16));
    QVERIFY(said.value(field::adapterRank).contains(u"lora_r"_s));
    QVERIFY(!said.contains(field::adapterAlpha));
}

void ProgramOptionsTest::precisionWords_data()
{
    QTest::addColumn<Precision>("precision");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("written");
    // torch's names of types; accelerate's --mixed_precision; Lightning's precision
    QTest::newRow("type, bf16 beside fp32") << Precision::Bf16Mixed << u"--dtype"_s << u"--dtype=bfloat16"_s;
    QTest::newRow("type, bf16") << Precision::Bf16 << u"--dtype"_s << u"--dtype=bfloat16"_s;
    QTest::newRow("type, fp16") << Precision::Fp16Mixed << u"--dtype"_s << u"--dtype=float16"_s;
    QTest::newRow("type, fp32") << Precision::Fp32 << u"--dtype"_s << u"--dtype=float32"_s;
    QTest::newRow("mixed") << Precision::Bf16Mixed << u"--mixed_precision"_s << u"--mixed_precision=bf16"_s;
    QTest::newRow("mixed, fp32") << Precision::Fp32 << u"--mixed_precision"_s << u"--mixed_precision=no"_s;
    QTest::newRow("Lightning") << Precision::Bf16Mixed << u"--precision"_s << u"--precision=bf16-mixed"_s;
    QTest::newRow("Lightning, bf16 alone") << Precision::Bf16 << u"--precision"_s << u"--precision=bf16-true"_s;
    QTest::newRow("a flag") << Precision::Bf16Mixed << u"--bf16"_s << u"--bf16"_s;
}

void ProgramOptionsTest::precisionWords()
{
    QFETCH(Precision, precision);
    QFETCH(QString, option);
    JobSpec spec = design(u"train.py"_s);
    spec.training.precision = precision;
    spec.program.precision = option;
    const QStringList written = texts(namedOptions(resolved(spec), {}));
    QCOMPARE(written.size(), 1);
    QTEST(written.first(), "written");
}

/// Asked for, but nothing says it to the program.
void ProgramOptionsTest::epochsThatNobodyPasses()
{
    JobSpec spec = design(u"train.py"_s);
    const auto isUnsaid = [&] {
        const ResolvedSpec all = resolved(spec);
        return figurePassing(all, planBatch(all), site(spec.cluster)).isUnsaid(ProgramFigure::Epochs);
    };
    QVERIFY(!isUnsaid());
    spec.training.epochs = 3;
    QVERIFY(isUnsaid());
    spec.program.epochs = u"--epochs"_s;
    QVERIFY(!isUnsaid());
    spec.program.epochs.reset();
    spec.command = u"train.py --epochs 3"_s;
    QVERIFY(!isUnsaid());
}

void ProgramOptionsTest::userEnvironment_data()
{
    QTest::addColumn<QString>("uenv");
    QTest::addColumn<QStringList>("directives");
    // docs.cscs.ch, uenv in Slurm: image and view are two options
    QTest::newRow("with a view") << u"pytorch/v2.6.0:v1 develop"_s
                                 << QStringList{u"#SBATCH --uenv=pytorch/v2.6.0:v1"_s, u"#SBATCH --view=develop"_s};
    QTest::newRow("without") << u"pytorch/v2.6.0:v1"_s
                             << QStringList{u"#SBATCH --uenv=pytorch/v2.6.0:v1"_s, u"#SBATCH --view=default"_s};
}

void ProgramOptionsTest::userEnvironment()
{
    QFETCH(QString, uenv);
    QFETCH(QStringList, directives);
    JobSpec spec = design(u"train.py"_s, u"alps-clariden"_s);
    spec.environment.uenv = uenv;
    const QStringList lines = writeScript(resolved(spec), site(spec.cluster)).texts();
    for (const QString& directive : std::as_const(directives))
        QVERIFY2(lines.contains(directive), qPrintable(directive + u" is not in\n"_s + lines.join(u'\n')));
}

void ProgramOptionsTest::ownInterpreter_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("interpreter");
    QTest::addColumn<QString>("file");
    QTest::newRow("of an environment") << u"/venv/bin/python train.py"_s << u"/venv/bin/python"_s << u"train.py"_s;
    // python3 --help: "-u: force the stdout and stderr streams to be unbuffered"; the script sets that by itself
    QTest::newRow("unbuffered") << u"/venv/bin/python -u train.py --lr 1"_s << u"/venv/bin/python"_s << u"train.py"_s;
    QTest::newRow("the usual one") << u"python3 train.py"_s << QString() << u"train.py"_s;
    QTest::newRow("a module") << u"/venv/bin/python -m train"_s << u"/venv/bin/python"_s << QString();
}

void ProgramOptionsTest::ownInterpreter()
{
    QFETCH(QString, command);
    const CommandPlan plan = planCommand(resolved(design(command)), site(u"lumi"_s), CommandStarter::Shell);
    QCOMPARE(plan.problem, QString());
    QTEST(plan.interpreter, "interpreter");
    QTEST(plan.programFile, "file");
    QVERIFY(plan.python);
}

/// A line of one's own stays behind the directive that it was put behind, whatever the fields write above.
void ProgramOptionsTest::editsKeepTheirPlace()
{
    const auto script = [](const QStringList& lines) {
        ScriptDocument document;
        for (const QString& line : lines)
            document.lines.append({line, {}, {}, {}});
        return document;
    };
    const QStringList before{
        u"#!/bin/bash"_s, u"#SBATCH --nodes=2"_s, u"#SBATCH --time=01:00:00"_s, u"srun python3 a.py"_s};
    QStringList typed = before;
    typed.insert(2, u"# mine"_s);
    const QList<OverrideBlock> blocks = overridesFor(script(before), typed.join(u'\n') + u'\n');
    QCOMPARE(blocks.size(), 1);
    QCOMPARE(blocks.first().after, scriptLineKey(u"#SBATCH --nodes=2"_s));
    QCOMPARE(blocks.first().below, 0);
    const QStringList later{u"#!/bin/bash"_s, u"#SBATCH --job-name=a"_s, u"#SBATCH --account=b"_s,
        u"#SBATCH --nodes=4"_s, u"#SBATCH --time=02:00:00"_s, u"srun python3 a.py"_s};
    QStringList expected = later;
    expected.insert(4, u"# mine"_s);
    QCOMPARE(applyOverrides(script(later), blocks).document.texts(), expected);
}

RANKWRIGHT_TEST_MAIN(ProgramOptionsTest)
#include "tst_programoptions.moc"

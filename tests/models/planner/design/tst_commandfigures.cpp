// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/commandfigures.h"
#include "models/planner/design/plannedrun.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Batch, steps, epochs and precision in the words of a program's command.
class CommandFiguresTest final : public test::Suite {
    Q_OBJECT
private slots:
    void batches_data();
    void batches();
    void stepsAndEpochs_data();
    void stepsAndEpochs();
    void sequences_data();
    void sequences();
    void models_data();
    void models();
    void modelAndSequenceFollowTheCommand();
    void othersAreNotRead();
    void replacesAValue();
    void namedByTheDesign();
    void optionNames_data();
    void optionNames();
    void theCommandIsWhatRuns_data();
    void theCommandIsWhatRuns();
    void knowsPrograms_data();
    void knowsPrograms();

private:
    static JobSpec spec(const QString& command)
    {
        JobSpec made;
        made.cluster = u"lumi"_s;
        made.command = command;
        return made;
    }
    static qint64 valueOf(const std::optional<CommandFigure>& one) { return one ? one->count().value_or(-1) : 0; }
    Catalogue m_catalogue = loadCatalogue();
};

void CommandFiguresTest::batches_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<qint64>("micro");
    QTest::addColumn<qint64>("accumulation");
    QTest::addColumn<qint64>("global");
    const auto row = [](const char* name, const char* command, qint64 micro, qint64 accumulation, qint64 global) {
        QTest::newRow(name) << QString::fromLatin1(command) << micro << accumulation << global;
    };
    row("nothing", "train.py --lr 1e-4", 0, 0, 0);
    row("own script", "train.py --batch-size 2 --grad-accum 8", 2, 8, 0);
    row("Megatron-LM", "pretrain_gpt.py --micro-batch-size 1 --global-batch-size=1024", 1, 0, 1024);
    row("Trainer",
        "run_clm.py --per_device_train_batch_size=4 --per_device_eval_batch_size 8 --gradient_accumulation_steps 16", 4,
        16, 0);
    row("torchtitan", "-m torchtitan.train --training.local_batch_size 8 --training.global_batch_size 64", 8, 0, 64);
    row("torchtune", "tune run full_finetune_distributed --config x batch_size=2 gradient_accumulation_steps=8", 2, 8,
        0);
    row("nanoGPT", "train.py config/train_gpt2.py --batch_size=12", 12, 0, 0);
    row("Lightning", "main.py fit --data.batch_size 16 --trainer.accumulate_grad_batches=4", 16, 4, 0);
    row("hydra", "train.py data.batch_size=8 +trainer.accumulate_grad_batches=2", 8, 2, 0);
    row("the last counts", "train.py --batch-size 2 --batch-size 4", 4, 0, 0);
    row("beside a micro-batch the other is global", "train.py --micro-batch-size 2 --batch-size 64", 2, 0, 64);
    row("inside a small shell", "bash -c 'exec python3 train.py --batch-size 8 --seed $SEED'", 8, 0, 0);
    row("a variable", "train.py --batch-size $BATCH", 0, 0, 0);
    row("none", "train.py --batch-size", 0, 0, 0);
    row("below 1", "train.py --batch-size 0 --gradient_accumulation_steps -1", 0, 0, 0);
}

void CommandFiguresTest::batches()
{
    QFETCH(QString, command);
    const CommandBatch batch = commandBatch(spec(command));
    QTEST(valueOf(batch.micro), "micro");
    QTEST(valueOf(batch.accumulation), "accumulation");
    QTEST(valueOf(batch.global), "global");
}

void CommandFiguresTest::stepsAndEpochs_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<qint64>("steps");
    QTest::addColumn<double>("epochs");
    QTest::newRow("none") << u"train.py"_s << qint64(0) << 0.0;
    QTest::newRow("own") << u"train.py --max-steps 90 --epochs 2.5"_s << qint64(90) << 2.5;
    QTest::newRow("Megatron-LM") << u"pretrain_gpt.py --train-iters=500_000"_s << qint64(500000) << 0.0;
    QTest::newRow("Trainer without a limit") << u"run_clm.py --max_steps -1 --num_train_epochs 3"_s << qint64(0) << 3.0;
    QTest::newRow("others") << u"train.py --save-steps 10 --warmup_steps 5 --eval.steps 3"_s << qint64(0) << 0.0;
}

void CommandFiguresTest::stepsAndEpochs()
{
    QFETCH(QString, command);
    QTEST(commandSteps(spec(command)).value_or(0), "steps");
    QTEST(commandEpochs(spec(command)).value_or(0), "epochs");
}

void CommandFiguresTest::sequences_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<qint64>("sequence");
    const auto row = [](const char* name, const char* command, qint64 sequence) {
        QTest::newRow(name) << QString::fromLatin1(command) << sequence;
    };
    row("none", "train.py --max-new-tokens 32", 0);
    row("own", "train.py --seq-len 4096", 4096);
    row("Megatron-LM", "pretrain_gpt.py --seq-length=8192 --max-position-embeddings 8192", 8192);
    row("transformers' examples", "run_clm.py --block_size 1024", 1024);
    row("TRL", "sft.py --max_seq_length 2048", 2048);
    row("torchtitan", "-m torchtitan.train --training.seq_len 8192", 8192);
    row("torchtune", "tune run x --config y tokenizer.max_seq_len=512", 512);
    row("nanoGPT", "train.py config/train_gpt2.py --block_size=256", 256);
    row("of the evaluation", "train.py --eval.seq_len 128", 0);
    row("a variable", "train.py --seq-len $LENGTH", 0);
    row("no length", "train.py --seq-len 4000000000", 0);
}

void CommandFiguresTest::sequences()
{
    QFETCH(QString, command);
    QTEST(valueOf(commandSequence(spec(command))), "sequence");
}

void CommandFiguresTest::models_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("model");
    const auto row = [](const char* name, const char* command, const char* model) {
        QTest::newRow(name) << QString::fromLatin1(command) << QString::fromLatin1(model);
    };
    row("none", "train.py", "");
    row("by its name", "train.py --model llama-3-8b", "llama-3-8b");
    row("by its maker's", "run_clm.py --model_name_or_path meta-llama/Meta-Llama-3-8B", "llama-3-8b");
    row("in quotes", "train.py --model 'llama-3-8b'", "llama-3-8b");
    row("nanoGPT", "train.py config/finetune_shakespeare.py --init_from=gpt2", "gpt-2-small");
    row("a folder may hold anything", "train.py --model /scratch/llama-3-8b", "");
    row("a folder beside", "train.py --model ./llama-3-8b", "");
    row("a variable", "train.py --model $MODEL", "");
    row("unknown", "train.py --model mine", "");
}

void CommandFiguresTest::models()
{
    QFETCH(QString, command);
    const auto named = commandModel(spec(command));
    QTEST(named ? named->preset : QString(), "model");
}

/// The model and the sequence of the command were drawn as "Choose a model".
void CommandFiguresTest::modelAndSequenceFollowTheCommand()
{
    JobSpec design = spec(u"mine.py --batch-size 2 --grad-accum 8 --model meta-llama/Llama-2-7b-hf --seq-len 2048"_s);
    design.resources.nodes = 4;
    design.resources.gpusPerNode = 8;
    const ClusterProfile& lumi = *m_catalogue.find(u"lumi"_s);
    const ResolvedSpec resolved = resolve(design, lumi);
    const BatchPlan batch = planBatch(resolved);
    QCOMPARE(batch.globalBatch, 512);
    const auto run = planRun(resolved, batch, lumi);
    QVERIFY(run);
    QCOMPARE(run->workload.sequence, 2048);
    QCOMPARE(run->workload.shape.name, u"Llama 2 7B"_s);
    const auto reasonOf = [&resolved](QLatin1StringView path) {
        for (const Choice& choice : resolved.choices) {
            if (choice.field == path)
                return choice.reason;
        }
        return QString();
    };
    QCOMPARE(reasonOf(field::sequence), u"from the command: --seq-len 2048"_s);
    QCOMPARE(reasonOf(field::model), u"from the command: --model meta-llama/Llama-2-7b-hf"_s);
    QVERIFY(reasonOf(field::microBatch).contains(u"for some programs it is that of all"));
    // What the design says is drawn.
    design.training.sequence = 512;
    design.model = QJsonObject{{u"preset"_s, u"gpt2"_s}};
    QCOMPARE(resolve(design, lumi).sequence, 512);
    QCOMPARE(resolve(design, lumi).model, design.model);
    design.program.microBatch = u"--batch-size"_s; // named: it means one thing
    const ResolvedSpec named = resolve(design, lumi);
    for (const Choice& choice : named.choices)
        QVERIFY2(!choice.reason.contains(u"for some programs"), qPrintable(choice.reason));
}

void CommandFiguresTest::othersAreNotRead()
{
    QVERIFY(commandFigures(u"train.py --eval-batch-size 8 --valid.batch_size=4 --test.batch_size 2 steps/90 epochs"_s)
                .isEmpty());
    QVERIFY(commandFigures({}).isEmpty());
}

void CommandFiguresTest::replacesAValue()
{
    for (const QString& form : {u"train.py --batch-size %1 --lr 16"_s, u"train.py --batch_size=%1"_s,
             u"bash -c 'exec train.py --batch-size %1'"_s}) {
        const QString command = form.arg(16);
        const auto figures = commandFigures(command);
        QCOMPARE(figures.size(), 1);
        QCOMPARE(withFigure(command, figures.first(), u"32"_s), form.arg(32));
    }
    QCOMPARE(
        withFigure(u"another.py"_s, commandFigures(u"train.py --batch-size 16"_s).first(), u"32"_s), u"another.py"_s);
}

void CommandFiguresTest::namedByTheDesign()
{
    JobSpec design = spec(u"mine.py --per-card 8 --rounds=4"_s);
    QVERIFY(!commandBatch(design).micro);
    design.program.microBatch = u"--per-card"_s;
    design.program.epochs = u"--rounds"_s;
    QCOMPARE(valueOf(commandBatch(design).micro), 8);
    QCOMPARE(commandEpochs(design), std::optional(4.0));
}

void CommandFiguresTest::optionNames_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("fine");
    for (const char* good :
        {"--batch-size", "-b", "--trainer.max_epochs", "training.batch_size=", "--bf16", "+epochs="})
        QTest::newRow(good) << QString::fromLatin1(good) << true;
    for (const char* bad : {"", "batch size", "--a b", "--x;rm", "$(date)", "--x=3", "word", "--", "--é"})
        QTest::newRow(*bad ? bad : "empty") << QString::fromUtf8(bad) << false;
}

void CommandFiguresTest::optionNames()
{
    QFETCH(QString, text);
    QTEST(isOptionName(text), "fine");
}

/// A batch of 2, 8 accumulation steps and 32 GCDs were shown as "32 sequences per step".
void CommandFiguresTest::theCommandIsWhatRuns_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<qint64>("micro");
    QTest::addColumn<qint64>("accumulation");
    QTest::addColumn<qint64>("global");
    const auto row = [](const char* command, qint64 micro, qint64 accumulation, qint64 global) {
        QTest::newRow(command) << QString::fromLatin1(command) << micro << accumulation << global;
    };
    row("train.py", 1, 1, 32);
    row("train.py --batch-size 2 --grad-accum 8", 2, 8, 512);
    row("train.py --micro-batch-size 2 --global-batch-size 256", 2, 4, 256);
    row("train.py config/train_gpt2.py --batch_size=12 --gradient_accumulation_steps=64", 12, 2, 768);
}

void CommandFiguresTest::theCommandIsWhatRuns()
{
    QFETCH(QString, command);
    JobSpec design = spec(command);
    design.resources.nodes = 4;
    design.resources.gpusPerNode = 8;
    const BatchPlan plan = planBatch(resolve(design, *m_catalogue.find(u"lumi"_s)));
    QTEST(plan.microBatch, "micro");
    QTEST(plan.gradientAccumulation, "accumulation");
    QTEST(plan.globalBatch, "global");
    // What the design itself says is drawn; that the command says otherwise is a finding.
    design.training.microBatch = 1;
    design.training.globalBatch = 64;
    QCOMPARE(planBatch(resolve(design, *m_catalogue.find(u"lumi"_s))).microBatch, 1);
}

void CommandFiguresTest::knowsPrograms_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("micro");
    QTest::newRow("transformers") << u"examples/run_clm.py --model_name_or_path x"_s
                                  << u"--per_device_train_batch_size"_s;
    QTest::newRow("TRL") << u"trl sft --config x.yaml"_s << u"--per_device_train_batch_size"_s;
    QTest::newRow("nanoGPT") << u"train.py config/train_shakespeare_char.py"_s << u"--batch_size"_s;
    QTest::newRow("torchtune") << u"tune run --nproc_per_node 4 full_finetune_distributed --config x"_s
                               << u"batch_size="_s;
    QTest::newRow("Lightning") << u"main.py fit --config x.yaml"_s << QString();
    QTest::newRow("nobody's") << u"train.py"_s << QString();
}

void CommandFiguresTest::knowsPrograms()
{
    QFETCH(QString, command);
    const auto known = knownProgram(spec(command));
    QTEST(known ? known->options.microBatch.value_or(QString()) : QString(), "micro");
}

RANKWRIGHT_TEST_MAIN(CommandFiguresTest)
#include "tst_commandfigures.moc"

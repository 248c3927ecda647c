// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressline.h"
#include "models/insight/progress/traininglogreader.h"
#include "tests/models/support/progresstext.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using test::readAll;
using test::reported;
using namespace Qt::StringLiterals;

namespace {

const QByteArray practiceLog
    = "[rank 0/4] host nid005001 local rank 0 pid 812\n[rank 3/4] host nid005002 local rank 1 pid 700\n"
      "world size 4, micro-batch 16 x accumulation 1 x ranks 4 = global batch 64, 60 steps\n"
      "\repoch 1/3:   5%|          | 1/20 [00:00<00:03,  5.50it/s, loss=2.34]\repoch 1/3:  10%|#         | 2/20 "
      "[00:00<00:03,  5.60it/s, loss=2.33]"
      "\r                                                          \rstep 3/60 loss 2.3145 210.5 samples/s\n"
      "\repoch 1/3: 100%|##########| 20/20 [00:03<00:00,  5.70it/s, loss=2.05]\n"
      "\repoch 2/3:  35%|###       | 7/20 [00:01<00:02,  5.80it/s, loss=1.9]";

} // namespace

class TrainingProgressTest final : public test::Suite {
    Q_OBJECT
private slots:
    void understands_data();
    void understands();
    void ignores_data();
    void ignores();
    void practiceTraining();
    void cutAnywhere();
    void linesForPeople();
    void barsAreFolded();
    void ranks_data();
    void ranks();
    void errors_data();
    void errors();
    void escapesAreHarmless();
    void fractions_data();
    void fractions();
    void lossCurveIsThinned();
    void epochsContinueTheCurve();
    void memoryIsBounded();
    void noise();
    void resets();
};

void TrainingProgressTest::understands_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& log, const char* expected) {
        QTest::newRow(name) << log << QString::fromLatin1(expected);
    };
    // layouts by their programs' print formats, numbers invented
    row("tqdm, no line end",
        "\rtrain:  10%|#         | 30/300 [00:10<01:30,  3.00it/s]\rtrain:  20%|##        | 60/300 [00:20<01:20,  "
        "3.00it/s]",
        "-/- 60/300 - 3 it/s 80");
    row("tqdm, seconds", "\r  1%|          | 2/200 [00:18<31:01,  9.40s/it]\n", "-/- 2/200 - 9.4 s/it 1861");
    row("tqdm, first", "\r  0%|          | 0/200 [00:00<?, ?it/s]\n", "-/- 0/200 - - - -");
    row("tqdm, days", "\r  0%|          | 5/9000 [01:00<1 day, 2:00:00,  9.9s/it]\n", "-/- 5/9000 - 9.9 s/it 93600");
    row("tqdm, epochs and postfix", "\rEpoch 2/5:  50%|#####     | 50/100 [00:05<00:05, 10.00it/s, lr=0.1, loss=0.25]",
        "2/5 50/100 0.25 10 it/s 5");
    row("lightning", "\rEpoch 0:  40%|####      | 40/100 [00:04<00:06, 10.50it/s, v_num=3, train_loss=1.250]",
        "0/- 40/100 1.25 10.5 it/s 6");
    row("hf trainer",
        "\r 10%|#         | 10/100 [00:05<00:45,  2.00it/s]{'loss': 3.25, 'grad_norm': 1.5, 'learning_rate': 1e-05, "
        "'epoch': 0.1}\n",
        "0.1/- 10/100 3.25 2 it/s 45");
    row("hf trainer, no bar",
        "  Num Epochs = 3\n  Total optimization steps = 1,200\n{'loss': 1.5, 'learning_rate': 2e-05, 'epoch': 0.5}\n",
        "0.5/3 -/1200 1.5 - - -");
    row("megatron",
        "3:  [2026-03-01 10:00:00] iteration       30/     900 | consumed samples: 960 | elapsed time per iteration "
        "(ms): 512.5 | "
        "learning rate: 5.7E-05 | global batch size: 32 | lm loss: 4.5E+00 | loss scale: 1.0 | number of nan "
        "iterations:   0 |\n",
        "-/- 30/900 4.5 512.5 ms/it 445.875"); // 870 steps of 0.5125 s
    row("deepspeed", "steps: 30 loss: 2.8000 iter time (s): 1.5 samples/sec: 21.5\n", "-/- 30/- 2.8 21.5 samples/s -");
    row("torchtitan",
        "[rank0]:[titan] root - INFO - \x1b[31mstep: 50  \x1b[32mloss:  7.5000  \x1b[33mmemory: 49.66GiB(52.28%)  "
        "\x1b[34mtps: 5,856  \x1b[39m\n",
        "-/- 50/- 7.5 5856 tokens/s -");
    row("nanogpt", "step 250: train loss 3.1, val loss 3.2\niter 260: loss 3.05, time 417.25ms, mfu 30.91%\n",
        "-/- 260/- 3.05 417.25 ms/it -");
    row("litgpt",
        "Epoch 2 | iter 600 step 150 | loss train: 1.800, val: 1.921 | iter time: 412.5 ms (step) remaining time: "
        "0:43:12\n",
        "2/- 150/- 1.8 412.5 ms/it 2592");
    row("timm",
        "Train: 3 [ 450/1251 ( 36%)]  Loss: 5.918 (6.120)  Time: 0.412s, 2485.50/s  (0.420s, 2438.10/s)  LR: "
        "1.200e-03\n",
        "3/- 450/1251 5.918 2485.5 samples/s -");
    row("mmengine",
        "mmengine - INFO - Epoch(train)   [2][ 300/1563]  lr: 1.0e-02  eta: 1:00:30  time: 0.1402  loss: 1.38  "
        "loss_cls: 0.70\n",
        "2/- 300/1563 1.38 0.1402 s/it 3630");
    row("keras 3",
        "Epoch 3/10\n\x1b[1m500/782\x1b[0m \x1b[32m------\x1b[0m \x1b[1m8s\x1b[0m 31ms/step - accuracy: 0.66 - loss: "
        "1.25\n",
        "3/10 500/782 1.25 31 ms/it 8");
    row("maxtext",
        "completed step: 14, seconds: 3.441, TFLOP/s/device: 181.200, Tokens/s/device: 2394.100, total_weights: 65536, "
        "loss: 8.250\n",
        "-/- 14/- 8.25 3.441 s/it -");
    row("tutorial", "Epoch [2/10], Step [100/600], Loss: 0.5\n", "2/10 100/600 0.5 - - -");
    row("json-like", "{\"loss\": 0.75, \"lr\": 1e-4, \"epoch\": 1.5}\n", "1.5/- -/- 0.75 - - -");
}

void TrainingProgressTest::understands()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, expected);
    QCOMPARE(reported(readAll(log).progress()), expected);
}

void TrainingProgressTest::ignores_data()
{
    QTest::addColumn<QByteArray>("log");
    const auto row = [](const char* name, const QByteArray& log) { QTest::newRow(name) << log; };
    row("validation bar", "\rValidation:  32%|###       | 100/313 [00:01<00:02, 90.91it/s]\n");
    row("evaluation epoch", "INFO - Epoch(val)   [2][ 50/157]    eta: 0:00:05  loss: 0.5\n");
    row("evaluation only", "step 250: val loss 3.2\n");
    row("a line cut at the end", "step 30/60 loss 2.31");
    row("a bar cut at the end", "\r 10%|#         | 10/100 [00:05<00:45,  2.0");
    row("checkpoint", "saved checkpoint model.pt at step 40\n");
    row("build", "[3/8] Building CXX object loss.cpp.o\n");
    row("loss scale", "step 5: loss scale: 1024.0\n");
    row("words", "step by step we lose\n");
    row("empty", "");
}

void TrainingProgressTest::ignores()
{
    QFETCH(QByteArray, log);
    QCOMPARE(reported(readAll(log).progress()), u"-/- -/- - - - -"_s);
    QVERIFY(readAll(log).losses().isEmpty());
}

void TrainingProgressTest::practiceTraining()
{
    const TrainingLogReader reader = readAll(practiceLog);
    // bars count within an epoch, lines over all: one count is shown. 27 = 20 + 7; 33 steps at 5.8 it/s are left.
    QCOMPARE(reader.progress().framework, u"rankwright"_s);
    QCOMPARE(reader.progress().step, std::optional<qint64>(27));
    QCOMPARE(reader.progress().steps, std::optional<qint64>(60));
    QCOMPARE(reader.progress().epoch, std::optional<double>(2));
    QCOMPARE(reader.progress().rateUnit, u"it/s"_s);
    QVERIFY(qAbs(*reader.progress().etaSeconds - 33 / 5.8) < 1e-9);
    QCOMPARE(reader.progress().fraction(), std::optional<double>(27.0 / 60));
    QList<LossPoint> expected{{1, 2.34}, {2, 2.33}, {3, 2.3145}, {20, 2.05}, {27, 1.9}};
    QCOMPARE(reader.losses(), expected);
}

void TrainingProgressTest::cutAnywhere()
{
    const TrainingLogReader whole = readAll(practiceLog + "\ndone\n");
    for (int piece = 1; piece < 60; ++piece) {
        TrainingLogReader reader;
        const QByteArray bytes = practiceLog + "\ndone\n";
        for (qsizetype at = 0; at < bytes.size(); at += piece)
            reader.feed(bytes.mid(at, piece));
        QCOMPARE(reported(reader.progress()), reported(whole.progress()));
        QCOMPARE(reader.losses(), whole.losses());
        QCOMPARE(reader.bytesRead(), qint64(bytes.size()));
    }
}

void TrainingProgressTest::linesForPeople()
{
    TrainingLogReader reader;
    const auto lines = reader.feed("one\r\n\ntwo \ttabs\nthree");
    QCOMPARE(lines.size(), 3); // "three" has not ended
    QCOMPARE(lines.at(0).text, u"one"_s); // line end of DOS
    QVERIFY(lines.at(1).text.isEmpty());
    QCOMPARE(lines.at(2).text, u"two     tabs"_s);
    QCOMPARE(reader.feed("\n").first().text, u"three"_s);
    // a letter cut in the middle of its bytes
    reader.feed("na\xc3");
    QCOMPARE(reader.feed("\xafve\n").first().text, QString::fromUtf8("naïve"));
}

void TrainingProgressTest::barsAreFolded()
{
    TrainingLogReader reader;
    QByteArray bars;
    for (int i = 1; i <= 50; ++i)
        bars += "\r" + QByteArray::number(2 * i) + "%|####      | " + QByteArray::number(i)
            + "/50 [00:01<00:01, 9.0it/s]";
    const auto lines = reader.feed("begin"
                                   "\n"
        + bars);
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines.at(1).isProgress);
    QVERIFY(lines.at(1).text.contains(u"50/50"_s));
    const auto after = reader.feed("\nend\n");
    QVERIFY(!after.last().isProgress);
    QCOMPARE(after.last().text, u"end"_s);
}

void TrainingProgressTest::ranks_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("rank");
    const auto row = [](const char* line, int rank) { QTest::newRow(line) << QString::fromLatin1(line) << rank; };
    row("[rank 3/8] host n1", 3);
    row("[rank12]: Traceback (most recent call last):", 12);
    row("[Rank 0] step=40", 0);
    row("2026-03-01 [rank 5/8] loading", 5);
    row("3: hello", 3);
    row(" 11: hello", 11);
    row("rank 3 of 8", -1);
    row("epoch 3: done", -1);
    row("10:00:00 started", -1); // a time
    row("[1,3]<stdout>:hello", 3);
    row("[12]<stderr>: hello", 12);
    row("[default3]:hello", -1); // torchrun names the local rank only
    row("[3] hello", -1);
    row("RANK: 0 step 10", 0);
    row("Rank 6: RuntimeError: x", 6);
    row("(rank 7) [E ProcessGroupNCCL.cpp:828] x", 7);
    row("2026-01-02 10:00:01 ERROR rank=4 FileNotFoundError: x", 4);
    row("2026-01-02 10:00:01,120 [GLOBAL_RANK 12] ERROR x", 12);
    row("[2023-11-23 13:24:57,265] [WARNING] [a:169] [PID:5019] [RANK:3] x", 3);
    row("Initializing distributed: GLOBAL_RANK: 3, MEMBER: 4/8", 3);
    row("LOCAL_RANK: 3 - CUDA_VISIBLE_DEVICES: [0,1,2,3]", -1);
    row("lora_rank=16 alpha=32", -1);
    row("rank: 16", -1); // of a configuration
    row("MPICH ERROR [Rank 0] (rank 0 in comm 0): Fatal error", 0);
    row("- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - rank", -1);
}

void TrainingProgressTest::ranks()
{
    QFETCH(QString, line);
    QFETCH(int, rank);
    QCOMPARE(rankOf(line).value_or(-1), rank);
}

void TrainingProgressTest::errors_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("isError");
    const auto row
        = [](const char* line, bool isError) { QTest::newRow(line) << QString::fromLatin1(line) << isError; };
    row("RuntimeError: HIP out of memory. Tried to allocate 1.50 GiB", true);
    row("Traceback (most recent call last):", true);
    row("srun: error: nid005528: task 3: Segmentation fault", true);
    row("slurmstepd: error: *** JOB 9 ON n1 CANCELLED AT 2026-03-01T10:00:00 ***", true);
    row("ModuleNotFoundError: No module named 'x'", true);
    row("n1:12:34 [0] NCCL INFO NET/OFI Failed to find fabric, error -38", false);
    row("val_error 0.25", false);
    row("error: 0.12 accuracy: 0.8", false);
    row("step 10 loss 1.5", false);
    row("using the errorless path", false);
}

void TrainingProgressTest::errors()
{
    QFETCH(QString, line);
    QFETCH(bool, isError);
    TrainingLogReader reader;
    QCOMPARE(reader.feed(line.toUtf8() + '\n').first().isError, isError);
}

void TrainingProgressTest::escapesAreHarmless()
{
    TrainingLogReader reader;
    const auto lines = reader.feed("\x1b[31mred\x1b[0m \x1b]0;new title\x07"
                                   "bell\x07 \x1b[2J\x1b(Bend\x7f\n\x1b[\n\x1b\n");
    QCOMPARE(lines.at(0).text, u"red bell end"_s);
    for (const LogLine& line : lines) {
        for (const QChar symbol : line.text)
            QVERIFY(symbol.isPrint());
    }
}

void TrainingProgressTest::fractions_data()
{
    QTest::addColumn<TrainingProgress>("progress");
    QTest::addColumn<double>("fraction");
    const auto row = [](const char* name, std::optional<double> epoch, std::optional<double> epochs,
                         std::optional<qint64> step, std::optional<qint64> steps, bool within, double fraction) {
        TrainingProgress progress;
        progress.epoch = epoch;
        progress.epochs = epochs;
        progress.step = step;
        progress.steps = steps;
        progress.stepWithinEpoch = within;
        QTest::newRow(name) << progress << fraction;
    };
    row("nothing", {}, {}, {}, {}, false, -1);
    row("steps", {}, {}, 30, 60, false, 0.5);
    row("steps unknown", {}, {}, 30, {}, false, -1);
    row("zero steps", {}, {}, 0, 0, false, -1);
    row("within the third of ten epochs", 3, 10, 50, 100, true, 0.25);
    row("within an epoch of unknown many", 3, {}, 50, 100, true, -1);
    row("epochs alone", 1.5, 3, {}, {}, false, 0.5);
    row("beyond the end", {}, {}, 70, 60, false, 1);
}

void TrainingProgressTest::fractions()
{
    QFETCH(TrainingProgress, progress);
    QFETCH(double, fraction);
    QCOMPARE(progress.fraction().value_or(-1), fraction);
}

void TrainingProgressTest::lossCurveIsThinned()
{
    TrainingLogReader reader;
    for (int step = 1; step <= 20000; ++step)
        reader.feed("step " + QByteArray::number(step) + "/20000 loss 1.5\n");
    QVERIFY(reader.losses().size() <= 4096);
    QVERIFY(reader.losses().size() > 1500);
    QCOMPARE(reader.losses().last().step, 20000.0);
    for (qsizetype i = 1; i < reader.losses().size(); ++i)
        QVERIFY(reader.losses().at(i).step > reader.losses().at(i - 1).step);
}

void TrainingProgressTest::epochsContinueTheCurve()
{
    TrainingLogReader reader;
    for (int epoch = 1; epoch <= 3; ++epoch) {
        for (int step = 50; step <= 100; step += 50) {
            reader.feed("\rEpoch " + QByteArray::number(epoch) + "/3:  50%|#####     | " + QByteArray::number(step)
                + "/100 [00:05<00:05, 10.00it/s, loss=0." + QByteArray::number(step) + "]\n");
        }
    }
    QList<double> steps;
    for (const LossPoint& point : reader.losses())
        steps.append(point.step);
    QCOMPARE(steps, QList<double>({50, 100, 150, 200, 250, 300}));
}

void TrainingProgressTest::memoryIsBounded()
{
    TrainingLogReader reader;
    qsizetype length = 0;
    for (int i = 0; i < 200; ++i)
        QVERIFY(reader.feed(QByteArray(5000, 'x')).isEmpty());
    for (const LogLine& line : reader.finish())
        length = qMax(length, line.text.size());
    QVERIFY(length > 0 && length <= 16 * 1024); // a line without end is cut
}

void TrainingProgressTest::noise()
{
    QRandomGenerator random(11);
    TrainingLogReader reader;
    for (int i = 0; i < 3000; ++i) {
        QByteArray bytes = practiceLog.mid(random.bounded(practiceLog.size()), 80);
        for (int k = 0; k < 3; ++k)
            bytes[random.bounded(bytes.size())] = char(random.bounded(256));
        reader.feed(bytes);
    }
}

void TrainingProgressTest::resets()
{
    TrainingLogReader reader = readAll(practiceLog);
    reader.reset();
    QVERIFY(reader.progress() == TrainingProgress());
    QVERIFY(reader.losses().isEmpty());
    QCOMPARE(reader.bytesRead(), qint64(0));
}

RANKWRIGHT_TEST_MAIN(TrainingProgressTest)
#include "tst_trainingprogress.moc"

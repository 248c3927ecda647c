// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/traininglogreader.h"
#include "tests/models/support/progresstext.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using test::readAll;
using test::reported;
using namespace Qt::StringLiterals;

/// Layouts of further programs, by the print formats in their source; numbers invented.
class FrameworkLineTest final : public test::Suite {
    Q_OBJECT
private slots:
    void understands_data();
    void understands();
    void ignores_data();
    void ignores();
};

void FrameworkLineTest::understands_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& log, const char* expected) {
        QTest::newRow(name) << log << QString::fromLatin1(expected);
    };
    row("tqdm, no total", "\r123it [00:05, 24.10it/s, loss=0.5]\n", "-/- 123/- 0.5 24.1 it/s -");
    row("lightning, slash and step",
        "\rEpoch 1:  40%|####      | 40/100 [00:04<00:06, 10.50it/s, v_num=3, val/loss=9.0, train/loss_step=1.250]",
        "1/- 40/100 1.25 10.5 it/s 6");
    row("nemo", "\rEpoch 0: :  10%|#         | 10/100 [00:10<01:30, reduced_train_loss=10.20, global_step=9.000]",
        "0/- 10/100 10.2 - - 90");
    row("nemo, lines",
        "Training epoch 0, iteration 5/99 | lr: 1e-05 | global_batch_size: 8 | global_step: 5 | reduced_train_loss: "
        "11.03 | train_step_timing in s: 1.25 | consumed_samples: 48\n",
        "0/- 5/99 11.03 1.25 s/it -");
    row("hf trainer 5, numbers in quotes", "{'loss': '3.25', 'grad_norm': '1.5', 'epoch': '0.1'}\n",
        "0.1/- -/- 3.25 - - -");
    row("llama-factory",
        "{\"current_steps\": 10, \"total_steps\": 300, \"loss\": 1.25, \"lr\": 1e-4, \"epoch\": 0.1, \"percentage\": "
        "3.33, \"elapsed_time\": \"0:01:00\", \"remaining_time\": \"0:29:00\"}\n",
        "0.1/- 10/300 1.25 - - 1740");
    row("fairseq",
        "2026-03-01 10:00:00 | INFO | train_inner | {\"epoch\": 1, \"update\": 0.083, \"loss\": \"9.25\", \"ppl\": "
        "\"608\", \"wps\": \"31000\", \"ups\": \"2.31\", \"num_updates\": \"100\", \"lr\": \"1e-05\"}\n",
        "1/- 100/- 9.25 2.31 it/s -");
    row("fairseq, simple",
        "2026-03-01 10:00:00 | INFO | train_inner | epoch 001:    100 / 1200 loss=9.25, ppl=608, wps=31000, ups=2.31\n",
        "1/- 100/1200 9.25 2.31 it/s -");
    row("imagenet example",
        "Epoch: [4][ 10/626]\tTime  0.512 ( 1.200)\tData  0.001 ( 0.500)\tLoss 6.9e+00 (7.0e+00)\tAcc@1   0.39\n",
        "4/- 10/626 6.9 0.512 s/it -");
    row("torchvision references",
        "Epoch: [0]  [ 100/5005]  eta: 1:00:05  lr: 0.1  img/s: 123.5  loss: 6.9 (7.0)  time: 0.52  data: 0.1\n",
        "0/- 100/5005 6.9 123.5 samples/s 3605");
    row("mmcv, days",
        "mmdet - INFO - Epoch [1][50/1000] lr: 1e-3, eta: 1 day, 2:00:00, time: 0.800, data_time: 0.1, loss: 1.5\n",
        "1/- 50/1000 1.5 0.8 s/it 93600");
    row("detectron2", " eta: 0:10:00  iter: 19  total_loss: 1.25  loss_cls: 0.5  time: 0.52  data_time: 0.01\n",
        "-/- 19/- 1.25 0.52 s/it 600");
    row("llm.c",
        "step    7/19560 | loss 10.250 (+nanz)| norm 15.3 (+nanz)| lr 8.57e-07 | 3056.36 ms | 42.6% bf16 MFU | 171535 "
        "tok/s\n",
        "-/- 7/19560 10.25 171535 tokens/s -");
    row("nanochat",
        "step 00012/21400 (0.06%) | loss: 8.125 | lrm: 1.00 | dt: 443.2ms | tok/sec: 1,183,000 | mfu: 49 | eta: 2.5m\n",
        "-/- 12/21400 8.125 1183000 tokens/s 150");
    row("torchtune", "\r1|12|Loss: 1.25:   5%|#         | 12/250 [00:10<03:20,  1.19it/s]\n",
        "1/- 12/250 1.25 1.19 it/s 200");
    row("ultralytics",
        "\r      3/100      2.5G      1.234      2.345      1.2         45        640:  50%|#####     | 60/120 "
        "[00:10<00:10,  5.90it/s]\n",
        "3/100 60/120 4.779 5.9 it/s 10");
    row("horovod's keras bar under mpirun",
        "[1,0]<stdout>:Epoch 1/24\n[1,0]<stdout>: 12/500 [>.............................] - ETA: 1:04 - loss: 2.25 - "
        "accuracy: 0.1\n",
        "1/24 12/500 2.25 - - 64");
    row("horovod's pytorch example", "[0]<stdout>:Train Epoch: 3 [640/60000 (1%)]\tLoss: 0.75\n",
        "3/- 640/60000 0.75 - - -");
    row("horovod's tensorflow example", "[1,2]<stdout>:Step #40\tLoss: 0.500000\n", "-/- 40/- 0.5 - - -");
    row("tensorflow benchmarks", "30\timages/sec: 331.5 +/- 0.5 (jitter = 1.7)\t7.750\n",
        "-/- 30/- 7.75 331.5 samples/s -");
    row("estimator", "INFO:tensorflow:loss = 0.5, step = 100 (2.3 sec)\n", "-/- 100/- 0.5 - - -");
    row("espnet", "2026-03-01 (trainer:737) INFO: 10epoch:train:501-550batch: iter_time=0.1, loss=12.5, acc=0.3\n",
        "10/- 550/- 12.5 - - -");
    row("composer", "[batch=12/4800]:\n\t Train time/epoch: 0\n\t Train loss/train/total: 11.5\n",
        "-/- 12/4800 11.5 - - -");
    row("lightning's rich bar",
        "Epoch 3/9  \u2501\u2501\u2501\u2501\u2501\u2501 120/1000 0:00:12 \u2022 0:01:30 9.50it/s v_num: 0 train_loss: "
        "2.25\n",
        "3/10 120/1000 2.25 9.5 it/s 90");
    row("opennmt", "INFO] Step 100/100000; acc: 5.0; ppl: 8000.1; xent: 9.0; lr: 0.0001; sents: 12345; 35 sec;\n",
        "-/- 100/100000 9 - - -");
    row("torchrun's label", "[default0]:step 30/600 loss 2.5\n", "-/- 30/600 2.5 - - -");
}

void FrameworkLineTest::understands()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, expected);
    QCOMPARE(reported(readAll(log).progress()), expected);
}

void FrameworkLineTest::ignores_data()
{
    QTest::addColumn<QByteArray>("log");
    const auto row = [](const char* name, const QByteArray& log) { QTest::newRow(name) << log; };
    row("data set prepared",
        "\rMap (num_proc=8):  50%|#####     | 5000/10000 [00:01<00:01, 5000.0 examples/s]\n"
        "\rLoading checkpoint shards:  50%|#####     | 2/4 [00:01<00:01,  2.00s/it]\n"
        "\rmodel.safetensors: 100%|#####| 4.9G/4.9G [00:30<00:00, 160MB/s]\n"
        "\rTokenizing:  10%|#         | 10/100 [00:05<00:45,  2.00it/s]\n");
    row("evaluation of lightning", "{\"epoch\": 3, \"valid_loss\": \"5.5\"}\nval/loss=2.5 step 3\n");
}

void FrameworkLineTest::ignores()
{
    QFETCH(QByteArray, log);
    const TrainingProgress progress = readAll(log).progress();
    QVERIFY2(!progress.steps && !progress.loss && !progress.rate, qPrintable(reported(progress)));
}

RANKWRIGHT_TEST_MAIN(FrameworkLineTest)
#include "tst_frameworkline.moc"

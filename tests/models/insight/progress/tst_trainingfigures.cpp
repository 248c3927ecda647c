// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/progresstext.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// reward, KL, validation loss, tokens and samples per second; "-": not reported.
QString figures(const TrainingProgress& progress)
{
    QStringList all;
    for (const std::optional<double>& one :
        {progress.reward, progress.kl, progress.evalLoss, progress.tokensPerSecond, progress.samplesPerSecond})
        all.append(one ? QString::number(*one, 'g', 8) : u"-"_s);
    return all.join(u' ');
}

} // namespace

/// What lines measure beside step and loss.
class TrainingFiguresTest final : public test::Suite {
    Q_OBJECT
private slots:
    void understands_data();
    void understands();
    void headingsWithTheirLoss_data();
    void headingsWithTheirLoss();
};

void TrainingFiguresTest::understands_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& log, const char* expected) {
        QTest::newRow(name) << log << QString::fromLatin1(expected);
    };
    row("TRL",
        "{'loss': 0.02, 'rewards/format/mean': 1.0, 'reward': 1.7, 'reward_std': 0.5, 'kl': 0.0005, 'epoch': 0.9}\n",
        "1.7 0.0005 - - -");
    row("verl", "step:14 - actor/kl_loss:0.9 - actor/pg_loss:0.02 - critic/rewards/mean:0.598 - timing_s/step:61.8\n",
        "0.598 - - - -");
    row("prime-rl", "Step 4 | Time: 98.0s | Loss: -0.1 | Mismatch KL: 0.0008 | Throughput: 15012 tokens/s\n",
        "- 0.0008 - 15012 -");
    row("megatron", " validation loss at iteration 1000 | lm loss value: 2.871030E+00 | lm loss PPL: 1.7E+01 |\n",
        "- - 2.87103 - -");
    row("titan", "[titan] validate step: 200  loss:  3.41230  memory:  9.46GiB(64.99%)  tps: 21,100\n",
        "- - 3.4123 - -");
    row("keras", "1563/1563 ━━━━ 9s 6ms/step - loss: 0.7012 - val_accuracy: 0.7410 - val_loss: 0.7420\n",
        "- - 0.742 - -");
    row("tokens and samples", "step 12 loss 2.3 | 105.5 samples/s | 216K tokens/s\n", "- - - 216000 105.5");
    row("rsl_rl", "                       Mean reward: 21.31\n", "21.31 - - - -");
    row("the rate behind its name", "step 4 loss 2.0 lr=0.0003 tok/s=41.2k samples/sec = 12\n", "- - - 41200 12");
    row("litgpt", "Epoch 1 | iter 120 step 30 | loss train: 1.231, val: 1.312 | iter time: 312.12 ms (step)\n",
        "- - 1.312 - -");
    // none
    row("parts and spreads", "{'loss': 0.1, 'rewards/chosen': 1.0, 'reward_std': 0.5, 'kl_coef': 0.1, 'epoch': 0.9}\n",
        "- - - - -");
    row("what a prompt says", "Reward: 1 if the answer is right, else 0. step 3 loss 1.0\n", "- - - - -");
    row("what an engine generates", "step 3 loss 1.0 Avg generation throughput: 41.0 tokens/s\n", "- - - - -");
    row("an engine's line", "Decode batch, gen throughput (token/s): 120.1, loss\n", "- - - - -");
    row("a lost validation", "INFO :: validation loss: nan\n", "- - - - -");
    row("best one", "step 3 loss 1.0 (best eval_loss so far)\n", "- - - - -");
}

void TrainingFiguresTest::understands()
{
    QFETCH(QByteArray, log);
    QTEST(figures(test::readAll(log).progress()), "expected");
}

void TrainingFiguresTest::headingsWithTheirLoss_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& log, const char* expected) {
        QTest::newRow(name) << log << QString::fromLatin1(expected);
    };
    row("between lines", "===== Step 12/500 =====\nGenerating...\n  * Loss: 0.0123\n", "-/- 12/500 0.0123 - - -");
    row("iteration alone", "Iteration: \t 3\nNumTrajs: \t 200\nLoss:     \t 0.13\n", "-/- 3/- 0.13 - - -");
    row("no loss follows", "Iteration: 3\nk-means converged\n", "-/- -/- - - - -");
    row("no heading", "Loss: 0.13\n", "-/- -/- - - - -");
    row("of something else", "===== Step 12/500 =====\n  * Loss: 0.0123\nLoss: 99\n", "-/- 12/500 0.0123 - - -");
    row("a reward instead of a loss", "Step 41 | Time: 101.40s | Reward: 0.4353 | Seq. Length: 2069.9\n",
        "-/- 41/- - - - -");
    row("batches", "batch 76 | loss 2.39\nbatch 77 | loss 2.38\n", "-/- 77/- 2.38 - - -");
    row("no batches", "batch 32 x 4 | loss 2.39\nglobal batch 128 | loss 2\nbatch 8 per GPU loss 3\n",
        "-/- -/- - - - -");
}

void TrainingFiguresTest::headingsWithTheirLoss()
{
    QFETCH(QByteArray, log);
    QTEST(test::reported(test::readAll(log).progress()), "expected");
}

RANKWRIGHT_TEST_MAIN(TrainingFiguresTest)
#include "tst_trainingfigures.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/logdiagnoser.h"
#include "tests/support/testbase.h"

using namespace rankwright;

namespace {

const QByteArray report
    = "Traceback (most recent call last):\n  File \"data.py\", line 3, in load\nValueError: bad record\n";

QByteArray bars(int first, int count)
{
    QByteArray log;
    for (int i = first; i < first + count; ++i)
        log += "\r 10%|#         | " + QByteArray::number(i) + "/1000 [00:10<01:30, 10.00it/s]";
    return log + '\n';
}

QByteArray lines(int first, int count)
{
    QByteArray log;
    for (int i = first; i < first + count; ++i)
        log += "step " + QByteArray::number(i) + "/1000 loss 2.0\n";
    return log;
}

QString kindOf(const QByteArray& log)
{
    const QList<Diagnosis> found = diagnose(log);
    return found.isEmpty() ? QString() : found.first().kind;
}

} // namespace

/// What follows an error, or a word of no GPU, says what it is worth.
class AftermathTest final : public test::Suite {
    Q_OBJECT
private slots:
    void decides_data();
    void decides();
    void anotherErrorCountsAgain();
    void quotesTheRightLack();
};

void AftermathTest::decides_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("kind");
    const auto row = [](const QByteArray& name, const QByteArray& log, const char* kind) {
        QTest::newRow(name.constData()) << log << QString::fromLatin1(kind);
    };
    row("bars go on", bars(1, 3) + report + bars(4, 3), "");
    row("who has not noticed yet takes one step", bars(1, 3) + report + bars(3, 2), "python_exception");
    row("an error before the first step", report + bars(1, 2), "");
    // a buffer of 8 KiB is written when it is full, wherever in a line that is, and again when the program ends
    const QByteArray all = lines(1, 600);
    row("lines that may have waited in a buffer", all.first(8192) + report + all.sliced(8192), "python_exception");
    row("lines of a buffer, one of another program between",
        all.first(8192) + "WARNING slow disk\n" + report + all.sliced(8192), "python_exception");
    row("lines of a buffer that was never full", report + lines(1, 100), "python_exception");
    row("lines that are written at once, from the start", lines(1, 3) + report + lines(4, 3), "");
    row("lines that are written at once, long after", lines(1, 600) + report + lines(601, 3), "");
    row("lines written at once, one more step", lines(1, 600) + report + lines(601, 1), "python_exception");
    row("it says that it goes on", report + "push to the hub failed, continuing training\n" + lines(1, 3), "");
    row("the interpreter ignores an exception, not the program",
        all.first(8192) + report + "Exception ignored in: <function Loader.__del__ at 0x7f0c>\n" + all.sliced(8192),
        "python_exception");
    row("code that says continue", report + "    continue\n" + lines(1, 3), "python_exception");
    row("epochs without steps go on",
        "{'loss': 0.4, 'epoch': 0.8}\n" + report + "{'loss': 0.3, 'epoch': 0.9}\n{'loss': 0.3, 'epoch': 1.0}\n", "");
    row("lines beyond any buffer", lines(1, 3) + report + lines(4, 1000), "");
    for (const QByteArray& message : {QByteArray("INFO: Unrecognized options: --optim.lrr\n"),
             QByteArray("INFO assertions enabled: global batch size divisible by 8\n"),
             QByteArray("Unable to initialize backend 'tpu': ABORTED: The TPU is already in use by process 3\n")}) {
        row(message.left(20) + ", the training goes on", message + lines(1, 1000), "");
        row(message.left(20) + ", and something else ends it",
            message + lines(1, 1000)
                + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of "
                  "79 GiB\nsrun: error: n1: task 0: Exited with exit code 1\n",
            "oom_gpu");
    }
    row("the training finished", report + "Training finished.\n", "");
    row("somebody died after all",
        bars(1, 3) + report + bars(4, 3) + "srun: error: n1: task 0: Exited with exit code 1\n", "python_exception");
    row("others went on for a moment and then noticed",
        bars(1, 3)
            + "[rank1]: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 63.98 GiB total capacity)\n"
            + bars(4, 3)
            + "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:5001\n"
              "srun: error: n1: task 1: Exited with exit code 1\n",
        "oom_gpu");
    row("long before another death",
        bars(1, 3) + report + bars(4, 3) + lines(10, 400)
            + "no space in the queue of events\nsrun: error: n1: task 0: Exited with exit code 1\n",
        "failed_exit");
    row("another cause later", bars(1, 3) + report + bars(4, 3) + "torch.OutOfMemoryError: CUDA out of memory.\n",
        "oom_gpu");
    row("a broken GPU is never survived",
        bars(1, 3) + "NVRM: Xid (PCI:0000:1b:00): 79, GPU has fallen off the bus.\n" + bars(4, 3), "gpu_hardware");
    row("tensorflow has no GPU, another trains",
        "GPU will not be used.\nloading\nstep 10/100 loss 2.0\nstep 11/100 loss 2.0\n", "");
    row("no GPU, and the line says otherwise",
        "GPU available: False, used: False\nstep 10/100 loss 2.0 memory: 40.1GiB\nstep 11/100 loss 2.0\n", "");
    row("no GPU, nothing trained", "GPU available: False, used: False\nscanning files\n", "");
    row("no GPU, trains", "GPU available: False, used: False\nstep 10/100 loss 2.0\n", "no_gpu");
}

void AftermathTest::decides()
{
    QFETCH(QByteArray, log);
    QTEST(kindOf(log), "kind");
    for (const int piece : {11, 61}) {
        LogDiagnoser diagnoser;
        for (qsizetype at = 0; at < log.size(); at += piece)
            diagnoser.feed(log.mid(at, piece));
        QCOMPARE(diagnoser.diagnoses(), diagnose(log));
    }
}

void AftermathTest::anotherErrorCountsAgain()
{
    const QByteArray log = bars(1, 3) + report + bars(4, 3)
        + "Traceback (most recent call last):\n  File \"train.py\", line 9, in step\nKeyError: 'labels'\n";
    QCOMPARE(diagnose(log).value(0).evidence, QStringLiteral("KeyError: 'labels'"));
}

void AftermathTest::quotesTheRightLack()
{
    const QList<Diagnosis> found
        = diagnose("Setting accelerator to CPU. We were unable to detect a GPU.\nstep 2/9 loss 2.0\n");
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().line, 1);
    QVERIFY(found.first().evidence.startsWith(QStringLiteral("Setting accelerator to CPU")));
}

RANKWRIGHT_TEST_MAIN(AftermathTest)
#include "tst_aftermath.moc"

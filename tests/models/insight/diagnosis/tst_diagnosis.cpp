// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"
#include "models/insight/text/wordfinder.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QString folder = rankwright::test::sourcePath(u"/tests/data/logs");

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString kindOf(const QByteArray& log)
{
    const QList<Diagnosis> found = diagnose(log);
    return found.isEmpty() ? QString() : found.first().kind;
}

} // namespace

/// Known failures: the samples, causes against consequences, and ordinary lines that look like errors.
class DiagnosisTest final : public test::Suite {
    Q_OBJECT
private slots:
    void samples_data();
    void samples();
    void progressSamples_data();
    void progressSamples();
    void kinds_data();
    void kinds();
    void silent_data();
    void silent();
    void causeBeforeConsequence();
    void killedRank();
    void severalAgentsBlameTheirOwn_data();
    void severalAgentsBlameTheirOwn();
    void aCrashedLoaderIsAboutFork();
    void exceptionBeforeLostPeers();
    void rankByDevice();
    void codeIsNoEvidence();
    void cutAnywhere();
    void wordsAreFound();
    void noise();
    void endlessBlocks();
};

void DiagnosisTest::samples_data()
{
    QTest::addColumn<QString>("path");
    for (const QString& name : QDir(folder).entryList({u"*.txt"_s}))
        QTest::newRow(qPrintable(name)) << folder + u'/' + name;
}

void DiagnosisTest::samples()
{
    QFETCH(QString, path);
    const QJsonObject expected = QJsonDocument::fromJson(bytesOf(path + u".expected.json"_s)).object();
    const QJsonObject reported = expected.value(u"diagnosis"_s).toObject();
    const QList<Diagnosis> found = diagnose(bytesOf(path));
    if (reported.isEmpty() || reported.value(u"class"_s).toString() == u"ok"_s) {
        QVERIFY2(found.isEmpty(), qPrintable(found.value(0).evidence));
        return;
    }
    QCOMPARE(found.size(), 1);
    const Diagnosis& first = found.first();
    QCOMPARE(first.kind, reported.value(u"class"_s).toString());
    QVERIFY2(first.evidence.contains(reported.value(u"evidence"_s).toString()), qPrintable(first.evidence));
    if (reported.contains(u"node"_s))
        QCOMPARE(first.node, reported.value(u"node"_s).toString());
    if (reported.contains(u"rank"_s))
        QCOMPARE(first.rank.value_or(-1), reported.value(u"rank"_s).toInt());
    if (reported.contains(u"gpu"_s))
        QCOMPARE(first.gpu.value_or(-1), reported.value(u"gpu"_s).toInt());
    QVERIFY(!first.advice.isEmpty());
}

void DiagnosisTest::progressSamples_data() { samples_data(); }

void DiagnosisTest::progressSamples()
{
    QFETCH(QString, path);
    const QJsonObject expected = QJsonDocument::fromJson(bytesOf(path + u".expected.json"_s)).object();
    const QJsonObject last = expected.value(u"last"_s).toObject();
    TrainingLogReader reader;
    reader.feed(bytesOf(path));
    reader.finish();
    const TrainingProgress& progress = reader.progress();
    const auto number = [&](const char* name) { return last.value(QLatin1String(name)).toDouble(-1); };
    QCOMPARE(progress.epoch.value_or(-1), number("epoch"));
    QCOMPARE(progress.epochs.value_or(-1), number("epochs_total"));
    QCOMPARE(double(progress.step.value_or(-1)), number("step"));
    QCOMPARE(double(progress.steps.value_or(-1)), number("steps_total"));
    QCOMPARE(progress.loss.value_or(-1), number("loss"));
    QCOMPARE(progress.rate.value_or(-1), number("rate"));
    QCOMPARE(progress.rateUnit, last.value(u"rate_unit"_s).toString());
    QVERIFY(qAbs(progress.etaSeconds.value_or(-1) - number("eta_s")) < 1);
    if (!last.isEmpty())
        QCOMPARE(progress.framework, expected.value(u"framework"_s).toString());
}

void DiagnosisTest::kinds_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("kind");
    const auto row = [](const char* kind, const char* log) {
        QTest::addRow("%s: %.40s", kind, log) << QByteArray(log) + '\n' << QString::fromLatin1(kind);
    };
    row("time_limit", "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2025-01-01T00:00:00 DUE TO TIME LIMIT ***");
    row("preempted", "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2025-01-01T00:00:00 DUE TO PREEMPTION ***");
    row("oom_host", "slurmstepd: error: Exceeded job memory limit");
    row("oom_host", "RuntimeError: [enforce fail at alloc_cpu.cpp:75] DefaultCPUAllocator: can't allocate memory");
    row("oom_gpu",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 8589934592 bytes.");
    row("shm", "RuntimeError: DataLoader worker (pid 9) is killed by signal: Bus error. It is possible that ... shm.");
    row("disk_quota", "OSError: [Errno 122] Disk quota exceeded");
    row("gpu_hardware", "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.");
    row("gpu_hardware", "RuntimeError: CUDA error: uncorrectable ECC error encountered");
    row("gpu_fault", "RuntimeError: CUDA error: an illegal memory access was encountered");
    row("gpu_fault", "Memory access fault by GPU node-4 (Agent handle: 0x1) on address 0x2. Reason: Unknown.");
    row("no_gpu", "RuntimeError: No HIP GPUs are available");
    row("no_gpu", "CUDA is not available\nmodel has 124 M parameters\nmodel moved to the cpu");
    row("wrong_device_count", "RuntimeError: HIP error: invalid device ordinal");
    row("driver_mismatch", "RuntimeError: The NVIDIA driver on your system is too old (found version 11040).");
    row("gpu_arch_mismatch", "hipErrorNoBinaryForGpu: Unable to find code object for all current devices!");
    row("miopen_cache",
        "MIOpen Error: /x/sqlite_db.cpp:220: Internal error while accessing SQLite database: disk I/O error");
    row("rendezvous_timeout",
        "torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 clients joined.");
    row("nccl_error", "RuntimeError: NCCL error in: x.cpp:1, unhandled system error, NCCL version 2.18.3");
    row("missing_file", "FileNotFoundError: [Errno 2] No such file or directory: '/data/train.bin'");
    row("missing_file", "slurmstepd: error: execve(): pyhton: No such file or directory");
    row("missing_module", "Lmod has detected the following error: The following module(s) are unknown: \"rocm/9\"");
    row("missing_library", "ImportError: libamdhip64.so.6: cannot open shared object file: No such file or directory");
    row("import_error", "ImportError: cannot import name 'x' from 'y' (/z.py)");
    row("checkpoint_mismatch", "RuntimeError: Error(s) in loading state_dict for Net:");
    row("permission_denied", "PermissionError: [Errno 13] Permission denied: '/scratch/a'");
    row("file_system", "OSError: [Errno 116] Stale file handle");
    row("wrong_arguments", "train.py: error: unrecognized arguments: --lrr 0.1");
    row("process_killed", "mpirun noticed that process rank 2 with PID 9 on node n7 exited on signal 9 (Killed).");
    row("nan_loss", "step 40/600 loss: nan");
    row("loss_scale_overflow",
        "Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.");
    row("slurm_config", "srun: error: Unable to create step for job 7: More processors requested than permitted");
    row("python_exception", "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'x'");
    row("failed_exit", "srun: error: n1: task 3: Exited with exit code 2");
}

void DiagnosisTest::kinds()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, kind);
    QCOMPARE(kindOf(log), kind);
}

void DiagnosisTest::silent_data()
{
    QTest::addColumn<QByteArray>("log");
    const auto row = [](const char* name, const QByteArray& log) { QTest::newRow(name) << log; };
    row("plain training", "step 1/9 loss 2.3\nstep 2/9 loss 2.2\nTraining finished\n");
    row("error as a measure", "val error: 0.12\nmean absolute error: 0.3\nError rate: 4 %\n");
    row("optional package", "WARNING: No module named 'apex', using PyTorch's own\n");
    row("nccl info", "n1:1:1 [0] NCCL INFO NET/Plugin: Failed to find ncclNetPlugin_v8 symbol.\n");
    row("first overflows",
        "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768\n"
        "steps: 10 loss: 3.2 iter time (s): 1.4 samples/sec: 21\n");
    row("no nan", "number of nan iterations:   0 |\nfinancial news loaded\nval: n/a\n");
    row("miopen note", "MIOpen(HIP): Warning [SQLiteBase] Missing system database file: gfx90a68.kdb\n");
    row("ignored exception",
        "Exception ignored in: <function A.__del__>\nTraceback (most recent call last):\n"
        "  File \"a.py\", line 2, in __del__\nAttributeError: 'NoneType' has no 'x'\n");
    row("batch skipped", "WARNING: CUDA out of memory, skipping batch 12\nstep 13/90 loss 1.5\n");
    row("hint at a timeout", "INFO: NCCL timeout is set to 1800 s\nINFO: time limit 2:00:00\n");
    row("step waits",
        "srun: Job 7 step creation temporarily disabled, retrying (Requested nodes are busy)\nstep 1/2 loss 1.5\n");
    row("folder of the job",
        "slurmstepd: error: couldn't chdir to `/home/x': No such file or directory: going to /tmp instead\n"
        "step 1/2 loss 1.5\n");
    row("no GPU Direct, and a checkpoint on the CPU",
        "n1: No GPU Direct RDMA support found for device mlx5_0\nstep 1/9 loss 2.3\nstep 2/9 loss 2.2\n"
        "Moving state dict to CPU for the checkpoint\nstep 3/9 loss 2.1\n");
    row("a checkpoint soon after a word of no GPU",
        "tokenizer server: CUDA is not available\nmoving state_dict to CPU\ncheckpoint gathered on CPU\n");
    row("much later",
        QByteArray("tokenizer server: CUDA is not available\n" + QByteArray("reading shards\n").repeated(40)
            + "tokenizer using cpu\n"));
    row("while it trains", "tokenizer server: CUDA is not available\nstep 1/9 loss 2.3\nmetrics: using cpu\n");
    row("files that are not there", "ls: cannot access 'x': No such file or directory\nstep 1/2 loss 1.5\n");
}

void DiagnosisTest::silent()
{
    QFETCH(QByteArray, log);
    QCOMPARE(kindOf(log), QString());
}

void DiagnosisTest::causeBeforeConsequence()
{
    const QByteArray log
        = "5: [rank5]: RuntimeError: [5] is setting up NCCL communicator, Connection reset by peer\n"
          "[rank1]: [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE)\n"
          "[rank3]: torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2 GiB. GPU 3 has a total\n"
          "srun: error: n7: task 5: Aborted\nsrun: error: n6: task 3: Exited with exit code 1\n"
          "slurmstepd: error: *** STEP 7.0 ON n6 CANCELLED AT 2025-01-01T00:00:00 ***\n";
    const QList<Diagnosis> found = diagnose(log);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().kind, u"oom_gpu"_s);
    QCOMPARE(found.first().rank.value_or(-1), 3);
    QCOMPARE(found.first().gpu.value_or(-1), 3);
    QCOMPARE(found.first().node, u"n6"_s);
    QCOMPARE(found.first().line, 3);
    // "-5" is not a task
    QVERIFY(
        !diagnose("srun: error: n7: task -5: Exited with exit code 1\nIOError: No space left on device").first().rank);
}

void DiagnosisTest::killedRank()
{
    // as Slurm 22.05 with PyTorch's gloo wrote it: rank 2 was ended by kill -9
    const QByteArray peers
        = "Traceback (most recent call last):\n"
          "RuntimeError: [./gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.120.5.11]:62186\n"
          "RuntimeError: [./gloo/transport/tcp/pair.cc:589] Read error [10.120.5.11]:64394: Connection reset by peer\n";
    const QByteArray killed = "srun: error: nid005001: task 2: Killed\n";
    const QByteArray exits = "srun: error: nid005001: tasks 0-1,3: Exited with exit code 1\n";
    const QList<QByteArray> logs{peers + killed + exits, killed + peers + exits, peers + exits + killed};
    for (const QByteArray& log : logs) {
        const QList<Diagnosis> found = diagnose(log);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().kind, u"process_killed"_s);
        QCOMPARE(found.first().rank.value_or(-1), 2);
        QCOMPARE(found.first().node, u"nid005001"_s);
    }
    // srun's own ending of the rest is not a cause
    const QByteArray ended = "srun: Terminating StepId=7.0\n";
    QCOMPARE(kindOf(peers + exits + ended + killed), u"nccl_error"_s);
    QCOMPARE(kindOf(ended + killed), u"process_killed"_s);
}

namespace {

/// As torchrun's agent of one node ends its output.
QByteArray rootCause(const char* node, int rank, int localRank, int exitCode, const char* time)
{
    return QByteArray(
               "E1124 06:55:22.500000 140 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: ")
        + QByteArray::number(exitCode) + ") local_rank: " + QByteArray::number(localRank)
        + " (pid: 148) of binary: /usr/bin/python3\n"
          "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
          "train.py FAILED\nFailures:\n  <NO_OTHER_FAILURES>\nRoot Cause (first observed failure):\n[0]:\n  time      : "
        + time + "\n  host      : " + node + "\n  rank      : " + QByteArray::number(rank)
        + " (local_rank: " + QByteArray::number(localRank) + ")\n  exitcode  : " + QByteArray::number(exitCode)
        + " (pid: 148)\n  error_file: <N/A>\n  traceback : To enable traceback see: https://pytorch.org\n";
}

} // namespace

/// V1, N4: each agent blames one of its own ranks, also one that only lost a peer of another node.
void DiagnosisTest::severalAgentsBlameTheirOwn_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("rank");
    QTest::addColumn<QString>("node");
    const QByteArray lost = "RuntimeError: [pair.cc:534] Connection closed by peer [10.120.5.11]:22910\n";
    const QByteArray exits = "srun: error: n1: task 0: Exited with exit code 1\n"
                             "srun: error: n2: task 1: Exited with exit code 1\n";
    const QByteArray n1 = rootCause("n1", 0, 0, 1, "2026-11-24_06:55:22");
    const char* early = "2026-11-24_06:55:22";
    const char* late = "2026-11-24_06:55:25";
    for (const bool killedFirst : {false, true}) {
        const QByteArray killed = rootCause("n2", 7, 3, -9, killedFirst ? early : late);
        QTest::addRow("killed on the second node, %s", killedFirst ? "at once" : "noticed late")
            << "[rank0]: " + lost + n1 + killed + exits << u"process_killed"_s << 7 << u"n2"_s;
        QTest::addRow("killed on the second node, its block first, %s", killedFirst ? "at once" : "noticed late")
            << "[rank0]: " + lost + killed + n1 + exits << u"process_killed"_s << 7 << u"n2"_s;
    }
    const QByteArray memory
        = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a "
          "total capacity of 64.00 GiB of which 1.00 GiB is free.\n";
    const QByteArray n2 = rootCause("n2", 3, 1, 1, early);
    QTest::newRow("memory of a labelled rank")
        << "[rank3]: " + memory + "[rank0]: " + lost + n1 + n2 + exits << u"oom_gpu"_s << 3 << u"n2"_s;
    QTest::newRow("memory, by the device") << memory + lost + n1 + n2 + exits << u"oom_gpu"_s << 3 << u"n2"_s;
    QByteArray nameless = memory;
    nameless.replace("GPU 1 has", "GPU has");
    QTest::newRow("memory, the other is said to have lost a peer")
        << nameless + "[rank0]: " + lost + n1 + n2 + exits << u"oom_gpu"_s << 3 << u"n2"_s;
    QTest::newRow("memory of one of them")
        << nameless + lost + n1 + n2 + exits << u"oom_gpu"_s << -1 << u"one of the ranks of n1 or n2"_s;
    QTest::newRow("memory, by the label of srun's tasks")
        << "1: " + nameless + "0: " + lost + n1 + n2 + exits << u"oom_gpu"_s << 3 << u"n2"_s;
    // Both ended within a second, and which of them only lost its peer is not in the output.
    QByteArray both = n2;
    both.replace("Failures:\n  <NO_OTHER_FAILURES>\n",
        "Failures:\n[1]:\n  time      : 2026-11-24_06:55:22\n  host      : n2\n  rank      : 2 (local_rank: 0)\n"
        "  exitcode  : 1 (pid: 147)\n  error_file: <N/A>\n");
    QTest::newRow("memory of one of the ranks of a node")
        << "1: " + nameless + lost + n1 + both + exits << u"oom_gpu"_s << -1 << u"n2"_s;
    QTest::newRow("memory, the other a second later")
        << nameless + lost + rootCause("n1", 0, 0, 1, late) + n2 + exits << u"oom_gpu"_s << 3 << u"n2"_s;
}

void DiagnosisTest::severalAgentsBlameTheirOwn()
{
    QFETCH(QByteArray, log);
    QFETCH(QString, kind);
    QFETCH(int, rank);
    QFETCH(QString, node);
    const Diagnosis found = diagnose("step 20/200 loss 2.2\n" + log).value(0);
    QCOMPARE(found.kind, kind);
    QCOMPARE(found.rank.value_or(-1), rank);
    QCOMPARE(found.amongNodes.isEmpty() ? found.node : oneOfRanks(found), node);
}

void DiagnosisTest::aCrashedLoaderIsAboutFork()
{
    const QList<Diagnosis> found = diagnose("ERROR: Unexpected segmentation fault encountered in worker.\n"
                                            "Traceback (most recent call last):\n"
                                            "RuntimeError: DataLoader worker (pid 7001) is killed by signal: "
                                            "Segmentation fault. \n"
                                            "srun: error: n1: task 0: Exited with exit code 1\n");
    QCOMPARE(found.value(0).kind, u"segfault"_s);
    QVERIFY2(found.value(0).advice.contains(u"spawn"_s), qPrintable(found.value(0).advice));
    const QList<Diagnosis> other = diagnose("srun: error: n1: task 0: Segmentation fault\n");
    QVERIFY2(!other.value(0).advice.contains(u"spawn"_s), qPrintable(other.value(0).advice));
}

void DiagnosisTest::exceptionBeforeLostPeers()
{
    const QByteArray own = "Traceback (most recent call last):\nKeyError: 'labels'\n";
    const QByteArray peers
        = "Traceback (most recent call last):\nRuntimeError: Connection closed by peer [10.0.0.1]:6\n";
    const QByteArray exits = "srun: error: n1: task 3: Exited with exit code 1\n";
    QCOMPARE(kindOf(own + peers + exits), u"python_exception"_s);
    QCOMPARE(diagnose(own + peers + exits).first().rank.value_or(-1), 3);
    QCOMPARE(kindOf(peers + own + exits), u"nccl_error"_s);
}

void DiagnosisTest::rankByDevice()
{
    const QByteArray memory
        = "RuntimeError: HIP out of memory. Tried to allocate 2.00 GiB (GPU 3; 63.98 GiB total capacity)\n";
    const QByteArray one = "srun: error: n1: task 1: Exited with exit code 1\n";
    const QByteArray three = "srun: error: n1: tasks 2-3: Exited with exit code 1\n";
    QCOMPARE(diagnose(memory + one + three).first().rank.value_or(-1), 3);
    QCOMPARE(diagnose(memory + one + three).first().node, u"n1"_s);
    // other nodes have a device 3, too; and whose only device is 0 is not determined by it
    QVERIFY(diagnose(memory + one + "srun: error: n2: task 3: Exited with exit code 1\n").first().rank != 3);
    QCOMPARE(diagnose(QByteArray(memory).replace("GPU 3", "GPU 0") + one).first().rank.value_or(-1), 1);
}

void DiagnosisTest::codeIsNoEvidence()
{
    const QByteArray log
        = "  File \"train.py\", line 9, in step\n    raise RuntimeError(\"CUDA out of memory. Tried to be \"\n"
          "[rank1]:     raise MemoryError(\"CUDA out of memory. Tried\")\n";
    QCOMPARE(kindOf(log), QString());
    const QList<Diagnosis> found
        = diagnose(log + "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; x)\n");
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().line, 4);
    QCOMPARE(found.first().gpu.value_or(-1), 1);
}

void DiagnosisTest::cutAnywhere()
{
    const QByteArray log
        = "a\nb\r\nFileNotFoundError: [Errno 2] No such file or directory: 'x'\nsrun: error: n1: task 2: "
          "Exited with exit code 1\n";
    const QList<Diagnosis> whole = diagnose(log);
    QCOMPARE(whole.first().line, 3);
    for (int piece = 1; piece < 40; ++piece) {
        LogDiagnoser diagnoser;
        for (qsizetype at = 0; at < log.size(); at += piece)
            diagnoser.feed(log.mid(at, piece));
        QCOMPARE(diagnoser.diagnoses(), whole);
    }
}

void DiagnosisTest::wordsAreFound()
{
    const WordFinder finder({{"he", 1}, {"she", 2}, {"hers", 3}, {"his", 4}});
    QCOMPARE(finder.find("uSHErs"), QList<int>({1, 2, 3}));
    QCOMPARE(finder.find("hi s"), QList<int>());
    QCOMPARE(finder.find("this"), QList<int>({4}));
}

void DiagnosisTest::noise()
{
    QRandomGenerator random(5);
    QByteArray all;
    for (const DiagnosisRule& rule : diagnosisRules())
        all += rule.examples.join(u'\n').toUtf8() + '\n';
    LogDiagnoser diagnoser;
    for (int i = 0; i < 2000; ++i) {
        QByteArray bytes = all.mid(random.bounded(all.size()), 200);
        bytes[random.bounded(bytes.size())] = char(random.bounded(256));
        diagnoser.feed(bytes);
    }
    QVERIFY(diagnoser.diagnoses().size() <= 2);
}

/// A log that repeats torchrun's block under ever new labels: the first ones count, and memory has an end.
void DiagnosisTest::endlessBlocks()
{
    const auto block = [](int label) {
        QByteArray lines;
        for (const char* line : {"Root Cause (first observed failure):", "  time      : 2026-01-01_00:00:05",
                 "  host      : n7", "  rank      : 3 (local_rank: 3)", "  exitcode  : 1 (pid: 9)"})
            lines += QByteArray::number(label) + ": " + line + '\n';
        return lines;
    };
    LogDiagnoser diagnoser;
    for (int label = 0; label < 5000; ++label)
        diagnoser.feed(block(label));
    diagnoser.feed("srun: error: n7: task 3: Exited with exit code 1\n");
    const auto found = diagnoser.diagnoses();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().rank, std::optional(3));
}

RANKWRIGHT_TEST_MAIN(DiagnosisTest)
#include "tst_diagnosis.moc"

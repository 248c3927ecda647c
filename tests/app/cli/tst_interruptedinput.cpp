// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QThread>

#include <sys/stat.h>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Every reader of a stream in the headless program, as a shell's pipe feeds it: in pieces of any size, with pauses.
/// The answer must be that of the same bytes given at once.
class InterruptedInputTest final : public test::Suite {
    Q_OBJECT

    struct Answer {
        int code = -1;
        QByteArray out, err;
    };

    static QString program() { return QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s; }

    static Answer finished(QProcess& process)
    {
        Answer answer;
        if (process.waitForFinished(test::longWaitMs))
            answer.code = process.exitCode();
        answer.out = process.readAllStandardOutput();
        answer.err = process.readAllStandardError();
        return answer;
    }

    static Answer atOnce(const QStringList& words, const QByteArray& input)
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"input"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(input) != input.size())
            return {};
        file.close();
        QProcess process;
        process.setStandardInputFile(file.fileName());
        process.start(program(), words);
        return finished(process);
    }

    /// The pieces' sizes and the pauses come from `seed`; there are some twenty pieces.
    static Answer inPieces(const QStringList& words, const QByteArray& input, quint32 seed)
    {
        QRandomGenerator chance(seed);
        QProcess process;
        process.start(program(), words);
        if (!process.waitForStarted())
            return {};
        for (qsizetype at = 0; at < input.size();) {
            const qsizetype size = qMax<qsizetype>(1, chance.bounded(int(input.size() / 10) + 2));
            process.write(input.mid(at, size));
            process.waitForBytesWritten(test::longWaitMs);
            at += size;
            QThread::msleep(chance.bounded(30));
        }
        process.closeWriteChannel();
        return finished(process);
    }

    static QByteArray design()
    {
        QByteArray text
            = R"({"version": 1, "cluster": "lumi", "partition": "standard-g", "account": "project_465000001",
            "time": "01:00:00", "resources": {"nodes": 2}, "command": "train.py", "launcher": "torchrun")";
        text += QByteArray(90000, ' '); // more than a pipe holds
        return text + ", \"name\": \"behind the pause\"}\n";
    }

    static QByteArray script()
    {
        QByteArray text = "#!/bin/bash\n#SBATCH --account=project_465000001 --partition=standard-g --nodes=2\n";
        while (text.size() < 82000)
            text += "# a line that says nothing, as long scripts have many of them\n";
        return text + "export LATE=1\nsrun torchrun --nnodes=2 --nproc_per_node=8 late.py\n";
    }

private slots:
    void initTestCase();
    void piecesAndPausesChangeNothing_data();
    void piecesAndPausesChangeNothing();
    void aNamedPipeIsReadToItsEnd();
    void aNamedPipeWithoutAWriterEnds();
    void standardInputMayBeNonBlocking();
};

void InterruptedInputTest::initTestCase()
{
    if (!QFile::exists(program()))
        QSKIP("rankwright-cli is not built beside the tests");
}

void InterruptedInputTest::piecesAndPausesChangeNothing_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("input");
    const QStringList designs{u"script"_s, u"check"_s, u"cost"_s, u"bind"_s, u"batch"_s, u"estimate"_s, u"advise"_s};
    for (const QString& command : designs)
        QTest::addRow("%s", qPrintable(command)) << QStringList{command, u"-"_s} << design();
    QTest::newRow("search") << QStringList{u"search"_s, u"-"_s, u"--max-nodes"_s, u"1"_s, u"--top"_s, u"1"_s}
                            << QByteArray("{\"version\": 1, \"cluster\": \"lumi\"" + QByteArray(70000, ' ') + "}");
    QTest::newRow("submit refused") << QStringList{
        u"submit"_s, u"-"_s} << QByteArray("{\"version\": 1, \"cluster\": \"nowhere\"" + QByteArray(70000, ' ') + "}");
    QTest::newRow("read") << QStringList{u"read"_s, u"--cluster"_s, u"lumi"_s, u"-"_s, u"--json"_s} << script();
    QTest::newRow("check script") << QStringList{u"check"_s, u"--cluster"_s, u"lumi"_s, u"-"_s} << script();
    QByteArray log;
    for (int step = 1; step <= 1500; ++step)
        log += "step " + QByteArray::number(step) + "/2000 | loss 2." + QByteArray::number(9999 - step)
            + " | 0.5 s/step\n";
    QTest::newRow("parse log") << QStringList{u"parse"_s, u"log"_s, u"--json"_s} << log;
    QTest::newRow("parse log in UTF-16") << QStringList{u"parse"_s, u"log"_s, u"--json"_s}
                                         << QByteArray("\xff\xfe"
                                                       "s\0t\0e\0p\0 \0"
                                                       "7\0/\0"
                                                       "9\0\n\0",
                                                20);
    QByteArray gpus = "index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n";
    for (int gpu = 0; gpu < 400; ++gpu)
        gpus += QByteArray::number(gpu) + ", NVIDIA A100-SXM4-40GB, 97 %, 31000 MiB, 40960 MiB\n";
    QTest::newRow("parse gpu") << QStringList{u"parse"_s, u"gpu"_s, u"--json"_s} << gpus;
    QTest::newRow("estimate --runs") << QStringList{u"estimate"_s, u"--runs"_s, u"-"_s,
        u"--json"_s} << QByteArray("id,model,framework,notes\n" + QByteArray("a,GPT-2 XL,fsdp2,later\n").repeated(300));
}

void InterruptedInputTest::piecesAndPausesChangeNothing()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, input);
    const Answer whole = atOnce(words, input);
    QVERIFY(whole.code >= 0 && (!whole.out.isEmpty() || !whole.err.isEmpty()));
    for (quint32 seed = 1; seed <= 2; ++seed) {
        const Answer pieces = inPieces(words, input, seed);
        QCOMPARE(pieces.err, whole.err);
        QCOMPARE(pieces.out, whole.out);
        QCOMPARE(pieces.code, whole.code);
    }
    if (words.contains(u"read"_s))
        QVERIFY(whole.out.contains("late.py"));
}

void InterruptedInputTest::aNamedPipeIsReadToItsEnd()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath(u"design.json"_s);
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QProcess process;
    process.start(program(), {u"script"_s, pipe});
    QVERIFY(process.waitForStarted());
    QProcess writer;
    writer.setStandardOutputFile(pipe, QIODevice::Append);
    writer.start(u"/bin/sh"_s,
        {u"-c"_s,
            u"sleep 0.3; printf '%s' '{\"version\": 1,'; sleep 0.3; printf '%s' "
            "'\"cluster\": \"lumi\", \"name\": \"late\"}'"_s});
    QVERIFY(writer.waitForFinished(test::longWaitMs));
    const Answer answer = finished(process);
    QCOMPARE(answer.code == 0 || answer.code == 1, true);
    QVERIFY2(answer.out.contains("--job-name=late"), answer.out.constData());
}

void InterruptedInputTest::aNamedPipeWithoutAWriterEnds()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath(u"design.json"_s);
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QProcess process;
    process.start(program(), {u"script"_s, pipe});
    const Answer answer = finished(process);
    QCOMPARE(answer.code, 2);
    QVERIFY2(answer.err.contains("no process writes to this named pipe"), answer.err.constData());
}

void InterruptedInputTest::standardInputMayBeNonBlocking()
{
    // Another program on the same terminal or pipe may have set it so.
    QTemporaryDir folder;
    QProcess process;
    QFile feeder(folder.filePath(u"feeder.py"_s));
    QVERIFY(feeder.open(QIODevice::WriteOnly));
    feeder.write("import fcntl, os, subprocess, sys, time\n"
                 "r, w = os.pipe()\n"
                 "fcntl.fcntl(r, fcntl.F_SETFL, os.O_NONBLOCK)\n"
                 "p = subprocess.Popen([sys.argv[1], 'script', '-'], stdin=r)\n"
                 "for piece in (b'{\"version\": 1,', b'\"cluster\": \"lumi\",', b'\"name\": \"late\"}'):\n"
                 "    time.sleep(0.2); os.write(w, piece)\n"
                 "os.close(w)\n"
                 "sys.exit(p.wait() > 1)\n");
    feeder.close();
    process.start(u"python3"_s, {feeder.fileName(), program()});
    const Answer answer = finished(process);
    QCOMPARE(answer.code, 0);
    QVERIFY2(answer.out.contains("--job-name=late"), answer.err.constData());
}

RANKWRIGHT_TEST_MAIN(InterruptedInputTest)
#include "tst_interruptedinput.moc"

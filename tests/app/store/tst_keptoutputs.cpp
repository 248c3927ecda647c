// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/keptoutputs.h"
#include "app/store/recordings.h"
#include "app/watch/joboutputfiles.h"
#include "tests/app/support/clirun.h"
#include "tests/app/support/madejobfile.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QFileInfo>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

KeptOutput keptFile(const QString& path, const QByteArray& bytes)
{
    return {path, {}, qint64(bytes.size()), QDateTime(QDate(2026, 9, 21), QTime(14, 14), Qt::UTC), bytes};
}

QList<KeptOutput> keptFiles()
{
    KeptOutput rank = keptFile(u"/run/train-3.log"_s, "loss 2.5\r\nloss \xff\0 3\n");
    rank.rank = 3;
    KeptOutput large = keptFile(u"/run/slurm-4711.err"_s, "the end\n");
    large.wholeBytes = 1LL << 40;
    return {keptFile(u"/run/slurm-4711.out"_s, "step 1\nstep 2\nERROR no\n"), rank, large, keptFile(u"/run/e"_s, {})};
}

} // namespace

/// Output files of an ended job beside its recording, and what is said of them without a cluster.
class KeptOutputsTest final : public Suite {
    Q_OBJECT
private slots:
    void asTheyWere();
    void damaged();
    void bounded();
    void goWithTheirRecording();
    void readFromTheCluster();
    void aFileThatCannotBeReadIsNamed();
    void saidOffline();
};

void KeptOutputsTest::asTheyWere()
{
    const QTemporaryDir folder;
    const QString recording = folder.filePath(u"lumi-4711.rwr"_s);
    QVERIFY(readKeptOutputs(recording).valueOr(keptFiles()).isEmpty());
    QVERIFY_RESULT(saveOutputs(recording, keptFiles()));
    const auto read = readKeptOutputs(recording);
    QVERIFY_RESULT(read);
    QCOMPARE(*read, keptFiles());
    QVERIFY(read->at(0).isWhole() && !read->at(2).isWhole());
    const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther
        | QFileDevice::WriteOther | QFileDevice::ExeOther;
    QVERIFY(!(QFileInfo(keptOutputsPath(recording)).permissions() & others));
}

void KeptOutputsTest::damaged()
{
    const QTemporaryDir folder;
    const QString recording = folder.filePath(u"lumi-4711.rwr"_s);
    QVERIFY_RESULT(saveOutputs(recording, keptFiles()));
    QFile file(keptOutputsPath(recording));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray good = file.readAll();
    file.close();
    for (const QByteArray& bytes :
        QByteArrayList{good.chopped(1), good.left(40), QByteArray("\n"), QByteArray("{\"version\":9}\n"),
            QByteArray(R"({"version":1,"files":[{"path":"a","bytes":9000000000}]})") + '\n',
            QByteArray(R"({"version":1,"files":[{"path":"a","bytes":-1}]})") + '\n'}) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        QVERIFY2(!readKeptOutputs(recording), bytes.left(60).constData());
    }
}

/// Neither more files than are ever kept, nor more bytes.
void KeptOutputsTest::bounded()
{
    const QTemporaryDir folder;
    const QString recording = folder.filePath(u"lumi-4711.rwr"_s);
    QList<KeptOutput> many;
    for (int i = 0; i < 100; ++i)
        many.append(keptFile(u"/run/%1"_s.arg(i), "x"));
    QVERIFY_RESULT(saveOutputs(recording, many));
    QCOMPARE(readKeptOutputs(recording).valueOr({}).size(), mostKeptOutputs);
    many = QList<KeptOutput>(40, keptFile(u"/run/a"_s, QByteArray(qsizetype(largestKeptOutput), 'x')));
    QVERIFY_RESULT(saveOutputs(recording, many));
    QCOMPARE(readKeptOutputs(recording).valueOr({}).size(), qsizetype(mostKeptBytes / largestKeptOutput));
}

void KeptOutputsTest::goWithTheirRecording()
{
    const QTemporaryDir folder;
    const QString recording = plantedParts(folder.path()).recording;
    QVERIFY_RESULT(saveOutputs(recording, keptFiles()));
    QCOMPARE(listRecordings(folder.path()).size(), 1);
    qputenv("XDG_DATA_HOME", folder.path().toLocal8Bit()); // the trash
    const auto trashed = trashRecording(recording);
    QVERIFY_RESULT(trashed);
    QVERIFY(!QFile::exists(keptOutputsPath(recording)));
    QVERIFY_RESULT(restoreRecording(*trashed));
    QCOMPARE(readKeptOutputs(recording).valueOr({}), keptFiles());
    QVERIFY_RESULT(readRecordingFacts(recording));
    QVERIFY_RESULT(deleteRecording(recording));
    QVERIFY(!QFile::exists(keptOutputsPath(recording)));
}

/// A cluster that says nothing of the job's output: nothing is kept, and nobody waits.
void KeptOutputsTest::readFromTheCluster()
{
    FakeShell shell;
    QObject guard;
    std::optional<Result<ReadOutputs>> answer;
    JobRecord job;
    job.id = u"4711"_s;
    readJobOutputs(shell, job, &guard, [&answer](const Result<ReadOutputs>& read) { answer = read; });
    QTRY_VERIFY(answer);
    QVERIFY_RESULT(*answer);
    QVERIFY((*answer)->outputs.isEmpty() && (*answer)->unread.isEmpty());
}

/// The others are kept all the same.
void KeptOutputsTest::aFileThatCannotBeReadIsNamed()
{
    FakeShell shell;
    QObject guard;
    JobRecord job;
    job.id = u"4711"_s;
    job.standardOutput = u"/run/train.out"_s;
    shell.expect(u"@rw-script"_s, {"JobId=4711 StdErr=/run/train.err StdOut=/run/train.out\n@rw-script\n", {}});
    const QByteArray listed("0 3 1790000000 /run/train.out\0"
                            "1 5 1790000000 /run/train.err\0",
        60);
    shell.expect(u"nullglob"_s, {listed, {}});
    shell.expect(u"/run/train.out"_s,
        {.errorOutput = "head: x\ntail: cannot open '/run/train.out' for reading: Permission denied\n",
            .exitStatus = 1});
    shell.expect(u"/run/train.err"_s, {"error", {}});
    std::optional<Result<ReadOutputs>> answer;
    readJobOutputs(shell, job, &guard, [&answer](const Result<ReadOutputs>& read) { answer = read; });
    QTRY_VERIFY(answer);
    QVERIFY_RESULT(*answer);
    QCOMPARE((*answer)->unread, QStringList{u"/run/train.out: Permission denied"_s});
    QCOMPARE((*answer)->outputs.size(), 1);
    QCOMPARE((*answer)->outputs.first().bytes, QByteArray("error"));
}

void KeptOutputsTest::saidOffline()
{
    const QTemporaryDir folder;
    const QString recording = plantedParts(recordingsFolder(folder.path())).recording;
    const QStringList asked{u"outputs"_s, u"lumi"_s, u"4711"_s, u"--offline"_s, u"--data-dir"_s, folder.path()};
    QCOMPARE(run(asked).code, int(ExitNo)); // nothing is kept
    QVERIFY_RESULT(saveOutputs(recording, keptFiles()));
    const Answer list = run(asked + QStringList{u"--json"_s});
    QCOMPARE(list.code, int(ExitDone));
    QCOMPARE(list.json().value(u"files"_s).toArray().size(), 4);
    QCOMPARE(list.json().value(u"state"_s).toString(), u"COMPLETED"_s);
    QVERIFY(list.json().value(u"text"_s).isNull());
    QVERIFY2(list.err.contains(u"kept on this machine"_s), qPrintable(list.err));
    const Answer tail = run(asked + QStringList{u"--tail"_s, u"2"_s});
    QCOMPARE(tail.out, u"step 2\nERROR no\n"_s);
    const Answer found = run(asked + QStringList{u"--grep"_s, u"error|2\\.5"_s});
    QCOMPARE(found.code, int(ExitDone));
    QCOMPARE(found.out, u"train-3.log: loss 2.5\n"_s); // as grep: the case counts
    QVERIFY2(found.err.contains(u"slurm-4711.err"_s), qPrintable(found.err));
    QVERIFY2(!found.err.contains(u"with a match"_s), qPrintable(found.err));
    const Answer first = run(asked + QStringList{u"--grep"_s, u"step"_s, u"--tail"_s, u"1"_s}); // there are more
    QVERIFY2(first.err.contains(u"the last 1 line with a match"_s), qPrintable(first.err));
    QCOMPARE(run(asked + QStringList{u"--grep"_s, u"nowhere"_s}).code, int(ExitNo));
    QCOMPARE(run(asked + QStringList{u"--grep"_s, u"("_s}).code, int(ExitUsage));
    QCOMPARE(run(asked + QStringList{u"--file"_s, u"other"_s}).code, int(ExitUsage));
}

RANKWRIGHT_TEST_MAIN(KeptOutputsTest)
#include "tst_keptoutputs.moc"

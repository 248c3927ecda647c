// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/logtail.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;
using test::FakeProcess;
using test::FakeShell;

/// The tail against a fake cluster, and the script itself on this machine.
class LogTailTest final : public test::Suite {
    Q_OBJECT
private slots:
    void headerThenBytes();
    void saysWhereItStarts();
    void goesOnAtTheOffsetAfterALostLink();
    void startsAnewWhenTheFileShrank();
    void unreadableFile();
    void somethingElseThanTheFile();
    void finishesUp();
    void finishesUpBeforeTheFileExists();
    void finishingTakesNoLongerThanItsGrace();
    void finishingWithoutStart();
    void stopIsSilent();
    void pathsAreQuoted();
    void scriptFollows();
    void scriptTellsThatAFileShrank();
    void scriptWaitsForTheFile();
    void scriptEndsWithoutHeartbeats();

private:
    std::unique_ptr<QProcess> startScript(qint64 offset, qint64 lastBytes);
    bool append(const QByteArray& bytes, QIODevice::OpenMode mode = QIODevice::Append);
    QString path() const { return m_folder.filePath(u"my log's.out"_s); }
    QTemporaryDir m_folder;
};

void LogTailTest::headerThenBytes()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QByteArray got;
    connect(&tail, &LogTail::bytesArrived, this, [&got](const QByteArray& bytes) { got += bytes; });
    QSignalSpy skipped(&tail, &LogTail::skippedTo);
    tail.start();
    for (const char byte : QByteArray("@rwl 0 7\nhello\n@rwl 1 2\nx")) // only the first line is ours
        shell.newest()->say(QByteArray(1, byte));
    QCOMPARE(got, QByteArray("hello\n@rwl 1 2\nx"));
    QVERIFY(skipped.isEmpty());
    QVERIFY(shell.commands().first().interactive && !shell.commands().first().deadlineSeconds);
}

void LogTailTest::saysWhereItStarts()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true}, true);
    LogTail tail(shell, u"/scratch/run.out"_s, 1000);
    QSignalSpy skipped(&tail, &LogTail::skippedTo);
    tail.start();
    shell.newest()->say("@rwl 5000 6000\nabc");
    QCOMPARE(skipped.size(), 1);
    QCOMPARE(skipped.first().first().toLongLong(), qint64(5000));
}

void LogTailTest::goesOnAtTheOffsetAfterALostLink()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true}, true);
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy trouble(&tail, &LogTail::trouble);
    QSignalSpy skipped(&tail, &LogTail::skippedTo);
    QByteArray got;
    connect(&tail, &LogTail::bytesArrived, this, [&got](const QByteArray& bytes) { got += bytes; });
    tail.start();
    shell.newest()->say("@rwl 100 105\n12345");
    shell.setState(LinkState::Lost);
    QCOMPARE(trouble.size(), 1);
    shell.setState(LinkState::Online);
    QCOMPARE(shell.commands().size(), 2);
    QVERIFY2(shell.lines().last().contains(u"/scratch/run.out 105 "_s), qPrintable(shell.lines().last().right(100)));
    shell.newest()->say("@rwl 105 108\n678");
    QCOMPARE(got, QByteArray("12345678"));
    QCOMPARE(skipped.size(), 1); // the first time only
    QVERIFY(trouble.last().first().value<Error>().what.isEmpty());
}

void LogTailTest::startsAnewWhenTheFileShrank()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.output = "@rwl 0 5\n12345", .exitStatus = 9});
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy skipped(&tail, &LogTail::skippedTo);
    tail.start();
    QTRY_COMPARE(shell.commands().size(), 2);
    QVERIFY(shell.lines().last().contains(u"/scratch/run.out 0 "_s));
    QCOMPARE(skipped.last().first().toLongLong(), qint64(0)); // what came before is to be forgotten
}

void LogTailTest::unreadableFile()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.errorOutput = "/scratch/run.out: permission denied\n", .exitStatus = 5});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy trouble(&tail, &LogTail::trouble);
    tail.start();
    QTRY_COMPARE(trouble.size(), 1);
    const auto why = trouble.first().first().value<Error>();
    QCOMPARE(why.fault, Fault::Io);
    QVERIFY(why.what.contains(u"/scratch/run.out"_s) && !why.remedy.isEmpty());
}

void LogTailTest::somethingElseThanTheFile()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.output = "bash: bad interpreter\n", .staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy trouble(&tail, &LogTail::trouble);
    QSignalSpy bytes(&tail, &LogTail::bytesArrived);
    tail.start();
    QTRY_COMPARE(trouble.size(), 1);
    QVERIFY(bytes.isEmpty());
}

void LogTailTest::finishesUp()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy ended(&tail, &LogTail::ended);
    QSignalSpy bytes(&tail, &LogTail::bytesArrived);
    tail.start();
    shell.newest()->say("@rwl 0 3\nabc");
    tail.finishUp();
    QCOMPARE(shell.newest()->input(), QByteArray("end\n"));
    shell.newest()->say("last words");
    shell.newest()->end(0);
    QCOMPARE(bytes.size(), 2);
    QCOMPARE(ended.size(), 1);
    QTest::qWait(20);
    QCOMPARE(shell.commands().size(), 1);
}

void LogTailTest::finishesUpBeforeTheFileExists()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy ended(&tail, &LogTail::ended);
    tail.start();
    tail.finishUp(2000);
    QVERIFY(shell.newest()->input().isEmpty()); // the script may not listen yet
    shell.newest()->say("@rwl 0 0\n");
    QCOMPARE(shell.newest()->input(), QByteArray("end\n"));
    shell.newest()->end(4);
    QCOMPARE(ended.size(), 1);
}

void LogTailTest::finishingTakesNoLongerThanItsGrace()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy ended(&tail, &LogTail::ended);
    tail.start();
    tail.finishUp(30);
    QTRY_COMPARE(ended.size(), 1);
    QTRY_VERIFY(shell.running().isEmpty());
}

void LogTailTest::finishingWithoutStart()
{
    FakeShell shell;
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy ended(&tail, &LogTail::ended);
    tail.finishUp();
    QVERIFY(ended.isEmpty()); // not from inside the call
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(shell.commands().isEmpty());
}

void LogTailTest::stopIsSilent()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy ended(&tail, &LogTail::ended);
    QSignalSpy trouble(&tail, &LogTail::trouble);
    tail.start();
    const QPointer<FakeProcess> process = shell.newest();
    tail.stop();
    QVERIFY(process->isInputClosed());
    QTRY_VERIFY(process.isNull());
    QTest::qWait(20);
    QVERIFY(ended.isEmpty() && trouble.isEmpty());
    QCOMPARE(shell.commands().size(), 1);
}

void LogTailTest::pathsAreQuoted()
{
    QVERIFY(followCommand(u"/x; rm -rf ~/$HOME"_s, 5, 6).endsWith(u" rankwright '/x; rm -rf ~/$HOME' 5 6"_s));
}

std::unique_ptr<QProcess> LogTailTest::startScript(qint64 offset, qint64 lastBytes)
{
    auto process = std::make_unique<QProcess>();
    process->start(u"/bin/sh"_s, {u"-c"_s, followCommand(path(), offset, lastBytes)});
    return process;
}

bool LogTailTest::append(const QByteArray& bytes, QIODevice::OpenMode mode)
{
    QFile file(path());
    return file.open(QIODevice::WriteOnly | mode) && file.write(bytes) == bytes.size();
}

void LogTailTest::scriptFollows()
{
    QVERIFY(append("0123456789", QIODevice::Truncate));
    const auto process = startScript(-1, 4);
    QVERIFY(process->waitForStarted());
    QByteArray got;
    const auto waitFor = [&](const QByteArray& expected) {
        QElapsedTimer clock;
        clock.start();
        while (got != expected && clock.elapsed() < 4000) {
            process->waitForReadyRead(100);
            got += process->readAllStandardOutput();
        }
        return got == expected;
    };
    QVERIFY2(waitFor("@rwl 6 10\n6789"), got.constData());
    QVERIFY(append("abc\n"));
    QVERIFY2(waitFor("@rwl 6 10\n6789abc\n"), got.constData());
    process->write("h\n");
    process->write("end\n");
    QVERIFY(append("last"));
    QVERIFY(process->waitForBytesWritten());
    QVERIFY2(waitFor("@rwl 6 10\n6789abc\nlast"), got.constData());
    QVERIFY(process->waitForFinished(3000));
    QCOMPARE(process->exitCode(), 0);
    QCOMPARE(process->readAllStandardError(), QByteArray());
}

void LogTailTest::scriptTellsThatAFileShrank()
{
    QVERIFY(append("0123456789", QIODevice::Truncate));
    const auto process = startScript(12, 4);
    QVERIFY(process->waitForFinished(3000));
    QCOMPARE(process->exitCode(), 9);
}

void LogTailTest::scriptWaitsForTheFile()
{
    QFile::remove(path());
    const auto process = startScript(-1, 1000);
    QVERIFY(process->waitForStarted());
    QVERIFY(!process->waitForReadyRead(700));
    QVERIFY(append("there"));
    QVERIFY(process->waitForReadyRead(3000));
    process->closeWriteChannel();
    QElapsedTimer clock;
    clock.start();
    QVERIFY(process->waitForFinished(3000)); // end of file: the window is gone
    QVERIFY(clock.elapsed() < 1500);
}

void LogTailTest::scriptEndsWithoutHeartbeats()
{
    // The link froze while much was to be sent: the worker hangs in a full pipe, nobody reads, nobody speaks.
    QVERIFY(append(QByteArray(4000000, 'x'), QIODevice::Truncate));
    QProcess process;
    process.setProgram(u"/bin/sh"_s);
    // the reader at the other end of the pipe never reads
    process.setArguments({u"-c"_s, u"{ "_s + followCommand(path(), 0, 0) + u"; echo gone >&2; } | sleep 14"_s});
    QElapsedTimer clock;
    clock.start();
    process.start();
    QVERIFY(process.waitForStarted());
    process.setReadChannel(QProcess::StandardError);
    QVERIFY(process.waitForReadyRead(13000));
    QCOMPARE(process.readAllStandardError(), QByteArray("gone\n"));
    QVERIFY2(clock.elapsed() > 8000 && clock.elapsed() < 12500, qPrintable(QString::number(clock.elapsed())));
    process.kill();
    process.waitForFinished();
}

RANKWRIGHT_TEST_MAIN(LogTailTest)
#include "tst_logtail.moc"

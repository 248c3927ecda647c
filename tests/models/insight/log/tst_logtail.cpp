// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/followscript.h"
#include "models/insight/log/logsearch.h"
#include "models/insight/log/logtail.h"
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
    void severalFiles();
    void unreadableFile();
    void somethingElseThanTheFile();
    void endlessFilesAreNotFollowed();
    void aSearchKeepsNoEndlessLine();
    void finishesUp();
    void finishesUpBeforeTheFileExists();
    void finishingTakesNoLongerThanItsGrace();
    void finishingWithoutStart();
    void stopIsSilent();
    void pathsAreQuoted();
    void scriptFollows();
    void scriptReportsThatAFileShrank();
    void scriptFindsLaterFiles();
    void scriptWaitsForTheFile();
    void scriptEndsWithoutHeartbeats();
    void workerEndsWithItsGuard();

private:
    std::unique_ptr<QProcess> startScript(qint64 offset, qint64 lastBytes, const QList<OutputFile>& patterns = {});
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
    QSignalSpy found(&tail, &LogTail::fileFound);
    tail.start();
    // what looks like a head of ours inside a piece is the file's
    for (const char byte :
        QByteArray("@rw-following\n@rw-bytes 0 0 20 20\nhello\n@rw-bytes 0 1\n@rw-bytes 0 20 1 21\nx"))
        shell.newest()->say(QByteArray(1, byte));
    QCOMPARE(got, QByteArray("hello\n@rw-bytes 0 1\nx"));
    QCOMPARE(found.size(), 1);
    QVERIFY(skipped.isEmpty());
    QVERIFY(shell.commands().first().interactive && !shell.commands().first().deadlineSeconds);
}

/// A hostile or broken cluster finds file after file.
void LogTailTest::endlessFilesAreNotFollowed()
{
    FakeShell shell;
    shell.expect(u"run"_s, {.staysOpen = true}, true);
    const OutputFile pattern{u"/scratch/run-*.out"_s, true, {}, {}};
    LogTail tail(shell, {pattern});
    tail.start();
    shell.newest()->say("@rw-following\n");
    const QPointer<FakeProcess> first = shell.newest();
    QByteArray flood;
    for (int i = 0; i < 100; ++i)
        flood += "@rw-file /scratch/run-" + QByteArray(4000, 'x') + QByteArray::number(i) + ".out\n";
    for (int i = 0; i < 200 && first && !first->hasEnded(); ++i)
        first->say(flood);
    QCOMPARE(tail.files().size(), qsizetype(LogTail::mostFiles));
    // Without a pattern none can be found.
    FakeShell other;
    other.expect(u"run"_s, {.staysOpen = true}, true);
    LogTail plain(other, u"/scratch/run.out"_s);
    plain.start();
    other.newest()->say("@rw-following\n@rw-file /scratch/more.out\n");
    QCOMPARE(plain.files().size(), 1);
}

void LogTailTest::aSearchKeepsNoEndlessLine()
{
    FakeShell shell;
    shell.expect(u"run"_s, {.staysOpen = true}, true);
    LogSearch search(shell);
    qsizetype hits = 0;
    connect(&search, &LogSearch::found, this, [&hits](const QList<LogHit>& found) {
        for (const LogHit& hit : found) {
            QVERIFY(hit.text.size() <= LogSearch::longestLine);
            ++hits;
        }
    });
    search.start(u"/scratch/run.out"_s, 0, LogQuery{u"x"_s, false, false});
    shell.newest()->say("7:");
    for (int i = 0; i < 64; ++i) {
        shell.newest()->say(QByteArray(256 * 1024, 'x'));
        QVERIFY(search.pendingBytes() <= LogSearch::longestLine);
    }
    shell.newest()->say("\n8:short\n");
    QCOMPARE(hits, 2);
    for (int i = 0; i < 3 * LogSearch::mostHits; ++i)
        shell.newest()->say("9:x\n");
    QCOMPARE(hits, qsizetype(LogSearch::mostHits));
}

void LogTailTest::saysWhereItStarts()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true}, true);
    LogTail tail(shell, u"/scratch/run.out"_s, 1000);
    QSignalSpy skipped(&tail, &LogTail::skippedTo);
    tail.start();
    shell.newest()->say("@rw-following\n@rw-bytes 0 5000 3 6000\nabc");
    QCOMPARE(skipped.size(), 1);
    QCOMPARE(skipped.first().first().toLongLong(), qint64(5000));
}

void LogTailTest::goesOnAtTheOffsetAfterALostLink()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true}, true);
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy trouble(&tail, &LogTail::troubleChanged);
    QSignalSpy skipped(&tail, &LogTail::skippedTo);
    QByteArray got;
    connect(&tail, &LogTail::bytesArrived, this, [&got](const QByteArray& bytes) { got += bytes; });
    tail.start();
    shell.newest()->say("@rw-following\n@rw-bytes 0 100 5 105\n12345");
    shell.setState(LinkState::Lost);
    QCOMPARE(trouble.size(), 1);
    shell.setState(LinkState::Online);
    QCOMPARE(shell.commands().size(), 2);
    QVERIFY2(shell.lines().last().endsWith(u"/scratch/run.out 105"_s), qPrintable(shell.lines().last().right(100)));
    shell.newest()->say("@rw-following\n@rw-bytes 0 105 3 108\n678");
    QCOMPARE(got, QByteArray("12345678"));
    QCOMPARE(skipped.size(), 1); // the first time only
    QVERIFY(!trouble.last().first().value<std::optional<Error>>());
}

void LogTailTest::startsAnewWhenTheFileShrank()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy skipped(&tail, &LogTail::skippedTo);
    QByteArray got;
    connect(&tail, &LogTail::bytesArrived, this, [&got](const QByteArray& bytes) { got += bytes; });
    tail.start();
    shell.newest()->say("@rw-following\n@rw-bytes 0 0 5 5\n12345@rw-bytes 0 0 0 2\n@rw-bytes 0 0 2 2\nab");
    QCOMPARE(got, QByteArray("12345ab"));
    QCOMPARE(skipped.size(), 1);
    QCOMPARE(skipped.last().first().toLongLong(), qint64(0)); // what came before is to be forgotten
}

void LogTailTest::severalFiles()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true}, true);
    const OutputFile ranks{u"/s/rank-[0-9]*.txt"_s, true, u"^/s/rank-(?<rank>\\d+)\\.txt$"_s, {}};
    LogTail tail(shell, {OutputFile{u"/s/run.out"_s, false, {}, {}}, ranks});
    QMap<int, QByteArray> got;
    connect(&tail, &LogTail::bytesArrived, this, [&got](const QByteArray& bytes, int file) { got[file] += bytes; });
    tail.start();
    shell.newest()->say(
        "@rw-following\n@rw-file /s/rank-12.txt\n@rw-bytes 1 0 3 3\nabc@rw-bytes 0 0 2 2\nxy@rw-bytes 1 3 1 4\nd");
    QCOMPARE(got.value(0), QByteArray("xy"));
    QCOMPARE(got.value(1), QByteArray("abcd"));
    QCOMPARE(tail.files().at(1).rank.value_or(-1), 12);
    tail.add({OutputFile{u"/s/run.out"_s, false, {}, {}}, ranks}); // known: nothing happens
    QCOMPARE(shell.commands().size(), 1);
    tail.add({OutputFile{u"/s/run.err"_s, false, {}, {}}});
    QCOMPARE(shell.commands().size(), 2); // one channel, all goes on where it was
    QVERIFY2(shell.lines().last().endsWith(u" 3 /s/run.out 2 /s/rank-12.txt 4 /s/run.err -1 '/s/rank-[0-9]*.txt'"_s),
        qPrintable(shell.lines().last().right(120)));
    QTRY_COMPARE(shell.running().size(), 1);
}

void LogTailTest::unreadableFile()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy trouble(&tail, &LogTail::troubleChanged);
    tail.start();
    shell.newest()->say("@rw-following\n@rw-unreadable 0\n");
    QCOMPARE(trouble.size(), 1);
    const auto why = trouble.first().first().value<std::optional<Error>>().value();
    QCOMPARE(why.fault, Fault::Io);
    QVERIFY(why.what.contains(u"/scratch/run.out"_s) && !why.remedy.isEmpty());
}

void LogTailTest::somethingElseThanTheFile()
{
    FakeShell shell;
    shell.expect(u"run.out"_s, {.output = "bash: bad interpreter\n", .staysOpen = true});
    LogTail tail(shell, u"/scratch/run.out"_s);
    QSignalSpy trouble(&tail, &LogTail::troubleChanged);
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
    shell.newest()->say("@rw-following\n@rw-bytes 0 0 3 3\nabc");
    tail.finishUp();
    QCOMPARE(shell.newest()->input(), QByteArray("end\n"));
    shell.newest()->say("@rw-bytes 0 3 10 13\nlast words");
    shell.newest()->end(0);
    QCOMPARE(bytes.size(), 2);
    QCOMPARE(ended.size(), 1);
    test::quietFor(20);
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
    shell.newest()->say("@rw-following\n");
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
    QSignalSpy trouble(&tail, &LogTail::troubleChanged);
    tail.start();
    const QPointer<FakeProcess> process = shell.newest();
    tail.stop();
    QVERIFY(process->isInputClosed());
    QTRY_VERIFY(process.isNull());
    test::quietFor(20);
    QVERIFY(ended.isEmpty() && trouble.isEmpty());
    QCOMPARE(shell.commands().size(), 1);
}

void LogTailTest::pathsAreQuoted()
{
    const QString line = followCommand({{u"/x; rm -rf ~/$HOME"_s, {}, {}, 5, 0}}, {}, 6);
    QVERIFY2(line.endsWith(u" rankwright 6 512 1 '/x; rm -rf ~/$HOME' 5"_s), qPrintable(line.right(80)));
}

std::unique_ptr<QProcess> LogTailTest::startScript(qint64 offset, qint64 lastBytes, const QList<OutputFile>& patterns)
{
    auto process = std::make_unique<QProcess>();
    QString command = followCommand({{path(), {}, {}, offset, 0}}, patterns, lastBytes);
    if (!command.contains(u"left=20"_s))
        qFatal("the lease is not where it was");
    command.replace(u"left=20"_s, u"left=100000"_s); // a slow test is not silence
    process->start(u"/bin/sh"_s, {u"-c"_s, command});
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
        for (int waited = 0; got != expected && waited < test::longWaitMs; waited += 100) {
            process->waitForReadyRead(100);
            got += process->readAllStandardOutput();
        }
        return got == expected;
    };
    QVERIFY2(waitFor("@rw-following\n@rw-bytes 0 6 0 10\n@rw-bytes 0 6 4 10\n6789"), got.constData());
    QVERIFY(append("abc\n"));
    QVERIFY2(waitFor("@rw-following\n@rw-bytes 0 6 0 10\n@rw-bytes 0 6 4 10\n6789@rw-bytes 0 10 4 14\nabc\n"),
        got.constData());
    process->write("h\n");
    process->write("end\n");
    QVERIFY(append("last"));
    QVERIFY(process->waitForBytesWritten());
    QVERIFY2(
        waitFor(
            "@rw-following\n@rw-bytes 0 6 0 10\n@rw-bytes 0 6 4 10\n6789@rw-bytes 0 10 4 14\nabc\n@rw-bytes 0 14 4 18\nlast"),
        got.constData());
    QVERIFY(process->waitForFinished(test::longWaitMs));
    QCOMPARE(process->exitCode(), 0);
    QCOMPARE(process->readAllStandardError(), QByteArray());
}

void LogTailTest::scriptReportsThatAFileShrank()
{
    QVERIFY(append("0123456789", QIODevice::Truncate));
    const auto process = startScript(12, 4);
    QVERIFY(process->waitForStarted());
    QTRY_COMPARE(process->peek(200), QByteArray("@rw-following\n@rw-bytes 0 0 0 10\n@rw-bytes 0 0 10 10\n0123456789"));
    process->closeWriteChannel();
    QVERIFY(process->waitForFinished(test::longWaitMs));
}

void LogTailTest::scriptFindsLaterFiles()
{
    QVERIFY(append("a", QIODevice::Truncate));
    const OutputFile pattern{m_folder.filePath(u"rank-[0-9]*.txt"_s), true, {}, {}};
    const auto process = startScript(-1, 100, {pattern});
    QVERIFY(process->waitForStarted());
    QByteArray got;
    const auto hasCome = [&](const QByteArray& bytes) {
        process->waitForReadyRead(50);
        got += process->readAllStandardOutput();
        return got.contains(bytes);
    };
    QTRY_VERIFY(hasCome("@rw-bytes 0 0 1 1\na"));
    QFile later(m_folder.filePath(u"rank-7.txt"_s));
    QVERIFY(later.open(QIODevice::WriteOnly) && later.write("seven") == 5);
    later.close();
    QTRY_VERIFY2(hasCome("@rw-file " + later.fileName().toUtf8() + "\n@rw-bytes 1 0 0 5\n@rw-bytes 1 0 5 5\nseven"),
        got.constData());
    // written again under the same name, longer than before
    QVERIFY(later.remove());
    QVERIFY(append("keeps the number of the file from being used again"));
    QVERIFY(later.open(QIODevice::WriteOnly) && later.write("seven again") == 11);
    later.close();
    QTRY_VERIFY2(
        hasCome("@rw-bytes 1 0 11 11\nseven again") || got.contains("@rw-bytes 1 5 6 11\n again"), got.constData());
    process->closeWriteChannel();
    QVERIFY(process->waitForFinished(test::longWaitMs));
    later.remove();
}

void LogTailTest::scriptWaitsForTheFile()
{
    QFile::remove(path());
    const auto process = startScript(-1, 1000);
    QVERIFY(process->waitForStarted());
    QTRY_COMPARE(process->peek(100), QByteArray("@rw-following\n"));
    QVERIFY(!process->waitForReadyRead(700));
    QVERIFY(append("there"));
    QVERIFY(process->waitForReadyRead(test::longWaitMs));
    process->closeWriteChannel();
    QVERIFY(process->waitForFinished(test::longWaitMs)); // end of file: the window is gone; the lease would not end it
}

void LogTailTest::scriptEndsWithoutHeartbeats()
{
    // The link froze while much was to be sent: the worker hangs in a full pipe, nobody reads, nobody speaks.
    QVERIFY(append(QByteArray(4000000, 'x'), QIODevice::Truncate));
    QProcess process;
    process.setProgram(u"/bin/sh"_s);
    // the reader at the other end of the pipe never reads, and ends with this test
    process.setArguments({u"-c"_s,
        u"exec 3<&0; { "_s + followCommand({{path(), {}, {}, 0, 0}}, {}, 0)
            + u"; echo gone >&2; } | { read -r x <&3; }"_s});
    QElapsedTimer clock;
    clock.start();
    process.start();
    QVERIFY(process.waitForStarted());
    process.setReadChannel(QProcess::StandardError);
    QVERIFY(process.waitForReadyRead(test::longWaitMs));
    QCOMPARE(process.readAllStandardError(), QByteArray("gone\n"));
    QVERIFY2(clock.elapsed() > 8000, qPrintable(QString::number(clock.elapsed())));
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(test::longWaitMs));
}

/// Killed without a word (out of memory, kill -9): the shell that would have ended the worker is gone itself.
void LogTailTest::workerEndsWithItsGuard()
{
#ifndef Q_OS_LINUX
    QSKIP("children are found in /proc");
#else
    QVERIFY(append("a", QIODevice::Truncate));
    const QString script = followCommand({{path(), {}, {}, -1, 0}}, {}, 1)
        + u" < <(sleep 300) >/dev/null & guard=$!\n"
          "until worker=$(cat /proc/$guard/task/$guard/children); [ \"$worker\" ]; do sleep 0.05; done\n"
          "kill -9 $guard; wait $guard\n"
          "for try in {1..500}; do\n"
          "  left=; for one in $worker; do grep -qs rankwright /proc/$one/cmdline && left=1; done\n"
          "  [ \"$left\" ] || exit 0; sleep 0.5\n"
          "done; echo left"_s;
    QProcess process;
    process.start(u"bash"_s, {u"-c"_s, script});
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.readAllStandardOutput(), QByteArray());
#endif
}

RANKWRIGHT_TEST_MAIN(LogTailTest)
#include "tst_logtail.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingreader.h"
#include "app/store/recordingwriter.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>

#include <csignal>
#include <cstdio>
#include <sys/resource.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int commitEvery = 4; // ticks; a second of the job takes a few milliseconds here

/// The tick of one second is the same in every process.
NodeTick tickOf(int second)
{
    QRandomGenerator random{quint32(second)};
    return trainingTick(random, u"n1"_s, recordedStart + second * 1000LL);
}

std::unique_ptr<RecordingWriter> writerOf(const QString& folder, const RecordingWriter::Limits& limits = {})
{
    auto writer = RecordingWriter::open(folder, recordedJob(), limits);
    if (!writer)
        qFatal("%s", qPrintable(writer.error().oneLine()));
    return std::move(*writer);
}

QList<NodeTick> recordedTicks(const QString& folder)
{
    QList<NodeTick> ticks;
    const auto reader = RecordingReader::open(findRecording(folder, u"lumi"_s, u"4711"_s));
    if (!reader)
        qFatal("%s", qPrintable(reader.error().oneLine()));
    (*reader)->forEachTick({0, recordedStart * 2}, [&ticks](const NodeTick& tick) { ticks.append(tick); });
    if ((*reader)->fault())
        qFatal("%s", qPrintable((*reader)->fault()->oneLine()));
    return ticks;
}

/// First second that is not in the recording, -1: what is there is not what was reported.
int nextSecond(const QString& folder)
{
    const QList<NodeTick> ticks = recordedTicks(folder);
    for (qsizetype i = 0; i < ticks.size(); ++i) {
        if (!(ticks.at(i) == tickOf(int(i))))
            return -1;
    }
    return int(ticks.size());
}

/// A program that records until it is killed; says which second is on the disk.
int writeForever(const QString& folder, int from)
{
    const auto writer = writerOf(folder);
    for (int second = from;; ++second) {
        writer->append(tickOf(second), recordedStart + second * 1000LL);
        if (second % commitEvery == commitEvery - 1) {
            if (!writer->commit(recordedStart + second * 1000LL))
                return 1;
            std::printf("%d\n", second);
            std::fflush(stdout);
        }
        QThread::usleep(500);
    }
}

/// Writes until there is no room, makes room, writes on. 0: all is there in the end.
int fillTheDisk(const QString& folder)
{
    QFile ballast(folder + u"/ballast"_s);
    if (!ballast.open(QIODevice::WriteOnly) || ballast.write(QByteArray(3'300'000, 'x')) < 0)
        return 2;
    ballast.close();
    const auto writer = writerOf(folder + u"/recordings"_s);
    int second = 0;
    int refused = 0;
    for (; refused < 10 && second < 100'000; ++second) {
        writer->append(tickOf(second), recordedStart + second * 1000LL);
        if (second % commitEvery == commitEvery - 1 && !writer->commit(recordedStart + second * 1000LL))
            ++refused;
    }
    const int readable = nextSecond(folder + u"/recordings"_s);
    if (refused < 10 || readable < second - (10 + 1) * commitEvery)
        return 3;
    ballast.remove();
    for (const int end = second + 400; second < end; ++second) {
        writer->append(tickOf(second), recordedStart + second * 1000LL);
        if (second % commitEvery == commitEvery - 1 && !writer->commit(recordedStart + second * 1000LL))
            return 4;
    }
    if (!writer->commit(recordedStart + second * 1000LL))
        return 5;
    std::printf("full at second %d, then %d seconds whole\n", readable, second);
    return nextSecond(folder + u"/recordings"_s) == second ? 0 : 6;
}

} // namespace

/// What may happen to a program or a disk while a job is recorded: at most the last seconds are lost, never the file.
class RecordingCrashTest final : public test::Suite {
    Q_OBJECT
private slots:
    void killedAtAnyMoment();
    void diskFullForLong();
    void fileMayNotGrow();
    void realDiskFull();
    void damagedFileIsLeftAlone();
    void damagedPieceCostsOnlyItself();
};

void RecordingCrashTest::killedAtAnyMoment()
{
    QTemporaryDir folder;
    QRandomGenerator random(20261121);
    int second = 0;
    for (int time = 0; time < 20; ++time) {
        QProcess program;
        program.start(QCoreApplication::applicationFilePath(), {u"--write"_s, folder.path(), QString::number(second)});
        QVERIFY(program.waitForStarted());
        QVERIFY(program.waitForReadyRead(test::longWaitMs));
        QThread::msleep(ulong(random.bounded(250)));
        ::kill(pid_t(program.processId()), SIGKILL);
        QVERIFY(program.waitForFinished(test::longWaitMs));
        const QByteArrayList said = program.readAllStandardOutput().split('\n');
        int onDisk = 0; // the last whole line
        for (qsizetype i = 0; i + 1 < said.size(); ++i)
            onDisk = said.at(i).toInt();
        const int next = nextSecond(folder.path());
        QVERIFY2(next > onDisk, qPrintable(u"second %1 was on the disk, %2 is there"_s.arg(onDisk).arg(next)));
        second = next; // what had not been committed comes again, as a sampler would go on
    }
    QVERIFY(second > 100);
    qInfo("%d seconds recorded by 20 killed programs", second);
    const auto writer = writerOf(folder.path()); // nobody alive owns it
    QVERIFY(!QFileInfo(writer->path()).fileName().contains(u".2."_s));
}

void RecordingCrashTest::diskFullForLong()
{
    QTemporaryDir folder;
    RecordingWriter::Limits limits;
    limits.mostPages = 60;
    limits.waitingBytes = 20'000;
    const auto writer = writerOf(folder.path(), limits);
    int reported = 0;
    for (int second = 0; second < 8000; ++second) {
        writer->append(tickOf(second), recordedStart + second * 1000LL);
        if (second % commitEvery != commitEvery - 1)
            continue;
        const auto done = writer->commit(recordedStart);
        if (!done) {
            ++reported;
            QCOMPARE(done.error().fault, Fault::Io);
            QVERIFY(done.error().what.contains(u"no room"_s));
            QVERIFY(!done.error().remedy.isEmpty());
        }
    }
    QVERIFY(reported > 100);
    QVERIFY(writer->lostTicks() > 0);
    QVERIFY2(writer->waitingBytes() <= 30'000, qPrintable(QString::number(writer->waitingBytes())));
    const int readable = nextSecond(folder.path());
    QVERIFY2(readable > 200, qPrintable(QString::number(readable)));
}

void RecordingCrashTest::fileMayNotGrow()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path());
    rlimit usual{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &usual), 0);
    ::signal(SIGXFSZ, SIG_IGN); // else the kernel ends the program at the limit
    rlimit tight = usual;
    tight.rlim_cur = 250'000;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    int second = 0;
    int refused = 0;
    for (; refused < 5 && second < 20'000; ++second) {
        writer->append(tickOf(second), recordedStart + second * 1000LL);
        if (second % commitEvery == commitEvery - 1 && !writer->commit(recordedStart))
            ++refused;
    }
    const int readable = nextSecond(folder.path());
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &usual), 0);
    QCOMPARE(refused, 5);
    QVERIFY(readable >= second - 6 * commitEvery);
    QVERIFY_RESULT(writer->commit(recordedStart)); // there is room again
    QCOMPARE(nextSecond(folder.path()), second); // and nothing was lost
    QCOMPARE(writer->lostTicks(), 0);
}

void RecordingCrashTest::realDiskFull()
{
    // A file system of four megabytes in a namespace of its own, where the machine lets users make one.
    QTemporaryDir folder;
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(u"unshare"_s,
        {u"-Urm"_s, u"sh"_s, u"-c"_s, u"mount -t tmpfs -o size=4m none \"$1\" || exit 77; exec \"$2\" --full \"$1\""_s,
            u"sh"_s, folder.path(), QCoreApplication::applicationFilePath()});
    if (!program.waitForStarted())
        QSKIP("no unshare here");
    QVERIFY(program.waitForFinished(test::longWaitMs));
    const QByteArray said = program.readAll();
    if (program.exitCode() == 77 || said.contains("unshare"))
        QSKIP("users may not mount here");
    QVERIFY2(program.exitCode() == 0, qPrintable(QString::number(program.exitCode()) + u' ' + QString::fromUtf8(said)));
    qInfo("%s", said.trimmed().constData());
}

void RecordingCrashTest::damagedFileIsLeftAlone()
{
    QTemporaryDir folder;
    QString path;
    {
        const auto writer = writerOf(folder.path());
        path = writer->path();
        QVERIFY_RESULT(writer->commit(recordedStart));
    }
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.write("nothing that SQLite knows");
    file.close();
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    const auto reader = RecordingReader::open(path);
    QVERIFY(!reader);
    QCOMPARE(reader.error().fault, Fault::Unreadable);
    const auto writer = writerOf(folder.path());
    QVERIFY(writer->path() != path); // the job is recorded all the same
    file.seek(0);
    QCOMPARE(file.readAll(), before);
    const auto all = listRecordings(folder.path());
    QCOMPARE(all.size(), 2);
    QVERIFY(all.last().fault);
    QCOMPARE(pruneRecordings(folder.path(), 0), QStringList()); // neither what is unreadable nor what is written
}

void RecordingCrashTest::damagedPieceCostsOnlyItself()
{
    QTemporaryDir folder;
    {
        const auto writer = writerOf(folder.path());
        for (int second = 0; second < 700; ++second) {
            writer->append(tickOf(second), recordedStart + second * 1000LL);
            if (second % 50 == 49)
                QVERIFY_RESULT(writer->commit(recordedStart));
        }
    }
    const QString path = findRecording(folder.path(), u"lumi"_s, u"4711"_s);
    {
        const auto file = RecordingFile::open(path, RecordingFile::Mode::Write);
        QVERIFY_RESULT(file);
        QVERIFY_RESULT((*file)->run(u"UPDATE ticks SET data = x'5401aabbccdd0011223344' WHERE id = (SELECT MIN(id) "
                                    "FROM ticks)"_s));
    }
    const auto reader = RecordingReader::open(path);
    QVERIFY_RESULT(reader);
    int ticks = 0;
    (*reader)->forEachTick({0, recordedStart * 2}, [&ticks](const NodeTick&) { ++ticks; });
    QVERIFY2(ticks >= 400 && ticks < 700, qPrintable(QString::number(ticks)));
    QCOMPARE((*reader)->fault()->fault, Fault::Unreadable);
    QCOMPARE((*reader)->frameAt(recordedStart + 699'000).size(), 1);
}

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == u"--write"_s)
        return writeForever(arguments.value(2), arguments.value(3).toInt());
    if (arguments.value(1) == u"--full"_s)
        return fillTheDisk(arguments.value(2));
    RecordingCrashTest suite;
    return QTest::qExec(&suite, argc, argv);
}
#include "tst_recordingcrash.moc"

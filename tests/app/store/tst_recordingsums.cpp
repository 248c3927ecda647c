// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingcopy.h"
#include "app/store/recordingreader.h"
#include "app/store/recordingwriter.h"
#include "models/insight/report/historysummary.h"
#include "models/insight/telemetry/history/nodesums.h"
#include "tests/app/support/version1.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

using Moments = std::function<bool(const QString& node, int second)>; ///< whether that node reported then

/// A job's samples, written as they come: 60 s of nothing, then training with pauses; clocks that jitter.
struct Job {
    QStringList nodes = {u"n1"_s, u"n2"_s, u"n3"_s};
    int seconds = 3000;
    int every = 1; ///< seconds
    int idleSeconds = 95;
    Moments reported = [](const QString&, int) { return true; };
};

NodeTick tickOf(QRandomGenerator& random, const Job& job, const QString& node, int second)
{
    NodeTick tick = trainingTick(random, node, recordedStart + second * 1000LL + random.bounded(700), 4);
    for (GpuSample& gpu : tick.gpus) {
        if (second < job.idleSeconds || second % 400 > 370)
            gpu.utilizationPercent = random.bounded(4);
        else if (random.bounded(9) == 0)
            gpu.utilizationPercent = random.bounded(1001) / 10.0;
        if (gpu.powerWatts)
            gpu.powerWatts = 90 + random.bounded(40'000) / 100.0;
        if (random.bounded(500) == 0)
            gpu.utilizationPercent.reset();
        if (random.bounded(700) == 0)
            gpu.memoryUsedBytes.reset();
    }
    if (random.bounded(300) == 0)
        tick.gpus.removeLast();
    return tick;
}

void record(RecordingWriter& writer, const Job& job, int from, int to, quint32 seed)
{
    QRandomGenerator random(seed);
    for (int second = from; second < to; ++second) {
        for (const QString& node : job.nodes) {
            if (second % job.every == 0 && job.reported(node, second)) {
                const NodeTick tick = tickOf(random, job, node, second);
                writer.append(tick, tick.takenMs);
            }
        }
        if (second % 20 == 19)
            QVERIFY_RESULT(writer.commit(recordedStart + second * 1000LL));
    }
    QVERIFY_RESULT(writer.commit(recordedStart + to * 1000LL));
}

std::unique_ptr<RecordingWriter> writerOf(const QString& folder, const Job& job)
{
    auto writer = RecordingWriter::open(folder, recordedJob(u"1"_s, job.nodes));
    if (!writer)
        qFatal("%s", qPrintable(writer.error().oneLine()));
    return std::move(*writer);
}

/// How many of a recording's ticks a sum reads one by one, and how many sums.
struct Visits {
    int ticks = 0, sums = 0;
};

Visits visitsOf(const QString& path)
{
    const auto reader = RecordingReader::open(path);
    Visits visits;
    (*reader)->visit((*reader)->span(),
        {[&](const NodeTick&) { return ++visits.ticks > 0; }, [&](const NodeSums&) { return ++visits.sums > 0; }});
    return visits;
}

/// The same figures from sums and from every sample; `job` empty: the recording's time.
void compareSums(const QString& path, TimeSpan job = {})
{
    const auto reader = RecordingReader::open(path);
    QVERIFY_RESULT(reader);
    MemoryHistory all((*reader)->nodes(), (*reader)->gpusPerNode());
    (*reader)->forEachTick({0, recordedStart * 2}, [&all](const NodeTick& tick) { all.store(tick); });
    const HistorySummary summed = summarise(**reader, job);
    const HistorySummary every = summarise(all, job);
    QVERIFY(!every.isEmpty());
    QCOMPARE(summed.gpus.size(), every.gpus.size());
    for (qsizetype i = 0; i < every.gpus.size(); ++i)
        QVERIFY2(summed.gpus.at(i) == every.gpus.at(i), qPrintable(u"GPU %1"_s.arg(i)));
    QCOMPARE(summed.curve.size(), every.curve.size());
    for (qsizetype i = 0; i < every.curve.size(); ++i)
        QVERIFY2(summed.curve.at(i) == every.curve.at(i), qPrintable(u"point %1"_s.arg(i)));
    QCOMPARE(summed.startUpSeconds, every.startUpSeconds);
    QCOMPARE(summed.useAfterStart, every.useAfterStart);
    QCOMPARE(summed.waitingAfterStart, every.waitingAfterStart);
    QCOMPARE(summed.gaps, every.gaps);
    QVERIFY(summed == every);
    QVERIFY(!(*reader)->fault());
}

} // namespace

/// What the writer sums up of a recording for its report, against all of its samples.
class RecordingSumsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void sameFigures_data();
    void sameFigures();
    void onlyPartOfItsTime();
    void recordedAgain();
    void lateTicks();
    void manyNodes();
    void olderRecordings();
    void olderProgramsWroteLateTicks();
    void damagedSums();
    void sumsAreCopied();
};

void RecordingSumsTest::sameFigures_data()
{
    QTest::addColumn<Job>("job");
    QTest::newRow("hour") << Job{.seconds = 3600};
    QTest::newRow("short") << Job{.seconds = 400};
    QTest::newRow("gap") << Job{.reported = [](const QString&, int second) { return second < 900 || second > 1500; }};
    QTest::newRow("small holes") << Job{.reported = [](const QString&, int second) { return second % 100 > 8; }};
    QTest::newRow("silent node") << Job{
        .reported = [](const QString& node, int second) { return node != u"n2" || (second > 700 && second < 1000); }};
    QTest::newRow("node never seen") << Job{.reported = [](const QString& node, int) { return node != u"n1"; }};
    QTest::newRow("every 3 s") << Job{.every = 3};
    QTest::newRow("every 20 s") << Job{.every = 20};
    QTest::newRow("no start-up") << Job{.idleSeconds = 0};
    QTest::newRow("long start-up") << Job{.idleSeconds = 1400};
    QTest::newRow("never worked") << Job{.seconds = 1500, .idleSeconds = 1500};
}

void RecordingSumsTest::sameFigures()
{
    QFETCH(Job, job);
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), job);
    record(*writer, job, 0, job.seconds, 3);
    compareSums(writer->path());
    compareSums(writer->path(), {recordedStart - 30'000, recordedStart + job.seconds * 1000LL + 45'000});
}

/// A job that was submitted again under its number: the recording has the earlier run too.
void RecordingSumsTest::onlyPartOfItsTime()
{
    QTemporaryDir folder;
    const Job job;
    const auto writer = writerOf(folder.path(), job);
    record(*writer, job, 0, 3000, 4);
    for (const qint64 cut : {1'000, 333'333, 1'500'000, 2'900'000})
        compareSums(writer->path(), {recordedStart + cut, recordedStart + 3'000'000});
    compareSums(writer->path(), {recordedStart + 100'500, recordedStart + 2'222'222});
}

void RecordingSumsTest::recordedAgain()
{
    QTemporaryDir folder;
    const Job job;
    QString path;
    for (int run = 0; run < 4; ++run) { // another program goes on each time, the last one at once
        const auto writer = writerOf(folder.path(), job);
        path = writer->path();
        record(*writer, job, run * 700, run * 700 + (run == 2 ? 700 : 640), quint32(5 + run));
    }
    compareSums(path);
    QVERIFY(visitsOf(path).sums > 0);
}

void RecordingSumsTest::lateTicks()
{
    QTemporaryDir folder;
    const Job job{.reported = [](const QString&, int second) { return second < 1000 || second > 1500; }};
    const auto writer = writerOf(folder.path(), job);
    record(*writer, job, 0, 3000, 9);
    const int before = visitsOf(writer->path()).sums;
    QRandomGenerator random(10);
    QList<NodeTick> late;
    for (int second = 900; second < 1600; ++second)
        late.append(tickOf(random, job, u"n2"_s, second));
    writer->fill(late);
    QVERIFY_RESULT(writer->commit(recordedStart));
    compareSums(writer->path());
    QVERIFY(visitsOf(writer->path()).sums >= before); // that time has its sums again
}

/// At scale nearly nothing is read sample by sample.
void RecordingSumsTest::manyNodes()
{
    QTemporaryDir folder;
    Job job{.nodes = {}, .seconds = 1900};
    for (int node = 0; node < 20; ++node)
        job.nodes.append(u"n%1"_s.arg(node));
    const auto writer = writerOf(folder.path(), job);
    record(*writer, job, 0, job.seconds, 11);
    compareSums(writer->path());
    const Visits visits = visitsOf(writer->path());
    QVERIFY2(visits.ticks < 20 * 100, qPrintable(QString::number(visits.ticks)));
    QVERIFY2(visits.sums < 20 * 14, qPrintable(QString::number(visits.sums)));
}

/// Recordings from before there were sums, and what goes on with them.
void RecordingSumsTest::olderRecordings()
{
    QTemporaryDir folder;
    const Job job;
    QString path;
    {
        const auto writer = writerOf(folder.path(), job);
        path = writer->path();
        record(*writer, job, 0, 1500, 12);
    }
    runSql(path, {u"DROP TABLE sums"_s});
    compareSums(path);
    QCOMPARE(visitsOf(path).sums, 0);
    {
        const auto writer = writerOf(folder.path(), job);
        record(*writer, job, 1500, 2200, 13);
    }
    compareSums(path);
    QVERIFY(visitsOf(path).sums > 0);
}

/// A program that knows no sums puts late ticks into their place: the sums of that time are of something else.
void RecordingSumsTest::olderProgramsWroteLateTicks()
{
    QTemporaryDir folder;
    const Job job{.reported = [](const QString&, int second) { return second % 7 != 0; }};
    QString path;
    {
        const auto writer = writerOf(folder.path(), job);
        path = writer->path();
        record(*writer, job, 0, 3000, 14);
    }
    runSql(path, {u"ALTER TABLE sums RENAME TO hidden"_s});
    {
        const auto writer = writerOf(folder.path(), job);
        QRandomGenerator random(15);
        QList<NodeTick> late;
        for (int second = 0; second < 900; second += 7)
            late.append(tickOf(random, job, u"n1"_s, second));
        writer->fill(late);
    }
    runSql(path, {u"DROP TABLE sums"_s, u"ALTER TABLE hidden RENAME TO sums"_s});
    compareSums(path);
    QVERIFY(visitsOf(path).sums > 0);
}

void RecordingSumsTest::damagedSums()
{
    QTemporaryDir folder;
    const Job job;
    QString path;
    {
        const auto writer = writerOf(folder.path(), job);
        path = writer->path();
        record(*writer, job, 0, 3000, 16);
    }
    runSql(path, {u"UPDATE sums SET data = ? WHERE from_ms < ?"_s},
        {QByteArray("S\1zz0123456789"), recordedStart + 900'000});
    compareSums(path); // the samples say it too
}

void RecordingSumsTest::sumsAreCopied()
{
    QTemporaryDir folder;
    const Job job;
    const QString copy = folder.filePath(u"copy.rwr"_s);
    const auto writer = writerOf(folder.path(), job);
    record(*writer, job, 0, 2000, 17);
    QVERIFY_RESULT(copyRecording(writer->path(), copy, [](const QByteArray& json) { return json; }));
    compareSums(copy);
    QCOMPARE(visitsOf(copy).sums, visitsOf(writer->path()).sums);
}

RANKWRIGHT_TEST_MAIN(RecordingSumsTest)
#include "tst_recordingsums.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingreader.h"
#include "app/store/recordingwriter.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

std::unique_ptr<RecordingWriter> writerOf(const QString& folder, const RecordingFacts& facts)
{
    auto writer = RecordingWriter::open(folder, facts);
    if (!writer)
        qFatal("%s", qPrintable(writer.error().oneLine()));
    return std::move(*writer);
}

std::unique_ptr<RecordingReader> readerOf(const QString& path)
{
    auto reader = RecordingReader::open(path);
    if (!reader)
        qFatal("%s", qPrintable(reader.error().oneLine()));
    return std::move(*reader);
}

/// Both hold the same ticks; commits every `pause` seconds of the job.
void record(RecordingWriter& writer, MemoryHistory& memory, const QStringList& nodes, int from, int to, quint32 seed,
    int pause = 4)
{
    QRandomGenerator random(seed);
    for (int second = from; second < to; ++second) {
        for (const QString& node : nodes) {
            const NodeTick tick = trainingTick(random, node, recordedStart + second * 1000LL + random.bounded(9));
            writer.append(tick, tick.takenMs);
            memory.store(tick);
            if (second % 5 == 0) {
                const NodeProcesses reported = trainingProcesses(random, node, tick.takenMs);
                writer.append(reported, reported.takenMs);
                memory.store(reported);
            }
        }
        if (second % pause == pause - 1)
            QVERIFY_RESULT(writer.commit(recordedStart + second * 1000LL));
    }
    QVERIFY_RESULT(writer.commit(recordedStart + to * 1000LL));
}

QList<NodeTick> allTicks(const TelemetryHistory& history, TimeSpan span)
{
    QList<NodeTick> ticks;
    history.forEachTick(span, [&ticks](const NodeTick& tick) { ticks.append(tick); });
    return ticks;
}

/// Every question gets the same answer from the file as from memory.
void compare(const TelemetryHistory& file, const TelemetryHistory& memory)
{
    QCOMPARE(file.nodes(), memory.nodes());
    QCOMPARE(file.gpusPerNode(), memory.gpusPerNode());
    const TimeSpan span = memory.span();
    QCOMPARE(file.span(), span);
    QCOMPARE(allTicks(file, span), allTicks(memory, span));
    const TimeSpan part{span.fromMs + span.length() / 3, span.fromMs + span.length() / 2};
    QCOMPARE(allTicks(file, part), allTicks(memory, part));
    for (int i = -1; i <= 20; ++i) {
        const qint64 moment = span.fromMs + span.length() * i / 19;
        QCOMPARE(file.frameAt(moment), memory.frameAt(moment));
        QCOMPARE(file.frameAt(moment, 100), memory.frameAt(moment, 100));
        QCOMPARE(file.processesAt(moment), memory.processesAt(moment));
    }
    for (const qint64 longer : {900, 1500, 5000, 60'000})
        QCOMPARE(file.gaps(longer), memory.gaps(longer));
}

/// Coarse buckets: every sample is in one, perhaps in the one beside its own.
void compareBuckets(const TelemetryHistory& file, const TelemetryHistory& memory, TimeSpan span, int count)
{
    for (const Measure measure : allMeasures) {
        const auto found = file.buckets({0, 2}, measure, span, count);
        const auto right = memory.buckets({0, 2}, measure, span, count);
        QCOMPARE(found.size(), right.size());
        qint64 samples = 0, rightSamples = 0;
        double sum = 0, rightSum = 0;
        for (qsizetype i = 0; i < found.size(); ++i) {
            QCOMPARE(found.at(i).span, right.at(i).span);
            samples += found.at(i).samples;
            rightSamples += right.at(i).samples;
            sum += double(found.at(i).mean) * found.at(i).samples;
            rightSum += double(right.at(i).mean) * right.at(i).samples;
        }
        QCOMPARE(samples, rightSamples);
        QVERIFY2(qAbs(sum - rightSum) <= 1e-3 * (1 + qAbs(rightSum)), qPrintable(toText(measure)));
    }
}

} // namespace

/// A job's recording: what goes in comes out, now and later, here and in another process.
class RecordingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void sameAsInMemory();
    void zoomedOutOverHours();
    void lateTicksTakeTheirPlace();
    void fillingTwiceChangesNothing();
    void lateTicksRenewTheLevels();
    void watchedAgainGoesOn();
    void idsUsedAgainAreOtherJobs();
    void oneProgramWrites();
    void trashAndBack();
    void readWhileWritten();
    void notes();
    void factsAreKept();
    void brokenClocks();
    void moreGpusThanALineHolds();
};

void RecordingTest::sameAsInMemory()
{
    QTemporaryDir folder;
    const QStringList nodes = {u"nid005001"_s, u"nid005002"_s};
    MemoryHistory memory(nodes);
    QString path;
    {
        const auto writer = writerOf(folder.path(), recordedJob(u"1"_s, nodes));
        path = writer->path();
        record(*writer, memory, nodes, 0, 700, 1);
        record(*writer, memory, {nodes.at(1)}, 760, 790, 2); // a gap, then one node alone
        compare(*readerOf(path), memory);
    }
    compare(*readerOf(path), memory);
    compareBuckets(*readerOf(path), memory, {recordedStart, recordedStart + 300'000}, 100);
}

void RecordingTest::zoomedOutOverHours()
{
    QTemporaryDir folder;
    const QStringList nodes = {u"n1"_s};
    MemoryHistory memory(nodes);
    QString path;
    {
        const auto writer = writerOf(folder.path(), recordedJob());
        path = writer->path();
        record(*writer, memory, nodes, 0, 8000, 3, 50);
        record(*writer, memory, nodes, 20'000, 24'000, 4, 50);
    }
    const auto reader = readerOf(path);
    const TimeSpan whole{recordedStart - 3'600'000, recordedStart + 30'000'000};
    for (const int count : {3, 40, 400, 1600, 3000})
        compareBuckets(*reader, memory, whole, count);
    compareBuckets(*reader, memory, {recordedStart + 1'234'567, recordedStart + 7'000'123}, 50);
    QCOMPARE(reader->buckets({0, 99}, Measure::Power, whole, 10).at(3).samples, 0);
    QCOMPARE(reader->buckets({7, 0}, Measure::Power, whole, 10).at(3).samples, 0);
    QVERIFY(!reader->fault());
}

void RecordingTest::lateTicksTakeTheirPlace()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), recordedJob());
    MemoryHistory memory(QStringList{u"n1"_s});
    record(*writer, memory, {u"n1"_s}, 0, 100, 5);
    record(*writer, memory, {u"n1"_s}, 900, 950, 6);
    // What a sampler inside the job wrote meanwhile, and a little on both sides.
    QRandomGenerator random(7);
    QList<NodeTick> late;
    for (int second = 50; second < 920; ++second) {
        const NodeTick tick = trainingTick(random, u"n1"_s, recordedStart + second * 1000LL + 300);
        late.append(tick);
        if (second >= 100 && second < 900)
            memory.store(tick);
    }
    writer->fill(late);
    QVERIFY_RESULT(writer->commit(recordedStart));
    compare(*readerOf(writer->path()), memory);
}

void RecordingTest::fillingTwiceChangesNothing()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), recordedJob());
    QRandomGenerator random(8);
    QList<NodeTick> file;
    for (int second = 0; second < 1000; ++second)
        file.append(trainingTick(random, u"n1"_s, recordedStart + second * 1000LL));
    for (int time = 0; time < 3; ++time) {
        writer->fill(file);
        QVERIFY_RESULT(writer->commit(recordedStart));
        QCOMPARE(allTicks(*readerOf(writer->path()), {0, recordedStart * 2}), file);
    }
}

void RecordingTest::lateTicksRenewTheLevels()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), recordedJob());
    MemoryHistory memory(QStringList{u"n1"_s});
    record(*writer, memory, {u"n1"_s}, 0, 300, 9);
    record(*writer, memory, {u"n1"_s}, 3000, 9000, 10, 50);
    const TimeSpan whole{recordedStart, recordedStart + 9'000'000};
    compareBuckets(*readerOf(writer->path()), memory, whole, 90);
    QRandomGenerator random(11);
    QList<NodeTick> late;
    for (int second = 300; second < 3000; ++second)
        late.append(trainingTick(random, u"n1"_s, recordedStart + second * 1000LL));
    writer->fill(late);
    for (const NodeTick& tick : std::as_const(late))
        memory.store(tick);
    QVERIFY_RESULT(writer->commit(recordedStart));
    compareBuckets(*readerOf(writer->path()), memory, whole, 90);
    compare(*readerOf(writer->path()), memory);
}

void RecordingTest::watchedAgainGoesOn()
{
    QTemporaryDir folder;
    MemoryHistory memory(QStringList{u"n1"_s});
    QString path;
    for (int time = 0; time < 4; ++time) {
        const auto writer = writerOf(folder.path(), recordedJob());
        QVERIFY(path.isEmpty() || writer->path() == path);
        path = writer->path();
        record(*writer, memory, {u"n1"_s}, time * 130, time * 130 + 100, quint32(12 + time));
    }
    compare(*readerOf(path), memory);
    QCOMPARE(listRecordings(folder.path()).size(), 1);
}

void RecordingTest::idsUsedAgainAreOtherJobs()
{
    QTemporaryDir folder;
    RecordingFacts later = recordedJob();
    later.job.submitted = later.job.submitted.addDays(30);
    const auto first = writerOf(folder.path(), recordedJob());
    QVERIFY_RESULT(first->commit(recordedStart));
    const auto second = writerOf(folder.path(), later);
    QVERIFY_RESULT(second->commit(recordedStart));
    QVERIFY(first->path() != second->path());
    QCOMPARE(QFileInfo(second->path()).fileName(), u"lumi-4711.2.rwr"_s);
}

void RecordingTest::oneProgramWrites()
{
    QTemporaryDir folder;
    auto first = writerOf(folder.path(), recordedJob());
    const auto second = RecordingWriter::open(folder.path(), recordedJob());
    QVERIFY(!second);
    QCOMPARE(second.error().fault, Fault::Cancelled);
    QVERIFY(second.error().what.contains(u"4711"_s));
    QVERIFY_RESULT(first->commit(recordedStart)); // still its own
    QVERIFY(!deleteRecording(first->path()));
    first.reset();
    const auto third = RecordingWriter::open(folder.path(), recordedJob());
    QVERIFY_RESULT(third);
}

void RecordingTest::trashAndBack()
{
    QTemporaryDir folder;
    qputenv("XDG_DATA_HOME", folder.path().toLocal8Bit()); // the trash
    auto writer = writerOf(folder.path(), recordedJob());
    MemoryHistory memory;
    record(*writer, memory, {u"n1"_s}, 0, 60, 3);
    const QString path = writer->path();
    QVERIFY(!trashRecording(path)); // being written
    writer.reset();
    const auto trashed = trashRecording(path);
    QVERIFY_RESULT(trashed);
    QVERIFY(!QFile::exists(path));
    QVERIFY(listRecordings(folder.path()).isEmpty());
    QVERIFY_RESULT(restoreRecording(*trashed));
    compare(*readerOf(path), memory);
    QVERIFY(QDir(folder.filePath(u"Trash/info"_s)).isEmpty());
    QVERIFY(!restoreRecording(*trashed)); // it is no longer there
}

void RecordingTest::readWhileWritten()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), recordedJob());
    QVERIFY_RESULT(writer->commit(recordedStart));
    const auto reader = readerOf(writer->path());
    QCOMPARE(reader->span().length(), 0);
    QVERIFY(reader->frameAt(recordedStart).isEmpty());
    MemoryHistory memory;
    for (int part = 0; part < 5; ++part) {
        record(*writer, memory, {u"n1"_s, u"n2"_s}, part * 90, part * 90 + 90, quint32(20 + part));
        compare(*reader, memory);
        compareBuckets(*reader, memory, memory.span(), 7);
    }
    QVERIFY(reader->info().isWritten);
}

void RecordingTest::notes()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), recordedJob());
    TrainingProgress progress;
    progress.framework = u"tqdm"_s;
    progress.step = 30;
    progress.steps = 600;
    progress.loss = 2.5;
    writer->note(progress, recordedStart + 1000);
    writer->note(QList<LossPoint>{{1, 3.5}, {2, 3.25}}, recordedStart + 1000);
    const RecordingEvent alert{recordedStart + 500, u"alert"_s, "{\"kind\":\"idle_gpus\"}"};
    writer->note(alert);
    writer->note(alert);
    QVERIFY_RESULT(writer->commit(recordedStart));
    writer->note(QList<LossPoint>{{1, 3.5}, {2, 3.25}, {3, 3.0}}, recordedStart + 9000);
    writer->note({recordedStart + 9000, u"state"_s, "{}"});
    QVERIFY_RESULT(writer->commit(recordedStart));
    const auto reader = readerOf(writer->path());
    QVERIFY(!reader->progressAt(recordedStart));
    QCOMPARE(reader->progressAt(recordedStart + 5000), progress);
    QCOMPARE(reader->lossesAt(recordedStart + 5000).size(), 2);
    QCOMPARE(reader->lossesAt(recordedStart + 9000).size(), 3);
    QCOMPARE(reader->lossesAt(recordedStart + 9000).at(1), (RecordedLoss{recordedStart + 1000, {2, 3.25}}));
    const TimeSpan all{0, recordedStart * 2};
    QCOMPARE(reader->events(all).size(), 2);
    QCOMPARE(reader->events(all, u"alert"_s), QList<RecordingEvent>{alert});
}

void RecordingTest::factsAreKept()
{
    QTemporaryDir folder;
    RecordingFacts facts = recordedJob(u"77_3"_s, {u"n2"_s, u"n1"_s});
    facts.job.gpus = 16;
    facts.job.timeLimit = Seconds{3600};
    facts.job.exitCode = 0;
    facts.design = R"({"version":1})";
    facts.entryId = u"e1"_s;
    facts.gpusPerNode = 8;
    QString path;
    {
        const auto writer = writerOf(folder.path(), facts);
        path = writer->path();
        QVERIFY_RESULT(writer->commit(recordedStart));
    }
    QCOMPARE(readerOf(path)->info().facts, facts);
    QCOMPARE(readerOf(path)->nodes(), facts.job.nodeList);
    QCOMPARE(readerOf(path)->gpusPerNode(), 8);
    // Watched again, before Slurm has reported it, by a window that knows no design.
    RecordingFacts bare;
    bare.cluster = facts.cluster;
    bare.job.id = facts.job.id;
    bare.gpuWord = facts.gpuWord;
    bare.gpusPerPackage = facts.gpusPerPackage;
    {
        const auto writer = writerOf(folder.path(), bare);
        QCOMPARE(writer->path(), path);
        QVERIFY_RESULT(writer->commit(recordedStart));
    }
    QCOMPARE(readerOf(path)->info().facts, facts);
    QCOMPARE(findRecording(folder.path(), facts.cluster, facts.job.id), path);
    QVERIFY(findRecording(folder.path(), facts.cluster, u"77"_s).isEmpty());
}

void RecordingTest::brokenClocks()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), recordedJob());
    QRandomGenerator random(30);
    writer->append(trainingTick(random, u"none"_s, 0), recordedStart);
    writer->append(trainingTick(random, u"future"_s, recordedStart * 2), recordedStart);
    writer->append(trainingTick(random, u"month"_s, recordedStart - 30 * 86'400'000LL), recordedStart);
    writer->append(trainingTick(random, {}, recordedStart), recordedStart);
    QVERIFY_RESULT(writer->commit(recordedStart));
    const auto frame = readerOf(writer->path())->frameAt(recordedStart);
    QCOMPARE(frame.size(), 3);
    for (const NodeTick& tick : frame)
        QCOMPARE(tick.takenMs, recordedStart);
}

void RecordingTest::moreGpusThanALineHolds()
{
    QTemporaryDir folder;
    const auto writer = writerOf(folder.path(), recordedJob());
    QRandomGenerator random(31);
    NodeTick first = trainingTick(random, u"n1"_s, recordedStart, 16);
    NodeTick second = first;
    second.gpus = first.gpus.mid(12);
    first.gpus = first.gpus.first(12);
    writer->append(first, recordedStart);
    QVERIFY_RESULT(writer->commit(recordedStart)); // the node's other line comes a moment later
    writer->append(second, recordedStart);
    QVERIFY_RESULT(writer->commit(recordedStart));
    const auto reader = readerOf(writer->path());
    QCOMPARE(reader->frameAt(recordedStart).at(0).gpus, first.gpus + second.gpus);
    QCOMPARE(reader->gpusPerNode(), 16);
}

RANKWRIGHT_TEST_MAIN(RecordingTest)
#include "tst_recording.moc"

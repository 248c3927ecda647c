// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobrecorder.h"
#include "app/store/recordingreader.h"
#include "app/store/recordingwriter.h"
#include "tests/app/support/clirun.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// Ten seconds of a job from `from`.
void reportTicks(JobRecorder& recorder, int from)
{
    QRandomGenerator random{quint32(from)};
    for (int second = from; second < from + 10; ++second) {
        const NodeTick tick = trainingTick(random, u"n1"_s, recordedStart + second * 1000LL);
        recorder.add(tick, tick.takenMs);
    }
}

int ticksIn(const QString& path)
{
    int ticks = 0;
    const auto reader = RecordingReader::open(path);
    if (!reader)
        qFatal("%s", qPrintable(reader.error().oneLine()));
    (*reader)->forEachTick({0, recordedStart * 2}, [&ticks](const NodeTick&) { ++ticks; });
    return ticks;
}

} // namespace

/// The recorder on its thread, the folder's limit, and what the command line reports about recordings.
class JobRecorderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void recordsWhatItIsReported();
    void secondWindowStandsBy();
    void folderThatCannotBeWritten();
    void oldestGoFirst();
    void commandLine();
};

void JobRecorderTest::recordsWhatItIsReported()
{
    QTemporaryDir folder;
    QString path;
    {
        JobRecorder recorder({folder.path()});
        QSignalSpy began(&recorder, &JobRecorder::recordingBegan);
        QSignalSpy trouble(&recorder, &JobRecorder::troubleChanged);
        recorder.begin(recordedJob(u"12"_s, {u"n1"_s}));
        reportTicks(recorder, 0);
        recorder.commit();
        QVERIFY(began.wait(test::longWaitMs));
        path = recorder.path();
        QCOMPARE(ticksIn(path), 10);
        reportTicks(recorder, 10);
        QRandomGenerator random{1};
        recorder.add(trainingProcesses(random, u"n1"_s, recordedStart), recordedStart);
        TrainingProgress progress;
        progress.step = 7;
        recorder.add(progress, recordedStart);
        recorder.add(QList<LossPoint>{{1, 2.5}}, recordedStart);
        Alert alert;
        alert.kind = u"idle_gpus"_s;
        alert.title = u"4 of 8 GCDs never did any work"_s;
        for (int time = 0; time < 5; ++time) // what lasts is written once
            recorder.add(QList<Alert>{alert}, recordedStart + time * 1000);
        recorder.fill({trainingTick(random, u"n1"_s, recordedStart + 500'000)});
        JobRecord ended = recordedJob(u"12"_s, {u"n1"_s}).job;
        ended.state = JobState::Completed;
        recorder.setRecord(ended);
        QCOMPARE(trouble.size(), 0);
    } // the rest is committed at the end
    QCOMPARE(ticksIn(path), 21);
    const auto reader = RecordingReader::open(path);
    QVERIFY_RESULT(reader);
    QCOMPARE((*reader)->info().facts.job.state, JobState::Completed);
    QVERIFY(!(*reader)->info().isWritten);
    QCOMPARE((*reader)->processesAt(recordedStart).size(), 1);
    QCOMPARE((*reader)->progressAt(recordedStart)->step, 7);
    QCOMPARE((*reader)->events({0, recordedStart * 2}, u"alerts"_s).size(), 1);
    QCOMPARE((*reader)->events({0, recordedStart * 2}, u"state"_s).size(), 2);
    const QByteArray words = (*reader)->events({0, recordedStart * 2}, u"alerts"_s).at(0).json;
    QVERIFY(words.contains("idle_gpus") && words.contains("\"rank\":null"));
}

void JobRecorderTest::secondWindowStandsBy()
{
    QTemporaryDir folder;
    auto first = std::make_unique<JobRecorder>(JobRecorder::Place{folder.path()});
    QSignalSpy firstBegan(first.get(), &JobRecorder::recordingBegan);
    first->begin(recordedJob());
    reportTicks(*first, 0);
    first->commit();
    QVERIFY(firstBegan.wait(test::longWaitMs));
    JobRecorder second({folder.path()});
    QSignalSpy began(&second, &JobRecorder::recordingBegan);
    QSignalSpy trouble(&second, &JobRecorder::troubleChanged);
    second.begin(recordedJob());
    reportTicks(second, 0);
    second.commit();
    QVERIFY(began.wait(test::longWaitMs));
    QCOMPARE(second.path(), first->path()); // it can show what the other one writes
    QCOMPARE(trouble.size(), 0);
    QCOMPARE(ticksIn(first->path()), 10);
    QCOMPARE(listRecordings(folder.path()).size(), 1);
}

void JobRecorderTest::folderThatCannotBeWritten()
{
    QTemporaryDir folder;
    QFile obstacle(folder.filePath(u"recordings"_s)); // a file where the folder should be
    QVERIFY(obstacle.open(QIODevice::WriteOnly));
    JobRecorder recorder({obstacle.fileName()});
    QSignalSpy trouble(&recorder, &JobRecorder::troubleChanged);
    QSignalSpy committed(&recorder, &JobRecorder::diaryCommitted);
    recorder.begin(recordedJob());
    for (int time = 0; time < 3; ++time) {
        reportTicks(recorder, 10 * time);
        recorder.commit();
        QVERIFY(committed.wait(test::longWaitMs));
    }
    QCOMPARE(trouble.size(), 1); // reported once
    QVERIFY(!trouble.at(0).at(0).value<std::optional<Error>>()->remedy.isEmpty());
    QVERIFY(obstacle.remove());
    recorder.commit();
    QVERIFY(committed.wait(test::longWaitMs));
    QCOMPARE(trouble.size(), 2);
    QVERIFY(!trouble.at(1).at(0).value<std::optional<Error>>()); // all is well again
    QCOMPARE(ticksIn(recorder.path()), 30); // and nothing was lost
}

void JobRecorderTest::oldestGoFirst()
{
    QTemporaryDir folder;
    for (int job = 1; job <= 4; ++job) {
        const auto writer = RecordingWriter::open(folder.path(), recordedJob(QString::number(job)));
        QVERIFY_RESULT(writer);
        QRandomGenerator random{1};
        for (int second = 0; second < 100; ++second) {
            const qint64 ms = recordedStart + (job * 1000 + second) * 1000LL;
            (*writer)->append(trainingTick(random, u"n1"_s, ms), ms);
        }
    }
    const QList<RecordingInfo> all = listRecordings(folder.path());
    QCOMPARE(all.size(), 4);
    QCOMPARE(all.first().facts.job.id, u"4"_s); // newest first
    const qint64 each = all.first().bytes;
    const QStringList gone = pruneRecordings(folder.path(), 2 * each + each / 2, all.last().path);
    QCOMPARE(gone, QStringList({all.at(2).path, all.at(1).path})); // not the one that is watched, though the oldest
    QCOMPARE(pruneRecordings(folder.path(), recordingsLimitBytes), QStringList());
    QCOMPARE(listRecordings(folder.path()).size(), 2);
}

void JobRecorderTest::commandLine()
{
    QTemporaryDir data;
    const QString folder = recordingsFolder(data.path());
    const QStringList where = {u"--data-dir"_s, data.path()};
    QCOMPARE(run(QStringList{u"recordings"_s, u"list"_s, u"--json"_s} + where).jsonArray().size(), 0);
    {
        const auto writer = RecordingWriter::open(folder, recordedJob());
        QVERIFY_RESULT(writer);
        QRandomGenerator random{1};
        for (int second = 0; second < 30; ++second) {
            const qint64 ms = recordedStart + (second + (second > 14 ? 60 : 0)) * 1000LL;
            (*writer)->append(trainingTick(random, u"n1"_s, ms), ms);
        }
        QVERIFY_RESULT((*writer)->commit(recordedStart));
        const Answer refused = run(QStringList{u"recordings"_s, u"delete"_s, u"lumi"_s, u"4711"_s} + where);
        QCOMPARE(refused.code, ExitNo); // it is being written
    }
    const QJsonObject one
        = run(QStringList{u"recordings"_s, u"list"_s, u"--json"_s} + where).jsonArray().at(0).toObject();
    QCOMPARE(one.value(u"jobId"_s).toString(), u"4711"_s);
    QCOMPARE(one.value(u"recording"_s).toBool(), false);
    const Answer shown = run(QStringList{u"recordings"_s, u"show"_s, u"lumi"_s, u"4711"_s, u"--json"_s} + where);
    QCOMPARE(shown.json().value(u"gaps"_s).toArray().size(), 1);
    QCOMPARE(shown.json().value(u"gaps"_s).toArray().at(0).toObject().value(u"seconds"_s).toDouble(), 61.0);
    const Answer csv = run(QStringList{u"recordings"_s, u"export"_s, u"lumi"_s, u"4711"_s} + where);
    QCOMPARE(csv.code, ExitDone);
    QCOMPARE(csv.out.count(u'\n'), 1 + 30 * 8);
    const QString output = data.filePath(u"out.csv"_s);
    const Answer typed = run(QStringList{u"recordings"_s, u"export"_s, u"lumi"_s, u"4711"_s, u"--format"_s,
                                 u"typed-csv"_s, u"--output"_s, output, u"--from"_s, u"2026-09-21T14:13:20Z"_s,
                                 u"--to"_s, QString::number(recordedStart + 5000), u"--json"_s}
        + where);
    QCOMPARE(typed.json().value(u"rows"_s).toInt(), 5 * 8);
    QVERIFY(QFile::exists(output + u".schema.json"_s));
    for (const QStringList& wrong : {QStringList{u"show"_s, u"lumi"_s, u"9"_s}, QStringList{u"what"_s},
             QStringList{u"export"_s, u"lumi"_s, u"4711"_s, u"--format"_s, u"xlsx"_s},
             QStringList{u"export"_s, u"lumi"_s, u"4711"_s, u"--from"_s, u"noon"_s}, QStringList{u"delete"_s}}) {
        const Answer answer = run(QStringList{u"recordings"_s} + wrong + where);
        QCOMPARE(answer.code, ExitUsage);
        QVERIFY(!answer.err.isEmpty());
    }
    QCOMPARE(run(QStringList{u"recordings"_s, u"delete"_s, u"lumi"_s, u"4711"_s} + where).code, ExitDone);
    QCOMPARE(QDir(folder).entryList(QDir::Files).size(), 0);
}

RANKWRIGHT_TEST_MAIN(JobRecorderTest)
#include "tst_jobrecorder.moc"

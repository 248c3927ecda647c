// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/recordedpast.h"
#include "app/report/recordedevidence.h"
#include "app/store/eventjson.h"
#include "app/store/recordingwriter.h"
#include "app/store/usagefiles.h"
#include "tests/app/support/clirun.h"
#include "tests/app/support/recordedjob.h"
#include "tests/app/support/version1.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

std::unique_ptr<RecordingReader> readerOf(const QString& path)
{
    auto reader = RecordingReader::open(path);
    if (!reader)
        qFatal("%s", qPrintable(reader.error().oneLine()));
    return std::move(*reader);
}

/// A data folder with a recording of version 1 of job 4711 of LUMI.
class OldFolder {
public:
    OldFolder()
    {
        if (!QDir(m_folder.path()).mkpath(u"recordings"_s))
            qFatal("no folder");
        makeVersion1(path());
    }
    QString folder() const { return m_folder.path(); }
    QString path() const { return recordingsFolder(m_folder.path()) + u'/' + recordingName(u"lumi"_s, u"4711"_s, 1); }

private:
    QTemporaryDir m_folder;
};

QJsonArray shownEvents(const OldFolder& old)
{
    const Answer shown
        = run({u"recordings"_s, u"show"_s, u"lumi"_s, u"4711"_s, u"--data-dir"_s, old.folder(), u"--json"_s});
    return shown.json().value(u"events"_s).toArray();
}

} // namespace

/// What a recording reports beside the samples: one that an older program wrote, one that two programs wrote, a damaged
/// one.
class RecordedPastTest final : public test::Suite {
    Q_OBJECT
private slots:
    void version1();
    void version1IsShownInTodaysWords();
    void version1GoesOn();
    void damagedEntriesAreTold();
    void damagedRecordLeavesTheSamples();
    void statesOfTheList();
    void aLongNameLeavesRoomForTheRest();
};

void RecordedPastTest::version1()
{
    const OldFolder old;
    const auto reader = readerOf(old.path());
    const RecordingInfo info = reader->info();
    QVERIFY(!info.fault);
    QCOMPARE(info.facts.job.id, u"4711"_s);
    QCOMPARE(info.facts.job.state, JobState::Failed);
    QCOMPARE(info.facts.job.stepState, JobState::OutOfMemory);
    QCOMPARE(info.facts.job.elapsed, Seconds{31});
    QCOMPARE(info.facts.job.exitCode, 1);
    QVERIFY(!info.facts.job.ended.isNull());
    const RecordedPast past = recordedPast(*reader);
    QVERIFY(!past.trouble);
    QCOMPARE(past.failures.size(), 1);
    QCOMPARE(past.failures.first().diagnoses.first().line, 812);
    QCOMPARE(past.lastAlerts.size(), 1);
    QCOMPARE(past.lastAlerts.first().kind, u"output_failure"_s);
    QCOMPARE(past.lastAlerts.first().level, Alert::Level::Failure);
    QCOMPARE(past.progress.last().progress.step, 30);
    QVERIFY(past.progress.last().progress.stepWithinEpoch);
    const auto idle = alertsIn(reader->events({0, recordedStart * 2}, u"alerts"_s).first());
    QVERIFY_RESULT(idle);
    QCOMPARE(idle->first().gpus, (QList<GpuAddress>{{0, 6}, {0, 7}}));
    QCOMPARE(idle->first().sinceMs, recordedStart + 250);
    const JobEvidence evidence = recordedEvidence(old.folder(), u"lumi"_s, info.facts.job, nullptr);
    QVERIFY(evidence.unreadable.isEmpty());
    QCOMPARE(evidence.alerts.size(), 2);
}

void RecordedPastTest::version1IsShownInTodaysWords()
{
    const OldFolder old;
    const QJsonArray events = shownEvents(old);
    QCOMPARE(events.size(), 4);
    const QJsonObject alert = events.at(1)[u"what"_s][u"alerts"_s][0].toObject();
    QCOMPARE(alert.value(u"kind"_s).toString(), u"idle_gpus"_s);
    QVERIFY(!alert.contains(u"class"_s));
    QCOMPARE(alert.value(u"gpus"_s)[1].toObject(), (QJsonObject{{u"row"_s, 0}, {u"index"_s, 7}}));
}

/// Watched again by this program: what was written stays, what comes is of version 2, and older programs keep off.
void RecordedPastTest::version1GoesOn()
{
    const OldFolder old;
    const auto before = readRecordingFacts(old.path());
    QVERIFY_RESULT(before);
    {
        auto writer = RecordingWriter::open(recordingsFolder(old.folder()), *before);
        QVERIFY_RESULT(writer);
        QCOMPARE((*writer)->path(), old.path());
        Alert hang;
        hang.kind = u"hang"_s;
        (*writer)->note(alertsEvent({hang}, recordedStart + 40'000));
        QVERIFY_RESULT((*writer)->commit(recordedStart));
    }
    const auto reader = readerOf(old.path());
    const RecordedPast past = recordedPast(*reader);
    QVERIFY(!past.trouble);
    QCOMPARE(past.lastAlerts.first().kind, u"hang"_s);
    QCOMPARE(alertsIn(reader->events({0, recordedStart * 2}, u"alerts"_s).first())->first().kind, u"idle_gpus"_s);
    QCOMPARE(reader->info().facts.job, before->job);
    int version = 0;
    const auto file = RecordingFile::open(old.path(), RecordingFile::Mode::Read);
    QVERIFY_RESULT(file);
    QVERIFY_RESULT((*file)->run(
        u"PRAGMA user_version"_s, {}, [&version](const QSqlQuery& row) { version = row.value(0).toInt(); }));
    QCOMPARE(version, 2);
}

void RecordedPastTest::damagedEntriesAreTold()
{
    const OldFolder old;
    runSql(old.path(),
        {u"UPDATE events SET json = substr(json, 1, 40) WHERE kind = 'failures'"_s,
            u"UPDATE events SET json = replace(json, '\"idle_gpus\"', '7') WHERE kind = 'alerts'"_s,
            u"UPDATE progress SET json = '{\"step\":\"thirty\"}'"_s});
    const auto reader = readerOf(old.path());
    const RecordedPast past = recordedPast(*reader);
    QVERIFY(past.trouble);
    QVERIFY2(past.trouble->what.contains(u"left out: 3"_s), qPrintable(past.trouble->what));
    QVERIFY2(past.trouble->detail.contains(u"$.alerts[0].kind: expected text, found the number 7"_s),
        qPrintable(past.trouble->detail));
    QVERIFY(past.failures.isEmpty());
    QVERIFY(past.progress.isEmpty()); // not known, not step 0
    QCOMPARE(past.lastAlerts.size(), 1); // the other entry is good
    QCOMPARE(past.losses.size(), 2);
    const JobEvidence evidence = recordedEvidence(old.folder(), u"lumi"_s, reader->info().facts.job, nullptr);
    QCOMPARE(evidence.unreadable.size(), 2);
    QCOMPARE(evidence.alerts.size(), 1);
    const QJsonArray events = shownEvents(old);
    QVERIFY(events.at(2)[u"what"_s].isNull());
    QVERIFY(events.at(2)[u"unreadable"_s].toString().contains(u"not JSON"_s));
}

void RecordedPastTest::damagedRecordLeavesTheSamples()
{
    const OldFolder old;
    runSql(old.path(), {u"UPDATE meta SET value = '{\"jobId\":\"4711\",\"nodes\":\"one\"}' WHERE key = 'job'"_s});
    const auto reader = readerOf(old.path());
    QCOMPARE(reader->span().length(), 29'001);
    const RecordingInfo info = reader->info();
    QVERIFY2(info.fault && info.fault->what.contains(u"$.nodes: expected a whole number, found the text “one”"_s),
        info.fault ? qPrintable(info.fault->what) : "no fault");
    QCOMPARE(info.facts.job, JobRecord());
    QVERIFY(!readRecordingFacts(old.path()));
    const Answer listed = run({u"recordings"_s, u"list"_s, u"--data-dir"_s, old.folder(), u"--json"_s});
    const QJsonObject row = listed.jsonArray().first().toObject();
    QVERIFY(row.value(u"fault"_s).toString().contains(u"$.nodes"_s));
    QVERIFY(row.value(u"state"_s).isNull());
}

/// A name of 200 characters pushed state and length out of the terminal.
void RecordedPastTest::aLongNameLeavesRoomForTheRest()
{
    QTemporaryDir folder;
    RecordingFacts facts = recordedJob(u"4711"_s, {u"nid1"_s});
    facts.job.name = u"模-sweep"_s.repeated(25);
    {
        auto writer = RecordingWriter::open(recordingsFolder(folder.path()), facts);
        QVERIFY_RESULT(writer);
        QVERIFY_RESULT((*writer)->commit(recordedStart));
    }
    const QStringList list{u"recordings"_s, u"list"_s, u"--data-dir"_s, folder.path()};
    const QString table = run(list).out;
    QVERIFY2(table.contains(u"模-sweep模-sweep"_s) && table.contains(u'…'), qPrintable(table));
    QVERIFY2(!table.contains(facts.job.name), qPrintable(table));
    QCOMPARE(run(list + QStringList{u"--json"_s}).jsonArray().first().toObject().value(u"name"_s).toString(),
        facts.job.name);
}

/// T19: a recording keeps the state that its program saw last. The list says RUNNING only while somebody records; later
/// what this machine knows of the end, else nothing.
void RecordedPastTest::statesOfTheList()
{
    QTemporaryDir folder;
    const auto stateOf = [&folder] {
        const QJsonArray list
            = run({u"recordings"_s, u"list"_s, u"--data-dir"_s, folder.path(), u"--json"_s}).jsonArray();
        return list.size() == 1 ? list.first().toObject() : QJsonObject{{u"fault"_s, int(list.size())}};
    };
    RecordingFacts facts = recordedJob(u"4711"_s, {u"nid1"_s});
    {
        auto writer = RecordingWriter::open(recordingsFolder(folder.path()), facts);
        QVERIFY_RESULT(writer);
        QRandomGenerator random(1);
        (*writer)->setNodes({u"nid1"_s});
        for (int second = 0; second < 30; ++second)
            (*writer)->append(
                trainingTick(random, u"nid1"_s, recordedStart + second * 1000LL), recordedStart + second * 1000LL);
        QVERIFY_RESULT((*writer)->commit(recordedStart + 30'000));
        const QJsonObject now = stateOf();
        QVERIFY2(now.value(u"state"_s) == u"RUNNING"_s, QJsonDocument(now).toJson().constData());
        QCOMPARE(stateOf().value(u"recording"_s), QJsonValue(true));
    }
    QCOMPARE(stateOf().value(u"state"_s), QJsonValue());
    QVERIFY(run({u"recordings"_s, u"list"_s, u"--data-dir"_s, folder.path()}).out.contains(u"not known"_s));
    StoredUsage usage;
    usage.cluster = facts.cluster;
    usage.usage.job = facts.job;
    usage.usage.job.state = JobState::Timeout;
    QVERIFY_RESULT(storeUsage(folder.path(), usage));
    QCOMPARE(stateOf().value(u"state"_s), QJsonValue(u"TIMEOUT"_s));
    usage.usage.job.started = usage.usage.job.started.addSecs(3600); // a later run of the same number
    QVERIFY_RESULT(storeUsage(folder.path(), usage));
    QCOMPARE(stateOf().value(u"state"_s), QJsonValue());
}

RANKWRIGHT_TEST_MAIN(RecordedPastTest)
#include "tst_recordedpast.moc"

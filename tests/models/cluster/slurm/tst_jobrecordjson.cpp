// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobrecordjson.h"
#include "tests/support/testbase.h"

#include <QJsonDocument>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

JobRecord everything()
{
    JobRecord record;
    record.id = u"123_4"_s;
    record.name = u"gpt-imdb"_s;
    record.user = u"student"_s;
    record.account = u"project_462000265"_s;
    record.partition = u"small-g"_s;
    record.qos = u"normal"_s;
    record.reservation = u"course"_s;
    record.state = JobState::Failed;
    record.stepState = JobState::OutOfMemory;
    record.reason = u"None"_s;
    record.nodes = 2;
    record.nodeList = {u"n1"_s, u"n2"_s};
    record.gres = u"gres/gpu:mi250=16"_s;
    record.gpus = 16;
    record.elapsed = Seconds{31};
    record.timeLimit = Seconds{3600};
    record.submitted = QDateTime::fromSecsSinceEpoch(1'790'000'000, Qt::UTC);
    record.started = record.submitted.addSecs(60);
    record.ended = record.submitted.addSecs(91);
    record.comment = u"rw-1234"_s;
    record.workdir = u"/scratch"_s;
    record.standardOutput = u"/scratch/out.txt"_s;
    record.exitCode = 0;
    record.exitSignal = 9;
    return record;
}

} // namespace

/// A job's members: the same wherever it is reported, and read back as it was.
class JobRecordJsonTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsWhatItWrote();
    void tellsTheMembersOfTheCommandLine();
    void unknownIsNull();
    void readsWhatLeavesOutTheUnknown();
    void damaged_data();
    void damaged();
};

void JobRecordJsonTest::readsWhatItWrote()
{
    JobRecord bare;
    bare.id = u"7"_s;
    for (const JobRecord& record : {everything(), bare}) {
        QJsonObject json = jobRecordJson(record);
        json.insert(u"further"_s, QJsonArray{1});
        const auto back = jobRecordFromJson(JsonReader(json));
        QVERIFY_RESULT(back);
        QCOMPARE(*back, record);
    }
}

void JobRecordJsonTest::tellsTheMembersOfTheCommandLine()
{
    // docs/cli.md, "jobs"
    const QByteArray wanted = R"({"jobId":"123_4","name":"gpt-imdb","user":"student","account":"project_462000265",
        "partition":"small-g","qos":"normal","reservation":"course","state":"FAILED","stepState":"OUT_OF_MEMORY","reason":"None","nodes":2,
        "nodeList":["n1","n2"],"gres":"gres/gpu:mi250=16","gpus":16,"elapsedSeconds":31,"timeLimitSeconds":3600,
        "submitted":"2026-09-21T14:13:20Z","started":"2026-09-21T14:14:20Z","ended":"2026-09-21T14:14:51Z",
        "exitCode":0,"exitSignal":9,"comment":"rw-1234","workdir":"/scratch","standardOutput":"/scratch/out.txt"})";
    QCOMPARE(jobRecordJson(everything()), QJsonDocument::fromJson(wanted).object());
}

void JobRecordJsonTest::unknownIsNull()
{
    const QJsonObject json = jobRecordJson({});
    int nulls = 0;
    for (const QJsonValue& value : json)
        nulls += value.isNull() ? 1 : 0;
    QCOMPARE(nulls, json.size() - 3); // the id, the list of nodes, and the state:
    QCOMPARE(json.value(u"state"_s).toString(), u"UNKNOWN"_s);
}

void JobRecordJsonTest::readsWhatLeavesOutTheUnknown()
{
    JobRecord record;
    record.id = u"7"_s;
    record.submitted = QDateTime::fromMSecsSinceEpoch(1'790'000'000'250, Qt::UTC);
    const auto back = jobRecordFromJson(
        JsonReader(QJsonObject{{u"jobId"_s, u"7"_s}, {u"submitted"_s, u"2026-09-21T14:13:20.250Z"_s}}));
    QVERIFY_RESULT(back);
    QCOMPARE(*back, record);
}

void JobRecordJsonTest::damaged_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("why");
    QTest::newRow("no id") << u"jobId"_s << QJsonValue() << u"$.jobId: expected text, found nothing"_s;
    QTest::newRow("id") << u"jobId"_s << QJsonValue(7) << u"$.jobId: expected text, found the number 7"_s;
    QTest::newRow("nodes") << u"nodes"_s << QJsonValue(u"two"_s)
                           << u"$.nodes: expected a whole number, found the text “two”"_s;
    QTest::newRow("nodeList") << u"nodeList"_s << QJsonValue(QJsonArray{1})
                              << u"$.nodeList: expected text as element 0 of the list, found the number 1"_s;
    QTest::newRow("ended") << u"ended"_s << QJsonValue(u"soon"_s)
                           << u"$.ended: expected a time such as 2026-11-21T20:15:00Z, found the text “soon”"_s;
    QTest::newRow("elapsed") << u"elapsedSeconds"_s << QJsonValue(1.5)
                             << u"$.elapsedSeconds: expected a whole number, found the number 1.5"_s;
}

void JobRecordJsonTest::damaged()
{
    QFETCH(QString, member);
    QFETCH(QJsonValue, value);
    QJsonObject json = jobRecordJson(everything());
    json.insert(member, value);
    const auto back = jobRecordFromJson(JsonReader(json));
    QVERIFY(!back);
    QTEST(back.error().what, "why");
}

RANKWRIGHT_TEST_MAIN(JobRecordJsonTest)
#include "tst_jobrecordjson.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/commands/commands.h"
#include "app/session/jobrows.h"
#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "app/store/usagefiles.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A recorded job's figures on the Jobs page and in its report are the same, whoever reported them last: the recording,
/// the accounting (kept of an earlier report), or the queue.
class JobsAgreementTest final : public test::Suite {
    Q_OBJECT
private slots:
    void sameFigures_data();
    void sameFigures();
};

void JobsAgreementTest::sameFigures_data()
{
    QTest::addColumn<JobState>("state");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus"); // each; 0: Slurm did not say
    QTest::addColumn<int>("elapsed"); // 0: the same
    QTest::addColumn<int>("limit");
    QTest::addColumn<bool>("asked"); // a report was made before
    for (const bool asked : {false, true}) {
        const char* way = asked ? "accounting" : "recording";
        QTest::addRow("completed, %s", way) << JobState::Completed << 2 << 8 << 915 << 3600 << asked;
        QTest::addRow("ran into its limit, %s", way) << JobState::Timeout << 1 << 4 << 3601 << 3600 << asked;
        QTest::addRow("failed at once, %s", way) << JobState::Failed << 1 << 8 << 1 << 86400 << asked;
        QTest::addRow("longer than a day, %s", way) << JobState::Completed << 16 << 8 << 180'000 << 259'200 << asked;
        QTest::addRow("little known, %s", way) << JobState::Completed << 1 << 0 << 0 << 0 << asked;
    }
}

void JobsAgreementTest::sameFigures()
{
    QFETCH(JobState, state);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(int, elapsed);
    QFETCH(int, limit);
    QFETCH(bool, asked);
    QTemporaryDir folder;
    RecordingFacts facts = test::recordedJob(u"12"_s, {u"n1"_s});
    JobRecord& job = facts.job;
    job.state = state;
    job.partition = u"standard-g"_s;
    job.nodes = nodes;
    if (gpus > 0)
        job.gpus = nodes * gpus;
    if (elapsed > 0)
        job.elapsed = Seconds{elapsed};
    if (limit > 0)
        job.timeLimit = Seconds{limit};
    job.ended = job.started.addSecs(qMax(1, elapsed));
    auto writer = RecordingWriter::open(recordingsFolder(folder.path()), facts);
    QVERIFY_RESULT(writer);
    QRandomGenerator random{1};
    (*writer)->append(test::trainingTick(random, u"n1"_s, test::recordedStart), test::recordedStart);
    QVERIFY_RESULT((*writer)->commit(test::recordedStart));
    writer->reset();
    if (asked) {
        StoredUsage kept;
        kept.cluster = facts.cluster;
        kept.asked = job.ended;
        kept.usage.job = job;
        QVERIFY_RESULT(storeUsage(folder.path(), kept));
    }
    const QList<JobRow> rows = jobRows(facts.cluster, {}, asked ? QList<JobRecord>{job} : QList<JobRecord>(), {},
        listRecordings(recordingsFolder(folder.path())));
    QCOMPARE(rows.size(), 1);
    JobModel table;
    table.assign(rows);
    const auto shown = [&table](int column) { return table.index(0, column).data().toString(); };
    QString out, err;
    QTextStream outStream(&out), errStream(&err);
    QCOMPARE(runCommandLine(allCommands(),
                 {u"report"_s, facts.cluster, u"12"_s, u"--offline"_s, u"--json"_s, u"--data-dir"_s, folder.path()},
                 outStream, errStream, {}),
        0);
    const QJsonObject reported
        = QJsonDocument::fromJson(out.toUtf8()).object().value(u"jobs"_s).toArray().at(0).toObject();
    const auto number = [&reported](const QString& member) {
        const QJsonValue value = reported.value(member);
        return value.isNull() ? u"–"_s : QString::number(value.toInt());
    };
    const auto time = [&reported](const QString& member) {
        const QJsonValue value = reported.value(member);
        return value.isNull() ? u"–"_s : slurmTime(Seconds{value.toInt()});
    };
    QCOMPARE(shown(0), reported.value(u"jobId"_s).toString());
    QCOMPARE(shown(1), reported.value(u"name"_s).toString());
    QCOMPARE(shown(2), reported.value(u"state"_s).toString());
    QCOMPARE(shown(3), reported.value(u"partition"_s).toString());
    QCOMPARE(shown(4), number(u"nodes"_s));
    QCOMPARE(shown(5), number(u"gpus"_s));
    const QString limitText
        = reported.value(u"timeLimitSeconds"_s).isNull() ? QString() : u" / "_s + time(u"timeLimitSeconds"_s);
    QCOMPARE(shown(6), time(u"elapsedSeconds"_s) + limitText);
    QCOMPARE(reported.value(u"elapsedSeconds"_s).isNull(), elapsed == 0); // unknown in both, never 0
}

RANKWRIGHT_TEST_MAIN(JobsAgreementTest)
#include "tst_jobsagreement.moc"

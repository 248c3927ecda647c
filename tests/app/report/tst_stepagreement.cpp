// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/commands/commands.h"
#include "app/recording/recordedpast.h"
#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "app/watch/runmeter.h"
#include "models/insight/progress/progressjson.h"
#include "models/insight/progress/steppace.h"
#include "models/insight/progress/traininglogreader.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The time of a step is one figure, wherever it is shown: live page and its replay, alerts, learning, the watch of the
/// command line, the report; and it is the one that was planted.
class StepAgreementTest final : public test::Suite {
    Q_OBJECT
private slots:
    void everywhereTheSame_data();
    void everywhereTheSame();
};

void StepAgreementTest::everywhereTheSame_data()
{
    QTest::addColumn<QString>("layout");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<bool>("bursts");
    for (const bool bursts : {false, true}) {
        const char* way = bursts ? "bursts" : "lines";
        QTest::addRow("bar of epochs, %s", way) << u"bar"_s << 0.0125 << bursts;
        QTest::addRow("short steps, %s", way) << u"bar"_s << 0.114 << bursts;
        QTest::addRow("without a rate, %s", way) << u"bare"_s << 0.73 << bursts;
        QTest::addRow("samples of a known batch, %s", way) << u"samples"_s << 1.83 << bursts;
        QTest::addRow("samples of no batch, %s", way) << u"unknown batch"_s << 0.63 << bursts;
    }
}

void StepAgreementTest::everywhereTheSame()
{
    QFETCH(QString, layout);
    QFETCH(double, seconds);
    QFETCH(bool, bursts);
    QTemporaryDir folder;
    const RecordingFacts facts = test::recordedJob(u"12"_s, {u"n1"_s});
    auto writer = RecordingWriter::open(recordingsFolder(folder.path()), facts);
    QVERIFY_RESULT(writer);
    constexpr int perEpoch = 300, steps = 900;
    TrainingLogReader reader;
    StepMeter meter; // as JobOutput reads
    RunMeter learning;
    StepPace alerts;
    TrainingProgress shown;
    QByteArray waiting
        = layout == u"samples" ? "micro-batch 4 x accumulation 2 x ranks 8 = global batch 64\n" : QByteArray();
    QRandomGenerator random{1};
    qint64 ms = test::recordedStart;
    for (int step = 1; step <= steps; ++step) {
        ms = test::recordedStart + qint64(step * seconds * 1000);
        const int inEpoch = (step - 1) % perEpoch + 1;
        if (layout == u"bar")
            waiting += QString::asprintf("\rEpoch %d/3: %3d%%|####  | %d/%d [00:10<00:20, %.2fit/s, loss=2.1]",
                (step - 1) / perEpoch + 1, inEpoch * 100 / perEpoch, inEpoch, perEpoch, 1 / seconds)
                           .toUtf8();
        else if (layout == u"bare")
            waiting += QString::asprintf("step %d/%d loss 2.1234 lr 1.000e-04\n", step, steps).toUtf8();
        else
            waiting += QString::asprintf("step %d/%d loss 2.1 %.1f samples/s\n", step, steps, 64 / seconds).toUtf8();
        if (bursts && waiting.size() < 4096)
            continue;
        reader.feed(std::exchange(waiting, {}));
        if (reader.progress() == TrainingProgress())
            continue;
        meter.addProgress(reader.progress(), ms);
        shown = reader.progress();
        shown.stepSeconds = meter.stepSeconds();
        learning.addProgress(shown);
        alerts.addProgress(shown, ms);
        (*writer)->append(test::trainingTick(random, u"n1"_s, ms), ms);
        (*writer)->note(shown, ms);
    }
    QVERIFY_RESULT((*writer)->commit(ms));
    writer->reset();
    QVERIFY(shown.stepSeconds);
    QVERIFY2(std::abs(*shown.stepSeconds / seconds - 1) <= 0.05, qPrintable(QString::number(*shown.stepSeconds)));
    QCOMPARE(learning.stepSeconds(), shown.stepSeconds);
    QCOMPARE(alerts.stepSeconds(), shown.stepSeconds);
    QCOMPARE(progressJson(shown).value(u"stepSeconds"_s).toDouble(), *shown.stepSeconds);
    const auto recording
        = RecordingReader::open(findRecording(recordingsFolder(folder.path()), facts.cluster, u"12"_s));
    QVERIFY_RESULT(recording);
    const RecordedPast past = recordedPast(**recording);
    QVERIFY(!past.progress.isEmpty());
    QCOMPARE(past.progress.last().progress.stepSeconds, shown.stepSeconds);
    QString out, err;
    QTextStream outStream(&out), errStream(&err);
    QCOMPARE(runCommandLine(allCommands(),
                 {u"report"_s, facts.cluster, u"12"_s, u"--offline"_s, u"--json"_s, u"--data-dir"_s, folder.path()},
                 outStream, errStream, {}),
        0);
    const QJsonObject job = QJsonDocument::fromJson(out.toUtf8()).object().value(u"jobs"_s).toArray().at(0).toObject();
    QCOMPARE(job.value(u"stepSeconds"_s).toDouble(-1), *shown.stepSeconds);
    QCOMPARE(
        job.value(u"samplesPerSecond"_s).isNull(), layout == u"bar" || layout == u"bare"); // nobody reported a rate
}

RANKWRIGHT_TEST_MAIN(StepAgreementTest)
#include "tst_stepagreement.moc"

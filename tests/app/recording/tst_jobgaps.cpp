// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobgaps.h"
#include "app/recording/jobrecorder.h"
#include "models/cluster/catalogue/catalogue.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A watch, its recording and the job's own record together.
class JobGapsTest final : public Suite {
    Q_OBJECT
private slots:
    void stepsOfASlowWatchAreNoHoles_data();
    void stepsOfASlowWatchAreNoHoles();
};

void JobGapsTest::stepsOfASlowWatchAreNoHoles_data()
{
    QTest::addColumn<bool>("plannedFirst"); // sampling begins before there is a recording
    QTest::newRow("recorded later") << true;
    QTest::newRow("sampled later") << false;
}

/// The job's record has a tick each second, the watch each 4 s: after one real hole was asked for, nothing is missing.
void JobGapsTest::stepsOfASlowWatchAreNoHoles()
{
    QFETCH(bool, plannedFirst);
    const Catalogue catalogue = loadCatalogue();
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    FakeShell shell;
    const QByteArray at = QByteArray::number(now);
    shell.expect(
        u".rankwright"_s, {"@rw-start 1 n1 " + at + " 4711 1000\n@rw-reach n1 " + at + "\n@rw-end done\n"}, true);
    shell.expect({}, {.staysOpen = true}, true);
    JobWatch watch(shell, *catalogue.find(u"lumi"_s), u"4711"_s);
    watch.setSampling({SamplingWay::Step, 4000});
    RecordingFacts facts = recordedJob(u"4711"_s, {u"n1"_s});
    facts.job.started = QDateTime::fromMSecsSinceEpoch(now - 120'000);
    facts.job.workdir = u"/home/ada"_s;
    facts.job.partition = u"small-g"_s;
    facts.job.nodes = 1;
    facts.job.gpus = 8;
    QTemporaryDir folder;
    JobRecorder recorder({folder.path()});
    JobGaps gaps(shell, watch, recorder);
    gaps.setPatience({10, 50, 10, 10, 90000});
    recorder.begin(facts);
    QRandomGenerator random{1};
    for (qint64 ms = now - 80'000; ms <= now; ms += 4000) // not watched in its first 40 s
        recorder.add(trainingTick(random, u"n1"_s, ms), ms);
    if (plannedFirst)
        watch.update(facts.job);
    QSignalSpy began(&recorder, &JobRecorder::recordingBegan);
    recorder.commit();
    QVERIFY(began.wait(test::longWaitMs));
    if (!plannedFirst)
        watch.update(facts.job);
    QCOMPARE(watch.plan()->intervalMs, 4000);
    const auto asked = [&shell] { return shell.lines().filter(u".rankwright"_s).size(); };
    QTRY_COMPARE(asked(), 1);
    test::quietFor(400); // some more looks
    QCOMPARE(asked(), 1);
}

RANKWRIGHT_TEST_MAIN(JobGapsTest)
#include "tst_jobgaps.moc"

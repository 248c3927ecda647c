// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobrecorder.h"
#include "app/store/recordings.h"
#include "app/watch/jobwatch.h"
#include "app/window/livecontroller.h"
#include "app/window/workbench.h"
#include "models/document/designjson.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"
#include "widgets/base/recordtable.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/jobs/recordingsdialog.h"
#include "widgets/live/alertnotes.h"
#include "widgets/live/livepage.h"
#include "widgets/window/mainwindow.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int seconds = 600;
constexpr int failsAfter = 540;

JobSpec designed()
{
    JobSpec spec;
    spec.name = u"gpt-imdb"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 8;
    spec.launcher = Launcher::Srun;
    spec.parallel.strategy = Strategy::Ddp;
    return spec;
}

JobRecord recordAt(JobState state)
{
    JobRecord job = recordedJob(u"4711"_s, {u"nid005001"_s}).job;
    job.state = state;
    job.partition = u"standard-g"_s;
    job.nodes = 1;
    job.gpus = 8;
    job.timeLimit = Seconds{3600};
    job.elapsed = Seconds{seconds};
    if (hasEnded(state)) {
        job.ended = job.started.addSecs(seconds);
        job.exitCode = 1;
    }
    return job;
}

Diagnosis outOfMemory()
{
    Diagnosis found;
    found.kind = u"oom_gpu"_s;
    found.rule = u"F01"_s;
    found.rank = 3;
    found.line = 812;
    found.evidence = u"HIP out of memory. Tried to allocate 2.00 GiB"_s;
    found.advice = u"The GPU's memory is full. Halve the micro-batch."_s;
    return found;
}

Alert reported(const Diagnosis& found)
{
    Alert alert;
    alert.kind = found.kind;
    alert.rule = u"A01"_s;
    alert.level = Alert::Level::Failure;
    alert.title = u"Rank 3: GPU out of memory"_s;
    alert.seen = found.evidence;
    alert.sinceMs = recordedStart + failsAfter * 1000LL;
    alert.rank = found.rank;
    return alert;
}

QStringList titles(const LivePage& page)
{
    QStringList all;
    for (const AlertText& finding : page.findChild<AlertNotes*>()->findings())
        all.append(finding.title);
    return all;
}

QPushButton* buttonOf(QWidget& parent, const QString& text)
{
    for (QPushButton* button : parent.findChildren<QPushButton*>()) {
        if (button->text() == text && button->isVisible())
            return button;
    }
    return nullptr;
}

} // namespace

/// A job is recorded, the window closes; another one finds it in the history and replays it as it was.
class ReplayAfterRestartTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void foundInTheHistory();
    void replaysWhatWasSaidThen();
    void endsAsItEnded();
    void listedAndRemoved();
    void tabReachesAllOfTheWindow();

private:
    void recordJob();
    std::unique_ptr<Workbench> start();
    LivePage& replayed(Workbench& workbench);

    QTemporaryDir m_folder;
};

/// As the window does it: a recorder follows a watch, which reports what came.
void ReplayAfterRestartTest::recordJob()
{
    const Catalogue catalogue = loadCatalogue();
    FakeShell shell;
    JobWatch watch(shell, *catalogue.find(u"lumi"_s), u"4711"_s);
    JobRecorder recorder({recordingsFolder(m_folder.path())});
    RecordingFacts facts;
    facts.cluster = u"lumi"_s;
    facts.gpuWord = u"GCD"_s;
    facts.gpusPerPackage = 2;
    facts.gpusPerNode = 8;
    facts.design = writeDesign(designed());
    recorder.follow(watch, facts);
    emit watch.recordChanged(recordAt(JobState::Running));
    QRandomGenerator random{7};
    for (int second = 0; second < seconds; ++second) {
        const qint64 ms = recordedStart + second * 1000LL;
        emit watch.tickArrived(trainingTick(random, u"nid005001"_s, ms), ms);
        if (second % 3 == 0)
            emit watch.processesArrived(trainingProcesses(random, u"nid005001"_s, ms), ms);
    }
    emit watch.output().diagnosesChanged({outOfMemory()});
    emit watch.alerts().changed({reported(outOfMemory())});
    QSignalSpy committed(&recorder, &JobRecorder::committed);
    emit watch.over(recordAt(JobState::Failed));
    QVERIFY(committed.wait(5000));
}

std::unique_ptr<Workbench> ReplayAfterRestartTest::start()
{
    auto made = Workbench::make({m_folder.path(), {}, u"light"_s, {}, false});
    if (!made)
        qFatal("%s", qPrintable(made.error().oneLine()));
    (*made)->start();
    (*made)->design().edit(u"Cluster"_s, [](JobSpec& spec) { spec = designed(); });
    (*made)->window().showPage(MainWindow::Page::Jobs);
    return std::move(*made);
}

LivePage& ReplayAfterRestartTest::replayed(Workbench& workbench)
{
    auto* jobs = workbench.window().findChild<JobsPage*>();
    QPushButton* replay = nullptr;
    (void)QTest::qWaitFor( // recordings are listed on another thread
        [&] {
            jobs->selectJob(u"4711"_s);
            replay = buttonOf(*jobs, u"Replay"_s);
            return replay != nullptr;
        },
        30000);
    if (!replay)
        qFatal("the job cannot be replayed");
    replay->click();
    return *workbench.window().findChild<LivePage*>();
}

void ReplayAfterRestartTest::initTestCase() { recordJob(); }

void ReplayAfterRestartTest::foundInTheHistory()
{
    const auto workbench = start();
    LivePage& page = replayed(*workbench);
    QVERIFY(page.isVisible());
    QCOMPARE(page.jobId(), u"4711"_s);
    QCOMPARE(workbench->live().cluster(), u"lumi"_s);
    const TimeSpan span = page.slider().overview().span;
    QCOMPARE(span.fromMs, recordedStart);
    QVERIFY(std::abs(span.toMs - (recordedStart + (seconds - 1) * 1000LL)) <= 1000);
    QVERIFY(!page.slider().overview().curve.isEmpty());
    QVERIFY(page.heatMap().grid().knowsRanks()); // of the design that the recording holds
}

void ReplayAfterRestartTest::replaysWhatWasSaidThen()
{
    const auto workbench = start();
    LivePage& page = replayed(*workbench);
    emit page.slider().picked(recordedStart + 300'000);
    QVERIFY(page.isPast());
    // Every rank ran on cores 1-7; the design gave rank 0 the cores 49-55 (LUMI documentation): only who knows the
    // design can say so.
    QTRY_VERIFY2(titles(page).join(u'\n').contains(u"cores"_s), qPrintable(titles(page).join(u'\n')));
    QVERIFY(!titles(page).join(u'\n').contains(u"out of memory"_s)); // that came later
    const GpuSample* sample = page.heatMap().grid().series().latest({0, 0});
    QVERIFY(sample && sample->memoryTotalBytes == std::optional<qint64>(68'702'699'520));
}

void ReplayAfterRestartTest::endsAsItEnded()
{
    const auto workbench = start();
    LivePage& page = replayed(*workbench);
    emit page.slider().endWanted();
    QVERIFY(!page.isPast());
    QTRY_VERIFY2(titles(page).contains(u"Rank 3: GPU out of memory"_s), qPrintable(titles(page).join(u'\n')));
    QVERIFY(buttonOf(page, u"Report"_s)->isEnabled());
    QVERIFY(!buttonOf(page, u"Cancel…"_s));
}

void ReplayAfterRestartTest::listedAndRemoved()
{
    const auto workbench = start();
    auto* jobs = workbench->window().findChild<JobsPage*>();
    QTRY_VERIFY(buttonOf(*jobs, u"Recordings …"_s)); // listed on another thread
    buttonOf(*jobs, u"Recordings …"_s)->click();
    auto* dialog = workbench->window().findChild<RecordingsDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    const auto* table = dialog->findChild<RecordTable*>();
    QTRY_COMPARE(table->shownRows(), 1);
    QTRY_COMPARE(table->selectedIds().size(), 1);
    const QStringList paths = table->selectedIds();
    QCOMPARE(paths.size(), 1);
    qputenv("XDG_DATA_HOME", m_folder.path().toLocal8Bit()); // the trash
    jobs->selectJob(u"4711"_s);
    QTRY_VERIFY(buttonOf(*jobs, u"Replay"_s));
    emit dialog->removeRequested(paths); // the question was answered
    QVERIFY(!QFile::exists(paths.first()));
    QTRY_COMPARE(table->shownRows(), 0);
    QTRY_VERIFY(!buttonOf(*jobs, u"Replay"_s));
    buttonOf(*dialog, u"Undo"_s)->click();
    QVERIFY(QFile::exists(paths.first()));
    QTRY_COMPARE(table->shownRows(), 1);
    jobs->selectJob(u"4711"_s);
    QTRY_VERIFY(buttonOf(*jobs, u"Replay"_s));
    QVERIFY(!buttonOf(*dialog, u"Undo"_s));
}

/// W11: Tab comes round to the map and to the navigation.
void ReplayAfterRestartTest::tabReachesAllOfTheWindow()
{
    const auto workbench = start();
    LivePage& page = replayed(*workbench);
    QTRY_VERIFY(page.isVisible());
    MainWindow& window = workbench->window();
    page.slider().setFocus();
    QSet<const QWidget*> reached;
    for (int presses = 0; presses < 150; ++presses) {
        QTest::keyClick(window.focusWidget() ? window.focusWidget() : &window, Qt::Key_Tab);
        reached.insert(window.focusWidget());
    }
    QStringList names;
    for (const QWidget* one : reached)
        names.append(
            one ? QString::fromLatin1(one->metaObject()->className()) + u' ' + one->accessibleName() : u"none"_s);
    QVERIFY2(reached.contains(&page.heatMap()), qPrintable(names.join(u'\n')));
    static const QRegularExpression navigation(u"(?:Design|Plan|Jobs|Live|Clusters) page"_s); // one stop, then arrows
    QVERIFY2(names.join(u'\n').contains(navigation), qPrintable(names.join(u'\n')));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReplayAfterRestartTest)
#include "tst_replayafterrestart.moc"

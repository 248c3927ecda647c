// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobrecorder.h"
#include "app/session/clustersession.h"
#include "app/store/recordings.h"
#include "app/watch/jobwatch.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "app/workbench/workbench.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/recordedjob.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
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
    alert.rule = AlertKind::OutputFailure;
    alert.level = Alert::Level::Failure;
    alert.title = u"Rank 3: GPU out of memory"_s;
    alert.seen = found.evidence;
    alert.sinceMs = recordedStart + failsAfter * 1000LL;
    alert.rank = found.rank;
    return alert;
}

/// Eight ranks as planned but for those that report otherwise; the training has begun.
RankBinding reportedBinding(const QStringList& others)
{
    RankBinding binding;
    for (const QString& line :
        QStringList{u"rankwright: rank 0 of 8 on node nid005001: cores 49-55 as planned, device 0"_s} + others) {
        const auto report = readRankReport(line);
        if (!report)
            qFatal("not a rank's line: %s", qPrintable(line));
        binding.addReport(*report);
    }
    binding.begin();
    return binding;
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
    void showsWhereTheRanksWereThen();
    void refreshLeavesTheReplayWhereItIs();
    void rejoinedAfterItsEnd();

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
    QSignalSpy began(&recorder, &JobRecorder::diaryCommitted);
    recorder.add(reportedBinding({}), recordedStart + 60'000LL);
    recorder.commit();
    QVERIFY(began.wait(test::longWaitMs));
    emit watch.output().bindingChanged(
        reportedBinding({u"rankwright: rank 3 of 8 on node nid005001: cores 0-63 instead of 1-7, device 3"_s}));
    emit watch.output().diagnosesChanged({outOfMemory()});
    emit watch.alerts().changed({reported(outOfMemory())});
    QSignalSpy committed(&recorder, &JobRecorder::diaryCommitted);
    emit watch.jobEnded(recordAt(JobState::Failed));
    QVERIFY(committed.wait(test::longWaitMs));
}

std::unique_ptr<Workbench> ReplayAfterRestartTest::start()
{
    auto made = Workbench::make({m_folder.path(), {}, Theme::Mode::Light, {}, false});
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
    (void)test::comes( // recordings are listed on another thread
        [&] {
            jobs->selectJob(u"4711"_s);
            replay = buttonOf(*jobs, u"Replay"_s);
            return replay != nullptr;
        });
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
    emit page.slider().momentPicked(recordedStart + 300'000);
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

/// The header said where the ranks are bound only while the job was watched.
void ReplayAfterRestartTest::showsWhereTheRanksWereThen()
{
    const auto workbench = start();
    LivePage& page = replayed(*workbench);
    emit page.slider().momentPicked(recordedStart + 30'000);
    QVERIFY(page.isPast());
    QVERIFY2(!shownText(page).contains(u"bound"_s), qPrintable(shownText(page))); // nobody had reported yet
    emit page.slider().momentPicked(recordedStart + 300'000);
    QVERIFY2(shownText(page).contains(u"8 of 8 ranks bound as planned"_s), qPrintable(shownText(page)));
    emit page.slider().endWanted();
    QVERIFY(!page.isPast());
    QVERIFY2(shownText(page).contains(u"1 of 8 ranks not as planned"_s), qPrintable(shownText(page)));
}

/// F5 asks the clusters again; a replayed recording stays at its moment and shows nothing of the present.
void ReplayAfterRestartTest::refreshLeavesTheReplayWhereItIs()
{
    const auto workbench = start();
    MainWindow& window = workbench->window();
    auto link = std::make_unique<FakeShell>();
    FakeShell* shell = link.get();
    shell->expect(u"sinfo"_s, {}, true);
    JobRecord other = recordAt(JobState::Running); // the cluster gave the id again, to a present job
    other.comment = u"rw-00000000000000aa"_s;
    other.name = u"of-now"_s;
    shell->expect(u"squeue"_s, {squeueRecord(other), {}}, true);
    shell->setState(LinkState::Offline);
    workbench->connections().begin(std::make_unique<ClusterSession>(
        *workbench->design().catalogue().find(u"lumi"_s), std::move(link), workbench->jobLog()));
    LivePage& page = replayed(*workbench);
    QApplication::setActiveWindow(&window);
    shell->setState(LinkState::Online);
    const qint64 moment = recordedStart + 300'000;
    emit page.slider().momentPicked(moment);
    const auto isWhereItWas = [&] {
        const ReplayController& replay = workbench->live().replay();
        return page.isPast() && page.jobId() == u"4711"_s && replay.moment() == moment
            && replay.mode() == ReplayClock::Mode::Held && shownText(page).contains(u"gpt-imdb"_s)
            && !shownText(page).contains(u"of-now"_s);
    };
    QVERIFY2(isWhereItWas(), qPrintable(shownText(page)));
    page.slider().setFocus();
    for (QWidget* where :
        {static_cast<QWidget*>(&page.slider()), static_cast<QWidget*>(&page.heatMap()), static_cast<QWidget*>(&page)}) {
        QTest::keyClick(where, Qt::Key_F5);
        test::quietFor(50);
        QCOMPARE(window.page(), MainWindow::Page::Live);
        QVERIFY2(isWhereItWas(), qPrintable(shownText(page)));
    }
    // On the page where F5 does something, and back.
    window.showPage(MainWindow::Page::Jobs);
    QApplication::processEvents();
    const auto asked = [shell] { return shell->lines().filter(u"squeue"_s).size(); };
    const qsizetype before = asked();
    QTest::keyClick(window.findChild<JobsPage*>(), Qt::Key_F5);
    QTRY_VERIFY(asked() > before);
    test::quietFor(300); // what was answered is shown
    window.showPage(MainWindow::Page::Live);
    QApplication::processEvents();
    QVERIFY2(isWhereItWas(), qPrintable(shownText(page)));
    // One that plays goes on playing.
    emit page.slider().playToggled();
    QCOMPARE(workbench->live().replay().mode(), ReplayClock::Mode::Playing);
    QTest::keyClick(&page.slider(), Qt::Key_F5);
    QTRY_VERIFY(workbench->live().replay().moment() > moment);
    QCOMPARE(workbench->live().replay().mode(), ReplayClock::Mode::Playing);
    QVERIFY(page.isPast());
}

/// Watched again after its end: map, panel and alerts show the last values, and a failure is not "since" the moment at
/// which its line was read again.
void ReplayAfterRestartTest::rejoinedAfterItsEnd()
{
    const auto workbench = start();
    auto link = std::make_unique<FakeShell>();
    FakeShell* shell = link.get();
    shell->expect(u"sinfo"_s, {}, true);
    shell->expect(u"show job 4711"_s, {jobPage(recordAt(JobState::Failed)), {}}, true);
    shell->expect(u"sacct"_s, {}, true);
    shell->expect(u"squeue"_s, {}, true);
    shell->setState(LinkState::Offline);
    workbench->connections().begin(std::make_unique<ClusterSession>(
        *workbench->design().catalogue().find(u"lumi"_s), std::move(link), workbench->jobLog()));
    shell->setState(LinkState::Online);
    ClusterSession* session = workbench->connections().session(u"lumi"_s);
    QVERIFY(session);
    workbench->live().follow(*session, u"4711"_s);
    LivePage& page = *workbench->window().findChild<LivePage*>();
    QTRY_VERIFY(hasEnded(page.job().state));
    QTRY_VERIFY(page.slider().overview().span.length() > 0);
    const TelemetrySeries& series = page.heatMap().grid().series();
    QTRY_VERIFY2(series.latest({0, 0}), "the map is empty beside a full panel");
    QVERIFY(page.heatMap().isEnded());
    QCOMPARE(series.latestArrival({0, 0}), recordedStart + (seconds - 1) * 1000LL); // when it happened
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReplayAfterRestartTest)
#include "tst_replayafterrestart.moc"

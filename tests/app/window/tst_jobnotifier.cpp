// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/session/clustersession.h"
#include "app/store/joblog.h"
#include "app/window/clusteraccess.h"
#include "app/window/links/connections.h"
#include "app/window/links/unseenpause.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/pages/reportcontroller.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/app/support/windowbench.h"
#include "widgets/base/toasts.h"
#include "widgets/window/desktopnotes.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const QString noteToken = u"rw-0000000000000011"_s;

/// A desktop as a test wants it.
class PlayedNotes final : public DesktopNotes {
public:
    struct Note {
        QString title;
        QString text;
        QString id;
    };
    /// Outlives the object, which belongs to the window.
    struct Seen {
        QString whyNot;
        bool shown = false;
        QStringList jobs;
        QList<Note> notes;
        QPointer<DesktopNotes> object;
    };
    explicit PlayedNotes(Seen& seen) : m_seen(seen) { m_seen.object = this; }
    QString whyNot() const override { return m_seen.whyNot; }
    void setShown(bool shown) override { m_seen.shown = shown; }
    void setJobs(const QStringList& lines) override { m_seen.jobs = lines; }
    void tell(const QString& title, const QString& text, const QString& id) override
    {
        m_seen.notes.append({title, text, id});
    }

private:
    Seen& m_seen;
};

JobRecord noteRecord(JobState state, const QString& comment = noteToken)
{
    JobRecord made;
    made.id = u"11"_s;
    made.name = u"llama"_s;
    made.state = state;
    made.comment = comment;
    made.partition = u"standard-g"_s;
    made.nodes = 2;
    return made;
}

} // namespace

/// News of jobs on the desktop, in the whole window with a played desktop.
class JobNotifierTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void offAtFirst();
    void startAndEndAreToldOnce();
    void othersJobsAreNot();
    void withoutATrayItStaysOff();
    void theChoiceIsKept();
    void aClickLeadsToTheJob();
    void theShownJobIsNotTold();
    void theTrayHasItsWays();
    void queuesGoWithTheirConnection();
    void anEndIsToldThoughAnotherJobIsWatched();
    void theMessageNamesTheCauseOnceItIsKnown();
    void soDoesThatOfAJobThatNobodyWatched();
    void queuesRestWhereNoTrayShowsThem();

private:
    void start();
    void answer(JobState state, const QString& comment = noteToken);
    void connectTo(JobState state, const QString& comment = noteToken);
    ClusterSession& session() const { return *m_bench->workbench->connections().session(u"lumi"_s); }
    QAction* action() const { return m_bench->action(u"Desktop notifications"_s); }
    /// The queue is asked for once more, and answered.
    bool askAgain();

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedNotes::Seen m_seen;
    std::unique_ptr<WindowBench> m_bench;
    FakeShell* m_shell = nullptr;
};

void JobNotifierTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_seen = {};
    const auto database = openStore(m_folder->path());
    JobLog log(*database);
    const auto entry = log.record({noteToken, u"lumi"_s, u"llama"_s, {}, "#!/bin/bash\n", u"/scratch/x"_s});
    QVERIFY_RESULT(entry);
    QVERIFY_RESULT(log.markKnown(entry->id, u"11"_s));
}

void JobNotifierTest::start()
{
    m_bench = std::make_unique<WindowBench>(m_folder->path());
    m_bench->notes = [this] { return std::make_unique<PlayedNotes>(m_seen); };
    QVERIFY(m_bench->start());
}

/// From now on the cluster answers so.
void JobNotifierTest::answer(JobState state, const QString& comment)
{
    const JobRecord now = noteRecord(state, comment);
    for (const QString& question : {u"scontrol"_s, u"squeue"_s, u"sacct"_s})
        m_shell->forget(question);
    m_shell->expect(u"scontrol"_s, {jobPage(now), {}}, true);
    m_shell->expect(u"squeue"_s, {squeueRecord(now), {}}, true);
    m_shell->expect(u"sacct"_s, {}, true);
}

void JobNotifierTest::connectTo(JobState state, const QString& comment)
{
    auto link = std::make_unique<FakeShell>();
    m_shell = link.get();
    m_shell->expect(u"sinfo"_s, {}, true);
    answer(state, comment);
    m_shell->setState(LinkState::Offline);
    m_bench->workbench->connections().begin(std::make_unique<ClusterSession>(
        *m_bench->design().catalogue().find(u"lumi"_s), std::move(link), m_bench->workbench->jobLog()));
    m_shell->setState(LinkState::Online);
    QTRY_VERIFY(session().queueTime().isValid());
}

bool JobNotifierTest::askAgain()
{
    const QDateTime before = session().queueTime();
    session().refresh();
    return test::comes([&] { return session().queueTime() > before; });
}

void JobNotifierTest::offAtFirst()
{
    start();
    QVERIFY(action() != nullptr);
    QVERIFY(!action()->isChecked());
    QVERIFY(!m_seen.shown);
    connectTo(JobState::Pending);
    answer(JobState::Running);
    QVERIFY(askAgain());
    QCOMPARE(m_seen.notes.size(), 0);
    // What went by while it was off is not told later.
    action()->trigger();
    QVERIFY(m_seen.shown);
    QVERIFY(askAgain());
    QCOMPARE(m_seen.notes.size(), 0);
}

void JobNotifierTest::startAndEndAreToldOnce()
{
    start();
    action()->trigger();
    connectTo(JobState::Pending);
    QCOMPARE(m_seen.jobs, QStringList{u"11 llama on LUMI: pending"_s});
    answer(JobState::Running);
    QVERIFY(askAgain());
    QCOMPARE(m_seen.notes.size(), 1);
    QCOMPARE(m_seen.notes.first().title, u"Job 11 (llama) on LUMI has started"_s);
    QCOMPARE(m_seen.notes.first().text, u"It runs on 2 nodes."_s);
    QCOMPARE(m_seen.notes.first().id, u"lumi/11"_s);
    QVERIFY(askAgain());
    QCOMPARE(m_seen.notes.size(), 1);
    answer(JobState::Completed);
    QVERIFY(askAgain()); // squeue has it for some minutes
    QTRY_COMPARE(m_seen.notes.size(), 2);
    QCOMPARE(m_seen.notes.last().title, u"Job 11 (llama) on LUMI has ended"_s);
    QVERIFY(!m_seen.notes.last().text.isEmpty());
    QCOMPARE(m_seen.jobs, QStringList());
}

void JobNotifierTest::othersJobsAreNot()
{
    start();
    action()->trigger();
    connectTo(JobState::Pending, QString());
    answer(JobState::Running, QString());
    QVERIFY(askAgain());
    QCOMPARE(m_seen.notes.size(), 0); // launched elsewhere, and not watched
    QCOMPARE(m_seen.jobs, QStringList{u"11 llama on LUMI: running"_s});
}

void JobNotifierTest::withoutATrayItStaysOff()
{
    m_seen.whyNot = u"This desktop has no tray, so notifications stay off."_s;
    start();
    action()->trigger();
    QVERIFY(!action()->isChecked());
    QVERIFY(!m_seen.shown);
    QCOMPARE(m_bench->window().findChild<Toasts*>()->textOf(Notice::Notifications), m_seen.whyNot);
    QVERIFY(!Settings(m_bench->dataFolder).notificationsWanted());
}

void JobNotifierTest::theChoiceIsKept()
{
    start();
    action()->trigger();
    m_bench.reset();
    m_seen = {};
    start();
    QVERIFY(action()->isChecked());
    QVERIFY(m_seen.shown);
    action()->trigger();
    QVERIFY(!m_seen.shown);
    m_bench.reset();
    start();
    QVERIFY(!action()->isChecked());
}

void JobNotifierTest::aClickLeadsToTheJob()
{
    start();
    action()->trigger();
    connectTo(JobState::Pending);
    answer(JobState::Running);
    QVERIFY(askAgain());
    QCOMPARE(m_seen.notes.size(), 1);
    emit m_seen.object->clicked(m_seen.notes.first().id);
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Live);
    QCOMPARE(m_bench->workbench->live().watch()->job(), u"11"_s);
    m_bench->window().showPage(MainWindow::Page::Design);
    emit m_seen.object->clicked(m_seen.notes.first().id); // watched already
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Live);
}

void JobNotifierTest::theShownJobIsNotTold()
{
    start();
    action()->trigger();
    connectTo(JobState::Pending);
    emit m_seen.object->clicked(u"lumi/11"_s);
    QVERIFY(m_bench->window().isActiveWindow());
    answer(JobState::Running);
    QVERIFY(askAgain());
    QTRY_VERIFY(m_bench->workbench->live().watch()->record().state == JobState::Running);
    QCOMPARE(m_seen.notes.size(), 0);
}

void JobNotifierTest::theTrayHasItsWays()
{
    start();
    m_bench->window().showMinimized();
    emit m_seen.object->windowWanted();
    QVERIFY(!m_bench->window().isMinimized());
    emit m_seen.object->jobsWanted();
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Jobs);
    emit m_seen.object->quitWanted();
    QVERIFY(!m_bench->window().isVisible());
}

/// Before the output of the one that ended was read to its end.
void JobNotifierTest::anEndIsToldThoughAnotherJobIsWatched()
{
    start();
    action()->trigger();
    connectTo(JobState::Running);
    emit m_seen.object->clicked(u"lumi/11"_s);
    QTRY_VERIFY(m_bench->workbench->live().watch()->record().state == JobState::Running);
    m_bench->window().showPage(MainWindow::Page::Design);
    answer(JobState::Completed);
    QVERIFY(askAgain());
    QTRY_VERIFY(hasEnded(m_bench->workbench->live().watch()->record().state));
    emit m_seen.object->clicked(u"lumi/12"_s);
    QCOMPARE(m_bench->workbench->live().watch()->job(), u"12"_s);
    QTRY_VERIFY(!m_seen.notes.isEmpty());
    QCOMPARE(m_seen.notes.last().title, u"Job 11 (llama) on LUMI has ended"_s);
}

/// Its output is read to the end after Slurm said that it failed.
void JobNotifierTest::theMessageNamesTheCauseOnceItIsKnown()
{
    start();
    connectTo(JobState::Running);
    m_bench->workbench->live().follow(session(), u"11"_s);
    QTRY_VERIFY(m_bench->workbench->live().watch()->record().state == JobState::Running);
    JobOutput& output = m_bench->workbench->live().watch()->output();
    answer(JobState::Failed);
    QVERIFY(askAgain());
    const auto message = [this] { return m_bench->window().findChild<Toasts*>()->textOf({Notice::JobEnd, u"11"_s}); };
    QTRY_VERIFY(!message().isEmpty());
    QVERIFY2(!message().contains(u"out of memory"_s), qPrintable(message()));
    Diagnosis cause;
    cause.kind = u"oom_gpu"_s;
    cause.confirmed = false; // it only may be one
    emit output.diagnosesChanged({cause});
    QVERIFY2(!message().contains(u"out of memory"_s), qPrintable(message()));
    cause.confirmed = true;
    emit output.diagnosesChanged({cause});
    QVERIFY2(
        message().startsWith(u"Job 11 (llama): "_s) && message().contains(u"out of memory"_s), qPrintable(message()));
}

/// Its output is read for its report.
void JobNotifierTest::soDoesThatOfAJobThatNobodyWatched()
{
    start();
    connectTo(JobState::Running);
    answer(JobState::Failed);
    QVERIFY(askAgain());
    const auto message = [this] { return m_bench->window().findChild<Toasts*>()->textOf({Notice::JobEnd, u"11"_s}); };
    QTRY_VERIFY(!message().isEmpty());
    QVERIFY2(!message().contains(u"out of memory"_s), qPrintable(message()));
    Diagnosis cause;
    cause.kind = u"oom_gpu"_s;
    ReportController& reports = m_bench->workbench->reports();
    emit reports.causesFound(u"12"_s, u"lumi"_s, {cause}); // another one
    QVERIFY2(!message().contains(u"out of memory"_s), qPrintable(message()));
    emit reports.causesFound(u"11"_s, u"lumi"_s, {cause});
    QVERIFY2(
        message().startsWith(u"Job 11 (llama): "_s) && message().contains(u"out of memory"_s), qPrintable(message()));
}

/// Wanted, but of no use on this desktop: the queue was asked for every five minutes for nobody.
void JobNotifierTest::queuesRestWhereNoTrayShowsThem()
{
    using Sight = QueuePoller::Sight;
    Settings(m_folder->path()).setNotificationsWanted(true);
    m_seen.whyNot = u"There is no tray."_s;
    start();
    const UnseenPause& pause = m_bench->workbench->access().unseen();
    m_bench->window().hide();
    QTRY_COMPARE(pause.sight(), Sight::Unseen);
    m_bench->window().show();
    QTRY_COMPARE(pause.sight(), Sight::Window);
    m_seen.whyNot.clear();
    m_bench->window().hide();
    QTRY_COMPARE(pause.sight(), Sight::Tray);
}

void JobNotifierTest::queuesGoWithTheirConnection()
{
    start();
    connectTo(JobState::Running);
    QTRY_COMPARE(m_seen.jobs.size(), 1);
    m_bench->workbench->connections().disconnectFrom(u"lumi"_s);
    QVERIFY(m_seen.jobs.isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(JobNotifierTest)
#include "tst_jobnotifier.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/datafolder.h"
#include "app/base/settings.h"
#include "app/documents/documents.h"
#include "app/session/clustersession.h"
#include "app/store/database.h"
#include "app/window/documentactions.h"
#include "app/window/guidecontroller.h"
#include "app/window/launchcontroller.h"
#include "app/window/links/connections.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/guide/guidepage.h"
#include "widgets/window/mainwindow.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// The window's parts that a guided job needs, as the composition root has them.
struct GuideBench {
    explicit GuideBench(const QString& folder)
        : dataFolder(*prepareDataFolder(folder)), settings(dataFolder), design(catalogue),
          documents(design, settings, dataFolder)
    { }

    bool start()
    {
        auto opened = Database::open(dataFolder);
        if (!opened)
            return false;
        database = std::move(*opened);
        log = std::make_unique<JobLog>(*database);
        MainWindow::Pages pages;
        pages.design = new DesignPage(design);
        window = std::make_unique<MainWindow>(design, theme, pages);
        page = std::make_unique<GuidePage>();
        connections = std::make_unique<Connections>(catalogue, *log, settings, window.get());
        actions = std::make_unique<DocumentActions>(*window, design, documents, JobSpec());
        launch = std::make_unique<LaunchController>(design, *pages.design, documents, *connections, *log, *window);
        guide = std::make_unique<GuideController>(
            GuideController::Parts{design, documents, *actions, *connections, *launch, *log, *page}, dataFolder);
        guide->setShelf({[this] { return settings.guidePlace(); },
            [this](const QByteArray& place) { settings.setGuidePlace(place); }});
        page->resize(1200, 740);
        QObject::connect(guide.get(), &GuideController::pageWanted, page.get(), &QWidget::show);
        return true;
    }
    ~GuideBench()
    {
        connections->closeAll();
        guide.reset();
    }
    /// A cluster of expectations in place of the real one.
    FakeShell* connectTo(const QString& cluster)
    {
        auto link = std::make_unique<FakeShell>();
        FakeShell* shell = link.get();
        shell->expect(u"@rw-there"_s, {"@rw-there\n", {}}, true);
        shell->expect(u"--test-only"_s, rehearsedWell(), true);
        shell->expect(u"--parsable"_s, {"77\n", {}}, true);
        shell->setState(LinkState::Offline);
        connections->begin(std::make_unique<ClusterSession>(*catalogue.find(cluster), std::move(link), *log));
        shell->setState(LinkState::Online);
        return shell;
    }
    void next() const { page->nextButton()->click(); }

    QString dataFolder;
    Catalogue catalogue = loadCatalogue();
    Theme theme;
    Settings settings;
    Design design;
    Documents documents;
    std::unique_ptr<Database> database;
    std::unique_ptr<JobLog> log;
    std::unique_ptr<MainWindow> window;
    std::unique_ptr<GuidePage> page;
    std::unique_ptr<Connections> connections;
    std::unique_ptr<DocumentActions> actions;
    std::unique_ptr<LaunchController> launch;
    std::unique_ptr<GuideController> guide;
};

int sent(const FakeShell& shell) { return int(shell.lines().filter(u"--parsable"_s).size()); }

JobSpec lumiDesign(const Catalogue& catalogue)
{
    JobSpec spec = guidedDesign(u"lumi"_s, catalogue);
    spec.account = u"project_465000001"_s;
    spec.command = u"train.py"_s;
    spec.workdir = u"/scratch/x"_s;
    spec.monitor.sampler = false;
    return spec;
}

} // namespace

/// The guided first job at a cluster that a test plays.
class GuideControllerTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void beginsWithADesignOfItsOwn();
    void unsavedWorkIsAskedAbout();
    void leavingAndComingBackKeepsTheStep();
    void anotherDocumentEndsIt();
    void anAnswerIsOneUndoStep();
    void aClusterThatDoesNotComeIsNoDeadEnd();
    void findingsStopTheLaunch();
    void launchesOnce();
    void followsTheJobToItsEnd();
    void aJobOfAnotherIsNotFollowed();
    void isTheJobOfTheDesignThatWasLaunched();
    void goingBackAfterALaunchSendsNothing();
    void settledFieldsStay();
    void wrongWordsChangeNothing();
    void goesOnAfterAnotherStart();
    void goesOnAfterACrashWithoutAsking();
    void anotherDesignIsNotKeptAsItsOwn();
    void whatIsDismissedIsGone();
    void aRunningJobIsAskedAfter();
    void aJobThatEndedMeanwhileIsShown();
    void anEndThatNobodySawIsKept();
    void aClassKeepsItsOwn();
    void aLaunchEndsWhatWasSetAside();

private:
    /// The program ends, or is killed, and is started again.
    void restart()
    {
        test::quietFor(20);
        m_bench.reset();
        m_bench = std::make_unique<GuideBench>(m_folder->path());
        QVERIFY(m_bench->start());
    }
    /// A job 77 that waits on LUMI.
    void launched()
    {
        m_bench->connectTo(u"lumi"_s);
        m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
        toLaunch();
        m_bench->next();
        QTRY_COMPARE(m_bench->guide->step(), GuideStep::Watch);
    }
    void toLaunch()
    {
        while (m_bench->guide->step() != GuideStep::Launch)
            m_bench->next();
    }

    /// As a class that sets these fields of the present design.
    void settle(const GuideLocks& locks)
    {
        m_bench->guide->setSettled([locks] { return GuideSettled{u"class"_s, locks, {}, {}}; });
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<GuideBench> m_bench;
};

void GuideControllerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    qputenv("RANKWRIGHT_PRACTICE_DIR", "/dev/null/practice"); // no practice cluster can be made there
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<GuideBench>(m_folder->path());
    QVERIFY(m_bench->start());
}

void GuideControllerTest::beginsWithADesignOfItsOwn()
{
    QSignalSpy wanted(m_bench->guide.get(), &GuideController::pageWanted);
    m_bench->design.markSaved();
    m_bench->guide->begin();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(m_bench->guide->step(), GuideStep::Where);
    QCOMPARE(m_bench->design.spec().cluster, u"practice"_s);
    QVERIFY(m_bench->documents.path().isEmpty());
    QVERIFY(m_bench->page->nextButton()->isEnabled());
}

void GuideControllerTest::unsavedWorkIsAskedAbout()
{
    m_bench->design.edit(u"name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    const JobSpec mine = m_bench->design.spec();
    QString question;
    answerNext(u"Cancel"_s, &question);
    m_bench->guide->begin();
    QTRY_VERIFY(!question.isEmpty());
    QCOMPARE(m_bench->design.spec(), mine);
    question.clear();
    answerNext(u"Discard changes"_s, &question);
    m_bench->guide->begin();
    QTRY_COMPARE(m_bench->design.spec().name, u"my-first-job"_s);
    QVERIFY(m_bench->page->isVisible());
}

void GuideControllerTest::leavingAndComingBackKeepsTheStep()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    m_bench->next();
    QCOMPARE(m_bench->guide->step(), GuideStep::HowMany);
    m_bench->page->hide();
    m_bench->design.edit(u"elsewhere"_s, [](JobSpec& spec) { spec.resources.nodes = 3; });
    m_bench->guide->begin();
    QVERIFY(m_bench->page->isVisible());
    QCOMPARE(m_bench->guide->step(), GuideStep::HowMany);
    QCOMPARE(m_bench->page->step(), GuideStep::HowMany);
    QCOMPARE(m_bench->design.spec().resources.nodes, 3);
}

void GuideControllerTest::anotherDocumentEndsIt()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    m_bench->documents.begin(JobSpec());
    m_bench->guide->begin();
    QCOMPARE(m_bench->guide->step(), GuideStep::Where);
    QCOMPARE(m_bench->design.spec().name, u"my-first-job"_s);
}

void GuideControllerTest::anAnswerIsOneUndoStep()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    const JobSpec before = m_bench->design.spec();
    emit m_bench->page->answerChosen(GuideStep::What, u"llama-3-8b"_s);
    QCOMPARE(m_bench->design.spec().model.value(u"preset"_s).toString(), u"llama-3-8b"_s);
    QVERIFY(m_bench->design.undo());
    QCOMPARE(m_bench->design.spec(), before);
    emit m_bench->page->answerChosen(GuideStep::What, u"no such answer"_s);
    QCOMPARE(m_bench->design.spec(), before);
}

void GuideControllerTest::aClusterThatDoesNotComeIsNoDeadEnd()
{
    m_bench->design.markSaved();
    m_bench->guide->begin();
    m_bench->next();
    QTRY_VERIFY(m_bench->page->nextButton()->text().contains(u"without"_s));
    QCOMPARE(m_bench->guide->step(), GuideStep::Where);
    m_bench->next();
    QCOMPARE(m_bench->guide->step(), GuideStep::What);
    toLaunch();
    QVERIFY(!m_bench->page->nextButton()->isEnabled());
    QVERIFY(shownButton(*m_bench->page, u"Connect"_s));
}

void GuideControllerTest::findingsStopTheLaunch()
{
    FakeShell* shell = m_bench->connectTo(u"lumi"_s);
    JobSpec spec = lumiDesign(m_bench->catalogue);
    spec.account.reset();
    m_bench->guide->beginWith(spec);
    toLaunch();
    QVERIFY(!m_bench->page->nextButton()->isEnabled());
    emit m_bench->page->nextRequested(); // as a key that came too late
    test::quietFor(50);
    QCOMPARE(sent(*shell), 0);
    auto* account = m_bench->page->findChild<QLineEdit*>(u"guide.account"_s);
    QVERIFY(account && account->isVisible());
    account->setFocus();
    QTest::keyClicks(account, u"project_465000001"_s);
    QTest::keyClick(account, Qt::Key_Return);
    QCOMPARE(m_bench->design.spec().account, u"project_465000001"_s);
    QVERIFY(m_bench->page->nextButton()->isEnabled());
}

void GuideControllerTest::launchesOnce()
{
    FakeShell* shell = m_bench->connectTo(u"lumi"_s);
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    toLaunch();
    QVERIFY(m_bench->page->nextButton()->isEnabled());
    m_bench->next();
    emit m_bench->page->nextRequested();
    emit m_bench->page->nextRequested();
    QTRY_COMPARE(m_bench->guide->step(), GuideStep::Watch);
    QCOMPARE(m_bench->guide->job(), u"77"_s);
    QCOMPARE(sent(*shell), 1);
    QVERIFY(shownText(*m_bench->page).contains(u"job 77"_s));
}

void GuideControllerTest::followsTheJobToItsEnd()
{
    m_bench->connectTo(u"lumi"_s);
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    toLaunch();
    m_bench->next();
    QTRY_COMPARE(m_bench->guide->step(), GuideStep::Watch);
    ClusterSession* session = m_bench->connections->session(u"lumi"_s);
    JobRecord record;
    record.id = u"77"_s;
    record.state = JobState::Running;
    record.started = QDateTime::currentDateTime().addSecs(-5);
    record.gpus = 8;
    emit session->queueChanged({record});
    QCOMPARE(m_bench->guide->record().state, JobState::Running);
    QVERIFY(shownText(*m_bench->page).contains(u"running for"_s));
    record.state = JobState::Completed;
    record.elapsed = Seconds{60};
    emit session->ourJobEnded(record, u"entry"_s);
    record.state = JobState::Running; // an answer that was under way
    emit session->queueChanged({record});
    QCOMPARE(m_bench->guide->record().state, JobState::Completed);
    // Nobody knows what it used: said so, in three sentences.
    QTRY_VERIFY(shownText(*m_bench->page).contains(u"not known"_s));
    QVERIFY(shownText(*m_bench->page).contains(u"Next:"_s));
}

void GuideControllerTest::aJobOfAnotherIsNotFollowed()
{
    m_bench->connectTo(u"lumi"_s);
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    toLaunch();
    // Launched from the Design page: the guide stays where it is.
    m_bench->launch->launch();
    QSignalSpy submitted(m_bench->launch.get(), &LaunchController::jobSubmitted);
    QTRY_COMPARE(submitted.count(), 1);
    QCOMPARE(submitted.first().value(1).toString(), u"lumi"_s); // whatever the design is by now
    QCOMPARE(m_bench->guide->step(), GuideStep::Launch);
    QVERIFY(m_bench->guide->job().isEmpty());
}

/// The answer takes its time, and the design goes on.
void GuideControllerTest::isTheJobOfTheDesignThatWasLaunched()
{
    FakeShell* shell = m_bench->connectTo(u"lumi"_s);
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    toLaunch();
    const JobSpec launched = m_bench->design.spec();
    m_bench->next();
    m_bench->design.edit(u"elsewhere"_s, [](JobSpec& spec) {
        spec.cluster = u"leonardo"_s;
        spec.resources.nodes = 3;
    });
    QTRY_COMPARE(m_bench->guide->job(), u"77"_s);
    QCOMPARE(sent(*shell), 1);
    QSignalSpy wanted(m_bench->guide.get(), &GuideController::reportWanted);
    emit m_bench->page->reportRequested();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.first(), (QVariantList{u"77"_s, u"lumi"_s}));
    const auto left = m_bench->guide->left();
    QVERIFY(left);
    QCOMPARE(left->cluster, u"lumi"_s);
    QVERIFY(left->launched == launched);
}

void GuideControllerTest::goingBackAfterALaunchSendsNothing()
{
    FakeShell* shell = m_bench->connectTo(u"lumi"_s);
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    toLaunch();
    m_bench->next();
    QTRY_COMPARE(m_bench->guide->step(), GuideStep::Watch);
    emit m_bench->page->backRequested();
    QCOMPARE(m_bench->guide->step(), GuideStep::Launch);
    m_bench->next();
    QCOMPARE(m_bench->guide->step(), GuideStep::Watch);
    test::quietFor(50);
    QCOMPARE(sent(*shell), 1);
}

void GuideControllerTest::settledFieldsStay()
{
    const QString why = u"The class works on LUMI."_s;
    m_bench->documents.begin(lumiDesign(m_bench->catalogue));
    settle({{QString(field::cluster), why}});
    m_bench->guide->begin();
    const JobSpec before = m_bench->design.spec();
    emit m_bench->page->answerChosen(GuideStep::Where, u"practice"_s);
    emit m_bench->page->entered(QString(field::cluster), u"Leonardo"_s);
    QCOMPARE(m_bench->design.spec(), before);
    QVERIFY(shownText(*m_bench->page).contains(why));
    m_bench->next();
    QCOMPARE(m_bench->guide->step(), GuideStep::What);
}

void GuideControllerTest::wrongWordsChangeNothing()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    const JobSpec before = m_bench->design.spec();
    emit m_bench->page->entered(QString(field::model), u"no such model"_s);
    QCOMPARE(m_bench->design.spec(), before);
    QVERIFY(shownText(*m_bench->page).contains(u"no such model"_s));
    emit m_bench->page->entered(QString(field::model), u"7B"_s);
    QVERIFY(m_bench->design.spec() != before);
    QVERIFY(!shownText(*m_bench->page).contains(u"no such model"_s));
}

void GuideControllerTest::goesOnAfterAnotherStart()
{
    QVERIFY(!m_bench->guide->kept());
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    test::quietFor(20);
    QVERIFY(!m_bench->guide->kept()); // nothing was answered yet
    while (m_bench->guide->step() != GuideStep::Fits)
        m_bench->next();
    m_bench->design.edit(u"elsewhere"_s, [](JobSpec& spec) { spec.resources.nodes = 3; });
    emit m_bench->page->backRequested();
    const JobSpec answers = m_bench->design.spec();
    restart();
    const auto kept = m_bench->guide->kept();
    QVERIFY(kept);
    QCOMPARE(kept->step, GuideStep::HowMany);
    m_bench->design.markSaved();
    m_bench->guide->resume();
    QVERIFY(m_bench->page->isVisible());
    QCOMPARE(m_bench->guide->step(), GuideStep::HowMany);
    QVERIFY(m_bench->design.spec() == answers);
    QVERIFY(m_bench->documents.path().isEmpty());
    // What was reached before can be reached at once.
    emit m_bench->page->stepRequested(GuideStep::Fits);
    QCOMPARE(m_bench->guide->step(), GuideStep::Fits);
}

void GuideControllerTest::goesOnAfterACrashWithoutAsking()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    m_bench->design.edit(u"elsewhere"_s, [](JobSpec& spec) { spec.resources.nodes = 3; });
    m_bench->documents.flushAutosave();
    restart();
    QVERIFY_RESULT(m_bench->documents.restoreAutosave());
    QVERIFY(m_bench->design.isModified());
    m_bench->guide->resume();
    QVERIFY(QApplication::activeModalWidget() == nullptr);
    QCOMPARE(m_bench->guide->step(), GuideStep::What);
    QCOMPARE(m_bench->design.spec().resources.nodes, 3);
}

void GuideControllerTest::anotherDesignIsNotKeptAsItsOwn()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    test::quietFor(20);
    const JobSpec answers = m_bench->design.spec();
    JobSpec other;
    other.name = u"mine"_s;
    m_bench->documents.begin(other);
    m_bench->design.edit(u"name"_s, [](JobSpec& spec) { spec.name = u"mine-too"_s; });
    restart();
    const auto kept = m_bench->guide->kept();
    QVERIFY(kept);
    QVERIFY(kept->spec == answers);
}

void GuideControllerTest::whatIsDismissedIsGone()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    restart();
    QVERIFY(m_bench->guide->kept());
    m_bench->guide->dismiss();
    restart();
    QVERIFY(!m_bench->guide->kept());
    // Then it begins again.
    m_bench->design.markSaved();
    m_bench->guide->resume();
    QCOMPARE(m_bench->guide->step(), GuideStep::Where);
}

void GuideControllerTest::aRunningJobIsAskedAfter()
{
    launched();
    JobRecord record;
    record.id = u"77"_s;
    record.state = JobState::Running;
    record.started = QDateTime::currentDateTime().addSecs(-5);
    emit m_bench->connections->session(u"lumi"_s)->queueChanged({record});
    restart();
    m_bench->connectTo(u"lumi"_s);
    m_bench->guide->resume();
    QCOMPARE(m_bench->guide->step(), GuideStep::Watch);
    QCOMPARE(m_bench->guide->job(), u"77"_s);
    // What was so before is not claimed.
    QCOMPARE(m_bench->guide->record().state, JobState::Unknown);
    QVERIFY(!shownText(*m_bench->page).contains(u"running for"_s));
    emit m_bench->connections->session(u"lumi"_s)->queueChanged({record});
    QVERIFY(shownText(*m_bench->page).contains(u"running for"_s));
}

void GuideControllerTest::aJobThatEndedMeanwhileIsShown()
{
    launched();
    restart();
    const auto entries = m_bench->log->withJob(u"lumi"_s, u"77"_s);
    QVERIFY(entries && !entries->isEmpty());
    QVERIFY_RESULT(m_bench->log->noteState(entries->first().id, JobState::Completed));
    m_bench->design.markSaved();
    m_bench->guide->resume();
    QCOMPARE(m_bench->guide->step(), GuideStep::Watch);
    QCOMPARE(m_bench->guide->record().state, JobState::Completed);
    QTRY_VERIFY(shownText(*m_bench->page).contains(u"Next:"_s));
    // Its end was seen: it is not offered again.
    restart();
    QVERIFY(!m_bench->guide->kept());
}

void GuideControllerTest::anEndThatNobodySawIsKept()
{
    launched();
    JobRecord record;
    record.id = u"77"_s;
    record.state = JobState::Completed;
    record.elapsed = Seconds{60};
    m_bench->page->hide();
    emit m_bench->connections->session(u"lumi"_s)->ourJobEnded(record, u"entry"_s);
    restart();
    QVERIFY(m_bench->guide->kept());
    QCOMPARE(m_bench->guide->kept()->record.state, JobState::Completed);
}

void GuideControllerTest::aClassKeepsItsOwn()
{
    m_bench->documents.begin(lumiDesign(m_bench->catalogue));
    settle({{QString(field::cluster), u"the class"_s}});
    m_bench->guide->begin();
    m_bench->next();
    restart();
    QVERIFY(!m_bench->guide->kept());
}

void GuideControllerTest::aLaunchEndsWhatWasSetAside()
{
    m_bench->guide->beginWith(lumiDesign(m_bench->catalogue));
    m_bench->next();
    test::quietFor(20);
    m_bench->design.markSaved();
    m_bench->guide->beginNew();
    QVERIFY(m_bench->guide->earlier());
    launched();
    QVERIFY(!m_bench->guide->earlier());
    restart();
    QVERIFY(m_bench->guide->kept());
    QCOMPARE(m_bench->guide->kept()->job, u"77"_s);
}

RANKWRIGHT_WIDGET_TEST_MAIN(GuideControllerTest)
#include "tst_guidecontroller.moc"

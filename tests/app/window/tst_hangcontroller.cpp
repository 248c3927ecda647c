// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/hangcontroller.h"

#include "app/session/clustersession.h"
#include "app/store/database.h"
#include "app/store/joblog.h"
#include "app/window/links/connections.h"
#include "models/tables/grid/gpugrid.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/heldthreads.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/hangdialog.h"
#include "widgets/live/livepage.h"

#include <QMenu>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

JobRecord looked(JobState state = JobState::Running)
{
    JobRecord job;
    job.id = u"11"_s;
    job.name = u"llama"_s;
    job.state = state;
    job.nodes = 2;
    job.nodeList = {u"nid1"_s, u"nid2"_s};
    return job;
}

QByteArray stands(const QByteArray& node, const QByteArray& rank, const QByteArray& state)
{
    const auto line = [&node](const QByteArray& cells) -> QByteArray {
        return "@rw-hang " + node + " 1795908707712 " + cells + '\n';
    };
    const QByteArray look = ';' + state + ";futex_do_wait;202;;100;200;300;62;9;";
    return line("begin;1;0;") + line("rank;4" + rank + ';' + rank + ";0;2;python3 train.py;")
        + line("look;4" + rank + ";1" + look) + line("look;4" + rank + ";2" + look) + line("end;4000;1;");
}

} // namespace

/// "Where does it hang?" from the Live page, at a cluster that a test plays.
class HangControllerTest final : public Suite {
    Q_OBJECT
private slots:
    void cleanup() { m_bench.reset(); }
    void looksOnAClick();
    void wordsLeadToTheMap();
    void isOfferedToRunningJobsAlone();
    void oneInspectionAtATime();
    void saysThatTheJobEnded();
    void endsWithTheConnection();
    void cancels();
    void alertsOfHangsOfferIt();
    void theMapOffersIt();
    void anotherJobWhileRecordsAreRead();
    void endsWhileRecordsAreRead();

private:
    struct Bench {
        Bench()
            : settings(folder.path()), database(openStore(folder.path())), log(*database), catalogue(loadCatalogue()),
              connections(catalogue, log, settings, &window), page(grid),
              controller(
                  connections, page, [] { return u"lumi"_s; }, window)
        { }
        ~Bench() { connections.closeAll(); }
        void connectNow(const FakeShell::Reply& nodes)
        {
            auto link = std::make_unique<FakeShell>();
            shell = link.get();
            shell->expect(u"show job 11"_s, {jobPage(looked()), {}});
            shell->expect(u"show job 11"_s, {jobPage(looked(after)), {}}, true);
            shell->expect(u"srun"_s, nodes, true);
            shell->expect(u"sinfo"_s, {}, true);
            shell->expect(u"sacct"_s, {}, true);
            shell->expect(u"squeue"_s, {squeueRecord(looked()), {}}, true);
            shell->setState(LinkState::Offline);
            connections.begin(std::make_unique<ClusterSession>(*catalogue.find(u"lumi"_s), std::move(link), log));
            shell->setState(LinkState::Online);
            grid.reset(looked().nodeList.names(), 1, 1, u"GCD"_s);
            page.resize(1100, 760);
            page.showJob(looked());
            page.show();
        }
        bool isLooking() const
        {
            const QList<FakeProcess*>& all = shell->running();
            return std::any_of(all.begin(), all.end(),
                [](const FakeProcess* process) { return process->command().line.contains(u"@rw-hang"_s); });
        }
        int looks() const { return int(shell->lines().filter(u"@rw-hang"_s).size()); }

        QTemporaryDir folder;
        Theme theme;
        Settings settings;
        std::unique_ptr<Database> database;
        JobLog log;
        Catalogue catalogue;
        QWidget window;
        Connections connections;
        GpuGrid grid;
        LivePage page;
        HangController controller;
        FakeShell* shell = nullptr;
        JobState after = JobState::Running;
    };
    void begin(const FakeShell::Reply& nodes, JobState after = JobState::Running)
    {
        m_bench = std::make_unique<Bench>();
        m_bench->after = after;
        m_bench->connectNow(nodes);
    }
    static FakeShell::Reply oneStopped() { return {.output = stands("nid1", "0", "T") + stands("nid2", "1", "S")}; }
    HangDialog& dialog() const { return *m_bench->controller.dialog(); }
    void waitForAnswer()
    {
        QTRY_VERIFY(m_bench->controller.dialog() && !dialog().isInspecting() && !dialog().verdict().sentence.isEmpty());
    }
    std::unique_ptr<Bench> m_bench;
};

void HangControllerTest::looksOnAClick()
{
    begin(oneStopped());
    QPushButton* where = shownButton(m_bench->page, u"Where does it hang?"_s);
    QVERIFY(where && where->isEnabled());
    where->click();
    QVERIFY(dialog().isVisible());
    waitForAnswer();
    QVERIFY2(dialog().verdict().sentence.startsWith(u"Rank 0 (node nid1, GPU 0) is stopped"_s),
        qPrintable(dialog().verdict().sentence));
    QVERIFY(shownText(dialog()).contains(u"llama · 11 on LUMI"_s));
    m_bench->page.beat(); // the page goes on
}

void HangControllerTest::wordsLeadToTheMap()
{
    begin(oneStopped());
    m_bench->controller.open();
    waitForAnswer();
    m_bench->page.heatMap().setCurrent(GpuAddress{1, 0});
    emit dialog().gpuPicked(u"nid1"_s, 0);
    QCOMPARE(m_bench->page.heatMap().current(), std::optional(GpuAddress{0, 0}));
    emit dialog().gpuPicked(u"elsewhere"_s, 7); // is not in the map
    QCOMPARE(m_bench->page.heatMap().current(), std::optional(GpuAddress{0, 0}));
}

void HangControllerTest::isOfferedToRunningJobsAlone()
{
    begin(oneStopped());
    const QString words = u"Where does it hang?"_s;
    m_bench->page.updateJob(looked(JobState::Pending));
    QVERIFY(!shownButton(m_bench->page, words));
    QVERIFY(m_bench->controller.whyNot().contains(u"is not running"_s));
    m_bench->page.updateJob(looked(JobState::Running));
    QVERIFY(shownButton(m_bench->page, words)->isEnabled());
    m_bench->shell->setState(LinkState::Lost, linkLost());
    m_bench->page.updateJob(looked(JobState::Running));
    QVERIFY(!shownButton(m_bench->page, words)->isEnabled());
    QVERIFY(shownButton(m_bench->page, words)->accessibleDescription().contains(u"not connected"_s));
    m_bench->controller.open(); // says why
    QVERIFY(shownText(dialog()).contains(u"not connected"_s));
    m_bench->page.updateJob(looked(JobState::Completed));
    QVERIFY(!shownButton(m_bench->page, words));
}

void HangControllerTest::oneInspectionAtATime()
{
    begin({.staysOpen = true});
    m_bench->controller.open();
    QTRY_COMPARE(m_bench->looks(), 1);
    m_bench->controller.open();
    m_bench->controller.open();
    QCOMPARE(m_bench->looks(), 1);
    QVERIFY(dialog().isInspecting());
}

void HangControllerTest::saysThatTheJobEnded()
{
    begin({.errorOutput = "srun: Force Terminated StepId=11.3", .exitStatus = 143}, JobState::Timeout);
    m_bench->controller.open();
    waitForAnswer();
    QCOMPARE(dialog().verdict().sentence, u"The job ended while it was inspected (TIMEOUT)."_s);
}

void HangControllerTest::endsWithTheConnection()
{
    begin({.staysOpen = true});
    m_bench->controller.open();
    QTRY_COMPARE(m_bench->looks(), 1);
    m_bench->connections.disconnectFrom(u"lumi"_s);
    QVERIFY(!dialog().isInspecting());
    QVERIFY(shownText(dialog()).contains(u"connection was closed"_s));
}

void HangControllerTest::cancels()
{
    begin({.staysOpen = true});
    m_bench->controller.open();
    QTRY_COMPARE(m_bench->looks(), 1);
    emit dialog().cancelRequested();
    QVERIFY(!dialog().isInspecting());
    QVERIFY(shownText(dialog()).contains(u"Cancelled."_s));
    QVERIFY(!m_bench->isLooking());
}

void HangControllerTest::alertsOfHangsOfferIt()
{
    begin(oneStopped());
    const auto offered = [this] {
        int count = 0;
        for (const QPushButton* each : m_bench->page.findChildren<QPushButton*>())
            count += each->text() == u"Where does it hang?"_s && each->isVisible() ? 1 : 0;
        return count;
    };
    QCOMPARE(offered(), 1); // of the card
    Alert hang;
    hang.kind = nameOf(AlertKind::Hang).toString();
    hang.level = Alert::Level::Failure;
    hang.title = u"Nothing moves"_s;
    Alert idle = hang;
    idle.kind = nameOf(AlertKind::IdleGpus).toString();
    m_bench->page.showAlerts({idle});
    QCOMPARE(offered(), 1);
    m_bench->page.showAlerts({hang});
    QCOMPARE(offered(), 2);
}

void HangControllerTest::theMapOffersIt()
{
    begin(oneStopped());
    QMenu menu;
    emit m_bench->page.heatMap().menuFilled(&menu, GpuAddress{0, 0});
    const QList<QAction*> actions = menu.actions();
    QVERIFY(std::any_of(actions.begin(), actions.end(),
        [](const QAction* action) { return action->text() == u"Where does it hang?"_s; }));
    menu.actions().last()->trigger();
    waitForAnswer();
}

/// The answer of the first one comes no more, however late it is read.
void HangControllerTest::anotherJobWhileRecordsAreRead()
{
    begin(oneStopped());
    HeldThreads threads(HangReading::threads());
    m_bench->controller.open();
    QTRY_COMPARE(m_bench->looks(), 1);
    QTRY_VERIFY(!m_bench->isLooking());
    JobRecord other = looked();
    other.id = u"12"_s;
    other.name = u"bert"_s;
    for (const QString& part : {u"srun"_s, u"squeue"_s, u"sacct"_s}) // the latter stand in the question for a job, too
        m_bench->shell->forget(part);
    m_bench->shell->expect(u"show job 12"_s, {jobPage(other), {}}, true);
    m_bench->shell->expect(u"srun"_s, {.output = stands("nid1", "0", "S") + stands("nid2", "1", "T")}, true);
    m_bench->shell->expect(u"sacct"_s, {}, true);
    m_bench->shell->expect(u"squeue"_s, {squeueRecord(other), {}}, true);
    m_bench->page.showJob(other);
    m_bench->controller.open();
    QTRY_COMPARE(m_bench->looks(), 2);
    QVERIFY(dialog().isInspecting());
    threads.release();
    waitForAnswer();
    QVERIFY2(dialog().verdict().sentence.startsWith(u"Rank 1 (node nid2, GPU 0) is stopped"_s),
        qPrintable(dialog().verdict().sentence));
    QVERIFY(shownText(dialog()).contains(u"bert · 12 on LUMI"_s));
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
    quietFor(0);
    QCOMPARE(dialog().verdict().odd, QList<int>{1});
}

void HangControllerTest::endsWhileRecordsAreRead()
{
    begin(oneStopped());
    HeldThreads threads(HangReading::threads());
    m_bench->controller.open();
    QTRY_COMPARE(m_bench->looks(), 1);
    QTRY_VERIFY(!m_bench->isLooking());
    QVERIFY(dialog().isInspecting());
    m_bench.reset(); // the window closes
    threads.release();
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
}

RANKWRIGHT_WIDGET_TEST_MAIN(HangControllerTest)
#include "tst_hangcontroller.moc"

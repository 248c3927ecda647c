// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/forwardcontroller.h"

#include "app/store/database.h"
#include "app/store/joblog.h"
#include "models/tables/grid/gpugrid.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const QString token = u"f00dfeedf00dfeed"_s;

JobRecord runningJob()
{
    JobRecord job;
    job.id = u"11"_s;
    job.name = u"it's; $odd"_s;
    job.user = u"ada"_s;
    job.state = JobState::Running;
    job.nodes = 2;
    job.nodeList = {u"nid1"_s, u"nid2"_s};
    job.workdir = u"/scratch/a b"_s;
    return job;
}

} // namespace

/// Ports and shells of a job at a cluster that a test plays.
class ForwardControllerTest final : public Suite {
    Q_OBJECT
private slots:
    void cleanup() { m_bench.reset(); }
    void opensForARunningJob();
    void nodeThatWasMeantStays();
    void tokenIsNowhereOnDisk();
    void endsWithJobAndSession();
    void saysWhyItCannot();
    void shellWordsCarryTheLogin();
    void menuOfTheMapNamesTheRank();

private:
    struct Bench {
        Bench()
            : settings(folder.path()), database(openStore(folder.path())), log(*database), catalogue(loadCatalogue()),
              connections(catalogue, log, settings, &window), controller(connections, settings, window, folder.path())
        { }
        ~Bench() { connections.closeAll(); }
        void connectNow()
        {
            auto link = std::make_unique<FakeShell>();
            shell = link.get();
            const QByteArray page = jobPage(runningJob())
                + "\x1dscontrol\nJobId=11 JobName=x JobState=RUNNING NodeList=nid[1-2] StdOut=/scratch/out.log\n";
            shell->expect(u"show job 11"_s, {page, {}}, true);
            shell->expect(u"show job 12"_s, {{}, "slurm_load_jobs error: Invalid job id specified\n", 1}, true);
            shell->expect(u"head -c"_s,
                {"Jupyter Server 2.14 is running at:\nhttp://nid2:8889/lab?token=" + token.toLatin1() + "\n", {}},
                true);
            shell->expect(u"srun"_s, {.staysOpen = true}, true);
            shell->expect(u"sinfo"_s, {}, true);
            shell->expect(u"sacct"_s, {}, true);
            shell->expect(u"squeue"_s, {squeueRecord(runningJob()), {}}, true);
            shell->setState(LinkState::Offline);
            connections.begin(std::make_unique<ClusterSession>(*catalogue.find(u"lumi"_s), std::move(link), log));
            shell->setState(LinkState::Online);
        }
        QPushButton* button(const QString& text) const
        {
            for (QPushButton* one : controller.dialog()->findChildren<QPushButton*>()) {
                if (one->text() == text)
                    return one;
            }
            return nullptr;
        }
        QTemporaryDir folder;
        Theme theme;
        Settings settings;
        std::unique_ptr<Database> database;
        JobLog log;
        Catalogue catalogue;
        QWidget window;
        Connections connections;
        ForwardController controller;
        FakeShell* shell = nullptr;
    };
    void openDialog(const QString& node = {})
    {
        m_bench = std::make_unique<Bench>();
        m_bench->connectNow();
        m_bench->controller.open(u"11"_s, u"lumi"_s, node);
        QTRY_VERIFY(m_bench->controller.dialog() && m_bench->controller.dialog()->isVisible());
    }
    std::unique_ptr<Bench> m_bench;
};

void ForwardControllerTest::opensForARunningJob()
{
    openDialog();
    ReachDialog& dialog = *m_bench->controller.dialog();
    QTRY_COMPARE(dialog.node(), u"nid2"_s); // where the output says that Jupyter is
    QPushButton* bring = m_bench->button(u"Bring it here"_s);
    QVERIFY(bring);
    bring->click();
    const auto entries = m_bench->controller.forwards(u"lumi"_s)->entries();
    QCOMPARE(entries.size(), 1);
    QCOMPARE(entries.first().forward->port(), 8889);
    QCOMPARE(entries.first().forward->step(), (NodeStep{u"11"_s, u"nid2"_s}));
    // This link cannot dial, so the step is asked for.
    QTRY_VERIFY(!m_bench->shell->lines().filter(u"--nodelist=nid2"_s).isEmpty());
    QCOMPARE(dialog.findChild<QTreeWidget*>()->topLevelItemCount(), 1);
}

void ForwardControllerTest::nodeThatWasMeantStays()
{
    openDialog(u"nid1"_s);
    ReachDialog& dialog = *m_bench->controller.dialog();
    QTRY_VERIFY(dialog.findChildren<QComboBox*>().last()->count() > 0);
    QTRY_VERIFY(!m_bench->shell->lines().filter(u"head -c"_s).isEmpty());
    test::quietFor(50);
    QCOMPARE(dialog.node(), u"nid1"_s);
}

void ForwardControllerTest::tokenIsNowhereOnDisk()
{
    openDialog();
    ReachDialog& dialog = *m_bench->controller.dialog();
    QTRY_COMPARE(dialog.node(), u"nid2"_s);
    m_bench->button(u"Bring it here"_s)->click();
    emit dialog.copyRequested(1);
    QVERIFY(QApplication::clipboard()->text().contains(token)); // asked for
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        QVERIFY(!label->text().contains(token));
    for (const QString& line : m_bench->shell->lines())
        QVERIFY(!line.contains(token));
    const QString folder = m_bench->folder.path();
    m_bench->settings.setTerminal(u"xterm"_s);
    m_bench->connections.closeAll();
    int files = 0;
    for (QDirIterator each(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); each.hasNext(); ++files) {
        QFile file(each.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY2(!bytes.contains(token.toUtf8()), qPrintable(file.fileName()));
    }
    QVERIFY(files > 0);
}

void ForwardControllerTest::endsWithJobAndSession()
{
    openDialog();
    ReachDialog& dialog = *m_bench->controller.dialog();
    PortForwards& forwards = *m_bench->controller.forwards(u"lumi"_s);
    emit dialog.forwardRequested(u"nid1"_s, 6006, 0);
    emit dialog.forwardRequested(u"nid2"_s, 6006, 0);
    QCOMPARE(forwards.entries().size(), 2);
    QVERIFY(forwards.entries().first().forward->isActive());
    emit m_bench->connections.session(u"lumi"_s)->queueChanged({});
    for (const PortForwards::Entry& entry : forwards.entries())
        QVERIFY(!entry.forward->isActive());
    emit dialog.forwardRequested(u"nid1"_s, 6006, 0);
    QCOMPARE(forwards.entries().size(), 1); // ended ones went
    m_bench->connections.closeAll();
    QVERIFY(!m_bench->controller.forwards(u"lumi"_s));
    QCOMPARE(dialog.findChild<QTreeWidget*>()->topLevelItemCount(), 0);
}

void ForwardControllerTest::saysWhyItCannot()
{
    m_bench = std::make_unique<Bench>();
    QSignalSpy refused(&m_bench->controller, &ForwardController::refused);
    m_bench->controller.open(u"11"_s, u"lumi"_s);
    QVERIFY(refused.value(0).value(0).toString().contains(u"not connected"_s));
    m_bench->connectNow();
    m_bench->controller.open(u"12"_s, u"lumi"_s);
    QTRY_COMPARE(refused.size(), 2);
    m_bench->controller.open(u"11"_s, u"lumi"_s, u"other"_s);
    QTRY_COMPARE(refused.size(), 3);
    QVERIFY(refused.value(2).value(0).toString().contains(u"not one of job"_s));
}

void ForwardControllerTest::shellWordsCarryTheLogin()
{
    m_bench = std::make_unique<Bench>();
    m_bench->settings.setLogin(u"lumi"_s, {u"gate.example"_s, 2222, u"ada"_s, u"/keys/my key"_s, u"j"_s});
    const QStringList words = m_bench->controller.shellWords(u"11"_s, u"lumi"_s, u"nid2"_s);
    QCOMPARE(words.mid(1),
        (QStringList{u"shell"_s, u"lumi"_s, u"11"_s, u"--node"_s, u"nid2"_s, u"--host"_s, u"gate.example"_s,
            u"--port"_s, u"2222"_s, u"--user"_s, u"ada"_s, u"--identity"_s, u"/keys/my key"_s, u"--jump"_s, u"j"_s,
            u"--data-dir"_s, m_bench->folder.path()}));
}

void ForwardControllerTest::menuOfTheMapNamesTheRank()
{
    m_bench = std::make_unique<Bench>();
    m_bench->connectNow();
    GpuGrid grid;
    grid.reset({u"nid1"_s, u"nid2"_s}, 2, 1, u"GCD"_s);
    HeatMapView map(grid);
    m_bench->controller.serve(
        map, [] { return u"11"_s; }, [] { return u"lumi"_s; });
    const auto texts = [&map](GpuAddress gpu) {
        QMenu menu;
        map.fillMenu(menu, gpu);
        QStringList all;
        for (const QAction* action : menu.actions())
            all.append(action->text());
        return all;
    };
    QVERIFY(texts({1, 1}).contains(u"Open a shell on nid2 …"_s)); // which rank is there is not known
    RankPlace five;
    five.rank = 5;
    five.node = five.gpu = 1;
    grid.setPlacement({five});
    QVERIFY2(texts({1, 1}).contains(u"Open a shell on nid2 (rank 5) …"_s), qPrintable(texts({1, 1}).join(u", "_s)));
    QVERIFY(texts({1, 0}).contains(u"Open a shell on nid2 …"_s)); // no rank is there
    map.setEnded(true);
    QVERIFY(texts({1, 1}).filter(u"shell"_s).isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(ForwardControllerTest)
#include "tst_forwardcontroller.moc"

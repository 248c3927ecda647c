// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/connections.h"
#include "app/window/links/unseenpause.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/live/livepage.h"

#include <QTemporaryDir>
#include <QWidget>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A window that nobody sees asks clusters for their queues seldom, and at once when it comes back.
class UnseenPauseTest final : public Suite {
    Q_OBJECT
    struct Bench {
        Bench()
            : database(openStore(folder.path())), log(*database), settings(folder.path()),
              connections(catalogue, log, settings, &window), pause(window, connections, [] { return false; })
        {
            window.show();
        }
        QTemporaryDir folder;
        std::unique_ptr<Database> database;
        JobLog log;
        Settings settings;
        Catalogue catalogue;
        QWidget window;
        Connections connections;
        UnseenPause pause;
    };

private slots:
    void followsTheWindow();
    void queuesAreNotAskedForWhileNobodySees();
    void pagesRestWithTheWindow();
};

void UnseenPauseTest::followsTheWindow()
{
    Bench bench;
    QVERIFY(!bench.pause.isUnseen());
    bench.window.showMinimized();
    QTRY_VERIFY(bench.pause.isUnseen());
    bench.window.showNormal();
    QTRY_VERIFY(!bench.pause.isUnseen());
    bench.window.hide();
    QTRY_VERIFY(bench.pause.isUnseen());
    bench.window.show();
    QTRY_VERIFY(!bench.pause.isUnseen());
}

void UnseenPauseTest::queuesAreNotAskedForWhileNobodySees()
{
    Bench bench;
    bench.window.hide();
    QTRY_VERIFY(bench.pause.isUnseen());
    ClusterProfile profile;
    profile.name = u"elsewhere"_s;
    profile.title = u"Elsewhere"_s;
    auto made = std::make_unique<FakeShell>();
    FakeShell* shell = made.get();
    shell->setState(LinkState::Offline);
    JobRecord running;
    running.id = u"7"_s;
    running.name = u"theirs"_s;
    running.state = JobState::Running;
    shell->expect(u"sinfo"_s, {}, true);
    shell->expect(u"squeue"_s, {squeueRecord(running), {}}, true);
    bench.connections.begin(std::make_unique<ClusterSession>(profile, std::move(made), bench.log));
    const ClusterSession* session = bench.connections.session(u"elsewhere"_s);
    bench.connections.session(u"elsewhere"_s)->setQueueWanted(true); // every 5 s, if anybody looked
    shell->setState(LinkState::Online);
    QTRY_VERIFY(session->queueTime().isValid());
    const QDateTime first = session->queueTime();
    const auto asked = [shell] { return shell->lines().filter(u"squeue"_s).size(); };
    const qsizetype before = asked();
    test::quietFor(6500);
    QCOMPARE(asked(), before);
    QCOMPARE(session->queueTime(), first);
    bench.window.show();
    QTRY_VERIFY(session->queueTime() > first);
    QVERIFY(asked() > before);
}

/// A minimised page is told as hidden: its clock stops and nothing of it is drawn.
void UnseenPauseTest::pagesRestWithTheWindow()
{
    Theme theme;
    Bench bench;
    GpuGrid grid;
    auto* page = new LivePage(grid, &bench.window);
    page->show();
    JobRecord job;
    job.id = u"7"_s;
    job.state = JobState::Running;
    page->showJob(job);
    int beats = 0;
    page->setClock([&beats] { return qint64(++beats); }); // a beat reads it
    QTRY_VERIFY(beats > 5);
    bench.window.showMinimized();
    QTRY_VERIFY(bench.pause.isUnseen());
    beats = 0;
    test::quietFor(400); // four beats
    QCOMPARE(beats, 0);
    bench.window.showNormal();
    QTRY_VERIFY(beats > 0);
}

RANKWRIGHT_WIDGET_TEST_MAIN(UnseenPauseTest)
#include "tst_unseenpause.moc"

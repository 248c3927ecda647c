// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"
#include "app/store/database.h"
#include "app/store/eventjson.h"
#include "app/store/joblog.h"
#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "app/window/jobactions.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/uploadcontroller.h"
#include "models/tables/grid/gpugrid.h"
#include "tests/app/support/recordedjob.h"
#include "tests/app/support/windowbench.h"
#include "tests/support/fakeshell.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/toasts.h"
#include "widgets/clusters/uploaddialog.h"
#include "widgets/design/designpage.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/window/topbar.h"

#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Small things of the whole window that a person meets over a long session.
class WindowDetailsTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void aLossIsOneMessage();
    void theReasonIsWholeWhateverItsLength();
    void whatIsConnectingIsNotCalledUnconnected();
    void theMenuOfClustersDoesNotGrow();
    void tabGoesOnFromATextThatWasClicked();
    void aJobOfAnUnknownClusterIsSaid();
    void whatIsHiddenIsSaidBeforeTheUpload();
    void aReplayBeginsWhereItWentWrong_data();
    void aReplayBeginsWhereItWentWrong();
    void aSessionThatEndsTakesOnlyItsOutput();

private:
    QString record(const QString& folder, const QString& cluster, const QString& id, JobState state);
};

void WindowDetailsTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
}

/// 120 tries to connect again pushed the end of a job out of the list.
void WindowDetailsTest::aLossIsOneMessage()
{
    QTemporaryDir folder;
    WindowBench bench(folder.path());
    QVERIFY(bench.start());
    auto* toasts = bench.window().findChild<Toasts*>();
    bench.window().showNotice({Notice::JobEnd, u"7"_s}, u"Job 7: out of memory"_s);
    const int unread = toasts->unread();
    const qsizetype before = toasts->messages().size();
    LinkInfo link;
    link.cluster = u"lumi"_s;
    link.title = u"LUMI"_s;
    for (int attempt = 1; attempt <= 120; ++attempt) {
        link.state = LinkState::Offline;
        link.error = Error{Fault::Offline, u"lumi does not answer."_s, {}, {}};
        link.activity = u"connecting again in %1 s"_s.arg(attempt);
        emit bench.workbench->connections().linkChanged(link);
        link.state = LinkState::Connecting;
        link.activity = u"connecting again"_s;
        emit bench.workbench->connections().linkChanged(link);
    }
    link.state = LinkState::Offline;
    link.activity = u"connecting again in 60 s"_s;
    emit bench.workbench->connections().linkChanged(link);
    QCOMPARE(toasts->messages().size(), before + 1);
    QCOMPARE(toasts->unread(), unread + 1);
    const NoticeKey key{Notice::Connection, u"lumi"_s};
    QCOMPARE(toasts->textOf(key), u"LUMI: lumi does not answer. Connecting again in 60 s."_s);
    QVERIFY(!toasts->textOf({Notice::JobEnd, u"7"_s}).isEmpty());
    link.state = LinkState::Online;
    link.error.reset();
    link.activity.clear();
    emit bench.workbench->connections().linkChanged(link);
    QVERIFY(toasts->textOf(key).isEmpty());
}

/// The bottom row of Design said “Not connected” while the cluster was being started.
void WindowDetailsTest::whatIsConnectingIsNotCalledUnconnected()
{
    QTemporaryDir folder;
    WindowBench bench(folder.path());
    QVERIFY(bench.start());
    const auto says = [&bench](const QString& text) {
        for (const QLabel* label : bench.workbench->designPage().findChildren<QLabel*>()) {
            if (label->isVisibleTo(&bench.window()) && label->text().contains(text))
                return true;
        }
        return false;
    };
    bench.design().edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"lumi"_s; });
    QVERIFY(says(u"Not connected to LUMI"_s));
    LinkInfo link;
    link.cluster = u"lumi"_s;
    link.title = u"LUMI"_s;
    link.state = LinkState::Connecting;
    link.activity = u"Starting slurmctld (3 of 9)"_s;
    emit bench.workbench->connections().linkChanged(link);
    QVERIFY(!says(u"Not connected"_s));
    QVERIFY(says(u"LUMI: Starting slurmctld (3 of 9)"_s));
    link.state = LinkState::Offline;
    link.activity.clear();
    emit bench.workbench->connections().linkChanged(link);
    QVERIFY(says(u"Not connected to LUMI"_s));
}

/// Why a connection failed: also where one letter more makes one line more.
void WindowDetailsTest::theReasonIsWholeWhateverItsLength()
{
    QTemporaryDir folder;
    WindowBench bench(folder.path());
    QVERIFY(bench.start({1024, 700}));
    LinkInfo link;
    link.cluster = u"lumi"_s;
    link.title = u"LUMI"_s;
    QString words = u"The server"_s;
    for (int i = 0; i < 160; ++i) {
        words += i % 6 == 5 ? u" "_s : u"a"_s;
        link.error = Error{Fault::Offline, words, {}, u"Do it again."_s};
        bench.window().showLink(link);
        QApplication::processEvents();
        const QStringList clipped = clippedTexts(bench.window());
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(u'\n')));
    }
}

void WindowDetailsTest::theMenuOfClustersDoesNotGrow()
{
    QTemporaryDir folder;
    WindowBench bench(folder.path());
    QVERIFY(bench.start());
    auto* bar = bench.window().findChild<TopBar*>();
    QMenu* menu = bar->chip()->menu();
    emit menu->aboutToShow();
    const qsizetype once = bar->findChildren<QMenu*>().size();
    for (int i = 0; i < 20; ++i)
        emit menu->aboutToShow();
    QCOMPARE(bar->findChildren<QMenu*>().size(), once);
}

void WindowDetailsTest::tabGoesOnFromATextThatWasClicked()
{
    QTemporaryDir folder;
    WindowBench bench(folder.path());
    QVERIFY(bench.start());
    int tried = 0;
    for (QLabel* label : bench.workbench->designPage().findChildren<QLabel*>()) {
        if (!label->isVisible() || !(label->focusPolicy() & Qt::ClickFocus))
            continue;
        label->setFocus(Qt::MouseFocusReason);
        if (!label->hasFocus())
            continue;
        ++tried;
        QTest::keyClick(label, Qt::Key_Tab);
        const QWidget* now = QApplication::focusWidget();
        QVERIFY2(now && bench.workbench->designPage().isAncestorOf(now), qPrintable(label->text()));
    }
    QVERIFY(tried > 0);
}

/// A click on a job of a cluster file that was removed did nothing at all.
void WindowDetailsTest::aJobOfAnUnknownClusterIsSaid()
{
    QTemporaryDir folder;
    WindowBench bench(folder.path());
    QVERIFY(bench.start());
    emit bench.window().pages().jobs->watchRequested(u"7"_s, u"gone"_s);
    const QString text = bench.window().findChild<Toasts*>()->textOf(Notice::RunningJob);
    QVERIFY2(text.contains(u"not in the catalogue"_s), qPrintable(text));
}

/// .env and .git were copied, and links left out, without a word in the window.
void WindowDetailsTest::whatIsHiddenIsSaidBeforeTheUpload()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"src/.git"_s));
    QFile secret(folder.filePath(u"src/.env"_s));
    QVERIFY(secret.open(QIODevice::WriteOnly));
    secret.close();
    QVERIFY(QFile::link(u"/etc/hostname"_s, folder.filePath(u"src/outside"_s)));
    QTemporaryDir data;
    WindowBench bench(data.path());
    QVERIFY(bench.start());
    auto database = Database::open(data.path());
    QVERIFY_RESULT(database);
    JobLog log(**database);
    auto link = std::make_unique<FakeShell>();
    ClusterSession session(*bench.design().catalogue().find(u"lumi"_s), std::move(link), log);
    UploadController upload(bench.window());
    upload.open(session, u"/scratch/x"_s, {}, folder.path());
    auto* dialog = bench.window().findChild<UploadDialog*>();
    QVERIFY(dialog);
    QPushButton* send = nullptr;
    for (QPushButton* button : dialog->findChildren<QPushButton*>())
        send = button->text() == u"Upload"_s ? button : send;
    QVERIFY(send && !send->isEnabled());
    dialog->addPath(folder.filePath(u"src"_s));
    QVERIFY(!send->isEnabled());
    QTRY_VERIFY(send->isEnabled());
    QString texts;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
        texts += label->isVisible() ? label->text() + u'\n' : QString();
    for (const QString& name : {u"src/.env"_s, u"src/.git"_s, u"src/outside"_s})
        QVERIFY2(texts.contains(name), qPrintable(texts));
    dialog->close();
}

/// A recording with a line that may mean a failure after 10 s, and a failure after 60 s.
QString WindowDetailsTest::record(const QString& folder, const QString& cluster, const QString& id, JobState state)
{
    RecordingFacts facts = recordedJob(id, {u"n1"_s});
    facts.cluster = cluster;
    facts.job.state = state;
    facts.job.standardOutput = u"/scratch/run-%1.out"_s.arg(id);
    auto writer = RecordingWriter::open(folder, facts);
    if (!writer)
        qFatal("%s", qPrintable(writer.error().oneLine()));
    QRandomGenerator random{1};
    for (int second = 0; second < 120; ++second)
        (*writer)->append(trainingTick(random, u"n1"_s, recordedStart + second * 1000LL), 0);
    Diagnosis line;
    line.kind = u"oom_gpu"_s;
    line.rule = u"F01"_s;
    line.confirmed = false;
    (*writer)->note(failuresEvent({line}, recordedStart + 10'000));
    line.confirmed = true;
    (*writer)->note(failuresEvent({line}, recordedStart + 60'000));
    if (!(*writer)->commit(recordedStart + 120'000))
        qFatal("not written");
    return (*writer)->path();
}

void WindowDetailsTest::aReplayBeginsWhereItWentWrong_data()
{
    QTest::addColumn<JobState>("state");
    QTest::addColumn<qint64>("atMs");
    QTest::newRow("failed: its confirmed failure") << JobState::Failed << qint64(60'000);
    QTest::newRow("completed: the beginning") << JobState::Completed << qint64(0);
}

void WindowDetailsTest::aReplayBeginsWhereItWentWrong()
{
    QFETCH(JobState, state);
    QFETCH(qint64, atMs);
    QTemporaryDir folder;
    const QString path = record(folder.path(), u"lumi"_s, u"12"_s, state);
    GpuGrid grid;
    LivePage page(grid);
    LiveController live(grid, page);
    QVERIFY_RESULT(live.open(path));
    QCOMPARE(live.replay().moment(), recordedStart + atMs);
}

/// The output of the job that is replayed went when the session of the one replayed before ended.
void WindowDetailsTest::aSessionThatEndsTakesOnlyItsOutput()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    JobLog log(**database);
    const Catalogue catalogue = loadCatalogue();
    const QString first = record(folder.path(), u"lumi"_s, u"12"_s, JobState::Failed);
    const QString second = record(folder.path(), u"raven"_s, u"13"_s, JobState::Failed);
    GpuGrid grid;
    LivePage page(grid);
    LiveController live(grid, page);
    const auto session = [&](const QString& cluster, FakeShell*& shell) {
        auto link = std::make_unique<FakeShell>();
        shell = link.get();
        shell->expect(u"/scratch/run-"_s, {.staysOpen = true}, true);
        shell->setState(LinkState::Offline);
        auto made = std::make_unique<ClusterSession>(*catalogue.find(cluster), std::move(link), log);
        shell->setState(LinkState::Online);
        return made;
    };
    FakeShell* shell = nullptr;
    auto lumi = session(u"lumi"_s, shell);
    QVERIFY_RESULT(live.open(first));
    live.readOutput(*lumi);
    const auto isRead = [&shell](const QString& output) {
        return std::any_of(shell->running().cbegin(), shell->running().cend(),
            [&output](const FakeProcess* process) { return process->command().line.contains(output); });
    };
    QTRY_VERIFY(isRead(u"/scratch/run-12"_s)); // once it is known what is kept of it
    auto raven = session(u"raven"_s, shell);
    QVERIFY_RESULT(live.open(second));
    live.readOutput(*raven);
    QTRY_VERIFY(isRead(u"/scratch/run-13"_s));
    lumi.reset();
    QVERIFY(isRead(u"/scratch/run-13"_s));
    raven.reset();
}

RANKWRIGHT_WIDGET_TEST_MAIN(WindowDetailsTest)
#include "tst_windowdetails.moc"

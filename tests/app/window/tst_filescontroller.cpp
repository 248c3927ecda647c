// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/filescontroller.h"

#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "app/window/clusteraccess.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "models/cluster/transfer/remotefilemodel.h"
#include "tests/app/support/halfrealcluster.h"
#include "tests/app/support/recordedjob.h"
#include "tests/app/support/windowbench.h"
#include "tests/app/transfer/transferfixture.h"
#include "widgets/base/toasts.h"
#include "widgets/files/filespage.h"
#include "widgets/files/plandialog.h"
#include "widgets/files/resultsdialog.h"
#include "widgets/live/jobheader.h"
#include "widgets/live/livepage.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace { } // namespace

/// Files of a cluster in the real window: what is copied is copied by a real shell, into folders of this machine.
class FilesControllerTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void uploadShowsWhatItWouldDo();
    void newerIsReplacedOnlyWhenTicked();
    void refusedPlanCopiesNothing();
    void waitsForTheConnection();
    void whatFailsCanBeGoneOnWith();
    void folderOfAJobIsShown();
    void resultsOfAReplayedJob();
    void resultsOfAReplayedJobThatIsNowhere();
    void resultsAreOfferedAfterConnecting();

private:
    void connectNow();
    ClusterSession& session() const { return *m_bench->workbench->connections().session(u"lumi"_s); }
    FilesController& files() const { return m_bench->workbench->access().files(); }
    template <typename Dialog>
    Dialog* dialog() const
    {
        const auto shown = [this]() -> Dialog* {
            for (QWidget* top : QApplication::topLevelWidgets()) {
                if (auto* found = qobject_cast<Dialog*>(top); found && found->isVisible())
                    return found;
            }
            return nullptr;
        };
        (void)test::comes([&] { return shown() != nullptr; });
        return shown();
    }
    /// State and text of the newest transfer.
    QString row() const
    {
        const FilesPage* page = files().page(u"lumi"_s);
        const auto* list = page ? page->transfers().findChild<QTreeWidget*>() : nullptr;
        return list && list->topLevelItemCount() > 0 ? list->topLevelItem(list->topLevelItemCount() - 1)->text(2)
                                                     : QString();
    }
    QPushButton* button(const QString& text) const
    {
        for (auto* each : files().page(u"lumi"_s)->findChildren<QPushButton*>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }
    LivePage& replayed(const QString& workdir, const QString& output);
    std::unique_ptr<TransferFixture> m_files;
    std::unique_ptr<WindowBench> m_bench;
    HalfRealCluster* m_link = nullptr;
};

void FilesControllerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_files = std::make_unique<TransferFixture>();
    QDir().mkpath(m_files->at(u"home"_s));
    qputenv("HOME", m_files->bytesAt(u"home"_s)); // of the shell that plays the cluster
    m_bench = std::make_unique<WindowBench>(m_files->at(u"data"_s));
    QVERIFY(m_bench->start());
}

void FilesControllerTest::cleanup()
{
    m_bench.reset();
    m_files.reset();
}

void FilesControllerTest::connectNow()
{
    auto link = std::make_unique<HalfRealCluster>();
    m_link = link.get();
    FakeShell& slurm = link->slurm();
    for (const QString& command : {u"sinfo"_s, u"sacct"_s, u"squeue"_s, u"scontrol"_s, u"quota"_s, u"df "_s})
        slurm.expect(command, {}, true);
    slurm.setState(LinkState::Offline);
    m_bench->workbench->connections().begin(std::make_unique<ClusterSession>(
        *m_bench->design().catalogue().find(u"lumi"_s), std::move(link), m_bench->workbench->jobLog()));
    slurm.setState(LinkState::Online);
}

void FilesControllerTest::uploadShowsWhatItWouldDo()
{
    connectNow();
    m_files->write(u"here/p/a.py"_s, "print(1)\n");
    m_files->write(u"here/p/b.log"_s, "x\n");
    m_files->write(u"here/p/.rankwrightignore"_s, "*.log\n");
    files().upload(session(), {m_files->at(u"here/p"_s)}, m_files->bytesAt(u"there"_s));
    auto* plan = dialog<PlanDialog>();
    QVERIFY2(plan, qPrintable(row()));
    QVERIFY(!QFileInfo::exists(m_files->at(u"there"_s)));
    plan->accept();
    QTRY_VERIFY2(row().contains(u"2 files copied"_s), qPrintable(row()));
    QCOMPARE(m_files->read(u"there/p/a.py"_s), "print(1)\n");
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/p/b.log"_s)));
    QVERIFY(m_files->leftovers().isEmpty());
}

void FilesControllerTest::newerIsReplacedOnlyWhenTicked()
{
    connectNow();
    m_files->write(u"here/a.py"_s, "mine\n", 100);
    for (const bool replace : {false, true}) {
        m_files->write(u"there/a.py"_s, "of somebody else\n", 1);
        files().upload(session(), {m_files->at(u"here/a.py"_s)}, m_files->bytesAt(u"there"_s));
        auto* plan = dialog<PlanDialog>();
        QVERIFY2(plan, qPrintable(row()));
        plan->findChild<QCheckBox*>()->setChecked(replace);
        if (!replace) {
            QVERIFY(!plan->replacesNewer());
            plan->reject();
            QTRY_VERIFY(row().contains(u"cancelled"_s));
            QCOMPARE(m_files->read(u"there/a.py"_s), "of somebody else\n");
            continue;
        }
        plan->accept();
        QTRY_VERIFY2(row().contains(u"1 file copied"_s), qPrintable(row()));
        QCOMPARE(m_files->read(u"there/a.py"_s), "mine\n");
    }
}

void FilesControllerTest::refusedPlanCopiesNothing()
{
    connectNow();
    m_files->write(u"here/a.py"_s, "mine\n");
    files().upload(session(), {m_files->at(u"here/a.py"_s)}, m_files->bytesAt(u"there"_s));
    auto* plan = dialog<PlanDialog>();
    QVERIFY2(plan, qPrintable(row()));
    plan->reject();
    QTRY_VERIFY(row().contains(u"cancelled"_s));
    QVERIFY(!QFileInfo::exists(m_files->at(u"there"_s)));
    button(u"Remove from the list"_s)->click();
    QCOMPARE(row(), QString());
}

void FilesControllerTest::waitsForTheConnection()
{
    connectNow();
    m_link->slurm().setState(LinkState::Lost, {Fault::Offline, u"The connection was lost."_s, {}, {}});
    m_files->write(u"here/a.py"_s, "mine\n");
    files().upload(session(), {m_files->at(u"here/a.py"_s)}, m_files->bytesAt(u"there"_s));
    QCOMPARE(row(), u"waits for the connection"_s);
    QTRY_VERIFY(!button(u"Upload files…"_s)->isEnabled());
    m_link->slurm().setState(LinkState::Online);
    auto* plan = dialog<PlanDialog>(); // by itself
    QVERIFY2(plan, qPrintable(row()));
    plan->accept();
    QTRY_VERIFY2(row().contains(u"1 file copied"_s), qPrintable(row()));
}

void FilesControllerTest::whatFailsCanBeGoneOnWith()
{
    connectNow();
    m_files->write(u"here/a.py"_s, "mine\n");
    m_files->write(u"there"_s, "a file in the folder's place");
    files().upload(session(), {m_files->at(u"here/a.py"_s)}, m_files->bytesAt(u"there"_s));
    QTRY_VERIFY(button(u"Resume"_s)->isEnabled());
    QVERIFY2(row().contains(u"there"_s), qPrintable(row()));
    QVERIFY(QFile::remove(m_files->at(u"there"_s)));
    button(u"Resume"_s)->click();
    auto* plan = dialog<PlanDialog>();
    QVERIFY2(plan, qPrintable(row()));
    plan->accept();
    QTRY_VERIFY2(row().contains(u"1 file copied"_s), qPrintable(row()));
}

void FilesControllerTest::folderOfAJobIsShown()
{
    connectNow();
    m_files->write(u"work/slurm-7.out"_s, "done\n");
    files().open(session(), m_files->bytesAt(u"work"_s));
    RemoteFileModel& model = files().page(u"lumi"_s)->model();
    QTRY_COMPARE(model.root(), m_files->bytesAt(u"work"_s));
    QTRY_COMPARE(model.index(0, 0).data().toString(), u"slurm-7.out"_s);
}

LivePage& FilesControllerTest::replayed(const QString& workdir, const QString& output)
{
    RecordingFacts facts = recordedJob(u"4711"_s, {u"nid005001"_s});
    facts.gpusPerNode = 8;
    facts.job.state = JobState::Completed;
    facts.job.ended = facts.job.started.addSecs(60);
    facts.job.workdir = workdir;
    facts.job.standardOutput = output;
    auto writer = RecordingWriter::open(recordingsFolder(m_bench->dataFolder), facts);
    if (!writer)
        qFatal("%s", qPrintable(writer.error().oneLine()));
    QRandomGenerator random{7};
    for (int second = 0; second < 5; ++second)
        (*writer)->append(
            trainingTick(random, u"nid005001"_s, recordedStart + second * 1000LL), recordedStart + second * 1000LL);
    const auto committed = (*writer)->commit(recordedStart + 60'000);
    const QString path = (*writer)->path();
    writer->reset();
    const auto opened = m_bench->workbench->live().open(path);
    if (!committed || !opened)
        qFatal("the recording cannot be replayed");
    m_bench->window().showPage(MainWindow::Page::Live);
    return *m_bench->window().pages().live;
}

/// The cluster forgets a job; its recording knows where its files are.
void FilesControllerTest::resultsOfAReplayedJob()
{
    connectNow();
    m_files->write(u"work/slurm-4711.out"_s, "done\n", 10);
    m_files->write(u"work/model.pt"_s, "weights\n", 10);
    LivePage& page = replayed(m_files->at(u"work"_s), m_files->at(u"work/slurm-4711.out"_s));
    QPushButton* results = page.findChild<JobHeader*>()->resultsButton();
    QTRY_VERIFY(results->isVisible());
    results->click();
    auto* left = dialog<ResultsDialog>();
    QVERIFY(left);
    QCOMPARE(left->chosen(), QList<int>{0});
    left->findChild<QLineEdit*>()->setText(m_files->at(u"target"_s));
    left->accept();
    auto* plan = dialog<PlanDialog>();
    QVERIFY2(plan, qPrintable(row()));
    plan->accept();
    QTRY_VERIFY2(row().contains(u"1 file copied"_s), qPrintable(row()));
    QCOMPARE(m_files->read(u"target/slurm-4711.out"_s), "done\n");
    QVERIFY(!QFileInfo::exists(m_files->at(u"target/model.pt"_s)));
}

/// Neither recording nor job log know a folder: nothing else is searched in its place.
void FilesControllerTest::resultsOfAReplayedJobThatIsNowhere()
{
    connectNow();
    m_files->write(u"home/private.txt"_s, "mine\n", 10);
    replayed({}, {}).findChild<JobHeader*>()->resultsButton()->click();
    QTRY_VERIFY(files().page(u"lumi"_s)->isVisible());
    QVERIFY(!files().page(u"lumi"_s)->findChild<ResultsDialog*>());
}

void FilesControllerTest::resultsAreOfferedAfterConnecting()
{
    LivePage& page = replayed(m_files->at(u"work"_s), m_files->at(u"work/slurm-4711.out"_s));
    page.findChild<JobHeader*>()->resultsButton()->click();
    const auto* toasts = m_bench->window().findChild<Toasts*>();
    QVERIFY2(toasts->textOf(Notice::Connection).contains(u"once it is connected"_s),
        qPrintable(toasts->textOf(Notice::Connection)));
}

RANKWRIGHT_WIDGET_TEST_MAIN(FilesControllerTest)
#include "tst_filescontroller.moc"

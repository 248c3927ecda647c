// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/window/clusteraccess.h"
#include "app/window/filescontroller.h"
#include "app/window/forwardcontroller.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/palettecontroller.h"
#include "tests/app/support/slurmwords.h"
#include "tests/app/support/windowbench.h"
#include "widgets/files/filespage.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/livepage.h"
#include "widgets/window/commandpalette.h"

#include <QFile>
#include <QMenu>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Ports, shells and files of the job that is watched, from its map and from the palette, in the real window. The
/// user's terminal is a program that writes down what it was given.
class JobReachTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void shellFromTheMap();
    void portsFromTheMap();
    void shellByThePalette();
    void portsByThePalette();
    void folderByThePalette();
    void whatCannotBeSaysWhy();

private:
    void watch(JobState state = JobState::Running);
    HeatMapView& map() const { return m_bench->window().pages().live->heatMap(); }
    /// What the context menu of a GPU would do, by its text.
    void choose(const QString& text, GpuAddress gpu);
    void runInPalette(const QString& query);
    QString terminalSaid() const
    {
        QFile file(m_folder->filePath(u"said"_s));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
    FakeShell* m_shell = nullptr;
};

void JobReachTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    const QString terminal = m_folder->filePath(u"terminal"_s);
    QFile program(terminal);
    QVERIFY(program.open(QIODevice::WriteOnly));
    const QByteArray said = QFile::encodeName(m_folder->filePath(u"said"_s));
    program.write("#!/bin/sh\nprintf '%s ' \"$@\" >'" + said + ".part' && mv '" + said + ".part' '" + said + "'\n");
    program.close();
    QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_bench = std::make_unique<WindowBench>(m_folder->filePath(u"data"_s));
    Settings(*prepareDataFolder(m_bench->dataFolder)).setTerminal(terminal + u" {command}"_s);
    QVERIFY(m_bench->start());
}

void JobReachTest::cleanup()
{
    m_bench.reset();
    m_folder.reset();
}

void JobReachTest::watch(JobState state)
{
    JobRecord job;
    job.id = u"11"_s;
    job.name = u"llama"_s;
    job.user = u"ada"_s;
    job.partition = u"standard-g"_s;
    job.state = state;
    job.nodes = 2;
    job.nodeList = {u"nid005001"_s, u"nid005002"_s};
    job.started = QDateTime::currentDateTime().addSecs(-60);
    job.workdir = u"/scratch/a b"_s;
    auto link = std::make_unique<FakeShell>();
    m_shell = link.get();
    m_shell->expect(u"show job 11"_s, {jobPage(job), {}}, true);
    m_shell->expect(u"srun"_s, {.staysOpen = true}, true);
    for (const QString& command : {u"sinfo"_s, u"sacct"_s})
        m_shell->expect(command, {}, true);
    m_shell->expect(u"squeue"_s, {squeueRecord(job), {}}, true);
    m_shell->setState(LinkState::Offline);
    Connections& connections = m_bench->workbench->connections();
    connections.begin(std::make_unique<ClusterSession>(
        *m_bench->design().catalogue().find(u"lumi"_s), std::move(link), m_bench->workbench->jobLog()));
    m_shell->setState(LinkState::Online);
    m_bench->workbench->live().follow(*connections.session(u"lumi"_s), u"11"_s);
    m_bench->window().showPage(MainWindow::Page::Live);
    QTRY_COMPARE(map().grid().series().nodes().size(), 2);
    QTRY_COMPARE(m_bench->window().pages().live->job().state, state);
}

void JobReachTest::choose(const QString& text, GpuAddress gpu)
{
    QMenu menu;
    map().fillMenu(menu, gpu);
    QStringList all;
    for (QAction* action : menu.actions()) {
        all.append(action->text());
        if (action->text() == text) {
            action->trigger();
            return;
        }
    }
    QFAIL(qPrintable(all.join(u", "_s)));
}

void JobReachTest::runInPalette(const QString& query)
{
    QApplication::setActiveWindow(&m_bench->window());
    m_bench->window().setFocus();
    QTest::keyClick(&m_bench->window(), Qt::Key_K, Qt::ControlModifier);
    auto* palette = m_bench->window().findChild<CommandPalette*>();
    QVERIFY(palette && palette->isVisible());
    QTest::keyClicks(QApplication::focusWidget(), query);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
}

void JobReachTest::shellFromTheMap()
{
    watch();
    choose(u"Open a shell on nid005002 …"_s, {1, 3});
    QTRY_VERIFY(!terminalSaid().isEmpty());
    QVERIFY2(terminalSaid().contains(u"rankwright-cli shell lumi 11 --node nid005002"_s), qPrintable(terminalSaid()));
}

void JobReachTest::portsFromTheMap()
{
    watch();
    choose(u"Ports of nid005002 …"_s, {1, 3});
    const ForwardController& reach = m_bench->workbench->access().reach();
    QTRY_VERIFY(reach.dialog() && reach.dialog()->isVisible());
    QCOMPARE(reach.dialog()->node(), u"nid005002"_s);
}

void JobReachTest::shellByThePalette()
{
    watch();
    runInPalette(u"shell nid005001"_s);
    QTRY_VERIFY(!terminalSaid().isEmpty());
    QVERIFY2(terminalSaid().contains(u"shell lumi 11 --node nid005001"_s), qPrintable(terminalSaid()));
}

void JobReachTest::portsByThePalette()
{
    watch();
    runInPalette(u"ports and shells of job"_s);
    const ForwardController& reach = m_bench->workbench->access().reach();
    QTRY_VERIFY(reach.dialog() && reach.dialog()->isVisible());
}

void JobReachTest::folderByThePalette()
{
    watch();
    runInPalette(u"files in the folder of job"_s);
    FilesController& files = m_bench->workbench->access().files();
    QTRY_VERIFY(files.page(u"lumi"_s) && files.page(u"lumi"_s)->isVisible());
    QTRY_VERIFY(!m_shell->lines().filter(u"/scratch/a\\0040b"_s).isEmpty());
}

void JobReachTest::whatCannotBeSaysWhy()
{
    const auto reasonOf = [this](const QString& id) {
        for (const PaletteCommand& command : m_bench->workbench->access().shownJobCommands()) {
            if (command.entry.id == id)
                return command.entry.enabled ? u"(enabled)"_s : command.entry.reason;
        }
        return u"(missing)"_s;
    };
    QCOMPARE(reasonOf(u"shown/ports"_s), u"(missing)"_s); // nothing is shown
    watch();
    QCOMPARE(reasonOf(u"shown/ports"_s), u"(enabled)"_s);
    QCOMPARE(reasonOf(u"shown/shell/nid005002"_s), u"(enabled)"_s);
    QCOMPARE(reasonOf(u"shown/where"_s), u"(enabled)"_s);
    QCOMPARE(reasonOf(u"shown/results"_s), u"(enabled)"_s);
    m_shell->setState(LinkState::Lost, {Fault::Offline, u"The connection was lost."_s, {}, {}});
    QVERIFY(reasonOf(u"shown/ports"_s).contains(u"not connected"_s));
    QVERIFY(reasonOf(u"shown/where"_s).contains(u"not connected"_s));
    QVERIFY(reasonOf(u"shown/shell/nid005001"_s).contains(u"not connected"_s));
    QCOMPARE(reasonOf(u"shown/folder"_s), u"(enabled)"_s); // it offers to connect
}

RANKWRIGHT_WIDGET_TEST_MAIN(JobReachTest)
#include "tst_jobreach.moc"

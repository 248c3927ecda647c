// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/noticebar.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/window/mainwindow.h"
#include "widgets/window/topbar.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

class TestMainWindow final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void changesPages();
    void undoesWithLabels();
    void showsNotices();
    void showsTheConnection();
    void countsWhatItCosts();
    void sendsFileIntents();
    void letsTheReceiverKeepItOpen();
    void titlesTheDocument();
    void switchesTheTheme();
    void textsOfServersStayPlain();
    void keepsItsSmallestSize();
    void repaintsWithTheTheme_data();
    void repaintsWithTheTheme();

private:
    QAction* actionOf(const QString& text) const;

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_window.reset();
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    m_design->replace(spec);
    m_window = std::make_unique<MainWindow>(
        *m_design, m_theme, MainWindow::Pages{new DesignPage(*m_design), nullptr, nullptr, nullptr});
    m_window->show();
}

QAction* TestMainWindow::actionOf(const QString& text) const
{
    for (auto* action : m_window->findChildren<QAction*>()) {
        if (action->text().remove(u'&') == text)
            return action;
    }
    return nullptr;
}

void TestMainWindow::changesPages()
{
    QSignalSpy shown(m_window.get(), &MainWindow::pageShown);
    QCOMPARE(m_window->page(), MainWindow::Page::Design);
    actionOf(u"Live"_s)->trigger();
    QCOMPARE(m_window->page(), MainWindow::Page::Live);
    QCOMPARE(shown.count(), 1);
    QCOMPARE(actionOf(u"Live"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_4));
    m_window->showPage(MainWindow::Page::Clusters);
    QCOMPARE(m_window->page(), MainWindow::Page::Clusters);
}

void TestMainWindow::undoesWithLabels()
{
    QVERIFY(!actionOf(u"Undo"_s)->isEnabled());
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 4; });
    QAction* undo = actionOf(u"Undo Nodes"_s);
    QVERIFY(undo && undo->isEnabled());
    undo->trigger();
    QVERIFY(!m_design->spec().resources.nodes);
    QAction* redo = actionOf(u"Redo Nodes"_s);
    QVERIFY(redo && redo->isEnabled());
    redo->trigger();
    QCOMPARE(m_design->spec().resources.nodes, std::optional<int>(4));
}

void TestMainWindow::showsNotices()
{
    auto* bar = m_window->findChild<NoticeBar*>();
    QVERIFY(!bar->isVisible());
    int clicks = 0;
    m_window->showNotice(Notice::Connection, u"The link was lost."_s, u"Reconnect"_s, [&clicks] { ++clicks; });
    m_window->showNotice(Notice::Document, u"Saved."_s);
    QCOMPARE(bar->count(), 2);
    m_window->showNotice(Notice::Document, u"Saved again."_s);
    QCOMPARE(bar->count(), 2);
    QCOMPARE(bar->textOf(Notice::Document), u"Saved again."_s);
    for (auto* button : bar->findChildren<QPushButton*>()) {
        if (button->text() == u"Reconnect")
            button->click();
    }
    QCOMPARE(clicks, 1);
    m_window->showNotice({Notice::JobEnd, u"1"_s}, u"Job 1 ended."_s);
    m_window->showNotice({Notice::JobEnd, u"2"_s}, u"Job 2 ended."_s);
    QCOMPARE(bar->count(), 4); // beside each other
    m_window->clearNotice({Notice::JobEnd, u"1"_s});
    m_window->clearNotice({Notice::JobEnd, u"2"_s});
    m_window->clearNotice(Notice::Connection);
    m_window->clearNotice(Notice::Document);
    m_window->clearNotice(Notice::Draft);
    QCOMPARE(bar->count(), 0);
    QVERIFY(!bar->isVisible());
}

void TestMainWindow::showsTheConnection()
{
    auto* bar = m_window->findChild<TopBar*>();
    QCOMPARE(bar->chipText(), u"LUMI · not connected"_s);
    LinkInfo link;
    link.cluster = u"lumi"_s;
    link.title = u"LUMI"_s;
    link.state = LinkState::Online;
    link.user = u"ada"_s;
    link.latencyMs = 38.2;
    m_window->showLink(link);
    QCOMPARE(bar->chipText(), u"LUMI · connected · ada · 38 ms"_s);
    link.latencyMs.reset(); // unknown is left out, never 0
    m_window->showLink(link);
    QCOMPARE(bar->chipText(), u"LUMI · connected · ada"_s);
    link.state = LinkState::Lost;
    m_window->showLink(link);
    QCOMPARE(bar->chipText(), u"LUMI · link lost"_s);
    m_design->edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"raven"_s; });
    QCOMPARE(bar->chipText(), u"Raven · not connected"_s);
}

void TestMainWindow::countsWhatItCosts()
{
    LinkInfo link;
    QCOMPARE(linkCost(link), QString());
    link.state = LinkState::Online;
    link.openChannels = 2;
    QCOMPARE(linkCost(link), u"1 connection · 2 channels"_s);
    link.bytesPerSecond = 7100;
    link.commandsPerMinute = 4;
    QCOMPARE(linkCost(link), u"1 connection · 2 channels · 7.1 kB/s · 4 commands/min"_s);
    link.bytesPerSecond = 43; // an idle stream's heartbeats: little, but not nothing
    QCOMPARE(linkCost(link), u"1 connection · 2 channels · 43 B/s · 4 commands/min"_s);
}

void TestMainWindow::sendsFileIntents()
{
    QSignalSpy opened(m_window.get(), &MainWindow::openRequested);
    QSignalSpy saved(m_window.get(), &MainWindow::saveRequested);
    actionOf(u"Open …"_s)->trigger();
    actionOf(u"Save"_s)->trigger();
    QCOMPARE(opened.count(), 1);
    QCOMPARE(saved.count(), 1);
}

void TestMainWindow::letsTheReceiverKeepItOpen()
{
    connect(m_window.get(), &MainWindow::closing, m_window.get(), [](QCloseEvent* event) { event->ignore(); });
    QVERIFY(!m_window->close());
    QVERIFY(m_window->isVisible());
}

void TestMainWindow::titlesTheDocument()
{
    m_window->setDocumentTitle(u"gpt.json"_s, true);
    QVERIFY(m_window->windowTitle().startsWith(u"gpt.json"_s));
    QVERIFY(m_window->isWindowModified());
    m_window->setDocumentTitle(u"gpt.json"_s, false);
    QVERIFY(!m_window->isWindowModified());
}

void TestMainWindow::switchesTheTheme()
{
    actionOf(u"Dark"_s)->trigger();
    QVERIFY(m_theme.isDark());
    QVERIFY(actionOf(u"Dark"_s)->isChecked());
    actionOf(u"Light"_s)->trigger();
    QVERIFY(!m_theme.isDark());
}

/// What a server says of itself reaches labels and tooltips.
void TestMainWindow::textsOfServersStayPlain()
{
    const QString evil = u"<b>Connected</b> <img src='/etc/passwd'>\x1b[2J"_s + QChar(0x202e);
    LinkInfo link;
    link.cluster = u"lumi"_s;
    link.title = u"LUMI"_s;
    link.state = LinkState::Lost;
    link.error = Error{Fault::Offline, evil, evil, evil};
    m_window->showLink(link);
    m_window->showNotice(Notice::Connection, evil);
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
        const QString tip = widget->toolTip();
        QVERIFY2(
            !tip.contains(u"<img"_s) && !tip.contains(QChar(0x202e)) && !tip.contains(QChar(0x1b)), qPrintable(tip));
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (label && label->text().contains(u"<img"_s))
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
    QVERIFY(m_window->findChild<TopBar*>());
}

void TestMainWindow::keepsItsSmallestSize()
{
    QCOMPARE(m_window->minimumSize(), QSize(1024, 700));
    m_window->resize(10, 10);
    QApplication::processEvents();
    // Nothing inside may ask for more than the smallest window has.
    QCOMPARE(m_window->size(), QSize(1024, 700));
    QVERIFY(m_window->minimumSizeHint().width() <= 1024);
    QVERIFY(m_window->minimumSizeHint().height() <= 700);
}

void TestMainWindow::repaintsWithTheTheme_data()
{
    QTest::addColumn<int>("nodes");
    QTest::newRow("full") << 1;
    QTest::newRow("compact") << 16;
    QTest::newRow("dense") << 1024;
}

/// Every level of detail shows the ranks' colour on the background of the theme of now, not of the one it was built
/// under.
void TestMainWindow::repaintsWithTheTheme()
{
    QFETCH(int, nodes);
    m_design->edit(u"Nodes"_s, [nodes](JobSpec& spec) { spec.resources.nodes = nodes; });
    for (const bool dark : {false, true, false}) {
        m_theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        const QImage image = m_window->findChild<RankMapView*>()->viewport()->grab().toImage();
        QCOMPARE(image.pixelColor(1, image.height() - 2), Theme::colour(Theme::Token::Panel, dark));
        int coloured = 0;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2)
                coloured += image.pixelColor(x, y) == Theme::category(0) ? 1 : 0;
        }
        QVERIFY2(coloured > 200, qPrintable(QString::number(coloured)));
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"

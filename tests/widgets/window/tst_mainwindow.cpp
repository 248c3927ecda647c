// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/base/toasts.h"
#include "widgets/design/designpage.h"
#include "widgets/design/verdictbar.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/window/connectionnote.h"
#include "widgets/window/mainwindow.h"
#include "widgets/window/topbar.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

class MainWindowTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void changesPages();
    void undoesWithLabels();
    void showsNotices();
    void messagesMoveNothing();
    void messagesGoAndAreKept();
    void saysWhyAConnectionFailed();
    void connectionMenuIsShort();
    void showsTheConnection();
    void countsWhatItCosts();
    void sendsFileIntents();
    void letsTheReceiverKeepItOpen();
    void titlesTheDocument();
    void switchesTheTheme();
    void textsOfServersStayPlain();
    void showsTheClassThatIsAttended();
    void offersTheClassesThatCameWithTheProgram();
    void keepsItsSmallestSize();
    void keepsTheFocusInThePage();
    void repaintsWithTheTheme_data();
    void repaintsWithTheTheme();

private:
    QAction* actionOf(const QString& text) const;

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<MainWindow> m_window;
};

void MainWindowTest::init()
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

QAction* MainWindowTest::actionOf(const QString& text) const
{
    for (auto* action : m_window->findChildren<QAction*>()) {
        if (action->text().remove(u'&') == text)
            return action;
    }
    return nullptr;
}

void MainWindowTest::changesPages()
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

void MainWindowTest::undoesWithLabels()
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

void MainWindowTest::showsNotices()
{
    auto* bar = m_window->findChild<Toasts*>();
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
    QCOMPARE(bar->count(), 3); // beside each other; the one that was acted on has gone
    m_window->clearNotice({Notice::JobEnd, u"1"_s});
    m_window->clearNotice({Notice::JobEnd, u"2"_s});
    m_window->clearNotice(Notice::Connection);
    m_window->clearNotice(Notice::Document);
    m_window->clearNotice(Notice::Draft);
    QCOMPARE(bar->count(), 0);
    QVERIFY(!bar->isVisible());
}

/// W10: what is reported lies over the page at the right, never over what is clicked, and moves nothing.
void MainWindowTest::messagesMoveNothing()
{
    QApplication::processEvents();
    auto* launch = m_window->findChild<QPushButton*>(u"launch"_s);
    const QPoint before = launch->mapTo(m_window.get(), QPoint(0, 0));
    m_window->showNotice(Notice::Document, u"The design was read."_s, u"Undo"_s, [] {});
    m_window->showNotice(Notice::Connection,
        u"The link was lost, and this sentence goes on for so long that it needs a second line, if not a third one."_s);
    QApplication::processEvents();
    QApplication::processEvents();
    for (const QLabel* label : m_window->findChild<Toasts*>()->findChildren<QLabel*>())
        QVERIFY(label->height() >= label->heightForWidth(label->width())); // nothing is cut
    QCOMPARE(launch->mapTo(m_window.get(), QPoint(0, 0)), before);
    const auto* toasts = m_window->findChild<Toasts*>();
    const QRect place(toasts->mapTo(m_window.get(), QPoint(0, 0)), toasts->size());
    QVERIFY(place.left() > m_window->width() / 2);
    QVERIFY(place.bottom() < before.y());
    for (const QPushButton* button : m_window->findChildren<QPushButton*>()) {
        const QRect its(button->mapTo(m_window.get(), QPoint(0, 0)), button->size());
        QVERIFY2(
            !button->isVisible() || toasts->isAncestorOf(button) || !place.intersects(its), qPrintable(button->text()));
    }
}

void MainWindowTest::messagesGoAndAreKept()
{
    auto* toasts = m_window->findChild<Toasts*>();
    QCOMPARE(toasts->seconds(), 6);
    toasts->setSeconds(1);
    int undone = 0;
    m_window->showNotice(Notice::Edit, u"The partition is another one."_s, u"Undo"_s, [&undone] { ++undone; });
    for (auto* button : toasts->findChildren<QPushButton*>())
        button->setFocus();
    if (QApplication::focusWidget()) { // a person is at it
        test::quietFor(1800);
        QCOMPARE(toasts->count(), 1);
    }
    m_window->findChild<RankMapView*>()->setFocus();
    QTRY_COMPARE(toasts->count(), 0);
    QCOMPARE(toasts->messages().size(), 1);
    QCOMPARE(toasts->unread(), 1);
    toasts->act(Notice::Edit);
    QCOMPARE(undone, 1);
    m_window->clearNotice(Notice::Edit);
    toasts->act(Notice::Edit); // it is not so any more
    QCOMPARE(undone, 1);
}

/// W7: at the chip, whichever cluster it was, with the evidence and what to do; it goes when it is over.
void MainWindowTest::saysWhyAConnectionFailed()
{
    LinkInfo link;
    link.cluster = u"raven"_s; // not the design's
    link.title = u"Raven"_s;
    link.error = Error{
        Fault::LoginRefused, u"The server refused the password."_s, u"Permission denied"_s, u"Check the user name."_s};
    m_window->showLink(link);
    const auto* note = m_window->findChild<ConnectionNote*>();
    QVERIFY(note->isVisible());
    for (const QString& part : {link.title, link.error->what, link.error->detail, link.error->remedy})
        QVERIFY2(note->text().contains(part), qPrintable(note->text()));
    const auto* bar = m_window->findChild<TopBar*>();
    const int below = note->mapTo(m_window.get(), QPoint(0, 0)).y();
    QVERIFY(below >= 0 && below <= bar->height() + 8);
    QSignalSpy again(m_window.get(), &MainWindow::connectRequested);
    for (auto* button : note->findChildren<QPushButton*>()) {
        if (button->text().startsWith(u"Try again"_s))
            button->click();
    }
    QCOMPARE(again.size(), 1);
    QCOMPARE(again.first().first().toString(), u"raven"_s);
    m_window->showLink(link);
    QVERIFY(note->isVisible());
    link.error.reset();
    link.state = LinkState::Online;
    m_window->showLink(link);
    QVERIFY(!note->isVisible());
}

void MainWindowTest::connectionMenuIsShort()
{
    m_window->setRecentClusters({u"juwels_booster"_s, u"raven"_s});
    auto* bar = m_window->findChild<TopBar*>();
    QMenu* menu = bar->chip()->menu();
    emit menu->aboutToShow();
    QStringList rows;
    for (const QAction* action : menu->actions())
        rows.append(action->isSeparator() ? u"-"_s : action->text());
    QVERIFY2(rows.size() < 8, qPrintable(rows.join(u'\n')));
    QVERIFY(rows.first().contains(u"LUMI"_s)); // the design's
    QVERIFY2(rows.join(u'\n').contains(u"Raven"_s), qPrintable(rows.join(u'\n')));
}

void MainWindowTest::showsTheConnection()
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

void MainWindowTest::countsWhatItCosts()
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

void MainWindowTest::sendsFileIntents()
{
    QSignalSpy opened(m_window.get(), &MainWindow::openRequested);
    QSignalSpy saved(m_window.get(), &MainWindow::saveRequested);
    actionOf(u"Open …"_s)->trigger();
    actionOf(u"Save"_s)->trigger();
    QCOMPARE(opened.count(), 1);
    QCOMPARE(saved.count(), 1);
}

void MainWindowTest::letsTheReceiverKeepItOpen()
{
    connect(m_window.get(), &MainWindow::closing, m_window.get(), [](QCloseEvent* event) { event->ignore(); });
    QVERIFY(!m_window->close());
    QVERIFY(m_window->isVisible());
}

void MainWindowTest::titlesTheDocument()
{
    m_window->setDocumentTitle(u"gpt.json"_s);
    m_window->setWindowModified(true);
    QVERIFY(m_window->windowTitle().startsWith(u"gpt.json"_s));
    QVERIFY(m_window->isWindowModified());
}

void MainWindowTest::switchesTheTheme()
{
    actionOf(u"Dark"_s)->trigger();
    QVERIFY(m_theme.isDark());
    QVERIFY(actionOf(u"Dark"_s)->isChecked());
    actionOf(u"Light"_s)->trigger();
    QVERIFY(!m_theme.isDark());
}

/// What a server says of itself reaches labels and tooltips.
void MainWindowTest::textsOfServersStayPlain()
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

void MainWindowTest::keepsItsSmallestSize()
{
    QCOMPARE(m_window->minimumSize(), QSize(900, 480)); // 1920 × 1080 at twice the size, less the desktop's bars
    m_window->resize(10, 10);
    QApplication::processEvents();
    // Nothing inside may ask for more than the smallest window has.
    QCOMPARE(m_window->size(), QSize(900, 480));
    QVERIFY(m_window->minimumSizeHint().width() <= 900);
    QVERIFY(m_window->minimumSizeHint().height() <= 480);
}

/// W11: what was pressed and goes away leaves the focus in its page; Launch and Dry run have keys.
void MainWindowTest::keepsTheFocusInThePage()
{
    QApplication::setActiveWindow(m_window.get());
    auto* page = m_window->pages().design;
    auto* gone = new QPushButton(u"Fix"_s, page->findChild<VerdictBar*>());
    gone->show();
    gone->setFocus();
    QTRY_VERIFY(gone->hasFocus());
    gone->deleteLater();
    QTRY_VERIFY(m_window->focusWidget() && m_window->focusWidget() != gone);
    QTRY_VERIFY(page->isAncestorOf(m_window->focusWidget()));
    m_window->focusWidget()->setEnabled(false);
    QTRY_VERIFY(
        m_window->focusWidget() && m_window->focusWidget()->isEnabled() && page->isAncestorOf(m_window->focusWidget()));
    QCOMPARE(actionOf(u"Launch"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_F5));
    QCOMPARE(actionOf(u"Dry run"_s)->shortcut(), QKeySequence(Qt::SHIFT | Qt::Key_F5));
    m_window->findChild<VerdictBar*>()->setLaunchBlocked(u"Not connected to LUMI."_s);
    actionOf(u"Launch"_s)->trigger(); // is off: says why
    QVERIFY(!m_window->findChild<Toasts*>()->textOf(Notice::Launch).isEmpty());
}

void MainWindowTest::repaintsWithTheTheme_data()
{
    QTest::addColumn<int>("nodes");
    QTest::newRow("full") << 1;
    QTest::newRow("compact") << 16;
    QTest::newRow("dense") << 1024;
}

/// Every level of detail shows the ranks' colour on the background of the present theme, not of the one it was built
/// under.
void MainWindowTest::repaintsWithTheTheme()
{
    QFETCH(int, nodes);
    m_design->edit(u"Nodes"_s, [nodes](JobSpec& spec) { spec.resources.nodes = nodes; });
    for (const bool dark : {false, true, false}) {
        m_theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        const QImage image = m_window->findChild<RankMapView*>()->viewport()->grab().toImage();
        QCOMPARE(image.pixelColor(1, image.height() - 2),
            Theme::colour(Theme::Token::Panel, dark ? Theme::Scheme::Dark : Theme::Scheme::Light));
        int coloured = 0;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2)
                coloured += image.pixelColor(x, y) == Theme::category(0) ? 1 : 0;
        }
        QVERIFY2(coloured > 200, qPrintable(QString::number(coloured)));
    }
}

void MainWindowTest::showsTheClassThatIsAttended()
{
    auto* chip = m_window->findChild<QPushButton*>(u"classChip"_s);
    QVERIFY(chip && !chip->isVisible());
    m_window->resize(1280, 800);
    m_window->setClass(u"A & B <b>course</b> "_s + QString(200, u'x'), u"signed, key known"_s);
    QVERIFY(chip->isVisible());
    QVERIFY(chip->text().contains(u"&&"_s)); // no mnemonic of somebody else's
    QVERIFY(chip->width() < 260);
    QVERIFY(chip->accessibleName().contains(u"signed, key known"_s));
    QVERIFY(!chip->toolTip().contains(u"<b>"_s)); // as it is, never as rich text
    m_window->showPage(MainWindow::Page::Live);
    chip->click();
    QCOMPARE(m_window->page(), MainWindow::Page::Design);
    m_window->resize(1024, 700);
    QTRY_VERIFY(!chip->isVisible()); // the bar has no room
    m_window->resize(1280, 800);
    m_window->setClass({}, {});
    QTRY_VERIFY(!chip->isVisible());
}

void MainWindowTest::offersTheClassesThatCameWithTheProgram()
{
    m_window->setShippedClasses([] { return MainWindow::ShippedClasses{{u"one"_s, u"First course"_s}}; });
    QSignalSpy wanted(m_window.get(), &MainWindow::shippedClassRequested);
    QAction* menu = actionOf(u"Practise with a class"_s);
    QVERIFY(menu && menu->menu());
    emit menu->menu()->aboutToShow();
    emit menu->menu()->aboutToShow(); // again: not twice
    QCOMPARE(menu->menu()->actions().size(), 1);
    menu->menu()->actions().first()->trigger();
    QCOMPARE(wanted.value(0).value(0).toString(), u"one"_s);
    QSignalSpy file(m_window.get(), &MainWindow::classFileRequested);
    actionOf(u"Open a class file …"_s)->trigger();
    QCOMPARE(file.size(), 1);
    QSignalSpy teaching(m_window.get(), &MainWindow::teachingRequested);
    actionOf(u"Classes for teachers …"_s)->trigger();
    QCOMPARE(teaching.size(), 1);
    // A teacher looks in File: by the keys that stand there, too.
    QApplication::setActiveWindow(m_window.get());
    QSignalSpy made(m_window.get(), &MainWindow::newClassRequested);
    QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(made.size(), 1);
    QSignalSpy edited(m_window.get(), &MainWindow::classEditRequested);
    QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(edited.size(), 1);
    for (const QString& text : {u"New class …"_s, u"Edit a class file …"_s})
        QVERIFY(actionOf(text) && !actionOf(text)->shortcut().isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(MainWindowTest)
#include "tst_mainwindow.moc"

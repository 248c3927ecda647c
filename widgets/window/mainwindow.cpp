// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/mainwindow.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/wheelguard.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/design/designpage.h"
#include "widgets/design/verdictbar.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/plan/planpage.h"
#include "widgets/window/connectionnote.h"
#include "widgets/window/messagelist.h"
#include "widgets/window/pageframe.h"
#include "widgets/window/shortcutlist.h"
#include "widgets/window/topbar.h"

#include <QActionGroup>
#include <QApplication>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QCloseEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr int navigationWidth = 68;
// A screen of 1920 × 1080 at twice the size, less the desktop's own bars.
constexpr QSize smallest{900, 480};
constexpr QSize usual{1280, 800};
constexpr int pagesInAll = int(MainWindow::Page::Guide) + 1;

/// The one file of this machine that is dragged; empty: something else, or several.
QString draggedFile(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 ? urls.first().toLocalFile() : QString();
}

/// Tab reaches it.
bool isStop(const QWidget* one)
{
    return one->isVisible() && one->isEnabled() && (one->focusPolicy() & Qt::TabFocus) && !one->focusProxy();
}

/// The first widget within `area` that Tab reaches; null: none.
QWidget* firstStop(QWidget* area)
{
    const QList<QWidget*> all = area->findChildren<QWidget*>();
    const auto found = std::find_if(all.cbegin(), all.cend(), isStop);
    return found == all.cend() ? nullptr : *found;
}

/// All that Tab reaches within `area`, in the order of the focus chain from where the area wants it to begin. Qt's
/// chain may be several rings after widgets were moved: whatever another ring holds comes behind.
void addStops(QWidget* area, const QWidget* window, QList<QWidget*>& stops)
{
    QWidget* first = area->focusProxy() ? area->focusProxy() : area;
    QSet<const QWidget*> seen;
    for (QWidget* begin : QList<QWidget*>{first} + area->findChildren<QWidget*>()) {
        for (QWidget* at = begin; at && !seen.contains(at); at = at->nextInFocusChain()) {
            seen.insert(at);
            if (area->isAncestorOf(at) && at->window() == window && isStop(at))
                stops.append(at);
        }
    }
}
} // namespace

MainWindow::MainWindow(Design& design, Theme& theme, const Pages& pages, QWidget* parent)
    : QMainWindow(parent), m_design(design), m_theme(theme), m_given(pages)
{
    setWindowIcon(brandIcon());
    setMinimumSize(smallest);
    new WheelGuard(this);
    resize(usual);
    m_topBar = new TopBar(design.catalogue(), this);
    setMenuWidget(m_topBar);
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    column->addLayout(row, 1);
    buildNavigation(row);
    m_pages = new QStackedWidget(centre);
    const std::array<QWidget*, 5> given{pages.design, pages.plan, pages.jobs, pages.live, pages.clusters};
    for (QWidget* page : given)
        m_pages->addWidget(new PageFrame(page ? page : new QWidget(m_pages), m_pages));
    while (m_pages->count() < pagesInAll)
        m_pages->addWidget(new PageFrame(new QWidget(m_pages), m_pages));
    row->addWidget(m_pages, 1);
    setCentralWidget(centre);
    buildMessages(centre);
    buildMenus(m_topBar->menuBar());
    connect(m_topBar, &TopBar::connectRequested, this, &MainWindow::connectRequested);
    connect(m_topBar, &TopBar::disconnectRequested, this, &MainWindow::disconnectRequested);
    connect(m_topBar, &TopBar::clustersRequested, this, [this] { showPage(Page::Clusters); });
    connect(m_topBar, &TopBar::classRequested, this, [this] { showPage(Page::Design); });
    connect(&m_design, &Design::changed, this, &MainWindow::refresh);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) { followFocus(now); });
    setAcceptDrops(true);
    showPage(Page::Design);
    m_navigation->button(0)->setFocus();
    setDocumentTitle({});
    refresh();
}

// Before its parts go: their focus moves once more.
MainWindow::~MainWindow() { disconnect(qApp, nullptr, this, nullptr); }

void MainWindow::buildMessages(QWidget* centre)
{
    m_toasts = new Toasts(centre);
    connect(m_topBar, &TopBar::messagesRequested, this, [this](const QWidget* anchor) {
        auto* list = new MessageList(*m_toasts, this);
        list->openBelow(*anchor);
        m_toasts->markRead();
    });
    connect(m_toasts, &Toasts::changed, this, [this] { m_topBar->setUnread(m_toasts->unread()); });
    m_connection = new ConnectionNote(*m_topBar->chip(), centre);
    connect(m_connection, &ConnectionNote::retryClicked, this, &MainWindow::connectRequested);
    connect(m_connection, &ConnectionNote::clustersClicked, this, [this](const QString& cluster) {
        m_given.clusters->selectCluster(cluster);
        showPage(Page::Clusters);
    });
    if (auto* verdict = m_given.design ? m_given.design->findChild<VerdictBar*>() : nullptr)
        verdict->installEventFilter(this);
}

/// No message lies over Launch, nor over a page's bar of buttons.
void MainWindow::clearRoom()
{
    const QWidget* bar = page() == Page::Design && m_given.design
        ? m_given.design->findChild<VerdictBar*>()
        : m_pages->currentWidget()->findChild<QWidget*>(u"bottomBar"_s);
    m_toasts->setClearance(bar ? bar->height() : 0);
    QEvent changed(QEvent::LayoutRequest); // another page lies below them
    QCoreApplication::sendEvent(m_toasts, &changed);
}

void MainWindow::setPage(Page page, QWidget* widget)
{
    const int index = int(page);
    const bool isShown = m_pages->currentIndex() == index;
    QWidget* before = m_pages->widget(index);
    m_pages->insertWidget(index, new PageFrame(widget, m_pages));
    m_pages->removeWidget(before);
    before->deleteLater();
    if (isShown)
        m_pages->setCurrentIndex(index);
    if (auto* bar = widget->findChild<QWidget*>(u"bottomBar"_s))
        bar->installEventFilter(this);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        clearRoom();
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::buildNavigation(QHBoxLayout* row)
{
    auto* strip = new QWidget(this);
    m_strip = strip;
    strip->setProperty("strip", true);
    strip->setAttribute(Qt::WA_StyledBackground);
    strip->setFixedWidth(navigationWidth);
    auto* column = new QVBoxLayout(strip);
    column->setContentsMargins(0, 8, 0, 8);
    column->setSpacing(2);
    m_navigation = new QButtonGroup(this);
    const std::array<std::pair<QString, QString>, 5> entries{{{u"design"_s, tr("Design")}, {u"plan"_s, tr("Plan")},
        {u"jobs"_s, tr("Jobs")}, {u"live"_s, tr("Live")}, {u"clusters"_s, tr("Clusters")}}};
    for (int i = 0; i < int(entries.size()); ++i) {
        const auto& [icon, title] = entries.at(size_t(i));
        auto* button = new QToolButton(strip);
        button->setIcon(lineIcon(icon));
        button->setIconSize(QSize(20, 20));
        button->setText(title);
        button->setAccessibleName(tr("%1 page").arg(title));
        button->setToolTip(tr("%1 (Ctrl+%2)").arg(title).arg(i + 1));
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setProperty("navigation", true);
        button->setFixedSize(navigationWidth, 52);
        m_navigation->addButton(button, i);
        column->addWidget(button);
    }
    column->addStretch(1);
    connect(m_navigation, &QButtonGroup::idClicked, this, [this](int id) { showPage(Page(id)); });
    row->addWidget(strip);
    row->addWidget(makeLine(Qt::Vertical, this));
}

/// A button that goes away, or is off, when it was pressed must not throw the focus out of the page.
void MainWindow::followFocus(QWidget* now)
{
    if (now && m_pages->isAncestorOf(now)) {
        m_focusPath.clear();
        for (QWidget* at = now; at && at != m_pages; at = at->parentWidget())
            m_focusPath.append(at);
        return;
    }
    if (now && now->window() != this)
        return; // a dialog gives it back
    QTimer::singleShot(0, this, [this, page = m_pages->currentIndex(), path = m_focusPath] {
        const bool outside = !focusWidget() || !m_pages->isAncestorOf(focusWidget());
        if (!outside || path.isEmpty() || m_pages->currentIndex() != page)
            return;
        if (path.first() && path.first()->isVisible() && path.first()->isEnabled())
            return; // somebody left it
        for (const QPointer<QWidget>& area : path) {
            QWidget* stop = area && area->isVisible() ? firstStop(area) : nullptr;
            if (stop) {
                stop->setFocus(Qt::OtherFocusReason);
                return;
            }
        }
    });
}

QList<QWidget*> MainWindow::tabStops() const
{
    QList<QWidget*> stops;
    addStops(m_topBar, this, stops);
    addStops(m_strip, this, stops);
    addStops(static_cast<PageFrame*>(m_pages->currentWidget())->page(), this, stops);
    addStops(m_connection, this, stops);
    addStops(m_toasts, this, stops);
    return stops;
}

/// Tab goes round the whole window: top bar, navigation, page, messages.
bool MainWindow::focusNextPrevChild(bool next)
{
    const QList<QWidget*> stops = tabStops();
    if (stops.isEmpty())
        return false;
    const qsizetype here = stops.indexOf(focusWidget());
    if (QWidget* from = here < 0 ? focusWidget() : nullptr) { // a text that was clicked: on from there
        for (QWidget* at = from;;) {
            at = next ? at->nextInFocusChain() : at->previousInFocusChain();
            if (!at || at == from)
                break;
            if (stops.contains(at)) {
                at->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
                return true;
            }
        }
    }
    const qsizetype there = here < 0 ? (next ? 0 : stops.size() - 1) : here + (next ? 1 : -1);
    stops.at((there + stops.size()) % stops.size())->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void MainWindow::focusPage()
{
    QWidget* page = m_pages->currentWidget();
    QWidget* last = page->focusWidget();
    const bool holds = last && last != page && last->isVisible() && last->isEnabled();
    if (QWidget* stop = holds ? last : firstStop(page))
        stop->setFocus(Qt::OtherFocusReason);
}

void MainWindow::buildMenus(QMenuBar* bar)
{
    buildFileMenu(bar);
    buildEditMenu(bar);
    buildJobMenu(bar);
    buildViewMenu(bar);
    buildHelpMenu(bar);
}

void MainWindow::buildFileMenu(QMenuBar* bar)
{
    QMenu* menu = bar->addMenu(tr("&File"));
    const auto add = [this, menu](const QString& icon, const QString& text, QKeySequence::StandardKey key,
                         void (MainWindow::*intent)()) {
        auto* action = menu->addAction(lineIcon(icon), text);
        action->setShortcut(key);
        connect(action, &QAction::triggered, this, intent);
    };
    add(u"new"_s, tr("&New design"), QKeySequence::New, &MainWindow::newRequested);
    add(u"open"_s, tr("&Open …"), QKeySequence::Open, &MainWindow::openRequested);
    connect(menu->addAction(tr("New &window")), &QAction::triggered, this, &MainWindow::newWindowRequested);
    connect(menu->addAction(tr("Open a &job file …")), &QAction::triggered, this, &MainWindow::jobFileRequested);
    QMenu* recent = menu->addMenu(lineIcon(u"open"_s), tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    add(u"save"_s, tr("&Save"), QKeySequence::Save, &MainWindow::saveRequested);
    add(u"save"_s, tr("Save &as …"), QKeySequence::SaveAs, &MainWindow::saveAsRequested);
    auto* script = menu->addAction(lineIcon(u"save"_s), tr("Save the &batch script …"));
    connect(script, &QAction::triggered, this, &MainWindow::saveScriptRequested);
    m_rewrite = menu->addAction(lineIcon(u"design"_s), tr("Re&write as a Rankwright design …"));
    m_rewrite->setEnabled(false);
    connect(m_rewrite, &QAction::triggered, this, &MainWindow::rewriteRequested);
    menu->addSeparator();
    auto* made = menu->addAction(lineIcon(u"mortarboard"_s), tr("New &class …"));
    made->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N));
    connect(made, &QAction::triggered, this, &MainWindow::newClassRequested);
    auto* edited = menu->addAction(lineIcon(u"mortarboard"_s), tr("&Edit a class file …"));
    edited->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    connect(edited, &QAction::triggered, this, &MainWindow::classEditRequested);
    menu->addSeparator();
    auto* quit = menu->addAction(lineIcon(u"quit"_s), tr("&Quit"));
    quit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q)); // QKeySequence::Quit is empty on some desktops
    connect(quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::setCanRewrite(bool can) { m_rewrite->setEnabled(can); }

void MainWindow::fillRecent(QMenu& menu)
{
    menu.clear();
    const QStringList paths = m_recent ? m_recent() : QStringList();
    for (const QString& path : paths) {
        QAction* action = menu.addAction(QFileInfo(path).fileName());
        action->setToolTip(unfoldedToolTip(path));
        connect(action, &QAction::triggered, this, [this, path] { emit recentRequested(path); });
    }
    if (paths.isEmpty())
        menu.addAction(tr("Nothing has been opened yet"))->setEnabled(false);
    menu.setToolTipsVisible(true);
}

void MainWindow::buildEditMenu(QMenuBar* bar)
{
    QMenu* menu = bar->addMenu(tr("&Edit"));
    m_undo = menu->addAction(lineIcon(u"undo"_s), tr("&Undo"));
    m_undo->setShortcut(QKeySequence::Undo);
    connect(m_undo, &QAction::triggered, this, [this] { m_design.undo(); });
    m_redo = menu->addAction(lineIcon(u"redo"_s), tr("&Redo"));
    m_redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    connect(m_redo, &QAction::triggered, this, [this] { m_design.redo(); });
}

void MainWindow::buildJobMenu(QMenuBar* bar)
{
    QMenu* menu = bar->addMenu(tr("&Job"));
    auto* rehearse = menu->addAction(tr("&Dry run"));
    rehearse->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F5));
    connect(rehearse, &QAction::triggered, this, [this] { pressDesignButton(u"rehearse"_s); });
    auto* launch = menu->addAction(lineIcon(u"play"_s), tr("&Launch"));
    launch->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F5));
    connect(launch, &QAction::triggered, this, [this] { pressDesignButton(u"launch"_s); });
    menu->addSeparator();
    connect(menu->addAction(tr("&Upload files …")), &QAction::triggered, this, &MainWindow::uploadRequested);
    connect(menu->addAction(tr("&Files on the cluster …")), &QAction::triggered, this, &MainWindow::filesRequested);
}

/// A button of the Design page; one that is off says why.
void MainWindow::pressDesignButton(const QString& name)
{
    auto* button = m_given.design->findChild<QPushButton*>(name);
    showPage(Page::Design);
    if (button->isEnabled())
        button->click();
    else
        showNotice(Notice::Launch, button->toolTip());
}

void MainWindow::buildViewMenu(QMenuBar* bar)
{
    QMenu* menu = bar->addMenu(tr("&View"));
    m_view = menu;
    const std::array<QString, 5> names{tr("&Design"), tr("&Plan"), tr("&Jobs"), tr("&Live"), tr("&Clusters")};
    const std::array<QString, 5> icons{u"design"_s, u"plan"_s, u"jobs"_s, u"live"_s, u"clusters"_s};
    for (int i = 0; i < int(names.size()); ++i) {
        auto* action = menu->addAction(lineIcon(icons.at(size_t(i))), names.at(size_t(i)));
        action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)));
        connect(action, &QAction::triggered, this, [this, i] { showPage(Page(i)); });
    }
    menu->addSeparator();
    QMenu* look = menu->addMenu(lineIcon(u"theme"_s), tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::array<std::pair<QString, Theme::Mode>, 4> modes{
        {{tr("As the &desktop"), Theme::Mode::System}, {tr("&Light"), Theme::Mode::Light},
            {tr("D&ark"), Theme::Mode::Dark}, {tr("&High contrast"), Theme::Mode::HighContrast}}};
    for (const auto& [title, mode] : modes) {
        auto* action = look->addAction(title);
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, mode = mode] { m_theme.setMode(mode); });
        const auto follow = [this, action, mode = mode] { action->setChecked(m_theme.mode() == mode); };
        connect(&m_theme, &Theme::changed, action, follow);
        follow();
    }
    auto* still = menu->addAction(tr("Still &pictures"));
    still->setToolTip(tr("Moving pictures stand still, and advance step by step"));
    still->setCheckable(true);
    still->setChecked(m_theme.reducedMotion());
    connect(still, &QAction::toggled, &m_theme, &Theme::setReducedMotion);
}

void MainWindow::buildHelpMenu(QMenuBar* bar)
{
    QMenu* menu = bar->addMenu(tr("&Help"));
    connect(menu->addAction(tr("&Welcome")), &QAction::triggered, this, &MainWindow::welcomeRequested);
    connect(menu->addAction(tr("My &first job")), &QAction::triggered, this, &MainWindow::guideRequested);
    auto* words = menu->addAction(tr("&Words and questions"));
    words->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F1));
    connect(words, &QAction::triggered, this, &MainWindow::wordsRequested);
    connect(menu->addAction(tr("Help me &log in …")), &QAction::triggered, this, &MainWindow::loginHelpRequested);
    menu->addSeparator();
    buildClassMenu(menu);
    menu->addSeparator();
    auto* keys = menu->addAction(lineIcon(u"keyboard"_s), tr("&Keyboard shortcuts"));
    keys->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Question)); // F1 explains what has the focus
    connect(keys, &QAction::triggered, this, [this] {
        auto* list = new ShortcutList(this);
        list->setAttribute(Qt::WA_DeleteOnClose);
        list->open();
    });
    auto* about = menu->addAction(lineIcon(u"about"_s), tr("&About Rankwright"));
    connect(about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::buildClassMenu(QMenu* menu)
{
    connect(menu->addAction(lineIcon(u"mortarboard"_s), tr("Open a &class file …")), &QAction::triggered, this,
        &MainWindow::classFileRequested);
    QMenu* shipped = menu->addMenu(tr("&Practise with a class"));
    connect(shipped, &QMenu::aboutToShow, this, [this, shipped] {
        shipped->clear();
        const ShippedClasses classes = m_classes ? m_classes() : ShippedClasses();
        for (const auto& [name, title] : classes)
            connect(shipped->addAction(title), &QAction::triggered, this,
                [this, name = name] { emit shippedClassRequested(name); });
        if (classes.isEmpty())
            shipped->addAction(tr("None came with this program"))->setEnabled(false);
    });
    connect(menu->addAction(tr("Classes for &teachers …")), &QAction::triggered, this, &MainWindow::teachingRequested);
}

void MainWindow::setClass(const QString& title, const QString& trust) { m_topBar->setClass(title, trust); }

void MainWindow::showAbout()
{
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("About Rankwright"));
    box->setIconPixmap(iconPixmap(u"rankwright"_s, Qt::black, 64, devicePixelRatioF()));
    box->setText(u"<b>Rankwright %1</b>"_s.arg(QLatin1String(RANKWRIGHT_VERSION)));
    box->setInformativeText(
        tr("Design, launch and watch distributed GPU training jobs on Slurm clusters.\n\n"
           "Free software under the GNU General Public License, version 3 or later: you may use, study, share "
           "and improve it. It comes without any warranty.\n\n"
           "Built with Qt, libssh, QScintilla and QCustomPlot."));
    // open(), not exec(): a nested event loop would let the design change below a blocked caller.
    box->open();
}

void MainWindow::refresh()
{
    m_undo->setEnabled(m_design.canUndo());
    m_redo->setEnabled(m_design.canRedo());
    m_undo->setText(m_design.canUndo() ? tr("&Undo %1").arg(m_design.undoLabel()) : tr("&Undo"));
    m_redo->setText(m_design.canRedo() ? tr("&Redo %1").arg(m_design.redoLabel()) : tr("&Redo"));
    m_topBar->setCluster(m_design.spec().cluster, m_design.derived().resolved.account);
    setWindowModified(m_design.isModified());
}

/// Of a page without a button, none is pressed.
void MainWindow::markPage(int index)
{
    QAbstractButton* its = m_navigation->button(index);
    m_navigation->setExclusive(its != nullptr);
    if (its)
        its->setChecked(true);
    else if (QAbstractButton* checked = m_navigation->checkedButton())
        checked->setChecked(false);
}

void MainWindow::showPage(Page page)
{
    const int index = int(page);
    markPage(index);
    if (m_pages->currentIndex() == index && m_pages->isVisible())
        return;
    const bool hadFocus = focusWidget() && m_pages->isAncestorOf(focusWidget());
    m_pages->setCurrentIndex(index);
    if (hadFocus)
        focusPage();
    clearRoom();
    // The page gives the focus back to what had it there; that may be gone from view since.
    const QWidget* focus = focusWidget();
    if (isVisible() && (!focus || !focus->isVisible() || !focus->isEnabled())) {
        if (QAbstractButton* its = m_navigation->button(index))
            its->setFocus(Qt::OtherFocusReason);
        else
            focusPage();
    }
    emit pageShown(page);
}

MainWindow::Page MainWindow::page() const { return Page(m_pages->currentIndex()); }

void MainWindow::showLink(const LinkInfo& link)
{
    m_topBar->showLink(link);
    const NoticeKey key{Notice::Connection, link.cluster + u"/why"_s};
    if (!link.error) {
        m_connection->showLink(link);
        clearNotice(key);
        return;
    }
    // The Clusters page says the same where one clicked there.
    if (page() == Page::Clusters && m_given.clusters && m_given.clusters->selectedCluster() == link.cluster)
        return;
    // The guide says it at the step that needs the cluster: no note lies over its answers unasked.
    if (page() == Page::Guide && link.activity.isEmpty())
        updateNotice(key, tr("Not connected to %1.").arg(link.title), tr("Why?"),
            [this, link] { m_connection->showLink(link); });
    else
        m_connection->showLink(link);
}

void MainWindow::setRecentClusters(const QStringList& clusters) { m_topBar->setRecents(clusters); }

void MainWindow::showNotice(
    const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action)
{
    m_toasts->showNotice(key, text, actionText, action);
}

void MainWindow::updateNotice(
    const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action)
{
    m_toasts->updateNotice(key, text, actionText, action);
}

void MainWindow::addNotice(const NoticeKey& key, const QString& text) { m_toasts->addNotice(key, text); }

void MainWindow::clearNotice(const NoticeKey& key) { m_toasts->clearNotice(key); }

void MainWindow::setDocumentTitle(const QString& title)
{
    setWindowTitle(u"%1[*] — Rankwright"_s.arg(title.isEmpty() ? tr("New design") : title));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!draggedFile(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString file = draggedFile(*event->mimeData());
    if (file.isEmpty())
        return;
    event->acceptProposedAction();
    emit fileDropped(file);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    event->accept();
    emit closing(event);
}

} // namespace rankwright

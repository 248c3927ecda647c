// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/linkinfo.h"
#include "models/script/document/design.h"
#include "widgets/base/toasts.h"

#include <QMainWindow>
#include <QPointer>

class QAction;
class QButtonGroup;
class QHBoxLayout;
class QMenu;
class QMenuBar;
class QStackedWidget;

namespace rankwright {

class ClustersPage;
class ConnectionNote;
class DesignPage;
class JobsPage;
class LivePage;
class PlanPage;
class Theme;
class TopBar;

/// The frame: top bar (brand, connection chip, account, cost of the connection), navigation on the left, pages, menus,
/// shortcuts, messages. Owns the page widgets that it is given (Qt parent). Sends intents; decides nothing.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// The last two have no button in the navigation: one begins there, or comes back by Help.
    enum class Page { Design, Plan, Jobs, Live, Clusters, Welcome, Guide };
    struct Pages {
        DesignPage* design = nullptr;
        JobsPage* jobs = nullptr;
        LivePage* live = nullptr;
        ClustersPage* clusters = nullptr;
        PlanPage* plan = nullptr;
    };

    MainWindow(Design& design, Theme& theme, const Pages& pages, QWidget* parent = nullptr);

    ~MainWindow() override;

    const Pages& pages() const { return m_given; }
    /// Gives a page its widget (owned from then on) when it is first wanted: a page that is not opened costs no time at
    /// start.
    void setPage(Page page, QWidget* widget);
    void showPage(Page page);
    Page page() const;
    /// For entries that controllers of the window add to it, each with what it does.
    QMenu* viewMenu() const { return m_view; }
    void showLink(const LinkInfo& link);
    /// Clusters that were connected to before, newest first.
    void setRecentClusters(const QStringList& clusters);
    /// A message at the lower right, with one action or none; a later notice with the same key replaces it.
    /// Whether there is a script that could be rewritten as a design.
    void setCanRewrite(bool can);
    void showNotice(const NoticeKey& key, const QString& text, const QString& actionText = {},
        const std::function<void()>& action = {});
    /// The same message with another text: it is not shown again.
    void updateNotice(const NoticeKey& key, const QString& text, const QString& actionText = {},
        const std::function<void()>& action = {});
    /// For the list of messages alone: it is shown elsewhere.
    void addNotice(const NoticeKey& key, const QString& text);
    void clearNotice(const NoticeKey& key);
    /// What File > Open recent offers: asked when the menu is opened.
    void setRecent(const std::function<QStringList()>& recent) { m_recent = recent; }
    /// The class that is attended, in the top bar; empty title: none.
    void setClass(const QString& title, const QString& trust);
    /// What Help > Practise with a class offers: name and title each; asked when the menu is opened.
    using ShippedClasses = QList<std::pair<QString, QString>>;
    void setShippedClasses(const std::function<ShippedClasses()>& classes) { m_classes = classes; }
    void setDocumentTitle(const QString& title);

signals:
    void welcomeRequested();
    void guideRequested();
    void wordsRequested(); ///< the glossary
    void loginHelpRequested(); ///< with the first login on the cluster that is shown
    void classFileRequested(); ///< to be asked for
    void shippedClassRequested(const QString& name);
    void teachingRequested(); ///< classes for teachers
    void newClassRequested(); ///< by its teacher
    void classEditRequested(); ///< of a file that its teacher chooses
    void uploadRequested();
    void filesRequested(); ///< of the design's cluster
    void newRequested();
    void newWindowRequested(); ///< one more on the same data
    void openRequested();
    void jobFileRequested(); ///< to be opened, and asked for
    void saveRequested();
    void saveAsRequested();
    void saveScriptRequested(); ///< the batch script alone
    void rewriteRequested(); ///< of an author's script as a design
    void recentRequested(const QString& path);
    void connectRequested(const QString& cluster);
    void disconnectRequested(const QString& cluster);
    void pageShown(rankwright::MainWindow::Page page);
    void fileDropped(const QString& path); ///< one file of this machine was dropped on the window
    void closing(QCloseEvent* event); ///< the receiver may ignore() it

protected:
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildNavigation(QHBoxLayout* row);
    void buildMessages(QWidget* centre);
    void clearRoom();
    void markPage(int index);
    void buildMenus(QMenuBar* bar);
    void buildFileMenu(QMenuBar* bar);
    void fillRecent(QMenu& menu);
    void buildEditMenu(QMenuBar* bar);
    void buildJobMenu(QMenuBar* bar);
    void buildViewMenu(QMenuBar* bar);
    void pressDesignButton(const QString& name);
    void followFocus(QWidget* now);
    void focusPage();
    QList<QWidget*> tabStops() const;
    void buildHelpMenu(QMenuBar* bar);
    void buildClassMenu(QMenu* menu);
    void refresh();
    void showAbout();

    Design& m_design;
    Theme& m_theme;
    const Pages m_given;
    TopBar* m_topBar = nullptr;
    Toasts* m_toasts = nullptr;
    ConnectionNote* m_connection = nullptr;
    QStackedWidget* m_pages = nullptr;
    QList<QPointer<QWidget>> m_focusPath; ///< what had the focus last within the page, and what holds it, outwards
    QWidget* m_strip = nullptr; ///< holds the navigation
    QButtonGroup* m_navigation = nullptr;
    QMenu* m_view = nullptr;
    std::function<QStringList()> m_recent;
    std::function<ShippedClasses()> m_classes;
    QAction* m_rewrite = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
};

} // namespace rankwright

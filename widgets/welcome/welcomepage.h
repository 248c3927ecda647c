// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/templates/designtemplates.h"
#include "models/planner/templates/recentdesign.h"
#include "widgets/welcome/welcomevalues.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace rankwright {

class ClassStrip;
class ScrollPage;
class TileLayout;
class WayCard;

/// The first page: three ways to begin, a class file, designs of late, templates. Enter takes the first way (on with
/// a guided job that was left), 1 to 4 reach the ways and the class file. Shows values that it is given and sends what
/// was chosen; its contents are built when it is shown for the first time.
class WelcomePage final : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(QWidget* parent = nullptr);

    void setFacts(const WelcomeFacts& facts);
    /// What this start has to say, above everything.
    void setNotes(const QList<WelcomeNote>& notes);
    /// Newest first; none: this part is hidden, and the templates move up.
    void setDesigns(const QList<RecentDesign>& designs);
    /// For a cluster of this title. What is not offered there is named with the reason.
    void setTemplates(const QList<DesignTemplate>& templates, const QString& cluster);
    /// Whether somebody takes class files: else the page does not speak of them. At first: yes.
    void setClassFiles(bool taken);
    /// The focus on the first way.
    void focusFirst();

signals:
    void guideRequested();
    void chooseClusterRequested();
    void watchRequested();
    void classFileRequested(const QString& path); ///< empty: to be asked for
    void designRequested(const QString& path);
    void designRemoved(const QString& path); ///< is to go from the list
    void templateRequested(const QString& id);
    void allDesignsRequested();
    void noteActed(const QString& id);
    void noteOtherActed(const QString& id);
    void noteDismissed(const QString& id);
    /// It is visible: what it shows may be read now.
    void pageShown();

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    void buildHead(QVBoxLayout* column);
    void buildWays(QVBoxLayout* column);
    void buildDesigns(QVBoxLayout* column);
    void buildTemplates(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    QWidget* headOf(const QString& title, QWidget* right);
    void addKey(const QString& key, void (WelcomePage::*choice)());
    void askClassFile();
    void showFacts();
    void showNotes();
    void showDesigns();
    void showTemplates();
    void orderTabs();
    void limitWidth();

    WelcomeFacts m_facts;
    QList<WelcomeNote> m_notes;
    QList<RecentDesign> m_designs;
    QList<DesignTemplate> m_templates;
    QString m_cluster;
    ScrollPage* m_scroll = nullptr; ///< null: not built yet
    QVBoxLayout* m_column = nullptr;
    QVBoxLayout* m_noteColumn = nullptr;
    WayCard* m_learn = nullptr;
    WayCard* m_design = nullptr;
    WayCard* m_watch = nullptr;
    ClassStrip* m_class = nullptr;
    bool m_takesClassFiles = true;
    QWidget* m_designPart = nullptr;
    QPushButton* m_all = nullptr;
    TileLayout* m_designTiles = nullptr;
    QWidget* m_templatePart = nullptr;
    TileLayout* m_templateTiles = nullptr;
    QLabel* m_templateHead = nullptr;
    QLabel* m_notOffered = nullptr;
    QPushButton* m_otherCluster = nullptr;
};

} // namespace rankwright

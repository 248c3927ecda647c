// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/remote/linkinfo.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QMenu;
class QMenuBar;
class QPushButton;
class QToolButton;

namespace rankwright {

class SearchButton;

/// The bar at the top: brand, menus, the connection of the design's cluster with a menu of all clusters, the account,
/// what the connection costs the login node, and the way to the commands. Shows links; makes none.
class TopBar final : public QWidget {
    Q_OBJECT
public:
    explicit TopBar(const Catalogue& catalogue, QWidget* parent = nullptr);

    QMenuBar* menuBar() const { return m_menuBar; }
    void setCluster(const QString& name, const QString& account);
    void showLink(const LinkInfo& link);
    QString chipText() const;
    /// The class that is attended, and who stands for it; empty: none. In view where there is room.
    void setClass(const QString& title, const QString& trust);
    QPushButton* chip() const { return m_chip; }
    /// Clusters that were connected to before, newest first: they come first in the menu.
    void setRecents(const QStringList& clusters);
    /// Messages that came since the list was opened last.
    void setUnread(int messages);

signals:
    void connectRequested(const QString& cluster);
    void disconnectRequested(const QString& cluster);
    void clustersRequested();
    void messagesRequested(QWidget* anchor);
    void paletteRequested(); ///< the list of commands
    void classRequested(); ///< its exercise

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillMenu();
    void addCluster(QMenu& menu, const ClusterProfile& profile);
    void refresh();
    void makeRoom();
    LinkInfo linkOf(const QString& cluster) const;

    const Catalogue& m_catalogue;
    QHash<QString, LinkInfo> m_links;
    QString m_cluster;
    QString m_designAccount;
    QStringList m_recents;
    QString m_chipText; ///< whole, also where the chip shows the cluster alone
    QString m_chipTitle; ///< the cluster
    QLabel* m_name = nullptr;
    QMenuBar* m_menuBar = nullptr;
    QPushButton* m_chip = nullptr;
    QMenu* m_chipMenu = nullptr;
    QLabel* m_account = nullptr;
    QPushButton* m_class = nullptr;
    QLabel* m_cost = nullptr;
    SearchButton* m_search = nullptr;
    QToolButton* m_messages = nullptr;
};

/// "online", "connecting …": never the colour alone.
QString toWord(LinkState state);
/// "1 connection · 2 channels · 7.1 kB/s · 4 commands/min"; empty when not online.
QString linkCost(const LinkInfo& link);

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/remote/linkinfo.h"

#include <QHash>
#include <QWidget>

class QStackedWidget;
class QVBoxLayout;

namespace rankwright {

class ClusterCard;
class ClusterList;

/// The Clusters page: every cluster of the catalogue as a card (hardware, partitions, how one logs in, billing, quirks,
/// sources; "not published" where nothing is) with its connection; the practice cluster first, with start and stop.
class ClustersPage final : public QWidget {
    Q_OBJECT
public:
    explicit ClustersPage(const Catalogue& catalogue, QWidget* parent = nullptr);

    /// The catalogue that was given has other contents now.
    void catalogueChanged();
    void showLink(const LinkInfo& link);
    void selectCluster(const QString& name);
    QString selectedCluster() const;

signals:
    void connectRequested(const QString& cluster);
    void disconnectRequested(const QString& cluster);
    void practiceUpRequested();
    void practiceDownRequested();
    void useRequested(const QString& cluster); ///< make it the design's cluster
    void draftRequested(const QString& cluster); ///< draft an entry from a connection to it
    void loginHelpRequested(const QString& cluster); ///< help with the first login there
    void sentRequested(); ///< show what was sent to clusters
    void compareRequested(const QString& cluster); ///< show in what its entry and its Slurm differ

protected:
    void showEvent(QShowEvent* event) override;

private:
    void open(const QString& cluster);
    void showFaults();
    ClusterCard* makeCard(const ClusterProfile& profile);

    const Catalogue& m_catalogue;
    ClusterList* m_list = nullptr;
    QStackedWidget* m_cards = nullptr;
    QVBoxLayout* m_faults = nullptr; ///< notes on files that cannot be read
    QHash<QString, ClusterCard*> m_built; ///< by cluster name; built when first shown
    QHash<QString, LinkInfo> m_links;
};

} // namespace rankwright

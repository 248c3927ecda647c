// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/clusterspage.h"

#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/richtooltip.h"
#include "widgets/clusters/clustercard.h"
#include "widgets/clusters/clusterlist.h"
#include "widgets/clusters/clustertext.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

ClustersPage::ClustersPage(const Catalogue& catalogue, QWidget* parent)
    : QWidget(parent), m_catalogue(catalogue), m_list(new ClusterList(catalogue, this)),
      m_cards(new QStackedWidget(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 14, 12, 14);
    row->setSpacing(12);
    auto* listCard = new Card(tr("Clusters"), this);
    listCard->setFixedWidth(264);
    listCard->body()->addWidget(m_list, 1);
    m_faults = new QVBoxLayout;
    listCard->body()->addLayout(m_faults);
    showFaults();
    if (const QString any = QString::fromUtf16(anyClusterName); catalogue.find(any)) {
        auto* add = new QPushButton(tr("Add my cluster…"), listCard);
        add->setToolTip(tr("Log in to a cluster that is not listed: an entry is drafted from what its Slurm says"));
        listCard->body()->addWidget(add);
        connect(add, &QPushButton::clicked, this, [this, any] {
            selectCluster(any);
            emit draftRequested(any);
        });
    }
    auto* sent = new QPushButton(tr("What is sent…"), listCard);
    sent->setObjectName(u"whatIsSent"_s);
    sent->setToolTip(tr("Every command that this window sent to a cluster, with its outcome"));
    listCard->body()->addWidget(sent);
    connect(sent, &QPushButton::clicked, this, &ClustersPage::sentRequested);
    row->addWidget(listCard);
    row->addWidget(m_cards, 1);
    connect(m_list, &ClusterList::chosen, this, &ClustersPage::open);
    if (!catalogue.clusters.isEmpty())
        m_list->setCurrentIndex(m_list->model()->index(0, 0));
}

void ClustersPage::showFaults()
{
    while (QLayoutItem* item = m_faults->takeAt(0)) {
        item->widget()->hide(); // hands the keyboard on; a deleted one takes it along
        item->widget()->deleteLater();
        delete item;
    }
    // A profile that cannot be read must not vanish silently: somebody wrote it.
    for (const Error& fault : m_catalogue.faults + m_catalogue.warnings) {
        QLabel* note = makeText(fault.what, "fault", this);
        note->setToolTip(richToolTip(fault.oneLine()));
        m_faults->addWidget(note);
    }
}

void ClustersPage::catalogueChanged()
{
    for (ClusterCard* card : std::as_const(m_built)) {
        m_cards->removeWidget(card);
        card->deleteLater();
    }
    m_built.clear();
    m_list->setCatalogue(m_catalogue);
    for (const LinkInfo& link : std::as_const(m_links))
        m_list->showLink(link);
    showFaults();
    open(m_list->selected());
}

ClusterCard* ClustersPage::makeCard(const ClusterProfile& profile)
{
    auto* card = new ClusterCard(profile, m_cards);
    const QString name = profile.name;
    connect(card->link(), &LinkCard::connectClicked, this, [this, name] { emit connectRequested(name); });
    connect(card->link(), &LinkCard::disconnectClicked, this, [this, name] { emit disconnectRequested(name); });
    connect(card->link(), &LinkCard::startClicked, this, &ClustersPage::practiceUpRequested);
    connect(card->link(), &LinkCard::stopClicked, this, &ClustersPage::practiceDownRequested);
    connect(card->link(), &LinkCard::draftClicked, this, [this, name] { emit draftRequested(name); });
    connect(card->link(), &LinkCard::compareClicked, this, [this, name] { emit compareRequested(name); });
    connect(card->link(), &LinkCard::helpClicked, this, [this, name] { emit loginHelpRequested(name); });
    connect(card->link(), &LinkCard::useClicked, this, [this, name] { emit useRequested(name); });
    if (m_links.contains(name))
        card->link()->showLink(m_links.value(name));
    m_cards->addWidget(card);
    m_built.insert(name, card);
    return card;
}

/// A card is the dearest thing of the page: none is made before somebody looks.
void ClustersPage::showEvent(QShowEvent* event)
{
    open(m_list->selected());
    QWidget::showEvent(event);
}

void ClustersPage::open(const QString& cluster)
{
    if (!isVisible())
        return;
    const ClusterProfile* profile = m_catalogue.find(cluster);
    if (!profile)
        return;
    ClusterCard* card = m_built.value(cluster);
    m_cards->setCurrentWidget(card ? card : makeCard(*profile));
}

void ClustersPage::showLink(const LinkInfo& link)
{
    m_links.insert(link.cluster, link);
    m_list->showLink(link);
    if (ClusterCard* card = m_built.value(link.cluster))
        card->link()->showLink(link);
}

void ClustersPage::selectCluster(const QString& name) { m_list->select(name); }

QString ClustersPage::selectedCluster() const { return m_list->selected(); }

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The middle of the Design page: nodes or strategy, batch, price, memory and time.
#include "widgets/base/card.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/design/batchview.h"
#include "widgets/design/costview.h"
#include "widgets/design/designpage.h"
#include "widgets/design/designtext.h"
#include "widgets/design/estimatecards.h"
#include "widgets/design/strategyview.h"
#include "widgets/rankmap/rankmapview.h"

#include <QBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>

namespace rankwright {

QWidget* DesignPage::buildPicture()
{
    auto* scroll = new QScrollArea(m_stack);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(scroll);
    m_pictureColumn = new QVBoxLayout(page);
    m_pictureColumn->setContentsMargins(14, 12, 14, 12);
    m_pictureColumn->setSpacing(10);
    m_pictureColumn->addWidget(buildMap(), 1);
    m_lower = new QBoxLayout(QBoxLayout::TopToBottom);
    m_lower->setSpacing(10);
    m_lower->addWidget(buildBatch(), 3);
    m_lower->addWidget(buildCost(), 2);
    m_pictureColumn->addLayout(m_lower);
    m_pictureColumn->addWidget(buildEstimate());
    scroll->setWidget(page);
    page->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    return scroll;
}

QWidget* DesignPage::buildMap()
{
    m_mapCard = new Card(tr("Nodes"), this);
    m_map = new RankMapView(m_mapCard);
    m_map->setMinimumHeight(190);
    m_map->setToolTips([this](GpuAddress spot) {
        const RankPlace* place = m_map->dataShown().placeAt(spot);
        return place ? DesignText::rankToolTip(m_design.derived(), place->rank)
                     : DesignText::idleGpuText(m_design.derived(), spot.node, spot.gpu);
    });
    m_rankLine = makeLabel({}, "quiet", m_mapCard);
    m_rankLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rankLine->setWordWrap(true);
    m_legend = makeLabel({}, "caption", m_mapCard);
    m_legend->setWordWrap(true);
    auto* nodes = new QWidget(m_mapCard);
    auto* column = new QVBoxLayout(nodes);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    column->addWidget(m_map, 1);
    column->addWidget(m_legend);
    m_strategy = new StrategyView(m_mapCard);
    m_mapStack = new QStackedWidget(m_mapCard);
    m_mapStack->addWidget(nodes);
    m_mapStack->addWidget(m_strategy);
    m_mapTabs = new SegmentedControl({tr("Nodes"), tr("Strategy")}, m_mapCard);
    m_mapTabs->setCurrent(0);
    m_mapCard->head()->insertWidget(0, m_mapTabs);
    connect(m_mapTabs, &SegmentedControl::chosen, this, [this](int index) { showStrategy(index == 1); });
    m_mapCard->body()->addWidget(m_mapStack, 1);
    m_mapCard->body()->addWidget(m_rankLine);
    m_mapCard->body()->setSpacing(5);
    return m_mapCard;
}

void DesignPage::showStrategy(bool shown)
{
    m_mapTabs->setCurrent(shown ? 1 : 0);
    m_mapStack->setCurrentIndex(shown ? 1 : 0);
    refreshWords();
}

QWidget* DesignPage::buildEstimate()
{
    m_estimate = new EstimateCards(this);
    connect(m_estimate, &EstimateCards::modelWanted, this, [this] { focusField(field::model); });
    connect(m_estimate, &EstimateCards::layoutsWanted, this, &DesignPage::layoutsWanted);
    connect(m_estimate, &EstimateCards::remedyChosen, this, [this](int index) {
        const QList<Remedy>& remedies = m_design.derived().remedies;
        if (index < 0 || index >= remedies.size())
            return;
        const Remedy chosen = remedies.at(index); // the edit replaces the list
        m_design.edit(chosen.label, chosen.apply);
    });
    return m_estimate;
}

QWidget* DesignPage::buildBatch()
{
    m_batchCard = new Card(tr("Batch"), this);
    m_batch = new BatchView(m_batchCard);
    m_batchNote = makeLabel({}, "caption", m_batchCard);
    m_batchNote->setWordWrap(true);
    m_batchCard->body()->addWidget(m_batch, 1);
    m_batchCard->body()->addWidget(m_batchNote);
    m_batchCard->body()->setSpacing(4);
    return m_batchCard;
}

QWidget* DesignPage::buildCost()
{
    m_costCard = new Card(tr("Price"), this);
    m_cost = new CostView(m_costCard);
    m_costCard->body()->addWidget(m_cost);
    m_costCard->body()->addStretch(1);
    return m_costCard;
}

} // namespace rankwright

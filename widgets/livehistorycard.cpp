// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/livehistorycard.h"

#include "widgets/card.h"

#include <QBoxLayout>

namespace rankwright {

using namespace Qt::StringLiterals;

LiveHistoryCard::LiveHistoryCard(const GpuGridModel& grid, QWidget* parent)
    : QWidget(parent), m_grid(grid), m_card(new Card(tr("History"), this)), m_view(new GpuHistoryView(grid, m_card))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_card->setCaption(tr("last 10 min"));
    m_card->body()->addWidget(m_view, 1);
}

void LiveHistoryCard::show(std::optional<GpuAddress> gpu)
{
    m_view->show(gpu);
    if (!gpu) {
        m_card->setTitle(tr("History"));
        return;
    }
    const std::optional<int> rank = rankOf(m_grid, *gpu);
    const QString place = u"%1 · %2 %3"_s.arg(m_grid.series().nodes().value(gpu->node), m_grid.gpuWord()).arg(gpu->gpu);
    m_card->setTitle(rank ? tr("Rank %1 · %2").arg(*rank).arg(place) : place);
}

} // namespace rankwright

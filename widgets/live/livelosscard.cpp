// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livelosscard.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"

#include <QBoxLayout>

namespace rankwright {

LiveLossCard::LiveLossCard(QWidget* parent)
    : QWidget(parent), m_card(new Card(tr("Loss"), this)), m_plot(new LossPlot(m_card))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_card->body()->addWidget(m_plot, 1);
}

void LiveLossCard::setLosses(const QList<LossPoint>& losses)
{
    m_losses = losses;
    m_plot->setLosses(losses);
    refreshCaption();
}

void LiveLossCard::setMoment(std::optional<double> step)
{
    m_past = step.has_value();
    m_plot->setMoment(step);
    refreshCaption();
}

void LiveLossCard::refreshCaption()
{
    if (m_losses.isEmpty())
        m_card->setCaption({});
    else if (m_past)
        m_card->setCaption(
            tr("%1 of %2 by then").arg(m_plot->shownPoints()).arg(counted(m_losses.size(), tr("point"))));
    else
        m_card->setCaption(tr("read from the log · %1").arg(counted(m_losses.size(), tr("point"))));
}

void LiveLossCard::flush() { m_plot->flush(); }

std::optional<LossTrend> LiveLossCard::trendUntil(std::optional<double> step) const
{
    QList<LossPoint> seen = m_losses;
    seen.removeIf([step](const LossPoint& point) { return !step || point.step > *step; });
    return lossTrend(seen);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/estimatecards.h"

#include "models/planner/planning/estimatetext.h"
#include "widgets/base/card.h"
#include "widgets/design/memoryview.h"
#include "widgets/design/stepview.h"

#include <QBoxLayout>
#include <QPushButton>

namespace rankwright {

EstimateCards::EstimateCards(QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    m_memoryCard = new Card(tr("Memory of the fullest rank"), this);
    m_memory = new MemoryView(m_memoryCard);
    m_memoryCard->body()->addWidget(m_memory);
    m_memoryCard->body()->addStretch(1);
    m_stepCard = new Card(tr("Time of a step"), this);
    m_step = new StepView(m_stepCard);
    m_stepCard->body()->addWidget(m_step);
    m_stepCard->body()->addStretch(1);
    m_toStep = new QPushButton(tr("Step time"), m_memoryCard);
    m_toMemory = new QPushButton(tr("Memory"), m_stepCard);
    for (QPushButton* link : {m_toStep, m_toMemory})
        link->setProperty("link", true);
    m_memoryCard->head()->addWidget(m_toStep);
    m_stepCard->head()->addWidget(m_toMemory);
    row->addWidget(m_memoryCard, 3);
    row->addWidget(m_stepCard, 2);
    connect(m_toStep, &QPushButton::clicked, this, [this] { show(Which::Step); });
    connect(m_toMemory, &QPushButton::clicked, this, [this] { show(Which::Memory); });
    connect(m_memory, &MemoryView::modelWanted, this, &EstimateCards::modelWanted);
    connect(m_memory, &MemoryView::remedyChosen, this, &EstimateCards::remedyChosen);
    connect(m_memory, &MemoryView::layoutsWanted, this, &EstimateCards::layoutsWanted);
    arrangeCards();
}

void EstimateCards::setData(
    const Result<DesignEstimate>& estimate, const QList<Remedy>& remedies, const QString& gpuWord)
{
    m_memory->setData(estimate, remedies);
    m_step->setData(estimate, gpuWord);
    m_memoryCard->setCaption(estimate ? EstimateText::memoryCaption(*estimate) : QString());
    m_stepCard->setCaption(estimate ? EstimateText::stepCaption(*estimate) : QString());
    if (m_known != estimate.hasValue()) {
        m_known = estimate.hasValue();
        arrangeCards();
    }
}

void EstimateCards::setSideBySide(bool both)
{
    if (both == m_both)
        return;
    m_both = both;
    arrangeCards();
}

void EstimateCards::show(Which which)
{
    m_front = which;
    arrangeCards();
    const QWidget& bar = which == Which::Memory ? static_cast<const QWidget&>(m_memory->bar()) : m_step->bar();
    const_cast<QWidget&>(bar).setFocus(Qt::OtherFocusReason);
}

void EstimateCards::arrangeCards()
{
    // Without an estimate one card says why; a second one would only repeat it.
    const bool both = m_both && m_known;
    m_memoryCard->setVisible(both || !m_known || m_front == Which::Memory);
    m_stepCard->setVisible(both || (m_known && m_front == Which::Step));
    m_toStep->setVisible(!both && m_known);
    m_toMemory->setVisible(!both && m_known);
}

} // namespace rankwright

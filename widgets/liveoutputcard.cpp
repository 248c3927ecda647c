// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/liveoutputcard.h"

#include "widgets/card.h"

#include <QBoxLayout>

namespace rankwright {

LiveOutputCard::LiveOutputCard(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* card = new Card(tr("Output"), this);
    column->addWidget(card);
    m_log = new JobLogView(card);
    card->head()->addWidget(m_log->controls());
    card->body()->addWidget(m_log, 1);
}

} // namespace rankwright

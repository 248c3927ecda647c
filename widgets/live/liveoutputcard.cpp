// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/liveoutputcard.h"

#include "widgets/base/card.h"

#include <QBoxLayout>

namespace rankwright {

LiveOutputCard::LiveOutputCard(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_card = new Card(tr("Output"), this);
    column->addWidget(m_card);
    m_log = new JobLogView(m_card);
    m_card->head()->addWidget(m_log->controls());
    m_card->body()->addWidget(m_log, 1);
}

void LiveOutputCard::setTitle(const QString& title) { m_card->setTitle(title); }

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livemapcard.h"

#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/richtooltip.h"

#include <QBoxLayout>

#include <algorithm>

namespace rankwright {

namespace {

constexpr int frameHeight = 74; // head and margins
constexpr int leastHeight = 296;

} // namespace

LiveMapCard::LiveMapCard(GpuGrid& grid, QWidget* parent)
    : QWidget(parent), m_card(new Card(tr("GPUs now"), this)), m_panel(new HeatMapPanel(grid, m_card))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    // Title, then the choices at the right with the age after them, as the eye reads: what, of which kind, how old.
    m_card->head()->addWidget(m_panel->controls());
    m_card->body()->addWidget(m_panel, 1);
    connect(m_panel, &HeatMapPanel::roomChanged, this, &LiveMapCard::refresh);
}

void LiveMapCard::setGrid(const GpuGrid& grid)
{
    m_panel->setGrid(grid);
    refresh();
}

void LiveMapCard::setTitle(const QString& title, const QString& brief)
{
    m_title = title;
    m_brief = brief;
    fitTitle();
}

void LiveMapCard::fitTitle()
{
    m_card->setTitle(m_title);
    if (width() < m_card->minimumSizeHint().width())
        m_card->setTitle(m_brief);
}

/// With the brief title, whichever is shown.
QSize LiveMapCard::minimumSizeHint() const
{
    QSize least = QWidget::minimumSizeHint();
    const QHBoxLayout* head = m_card->head();
    for (int i = 0; i < head->count(); ++i) {
        const auto* label = qobject_cast<const QLabel*>(head->itemAt(i)->widget());
        if (label && !m_brief.isEmpty() && label->text() == m_card->title())
            least.rwidth() -= label->fontMetrics().horizontalAdvance(m_card->title())
                - label->fontMetrics().horizontalAdvance(m_brief);
    }
    return least;
}

void LiveMapCard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTitle();
}

void LiveMapCard::setCaption(const QString& caption, const QString& brief, const QString& explanation)
{
    const QHBoxLayout* head = m_card->head();
    const QWidget* label = nullptr;
    int room = head->geometry().width();
    for (int i = 0; i < head->count(); ++i) {
        if (const QWidget* one = qobject_cast<ElidingLabel*>(head->itemAt(i)->widget()))
            label = one;
        else
            room -= head->itemAt(i)->sizeHint().width() + head->spacing();
    }
    const bool fits = !label || label->fontMetrics().horizontalAdvance(caption) <= room;
    m_card->setCaption(fits ? caption : brief);
    m_card->setToolTip(richToolTip(fits || caption == brief ? explanation : caption + u'\n' + explanation));
}

void LiveMapCard::setMessage(const QString& message) { m_panel->setMessage(message); }

void LiveMapCard::refresh()
{
    m_panel->refresh();
    // A few nodes need little height: what is below gets the rest.
    const int height = m_panel->hasCells()
        ? std::clamp(m_panel->roomiestHeight() + frameHeight, leastHeight, QWIDGETSIZE_MAX)
        : QWIDGETSIZE_MAX;
    if (height == maximumHeight())
        return;
    setMaximumHeight(height);
    emit roomChanged();
}

} // namespace rankwright

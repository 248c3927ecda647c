// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livemapcard.h"

#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/richtooltip.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>

#include <algorithm>

namespace rankwright {

namespace {

constexpr int frameHeight = 74; // head and margins
constexpr int leastHeight = 296;

} // namespace

LiveMapCard::LiveMapCard(GpuGrid& grid, QWidget* parent)
    : QWidget(parent), m_title(tr("GPUs now")), m_brief(tr("GPUs")), m_card(new Card(m_title, this)),
      m_panel(new HeatMapPanel(grid, m_card))
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

/// The width that the card needs at least with this title, whichever is shown.
int LiveMapCard::leastWidth(const QString& title) const
{
    const int shown = fontMetricsOfTitle().horizontalAdvance(m_card->title());
    return m_card->minimumSizeHint().width() - shown + fontMetricsOfTitle().horizontalAdvance(title);
}

QFontMetrics LiveMapCard::fontMetricsOfTitle() const
{
    const QHBoxLayout* head = m_card->head();
    for (int i = 0; i < head->count(); ++i) {
        const auto* label = qobject_cast<const QLabel*>(head->itemAt(i)->widget());
        if (label && label->text() == m_card->title())
            return label->fontMetrics();
    }
    return m_card->fontMetrics();
}

/// Worked out without showing it: a title that is tried would ask for another layout, without end.
void LiveMapCard::fitTitle()
{
    const QString& title = width() < leastWidth(m_title) ? m_brief : m_title;
    if (title == m_card->title())
        return;
    m_card->setTitle(title);
    // The row's least width would be that of the other title until the next layout, and the measures be squeezed.
    m_card->head()->invalidate();
    m_card->updateGeometry();
}

QSize LiveMapCard::minimumSizeHint() const { return {leastWidth(m_brief), QWidget::minimumSizeHint().height()}; }

bool LiveMapCard::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        fitTitle(); // a choice came, went or has another word
    return done;
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

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/livemapcard.h"

#include "widgets/card.h"
#include "widgets/heatmaplegend.h"
#include "widgets/segmentedcontrol.h"

#include <QBoxLayout>
#include <QLabel>
#include <QStackedWidget>

#include <algorithm>

namespace rankwright {

namespace {

constexpr int frameHeight = 98; // head, legend, margins
constexpr int leastHeight = 296;

} // namespace

LiveMapCard::LiveMapCard(GpuGridModel& grid, QWidget* parent)
    : QWidget(parent), m_grid(grid), m_card(new Card(tr("GPUs now"), this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_measure = new SegmentedControl(
        {toText(Measure::Utilization), toText(Measure::Memory), toText(Measure::Power), toText(Measure::Temperature)},
        m_card);
    m_measure->setAccessibleName(tr("What the cells show"));
    for (int index = 0; index < m_measure->count(); ++index)
        m_measure->setSegmentToolTip(index, tr("Key %1 in the map").arg(index + 1));
    // Title, then the choice at the right with the age after it, as the eye reads: what, of which kind, how old.
    m_card->head()->addWidget(m_measure);
    m_pages = new QStackedWidget(m_card);
    m_map = new HeatMapView(m_grid, m_pages);
    m_message = makeLabel({}, "quiet", m_pages);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_pages->addWidget(m_map);
    m_pages->addWidget(m_message);
    m_legend = new HeatMapLegend(*m_map, m_card);
    m_card->body()->addWidget(m_pages, 1);
    m_card->body()->addWidget(m_legend);
    connect(m_measure, &SegmentedControl::chosen, this, [this](int index) { m_map->setMeasure(Measure(index)); });
    connect(
        m_map, &HeatMapView::measureChanged, this, [this](Measure measure) { m_measure->setCurrent(int(measure)); });
    connect(m_map, &HeatMapView::layoutChanged, this, [this] {
        m_legend->refresh();
        refresh();
    });
    m_measure->setCurrent(0);
}

void LiveMapCard::setTitle(const QString& title) { m_card->setTitle(title); }

void LiveMapCard::setCaption(const QString& caption, const QString& explanation)
{
    m_card->setCaption(caption);
    m_card->setToolTip(explanation);
}

void LiveMapCard::setMessage(const QString& message) { m_message->setText(message); }

bool LiveMapCard::hasCells() const { return m_grid.rowCount() > 0 && m_grid.columnCount() > 0; }

void LiveMapCard::refresh()
{
    m_pages->setCurrentIndex(hasCells() ? 0 : 1);
    m_legend->setVisible(hasCells());
    m_measure->setVisible(hasCells());
    // A few nodes need little height: what stands below gets the rest.
    const int height = hasCells() ? std::max(leastHeight, m_map->roomiestHeight() + frameHeight) : QWIDGETSIZE_MAX;
    if (height == maximumHeight())
        return;
    setMaximumHeight(height);
    emit roomChanged();
}

} // namespace rankwright

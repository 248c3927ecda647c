// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/gpupicture.h"

#include "widgets/base/card.h"
#include "widgets/heatmap/heatmappanel.h"
#include "widgets/heatmap/heatmapview.h"

#include <QBoxLayout>
#include <QDateTime>

#include <algorithm>

namespace rankwright {

namespace {

constexpr int beatMs = 200;
constexpr int leastHeight = 200;
constexpr int mostHeight = 420;

} // namespace

GpuPicture::GpuPicture(GpuGrid& grid, QWidget* parent) : QWidget(parent), m_grid(grid)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* card = m_card = new Card({}, this);
    column->addWidget(card);
    m_panel = new HeatMapPanel(grid, card);
    setOver(false);
    card->head()->addWidget(m_panel->controls());
    card->body()->addWidget(m_panel, 1);
    connect(m_panel, &HeatMapPanel::roomChanged, this, &GpuPicture::refresh);
    m_timer.setInterval(beatMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_grid.flush(QDateTime::currentMSecsSinceEpoch()); });
    refresh();
}

bool GpuPicture::hasGpus() const { return m_panel->hasCells(); }

void GpuPicture::setOver(bool over)
{
    m_card->setTitle(over ? tr("Its GPUs, as last seen") : tr("Its GPUs now"));
    m_panel->setMessage(over ? tr("This window has not watched them. What was recorded of them is kept.")
                             : tr("Each GPU appears here as soon as the job runs: how busy it is, second by second."));
}

void GpuPicture::refresh()
{
    m_panel->refresh();
    m_panel->setFixedHeight(
        m_panel->hasCells() ? std::clamp(m_panel->roomiestHeight(), leastHeight, mostHeight) : leastHeight);
}

void GpuPicture::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
    m_timer.start();
}

void GpuPicture::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QWidget::hideEvent(event);
}

} // namespace rankwright

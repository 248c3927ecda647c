// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the Live page shows a moment of the past instead of now.
#include "widgets/heatmapview.h"
#include "widgets/jobheader.h"
#include "widgets/livefindingscard.h"
#include "widgets/liveground.h"
#include "widgets/livehistorycard.h"
#include "widgets/livemapcard.h"
#include "widgets/livepage.h"
#include "widgets/lossplot.h"

namespace rankwright {

void LivePage::setHistory(std::shared_ptr<const TelemetryHistory> history)
{
    m_history->setHistory(std::move(history));
}

void LivePage::setOverview(const TimeOverview& overview)
{
    m_slider->setOverview(overview);
    m_history->plot().setGaps(overview.gaps);
}

void LivePage::showPast(const PastMoment& moment, GpuGridModel& grid)
{
    const bool entered = !m_past;
    m_past = moment;
    if (m_shown != &grid) {
        m_shown = &grid;
        m_map->setGrid(grid);
        m_findings->setGrid(grid);
        m_history->setGrid(grid);
    }
    if (entered) {
        m_ground->setPast(true);
        m_header->setPast(true);
        heatMap().setEnded(false);
    }
    m_history->plot().setMoment(moment.ms);
    m_loss->setMoment(moment.lossStep);
    m_loss->flush();
    refreshTitles();
    refreshHeader();
    refreshSlowly();
}

void LivePage::showLive()
{
    if (!m_past)
        return;
    m_past.reset();
    m_shown = &m_grid;
    m_map->setGrid(m_grid);
    m_findings->setGrid(m_grid);
    m_history->setGrid(m_grid);
    m_ground->setPast(false);
    m_header->setPast(false);
    heatMap().setEnded(hasFinished());
    m_history->plot().setMoment({});
    m_loss->setMoment({});
    m_loss->flush();
    refreshTitles();
    refreshHeader();
    refreshSlowly();
}

std::optional<TimeSpan> LivePage::chosenSpan() const
{
    const bool chosen = m_history->plot().range() == HistoryPlot::Range::Chosen;
    return chosen ? std::optional(m_history->plot().span()) : std::nullopt;
}

std::optional<GpuAddress> LivePage::currentGpu() const { return heatMap().current(); }

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/gpuhistoryview.h"

namespace rankwright {

class Card;

/// The Live page's card with the course of the selected GPU. Places and titles.
class LiveHistoryCard final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LiveHistoryCard)
public:
    explicit LiveHistoryCard(const GpuGridModel& grid, QWidget* parent = nullptr);

    GpuHistoryView& view() const { return *m_view; }
    void show(std::optional<GpuAddress> gpu);

private:
    const GpuGridModel& m_grid;
    Card* m_card = nullptr;
    GpuHistoryView* m_view = nullptr;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/history/historyplot.h"

class QToolButton;

namespace rankwright {

class Card;

/// The Live page's card with curves over time: of the selected GPU or its node, and of what is pinned beside it. Its
/// menu chooses measures, stretch and arrangement, and opens the same as a table. Places and titles; draws nothing
/// itself.
class LiveHistoryCard final : public QWidget {
    Q_OBJECT
public:
    static constexpr qsizetype mostPins = 6;

    explicit LiveHistoryCard(const GpuGrid& grid, QWidget* parent = nullptr);

    HistoryPlot& plot() const { return *m_plot; }
    /// Shows another grid's names and limits, such as those of a replay.
    void setGrid(const GpuGrid& grid);
    /// Null: what the grid itself still holds.
    void setHistory(std::shared_ptr<const TelemetryHistory> history);
    void showGpu(std::optional<GpuAddress> gpu);
    /// Compared with the selected GPU; more than six are cut.
    void setPins(const QList<HistorySubject>& pins);
    /// Names, ranks or limits may be others now.
    void refresh();

signals:
    void pinsCleared();

private:
    void buildMenu();
    void refreshLines();
    void refreshCaption();
    QString nameOf(const HistorySubject& subject) const;
    QString shortNameOf(const HistorySubject& subject) const;
    QString placeOf(const HistorySubject& subject) const; ///< of a GPU
    void showTable();

    const GpuGrid* m_grid;
    std::shared_ptr<const TelemetryHistory> m_own; ///< what the grid that it was made with still holds
    std::shared_ptr<const TelemetryHistory> m_history;
    std::optional<GpuAddress> m_gpu;
    QList<HistorySubject> m_pins;
    bool m_wholeNode = false;
    Card* m_card = nullptr;
    HistoryPlot* m_plot = nullptr;
    QToolButton* m_choices = nullptr;
};

} // namespace rankwright

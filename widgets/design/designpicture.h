// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/document/design.h"
#include "widgets/base/scrollpage.h"

class QBoxLayout;
class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace rankwright {

class BatchView;
class Card;
class CostView;
class EstimateCards;
class RankMapView;
class SegmentedControl;
class StrategyView;

/// The middle of the Design page: nodes or strategy, batch, price, memory and time of a step; one rank can be marked in
/// all of them. Edits the design only where a remedy is chosen.
class DesignPicture final : public ScrollPage {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DesignPicture)
public:
    explicit DesignPicture(Design& design, QWidget* parent = nullptr);

    /// To be called when the design has changed.
    void refresh();
    /// What was last shown of memory and time; without a model it says that one is needed.
    const Result<DesignEstimate>& estimate() const { return m_shown; }
    EstimateCards& estimateCards() const { return *m_estimate; }
    /// Marks a rank in all pictures; -1: none.
    void selectRank(int rank);
    int selectedRank() const { return m_rank; }
    /// The strategy as a picture instead of the nodes, and back.
    void showStrategy(bool shown);
    /// `across`: batch beside price, memory beside time; `low`: little height, the nodes come first.
    void setRoom(bool across, bool low);
    /// Another part at the foot of the column.
    void addBelow(QWidget* part);

signals:
    void modelWanted();
    void layoutsWanted();

private:
    QWidget* buildMap();
    QWidget* buildBatch();
    QWidget* buildCost();
    QWidget* buildEstimate();
    void refreshWords();
    void refreshPrice();

    Design& m_design;
    Result<DesignEstimate> m_shown = DesignEstimate();
    QList<Remedy> m_remedies; ///< as they are offered
    Card* m_mapCard = nullptr;
    RankMapView* m_map = nullptr;
    SegmentedControl* m_mapTabs = nullptr;
    QStackedWidget* m_mapStack = nullptr;
    StrategyView* m_strategy = nullptr;
    QLabel* m_rankLine = nullptr;
    QLabel* m_legend = nullptr;
    Card* m_batchCard = nullptr;
    BatchView* m_batch = nullptr;
    QLabel* m_batchNote = nullptr;
    EstimateCards* m_estimate = nullptr;
    Card* m_costCard = nullptr;
    CostView* m_cost = nullptr;
    QBoxLayout* m_lower = nullptr;
    QVBoxLayout* m_column = nullptr;
    bool m_low = false;
    int m_rank = -1;
};

} // namespace rankwright

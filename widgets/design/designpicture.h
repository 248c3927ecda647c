// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/figureedit.h"
#include "models/script/document/design.h"
#include "widgets/base/scrollpage.h"

#include <QMap>

#include <optional>

class QBoxLayout;
class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace rankwright {

class BatchView;
class Card;
class CostView;
class EstimateCards;
class LinkButton;
class MotionCard;
class NumberSpot;
class RankMapView;
class SegmentedControl;
class StrategyView;

/// The figures that a change in a picture may move, taken before it.
struct ChangeFigures {
    int nodes = 0;
    int gpusPerNode = 0;
    qint64 global = 0;
    qint64 micro = 0;
    qint64 accumulation = 0;
    std::optional<double> stepsPerEpoch;
    std::optional<double> learningRate; ///< linear factor against one rank's batch
    std::optional<double> memory; ///< bytes of the fullest rank

    static ChangeFigures of(const Derived& derived);
};

/// The middle of the Design page: nodes or strategy, batch, price, memory and time of a step; one rank can be marked in
/// all of them. Edits the design where a remedy is chosen or a number in a picture is changed.
class DesignPicture final : public ScrollPage {
    Q_OBJECT
public:
    explicit DesignPicture(Design& design, QWidget* parent = nullptr);

    /// To be called when the design has changed.
    void refresh();
    void refreshBinding(); ///< what the findings say of it
    /// What was last shown of memory and time; without a model it says that one is needed.
    const Result<DesignEstimate>& estimate() const { return m_shown; }
    EstimateCards& estimateCards() const { return *m_estimate; }
    /// Marks a rank in all pictures; -1: none.
    void selectRank(int rank);
    std::optional<int> selectedRank() const { return m_rank; } ///< empty: none
    /// The strategy as a picture instead of the nodes, and back.
    void showStrategy(bool shown);
    /// Nodes, strategy, or the strategy in motion (made when it is first shown).
    enum class Part { Nodes, Strategy, Motion };
    void showPart(Part part);
    MotionCard* motion() const { return m_motion; } ///< null before it was shown
    struct Room {
        bool across = false; ///< batch beside price, memory beside time
        bool low = false; ///< little height, the nodes come first
    };
    void setRoom(Room room);
    /// Another part at the foot of the column.
    void addBelow(QWidget* part);

signals:
    void modelWanted();
    void layoutsWanted();
    void lineWanted(int line); ///< of the script, from 0
    void numberRefused(const QString& why); ///< a number that cannot be
    void edited(const QString& text); ///< a number in a picture was changed: what moved with it

private:
    QWidget* buildMap();
    QWidget* buildBindingRow();
    QWidget* buildBatch();
    QWidget* buildCost();
    QWidget* buildEstimate();
    QWidget* buildNumbers();
    NumberSpot* spotFor(PictureFigure figure, QWidget* parent);
    void applyFigure(PictureFigure figure, qint64 value, const QString& gesture);
    void refreshNumbers();
    void refreshMotion();
    Part part() const;
    void refreshWords();
    void refreshPrice();
    void orderCards();

    Design& m_design;
    Result<DesignEstimate> m_shown = DesignEstimate();
    QList<Remedy> m_remedies; ///< as they are offered
    Card* m_mapCard = nullptr;
    RankMapView* m_map = nullptr;
    SegmentedControl* m_mapTabs = nullptr;
    QStackedWidget* m_mapStack = nullptr;
    StrategyView* m_strategy = nullptr;
    QWidget* m_motionPage = nullptr;
    MotionCard* m_motion = nullptr;
    QMap<PictureFigure, NumberSpot*> m_spots;
    QWidget* m_numbers = nullptr;
    QLabel* m_ranksWord = nullptr;
    QLabel* m_gpusWord = nullptr;
    QLabel* m_nodesWord = nullptr;
    std::optional<ChangeFigures> m_before; ///< a gesture's beginning
    int m_gesture = 0; ///< counts numbers that were typed
    QLabel* m_rankLine = nullptr;
    QLabel* m_legend = nullptr;
    QWidget* m_bindingRow = nullptr; ///< shown where the script binds differently from the design
    QLabel* m_bindingNote = nullptr;
    LinkButton* m_bindingLine = nullptr;
    Card* m_batchCard = nullptr;
    BatchView* m_batch = nullptr;
    QLabel* m_batchNote = nullptr;
    EstimateCards* m_estimate = nullptr;
    Card* m_costCard = nullptr;
    CostView* m_cost = nullptr;
    QBoxLayout* m_lower = nullptr;
    QVBoxLayout* m_column = nullptr;
    bool m_low = false;
    std::optional<int> m_rank; ///< that is marked
};

} // namespace rankwright

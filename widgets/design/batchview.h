// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/batchplan.h"
#include "models/planner/design/rankorder.h"
#include "widgets/design/batchlayout.h"

#include <QWidget>

#include <optional>

namespace rankwright {

/// The batch of one step as small blocks: per rank its accumulation steps, per step its sequences. Selecting a box
/// selects the rank. Shows a BatchPlan; decides nothing.
class BatchView final : public QWidget {
    Q_OBJECT
public:
    explicit BatchView(QWidget* parent = nullptr);

    /// `order`: which ranks see the same data. `summary`: the line above the boxes.
    void setData(const BatchPlan& plan, const RankOrder& order, const QString& summary);
    void selectRank(int rank); ///< -1: none; does not emit
    /// Without the line above the boxes, where height is dear; it stays in the tool tip and for assistive tools.
    void setSentenceShown(bool shown);
    const BatchPlan& planShown() const { return m_plan; }
    std::optional<int> selectedIndex() const { return m_selected; } ///< data-parallel index; empty: none
    QRect boxOf(int index) const; ///< empty where it is not drawn
    std::optional<int> indexAt(QPointF point) const;
    QSize sizeHint() const override { return {500, m_summaryShown ? 80 : 64}; }
    QSize minimumSizeHint() const override { return {200, m_summaryShown ? 80 : 64}; }

signals:
    void rankSelected(int rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();
    int summaryHeight() const;
    void paintBox(QPainter& painter, int rank) const;
    QString toolTipOf(int rank) const;

    BatchPlan m_plan;
    BatchLayout m_layout;
    QString m_summary;
    bool m_summaryShown = true;
    RankOrder m_order;
    std::optional<int> m_selected; ///< data-parallel index
};

} // namespace rankwright

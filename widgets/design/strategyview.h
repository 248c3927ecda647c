// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/design/strategylayout.h"

#include <QWidget>

#include <optional>

namespace rankwright {

/// The strategy as a picture: which rank holds which share, how a layer is cut, how micro-batches flow through stages.
/// A click or the arrow keys select a rank. Shows; decides nothing.
class StrategyView final : public QWidget {
    Q_OBJECT
public:
    explicit StrategyView(QWidget* parent = nullptr);

    void setData(const StrategyPicture& picture);
    void selectRank(int rank); ///< -1: none; does not emit
    const StrategyPicture& pictureShown() const { return m_picture; }
    const StrategyLayout& layoutShown() const { return m_layout; }
    std::optional<int> selectedRank() const { return m_selected; } ///< empty: none
    QSize sizeHint() const override { return {500, 260}; }
    QSize minimumSizeHint() const override;

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
    void chooseRank(int rank);
    QString toolTipAt(QPointF point) const;

    StrategyPicture m_picture;
    StrategyLayout m_layout;
    std::optional<int> m_selected; ///< rank
};

} // namespace rankwright

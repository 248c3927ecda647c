// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/rankmap/rankmappainter.h"

#include <QAbstractScrollArea>

#include <functional>

namespace rankwright {

/// The node map: every rank on its GPU. Scrolls; arrows, Home and End move the selection; the tool tip describes a
/// rank, and a screen reader finds a table of nodes and GPUs. Shows what it is given; the words come from outside.
/// Does not own the design.
class RankMapView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit RankMapView(QWidget* parent = nullptr);

    void setData(const RankMapData& map);
    /// The text of a GPU's tool tip, asked for when it is needed.
    void setToolTips(std::function<QString(GpuAddress)> toolTip) { m_toolTip = std::move(toolTip); }
    void selectRank(int rank); ///< -1: none; does not emit
    int selectedRank() const;
    std::optional<GpuAddress> selectedSpot() const { return m_marks.selected; }
    /// The text of its tool tip.
    QString storyOf(GpuAddress spot) const { return m_toolTip ? m_toolTip(spot) : QString(); }
    QRect boxOnViewport(GpuAddress spot) const;
    /// The handle to draw at, in the viewport; empty where there is nothing to draw.
    QRect gpuHandle() const;
    std::optional<GpuAddress> spotAt(QPoint onViewport) const { return m_layout.spotAt(toContents(onViewport)); }
    const RankMapLayout& layoutShown() const { return m_layout; }
    const RankMapData& dataShown() const { return m_data; }
    QSize sizeHint() const override { return {600, 200}; }
    QSize minimumSizeHint() const override { return {260, 150}; }

signals:
    void rankSelected(int rank);
    void detailChanged();
    /// The handle behind the last GPU of a node was drawn, or + and - were pressed; the same `drag` is one gesture.
    void gpusWanted(int perNode, int drag);
    void gpusTaken(); ///< the gesture has ended

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void select(GpuAddress spot);
    void reveal(GpuAddress spot);
    QPointF toContents(QPointF position) const;
    int gpusUsed() const;
    void dragTo(QPointF position);
    void paintHandle(QPainter& painter) const;

    RankMapData m_data;
    RankMapLayout m_layout;
    RankMapMarks m_marks;
    bool m_dragging = false;
    int m_drag = 0; ///< counts the gestures
    std::function<QString(GpuAddress)> m_toolTip;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapinput.h"
#include "widgets/heatmap/heatmaptilepainter.h"

#include <QAbstractScrollArea>

#include <optional>

class QMenu;

namespace rankwright {

class HeatMapMinimap;

/// Paints a GPU grid model: one block per node, packages as cards, level of detail by room; beyond 64 nodes folded into
/// groups, each of which can be opened. Sorted by place or by outlier score, with pinned nodes on top. Mouse (click,
/// Ctrl and wheel, pinch), keyboard (both in HeatMapInput) and, through heatmapaccessible, a table for screen readers.
/// Addresses in its interface are those of the grid, whatever the order shown. Repaints only the nodes that the model
/// names. What is where is its HeatMapArrangement's. Does not flush the model, does not decide what an alert is.
class HeatMapView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    using Order = HeatMapArrangement::Order;
    using Fold = HeatMapArrangement::Fold;

    explicit HeatMapView(const GpuGrid& grid, QWidget* parent = nullptr);
    ~HeatMapView() override;

    /// Shows another grid, such as that of a replay; choices, and places that both have, stay.
    void setGrid(const GpuGrid& grid);
    const GpuGrid& grid() const { return *m_grid; }
    const GpuMeasure& field() const { return m_field; }
    const HeatMapArrangement& arrangement() const { return m_arrangement; }
    const HeatMapLayout& cells() const { return m_arrangement.layout(); }
    const HeatMapTiles& tiles() const { return m_arrangement.tiles(); }
    const QList<int>& shownRows() const { return m_arrangement.rows(); }
    int slotOf(int row) const { return m_arrangement.slotOf(row); }

    Measure measure() const { return m_measure; }
    void setMeasure(Measure measure);
    MeasureScale scale() const { return m_scale; }
    /// The job is over: the last picture stays, without the alarm of stale values.
    void setEnded(bool ended);
    bool isEnded() const { return m_state == GridState::Ended; }
    GridState state() const { return m_state; }
    /// What alerts are about. Of several marks on one GPU the worst is drawn.
    void setMarks(const QList<HeatMapMark>& marks);
    /// The same, all at the level of a warning.
    void setStandouts(const QList<GpuAddress>& standouts);

    std::optional<GpuAddress> current() const { return m_current; }
    void setCurrent(std::optional<GpuAddress> current);

    Order order() const { return m_arrangement.order(); }
    void setOrder(Order order);
    HeatMapOverlay overlay() const { return m_overlay; }
    void setOverlay(HeatMapOverlay overlay);
    /// None, ranks, and the kinds of groups that this job has.
    QList<HeatMapOverlay> overlays() const;

    bool canFold() const { return m_arrangement.canFold(); }
    Fold fold() const { return m_arrangement.fold(); }
    void setFold(Fold fold);
    bool isFolded() const { return m_arrangement.isFolded(); }
    const QList<HeatMapGroup>& groups() const { return m_arrangement.groups(); }
    /// The group that is shown alone; empty: none.
    QString openGroup() const { return m_arrangement.openGroup(); }
    void openGroupOf(GpuAddress gpu);
    void closeGroup();

    QList<HeatMapPin> pins() const { return {m_arrangement.pins().cbegin(), m_arrangement.pins().cend()}; }
    void setPins(const QList<HeatMapPin>& pins);
    void togglePin(HeatMapPin pin);

    /// A level chosen by hand; empty: whatever fits.
    void setLevel(std::optional<HeatMapLevel> level);
    /// Larger (steps > 0) or smaller around a point of the viewport.
    void zoom(int steps, QPoint around);
    bool isZoomed() const { return m_arrangement.isZoomed(); }
    void fit();

    /// Where a cell is on the viewport now; empty when it is not shown.
    QRect cellOnViewport(GpuAddress address) const;
    std::optional<GpuAddress> cellAt(QPoint onViewport) const;
    QPoint scrolled() const;
    QSize contentSize() const { return m_arrangement.contentSize(); }
    /// For pictures: the scene as it is shown, without what belongs to a hand at the keyboard.
    HeatMapScene scene() const;
    /// Beyond this height cards would only stand apart; the page gives the room to others.
    int roomiestHeight() const { return m_arrangement.roomiestHeight(); }
    QSize sizeHint() const override { return {720, 320}; }
    QSize minimumSizeHint() const override { return {320, 132}; }
    /// What can be done with a GPU, as the context menu shows it.
    void fillMenu(QMenu& menu, GpuAddress gpu);

signals:
    void gpuPicked(rankwright::GpuAddress gpu); ///< a click on a cell, also on the current one
    void currentChanged(std::optional<rankwright::GpuAddress> current);
    void measureChanged(rankwright::Measure measure);
    void scaleChanged();
    void layoutChanged(); ///< another level, another roomiestHeight(), folded, opened or zoomed
    void overlayChanged(); ///< another overlay, or other overlays() to choose from
    void orderChanged();
    void pinsChanged();
    /// The context menu of a GPU is about to be shown: others may add to it.
    void menuFilled(QMenu* menu, rankwright::GpuAddress gpu);
    void outliersScored(); ///< about once a second: outlier scores and the groups' figures are new
    /// After each paint: the newest arrival (our clock) among the GPUs just painted; for measuring how old what one
    /// sees is. 0 when none of them ever reported anything.
    void painted(qint64 newestArrivalMs);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void connectGrid();
    void updateShape();
    void updateNodes();
    void showArrangement(); ///< after each change of it: figures of groups, scroll bars, overview
    void handleFlush(const QList<int>& rows);
    void updateScores();
    void updateGroupMembers();
    void updateScale();
    void updateRows(const QList<int>& rows);
    void updateRow(int row);
    void showCurrent();
    void paintNodes(QPainter& painter, const QRegion& dirty, const HeatMapScene& scene, qint64& newest);
    void paintTiles(QPainter& painter, const QRegion& dirty, const HeatMapScene& scene, qint64& newest);

    const GpuGrid* m_grid;
    GpuMeasure m_field;
    Measure m_measure = Measure::Utilization;
    MeasureScale m_scale;
    GridState m_state = GridState::Running;
    HeatMapMarks m_marks;
    QStringList m_names; ///< of the nodes when they were taken over
    HeatMapOverlay m_overlay = HeatMapOverlay::None;
    std::set<GpuAddress> m_groupMembers;
    std::optional<GpuAddress> m_current;
    HeatMapArrangement m_arrangement;
    HeatMapInput m_input{*this};
    int m_labelWidth = 0;
    HeatMapLevel m_shownLevel = HeatMapLevel::Cards; ///< when layoutChanged() was last emitted, as the one below
    std::optional<int> m_roomiest;
    qint64 m_scoredMs = 0;
    HeatMapMinimap* m_minimap = nullptr;
};

} // namespace rankwright

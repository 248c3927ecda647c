// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmaplayout.h"

class QKeyEvent;
class QMenu;

namespace rankwright {

class HeatMapView;

/// What keys, mouse and zoom gestures mean to a HeatMapView; carries it out through the view's public functions.
/// Arrows, Home, End, page keys and with Ctrl the first and last GPU; 1 to 6 the measure; + - and 0 the zoom; Enter
/// opens a group, Esc goes back; G groups or all nodes; O the order; V the overlay; P pins the GPU, Shift+P its node.
class HeatMapInput {
public:
    explicit HeatMapInput(HeatMapView& view) : m_view(view) { }

    /// False: the key means nothing here.
    bool press(const QKeyEvent& event);
    /// A click of the left button on a point of the viewport.
    void click(QPoint at, Qt::KeyboardModifiers modifiers);
    /// Larger by a factor, around a point of the viewport; what makes no whole step is kept for the next turn.
    void zoomBy(double factor, QPoint around);
    void forgetZoomRest() { m_zoomRest = 0; }
    /// What can be done with a GPU.
    void fillMenu(QMenu& menu, GpuAddress gpu) const;
    /// The tip of what is at a point of the viewport; nothing there: none.
    void showTip(QPoint at, QPoint global) const;

private:
    bool pressCommand(int key, Qt::KeyboardModifiers modifiers);
    void moveCurrent(HeatMapLayout::Move move);

    HeatMapView& m_view;
    double m_zoomRest = 0;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace rankwright {

class HeatMapView;
struct PictureTable;

/// The whole heat map small, in a corner of the view while only a part of it is in sight, with a frame around that
/// part; a click or drag moves it. Where GPUs share a pixel the worst outlier is shown. Not for the keyboard, which
/// moves in the map itself. A child of the viewport: beside it, Qt would paint the whole map again at each scroll.
class HeatMapMinimap final : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapMinimap(HeatMapView& view);
    /// The map's geometry has changed: place and show, or hide.
    void place();
    /// Its values have changed.
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    PictureTable table() const;
    QRectF frame() const;
    void moveTo(QPointF point);

    HeatMapView& m_view;
    QImage m_image;
    double m_scale = 1; ///< pixels here per pixel of the map
};

} // namespace rankwright

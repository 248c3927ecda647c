// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/motion/motionpicture.h"

#include <QAbstractScrollArea>

namespace rankwright {

/// Paints one frame of a moving picture, or what is between two. Its description is the frame's sentence; to a screen
/// reader it is a table of all frames. Has no clock and decides nothing.
class MotionView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit MotionView(QWidget* parent = nullptr);

    void setPicture(const MotionPicture& picture); ///< stands at its first frame
    /// `share` 0..1 of the way from the frame before; 1: there.
    void showFrame(int frame, double share = 1);
    const MotionPicture& picture() const { return m_picture; }
    int frame() const { return m_frame; }
    double share() const { return m_share; }
    QString sentence() const;
    QSize sizeHint() const override { return {500, 200}; }
    QSize minimumSizeHint() const override { return {240, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    MotionPicture m_picture;
    int m_frame = 0;
    double m_share = 1;
};

} // namespace rankwright

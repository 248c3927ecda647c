// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace rankwright {

/// The frames of a moving picture as a row of short bars, the ones behind and the current one filled. A click chooses a
/// frame. Not reached by Tab: the keys of the card do the same.
class MotionBar final : public QWidget {
    Q_OBJECT
public:
    explicit MotionBar(QWidget* parent = nullptr);

    /// `share` 0..1 of the current frame's time that is over.
    void setState(int frames, int current, double share);
    QSize sizeHint() const override { return {160, 20}; }
    QSize minimumSizeHint() const override { return {60, 20}; }
    QRectF barOf(int frame) const;

signals:
    void chosen(int frame);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    int m_frames = 0;
    int m_current = 0;
    double m_share = 1;
};

} // namespace rankwright

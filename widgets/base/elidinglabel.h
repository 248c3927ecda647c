// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace rankwright {

/// A label of one plain line that gives way: too long for its room it ends in an ellipsis and tells the rest on hover.
/// For names that people choose; what we write ourselves must fit.
class ElidingLabel final : public QLabel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ElidingLabel)
public:
    explicit ElidingLabel(QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace rankwright {

/// A label of one plain line that gives way: what does not fit is cut with a mark and, unless it has a tool tip of its
/// own, is whole in the tool tip. For names that people choose (cut in the middle) and for what may give way to a
/// title (cut at the end, see makeElidedLabel()).
class ElidingLabel final : public QLabel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ElidingLabel)
public:
    explicit ElidingLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideMiddle);
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
};

} // namespace rankwright

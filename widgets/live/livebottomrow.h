// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QWidget>

namespace rankwright {

/// Two cards beside each other, or, where the width is too small for both, the second above the first: what is read
/// most stays in sight, the other is reached by scrolling.
class LiveBottomRow final : public QWidget {
    Q_OBJECT
public:
    LiveBottomRow(QWidget& first, int firstShare, QWidget& second, int secondShare, QWidget* parent);
    /// As wide as the wider of the two, so that a narrow page may be narrow.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget& m_first;
    QWidget& m_second;
    QBoxLayout* m_row;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace rankwright {

/// Looks like a quiet field: "Search or run a command  Ctrl K". If space is short, only the icon is shown.
class SearchButton final : public QAbstractButton {
    Q_OBJECT
public:
    explicit SearchButton(QWidget* parent = nullptr);

    void setFolded(bool folded);
    bool isFolded() const { return m_folded; }
    int fullWidth() const; ///< that it wants when it is not folded
    int foldedWidth() const; ///< and when it is
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_folded = false;
};

} // namespace rankwright

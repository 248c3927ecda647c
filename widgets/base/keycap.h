// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace rankwright {

/// A key of the keyboard, drawn: "Enter", "2". Says which key does what stands beside it; takes no part in the focus.
class KeyCap final : public QWidget {
    Q_OBJECT
public:
    explicit KeyCap(const QString& key, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_key;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QMimeData;
class QPushButton;

namespace rankwright {

/// "I have a class file": a button that asks for one, and a place to drop one on. Opens nothing itself.
class ClassStrip final : public QWidget {
    Q_OBJECT
public:
    explicit ClassStrip(QWidget* parent = nullptr);

    QPushButton* button() const { return m_button; }
    /// The one class file of this machine that is dragged; empty: something else, or several.
    static QString draggedClassFile(const QMimeData& data);
    /// Highlights that a class file may be dropped here.
    void setDropping(bool dropping);

signals:
    void openRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void paintIcon();

    QLabel* m_icon = nullptr;
    QPushButton* m_button = nullptr;
    bool m_dropping = false;
};

} // namespace rankwright

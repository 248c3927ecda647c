// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/welcome/welcomepictures.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace rankwright {

/// One way to begin: how it ends as a picture, what it is, what it costs in two lines, its button and its key. A click
/// anywhere on it is a click on the button. The first way has the accent, the others are quieter.
class WayCard final : public QFrame {
    Q_OBJECT
public:
    struct Words {
        QString title;
        QString button;
        QString key;
    };
    enum class Place { First, Further };
    WayCard(WelcomePicture picture, const Words& words, Place place, QWidget* parent = nullptr);

    /// What it costs: time, account, change.
    void setText(const QString& text);
    QString text() const;
    /// At the lower right: "about 5 minutes"; empty: nothing.
    void setNote(const QString& note);
    QPushButton* button() const { return m_button; }

signals:
    void chosen();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    bool m_first = false;
    QLabel* m_text = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAbstractButton;
class QHBoxLayout;
class QLabel;

namespace rankwright {

/// What a page shows when it has nothing: what will be here, and the one thing to do next (further ways as links).
class EmptyState final : public QWidget {
    Q_OBJECT
public:
    EmptyState(const QString& icon, const QString& title, const QString& text, QWidget* parent = nullptr);
    QAbstractButton* addButton(const QString& label); ///< the one action
    QAbstractButton* addLink(const QString& label); ///< another way
    void setText(const QString& text);

private:
    void paintIcon();
    QAbstractButton* addWay(const QString& label, const char* style);

    QString m_icon;
    QLabel* m_picture = nullptr;
    QLabel* m_text = nullptr;
    QHBoxLayout* m_actions = nullptr;
};

} // namespace rankwright

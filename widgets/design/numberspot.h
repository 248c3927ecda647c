// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QLineEdit;

namespace rankwright {

/// A number in a picture that can be changed where it stands: click, Enter or a digit opens a small editor over it;
/// Enter takes what was typed, Esc leaves it. Up and Down are one more and one less. The wheel does nothing.
class NumberSpot final : public QPushButton {
    Q_OBJECT
public:
    enum class By { Typing, Arrow }; ///< several steps by an arrow key may be one undo step
    /// `name`: what the number is, for assistive tools and the tool tip.
    explicit NumberSpot(const QString& name, QWidget* parent = nullptr);

    void setName(const QString& name);
    void setValue(qint64 value);
    qint64 value() const { return m_value; }
    QLineEdit* editor() const { return m_editor; } ///< null while nothing is typed

signals:
    /// A person wants this number.
    void valueWanted(qint64 value, rankwright::NumberSpot::By how);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void openEditor(const QString& text);
    void closeEditor(bool take);
    void describe();
    void fitSize();

    QString m_name;
    qint64 m_value = 0;
    QLineEdit* m_editor = nullptr;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QFormLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace rankwright {

/// A line edit with its fault below. `check` answers a sentence, or nothing.
class FaultField final : public QWidget {
    Q_OBJECT
public:
    using Check = std::function<QString(const QString&)>;
    /// Adds itself as a row of the form, with the label as its accessible name.
    FaultField(QFormLayout* form, const QString& label, const QString& placeholder, Check check, QWidget* parent);

    QString text() const; ///< trimmed
    void setText(const QString& text); ///< does not emit edited()
    QString fault() const; ///< empty: nothing is wrong
    QLineEdit* line() const { return m_line; }
    /// At the right of the line.
    void addBeside(QWidget* other);
    /// Checks the text again, because what it is compared with has changed.
    void check();

signals:
    void edited();

private:
    QHBoxLayout* m_row = nullptr;
    QLineEdit* m_line = nullptr;
    QLabel* m_fault = nullptr;
    Check m_check;
};

} // namespace rankwright

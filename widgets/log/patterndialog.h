// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace rankwright {

/// Asks for a regular expression that reads progress from a program we don't know, and shows while it is typed what it
/// reads from the output at hand. Does not evaluate expressions: reports what was typed, and is given the outcome.
class PatternDialog final : public QDialog {
    Q_OBJECT
public:
    /// One line that the expression matches: the line, and what was read of it ("step 40 of 90, loss 1.5").
    struct Row {
        QString line;
        QString reported;
    };
    explicit PatternDialog(const QString& expression, QWidget* parent = nullptr);

    QString expression() const;
    /// `trouble`: one sentence, then there are no rows; `lines` were tried.
    void showPreview(const QList<Row>& rows, int lines, const QString& trouble);

signals:
    void edited(const QString& expression);

private:
    QLineEdit* m_edit = nullptr;
    QLabel* m_says = nullptr;
    QTableWidget* m_table = nullptr;
    QPushButton* m_use = nullptr;
};

} // namespace rankwright

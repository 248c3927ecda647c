// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/log/logpiece.h"

#include <QTextDocument>
#include <QWidget>

class QAction;
class QLineEdit;
class QToolButton;

namespace rankwright {

class LogChoice;

/// The controls of a job's output in one row: find, whose lines, errors only, split, more, follow. A widget of its own,
/// so that a card can put it into its head. Reports what is wanted; looks at no line.
class JobLogControls final : public QWidget {
    Q_OBJECT
public:
    explicit JobLogControls(QWidget* parent = nullptr);

    /// Whose lines, of the (left) pane.
    LogChoice& choice() const { return *m_choice; }
    bool isErrorsOnly() const;
    void setErrorsOnly(bool on);
    bool isSplit() const;
    void setSplit(bool on);
    bool isFollowing() const;
    void setFollowing(bool on); ///< no signal
    void setLineNumbers(bool on); ///< no signal
    void focusFind();
    /// Whether what was looked for is among the lines shown.
    void showFound(bool found);
    /// In the order of the keyboard.
    QList<QWidget*> tabStops() const;

signals:
    void filterChanged(); ///< choice or errors only
    void splitToggled(bool on);
    void followRequested(); ///< back to the newest line
    void findRequested(const QString& text, QTextDocument::FindFlags flags); ///< forward or backward
    void fileSearchRequested(const rankwright::LogQuery& query); ///< through the whole file, on the cluster
    void lineNumbersToggled(bool on);
    void patternWanted();

private:
    QToolButton* addToggle(const QString& text, const QString& tip);
    void wireFind();
    void addMenu();
    void searchFile();

    QLineEdit* m_find = nullptr;
    LogChoice* m_choice = nullptr;
    QToolButton* m_errors = nullptr;
    QToolButton* m_split = nullptr;
    QToolButton* m_more = nullptr;
    QToolButton* m_follow = nullptr;
    QAction* m_expression = nullptr;
    QAction* m_exact = nullptr;
    QAction* m_numbers = nullptr;
};

} // namespace rankwright

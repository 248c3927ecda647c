// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace rankwright {

class ScriptEditor;

/// The strip above a script that searches and replaces in it: Ctrl+F, Ctrl+H, F3, Shift+F3, Escape. Marks all hits
/// while it is open.
class FindBar final : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(ScriptEditor& editor, QWidget* parent = nullptr);

    /// `replace`: with the second row. What is selected in one line becomes what is looked for.
    void open(bool replace);
    void close();
    void next(bool forward);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildSearch();
    QWidget* buildReplace();
    void showHits();
    void replaceOne();
    void replaceAll();
    Qt::CaseSensitivity sensitivity() const;

    ScriptEditor& m_editor;
    QLineEdit* m_wanted = nullptr;
    QLineEdit* m_with = nullptr;
    QLabel* m_outcome = nullptr;
    QToolButton* m_case = nullptr;
    QWidget* m_replaceRow = nullptr;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/linediff.h"

#include <QWidget>

#include <optional>

class QLabel;
class QScrollBar;
class QsciScintilla;
class QToolButton;

namespace rankwright {

class DifferencePane;
class SegmentedControl;

/// A script that the one in the editor can be compared with.
struct ComparedScript {
    QString title; ///< on the switch: "Generated"
    QString text;
    QString caption; ///< what it is: "job 123 of 3 May, 12:01"; shown also if nothing differs
    QString missing; ///< why there is nothing to compare with; text is then empty
    bool operator==(const ComparedScript&) const = default;
};

/// The script beside another one: side by side where there is room, else one below the other in one column. Goes from
/// difference to difference (F7, Shift+F7, a click) and asks to take over the other text of one: the arrow beside it,
/// the button, or Ctrl+Shift+Backspace. Changes nothing itself.
class DifferenceView final : public QWidget {
    Q_OBJECT
public:
    explicit DifferenceView(QWidget* parent = nullptr);

    void setScripts(const QString& shown, const QList<ComparedScript>& others);
    /// Read-only: nothing is taken over, and there is one other script.
    void setShownOnly();
    /// What the first of the others is called on the switch.
    void setFirstTitle(const QString& title);
    /// Which of the others is compared with.
    void choose(int index);
    int chosen() const { return m_chosen; }
    int differences() const { return int(m_hunks.size()); }
    std::optional<int> currentDifference() const { return m_current; } ///< from 0; empty: none
    bool isSideBySide() const { return m_sideBySide; }
    void next(bool forward);

signals:
    /// Lines [line, line + count) of the script in the editor shall become `text`'s.
    void adoptRequested(int line, int count, const QStringList& text);
    void closeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    QWidget* buildHead();
    void rebuild();
    void follow(QScrollBar* one, QScrollBar* other);
    void fillPanes();
    void showCurrent();
    void choseRow(int row);
    void requestAdoption();

    SegmentedControl* m_switch = nullptr;
    QLabel* m_count = nullptr;
    QLabel* m_caption = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_take = nullptr;
    QToolButton* m_close = nullptr;
    DifferencePane* m_left = nullptr; ///< the other script; hidden in one column
    DifferencePane* m_right = nullptr; ///< the editor's script, or both in one column
    QString m_shown;
    QList<ComparedScript> m_others;
    QList<std::optional<int>> m_rowHunks; ///< which difference each row of the panes belongs to; empty: none
    QList<LineHunk> m_hunks; ///< from: the other script, to: the editor's
    int m_chosen = 0;
    std::optional<int> m_current; ///< difference that is framed
    bool m_sideBySide = false;
    bool m_follows = false; ///< a pane scrolls because the other one does
    bool m_shownOnly = false;
};

} // namespace rankwright

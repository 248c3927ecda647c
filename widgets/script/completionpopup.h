// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/script/completion.h"

#include <QFrame>

class QKeyEvent;
class QLabel;
class QListView;
class QStandardItemModel;

namespace rankwright {

/// The list that drops down from the cursor while a script is typed: name, note, and below the note of the chosen
/// one in full. Never takes the focus: the editor hands over the keys that it uses. Does not change text.
class CompletionPopup final : public QFrame {
    Q_OBJECT
public:
    /// `editor`: the list lies over its window, near a point of it.
    explicit CompletionPopup(QWidget* editor);

    /// Shows the items at the cursor, whose line reaches from `top` down to `bottom` (coordinates of the editor).
    void offer(const QList<CompletionItem>& items, QPoint top, int bottom);
    const QList<CompletionItem>& items() const { return m_items; }
    int current() const;
    /// Up, Down, Page keys, Return, Tab, Escape; true when the key was used.
    bool handleKey(QKeyEvent* event);

signals:
    void chosen(const rankwright::CompletionItem& item);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void choose(int row);
    void move(int by);
    void showNote();
    void placePopup(QPoint top, int bottom);

    QWidget* m_editor = nullptr;
    QListView* m_list = nullptr;
    QStandardItemModel* m_model = nullptr;
    QLabel* m_note = nullptr;
    QList<CompletionItem> m_items;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"

#include <QObject>
#include <QPointer>
#include <QRect>
#include <QTimer>

class QKeyEvent;
class QLabel;
class QWidget;

namespace rankwright::inline teaching {
struct Explanation;
} // namespace rankwright::inline teaching

namespace rankwright {

class TermPopover;
class WordsDialog;

/// Explains terms in a window and its dialogs: resting the mouse on a widget with the property "term", on the label of
/// a form row (known by its field) or on a link "term:ID" opens the popover, F1 that of the focused widget or the
/// nearest one around it; in a script it explains the option or variable under the cursor (properties "helpLine",
/// "helpColumn"); where nothing is marked F1 opens the glossary. Owns both, made when first needed.
class TermGuide final : public QObject {
    Q_OBJECT
public:
    /// `design` gives the numbers and must outlive the guide. The guide belongs to `window`.
    TermGuide(QWidget* window, const Design& design);

    /// Opens the popover of a term (id or any spelling of it) for a widget, and keeps it until it is closed. An unknown
    /// term opens the glossary with it as search.
    void show(const QString& term, QWidget* at);
    /// What F1 does for a widget; null: the glossary.
    void help(QWidget* focused);
    /// Opens the glossary at a term or question, or with a text in its search; empty: as it is.
    void showWords(const QString& term = {});
    void close();
    bool isOpen() const;
    TermPopover* popover() const; ///< null until the first one opened
    WordsDialog* words() const; ///< null until it was opened
    /// Of whom the sentence to acknowledge says that it was their course; `given`: its wording. Empty: none.
    void setCourse(const QString& name, const QString& given = {});

    /// The term that a widget is marked with: by its property, as a form row, or by the nearest widget around it.
    /// `owner`: the widget with the mark. Empty: none.
    static QString termOf(QWidget* widget, QWidget** owner = nullptr);

signals:
    /// "Show on my nodes": to the node picture of the design. Offered while somebody listens.
    void nodesRequested(const QString& term);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isOurs(const QWidget* widget) const;
    bool hover(QWidget* widget, const QPoint& position);
    bool pressed(QWidget* widget, const QKeyEvent& event);
    void watchLinks(QLabel* label);
    enum class OpenedBy { Person, Mouse }; ///< on purpose, so that the mouse may go away; or it rests there
    void open(const Explanation& what, QWidget* at, const QRect& part, OpenedBy by);
    bool helpAtCursor(QWidget* focused);
    TermPopover& madePopover();

    QWidget* m_window;
    const Design& m_design;
    QPointer<TermPopover> m_popover; ///< moves into the window of its anchor, and dies with a dialog that does
    QPointer<WordsDialog> m_words;
    QPointer<QLabel> m_linkLabel; ///< the mouse is on a term's link of it ...
    QString m_link; ///< ... this one
    QTimer m_leaving;
    bool m_stays = false; ///< opened on purpose: the mouse may go away
    QString m_course;
    QString m_given;
};

} // namespace rankwright

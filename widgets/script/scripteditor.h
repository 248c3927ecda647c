// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/linediff.h"
#include "models/script/bind/scriptfields.h"
#include "widgets/script/linecommands.h"
#include "widgets/script/scriptfolds.h"
#include "widgets/script/scriptmarks.h"
#include "widgets/script/scriptsearch.h"
#include "widgets/script/scripttyping.h"

#include <optional>

class QMenu;

namespace rankwright {

class SbatchLexer;
class ScriptCompleter;

/// A script document to read and to type in: colours, marks at the lines that fields made and at a person's own lines,
/// remarks as squiggles, signs and tool tips, completion. What is typed leaves by `textEdited`, in the same turn of the
/// event loop as the key; a document that comes back replaces the lines that differ alone, so that view and cursor stay
/// where they are. Keeps no undo of its own: undo is the design's. Does not write, read or evaluate scripts.
class ScriptEditor final : public QsciScintilla {
    Q_OBJECT
    // What F1 is to explain, for whoever does: the text under the cursor.
    Q_PROPERTY(QString helpLine READ helpLine)
    Q_PROPERTY(int helpColumn READ helpColumn)
public:
    explicit ScriptEditor(QWidget* parent = nullptr);

    void setDocumentShown(const ScriptDocument& document);
    const ScriptDocument& documentShown() const { return m_document; }
    /// Where the fields of an author's script stand in this very document; none: it was written from fields.
    void setPlaces(const FieldPlaces& places);
    bool showsAuthor() const { return !m_places.isEmpty(); }
    void setRemarks(const QList<ScriptRemark>& remarks);
    const QList<ScriptRemark>& remarks() const { return m_remarks; }
    /// Parts of this very document that are folded; none: all is shown.
    void setFolds(const QList<ScriptFold>& folds) { m_folds->setFolds(folds); }
    const ScriptFolds& folds() const { return *m_folds; }
    /// Indices into remarks(), the gravest first.
    QList<int> remarksAt(int line) const;
    ScriptCompleter& completer() const { return *m_completer; }
    /// Lights the lines of a field; empty: none. Scrolls to the first of them when none is in view.
    void lightField(const FieldPath& field);
    /// Lights these lines (0 based), whatever made them, and brings the first into view.
    void lightLines(const QList<int>& lines)
    {
        m_field.clear();
        m_lit = lines;
        m_marks.markLines(m_document, m_lit);
        if (!lines.isEmpty())
            showLine(lines.first());
    }
    QList<int> litLines() const { return m_lit; }
    int currentLine() const;
    /// The line of the cursor without its end, and where in it the cursor stands.
    QString helpLine() const { return text(currentLine()).remove(u'\n').remove(u'\r'); }
    int helpColumn() const
    {
        int line = 0;
        int column = 0;
        getCursorPosition(&line, &column);
        return column;
    }
    /// A line that is too long for the view goes on below: the row of a line, and the line of a row.
    int rowOf(int line) const
    {
        return int(SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(qMax(0, line))));
    }
    int lineAtRow(int row) const
    {
        return int(SendScintilla(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(qMax(0, row))));
    }
    void showLine(int line);
    /// As a text that was just opened: cursor and view at its beginning. Takes no focus.
    void showTop()
    {
        setCursorPosition(0, 0);
        SendScintilla(SCI_SETFIRSTVISIBLELINE, 0ul);
        SendScintilla(SCI_SETXOFFSET, 0ul);
    }
    /// Puts the cursor there, in view, and takes the focus.
    void goToLine(int line);
    /// The next remark below the cursor, or above it; around the end.
    void goToRemark(bool forward);
    /// What hovering a line says: remarks, whose text it is or why it is there, and the source; empty for lines that
    /// need none.
    QString noteOf(int line) const;
    /// The field that a line belongs to; empty: none.
    FieldPath fieldOf(int line) const;
    /// The field with the cursor: of several on its line the one that it stands in, else that of the line.
    FieldPath fieldAtCursor() const;

    ScriptSearch& search() { return m_search; }
    /// A whole other text as one edit and an undo step of its own; view and cursor stay where they are.
    void replaceText(const QString& text);
    /// What is selected gives way, as one edit.
    void replaceSelection(const QString& text);

signals:
    void textEdited(const QString& text, rankwright::TypingStep step); ///< a person changed the text
    void textRefused(const QString& why); ///< what was put in was taken back
    void fieldRequested(const rankwright::FieldPath& field);
    void findRequested(bool replace);
    void findNextRequested(bool forward);
    void undoRequested();
    void redoRequested();
    void fixRequested(int remark); ///< index into remarks()
    void giveBackRequested(int line); ///< the generated text instead of a person's own
    void lineEntered(int line); ///< the cursor came to another line or field, or what is said of it changed

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setUp();
    void freeKeys();
    void applyTheme();
    bool handleCommandKey(QKeyEvent* event);
    bool handlePlainKey(QKeyEvent* event);
    void moveRemarks(const QStringList& from, const QStringList& to);
    void replaceLines(const QStringList& from, const QStringList& to);
    void restoreCursor(const QList<LineHunk>& hunks, int line, int column);
    void followChange(const QList<LineHunk>& hunks, int at, const QStringList& from, const QStringList& to);
    void reportLine(bool always);
    void showFixes(int line);
    void fillMenu(QMenu& menu, int line);
    void requestFieldOf(int line);
    int lineAt(QPoint position) const;
    int columnAt(QPoint position, int line) const;

    ScriptDocument m_document;
    FieldPlaces m_places;
    QList<ScriptRemark> m_remarks;
    SbatchLexer* m_lexer = nullptr;
    ScriptMarks m_marks;
    ScriptFolds* m_folds = nullptr;
    ScriptCompleter* m_completer = nullptr;
    ScriptTyping* m_typing = nullptr;
    LineCommands m_lineCommands;
    ScriptSearch m_search;
    FieldPath m_field;
    QList<int> m_lit;
    std::optional<int> m_reportedLine;
    FieldPath m_reportedField;
    bool m_hasMark = false; ///< the document begins with a byte order mark
    bool m_following = false; ///< undo or redo: the cursor goes where the text changes
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/scriptdocument.h"

#include <Qsci/qsciscintilla.h>

namespace rankwright {

class SbatchLexer;

/// Shows a script document: line numbers, colours, marks at the lines that fields made, the lines of the field being
/// edited lit, a line's reason and source on hover. Read only: text can be chosen, copied and searched. A new document
/// replaces the changed lines alone, so that the view stays where it is. Does not write scripts.
class ScriptEditor final : public QsciScintilla {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ScriptEditor)
public:
    explicit ScriptEditor(QWidget* parent = nullptr);

    void setDocumentShown(const ScriptDocument& document);
    const ScriptDocument& documentShown() const { return m_document; }
    /// Lights the lines of a field; empty: none. Scrolls to the first of them when none is in view.
    void lightField(const FieldPath& field);
    QList<int> litLines() const { return m_lit; }
    void showLine(int line);
    /// What hovering a line says: reason, then source; empty for lines that need none.
    QString noteOf(int line) const;
    /// Looks for text from the cursor on, around the end; false when there is none.
    bool find(const QString& text, bool forward);

signals:
    void fieldRequested(const rankwright::FieldPath& field); ///< a line that a field made was clicked
    void findRequested();

protected:
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setUp();
    void applyTheme();
    void replaceLines(const QStringList& from, const QStringList& to);
    void markLines();
    int lineAt(QPoint position) const;
    void requestFieldOf(int line);

    ScriptDocument m_document;
    SbatchLexer* m_lexer = nullptr;
    FieldPath m_field;
    QList<int> m_lit;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/script/completion.h"

#include <Qsci/qsciscintilla.h>

namespace rankwright {

class CompletionPopup;

/// Completion in a script editor: offers while a person types or asks, puts the chosen text in, and shows a call tip
/// where the possible values cannot be listed. Decides by completionAt(); the editor owns it.
class ScriptCompleter final : public QObject {
    Q_OBJECT
public:
    explicit ScriptCompleter(QsciScintilla& editor);

    void setFacts(const CompletionFacts& facts) { m_facts = facts; }
    const CompletionFacts& facts() const { return m_facts; }
    /// After a key has changed the text or moved the cursor.
    void follow(bool typed);
    /// Ctrl+Space: everything that could be here.
    void ask();
    void close();
    bool isOpen() const;
    CompletionPopup& popup() const { return *m_popup; }
    /// What the option at the cursor means, as a call tip; `more` is said below it. False: nothing to show.
    bool reportOption(const QString& more);
    /// The option under a place, in words: "--mem: Memory on each node ..."; empty: none.
    QString optionNote(int line, int column) const;

signals:
    void completed(); ///< text was put in

private:
    void offerCompletions(CompletionCause cause);
    void insertItem(const CompletionItem& item);
    QStringList linesShown() const;

    QsciScintilla& m_editor;
    CompletionPopup* m_popup = nullptr;
    CompletionFacts m_facts;
    Completion m_completion;
};

} // namespace rankwright

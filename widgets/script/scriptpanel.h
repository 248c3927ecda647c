// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptdocument.h"
#include "widgets/script/differenceview.h"

class QLabel;
class QStackedWidget;
class QToolButton;

namespace rankwright {

class FindBar;
class ScriptEditor;
class ScriptStatus;

/// The script with what is around it: head with name, size and buttons, search strip, comparison with another
/// script, and the strip that explains the line with the cursor.
class ScriptPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ScriptPanel(QWidget* parent = nullptr);

    void setDocumentShown(const ScriptDocument& document, const QString& jobName);
    /// The scripts to compare with: the generated one, the last submitted one.
    void setCompared(const QList<ComparedScript>& others);
    ScriptEditor& editor() const { return *m_editor; }
    DifferenceView& difference() const { return *m_difference; }
    void openSearch(bool replace = false);
    void setComparing(bool comparing);
    bool isComparing() const;
    /// The script is its author's text: it can be rewritten as a design.
    void setAuthored(bool authored);
    /// Whether the button that puts the script away is there.
    void setCanFold(bool can);
    void focusFold();

signals:
    void rewriteRequested(); ///< of an author's script as a design
    void foldRequested(); ///< a person wants its room for other things
    void comparisonWanted(); ///< the scripts to compare with are needed now: setCompared()
    /// The generated or last submitted text shall replace lines of the script.
    void adoptRequested(int line, int count, const QStringList& text);

private:
    QWidget* buildHead();
    void copyAll();
    void refreshDifference();

    ScriptEditor* m_editor = nullptr;
    FindBar* m_find = nullptr;
    ScriptStatus* m_footer = nullptr;
    DifferenceView* m_difference = nullptr;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_caption = nullptr;
    QToolButton* m_compare = nullptr;
    QToolButton* m_rewrite = nullptr;
    QToolButton* m_fold = nullptr;
    QList<ComparedScript> m_others;
};

} // namespace rankwright

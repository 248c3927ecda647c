// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/script/scriptremark.h"

#include <QList>
#include <QObject>
#include <QSet>
#include <QString>

class QAbstractButton;
class QsciScintilla;

namespace rankwright {

/// A part of a script that may be folded: lines, 0 based, both included, and what they hold.
struct ScriptFold {
    int first = 0; ///< never the first of the script
    int last = 0;
    QString title;
    QString reason; ///< why it is folded: "set by the class"
    bool isLocked = true; ///< somebody else's; false: only routine, which an arrow in place of the lock says
    bool operator==(const ScriptFold&) const = default;
};

/// Parts of a script that are folded to a strip with a lock or an arrow, its lines and what they hold. The strip opens
/// and closes it, by mouse and by keyboard; a part in which there is something to see (a remark, the cursor) is open by
/// itself. Belongs to its editor; changes no text.
class ScriptFolds final : public QObject {
    Q_OBJECT
public:
    explicit ScriptFolds(QsciScintilla& editor);
    ~ScriptFolds() override;

    /// Parts, from above to below and not touching; what a person opened stays open as long as its title is there.
    void setFolds(const QList<ScriptFold>& folds);
    /// What is said of lines: a part with such a line is open.
    void setRemarks(const QList<ScriptRemark>& remarks);
    /// The lines are about to change: nothing is folded until the next setFolds().
    void forget();
    /// Opens the part with this line, if it is folded.
    void open(int line);
    bool isFolded(int line) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Place {
        long line = 0;
        long within = 0; ///< rows below its first
    };
    Place placeAtTop() const;
    void scrollTo(const Place& place);
    void showAll();
    void apply();
    void placeStrips();
    bool shouldBeOpen(const ScriptFold& fold) const;

    QsciScintilla& m_editor;
    QList<ScriptRemark> m_remarks; ///< but silenced ones
    QList<ScriptFold> m_folds;
    QList<bool> m_isOpen; ///< by fold, as it is shown
    QSet<QString> m_opened; ///< titles of those that a person opened
    QSet<QString> m_closed; ///< and of those that were closed although they were open by themselves
    QList<QAbstractButton*> m_strips; ///< by fold; of the editor's viewport
};

} // namespace rankwright

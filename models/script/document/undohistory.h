// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"
#include "models/script/bind/scriptfields.h"

#include <optional>

namespace rankwright::inline script {

/// The undo and redo steps of a design: whole designs, which are small, with the edits of an author's script that made
/// them. At most 1000 steps; the oldest go. A value; it changes no design.
class UndoHistory {
public:
    struct Step {
        QString label; ///< "Change nodes"
        QString mergeKey; ///< of the field that is typed into; empty: no further edit joins the step
        JobSpec before;
        QList<FieldEdit> edits; ///< of an author's script: made to `before`, they give the design after the step
    };

    /// A step from `before`. With the key of the last step it joins that step, whose edits are then these.
    void add(const QString& label, const QString& mergeKey, const JobSpec& before, const QList<FieldEdit>& edits);
    /// Whether an edit with this key joins the last step.
    bool merges(const QString& mergeKey) const;
    /// The next edit is a step of its own.
    void closeStep();
    void clear();

    /// The design one step back, or forward again; `present` is the one to return to. Empty: there is none.
    std::optional<JobSpec> undo(const JobSpec& present);
    std::optional<JobSpec> redo(const JobSpec& present);
    const Step* lastUndo() const { return m_undo.isEmpty() ? nullptr : &m_undo.last(); }
    const Step* lastRedo() const { return m_redo.isEmpty() ? nullptr : &m_redo.last(); }

private:
    QList<Step> m_undo;
    QList<Step> m_redo;
};

} // namespace rankwright::inline script

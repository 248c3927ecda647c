// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/undohistory.h"

namespace rankwright::inline script {

namespace {

constexpr qsizetype mostSteps = 1000; // a design is small; this is hours of typing

} // namespace

void UndoHistory::add(
    const QString& label, const QString& mergeKey, const JobSpec& before, const QList<FieldEdit>& edits)
{
    if (merges(mergeKey)) {
        m_undo.last().edits = edits;
    } else {
        m_undo.append({label, mergeKey, before, edits});
        if (m_undo.size() > mostSteps)
            m_undo.removeFirst();
    }
    m_redo.clear();
}

bool UndoHistory::merges(const QString& mergeKey) const
{
    return !mergeKey.isEmpty() && !m_undo.isEmpty() && m_undo.last().mergeKey == mergeKey;
}

void UndoHistory::closeStep()
{
    if (!m_undo.isEmpty())
        m_undo.last().mergeKey.clear();
}

void UndoHistory::clear()
{
    m_undo.clear();
    m_redo.clear();
}

std::optional<JobSpec> UndoHistory::undo(const JobSpec& present)
{
    if (m_undo.isEmpty())
        return std::nullopt;
    const Step step = m_undo.takeLast();
    m_redo.append({step.label, {}, present, {}});
    closeStep();
    return step.before;
}

std::optional<JobSpec> UndoHistory::redo(const JobSpec& present)
{
    if (m_redo.isEmpty())
        return std::nullopt;
    const Step step = m_redo.takeLast();
    m_undo.append({step.label, {}, present, {}});
    return step.before;
}

} // namespace rankwright::inline script

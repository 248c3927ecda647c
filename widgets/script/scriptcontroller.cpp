// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptcontroller.h"

#include "models/core/linediff.h"
#include "models/script/document/scriptfindings.h"
#include "models/script/write/overrides.h"
#include "models/script/write/routineparts.h"
#include "widgets/script/scriptcompleter.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptpanel.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

ScriptController::ScriptController(Design& design, ScriptPanel& panel, QObject* parent)
    : QObject(parent), m_design(design), m_panel(panel)
{
    ScriptEditor& editor = panel.editor();
    editor.setReadOnly(false);
    connect(&editor, &ScriptEditor::textEdited, this, [this](const QString& text, TypingStep step) {
        m_typing += step == TypingStep::Continued ? 0 : 1;
        edit(text, tr("Typing in the script"), u"script.%1"_s.arg(m_typing));
    });
    connect(&editor, &ScriptEditor::undoRequested, this, [this] { m_design.undo(); });
    connect(&editor, &ScriptEditor::redoRequested, this, [this] { m_design.redo(); });
    connect(&editor, &ScriptEditor::giveBackRequested, this, &ScriptController::giveBack);
    connect(&editor, &ScriptEditor::fixRequested, this, [this](int remark) {
        const QList<ScriptRemark>& remarks = m_panel.editor().remarks();
        if (remark >= 0 && remark < remarks.size())
            applyFix(remarks.at(remark).index.value_or(-1));
    });
    connect(&design, &Design::documentReplaced, &editor, &ScriptEditor::showTop);
    connect(&panel, &ScriptPanel::comparisonWanted, this, &ScriptController::showCompared);
    connect(&panel, &ScriptPanel::adoptRequested, this, [this](int line, int count, const QStringList& text) {
        replaceLines(line, count, text, tr("The other script's lines"));
    });
    m_last.missing = tr("Nothing has been submitted to this cluster yet.");
}

void ScriptController::refresh()
{
    const Derived& derived = m_design.derived();
    m_panel.setDocumentShown(derived.script, derived.resolved.name);
    m_panel.editor().setPlaces(derived.author ? FieldPlaces(derived.author->fields) : FieldPlaces());
    m_panel.setAuthored(derived.author.has_value());
    if (derived.isChecked())
        showRemarks();
    if (!m_foldsGiven)
        foldRoutine();
    if (m_panel.isComparing())
        showCompared();
    if (derived.profile != m_factsProfile)
        setFacts(m_facts, m_names);
}

void ScriptController::foldRoutine()
{
    const ScriptDocument& script = m_design.derived().script;
    QList<ScriptFold> folds;
    for (const RoutinePart& part : routineParts(script)) {
        const auto first = script.lines.cbegin() + part.first;
        const auto end = script.lines.cbegin() + part.last + 1;
        if (std::none_of(first, end, isYours)) // what somebody wrote is seen
            folds.append({part.first, part.last, part.title, tr("written for every job of this kind"), false});
    }
    m_panel.editor().setFolds(folds);
}

void ScriptController::setFolds(const std::optional<QList<ScriptFold>>& folds)
{
    m_foldsGiven = folds.has_value();
    if (folds)
        m_panel.editor().setFolds(*folds);
    else
        foldRoutine();
}

int ScriptController::lineOf(const Finding& finding) const
{
    if (finding.lines)
        return finding.lines->first - 1;
    const QList<int> lines = m_design.derived().script.linesOf(finding.field);
    return lines.isEmpty() ? -1 : lines.first();
}

void ScriptController::showRemarks()
{
    QList<ScriptRemark> remarks;
    m_findings = m_design.derived().findings();
    for (int i = 0; i < m_findings.size(); ++i) {
        const Finding& finding = m_findings.at(i);
        const int line = lineOf(finding);
        if (line >= 0)
            remarks.append({finding, {line + 1, line + 1}, i});
    }
    for (const Finding& finding : m_design.derived().silenced()) {
        if (finding.lines)
            remarks.append({finding, {finding.lines->first, finding.lines->first}});
    }
    m_panel.editor().setRemarks(remarks);
}

void ScriptController::edit(const QString& text, const QString& label, const QString& mergeKey)
{
    const Derived& derived = m_design.derived();
    // The editor ends its last line; an author's file whose last line is not ended stays so.
    const bool ended = derived.script.finalNewline || !derived.author;
    const QString typed = !ended && text.endsWith(u'\n') ? text.chopped(1) : text;
    const JobSpec after = editedSpec(derived, typed);
    if (after == m_design.spec())
        refresh(); // the editor shows the design's script again
    else
        m_design.edit(
            label, [&after](JobSpec& spec) { spec = after; }, mergeKey);
}

void ScriptController::replaceLines(int line, int count, const QStringList& text, const QString& label)
{
    QStringList lines = linesOfText(m_design.derived().script.text());
    if (line < 0 || line + count > lines.size())
        return;
    lines.remove(line, count);
    for (qsizetype i = 0; i < text.size(); ++i)
        lines.insert(line + i, text.at(i));
    edit(lines.isEmpty() ? QString() : lines.join(u'\n') + u'\n', label, {});
}

void ScriptController::giveBack(int line)
{
    const QStringList from = linesOfText(comparedText());
    const QStringList to = linesOfText(m_design.derived().script.text());
    for (const LineHunk& hunk : lineDifference(from, to)) {
        const bool here = line >= hunk.to && line < qMax(hunk.toEnd, hunk.to + 1);
        if (here) {
            replaceLines(int(hunk.to), int(hunk.toEnd - hunk.to), from.mid(hunk.from, hunk.fromEnd - hunk.from),
                m_design.derived().author ? tr("The lines as they were saved") : tr("The generated lines again"));
            return;
        }
    }
}

/// A finding that is shown as the design has it now: where it changed a moment ago, the fix is one of the newer text.
std::optional<Finding> ScriptController::findingNow(const Finding& shown) const
{
    const QList<Finding>& now = m_design.derived().findings();
    const auto found = std::find_if(now.cbegin(), now.cend(), [&shown](const Finding& one) {
        return one.slug == shown.slug && one.field == shown.field && one.lines == shown.lines && one.text == shown.text;
    });
    return found != now.cend() ? std::optional(*found) : std::nullopt;
}

void ScriptController::applyFix(int index, int which)
{
    if (index < 0 || index >= m_findings.size())
        return;
    // A copy: the edit replaces the findings while it runs.
    const std::optional<Finding> finding = findingNow(m_findings.at(index));
    if (!finding)
        return;
    const QList<Fix>& others = finding->otherFixes;
    const std::optional<Fix> fix = which == 0 ? finding->fix
        : which <= others.size()              ? std::optional(others.at(which - 1))
                                              : std::nullopt;
    if (fix && fix->apply)
        m_design.edit(fix->label, fix->apply);
}

void ScriptController::setFacts(const std::optional<ClusterFacts>& facts, const std::optional<ClusterNames>& names)
{
    m_facts = facts;
    m_names = names;
    m_factsProfile = m_design.derived().profile;
    m_panel.editor().completer().setFacts(completionFacts(*m_factsProfile, facts, names));
}

void ScriptController::setLastSubmitted(const ComparedScript& last)
{
    m_last = last;
    showCompared();
}

QString ScriptController::comparedText() const
{
    if (!m_design.derived().author)
        return m_design.derived().script.generated.text();
    return authorText(m_design.saved().overrides).value_or(m_design.derived().author->text);
}

void ScriptController::showCompared()
{
    ComparedScript generated;
    generated.text = comparedText();
    generated.caption = m_design.derived().author ? tr("− the file as it was opened or saved   + as it is now")
                                                  : tr("− what the form alone would write   + what you made of it");
    m_panel.setCompared({generated, m_last});
}

} // namespace rankwright

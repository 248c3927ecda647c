// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/clusternames.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/script/document/design.h"
#include "widgets/script/differenceview.h"
#include "widgets/script/scriptremark.h"

namespace rankwright {

class ScriptPanel;
struct ScriptFold;

/// Between the design and the script that a person types in: an edit of the text becomes an edit of the design (one
/// undo history), the design's script and findings come back as document and remarks. What an edit means is
/// decided by applyScriptEdit(), what is wrong with it by derive(); this only carries it there and back.
class ScriptController final : public QObject {
    Q_OBJECT
public:
    ScriptController(Design& design, ScriptPanel& panel, QObject* parent = nullptr);

    /// After the design changed, or its cluster reported more.
    void refresh();
    /// The design's findings, where the script shows them; part of refresh() where the design is evaluated.
    void showRemarks();
    /// Applies a fix of one of the design's findings as one undo step; `which`: as FindingsPanel counts them.
    void applyFix(int index, int which = 0);
    /// Names that the connected cluster reported; nothing: what is published of it.
    void setFacts(const std::optional<ClusterFacts>& facts, const std::optional<ClusterNames>& names);
    /// What the "Last submitted" side of the comparison shows.
    void setLastSubmitted(const ComparedScript& last);
    /// Lines [line, line + count) of the script give way to `text`, as one undo step.
    void replaceLines(int line, int count, const QStringList& text, const QString& label);
    /// The generated text in place of a person's own around a line.
    void giveBack(int line);
    /// Parts that are folded in place of those that are routine; nothing: these again.
    void setFolds(const std::optional<QList<ScriptFold>>& folds);

private:
    void edit(const QString& text, const QString& label, const QString& mergeKey);
    std::optional<Finding> findingNow(const Finding& shown) const;
    void showCompared();
    void foldRoutine();
    int lineOf(const Finding& finding) const;
    QString comparedText() const; ///< what the form alone would write; an author's file as it was opened or saved

    Design& m_design;
    ScriptPanel& m_panel;
    std::optional<ClusterFacts> m_facts;
    std::optional<ClusterNames> m_names;
    const ClusterProfile* m_factsProfile = nullptr;
    ComparedScript m_last;
    QList<Finding> m_findings; ///< that are shown
    bool m_foldsGiven = false;
    int m_typing = 0; ///< counts the undo steps of typing
};

} // namespace rankwright

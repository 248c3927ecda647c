// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/cost.h"
#include "models/planner/design/rankplaces.h"
#include "models/planner/planning/remedies.h"
#include "models/script/checks/designchecks.h"
#include "models/script/document/authorscript.h"
#include "models/script/document/undohistory.h"
#include "models/script/write/figurepassing.h"
#include "models/script/write/scriptwriter.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace rankwright::inline script {

/// Findings beside the program's own, such as the limits of a class; they count as all others do. Empty: none.
using FurtherRules = std::function<QList<Finding>(const ResolvedSpec&)>;

/// Everything that follows from a design, always of this very spec.
struct Derived {
    const ClusterProfile* profile = nullptr; ///< never null in a Design's derived()
    ResolvedSpec resolved;
    RankPlaces ranks;
    BatchPlan batch;
    CostQuote cost;
    Result<DesignEstimate> estimate = fail(Fault::Invalid, QStringLiteral("Nothing has been designed yet."));
    QList<Choice> choices; ///< what was taken for open fields: by the design, and by the run that is planned from it
    QList<Remedy> remedies; ///< when the design does not fit
    WrittenScript script;
    FigurePassing passing; ///< what of the batch, the epochs and the precision reaches the program
    std::optional<AuthorScript> author; ///< the script is its author's text; empty: it is written from the fields

    /// Of fields and edited script: what window, launch and `check` go by. Of this very design, too: found here where
    /// check() has not been called yet.
    const QList<Finding>& findings() const;
    const QList<Finding>& silenced() const; ///< by comments in the script: shown, and no findings
    bool isChecked() const { return m_result.has_value(); }
    void check() const;
    void addFindings(const QList<Finding>& more); ///< after the others
    FurtherRules further;

private:
    mutable std::optional<CheckResult> m_result;
};

/// Pure: everything from (spec, profile) and what earlier runs taught, evaluated.
Derived derive(const JobSpec& spec, const ClusterProfile& profile, const CalibrationTable& calibrations = {});
/// The same with an author's script that is read already for this profile; it serves where the design has its text.
Derived derive(const JobSpec& spec, const ClusterProfile& profile, const CalibrationTable& calibrations,
    const AuthorScript* known);

/// The one mutable thing in the domain: a design with undo, and what follows from it. Answers an edit at once, on the
/// caller's (GUI) thread, and emits `changed` once. Does not own the catalogue, which must outlive it; does not save.
class Design final : public QObject {
    Q_OBJECT
public:
    /// Starts with an empty design for the first cluster of the catalogue.
    explicit Design(const Catalogue& catalogue, QObject* parent = nullptr);

    const JobSpec& spec() const { return m_spec; }
    const Derived& derived() const { return m_derived; }
    const Catalogue& catalogue() const { return m_catalogue; }

    /// One undo step. Another cluster also clears what names something of the old one (clearSiteOptions). Edits with
    /// the same non-empty `mergeKey` right after one another become one step (typing). In an author's script a changed
    /// field is rewritten at its places; where that cannot be, nothing changes and `refused` says why. False: refused.
    bool edit(const QString& label, const std::function<void(JobSpec&)>& change, const QString& mergeKey = {});
    /// The same of fields of an author's script alone ("arguments.--lr"), which a design need not have.
    bool editScript(const QString& label, const QList<FieldEdit>& edits, const QString& mergeKey = {});
    enum class Kept { InItsFile, Nowhere };
    /// Another document: clears the undo history. Counts as saved unless it is kept nowhere. `known`: its author's
    /// script, where that is read already.
    void replace(const JobSpec& spec, Kept kept = Kept::InItsFile, const AuthorScript* known = nullptr);
    /// The catalogue has changed: everything is derived again; design and history stay as they are.
    void catalogueChanged();
    bool undo();
    bool redo();
    bool canUndo() const { return m_history.lastUndo() != nullptr; }
    bool canRedo() const { return m_history.lastRedo() != nullptr; }
    QString undoLabel() const;
    QString redoLabel() const;
    bool isModified() const { return m_spec != m_saved; }
    const JobSpec& saved() const { return m_saved; }
    void markSaved(); ///< emits changed: the title's mark follows
    /// What earlier runs taught; estimates follow. No part of the document: no undo step.
    void setCalibrations(const CalibrationTable& calibrations);
    const CalibrationTable& calibrations() const { return m_calibrations; }
    /// Asked at every change. No part of the document: no undo step.
    using Rules = FurtherRules;
    void setRules(Rules rules);
    /// When a design is evaluated (Derived::check) whose script is its author's, as long as that may be. Those who ask
    /// for its findings before get them at once.
    enum class CheckTiming {
        WithTheChange,
        WhenPainted ///< a moment later: what is typed is on the screen before, and the next key puts it off
    };
    void setCheckTiming(CheckTiming timing) { m_checkTiming = timing; }

signals:
    void changed();
    void checked(); ///< after each `changed`, at once or later: the findings may be shown
    void documentReplaced(); ///< after `changed`, when another document is here: views begin at its top
    /// After `changed`, when an edit chose another cluster than `from` and fields of that one were cleared with it.
    void siteOptionsCleared(const QString& from, const QList<FieldPath>& fields);
    /// A field of an author's script could not be changed; the design is as it was.
    void editRefused(const rankwright::FieldPath& path, const rankwright::Error& why);

private:
    bool applyScript(const QString& label, const JobSpec& after, const AuthorScript& script,
        const QList<FieldEdit>& edits, const QString& mergeKey);
    bool applyEdits(const QString& label, const JobSpec& after, QList<FieldEdit> edits, const QString& mergeKey);
    bool apply(const QString& label, JobSpec after, const QList<FieldEdit>& edits, const QString& mergeKey,
        const AuthorScript* known = nullptr);
    const ClusterProfile& profileOf(const JobSpec& spec) const;
    void rederive(const AuthorScript* known = nullptr);
    void announceChange();
    bool show(const std::optional<JobSpec>& step);

    const Catalogue& m_catalogue;
    JobSpec m_spec;
    JobSpec m_saved;
    Derived m_derived;
    CalibrationTable m_calibrations;
    Rules m_rules;
    UndoHistory m_history;
    CheckTiming m_checkTiming = CheckTiming::WithTheChange;
    QTimer m_pause; ///< of the changes: the design is evaluated then
    std::optional<AuthorScript> m_former; ///< the text before, which is given up when nothing else is to be done
    QTimer m_idle;
    std::shared_ptr<const BoundScript> m_base; ///< the script before the newest step that edits made
};

} // namespace rankwright::inline script

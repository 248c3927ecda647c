// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/clusternames.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/cluster/slurm/submitstate.h"
#include "models/script/document/design.h"

#include <QPointer>
#include <QWidget>

#include <optional>

class QSplitter;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace rankwright {

class DesignForm;
class DesignPicture;
class FindingsPanel;
class ScriptController;
class ScriptPanel;
class SegmentedControl;
struct ComparedScript;
struct ScriptFold;
class VerdictBar;

/// The Design page: form, node map, strategy, batch, memory and time, findings, live script, verdict row. Shows a
/// Design and edits it; asks for Dry run and Launch by signals. Does not submit, does not save. Every change of the
/// design is shown in the same pass of the event loop.
class DesignPage final : public QWidget {
    Q_OBJECT
public:
    explicit DesignPage(Design& design, QWidget* parent = nullptr);

    /// Progress and outcome of the dry run or the submission, beside the buttons.
    void showSubmitState(const SubmitState& state);
    /// Another document came in: what became of the one before is not said of it.
    void forgetOutcome();
    /// Why Launch is off (no connection ...); empty: on.
    void setLaunchBlocked(const QString& why);
    /// The program is looked for and not there, one sentence; empty: it is there, or that is unknown.
    void setProgramMissing(const QString& text);
    /// What the connected cluster reported of itself: accounts offered in the form, names offered in the script.
    void setFacts(const std::optional<ClusterFacts>& facts, const std::optional<ClusterNames>& names = {});
    /// How many checks of an exercise were seen; `of` 0: no exercise is worked on.
    void setChecks(int seen, int of);
    /// Parts of the script of the design as it is now that are folded; none: all is shown.
    void setScriptFolds(const std::optional<QList<ScriptFold>>& folds);
    /// The script submitted last, to compare with.
    void setLastSubmitted(const ComparedScript& last);
    void focusField(const FieldPath& field);
    /// Brings the script to the front and the cursor to a line (0 based).
    void goToLine(int line);
    /// Marks a rank in all pictures; -1: none.
    void selectRank(int rank);
    /// The strategy as a picture instead of the nodes, and back.
    void showStrategy(bool shown);
    std::optional<int> selectedRank() const; ///< empty: none
    /// The script in a tab although there is room beside the picture. Below 1280 px it always is.
    void setScriptFolded(bool folded);
    bool isScriptFolded() const { return m_foldWanted; }
    /// The search over the fields of the form.
    void openFieldSearch();
    /// Sections of the form that are unfolded, for keeping.
    QStringList openSections() const;
    void setOpenSections(const QStringList& names);
    /// Takes the place of the form, and belongs to the page from then on; a form in it serves as the page's own. Null:
    /// the form again, and what was there goes.
    void setSidePanel(QWidget* panel);
    QWidget* sidePanel() const { return m_sidePanel; } ///< null: the form is shown

signals:
    void scriptFoldedChanged(bool folded); ///< by a person, for keeping
    /// A value was changed in a picture, one sentence of what else changed; Design::undo() takes it back.
    void editedInPicture(const QString& text);
    void refusedInPicture(const QString& why); ///< a number that cannot be
    void layoutsWanted(); ///< to choose one that fits
    void rewriteRequested(); ///< of an author's script as a design
    void namesWanted(); ///< somebody begins to type in the script
    void rehearseRequested();
    void launchRequested();
    void checksRequested(); ///< the exercise's, in the panel in the form's place
    /// A field was asked for (by a script line, a finding) while a panel stands in the form's place.
    void fieldWanted(const rankwright::FieldPath& field);
    void stopRequested(); ///< while a submission is busy
    void connectRequested();
    void uploadRequested();
    void showJobRequested(const QString& jobId); ///< a submitted job was clicked

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildCentre();
    void wireVerdict();
    void buildSide();
    void connectParts();
    void refresh();
    void refreshFindings();
    void setFolded(bool folded);
    void shareOut(int room);
    void limitFindings();
    void bringToFront(int tab);
    void showFindings();
    void goToFieldsLine();
    void followForm(DesignForm* form);
    DesignForm* shownForm() const;
    void compareScripts();

    Design& m_design;
    QStackedWidget* m_left = nullptr; ///< the form, or what stands in its place
    QPointer<QWidget> m_sidePanel;
    DesignForm* m_form = nullptr;
    DesignPicture* m_picture = nullptr;
    FindingsPanel* m_findings = nullptr;
    ScriptPanel* m_script = nullptr;
    ScriptController* m_scriptController = nullptr;
    QWidget* m_side = nullptr;
    QWidget* m_findingsLine = nullptr;
    QVBoxLayout* m_sideColumn = nullptr;
    VerdictBar* m_verdict = nullptr;
    QSplitter* m_splitter = nullptr;
    SegmentedControl* m_tabs = nullptr;
    QWidget* m_tabStrip = nullptr;
    QToolButton* m_unfold = nullptr;
    QStackedWidget* m_stack = nullptr;
    JobSpec m_askedSpec; ///< what the scheduler was last asked about
    bool m_wasBusy = false;
    bool m_folded = false;
    bool m_foldWanted = false;
    bool m_findingsTall = false;
    QList<Finding> m_shownFindings;
    bool m_findingsAreOld = false; ///< the design changed and is not evaluated yet
    QStringList m_accounts; ///< that the cluster reported
    FieldPath m_focused; ///< field that had the focus last
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/document/design.h"
#include "models/slurm/clusternames.h"
#include "models/slurm/jobrecord.h"
#include "models/slurm/submitstate.h"

#include <QWidget>

class QSplitter;
class QStackedWidget;
class QVBoxLayout;

namespace rankwright {

class DesignForm;
class DesignPicture;
class FindingsPanel;
class ScriptController;
class ScriptPanel;
class SegmentedControl;
struct ComparedScript;
class VerdictBar;

/// The Design page: form, node map, strategy, batch, memory and time, findings, live script, verdict row. Shows a
/// Design and edits it; asks for Dry run and Launch by signals. Does not submit, does not save. Every change of the
/// design is shown in the same pass of the event loop.
class DesignPage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DesignPage)
public:
    explicit DesignPage(Design& design, QWidget* parent = nullptr);

    /// Progress and outcome of the dry run or the submission, beside the buttons.
    void showSubmitState(const SubmitState& state);
    /// Another document came in: what became of the one before is not said of it.
    void forgetOutcome();
    /// Why Launch is off (no connection ...); empty: on.
    void setLaunchBlocked(const QString& why);
    /// The program is looked for and not there, one sentence; empty: it is, or nobody knows.
    void setProgramMissing(const QString& text);
    /// What the connected cluster reported of itself: accounts offered in the form, names offered in the script.
    void setFacts(const std::optional<ClusterFacts>& facts, const std::optional<ClusterNames>& names = {});
    /// The script submitted last, to compare with.
    void setLastSubmitted(const ComparedScript& last);
    void focusField(const FieldPath& field);
    /// Brings the script to the front and the cursor to a line (0 based).
    void goToLine(int line);
    /// Marks a rank in all pictures; -1: none.
    void selectRank(int rank);
    /// The strategy as a picture instead of the nodes, and back.
    void showStrategy(bool shown);
    int selectedRank() const;

signals:
    void layoutsWanted(); ///< to choose one that fits
    void namesWanted(); ///< somebody begins to type in the script
    void rehearseRequested();
    void launchRequested();
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
    void wire();
    void refresh();
    void setFolded(bool folded);
    void limitFindings();
    void bringToFront(int tab);
    void showFindings();
    void goToFieldsLine();
    void compareScripts();

    Design& m_design;
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
    QStackedWidget* m_stack = nullptr;
    JobSpec m_askedSpec; ///< what the scheduler was last asked about
    bool m_wasBusy = false;
    bool m_folded = false;
    bool m_findingsTall = false;
    FieldPath m_focused; ///< field that had the focus last
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/submitstate.h"
#include "models/planner/planning/designestimate.h"
#include "models/script/document/design.h"

#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace rankwright {

class FigureButton;

/// The row at the bottom of the Design page: verdict, figures, Dry run and Launch; above it one line with what goes on,
/// how it ended or why Launch is off. Shows; does not submit.
class VerdictBar final : public QWidget {
    Q_OBJECT
public:
    /// Views that a figure leads to.
    enum class View { Memory, Step, Model };

    explicit VerdictBar(QWidget* parent = nullptr);

    /// `findings`: the design's, and those of lines that a person wrote into the script.
    void setDerived(const Derived& derived, const QList<Finding>& findings, int unreadableFields);
    /// What is expected of the design; unknown figures are shown as such, with the reason.
    void setEstimate(const Result<DesignEstimate>& estimate, const QString& gpuWord);
    void showSubmitState(const SubmitState& state);
    void setLaunchBlocked(const QString& why);
    /// The program is known not to be there, one sentence; empty: it is there, or that is unknown.
    void setProgramMissing(const QString& text);
    /// How many checks of an exercise were seen; `of` 0: no exercise is worked on.
    void setChecks(int seen, int of);
    /// The reservation that the design runs in, and how it stands with it; empty: none is shown.
    void setReservation(const QString& title, const QString& state, const QString& explanation);
    /// The design is another one than the scheduler was asked about: its answer is not this design's.
    void setOutcomeOfAnother(bool other);
    /// Another document came in.
    void forgetOutcome();
    QSize minimumSizeHint() const override;

signals:
    void rehearseRequested();
    void launchRequested();
    void stopRequested();
    void connectRequested();
    void uploadRequested();
    void showJobRequested(const QString& jobId);
    void findingsRequested();
    void checksRequested(); ///< of the exercise
    void fieldRequested(const rankwright::FieldPath& field);
    void viewRequested(rankwright::VerdictBar::View view);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildLine();
    void buildRow();
    FigureButton* addFigure(QHBoxLayout* row, const FieldPath& leadsTo);
    FigureButton* addFigure(QHBoxLayout* row, View view);
    void showUnknown(const QString& why, const QString& gpuWord);
    void makeRoom();
    void showFigures(const Derived& derived);
    void showCost(const Derived& derived);
    void showStart();
    void updateLine();
    void updateButtons();
    void updatePill();
    QString rehearsedText() const;
    QString blockReason() const;

    QWidget* m_line = nullptr;
    QLabel* m_lineText = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_lineAction = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_pill = nullptr;
    QPushButton* m_fit = nullptr;
    QPushButton* m_checks = nullptr; ///< hidden: no exercise
    FigureButton* m_memory = nullptr;
    FigureButton* m_step = nullptr;
    FigureButton* m_speed = nullptr;
    FigureButton* m_ranks = nullptr;
    FigureButton* m_batch = nullptr;
    FigureButton* m_cost = nullptr;
    FigureButton* m_start = nullptr;
    FigureButton* m_reservation = nullptr; ///< hidden: none
    QPushButton* m_rehearse = nullptr;
    QPushButton* m_launch = nullptr;
    QPushButton* m_pressed = nullptr; ///< that had the focus when it was switched off
    QTimer m_ageing; ///< "asked 2 min ago" grows old by itself

    SubmitState m_state;
    StartForecast m_forecast;
    QDateTime m_askedAt;
    bool m_otherDesign = false; ///< than the one that was asked about
    bool m_hasReservation = false;
    bool m_known = false; ///< the estimate
    bool m_tooLarge = false; ///< does not fit
    QList<Finding> m_findings;
    QString m_blocked;
    QString m_missing;
    int m_errors = 0;
    int m_unreadable = 0;
};

} // namespace rankwright

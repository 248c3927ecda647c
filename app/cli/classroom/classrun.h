// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/classroom/classmeter.h"
#include "app/cli/clilogin.h"
#include "models/teaching/classroom/classplan.h"
#include "models/teaching/classroom/classprogress.h"

#include <optional>

namespace rankwright {

/// What is to be tried of a class.
struct ClassRunOrder {
    ClassFile file; ///< on the cluster where it is tried (classOn)
    QString only; ///< an exercise's id; empty: all
    std::optional<JobSpec> design; ///< somebody's answer to that exercise, in place of its solution
    QString account, folder; ///< for designs that leave them open
    std::optional<Seconds> limit; ///< for each job, from its submission; empty: none
};

/// What became of one job of it.
struct TrialOutcome {
    ClassTrial trial;
    bool isGiven = false; ///< somebody's answer
    RunFacts facts; ///< job empty: none was submitted
    bool wasFound = false; ///< an earlier submission of the same design was it
    QList<Finding> findings; ///< errors and warnings of the design and of the class; with an error it is not submitted
    QString refusal; ///< why it was not submitted, or Slurm did not take it
    bool isRefused = false; ///< by Slurm
    QString ending; ///< how the job ended, one sentence
    QList<Diagnosis> failures; ///< found in its output
    QStringList notes; ///< what Slurm has that differs from the script, the limit
};

/// What became of one exercise.
struct ExerciseOutcome {
    int exercise = 0;
    QList<TrialOutcome> trials;
    QList<CheckVerdict> checks;
    ProgressLine progress; ///< as an attendee's window would note it
    /// Every check was seen.
    bool isPassed() const;
};

/// Tries a class: one job after the other is submitted (SubmitFlow, once), watched to its end and measured, and the
/// exercise's checks are evaluated from it. Says each step on standard error and finishes the login with the exit code.
/// An interruption cancels the job that it began.
class ClassRun final : public QObject {
    Q_OBJECT
public:
    /// `login` is connected and outlives it.
    ClassRun(CliLogin& login, ClusterProfile profile, ClassRunOrder order);
    ~ClassRun() override;

    void start();
    const QList<ExerciseOutcome>& outcomes() const { return m_outcomes; }
    bool isInterrupted() const { return m_isInterrupted; }
    /// Every trial was gone through.
    bool isWhole() const { return m_at && *m_at >= m_trials.size(); }

private:
    void startNextTrial();
    void begin(const ClassTrial& trial);
    JobSpec specOf(const ClassTrial& trial) const;
    void handleState(const SubmitState& state);
    void watch(const JobId& job);
    void handleRecord(const JobRecord& record);
    void handleEnd(const JobRecord& record);
    void handleLimit();
    void close();
    void handleInterruption();
    void cancelAndEnd(const JobId& job);
    void end(int code);
    void printLine(const QString& text);
    QString place() const;

    CliLogin& m_login;
    const ClusterProfile m_profile; ///< that derived designs point to
    const ClassRunOrder m_order;
    const QList<ClassTrial> m_trials;
    std::optional<qsizetype> m_at; ///< in m_trials; empty: before the first
    Derived m_derived; ///< of the present trial
    TrialOutcome m_now;
    ClassMeter m_meter;
    JobState m_said = JobState::Unknown;
    QTimer m_limit;
    QTimer m_lastWait; ///< of the interrupted program, for Slurm's answer
    bool m_isWatching = false;
    bool m_isInterrupted = false;
    bool m_isOver = false;
    QHash<QString, QList<RunFacts>> m_runs; ///< of checked trials, by exercise
    QList<ExerciseOutcome> m_outcomes;
};

} // namespace rankwright

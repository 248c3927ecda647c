// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobstate.h"
#include "models/script/document/design.h"

#include <QHash>

namespace rankwright::inline teaching {

/// Upper bounds of what an attendee may ask for; empty: the site's own.
struct ClassLimits {
    std::optional<int> maxNodes;
    std::optional<int> maxGpus; ///< of one job
    std::optional<Seconds> maxTime;
    bool isEmpty() const { return !maxNodes && !maxGpus && !maxTime; }
    bool operator==(const ClassLimits&) const = default;
};

/// What the program itself can verify of an exercise. Closed: a class file names one of these and gives its parameters.
enum class ClassCheckKind {
    GlobalBatch, ///< design: the global batch is `count`
    LauncherIs, ///< design: started by `word` ("torchrun", "srun")
    StrategyIs, ///< design: `word` ("ddp")
    NodesAsked, ///< design: `count` nodes
    GpusAsked, ///< design: `count` GPUs in all
    BoundInDesign, ///< design: each rank is put on the cores next to its GPU
    NoErrors, ///< no finding of severity error in fields and script
    WithinLimits, ///< nodes, GPUs and time of the design, and what the newest job had, are within the class's limits
    Submitted, ///< a job of this exercise was handed to Slurm
    Completed, ///< one ended as COMPLETED
    RanOnNodes, ///< one ran on `count` nodes
    GpusBusy, ///< each GPU was busy for `value` % at least
    RanksBound, ///< all ranks reported to be where the plan has them
    Resumed, ///< a job went on from a checkpoint
    LossFell, ///< from the first to the last value that the log reports, by `value` %
    SpeedUp, ///< `value` times as fast as the job of exercise `against`
    Efficiency, ///< `value` % of ideal scaling against the job of exercise `against`
    Throughput ///< `value` samples per second
};

/// One check. Members that its kind does not use are empty.
struct ClassCheck {
    ClassCheckKind kind = ClassCheckKind::NoErrors;
    qint64 count = 0;
    double value = 0;
    QString word;
    QString against; ///< id of a former exercise
    QString text; ///< the teacher's words for it; empty: the program's own (checkText)
    QString hint = {}; ///< shown beside it when it has failed (CheckVerdict::hint); empty: none
    bool operator==(const ClassCheck&) const = default;
};

/// What is known of one job of an exercise; the app fills it from job record, live view and report. Empty: not known.
struct RunFacts {
    QString job; ///< Slurm's id; empty: never submitted
    QDateTime at; ///< of what is known of it last
    JobState state = JobState::Unknown;
    std::optional<int> nodes, gpus; ///< that it had
    std::optional<int> ranks; ///< that reported where they run
    std::optional<int> ranksBound; ///< of them as planned
    std::optional<double> leastBusyPercent; ///< mean use of the GPU that was used least
    QString leastBusyGpu; ///< "nid005124, GCD 4"
    std::optional<bool> resumed; ///< from a checkpoint
    std::optional<double> firstLoss; ///< that the log reports
    std::optional<double> lastLoss; ///< infinite: not a number any more
    std::optional<double> stepSeconds; ///< a usual optimiser step
    std::optional<double> samplesPerSecond; ///< of the whole job
    std::optional<double> elapsedSeconds;
    QString trouble; ///< of a job that failed: the line of its output that says why, else how it ended
    QString remedy; ///< what to change; empty: not known
    bool operator==(const RunFacts&) const = default;
};

/// What checks look at.
struct CheckContext {
    const Derived* derived = nullptr; ///< of the attendee's design; null: no design is open
    QList<RunFacts> runs; ///< of this exercise, newest first
    QHash<QString, QList<RunFacts>> runsByExercise; ///< of all exercises by id, newest first
    std::optional<ClassLimits> limits = {}; ///< of the class; empty: not known here
};

enum class CheckState { Seen, NotYet, Unknown };

struct CheckVerdict {
    CheckState state = CheckState::Unknown;
    QString text; ///< what is checked: "Global batch still 32"
    QString where; ///< where it was seen, or what is missing: "seen in job 9304951, 14:06"
    QString remedy = {}; ///< what to change after a job that failed
    /// The check's own, where it has failed: it is not met although the newest job of the exercise has ended, or it is
    /// one that holds up the launch (NoErrors, WithinLimits). Before that a hint would give the task away.
    QString hint = {};
    bool operator==(const CheckVerdict&) const = default;
};

/// Pure; the order of `checks`.
QList<CheckVerdict> evaluate(const QList<ClassCheck>& checks, const CheckContext& context);
CheckVerdict evaluate(const ClassCheck& check, const CheckContext& context);
/// The check in words.
QString checkText(const ClassCheck& check);
/// Does it look at the design alone, so that it can be seen before anything is launched?
bool looksAtDesign(ClassCheckKind kind);
/// Which of its parameters a kind takes: for readers and editors.
enum class CheckParameter { None, Count, Value, Word };
CheckParameter parameterOf(ClassCheckKind kind);
bool comparesExercises(ClassCheckKind kind); ///< takes `against`

/// "global-batch", "ranks-bound": as in the file.
QString toText(ClassCheckKind kind);
std::optional<ClassCheckKind> classCheckFrom(const QString& text);
QList<ClassCheckKind> allClassChecks();
QString toText(CheckState state); ///< "seen", "not-yet", "unknown"
std::optional<CheckState> checkStateFrom(const QString& text);

} // namespace rankwright::inline teaching

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace rankwright::inline insight {

/// One known failure, as a file of resources/diagnosis has it (docs/diagnosis.md describes the members). The nearer to
/// the cause, the smaller the tier; within a tier the first line wins.
struct DiagnosisRule {
    enum Tier {
        Machine = 0, ///< the hardware under the program: explains the faults that the program met
        Cause = 1, ///< says itself what went wrong
        Communication = 2, ///< may be the cause; a cause elsewhere explains it
        Echo = 3, ///< how others notice that a process is gone
        Ending = 4, ///< the job was ended; a cause before explains it
        Unexplained = 5, ///< something failed, nothing says why
    };
    /// What the search for the cause knows of a rule beside its tier.
    enum class Role {
        None,
        Exception, ///< Python's report of an exception that no other rule explains
        Exit, ///< a process exited, nothing says why: its last words are quoted
        Processor, ///< training without a GPU: counts behind a line that says that there is none
        LostPeer, ///< only says that a partner is gone: another rank, which a summary names later, is the cause
        JobCancelled,
        StepCancelled, ///< by a person, or by srun since a task failed
        Preempted,
    };
    QString id;
    QString kind; ///< class of the answer
    Tier tier = Cause;
    Role role = Role::None;
    QRegularExpression pattern; ///< the line matches it, in any case. Groups: rank, gpu, node
    QRegularExpression unless; ///< empty, or the line does not match this one; of a counted rule: a line that does
                               ///< begins the count again
    QString advice;
    QString source;
    QStringList groups; ///< named groups of the pattern
    /// Lower case; one of them is in each line that the pattern matches (of a counted rule also that `unless` matches).
    /// Derived from the pattern. Empty: any line may match.
    QList<QByteArray> clues;
    QStringList examples; ///< real lines that meet the rule
    QStringList counterexamples; ///< lines that look like one and do not
    bool isWarning = false; ///< counts only where something else of the log shows a failure
    int repeats = 1; ///< lines needed close together (gap below 50 lines), still going on at the end
    bool isHealth = false; ///< about the training, not about the process: reported beside how the job ended
    bool isBeforeEnding = false; ///< not once Slurm has begun to end the step: it kills, too
    bool isSurvivable = false; ///< a program may report it and go on: it tried a package, a server, a smaller batch
    bool showsEnd = false; ///< the line itself shows that a process died or that the job is ended
    bool isFromOutside = false; ///< Slurm ended the job for a reason that no process of it gave
    int signal = 0; ///< number of the signal that the process died of; 0: of none that is known
};

inline constexpr qint64 streakGap = 50; ///< lines between two lines of a counted rule
inline constexpr int streakForGood
    = 20; ///< this many in a row are reported even when the training went on well after them

/// Reads one file of rules; a fault names the rule and the member.
Result<QList<DiagnosisRule>> readDiagnosisRules(const QJsonObject& file);
/// The built-in files of resources/diagnosis, read from them; a fault names the file.
Result<QList<DiagnosisRule>> readBuiltInRules();

/// All of them, in a fixed order: those of memory, GPUs, networks, software and Slurm. Read once, at the first call.
const QList<DiagnosisRule>& diagnosisRules();
/// Null: no such rule.
const DiagnosisRule* diagnosisRule(const QString& id);

/// About the training, not about a process: stands even where the job completed.
bool isHealthRule(const QString& id);
/// Lines of ranks that only say that their partner is gone.
bool isLostPeerRule(const QString& id);

} // namespace rankwright::inline insight

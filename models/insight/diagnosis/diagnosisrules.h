// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace rankwright {

/// One known failure. The nearer to the cause, the smaller the tier; within a tier the first line wins.
struct DiagnosisRule {
    enum Tier {
        Machine = 0, ///< the hardware under the program: explains the faults that the program met
        Cause = 1, ///< says itself what went wrong
        Communication = 2, ///< may be the cause; a cause elsewhere explains it
        Echo = 3, ///< how others notice that a process is gone
        Ending = 4, ///< the job was ended; a cause before explains it
        Unexplained = 5, ///< something failed, nothing says why
    };
    const char* id;
    const char* kind; ///< class of the answer
    Tier tier;
    const char* clues; ///< small letters, parted by '|': one of them must be in the line (any case)
    const char* pattern; ///< and this expression must match; "": the clue is enough. Groups: rank, gpu, node
    const char* unless; ///< and this one must not; of a counted rule: it starts the count anew
    const char* advice;
    const char* source;
    bool isWarning = false; ///< counts only where something else of the log shows a failure
    int repeats = 1; ///< needs so many lines close together (gap below 50 lines), still going on at the end
    bool isHealth = false; ///< about the training, not about the process: reported beside how the job ended
    bool beforeEnding = false; ///< not once Slurm has begun to end the step: it kills, too
};

inline constexpr qint64 streakGap = 50; ///< lines between two lines of a counted rule
inline constexpr int streakForGood = 20; ///< so many in a row are reported even when it went on well after them

/// An exception that no other rule explains.
inline bool isException(const DiagnosisRule& rule) { return qstrcmp(rule.id, "exception") == 0; }

// Each table is a part of the whole, by subject.
const QList<DiagnosisRule>& memoryRules(); ///< memoryfailures.cpp
const QList<DiagnosisRule>& gpuRules(); ///< gpufailures.cpp
const QList<DiagnosisRule>& networkRules(); ///< networkfailures.cpp
const QList<DiagnosisRule>& softwareRules(); ///< softwarefailures.cpp
const QList<DiagnosisRule>& slurmRules(); ///< slurmfailures.cpp

/// About the training, not about a process: stands even where the job completed.
bool isHealthRule(const QString& id);
/// Lines of ranks that only say that their partner is gone: another rank, which a summary names later, is the cause.
bool isLostPeerRule(const QString& id);

/// All of them, in a fixed order.
const QList<DiagnosisRule>& diagnosisRules();

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"

#include <QList>

namespace rankwright::inline insight {

struct DiagnosisRule; // diagnosisrules.h

/// What one rule found in a job's output so far.
struct FoundFailure {
    const DiagnosisRule* rule = nullptr;
    Diagnosis diagnosis; ///< of the first line, with what later ones added
    int streak = 0; ///< lines of it, of a counted rule: in a row
    qint64 lastLine = 0; ///< newest line of it, counted from where reading began
    qint64 linesSince = 0; ///< lines of its file read after that one
    qint64 order = 0; ///< which finding came first, over all outputs
    bool isNumbered = false; ///< the line's number came with it
    bool isWarned = false; ///< every line of it is a warning by the program's own words
    bool isSurvived = false; ///< the program went on training after it
    bool isLabel = false; ///< the rank is that of a launcher's label or of the file: of torchrun's agents it is none
    QList<Diagnosis> ranks; ///< of each rank that reported it the first, of the first few ranks
    qint64 widestGap = 0; ///< of a counted rule: lines from one of the streak to the next
};

/// Who was seen to die.
struct FailureWitnesses {
    struct Witness {
        QString node;
        QString tasks; ///< "3", "0-7"
        std::optional<int> rank;
        QString time; ///< as printed: sorts by time
        std::optional<int> localRank;
        std::optional<int> exitCode; ///< below 0: a signal
        int number = 0; ///< of torchrun's entries: which came first
        bool isEnding = false; ///< Slurm had begun to end the step
        bool isListed = false; ///< under "Failures", not the one that the agent calls the first
    };
    QList<Witness> tasks; ///< "srun: error: NODE: task N: ...", in their order
    /// Of torchrun's summaries, "Root Cause" and "Failures": each agent prints one, of its own ranks alone. Which of
    /// them it calls the first is the order in which it looked, where they ended within a second.
    QList<Witness> rootCauses;
    bool hasAgent = false; ///< torchrun starts the ranks: srun's tasks are its agents
    std::optional<int> nodes; ///< of the job, and so agents; empty: not known
};

/// The cause among the findings, not its consequences, with the node and rank that the others and the witnesses know
/// of; behind it how the job ended, where that has nothing to do with it. Empty: nothing found shows a failure.
QList<Diagnosis> rankCauses(const QList<FoundFailure>& findings, const FailureWitnesses& witnesses);

} // namespace rankwright::inline insight

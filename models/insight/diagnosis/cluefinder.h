// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/insight/text/wordfinder.h"

namespace rankwright::inline insight {

/// Which of many things a line may be, by the words that it has: a prefilter before their expressions.
class ClueFinder {
public:
    struct Clues {
        int number = 0; ///< what find() answers
        QList<QByteArray> words; ///< lower case; one of them is in the line. Empty: any line may be it
    };
    explicit ClueFinder(const QList<Clues>& all);
    /// Numbers of what the line may be, each once, ascending.
    QList<int> find(QByteArrayView line) const;
    /// Index of a byte of the first line at `from` or behind that find() answers; -1: there is none.
    qsizetype firstAt(QByteArrayView text, qsizetype from) const;

private:
    QList<int> m_always; ///< those without words
    WordFinder m_finder;
};

/// Clues that belong to no rule but help to read one; their numbers follow those of the rules.
enum DiagnosisHelper {
    SrunTask = -1, ///< srun reports which task of which node ended
    RootCause = -2, ///< torchrun's summary begins
    Traceback = -3, ///< Python's report begins
    IgnoredException = -4, ///< Python goes on after the report that follows
    RocmCollectives = -5,
    Agent = -6, ///< torchrun starts the ranks
    Requeued = -7, ///< Slurm takes the job off and starts it again later
    Begun = -8, ///< a program of the job begins
    EndOfStep = -9, ///< Slurm begins to end what still runs
    Failures = -12, ///< torchrun lists the ranks that failed beside the one it calls first
    ThreadException = -11, ///< Python's report that follows is of a thread
    RankBlock = -13, ///< Composer's launcher begins or ends the copy of a rank's output
    HydraProcess = -14, ///< MPICH's launcher names the process that it reports
    NoGpu = -10, ///< the program finds no GPU; whether it matters the next lines say
};

/// Finds which rules (numbers from 0, in the order of diagnosisRules()) and helpers a line may meet.
const ClueFinder& diagnosisClues();

/// A command that finds, in the first `end` bytes of a file, lines that may name a cause: "OFFSET:LINE" each, at most
/// 2000. For LogDiagnoser::feedLine().
RemoteCommand causeCommand(const QString& path, qint64 end);

} // namespace rankwright::inline insight

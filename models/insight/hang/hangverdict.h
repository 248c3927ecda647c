// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangcase.h"
#include "models/insight/hang/rankevidence.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline insight {

/// One rank as a table shows it. What is not known is empty.
struct HangRow {
    std::optional<int> rank;
    QString node;
    std::optional<int> gpu; ///< number on its node
    std::optional<qint64> pid;
    std::optional<ProcessState> state;
    QString waitChannel;
    QString function; ///< innermost frame of the user's own code, else the innermost of all
    QString file;
    std::optional<int> line;
    QStringList stack; ///< "all_reduce (distributed_c10d.py:1700)", innermost first; of the main thread
    QString collective; ///< in which it waits: "all_reduce", "all_reduce 4,812 of group fsdp"
    QString last; ///< of an odd one whose place now is not known, as lastText() says it; else empty
    std::optional<qint64> called; ///< number of the last operation that it called in HangVerdict::calledGroup
    bool isOdd = false;
    bool operator==(const HangRow&) const = default;
};

/// A part of the sentence, word for word, and what it rests on.
struct HangProof {
    QString words;
    QString source; ///< "Flight Recorder of 31 ranks", "py-spy of rank 11", "/proc of rank 11: state D, nfs_…"
    QList<qsizetype> rows; ///< whom they are about: places in HangVerdict::rows; empty: the job as a whole
    bool operator==(const HangProof&) const = default;
};

/// The answer to "where does it hang".
struct HangVerdict {
    HangCause cause = HangCause::Unknown;
    QString sentence; ///< one statement for people: who, which call, where, who waits
    QList<HangRow> rows; ///< the odd ones in front, then by rank
    QList<int> odd; ///< ranks that are accused, ascending; empty: none
    QString calledGroup; ///< "fsdp", "default": of HangRow::called; empty: no Flight Recorder tells of one
    QList<HangProof> proofs; ///< in the order of the sentence; `words` are parts of it
    QStringList notes; ///< what was not reachable, where sources disagree: a sentence each
    double seconds = 0; ///< that the collection took
    bool operator==(const HangVerdict&) const = default;
};

/// Fuses whatever of the sources is there (hangassessment.h says in which order they count). A job that goes on gets a
/// sentence that says so, and accuses no rank. Never fails: what can't be told is said.
HangVerdict hangVerdict(const HangEvidence& evidence);

} // namespace rankwright::inline insight

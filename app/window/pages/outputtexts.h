// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/log/logpiece.h"

#include <QByteArray>

#include <atomic>
#include <set>

namespace rankwright {

/// One output file of a job as it is kept on this machine, or in a job file.
struct OutputText {
    QString path; ///< on the cluster, or its name alone
    std::optional<int> rank;
    QByteArray bytes; ///< its end, from a whole line on
    std::optional<qint64> wholeBytes; ///< of the file; empty: not known
    bool isCut() const { return from() > 0; }
    /// Where its first byte is in the file; of a file whose texts were changed nearly so.
    qint64 from() const { return qMax<qint64>(0, wholeBytes.value_or(0) - bytes.size()); }
    bool operator==(const OutputText&) const = default;
};

constexpr int mostTextHits = 2000;

/// Lines of one of them, numbered as `file`; of one that is cut a note comes first.
QList<LogLine> linesOf(const OutputText& text, int file);
/// What is shown of several of them at once.
struct ShownTexts {
    QList<LogLine> lines; ///< of all files one after another, the newest; progress lines folded to their last state
    std::set<int> ranks; ///< of all lines, also of those that are not in `lines`
    QList<Diagnosis> diagnoses; ///< as diagnosesIn()
};

/// Shared with a thread that reads them.
struct TextsReading {
    std::atomic<bool> dropped = false; ///< set when it is not waited for any more
    std::atomic<int> filesRead = 0;
};

/// All that a view of at most `mostLines` lines shows. For any thread: megabytes take seconds. Incomplete once
/// `reading` is dropped.
ShownTexts shownTexts(const QList<OutputText>& texts, const JobRecord& job, qsizetype mostLines, TextsReading& reading);
QList<LogFileName> namesOf(const QList<OutputText>& texts);
/// Why the job failed, as they report it; of a job that completed nothing but what was wrong with its training.
QList<Diagnosis> diagnosesIn(const QList<OutputText>& texts, const JobRecord& job);
/// All lines of linesOf() in which `query` is, at most mostTextHits. The state's trouble: the
/// expression cannot be used.
QList<LogHit> hitsIn(const OutputText& text, int file, const LogQuery& query, LogSearchState& state);

} // namespace rankwright

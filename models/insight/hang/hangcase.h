// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/lastoperation.h"
#include "models/insight/hang/pythonstack.h"

#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

enum class HangCause {
    Nothing, ///< nothing hangs as far as can be seen
    Slow, ///< others wait for a rank that goes on
    Unknown, ///< nothing can be said: too little was reachable
    Stopped, ///< a process is stopped by a signal
    Gone, ///< a rank has no process any more, others wait
    Alone, ///< a few wait for ranks that have ended or gone elsewhere
    WrongOrder, ///< ranks called different operations, or the same in different places
    WrongSize,
    WrongType,
    NotEntered, ///< a rank has not come to the operation in which others wait
    NotStarted, ///< a rank has called it, its GPU has not begun
    Over, ///< the job ended during the inspection: no rank is accused
    AllWait ///< all have called the operation, it does not end
};

/// What was found, before it is put into words. Ranks are places in the list of evidence.
struct HangCase {
    enum class Source { Processes, Stacks, Recorder, Ras };
    HangCause cause = HangCause::Nothing;
    Source source = Source::Processes; ///< the evidence that it rests on first of all
    QList<qsizetype> odd = {}; ///< who is accused
    QList<qsizetype> slow = {}; ///< of Slow: for whom others wait
    QList<qsizetype> waiting = {};
    QString operation = {}; ///< "all_reduce"; empty: not known
    QString oddOperation = {}; ///< of WrongOrder
    QString group = {}; ///< "fsdp", "default"; empty: not known
    std::optional<qint64> sequence = {};
    std::optional<PythonFrame> call = {}; ///< where those that wait have called it
    std::optional<PythonFrame> oddCall = {};
    QString usual = {}, deviating = {}; ///< of WrongSize and WrongType; of RAS: numbers of operations
    QString calledGroup = {}; ///< of `called`
    QHash<int, qint64> called
        = {}; ///< by rank: the last operation that it called in that group, by its Flight Recorder
    QHash<qsizetype, LastOperation> last = {}; ///< of those in `odd` whose place just now is not known
    bool isTie = false; ///< no side is the larger one: all are named
    bool isSeenOnce = false; ///< one moment was seen, not two
    bool operator==(const HangCase&) const = default;
};

} // namespace rankwright::inline insight

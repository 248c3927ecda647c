// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/rankevidence.h"

#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// What the Flight Recorder's dumps of several ranks say together of the operation that the job waits in.
struct FlightFinding {
    enum class Kind {
        NotEntered, ///< some members have no operation of this number
        WrongOrder, ///< members called different operations at one number
        WrongSize, ///< the same operation with other numbers of elements
        WrongType, ///< the same operation with another type of element
        NotStarted, ///< all have called it, it has begun on some GPUs alone
        AllWait ///< all have called it, it has not ended
    };
    Kind kind = Kind::AllWait;
    QString group; ///< "fsdp"; "default": the group of all ranks; empty: without a name
    QList<int> members; ///< global ranks; where the record names none, those whose record has the group
    qint64 sequence = 0;
    QString operation; ///< what most called: "all_reduce"
    QString oddOperation; ///< WrongOrder: what the odd ones called
    QString usual, deviating; ///< WrongSize, WrongType: "1,048,576 elements", "float16"
    QList<int> odd; ///< ascending; empty: none (AllWait)
    QList<int> waiting; ///< those that called it
    QList<int> silent; ///< members without a record
    std::optional<PythonFrame> call; ///< where those that wait called it (user's code)
    std::optional<PythonFrame> oddCall; ///< WrongOrder …: where the odd ones called theirs
    QHash<int, qint64> called; ///< by rank: number of the last operation that it called in this group
    std::optional<qint64> sinceNs; ///< Unix time when the first one called it
    bool operator==(const FlightFinding&) const = default;
};

/// Groups are matched by name and members, since ids differ from rank to rank. In each group the smallest last number
/// is where it stands; of several groups the one whose waiting operation is the oldest leads, mismatches first (rules:
/// torch.distributed.flight_recorder for mismatches, NVIDIA's restart agent for the front). Healthy ranks run ahead of
/// each other too: only what does not move is a hang. Empty: no record, or every operation has ended.
std::optional<FlightFinding> flightFinding(const QList<RankEvidence>& ranks);

/// Did any rank's record get a newer operation between the two moments? Empty: no rank has two records.
std::optional<bool> flightMoves(const QList<RankEvidence>& ranks);

/// Where the user's own code called it, else the innermost frame. Empty: no stack was recorded.
std::optional<PythonFrame> ownFrame(const FlightEntry& entry);

/// A process group as people know it: "fsdp", "default".
QString groupTitle(const QString& name, const QString& description);

/// "all_gather_into_tensor" for "_all_gather_base", and the like: the call as the user's code names it.
QString callOfOperation(const QString& operation);

} // namespace rankwright::inline insight

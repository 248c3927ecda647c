// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/insight/hang/pythonstack.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// One process group that a rank is a member of.
struct FlightGroup {
    QString id; ///< key of pg_config and pg_status: differs from rank to rank
    QString name; ///< "fsdp", "0"
    QString description; ///< "default_pg"; may be empty
    QList<int> ranks; ///< global ranks, ascending; empty: not recorded
    std::optional<qint64> enqueued, started, completed; ///< sequence number of the last collective; empty: none yet
    bool operator==(const FlightGroup&) const = default;
};

enum class FlightState { Scheduled, Started, Completed };

/// One operation of a rank's ring buffer. What the record lacks is empty.
struct FlightEntry {
    QString groupId; ///< pg_id, as text
    QString groupName; ///< first member of process_group
    QString groupDescription; ///< second member of it
    std::optional<qint64> recordId; ///< grows from operation to operation
    std::optional<qint64> sequence; ///< collective_seq_id
    std::optional<qint64> peerSequence; ///< p2p_seq_id
    std::optional<qint64> operation; ///< op_id
    QString backend; ///< "nccl", "gloo"; empty: not named
    QString name; ///< "all_reduce", "send 1->2": without the backend
    std::optional<FlightState> state;
    bool isP2p = false;
    bool isRetired = false; ///< the watchdog has put it away: it has ended, failed, or its time limit has passed
    QList<QList<qint64>> inputSizes, outputSizes;
    QList<QString> inputTypes, outputTypes;
    QList<PythonFrame> frames; ///< innermost first
    std::optional<qint64> createdNs, startedNs, completedNs; ///< Unix time; the latter two as the watchdog saw them
    std::optional<double> durationMs;
    std::optional<qint64> timeoutMs;
    QString threadName; ///< from 2.10
    bool operator==(const FlightEntry&) const = default;

    /// It has ended. What is retired and not completed has passed its time limit, where the backend has events that
    /// tell (nccl, xccl, and those that are not named); gloo's recorder has none and only retires. Source: PyTorch,
    /// FlightRecorder.hpp, Entry::retired_.
    bool isOver() const;
};

/// What PyTorch's Flight Recorder wrote of one rank.
struct FlightRecord {
    QString version; ///< "2.5"
    QString libraryVersion; ///< of NCCL or RCCL, "2.21.5"; empty: not recorded
    QList<FlightGroup> groups; ///< of pg_config, with the numbers of pg_status
    QList<FlightEntry> entries; ///< oldest first
    bool operator==(const FlightRecord&) const = default;

    /// The group of an entry: by id, else by name; null: not in pg_config.
    const FlightGroup* groupOf(const FlightEntry& entry) const;
};

/// Reads a dump: a pickle of protocol 2 or its JSON form, told apart by the first byte. Every key may be missing;
/// unknown ones are skipped. Error: no dump (why), a version other than 2.x, an opcode that would call something, or a
/// bound of picklereader.h; beyond 16,384 entries the oldest are left out, frames beyond 64 a call, sizes beyond 16 and
/// dimensions beyond 16 too.
Result<FlightRecord> readFlightRecord(const QByteArray& bytes);

} // namespace rankwright::inline insight

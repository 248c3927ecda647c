// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline insight {

/// One rank of a communicator, as NCCL's or RCCL's RAS sees it. The number is the communicator's, not the job's.
struct RasRank {
    int rank = 0;
    QString host; ///< address or name
    std::optional<qint64> pid;
    std::optional<int> gpu; ///< cuda_dev
    std::optional<int> initState; ///< 0 ready, 7 in progress
    std::optional<int> asyncError; ///< 0 none
    bool isAborted = false, isFinalizing = false, isDestroyed = false;
    QMap<QString, qint64> counts; ///< "AllReduce" → how many were launched
    bool operator==(const RasRank&) const = default;
};

/// A rank that did not answer.
struct RasMissing {
    std::optional<int> rank; ///< of the communicator; empty: a process that no communicator is named for
    QString host;
    std::optional<qint64> pid;
    std::optional<int> gpu;
    bool isUnresponsive = false;
    bool isDead = false; ///< RAS gave it up
    bool operator==(const RasMissing&) const = default;
};

/// How many ranks stand at one number of one collective, as the text form says it. A number that one rank has names
/// that rank, of a number that most have only the count is printed.
struct RasLevel {
    QString collective; ///< "AllReduce"; "collective" where the kind is not told (before 2.26)
    qint64 count = 0;
    int ranks = 0;
    bool operator==(const RasLevel&) const = default;
};

enum class RasStatus { NoCommunicator, Initializing, Running, Finalizing, Aborted };

struct RasCommunicator {
    QString
        hash; ///< hexadecimal digits, with secondary_hash behind a colon where there is one; "#0-1": none is printed
    std::optional<int> size; ///< ranks that it should have
    std::optional<int> answered; ///< ranks that answered; `ranks` may list fewer (text form); empty: not said
    std::optional<RasStatus> status; ///< text form alone
    QString errors; ///< "OK", "MISMATCH", "INCOMPLETE" of the text form; else empty
    QList<RasRank> ranks; ///< of the text form only those that its paragraphs name
    QList<RasLevel> levels; ///< text form alone: numbers that differ
    QList<RasMissing> missing;
    bool operator==(const RasCommunicator&) const = default;
};

/// An answer to STATUS.
struct RasReport {
    bool isJson = false;
    QString library; ///< "NCCL", "RCCL"; empty: not said
    QString version; ///< "2.28.7"
    QList<RasCommunicator> communicators;
    QList<RasMissing> missing; ///< text form: processes of the whole job that did not answer
    QStringList errors, warnings; ///< text form: paragraphs, one line each
    std::optional<int> timeouts; ///< peers that did not answer in time
    bool operator==(const RasReport&) const = default;
};

/// Reads an answer in either form, with or without the lines of the greeting (SERVER PROTOCOL 2, OK). Error: it is
/// none, it says ERROR, or more than 16 MiB. At most 4,096 communicators and 131,072 ranks.
Result<RasReport> readRasReport(const QByteArray& answer);

/// A communicator whose ranks have launched different numbers of one collective in both polls, and none of them grew:
/// only this is evidence; one poll shows differences in healthy jobs too.
struct RasStandstill {
    QString hash;
    QString collective; ///< "AllReduce"
    QList<RasRank> behind; ///< those with the smallest number; empty: RAS names them not, they are the larger part
    int behindCount = 0;
    qint64 least = 0, most = 0;
    int members = 0; ///< of the communicator
    bool operator==(const RasStandstill&) const = default;
};
QList<RasStandstill> rasStandstills(const RasReport& before, const RasReport& now);
/// Did any count of a communicator that is in both polls change? Empty: nothing can be compared.
std::optional<bool> rasMoves(const RasReport& before, const RasReport& now);

} // namespace rankwright::inline insight

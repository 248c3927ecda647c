// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/transfer/fileentry.h"

#include <QStringList>

namespace rankwright::inline cluster {

/// What becomes of one entry.
enum class TransferVerdict {
    New, ///< not on the other side
    Changed, ///< there, older or as old, and different
    Same, ///< there already
    Compare, ///< as large, of another time: their bytes decide
    Newer, ///< there, newer and different: replaced only when a person says so
    Refused, ///< never sent; the reason says why
};

struct PlannedEntry {
    FileEntry entry; ///< of the side that sends
    TransferVerdict verdict = TransferVerdict::New;
    QString reason; ///< of Refused and Newer; a piece of a sentence
};

/// Both sides' SHA-256 of files that are as large and of another time.
struct ComparedSums {
    QHash<QByteArray, QByteArray> from;
    QHash<QByteArray, QByteArray> to;
};

/// What a transfer would do, before it does anything.
struct TransferPlan {
    QList<PlannedEntry> entries;
    qint64 files = 0; ///< to send, links included
    qint64 bytes = 0; ///< to send
    qint64 same = 0;
    qint64 newer = 0;
    qint64 refused = 0;

    QList<FileEntry> of(TransferVerdict verdict) const;
};

enum class NewerFiles { Keep, Replace };

/// `there` by path: what the other side has. Without the sums of a pair that needs them its verdict is Compare.
/// Newer files there are replaced only where a person said so.
TransferPlan planTransfer(const QList<FileEntry>& from, const QHash<QByteArray, FileEntry>& there,
    const ComparedSums& sums = {}, NewerFiles newer = NewerFiles::Keep);

/// Free room by quota and file system of one place; unknown is empty.
struct StorageRoom {
    QString place; ///< "home", "scratch"
    QByteArray path;
    std::optional<qint64> usedBytes;
    std::optional<qint64> limitBytes; ///< of the quota
    std::optional<qint64> usedFiles;
    std::optional<qint64> limitFiles;
    std::optional<qint64> freeBytes; ///< of the file system, for everybody
    QString source; ///< "lfs quota", "quota"; empty: no command knows of one
};

/// The answer of resources/remote/storage-room.sh: one entry per place that exists, in the order asked for.
QList<StorageRoom> parseStorageRoom(const QByteArray& answer);
/// Sentences about what would not fit, or leave less than a tenth; empty: fits, or nothing is known.
QStringList roomWarnings(const StorageRoom& room, qint64 bytes, qint64 files);

} // namespace rankwright::inline cluster

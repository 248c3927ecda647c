// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/transferplan.h"

#include "models/cluster/transfer/filenames.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QSet>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

QString kindName(FileEntry::Kind kind)
{
    switch (kind) {
    case FileEntry::Kind::File: return u"file"_s;
    case FileEntry::Kind::Folder: return u"folder"_s;
    case FileEntry::Kind::Link: return u"link"_s;
    case FileEntry::Kind::Other: break;
    }
    return u"special file"_s;
}

/// Why an entry is not sent whatever the other side has; empty: it may be.
QString refusalOf(const FileEntry& entry)
{
    if (!isSafePath(entry.path))
        return u"its name leads out of the folder"_s;
    if (entry.kind == FileEntry::Kind::Other)
        return u"a device, socket or pipe"_s;
    // Inside what a person named: that is the first name of the path.
    const QByteArray below = entry.path.mid(entry.path.indexOf('/') + 1);
    if (entry.kind == FileEntry::Kind::Link && !linkStaysInside(below, entry.target))
        return u"a link that leads out of the folder, to %1"_s.arg(shownName(entry.target, 80));
    return {};
}

TransferVerdict judged(const FileEntry& entry, const FileEntry& there, const ComparedSums& sums)
{
    if (entry.kind == FileEntry::Kind::Folder)
        return TransferVerdict::Same;
    if (entry.kind == FileEntry::Kind::Link)
        return !there.target.isEmpty() && entry.target == there.target ? TransferVerdict::Same
            : there.target.isEmpty()                                   ? TransferVerdict::Changed
                                                                       : TransferVerdict::Newer;
    const bool isNewer = there.modified > entry.modified;
    if (entry.size == there.size) {
        if (entry.modified == there.modified)
            return TransferVerdict::Same;
        const QByteArray ours = sums.from.value(entry.path);
        const QByteArray theirs = sums.to.value(entry.path);
        if (ours.isEmpty() || theirs.isEmpty())
            return TransferVerdict::Compare;
        if (ours == theirs)
            return TransferVerdict::Same;
    }
    return isNewer ? TransferVerdict::Newer : TransferVerdict::Changed;
}

std::optional<qint64> figure(QByteArray word, qint64 unit)
{
    if (word.endsWith('*')) // beyond the limit
        word.chop(1);
    if (word.startsWith('[') && word.endsWith(']')) // lfs: some servers did not answer
        return std::nullopt;
    bool isNumber = false;
    const qint64 value = word.toLongLong(&isNumber);
    return isNumber && value >= 0 && value < (qint64(1) << 50) ? std::optional(value * unit) : std::nullopt;
}

/// "/scratch 12 0 100 - 7 0 50 -": quota(1) with -p and lfs-quota(1) with -q have the same columns, in KiB.
void readQuota(const QByteArray& line, StorageRoom& room)
{
    const QByteArrayList words = line.simplified().split(' ');
    if (words.size() < 9)
        return;
    const auto limitOf = [&](int soft, int hard, qint64 unit) {
        const auto first = figure(words.at(soft), unit);
        const auto second = figure(words.at(hard), unit);
        if (first.value_or(0) > 0 && second.value_or(0) > 0)
            return std::optional(qMin(*first, *second));
        const qint64 one = qMax(first.value_or(0), second.value_or(0));
        return one > 0 ? std::optional(one) : std::nullopt; // 0: none
    };
    room.usedBytes = figure(words.at(1), 1024);
    room.limitBytes = limitOf(2, 3, 1024);
    room.usedFiles = figure(words.at(5), 1);
    room.limitFiles = limitOf(6, 7, 1);
}

} // namespace

QList<FileEntry> TransferPlan::of(TransferVerdict verdict) const
{
    QList<FileEntry> all;
    for (const PlannedEntry& each : entries) {
        if (each.verdict == verdict)
            all.append(each.entry);
    }
    return all;
}

TransferPlan planTransfer(
    const QList<FileEntry>& from, const QHash<QByteArray, FileEntry>& there, const ComparedSums& sums, NewerFiles newer)
{
    TransferPlan plan;
    QSet<QByteArray> blocked; // folders that are not folders there, or lead elsewhere
    for (const FileEntry& entry : from) {
        PlannedEntry planned{entry, TransferVerdict::New, refusalOf(entry)};
        for (QByteArray above = folderOf(entry.path); planned.reason.isEmpty() && !above.isEmpty();
             above = folderOf(above)) {
            if (blocked.contains(above))
                planned.reason = u"%1 is not a folder on the other side"_s.arg(shownName(above, 80));
        }
        const auto found = there.constFind(entry.path);
        if (planned.reason.isEmpty() && found != there.cend()) {
            if (found->kind != entry.kind) {
                planned.reason
                    = u"a %1 on the other side, a %2 here"_s.arg(kindName(found->kind), kindName(entry.kind));
                blocked.insert(entry.path);
            } else
                planned.verdict = judged(entry, *found, sums);
        }
        if (!planned.reason.isEmpty())
            planned.verdict = TransferVerdict::Refused;
        if (planned.verdict == TransferVerdict::Newer) {
            planned.reason = u"newer on the other side, and different"_s;
            if (newer == NewerFiles::Replace)
                planned.verdict = TransferVerdict::Changed;
        }
        switch (planned.verdict) {
        case TransferVerdict::New:
        case TransferVerdict::Changed:
        case TransferVerdict::Compare:
            plan.files += entry.kind == FileEntry::Kind::Folder ? 0 : 1;
            plan.bytes += entry.size;
            break;
        case TransferVerdict::Same: plan.same += entry.kind == FileEntry::Kind::Folder ? 0 : 1; break;
        case TransferVerdict::Newer: ++plan.newer; break;
        case TransferVerdict::Refused: ++plan.refused; break;
        }
        plan.entries.append(planned);
    }
    return plan;
}

QList<StorageRoom> parseStorageRoom(const QByteArray& answer)
{
    QList<StorageRoom> rooms;
    const QByteArrayList fields = answer.split('\0'); // name, path, free KiB, source, line of the quota
    for (qsizetype at = 0; at + 5 < fields.size(); at += 5) {
        StorageRoom room;
        room.place = QString::fromUtf8(fields.at(at));
        room.path = fields.at(at + 1);
        room.freeBytes = figure(fields.at(at + 2).trimmed(), 1024);
        readQuota(fields.at(at + 4), room);
        if (room.usedBytes || room.usedFiles)
            room.source = QString::fromUtf8(fields.at(at + 3));
        if (room.path.startsWith('/'))
            rooms.append(room);
    }
    return rooms;
}

QStringList roomWarnings(const StorageRoom& room, qint64 bytes, qint64 files)
{
    QStringList warnings;
    if (room.usedBytes && room.limitBytes) {
        const qint64 left = *room.limitBytes - *room.usedBytes;
        if (bytes > left)
            warnings.append(u"%1 would not fit: the quota of %2 leaves %3."_s.arg(
                humanBytes(Bytes{bytes}), room.place, humanBytes(Bytes{qMax<qint64>(0, left)})));
        else if (left - bytes < *room.limitBytes / 10)
            warnings.append(
                u"The quota of %1 would be left with %2."_s.arg(room.place, humanBytes(Bytes{left - bytes})));
    }
    if (room.usedFiles && room.limitFiles) {
        const qint64 left = *room.limitFiles - *room.usedFiles;
        if (files > left)
            warnings.append(u"%1 would not fit: the quota of %2 leaves room for %3."_s.arg(
                counted(files, u"file"_s), room.place, counted(qMax<qint64>(0, left), u"file"_s)));
        else if (left - files < *room.limitFiles / 10)
            warnings.append(
                u"The quota of %1 would be left with room for %2."_s.arg(room.place, counted(left - files, u"file"_s)));
    }
    if (room.freeBytes && bytes > *room.freeBytes)
        warnings.append(u"%1 would not fit: the file system of %2 has %3 left for everybody."_s.arg(
            humanBytes(Bytes{bytes}), room.place, humanBytes(Bytes{*room.freeBytes})));
    return warnings;
}

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/fileentry.h"

#include "models/cluster/transfer/filenames.h"

#include <QSet>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

Unexpected<Error> garbled(const QByteArray& evidence)
{
    return fail(
        Fault::Unreadable, u"The cluster's list of files is incomplete."_s, shownName(evidence), u"Try again."_s);
}

std::optional<FileEntry::Kind> kindOf(const QByteArray& letter)
{
    if (letter == "f")
        return FileEntry::Kind::File;
    if (letter == "d")
        return FileEntry::Kind::Folder;
    if (letter == "l")
        return FileEntry::Kind::Link;
    return letter.size() == 1 ? std::optional(FileEntry::Kind::Other) : std::nullopt;
}

/// "f 12 1700000000.123 644"
bool readFacts(const QByteArray& words, FileEntry& entry)
{
    const QByteArrayList parts = words.split(' ');
    const auto kind = parts.size() == 4 ? kindOf(parts.at(0)) : std::nullopt;
    bool isSize = false;
    bool isTime = false;
    bool isMode = false;
    if (!kind)
        return false;
    entry.kind = *kind;
    entry.size = parts.at(1).toLongLong(&isSize);
    const QByteArray& time = parts.at(2);
    entry.modified = time.left(time.indexOf('.') < 0 ? time.size() : time.indexOf('.')).toLongLong(&isTime);
    entry.mode = parts.at(3).toInt(&isMode, 8) & 07777;
    if (entry.kind != FileEntry::Kind::File)
        entry.size = 0;
    return isSize && isTime && isMode && entry.size >= 0;
}

} // namespace

Result<FileListing> parseListing(const QByteArray& answer, qsizetype most)
{
    if (!answer.endsWith('\0'))
        return garbled(answer.right(80));
    QByteArrayList fields = answer.split('\0');
    fields.removeLast();
    FileListing listing;
    if (fields.value(0) == "missing" && fields.size() == 1)
        return listing;
    listing.root = fields.value(0);
    if (!listing.root.startsWith('/') || fields.size() % 3 != 2 || fields.last() != "end")
        return garbled(answer.right(80));
    listing.isCut = (fields.size() - 2) / 3 > most;
    QSet<QByteArray> seen;
    for (qsizetype at = 1; at + 2 < fields.size() && at / 3 < most; at += 3) {
        FileEntry entry;
        entry.path = fields.at(at + 1);
        if (!readFacts(fields.at(at), entry))
            return garbled(fields.at(at));
        if (!isSafePath(entry.path) || seen.contains(entry.path)) {
            listing.refused.append(entry.path);
            continue;
        }
        seen.insert(entry.path);
        if (entry.kind == FileEntry::Kind::Link)
            entry.target = fields.at(at + 2);
        listing.entries.append(entry);
    }
    return listing;
}

Result<QHash<QByteArray, FileEntry>> parseStates(const QByteArray& answer)
{
    QHash<QByteArray, FileEntry> states;
    const QByteArrayList fields = answer.split('\0');
    if (fields.size() % 2 != 0 || fields.at(fields.size() - 2) != "end")
        return garbled(answer.right(80));
    for (qsizetype at = 0; at + 2 < fields.size(); at += 2) {
        const QByteArrayList words = fields.at(at).split(' '); // mode in hexadecimal, size, time
        bool isMode = false;
        const int mode = words.value(0).toInt(&isMode, 16);
        if (words.size() != 3 || !isMode)
            return garbled(fields.at(at));
        FileEntry entry;
        entry.path = fields.at(at + 1);
        const int type = mode & 0170000; // inode(7)
        entry.kind = type == 0100000 ? FileEntry::Kind::File
            : type == 0040000        ? FileEntry::Kind::Folder
            : type == 0120000        ? FileEntry::Kind::Link
                                     : FileEntry::Kind::Other;
        entry.size = entry.kind == FileEntry::Kind::File ? words.at(1).toLongLong() : 0;
        entry.modified = words.at(2).toLongLong();
        entry.mode = mode & 07777;
        states.insert(entry.path, entry);
    }
    return states;
}

Result<QHash<QByteArray, QByteArray>> parseSums(const QByteArray& answer)
{
    constexpr qsizetype digits = 64;
    QHash<QByteArray, QByteArray> sums;
    for (const QByteArray& line : answer.split('\0')) { // "HEX  NAME", as sha256sum -z writes it
        if (line.isEmpty())
            continue;
        if (line.size() < digits + 3 || line.at(digits) != ' ')
            return garbled(line);
        sums.insert(line.mid(digits + 2), line.left(digits));
    }
    return sums;
}

} // namespace rankwright::inline cluster

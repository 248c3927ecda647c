// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzztargets.h"

#include "models/cluster/transfer/filenames.h"
#include "models/cluster/transfer/ignorerules.h"
#include "models/cluster/transfer/tarstream.h"
#include "models/cluster/transfer/transferplan.h"

#include <cstdio>
#include <cstdlib>

namespace rankwright::fuzz {

namespace {

void readTar(const QByteArray& bytes, qsizetype piece)
{
    qint64 given = 0;
    bool isIn = false;
    TarReader reader({[&isIn](const FileEntry& entry) -> Result<void> {
                          require(!isIn && entry.size >= 0, "an entry begins when the last one has ended");
                          require(entry.path.size() <= 4097, "names are bounded");
                          isIn = true;
                          return {};
                      },
        [&](const QByteArray& data) -> Result<void> {
            given += data.size();
            require(isIn, "bytes belong to an entry");
            return {};
        },
        [&isIn]() -> Result<void> {
            isIn = false;
            return {};
        }});
    for (qsizetype at = 0; at < bytes.size(); at += piece) {
        if (!reader.feed(bytes.mid(at, piece)))
            break;
    }
    require(given <= bytes.size(), "no more bytes than came");
}

} // namespace

void transferredFiles(const QByteArray& bytes)
{
    readTar(bytes, bytes.size() + 1);
    readTar(bytes, 37);
    if (const auto listing = parseListing(bytes, 1000)) {
        for (const FileEntry& entry : listing->entries)
            require(isSafePath(entry.path) && entry.size >= 0, "what is listed stays in its folder");
        for (const PlannedEntry& planned : planTransfer(listing->entries, {}).entries) {
            const bool isSent = planned.verdict == TransferVerdict::New;
            require(!isSent || planned.entry.kind != FileEntry::Kind::Link
                    || linkStaysInside(planned.entry.path, planned.entry.target),
                "no link that leads out is sent");
        }
    }
    parseStates(bytes);
    parseSums(bytes);
    for (const StorageRoom& room : parseStorageRoom(bytes))
        roomWarnings(room, 1, 1);
    for (const QChar c : shownName(bytes, bytes.size() * 4 + 2))
        require(c >= u' ', "a shown name has no control characters");
    if (bytes.size() > 2000) // a person's own file, at every path: long ones say nothing new
        return;
    IgnoreRules rules;
    rules.add(bytes);
    for (const char* path : {"a", "a/b/c.log", ".git", "build/x"})
        rules.ignores(path, FileEntry::Kind::File);
}

} // namespace rankwright::fuzz

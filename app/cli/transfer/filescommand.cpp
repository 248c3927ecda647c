// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/transfer/transfercommands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/transfer/remotefiles.h"
#include "models/cluster/transfer/filenames.h"
#include "models/core/quantitytext.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qsizetype mostShown = 10000;

QString kindWord(FileEntry::Kind kind)
{
    switch (kind) {
    case FileEntry::Kind::File: return u"file"_s;
    case FileEntry::Kind::Folder: return u"folder"_s;
    case FileEntry::Kind::Link: return u"link"_s;
    case FileEntry::Kind::Other: break;
    }
    return u"other"_s;
}

void printListing(const CliContext& context, const FileListing& listing)
{
    if (context.json) {
        QJsonArray entries;
        for (const FileEntry& entry : listing.entries)
            entries.append(QJsonObject{{u"name"_s, shownName(entry.path, 4096)}, {u"kind"_s, kindWord(entry.kind)},
                {u"bytes"_s, entry.kind == FileEntry::Kind::File ? QJsonValue(entry.size) : QJsonValue()},
                {u"modified"_s, QDateTime::fromSecsSinceEpoch(entry.modified, Qt::UTC).toString(Qt::ISODate)},
                {u"mode"_s, QString::number(entry.mode, 8)},
                {u"target"_s,
                    entry.kind == FileEntry::Kind::Link ? QJsonValue(shownName(entry.target, 4096)) : QJsonValue()}});
        printJson(context.out,
            QJsonObject{
                {u"folder"_s, shownName(listing.root, 4096)}, {u"entries"_s, entries}, {u"cut"_s, listing.isCut}});
        return;
    }
    TextTable table({u"kind"_s, u"size"_s, u"changed (UTC)"_s, u"name"_s});
    for (const FileEntry& entry : listing.entries)
        table.add({kindWord(entry.kind), entry.kind == FileEntry::Kind::File ? humanBytes(Bytes{entry.size}) : u"–"_s,
            QDateTime::fromSecsSinceEpoch(entry.modified, Qt::UTC).toString(u"yyyy-MM-dd hh:mm"_s),
            shownName(entry.path, 4096)});
    table.print(context.out);
    if (listing.isCut)
        context.err << u"only the first %1 are shown\n"_s.arg(mostShown);
}

QJsonValue jsonFigure(const std::optional<qint64>& value) { return value ? QJsonValue(*value) : QJsonValue(); }

void printRooms(const CliContext& context, const QList<StorageRoom>& rooms)
{
    const auto bytesText
        = [](const std::optional<qint64>& value) { return value ? humanBytes(Bytes{*value}) : u"–"_s; };
    const auto countText = [](const std::optional<qint64>& value) { return value ? QString::number(*value) : u"–"_s; };
    printRecords(
        context, rooms,
        [](const StorageRoom& room) {
            return QJsonObject{{u"place"_s, room.place}, {u"path"_s, shownName(room.path, 4096)},
                {u"usedBytes"_s, jsonFigure(room.usedBytes)}, {u"limitBytes"_s, jsonFigure(room.limitBytes)},
                {u"usedFiles"_s, jsonFigure(room.usedFiles)}, {u"limitFiles"_s, jsonFigure(room.limitFiles)},
                {u"freeBytes"_s, jsonFigure(room.freeBytes)},
                {u"source"_s, room.source.isEmpty() ? QJsonValue() : QJsonValue(room.source)}};
        },
        TextTable({u"place"_s, u"used"_s, u"quota"_s, u"files"_s, u"files' quota"_s, u"free for all"_s, u"path"_s}),
        [&](TextTable& table, const StorageRoom& room) {
            table.add({room.place, bytesText(room.usedBytes), bytesText(room.limitBytes), countText(room.usedFiles),
                countText(room.limitFiles), bytesText(room.freeBytes), shownName(room.path)});
        });
}

int runFiles(const CliContext& context)
{
    const QString what = context.positional.value(1);
    if (what != u"ls"_s && what != u"quota"_s)
        return report(context, {Fault::Invalid, u"files takes ls or quota after the cluster."_s, {}, {}});
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    RemoteShell& shell = login.session().shell();
    if (what == u"quota"_s)
        askRoom(
            shell, {{u"path"_s, context.positional.value(2)}}, &login, [&](const Result<QList<StorageRoom>>& rooms) {
                if (rooms)
                    printRooms(context, *rooms);
                rooms ? login.finish(ExitDone) : login.finish(rooms.error());
            });
    else
        listRemote(
            shell, context.positional.value(2).toUtf8(), 1, mostShown, &login, [&](const Result<FileListing>& listing) {
                if (!listing) {
                    login.finish(listing.error());
                } else if (listing->root.isEmpty()) {
                    login.finish(
                        {Fault::Invalid, u"There is no such folder on the cluster."_s, {}, u"Check the path."_s});
                } else {
                    printListing(context, *listing);
                    login.finish(ExitDone);
                }
            });
    return login.wait();
}

} // namespace

CliCommand filesCommand()
{
    return {
        .name = "files",
        .summary = "List a folder of a cluster (ls), or the places for files with their quota (quota)",
        .words = "CLUSTER ls|quota [FOLDER]",
        .run = runFiles,
        .options = loginOptions(),
        .minimumWords = 2,
        .maximumWords = 3,
    };
}

} // namespace rankwright

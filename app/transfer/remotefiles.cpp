// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/remotefiles.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/core/harmlesstext.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int lookSeconds = 600; // of a parallel file system with a million files
constexpr int sumSeconds = 24 * 3600;

/// Runs a step and hands its output to `read`.
template <typename T, typename Read>
void askStep(
    RemoteShell& shell, const RemoteCommand& command, const QString& context, QObject* guard, Then<T> then, Read read)
{
    shell.run(command, guard, [command, context, then, read](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            then(fail(outcome.error()));
        else if (!outcome->succeeded())
            then(fail(stepError(*outcome, command, context)));
        else
            then(read(outcome->output));
    });
}

} // namespace

QByteArray stepPath(const QByteArray& path)
{
    QByteArray written;
    for (const char each : path) {
        const auto byte = uchar(each);
        const bool isPlain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
            || (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' || byte == '_' || byte == '~';
        if (isPlain)
            written += each;
        else
            written += "\\0" + QByteArray::number(uint(byte), 8).rightJustified(3, '0');
    }
    return written;
}

QByteArray stepPaths(const QList<QByteArray>& paths)
{
    QByteArray all;
    for (const QByteArray& path : paths)
        all += path + '\0';
    return all;
}

RemoteCommand transferStep(const QString& step, const QByteArray& folder, const QList<QByteArray>& arguments)
{
    QStringList words{u"/bin/sh"_s, u"-c"_s, remoteProgram(u"transfer-files.sh"_s), u"_"_s, step,
        QString::fromLatin1(stepPath(folder))};
    for (const QByteArray& argument : arguments)
        words.append(QString::fromLatin1(argument));
    RemoteCommand command = RemoteCommand::of(words);
    const QHash<QString, QString> purposes{{u"list"_s, u"Lists a folder"_s},
        {u"ask"_s, u"Checks which files of a transfer are there"_s}, {u"sum"_s, u"Computes checksums of files"_s}};
    command.purpose = purposes.value(step, u"Copies files"_s);
    command.deadlineSeconds = lookSeconds;
    return command;
}

Error stepError(const CommandOutcome& outcome, const RemoteCommand& command, const QString& context)
{
    Error error = outcome.toError(command);
    const QString said = harmlessLine(QString::fromUtf8(outcome.errorOutput));
    error.what = context + u'.';
    if (!said.isEmpty())
        error.detail = said;
    for (const auto& [words, what] : {std::pair{u"quota exceeded"_s, u"The quota on the cluster is full."_s},
             {u"No space left"_s, u"The disk on the cluster is full."_s},
             {u"File too large"_s, u"The cluster does not take files of this size."_s},
             {u"size limit exceeded"_s, u"The cluster does not take files of this size."_s}}) {
        if (said.contains(words, Qt::CaseInsensitive)) {
            error.what = what;
            error.remedy = u"Make room there, then begin again: what has arrived is kept."_s;
        }
    }
    return error;
}

void listRemote(
    RemoteShell& shell, const QByteArray& folder, int levels, qsizetype most, QObject* guard, Then<FileListing> then)
{
    RemoteCommand command = transferStep(u"list"_s, folder, {QByteArray::number(levels), QByteArray::number(most)});
    command.outputLimit = qint64(512) * 1024 * 1024;
    askStep<FileListing>(shell, command, u"The folder could not be listed"_s, guard, std::move(then),
        [most](const QByteArray& answer) { return parseListing(answer, most); });
}

void askRemote(
    RemoteShell& shell, const QByteArray& folder, const QList<QByteArray>& paths, QObject* guard, Then<FileStates> then)
{
    RemoteCommand command = transferStep(u"ask"_s, folder);
    command.input = stepPaths(paths);
    command.outputLimit = qint64(512) * 1024 * 1024;
    askStep<FileStates>(shell, command, u"The folder could not be inspected"_s, guard, std::move(then), parseStates);
}

void sumRemote(
    RemoteShell& shell, const QByteArray& folder, const QList<QByteArray>& paths, QObject* guard, Then<FileSums> then)
{
    RemoteCommand command = transferStep(u"sum"_s, folder);
    command.input = stepPaths(paths);
    command.deadlineSeconds = sumSeconds;
    command.outputLimit = qint64(512) * 1024 * 1024;
    askStep<FileSums>(shell, command, u"Checksums could not be computed"_s, guard, std::move(then), parseSums);
}

void askRoom(
    RemoteShell& shell, const QList<std::pair<QString, QString>>& places, QObject* guard, Then<QList<StorageRoom>> then)
{
    QStringList words{u"/bin/sh"_s, u"-c"_s, remoteProgram(u"storage-room.sh"_s), u"_"_s};
    for (const auto& [name, path] : places)
        words += {name, path};
    RemoteCommand command = RemoteCommand::of(words).withPurpose(u"Asks how much room the places for files have"_s);
    command.deadlineSeconds = 60;
    askStep<QList<StorageRoom>>(shell, command, u"The room in the places for files could not be read"_s, guard,
        std::move(then),
        [](const QByteArray& answer) -> Result<QList<StorageRoom>> { return parseStorageRoom(answer); });
}

} // namespace rankwright

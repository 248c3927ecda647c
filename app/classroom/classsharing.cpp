// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsharing.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/cluster/slurm/slurmclient.h"
#include "models/cluster/slurm/slurmtext.h"
#include "models/teaching/classroom/classsafety.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

RemoteCommand programOn(
    const QString& file, const QString& purpose, const QStringList& words, const QByteArray& input = {})
{
    const QStringList line{u"/bin/sh"_s, u"-c"_s, remoteProgram(file), u"_"_s};
    RemoteCommand command = RemoteCommand::of(line + words, input).withPurpose(purpose);
    command.outputLimit = qint64(40) * 1024 * 1024;
    return command;
}

Error folderFault(const QString& folder)
{
    return {Fault::Invalid, u"“%1” is not a folder that a class can name."_s.arg(folder.left(80)), {},
        u"Give an absolute path, or ~/..., of plain characters."_s};
}

Error failedThere(const CommandOutcome& outcome, const RemoteCommand& command, const QString& what)
{
    const Error error = outcome.toError(command);
    return {Fault::RemoteExit, what, error.what,
        u"Check the folder's permissions on the cluster; the class goes on without it."_s};
}

ReadProgress progressOf(const QByteArray& output)
{
    ReadProgress all;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const QByteArray& part : output.split(sectionMark)) {
        const qsizetype end = part.indexOf('\n');
        if (end < 1)
            continue;
        const ReadProgress one = readProgress(QString::fromUtf8(part.left(end)), part.mid(end + 1), now);
        all.lines += one.lines;
        all.skipped += one.skipped;
    }
    return all;
}

/// Adds which images cannot be read; what the cluster does not say stays unknown.
void askImages(
    RemoteShell& shell, const QStringList& images, const SiteFacts& known, QObject* guard, const Then<SiteFacts>& then)
{
    if (images.isEmpty() || !std::all_of(images.cbegin(), images.cend(), isPlainPath)) {
        then(known);
        return;
    }
    const RemoteCommand command
        = RemoteCommand::of(QStringList{u"/bin/sh"_s, u"-c"_s, remoteProgram(u"class-images.sh"_s), u"_"_s} + images)
              .withPurpose(u"Asks whether the images of a class can be read"_s);
    shell.run(command, guard, [images, known, then](const Result<CommandOutcome>& outcome) {
        SiteFacts site = known;
        const QList<QByteArray> said
            = outcome && outcome->succeeded() ? outcome->output.trimmed().split('\n') : QList<QByteArray>();
        QStringList closed;
        bool isAnswer = said.size() == images.size();
        for (qsizetype i = 0; isAnswer && i < images.size(); ++i) {
            isAnswer = said.at(i) == "readable" || said.at(i) == "closed";
            if (said.at(i) == "closed")
                closed.append(images.at(i));
        }
        if (isAnswer)
            site.closedImages = closed;
        then(site);
    });
}

} // namespace

void shareProgress(RemoteShell& shell, const QString& folder, const ProgressLine& line, QObject* guard, Then<void> then)
{
    if (!isPlainPath(folder)) {
        then(fail(folderFault(folder)));
        return;
    }
    if (!isAlias(line.attendee)) {
        then(fail(Fault::Invalid, u"“%1” is not an alias."_s.arg(line.attendee.left(40))));
        return;
    }
    const RemoteCommand command = programOn(u"class-append.sh"_s,
        u"Adds a line on your progress to the class's folder"_s, {folder, line.attendee}, progressLine(line));
    shell.run(command, guard, [command, then](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            then(fail(outcome.error()));
        else if (!outcome->succeeded())
            then(fail(failedThere(*outcome, command, u"Your progress could not be noted for the teacher."_s)));
        else
            then({});
    });
}

void collectProgress(RemoteShell& shell, const QString& folder, QObject* guard, Then<ReadProgress> then)
{
    if (!isPlainPath(folder)) {
        then(fail(folderFault(folder)));
        return;
    }
    const RemoteCommand command
        = programOn(u"class-collect.sh"_s, u"Reads the attendees' progress from the class's folder"_s, {folder});
    shell.run(command, guard, [command, then](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            then(fail(outcome.error()));
        else if (!outcome->succeeded())
            then(fail(failedThere(*outcome, command, u"The attendees' progress could not be read."_s)));
        else
            then(progressOf(outcome->output));
    });
}

void askSite(RemoteShell& shell, const QStringList& images, QObject* guard, Then<SiteFacts> then)
{
    auto* client = new SlurmClient(shell, guard);
    client->discover(guard, [&shell, images, guard, client, then](const Result<ClusterFacts>& facts) {
        client->deleteLater();
        if (!facts) {
            then(fail(facts.error()));
            return;
        }
        const SiteFacts site{*facts, {}};
        shell.run(
            reservationsCommand(), guard, [&shell, images, guard, site, then](const Result<CommandOutcome>& outcome) {
                SiteFacts known = site;
                if (outcome && outcome->succeeded())
                    known.reservations = parseReservations(outcome->output);
                askImages(shell, images, known, guard, then);
            });
    });
}

} // namespace rankwright

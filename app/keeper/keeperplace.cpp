// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperplace.h"

#include "app/keeper/keeperposix.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSysInfo>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

bool isOursAlone(const QString& folder)
{
    const auto facts = factsOf(folder);
    return facts && facts->isFolder && facts->owner == ownUser() && (facts->mode & 077) == 0;
}

Unexpected<Error> unsafe(const KeeperPlace& place, const QString& why)
{
    return fail(Fault::Invalid, u"The connection agent's folder %1 is not safe."_s.arg(place.folder), why,
        u"Remove it, or see who made it; commands log in by themselves meanwhile."_s);
}

} // namespace

KeeperPlace keeperPlace(const QString& dataFolder)
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const bool hasRuntime = QDir::isAbsolutePath(runtime) && isOursAlone(runtime);
    KeeperPlace place;
    place.folder = hasRuntime ? QDir(runtime).filePath(u"rankwright"_s) : QDir(dataFolder).filePath(u"agent"_s);
    // A data folder may be on a file system that several machines share; a socket is of one of them.
    const QByteArray of = QDir(dataFolder).absolutePath().toUtf8() + '\n' + QSysInfo::machineHostName().toUtf8();
    const QString name = QString::fromLatin1(QCryptographicHash::hash(of, QCryptographicHash::Sha256).toHex().left(12));
    place.socket = QDir(place.folder).filePath(u"agent-%1.sock"_s.arg(name));
    place.lock = QDir(place.folder).filePath(u"agent-%1.lock"_s.arg(name));
    return place;
}

Result<void> prepareKeeperFolder(const KeeperPlace& place)
{
    if (!factsOf(place.folder)) {
        QDir().mkpath(QFileInfo(place.folder).path());
        if (!makePrivateFolder(place.folder) && !factsOf(place.folder))
            return fail(Fault::Io, u"The folder %1 could not be made."_s.arg(place.folder), {},
                u"Check the permissions of the folder above it, and the disk."_s);
    }
    return checkKeeperFolder(place);
}

Result<void> checkKeeperFolder(const KeeperPlace& place)
{
    const auto facts = factsOf(place.folder);
    if (!facts)
        return fail(Fault::Offline, u"No connection agent runs."_s, u"There is no %1."_s.arg(place.folder),
            u"Start one: rankwright-cli agent start"_s);
    if (!facts->isFolder)
        return unsafe(place, u"It is not a folder, or a link to one."_s);
    if (facts->owner != ownUser())
        return unsafe(place, u"It is the folder of user %1."_s.arg(facts->owner));
    if ((facts->mode & 077) != 0)
        return unsafe(place, u"Others may enter it (mode %1, 700 is needed)."_s.arg(facts->mode, 0, 8));
    if (!fitsSocket(place.socket))
        return fail(Fault::Invalid, u"The path of the connection agent's socket is too long."_s, place.socket,
            u"Set XDG_RUNTIME_DIR to a folder with a short path, or use a shorter data folder."_s);
    return {};
}

} // namespace rankwright

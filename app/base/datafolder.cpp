// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/datafolder.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace rankwright {

using namespace Qt::StringLiterals;

QString dataFolderPath(const QString& named)
{
    QString folder = named;
    if (folder.isEmpty())
        folder = qEnvironmentVariable("RANKWRIGHT_DATA_DIR");
    if (folder.isEmpty())
        folder = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/rankwright"_s;
    return QDir(folder).absolutePath();
}

Result<QString> prepareDataFolder(const QString& named)
{
    const QString folder = dataFolderPath(named);
    if (QFileInfo::exists(folder)) {
        const QFileInfo info(folder);
        if (!info.isDir() || !info.isWritable())
            return fail(Fault::Io, u"The data folder %1 cannot be written to."_s.arg(folder), {},
                u"Name another one with --data-dir or RANKWRIGHT_DATA_DIR."_s);
        return folder;
    }
    if (!QDir().mkpath(folder))
        return fail(Fault::Io, u"The data folder %1 could not be made."_s.arg(folder), {},
            u"Name another one with --data-dir or RANKWRIGHT_DATA_DIR."_s);
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return folder;
}

} // namespace rankwright

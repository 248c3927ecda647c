// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/clusterfile.h"

#include "models/cluster/catalogue/profilewriter.h"
#include "models/cluster/draft/clusterdraft.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace rankwright {

QString clusterFilePath(const QString& folder, const QString& name) { return QDir(folder).filePath(name + u".json"_s); }

Result<QString> saveClusterFile(const QString& folder, const ClusterProfile& profile)
{
    if (!isClusterName(profile.name))
        return fail(Fault::Invalid, u"“%1” cannot be the name of a cluster."_s.arg(profile.name.left(60)), {},
            u"Use lower-case letters, digits, '-', '_' and '.', for instance my-cluster."_s);
    if (folder.isEmpty())
        return fail(Fault::Io, u"There is no folder for cluster files."_s, {}, u"Set HOME or XDG_CONFIG_HOME."_s);
    const QString path = clusterFilePath(folder, profile.name);
    if (QFile::exists(path))
        return fail(Fault::Invalid, u"%1 exists already and is not replaced."_s.arg(path), {},
            u"Choose another name, or move the file away."_s);
    QSaveFile file(path);
    if (!QDir().mkpath(folder) || !file.open(QIODevice::WriteOnly))
        return fail(
            Fault::Io, u"%1 cannot be written."_s.arg(path), file.errorString(), u"Check the folder's permissions."_s);
    file.write(writeClusterProfile(profile));
    if (!file.commit())
        return fail(Fault::Io, u"%1 cannot be written."_s.arg(path), file.errorString(), u"Check the disk."_s);
    return path;
}

} // namespace rankwright

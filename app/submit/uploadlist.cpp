// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/uploadlist.h"

#include <QDateTime>
#include <QDir>
#include <QSet>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class Lister {
public:
    Result<void> add(const QFileInfo& info, const QString& remote)
    {
        if (remote.contains(u'\n') || remote.contains(u'\r'))
            return fail(Fault::Invalid, u"The name “%1” has a line break in it."_s.arg(QString(remote).simplified()),
                {}, u"Rename it, then submit again."_s);
        if (m_taken.contains(remote))
            return fail(Fault::Invalid, u"Two files would be %1 beside the job."_s.arg(remote), {},
                u"Upload them from folders of different names."_s);
        m_taken.insert(remote);
        if (info.isDir())
            return addFolder(info, remote);
        if (!info.isFile() || !info.isReadable())
            return fail(Fault::Io,
                u"%1 cannot be uploaded: it is not a readable file or folder."_s.arg(info.filePath()), {},
                u"Leave it out, or check its permissions."_s);
        entries.append({info.filePath(),
            {remote, false, info.isExecutable(), info.size(), info.lastModified().toSecsSinceEpoch()}});
        return {};
    }

    QList<UploadEntry> entries;

private:
    Result<void> addFolder(const QFileInfo& info, const QString& remote)
    {
        entries.append({info.filePath(), {remote, true, true, 0, info.lastModified().toSecsSinceEpoch()}});
        const QFileInfoList inside
            = QDir(info.filePath())
                  .entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
        for (const QFileInfo& each : inside) {
            if (each.isSymLink() && !each.isFile()) // a linked folder may lead anywhere, or around in a ring
                continue;
            if (const auto added = add(each, remote + u'/' + each.fileName()); !added)
                return added;
        }
        return {};
    }

    QSet<QString> m_taken;
};

} // namespace

Result<QList<UploadEntry>> listUpload(const QStringList& paths)
{
    Lister lister;
    for (const QString& path : paths) {
        const QFileInfo info(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
        if (!info.exists())
            return fail(Fault::Io, u"%1: there is no such file or folder."_s.arg(path), {}, u"Check the path."_s);
        if (const auto added = lister.add(info, info.fileName()); !added)
            return fail(added.error());
    }
    return lister.entries;
}

} // namespace rankwright

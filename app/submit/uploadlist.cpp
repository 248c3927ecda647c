// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/uploadlist.h"

#include <QDateTime>
#include <QDir>
#include <QSet>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

int modeOf(const QFileInfo& info)
{
    const QFile::Permissions rights = info.permissions();
    int mode = 0;
    for (const auto& [right, bit] : {std::pair{QFile::ReadOwner, 0400}, {QFile::WriteOwner, 0200},
             {QFile::ExeOwner, 0100}, {QFile::ReadGroup, 0040}, {QFile::WriteGroup, 0020}, {QFile::ExeGroup, 0010},
             {QFile::ReadOther, 0004}, {QFile::WriteOther, 0002}, {QFile::ExeOther, 0001}}) {
        if (rights.testFlag(right))
            mode |= bit;
    }
    return mode;
}

class Lister {
public:
    Result<void> add(const QFileInfo& info, const QString& remote)
    {
        if (remote.contains(u'\n') || remote.contains(u'\r'))
            return fail(Fault::Invalid, u"The name “%1” has a line break in it."_s.arg(QString(remote).simplified()),
                {}, u"Rename it, then submit again."_s);
        if (m_taken.contains(remote))
            return fail(Fault::Invalid, u"Two files would become %1 in the job's folder."_s.arg(remote), {},
                u"Upload them from folders of different names."_s);
        m_taken.insert(remote);
        if (info.isDir())
            return addFolder(info, remote);
        if (!info.isFile() || !info.isReadable())
            return fail(Fault::Io,
                u"%1 cannot be uploaded: it is not a readable file or folder."_s.arg(info.filePath()), {},
                u"Leave it out, or check its permissions."_s);
        // By its real name: a link that is exchanged meanwhile leads nowhere else.
        listing.entries.append({info.canonicalFilePath(),
            {remote, false, modeOf(info), info.size(), info.lastModified().toSecsSinceEpoch()}});
        return {};
    }

    /// A file or folder that a person named: what it leads to is meant.
    Result<void> addNamed(const QFileInfo& info)
    {
        m_root = QFileInfo(info.canonicalFilePath()).filePath();
        return add(info, info.fileName());
    }

    UploadListing listing;

private:
    bool leadsOut(const QFileInfo& link) const
    {
        const QString real = QFileInfo(link.canonicalFilePath()).filePath();
        return real != m_root && !real.startsWith(m_root + u'/');
    }

    Result<void> addFolder(const QFileInfo& info, const QString& remote)
    {
        // Its owner must be able to fill it there.
        listing.entries.append(
            {info.filePath(), {remote, true, modeOf(info) | 0700, 0, info.lastModified().toSecsSinceEpoch()}});
        const QFileInfoList inside
            = QDir(info.filePath())
                  .entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
        for (const QFileInfo& each : inside) {
            const QString name = remote + u'/' + each.fileName();
            const bool isOut = each.isSymLink() && leadsOut(each); // to anything of this machine, or nowhere
            if (isOut || (each.isSymLink() && !each.isFile())) { // or around in a ring
                (isOut ? listing.notes.skipped : listing.notes.folderLinks).append(name);
                continue;
            }
            if (each.fileName().startsWith(u'.'))
                listing.notes.hidden.append(name);
            if (const auto added = add(each, name); !added)
                return added;
        }
        return {};
    }

    QString m_root; ///< real path of the folder that was named
    QSet<QString> m_taken;
};

} // namespace

Result<UploadListing> listUpload(const QStringList& paths)
{
    Lister lister;
    for (const QString& path : paths) {
        const QFileInfo info(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
        if (!info.exists())
            return fail(Fault::Io, u"%1: there is no such file or folder."_s.arg(path), {}, u"Check the path."_s);
        if (const auto added = lister.addNamed(info); !added)
            return fail(added.error());
    }
    return lister.listing;
}

} // namespace rankwright

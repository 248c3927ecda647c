// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/localfiles.h"

#include "models/cluster/transfer/filenames.h"
#include "models/cluster/transfer/ignorerules.h"

#include <algorithm>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 hashPiece = 1024 * 1024;
constexpr qsizetype namedIgnored = 50;

Unexpected<Error> systemError(const QByteArray& path, const QString& what)
{
    const QString why = QString::fromLocal8Bit(strerror(errno));
    return fail(Fault::Io, what.arg(shownName(path)), why,
        errno == ENOSPC || errno == EDQUOT ? u"Make room on this machine."_s : u"Check its permissions."_s);
}

FileEntry entryOf(const QByteArray& path, const struct stat& facts)
{
    FileEntry entry;
    entry.path = path;
    entry.kind = S_ISREG(facts.st_mode) ? FileEntry::Kind::File
        : S_ISDIR(facts.st_mode)        ? FileEntry::Kind::Folder
        : S_ISLNK(facts.st_mode)        ? FileEntry::Kind::Link
                                        : FileEntry::Kind::Other;
    entry.size = entry.kind == FileEntry::Kind::File ? qint64(facts.st_size) : 0;
    entry.modified = qint64(facts.st_mtime);
    entry.mode = int(facts.st_mode & 0777);
    return entry;
}

QByteArray readLink(const QByteArray& path)
{
    QByteArray target(4096, '\0');
    const ssize_t size = ::readlink(path.constData(), target.data(), size_t(target.size()));
    return target.left(qMax<ssize_t>(0, size));
}

QList<QByteArray> namesIn(const QByteArray& folder, bool& isRead)
{
    QList<QByteArray> names;
    DIR* const open = ::opendir(folder.constData());
    isRead = open != nullptr;
    while (const dirent* each = open ? ::readdir(open) : nullptr) {
        const QByteArray name(each->d_name);
        if (name != "." && name != "..")
            names.append(name);
    }
    if (open)
        ::closedir(open);
    std::sort(names.begin(), names.end());
    return names;
}

class Lister {
public:
    Lister(IgnoreFiles ignoreFiles, std::shared_ptr<std::atomic<bool>> stopped)
        : m_useIgnoreFiles(ignoreFiles == IgnoreFiles::Used), m_stopped(std::move(stopped))
    { }

    Result<void> addNamed(const QString& path)
    {
        // What a person named is followed when it is a link; what lies in it is not.
        QByteArray given = QFile::encodeName(path);
        while (given.size() > 1 && given.endsWith('/'))
            given.chop(1);
        char* const real = ::realpath(given.constData(), nullptr);
        if (!real)
            return systemError(given, u"%1 cannot be read."_s);
        const QByteArray where(real);
        ::free(real);
        const QByteArray last = baseOf(given);
        const QByteArray name = last.isEmpty() || last == "." || last == ".." ? baseOf(where) : last;
        struct stat facts { };
        if (::stat(where.constData(), &facts) != 0)
            return systemError(given, u"%1 cannot be read."_s);
        if (name.isEmpty())
            return fail(Fault::Invalid, u"The whole file system cannot be sent."_s, {}, u"Name a folder."_s);
        if (tree.roots.contains(name))
            return fail(Fault::Invalid, u"Two paths would become %1 on the cluster."_s.arg(shownName(name)), {},
                u"Send them to folders of different names."_s);
        tree.roots.insert(name, where);
        const FileEntry entry = entryOf(name, facts);
        tree.entries.append(entry);
        if (entry.kind != FileEntry::Kind::Folder)
            return {};
        m_rules = IgnoreRules();
        m_ignoreFile.clear();
        if (m_useIgnoreFiles) {
            for (const char* file : ignoreFileNames) {
                if (m_ignoreFile.isEmpty() && ::access(QByteArray(where + '/' + file).constData(), R_OK) == 0)
                    m_ignoreFile = file;
            }
        }
        return addFolder(name, where, {});
    }

    LocalTree tree;

private:
    Result<void> addFolder(const QByteArray& prefix, const QByteArray& where, const QByteArray& below)
    {
        const QByteArray folder = below.isEmpty() ? where : where + '/' + below;
        bool isRead = false;
        const QList<QByteArray> names = namesIn(folder, isRead);
        if (!isRead)
            return systemError(folder, u"%1 cannot be read."_s);
        if (!m_ignoreFile.isEmpty() && names.contains(m_ignoreFile)) {
            QFile file;
            if (openLocal(file, folder + '/' + m_ignoreFile, O_RDONLY))
                m_rules.add(file.read(1024 * 1024), below);
        }
        for (const QByteArray& name : names) {
            if (*m_stopped)
                return fail(Fault::Cancelled, u"Stopped."_s);
            const QByteArray path = below.isEmpty() ? name : below + '/' + name;
            struct stat facts { };
            if (::lstat(QByteArray(where + '/' + path).constData(), &facts) != 0)
                continue; // gone meanwhile
            FileEntry entry = entryOf(prefix + '/' + path, facts);
            if (m_useIgnoreFiles && m_rules.ignores(path, entry.kind)) {
                ++tree.ignored;
                if (tree.ignoredNames.size() < namedIgnored)
                    tree.ignoredNames.append(entry.path);
                continue;
            }
            if (entry.kind == FileEntry::Kind::Link)
                entry.target = readLink(where + '/' + path);
            tree.entries.append(entry);
            if (entry.kind == FileEntry::Kind::Folder) {
                if (const auto added = addFolder(prefix, where, path); !added)
                    return added;
            }
        }
        return {};
    }

    bool m_useIgnoreFiles;
    std::shared_ptr<std::atomic<bool>> m_stopped;
    IgnoreRules m_rules;
    QByteArray m_ignoreFile;
};

} // namespace

QByteArray LocalTree::localPath(const QByteArray& path) const
{
    const qsizetype slash = path.indexOf('/');
    const QByteArray root = roots.value(slash < 0 ? path : path.left(slash));
    return slash < 0 ? root : root + path.mid(slash);
}

Result<LocalTree> listLocal(
    const QStringList& paths, IgnoreFiles ignoreFiles, const std::shared_ptr<std::atomic<bool>>& stopped)
{
    Lister lister(ignoreFiles, stopped);
    for (const QString& path : paths) {
        if (const auto added = lister.addNamed(path); !added)
            return fail(added.error());
    }
    return lister.tree;
}

QHash<QByteArray, FileEntry> localStates(const QByteArray& folder, const QList<FileEntry>& entries)
{
    QHash<QByteArray, FileEntry> states;
    for (const FileEntry& entry : entries) {
        struct stat facts { };
        const QByteArray path = folder + '/' + entry.path;
        if (!isSafePath(entry.path) || ::lstat(path.constData(), &facts) != 0)
            continue;
        FileEntry there = entryOf(entry.path, facts);
        if (there.kind == FileEntry::Kind::Link)
            there.target = readLink(path);
        states.insert(entry.path, there);
    }
    return states;
}

Result<std::shared_ptr<FileHash>> localSum(
    const QByteArray& path, qint64 limit, const std::shared_ptr<std::atomic<bool>>& stopped)
{
    auto hash = std::make_shared<FileHash>();
    QFile file;
    if (const auto opened = openLocal(file, path, O_RDONLY); !opened)
        return fail(opened.error());
    QByteArray piece(hashPiece, Qt::Uninitialized);
    for (qint64 left = limit < 0 ? file.size() : limit; left > 0 && !*stopped;) {
        const qint64 count = file.read(piece.data(), qMin(left, hashPiece));
        if (count <= 0)
            return fail(Fault::Io, u"%1 cannot be read whole."_s.arg(shownName(path)), file.errorString(), {});
        hash->addData(QByteArrayView(piece.constData(), count));
        left -= count;
    }
    return hash;
}

Result<void> openLocal(QFile& file, const QByteArray& path, int flags)
{
    const int handle = ::open(path.constData(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (handle < 0)
        return systemError(path, u"%1 cannot be opened."_s);
    struct stat facts { };
    if (::fstat(handle, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        ::close(handle);
        return fail(Fault::Io, u"%1 is no longer a file."_s.arg(shownName(path)), {}, {});
    }
    const auto mode = (flags & O_ACCMODE) == O_RDONLY ? QIODevice::ReadOnly : QIODevice::WriteOnly;
    file.open(handle, mode | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle);
    return {};
}

Result<void> makeFolders(const QByteArray& root, const QByteArray& path, int mode)
{
    QByteArray made = root;
    for (const QByteArray& part : path.split('/')) {
        if (part.isEmpty())
            continue;
        made += '/' + part;
        struct stat facts { };
        if (::mkdir(made.constData(), mode_t(mode | 0700)) != 0 && errno != EEXIST)
            return systemError(made, u"The folder %1 cannot be made."_s);
        if (::lstat(made.constData(), &facts) != 0 || !S_ISDIR(facts.st_mode))
            return fail(Fault::Io, u"%1 is not a folder."_s.arg(shownName(made)), u"nothing is written through links"_s,
                u"Choose another folder."_s);
    }
    return {};
}

Result<void> placeLocal(const QByteArray& part, const QByteArray& to, const FileEntry& entry)
{
    const timespec times[2] = {{0, UTIME_OMIT}, {time_t(entry.modified), 0}};
    if (::chmod(part.constData(), mode_t((entry.mode & 0777) | 0600)) != 0
        || ::utimensat(AT_FDCWD, part.constData(), times, AT_SYMLINK_NOFOLLOW) != 0
        || ::rename(part.constData(), to.constData()) != 0)
        return systemError(to, u"%1 could not be put into place."_s);
    return {};
}

Result<void> makeLink(const QByteArray& at, const QByteArray& target)
{
    const QByteArray part = at + ".rankwright-part-link";
    ::unlink(part.constData());
    if (::symlink(target.constData(), part.constData()) != 0 || ::rename(part.constData(), at.constData()) != 0)
        return systemError(at, u"The link %1 cannot be made."_s);
    return {};
}

void removeLocal(const QByteArray& path) { ::unlink(path.constData()); }

} // namespace rankwright

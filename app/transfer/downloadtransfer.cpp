// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/downloadtransfer.h"

#include "app/base/whendone.h"
#include "models/cluster/transfer/filenames.h"
#include "models/core/quantitytext.h"

#include <QDir>
#include <QtConcurrent>

#include <fcntl.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostEntries = 2'000'000;
constexpr int daySeconds = 24 * 3600;

} // namespace

DownloadTransfer::DownloadTransfer(
    RemoteShell& shell, QByteArray folder, QList<QByteArray> names, QByteArray target, QObject* parent)
    : FileTransfer(shell, parent), m_folder(std::move(folder)), m_names(std::move(names)), m_target(std::move(target))
{
    while (m_target.size() > 1 && m_target.endsWith('/'))
        m_target.chop(1);
}

DownloadTransfer::~DownloadTransfer() = default;

void DownloadTransfer::compareSides()
{
    askRemote(shell(), m_folder, m_names, this, [this](const Result<FileStates>& states) {
        if (!states) {
            endWith(states.error());
            return;
        }
        for (const QByteArray& name : std::as_const(m_names)) {
            const auto found = states->constFind(name);
            if (found == states->cend() || !isSafePath(name)) {
                endWith({Fault::Invalid, u"%1: there is no such file or folder on the cluster."_s.arg(shownName(name)),
                    {}, u"Check the path."_s});
                return;
            }
            FileEntry entry = *found;
            if (entry.kind == FileEntry::Kind::Folder || entry.kind == FileEntry::Kind::Link) {
                // What a person named is followed when it is a link; what lies in it is not.
                entry.kind = FileEntry::Kind::Folder;
                entry.mode = found->kind == FileEntry::Kind::Link ? 0755 : entry.mode;
                m_folders.append(entry);
            }
            m_found.append(entry);
        }
        listNext();
    });
}

void DownloadTransfer::listNext()
{
    if (m_folders.isEmpty()) {
        compare();
        return;
    }
    const FileEntry folder = m_folders.takeFirst();
    const QByteArray where = m_folder.isEmpty() ? folder.path : m_folder + '/' + folder.path;
    listRemote(shell(), where, 0, mostEntries, this, [this, folder](const Result<FileListing>& listing) {
        if (!listing) {
            endWith(listing.error());
            return;
        }
        if (listing->isCut) {
            endWith({Fault::Invalid, u"%1 holds more than %2 files."_s.arg(shownName(folder.path)).arg(mostEntries), {},
                u"Fetch its folders one by one, or pack them on the cluster first."_s});
            return;
        }
        for (const QByteArray& name : listing->refused)
            m_refusedNames.append(name);
        for (FileEntry entry : listing->entries) {
            entry.path = folder.path + '/' + entry.path;
            if (!baseOf(entry.path).startsWith(".rankwright-part-"))
                m_found.append(entry);
        }
        listNext();
    });
}

void DownloadTransfer::compare()
{
    compareSums(m_folder, weigh(m_found, localStates(m_target, m_found)), Source::There,
        [target = m_target](const QByteArray& path) -> QByteArray { return target + '/' + path; });
}

QByteArray DownloadTransfer::partPath(const FileEntry& entry) const
{
    return m_target + '/' + partialName(entry.path, entry.size, entry.modified);
}

void DownloadTransfer::send(const Unit& unit)
{
    m_own.clear();
    m_theirs.reset();
    m_isReceived = false;
    m_arrived = 0;
    QDir().mkpath(QFile::decodeName(m_target));
    if (unit.isLarge)
        findStart(unit.entries.first());
    else
        fetchSmall(unit);
}

void DownloadTransfer::fetchSmall(const Unit& unit)
{
    m_wanted.clear();
    for (const FileEntry& entry : unit.entries) {
        if (entry.kind == FileEntry::Kind::Folder) {
            if (const auto made = makeFolders(m_target, entry.path, entry.mode & 0777); !made) {
                stop(made.error());
                return;
            }
        } else if (entry.kind == FileEntry::Kind::File)
            m_wanted.insert(entry.path, entry);
    }
    if (m_wanted.isEmpty()) {
        m_isReceived = true;
        m_theirs = FileSums();
        verify();
        return;
    }
    m_tar = std::make_unique<TarReader>(TarReader::Listener{
        [this](const FileEntry& entry) { return beginEntry(entry); },
        [this](const QByteArray& bytes) { return write(bytes); },
        [this] { return endEntry(); },
    });
    RemoteCommand command = transferStep(u"give-tar"_s, m_folder);
    command.input = stepPaths(m_wanted.keys());
    askSums();
    run(command, [this](const QByteArray& bytes) { return m_tar->feed(bytes); });
}

Result<void> DownloadTransfer::beginEntry(const FileEntry& entry)
{
    const auto wanted = m_wanted.constFind(entry.path);
    if (wanted == m_wanted.cend() || entry.kind != FileEntry::Kind::File)
        return fail(Fault::Unreadable, u"The cluster sent %1, which was not asked for."_s.arg(shownName(entry.path)),
            {}, u"Nothing of it was written. Fetch again; if it happens again, tell the operators."_s);
    if (entry.size != wanted->size)
        return fail(Fault::Unreadable, u"%1 was changed while it was read."_s.arg(shownName(entry.path)), {},
            u"Fetch it again when nothing writes to it."_s);
    if (const auto made = makeFolders(m_target, folderOf(entry.path), 0755); !made)
        return made;
    m_open = *wanted;
    m_hash = std::make_shared<FileHash>();
    return openLocal(m_file, partPath(*m_open), O_WRONLY | O_CREAT | O_TRUNC);
}

Result<void> DownloadTransfer::write(const QByteArray& bytes)
{
    m_hash->addData(bytes);
    for (qsizetype at = 0; at < bytes.size();) {
        const qint64 written = m_file.write(bytes.constData() + at, bytes.size() - at);
        if (written <= 0)
            return fail(Fault::Io, u"%1 cannot be written on this machine."_s.arg(shownName(m_open->path)),
                m_file.errorString(), u"Make room here, then begin again: what has arrived is kept."_s);
        at += written;
    }
    m_arrived += bytes.size();
    unitProgress(m_arrived);
    return {};
}

Result<void> DownloadTransfer::endEntry()
{
    m_file.close();
    m_own.insert(m_open->path, m_hash->hex());
    m_wanted.remove(m_open->path);
    m_open.reset();
    return {};
}

/// What an earlier attempt has left here, and whether it is the beginning of this very file.
void DownloadTransfer::findStart(const FileEntry& entry)
{
    const auto fresh = std::make_shared<FileHash>();
    if (const auto made = makeFolders(m_target, folderOf(entry.path), 0755); !made) {
        stop(made.error());
        return;
    }
    QFile part;
    const qint64 have = openLocal(part, partPath(entry), O_RDONLY) ? part.size() : 0;
    if (have <= 0 || have > entry.size) {
        fetchLarge(entry, 0, fresh);
        return;
    }
    RemoteCommand command = transferStep(u"part"_s, m_folder, {stepPath(entry.path), QByteArray::number(have)});
    command.deadlineSeconds = daySeconds;
    shell().run(command, this, [this, entry, have, fresh](const Result<CommandOutcome>& outcome) {
        if (!outcome) {
            endWith(outcome.error());
            return;
        }
        const QByteArray theirs = outcome->output.simplified().split(' ').value(1);
        const auto adding = QtConcurrent::run(
            [path = partPath(entry), have, stop = stopped()] { return localSum(path, have, stop); });
        whenDone(adding, this, [this, entry, have, fresh, theirs](const Result<std::shared_ptr<FileHash>>& own) {
            if (own && (*own)->hex() == theirs)
                fetchLarge(entry, have, *own);
            else // of another content: from the beginning
                fetchLarge(entry, 0, fresh);
        });
    });
}

void DownloadTransfer::fetchLarge(const FileEntry& entry, qint64 offset, const std::shared_ptr<FileHash>& hash)
{
    addResumed(offset);
    m_open = entry;
    m_hash = hash;
    m_arrived = offset;
    const auto opened = openLocal(m_file, partPath(entry), O_WRONLY | O_CREAT | (offset > 0 ? O_APPEND : O_TRUNC));
    if (!opened) {
        stop(opened.error());
        return;
    }
    askSums();
    run(transferStep(u"give-file"_s, m_folder, {stepPath(entry.path), QByteArray::number(offset)}),
        [this](const QByteArray& bytes) { return write(bytes); });
}

void DownloadTransfer::run(const RemoteCommand& step, const std::function<Result<void>(const QByteArray&)>& take)
{
    RemoteCommand command = step;
    command.deadlineSeconds = daySeconds;
    m_process = shell().start(command);
    connect(m_process.get(), &RemoteProcess::outputArrived, this, [this, take](const QByteArray& bytes) {
        if (const auto taken = take(bytes); !taken)
            stop(taken.error());
    });
    connect(m_process.get(), &RemoteProcess::finished, this, [this, command](const Result<CommandOutcome>& outcome) {
        m_process->disconnect(this);
        m_process.release()->deleteLater(); // it is the sender
        m_file.close();
        if (!outcome) {
            endWith(outcome.error());
            return;
        }
        if (!outcome->succeeded()) {
            endWith(stepError(*outcome, command, u"The cluster did not send the files"_s));
            return;
        }
        if (unit().isLarge && m_open) {
            if (m_arrived != m_open->size) {
                endWith({Fault::Unreadable, u"%1 was changed while it was read."_s.arg(shownName(m_open->path)), {},
                    u"Fetch it again when nothing writes to it."_s});
                return;
            }
            m_own.insert(m_open->path, m_hash->hex());
            m_open.reset();
        }
        m_isReceived = true;
        verify();
    });
}

void DownloadTransfer::askSums()
{
    if (unit().isLarge) {
        const FileEntry entry = unit().entries.first();
        RemoteCommand command
            = transferStep(u"part"_s, m_folder, {stepPath(entry.path), QByteArray::number(entry.size)});
        command.deadlineSeconds = daySeconds;
        shell().run(command, this, [this, entry](const Result<CommandOutcome>& outcome) {
            if (!outcome) {
                stop(outcome.error());
                return;
            }
            m_theirs = FileSums{{entry.path, outcome->output.simplified().split(' ').value(1)}};
            verify();
        });
        return;
    }
    QList<QByteArray> paths;
    for (const FileEntry& entry : unit().entries) {
        if (entry.kind == FileEntry::Kind::File)
            paths.append(entry.path);
    }
    sumRemote(shell(), m_folder, paths, this, [this](const Result<FileSums>& sums) {
        if (!sums) {
            stop(sums.error());
            return;
        }
        m_theirs = *sums;
        verify();
    });
}

/// When the bytes and the cluster's checksums are here: each file is compared, then renamed.
void DownloadTransfer::verify()
{
    if (!m_isReceived || !m_theirs || isOver())
        return;
    for (const FileEntry& entry : unit().entries) {
        if (entry.kind != FileEntry::Kind::File || m_own.value(entry.path, "-") == m_theirs->value(entry.path))
            continue;
        removeLocal(partPath(entry));
        stop({Fault::Unreadable, u"%1 arrived with a wrong checksum; it was thrown away."_s.arg(shownName(entry.path)),
            u"SHA-256 here %1, there %2"_s.arg(
                QString::fromLatin1(m_own.value(entry.path)), shownName(m_theirs->value(entry.path), 80)),
            u"Fetch it again, when nothing writes to it."_s});
        return;
    }
    if (const auto placed = place(); !placed)
        stop(placed.error());
    else
        unitDone();
}

Result<void> DownloadTransfer::place()
{
    for (const FileEntry& entry : unit().entries) {
        Result<void> placed;
        if (entry.kind == FileEntry::Kind::File)
            placed = placeLocal(partPath(entry), m_target + '/' + entry.path, entry);
        else if (entry.kind == FileEntry::Kind::Link) {
            placed = makeFolders(m_target, folderOf(entry.path), 0755);
            if (placed)
                placed = makeLink(m_target + '/' + entry.path, entry.target);
        }
        if (!placed)
            return placed;
    }
    return {};
}

void DownloadTransfer::stop(const Error& why)
{
    m_file.close();
    if (m_process) { // it may be the sender of what led here
        m_process->disconnect(this);
        m_process.release()->deleteLater();
    }
    endWith(why);
}

} // namespace rankwright

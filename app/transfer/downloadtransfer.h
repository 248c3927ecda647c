// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/filehash.h"
#include "app/transfer/filetransfer.h"
#include "app/transfer/localfiles.h"
#include "models/cluster/transfer/tarstream.h"

namespace rankwright {

/// Files and folders of one folder of the cluster, each under its own name, into a folder of this machine. What the
/// cluster names is not believed: nothing is written outside that folder, through links, or without being asked for.
class DownloadTransfer final : public FileTransfer {
    Q_OBJECT
public:
    /// `names`: what lies in `folder`, without slashes; `target` is made when it is missing.
    DownloadTransfer(
        RemoteShell& shell, QByteArray folder, QList<QByteArray> names, QByteArray target, QObject* parent = nullptr);
    ~DownloadTransfer() override;

    void compareSides() override;
    /// Names by which the server would have led out of the folder; none was used.
    const QList<QByteArray>& refusedNames() const { return m_refusedNames; }

private:
    void listNext();
    void compare();
    void send(const Unit& unit) override;
    void fetchSmall(const Unit& unit);
    Result<void> beginEntry(const FileEntry& entry);
    Result<void> write(const QByteArray& bytes);
    Result<void> endEntry();
    void findStart(const FileEntry& entry);
    void fetchLarge(const FileEntry& entry, qint64 offset, const std::shared_ptr<FileHash>& hash);
    void run(const RemoteCommand& command, const std::function<Result<void>(const QByteArray&)>& take);
    void askSums();
    void verify();
    Result<void> place();
    QByteArray partPath(const FileEntry& entry) const;
    void stop(const Error& why);

    QByteArray m_folder;
    QList<QByteArray> m_names;
    QByteArray m_target;
    QList<FileEntry> m_found;
    QList<QByteArray> m_refusedNames;
    QList<FileEntry> m_folders; ///< of which the names come first: still to be listed
    std::unique_ptr<RemoteProcess> m_process;
    std::unique_ptr<TarReader> m_tar;
    QHash<QByteArray, FileEntry> m_wanted; ///< of the unit, not arrived yet
    std::optional<FileEntry> m_open; ///< whose bytes arrive
    QFile m_file;
    std::shared_ptr<FileHash> m_hash;
    qint64 m_arrived = 0; ///< bytes of files of the unit
    FileSums m_own;
    std::optional<FileSums> m_theirs;
    bool m_isReceived = false;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/filetransfer.h"
#include "app/transfer/localfiles.h"

namespace rankwright {

class UploadStream;

/// Files and folders of this machine, each under its own name, into a folder of the cluster. What an ignore file in a
/// folder's root leaves out stays here (models/cluster/transfer/ignorerules).
class UploadTransfer final : public FileTransfer {
    Q_OBJECT
public:
    UploadTransfer(RemoteShell& shell, QStringList paths, QByteArray folder,
        IgnoreFiles ignoreFiles = IgnoreFiles::Used, QObject* parent = nullptr);
    ~UploadTransfer() override;

    void compareSides() override;
    const LocalTree& tree() const { return m_tree; }

private:
    void send(const Unit& unit) override;
    void compare(const QList<QByteArray>& paths);
    void findStart(const FileEntry& entry);
    void checkStart(const FileEntry& entry, qint64 size, const QByteArray& sum);
    void begin(const RemoteCommand& command, std::shared_ptr<UploadStream> stream, qint64 before);
    void sendNextPiece();
    void handleEnd(const RemoteCommand& command, const Result<CommandOutcome>& outcome);
    void verify();
    void putIntoPlace(const RemoteCommand& command);
    RemoteCommand dropCommand() const;
    QByteArray hiddenName() const;

    QStringList m_paths;
    QByteArray m_folder;
    IgnoreFiles m_ignoreFiles;
    LocalTree m_tree;
    std::shared_ptr<UploadStream> m_stream;
    std::unique_ptr<RemoteProcess> m_process;
    QByteArray m_answer;
    std::optional<Error> m_failure; ///< why the stream was given up
    qint64 m_before = 0; ///< bytes of the file that were there
    qint64 m_written = 0;
    qint64 m_sent = 0;
    bool m_isReading = false;
    bool m_isClosed = false;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/submit/uploadlist.h"
#include "models/cluster/remote/remoteshell.h"

#include <QFile>
#include <QHash>

namespace rankwright {

/// What an upload did.
struct UploadSummary {
    int files = 0; ///< sent
    int unchanged = 0; ///< there already, byte for byte: not sent again
    qint64 bytes = 0; ///< of the files sent
};

/// Copies files and folders into a job's folder over an open connection: asks what is there, refuses to replace files
/// that are newer and different, streams the rest as tar into a folder of its own, counts files and bytes there, and
/// only then moves them into place, all or none. An upload that breaks off leaves everything as it was. One upload per
/// object; destroying it ends it. Lives on the caller's thread; lists and compares files on the pool.
class Upload final : public QObject {
    Q_OBJECT
public:
    explicit Upload(RemoteShell& shell, QObject* parent = nullptr);
    ~Upload() override;

    /// `folder` on the cluster; empty: the home folder. It is made when it is missing.
    void start(const QStringList& paths, const QString& folder);

signals:
    /// Before anything is sent: what is left out, and what is sent although it is easily overlooked.
    void filesListed(const rankwright::UploadNotes& notes);
    /// Files that are there already are compared byte for byte with ours.
    void filesCompared(int done, int total);
    void progressed(qint64 sent, qint64 total); ///< bytes of the stream that the connection has taken
    void finished(const rankwright::Result<rankwright::UploadSummary>& outcome); ///< once, last

private:
    void askPresentFiles();
    void handleAnswer(const QByteArray& answer);
    void compare(const QStringList& paths);
    void planAndSend(const QHash<QString, QByteArray>& own);
    Result<void> planFiles(const QHash<QString, QByteArray>& own);
    void send();
    void sendPieces();
    QByteArray nextPiece();
    void end(const Result<UploadSummary>& outcome);

    RemoteShell& m_shell;
    QString m_folder;
    QList<UploadEntry> m_entries; ///< all at first, then those to send
    QHash<QString, QByteArrayList> m_there; ///< by path: what is in the job's folder already
    struct Comparison;
    std::shared_ptr<Comparison> m_comparison; ///< under way on the pool
    UploadSummary m_summary;
    std::unique_ptr<RemoteProcess> m_process;
    qsizetype m_next = 0; ///< entry whose header comes next
    QFile m_file; ///< being sent
    qint64 m_left = 0; ///< bytes of it that were announced and not read yet
    qint64 m_total = 0;
    qint64 m_written = 0;
    qint64 m_sent = 0;
    std::optional<Error> m_failure; ///< why the stream was given up
    bool m_closed = false; ///< nothing more is written
    bool m_over = false;
};

} // namespace rankwright

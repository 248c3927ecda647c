// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotestream.h"
#include "models/insight/log/outputfiles.h"

#include <QTimer>

namespace rankwright::inline insight {

/// Follows a job's output files on the cluster, all of them by one channel: waits until they exist, finds those of a
/// pattern that come later, survives a lost link (goes on at the offsets reached), ends on the cluster by itself within
/// 12 s when the window or the link is gone. Does not interpret bytes. Lives on the GUI thread.
class LogTail final : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 defaultLastBytes = 1024 * 1024;
    static constexpr int mostFiles = 512; ///< further ones that a pattern finds are not followed

    /// A file as it is followed. Its number is its place in files().
    struct Followed {
        QString path;
        QString label; ///< as OutputFile's
        std::optional<int> rank; ///< that its name says
        std::optional<qint64> offset; ///< of the next byte; empty: not there yet
        qint64 size = 0; ///< as last reported
    };

    /// `lastBytes`: of a longer file only this many bytes from its end are read.
    LogTail(RemoteShell& shell, const QList<OutputFile>& files, qint64 lastBytes = defaultLastBytes,
        QObject* parent = nullptr);
    LogTail(RemoteShell& shell, const QString& path, qint64 lastBytes = defaultLastBytes, QObject* parent = nullptr);
    ~LogTail() override;

    void start();
    /// Reads what is left for up to `graceMs` (the job has ended), then stops and emits ended().
    void finishUp(int graceMs = 3000);
    void stop();
    /// Follows these too; what is known already goes on.
    void add(const QList<OutputFile>& files);
    const QList<Followed>& files() const { return m_files; }

signals:
    /// A pattern found it, or a path that was given exists now.
    void fileFound(int file);
    void bytesArrived(const QByteArray& bytes, int file);
    /// What comes next is not what follows: the file was longer than lastBytes, ran away from us, or (0) was written
    /// again.
    void skippedTo(qint64 offset, int file);
    /// Empty: all is well again.
    void troubleChanged(const std::optional<rankwright::Error>& why);
    void ended();

private:
    RemoteCommand nextCommand();
    void readOutput(const QByteArray& bytes);
    bool readHeader(const QByteArray& line);
    void handleBytes(const QByteArray& bytes);
    void handleEnd(const Result<CommandOutcome>& outcome);
    void finish();

    QList<Followed> m_files;
    QList<OutputFile> m_patterns;
    qint64 m_lastBytes;
    RemoteStream m_stream;
    QTimer m_grace;
    bool m_finishing = false;
    QByteArray m_header; ///< a line of ours that has not ended
    int m_found = 0; ///< by patterns
    bool m_greeted = false;
    int m_frameFile = 0; ///< whose bytes come now, while m_frameLeft > 0
    qint64 m_frameLeft = 0;
};

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote/remoteshell.h"

#include <QTimer>

#include <memory>

namespace rankwright {

/// Follows a job's output file on the cluster from a byte offset: waits until it exists, survives a lost link (goes on
/// at the offset reached), ends on the cluster by itself within 12 s when the window or the link is gone. Does not
/// interpret bytes. Lives on the GUI thread.
class LogTail final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LogTail)
public:
    /// `path` on the cluster; `lastBytes`: at a file longer than this, start that far before its end.
    LogTail(RemoteShell& shell, QString path, qint64 lastBytes = 4 * 1024 * 1024, QObject* parent = nullptr);
    ~LogTail() override;

    void start();
    /// Reads what is left for up to `graceMs` (the job has ended), then stops and emits ended().
    void finishUp(int graceMs = 3000);
    void stop();
    const QString& path() const { return m_path; }

signals:
    void bytesArrived(const QByteArray& bytes);
    void skippedTo(qint64 offset); ///< the file was longer than lastBytes: reading starts here
    void trouble(const rankwright::Error& why);
    void ended();

private:
    void launch();
    void dropProcess();
    void readOutput(const QByteArray& bytes);
    bool readHeader(const QByteArray& line);
    void handleEnd(const Result<CommandOutcome>& outcome);
    void scheduleRestart(const Error& why);
    void tell(const Error& why);
    void finish();

    RemoteShell& m_shell;
    QString m_path;
    qint64 m_lastBytes;
    qint64 m_offset = -1;
    std::unique_ptr<RemoteProcess> m_process;
    QTimer m_heartbeat;
    QTimer m_restart;
    int m_attempt = 0;
    bool m_wanted = false;
    QByteArray m_header;
    QTimer m_grace;
    QString m_told; ///< text of the trouble that stands
    bool m_headerRead = false;
    bool m_finishing = false;
};

/// The shell line that follows a file (see docs/telemetry.md): from `offset`, or when negative from `lastBytes` before
/// the end of a file longer than that. Prints "@rwl OFFSET SIZE", a newline, and then the file's bytes as they come.
QString followCommand(const QString& path, qint64 offset, qint64 lastBytes);

} // namespace rankwright

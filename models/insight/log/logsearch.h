// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"
#include "models/insight/log/logpiece.h"

#include <QTimer>

#include <memory>

namespace rankwright::inline insight {

/// Searches a file where it lies, by the cluster's grep, in pieces of 32 MiB from its end to its beginning: the newest
/// places come first, progress after each piece. Bars (carriage returns) count as lines of their own; a plain text is
/// also found where colours are between its letters. One search at a time; starting another ends it. Lives on the
/// GUI thread.
class LogSearch final : public QObject {
    Q_OBJECT
public:
    static constexpr int mostHits = 2000;
    static constexpr qsizetype longestLine = 1024 * 1024; ///< of what a line has beyond, nothing is kept
    static constexpr qint64 byteBudget = 16LL * 1024 * 1024 * 1024;

    explicit LogSearch(RemoteShell& shell, QObject* parent = nullptr);
    ~LogSearch() override;

    void start(const QString& path, int file, const LogQuery& query);
    /// Ends it on the cluster too; what was found stays.
    void cancel();
    const LogSearchState& state() const { return m_state; }
    qsizetype pendingBytes() const { return m_pending.size(); } ///< of a line that has not ended

signals:
    void found(const QList<rankwright::LogHit>& hits);
    void stateChanged(const rankwright::LogSearchState& state);

private:
    void readOutput(const QByteArray& bytes);
    void readLine(const QByteArray& line);
    void handleEnd(const Result<CommandOutcome>& outcome);
    void stop();

    RemoteShell& m_shell;
    std::unique_ptr<RemoteProcess> m_process;
    QTimer m_heartbeat;
    QByteArray m_pending;
    bool m_tooLong = false; ///< the rest of this line is dropped
    QList<LogHit> m_hits; ///< not reported yet
    qint64 m_base = 0; ///< where the piece begins whose hits come
    int m_file = 0;
    bool m_reported = false; ///< the script said how it ended
    LogSearchState m_state;
};

/// The shell line that searches; see docs/telemetry.md.
QString searchCommand(const QString& path, const LogQuery& query, qint64 budget, int mostHits);

} // namespace rankwright::inline insight

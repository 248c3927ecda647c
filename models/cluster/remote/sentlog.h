// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QHash>
#include <QList>
#include <QObject>

namespace rankwright::inline cluster {

class RemoteProcess;

/// One command that this program sent to a cluster, and what became of it.
struct SentCommand {
    enum class End {
        Open, ///< it goes on
        Exited, ///< by itself: exitStatus or exitSignal, neither where the far side reported none
        Failed, ///< by the connection, its deadline, or because it was never begun: `why`
        Dropped, ///< ended from here: its answer was not wanted any more
    };
    quint64 number = 0; ///< counts those of a log from 1
    QDateTime time; ///< when it was handed to the connection
    QString cluster; ///< as the catalogue calls it
    QString purpose; ///< "Asks for your jobs in the queue"
    QString line; ///< before it is wrapped for the login shell (RemoteCommand::wireLine); the first `mostText` of it
    QByteArray input; ///< what it was given on stdin at its start; the first `mostText` of it
    qint64 inputBytes = 0; ///< of all that
    std::optional<qint64> moreInputBytes; ///< written later, while it went on: counted, never kept; empty: not reported
    End end = End::Open;
    std::optional<int> exitStatus;
    QByteArray exitSignal; ///< "KILL"; empty: none
    QString why; ///< one line; empty: it did not fail
    std::optional<qint64> tookMs; ///< empty: it goes on
    bool operator==(const SentCommand&) const = default;

    static constexpr qsizetype mostText = 64 * 1024; ///< characters of a line, bytes of an input that are kept
};

/// What a program sent to clusters since it was started, the newest `mostCommands` of it, in memory alone. Passwords
/// and passphrases are not commands and never come here, nor does what is typed in a shell on a node. Lives on the GUI
/// thread.
class SentLog final : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype mostCommands = 500;
    static constexpr qsizetype mostBytes = 8 * 1024 * 1024; ///< of lines and inputs; the oldest commands go

    explicit SentLog(QObject* parent = nullptr);

    /// Called by RemoteShell for each process that it makes, before anybody else listens to it.
    void note(const RemoteCommand& command, const QString& cluster, RemoteProcess& process);
    const QList<SentCommand>& all() const { return m_all; } ///< the oldest first

signals:
    void commandBegan(const rankwright::SentCommand& command);
    /// Once for each, unless it is so old that it is not kept any more.
    void ended(const rankwright::SentCommand& command);

private:
    void markEnded(quint64 number, const Result<CommandOutcome>& outcome);
    void markDropped(quint64 number);
    SentCommand* find(quint64 number);
    void close(SentCommand& command, SentCommand::End end);
    void forgetOldest();

    QList<SentCommand> m_all;
    QHash<quint64, qint64> m_beganMs; ///< of those that go on, by m_clock
    QElapsedTimer m_clock;
    quint64 m_last = 0;
    qsizetype m_bytes = 0;
};

} // namespace rankwright::inline cluster

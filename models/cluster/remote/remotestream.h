// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotelease.h"
#include "models/cluster/remote/remoteshell.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace rankwright::inline cluster {

/// Keeps one leased command on a cluster running whose output is read as it comes: sends the heartbeats of its lease
/// (remotelease.h), starts it again with growing waits, at once when the link returns, and knows the trouble that
/// stands. What its output means, and whether it is to run again, its owner decides. Lives on the GUI thread.
class RemoteStream final : public QObject {
    Q_OBJECT
public:
    /// Changed by tests only.
    struct Pace {
        int heartbeatMs = leaseHeartbeatMs;
        int firstRestartMs = 1000; ///< doubles up to ...
        int lastRestartMs = 30000;
    };

    /// `command` is called before each launch: it forgets what was read of the launch before, and gives the command.
    RemoteStream(RemoteShell& shell, std::function<RemoteCommand()> command, QObject* parent = nullptr);
    ~RemoteStream() override; ///< ends the command

    void setPace(const Pace& pace);
    void start();
    void stop();
    /// Between start() and stop(), also while it waits to be launched again.
    bool isWanted() const { return m_wanted; }
    bool isRunning() const { return m_process != nullptr; }
    /// Ends what runs and launches the command at once.
    void launch();
    /// Ends what runs, reports `why` where it is given, and launches again after a wait that doubles each time.
    void restartLater(const std::optional<Error>& why);
    /// It works: the next wait is the first one.
    void clearFailures() { m_failures = 0; }
    /// The next wait is as long as after this many failures at least.
    void countFailures(int atLeast) { m_failures = std::max(m_failures, atLeast); }
    void write(const QByteArray& input);
    /// Another number whenever the command is launched or ended: for a reader whose listener may have done that.
    int launchNumber() const { return m_number; }

    /// Emits troubleChanged() when this reads differently from what stands; empty: all is well again.
    void report(const std::optional<Error>& why);
    bool hasTrouble() const { return !m_reported.isEmpty(); }

signals:
    /// Before a launch, since the link is there again.
    void linkReturned();
    void outputArrived(const QByteArray& bytes);
    void errorArrived(const QByteArray& bytes);
    /// The command ended by itself; not after stop().
    void finished(const rankwright::Result<rankwright::CommandOutcome>& outcome);
    void troubleChanged(const std::optional<rankwright::Error>& why);

private:
    void end();

    RemoteShell& m_shell;
    std::function<RemoteCommand()> m_command;
    std::unique_ptr<RemoteProcess> m_process;
    QTimer m_heartbeat;
    QTimer m_restart;
    Pace m_pace;
    QString m_reported; ///< text of the trouble that stands; empty: none
    int m_number = 0;
    int m_failures = 0; ///< since it last worked
    bool m_wanted = false;
};

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/framesocket.h"
#include "app/keeper/sharedlink.h"

#include <QTimer>

#include <deque>
#include <functional>
#include <map>

namespace rankwright {

/// The agent's side of one program: its greeting, its part of a connection, its commands. When it goes, everything of
/// it ends. What it is sent waits in the commands themselves while it does not take it (keeperWindow).
class KeeperGuest final : public QObject, private LinkUser {
    Q_OBJECT
public:
    struct Host {
        /// The connection to this endpoint; null: there are too many.
        std::function<SharedLink*(const SshEndpoint&)> linkTo;
        std::function<KeeperStatus()> status;
        std::function<void()> stop;
    };
    KeeperGuest(Descriptor socket, Host host, QObject* parent = nullptr);
    ~KeeperGuest() override;

    /// It has asked for a connection.
    bool hasUsed() const { return m_hasUsed; }
    const SharedLink* sharedLink() const { return m_link; }
    int running() const { return int(m_commands.size()); }
    /// Reports why, and hangs up.
    void refuse(const Error& why);

signals:
    void guestGone();

private:
    struct Waiting {
        KeeperFrame::Kind kind = KeeperFrame::Output;
        QByteArray bytes;
    };
    struct Command {
        std::unique_ptr<RemoteProcess> process;
        std::deque<Waiting> waiting; ///< for the program to take what it was sent
        qint64 credit = keeperWindow; ///< bytes that may be sent
        qint64 given = 0; ///< bytes of input that came
        qint64 taken = 0; ///< of them, by the connection
        std::optional<Result<CommandOutcome>> end;
    };

    void handleState(const KeeperState& state) override;
    void handlePrompt(const LoginPrompt& prompt) override;
    void handleBanner(const QString& host, const QString& text) override;
    void handleHint(const QString& text) override;

    void handleFrame(const KeeperFrame& frame);
    void handleFirstFrame(const KeeperFrame& frame);
    void handleOpen(const KeeperFrame& frame);
    void handleLogin(const KeeperFrame& frame);
    void handleCommandFrame(const KeeperFrame& frame);
    void begin(const KeeperFrame& frame);
    void watchProcess(quint32 number, RemoteProcess* process);
    void queueFrame(quint32 number, KeeperFrame::Kind kind, const QByteArray& bytes);
    void sendWaiting(quint32 number);
    void handleInput(Command& command, const KeeperFrame& frame);
    void finish(quint32 number, const Result<CommandOutcome>& outcome);
    void leaveAll();

    FrameSocket m_socket;
    const Host m_host;
    QTimer m_patience;
    bool m_greeted = false;
    bool m_hasUsed = false;
    SharedLink* m_link = nullptr;
    std::map<quint32, Command> m_commands;
    quint32 m_lastNumber = 0;
};

} // namespace rankwright

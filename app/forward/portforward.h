// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/forward/portlistener.h"
#include "app/forward/portpipe.h"
#include "app/forward/relayhub.h"

#include <list>

namespace rankwright {

/// A port of a job's node on this computer: each connection to 127.0.0.1 goes on to the node, directly from the login
/// node where the site allows it, else through a Slurm step on the node; it finds out which by trying, and again when
/// that one fails. Does not watch the job: whoever knows that it has ended calls stop(). Lives on the GUI thread.
class PortForward final : public QObject {
    Q_OBJECT
public:
    /// How the last connection went: from the login node, by the relay on the node, by bash on the node.
    enum class Way { Unknown, Login, Relay, Bash };

    PortForward(RemoteShell& shell, const NodeStep& step, int port, QObject* parent = nullptr);
    ~PortForward() override;

    /// Listens on `wanted` of this computer or the next free one, and looks at once whether the service answers.
    Result<int> start(int wanted);
    /// Ends all connections; `why` is a sentence for the user, empty: asked for.
    void stop(const QString& why = {});

    const NodeStep& step() const { return m_step; }
    int port() const { return m_port; } ///< on the node
    int localPort() const { return m_localPort; } ///< as last listened on
    bool isActive() const { return m_listener.port() != 0; }
    Way way() const { return m_way; }
    int connections() const { return static_cast<int>(m_links.size()); }
    int connectionsSoFar() const { return m_soFar; }
    qint64 bytesIn() const;
    qint64 bytesOut() const;
    /// Why the last connection could not be made; empty: it could.
    const QString& trouble() const { return m_trouble; }
    /// Why it was stopped.
    const QString& ending() const { return m_ending; }
    /// The first try has ended, well or not.
    bool isTried() const { return m_isTried; }

signals:
    void changed();

private:
    /// One connection that is being made: what is left to try.
    struct Attempt {
        PortPipe* pipe = nullptr; ///< null: only to see whether it works
        QList<Way> ways;
        std::unique_ptr<RemoteProcess> process;
        QStringList reasons;
        QTimer patience;
    };
    void acceptConnections();
    void startAttempt(PortPipe* pipe);
    void tryNext(Attempt& attempt);
    std::unique_ptr<RemoteProcess> open(Way way);
    void fail(Attempt& attempt, Way way, const Error& why);
    void succeed(Attempt& attempt, Way way);
    void forget(Attempt& attempt);
    void remove(PortPipe* pipe);
    void reportSoon();

    RemoteShell& m_shell;
    const NodeStep m_step;
    const int m_port;
    int m_localPort = 0;
    PortListener m_listener;
    std::unique_ptr<RelayHub> m_hub;
    std::list<std::unique_ptr<PortPipe>> m_links;
    std::list<std::unique_ptr<Attempt>> m_attempts;
    std::list<std::unique_ptr<Attempt>> m_gone; ///< until the next turn of the event loop
    Way m_way = Way::Unknown;
    bool m_isLoginRefused = false; ///< by the site's own rule: never asked again
    bool m_isTried = false;
    int m_soFar = 0;
    qint64 m_bytesIn = 0; ///< of connections that have ended
    qint64 m_bytesOut = 0;
    QString m_trouble;
    QString m_ending;
    QTimer m_report;
};

/// How it goes, for people: "from the login node", "through a Slurm step on n2".
QString wayText(PortForward::Way way, const QString& node);
/// What everybody who forwards a port should know.
QString everyLocalUserText();

} // namespace rankwright

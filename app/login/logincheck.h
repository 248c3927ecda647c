// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/login/loginprobes.h"
#include "models/cluster/login/loginreading.h"
#include "models/cluster/remote/clusterlink.h"
#include "ssh/sshendpoint.h"

namespace rankwright {

/// Tests a login step by step: keys, name, port, host key and methods without logging in, then the login itself (its
/// questions come as prompts), then what is asked on the cluster. Each step's light is set as soon as it is known; the
/// first failure before the login ends it. Its connection ends with it. Lives on the GUI thread and never blocks it.
class LoginCheck final : public QObject {
    Q_OBJECT
public:
    using LinkMaker = std::function<std::unique_ptr<ClusterLink>(const SshEndpoint& endpoint)>;

    explicit LoginCheck(const ClusterProfile& profile, QObject* parent = nullptr);
    ~LoginCheck() override;
    /// In place of a connection by SSH.
    void setLinkMaker(const LinkMaker& maker) { m_makeLink = maker; }
    /// Where the commands of the next start are noted; null: nowhere.
    void setSentLog(SentLog* log) { m_sentLog = log; }

    /// Begins again, whatever goes on.
    void start(const SshRequest& request);
    void stop();
    bool isRunning() const { return m_running; }
    void answer(quint64 promptId, const PromptAnswer& answer);

    /// Lives as long as the connection that a question came from: its answer is for no other.
    QObject* asker() const { return m_link.get(); }

    const LoginSteps& steps() const { return m_steps; }
    /// The step that is being tested; empty: none.
    std::optional<LoginStepKind> current() const { return m_current; }
    /// Key files that the login offers, as found by the last start.
    const QList<KeyFile>& keys() const { return m_keys; }
    /// Where it leads; empty until the SSH configuration is read.
    const std::optional<SshEndpoint>& endpoint() const { return m_endpoint; }

signals:
    void changed();
    void promptRaised(const rankwright::LoginPrompt& prompt);
    void bannerArrived(const QString& host, const QString& text);
    void hintArrived(const QString& text);
    void finished();

private:
    struct Scouted {
        Result<SshEndpoint> endpoint = SshEndpoint();
        QList<KeyFile> keys;
        std::optional<int> agentKeys;
        HostScouting seen;
    };
    static Scouted scout(const SshRequest& request);
    void handleScouted(const Scouted& scouted);
    void logIn();
    void handleState(LinkState state);
    void probe(LoginStepKind kind);
    void handleAnswer(LoginStepKind kind, const Result<CommandOutcome>& answer);
    RemoteCommand commandOf(LoginStepKind kind) const;
    void set(LoginStepKind kind, const StepOutcome& outcome);
    void end();

    const ClusterProfile m_profile;
    LinkMaker m_makeLink;
    QPointer<SentLog> m_sentLog;
    LoginSteps m_steps;
    std::optional<LoginStepKind> m_current;
    QList<KeyFile> m_keys;
    std::optional<SshEndpoint> m_endpoint;
    QStringList m_accounts;
    quint64 m_epoch = 0; ///< answers to an earlier start are dropped
    bool m_running = false;
    bool m_wasOnline = false;
    std::unique_ptr<QObject> m_attempt; ///< guard of all that belongs to one start
    std::unique_ptr<ClusterLink> m_link;
};

} // namespace rankwright

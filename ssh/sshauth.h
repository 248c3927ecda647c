// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/agentfilter.h"
#include "ssh/sshendpoint.h"
#include "ssh/sshidentity.h"

#include "models/cluster/remote/clusterlink.h"
#include "models/cluster/remote/loginprompt.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace rankwright {

/// Takes what a person should know or do while a login waits ("Touch your security key now."); empty: it is over. May
/// be called on a thread of the agent's.
using HintSink = std::function<void(const QString& text)>;

/// Logs in on a connected session whose host key was verified: "none", the agent's keys, key files,
/// keyboard-interactive, password; after a partial success it goes on with what the server still asks for. A state
/// machine on the connection's thread: advance() makes one step and never waits for the network or for people (only
/// for the agent). Keeps no secret longer than the call that needs it. Does not raise prompts itself: Ask means that
/// prompt() wants an answer.
class SshAuth {
    Q_DISABLE_COPY_MOVE(SshAuth)
public:
    enum class Step { Busy, Ask, Done, Failed };

    /// Passwords and codes that may be refused before the login ends: more would only fill the server's ban list.
    static constexpr int mostTries = 3;

    /// Without a person present no question is asked and no round begun that may notify a telephone.
    SshAuth(ssh_session session, const SshEndpoint& endpoint,
        ClusterLink::Attendance attendance = ClusterLink::Attendance::Person, HintSink hint = {});
    ~SshAuth();

    Step advance();
    const LoginPrompt& prompt() const { return m_prompt; }
    void answer(const PromptAnswer& answer);
    const Error& error() const { return m_error; }
    /// Was anything answered by a person, or a keyboard-interactive login begun?
    bool tookPerson() const { return m_tookPerson; }
    /// Of the certificate of a key that was accepted: "ends in 3 h"; empty: it has none, or it lasts longer than a
    /// week.
    QString endingSoon() const;
    /// What the server says before it asks; empty: nothing.
    QString banner() const;

private:
    enum class Stage { None, Agent, Keys, AgentRest, Interactive, Password, Over };
    /// Next: this stage has nothing more to try. Again: there is more to do without waiting.
    enum class Outcome { Busy, Ask, Again, Next, Done, Failed };

    static Stage stageAfter(Stage stage);
    Outcome step();
    Outcome tryAgent();
    Outcome tryKeys();
    Outcome offerKey(SshIdentity& identity);
    Outcome signWithKey(const SshIdentity& identity);
    Outcome nextIdentity();
    Outcome tryInteractive();
    Outcome collectQuestions();
    void fillAnswers();
    Outcome tryPassword();

    /// What the server's answer means for a stage that goes on with `otherwise` when refused.
    Outcome outcomeOf(int rc, Outcome otherwise);
    Outcome afterPartialSuccess();
    Outcome refusedSecret();
    Outcome failWith(Fault fault, const QString& what, const QString& detail, const QString& remedy);
    /// Of the keys that may be offered: a certificate that has expired or is not valid yet; empty: there is none.
    QString uselessCertificate() const;
    QString certificateFacts() const;
    Outcome giveUp();
    Outcome ask(LoginPrompt::Kind kind, const QList<LoginPrompt::Question>& questions);
    bool offers(int method) const { return (m_methods & method) != 0; }
    void prepareAgent();
    Outcome needsPerson();

    ssh_session m_session;
    SshEndpoint m_endpoint;
    ClusterLink::Attendance m_attendance;
    HintSink m_hint;
    bool m_tookPerson = false;
    Stage m_stage = Stage::None;
    int m_methods = 0; ///< that the server would take now
    int m_offered = 0; ///< that it has named since the last success
    bool m_callPending = false; ///< libssh wants the very same call again
    int m_partials = 0;
    QStringList m_tried;

    std::unique_ptr<AgentFilter> m_filter;
    bool m_agentUsable = true;
    bool m_agentShownWhole = false; ///< none of its keys is kept back
    std::vector<SshIdentity> m_identities;
    std::size_t m_identity = 0;
    bool m_keyAccepted = false; ///< the server would take the current identity's key
    int m_passphraseTries = 0;
    SshKeyHandle m_private;

    int m_tries = 0;
    int m_emptyRounds = 0;
    int m_rounds = 0; ///< of questions
    QString m_serverTexts; ///< of rounds without questions, shown with the next one
    QString m_notice; ///< ours, for the next prompt
    bool m_personAnswered = false; ///< in the current round; only typed answers are repeated
    bool m_asking = false;
    std::optional<PromptAnswer> m_answer;
    LoginPrompt m_prompt;
    Error m_error;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/login/kexproposal.h"
#include "ssh/hostkey.h"
#include "ssh/sshauth.h"
#include "ssh/sshdial.h"
#include "ssh/sshtuning.h"

#include <optional>

namespace rankwright {

/// One SSH session on the way to the cluster: connect, verify the host key, authenticate. A state machine on the
/// connection's thread; advance() makes what progress it can and never waits. Owns the session; the event that its
/// descriptors are polled in belongs to the loop and outlives it.
class SshHop {
    Q_DISABLE_COPY_MOVE(SshHop)
public:
    enum class Step { Busy, Ask, Online, Failed };

    SshHop(const SshEndpoint& endpoint, ssh_event event, const SshTuning& tuning,
        ClusterLink::Attendance attendance = ClusterLink::Attendance::Person, HintSink hint = {});
    ~SshHop();

    /// The transport is given: one end of the bridge through the hop before. Otherwise it dials itself.
    void startOver(Descriptor transport);
    Step advance(qint64 now);
    qint64 due() const;

    /// Valid while advance() says Ask.
    const LoginPrompt& prompt() const { return m_prompt; }
    void answer(const PromptAnswer& answer, qint64 now);
    const Error& error() const { return m_error; }
    /// Once, after the server has said it: its words to everybody who logs in.
    QString takeBanner() { return std::exchange(m_banner, {}); }
    /// Did a person answer, or may one have done so elsewhere (telephone, touched key)?
    bool tookPerson() const { return m_tookPerson; }

    ssh_session session() const { return m_session.get(); }
    /// False once the peer or the network ended an online session.
    bool isAlive() const;
    /// Changes whenever the session received a packet or its end.
    quint64 pulse() const;
    quint64 packetsIn() const { return m_packets.in_packets; }
    qint64 bytesIn() const { return static_cast<qint64>(m_bytes.in_bytes); }
    qint64 bytesOut() const { return static_cast<qint64>(m_bytes.out_bytes); }
    const SshEndpoint& endpoint() const { return m_endpoint; }

private:
    enum class State { Idle, Dialling, Connecting, Verifying, Confirming, Authenticating, Online, Failed };

    bool openSession();
    void prepare(ssh_session session) const;
    void dial(qint64 now);
    void connectSession(qint64 now);
    bool isGreeted(qint64 now);
    void watchGreeting(bool on);
    void failGreeting(qint64 waitedMs);
    void verify(qint64 now);
    HostKeyVerdict verifyByAuthority(HostKeyVerdict verdict, const QList<KnownKey>& known);
    void askForHostKey(const PresentedKey& key, qint64 now);
    void acceptHostKey(qint64 now);
    void remember();
    void beginLogin(qint64 now);
    void authenticate(qint64 now);
    void listen(qint64 now);
    bool hasWaitedForPerson() const;
    int silenceMs() const
    {
        return m_attendance == ClusterLink::Attendance::Person ? m_tuning.serverMs
                                                               : qMin(m_tuning.serverMs, m_tuning.unattendedMs);
    }
    /// In a login: the peer has ended its side as well, so that no answer will come.
    bool isCut() const;
    Error cutInLogin() const;
    Error loginError() const;
    void failWith(const Error& error);
    void checkDeadline(qint64 now);

    SshEndpoint m_endpoint;
    ssh_event m_event;
    SshTuning m_tuning;
    ClusterLink::Attendance m_attendance;
    HintSink m_hint;
    bool m_tookPerson = false;
    bool m_bannerRead = false;
    QString m_banner;
    State m_state = State::Idle;
    qint64 m_deadline = 0;
    qint64 m_latest = 0; ///< of the login, whatever the server says meanwhile
    quint64 m_seenPackets = 0;
    qint64 m_heard = 0; ///< when the server last said something in the login, or began to have to
    qint64 m_longestPause = 0; ///< of the server, in ms
    qint64 m_secondPause = 0;
    bool m_knowsMethods = false; ///< the server has named what it takes
    bool m_asking = false;
    std::optional<PromptAnswer> m_hostKeyAnswer;
    PresentedKey m_key;
    QString m_hostKeyNotice; ///< ours, for the question about it

    // Counters are used by the session until its end, and the agent filter until then as well: declared before it.
    ssh_counter_struct m_bytes = {};
    ssh_counter_struct m_packets = {};
    std::unique_ptr<SshDial> m_dial;
    SshSessionHandle m_session;
    bool m_inEvent = false;
    bool m_watching = false; ///< our own watch on its socket, until the server's first bytes
    bool m_saidHello = false;
    QString m_greeting; ///< the first line of what it says
    std::optional<KexProposal> m_offer; ///< what it offers, seen before the library took it
    qint64 m_peekAgainAt = 0; ///< for the rest of its offer; 0: nothing to look for
    qint64 m_offerDue = 0; ///< then the session goes on without having seen it
    std::unique_ptr<SshAuth> m_auth;
    LoginPrompt m_prompt;
    Error m_error;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

    SshHop(const SshEndpoint& endpoint, ssh_event event, const SshTuning& tuning, bool attended = true);
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
    void dial(qint64 now);
    void connectSession();
    void verify(qint64 now);
    void askForHostKey(const PresentedKey& key, qint64 now);
    void acceptHostKey(qint64 now);
    void remember();
    void authenticate(qint64 now);
    void failWith(const Error& error);
    void checkDeadline(qint64 now);

    SshEndpoint m_endpoint;
    ssh_event m_event;
    SshTuning m_tuning;
    bool m_attended;
    bool m_tookPerson = false;
    bool m_bannerRead = false;
    QString m_banner;
    State m_state = State::Idle;
    qint64 m_deadline = 0;
    quint64 m_seenPackets = 0;
    bool m_asking = false;
    std::optional<PromptAnswer> m_hostKeyAnswer;
    PresentedKey m_key;

    // Counters are used by the session until its end, and the agent filter until then as well: declared before it.
    ssh_counter_struct m_bytes = {};
    ssh_counter_struct m_packets = {};
    std::unique_ptr<SshDial> m_dial;
    SshSessionHandle m_session;
    bool m_inEvent = false;
    std::unique_ptr<SshAuth> m_auth;
    LoginPrompt m_prompt;
    Error m_error;
};

} // namespace rankwright

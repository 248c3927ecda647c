// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshhop.h"

#include "models/core/logging.h"

#include <QDir>

#include <limits>

#include <poll.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int lastWordsMs = 1000; // what came before the end is read first: it may say why

} // namespace

SshHop::SshHop(const SshEndpoint& endpoint, ssh_event event, const SshTuning& tuning, bool attended)
    : m_endpoint(endpoint), m_event(event), m_tuning(tuning), m_attended(attended)
{ }

SshHop::~SshHop()
{
    // Closes the socket without a farewell: ssh_disconnect() would forget a descriptor given by SSH_OPTIONS_FD instead
    // of closing it, and servers take the end of the connection for what it is.
    if (m_session && m_inEvent)
        ssh_event_remove_session(m_event, m_session.get());
    m_session.reset();
}

bool SshHop::openSession()
{
    m_session.reset(ssh_new());
    ssh_session session = m_session.get();
    if (!session) {
        failWith({Fault::Io, u"No memory for an SSH session."_s, {}, {}});
        return false;
    }
    ssh_set_blocking(session, 0);
    ssh_set_counters(session, &m_bytes, &m_packets);
    const QStringList files = knownHostsFiles(m_endpoint);
    // What OpenSSH's configuration says was read before; libssh must not read it again in its own way.
    const bool readConfiguration = false;
    ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &readConfiguration);
    ssh_options_set(session, SSH_OPTIONS_HOST, m_endpoint.host.toUtf8().constData());
    ssh_options_set(session, SSH_OPTIONS_PORT_STR, QByteArray::number(m_endpoint.port).constData());
    if (!m_endpoint.user.isEmpty())
        ssh_options_set(session, SSH_OPTIONS_USER, m_endpoint.user.toUtf8().constData());
    ssh_options_set(session, SSH_OPTIONS_KNOWNHOSTS, files.value(0).toLocal8Bit().constData());
    ssh_options_set(session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, files.last().toLocal8Bit().constData());
    const QByteArray order = preferredAlgorithms(knownKeys(files, m_endpoint.keyName()));
    if (!order.isEmpty())
        ssh_options_set(session, SSH_OPTIONS_HOSTKEYS, order.constData());
    return true;
}

void SshHop::startOver(Descriptor transport)
{
    if (!openSession())
        return;
    socket_t fd = transport.get();
    ssh_options_set(m_session.get(), SSH_OPTIONS_FD, &fd);
    transport.release(); // the session closes it
    m_state = State::Connecting;
}

SshHop::Step SshHop::advance(qint64 now)
{
    if (m_deadline == 0)
        m_deadline = now + m_tuning.connectMs;
    State before;
    do {
        before = m_state;
        switch (m_state) {
        case State::Idle:
        case State::Dialling: dial(now); break;
        case State::Connecting: connectSession(); break;
        case State::Verifying: verify(now); break;
        case State::Confirming: acceptHostKey(now); break;
        case State::Authenticating: authenticate(now); break;
        case State::Online:
        case State::Failed: break;
        }
    } while (m_state != before);
    if (m_state != State::Online && m_state != State::Failed)
        checkDeadline(now);
    if (m_state == State::Online)
        return Step::Online;
    if (m_state == State::Failed)
        return Step::Failed;
    return m_asking ? Step::Ask : Step::Busy;
}

void SshHop::dial(qint64 now)
{
    if (!m_dial) {
        m_dial = std::make_unique<SshDial>(m_endpoint.host, m_endpoint.port, m_event);
        m_state = State::Dialling;
    }
    switch (m_dial->advance(now)) {
    case SshDial::State::Busy: return;
    case SshDial::State::Failed:
        failWith({Fault::Offline, u"%1 cannot be reached."_s.arg(m_endpoint.host), m_dial->failure(),
            u"Check the name, the network, and whether the site wants its VPN."_s});
        return;
    case SshDial::State::Connected: break;
    }
    Descriptor transport = m_dial->take();
    m_dial.reset();
    startOver(std::move(transport));
}

void SshHop::connectSession()
{
    const int rc = ssh_connect(m_session.get());
    // libssh puts the socket into blocking mode once it is writable. A send to a peer that has stopped reading would
    // then hang this thread, and through a bridge, whose other end this thread serves, for ever.
    const socket_t fd = ssh_get_fd(m_session.get());
    if (fd != SSH_INVALID_SOCKET)
        setNonBlocking(fd);
    if (rc == SSH_ERROR) {
        failWith({Fault::Offline, u"%1 does not answer as an SSH server."_s.arg(m_endpoint.host),
            libraryText(m_session.get()), u"Check the port; some sites close connections after many tries."_s});
        return;
    }
    // Possible only now: the first ssh_connect() makes the poll context that is moved into the event.
    if (!m_inEvent)
        m_inEvent = ssh_event_add_session(m_event, m_session.get()) == SSH_OK;
    if (rc == SSH_OK)
        m_state = State::Verifying;
}

void SshHop::verify(qint64 now)
{
    const Result<PresentedKey> key = presentedKey(m_session.get());
    if (!key) {
        failWith(key.error());
        return;
    }
    m_key = *key;
    if (const std::optional<Error> revoked = revokedBy(m_key, m_endpoint)) {
        failWith(*revoked);
        return;
    }
    const QList<KnownKey> known = knownKeys(knownHostsFiles(m_endpoint), m_endpoint.keyName());
    const HostKeyVerdict verdict = judgeHostKey(m_key, known, m_endpoint);
    switch (verdict.kind) {
    case HostKeyVerdict::Kind::Refused: failWith(verdict.refusal); return;
    case HostKeyVerdict::Kind::Ask:
        if (!m_attended) {
            failWith({Fault::HostKeyRefused, u"The host key of %1 is not on record any more."_s.arg(m_endpoint.host),
                u"%1 %2"_s.arg(m_key.type, m_key.fingerprint), u"Connect again and check it."_s});
            return;
        }
        askForHostKey(m_key, now);
        return;
    case HostKeyVerdict::Kind::Remember:
        qCInfo(logSsh, "%s: new host key %s accepted, as StrictHostKeyChecking says",
            qUtf8Printable(m_endpoint.label()), qUtf8Printable(m_key.fingerprint));
        remember();
        break;
    case HostKeyVerdict::Kind::Trusted: break;
    }
    m_deadline = now + m_tuning.serverMs;
    m_state = State::Authenticating;
}

void SshHop::askForHostKey(const PresentedKey& key, qint64 now)
{
    m_prompt = {};
    m_prompt.kind = LoginPrompt::Kind::HostKey;
    m_prompt.host = m_endpoint.label();
    m_prompt.keyType = key.type;
    m_prompt.fingerprint = key.fingerprint;
    m_prompt.published = m_endpoint.published;
    m_prompt.knownHostsFile = knownHostsFiles(m_endpoint).value(0);
    m_asking = true;
    m_deadline = now + m_tuning.promptMs;
    m_state = State::Confirming;
}

void SshHop::acceptHostKey(qint64 now)
{
    if (!isAlive()) {
        failWith({Fault::Offline, u"%1 ended the connection before the host key was confirmed."_s.arg(m_endpoint.host),
            libraryText(m_session.get()), u"Connect again."_s});
        return;
    }
    if (!m_hostKeyAnswer)
        return;
    if (!m_hostKeyAnswer->accepted) {
        failWith({Fault::HostKeyRefused, u"The host key of %1 was not accepted."_s.arg(m_endpoint.host),
            u"%1 %2"_s.arg(m_key.type, m_key.fingerprint), {}});
        return;
    }
    remember();
    m_deadline = now + m_tuning.serverMs;
    m_state = State::Authenticating;
}

void SshHop::remember()
{
    const Result<void> stored = rememberHostKey(knownHostsFiles(m_endpoint).value(0), m_endpoint.keyName(), m_key);
    if (!stored) // the user has said yes: go on, and be asked again the next time
        qCWarning(logSsh, "%s", qUtf8Printable(stored.error().oneLine()));
}

void SshHop::authenticate(qint64 now)
{
    if (!m_auth)
        m_auth = std::make_unique<SshAuth>(m_session.get(), m_endpoint, m_attended);
    const bool wasAsking = m_asking;
    m_asking = false;
    const SshAuth::Step step = m_auth->advance();
    m_tookPerson = m_tookPerson || m_auth->tookPerson();
    if (!m_bannerRead) {
        m_banner = m_auth->banner();
        m_bannerRead = !m_banner.isEmpty();
    }
    switch (step) {
    case SshAuth::Step::Ask:
        m_asking = true;
        if (!wasAsking) {
            m_prompt = m_auth->prompt();
            m_deadline = now + m_tuning.promptMs;
        } else if (!isAlive()) {
            failWith({Fault::LoginRefused, u"%1 ended the login while it waited for an answer."_s.arg(m_endpoint.host),
                libraryText(m_session.get()), u"Connect again; many servers wait two minutes."_s});
        }
        break;
    case SshAuth::Step::Done:
        m_state = State::Online;
        m_auth.reset(); // keys and the agent are not needed any more
        break;
    case SshAuth::Step::Failed: failWith(m_auth->error()); break;
    case SshAuth::Step::Busy:
        if (m_packets.in_packets != m_seenPackets)
            m_deadline = now + m_tuning.serverMs;
        // libssh can go on waiting for an answer on a socket that the peer has reset.
        if (!isAlive())
            m_deadline = qMin(m_deadline, now + lastWordsMs);
        break;
    }
    m_seenPackets = m_packets.in_packets;
}

void SshHop::answer(const PromptAnswer& answer, qint64 now)
{
    if (!m_asking)
        return;
    m_asking = false;
    m_deadline = now + m_tuning.serverMs;
    if (m_state == State::Confirming)
        m_hostKeyAnswer = answer;
    else if (m_auth)
        m_auth->answer(answer);
}

void SshHop::failWith(const Error& error)
{
    m_error = error;
    m_asking = false;
    m_state = State::Failed;
}

void SshHop::checkDeadline(qint64 now)
{
    if (now < m_deadline)
        return;
    if (m_asking) {
        failWith(
            {Fault::Cancelled, u"Nobody answered the question of %1."_s.arg(m_endpoint.host), {}, u"Connect again."_s});
        return;
    }
    if (m_state == State::Authenticating && !isAlive()) {
        failWith({Fault::Offline, u"%1 ended the connection during the login."_s.arg(m_endpoint.host),
            libraryText(m_session.get()), u"Connect again."_s});
        return;
    }
    const bool reaching = m_state == State::Dialling || m_state == State::Connecting;
    failWith({Fault::Offline, u"%1 does not answer."_s.arg(m_endpoint.host),
        reaching ? u"No connection within %1 s."_s.arg(m_tuning.connectMs / 1000.0)
                 : u"Silent during the login for %1 s."_s.arg(m_tuning.serverMs / 1000.0),
        u"Check the network, and whether the site wants its VPN."_s});
}

qint64 SshHop::due() const
{
    if (m_state == State::Online || m_state == State::Failed)
        return std::numeric_limits<qint64>::max();
    return m_dial ? qMin(m_deadline, m_dial->due()) : m_deadline;
}

bool SshHop::isAlive() const
{
    if (!m_session)
        return false;
    pollfd socket{ssh_get_fd(m_session.get()), 0, 0}; // a reset is reported whatever is asked for
    const bool isGone = socket.fd == SSH_INVALID_SOCKET
        || (::poll(&socket, 1, 0) > 0 && (socket.revents & (POLLERR | POLLHUP | POLLNVAL)));
    return !isGone && ssh_is_connected(m_session.get())
        && !(ssh_get_status(m_session.get()) & (SSH_CLOSED | SSH_CLOSED_ERROR));
}

quint64 SshHop::pulse() const
{
    return m_packets.in_packets * 2 + (m_session && ssh_is_connected(m_session.get()) ? 1 : 0);
}

} // namespace rankwright

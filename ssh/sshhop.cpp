// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshhop.h"

#include "models/core/logging.h"
#include "ssh/cipherorder.h"
#include "ssh/hostcertificate.h"
#include "ssh/sshgreeting.h"
#include "ssh/sshposix.h"

#include <QDir>

#include <algorithm>
#include <cerrno>
#include <limits>

#include <poll.h>
#include <sys/socket.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int loginSilences = 5; // a server that talks on without an answer is not waited for longer than that
constexpr qsizetype mostPeeked = 16384; // a greeting and an offer are some two thousand bytes
constexpr qsizetype mostGreeting = 256;
constexpr int offerMs = 250; // servers send it behind their greeting; some wait for ours
constexpr int peekEveryMs = 2;
constexpr int lastWordsMs = 1000; // what came before the end is read first: it may say why
constexpr char mirrorGreeting[] = "SSH-2.0-mirror\r\n";
constexpr int mirrorTurns = 8; // greeting out, greeting in, proposal out

/// What the library offers a server in a session set up by `prepare`. Nothing of libssh names it, so it is read from
/// the greeting of a session whose other end is held here; no network is involved. Empty: it could not be read.
std::optional<KexProposal> ownProposal(const std::function<void(ssh_session session)>& prepare)
{
    auto [near, far] = socketPair();
    const SshSessionHandle session(ssh_new());
    if (!session || !far.isValid())
        return std::nullopt;
    ssh_set_blocking(session.get(), 0);
    prepare(session.get());
    socket_t fd = near.get();
    ssh_options_set(session.get(), SSH_OPTIONS_FD, &fd);
    near.release(); // the session closes it
    if (::send(far.get(), mirrorGreeting, sizeof mirrorGreeting - 1, MSG_NOSIGNAL) < 0)
        return std::nullopt;
    QByteArray said;
    for (int turn = 0; turn < mirrorTurns; ++turn) {
        if (ssh_connect(session.get()) == SSH_ERROR)
            break;
        char bytes[8192];
        for (auto got = ::recv(far.get(), bytes, sizeof bytes, MSG_DONTWAIT); got > 0;
             got = ::recv(far.get(), bytes, sizeof bytes, MSG_DONTWAIT))
            said.append(bytes, got);
        if (const auto proposal = readKexProposal(said))
            return proposal;
    }
    return std::nullopt;
}

} // namespace

SshHop::SshHop(const SshEndpoint& endpoint, ssh_event event, const SshTuning& tuning,
    ClusterLink::Attendance attendance, HintSink hint)
    : m_endpoint(endpoint), m_event(event), m_tuning(tuning), m_attendance(attendance), m_hint(std::move(hint))
{ }

SshHop::~SshHop()
{
    // Closes the socket without a farewell: ssh_disconnect() would forget a descriptor given by SSH_OPTIONS_FD instead
    // of closing it, and servers take the end of the connection for what it is.
    watchGreeting(false);
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
    prepare(session);
    return true;
}

/// Everything that it is told before it connects, but for its transport.
void SshHop::prepare(ssh_session session) const
{
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
    if (const QByteArray ciphers = preferredCiphers(); !ciphers.isEmpty()) {
        ssh_options_set(session, SSH_OPTIONS_CIPHERS_C_S, ciphers.constData());
        ssh_options_set(session, SSH_OPTIONS_CIPHERS_S_C, ciphers.constData());
    }
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
        case State::Connecting: connectSession(now); break;
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
    case SshDial::State::Failed: failWith(m_dial->error()); return;
    case SshDial::State::Connected: break;
    }
    Descriptor transport = m_dial->take();
    m_dial.reset();
    startOver(std::move(transport));
}

void SshHop::watchGreeting(bool on)
{
    if (on == m_watching)
        return;
    m_watching = on;
    if (on)
        ssh_event_add_fd(m_event, ssh_get_fd(m_session.get()), POLLIN, noCallback, nullptr);
    else
        ssh_event_remove_fd(m_event, ssh_get_fd(m_session.get()));
}

/// Looks at the server's first bytes before the library takes them: a server that turns us away says why and resets the
/// connection, and the library keeps no line that is not its own. The same with what it offers for the key exchange: a
/// server that finds nothing in common resets the connection, which may overtake its own offer. True: there is
/// something, and its offer with it where it comes soon; or the end.
bool SshHop::isGreeted(qint64 now)
{
    m_peekAgainAt = 0;
    QByteArray bytes(mostPeeked, Qt::Uninitialized);
    const auto held = ::recv(ssh_get_fd(m_session.get()), bytes.data(), size_t(bytes.size()), MSG_PEEK | MSG_DONTWAIT);
    if (held < 0 && (errno == EAGAIN || errno == EINTR))
        return bytesIn() > 0; // the library was quicker
    if (held <= 0)
        return true;
    bytes.truncate(held);
    m_greeting = printableLine(bytes.left(mostGreeting).split('\n').first().constData(), 200);
    m_offer = readKexProposal(bytes);
    if (m_offerDue == 0)
        m_offerDue = now + offerMs;
    const bool isAwaited
        = m_greeting.startsWith("SSH-"_L1) && !m_offer && now < m_offerDue && held < mostPeeked && !isCut();
    if (isAwaited) // its bytes stay readable: watching them would not wait
        m_peekAgainAt = now + peekEveryMs;
    watchGreeting(!isAwaited && m_watching);
    return !isAwaited;
}

void SshHop::connectSession(qint64 now)
{
    if (m_peekAgainAt > now)
        return;
    if ((m_watching || m_peekAgainAt > 0) && !isGreeted(now))
        return;
    watchGreeting(false);
    if (speaksHttp(m_greeting)) {
        failGreeting(0);
        return;
    }
    const int rc = ssh_connect(m_session.get());
    // libssh puts the socket into blocking mode once it is writable. A send to a peer that has stopped reading would
    // then hang this thread, and through a bridge, whose other end this thread serves, for ever.
    const socket_t fd = ssh_get_fd(m_session.get());
    if (fd != SSH_INVALID_SOCKET)
        setNonBlocking(fd);
    if (rc == SSH_ERROR) {
        failGreeting(0);
        return;
    }
    if (!std::exchange(m_saidHello, true)) { // our own first line is out
        watchGreeting(true);
        return;
    }
    // Possible only now: the first ssh_connect() makes the poll context that is moved into the event.
    if (!m_inEvent)
        m_inEvent = ssh_event_add_session(m_event, m_session.get()) == SSH_OK;
    if (rc == SSH_OK)
        m_state = State::Verifying;
    else if (isCut())
        m_deadline = qMin(m_deadline, now + lastWordsMs);
}

/// The connection stands, but no SSH session came of it.
void SshHop::failGreeting(qint64 waitedMs)
{
    FailedGreeting seen;
    seen.host = m_endpoint.host;
    seen.libraryText = libraryText(m_session.get());
    seen.bytesIn = bytesIn();
    seen.hungUp = isCut();
    seen.waitedMs = waitedMs;
    watchGreeting(false);
    const bool isSsh = ssh_get_serverbanner(m_session.get()) || m_greeting.startsWith("SSH-"_L1);
    if (!isSsh)
        seen.firstLine = m_greeting;
    if (m_offer) {
        if (const auto own = ownProposal([this](ssh_session session) { prepare(session); }))
            seen.nothingInCommon = nothingInCommon(*m_offer, *own);
    }
    failWith(greetingError(seen));
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
    const HostKeyVerdict verdict = verifyByAuthority(verifyHostKey(m_key, known, m_endpoint), known);
    switch (verdict.kind) {
    case HostKeyVerdict::Kind::Refused: failWith(verdict.refusal); return;
    case HostKeyVerdict::Kind::Ask:
        if (m_attendance == ClusterLink::Attendance::Nobody) {
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
    beginLogin(now);
}

/// The word of an authority comes before that of plain keys, but for a key that is known or must never be accepted.
HostKeyVerdict SshHop::verifyByAuthority(HostKeyVerdict verdict, const QList<KnownKey>& known)
{
    const bool isRevoked = std::any_of(known.cbegin(), known.cend(),
        [this](const KnownKey& key) { return key.revoked && key.fingerprint == m_key.fingerprint; });
    m_hostKeyNotice.clear();
    if (verdict.kind == HostKeyVerdict::Kind::Trusted || isRevoked || !hasAuthority(known))
        return verdict;
    const AuthorityVerdict said = askAuthority(ssh_get_fd(m_session.get()), m_key, known, m_endpoint);
    switch (said.kind) {
    case AuthorityVerdict::Kind::Proven:
        qCInfo(logSsh, "%s: its certificate holds", qUtf8Printable(m_endpoint.label()));
        return {HostKeyVerdict::Kind::Trusted, {}};
    case AuthorityVerdict::Kind::Refused:
        return {HostKeyVerdict::Kind::Refused,
            {Fault::HostKeyRefused,
                u"The host certificate of %1 does not hold, and an @cert-authority is on record for it."_s.arg(
                    m_endpoint.host),
                u"%1\nShown by the server: %2 %3"_s.arg(said.why, m_key.type, m_key.fingerprint),
                u"Do not go on. Tell the operators; they have to renew the host's certificate."_s}};
    case AuthorityVerdict::Kind::Silent: break;
    }
    m_hostKeyNotice = said.why;
    if (verdict.kind == HostKeyVerdict::Kind::Refused)
        verdict.refusal.detail = QStringList{said.why, verdict.refusal.detail}.join(u'\n');
    return verdict;
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
    m_prompt.notice = m_hostKeyNotice;
    m_asking = true;
    m_deadline = now + m_tuning.promptMs;
    m_state = State::Confirming;
}

void SshHop::acceptHostKey(qint64 now)
{
    if (isCut()) {
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
    beginLogin(now);
}

void SshHop::remember()
{
    const Result<void> stored = rememberHostKey(knownHostsFiles(m_endpoint).value(0), m_endpoint.keyName(), m_key,
        m_endpoint.hashKnownHosts ? HostNameForm::Hashed : HostNameForm::Plain);
    if (!stored) // the user has said yes: go on, and be asked again the next time
        qCWarning(logSsh, "%s", qUtf8Printable(stored.error().oneLine()));
}

void SshHop::beginLogin(qint64 now)
{
    m_deadline = now + silenceMs();
    m_latest = now + loginSilences * silenceMs();
    m_heard = now;
    m_seenPackets = m_packets.in_packets;
    m_state = State::Authenticating;
}

/// How long the server thinks. Only the answers to what could prove something count: before, it may look up our name.
void SshHop::listen(qint64 now)
{
    if (m_packets.in_packets == m_seenPackets)
        return;
    m_seenPackets = m_packets.in_packets;
    m_deadline = qMin(now + silenceMs(), m_latest);
    const qint64 pause = now - std::exchange(m_heard, now);
    if (!std::exchange(m_knowsMethods, ssh_userauth_list(m_session.get(), nullptr) != 0))
        return;
    m_secondPause = std::max(m_secondPause, std::min(pause, m_longestPause));
    m_longestPause = std::max(m_longestPause, pause);
}

/// One answer took far longer than all others: a push to a telephone, or a key that waits to be touched. A server that
/// is slow in everything is only slow.
bool SshHop::hasWaitedForPerson() const
{
    return m_longestPause > m_tuning.thoughtMs && m_longestPause > 4 * m_secondPause;
}

void SshHop::authenticate(qint64 now)
{
    if (!m_auth)
        m_auth = std::make_unique<SshAuth>(m_session.get(), m_endpoint, m_attendance, m_hint);
    const bool wasAsking = m_asking;
    m_asking = false;
    const SshAuth::Step step = m_auth->advance();
    if (step == SshAuth::Step::Busy || step == SshAuth::Step::Done)
        listen(now);
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
        } else if (isCut()) {
            failWith({Fault::LoginRefused, u"%1 ended the login while it waited for an answer."_s.arg(m_endpoint.host),
                libraryText(m_session.get()), u"Connect again; many servers wait two minutes."_s});
        }
        break;
    case SshAuth::Step::Done:
        m_tookPerson = m_tookPerson || hasWaitedForPerson();
        m_state = State::Online;
        if (const QString ending = m_auth->endingSoon(); m_hint && !ending.isEmpty())
            m_hint(ending);
        m_auth.reset(); // keys and the agent are not needed any more
        break;
    case SshAuth::Step::Failed: failWith(loginError()); break;
    case SshAuth::Step::Busy:
        // libssh can go on waiting for an answer on a socket that the peer has reset.
        if (isCut())
            m_deadline = qMin(m_deadline, now + lastWordsMs);
        break;
    }
}

/// An end without a word is not a refusal: the line broke, or the server has a problem. Tries of our own that end so
/// are what ban lists count.
Error SshHop::cutInLogin() const
{
    const QString said = libraryText(m_session.get());
    // What stood before the login comes again here: PAM says there why an account is closed.
    const QString detail = QStringList{said, m_auth ? m_auth->banner() : QString()}.join(u'\n').trimmed();
    if (said.contains("Too many authentication failures"_L1)) // sshd's own words: MaxAuthTries
        return {Fault::LoginRefused, u"%1 ended the login after too many tries."_s.arg(m_endpoint.host), detail,
            u"Servers hang up after some six keys: choose the right key file in the connection's settings."_s};
    return {m_attendance == ClusterLink::Attendance::Person ? Fault::Offline : Fault::TurnedAway,
        u"%1 ended the connection during the login."_s.arg(m_endpoint.host), detail,
        u"Connect again; if it goes on, wait some minutes, since many tries get an address blocked."_s};
}

Error SshHop::loginError() const
{
    const bool farewell = QByteArrayView(ssh_get_error(m_session.get())).startsWith("Received SSH_MSG_DISCONNECT");
    const Error& why = m_auth->error();
    const bool isCutOff = !ssh_is_connected(m_session.get()) && !farewell && !m_auth->tookPerson();
    return why.fault == Fault::LoginRefused && isCutOff ? cutInLogin() : why;
}

void SshHop::answer(const PromptAnswer& answer, qint64 now)
{
    if (!m_asking)
        return;
    m_asking = false;
    m_heard = now; // a person's time is not the server's
    m_deadline = now + silenceMs();
    m_latest = now + loginSilences * silenceMs();
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
        failWith({Fault::Cancelled, u"The question of %1 was not answered."_s.arg(m_endpoint.host), {},
            u"Connect again."_s});
        return;
    }
    if (m_state == State::Authenticating && isCut()) {
        failWith(cutInLogin());
        return;
    }
    if (m_state == State::Connecting) {
        failGreeting(m_tuning.connectMs);
        return;
    }
    failWith({Fault::Offline, u"%1 does not answer."_s.arg(m_endpoint.host),
        m_state == State::Dialling ? u"No connection within %1 s."_s.arg(m_tuning.connectMs / 1000.0)
                                   : u"Silent during the login for %1 s."_s.arg(silenceMs() / 1000.0),
        u"Check the network, and whether the site wants its VPN."_s});
}

qint64 SshHop::due() const
{
    if (m_state == State::Online || m_state == State::Failed)
        return std::numeric_limits<qint64>::max();
    if (m_peekAgainAt > 0)
        return qMin(m_deadline, m_peekAgainAt);
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

bool SshHop::isCut() const
{
    if (!isAlive())
        return true;
#ifdef POLLRDHUP // Linux: the peer has ended its side, whether or not the library has read so far
    pollfd socket{ssh_get_fd(m_session.get()), POLLRDHUP, 0};
    return ::poll(&socket, 1, 0) > 0 && (socket.revents & POLLRDHUP);
#else
    return false;
#endif
}

quint64 SshHop::pulse() const
{
    return m_packets.in_packets * 2 + (m_session && ssh_is_connected(m_session.get()) ? 1 : 0);
}

} // namespace rankwright

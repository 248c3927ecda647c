// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperlink.h"

#include "app/keeper/keepermessage.h"
#include "app/keeper/keeperposix.h"
#include "app/keeper/keeperprocess.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTimer>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int retryMs = 40;

QString absolute(const QString& path)
{
    if (path.isEmpty() || path.compare(u"none"_s, Qt::CaseInsensitive) == 0)
        return path;
    if (path == u"~" || path.startsWith(u"~/"_s))
        return QDir::homePath() + path.mid(1);
    return QFileInfo(path).absoluteFilePath();
}

QStringList absolute(QStringList paths)
{
    for (QString& path : paths)
        path = absolute(path);
    return paths;
}

Error silent()
{
    return {Fault::TimedOut, u"The connection agent does not answer."_s, {},
        u"Stop it with rankwright-cli agent stop, or use --no-agent."_s};
}

} // namespace

SshEndpoint portableEndpoint(const SshEndpoint& endpoint)
{
    SshEndpoint portable = endpoint;
    portable.identities = absolute(endpoint.identities);
    portable.knownHosts = absolute(endpoint.knownHosts);
    portable.otherKnownHosts = absolute(endpoint.otherKnownHosts);
    if (endpoint.systemKnownHosts)
        portable.systemKnownHosts = absolute(*endpoint.systemKnownHosts);
    portable.revokedHostKeys = absolute(endpoint.revokedHostKeys);
    portable.certificates = absolute(endpoint.certificates);
    if (endpoint.agentSocket.isEmpty()) {
        const QString ours = qEnvironmentVariable("SSH_AUTH_SOCK");
        portable.agentSocket = ours.isEmpty() ? u"none"_s : ours;
    }
    for (SshEndpoint& jump : portable.jumps)
        jump = portableEndpoint(jump);
    return portable;
}

struct KeeperLink::Private {
    SshEndpoint endpoint;
    Ways ways;
    Patience patience;
    Attendance attendance = Attendance::Nobody;
    LinkState state = LinkState::Offline;
    std::optional<Error> lastError;
    std::optional<Error> whyOwn;
    bool tookPerson = true;
    std::unique_ptr<FrameSocket> socket;
    std::shared_ptr<KeeperProcess::Channels> channels = std::make_shared<KeeperProcess::Channels>();
    std::unique_ptr<ClusterLink> own; ///< where there is no agent
    QTimer retry; ///< for an agent that is being started
    QTimer greeting;
    QTimer pulse;
    QElapsedTimer since; ///< of open()
    bool wasStarted = false;
    bool greeted = false;
    int unanswered = 0;

    Error offlineError() const
    {
        return {Fault::Offline, u"There is no connection to %1."_s.arg(endpoint.host),
            lastError ? lastError->what : QString(), u"Connect first."_s};
    }
};

KeeperLink::KeeperLink(const SshEndpoint& endpoint, Ways ways, QObject* parent)
    : ClusterLink(parent), d(std::make_unique<Private>())
{
    d->endpoint = portableEndpoint(endpoint);
    d->ways = std::move(ways);
    d->retry.setInterval(retryMs);
    d->greeting.setSingleShot(true);
    connect(&d->retry, &QTimer::timeout, this, &KeeperLink::seek);
    connect(&d->greeting, &QTimer::timeout, this, [this] { useOwn(silent()); });
    connect(&d->pulse, &QTimer::timeout, this, &KeeperLink::pingAgent);
}

KeeperLink::~KeeperLink()
{
    if (d->own)
        d->own->disconnect(this);
    closeSocket();
    endAll({Fault::Offline, u"The connection to %1 was closed."_s.arg(d->endpoint.host), {}, {}});
}

void KeeperLink::setPatience(const Patience& patience) { d->patience = patience; }
LinkState KeeperLink::state() const { return d->own ? d->own->state() : d->state; }
std::optional<Error> KeeperLink::lastError() const { return d->own ? d->own->lastError() : d->lastError; }
bool KeeperLink::loginTookPerson() const { return d->own ? d->own->loginTookPerson() : d->tookPerson; }
bool KeeperLink::isShared() const { return !d->own; }
std::optional<Error> KeeperLink::whyOwn() const { return d->whyOwn; }

std::optional<LinkTraffic> KeeperLink::traffic() const { return d->own ? d->own->traffic() : std::nullopt; }

QString KeeperLink::way() const { return isShared() ? u"the connection agent"_s : d->own->way(); }

void KeeperLink::open(Attendance attendance)
{
    if (d->own && d->own->state() != LinkState::Offline && d->own->state() != LinkState::Lost)
        return;
    if (!d->own
        && (d->state == LinkState::Connecting || d->state == LinkState::NeedsAnswer || d->state == LinkState::Online))
        return;
    dropOwn();
    d->attendance = attendance;
    d->lastError.reset();
    d->whyOwn.reset();
    d->wasStarted = false;
    d->since.start();
    change(LinkState::Connecting);
    // From the event loop, as with a link that has to be waited for.
    QMetaObject::invokeMethod(this, &KeeperLink::seek, Qt::QueuedConnection);
}

/// Looks for an agent, now and while one is being started.
void KeeperLink::seek()
{
    if (d->own || d->socket || d->state != LinkState::Connecting)
        return;
    const auto safe = checkKeeperFolder(d->ways.place);
    if (!safe && safe.error().fault != Fault::Offline) {
        useOwn(safe.error());
        return;
    }
    Descriptor socket = safe ? connectTo(d->ways.place.socket) : Descriptor();
    if (socket.isValid() && peerUser(socket.get()) != ownUser()) {
        useOwn(Error{Fault::Invalid, u"The connection agent that answers belongs to another user."_s, {}, {}});
        return;
    }
    if (socket.isValid()) {
        d->retry.stop();
        greetAgent(std::move(socket));
        return;
    }
    if (!d->wasStarted && d->ways.startAgent && d->ways.startAgent()) {
        d->wasStarted = true;
        d->retry.start();
    } else if (!d->wasStarted) {
        useOwn(std::nullopt);
    } else if (d->since.elapsed() > d->patience.startMs) {
        useOwn(Error{Fault::TimedOut, u"The connection agent did not start."_s, {},
            u"Try it by hand: rankwright-cli agent run"_s});
    }
}

void KeeperLink::greetAgent(Descriptor socket)
{
    d->greeted = false;
    d->unanswered = 0;
    d->socket = std::make_unique<FrameSocket>(std::move(socket));
    d->channels = std::make_shared<KeeperProcess::Channels>();
    d->channels->socket = d->socket.get();
    connect(d->socket.get(), &FrameSocket::frameArrived, this, &KeeperLink::handleFrame);
    connect(d->socket.get(), &FrameSocket::ended, this, [this](const Error& why) {
        if (d->greeted)
            loseConnection(why);
        else
            useOwn(why);
    });
    d->socket->send({KeeperFrame::Hello, 0,
        helloBody({keeperVersion, QCoreApplication::applicationVersion(), QCoreApplication::applicationPid(),
            QDir::homePath()})});
    d->greeting.start(d->patience.greetingMs);
}

void KeeperLink::handleFrame(const KeeperFrame& frame)
{
    d->unanswered = 0;
    if (!d->greeted) {
        handleFirstFrame(frame);
        return;
    }
    if (frame.process != 0) {
        if (KeeperProcess* process = d->channels->open.value(frame.process))
            process->handleFrame(frame);
        return;
    }
    if (frame.kind == KeeperFrame::State) {
        handleState(frame);
    } else if (frame.kind == KeeperFrame::Prompt) {
        const auto prompt = readPrompt(frame.body);
        if (!prompt) {
            loseConnection(prompt.error());
            return;
        }
        change(LinkState::NeedsAnswer);
        emit promptRaised(*prompt);
    } else if (frame.kind == KeeperFrame::Banner) {
        if (const auto texts = readTexts(frame.body))
            emit bannerArrived(texts->first, texts->second);
    } else if (frame.kind == KeeperFrame::Hint) {
        if (const auto texts = readTexts(frame.body))
            emit hintArrived(texts->second);
    } else if (frame.kind == KeeperFrame::Refused) {
        loseConnection(readError(frame.body));
    }
}

void KeeperLink::handleFirstFrame(const KeeperFrame& frame)
{
    if (frame.kind == KeeperFrame::Refused) {
        useOwn(readError(frame.body));
        return;
    }
    const auto hello = frame.kind == KeeperFrame::Hello
        ? readHello(frame.body)
        : Result<KeeperHello>(fail(Fault::Unreadable, u"What answers is not a connection agent."_s));
    if (!hello) {
        useOwn(hello.error());
    } else if (hello->version != keeperVersion) {
        useOwn(Error{Fault::Invalid, u"The connection agent that runs belongs to another version of this program."_s,
            u"it belongs to Rankwright %1"_s.arg(hello->program), u"Stop it: rankwright-cli agent stop"_s});
    } else if (hello->home != QDir::homePath()) {
        useOwn(Error{Fault::Invalid, u"The connection agent that runs has another home folder."_s, hello->home,
            u"Its keys and known hosts are not yours."_s});
    } else {
        d->greeted = true;
        d->greeting.stop();
        d->pulse.start(d->patience.pingMs);
        d->socket->send({KeeperFrame::Open, 0, openBody({d->endpoint, d->attendance})});
    }
}

void KeeperLink::handleState(const KeeperFrame& frame)
{
    const auto state = readState(frame.body);
    if (!state) {
        loseConnection(state.error());
        return;
    }
    if (state->state == LinkState::Online)
        d->tookPerson = state->tookPerson;
    if (state->state == LinkState::Offline || state->state == LinkState::Lost)
        closeLink(state->state, state->why);
    else
        change(state->state);
}

/// The agent lives as long as it answers.
void KeeperLink::pingAgent()
{
    if (!d->socket)
        return;
    if (++d->unanswered > d->patience.silentPings) {
        loseConnection(silent());
        return;
    }
    d->socket->send({KeeperFrame::Ping, 0, {}});
}

/// The agent is gone, or talks nonsense: what ran over it may have done its work or not.
void KeeperLink::loseConnection(const Error& why)
{
    closeLink(d->state == LinkState::Online ? LinkState::Lost : LinkState::Offline, why);
}

void KeeperLink::closeLink(LinkState state, const std::optional<Error>& why)
{
    closeSocket();
    d->lastError = why;
    const QPointer<KeeperLink> self(this);
    change(state);
    const Error closed{Fault::Offline, u"The connection to %1 was closed."_s.arg(d->endpoint.host), {}, {}};
    if (self)
        endAll(why.value_or(closed));
}

/// No agent, or none that we may use, and nothing was asked of it yet.
void KeeperLink::useOwn(const std::optional<Error>& why)
{
    closeSocket();
    d->whyOwn = why;
    if (!d->ways.own) {
        d->lastError = why.value_or(
            Error{Fault::Offline, u"No connection agent runs."_s, {}, u"Start one: rankwright-cli agent start"_s});
        change(LinkState::Offline);
        return;
    }
    d->own = d->ways.own();
    connect(d->own.get(), &RemoteShell::stateChanged, this, &RemoteShell::stateChanged);
    connect(d->own.get(), &ClusterLink::promptRaised, this, &ClusterLink::promptRaised);
    connect(d->own.get(), &ClusterLink::bannerArrived, this, &ClusterLink::bannerArrived);
    connect(d->own.get(), &ClusterLink::hintArrived, this, &ClusterLink::hintArrived);
    d->own->open(d->attendance);
}

void KeeperLink::dropOwn()
{
    if (!d->own)
        return;
    d->own->disconnect(this);
    d->own.release()->deleteLater(); // we may be inside its signal
    d->state = LinkState::Offline;
}

void KeeperLink::closeSocket()
{
    d->retry.stop();
    d->greeting.stop();
    d->pulse.stop();
    if (!d->socket)
        return;
    d->socket->disconnect(this);
    d->socket->hangUp();
    d->socket.release()->deleteLater();
    d->channels->socket.clear();
}

/// Whoever hears of the end of one command may let others go, or the link itself.
void KeeperLink::endAll(const Error& error)
{
    const auto channels = d->channels;
    const QList<quint32> numbers = channels->open.keys();
    for (const quint32 number : numbers) {
        if (KeeperProcess* process = channels->open.value(number))
            process->end(fail(error));
    }
}

void KeeperLink::change(LinkState state)
{
    if (std::exchange(d->state, state) != state)
        emit stateChanged(state);
}

void KeeperLink::close()
{
    if (d->own) {
        d->own->close();
        return;
    }
    if (d->state != LinkState::Offline)
        closeLink(LinkState::Offline, std::nullopt);
}

void KeeperLink::probe()
{
    if (d->own)
        d->own->probe();
    else if (d->socket && d->greeted)
        d->socket->send({KeeperFrame::Probe, 0, {}});
}

void KeeperLink::answer(quint64 promptId, const PromptAnswer& answer)
{
    if (d->own) {
        d->own->answer(promptId, answer);
    } else if (d->socket && d->greeted) {
        QByteArray body = answerBody({promptId, answer});
        if (body.size() <= keeperLargest)
            d->socket->send({KeeperFrame::Answer, 0, body});
        wipe(body);
    }
}

std::unique_ptr<RemoteProcess> KeeperLink::launch(const RemoteCommand& command)
{
    if (d->own)
        return d->own->start(command);
    auto process = std::make_unique<KeeperProcess>(d->channels);
    if (d->state == LinkState::Online && d->socket)
        process->begin(command);
    else
        process->failLater(d->offlineError());
    return process;
}

std::unique_ptr<RemoteProcess> KeeperLink::launchDial(const QString& host, int port)
{
    if (d->own)
        return d->own->dial(host, port);
    auto process = std::make_unique<KeeperProcess>(d->channels);
    if (d->state == LinkState::Online && d->socket)
        process->dial(host, port);
    else
        process->failLater(d->offlineError());
    return process;
}

} // namespace rankwright

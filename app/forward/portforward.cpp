// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/portforward.h"

#include "models/cluster/forward/nodestep.h"
#include "models/cluster/remote/remoteshell.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// One connection by bash on the node (bashRelayCommand()); looks like a dialled one: what comes before the line that
/// says that it is open is not its output. Cannot end one direction alone.
class BashStream final : public RemoteProcess {
public:
    explicit BashStream(std::unique_ptr<RemoteProcess> process);
    ~BashStream() override;

    void write(const QByteArray& input) override { m_process->write(input); }
    void closeInput() override { m_process->closeInput(); }
    void hold(bool held) override { m_process->hold(held); }

private:
    void handleOutput(const QByteArray& bytes);
    void end(const Result<CommandOutcome>& outcome);

    std::unique_ptr<RemoteProcess> m_process;
    QByteArray m_before;
    QByteArray m_errors;
    bool m_opened = false;
};

constexpr qsizetype mostBefore = 8192;

BashStream::BashStream(std::unique_ptr<RemoteProcess> process) : m_process(std::move(process))
{
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &BashStream::handleOutput);
    connect(m_process.get(), &RemoteProcess::errorArrived, this,
        [this](const QByteArray& bytes) { m_errors = QByteArray(m_errors + bytes).right(mostBefore); });
    connect(m_process.get(), &RemoteProcess::inputSent, this, &RemoteProcess::inputSent);
    connect(m_process.get(), &RemoteProcess::finished, this, &BashStream::end);
}

BashStream::~BashStream()
{
    if (m_process)
        m_process->disconnect(this);
}

void BashStream::handleOutput(const QByteArray& bytes)
{
    if (m_opened) {
        emit outputArrived(bytes);
        return;
    }
    m_before += bytes;
    const QByteArray greeting(bashRelayGreeting);
    const qsizetype at = m_before.indexOf(greeting);
    if (at < 0) {
        if (m_before.size() > mostBefore)
            m_before.remove(0, m_before.size() - mostBefore);
        return;
    }
    m_opened = true;
    const QByteArray rest = std::exchange(m_before, {}).mid(at + greeting.size());
    const QPointer<BashStream> self(this);
    emit connected();
    if (self && !rest.isEmpty())
        emit outputArrived(rest);
}

void BashStream::end(const Result<CommandOutcome>& outcome)
{
    if (m_opened || !outcome)
        emit finished(m_opened && outcome ? Result<CommandOutcome>(CommandOutcome()) : outcome);
    else
        emit finished(fail(Fault::Offline, u"Nothing answers on that port of the node."_s,
            QString::fromUtf8(m_errors).trimmed().right(400), {}));
}

constexpr int loginMs = 6000; ///< a firewall that drops packets never answers
constexpr int stepMs = 75000;
constexpr int reportMs = 250;
constexpr int mostLinks = 256;

bool isRefusedByRule(const Error& why)
{
    const QString text = (why.what + u' ' + why.detail).toLower();
    return why.fault == Fault::Invalid
        || text.contains("prohibited"_L1)
        // libssh's "channel 43 error (1) open failed": RFC 4254, section 5.1
        || text.contains("error (1)"_L1);
}

} // namespace

PortForward::PortForward(RemoteShell& shell, const NodeStep& step, int port, QObject* parent)
    : QObject(parent), m_shell(shell), m_step(step), m_port(port)
{
    connect(&m_listener, &PortListener::connectionWaiting, this, &PortForward::acceptConnections);
    m_report.setSingleShot(true);
    m_report.setInterval(reportMs);
    connect(&m_report, &QTimer::timeout, this, &PortForward::changed);
}

PortForward::~PortForward()
{
    for (const auto& link : m_links)
        link->disconnect(this);
    for (const auto& attempt : m_attempts) {
        if (attempt->process)
            attempt->process->disconnect(this);
    }
    m_attempts.clear(); // before the hub that their streams belong to
    m_links.clear();
}

Result<int> PortForward::start(int wanted)
{
    const auto port = m_listener.listen(wanted);
    if (!port)
        return port;
    m_localPort = *port;
    startAttempt(nullptr);
    emit changed();
    return port;
}

void PortForward::stop(const QString& why)
{
    if (!isActive())
        return;
    m_listener.close();
    m_ending = why;
    while (!m_attempts.empty())
        forget(*m_attempts.front());
    const std::list<std::unique_ptr<PortPipe>> links = std::exchange(m_links, {});
    for (const auto& link : links) {
        m_bytesIn += link->bytesIn();
        m_bytesOut += link->bytesOut();
        link->disconnect(this);
        link->abort();
    }
    if (m_hub)
        m_hub.release()->deleteLater(); // we may be inside a signal of a stream of its
    m_report.stop();
    emit changed();
}

qint64 PortForward::bytesIn() const
{
    qint64 all = m_bytesIn;
    for (const auto& link : m_links)
        all += link->bytesIn();
    return all;
}

qint64 PortForward::bytesOut() const
{
    qint64 all = m_bytesOut;
    for (const auto& link : m_links)
        all += link->bytesOut();
    return all;
}

void PortForward::reportSoon()
{
    if (isActive() && !m_report.isActive())
        m_report.start();
}

void PortForward::acceptConnections()
{
    for (Descriptor one = m_listener.accept(); one.isValid(); one = m_listener.accept()) {
        if (m_links.size() >= mostLinks)
            continue; // closed at once
        ++m_soFar;
        auto made = std::make_unique<PortPipe>(std::move(one));
        PortPipe* pipe = made.get();
        connect(pipe, &PortPipe::bytesMoved, this, &PortForward::reportSoon);
        connect(pipe, &PortPipe::ended, this, [this, pipe] { remove(pipe); });
        m_links.push_back(std::move(made));
        startAttempt(pipe);
    }
    reportSoon();
}

void PortForward::remove(PortPipe* pipe)
{
    for (const auto& attempt : m_attempts) {
        if (attempt->pipe == pipe) {
            forget(*attempt);
            break;
        }
    }
    const auto found
        = std::find_if(m_links.begin(), m_links.end(), [pipe](const auto& link) { return link.get() == pipe; });
    if (found == m_links.end())
        return;
    m_bytesIn += pipe->bytesIn();
    m_bytesOut += pipe->bytesOut();
    found->release()->deleteLater(); // we are inside its signal
    m_links.erase(found);
    reportSoon();
}

void PortForward::startAttempt(PortPipe* pipe)
{
    auto made = std::make_unique<Attempt>();
    Attempt& attempt = *made;
    attempt.pipe = pipe;
    const bool loginFirst = m_way == Way::Unknown || m_way == Way::Login;
    if (!loginFirst)
        attempt.ways.append(m_way);
    if (!m_isLoginRefused)
        attempt.ways.append(Way::Login);
    if (loginFirst)
        attempt.ways.append(Way::Relay);
    attempt.patience.setSingleShot(true);
    m_attempts.push_back(std::move(made));
    tryNext(attempt);
}

std::unique_ptr<RemoteProcess> PortForward::open(Way way)
{
    if (way == Way::Login)
        return m_shell.dial(m_step.node, m_port);
    if (way == Way::Bash)
        return std::make_unique<BashStream>(m_shell.start(bashRelayCommand(m_step, m_port)));
    if (!m_hub)
        m_hub = std::make_unique<RelayHub>(m_shell, m_step);
    return m_hub->open(m_port);
}

void PortForward::tryNext(Attempt& attempt)
{
    if (attempt.ways.isEmpty()) {
        m_trouble = u"Nothing answers on port %1 of %2"_s.arg(m_port).arg(m_step.node)
            + (attempt.reasons.isEmpty() ? u"."_s : u": "_s + attempt.reasons.join(u"; "_s));
        PortPipe* pipe = attempt.pipe;
        m_isTried = true;
        forget(attempt);
        if (pipe)
            pipe->abort(); // reports its end
        emit changed();
        return;
    }
    const Way way = attempt.ways.takeFirst();
    attempt.process = open(way);
    connect(attempt.process.get(), &RemoteProcess::connected, this, [this, &attempt, way] { succeed(attempt, way); });
    connect(attempt.process.get(), &RemoteProcess::finished, this,
        [this, &attempt, way](const Result<CommandOutcome>& outcome) {
            fail(attempt, way,
                outcome ? Error{Fault::Offline, u"It ended before it was open."_s, {}, {}} : outcome.error());
        });
    attempt.patience.disconnect(this);
    connect(&attempt.patience, &QTimer::timeout, this, [this, &attempt, way] {
        fail(attempt, way, {Fault::TimedOut, u"no answer in time"_s, {}, {}});
    });
    attempt.patience.start(way == Way::Login ? loginMs : stepMs);
}

void PortForward::fail(Attempt& attempt, Way way, const Error& why)
{
    attempt.patience.stop();
    attempt.process->disconnect(this);
    attempt.process.release()->deleteLater(); // we may be inside its signal
    if (way == Way::Login && isRefusedByRule(why))
        m_isLoginRefused = true;
    if (way == Way::Relay && m_hub && m_hub->hasNoPython())
        attempt.ways.prepend(Way::Bash);
    else
        attempt.reasons.append(wayText(way, m_step.node) + u": "_s + (why.detail.isEmpty() ? why.what : why.detail));
    tryNext(attempt);
}

void PortForward::succeed(Attempt& attempt, Way way)
{
    m_way = way;
    m_isTried = true;
    m_trouble.clear();
    PortPipe* pipe = attempt.pipe;
    std::unique_ptr<RemoteProcess> process;
    if (pipe) {
        attempt.process->disconnect(this);
        process = std::move(attempt.process);
    }
    forget(attempt);
    if (pipe)
        pipe->attach(std::move(process));
    emit changed();
}

void PortForward::forget(Attempt& attempt)
{
    if (attempt.process) {
        attempt.process->disconnect(this);
        attempt.process.release()->deleteLater();
    }
    const auto found
        = std::find_if(m_attempts.begin(), m_attempts.end(), [&](const auto& each) { return each.get() == &attempt; });
    attempt.patience.stop();
    attempt.patience.disconnect(this);
    m_gone.splice(m_gone.end(), m_attempts, found); // its timer may be what calls us
    QMetaObject::invokeMethod(
        this, [this] { m_gone.clear(); }, Qt::QueuedConnection);
}

QString wayText(PortForward::Way way, const QString& node)
{
    switch (way) {
    case PortForward::Way::Unknown: return u"not known yet"_s;
    case PortForward::Way::Login: return u"from the login node"_s;
    case PortForward::Way::Relay: return u"through a Slurm step on %1"_s.arg(node);
    case PortForward::Way::Bash: return u"through a Slurm step on %1 for each connection"_s.arg(node);
    }
    return {};
}

QString everyLocalUserText()
{
    return u"Everybody who is logged in to this computer can open the port. Jupyter asks for its token; TensorBoard asks "
           "for no password."_s;
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshshell.h"

#include "ssh/sshloop.h"
#include "ssh/sshprocess.h"

#include <QCoreApplication>
#include <QSet>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Threads that have not ended yet, also those without an owner. GUI thread only.
QSet<SshLoop*>& runningLoops()
{
    static QSet<SshLoop*> loops;
    return loops;
}

/// The program is about to leave: gives the threads a moment, so that they are not inside the library when its globals
/// go. One that hangs in a name lookup is left behind.
void awaitLoops()
{
    const QSet<SshLoop*> loops = std::exchange(runningLoops(), {});
    for (SshLoop* loop : loops) {
        loop->quitSoon();
        if (loop->wait(QDeadlineTimer(300)))
            delete loop;
    }
}

SshLoop* startLoop(const SshEndpoint& endpoint, const SshTuning& tuning, ClusterLink::Attendance attendance)
{
    static const bool registered = [] {
        qAddPostRoutine(awaitLoops);
        return true;
    }();
    Q_UNUSED(registered)
    auto* loop = new SshLoop(endpoint, tuning, attendance);
    runningLoops().insert(loop);
    QObject::connect(loop, &QThread::finished, loop, [loop] {
        runningLoops().remove(loop);
        loop->deleteLater();
    });
    return loop;
}

} // namespace

struct SshShell::Private {
    SshEndpoint endpoint;
    SshTuning tuning;
    LinkState state = LinkState::Offline;
    bool loginTookPerson = true;
    std::optional<Error> lastError;
    QPointer<SshLoop> loop;
    quint64 epoch = 0; ///< of the connection; what an earlier one still sends is dropped
    quint64 lastProcess = 0;
    SshProcess::Registry processes = std::make_shared<QHash<quint64, SshProcess*>>();
    LinkTraffic traffic;

    Error offlineError() const
    {
        return {Fault::Offline, u"There is no connection to %1."_s.arg(endpoint.host),
            lastError ? lastError->what : QString(), u"Connect first."_s};
    }
    // Handles that have gone meanwhile are no longer in the registry.
    void readOutput(quint64 id) const
    {
        if (SshProcess* process = processes->value(id))
            process->readOutput();
    }
    void end(quint64 id, const Result<ProcessEnd>& how) const
    {
        if (SshProcess* process = processes->value(id))
            process->end(how);
    }
    /// Whoever hears of the end of one command may let others go, or the shell itself.
    void failAll(const Error& error)
    {
        const SshProcess::Registry registry = processes;
        const QList<quint64> ids = registry->keys();
        for (const quint64 id : ids) {
            if (SshProcess* process = registry->value(id))
                process->end(fail(error));
        }
    }
    /// Of the connection that ends now.
    void storeTraffic()
    {
        if (loop)
            traffic = loop->traffic();
        traffic.openChannels = 0;
    }
    void quitLoop()
    {
        ++epoch;
        if (loop)
            loop->quitSoon();
        loop.clear();
    }
};

SshShell::SshShell(SshEndpoint endpoint, QObject* parent) : ClusterLink(parent), d(std::make_unique<Private>())
{
    d->endpoint = std::move(endpoint);
}

SshShell::~SshShell()
{
    d->quitLoop();
    d->failAll({Fault::Offline, u"The connection to %1 was closed."_s.arg(d->endpoint.host), {}, {}});
}

LinkState SshShell::state() const { return d->state; }

std::optional<Error> SshShell::lastError() const { return d->lastError; }

const SshEndpoint& SshShell::endpoint() const { return d->endpoint; }

void SshShell::setTuning(const SshTuning& tuning) { d->tuning = tuning; }

bool SshShell::loginTookPerson() const { return d->loginTookPerson; }

void SshShell::open(Attendance attendance)
{
    if (d->loop)
        return;
    d->lastError.reset();
    d->traffic = {};
    SshLoop* loop = startLoop(d->endpoint, d->tuning, attendance);
    d->loop = loop;
    const quint64 epoch = ++d->epoch;
    connect(loop, &SshLoop::noticesWaiting, this, [this, loop, epoch] { handleNotices(loop, epoch); });
    loop->start();
    d->state = LinkState::Connecting;
    emit stateChanged(d->state);
}

/// Whoever hears of one notice may close the link, or let the shell go: the rest is dropped then.
void SshShell::handleNotices(SshLoop* loop, quint64 epoch)
{
    if (epoch != d->epoch) // the loop may be gone already
        return;
    const QPointer<SshShell> self(this);
    for (const SshLoop::Notice& notice : loop->takeNotices()) {
        if (!self || epoch != d->epoch)
            return;
        if (const auto* link = std::get_if<SshLoop::LinkNotice>(&notice)) {
            if (link->state == LinkState::Online)
                d->loginTookPerson = link->tookPerson;
            changeLink(link->state, link->why);
        } else if (const auto* banner = std::get_if<SshLoop::BannerNotice>(&notice)) {
            emit bannerArrived(banner->host, banner->text);
        } else if (const auto* hint = std::get_if<SshLoop::HintNotice>(&notice)) {
            emit hintArrived(hint->text);
        } else if (const auto* prompt = std::get_if<LoginPrompt>(&notice))
            emit promptRaised(*prompt);
        else if (const auto* output = std::get_if<SshLoop::OutputNotice>(&notice))
            d->readOutput(output->process);
        else if (const auto* end = std::get_if<SshLoop::EndNotice>(&notice))
            d->end(end->process, end->end);
    }
}

void SshShell::changeLink(LinkState state, const Error& why)
{
    const bool over = state == LinkState::Offline || state == LinkState::Lost;
    if (over) {
        d->lastError = why;
        d->storeTraffic();
        d->quitLoop();
    }
    if (state != d->state) {
        d->state = state;
        const QPointer<SshShell> self(this);
        emit stateChanged(state);
        if (!self)
            return;
    }
    if (over)
        d->failAll(why);
}

void SshShell::close()
{
    if (!d->loop && d->state == LinkState::Offline)
        return;
    d->storeTraffic();
    d->quitLoop();
    d->lastError.reset();
    d->state = LinkState::Offline;
    const QPointer<SshShell> self(this);
    emit stateChanged(d->state);
    if (self)
        d->failAll({Fault::Offline, u"The connection to %1 was closed."_s.arg(d->endpoint.host), {}, {}});
}

void SshShell::probe()
{
    if (d->loop)
        d->loop->probe();
}

void SshShell::answer(quint64 promptId, const PromptAnswer& answer)
{
    if (d->loop)
        d->loop->answer(promptId, answer);
}

std::unique_ptr<RemoteProcess> SshShell::launch(const RemoteCommand& command)
{
    auto process = std::make_unique<SshProcess>(++d->lastProcess, command, d->processes);
    if (d->state == LinkState::Online && d->loop)
        process->begin(d->loop, command, d->tuning.bufferLimit);
    else
        process->failLater(d->offlineError());
    return process;
}

std::unique_ptr<RemoteProcess> SshShell::launchDial(const QString& host, int port)
{
    RemoteCommand none;
    none.fenced = false;
    auto process = std::make_unique<SshProcess>(++d->lastProcess, none, d->processes);
    if (d->state == LinkState::Online && d->loop)
        process->dial(d->loop, host, port, d->tuning.bufferLimit);
    else
        process->failLater(d->offlineError());
    return process;
}

std::unique_ptr<RemoteProcess> SshShell::launchPlain(const PlainSession& session)
{
    RemoteCommand none;
    none.fenced = false;
    auto process = std::make_unique<SshProcess>(++d->lastProcess, none, d->processes);
    if (d->state == LinkState::Online && d->loop)
        process->beginPlain(d->loop, session, d->tuning.bufferLimit);
    else
        process->failLater(d->offlineError());
    return process;
}

std::optional<LinkTraffic> SshShell::traffic() const { return d->loop ? d->loop->traffic() : d->traffic; }

} // namespace rankwright

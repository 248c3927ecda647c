// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshloop.h"

#include "models/core/logging.h"

#include <limits>

#include <poll.h>

namespace rankwright {

using namespace Qt::StringLiterals;

SshLoop::SshLoop(const SshEndpoint& endpoint, const SshTuning& tuning, ClusterLink::Attendance attendance)
    : m_endpoint(endpoint), m_tuning(tuning), m_attendance(attendance), m_pulse(tuning)
{
    setObjectName(u"ssh "_s + endpoint.host);
}

SshLoop::~SshLoop()
{
    // QThread makes sure of it as well, in a way that no tool can see.
    Q_ASSERT(m_ended || !isRunning());
    if (!m_ended.load(std::memory_order_acquire))
        qCDebug(logSsh, "A connection was never started");
}

void SshLoop::post(std::function<void()> task)
{
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_wakeup.wake();
}

void SshLoop::startProcess(const ProcessRequest& request)
{
    post([this, request] {
        ++m_commands;
        m_channels->start(request);
    });
}

void SshLoop::write(quint64 process, const QByteArray& input)
{
    post([this, process, input] { m_channels->write(process, input); });
}

void SshLoop::closeInput(quint64 process)
{
    post([this, process] { m_channels->closeInput(process); });
}

void SshLoop::resize(quint64 process, const TerminalSize& size)
{
    post([this, process, size] { m_channels->resize(process, size); });
}

void SshLoop::cancel(quint64 process)
{
    post([this, process] { m_channels->cancel(process); });
}

void SshLoop::resume() { m_wakeup.wake(); }

void SshLoop::answer(quint64 prompt, const PromptAnswer& answer)
{
    post([this, prompt, answer] {
        if (prompt != m_promptId || m_state != LinkState::NeedsAnswer)
            return;
        m_route->current().answer(answer, steadyNow());
        report(LinkState::Connecting);
    });
}

void SshLoop::probe()
{
    post([this] { m_pulse.hurry(steadyNow()); });
}

void SshLoop::quitSoon()
{
    m_quit = true;
    m_wakeup.wake();
}

LinkTraffic SshLoop::traffic() const
{
    const std::lock_guard lock(m_mutex);
    return m_traffic;
}

int SshLoop::onWake(socket_t, int, void* self)
{
    static_cast<SshLoop*>(self)->m_wakeup.consume();
    return 0;
}

void SshLoop::run()
{
    runConnection();
    m_ended.store(true, std::memory_order_release);
}

void SshLoop::runConnection()
{
    m_event.reset(ssh_event_new());
    if (!m_event || m_wakeup.descriptor() < 0
        || ssh_event_add_fd(m_event.get(), m_wakeup.descriptor(), POLLIN, onWake, this) != SSH_OK) {
        endLink(LinkState::Offline, {Fault::Io, u"No memory or descriptors for a connection."_s, {}, {}});
        return;
    }
    m_channels = std::make_unique<SshChannels>(
        m_tuning, [this](quint64 id) { notify(OutputNotice{id}); },
        [this](quint64 id, const Result<ProcessEnd>& end) {
            notify(EndNotice{id, end});
        });
    m_route = std::make_unique<SshRoute>(
        m_endpoint, m_event.get(), m_tuning, m_attendance, [this](const QString& text) { notify(HintNotice{text}); });

    while (!m_quit && !m_over) {
        const quint64 pulse = m_route->pulse();
        runTasks();
        const bool freed = advance();
        publishTraffic();
        if (m_quit || m_over)
            break;
        // A call made for one channel may have received packets for another that was checked before: check again.
        const bool moved = freed || m_route->pulse() != pulse;
        // The return value says nothing of use: an error of one descriptor shows in its session.
        ssh_event_dopoll(m_event.get(), moved ? 0 : pollTimeout(steadyNow()));
    }
    m_channels->abandon();
    m_route.reset();
    ssh_event_remove_fd(m_event.get(), m_wakeup.descriptor());
    m_event.reset();
    runTasks(); // closures may hold secrets
}

void SshLoop::runTasks()
{
    std::deque<std::function<void()>> tasks;
    {
        const std::lock_guard lock(m_mutex);
        tasks.swap(m_tasks);
    }
    if (!m_route) // the end: dropped
        return;
    for (const auto& task : tasks)
        task();
}

/// True when another step may find work without waiting.
bool SshLoop::advance()
{
    const qint64 now = steadyNow();
    if (m_state != LinkState::Online) {
        advanceRoute(now);
        return m_state == LinkState::Online;
    }
    m_route->advance(now); // bridges
    SshHop& hop = m_route->current();
    const bool freed = m_channels->advance(hop.session(), now);
    const bool isQuiet = m_channels->openCount() + m_channels->dialledCount() == 0;
    const bool answering = m_pulse.advance(
        hop.session(), now, hop.packetsIn(), isQuiet ? SshPulse::Commands::None : SshPulse::Commands::Open);
    if (const std::optional<Error> why = m_route->broken())
        endLink(LinkState::Lost, *why);
    else if (!answering)
        endLink(LinkState::Lost,
            {Fault::Offline, u"%1 does not answer any more."_s.arg(m_endpoint.host),
                u"Nothing came for %1 s."_s.arg(double(m_pulse.silentMs(now)) / 1000.0),
                u"Check the network and connect again."_s});
    return freed;
}

void SshLoop::advanceRoute(qint64 now)
{
    const SshHop::Step step = m_route->advance(now);
    while (const auto banner = m_route->takeBanner())
        notify(BannerNotice{banner->first, banner->second});
    switch (step) {
    case SshHop::Step::Busy: break;
    case SshHop::Step::Ask:
        if (m_state != LinkState::NeedsAnswer)
            raisePrompt();
        break;
    case SshHop::Step::Failed: endLink(LinkState::Offline, m_route->error()); break;
    case SshHop::Step::Online:
        m_pulse.begin(now, m_route->current().packetsIn());
        m_state = LinkState::Online;
        notify(LinkNotice{m_state, {}, m_route->tookPerson()});
        break;
    }
}

void SshLoop::raisePrompt()
{
    LoginPrompt prompt = m_route->current().prompt();
    prompt.id = ++m_promptId;
    prompt.isJump = !m_route->isComplete();
    report(LinkState::NeedsAnswer);
    notify(std::move(prompt));
}

void SshLoop::report(LinkState state, const Error& why)
{
    m_state = state;
    notify(LinkNotice{state, why});
}

void SshLoop::notify(Notice notice)
{
    bool first = false;
    {
        const std::lock_guard lock(m_mutex);
        first = m_notices.empty();
        m_notices.push_back(std::move(notice));
    }
    if (first)
        announce();
}

/// Alone, so that tests/tsan.supp can name it: the event that Qt posts here and frees on the other thread is handed
/// over in a way that the thread sanitizer cannot see.
void SshLoop::announce() { emit noticesWaiting(); }

std::deque<SshLoop::Notice> SshLoop::takeNotices()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_notices, {});
}

void SshLoop::endLink(LinkState state, const Error& why)
{
    qCInfo(logSsh, "%s: %s", qUtf8Printable(m_endpoint.label()), qUtf8Printable(why.oneLine()));
    m_over = true;
    report(state, why);
}

int SshLoop::pollTimeout(qint64 now) const
{
    qint64 due = m_route->due();
    if (m_state == LinkState::Online)
        due = qMin(qMin(due, m_pulse.due()), m_channels->due());
    return static_cast<int>(qBound(qint64(0), due - now, qint64(60000)));
}

void SshLoop::publishTraffic()
{
    const SshHop& hop = m_route->current();
    LinkTraffic now;
    now.bytesIn = hop.bytesIn();
    now.bytesOut = hop.bytesOut();
    now.commands = m_commands;
    now.openChannels = m_channels->openCount();
    now.roundTripMs = m_pulse.roundTripMs() ? m_pulse.roundTripMs() : m_channels->lastOpenMs();
    const std::lock_guard lock(m_mutex);
    m_traffic = now;
}

} // namespace rankwright

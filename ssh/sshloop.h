// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshchannels.h"
#include "ssh/sshposix.h"
#include "ssh/sshpulse.h"
#include "ssh/sshroute.h"

#include "models/cluster/remote/clusterlink.h"

#include <QThread>

#include <atomic>
#include <mutex>
#include <variant>

namespace rankwright {

/// The thread of one connection; everything of libssh happens on it and nothing else does. Its loop takes posted
/// tasks, advances the route and the commands, and polls until the next deadline; it runs no Qt event loop.
///
/// The object itself lives on the GUI thread. quit() may find the thread in a name lookup or an agent that waits for a
/// touch: then it ends whenever that returns, and deletes itself. Does not reconnect.
class SshLoop final : public QThread {
    Q_OBJECT
public:
    SshLoop(const SshEndpoint& endpoint, const SshTuning& tuning,
        ClusterLink::Attendance attendance = ClusterLink::Attendance::Person);
    ~SshLoop() override;

    // From any thread. What reaches a thread that has ended is dropped.
    void startProcess(const ProcessRequest& request);
    void write(quint64 process, const QByteArray& input);
    void closeInput(quint64 process);
    void resize(quint64 process, const TerminalSize& size);
    void cancel(quint64 process);
    /// The pipe of a process has room again.
    void resume();
    void answer(quint64 prompt, const PromptAnswer& answer);
    /// Is the peer still there? An online link that does not answer soon is lost.
    void probe();
    /// Ends the thread as soon as it can; returns at once. Nothing is signalled afterwards.
    void quitSoon();
    LinkTraffic traffic() const;

    // What happened, in order. A list of our own under our own lock instead of arguments of queued signals: one event
    // for many notices, and the thread sanitizer can follow it (it is blind inside Qt's event queue).
    /// Connecting, NeedsAnswer, Online; Offline when the login failed, Lost when an online link broke: then the last.
    struct LinkNotice {
        LinkState state;
        Error why;
        bool tookPerson = true; ///< Online: the login did
    };
    struct BannerNotice {
        QString host;
        QString text;
    };
    /// What a person should know or do while the login waits; empty: it is over.
    struct HintNotice {
        QString text;
    };
    /// At most one per process is on its way: the next comes after the pipe was taken.
    struct OutputNotice {
        quint64 process;
    };
    struct EndNotice {
        quint64 process;
        Result<ProcessEnd> end;
    };
    using Notice = std::variant<LinkNotice, BannerNotice, HintNotice, LoginPrompt, OutputNotice, EndNotice>;
    std::deque<Notice> takeNotices();

signals:
    /// Once, until they are taken.
    void noticesWaiting();

protected:
    void run() override;

private:
    void runConnection();
    void post(std::function<void()> task);
    void runTasks();
    static int onWake(socket_t, int, void* self);

    bool advance();
    void advanceRoute(qint64 now);
    void raisePrompt();
    void endLink(LinkState state, const Error& why);
    int pollTimeout(qint64 now) const;
    void publishTraffic();
    void report(LinkState state, const Error& why = {});
    void notify(Notice notice);
    void announce();

    const SshEndpoint m_endpoint;
    const SshTuning m_tuning;
    const ClusterLink::Attendance m_attendance;
    Wakeup m_wakeup;
    std::atomic<bool> m_quit = false;

    mutable std::mutex m_mutex; ///< of the next three
    std::deque<std::function<void()>> m_tasks;
    std::deque<Notice> m_notices;
    LinkTraffic m_traffic;
    std::atomic<bool> m_ended = false; ///< run() has returned, and what it did is visible to whoever reads this

    // Only on the thread:
    SshEventHandle m_event;
    std::unique_ptr<SshRoute> m_route;
    std::unique_ptr<SshChannels> m_channels;
    SshPulse m_pulse;
    LinkState m_state = LinkState::Connecting;
    bool m_over = false;
    quint64 m_promptId = 0;
    qint64 m_commands = 0;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperguest.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int greetingMs = 10000;
constexpr qsizetype mostUnsent = 4 * 1024 * 1024;
constexpr size_t mostCommands = 256; ///< of one program at once

} // namespace

KeeperGuest::KeeperGuest(Descriptor socket, Host host, QObject* parent)
    : QObject(parent), m_socket(std::move(socket)), m_host(std::move(host))
{
    m_socket.setMostUnsent(mostUnsent);
    connect(&m_socket, &FrameSocket::frameArrived, this, &KeeperGuest::handleFrame);
    connect(&m_socket, &FrameSocket::ended, this, [this] {
        leaveAll();
        emit guestGone();
    });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { refuse({Fault::TimedOut, u"No greeting came."_s, {}, {}}); });
    m_patience.start(greetingMs);
    m_socket.send({KeeperFrame::Hello, 0,
        helloBody({keeperVersion, QCoreApplication::applicationVersion(), QCoreApplication::applicationPid(),
            QDir::homePath()})});
}

KeeperGuest::~KeeperGuest()
{
    m_socket.disconnect(this);
    leaveAll();
}

void KeeperGuest::leaveAll()
{
    m_patience.stop();
    // Their ends are not reported any more; a signal of theirs may be on the stack.
    auto commands = std::exchange(m_commands, {});
    for (auto& [number, command] : commands) {
        if (command.process) {
            command.process->disconnect(this);
            command.process.release()->deleteLater();
        }
    }
    if (SharedLink* link = std::exchange(m_link, nullptr))
        link->leave(*this);
}

void KeeperGuest::refuse(const Error& why)
{
    m_socket.send({KeeperFrame::Refused, 0, errorBody(why)});
    m_socket.hangUp();
    leaveAll();
    QMetaObject::invokeMethod(this, &KeeperGuest::guestGone, Qt::QueuedConnection);
}

void KeeperGuest::handleState(const KeeperState& state)
{
    m_socket.send({KeeperFrame::State, 0, stateBody(state)});
    if (state.state == LinkState::Offline || state.state == LinkState::Lost)
        m_link = nullptr; // it has let us go
}

void KeeperGuest::handlePrompt(const LoginPrompt& prompt)
{
    const QByteArray body = promptBody(prompt);
    if (body.size() <= keeperLargest)
        m_socket.send({KeeperFrame::Prompt, 0, body});
    else if (m_link)
        m_link->answer(*this, prompt.id, {});
}

void KeeperGuest::handleBanner(const QString& host, const QString& text)
{
    m_socket.send({KeeperFrame::Banner, 0, textsBody(host, text)});
}

void KeeperGuest::handleHint(const QString& text) { m_socket.send({KeeperFrame::Hint, 0, textsBody({}, text)}); }

void KeeperGuest::handleFrame(const KeeperFrame& frame)
{
    if (!m_greeted) {
        handleFirstFrame(frame);
        return;
    }
    switch (frame.kind) {
    case KeeperFrame::Ping: m_socket.send({KeeperFrame::Pong, 0, {}}); return;
    case KeeperFrame::AskStatus: m_socket.send({KeeperFrame::Status, 0, statusBody(m_host.status())}); return;
    case KeeperFrame::Stop: m_host.stop(); return;
    case KeeperFrame::Open: handleOpen(frame); return;
    case KeeperFrame::Answer:
    case KeeperFrame::Probe: handleLogin(frame); return;
    case KeeperFrame::Start:
    case KeeperFrame::Dial: begin(frame); return;
    case KeeperFrame::Input:
    case KeeperFrame::InputEnd:
    case KeeperFrame::Resize:
    case KeeperFrame::Grant:
    case KeeperFrame::Cancel: handleCommandFrame(frame); return;
    default: refuse({Fault::Unreadable, u"What was received is not from a program of ours."_s, {}, {}}); return;
    }
}

void KeeperGuest::handleFirstFrame(const KeeperFrame& frame)
{
    const auto hello = frame.kind == KeeperFrame::Hello
        ? readHello(frame.body)
        : Result<KeeperHello>(fail(Fault::Unreadable, u"No greeting came."_s));
    if (!hello) {
        refuse(hello.error());
    } else if (hello->version != keeperVersion) {
        refuse({Fault::Invalid, u"The connection agent belongs to another version of this program."_s,
            u"it speaks version %1, not %2"_s.arg(keeperVersion).arg(hello->version),
            u"Stop it: rankwright-cli agent stop"_s});
    } else {
        m_greeted = true;
        m_patience.stop();
    }
}

void KeeperGuest::handleOpen(const KeeperFrame& frame)
{
    const auto open = readOpen(frame.body);
    if (!open || m_link) {
        refuse(open ? Error{Fault::Unreadable, u"A connection was asked for twice."_s, {}, {}} : open.error());
        return;
    }
    m_hasUsed = true;
    m_link = m_host.linkTo(open->endpoint);
    if (m_link)
        m_link->join(*this, open->attendance);
    else
        handleState({LinkState::Offline,
            Error{Fault::Invalid, u"The connection agent holds too many connections."_s, {},
                u"Stop it, or use --no-agent."_s},
            true});
}

void KeeperGuest::handleLogin(const KeeperFrame& frame)
{
    if (frame.kind == KeeperFrame::Probe) {
        if (m_link)
            m_link->link().probe();
        return;
    }
    const auto answer = readAnswer(frame.body);
    if (!answer)
        refuse(answer.error());
    else if (m_link)
        m_link->answer(*this, answer->prompt, answer->answer);
}

void KeeperGuest::begin(const KeeperFrame& frame)
{
    const auto command
        = frame.kind == KeeperFrame::Start ? readCommand(frame.body) : Result<RemoteCommand>(RemoteCommand());
    const auto dial = frame.kind == KeeperFrame::Dial ? readDial(frame.body) : Result<KeeperDial>(KeeperDial());
    if (!command || !dial || frame.process <= m_lastNumber) {
        // A number counts up: what was begun once is never begun again.
        refuse(!command ? command.error()
                : !dial ? dial.error()
                        : Error{Fault::Unreadable, u"A command arrived twice."_s, {}, {}});
        return;
    }
    const quint32 number = m_lastNumber = frame.process;
    Command& made = m_commands[number];
    if (!m_link || !m_link->isOpen() || m_commands.size() > mostCommands) {
        const bool isOpen = m_link && m_link->isOpen();
        finish(number,
            fail(isOpen ? Fault::Invalid : Fault::Offline,
                isOpen ? u"Too many commands run at once."_s : u"The agent's connection is not open."_s, {},
                u"Try again."_s));
        return;
    }
    m_link->noteCommand();
    made.given = command->input.size();
    made.process = frame.kind == KeeperFrame::Start ? m_link->link().start(*command)
                                                    : m_link->link().dial(dial->host, dial->port);
    watchProcess(number, made.process.get());
}

void KeeperGuest::watchProcess(quint32 number, RemoteProcess* process)
{
    connect(process, &RemoteProcess::connected, this, [this, number] {
        m_socket.send({KeeperFrame::Connected, number, {}});
    });
    connect(process, &RemoteProcess::outputArrived, this,
        [this, number](const QByteArray& bytes) { queueFrame(number, KeeperFrame::Output, bytes); });
    connect(process, &RemoteProcess::errorArrived, this,
        [this, number](const QByteArray& bytes) { queueFrame(number, KeeperFrame::Errors, bytes); });
    connect(
        process, &RemoteProcess::outputEnded, this, [this, number] { queueFrame(number, KeeperFrame::OutputEnd, {}); });
    connect(process, &RemoteProcess::inputSent, this, [this, number](qint64 total) {
        if (const auto found = m_commands.find(number); found != m_commands.end()) {
            found->second.taken = total;
            m_socket.send({KeeperFrame::Taken, number, countBody(total)});
        }
    });
    connect(process, &RemoteProcess::finished, this,
        [this, number](const Result<CommandOutcome>& outcome) { finish(number, outcome); });
}

void KeeperGuest::queueFrame(quint32 number, KeeperFrame::Kind kind, const QByteArray& bytes)
{
    const auto found = m_commands.find(number);
    if (found == m_commands.end())
        return;
    found->second.waiting.push_back({kind, bytes});
    sendWaiting(number);
}

/// Sends what the program may be sent; the rest waits, and with it the command, whose far side has to wait in turn.
void KeeperGuest::sendWaiting(quint32 number)
{
    const auto found = m_commands.find(number);
    if (found == m_commands.end())
        return;
    Command& command = found->second;
    while (!command.waiting.empty() && (command.credit > 0 || command.waiting.front().bytes.isEmpty())) {
        Waiting& next = command.waiting.front();
        const qint64 count = std::min({qint64(next.bytes.size()), command.credit, qint64(keeperPiece)});
        m_socket.send({next.kind, number, next.bytes.left(count)});
        command.credit -= count;
        if (count == next.bytes.size())
            command.waiting.pop_front();
        else
            next.bytes.remove(0, count);
    }
    if (!command.waiting.empty()) {
        if (command.process)
            command.process->hold(true);
        return;
    }
    if (command.end) {
        const Result<CommandOutcome> outcome = *command.end;
        if (command.process)
            command.process.release()->deleteLater(); // its signal may be on the stack
        m_commands.erase(found);
        m_socket.send({KeeperFrame::Done, number, outcomeBody(outcome)});
    } else if (command.process) {
        command.process->hold(false);
    }
}

void KeeperGuest::finish(quint32 number, const Result<CommandOutcome>& outcome)
{
    const auto found = m_commands.find(number);
    if (found == m_commands.end())
        return;
    found->second.end = outcome;
    sendWaiting(number);
}

void KeeperGuest::handleInput(Command& command, const KeeperFrame& frame)
{
    command.given += frame.body.size();
    // Half a window more than was agreed: the agent's memory is not the program's.
    if (command.given - command.taken > keeperWindow + keeperWindow / 2) {
        refuse({Fault::Unreadable, u"More input came than was allowed."_s, {}, {}});
        return;
    }
    if (command.process)
        command.process->write(frame.body);
}

void KeeperGuest::handleCommandFrame(const KeeperFrame& frame)
{
    const auto found = m_commands.find(frame.process);
    if (found == m_commands.end())
        return; // it has just ended
    Command& command = found->second;
    if (frame.kind == KeeperFrame::Input) {
        handleInput(command, frame);
    } else if (frame.kind == KeeperFrame::InputEnd) {
        if (command.process)
            command.process->closeInput();
    } else if (frame.kind == KeeperFrame::Cancel) {
        if (command.process)
            command.process->disconnect(this);
        m_commands.erase(found); // with its handle, which ends it
    } else if (frame.kind == KeeperFrame::Resize) {
        if (const auto size = readSize(frame.body); size && command.process)
            command.process->resize(*size);
    } else if (const auto count = readCount(frame.body)) {
        command.credit = qMin(command.credit + *count, keeperWindow);
        sendWaiting(frame.process);
    }
}

} // namespace rankwright

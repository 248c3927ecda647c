// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperprocess.h"

#include "app/keeper/keepermessage.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostAtOnce = 64 * 1024; ///< of input that goes with the command itself
constexpr qsizetype longestLine = 120000; ///< as ssh/commandoutput: one argument of exec() takes 128 KiB (execve(2))
constexpr qint64 grantEvery = keeperWindow / 4;

} // namespace

KeeperProcess::KeeperProcess(std::shared_ptr<Channels> channels) : m_channels(std::move(channels)) { }

KeeperProcess::~KeeperProcess()
{
    m_channels->open.remove(m_number);
    if (!m_finished && m_number != 0)
        send(KeeperFrame::Cancel);
}

void KeeperProcess::send(KeeperFrame::Kind kind, const QByteArray& body)
{
    if (m_channels->socket)
        m_channels->socket->send({kind, m_number, body});
}

void KeeperProcess::begin(const RemoteCommand& command)
{
    if (command.line.toUtf8().size() > longestLine) {
        failLater({Fault::Invalid, u"The command line is too long."_s, {}, u"Send the text as input instead."_s});
        return;
    }
    m_number = ++m_channels->lastNumber;
    m_channels->open.insert(m_number, this);
    RemoteCommand sent = command;
    m_inputOpen = command.interactive;
    if (command.input.size() > mostAtOnce) { // the rest follows as it is taken
        m_input = command.input.mid(mostAtOnce);
        sent.input = command.input.left(mostAtOnce);
        m_endsInput = !command.interactive;
        sent.interactive = true;
    }
    m_sent = sent.input.size();
    send(KeeperFrame::Start, commandBody(sent));
    sendInput();
}

void KeeperProcess::dial(const QString& host, int port)
{
    m_number = ++m_channels->lastNumber;
    m_channels->open.insert(m_number, this);
    m_inputOpen = true;
    send(KeeperFrame::Dial, dialBody({host.left(1024), port}));
}

void KeeperProcess::failLater(const Error& error)
{
    QMetaObject::invokeMethod(
        this, [this, error] { end(fail(error)); }, Qt::QueuedConnection);
}

void KeeperProcess::write(const QByteArray& input)
{
    if (!m_inputOpen || m_finished)
        return;
    m_input += input;
    sendInput();
}

void KeeperProcess::closeInput()
{
    if (!std::exchange(m_inputOpen, false) || m_finished)
        return;
    m_endsInput = true;
    sendInput();
}

void KeeperProcess::sendInput()
{
    qsizetype gone = 0;
    while (gone < m_input.size() && m_sent - m_taken < keeperWindow) {
        const qint64 count
            = std::min({qint64(m_input.size() - gone), keeperWindow - (m_sent - m_taken), qint64(keeperPiece)});
        send(KeeperFrame::Input, m_input.mid(gone, count));
        gone += count;
        m_sent += count;
    }
    m_input.remove(0, gone);
    if (m_input.isEmpty() && std::exchange(m_endsInput, false))
        send(KeeperFrame::InputEnd);
}

void KeeperProcess::resize(const TerminalSize& size)
{
    if (!m_finished && m_number != 0)
        send(KeeperFrame::Resize, sizeBody(size));
}

/// What waits is delivered from the event loop: the caller may be inside a signal of ours.
void KeeperProcess::hold(bool held)
{
    if (std::exchange(m_held, held) && !held)
        QMetaObject::invokeMethod(this, &KeeperProcess::deliverWaiting, Qt::QueuedConnection);
}

void KeeperProcess::handleFrame(const KeeperFrame& frame)
{
    if (frame.kind == KeeperFrame::Taken) { // the other direction goes on while held
        const auto total = readCount(frame.body);
        if (!total || m_finished)
            return;
        m_taken = qMin(*total, m_sent);
        const QPointer<KeeperProcess> self(this);
        emit inputSent(m_taken);
        if (self)
            sendInput();
        return;
    }
    m_waiting.push_back(frame);
    deliverWaiting();
}

void KeeperProcess::deliverWaiting()
{
    if (m_delivering)
        return;
    const QPointer<KeeperProcess> self(this); // whoever listens may let the handle go
    m_delivering = true;
    while (!m_held && !m_waiting.empty() && !m_finished) {
        const KeeperFrame frame = std::move(m_waiting.front());
        m_waiting.pop_front();
        deliverOne(frame);
        if (!self)
            return;
    }
    m_delivering = false;
}

void KeeperProcess::deliverOne(const KeeperFrame& frame)
{
    if (frame.kind == KeeperFrame::Done) {
        end(readOutcome(frame.body));
        return;
    }
    m_ungranted += frame.body.size();
    if (m_ungranted >= grantEvery)
        send(KeeperFrame::Grant, countBody(std::exchange(m_ungranted, 0)));
    if (frame.kind == KeeperFrame::Output)
        emit outputArrived(frame.body);
    else if (frame.kind == KeeperFrame::Errors)
        emit errorArrived(frame.body);
    else if (frame.kind == KeeperFrame::Connected)
        emit connected();
    else if (frame.kind == KeeperFrame::OutputEnd)
        emit outputEnded();
}

void KeeperProcess::end(const Result<CommandOutcome>& outcome)
{
    if (std::exchange(m_finished, true))
        return;
    m_channels->open.remove(m_number);
    emit finished(outcome);
}

} // namespace rankwright

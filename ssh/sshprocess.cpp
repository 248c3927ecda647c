// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshprocess.h"

namespace rankwright {

SshProcess::SshProcess(quint64 id, const RemoteCommand& command, Registry registry)
    : m_id(id), m_registry(std::move(registry)), m_output(command)
{
    m_registry->insert(m_id, this);
}

SshProcess::~SshProcess()
{
    m_registry->remove(m_id);
    if (!m_finished && m_loop)
        m_loop->cancel(m_id);
}

void SshProcess::begin(SshLoop* loop, const RemoteCommand& command, qint64 bufferLimit)
{
    if (const std::optional<Error> error = m_output.unsendable()) {
        failLater(*error);
        return;
    }
    m_loop = loop;
    m_inputOpen = command.interactive;
    m_pipe = std::make_shared<ProcessPipe>(bufferLimit);
    ProcessRequest request;
    request.id = m_id;
    request.line = m_output.wireLine();
    request.input = command.input;
    request.keepInputOpen = command.interactive;
    request.urgent = command.urgent;
    if (command.deadlineSeconds)
        request.deadline = steadyNow() + qint64(*command.deadlineSeconds) * 1000;
    request.terminal = command.terminal;
    request.keepsPlace = command.keepsPlace;
    request.pipe = m_pipe;
    m_loop->startProcess(request);
}

void SshProcess::beginPlain(SshLoop* loop, const PlainSession& session, qint64 bufferLimit)
{
    m_loop = loop;
    m_inputOpen = true;
    m_pipe = std::make_shared<ProcessPipe>(bufferLimit);
    ProcessRequest request;
    request.id = m_id;
    request.line = session.command;
    request.kind = session.kind;
    request.keepInputOpen = true;
    request.terminal = session.terminal;
    request.keepsPlace = true; // a person sits before it
    request.pipe = m_pipe;
    m_loop->startProcess(request);
}

void SshProcess::dial(SshLoop* loop, const QString& host, int port, qint64 bufferLimit)
{
    m_loop = loop;
    m_inputOpen = true;
    m_pipe = std::make_shared<ProcessPipe>(bufferLimit);
    ProcessRequest request;
    request.id = m_id;
    request.keepInputOpen = true;
    request.host = host.toUtf8();
    request.port = port;
    request.pipe = m_pipe;
    m_loop->startProcess(request);
}

void SshProcess::failLater(const Error& error)
{
    QMetaObject::invokeMethod(
        this, [this, error] { finish(fail(error)); }, Qt::QueuedConnection);
}

void SshProcess::write(const QByteArray& input)
{
    if (m_inputOpen && m_loop && !m_finished)
        m_loop->write(m_id, input);
}

void SshProcess::closeInput()
{
    if (std::exchange(m_inputOpen, false) && m_loop && !m_finished)
        m_loop->closeInput(m_id);
}

void SshProcess::resize(const TerminalSize& size)
{
    if (m_loop && !m_finished)
        m_loop->resize(m_id, size);
}

/// What waits is delivered from the event loop: the caller may be inside a signal of ours.
void SshProcess::hold(bool held)
{
    if (std::exchange(m_held, held) && !held)
        QMetaObject::invokeMethod(this, &SshProcess::deliverOutput, Qt::QueuedConnection);
}

void SshProcess::deliverOutput()
{
    if (m_held)
        return;
    if (m_end)
        end(*std::exchange(m_end, {}));
    else
        readOutput();
}

void SshProcess::readOutput()
{
    if (m_finished || !m_pipe)
        return;
    if (m_held) { // the other direction goes on
        if (const qint64 sent = m_pipe->readSent(); std::exchange(m_sent, sent) != sent)
            emit inputSent(sent);
        return;
    }
    const ProcessPipe::Contents contents = m_pipe->take();
    if (contents.refused && m_loop)
        m_loop->resume();
    const QByteArray output = m_output.feedOutput(contents.output);
    const QByteArray errors = m_output.feedErrors(contents.errorOutput);
    const bool moreSent = std::exchange(m_sent, contents.sent) != contents.sent;
    const QPointer<SshProcess> self(this); // whoever listens may let the handle go
    if (contents.begun)
        emit connected();
    if (self && !output.isEmpty())
        emit outputArrived(output);
    if (self && !errors.isEmpty())
        emit errorArrived(errors);
    if (self && moreSent)
        emit inputSent(contents.sent);
    if (self && contents.ended)
        emit outputEnded();
}

void SshProcess::end(const Result<ProcessEnd>& end)
{
    const QPointer<SshProcess> self(this);
    if (!m_held)
        readOutput();
    if (!self)
        return;
    if (m_held && end) { // the rest is still in the pipe
        m_end = end;
        return;
    }
    if (end)
        finish(m_output.outcome(end->exitStatus, end->exitSignal));
    else
        finish(fail(end.error()));
}

void SshProcess::finish(const Result<CommandOutcome>& outcome)
{
    if (std::exchange(m_finished, true))
        return;
    m_registry->remove(m_id);
    emit finished(outcome);
}

} // namespace rankwright

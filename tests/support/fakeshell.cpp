// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakeshell.h"

namespace rankwright::test {

using namespace Qt::StringLiterals;

FakeProcess::FakeProcess(FakeShell& shell, RemoteCommand command) : m_shell(&shell), m_command(std::move(command))
{
    m_input = m_command.input;
    m_inputClosed = !m_command.interactive;
}

FakeProcess::~FakeProcess()
{
    if (m_shell)
        m_shell->m_running.removeAll(this);
}

void FakeProcess::write(const QByteArray& input)
{
    if (m_inputClosed || m_ended)
        return;
    m_input += input;
    emit inputChanged();
}

void FakeProcess::closeInput()
{
    m_inputClosed = true;
    emit inputChanged();
}

void FakeProcess::say(const QByteArray& output)
{
    if (!m_ended && !output.isEmpty())
        emit outputArrived(output);
}

void FakeProcess::sayError(const QByteArray& output)
{
    if (m_ended || output.isEmpty())
        return;
    m_errorOutput += output;
    emit errorArrived(output);
}

void FakeProcess::end(int exitStatus)
{
    if (m_ended)
        return;
    m_ended = true;
    if (m_shell)
        m_shell->m_running.removeAll(this);
    CommandOutcome outcome;
    outcome.errorOutput = m_errorOutput;
    outcome.exitStatus = exitStatus;
    emit finished(outcome);
}

void FakeProcess::fail(const Error& why)
{
    if (m_ended)
        return;
    m_ended = true;
    if (m_shell)
        m_shell->m_running.removeAll(this);
    emit finished(rankwright::fail(why));
}

FakeShell::~FakeShell() { m_running.clear(); }

void FakeShell::expect(const QString& part, const Reply& reply, bool always)
{
    m_expectations.append({part, reply, always});
}

void FakeShell::forget(const QString& part)
{
    m_expectations.removeIf([&part](const Expectation& one) { return one.part == part; });
}

void FakeShell::setState(LinkState state, const Error& why)
{
    if (state == m_state)
        return;
    m_state = state;
    m_error = why.what.isEmpty() ? std::nullopt : std::optional(why);
    if (state == LinkState::Offline || state == LinkState::Lost) {
        const Error broken = why.what.isEmpty() ? Error{Fault::Offline, u"The link was lost."_s, {}, {}} : why;
        // a continuation may destroy other handles
        QList<QPointer<FakeProcess>> flying;
        for (FakeProcess* process : std::as_const(m_running))
            flying.append(process);
        for (const QPointer<FakeProcess>& process : std::as_const(flying)) {
            if (process)
                process->fail(broken);
        }
    }
    emit stateChanged(state);
}

QStringList FakeShell::lines() const
{
    QStringList all;
    for (const RemoteCommand& command : m_commands)
        all.append(command.line);
    return all;
}

int FakeShell::outstanding() const
{
    int count = 0;
    for (const Expectation& expectation : m_expectations)
        count += expectation.always ? 0 : 1;
    return count;
}

std::unique_ptr<RemoteProcess> FakeShell::launch(const RemoteCommand& command)
{
    m_commands.append(command);
    auto process = std::make_unique<FakeProcess>(*this, command);
    m_running.append(process.get());
    Reply reply;
    if (m_state != LinkState::Online) {
        reply.failure = Error{Fault::Offline, u"Not connected."_s, {}, {}};
    } else {
        reply.errorOutput = "unexpected command: " + command.line.toUtf8();
        reply.exitStatus = 127;
        bool known = false;
        for (qsizetype i = 0; i < m_expectations.size() && !known; ++i) {
            if (!command.line.contains(m_expectations.at(i).part))
                continue;
            known = true;
            reply = m_expectations.at(i).reply;
            if (!m_expectations.at(i).always)
                m_expectations.removeAt(i);
        }
        m_unexpected += known ? 0 : 1;
    }
    // With the process as context the reply is dropped when its handle goes: the command was cancelled.
    QTimer::singleShot(
        reply.delayMs, process.get(), [this, target = process.get(), reply] { this->reply(target, reply); });
    return process;
}

void FakeShell::answer(quint64 promptId, const PromptAnswer& answer) { m_answers.append({promptId, answer.accepted}); }

void FakeShell::reply(FakeProcess* process, const Reply& reply)
{
    const QPointer<FakeProcess> alive(process);
    process->sayError(reply.errorOutput);
    if (alive)
        process->say(reply.output);
    if (!alive || reply.staysOpen)
        return;
    if (reply.failure)
        process->fail(*reply.failure);
    else
        process->end(reply.exitStatus);
}

} // namespace rankwright::test

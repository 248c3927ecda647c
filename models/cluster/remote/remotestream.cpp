// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remotestream.h"

#include <algorithm>

namespace rankwright::inline cluster {

RemoteStream::RemoteStream(RemoteShell& shell, std::function<RemoteCommand()> command, QObject* parent)
    : QObject(parent), m_shell(shell), m_command(std::move(command))
{
    m_restart.setSingleShot(true);
    setPace({});
    connect(&m_heartbeat, &QTimer::timeout, this, [this] { write("h\n"); });
    connect(&m_restart, &QTimer::timeout, this, &RemoteStream::launch);
    connect(&m_shell, &RemoteShell::stateChanged, this, [this](LinkState state) {
        if (state == LinkState::Online && m_wanted && !m_process) {
            m_failures = 0;
            emit linkReturned();
            launch();
        }
    });
}

RemoteStream::~RemoteStream() = default; // the process goes with us, and with it the remote one

void RemoteStream::setPace(const Pace& pace)
{
    m_pace = pace;
    m_heartbeat.setInterval(pace.heartbeatMs);
}

void RemoteStream::start()
{
    m_wanted = true;
    m_failures = 0;
    launch();
}

void RemoteStream::stop()
{
    m_wanted = false;
    m_restart.stop();
    end();
}

void RemoteStream::launch()
{
    m_restart.stop();
    end();
    RemoteCommand command = m_command();
    command.interactive = true;
    command.deadlineSeconds.reset();
    ++m_number;
    m_process = m_shell.start(command);
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &RemoteStream::outputArrived);
    connect(m_process.get(), &RemoteProcess::errorArrived, this, &RemoteStream::errorArrived);
    connect(m_process.get(), &RemoteProcess::finished, this, [this](const Result<CommandOutcome>& outcome) {
        end();
        if (m_wanted)
            emit finished(outcome);
    });
    m_heartbeat.start();
}

void RemoteStream::end()
{
    m_heartbeat.stop();
    if (!m_process)
        return;
    ++m_number;
    m_process->disconnect(this);
    m_process->closeInput();
    m_process.release()->deleteLater(); // we may be inside one of its signals
}

void RemoteStream::restartLater(const std::optional<Error>& why)
{
    end();
    if (why)
        report(why);
    if (!m_wanted)
        return;
    const qint64 wait = qint64(m_pace.firstRestartMs) << std::min(m_failures, 16);
    m_restart.start(int(std::min<qint64>(wait, m_pace.lastRestartMs)));
    ++m_failures;
}

void RemoteStream::write(const QByteArray& input)
{
    if (m_process)
        m_process->write(input);
}

void RemoteStream::report(const std::optional<Error>& why)
{
    const QString text = why ? why->what : QString();
    if (text == m_reported)
        return;
    m_reported = text;
    emit troubleChanged(why);
}

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/lineprobe.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 probeBytes = 4096;
constexpr qint64 shortestMs = 20; // below, only "at least" is known

} // namespace

LineProbe::LineProbe(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell)
{
    connect(&m_shell, &RemoteShell::stateChanged, this, [this](LinkState state) {
        if (state == LinkState::Online)
            begin();
        else
            finish({});
    });
}

void LineProbe::begin()
{
    m_bytes = 0;
    m_clock.invalidate();
    // The first byte says that the command runs; the pause lets it travel alone. Bytes that do not compress well.
    RemoteCommand command = RemoteCommand::shell(u"printf x; sleep 0.05; head -c %1 /dev/urandom"_s.arg(probeBytes));
    command.deadlineSeconds = 60;
    m_process = m_shell.start(command);
    connect(m_process.get(), &RemoteProcess::outputArrived, this, [this](const QByteArray& bytes) {
        if (!m_clock.isValid())
            m_clock.start();
        m_bytes += bytes.size();
        if (m_bytes >= probeBytes + 1)
            finish(double(probeBytes) * 1000 / double(qMax(shortestMs, m_clock.elapsed() - 50)));
    });
    connect(m_process.get(), &RemoteProcess::finished, this, [this] { finish({}); });
    emit began();
}

void LineProbe::finish(std::optional<double> rate)
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process.release()->deleteLater(); // it may be the sender
    emit measured(rate);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/lineprobe.h"

#include "models/cluster/remote/linkinfo.h"
#include "models/cluster/remote/remoteprogram.h"

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
    m_text.clear();
    m_wasSlow.reset();
    m_clock.invalidate();
    RemoteCommand command = RemoteCommand::of(
        {u"/bin/sh"_s, u"-c"_s, remoteProgram(u"line-probe.sh"_s), u"_"_s, QString::number(probeBytes)});
    command.purpose = tr("Measures how much the line carries");
    command.deadlineSeconds = 60;
    m_process = m_shell.start(command);
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &LineProbe::read);
    connect(m_process.get(), &RemoteProcess::finished, this, [this] { finish({}); });
    emit measurementBegan();
}

void LineProbe::read(const QByteArray& bytes)
{
    m_text += bytes;
    while (m_process) {
        const qsizetype first = m_text.indexOf(' ');
        if (first >= 0 && !m_clock.isValid())
            m_clock.start();
        const qsizetype second = first < 0 ? -1 : m_text.indexOf(' ', first + 1);
        if (second < 0 || m_text.size() <= second + probeBytes)
            return;
        bool isBefore = false;
        bool isAfter = false;
        const double before = m_text.mid(1, first - 1).toDouble(&isBefore); // behind the "x"
        const double after = m_text.mid(first + 1, second - first - 1).toDouble(&isAfter);
        const qint64 pause = qRound64((after - before) * 1000);
        const qint64 elapsed = m_clock.elapsed();
        m_text.remove(0, second + 1 + probeBytes);
        m_clock.invalidate();
        if (!isBefore || !isAfter)
            finish({});
        else
            assess(double(probeBytes) * 1000 / double(qMax(shortestMs, elapsed - pause)));
    }
}

/// A line that is slow is so twice; slow once is something else. What delays both ends makes a line slower, never
/// faster.
void LineProbe::assess(double rate)
{
    const bool isSlow = rate < slowLineBytesPerSecond;
    if (!m_wasSlow && isSlow)
        m_wasSlow = rate;
    else if (!m_wasSlow)
        finish(rate);
    else
        finish(isSlow ? std::optional(qMax(rate, *m_wasSlow)) : std::nullopt);
}

void LineProbe::finish(std::optional<double> rate)
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process.release()->deleteLater(); // it may be the sender
    emit rateMeasured(rate);
}

} // namespace rankwright

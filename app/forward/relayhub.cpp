// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/relayhub.h"

#include "app/forward/relaystream.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int aliveMs = 15000; ///< the relay ends after 60 s of silence
constexpr int greetingMs = 60000; ///< a step waits while others begin
constexpr int idleMs = 120000;
constexpr qsizetype errorTail = 2000;

} // namespace

RelayHub::RelayHub(RemoteShell& shell, NodeStep step, QObject* parent)
    : QObject(parent), m_shell(shell), m_step(std::move(step))
{
    m_alive.setInterval(aliveMs);
    connect(&m_alive, &QTimer::timeout, this, [this] { send({RelayFrame::Alive, 0, {}}); });
    m_patience.setSingleShot(true);
    m_patience.setInterval(greetingMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        end({Fault::TimedOut, u"Slurm did not start a step on %1 in a minute."_s.arg(m_step.node),
            QString::fromUtf8(m_errors).trimmed(), u"The job's own steps may leave no room; try again."_s});
    });
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleMs);
    connect(&m_idle, &QTimer::timeout, this, [this] {
        end({Fault::Cancelled, u"The relay on %1 was not needed any more."_s.arg(m_step.node), {}, {}});
    });
}

RelayHub::~RelayHub()
{
    if (m_process)
        m_process->disconnect(this);
}

std::unique_ptr<RemoteProcess> RelayHub::open(int port)
{
    if (!m_process)
        start();
    m_idle.stop();
    const quint32 number = ++m_lastNumber;
    auto stream = std::make_unique<RelayStream>(*this, number);
    m_streams.insert(number, stream.get());
    send({RelayFrame::Open, number, QByteArray::number(port)});
    return stream;
}

void RelayHub::start()
{
    m_reader = {};
    m_waiting.clear();
    m_errors.clear();
    m_hasNoPython = false;
    m_process = m_shell.start(relayCommand(m_step));
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &RelayHub::handleOutput);
    connect(m_process.get(), &RemoteProcess::errorArrived, this,
        [this](const QByteArray& bytes) { m_errors = QByteArray(m_errors + bytes).right(errorTail); });
    connect(m_process.get(), &RemoteProcess::finished, this, [this](const Result<CommandOutcome>& outcome) {
        if (!outcome) {
            end(outcome.error());
            return;
        }
        Error why = outcome->toError(RemoteCommand::shell(u"srun"_s));
        end({Fault::RemoteExit, u"The relay on %1 ended."_s.arg(m_step.node), why.what, {}});
    });
    m_alive.start();
    m_patience.start();
}

void RelayHub::handleOutput(const QByteArray& bytes)
{
    const auto frames = m_reader.feed(bytes);
    if (!frames) {
        end(frames.error());
        return;
    }
    if (m_reader.greeting() == RelayReader::Greeting::NoPython) {
        m_hasNoPython = true;
        end({Fault::Invalid, u"%1 has no Python 3."_s.arg(m_step.node), {}, {}});
        return;
    }
    if (m_reader.greeting() == RelayReader::Greeting::Relay && m_patience.isActive()) {
        m_patience.stop();
        m_process->write(std::exchange(m_waiting, {}));
    }
    const QPointer<RelayHub> self(this); // whoever listens to a stream may let us go
    for (const RelayFrame& frame : *frames) {
        if (RelayStream* stream = m_streams.value(frame.connection))
            stream->handleFrame(frame);
        if (!self || !m_process)
            return;
    }
}

void RelayHub::send(const RelayFrame& frame)
{
    if (!m_process)
        return;
    if (m_reader.greeting() == RelayReader::Greeting::Relay)
        m_process->write(relayBytes(frame));
    else
        m_waiting += relayBytes(frame);
}

void RelayHub::drop(quint32 number, FarEnd end)
{
    if (m_streams.remove(number) == 0)
        return;
    if (end == FarEnd::Open)
        send({RelayFrame::Close, number, {}});
    if (m_streams.isEmpty() && m_process)
        m_idle.start();
}

void RelayHub::end(const Error& why)
{
    m_alive.stop();
    m_patience.stop();
    m_idle.stop();
    if (m_process) {
        m_process->disconnect(this);
        m_process.release()->deleteLater(); // we may be inside its signal
    }
    const auto streams = std::exchange(m_streams, {});
    QList<QPointer<RelayStream>> each;
    for (RelayStream* stream : streams)
        each.append(stream);
    for (const QPointer<RelayStream>& stream : std::as_const(each)) {
        if (stream)
            stream->end(fail(why));
    }
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/bashstream.h"

#include "models/cluster/forward/nodestep.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostBefore = 8192;

} // namespace

BashStream::BashStream(std::unique_ptr<RemoteProcess> process) : m_process(std::move(process))
{
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &BashStream::handleOutput);
    connect(m_process.get(), &RemoteProcess::errorArrived, this,
        [this](const QByteArray& bytes) { m_errors = QByteArray(m_errors + bytes).right(mostBefore); });
    connect(m_process.get(), &RemoteProcess::inputSent, this, &RemoteProcess::inputSent);
    connect(m_process.get(), &RemoteProcess::finished, this, &BashStream::end);
}

BashStream::~BashStream()
{
    if (m_process)
        m_process->disconnect(this);
}

void BashStream::handleOutput(const QByteArray& bytes)
{
    if (m_opened) {
        emit outputArrived(bytes);
        return;
    }
    m_before += bytes;
    const QByteArray greeting(bashRelayGreeting);
    const qsizetype at = m_before.indexOf(greeting);
    if (at < 0) {
        if (m_before.size() > mostBefore)
            m_before.remove(0, m_before.size() - mostBefore);
        return;
    }
    m_opened = true;
    const QByteArray rest = std::exchange(m_before, {}).mid(at + greeting.size());
    const QPointer<BashStream> self(this);
    emit connected();
    if (self && !rest.isEmpty())
        emit outputArrived(rest);
}

void BashStream::end(const Result<CommandOutcome>& outcome)
{
    if (m_opened || !outcome)
        emit finished(m_opened && outcome ? Result<CommandOutcome>(CommandOutcome()) : outcome);
    else
        emit finished(fail(Fault::Offline, u"Nothing answers on that port of the node."_s,
            QString::fromUtf8(m_errors).trimmed().right(400), {}));
}

} // namespace rankwright

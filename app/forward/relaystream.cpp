// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/relaystream.h"

#include "app/forward/relayhub.h"

namespace rankwright {

using namespace Qt::StringLiterals;

RelayStream::RelayStream(RelayHub& hub, quint32 number) : m_hub(&hub), m_number(number) { }

RelayStream::~RelayStream()
{
    if (m_hub)
        m_hub->drop(m_number, m_finished ? RelayHub::FarEnd::Closed : RelayHub::FarEnd::Open);
}

void RelayStream::write(const QByteArray& input)
{
    if (m_inputEnds || m_finished)
        return;
    m_input += input;
    sendInput();
}

void RelayStream::closeInput()
{
    m_inputEnds = true;
    sendInput();
}

void RelayStream::sendInput()
{
    if (!m_opened || m_finished || !m_hub)
        return;
    const qint64 before = m_sent;
    while (!m_input.isEmpty() && m_window > 0) {
        const qsizetype count = qMin(qMin<qsizetype>(m_input.size(), relayPiece), qsizetype(m_window));
        m_hub->send({RelayFrame::Data, m_number, m_input.first(count)});
        m_input.remove(0, count);
        m_window -= static_cast<quint32>(count);
        m_sent += count;
    }
    if (m_input.isEmpty() && m_inputEnds && !std::exchange(m_inputEnded, true))
        m_hub->send({RelayFrame::End, m_number, {}});
    if (m_sent != before)
        emit inputSent(m_sent);
}

void RelayStream::hold(bool held)
{
    if (std::exchange(m_held, held) && !held)
        QMetaObject::invokeMethod(this, &RelayStream::deliverOutput, Qt::QueuedConnection);
}

void RelayStream::handleFrame(const RelayFrame& frame)
{
    if (m_finished)
        return;
    switch (frame.kind) {
    case RelayFrame::Opened: {
        m_opened = true;
        const QPointer<RelayStream> self(this);
        emit connected();
        if (self)
            sendInput();
        break;
    }
    case RelayFrame::NotOpened:
        end(fail(Fault::Offline, u"Nothing answers on that port of the node."_s,
            QString::fromUtf8(frame.body.left(200)), {}));
        break;
    case RelayFrame::Data:
        m_output += frame.body;
        if (m_output.size() > qsizetype(relayWindow))
            end(fail(Fault::Unreadable, u"The relay on the node sent more than it may."_s));
        else
            deliverOutput();
        break;
    case RelayFrame::End:
        m_outputEnds = true;
        deliverOutput();
        break;
    case RelayFrame::Close: end(CommandOutcome()); break;
    case RelayFrame::Grant:
        m_window = qMin(m_window + qMin(grantedBytes(frame), relayWindow), relayWindow);
        sendInput();
        break;
    case RelayFrame::Open:
    case RelayFrame::Alive: break;
    }
}

void RelayStream::deliverOutput()
{
    if (m_held || m_finished)
        return;
    const QPointer<RelayStream> self(this);
    if (!m_output.isEmpty()) {
        const QByteArray bytes = std::exchange(m_output, {});
        m_owed += static_cast<quint32>(bytes.size());
        emit outputArrived(bytes);
        if (!self)
            return;
        if (m_owed >= relayWindow / 4 && m_hub)
            m_hub->send(relayGrant(m_number, std::exchange(m_owed, 0)));
    }
    if (m_outputEnds && !m_held && !std::exchange(m_outputEnded, true)) {
        emit outputEnded();
        if (!self)
            return;
    }
    if (m_end && !m_held)
        end(*std::exchange(m_end, {}));
}

void RelayStream::end(const Result<CommandOutcome>& outcome)
{
    if (m_finished)
        return;
    if (outcome && m_held) { // the rest of the output goes first
        m_end = outcome;
        return;
    }
    m_finished = true;
    if (m_hub)
        m_hub->drop(m_number, outcome ? RelayHub::FarEnd::Closed : RelayHub::FarEnd::Open);
    emit finished(outcome);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/mux/muxmessages.h"

#include <QtEndian>

#include <type_traits>

namespace rankwright::inline cluster {

namespace {

constexpr qsizetype mostVariables = 4096; // as OpenSSH's mux.c

class Writer {
public:
    Writer& number(quint32 value)
    {
        char bytes[4];
        qToBigEndian(value, bytes);
        m_body.append(bytes, sizeof bytes);
        return *this;
    }
    Writer& type(MuxType type) { return number(static_cast<quint32>(type)); }
    Writer& text(const QByteArray& text)
    {
        number(static_cast<quint32>(text.size()));
        m_body += text;
        return *this;
    }
    QByteArray packet() const { return Writer().number(static_cast<quint32>(m_body.size())).m_body + m_body; }

private:
    QByteArray m_body;
};

/// Reads in order; isGood() says at the end whether everything was there.
class Reader {
public:
    explicit Reader(const QByteArray& body) : m_body(body) { }
    quint32 number()
    {
        if (!advance(4))
            return 0;
        return qFromBigEndian<quint32>(m_body.constData() + m_at - 4);
    }
    bool flag() { return number() != 0; }
    QByteArray text()
    {
        const quint32 length = number();
        return advance(length) ? m_body.mid(m_at - length, length) : QByteArray();
    }
    bool isAtEnd() const { return m_at >= m_body.size(); }
    bool isGood() const { return m_isGood; }

private:
    bool advance(qint64 count)
    {
        m_isGood = m_isGood && m_body.size() - m_at >= count;
        if (m_isGood)
            m_at += count;
        return m_isGood;
    }

    const QByteArray& m_body;
    qsizetype m_at = 0;
    bool m_isGood = true;
};

MuxSession readSession(Reader& reader)
{
    MuxSession session;
    session.id = reader.number();
    reader.text(); // reserved
    session.terminal = reader.flag();
    session.x11 = reader.flag();
    session.agent = reader.flag();
    session.subsystem = reader.flag();
    session.escape = reader.number();
    session.terminalType = reader.text();
    session.command = reader.text();
    while (reader.isGood() && !reader.isAtEnd() && session.environment.size() < mostVariables)
        session.environment.append(reader.text());
    return session;
}

MuxForward readForward(Reader& reader, bool closes)
{
    MuxForward forward;
    forward.closes = closes;
    forward.id = reader.number();
    forward.way = reader.number();
    forward.listenHost = reader.text();
    forward.listenPort = reader.number();
    forward.connectHost = reader.text();
    forward.connectPort = reader.number();
    return forward;
}

void write(Writer& writer, const MuxHello& hello) { writer.type(MuxType::Hello).number(hello.version); }

void write(Writer& writer, const MuxSession& session)
{
    writer.type(MuxType::NewSession).number(session.id).text({});
    writer.number(session.terminal).number(session.x11).number(session.agent).number(session.subsystem);
    writer.number(session.escape).text(session.terminalType).text(session.command);
    for (const QByteArray& variable : session.environment)
        writer.text(variable);
}

void write(Writer& writer, const MuxStdioForward& forward)
{
    writer.type(MuxType::NewStdioForward).number(forward.id).text({}).text(forward.host).number(forward.port);
}

void write(Writer& writer, const MuxForward& forward)
{
    writer.type(forward.closes ? MuxType::CloseForward : MuxType::OpenForward).number(forward.id).number(forward.way);
    writer.text(forward.listenHost).number(forward.listenPort);
    writer.text(forward.connectHost).number(forward.connectPort);
}

void write(Writer& writer, const MuxPlain& plain) { writer.type(plain.type).number(plain.id); }

} // namespace

QByteArray muxPacket(const MuxRequest& request)
{
    Writer writer;
    std::visit([&writer](const auto& each) { write(writer, each); }, request);
    return writer.packet();
}

QByteArray muxPacket(const MuxReply& reply)
{
    Writer writer;
    writer.type(reply.type).number(reply.id);
    switch (reply.type) {
    case MuxType::PermissionDenied:
    case MuxType::Failure: writer.text(reply.reason); break;
    case MuxType::ExitMessage:
    case MuxType::Alive:
    case MuxType::SessionOpened:
    case MuxType::RemotePort: writer.number(reply.value); break;
    default: break;
    }
    return writer.packet();
}

std::optional<MuxRequest> readMuxRequest(const QByteArray& body)
{
    Reader reader(body);
    const auto type = static_cast<MuxType>(reader.number());
    MuxRequest request;
    switch (type) {
    case MuxType::Hello: request = MuxHello{reader.number()}; break;
    case MuxType::NewSession: request = readSession(reader); break;
    case MuxType::NewStdioForward: {
        MuxStdioForward forward;
        forward.id = reader.number();
        reader.text(); // reserved
        forward.host = reader.text();
        forward.port = reader.number();
        request = forward;
        break;
    }
    case MuxType::OpenForward: request = readForward(reader, false); break;
    case MuxType::CloseForward: request = readForward(reader, true); break;
    default: request = MuxPlain{type, reader.number()}; break;
    }
    if (!reader.isGood())
        return std::nullopt;
    return request;
}

std::optional<MuxReply> readMuxReply(const QByteArray& body)
{
    Reader reader(body);
    MuxReply reply;
    reply.type = static_cast<MuxType>(reader.number());
    reply.id = reader.number();
    switch (reply.type) {
    case MuxType::PermissionDenied:
    case MuxType::Failure: reply.reason = reader.text(); break;
    case MuxType::ExitMessage:
    case MuxType::Alive:
    case MuxType::SessionOpened:
    case MuxType::RemotePort: reply.value = reader.number(); break;
    default: break;
    }
    if (!reader.isGood())
        return std::nullopt;
    return reply;
}

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journeys/support/relay.h"

#include <QTimer>

#include <utility>

namespace rankwright::test {

Relay::Relay(const QString& host, quint16 port, QObject* parent) : QObject(parent), m_host(host), m_port(port)
{
    connect(&m_server, &QTcpServer::newConnection, this, &Relay::accept);
    m_server.listen(QHostAddress::LocalHost);
}

void Relay::accept()
{
    while (QTcpSocket* client = m_server.nextPendingConnection()) {
        auto* server = new QTcpSocket(this);
        client->setParent(this);
        m_pairs.append(Pair{client, server});
        for (QTcpSocket* socket : {client, server}) {
            // Frozen bytes must fill the kernel's buffers and stop the sender, not our memory.
            socket->setReadBufferSize(64 * 1024);
            connect(socket, &QTcpSocket::readyRead, this, &Relay::forward);
            connect(socket, &QTcpSocket::disconnected, this, [this, socket] { drop(socket); });
            connect(socket, &QTcpSocket::errorOccurred, this, [this, socket] { drop(socket); });
        }
        connect(server, &QTcpSocket::connected, this, &Relay::forward);
        server->connectToHost(m_host, m_port);
    }
}

void Relay::forward()
{
    for (const Pair& pair : std::as_const(m_pairs)) {
        if (pair.server->state() != QAbstractSocket::ConnectedState)
            continue;
        if (!m_toServerFrozen && pair.client->bytesAvailable() > 0) {
            const QByteArray chunk = pair.client->readAll();
            if (isUpload(chunk.size())) {
                strike(chunk, pair.server);
                return; // the list of pairs may be another one now
            }
            pair.server->write(chunk);
        }
        if (!m_toClientFrozen && pair.server->bytesAvailable() > 0) {
            pair.client->write(pair.server->readAll());
            m_isAnswered = true;
        }
    }
}

void Relay::strikeAtUpload(qint64 bytes, AtUpload what)
{
    m_untilUpload = bytes;
    m_atUpload = what;
    m_turns = 0;
}

void Relay::strikeAtWord(AtUpload what)
{
    m_atUpload = what;
    m_turns = 4;
    m_isAnswered = true;
}

bool Relay::isUpload(qint64 size)
{
    if (m_atUpload == AtUpload::Nothing)
        return false;
    if (m_turns > 0)
        return std::exchange(m_isAnswered, false) && --m_turns == 0;
    m_untilUpload -= size;
    return m_untilUpload <= 0;
}

void Relay::strike(const QByteArray& chunk, QTcpSocket* server)
{
    const AtUpload what = std::exchange(m_atUpload, AtUpload::Nothing);
    if (what == AtUpload::LoseAnswer) {
        server->write(chunk);
        freezeToClient(true);
        QTimer::singleShot(3000, this, [this] {
            cut();
            freezeToClient(false);
        });
        return;
    }
    for (qsizetype i = 0; i < m_pairs.size(); ++i) {
        if (m_pairs.at(i).server != server)
            continue;
        const Pair pair = m_pairs.takeAt(i);
        pair.client->disconnect(this);
        pair.client->abort();
        pair.client->deleteLater();
        pair.server->disconnect(this);
        QTimer::singleShot(4000, pair.server, [server, chunk] {
            server->write(chunk);
            server->disconnectFromHost(); // after what was written
            QObject::connect(server, &QTcpSocket::disconnected, server, &QObject::deleteLater);
        });
        return;
    }
}

void Relay::freezeToServer(bool frozen)
{
    m_toServerFrozen = frozen;
    forward();
}

void Relay::freezeToClient(bool frozen)
{
    m_toClientFrozen = frozen;
    forward();
}

void Relay::drop(QTcpSocket* socket)
{
    for (qsizetype i = 0; i < m_pairs.size(); ++i) {
        const Pair pair = m_pairs.at(i);
        if (pair.client != socket && pair.server != socket)
            continue;
        m_pairs.removeAt(i);
        // In a frozen network the other side does not hear of it; aborting is the nearest a socket can do.
        for (QTcpSocket* end : {pair.client, pair.server}) {
            end->disconnect(this);
            if (end != socket)
                end->abort();
            end->deleteLater();
        }
        return;
    }
}

void Relay::cut()
{
    while (!m_pairs.isEmpty()) {
        const Pair pair = m_pairs.takeFirst();
        for (QTcpSocket* end : {pair.client, pair.server}) {
            end->disconnect(this);
            end->abort();
            end->deleteLater();
        }
    }
}

} // namespace rankwright::test

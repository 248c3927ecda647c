// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTcpServer>
#include <QTcpSocket>

namespace rankwright::test {

/// A network that a test can hold up: forwards TCP from a port of its own to the cluster's, freezes either direction,
/// cuts everything. What is frozen stays in the sockets, as in a network that hangs.
class Relay final : public QObject {
    Q_OBJECT
public:
    Relay(const QString& host, quint16 port, QObject* parent = nullptr);

    quint16 port() const { return m_server.serverPort(); }
    void freezeToServer(bool frozen);
    void freezeToClient(bool frozen);
    /// Ends all connections as a dead router would: both sides are reset, what was frozen is lost.
    void cut();
    int connections() const { return int(m_pairs.size()); }

    enum class AtUpload { Nothing, LoseAnswer, DeliverLate };
    /// Once `bytes` more have come from the client (a script is on its way): from then on no answer passes and the
    /// connections are cut after 3 s; or those bytes are held, the client is cut off at once, and they reach the server
    /// 4 s later, when nobody waits for them any more.
    void strikeAtUpload(qint64 bytes, AtUpload what);
    /// The same at the client's fourth turn from now on, each behind an answer of the server: channel, command, script
    /// and mostly the word to submit, unless the server has answered more often.
    void strikeAtWord(AtUpload what);

private:
    bool isUpload(qint64 size);
    void strike(const QByteArray& chunk, QTcpSocket* server);
    struct Pair {
        QTcpSocket* client = nullptr;
        QTcpSocket* server = nullptr;
    };
    void accept();
    void forward();
    void drop(QTcpSocket* socket);

    QString m_host;
    quint16 m_port;
    QTcpServer m_server;
    QList<Pair> m_pairs;
    bool m_toServerFrozen = false;
    bool m_toClientFrozen = false;
    qint64 m_untilUpload = 0;
    AtUpload m_atUpload = AtUpload::Nothing;
    int m_turns = 0; ///< of the client until the strike; 0: bytes are counted
    bool m_isAnswered = true;
};

} // namespace rankwright::test

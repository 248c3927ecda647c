// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/clusterlink.h"
#include "ssh/sshendpoint.h"

namespace rankwright {

/// What stands in the bodies of a KeeperFrame, as values. Bodies are CBOR maps (RFC 8949) whose unknown members are
/// ignored; an answer to a prompt is laid out by hand, so that it is copied as little as possible. A read...() fails
/// with Fault::Unreadable on whatever the sender could not have written.

/// Who speaks. `version` is the protocol's and is read from any other version too.
struct KeeperHello {
    int version = 0;
    QString program; ///< its version, for people
    qint64 pid = 0;
    QString home; ///< "~" of keys and known hosts: with another one, the two would not mean the same files
    bool operator==(const KeeperHello&) const = default;
};
QByteArray helloBody(const KeeperHello& hello);
Result<KeeperHello> readHello(const QByteArray& body);

struct KeeperOpen {
    SshEndpoint endpoint;
    ClusterLink::Attendance attendance = ClusterLink::Attendance::Nobody;
};
QByteArray openBody(const KeeperOpen& open);
Result<KeeperOpen> readOpen(const QByteArray& body);
/// Endpoints that may share a connection have the same; the user's key agent is not part of it.
QByteArray endpointKey(const SshEndpoint& endpoint);

struct KeeperState {
    LinkState state = LinkState::Offline;
    std::optional<Error> why;
    bool tookPerson = true;
    bool operator==(const KeeperState&) const = default;
};
QByteArray stateBody(const KeeperState& state);
Result<KeeperState> readState(const QByteArray& body);

QByteArray promptBody(const LoginPrompt& prompt);
Result<LoginPrompt> readPrompt(const QByteArray& body);
struct KeeperAnswer {
    quint64 prompt = 0;
    PromptAnswer answer;
};
QByteArray answerBody(const KeeperAnswer& answer);
Result<KeeperAnswer> readAnswer(const QByteArray& body);

QByteArray commandBody(const RemoteCommand& command);
Result<RemoteCommand> readCommand(const QByteArray& body);
struct KeeperDial {
    QString host;
    int port = 0;
    bool operator==(const KeeperDial&) const = default;
};
QByteArray dialBody(const KeeperDial& dial);
Result<KeeperDial> readDial(const QByteArray& body);
QByteArray sizeBody(const TerminalSize& size);
Result<TerminalSize> readSize(const QByteArray& body);
/// Of Grant and Taken.
QByteArray countBody(qint64 count);
Result<qint64> readCount(const QByteArray& body);

QByteArray outcomeBody(const Result<CommandOutcome>& outcome);
/// Where the body cannot be read, that is the error.
Result<CommandOutcome> readOutcome(const QByteArray& body);
QByteArray errorBody(const Error& error);
Error readError(const QByteArray& body);
/// Of Banner (host, text) and Hint (empty, text).
QByteArray textsBody(const QString& first, const QString& second);
Result<std::pair<QString, QString>> readTexts(const QByteArray& body);

/// What the agent says of itself.
struct KeeperStatus {
    struct Connection {
        QString endpoint; ///< "ada@login.example.org"
        LinkState state = LinkState::Offline;
        qint64 openedAt = 0; ///< seconds since 1970, UTC; 0: it is not open
        qint64 commands = 0; ///< that were started over it
        int running = 0; ///< commands
        int programs = 0; ///< that use it now
        bool operator==(const Connection&) const = default;
    };
    qint64 pid = 0;
    QString program; ///< version
    qint64 startedAt = 0; ///< seconds since 1970, UTC
    qint64 idleSeconds = 0; ///< unused for this long, it ends
    QList<Connection> connections;
    bool operator==(const KeeperStatus&) const = default;
};
QByteArray statusBody(const KeeperStatus& status);
Result<KeeperStatus> readStatus(const QByteArray& body);

} // namespace rankwright

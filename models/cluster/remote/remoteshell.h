// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/sentlog.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>

namespace rankwright::inline cluster {

enum class LinkState { Offline, Connecting, NeedsAnswer, Online, Lost };

/// A running remote command on the caller's thread. Destroying the handle cancels the command: its stdin and channel
/// are closed, and nothing is signalled afterwards.
class RemoteProcess : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// Bytes for stdin of an interactive command; ignored after closeInput().
    virtual void write(const QByteArray& input) = 0;
    virtual void closeInput() = 0;
    /// While held nothing is delivered, and the far side has to wait once the connection's buffer is full: for readers
    /// that hand the bytes on to somebody slower. What does not know it delivers on.
    virtual void hold(bool held) { Q_UNUSED(held) }
    /// The user's terminal has another size now; for commands that were given one.
    virtual void resize(const TerminalSize& size) { Q_UNUSED(size) }

signals:
    /// Of dial(): the far side accepted the connection.
    void connected();
    /// Of dial(): the far side sends nothing more, but may still read.
    void outputEnded();
    void outputArrived(const QByteArray& bytes);
    void errorArrived(const QByteArray& bytes);
    /// How many bytes of stdin the connection has taken so far, for writers that must not run ahead of it. Not every
    /// implementation reports it; none reports each byte.
    void inputSent(qint64 total);
    /// Once, last. An Error means that the link failed, the deadline passed or the start was refused; a command that
    /// ran and failed is an outcome with its exit status.
    void finished(const rankwright::Result<rankwright::CommandOutcome>& outcome);
};

/// The port through which a cluster is reached. Lives on the GUI thread; never blocks.
class RemoteShell : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual LinkState state() const = 0;
    /// Why the link is Offline or Lost; empty: it is neither, or was closed on request.
    virtual std::optional<Error> lastError() const = 0;
    /// Starts a command; output comes as signals. When not Online the process finishes with Fault::Offline.
    std::unique_ptr<RemoteProcess> start(const RemoteCommand& command);
    /// Opens a TCP connection from the cluster's login node to a port of `host`, as the login node understands the
    /// name: its bytes are the process's input and output, closeInput() ends one direction. Ends with an outcome
    /// without a status; an Error says why it was never opened. The plain shell has no such way: Fault::Invalid.
    std::unique_ptr<RemoteProcess> dial(const QString& host, int port);
    /// Collects: `then` is called once with output and exit status, unless `guard` dies before (then the command is
    /// cancelled). Output beyond the command's limit is Fault::Unreadable.
    void run(const RemoteCommand& command, QObject* guard, Then<CommandOutcome> then);
    /// What is started or dialled here from now on is noted there, as sent to `cluster`; null: nowhere. A shell that
    /// hands its commands to another one is given the log, not the other one.
    void noteIn(SentLog* log, const QString& cluster);

signals:
    void stateChanged(rankwright::LinkState state);

protected:
    // What an implementation does of these, without noting it.
    virtual std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) = 0;
    virtual std::unique_ptr<RemoteProcess> launchDial(const QString& host, int port);
    /// `process` as it is, noted; for sessions that are begun in another way.
    std::unique_ptr<RemoteProcess> noted(std::unique_ptr<RemoteProcess> process, const RemoteCommand& command);

private:
    QPointer<SentLog> m_log;
    QString m_cluster; ///< as the log calls it
};

} // namespace rankwright::inline cluster

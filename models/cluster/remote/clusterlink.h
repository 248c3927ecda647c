// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/loginprompt.h"
#include "models/cluster/remote/remoteshell.h"

#include <optional>

namespace rankwright::inline cluster {

/// What a connection has carried since it was opened.
struct LinkTraffic {
    qint64 bytesIn = 0;
    qint64 bytesOut = 0;
    qint64 commands = 0;
    int openChannels = 0;
    std::optional<double> roundTripMs; ///< of the last keep-alive on an idle link, else of opening a channel
};

/// What `ssh` itself asks of a server, for programs that expect just that.
struct PlainSession {
    enum Kind { Command, LoginShell, Subsystem };
    Kind kind = Command;
    QByteArray command; ///< as it stands; of a subsystem its name
    std::optional<TerminalRequest> terminal = {};
};

/// A RemoteShell over a connection that is opened, asks its questions (prompts) and is closed. Does not reconnect: that
/// is decided by a LinkKeeper. Lives on the GUI thread; never blocks.
class ClusterLink : public RemoteShell {
    Q_OBJECT
public:
    using RemoteShell::RemoteShell;
    /// Whether somebody is there to answer. Without: nothing is begun that would ask a person, on this screen or on a
    /// telephone; the login is refused instead.
    enum class Attendance { Person, Nobody };
    /// Starts connecting; stateChanged() reports how it goes. Nothing happens while one is under way.
    virtual void open(Attendance attendance) = 0;
    void open() { open(Attendance::Person); }
    /// Did the last login that succeeded take something from a person: an answer, or a keyboard-interactive login at
    /// all, whose rounds without a question are often a push to a telephone? True as long as it is unknown.
    virtual bool loginTookPerson() const = 0;
    /// Ends the connection and every command on it at once.
    virtual void close() = 0;
    /// There is reason to doubt that the far end is still there (another network, the machine slept): asks it at once;
    /// one that does not answer soon is Lost. Nothing happens where a link has no such question.
    virtual void probe() { }
    /// To the prompt of this id; late answers are ignored.
    virtual void answer(quint64 promptId, const PromptAnswer& answer) = 0;
    /// Of this connection, or of the last one; empty: not counted.
    virtual std::optional<LinkTraffic> traffic() const = 0;
    /// Whose connection it is, as the end of "over ...": "the connection agent"; empty: its own.
    virtual QString way() const { return {}; }
    /// A session without quoting, fence and deadline; its input stays open. Null: this link has none.
    std::unique_ptr<RemoteProcess> startPlain(const PlainSession& session)
    {
        const QString line = session.kind == PlainSession::LoginShell ? QStringLiteral("(login shell)")
                                                                      : QString::fromUtf8(session.command);
        return noted(launchPlain(session),
            RemoteCommand::shell(line).withPurpose(QStringLiteral("Runs what OpenSSH's programs ask for")));
    }

protected:
    virtual std::unique_ptr<RemoteProcess> launchPlain(const PlainSession& session)
    {
        Q_UNUSED(session)
        return nullptr;
    }

signals:
    void promptRaised(const rankwright::LoginPrompt& prompt);
    /// What a server says to everybody who logs in, before it asks; made harmless, one text per host.
    void bannerArrived(const QString& host, const QString& text);
    /// What a person should do or know while the login waits: "Touch your security key now."; empty: it is over.
    void hintArrived(const QString& text);
};

} // namespace rankwright::inline cluster

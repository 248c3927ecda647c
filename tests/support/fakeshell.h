// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/clusterlink.h"

#include <QList>
#include <QTimer>

namespace rankwright::test {

class FakeShell;

/// A command of a FakeShell in flight: shows what it was given, and says what the test wants. Lives as long as its
/// handle (the subject under test owns it); hold it by QPointer.
class FakeProcess final : public RemoteProcess {
    Q_OBJECT
public:
    FakeProcess(FakeShell& shell, RemoteCommand command);
    ~FakeProcess() override;

    void write(const QByteArray& input) override;
    void closeInput() override;

    const RemoteCommand& command() const { return m_command; }
    const QByteArray& input() const { return m_input; }
    bool isInputClosed() const { return m_inputClosed; }
    bool hasEnded() const { return m_ended; }

    void say(const QByteArray& output);
    void sayError(const QByteArray& output);
    void end(int exitStatus = 0);
    void fail(const Error& why);

signals:
    void inputChanged();

private:
    QPointer<FakeShell> m_shell;
    RemoteCommand m_command;
    QByteArray m_input;
    QByteArray m_errorOutput;
    bool m_inputClosed = false;
    bool m_ended = false;
};

/// A cluster made of expectations: a command line that contains a text is answered with recorded output, after a delay,
/// with an exit status, by a broken link or a refusal to start. Unexpected commands fail with exit status 127 and are
/// counted. Nothing is answered before control is back in the event loop, as with a real link.
class FakeShell final : public ClusterLink {
    Q_OBJECT
public:
    struct Reply {
        QByteArray output = {};
        QByteArray errorOutput = {};
        int exitStatus = 0;
        int delayMs = 0;
        std::optional<Error> failure = {}; ///< the link breaks, or the start is refused, instead of an exit status
        bool staysOpen = false; ///< a stream: says its output, then waits for the test
    };

    explicit FakeShell(QObject* parent = nullptr) : ClusterLink(parent) { }
    ~FakeShell() override;

    /// The next command whose line contains `part` gets this reply; expectations are used in order, each once, or for
    /// good when `always`.
    void expect(const QString& part, const Reply& reply, bool always = false);
    /// Nothing is expected of such commands any more; for others that are expected next.
    void forget(const QString& part);
    /// The link's state; Offline and Lost end every command in flight with Fault::Offline.
    void setState(LinkState state, const Error& why = {});

    LinkState state() const override { return m_state; }
    std::optional<Error> lastError() const override { return m_error; }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override;
    // Only counted: the test plays the link by setState().
    using ClusterLink::open;
    void open(Attendance attendance) override
    {
        ++m_opened;
        m_attendance = attendance;
    }
    bool loginTookPerson() const override { return m_loginTookPerson; }
    void close() override { ++m_closed; }
    void probe() override { ++m_probed; }
    void answer(quint64 promptId, const PromptAnswer& answer) override;
    std::optional<LinkTraffic> traffic() const override { return m_traffic; }

    void setTraffic(const LinkTraffic& traffic) { m_traffic = traffic; }
    /// Usually a login by key alone, which may be repeated by itself.
    void setLoginTookPerson(bool took) { m_loginTookPerson = took; }
    Attendance attendance() const { return m_attendance; } ///< of the last open()
    int opened() const { return m_opened; }
    int closed() const { return m_closed; }
    int probed() const { return m_probed; }
    /// Which prompts were answered, and whether they were accepted.
    const QList<std::pair<quint64, bool>>& answers() const { return m_answers; }

    const QList<RemoteCommand>& commands() const { return m_commands; }
    QStringList lines() const;
    int unexpected() const { return m_unexpected; }
    /// Expectations not met yet (those for good do not count).
    int outstanding() const;
    /// Commands in flight, oldest first.
    const QList<FakeProcess*>& running() const { return m_running; }
    FakeProcess* newest() const { return m_running.isEmpty() ? nullptr : m_running.last(); }

private:
    friend class FakeProcess;
    struct Expectation {
        QString part;
        Reply reply;
        bool always;
    };
    void reply(FakeProcess* process, const Reply& reply);

    LinkState m_state = LinkState::Online;
    std::optional<Error> m_error;
    std::optional<LinkTraffic> m_traffic;
    QList<std::pair<quint64, bool>> m_answers;
    int m_opened = 0;
    Attendance m_attendance = Attendance::Person;
    bool m_loginTookPerson = false;
    int m_closed = 0;
    int m_probed = 0;
    QList<Expectation> m_expectations;
    QList<RemoteCommand> m_commands;
    QList<FakeProcess*> m_running;
    int m_unexpected = 0;
};

} // namespace rankwright::test

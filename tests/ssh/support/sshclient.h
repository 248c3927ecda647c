// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshshell.h"
#include "tests/support/cpuclock.h"
#include "tests/support/waiting.h"

#include <QTemporaryDir>
#include <QTimer>

#include <functional>

namespace rankwright::test {

class SshServer;

/// The program's own time limits, made longer than a test waits: a server beside busy programs may be slow, and what
/// would end only by such a limit never ends, so that the test fails.
SshTuning patientTuning();

/// An SshShell with what a test needs around it: a private home, answers to prompts and a record of what happened.
class SshClient {
    Q_DISABLE_COPY_MOVE(SshClient)
public:
    using Answerer = std::function<std::optional<PromptAnswer>(const LoginPrompt&)>;

    explicit SshClient(const SshEndpoint& endpoint, const SshTuning& tuning = patientTuning());
    ~SshClient();

    SshShell& shell() { return *m_shell; }
    /// Asked for each prompt; no answer: the prompt stays open.
    Answerer answerer;
    QList<LoginPrompt> prompts;
    QList<LinkState> states;

    /// Opens and waits until the link is Online, Offline or Lost again.
    LinkState connectNow();
    /// Why it is not connected, in one line: for the message of a test.
    QString whyNot() const;
    bool waitFor(LinkState state);
    Result<CommandOutcome> run(const RemoteCommand& command);
    Result<CommandOutcome> run(const QString& line) { return run(RemoteCommand::shell(line)); }
    void destroyShell() { m_shell.reset(); }

    static PromptAnswer yes() { return {true, {}}; }
    static PromptAnswer no() { return {false, {}}; }
    static PromptAnswer with(const QList<QByteArray>& answers);

private:
    std::unique_ptr<SshShell> m_shell;
    QObject m_context;
};

/// Settings of one suite: a private HOME without agent, known_hosts files, keys.
class SshHome {
public:
    SshHome();
    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// Endpoint of a server, with its host key on record unless `known` is false.
    SshEndpoint endpoint(const SshServer& server, bool known = true) const;
    /// A new key pair on disk; the base64 public part is what the server wants.
    QString newKey(const QString& name, QByteArray* publicBase64, const char* passphrase = nullptr) const;
    static QByteArray read(const QString& path);
    static void write(const QString& path, const QByteArray& bytes);

private:
    QTemporaryDir m_folder;
};

/// By how much more processor time and memory things may take: sanitizers slow everything down.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int slack = 40;
#else
constexpr int slack = 10;
#endif

/// The most processor time of this thread between two turns of its event loop: what other programs on the machine
/// cannot lengthen.
class TurnWatch : public QObject {
public:
    TurnWatch()
    {
        connect(&m_timer, &QTimer::timeout, this, [this] {
            const qint64 work = m_work.elapsedMs();
            m_longestWork = qMax(m_longestWork, work - std::exchange(m_lastWork, work));
        });
        m_timer.start(0);
    }
    qint64 longestWorkMs() const { return m_longestWork; }

private:
    QTimer m_timer;
    CpuClock m_work;
    qint64 m_lastWork = 0;
    qint64 m_longestWork = 0;
};

/// Resident memory of this process in bytes, from /proc/self/statm.
qint64 residentBytes();

} // namespace rankwright::test

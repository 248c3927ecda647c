// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remoteshell.h"

#include "models/core/units.h"

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

/// One run(): holds the process and what it printed until the end. A child of the guard, so that the command is
/// cancelled with it; destroys itself once the continuation was called.
class Collector final : public QObject {
    Q_DISABLE_COPY_MOVE(Collector)
public:
    Collector(const RemoteCommand& command, Then<CommandOutcome> then, QObject* guard)
        : QObject(guard), m_command(command), m_then(std::move(then))
    {
        m_command.input.clear(); // only the line and the limit are needed from here on
    }

    ~Collector() override
    {
        if (m_process)
            m_process->disconnect(this);
    }

    void watch(std::unique_ptr<RemoteProcess> process)
    {
        m_process = std::move(process);
        connect(m_process.get(), &RemoteProcess::outputArrived, this, [this](const QByteArray& bytes) { add(bytes); });
        connect(m_process.get(), &RemoteProcess::finished, this, [this](const Result<CommandOutcome>& outcome) {
            Result<CommandOutcome> whole = outcome;
            if (whole.hasValue())
                whole.value().output = m_output + whole.value().output;
            end(whole);
        });
    }

private:
    void add(const QByteArray& bytes)
    {
        m_output += bytes;
        if (m_output.size() <= m_command.outputLimit)
            return;
        end(fail(Fault::Unreadable, u"The answer is larger than %1."_s.arg(humanBytes(Bytes{m_command.outputLimit}, 0)),
            m_command.line.left(600), u"Ask for less at a time."_s));
    }

    void end(const Result<CommandOutcome>& outcome)
    {
        // We may be inside a signal of the process, and the continuation may destroy our guard: both go later.
        m_process->disconnect(this);
        m_process.release()->deleteLater();
        m_output.clear();
        deleteLater();
        const Then<CommandOutcome> then = std::move(m_then);
        if (then)
            then(outcome);
    }

    RemoteCommand m_command;
    Then<CommandOutcome> m_then;
    std::unique_ptr<RemoteProcess> m_process;
    QByteArray m_output;
};

/// Ends with the same error whatever is asked of it, in the next turn of the event loop.
class RefusedProcess final : public RemoteProcess {
    Q_DISABLE_COPY_MOVE(RefusedProcess)
public:
    explicit RefusedProcess(const Error& why)
    {
        QMetaObject::invokeMethod(
            this, [this, why] { emit finished(fail(why)); }, Qt::QueuedConnection);
    }
    void write(const QByteArray&) override { }
    void closeInput() override { }
};

} // namespace

std::unique_ptr<RemoteProcess> RemoteShell::start(const RemoteCommand& command)
{
    return noted(launch(command), command);
}

std::unique_ptr<RemoteProcess> RemoteShell::dial(const QString& host, int port)
{
    auto process = launchDial(host, port);
    if (!m_log)
        return process;
    return noted(std::move(process),
        RemoteCommand::shell(u"%1:%2"_s.arg(host).arg(port))
            .withPurpose(u"Opens a TCP connection from the login node"_s));
}

void RemoteShell::noteIn(SentLog* log, const QString& cluster)
{
    m_log = log;
    m_cluster = cluster;
}

std::unique_ptr<RemoteProcess> RemoteShell::noted(std::unique_ptr<RemoteProcess> process, const RemoteCommand& command)
{
    if (m_log && process)
        m_log->note(command, m_cluster, *process);
    return process;
}

std::unique_ptr<RemoteProcess> RemoteShell::launchDial(const QString& host, int port)
{
    return std::make_unique<RefusedProcess>(
        Error{Fault::Invalid, u"This connection cannot open %1:%2 from the login node."_s.arg(host).arg(port), {}, {}});
}

void RemoteShell::run(const RemoteCommand& command, QObject* guard, Then<CommandOutcome> then)
{
    auto* collector = new Collector(command, std::move(then), guard ? guard : this);
    collector->watch(start(command));
}

} // namespace rankwright::inline cluster

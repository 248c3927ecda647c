// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/localshell.h"

#include "ssh/commandoutput.h"

#include <QPointer>
#include <QProcess>
#include <QTimer>

#include <csignal>

#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class LocalProcess final : public RemoteProcess {
    Q_DISABLE_COPY_MOVE(LocalProcess)
public:
    explicit LocalProcess(const RemoteCommand& command) : m_command(command), m_output(command), m_process(new QProcess)
    {
        // A group of its own, so that what the command started goes with it.
        m_process->setChildProcessModifier([] { ::setpgid(0, 0); });
        connect(m_process, &QProcess::readyReadStandardOutput, this, [this] { readOutput(); });
        connect(m_process, &QProcess::readyReadStandardError, this, [this] { readErrors(); });
        connect(m_process, &QProcess::bytesWritten, this, [this](qint64 count) {
            m_sent += count;
            emit inputSent(m_sent);
        });
        connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) { end(code, how); });
        connect(
            m_process, &QProcess::errorOccurred, this,
            [this](QProcess::ProcessError error) {
                if (error == QProcess::FailedToStart)
                    finish(fail(Fault::Io, u"The command cannot be started."_s, m_process->errorString()));
            },
            Qt::QueuedConnection); // start() may report it before the caller has connected
        m_deadline.setSingleShot(true);
        connect(&m_deadline, &QTimer::timeout, this, [this] {
            endGroup(SIGTERM);
            finish(fail(Fault::TimedOut, u"The command did not end in time."_s, m_command.line.left(600),
                u"The machine may be slow just now; try again."_s));
        });
    }

    ~LocalProcess() override
    {
        m_process->disconnect(this);
        if (m_process->state() == QProcess::NotRunning) {
            m_process->deleteLater(); // we may be inside one of its signals
            return;
        }
        connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
        endGroup(SIGKILL);
    }

    void begin()
    {
        if (const std::optional<Error> error = m_output.unsendable()) {
            QMetaObject::invokeMethod(
                this, [this, error] { finish(fail(*error)); }, Qt::QueuedConnection);
            return;
        }
        if (m_command.deadlineSeconds)
            m_deadline.start(*m_command.deadlineSeconds * 1000);
        m_process->start(u"/bin/sh"_s, {u"-c"_s, QString::fromUtf8(m_output.wireLine())});
        if (!m_command.input.isEmpty())
            m_process->write(std::exchange(m_command.input, {}));
        m_inputOpen = m_command.interactive;
        if (!m_inputOpen)
            m_process->closeWriteChannel(); // after what is queued
    }

    void write(const QByteArray& input) override
    {
        if (m_inputOpen)
            m_process->write(input);
    }
    void closeInput() override
    {
        if (std::exchange(m_inputOpen, false))
            m_process->closeWriteChannel();
    }

private:
    void endGroup(int signal)
    {
        if (const qint64 pid = m_process->processId(); pid > 0)
            ::kill(static_cast<pid_t>(-pid), signal);
    }

    void readOutput()
    {
        const QByteArray bytes = m_output.feedOutput(m_process->readAllStandardOutput());
        if (!bytes.isEmpty() && !m_finished)
            emit outputArrived(bytes);
    }

    void readErrors()
    {
        const QByteArray bytes = m_output.feedErrors(m_process->readAllStandardError());
        if (!bytes.isEmpty() && !m_finished)
            emit errorArrived(bytes);
    }

    void end(int code, QProcess::ExitStatus how)
    {
        const QPointer<LocalProcess> self(this);
        readOutput();
        if (self)
            readErrors();
        if (!self)
            return;
        if (how == QProcess::NormalExit)
            finish(m_output.outcome(code, {}));
        else
            finish(m_output.outcome(std::nullopt, signalName(code)));
    }

    /// As SSH writes it (RFC 4254, section 6.10): without "SIG".
    static QByteArray signalName(int number)
    {
        const char* name = ::sigabbrev_np(number); // glibc; elsewhere a table of a dozen names does
        return name ? QByteArray(name) : QByteArray::number(number);
    }

    void finish(const Result<CommandOutcome>& outcome)
    {
        if (std::exchange(m_finished, true))
            return;
        m_deadline.stop();
        emit finished(outcome);
    }

    RemoteCommand m_command;
    CommandOutput m_output;
    QProcess* m_process; ///< outlives this handle until it has ended
    QTimer m_deadline;
    qint64 m_sent = 0;
    bool m_inputOpen = false;
    bool m_finished = false;
};

} // namespace

LocalShell::LocalShell(QObject* parent) : RemoteShell(parent) { }

LocalShell::~LocalShell() = default;

std::unique_ptr<RemoteProcess> LocalShell::launch(const RemoteCommand& command)
{
    auto process = std::make_unique<LocalProcess>(command);
    process->begin();
    return process;
}

} // namespace rankwright

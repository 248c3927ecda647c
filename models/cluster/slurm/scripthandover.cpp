// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/scripthandover.h"

#include "models/cluster/slurm/sbatchcommand.h"

namespace rankwright::inline cluster {

namespace {

/// A child of the guard, so that the command is cancelled with it; destroys itself once the continuation was called.
class ScriptHandover final : public QObject {
    Q_DISABLE_COPY_MOVE(ScriptHandover)
public:
    ScriptHandover(std::unique_ptr<RemoteProcess> process, Then<CommandOutcome> then, QObject* guard)
        : QObject(guard), m_process(std::move(process)), m_then(std::move(then))
    {
        connect(m_process.get(), &RemoteProcess::outputArrived, this, &ScriptHandover::handleOutput);
        connect(m_process.get(), &RemoteProcess::finished, this, &ScriptHandover::end);
    }

    ~ScriptHandover() override
    {
        if (m_process)
            m_process->disconnect(this);
    }

private:
    void handleOutput(const QByteArray& bytes)
    {
        m_output += bytes;
        const QByteArray line = scriptIsThere + QByteArray("\n");
        if (m_wasSaid || !m_output.startsWith(line))
            return;
        m_wasSaid = true;
        m_output.remove(0, line.size());
        m_process->write(submitWord);
        m_process->closeInput();
    }

    void end(const Result<CommandOutcome>& outcome)
    {
        Result<CommandOutcome> whole = outcome;
        if (whole.hasValue())
            whole.value().output = m_output + whole.value().output;
        // We are inside a signal of the process, and the continuation may destroy our guard: both go later.
        m_process->disconnect(this);
        m_process.release()->deleteLater();
        deleteLater();
        const Then<CommandOutcome> then = std::move(m_then);
        if (then)
            then(whole);
    }

    std::unique_ptr<RemoteProcess> m_process;
    Then<CommandOutcome> m_then;
    QByteArray m_output;
    bool m_wasSaid = false;
};

} // namespace

void handOver(RemoteShell& shell, const RemoteCommand& command, QObject* guard, Then<CommandOutcome> then)
{
    new ScriptHandover(shell.start(command), std::move(then), guard ? guard : &shell);
}

} // namespace rankwright::inline cluster

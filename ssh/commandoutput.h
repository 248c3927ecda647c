// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/core/error.h"

namespace rankwright {

/// The two streams of one command behind their fences, and what they mean at its end. Shared by the shells of this
/// folder; not a process itself.
class CommandOutput {
public:
    explicit CommandOutput(const RemoteCommand& command);

    /// What is sent to the remote shell.
    const QByteArray& wireLine() const { return m_wireLine; }
    /// The bytes that belong to the command.
    QByteArray feedOutput(const QByteArray& bytes) { return m_output.feed(bytes); }
    QByteArray feedErrors(const QByteArray& bytes);
    Result<CommandOutcome> outcome(std::optional<int> exitStatus, const QByteArray& exitSignal);
    /// Why the line cannot be sent at all; empty when it can.
    std::optional<Error> unsendable() const;

private:
    QString m_line;
    QByteArray m_wireLine;
    OutputFence m_output;
    OutputFence m_errors;
    QByteArray m_errorTail;
};

} // namespace rankwright

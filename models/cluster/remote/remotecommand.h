// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace rankwright::inline cluster {

/// Characters of a terminal.
struct TerminalSize {
    int columns = 80;
    int rows = 24;
    bool operator==(const TerminalSize&) const = default;
};

/// The pseudo terminal that a command gets on the far side.
struct TerminalRequest {
    QByteArray type = "xterm-256color"; ///< $TERM
    TerminalSize size;
};

/// A command for a remote POSIX shell: words that arrive as given, input, deadline. Decides quoting, fence and
/// deadline; does not run anything.
struct RemoteCommand {
    QString line; ///< the shell line, already quoted
    QByteArray input; ///< written to stdin, then stdin is closed, unless `interactive`
    bool interactive = false; ///< stdin stays open for RemoteProcess::write()
    bool urgent = false; ///< goes before queued commands (submit, cancel)
    bool fenced = true; ///< drop what start-up files of the account print before the command's own output
    std::optional<int> deadlineSeconds = 30; ///< empty: no deadline (streams)
    std::optional<TerminalRequest> terminal = {}; ///< stderr comes with stdout then, and nothing is fenced
    bool keepsPlace = false; ///< a stream that people's connections hang on: the last to make room for others
    qint64 outputLimit = qint64(64) * 1024 * 1024; ///< run() fails beyond this; streams are not limited
    QString purpose = {}; ///< for people, what it is good for: "Asks for your jobs in the queue"; empty: not said

    /// From words: each is quoted.
    static RemoteCommand of(const QStringList& words, const QByteArray& input = {});
    /// From a shell line that is used as it stands.
    static RemoteCommand shell(const QString& line, const QByteArray& input = {});
    /// The same with a purpose.
    RemoteCommand withPurpose(const QString& words) const;

    /// What is sent: the line behind a marker when fenced. `marker` is a random word.
    QByteArray wireLine(const QByteArray& marker) const;
};

/// Cuts everything up to and including the marker's line out of a stream; feed() gives the bytes that belong to the
/// command. Used by every implementation of the port.
class OutputFence {
public:
    explicit OutputFence(QByteArray marker = {}) : m_marker(std::move(marker)), m_open(m_marker.isEmpty()) { }
    QByteArray feed(const QByteArray& bytes);
    bool isOpen() const { return m_open; }
    /// The end of what came while the marker was missing: the only hint when it never comes. At most some KiB.
    const QByteArray& withheld() const { return m_pending; }

private:
    QByteArray m_marker;
    QByteArray m_pending;
    bool m_open;
};

/// How a remote command ended. `exitStatus` is empty when the remote reported none (killed by a signal, or link lost).
struct CommandOutcome {
    QByteArray output; ///< empty for streams: they were delivered by outputArrived
    QByteArray errorOutput; ///< last 64 KiB of stderr
    std::optional<int> exitStatus;
    QByteArray exitSignal; ///< "KILL"; empty when none

    bool succeeded() const { return exitStatus == 0; }
    /// The error of a failed command: last line of stderr, exit status, the command as typed.
    Error toError(const RemoteCommand& command) const;
};

} // namespace rankwright::inline cluster

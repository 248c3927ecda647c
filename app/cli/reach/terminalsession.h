// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"

#include <QSocketNotifier>

#include <termios.h>

namespace rankwright {

/// What OpenSSH calls the escape: after a line end, "~." ends the connection and "~~" sends one tilde.
class EscapeWatch {
public:
    /// The bytes to be sent; isAsked(): the end was asked for, and nothing after it counts.
    QByteArray feed(const QByteArray& typed);
    bool isAsked() const { return m_asked; }

private:
    bool m_atStart = true;
    bool m_tilde = false;
    bool m_asked = false;
};

/// A terminal that is given to one remote command: raw while this lives, with its size at the far side as it changes
/// (SIGWINCH). Where the input is none, the command has none either and gets the bytes as they come. POSIX; one at a
/// time.
class TerminalSession final : public QObject {
    Q_OBJECT
public:
    explicit TerminalSession(int input = 0, int output = 1, int errors = 2, QObject* parent = nullptr);
    ~TerminalSession() override;

    /// For the command: empty unless input and output are both terminals.
    std::optional<TerminalRequest> terminal() const;
    void run(std::unique_ptr<RemoteProcess> process);
    /// The terminal as it was before.
    void restore();

signals:
    /// Once: its exit status (of a signal 128 and more), or why it could not be run.
    void ended(const rankwright::Result<int>& status);

private:
    void read();
    void updateSize();
    void print(int descriptor, const QByteArray& bytes);
    void finish(const Result<int>& status);

    const int m_input;
    const int m_output;
    const int m_errors;
    bool m_isTerminal = false;
    bool m_isRaw = false;
    termios m_before = {};
    EscapeWatch m_escape;
    std::unique_ptr<RemoteProcess> m_process;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_resized;
    int m_pipe[2] = {-1, -1};
    qint64 m_written = 0;
    qint64 m_sent = 0;
    bool m_inputEnded = false;
    bool m_finished = false;
};

} // namespace rankwright

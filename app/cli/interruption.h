// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <csignal>

class QSocketNotifier;

namespace rankwright {

/// Ctrl-C, a request to end (SIGTERM) and a lost terminal (SIGHUP) as a signal of Qt, so that a command can say what
/// becomes of what it began. What was ignored stays so (nohup). The second one ends the program at once. Posix; one at
/// a time, lives for one command.
class Interruption final : public QObject {
    Q_OBJECT
public:
    explicit Interruption(QObject* parent = nullptr);
    ~Interruption() override;

    /// Readable once a signal came: for waits outside of the event loop. -1: no signal is taken now.
    static int descriptor();
    /// The signal that came in this program's life; 0: none.
    static int received();
    /// Ends the program by that signal, as its caller (a shell's loop) expects; returns when none came.
    static void endBySignal();

signals:
    void signalArrived(int number);

private:
    QSocketNotifier* m_notifier = nullptr;
    int m_pipe[2] = {-1, -1};
    struct sigaction m_before[3] = {};
};

} // namespace rankwright

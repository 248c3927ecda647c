// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QObject>
#include <QSocketNotifier>

#include <deque>
#include <memory>

namespace rankwright {

/// Writes to a descriptor that another program has passed: a terminal, a pipe, a file. POSIX; GUI thread. Never blocks
/// but on a terminal that says it has room and has not.
class PassedOutput final : public QObject {
    Q_OBJECT
public:
    explicit PassedOutput(Descriptor descriptor, QObject* parent = nullptr);
    ~PassedOutput() override;

    void write(const QByteArray& bytes);
    /// Once everything was written.
    void closeWhenDone();
    bool isClosed() const { return !m_descriptor.isValid(); }
    bool isIdle() const { return m_queue.empty(); }
    qint64 waiting() const { return m_waiting; }

signals:
    /// Something was written.
    void progressed();
    /// Nothing waits any more, or the reader has closed its end.
    void allWritten();

private:
    void feed();
    void close();

    Descriptor m_descriptor;
    std::unique_ptr<QSocketNotifier> m_writable;
    std::deque<QByteArray> m_queue;
    qint64 m_waiting = 0;
    const bool m_isTerminal;
    bool m_closing = false;
};

} // namespace rankwright

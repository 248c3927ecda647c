// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "ssh/sshposix.h"

#include <QObject>
#include <QSocketNotifier>

#include <deque>
#include <memory>
#include <vector>

namespace rankwright {

/// The standard streams of one session, this side of them: pipes, or a pseudo terminal, whose other ends a master is
/// given. POSIX; GUI thread, never blocks.
class MuxStreams final : public QObject {
    Q_OBJECT
public:
    explicit MuxStreams(QObject* parent = nullptr);
    ~MuxStreams() override;

    enum class Session { Command, Dialled };
    /// Makes them; the far ends, in the order in which they are passed: input, output and, of a
    /// command, errors. Empty: the system gives no more descriptors.
    std::vector<Descriptor> open(const std::optional<TerminalRequest>& terminal, Session session);
    /// The session stands: its terminal echoes nothing here from now on, since the far one does.
    void setRaw();
    void resize(const TerminalSize& size);

    void write(const QByteArray& input);
    /// After what was written.
    void closeInput();
    void hold(bool held);
    bool isOutputEnded() const { return !m_output.isValid(); }
    bool isEnded() const { return !m_output.isValid() && !m_errors.isValid(); }
    /// Nothing is read any more.
    void close();

signals:
    void outputArrived(const QByteArray& bytes);
    void errorArrived(const QByteArray& bytes);
    /// Bytes of input that were taken so far.
    void inputSent(qint64 total);
    /// One of the two output streams has ended.
    void streamEnded();

private:
    bool openTerminal(const TerminalRequest& terminal, std::vector<Descriptor>& far);
    void read(bool isError);
    void feed();
    static void closeDescriptor(std::unique_ptr<QSocketNotifier>& notifier, Descriptor& descriptor);

    Descriptor m_input; ///< of a terminal also its output, under another number
    Descriptor m_output;
    Descriptor m_errors;
    Descriptor m_terminal; ///< the far end of one, until the session stands
    std::unique_ptr<QSocketNotifier> m_writable;
    std::unique_ptr<QSocketNotifier> m_outputReady;
    std::unique_ptr<QSocketNotifier> m_errorsReady;
    std::deque<QByteArray> m_queue;
    qsizetype m_offset = 0; ///< in the first block
    qint64 m_sent = 0;
    bool m_inputEnds = false;
    bool m_isTerminal = false;
};

} // namespace rankwright

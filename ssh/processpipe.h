// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <mutex>
#include <utility>

namespace rankwright {

enum class ProcessStream { Output, Errors };

/// What a remote process printed and the GUI thread has not taken yet. The only thing of a process that both threads
/// touch; everything under its own lock, which is held for a copy of pointers or one append.
class ProcessPipe {
public:
    struct Contents {
        QByteArray output;
        QByteArray errorOutput;
        qint64 sent = 0; ///< bytes of stdin handed to the connection so far
        bool begun = false; ///< of a dialled connection: it was accepted
        bool ended = false; ///< of a dialled connection: nothing more comes
        bool refused = false; ///< bytes were turned away since the last time: the connection waits for room
    };

    explicit ProcessPipe(qint64 limit) : m_limit(limit) { }

    /// Takes the bytes, unless the limit is reached. Connection's thread.
    bool append(ProcessStream stream, const char* bytes, qsizetype count)
    {
        const std::lock_guard lock(m_mutex);
        if (m_contents.output.size() + m_contents.errorOutput.size() >= m_limit) {
            m_contents.refused = true;
            return false;
        }
        (stream == ProcessStream::Errors ? m_contents.errorOutput : m_contents.output).append(bytes, count);
        return true;
    }
    /// The same beyond the limit, at the end of a process.
    void appendLast(ProcessStream stream, const QByteArray& bytes)
    {
        const std::lock_guard lock(m_mutex);
        (stream == ProcessStream::Errors ? m_contents.errorOutput : m_contents.output).append(bytes);
    }
    bool isEmpty() const
    {
        const std::lock_guard lock(m_mutex);
        return m_contents.output.isEmpty() && m_contents.errorOutput.isEmpty();
    }
    void addSent(qint64 count)
    {
        const std::lock_guard lock(m_mutex);
        m_contents.sent += count;
    }
    void setBegun()
    {
        const std::lock_guard lock(m_mutex);
        m_contents.begun = true;
    }
    void setEnded()
    {
        const std::lock_guard lock(m_mutex);
        m_contents.ended = true;
    }
    /// True once per announcement: whether the GUI thread must be notified, because it was not since it last took.
    bool announce()
    {
        const std::lock_guard lock(m_mutex);
        return !std::exchange(m_announced, true);
    }
    /// Bytes of stdin handed to the connection, without taking what was printed. GUI thread.
    qint64 readSent()
    {
        const std::lock_guard lock(m_mutex);
        m_announced = false;
        return m_contents.sent;
    }
    /// GUI thread.
    Contents take()
    {
        const std::lock_guard lock(m_mutex);
        m_announced = false;
        Contents taken = std::exchange(m_contents, {});
        m_contents.sent = taken.sent;
        return taken;
    }

private:
    mutable std::mutex m_mutex;
    Contents m_contents;
    bool m_announced = false;
    const qint64 m_limit;
};

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/passedoutput.h"

#include <QPointer>

#include <algorithm>
#include <cerrno>

#include <unistd.h>

namespace rankwright {

namespace {

constexpr qsizetype terminalPiece = 512;
constexpr qsizetype piece = 65536;

} // namespace

PassedOutput::PassedOutput(Descriptor descriptor, QObject* parent)
    : QObject(parent), m_descriptor(std::move(descriptor)), m_isTerminal(::isatty(m_descriptor.get()) == 1)
{
    if (!m_isTerminal) // a terminal's modes are shared with the shell it belongs to
        setNonBlocking(m_descriptor.get());
    m_writable = std::make_unique<QSocketNotifier>(m_descriptor.get(), QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &PassedOutput::feed);
}

PassedOutput::~PassedOutput() { close(); }

void PassedOutput::close()
{
    if (m_writable) {
        m_writable->setEnabled(false);
        m_writable.release()->deleteLater(); // it may be the sender of what led here
    }
    m_descriptor.reset();
    m_queue.clear();
    m_waiting = 0;
}

void PassedOutput::write(const QByteArray& bytes)
{
    if (bytes.isEmpty() || !m_descriptor.isValid())
        return;
    m_queue.push_back(bytes);
    m_waiting += bytes.size();
    m_writable->setEnabled(true);
}

void PassedOutput::closeWhenDone()
{
    m_closing = true;
    if (m_queue.empty())
        close();
}

/// One piece for each time that there is room.
void PassedOutput::feed()
{
    if (m_queue.empty()) {
        m_writable->setEnabled(false);
        return;
    }
    QByteArray& block = m_queue.front();
    const qsizetype most = std::min(block.size(), m_isTerminal ? terminalPiece : piece);
    const ssize_t count = ::write(m_descriptor.get(), block.constData(), static_cast<size_t>(most));
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count < 0) { // the reader has closed its end
        close();
        emit allWritten();
        return;
    }
    m_waiting -= count;
    block.remove(0, count);
    if (block.isEmpty())
        m_queue.pop_front();
    const QPointer<PassedOutput> self(this);
    emit progressed();
    if (!self || !m_queue.empty())
        return;
    if (m_closing)
        close();
    else if (m_writable)
        m_writable->setEnabled(false);
    emit allWritten();
}

} // namespace rankwright

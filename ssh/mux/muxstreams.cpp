// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/muxstreams.h"

#include <QPointer>

#include <array>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

namespace rankwright {

namespace {

constexpr char endOfInput = 4; // Ctrl-D: the far terminal turns it into an end of file

/// Reading end, writing end.
std::pair<Descriptor, Descriptor> newPipe()
{
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return {};
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

winsize sizeOf(const TerminalSize& size)
{
    winsize given{};
    given.ws_col = static_cast<unsigned short>(qBound(1, size.columns, 65535));
    given.ws_row = static_cast<unsigned short>(qBound(1, size.rows, 65535));
    return given;
}

} // namespace

MuxStreams::MuxStreams(QObject* parent) : QObject(parent) { }

MuxStreams::~MuxStreams() { close(); }

void MuxStreams::closeDescriptor(std::unique_ptr<QSocketNotifier>& notifier, Descriptor& descriptor)
{
    if (notifier) {
        notifier->setEnabled(false);
        notifier.release()->deleteLater(); // it may be the sender of what led here
    }
    descriptor.reset();
}

void MuxStreams::close()
{
    closeDescriptor(m_writable, m_input);
    closeDescriptor(m_outputReady, m_output);
    closeDescriptor(m_errorsReady, m_errors);
    m_terminal.reset();
    m_queue.clear();
}

std::vector<Descriptor> MuxStreams::open(const std::optional<TerminalRequest>& terminal, Session session)
{
    const bool isDialled = session == Session::Dialled;
    std::vector<Descriptor> far;
    m_isTerminal = terminal.has_value();
    if (m_isTerminal) {
        if (!openTerminal(*terminal, far))
            return {};
    } else {
        auto input = socketPair(); // unlike a pipe without a reader it raises no SIGPIPE
        auto output = newPipe();
        auto errors = isDialled ? std::pair<Descriptor, Descriptor>() : newPipe();
        if (!input.first.isValid() || !output.first.isValid() || (!isDialled && !errors.first.isValid()))
            return {};
        m_input = std::move(input.second);
        m_output = std::move(output.first);
        m_errors = std::move(errors.first);
        far.push_back(std::move(input.first));
        far.push_back(std::move(output.second));
        if (!isDialled)
            far.push_back(std::move(errors.second));
    }
    setNonBlocking(m_input.get());
    setNonBlocking(m_output.get());
    m_writable = std::make_unique<QSocketNotifier>(m_input.get(), QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &MuxStreams::feed);
    m_outputReady = std::make_unique<QSocketNotifier>(m_output.get(), QSocketNotifier::Read);
    connect(m_outputReady.get(), &QSocketNotifier::activated, this, [this] { read(false); });
    if (m_errors.isValid()) {
        setNonBlocking(m_errors.get());
        m_errorsReady = std::make_unique<QSocketNotifier>(m_errors.get(), QSocketNotifier::Read);
        connect(m_errorsReady.get(), &QSocketNotifier::activated, this, [this] { read(true); });
    }
    return far;
}

bool MuxStreams::openTerminal(const TerminalRequest& terminal, std::vector<Descriptor>& far)
{
    std::array<char, 128> name{};
    m_output = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!m_output.isValid() || ::grantpt(m_output.get()) != 0 || ::unlockpt(m_output.get()) != 0
        || ::ptsname_r(m_output.get(), name.data(), name.size()) != 0)
        return false;
    m_input = Descriptor(::fcntl(m_output.get(), F_DUPFD_CLOEXEC, 0));
    m_terminal = Descriptor(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!m_input.isValid() || !m_terminal.isValid())
        return false;
    ::tcflow(m_terminal.get(), TCOOFF); // what comes before setRaw() would get its line ends twice
    resize(terminal.size);
    for (int i = 0; i < 3; ++i)
        far.emplace_back(::fcntl(m_terminal.get(), F_DUPFD_CLOEXEC, 0));
    return far.back().isValid();
}

/// Not before the session stands: the master reads the modes for the far terminal from this one.
void MuxStreams::setRaw()
{
    termios modes{};
    if (m_terminal.isValid() && ::tcgetattr(m_terminal.get(), &modes) == 0) {
        ::cfmakeraw(&modes);
        ::tcsetattr(m_terminal.get(), TCSANOW, &modes);
    }
    if (m_terminal.isValid())
        ::tcflow(m_terminal.get(), TCOON);
    m_terminal.reset();
}

void MuxStreams::resize(const TerminalSize& size)
{
    const winsize given = sizeOf(size);
    if (m_output.isValid())
        ::ioctl(m_output.get(), TIOCSWINSZ, &given);
}

void MuxStreams::write(const QByteArray& input)
{
    if (input.isEmpty() || !m_input.isValid() || m_inputEnds)
        return;
    m_queue.push_back(input);
    m_writable->setEnabled(true);
}

void MuxStreams::closeInput()
{
    if (m_inputEnds || !m_input.isValid())
        return;
    if (m_isTerminal)
        write(QByteArray(1, endOfInput));
    m_inputEnds = true;
    m_writable->setEnabled(true);
}

void MuxStreams::feed()
{
    const qint64 before = m_sent;
    while (!m_queue.empty()) {
        const QByteArray& block = m_queue.front();
        const char* bytes = block.constData() + m_offset;
        const auto rest = static_cast<size_t>(block.size() - m_offset);
        const ssize_t count
            = m_isTerminal ? ::write(m_input.get(), bytes, rest) : ::send(m_input.get(), bytes, rest, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count < 0) { // the command has closed it, as it may
            m_queue.clear();
            m_inputEnds = true;
            break;
        }
        m_sent += count;
        m_offset += count;
        if (m_offset == block.size()) {
            m_queue.pop_front();
            m_offset = 0;
        }
    }
    if (m_queue.empty()) {
        if (m_inputEnds && !m_isTerminal)
            closeDescriptor(m_writable, m_input);
        else
            m_writable->setEnabled(false);
    }
    if (m_sent != before)
        emit inputSent(m_sent);
}

void MuxStreams::hold(bool held)
{
    for (const auto& notifier : {m_outputReady.get(), m_errorsReady.get()}) {
        if (notifier)
            notifier->setEnabled(!held);
    }
}

/// One piece at a time, so that many streams take turns.
void MuxStreams::read(bool isError)
{
    Descriptor& descriptor = isError ? m_errors : m_output;
    if (!descriptor.isValid())
        return;
    QByteArray bytes(65536, Qt::Uninitialized);
    const ssize_t count = ::read(descriptor.get(), bytes.data(), static_cast<size_t>(bytes.size()));
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) { // of a terminal EIO: its other end was closed
        closeDescriptor(isError ? m_errorsReady : m_outputReady, descriptor);
        emit streamEnded();
        return;
    }
    bytes.resize(count);
    if (isError)
        emit errorArrived(bytes);
    else
        emit outputArrived(bytes);
}

} // namespace rankwright

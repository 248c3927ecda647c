// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reach/terminalsession.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mostUnsent = 256 * 1024;
constexpr int ofSignals = 128; ///< as shells count

volatile std::sig_atomic_t resizeEnd = -1;

extern "C" void handleResize(int)
{
    const int before = errno;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(int(resizeEnd), &byte, 1);
    errno = before;
}

int numberOfSignal(const QByteArray& name)
{
    static const QHash<QByteArray, int> numbers{{"HUP", SIGHUP}, {"INT", SIGINT}, {"QUIT", SIGQUIT}, {"ABRT", SIGABRT},
        {"KILL", SIGKILL}, {"SEGV", SIGSEGV}, {"PIPE", SIGPIPE}, {"TERM", SIGTERM}};
    return numbers.value(name, 1);
}

} // namespace

QByteArray EscapeWatch::feed(const QByteArray& typed)
{
    QByteArray sent;
    for (const char byte : typed) {
        if (std::exchange(m_tilde, false)) {
            if (byte == '.') {
                m_asked = true;
                return sent;
            }
            sent += '~';
            if (byte == '~') {
                m_atStart = false;
                continue;
            }
        } else if (m_atStart && byte == '~') {
            m_tilde = true;
            continue;
        }
        m_atStart = byte == '\r' || byte == '\n';
        sent += byte;
    }
    return sent;
}

TerminalSession::TerminalSession(int input, int output, int errors, QObject* parent)
    : QObject(parent), m_input(input), m_output(output), m_errors(errors),
      m_isTerminal(::isatty(input) && ::isatty(output))
{ }

TerminalSession::~TerminalSession()
{
    if (m_process)
        m_process->disconnect(this);
    restore();
}

std::optional<TerminalRequest> TerminalSession::terminal() const
{
    if (!m_isTerminal)
        return {};
    TerminalRequest request;
    if (const QByteArray type = qgetenv("TERM"); !type.isEmpty() && type.size() < 64)
        request.type = type;
    winsize size{};
    if (::ioctl(m_output, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
        request.size = {size.ws_col, size.ws_row};
    return request;
}

void TerminalSession::run(std::unique_ptr<RemoteProcess> process)
{
    m_process = std::move(process);
    if (m_isTerminal && ::tcgetattr(m_input, &m_before) == 0) {
        termios raw = m_before;
        ::cfmakeraw(&raw);
        m_isRaw = ::tcsetattr(m_input, TCSADRAIN, &raw) == 0;
        if (::pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) == 0) {
            m_resized = std::make_unique<QSocketNotifier>(m_pipe[0], QSocketNotifier::Read);
            connect(m_resized.get(), &QSocketNotifier::activated, this, &TerminalSession::updateSize);
            resizeEnd = m_pipe[1];
            struct sigaction action { };
            action.sa_handler = handleResize;
            action.sa_flags = SA_RESTART;
            sigemptyset(&action.sa_mask);
            ::sigaction(SIGWINCH, &action, nullptr);
        }
    }
    m_readable = std::make_unique<QSocketNotifier>(m_input, QSocketNotifier::Read);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &TerminalSession::read);
    connect(m_process.get(), &RemoteProcess::outputArrived, this,
        [this](const QByteArray& bytes) { print(m_output, bytes); });
    connect(m_process.get(), &RemoteProcess::errorArrived, this,
        [this](const QByteArray& bytes) { print(m_errors, bytes); });
    connect(m_process.get(), &RemoteProcess::inputSent, this, [this](qint64 total) {
        m_sent = total;
        m_readable->setEnabled(!m_inputEnded && m_written - m_sent < mostUnsent);
    });
    connect(m_process.get(), &RemoteProcess::finished, this, [this](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            finish(fail(outcome.error()));
        else if (outcome->exitStatus)
            finish(*outcome->exitStatus);
        else
            finish(ofSignals + numberOfSignal(outcome->exitSignal));
    });
}

void TerminalSession::read()
{
    std::array<char, 16384> bytes;
    const ssize_t count = ::read(m_input, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count <= 0) {
        m_inputEnded = true;
        m_readable->setEnabled(false);
        m_process->closeInput();
        return;
    }
    QByteArray typed(bytes.data(), count);
    if (m_isTerminal) {
        typed = m_escape.feed(typed);
        if (m_escape.isAsked()) {
            finish(fail(Fault::Cancelled, u"The connection to the shell was ended here."_s));
            return;
        }
    }
    m_written += typed.size();
    m_process->write(typed);
    m_readable->setEnabled(m_written - m_sent < mostUnsent);
}

void TerminalSession::updateSize()
{
    std::array<char, 64> bytes;
    while (::read(m_pipe[0], bytes.data(), bytes.size()) > 0) { }
    if (const auto now = terminal(); now && m_process)
        m_process->resize(now->size);
}

/// All of it: whoever reads slowly holds the far side up, since nothing else is taken meanwhile.
void TerminalSession::print(int descriptor, const QByteArray& bytes)
{
    qsizetype at = 0;
    while (at < bytes.size()) {
        const ssize_t count = ::write(descriptor, bytes.constData() + at, static_cast<size_t>(bytes.size() - at));
        if (count >= 0) {
            at += count;
            continue;
        }
        if (errno == EAGAIN) {
            pollfd waiting{descriptor, POLLOUT, 0};
            ::poll(&waiting, 1, -1);
        } else if (errno != EINTR) {
            return; // the reader has closed its end
        }
    }
}

void TerminalSession::restore()
{
    if (std::exchange(m_isRaw, false))
        ::tcsetattr(m_input, TCSADRAIN, &m_before);
    if (m_pipe[0] >= 0) {
        std::signal(SIGWINCH, SIG_DFL);
        resizeEnd = -1;
        m_resized.reset();
        ::close(m_pipe[0]);
        ::close(m_pipe[1]);
        m_pipe[0] = m_pipe[1] = -1;
    }
}

void TerminalSession::finish(const Result<int>& status)
{
    if (std::exchange(m_finished, true))
        return;
    m_readable->setEnabled(false);
    m_process->disconnect(this);
    m_process.release()->deleteLater(); // we may be inside its signal
    restore();
    emit ended(status);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace rankwright {
namespace {

constexpr std::array<int, 3> handled{SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t came = 0;
volatile std::sig_atomic_t writeEnd = -1;
int readEnd = -1;

extern "C" void handleSignal(int number)
{
    const int before = errno;
    if (came != 0) { // asked twice: no more words
        std::signal(number, SIG_DFL);
        ::raise(number);
        return;
    }
    came = number;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(int(writeEnd), &byte, 1);
    errno = before;
}

} // namespace

Interruption::Interruption(QObject* parent) : QObject(parent)
{
    if (::pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    readEnd = m_pipe[0];
    writeEnd = m_pipe[1];
    m_notifier = new QSocketNotifier(m_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false); // stays readable for waits outside of the event loop
        emit signalArrived(int(came));
    });
    struct sigaction action { };
    action.sa_handler = handleSignal;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < handled.size(); ++i) {
        ::sigaction(handled.at(i), nullptr, &m_before[i]);
        if (m_before[i].sa_handler != SIG_IGN)
            ::sigaction(handled.at(i), &action, nullptr);
    }
}

Interruption::~Interruption()
{
    if (m_pipe[0] < 0)
        return;
    for (size_t i = 0; i < handled.size(); ++i)
        ::sigaction(handled.at(i), &m_before[i], nullptr);
    readEnd = -1;
    writeEnd = -1;
    delete m_notifier;
    ::close(m_pipe[0]);
    ::close(m_pipe[1]);
}

int Interruption::descriptor() { return readEnd; }

int Interruption::received() { return int(came); }

void Interruption::endBySignal()
{
    if (came == 0)
        return;
    std::signal(int(came), SIG_DFL);
    ::raise(int(came));
}

} // namespace rankwright

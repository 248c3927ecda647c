// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminalprompt.h"

#include "app/cli/interruption.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qsizetype longestLine = 4096;

/// Switches the terminal's echo off for its life.
class Quiet final {
    Q_DISABLE_COPY_MOVE(Quiet)
public:
    Quiet(int descriptor, bool wanted) : m_descriptor(descriptor)
    {
        if (!wanted || ::tcgetattr(descriptor, &m_before) != 0)
            return;
        termios quiet = m_before;
        quiet.c_lflag &= ~tcflag_t(ECHO);
        m_changed = ::tcsetattr(descriptor, TCSAFLUSH, &quiet) == 0;
    }
    ~Quiet()
    {
        if (m_changed)
            ::tcsetattr(m_descriptor, TCSAFLUSH, &m_before);
    }

private:
    int m_descriptor;
    termios m_before{};
    bool m_changed = false;
};

/// False: the program was interrupted meanwhile, and the line is not to be read.
bool awaitByte(int descriptor)
{
    for (;;) {
        pollfd waiting[]{{descriptor, POLLIN, 0}, {Interruption::descriptor(), POLLIN, 0}};
        const int ready = ::poll(waiting, 2, -1);
        if (Interruption::received() != 0 && Interruption::descriptor() >= 0)
            return false;
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
    }
}

/// One line, byte by byte: what is behind it belongs to the next question.
QByteArray lineFrom(int descriptor, bool& ended)
{
    QByteArray line;
    line.reserve(longestLine); // no copies of a secret are left behind by growing
    for (;;) {
        char byte = 0;
        if (!awaitByte(descriptor)) {
            ended = true;
            return {};
        }
        const ssize_t got = ::read(descriptor, &byte, 1);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0) {
            ended = line.isEmpty();
            return line;
        }
        if (byte == '\n' || line.size() >= longestLine)
            return line;
        if (byte != '\r')
            line.append(byte);
    }
}

} // namespace

bool standardInputIsTerminal() { return ::isatty(STDIN_FILENO) == 1; }

TerminalPrompt::TerminalPrompt(QTextStream& err, int passwordDescriptor) : m_err(err), m_descriptor(passwordDescriptor)
{ }

TerminalPrompt::~TerminalPrompt() = default;

PromptAnswer TerminalPrompt::answer(const LoginPrompt& prompt)
{
    if (prompt.kind == LoginPrompt::Kind::HostKey)
        return answerHostKey(prompt);
    if (m_descriptor < 0 && !standardInputIsTerminal()) {
        m_err << u"rankwright-cli: "_s << prompt.host
              << u" asks for a password, and there is no terminal to ask on; use a key, or --password-fd N\n"_s;
        m_err.flush();
        return {};
    }
    for (const QString& text : {prompt.title, prompt.instruction}) {
        if (!text.isEmpty())
            m_err << text << u'\n';
    }
    PromptAnswer answer;
    answer.accepted = true;
    for (const LoginPrompt::Question& question : prompt.questions) {
        m_err << prompt.host << u": "_s << question.text << u' ';
        m_err.flush();
        bool ended = false;
        answer.answers.append(readLine(question.echo, ended));
        m_err << u'\n';
        if (ended)
            return {};
    }
    m_err.flush();
    return answer;
}

PromptAnswer TerminalPrompt::answerHostKey(const LoginPrompt& prompt)
{
    m_err << u"The host key of "_s << prompt.host << u" is not known yet.\n  "_s << prompt.keyType << u' '
          << prompt.fingerprint << u'\n';
    if (prompt.published.isEmpty())
        m_err << u"  No fingerprint is published for it; compare it with one you trust.\n"_s;
    else if (prompt.published.contains(prompt.fingerprint))
        m_err << u"  It matches the fingerprint that the operator publishes.\n"_s;
    else
        m_err << u"  It is NOT one of those that the operator publishes: "_s << prompt.published.join(u", "_s) << u'\n';
    if (!standardInputIsTerminal()) {
        m_err << u"rankwright-cli: refused, since there is no terminal to ask on; add the key to "_s
              << prompt.knownHostsFile << u'\n';
        m_err.flush();
        return {};
    }
    m_err << u"Type yes to accept it and to remember it in "_s << prompt.knownHostsFile << u": "_s;
    m_err.flush();
    bool ended = false;
    const QByteArray typed = lineFrom(STDIN_FILENO, ended);
    PromptAnswer answer;
    answer.accepted = typed == "yes" || typed == prompt.fingerprint.toUtf8();
    return answer;
}

Secret TerminalPrompt::readLine(bool echo, bool& ended)
{
    const int descriptor = m_descriptor >= 0 ? m_descriptor : STDIN_FILENO;
    const Quiet quiet(descriptor, !echo && m_descriptor < 0);
    QByteArray line = lineFrom(descriptor, ended);
    Secret secret(line);
    line.fill('\0');
    return secret;
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminalprompt.h"

#include "app/cli/interruption.h"
#include "models/core/harmlesstext.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
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

/// One line, byte by byte: what is after it belongs to the next question.
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

/// Each line with our mark before it, and short enough that the terminal does not wrap it: at the beginning of a line
/// of the screen nothing of the server's can stand.
static QStringList markedLines(const QString& text, int columns)
{
    constexpr qsizetype mostLines = 40;
    const int room = qMax(10, columns - int(serverMark.size()) - 2);
    QStringList lines;
    for (const QString& raw : text.split(u'\n')) {
        QString line;
        int cells = 0;
        for (const QChar c : harmlessLine(raw, 4000)) {
            const int wide = c.unicode() < 0x300 ? 1 : 2; // what may take two cells counts as two
            if (cells + wide > room) {
                lines.append(serverMark + line);
                line.clear();
                cells = 0;
            }
            line += c;
            cells += wide;
        }
        if (!line.isEmpty())
            lines.append(serverMark + line);
    }
    return lines.mid(0, mostLines);
}

static int terminalColumns()
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

QStringList promptLines(const LoginPrompt& prompt, int columns)
{
    QStringList lines;
    const QString host = harmlessLine(prompt.host);
    switch (prompt.kind) {
    case LoginPrompt::Kind::Passphrase:
        lines << u"Rankwright needs the passphrase of a key on this machine. It is not sent to any server."_s
              << u"Key: "_s + harmlessLine(prompt.questions.value(0).text);
        break;
    case LoginPrompt::Kind::Password: lines << u"The password for %1 is sent to that host."_s.arg(host); break;
    default:
        lines << u"%1 asks. What you type is sent to that host: never type the passphrase of a key."_s.arg(host);
        lines += markedLines(prompt.title, columns);
        lines += markedLines(prompt.instruction, columns);
        if (prompt.questions.size() == 1)
            lines += markedLines(prompt.questions.first().text, columns);
        break;
    }
    if (!prompt.notice.isEmpty())
        lines.insert(0, u"Rankwright: "_s + prompt.notice);
    return lines;
}

QString promptCue(const LoginPrompt& prompt)
{
    switch (prompt.kind) {
    case LoginPrompt::Kind::Passphrase: return u"Passphrase (stays on this machine): "_s;
    case LoginPrompt::Kind::Password: return u"Password for %1: "_s.arg(harmlessLine(prompt.host));
    default: return u"Answer to %1: "_s.arg(harmlessLine(prompt.host));
    }
}

QStringList bannerLines(const QString& host, const QString& text, int columns)
{
    QStringList lines;
    for (const QString& line : markedLines(text, columns))
        lines.append(u"The server says: "_s + line.mid(serverMark.size()));
    if (!lines.isEmpty())
        lines.prepend(u"From %1:"_s.arg(harmlessLine(host)));
    return lines;
}

bool standardInputIsTerminal() { return ::isatty(STDIN_FILENO) == 1; }

std::optional<QByteArray> lineFromTerminal()
{
    bool ended = false;
    const QByteArray line = lineFrom(STDIN_FILENO, ended);
    return ended ? std::nullopt : std::optional(line);
}

TerminalPrompt::TerminalPrompt(QTextStream& err, int passwordDescriptor) : m_err(err), m_descriptor(passwordDescriptor)
{ }

TerminalPrompt::~TerminalPrompt() = default;

/// The same question again means that its answer was not right.
static QString questionKey(const LoginPrompt& prompt)
{
    QString key = QString::number(int(prompt.kind)) + u'\n' + prompt.host;
    for (const LoginPrompt::Question& question : prompt.questions)
        key += u'\n' + question.text;
    return key;
}

/// "the passphrase of a key", "the password", "the answer to “Verification code:”".
static QString askedFor(const LoginPrompt& prompt)
{
    if (prompt.staysHere())
        return u"the passphrase of a key"_s;
    const QString text
        = prompt.questions.size() == 1 ? harmlessLine(prompt.questions.first().text.trimmed()) : QString();
    const bool isPassword = prompt.kind != LoginPrompt::Kind::KeyboardInteractive || text.isEmpty()
        || text.contains(u"password"_s, Qt::CaseInsensitive);
    return isPassword ? u"the password"_s : u"the answer to “%1”"_s.arg(text);
}

bool TerminalPrompt::isRefused(const LoginPrompt& prompt) const
{
    return m_descriptor >= 0 && !prompt.isJump && m_answered.contains(questionKey(prompt));
}

bool TerminalPrompt::takesDescriptor(const LoginPrompt& prompt, QString& why) const
{
    if (m_descriptor < 0)
        why = u"there is no terminal to ask on; use a key, or --password-fd N"_s;
    else if (prompt.isJump)
        why = u"--password-fd answers the cluster alone, never a host on the way; use a key there"_s;
    else if (isRefused(prompt))
        why = u"the answer from --password-fd was refused"_s; // a line is given once: several refusals lock accounts
    for (const LoginPrompt::Question& question : prompt.questions) {
        if (question.echo && why.isEmpty())
            why = u"--password-fd answers only questions whose answer is not shown"_s;
    }
    return why.isEmpty();
}

PromptAnswer TerminalPrompt::answer(const LoginPrompt& prompt)
{
    if (prompt.kind == LoginPrompt::Kind::HostKey)
        return answerHostKey(prompt);
    QString why;
    const bool byDescriptor = takesDescriptor(prompt, why);
    if (!byDescriptor && !standardInputIsTerminal()) {
        m_err << u"rankwright-cli: "_s << prompt.host;
        if (isRefused(prompt))
            m_err << u" refused "_s << askedFor(prompt) << u" that --password-fd gave; a line is given once\n"_s;
        else
            m_err << u" asks for "_s << askedFor(prompt) << u", and "_s << why << u'\n';
        m_err.flush();
        return {};
    }
    for (const QString& line : promptLines(prompt, terminalColumns()))
        m_err << line << u'\n';
    PromptAnswer answer;
    answer.accepted = true;
    for (const LoginPrompt::Question& question : prompt.questions) {
        if (prompt.questions.size() > 1) {
            for (const QString& line : markedLines(question.text, terminalColumns()))
                m_err << line << u'\n';
        }
        m_err << promptCue(prompt);
        m_err.flush();
        const auto line = readLine(byDescriptor ? m_descriptor : STDIN_FILENO, question.echo ? Echo::On : Echo::Off);
        m_err << u'\n';
        if (!line)
            return {};
        answer.answers.append(*line);
    }
    if (byDescriptor)
        m_answered.append(questionKey(prompt));
    m_err.flush();
    return answer;
}

PromptAnswer TerminalPrompt::answerHostKey(const LoginPrompt& prompt)
{
    m_err << u"The host key of "_s << prompt.host << u" is not known yet.\n  "_s << prompt.keyType << u' '
          << prompt.fingerprint << u'\n';
    if (!prompt.notice.isEmpty())
        m_err << u"  "_s << harmlessLine(prompt.notice) << u'\n';
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

std::optional<Secret> TerminalPrompt::readLine(int descriptor, Echo echo)
{
    const Quiet quiet(descriptor, echo == Echo::Off && descriptor != m_descriptor);
    bool ended = false;
    QByteArray line = lineFrom(descriptor, ended);
    std::optional<Secret> secret;
    if (!ended)
        secret = Secret(line);
    line.fill('\0');
    return secret;
}

} // namespace rankwright

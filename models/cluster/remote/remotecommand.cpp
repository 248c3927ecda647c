// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remotecommand.h"

#include "models/core/shellquote.h"

#include <cstring>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

/// What start-up files print before the marker is kept up to here: when the marker never comes, it is the only hint.
constexpr qsizetype noiseLimit = 4096;

bool isBareInEveryShell(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9')
        || (byte != '\0' && std::strchr("_./-=:,+@% ", byte));
}

/// One word in single quotes. Sound in POSIX shells, fish and csh as long as the text has none of the characters of
/// needsEscapes().
QByteArray singleQuoted(const QByteArray& text)
{
    QByteArray quoted = text;
    quoted.replace('\'', "'\\''");
    return '\'' + quoted + '\'';
}

/// csh expands '!' and refuses newlines even in single quotes; fish takes backslashes in them for itself.
bool needsEscapes(const QByteArray& text)
{
    for (const char byte : text) {
        if (byte == '!' || byte == '\\' || static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f)
            return true;
    }
    return false;
}

/// For printf's %b: \0ooo for all but harmless bytes (POSIX, printf utility).
QByteArray octalEscaped(const QByteArray& text)
{
    QByteArray escaped;
    escaped.reserve(text.size() * 2);
    for (const char byte : text) {
        if (isBareInEveryShell(byte)) {
            escaped += byte;
            continue;
        }
        const auto value = static_cast<unsigned char>(byte);
        escaped += "\\0";
        escaped += static_cast<char>('0' + (value >> 6));
        escaped += static_cast<char>('0' + ((value >> 3) & 7));
        escaped += static_cast<char>('0' + (value & 7));
    }
    return escaped;
}

QString lastLine(const QByteArray& text)
{
    const QList<QByteArray> lines = text.split('\n');
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        const QString readable = QString::fromUtf8(*line).simplified();
        if (!readable.isEmpty())
            return readable;
    }
    return {};
}

QString shortened(const QString& text, qsizetype limit)
{
    return text.size() <= limit ? text : QString(text.left(limit) + u"…"_s);
}

/// A command as an error names it: without the text of a program that a shell is given.
QString namedCommand(const QString& line)
{
    const qsizetype lineBreak = line.indexOf(u'\n');
    if (lineBreak < 0)
        return shortened(line, 600);
    const qsizetype quote = line.indexOf(u'\'');
    return line.left(quote > 0 && quote < lineBreak ? quote : lineBreak).trimmed() + u" …";
}

} // namespace

RemoteCommand RemoteCommand::of(const QStringList& words, const QByteArray& input)
{
    return shell(shellQuote(words), input);
}

RemoteCommand RemoteCommand::shell(const QString& line, const QByteArray& input)
{
    RemoteCommand command;
    command.line = line;
    command.input = input;
    return command;
}

RemoteCommand RemoteCommand::withPurpose(const QString& words) const
{
    RemoteCommand command = *this;
    command.purpose = words;
    return command;
}

QByteArray RemoteCommand::wireLine(const QByteArray& marker) const
{
    QByteArray script;
    if (fenced && !terminal && !marker.isEmpty()) {
        // Behind a newline, since noise may not end with one; stderr gets the marker too. echo and not printf: it
        // needs no backslash, so that the common line stays readable in process lists and logs.
        const QByteArray print = "echo; echo " + marker;
        script = "{ " + print + "; }; { " + print + "; } >&2; ";
    }
    script += line.toUtf8();
    // Whatever the account's login shell is (csh, fish), the line is read by a POSIX shell. `exec` keeps it one
    // process, so that a signal to the command's group finds it.
    if (!needsEscapes(script))
        return "exec /bin/sh -c " + singleQuoted(script);
    return "exec /bin/sh -c 'eval \"$(printf %b \"$0\")\"' " + singleQuoted(octalEscaped(script));
}

QByteArray OutputFence::feed(const QByteArray& bytes)
{
    if (m_open)
        return bytes;
    m_pending += bytes;
    const QByteArray line = m_marker + '\n';
    const qsizetype at = m_pending.indexOf(line);
    if (at >= 0) {
        m_open = true;
        const QByteArray rest = m_pending.mid(at + line.size());
        m_pending.clear();
        return rest;
    }
    const qsizetype keep = noiseLimit + line.size();
    if (m_pending.size() > keep)
        m_pending.remove(0, m_pending.size() - keep);
    return {};
}

Error CommandOutcome::toError(const RemoteCommand& command) const
{
    QString how;
    if (exitStatus)
        how = u"exit status %1"_s.arg(*exitStatus);
    else if (!exitSignal.isEmpty())
        how = u"killed by signal %1"_s.arg(QString::fromLatin1(exitSignal));
    else
        how = u"ended without a status"_s;

    QString reason = lastLine(errorOutput);
    if (reason.isEmpty())
        reason = lastLine(output);
    Error error;
    error.fault = Fault::RemoteExit;
    error.what
        = reason.isEmpty() ? u"The remote command failed with no message (%1)."_s.arg(how) : shortened(reason, 300);
    error.detail = u"%1: %2"_s.arg(how, namedCommand(command.line));
    const QString errors = QString::fromUtf8(errorOutput.right(4096)).trimmed();
    if (!errors.isEmpty() && errors != reason)
        error.detail += u"\n"_s + errors;
    if (exitStatus == 127)
        error.remedy = u"The program was not found there: check the module or the path."_s;
    return error;
}

} // namespace rankwright::inline cluster

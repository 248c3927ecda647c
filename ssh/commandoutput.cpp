// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/commandoutput.h"

#include <QRandomGenerator>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype errorTailLimit = 0x10000; // 64 KiB
constexpr qsizetype longestLine = 120000; // one argument of exec() takes 128 KiB on Linux (execve(2))

QByteArray newMarker(const RemoteCommand& command)
{
    if (!command.fenced || command.terminal)
        return {};
    return "rankwright-" + QByteArray::number(QRandomGenerator::system()->generate64(), 16);
}

} // namespace

CommandOutput::CommandOutput(const RemoteCommand& command) : m_line(command.line)
{
    const QByteArray marker = newMarker(command);
    m_output = OutputFence(marker);
    m_errors = OutputFence(marker);
    m_wireLine = command.wireLine(marker);
}

std::optional<Error> CommandOutput::unsendable() const
{
    if (m_line.contains(QChar(u'\0')))
        return Error{Fault::Invalid, u"A command cannot contain a NUL character."_s, m_line.left(200), {}};
    if (m_wireLine.size() > longestLine)
        return Error{Fault::Invalid, u"The command line is too long."_s,
            u"%1 bytes, at most %2 can be sent"_s.arg(m_wireLine.size()).arg(longestLine),
            u"Send the text as input instead."_s};
    return std::nullopt;
}

QByteArray CommandOutput::feedErrors(const QByteArray& bytes)
{
    const QByteArray own = m_errors.feed(bytes);
    m_errorTail += own;
    if (m_errorTail.size() > errorTailLimit)
        m_errorTail.remove(0, m_errorTail.size() - errorTailLimit);
    return own;
}

Result<CommandOutcome> CommandOutput::outcome(std::optional<int> exitStatus, const QByteArray& exitSignal)
{
    CommandOutcome outcome;
    outcome.exitStatus = exitStatus;
    outcome.exitSignal = exitSignal;
    outcome.errorOutput = m_errorTail;
    if (m_output.isOpen())
        return outcome;
    // The marker never came: what the account printed instead is the only hint of why.
    const QByteArray instead = QByteArray(m_output.withheld() + m_errors.withheld()).trimmed();
    if (exitStatus == 0)
        return fail(Fault::Unreadable, u"The account's shell did not run the command."_s, QString::fromUtf8(instead),
            u"A forced command or a menu in the start-up files may be in the way; ask the operators."_s);
    outcome.errorOutput += instead;
    return outcome;
}

} // namespace rankwright

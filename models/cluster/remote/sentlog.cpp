// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/sentlog.h"

#include "models/cluster/remote/remoteshell.h"

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

qsizetype bytesOf(const SentCommand& command)
{
    return command.line.size() * qsizetype(sizeof(QChar)) + command.input.size();
}

/// The first word of a line, without its folder: all that is known of a command without a purpose. Not an assignment
/// before it, which may hold a secret.
QString programOf(const QString& line)
{
    const QString first = line.trimmed().section(u' ', 0, 0);
    const QString word = first.contains(u'=') ? QString() : first.section(u'/', -1);
    return word.isEmpty() ? u"Runs a command"_s : u"Runs "_s + word.left(40);
}

} // namespace

SentLog::SentLog(QObject* parent) : QObject(parent) { m_clock.start(); }

void SentLog::note(const RemoteCommand& command, const QString& cluster, RemoteProcess& process)
{
    SentCommand sent;
    sent.number = ++m_last;
    sent.time = QDateTime::currentDateTimeUtc();
    sent.cluster = cluster;
    sent.purpose = command.purpose.isEmpty() ? programOf(command.line) : command.purpose;
    sent.line = command.line.left(SentCommand::mostText);
    sent.input = command.input.left(SentCommand::mostText);
    sent.inputBytes = command.input.size();
    m_all.append(sent);
    m_bytes += bytesOf(sent);
    m_beganMs.insert(sent.number, m_clock.elapsed());
    const quint64 number = sent.number;
    connect(&process, &RemoteProcess::finished, this,
        [this, number](const Result<CommandOutcome>& outcome) { markEnded(number, outcome); });
    connect(&process, &QObject::destroyed, this, [this, number] { markDropped(number); });
    connect(&process, &RemoteProcess::inputSent, this, [this, number](qint64 total) {
        SentCommand* its = find(number);
        if (its && total > its->inputBytes)
            its->moreInputBytes = total - its->inputBytes;
    });
    forgetOldest();
    emit commandBegan(sent);
}

void SentLog::forgetOldest()
{
    while (m_all.size() > mostCommands || (m_all.size() > 1 && m_bytes > mostBytes)) {
        const SentCommand oldest = m_all.takeFirst();
        m_bytes -= bytesOf(oldest);
        m_beganMs.remove(oldest.number);
    }
}

/// Numbers follow each other.
SentCommand* SentLog::find(quint64 number)
{
    if (m_all.isEmpty() || number < m_all.first().number || number > m_all.last().number)
        return nullptr;
    return &m_all[qsizetype(number - m_all.first().number)];
}

void SentLog::close(SentCommand& command, SentCommand::End end)
{
    command.end = end;
    command.tookMs = m_clock.elapsed() - m_beganMs.take(command.number);
    const SentCommand copy = command; // a listener may send the next one
    emit ended(copy);
}

void SentLog::markEnded(quint64 number, const Result<CommandOutcome>& outcome)
{
    SentCommand* its = find(number);
    if (!its || its->end != SentCommand::End::Open)
        return;
    if (!outcome) {
        its->why = outcome.error().what;
        close(*its, SentCommand::End::Failed);
        return;
    }
    its->exitStatus = outcome->exitStatus;
    its->exitSignal = outcome->exitSignal;
    close(*its, SentCommand::End::Exited);
}

void SentLog::markDropped(quint64 number)
{
    SentCommand* its = find(number);
    if (its && its->end == SentCommand::End::Open)
        close(*its, SentCommand::End::Dropped);
}

} // namespace rankwright::inline cluster

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/logsearch.h"

#include "models/cluster/remote/linetags.h"
#include "models/cluster/remote/remotelease.h"
#include "models/core/shellquote.h"
#include "models/insight/text/terminaltext.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr int badExpression = 2; // grep's own status
constexpr int fileUnreadable = 5;
constexpr qsizetype longestColoured = 200;

QString escapedLetter(QChar letter)
{
    static const QString special = u"\\^$.[]|()?*+{}"_s;
    return special.contains(letter) ? u'\\' + QString(letter) : QString(letter);
}

/// An extended expression for a text in which colours begin and end.
QString colouredForm(const QString& text)
{
    if (text.size() > longestColoured)
        return QString();
    const QString colour = u"("_s + QChar(0x1b) + uR"(\[[0-9;:]*[A-Za-z])*)"_s;
    QString form;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text.at(i).isHighSurrogate() && i + 1 < text.size()) {
            form += text.mid(i, 2); // one letter
            ++i;
        } else {
            form += escapedLetter(text.at(i));
        }
        if (i + 1 < text.size())
            form += colour;
    }
    return form;
}

} // namespace

QString searchCommand(const QString& path, const LogQuery& query, qint64 budget, int mostHits)
{
    const QString coloured = query.isExpression ? query.text : colouredForm(query.text);
    return shellQuote({u"bash"_s, u"-c"_s, leasedProgram(u"search-file.sh"_s), u"rankwright"_s, path,
        query.isExpression ? u"E"_s : u"F"_s, query.text, coloured.isEmpty() ? query.text : coloured,
        query.caseSensitive ? QString() : u"i"_s, QString::number(budget), QString::number(mostHits)});
}

LogSearch::LogSearch(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell)
{
    m_heartbeat.setInterval(leaseHeartbeatMs);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] {
        if (m_process)
            m_process->write("h\n");
    });
}

LogSearch::~LogSearch() = default;

void LogSearch::start(const QString& path, int file, const LogQuery& query)
{
    stop();
    m_pending.clear();
    m_tooLong = false;
    m_hits.clear();
    m_base = 0;
    m_file = file;
    m_reported = false;
    m_state = {};
    if (query.text.isEmpty() || query.text.contains(u'\n')) {
        emit stateChanged(m_state);
        return;
    }
    m_state.isRunning = true;
    RemoteCommand command = RemoteCommand::shell(searchCommand(path, query, byteBudget, mostHits));
    command.purpose = u"Searches a job's output"_s;
    command.interactive = true;
    command.deadlineSeconds = 3600;
    m_process = m_shell.start(command);
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &LogSearch::readOutput);
    connect(m_process.get(), &RemoteProcess::finished, this, &LogSearch::handleEnd);
    m_heartbeat.start();
    emit stateChanged(m_state);
}

void LogSearch::cancel()
{
    if (!m_state.isRunning)
        return;
    stop();
    m_state.isRunning = false;
    m_state.isCutShort = true;
    emit stateChanged(m_state);
}

void LogSearch::stop()
{
    m_heartbeat.stop();
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->closeInput();
    m_process.release()->deleteLater();
}

void LogSearch::readOutput(const QByteArray& bytes)
{
    for (qsizetype begin = 0; begin < bytes.size();) {
        const qsizetype end = bytes.indexOf('\n', begin);
        const qsizetype until = end < 0 ? bytes.size() : end;
        if (!m_tooLong)
            m_pending += bytes.mid(begin, qMin(until - begin, longestLine - m_pending.size()));
        m_tooLong = m_pending.size() >= longestLine;
        begin = until + 1;
        if (end < 0)
            break;
        readLine(std::exchange(m_pending, {}));
        m_tooLong = false;
    }
    if (!m_hits.isEmpty())
        emit found(std::exchange(m_hits, {}));
    emit stateChanged(m_state);
}

void LogSearch::readLine(const QByteArray& line)
{
    const QList<QByteArray> words = line.left(100).split(' ');
    if (linetags::begins(line, linetags::hits)) {
        m_base = words.value(1).toLongLong();
    } else if (linetags::begins(line, linetags::searched)) {
        m_state.searched = words.value(1).toLongLong();
        m_state.total = words.value(2).toLongLong();
    } else if (linetags::begins(line, linetags::end)) {
        m_reported = true;
        m_state.isCutShort = words.value(1) != "all";
    } else if (const qsizetype colon = line.indexOf(':'); colon > 0) {
        bool fine = false;
        const qint64 offset = line.left(colon).toLongLong(&fine);
        if (!fine || m_state.hits >= mostHits) // the script stops there: more is not its work
            return;
        m_hits.append({m_file, m_base + offset, terminalLine(QByteArrayView(line).sliced(colon + 1)).text});
        ++m_state.hits;
    }
}

void LogSearch::handleEnd(const Result<CommandOutcome>& outcome)
{
    stop();
    m_state.isRunning = false;
    const int status = outcome ? outcome->exitStatus.value_or(-1) : -1;
    if (!outcome)
        m_state.trouble = outcome.error().within(u"The search stopped"_s).oneLine();
    else if (status == badExpression)
        m_state.trouble = u"Not a valid regular expression: %1."_s.arg(
            QString::fromUtf8(outcome->errorOutput).trimmed().section(u": "_s, 1).section(u'\n', 0, 0));
    else if (status == fileUnreadable)
        m_state.trouble = u"The file does not exist or cannot be read."_s;
    else if (!m_reported)
        m_state.trouble = u"The search ended early."_s;
    m_state.isCutShort = m_state.isCutShort || !m_state.trouble.isEmpty();
    emit stateChanged(m_state);
}

} // namespace rankwright::inline insight

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/logtail.h"

#include "models/cluster/remote/linetags.h"
#include "models/insight/log/followscript.h"

#include <algorithm>
#include <utility>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestHeader = 5000; // a path may be in it

constexpr int noFileAtTheEnd = 4; // exit status of the script beside 0

} // namespace

LogTail::LogTail(RemoteShell& shell, const QString& path, qint64 lastBytes, QObject* parent)
    : LogTail(shell, QList<OutputFile>{{path, false, {}, {}}}, lastBytes, parent)
{ }

LogTail::LogTail(RemoteShell& shell, const QList<OutputFile>& files, qint64 lastBytes, QObject* parent)
    : QObject(parent), m_lastBytes(qMax<qint64>(0, lastBytes)), m_stream(shell, [this] { return nextCommand(); })
{
    add(files);
    m_grace.setSingleShot(true);
    connect(&m_grace, &QTimer::timeout, this, &LogTail::finish);
    connect(&m_stream, &RemoteStream::outputArrived, this, &LogTail::readOutput);
    connect(&m_stream, &RemoteStream::finished, this, &LogTail::handleEnd);
    connect(&m_stream, &RemoteStream::troubleChanged, this, &LogTail::troubleChanged);
}

LogTail::~LogTail() = default;

void LogTail::add(const QList<OutputFile>& files)
{
    bool isNew = false;
    for (const OutputFile& file : files) {
        const auto isSame = [&](const Followed& known) { return known.path == file.path; };
        if (file.isPattern ? m_patterns.contains(file) : std::any_of(m_files.cbegin(), m_files.cend(), isSame))
            continue;
        isNew = true;
        if (file.isPattern)
            m_patterns.append(file);
        else
            m_files.append({file.path, file.label, {}, {}, 0});
    }
    if (isNew && m_stream.isWanted())
        m_stream.launch();
}

void LogTail::start()
{
    if (m_stream.isWanted())
        return;
    m_finishing = false;
    m_stream.start();
}

void LogTail::stop()
{
    m_grace.stop();
    m_stream.stop();
}

void LogTail::finishUp(int graceMs)
{
    m_finishing = true;
    if (!m_stream.isWanted()) {
        m_grace.start(0); // nothing is being read: ended() still comes, once, and not from inside this call
        return;
    }
    m_grace.start(qMax(0, graceMs));
    if (!m_stream.isRunning())
        m_stream.launch();
    else if (m_greeted)
        m_stream.write("end\n");
}

void LogTail::finish()
{
    stop();
    emit ended();
}

RemoteCommand LogTail::nextCommand()
{
    m_header.clear();
    m_greeted = false;
    m_frameLeft = 0;
    return RemoteCommand::shell(followCommand(m_files, m_patterns, m_lastBytes))
        .withPurpose(u"Follows a job's output as it grows"_s);
}

void LogTail::readOutput(const QByteArray& bytes)
{
    const int launch = m_stream.launchNumber();
    qsizetype at = 0;
    while (at < bytes.size() && m_stream.launchNumber() == launch) { // a listener may have stopped or restarted us
        if (m_frameLeft > 0) {
            const qsizetype taken = qsizetype(qMin<qint64>(m_frameLeft, bytes.size() - at));
            m_frameLeft -= taken;
            at += taken;
            handleBytes(at == taken && taken == bytes.size() ? bytes : bytes.mid(at - taken, taken));
            continue;
        }
        const qsizetype end = bytes.indexOf('\n', at);
        m_header += bytes.mid(at, end < 0 ? -1 : end - at);
        at = end < 0 ? bytes.size() : end + 1;
        if (end < 0 && m_header.size() <= longestHeader)
            return;
        if (!readHeader(std::exchange(m_header, {}))) {
            m_stream.restartLater(Error{Fault::Unreadable, u"The cluster sent something other than the job's output."_s,
                QString::fromUtf8(bytes.left(200)), u"It is retried automatically."_s});
            return;
        }
    }
}

void LogTail::handleBytes(const QByteArray& bytes)
{
    Followed& file = m_files[m_frameFile];
    file.offset = file.offset.value_or(0) + bytes.size();
    emit bytesArrived(bytes, m_frameFile);
}

bool LogTail::readHeader(const QByteArray& line)
{
    if (!m_greeted) {
        m_greeted = line.trimmed() == linetags::following;
        if (!m_greeted)
            return false;
        m_stream.clearFailures();
        m_stream.report({});
        if (m_finishing)
            m_stream.write("end\n");
        return true;
    }
    if (linetags::begins(line, linetags::file)) {
        if (m_patterns.isEmpty() || m_found >= mostFiles) // the script stops there as well
            return false;
        ++m_found;
        Followed file;
        file.path = QString::fromUtf8(line.mid(linetags::file.size() + 1));
        for (const OutputFile& pattern : std::as_const(m_patterns)) {
            if (!file.rank)
                file.rank = rankInName(pattern, file.path);
        }
        m_files.append(file);
        return true;
    }
    const QList<QByteArray> words = line.split(' ');
    const int number = words.value(1).toInt();
    if (number < 0 || number >= m_files.size())
        return false;
    if (words.first() == linetags::unreadable) {
        m_stream.report(Error{Fault::Io, u"The job's output %1 cannot be read."_s.arg(m_files.at(number).path), {},
            u"Check the file's permissions on the cluster."_s});
        return true;
    }
    bool fine = false;
    const qint64 offset = words.value(2).toLongLong(&fine);
    const qint64 count = words.value(3).toLongLong();
    if (words.first() != linetags::bytes || words.size() != 5 || !fine || offset < 0 || count < 0)
        return false;
    Followed& file = m_files[number];
    const std::optional<qint64> before = std::exchange(file.offset, offset);
    file.size = words.value(4).toLongLong();
    m_frameFile = number;
    m_frameLeft = count;
    if (!before)
        emit fileFound(number);
    if (before ? offset != *before : offset > 0)
        emit skippedTo(offset, number);
    return true;
}

void LogTail::handleEnd(const Result<CommandOutcome>& outcome)
{
    const bool reported = outcome && outcome->exitStatus.has_value();
    const int status = reported ? *outcome->exitStatus : -1;
    if (m_finishing && (status == 0 || status == noFileAtTheEnd)) {
        finish();
        return;
    }
    if (!outcome && outcome.error().fault == Fault::Cancelled) {
        m_stream.launch(); // it made room for others, and gets its next turn
    } else if (!outcome) {
        m_stream.restartLater(outcome.error().within(u"Following the output stopped"_s));
    } else if (status == 0) {
        m_stream.restartLater({}); // the lease ran out: our machine slept, or the network stood still
    } else {
        m_stream.restartLater(outcome->toError(RemoteCommand::shell(u"follow "_s + m_files.value(0).path))
                                  .within(u"Following the output stopped"_s));
    }
}

} // namespace rankwright::inline insight

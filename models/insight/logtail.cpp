// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/logtail.h"

#include "models/core/shellquote.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int heartbeatMs = 3000; // the lease is 10 s: two may get lost
constexpr int firstRestartMs = 1000;
constexpr int lastRestartMs = 30000;
constexpr qsizetype longestHeader = 200;

// Exit statuses of the script beside 0.
constexpr int noFileAtTheEnd = 4;
constexpr int fileUnreadable = 5;
constexpr int fileShrank = 9;

/// $1 path, $2 offset, $3 bytes before the end. As with sampling, the worker is a process group of its own, and the
/// shell in front of it only waits for heartbeats: end of file or 10 s of silence end both, even when the worker is
/// stuck in a full pipe. The line "end" makes it read the rest, also what a network file system shows a moment later,
/// and end.
const QString followScript = uR"SH(
export LC_ALL=C
f=$1 o=$2 k=$3
drain() {
  s=$(wc -c 2>/dev/null <"$f") || return 0
  s=$((s)); [ $s -ge $o ] || exit 9
  [ $s -gt $o ] || return 0
  tail -c +$((o + 1)) -- "$f" | head -c $((s - o))
  [ "${PIPESTATUS[1]}" = 0 ] || exit 0
  o=$s
}
follow() {
  e=; trap 'e=1' USR1
  until [ -f "$f" ]; do [ "$e" ] && exit 4; sleep 0.5; done
  [ -r "$f" ] || { echo "$f: permission denied" >&2; exit 5; }
  s=$(wc -c <"$f") || exit 5
  s=$((s))
  if [ $o -lt 0 ]; then o=0; [ $s -gt $k ] && o=$((s - k)); fi
  echo "@rwl $o $s"
  while :; do
    drain
    if [ "$e" ]; then sleep 0.7; drain; exit 0; fi
    sleep 0.5
  done
}
set -m
follow </dev/null & p=$!
left=20
while :; do
  read -r -t 0.5 x; r=$?
  if [ $r = 0 ]; then left=20; [ "$x" = end ] && kill -USR1 $p
  elif [ $r -gt 128 ]; then left=$((left - 1)); [ $left -gt 0 ] || break
  else break; fi
  kill -0 $p || { wait $p; exit $?; }
done 2>/dev/null
exec 2>/dev/null
kill -- -$p
exit 0
)SH"_s;

} // namespace

QString followCommand(const QString& path, qint64 offset, qint64 lastBytes)
{
    return shellQuote(
        {u"bash"_s, u"-c"_s, followScript, u"rankwright"_s, path, QString::number(offset), QString::number(lastBytes)});
}

LogTail::LogTail(RemoteShell& shell, QString path, qint64 lastBytes, QObject* parent)
    : QObject(parent), m_shell(shell), m_path(std::move(path)), m_lastBytes(qMax<qint64>(0, lastBytes))
{
    m_heartbeat.setInterval(heartbeatMs);
    m_restart.setSingleShot(true);
    m_grace.setSingleShot(true);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] {
        if (m_process)
            m_process->write("h\n");
    });
    connect(&m_restart, &QTimer::timeout, this, &LogTail::launch);
    connect(&m_grace, &QTimer::timeout, this, &LogTail::finish);
    connect(&m_shell, &RemoteShell::stateChanged, this, [this](LinkState state) {
        if (state == LinkState::Online && m_wanted && !m_process) {
            m_attempt = 0;
            launch();
        }
    });
}

LogTail::~LogTail() = default; // the process goes with us, and with it the remote one

void LogTail::start()
{
    if (m_wanted)
        return;
    m_wanted = true;
    m_finishing = false;
    m_attempt = 0;
    launch();
}

void LogTail::stop()
{
    m_wanted = false;
    m_restart.stop();
    m_grace.stop();
    dropProcess();
}

void LogTail::finishUp(int graceMs)
{
    m_finishing = true;
    if (!m_wanted) {
        m_grace.start(0); // nothing is being read: ended() still comes, once, and not from inside this call
        return;
    }
    m_grace.start(qMax(0, graceMs));
    if (!m_process)
        launch();
    else if (m_headerRead)
        m_process->write("end\n");
}

void LogTail::finish()
{
    stop();
    emit ended();
}

void LogTail::launch()
{
    m_restart.stop();
    dropProcess();
    m_header.clear();
    m_headerRead = false;
    RemoteCommand command = RemoteCommand::shell(followCommand(m_path, m_offset, m_lastBytes));
    command.interactive = true;
    command.deadlineSeconds.reset();
    m_process = m_shell.start(command);
    connect(m_process.get(), &RemoteProcess::outputArrived, this, &LogTail::readOutput);
    connect(m_process.get(), &RemoteProcess::finished, this, &LogTail::handleEnd);
    m_heartbeat.start();
}

void LogTail::dropProcess()
{
    m_heartbeat.stop();
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->closeInput();
    m_process.release()->deleteLater(); // we may be inside one of its signals
}

void LogTail::readOutput(const QByteArray& bytes)
{
    QByteArray content = bytes;
    if (!m_headerRead) {
        m_header += bytes;
        const qsizetype end = m_header.indexOf('\n');
        if (end < 0 && m_header.size() <= longestHeader)
            return;
        content = m_header.mid(end + 1);
        if (!readHeader(m_header.left(qMax<qsizetype>(end, 0)))) {
            scheduleRestart({Fault::Unreadable, u"Something else than %1 came from the cluster."_s.arg(m_path),
                QString::fromUtf8(m_header.left(longestHeader)), u"It is tried again by itself."_s});
            return;
        }
        m_header.clear();
    }
    if (content.isEmpty() || !m_process)
        return;
    m_offset += content.size();
    emit bytesArrived(content);
}

bool LogTail::readHeader(const QByteArray& line)
{
    const QList<QByteArray> words = line.trimmed().split(' ');
    bool fine = false;
    const qint64 offset = words.value(1).toLongLong(&fine);
    if (words.size() != 3 || words.first() != "@rwl" || !fine || offset < 0)
        return false;
    m_headerRead = true;
    m_attempt = 0;
    const bool isFirst = m_offset < 0;
    m_offset = offset;
    tell({});
    if (isFirst && offset > 0)
        emit skippedTo(offset);
    if (m_finishing && m_process)
        m_process->write("end\n");
    return true;
}

void LogTail::handleEnd(const Result<CommandOutcome>& outcome)
{
    dropProcess();
    if (!m_wanted)
        return;
    const bool told = outcome && outcome->exitStatus.has_value();
    const int status = told ? *outcome->exitStatus : -1;
    if (m_finishing && (status == 0 || status == noFileAtTheEnd)) {
        finish();
        return;
    }
    if (status == fileShrank) {
        // written anew, as a requeued job does: everything comes again
        m_offset = 0;
        emit skippedTo(0);
        if (m_wanted)
            launch();
        return;
    }
    if (status == fileUnreadable) {
        m_attempt = qMax(m_attempt, 3);
        scheduleRestart({Fault::Io, u"The job's output %1 cannot be read."_s.arg(m_path),
            QString::fromUtf8(outcome->errorOutput).trimmed(), u"Check the file's permissions on the cluster."_s});
    } else if (!outcome) {
        scheduleRestart(outcome.error().within(u"Following the output stopped"_s));
    } else if (status == 0) {
        scheduleRestart({}); // the lease ran out: our machine slept, or the network stood still
    } else {
        scheduleRestart(
            outcome->toError(RemoteCommand::shell(u"follow "_s + m_path)).within(u"Following the output stopped"_s));
    }
}

void LogTail::scheduleRestart(const Error& why)
{
    dropProcess();
    if (!why.what.isEmpty())
        tell(why);
    if (!m_wanted)
        return;
    m_restart.start(int(qMin<qint64>(qint64(firstRestartMs) << qMin(m_attempt, 16), lastRestartMs)));
    ++m_attempt;
}

void LogTail::tell(const Error& why)
{
    if (why.what == m_told)
        return;
    m_told = why.what;
    emit trouble(why);
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classsharer.h"

#include "app/classroom/classsharing.h"
#include "app/session/clustersession.h"
#include "app/window/links/connections.h"

namespace rankwright {

namespace {
constexpr int soonMs = 5000; // steps that follow one another are one line
constexpr qsizetype mostWaiting = 100;

bool isWhole(const ProgressLine& line)
{
    return !line.checks.isEmpty() && line.checks.count(CheckState::Seen) == line.checks.size();
}
} // namespace

ClassSharer::ClassSharer(Connections& connections, QObject* parent) : QObject(parent), m_connections(connections)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    connect(&m_soon, &QTimer::timeout, this, &ClassSharer::write);
    connect(&m_connections, &Connections::linkChanged, this, [this](const LinkInfo& link) {
        if (link.cluster == m_cluster)
            followLink();
    });
}

ClassSharer::~ClassSharer() = default;

void ClassSharer::begin(const QString& cluster, const QString& folder, const QString& alias, const QString& name)
{
    stop();
    m_cluster = cluster;
    m_folder = folder;
    m_alias = alias;
    m_name = name;
    m_isReachable = isReachable();
}

void ClassSharer::stop()
{
    m_soon.stop();
    m_writing.reset();
    m_cluster.clear();
    m_folder.clear();
    m_waiting.clear();
    m_written.reset();
    m_latest.reset();
    m_isReachable = false;
}

QList<ProgressLine> ClassSharer::left() const
{
    return m_written ? QList<ProgressLine>{*m_written} + m_waiting : m_waiting;
}

bool ClassSharer::isReachable() const
{
    const ClusterSession* session = m_connections.session(m_cluster);
    return session && session->isOnline() && session->facts();
}

/// A link that is there reports its traffic every few seconds: only that it came is news.
void ClassSharer::followLink()
{
    const bool was = std::exchange(m_isReachable, isReachable());
    if (m_isReachable && !was)
        writeSoon();
}

/// What waits already is not put off by what comes meanwhile.
void ClassSharer::writeSoon()
{
    if (!m_waiting.isEmpty() && !m_soon.isActive())
        m_soon.start();
}

void ClassSharer::note(const ProgressLine& line)
{
    if (!isSharing())
        return;
    if (m_latest && m_latest->exercise == line.exercise && m_latest->checks == line.checks
        && m_latest->stuckOn == line.stuckOn)
        return;
    m_latest = line;
    m_latest->at = QDateTime::currentDateTimeUtc();
    // How an exercise ended is a step of its own, however quickly the next one was begun or it was tried on.
    if (!m_waiting.isEmpty() && m_waiting.last().exercise == line.exercise && !isWhole(m_waiting.last()))
        m_waiting.removeLast();
    m_waiting.append(*m_latest);
    if (m_waiting.size() > mostWaiting)
        m_waiting.removeFirst();
    writeSoon();
}

void ClassSharer::write()
{
    if (m_waiting.isEmpty() || m_writing || !isReachable())
        return; // the next step tries again, or the link when it is there
    ClusterSession* session = m_connections.session(m_cluster);
    m_written = m_waiting.takeFirst();
    m_written->attendee = m_alias;
    m_written->name = m_name;
    m_writing = std::make_unique<QObject>();
    // With the session go its shell and all that waits for it.
    connect(session->guard(), &QObject::destroyed, m_writing.get(), [this, guard = m_writing.get()] {
        if (m_writing.get() != guard)
            return; // the answer came before, with the loss of the link
        putBack();
        m_writing.release()->deleteLater();
    });
    shareProgress(session->shell(), m_folder, *m_written, m_writing.get(),
        [this](const Result<void>& done) { handleWritten(done); });
}

/// Unless the exercise has gone on meanwhile: then that says it.
void ClassSharer::putBack()
{
    const ProgressLine line = *std::exchange(m_written, std::nullopt);
    if (m_waiting.isEmpty() || m_waiting.first().exercise != line.exercise || isWhole(line))
        m_waiting.prepend(line);
}

void ClassSharer::handleWritten(const Result<void>& done)
{
    m_writing.release()->deleteLater(); // not within its own answer
    if (done) {
        emit lineWritten(*std::exchange(m_written, std::nullopt));
        write();
        return;
    }
    putBack();
    // A link that was lost says nothing about the folder, which is read when the link is back.
    if (done.error().fault != Fault::Offline)
        emit failed(done.error());
}

} // namespace rankwright

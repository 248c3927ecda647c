// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/gapkeeper.h"

#include <algorithm>
#include <limits>

namespace rankwright {

namespace {

constexpr int mostRefusals = 3; // a command that fails so often will not succeed

} // namespace

GapKeeper::GapKeeper(RemoteShell& shell, const TelemetryHistory& history, QObject* parent)
    : QObject(parent), m_shell(shell), m_history(history), m_filler(shell)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &GapKeeper::check);
    connect(&m_filler, &GapFiller::ticksFilled, this, &GapKeeper::ticksFilled);
    connect(&m_filler, &GapFiller::processesFilled, this, &GapKeeper::processesFilled);
    connect(&m_filler, &GapFiller::finished, this, &GapKeeper::handleEnd);
}

void GapKeeper::update(const JobRecord& job)
{
    const bool ended = hasEnded(job.state) && !hasEnded(m_job.state);
    m_job = job;
    if (m_settled || !m_job.started.isValid() || m_job.workdir.isEmpty() || isWaiting(m_job.state))
        return;
    if (ended) {
        m_noRecord = false; // asked once more
        m_next.start(m_patience.endMs);
    } else if (!m_next.isActive() && !m_filler.isRunning() && !m_noRecord) {
        m_next.start(m_patience.firstMs);
    }
}

qint64 GapKeeper::longerThanMs() const
{
    // What was filled has holes of the record's own interval, and a little jitter.
    return qMax<qint64>(m_recordMs * 13 / 10, 3 * m_watchMs);
}

bool GapKeeper::isKnown(const MissingSpan& missing) const
{
    return std::any_of(m_known.cbegin(), m_known.cend(), [&](const MissingSpan& known) {
        return (known.node.isEmpty() || known.node == missing.node) && known.span.fromMs <= missing.span.fromMs
            && known.span.toMs >= missing.span.toMs;
    });
}

void GapKeeper::check()
{
    if (m_settled || m_filler.isRunning())
        return;
    const bool ended = hasEnded(m_job.state);
    if (m_shell.state() != LinkState::Online) {
        m_next.start(m_patience.againMs);
        return;
    }
    m_endSeen = m_endSeen || ended;
    const QDateTime until = ended && m_job.ended.isValid() ? m_job.ended : QDateTime::currentDateTimeUtc();
    m_untilMs = until.toMSecsSinceEpoch();
    m_asked = missingSpans(m_history, {qMax(m_fromMs, m_job.started.toMSecsSinceEpoch()), m_untilMs}, longerThanMs());
    m_asked.removeIf([this](const MissingSpan& missing) { return isKnown(missing); });
    if (m_filler.fill(m_job.workdir, m_job.id, m_asked))
        return;
    leaveBehind();
    if (ended)
        finish();
    else
        m_next.start(m_patience.againMs);
}

void GapKeeper::leaveBehind()
{
    constexpr qint64 fresh = 60000; // the newest is checked again: late ticks, nodes' clocks
    m_fromMs = qMax(m_fromMs, m_untilMs - fresh);
}

void GapKeeper::handleEnd(const Result<GapSummary>& outcome)
{
    const bool ended = hasEnded(m_job.state);
    if (!outcome) {
        emit roundEnded(outcome);
        const bool refused = outcome.error().fault == Fault::Unreadable;
        if (refused && ++m_refusals >= mostRefusals)
            finish();
        else
            m_next.start(m_patience.againMs);
        return;
    }
    if (outcome->intervalMs)
        m_recordMs = *outcome->intervalMs;
    if (outcome->noRecord) {
        const bool young = !ended && m_job.started.msecsTo(QDateTime::currentDateTimeUtc()) < qint64(m_patience.hopeMs);
        m_noRecord = !young;
        if (young)
            m_next.start(m_patience.againMs);
        else if (m_endSeen)
            finish();
        return;
    }
    const qsizetype known = m_known.size();
    for (const MissingSpan& asked : std::as_const(m_asked)) {
        if (!outcome->limited && (ended || outcome->reachMs >= asked.span.toMs))
            m_known.append(asked);
    }
    if (m_known.size() - known == m_asked.size())
        leaveBehind();
    if (outcome->ticks > 0)
        emit roundEnded(outcome);
    if (outcome->limited && outcome->ticks == 0)
        m_known.append(
            MissingSpan{{}, {0, std::numeric_limits<qint64>::max()}}); // a single piece is more than a round may bring
    if (outcome->limited && outcome->ticks > 0)
        m_next.start(m_patience.moreMs);
    else if (ended && m_endSeen)
        finish();
    else
        m_next.start(ended ? m_patience.endMs : m_patience.againMs);
}

void GapKeeper::finish()
{
    m_settled = true;
    m_next.stop();
    emit recordRead();
}

} // namespace rankwright

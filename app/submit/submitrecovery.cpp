// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/submitrecovery.h"

#include "app/store/processmark.h"
#include "models/core/logging.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

SubmitRecovery::SubmitRecovery(RemoteShell& shell, SlurmClient& client, JobLog& log, QString cluster, QObject* parent)
    : SubmitRecovery(shell, client, log, std::move(cluster), Timing(), parent)
{ }

SubmitRecovery::SubmitRecovery(
    RemoteShell& shell, SlurmClient& client, JobLog& log, QString cluster, Timing timing, QObject* parent)
    : QObject(parent), m_shell(shell), m_client(client), m_log(log), m_cluster(std::move(cluster)), m_timing(timing),
      m_pause(timing.firstPauseMs, timing.longestPauseMs)
{
    m_wait.setSingleShot(true);
    m_recheck.setSingleShot(true);
    connect(&m_wait, &QTimer::timeout, this, &SubmitRecovery::askNext);
    connect(&m_recheck, &QTimer::timeout, this, &SubmitRecovery::readLog);
    connect(&m_shell, &RemoteShell::stateChanged, this, &SubmitRecovery::handleLink);
    if (m_shell.state() == LinkState::Online)
        QTimer::singleShot(0, this, [this] { handleLink(m_shell.state()); });
}

void SubmitRecovery::handleLink(LinkState state)
{
    ++m_round;
    m_asking = false;
    m_wait.stop();
    // Absence counts only while the link is up throughout: what was stuck in the old one may arrive right now.
    for (Search& search : m_searches)
        search.absentSince = 0;
    if (state == LinkState::Online)
        readLog();
    else
        m_recheck.stop();
}

bool SubmitRecovery::leavesAlone(const JobLogEntry& entry) const
{
    if (isAwaited(entry))
        return true;
    // Whether another machine still sends is unknown, unless it has said itself that its answer is lost.
    return !entry.answerLost && lifeOf(entry.owner) == ProcessLife::OfAnotherBoot
        && entry.created.msecsTo(QDateTime::currentDateTimeUtc()) <= m_timing.otherMachineMs;
}

void SubmitRecovery::readLog()
{
    const auto entries = m_log.unresolved(m_cluster);
    if (!entries) {
        emit recoveryFailed(entries.error());
        m_recheck.start(m_timing.recheckMs);
        return;
    }
    bool leftAlone = false;
    for (const JobLogEntry& entry : *entries) {
        if (leavesAlone(entry))
            leftAlone = true;
        else if (entry.stage == EntryStage::Recorded)
            // "Sending" is on the disk before the first byte leaves, so this one never left.
            applyDecision(entry.id,
                m_log.markAbsent(entry.id, u"Not submitted: the program ended before sending it."_s),
                EntryStage::Absent);
        else
            start(entry);
    }
    if (leftAlone)
        m_recheck.start(m_timing.recheckMs);
    m_pause.reset();
    askNext();
}

void SubmitRecovery::checkAgain()
{
    if (m_shell.state() == LinkState::Online)
        readLog();
}

void SubmitRecovery::add(const QString& entryId)
{
    const auto entry = m_log.find(entryId);
    if (!entry) {
        emit recoveryFailed(entry.error());
        return;
    }
    start(*entry);
    m_pause.reset();
    askNext();
}

void SubmitRecovery::start(const JobLogEntry& entry)
{
    const bool known = std::any_of(
        m_searches.cbegin(), m_searches.cend(), [&entry](const Search& search) { return search.entryId == entry.id; });
    if (known)
        return;
    qCInfo(logApp) << "searching for submission" << entry.token << "on" << m_cluster;
    m_searches.append({entry.id, entry.token, 0});
}

void SubmitRecovery::askNext()
{
    if (m_asking || m_searches.isEmpty() || m_shell.state() != LinkState::Online)
        return;
    if (m_next >= m_searches.size())
        m_next = 0;
    const Search search = m_searches.at(m_next);
    m_asking = true;
    m_client.findSubmitted(search.token, this,
        [this, entryId = search.entryId, round = m_round](const Result<std::optional<JobId>>& answer) {
            if (round == m_round)
                handleAnswer(entryId, answer);
        });
}

void SubmitRecovery::handleAnswer(const QString& entryId, const Result<std::optional<JobId>>& answer)
{
    m_asking = false;
    const auto search = std::find_if(m_searches.begin(), m_searches.end(),
        [&entryId](const Search& candidate) { return candidate.entryId == entryId; });
    if (search == m_searches.end())
        return;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (!answer) {
        // No answer is not "not there": the grace period starts again.
        search->absentSince = 0;
        emit recoveryFailed(answer.error());
    } else if (answer->has_value()) {
        applyDecision(entryId, m_log.markKnown(entryId, answer->value()), EntryStage::Known);
    } else if (search->absentSince == 0) {
        search->absentSince = now;
    } else if (now - search->absentSince >= m_timing.graceMs) {
        applyDecision(entryId,
            m_log.markAbsent(entryId,
                u"Not submitted: neither the queue nor the accounting knows it, asked again for %1 s."_s.arg(
                    (now - search->absentSince) / 1000)),
            EntryStage::Absent);
    }
    const bool stays = std::any_of(m_searches.cbegin(), m_searches.cend(),
        [&entryId](const Search& candidate) { return candidate.entryId == entryId; });
    m_next += stays ? 1 : 0;
    const bool roundDone = m_next >= m_searches.size();
    m_wait.start(roundDone ? m_pause.nextDelayMs() : 0);
}

void SubmitRecovery::applyDecision(const QString& entryId, const Result<void>& written, EntryStage stage)
{
    if (!written) {
        const auto entry = m_log.find(entryId);
        if (!entry || !entry->isResolved()) {
            emit recoveryFailed(written.error());
            return; // tried again with the next answer
        }
        stage = entry->stage; // someone else was faster
    }
    m_searches.removeIf([&entryId](const Search& search) { return search.entryId == entryId; });
    qCInfo(logApp) << "submission" << entryId << "is" << toText(stage);
    emit submissionDecided(entryId, stage);
}

} // namespace rankwright

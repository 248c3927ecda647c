// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobdiarykeeper.h"

#include "app/store/eventjson.h"
#include "app/store/recordings.h"
#include "models/core/logging.h"

#include <QDateTime>

#include <utility>

namespace rankwright {

namespace {

constexpr qint64 standbyMs = 10'000; // how often a window that stands by looks whether the other one ended
constexpr qint64 pruneMs = 600'000;

} // namespace

void JobDiaryKeeper::put(std::shared_ptr<const JobDiary> diary)
{
    const std::scoped_lock lock(m_mutex);
    m_inbox.push_back(std::move(diary));
}

void JobDiaryKeeper::writeInbox()
{
    std::vector<std::shared_ptr<const JobDiary>> waiting;
    {
        const std::scoped_lock lock(m_mutex);
        waiting.swap(m_inbox);
    }
    for (const auto& diary : waiting)
        write(*diary, QDateTime::currentMSecsSinceEpoch());
}

void JobDiaryKeeper::write(const JobDiary& diary, qint64 nowMs)
{
    if (!m_writer && !open(diary.facts, nowMs))
        holdDiary(diary);
    else
        commit(diary, nowMs);
    emit diaryWritten({m_path, m_lost + (m_writer ? m_writer->lostTicks() : 0), m_why});
}

bool JobDiaryKeeper::open(const RecordingFacts& facts, qint64 nowMs)
{
    if (nowMs < m_againMs)
        return false;
    auto opened = RecordingWriter::open(m_folder, facts);
    if (!opened) {
        m_why = opened.error();
        if (!standsBy())
            return false;
        m_againMs = nowMs + standbyMs;
        m_path = findRecording(m_folder, facts.cluster, facts.job.id);
        return false;
    }
    m_writer = std::move(*opened);
    m_path = m_writer->path();
    for (const JobDiary& diary : std::exchange(m_kept, {}))
        write(diary);
    m_keptGpus = 0;
    return true;
}

void JobDiaryKeeper::holdDiary(const JobDiary& diary)
{
    if (standsBy())
        return;
    for (const auto& [tick, ms] : diary.ticks)
        m_keptGpus += tick.gpus.size();
    if (m_keptGpus > mostWaitingGpus)
        m_lost += diary.ticks.size();
    else
        m_kept.append(diary);
}

void JobDiaryKeeper::write(const JobDiary& diary)
{
    m_writer->setFacts(diary.facts);
    for (const auto& [tick, ms] : diary.ticks)
        m_writer->append(tick, ms);
    for (const auto& [processes, ms] : diary.processes)
        m_writer->append(processes, ms);
    m_writer->fill(diary.filled);
    if (diary.progress)
        m_writer->note(diary.progress->reported, diary.progress->ms);
    if (diary.losses)
        m_writer->note(diary.losses->reported, diary.losses->ms);
    if (diary.binding)
        m_writer->note(bindingEvent(diary.binding->reported, diary.binding->ms));
    for (const RecordingEvent& event : diary.events)
        m_writer->note(event);
}

void JobDiaryKeeper::commit(const JobDiary& diary, qint64 nowMs)
{
    write(diary);
    const auto done = m_writer->commit(nowMs);
    m_why = done ? std::nullopt : std::optional(done.error());
    if (standsBy())
        m_writer.reset();
    prune(nowMs);
}

void JobDiaryKeeper::prune(qint64 nowMs)
{
    if (m_prunedMs > 0 && nowMs - m_prunedMs < pruneMs)
        return;
    m_prunedMs = nowMs;
    const QStringList gone = pruneRecordings(m_folder, m_limitBytes, m_path);
    if (!gone.isEmpty())
        qCInfo(logApp) << "recordings beyond the limit were deleted, the oldest first:" << gone;
}

} // namespace rankwright

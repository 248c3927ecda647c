// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/hangreading.h"

#include "app/base/whendone.h"
#include "models/insight/hang/collect/collectreader.h"

#include <QThreadPool>
#include <QtConcurrentRun>

#include <algorithm>
#include <atomic>

namespace rankwright {

namespace {

constexpr int mostThreads = 2; ///< what is cancelled may still be at work beside what is wanted
constexpr qsizetype bytesAtOnce = 256 * 1024; ///< read between two looks at whether it is still wanted

} // namespace

/// What one inspection knows.
struct HangReading::Work {
    CollectReader reader; ///< of the present round
    std::optional<HangEvidence> evidence; ///< of the rounds that have ended
    std::atomic<bool> isCancelled{false};
};

HangReading::HangReading(QObject* parent) : QObject(parent) { }

HangReading::~HangReading() { cancel(); }

void HangReading::begin()
{
    cancel();
    m_work = std::make_shared<Work>();
    m_guard = std::make_unique<QObject>();
}

void HangReading::cancel()
{
    if (m_work) {
        m_work->isCancelled = true;
        // hundreds of MiB in small pieces are given back elsewhere too
        threads().start([work = std::move(m_work)] { Q_UNUSED(work); });
        m_work.reset();
    }
    m_guard.reset();
    m_tasks.clear();
    m_pieces.reset();
    m_isBusy = false;
}

void HangReading::feed(const QByteArray& bytes)
{
    if (m_pieces) {
        m_pieces->append(bytes);
        return;
    }
    const auto pieces = std::make_shared<QList<QByteArray>>(1, bytes);
    add([pieces](Work& work) {
        for (const QByteArray& piece : std::as_const(*pieces)) {
            for (qsizetype from = 0; from < piece.size() && !work.isCancelled; from += bytesAtOnce)
                work.reader.feed(piece.mid(from, bytesAtOnce));
        }
        return Then();
    });
    if (!m_tasks.isEmpty())
        m_pieces = pieces;
}

void HangReading::endRound(
    const CollectPlan& plan, const QString& note, const std::function<void(const HangRound&)>& then)
{
    add([plan, note, then](Work& work) {
        HangRound round;
        round.isSilent = work.reader.isEmpty();
        round.nodesDone = work.reader.nodesDone();
        if (!round.isSilent) {
            const auto asked = plan.askedNodes().size() == plan.ofNodes ? CollectReader::Asked::AllNodes
                                                                        : CollectReader::Asked::SomeNodes;
            HangEvidence seen = work.reader.evidence(plan.askedNodes(), asked);
            if (!note.isEmpty())
                seen.notes.append(note);
            if (work.evidence) {
                replaceRanks(*work.evidence, seen);
            } else {
                if (!plan.note.isEmpty())
                    seen.notes.prepend(plan.note);
                round.nodesNext = nodesToAskNext(plan, seen);
                work.evidence = std::move(seen);
            }
        }
        work.reader = {};
        return Then([then, round] { then(round); });
    });
}

void HangReading::assess(const QString& over, const std::function<void(const HangAnswer&)>& then)
{
    add([over, then](Work& work) {
        if (!work.evidence)
            work.evidence.emplace();
        work.evidence->over = over;
        HangAnswer answer;
        answer.verdict = hangVerdict(*work.evidence);
        answer.ranksSeen = work.evidence->ranks.size();
        answer.ranksEnded = std::count_if(work.evidence->ranks.cbegin(), work.evidence->ranks.cend(),
            [](const RankEvidence& rank) { return rank.hasEnded; });
        return Then([then, answer] { then(answer); });
    });
}

QThreadPool& HangReading::threads()
{
    static QThreadPool pool;
    pool.setMaxThreadCount(mostThreads);
    return pool;
}

void HangReading::add(const Task& task)
{
    if (!m_work)
        return; // cancelled
    m_pieces.reset();
    m_tasks.append(task);
    startNext();
}

void HangReading::startNext()
{
    if (m_isBusy || m_tasks.isEmpty())
        return;
    m_isBusy = true;
    const auto running = QtConcurrent::run(
        &threads(), [task = m_tasks.takeFirst(), work = m_work] { return work->isCancelled ? Then() : task(*work); });
    if (m_tasks.isEmpty())
        m_pieces.reset();
    whenDone(running, m_guard.get(), [this](const Then& then) {
        m_isBusy = false;
        startNext();
        if (then)
            then(); // may destroy this
    });
}

} // namespace rankwright

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/collect/collectplan.h"
#include "models/insight/hang/hangverdict.h"

#include <QByteArray>
#include <QObject>

#include <functional>
#include <memory>

class QThreadPool;

namespace rankwright {

/// What an inspection of a job's ranks found.
struct HangAnswer {
    HangVerdict verdict;
    qsizetype ranksSeen = 0; ///< whose process, or end, was seen; the verdict may have rows for more
    qsizetype ranksEnded = 0; ///< of these: whose end was seen
};

/// What the nodes said in one round of an inspection.
struct HangRound {
    bool isSilent = false; ///< no node said anything
    qsizetype nodesDone = 0; ///< whose lines are all there
    QStringList nodesNext; ///< odd ones that were not asked in full (nodesToAskNext); of the first round alone
};

/// Reads what the nodes print and makes the verdict, on threads of its own: records of 40 MiB take seconds, and Qt
/// paints large pictures with the help of the global pool's. One piece of work after the other, in the order in which
/// it was given; answers come on the thread of this object, in the same order, never within a call, and none after
/// cancel(). Work that is cancelled ends after some 256 KiB more.
class HangReading final : public QObject {
    Q_OBJECT
public:
    explicit HangReading(QObject* parent = nullptr);
    ~HangReading() override;

    /// Of another inspection than before, which is cancelled: nothing is known yet.
    void begin();
    void cancel();

    /// Of the nodes' lines, in any pieces.
    void feed(const QByteArray& bytes);
    /// All lines of one command's nodes are fed. A second round is put over the first. `note`: why it ended early, a
    /// sentence; empty: it ended as it should.
    void endRound(const CollectPlan& plan, const QString& note, const std::function<void(const HangRound&)>& then);
    /// The verdict that follows from what is known. `over`: HangEvidence::over.
    void assess(const QString& over, const std::function<void(const HangAnswer&)>& then);

    /// The threads of all readings.
    static QThreadPool& threads();

private:
    struct Work;
    using Then = std::function<void()>;
    using Task = std::function<Then(Work&)>;

    void add(const Task& task);
    void startNext();

    std::shared_ptr<Work> m_work; ///< touched by one task at a time; null: no inspection
    QList<Task> m_tasks; ///< that wait
    std::shared_ptr<QList<QByteArray>> m_pieces; ///< of the last of m_tasks, which feeds them; null: it is another
    std::unique_ptr<QObject> m_guard; ///< of the task that runs
    bool m_isBusy = false;
};

} // namespace rankwright

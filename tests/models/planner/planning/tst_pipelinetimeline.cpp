// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/pipelinetimeline.h"
#include "tests/support/testbase.h"

#include <QSet>

#include <cmath>

using namespace Qt::StringLiterals;
using namespace rankwright;

class PipelineTimelineTest final : public test::Suite {
    Q_OBJECT
private slots:
    void idlesAsPublished_data();
    void idlesAsPublished();
    void doesEachPassOnce_data();
    void doesEachPassOnce();
    void keepsFewMicroBatchesInFlight();
    void survivesOddInput();
};

namespace {

void addSchedules()
{
    QTest::addColumn<PipelineSchedule>("schedule");
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<int>("chunks");
    for (const auto& [name, schedule] : {std::pair{"1F1B", PipelineSchedule::OneForwardOneBackward},
             {"GPipe", PipelineSchedule::GPipe}, {"interleaved", PipelineSchedule::Interleaved}}) {
        for (const auto& [p, m] : {std::pair{1, 4}, {2, 2}, {4, 8}, {4, 4}, {8, 64}, {6, 12}}) {
            for (const int v : {1, 2, 3}) {
                if (v > 1 && schedule != PipelineSchedule::Interleaved)
                    continue;
                QTest::addRow("%s p=%d m=%d v=%d", name, p, m, v) << schedule << p << m << v;
            }
        }
    }
}

} // namespace

void PipelineTimelineTest::idlesAsPublished_data() { addSchedules(); }

// Narayanan et al. 2021 (2104.04473), section 2.2: the bubble is (p - 1)(tf + tb) beside m (tf + tb) of work, and a
// v-th of it with v chunks, whatever tb / tf is.
void PipelineTimelineTest::idlesAsPublished()
{
    QFETCH(PipelineSchedule, schedule);
    QFETCH(int, stages);
    QFETCH(int, microBatches);
    QFETCH(int, chunks);
    for (const double backward : {1.0, 2.0, 3.0}) {
        const auto timeline = pipelineTimeline(schedule, stages, microBatches, chunks, backward);
        const double work = microBatches * (1 + backward);
        const double bubble = (stages - 1) * (1 + backward) / chunks;
        QVERIFY2(std::abs(timeline.length - work - bubble) < 1e-9, qPrintable(QString::number(timeline.length)));
        QVERIFY(std::abs(timeline.idleShare - bubble / (work + bubble)) < 1e-9);
        QVERIFY(std::abs(timeline.idleShare - pipelineIdleShare(stages, microBatches, chunks)) < 1e-9);
    }
}

void PipelineTimelineTest::doesEachPassOnce_data() { addSchedules(); }

void PipelineTimelineTest::doesEachPassOnce()
{
    QFETCH(PipelineSchedule, schedule);
    QFETCH(int, stages);
    QFETCH(int, microBatches);
    QFETCH(int, chunks);
    const auto timeline = pipelineTimeline(schedule, stages, microBatches, chunks);
    QCOMPARE(timeline.passes.size(), qsizetype(2) * stages * microBatches * chunks);
    QSet<QString> seen;
    for (const PipelinePass& pass : timeline.passes) {
        const QString key = u"%1/%2/%3/%4"_s.arg(pass.stage).arg(pass.microBatch).arg(pass.chunk).arg(pass.backward);
        QVERIFY2(!seen.contains(key), qPrintable(key));
        seen.insert(key);
    }
    // No stage does two things at a time, and nothing starts before what it needs has ended.
    for (const PipelinePass& one : timeline.passes) {
        for (const PipelinePass& two : timeline.passes) {
            if (one.stage == two.stage && one.start < two.start)
                QVERIFY(one.start + one.length <= two.start + 1e-9);
            const bool before = one.microBatch == two.microBatch && one.chunk == two.chunk && !one.backward
                && !two.backward && one.stage == two.stage - 1;
            const bool after = one.microBatch == two.microBatch && one.chunk == two.chunk && one.backward
                && two.backward && one.stage == two.stage + 1;
            if (before || after)
                QVERIFY(one.start + one.length <= two.start + 1e-9);
        }
    }
}

// Section 2.2.1: 1F1B holds at most as many micro-batches in flight as there are stages; GPipe all of them.
void PipelineTimelineTest::keepsFewMicroBatchesInFlight()
{
    const auto inFlight = [](const PipelineTimeline& timeline) {
        int most = 0;
        for (const PipelinePass& at : timeline.passes) {
            int open = 0;
            for (const PipelinePass& pass : timeline.passes) {
                if (pass.stage == 0 && pass.start <= at.start + 1e-9)
                    open += pass.backward ? (pass.start + pass.length <= at.start + 1e-9 ? -1 : 0) : 1;
            }
            most = qMax(most, open);
        }
        return most;
    };
    QCOMPARE(inFlight(pipelineTimeline(PipelineSchedule::OneForwardOneBackward, 4, 16)), 4);
    QCOMPARE(inFlight(pipelineTimeline(PipelineSchedule::GPipe, 4, 16)), 16);
}

void PipelineTimelineTest::survivesOddInput()
{
    QCOMPARE(pipelineTimeline(PipelineSchedule::GPipe, 0, 0).passes.size(), 2);
    QCOMPARE(pipelineTimeline(PipelineSchedule::OneForwardOneBackward, -3, -1).idleShare, 0.0);
    // Interleaving needs a multiple of the stages: otherwise the plain schedule.
    const auto odd = pipelineTimeline(PipelineSchedule::Interleaved, 4, 7, 2);
    QVERIFY(std::abs(odd.idleShare - pipelineIdleShare(4, 7)) < 1e-9);
    QCOMPARE(pipelineIdleShare(1, 0), 0.0);
}

RANKWRIGHT_TEST_MAIN(PipelineTimelineTest)
#include "tst_pipelinetimeline.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/samplegaps.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 gapBegin = 1'772'460'000'000;

MemoryHistory historyOf(const QList<int>& seconds, int every = 1)
{
    MemoryHistory history({u"n1"_s}, 1);
    for (const int second : seconds) {
        NodeTick tick{u"n1"_s, gapBegin + second * every * 1000LL, {GpuSample{}}};
        history.store(tick);
    }
    return history;
}

} // namespace

/// What counts as a gap, whoever draws or counts it.
class SampleGapsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void between();
    void beforeAndAfterWithinTheJob();
    void slowSampling();
};

void SampleGapsTest::between()
{
    const MemoryHistory history = historyOf({0, 1, 2, 7, 8, 9, 15, 16, 17});
    QCOMPARE(usualIntervalMs(history), 1000);
    QCOMPARE(gapLongerThanMs(1000), 5000);
    QCOMPARE(gapsWithin(history), (QList<TimeSpan>{{gapBegin + 9000, gapBegin + 15'000}})); // 5 s are none
    QCOMPARE(gapsText(gapsWithin(history)), u"1 gap, 6\u2009s in all"_s);
    QVERIFY(gapsText({}).isEmpty());
}

void SampleGapsTest::beforeAndAfterWithinTheJob()
{
    const MemoryHistory history = historyOf({0, 1, 2, 3, 4});
    QVERIFY(gapsWithin(history).isEmpty());
    const QList<TimeSpan> gaps = gapsWithin(history, {gapBegin - 20'000, gapBegin + 30'000});
    QCOMPARE(gaps.size(), 2);
    QCOMPARE(gaps.first(), (TimeSpan{gapBegin - 20'000, gapBegin}));
    QCOMPARE(gaps.last().toMs, gapBegin + 30'000);
    QVERIFY(gapsWithin(history, {gapBegin - 4000, gapBegin + 8000}).isEmpty());
    const TimeSpan job{gapBegin, gapBegin + 60'000};
    QCOMPARE(gapsWithin(MemoryHistory(), job), QList<TimeSpan>{job});
}

void SampleGapsTest::slowSampling()
{
    const MemoryHistory history = historyOf({0, 1, 2, 3, 5, 6, 10, 11}, 10);
    QCOMPARE(usualIntervalMs(history), 10'000);
    QCOMPARE(gapsWithin(history), (QList<TimeSpan>{{gapBegin + 60'000, gapBegin + 100'000}}));
}

RANKWRIGHT_TEST_MAIN(SampleGapsTest)
#include "tst_samplegaps.moc"

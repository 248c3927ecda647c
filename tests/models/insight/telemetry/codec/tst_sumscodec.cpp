// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/codec/columncodec.h"
#include "models/insight/telemetry/codec/sumscodec.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

#include <limits>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 firstTime = 1'790'000'003'456;

NodeTick tickAt(QRandomGenerator& random, qint64 ms)
{
    NodeTick tick{u"n1"_s, ms, {}};
    for (int index = 0; index < 4; ++index) {
        GpuSample gpu;
        gpu.index = index == 3 ? 9 : index; // numbers between are left out
        gpu.name = u"GPU"_s;
        gpu.utilizationPercent = random.bounded(1001) / 10.0;
        gpu.memoryUsedBytes = qint64(random.bounded(1 << 30)) * 64;
        gpu.memoryTotalBytes = 85'520'809'984;
        if (index != 1)
            gpu.powerWatts = random.bounded(70'000) / 100.0;
        gpu.powerCapWatts = 700;
        gpu.temperatureCelsius = random.bounded(90);
        gpu.clockMhz = random.bounded(1980);
        if (index == 2)
            gpu.throttle = Throttles::fromInt(random.bounded(2));
        if (index != 0)
            gpu.activity = {random.bounded(1001) / 10.0, 40, {}, random.bounded(100) / 10.0};
        tick.gpus.append(gpu);
    }
    return tick;
}

QList<NodeTick> someTicks(QRandomGenerator& random, int count)
{
    QList<NodeTick> ticks;
    for (int i = 0; i < count; ++i)
        ticks.append(tickAt(random, firstTime + i * 1000LL + random.bounded(900)));
    return ticks;
}

} // namespace

/// Sums of a node's samples: added up, packed, read back, and bytes that are none.
class SumsCodecTest final : public test::Suite {
    Q_OBJECT
private slots:
    void partsAddUp();
    void apartIsNotSummed();
    void packedAndBack();
    void sumsOfEarlierReleases();
    void damagedBytes();
    void timesThatDoNotFit();
};

void SumsCodecTest::partsAddUp()
{
    QRandomGenerator random(1);
    const QList<NodeTick> ticks = someTicks(random, 300);
    const auto whole = NodeSums::of(ticks);
    QVERIFY(whole);
    for (const int cut : {1, 2, 57, 299}) {
        auto sums = NodeSums::of(ticks.first(cut));
        const auto rest = NodeSums::of(ticks.sliced(cut));
        QVERIFY(sums && rest && sums->append(*rest));
        QVERIFY2(*sums == *whole, qPrintable(QString::number(cut)));
    }
    QCOMPARE(whole->gpus.size(), 10U);
    QVERIFY(whole->gpus.at(5).parts.empty());
    QCOMPARE(whole->gpus.at(0).seenMs, ticks.last().takenMs - ticks.first().takenMs);
}

void SumsCodecTest::apartIsNotSummed()
{
    QRandomGenerator random(2);
    QList<NodeTick> ticks = someTicks(random, 20);
    ticks.append(tickAt(random, ticks.last().takenMs + NodeSums::furthestApartMs + 1));
    QVERIFY(!NodeSums::of(ticks));
    QVERIFY(!NodeSums::of({}));
    QVERIFY(!NodeSums::of({ticks.at(1), ticks.at(0)}));
    auto sums = NodeSums::of(ticks.first(20));
    const NodeSums before = *sums;
    QVERIFY(!sums->append(*NodeSums::of({ticks.last()})));
    QVERIFY(!sums->append(before)); // not later
    QVERIFY(*sums == before);
}

void SumsCodecTest::packedAndBack()
{
    QRandomGenerator random(3);
    for (const int count : {1, 2, 60, 600}) {
        const auto sums = NodeSums::of(someTicks(random, count));
        const auto again = unpackSums(packSums(*sums), u"n1"_s);
        QVERIFY_RESULT(again);
        QVERIFY2(*again == *sums, qPrintable(QString::number(count)));
    }
}

/// They end where the shares of what works begin, as sums of GPUs that report none do.
void SumsCodecTest::sumsOfEarlierReleases()
{
    QRandomGenerator random(6);
    NodeSums sums = *NodeSums::of(someTicks(random, 60));
    const auto full = unpackBlob('S', packSums(sums));
    QVERIFY_RESULT(full);
    QVERIFY(sums.gpus.at(1).activityMs.at(1) > 0 && sums.gpus.at(1).activityMs.at(2) == 0);
    for (GpuSums& gpu : sums.gpus)
        gpu.activitySum = gpu.activityMs = {};
    const auto without = unpackBlob('S', packSums(sums));
    QVERIFY_RESULT(without);
    QVERIFY(full->startsWith(*without) && full->size() > without->size());
    const auto read = unpackSumsPayload(*without, u"n1"_s);
    QVERIFY_RESULT(read);
    QVERIFY(*read == sums);
    QVERIFY(!unpackSumsPayload(full->chopped(1), u"n1"_s));
}

void SumsCodecTest::damagedBytes()
{
    QRandomGenerator random(4);
    const QByteArray blob = packSums(*NodeSums::of(someTicks(random, 40)));
    const auto payload = unpackBlob('S', blob);
    QVERIFY_RESULT(payload);
    for (int i = 0; i < 20'000; ++i) {
        QByteArray bytes = *payload;
        for (int change = random.bounded(1, 4); change > 0; --change)
            bytes[random.bounded(int(bytes.size()))] = char(random.bounded(256));
        if (random.bounded(4) == 0)
            bytes.truncate(random.bounded(int(bytes.size())));
        const auto read = unpackSumsPayload(bytes, u"n1"_s);
        if (read)
            (void)packSums(*read);
        else
            QCOMPARE(read.error().fault, Fault::Unreadable);
    }
}

/// What happened lies between the first sample and the last, and these are within an hour, whatever the numbers are.
void SumsCodecTest::timesThatDoNotFit()
{
    QRandomGenerator random(5);
    const NodeSums sums = *NodeSums::of(someTicks(random, 40));
    QVERIFY_RESULT(unpackSums(packSums(sums), u"n1"_s));
    NodeSums late = sums;
    late.lastWorkMs = sums.last.takenMs + 1;
    QVERIFY(!unpackSums(packSums(late), u"n1"_s));
    NodeSums back = sums;
    back.last.takenMs = sums.first.takenMs - 1000;
    QVERIFY(!unpackSums(packSums(back), u"n1"_s));
    NodeSums around;
    around.first = {u"n1"_s, std::numeric_limits<qint64>::max() - 10, {}};
    around.last = {u"n1"_s, std::numeric_limits<qint64>::min() + 10, {}};
    QVERIFY(!unpackSums(packSums(around), u"n1"_s));
}

RANKWRIGHT_TEST_MAIN(SumsCodecTest)
#include "tst_sumscodec.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/codec/processcodec.h"
#include "models/insight/telemetry/codec/tickchunk.h"
#include "tests/support/testbase.h"

#include <QMap>
#include <QRandomGenerator>

#include <cmath>
#include <limits>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 start = 1'790'000'000'000;

template <typename T>
std::optional<T> maybe(QRandomGenerator& random, int oneIn, T value)
{
    return random.bounded(oneIn) == 0 ? std::nullopt : std::optional<T>(value);
}

GpuSample anyGpu(QRandomGenerator& random, int index)
{
    GpuSample gpu;
    gpu.index = random.bounded(20) == 0 ? random.bounded(256) : index;
    gpu.name = random.bounded(9) == 0 ? QString() : u"AMD Instinct MI250X é"_s;
    gpu.secondaryDie = random.bounded(2) == 1;
    const int odd = random.bounded(40);
    gpu.utilizationPercent = maybe(random, 5, odd == 0 ? random.generateDouble() : double(random.bounded(101)));
    gpu.memoryUsedBytes = maybe(random, 6, qint64(random.generate64() >> random.bounded(1, 64)));
    gpu.memoryTotalBytes = maybe(random, 7, qint64(68'702'699'520));
    gpu.powerWatts = maybe(random, 2, random.bounded(5600) / 10.0);
    gpu.powerCapWatts = maybe(random, 8, odd == 1 ? -0.1 : 560.0);
    gpu.temperatureCelsius = maybe(random, 4, odd == 2 ? 1e300 : double(random.bounded(-40, 110)));
    gpu.clockMhz = maybe(random, 4, odd == 3 ? 5e-324 : double(random.bounded(2500)));
    gpu.throttle = maybe(random, 4, Throttles::fromInt(random.bounded(8)));
    gpu.processes = maybe(random, 4, random.bounded(odd == 4 ? std::numeric_limits<int>::max() : 3));
    gpu.memoryErrors = maybe(random, 4, qint64(random.bounded(4)));
    gpu.activity = {maybe(random, 4, random.bounded(1001) / 10.0), maybe(random, 4, double(random.bounded(101))),
        maybe(random, 4, random.bounded(1001) / 10.0), maybe(random, 4, random.bounded(101) / 10.0)};
    return gpu;
}

QList<NodeTick> anyTicks(QRandomGenerator& random)
{
    QList<NodeTick> ticks;
    const int count = random.bounded(40);
    const int gpus = random.bounded(10);
    qint64 time = random.bounded(10) == 0 ? -5 : start;
    for (int i = 0; i < count; ++i) {
        NodeTick tick{u"nid005001"_s, time += random.bounded(3000), {}};
        const int here = random.bounded(8) == 0 ? random.bounded(12) : gpus;
        for (int gpu = 0; gpu < here; ++gpu)
            tick.gpus.append(anyGpu(random, gpu));
        ticks.append(tick);
    }
    return ticks;
}

NodeResources anyResources(QRandomGenerator& random)
{
    const auto amount = [&random] { return maybe(random, 4, qint64(random.generate64() >> random.bounded(4, 64))); };
    const auto share = [&random] { return maybe(random, 4, random.bounded(1001) / 1000.0); };
    const auto scope = [&random] { return maybe(random, 4, ResourceScope(random.bounded(2))); };
    NodeResources resources;
    resources.network = maybe(random, 4, NetworkKind(random.bounded(4)));
    resources.links = maybe(random, 4, random.bounded(9));
    resources.capacity = amount();
    resources.received = amount();
    resources.sent = amount();
    resources.processes = maybe(random, 4, random.bounded(200));
    resources.waiting = maybe(random, 4, random.bounded(3));
    resources.waitsIn = random.bounded(2) == 0 ? QString() : u"cl_sync_io_wait"_s.left(random.bounded(16));
    resources.pressureOf = scope();
    resources.someWait = share();
    resources.allWait = share();
    resources.memoryOf = scope();
    resources.memoryLimit = amount();
    resources.anonymous = amount();
    resources.shared = amount();
    resources.cached = amount();
    resources.onGpus = amount();
    return resources;
}

QList<NodeProcesses> anyProcesses(QRandomGenerator& random)
{
    QList<NodeProcesses> all;
    const int count = random.bounded(12);
    for (int i = 0; i < count; ++i) {
        NodeProcesses reported{u"n1"_s, start + i * 5000, {}, maybe(random, 3, 56), maybe(random, 3, qint64(1) << 39),
            maybe(random, 3, qint64(random.generate64() >> 20))};
        const int ranks = random.bounded(9);
        for (int rank = 0; rank < ranks; ++rank) {
            reported.ranks.append({1000 + rank + random.bounded(2), maybe(random, 5, rank), maybe(random, 5, rank),
                maybe(random, 5, 16), u"0,1,2,3"_s.left(random.bounded(8)), u"1-7,65-71"_s,
                maybe(random, 5, random.bounded(10000) / 100.0), maybe(random, 5, qint64(random.generate64() >> 25)),
                "RSDZ"[random.bounded(5)], maybe(random, 5, rank), maybe(random, 5, qint64(random.generate()))});
            reported.ranks.last().isByTask = reported.ranks.last().rank && random.bounded(4) == 0;
        }
        reported.resources = maybe(random, 3, anyResources(random));
        all.append(reported);
    }
    return all;
}

/// A job of eight GPUs at work, as the tools print it.
QList<NodeTick> trainingTicks(int seconds)
{
    QRandomGenerator random(7);
    QList<NodeTick> ticks;
    for (int second = 0; second < seconds; ++second) {
        NodeTick tick{u"n"_s, start + second * 1000LL + random.bounded(5), {}};
        for (int index = 0; index < 8; ++index) {
            GpuSample gpu;
            gpu.index = index;
            gpu.utilizationPercent = 90 + random.bounded(11);
            gpu.memoryUsedBytes = 61'203'283'968 + 2'097'152LL * random.bounded(3);
            gpu.memoryTotalBytes = 68'702'699'520;
            gpu.powerWatts = 480 + random.bounded(600) / 10.0;
            gpu.powerCapWatts = 560;
            gpu.temperatureCelsius = 55 + random.bounded(4);
            gpu.clockMhz = 1600 + random.bounded(60);
            gpu.throttle = Throttles();
            gpu.processes = 1;
            gpu.memoryErrors = 0;
            tick.gpus.append(gpu);
        }
        ticks.append(tick);
    }
    return ticks;
}

} // namespace

/// Ticks packed and unpacked: nothing changes, and bytes that we did not write are refused.
class TickChunkTest final : public test::Suite {
    Q_OBJECT
private slots:
    void randomTicksComeBack();
    void randomProcessesComeBack();
    void manyNamesComeBack();
    void notANumberIsUnknown();
    void isSmall();
    void oneTickAndOneMeasure();
    void gpusThatComeAndGo();
    void damagedBytesAreRefused();
    void changedPayloadsNeverCrash();
    void newerVersionIsNamed();
    void olderPiecesAreRead();
    void whatNoNodeHas();
};

void TickChunkTest::randomTicksComeBack()
{
    QRandomGenerator random(20261121);
    for (int run = 0; run < 400; ++run) {
        const QList<NodeTick> ticks = anyTicks(random);
        const auto chunk = TickChunk::open(packTicks(ticks));
        QVERIFY_RESULT(chunk);
        QCOMPARE(chunk->ticks(u"nid005001"_s), ticks);
        for (qsizetype i = 0; i < ticks.size(); ++i)
            QCOMPARE(chunk->tick(i, u"nid005001"_s), ticks.at(i));
    }
}

void TickChunkTest::randomProcessesComeBack()
{
    QRandomGenerator random(20261122);
    for (int run = 0; run < 400; ++run) {
        const QList<NodeProcesses> reported = anyProcesses(random);
        const auto back = unpackProcesses(packProcesses(reported), u"n1"_s);
        QVERIFY_RESULT(back);
        QCOMPARE(*back, reported);
    }
}

/// As many processes and functions as there are moments: none is looked for among all the others.
void TickChunkTest::manyNamesComeBack()
{
    QList<NodeProcesses> reported;
    for (int i = 0; i < 16'000; ++i) {
        NodeProcesses one{u"n1"_s, start + i * 5000, {}, 8, {}, {}};
        one.resources = NodeResources();
        one.resources->waitsIn = u"f%1"_s.arg(i);
        RankSample rank;
        rank.pid = 1000 + i;
        rank.rank = i % 7;
        rank.cpus = u"0-7"_s;
        one.ranks = {rank};
        reported.append(one);
    }
    const auto back = unpackProcesses(packProcesses(reported), u"n1"_s);
    QVERIFY_RESULT(back);
    QVERIFY(*back == reported);
}

void TickChunkTest::notANumberIsUnknown()
{
    NodeTick tick{u"n"_s, start, {GpuSample()}};
    tick.gpus[0].powerWatts = std::nan("");
    tick.gpus[0].utilizationPercent = std::numeric_limits<double>::infinity();
    const auto chunk = TickChunk::open(packTicks({tick}));
    QVERIFY_RESULT(chunk);
    const GpuSample back = chunk->tick(0, u"n"_s).gpus.at(0);
    QVERIFY(!back.powerWatts);
    QCOMPARE(back.utilizationPercent, tick.gpus.at(0).utilizationPercent);
}

void TickChunkTest::isSmall()
{
    // 20 MB for 24 h of 8 GPUs are 28.9 bytes for each sample; the levels above need room too.
    const qsizetype bytes = packTicks(trainingTicks(300)).size();
    qInfo("%.2f bytes per sample", double(bytes) / (300.0 * 8));
    QVERIFY2(bytes < 300 * 8 * 6, qPrintable(QString::number(bytes)));
}

void TickChunkTest::oneTickAndOneMeasure()
{
    const QList<NodeTick> ticks = trainingTicks(60);
    const auto chunk = TickChunk::open(packTicks(ticks));
    QVERIFY_RESULT(chunk);
    QCOMPARE(chunk->size(), 60);
    QCOMPARE(chunk->largestGpu(), 7);
    QCOMPARE(chunk->newestAt(start - 1), -1);
    QCOMPARE(chunk->newestAt(ticks.at(30).takenMs), 30);
    QCOMPARE(chunk->newestAt(start + 999'999), 59);
    for (const Measure measure : {Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature,
             Measure::Clock, Measure::Processes}) {
        qsizetype at = 0;
        chunk->forEachValue(5, measure, [&](qint64 ms, float value) {
            QCOMPARE(ms, ticks.at(at).takenMs);
            QCOMPARE(value, float(*TelemetrySeries::value(ticks.at(at).gpus.at(5), measure)));
            ++at;
        });
        QCOMPARE(at, 60);
    }
    chunk->forEachValue(8, Measure::Power, [](qint64, float) { QFAIL("there is no such GPU"); });
}

void TickChunkTest::gpusThatComeAndGo()
{
    QList<NodeTick> ticks = trainingTicks(4);
    ticks[1].gpus.removeAt(2); // GPU 3 is where GPU 2 was
    ticks[2].gpus.clear();
    const auto chunk = TickChunk::open(packTicks(ticks));
    QVERIFY_RESULT(chunk);
    QMap<qint64, float> seen;
    chunk->forEachValue(3, Measure::Power, [&seen](qint64 ms, float value) { seen.insert(ms, value); });
    QCOMPARE(seen.values(),
        QList<float>({float(*ticks.at(0).gpus.at(3).powerWatts), float(*ticks.at(1).gpus.at(2).powerWatts),
            float(*ticks.at(3).gpus.at(3).powerWatts)}));
    QVERIFY(chunk->tick(2, {}).gpus.isEmpty());
}

void TickChunkTest::damagedBytesAreRefused()
{
    const QByteArray good = packTicks(trainingTicks(20));
    for (qsizetype length = 0; length < good.size(); ++length)
        QVERIFY2(!TickChunk::open(good.left(length)), qPrintable(u"cut at %1"_s.arg(length)));
    for (qsizetype at = 0; at < good.size(); ++at) {
        QByteArray bad = good;
        bad[at] = char(bad.at(at) ^ 0x10);
        QVERIFY2(!TickChunk::open(bad), qPrintable(u"changed at %1"_s.arg(at)));
    }
    QVERIFY(!unpackProcesses(good, u"n"_s));
    QByteArray huge = "\xff\xff\xff\xff" + good.mid(8); // claims 4 GiB
    const quint16 sum = qChecksum(huge);
    huge = good.left(2) + char(sum & 0xff) + char(sum >> 8) + huge;
    const auto refused = TickChunk::open(huge);
    QVERIFY(!refused);
    QVERIFY(!refused.error().remedy.isEmpty());
}

void TickChunkTest::changedPayloadsNeverCrash()
{
    QRandomGenerator random(3);
    const QByteArray good = qUncompress(packTicks(trainingTicks(10)).mid(4));
    const QByteArray processes = qUncompress(packProcesses(anyProcesses(random)).mid(4));
    for (int run = 0; run < 3000; ++run) {
        QByteArray bad = run % 2 ? good : processes;
        for (int i = 0; i < 3; ++i)
            bad[random.bounded(int(bad.size()))] = char(random.bounded(256));
        if (run % 5 == 0)
            bad.truncate(random.bounded(int(bad.size())));
        if (const auto chunk = TickChunk::openPayload(bad)) {
            QCOMPARE(chunk->ticks(u"n"_s).size(), chunk->size());
            chunk->forEachValue(1, Measure::Memory, [](qint64, float) {});
        }
        if (const auto reported = unpackProcessesPayload(bad, u"n"_s))
            QVERIFY(reported->size() >= 0);
    }
}

void TickChunkTest::newerVersionIsNamed()
{
    QByteArray newer = packTicks(trainingTicks(1));
    newer[1] = 2;
    const auto refused = TickChunk::open(newer);
    QVERIFY(!refused);
    QCOMPARE(refused.error().fault, Fault::Invalid);
}

/// Written before errors of the memory were counted.
void TickChunkTest::olderPiecesAreRead()
{
    const auto chunk = TickChunk::open(QByteArray::fromHex(
        "5401e07500000059789c63fad27feaedd4f40bfc4c0c0c0c4c8c0c8c4c0c8ccc8c0c0c9cac4c0c871899414c66467923462"
        "0a902946661647ce301a2185eb083c4188ac09c1352200e23135888898599918909006ea60a29"));
    QVERIFY_RESULT(chunk);
    GpuSample first{0, {}, 97, 50LL << 30, 64LL << 30, 466.2, 500, 57, 1700, Throttles(Throttle::Thermal), 1, false};
    GpuSample second{1, {}, 0, {}, {}, {}, {}, {}, {}, {}, {}, true};
    QCOMPARE(chunk->tick(0, u"n1"_s), (NodeTick{u"n1"_s, 1772460000250, {first, second}}));
    first.utilizationPercent = 95;
    second.processes = 2;
    QCOMPARE(chunk->ticks(u"n1"_s).last(), (NodeTick{u"n1"_s, 1772460001250, {first, second}}));
}

/// A recording may come from anybody: its figures can be added, and its names are names.
void TickChunkTest::whatNoNodeHas()
{
    NodeProcesses reported{u"n1"_s, start, {}, 8, {}, {}};
    reported.resources = NodeResources();
    reported.resources->anonymous = reported.resources->shared = std::numeric_limits<qint64>::max();
    reported.resources->cached = 5;
    reported.resources->waitsIn = u"<img src=x>"_s;
    const auto back = unpackProcesses(packProcesses({reported}), u"n1"_s);
    QVERIFY_RESULT(back);
    NodeResources expected;
    expected.cached = 5;
    QVERIFY(back->first().resources == expected);
    for (const qint64 errors : {qint64(-1), std::numeric_limits<qint64>::max()}) {
        NodeTick tick{u"n"_s, start, {GpuSample()}};
        tick.gpus[0].memoryErrors = errors;
        const auto chunk = TickChunk::open(packTicks({tick}));
        QVERIFY_RESULT(chunk);
        QVERIFY(!chunk->tick(0, u"n"_s).gpus.at(0).memoryErrors);
    }
    for (const double percent : {-0.1, 100.1, 1e300, -std::numeric_limits<double>::infinity()}) {
        NodeTick tick{u"n"_s, start, {GpuSample()}};
        tick.gpus[0].activity = {percent, percent, percent, percent};
        const auto chunk = TickChunk::open(packTicks({tick}));
        QVERIFY_RESULT(chunk);
        QVERIFY(chunk->tick(0, u"n"_s).gpus.at(0).activity == GpuActivity());
    }
}

RANKWRIGHT_TEST_MAIN(TickChunkTest)
#include "tst_tickchunk.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/ranktracker.h"
#include "tests/models/support/jobstream.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;
using Planted = JobPlan::Fault;

namespace {

QString inWords(const QList<Reported>& reported)
{
    QStringList words;
    for (const Reported& one : reported)
        words.append(u"%1 s: %2 “%3” %4"_s.arg(one.second).arg(one.kind, one.alert.title, one.alert.seen));
    return words.isEmpty() ? u"nothing"_s : words.join(u'\n');
}

QList<Reported> loudOnes(const QList<Reported>& reported)
{
    QList<Reported> loud;
    std::copy_if(reported.begin(), reported.end(), std::back_inserter(loud),
        [](const Reported& one) { return one.level != Alert::Level::Normal; });
    return loud;
}

} // namespace

/// Made-up jobs: each fault is reported, soon, and nothing else is; healthy jobs raise nothing.
class AlertWatchTest final : public Suite {
    Q_OBJECT
private slots:
    void healthyJobsRaiseNothing();
    void aShellIsNotTheRankYet();
    void recognisesOneFault_data();
    void recognisesOneFault();
    void bindingOfAWholeNode_data();
    void bindingOfAWholeNode();
    void aNodeWithoutTheMapsCores();
};

void AlertWatchTest::healthyJobsRaiseNothing()
{
    QStringList wrong;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const QList<Reported> loud = loudOnes(watchJob(healthyPlan(seed)));
        if (!loud.isEmpty())
            wrong.append(u"seed %1:\n%2"_s.arg(seed).arg(inWords(loud)));
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(u"%1 of 200\n"_s.arg(wrong.size()) + wrong.mid(0, 6).join(u'\n')));
}

/// What an agent starts first is a shell that looks, binds itself and then becomes the program.
void AlertWatchTest::aShellIsNotTheRankYet()
{
    for (const int gpus : {2, 8}) {
        const QList<Reported> loud
            = loudOnes(watchJob({.fault = Planted::SlowShell, .nodes = 1, .gpus = gpus, .mi250 = gpus == 8}));
        QVERIFY2(loud.isEmpty(), qPrintable(inWords(loud)));
    }
}

void AlertWatchTest::recognisesOneFault_data()
{
    QTest::addColumn<JobPlan>("plan");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("title"); // part of it
    QTest::addColumn<int>("before"); // s
    const auto row = [](const QByteArray& name, const JobPlan& plan, const QString& kind, const QString& title,
                         int before) { QTest::newRow(name.constData()) << plan << kind << title << before; };
    const int works = 25 + 6; // when the training begins
    const int fault = 60;
    row("idle half", {.fault = Planted::IdleGpus, .nodes = 1}, u"idle_gpus"_s,
        u"4 of 8 GCDs never did any work: WORLD_SIZE is 4"_s, works + 15);
    row("idle half, ranks not reported", {.fault = Planted::IdleGpus, .nodes = 1, .reportsRanks = false},
        u"idle_gpus"_s, u"4 of 8 GCDs never did any work"_s, works + 45);
    row("idle half of A100s", {.fault = Planted::IdleGpus, .nodes = 4, .gpus = 4, .mi250 = false}, u"idle_gpus"_s,
        u"8 of 16 GPUs never did any work: WORLD_SIZE is 8"_s, works + 15);
    row("idle node", {.fault = Planted::IdleNode, .nodes = 4}, u"idle_gpus"_s, u"8 of 32 GCDs never did any work"_s,
        works + 15);
    row("all on GPU 0", {.fault = Planted::Crowded, .nodes = 1}, u"crowded_gpu"_s,
        u"8 ranks share GCD 0, 7 GCDs are empty"_s, works + 15);
    row("all on GPU 0, processes reported",
        {.fault = Planted::Crowded, .mi250 = false, .reportsRanks = false, .reportsProcesses = true}, u"crowded_gpu"_s,
        u"8 ranks share GPU 0"_s, works + 15);
    for (const bool mi250 : {true, false}) {
        for (const int nodes : {1, 2, 16}) {
            const int gpus = mi250 ? 8 : 4;
            const QByteArray size = QByteArray::number(nodes) + (mi250 ? " x 8 GCDs" : " x 4 A100s");
            row("straggler, " + size, {.fault = Planted::Straggler, .nodes = nodes, .gpus = gpus, .mi250 = mi250},
                u"straggler"_s, mi250 ? u"One of ranks"_s : u"Rank"_s, fault + 15);
            row("hang, " + size, {.fault = Planted::HangOne, .nodes = nodes, .gpus = gpus, .mi250 = mi250}, u"hang"_s,
                u"does not arrive"_s, fault + 15);
        }
    }
    row("straggler, slow steps", {.fault = Planted::Straggler, .stepSeconds = 4}, u"straggler"_s, u"late"_s,
        fault + 45);
    row("straggler, no progress reported", {.fault = Planted::Straggler, .faultAt = 100, .reportsProgress = false},
        u"straggler"_s, u"late"_s, 100 + 90);
    row("hungry rank", {.fault = Planted::HungryRank, .gpus = 4, .mi250 = false}, u"straggler"_s, u"waits for work"_s,
        fault + 20);
    row("slow network", {.fault = Planted::Collective}, u"waiting_collective"_s, u"they wait"_s, fault + 80);
    row("hang, nobody late", {.fault = Planted::HangAll}, u"hang"_s, u"none is late"_s, fault + 110);
    row("hang after checkpoints",
        {.fault = Planted::HangOne, .faultAt = 150, .checkpointEvery = 60, .checkpointSeconds = 8}, u"hang"_s,
        u"rank 11 does not arrive"_s, 150 + 20);
    row("hang, output in pieces", {.fault = Planted::HangOne, .pieceSeconds = 17}, u"hang"_s,
        u"rank 11 does not arrive"_s, fault + 15);
    row("hang before the first piece", {.fault = Planted::HangOne, .faultAt = 45, .pieceSeconds = 17}, u"hang"_s,
        u"rank 11 does not arrive"_s, 45 + 15);
    row("hang between the first pieces",
        {.fault = Planted::HangOne, .faultAt = 75, .nodes = 1, .gpus = 4, .mi250 = false, .pieceSeconds = 17},
        u"hang"_s, u"rank 3 does not arrive"_s, 75 + 15);
    row("hang, nobody late, output in pieces", {.fault = Planted::HangAll, .pieceSeconds = 17}, u"hang"_s,
        u"none is late"_s, fault + 190);
    row("rank never started", {.fault = Planted::Unstarted}, u"missing_rank"_s, u"Rank 11 never started"_s, 30);
    row("rank never joins", {.fault = Planted::Unjoined}, u"missing_rank"_s, u"Rank 11 has not joined"_s, 30);
    row("rank killed", {.fault = Planted::LostRank}, u"lost_rank"_s, u"Rank 11 has gone"_s, fault + 15);
    row("dead node", {.fault = Planted::DeadNode}, u"dead_node"_s, u"nid005002 is gone"_s, fault + 15);
    row("dead node of four", {.fault = Planted::DeadNode, .nodes = 4, .gpus = 4, .mi250 = false}, u"dead_node"_s,
        u"nid005004 is gone"_s, fault + 15);
    row("silent node", {.fault = Planted::SilentNode}, u"silent_node"_s, u"nid005002 is silent"_s, fault + 15);
    row("slow loader", {.fault = Planted::Waves, .stepSeconds = 4}, u"data_loading"_s, u"wait for data"_s, fault + 25);
    row("slow loader, one GPU", {.fault = Planted::Waves, .nodes = 1, .gpus = 1, .mi250 = false, .stepSeconds = 2},
        u"data_loading"_s, u"waits for data"_s, fault + 25);
    row("slow loader, output in pieces", {.fault = Planted::Waves, .stepSeconds = 4, .pieceSeconds = 60},
        u"data_loading"_s, u"wait for data"_s, fault + 25);
    row("slow loader, no progress reported", {.fault = Planted::Waves, .reportsProgress = false, .stepSeconds = 4},
        u"data_loading"_s, u"wait for data"_s, fault + 25);
    row("slow file system", {.fault = Planted::Waves, .waitsForFiles = true, .stepSeconds = 4}, u"file_wait"_s,
        u"wait for the file system"_s, fault + 25);
    row("starved", {.fault = Planted::Starved, .stepSeconds = 1}, u"data_loading"_s, u"wait for data"_s, fault + 30);
    row("small work", {.fault = Planted::SmallWork, .stepSeconds = 0.2}, u"small_work"_s, u"little work"_s, fault + 60);
    row("memory leak", {.fault = Planted::Leak, .seconds = 280}, u"memory_growing"_s, u"nearly full"_s, 240);
    row("hot GPU", {.fault = Planted::Hot, .gpus = 4, .mi250 = false}, u"throttled"_s, u"Rank 7 is throttled"_s,
        fault + 30);
    row("hot GCD, no flags", {.fault = Planted::Hot}, u"throttled"_s, u"Rank 11 is throttled"_s, fault + 45);
    row("one core", {.fault = Planted::OneCore}, u"shared_cores"_s, u"8 ranks share 1 of 56 cores"_s, 15);
    row("same cores", {.fault = Planted::SameCores}, u"shared_cores"_s, u"Ranks 2 and 3 run on the same cores"_s, 15);
    row("wrong cores", {.fault = Planted::WrongCores}, u"wrong_binding"_s, u"not run on the cores"_s, 15);
    row("uneven stages", {.fault = Planted::Stages, .nodes = 4}, u"uneven_stages"_s, u"stage 3 waits"_s, fault + 70);
    row("all sleep", {.fault = Planted::Stalled}, u"stalled"_s, u"idle with memory held"_s, fault + 80);
    row("loss lost", {.fault = Planted::Nan}, u"loss_nan"_s, u"not a number"_s, fault + 15);
    row("time limit", {.fault = Planted::Late}, u"time_limit"_s, u"time limit comes before"_s, works + 40);
    row("paid and unused", {.fault = Planted::Unpaid, .nodes = 1, .gpus = 4, .mi250 = false}, u"unused_share"_s,
        u"8 GPUs paid for, 4"_s, 90);
}

void AlertWatchTest::recognisesOneFault()
{
    QFETCH(JobPlan, plan);
    QFETCH(QString, kind);
    QFETCH(QString, title);
    QFETCH(int, before);
    const QList<Reported> loud = loudOnes(watchJob(plan));
    QVERIFY2(loud.size() == 1, qPrintable(inWords(loud)));
    QVERIFY2(loud.first().kind == kind, qPrintable(inWords(loud)));
    const Alert& alert = loud.first().alert;
    QVERIFY2(alert.title.contains(title), qPrintable(inWords(loud)));
    QVERIFY2(loud.first().second <= before, qPrintable(u"not before %1 s\n"_s.arg(before) + inWords(loud)));
    QVERIFY(!alert.seen.isEmpty() && !alert.meaning.isEmpty() && !alert.advice.isEmpty() && !alert.source.isEmpty());
    QVERIFY(
        alert.sinceMs > 1'772'460'000'000 && alert.sinceMs <= 1'772'460'000'000 + loud.first().second * 1000 + 3700);
}

namespace {

/// What is reported of four ranks on a node of `processors` that the map gives `map`, and that run on `cpus`.
QStringList warningsOfBinding(const QStringList& map, const QStringList& cpus, int processors)
{
    constexpr qint64 start = 1'772'460'000'000;
    JobExpectation job;
    job.nodes = QStringList{u"n1"_s};
    job.gpusPerNode = 4;
    job.ranks = 4;
    for (int rank = 0; rank < 4; ++rank) {
        RankPlace place;
        place.rank = place.gpu = place.localRank = rank;
        place.cores = cpusOfList(map.at(rank));
        job.placement.append(place);
    }
    AlertWatch watch;
    watch.expect(job);
    watch.started(start);
    QStringList reported;
    for (int second = 0; second < 60; ++second) {
        const qint64 now = start + second * 1000LL;
        NodeTick tick{u"n1"_s, now, {}};
        NodeProcesses ranks{u"n1"_s, now, {}, processors, qint64(512) << 30, qint64(400) << 30};
        for (int rank = 0; rank < 4; ++rank) {
            GpuSample gpu;
            gpu.index = rank;
            gpu.utilizationPercent = 95;
            gpu.powerWatts = 300;
            tick.gpus.append(gpu);
            ranks.ranks.append({1000 + rank, rank, rank, 4, QString::number(rank), cpus.at(rank), 99.0, 6'000'000'000,
                'R', rank, 30'000'000'000});
        }
        watch.feed(tick, now);
        watch.feed(ranks, now);
        for (const Alert& alert : watch.alerts(now)) {
            if (alert.level != Alert::Level::Normal && !reported.contains(alert.title))
                reported.append(alert.title);
        }
    }
    return reported;
}

} // namespace

void AlertWatchTest::bindingOfAWholeNode_data()
{
    QTest::addColumn<QStringList>("cpus");
    QTest::addColumn<QString>("title");
    const auto row
        = [](const char* name, const QStringList& cpus, const QString& title) { QTest::newRow(name) << cpus << title; };
    // The map: 64 cores of two hardware threads each, 16 beside each GPU; none is kept for the system.
    row("on the map", {u"0-15"_s, u"16-31"_s, u"32-47"_s, u"48-63"_s}, {});
    row("with the second threads", {u"0-15,64-79"_s, u"16-31,80-95"_s, u"32-47,96-111"_s, u"48-63,112-127"_s}, {});
    row("not bound", {u"0-127"_s, u"0-127"_s, u"0-127"_s, u"0-127"_s}, u"No rank is bound"_s);
    row("not bound, one thread each", {u"0-63"_s, u"0-63"_s, u"0-63"_s, u"0-63"_s},
        u"Ranks 0-3 are not on the cores"_s);
    row("in Slurm's order", {u"48-63"_s, u"32-47"_s, u"16-31"_s, u"0-15"_s}, u"Ranks 0-3 are not on the cores"_s);
    row("two exchanged", {u"16-31"_s, u"0-15"_s, u"32-47"_s, u"48-63"_s}, u"Ranks 0-1 are not on the cores"_s);
}

void AlertWatchTest::bindingOfAWholeNode()
{
    QFETCH(QStringList, cpus);
    QFETCH(QString, title);
    const QStringList map{u"0-15"_s, u"16-31"_s, u"32-47"_s, u"48-63"_s};
    const QStringList reported = warningsOfBinding(map, cpus, 128);
    if (title.isEmpty())
        QCOMPARE(reported, QStringList());
    else
        QVERIFY2(reported.join(u'\n').contains(title), qPrintable(reported.join(u'\n')));
}

/// The map's cores that a node does not have bind nobody; a rank of whose cores it has some is bound to these.
void AlertWatchTest::aNodeWithoutTheMapsCores()
{
    const QStringList map{u"49-55"_s, u"57-63"_s, u"1-7"_s, u"9-15"_s};
    QCOMPARE(warningsOfBinding(map, {u"0-1"_s, u"0-1"_s, u"1"_s, u"0-1"_s}, 2), QStringList());
    QCOMPARE(warningsOfBinding(map, {u"0-15"_s, u"0-15"_s, u"1-7"_s, u"9-15"_s}, 16), QStringList());
    QCOMPARE(warningsOfBinding(map, {u"0-15"_s, u"0-15"_s, u"1-7"_s, u"1-7"_s}, 16),
        QStringList(u"Ranks 2 and 3 run on the same cores"_s));
}

RANKWRIGHT_TEST_MAIN(AlertWatchTest)
#include "tst_alertwatch.moc"

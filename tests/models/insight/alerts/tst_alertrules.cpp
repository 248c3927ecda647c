// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/numberranges.h"
#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/alertwatch.h"
#include "models/insight/alerts/gpuwindow.h"
#include "models/insight/alerts/ranktracker.h"
#include "models/insight/telemetry/gpuvalue.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QSet>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 start = 1'772'460'000'000;

NodeTick tick(const QString& node, qint64 taken, double use, double power)
{
    NodeTick tick{node, taken, {}};
    for (int gpu = 0; gpu < 4; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = use;
        sample.powerWatts = power;
        sample.powerCapWatts = 400;
        sample.memoryUsedBytes = 20LL << 30;
        sample.memoryTotalBytes = 40LL << 30;
        tick.gpus.append(sample);
    }
    return tick;
}

bool has(const QList<Alert>& alerts, const QString& kind)
{
    return std::any_of(alerts.begin(), alerts.end(), [&](const Alert& one) { return one.kind == kind; });
}

} // namespace

/// The table and the watch's own behaviour: clocks, bursts, rows, the end.
class AlertRulesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void tableIsComplete();
    void documentationNamesEveryRule();
    void aBurstIsNoSilence();
    void aNodesClockMayBeWrong();
    void rowsFollowTheAllocation();
    void theEndFreezes();
    void theOutputExplainsTheRest();
    void aLineAloneIsAHint();
    void whoCompletedHadNoFailure();
    void deadNodeBeforeBrokenConnections();
    void theCauseIsNoLaterThanItsPeers();
    void littleWorkWaitsForTheCause();
    void startUpIsAPhase_data();
    void startUpIsAPhase();
    void busyRanksHideNoStall_data();
    void busyRanksHideNoStall();
    void unknownIsNotZero();
    void meansAreThoseOfTheValue();
    void cpuLists_data();
    void cpuLists();
};

void AlertRulesTest::tableIsComplete()
{
    QSet<QString> ids;
    QSet<QString> names;
    QCOMPARE(alertRules().size(), alertKindCount);
    for (int place = 0; place < alertKindCount; ++place) {
        const AlertRule& rule = alertRules().at(place);
        const QString id = wordOf(rule.kind).toString();
        QCOMPARE(rule.kind, AlertKind(place));
        ids.insert(id);
        names.insert(nameOf(rule.kind).toString());
        QVERIFY2(rule.evaluate && *rule.meaning && *rule.source, qPrintable(id));
        QVERIFY2(!rule.silences.contains(rule.kind), qPrintable(id));
        QVERIFY(FixedWord<AlertKind>::read(id) == rule.kind);
    }
    QCOMPARE(ids.size(), alertKindCount);
    QCOMPARE(names.size(), alertKindCount);
    QVERIFY(wordOf(AlertKind(alertKindCount)).isEmpty());
}

void AlertRulesTest::documentationNamesEveryRule()
{
    QFile file(rankwright::test::sourcePath(u"/docs/alerts.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    for (const AlertRule& rule : alertRules()) {
        const QString id = wordOf(rule.kind).toString(), name = nameOf(rule.kind).toString();
        QVERIFY2(text.contains(u"| %1 |"_s.arg(id).toUtf8()), qPrintable(id));
        if (rule.kind != AlertKind::OutputFailure)
            QVERIFY2(text.contains(u"`%1`"_s.arg(name).toUtf8()), qPrintable(name));
    }
}

void AlertRulesTest::aBurstIsNoSilence()
{
    AlertWatch watch;
    for (int second = 1; second <= 60; ++second) {
        for (const QString& node : {u"a"_s, u"b"_s}) {
            // The link hangs for 8 s at 30 s; then everything comes at once.
            const qint64 now = start + 1000 * (second >= 30 && second < 38 ? 38 : second);
            watch.feed(tick(node, start + 1000 * second, 98, 350), now);
            QVERIFY(watch.alerts(now).isEmpty());
        }
    }
}

void AlertRulesTest::aNodesClockMayBeWrong()
{
    AlertWatch watch;
    for (int second = 1; second <= 90; ++second) {
        const qint64 now = start + 1000 * second;
        watch.feed(tick(u"a"_s, now, 98, 350), now);
        // An hour ahead, and set right after 40 s.
        watch.feed(tick(u"b"_s, now + (second < 40 ? 3'600'000 : 0), 98, 350), now);
        QVERIFY2(watch.alerts(now).isEmpty(), qPrintable(watch.alerts(now).value(0).title));
    }
}

void AlertRulesTest::rowsFollowTheAllocation()
{
    AlertWatch watch;
    JobExpectation expectation;
    expectation.gpusPerNode = 4;
    for (int second = 1; second <= 60; ++second) {
        const qint64 now = start + 1000 * second;
        if (second == 5) {
            expectation.nodes = QStringList{u"a"_s, u"b"_s};
            watch.expect(expectation);
        }
        watch.feed(tick(u"b"_s, now, 98, 350), now); // reported before the first
        NodeTick half = tick(u"a"_s, now, 98, 350);
        for (int gpu = 2; gpu < 4; ++gpu) {
            half.gpus[gpu].utilizationPercent = 0;
            half.gpus[gpu].memoryUsedBytes = 4 << 20;
            half.gpus[gpu].powerWatts = 54;
        }
        watch.feed(half, now);
    }
    const QList<Alert> alerts = watch.alerts(start + 60'000);
    QCOMPARE(alerts.size(), 1);
    QCOMPARE(alerts.first().kind, u"idle_gpus"_s);
    QCOMPARE(alerts.first().gpus, (QList<GpuAddress>{{0, 2}, {0, 3}}));
    QCOMPARE(alerts.first().nodes, QStringList{u"a"_s});
}

void AlertRulesTest::theEndFreezes()
{
    AlertWatch watch;
    for (int second = 1; second <= 40; ++second) {
        const qint64 now = start + 1000 * second;
        watch.feed(tick(u"a"_s, now, 98, 350), now);
        if (second < 20)
            watch.feed(tick(u"b"_s, now, 98, 350), now);
    }
    QVERIFY(has(watch.alerts(start + 40'000), u"silent_node"_s));
    watch.ended(start + 41'000);
    const QList<Alert> atEnd = watch.alerts(start + 42'000);
    QVERIFY(has(atEnd, u"silent_node"_s));
    QCOMPARE(watch.alerts(start + 600'000), atEnd);
    // What the output says comes last, often when the job is over.
    Diagnosis oom;
    oom.kind = u"oom_gpu"_s;
    oom.rule = u"gpu-memory"_s;
    oom.rank = 3;
    watch.feed(QList<Diagnosis>{oom}, start + 601'000);
    const QList<Alert> after = watch.alerts(start + 601'000);
    QVERIFY(has(after, u"oom_gpu"_s));
    QCOMPARE(after.first().title, u"Rank 3: GPU out of memory"_s);
    QVERIFY(!after.first().sinceMs); // when the line was read is not when it happened
    AlertWatch again;
    again.ended(start + 41'000);
    again.feed(QList<Diagnosis>{oom}, start + 43'000); // read as the job ended
    QCOMPARE(again.alerts(start + 43'000).first().sinceMs, start + 41'000);
    // torchrun's summary prints when the rank ended, by the node's clock in a zone of its own.
    const QDateTime ended = QDateTime::fromMSecsSinceEpoch(start + 41'000, Qt::UTC);
    oom.printedTime = ended.addSecs(2 * 3600 - 7).toString(u"yyyy-MM-dd_HH:mm:ss"_s);
    AlertWatch later;
    later.ended(start + 41'000);
    later.feed(QList<Diagnosis>{oom}, start + 90'000'000);
    QCOMPARE(later.alerts(start + 90'000'000).first().sinceMs.value_or(0) / 1000, (start + 34'000) / 1000);
}

void AlertRulesTest::theOutputExplainsTheRest()
{
    AlertWatch watch;
    Diagnosis timeout;
    timeout.kind = u"nccl_timeout"_s;
    timeout.rule = u"collective-timeout"_s;
    for (int second = 1; second <= 200; ++second) {
        const qint64 now = start + 1000 * second;
        watch.feed(tick(u"a"_s, now, 99, second < 50 ? 350 : 95), now);
        if (second == 60)
            watch.feed(QList<Diagnosis>{timeout}, now);
    }
    const QList<Alert> alerts = watch.alerts(start + 200'000);
    QCOMPARE(alerts.size(), 1);
    QCOMPARE(alerts.first().kind, u"nccl_timeout"_s);
}

/// An unknown module, a port that was taken: the script goes on, and so does the job.
void AlertRulesTest::aLineAloneIsAHint()
{
    Diagnosis module;
    module.kind = u"missing_module"_s;
    module.rule = u"site-module"_s;
    module.confirmed = false;
    AlertWatch watch, other, silent;
    TrainingProgress progress;
    progress.steps = 1000;
    bool wasHint = false;
    for (int second = 1; second <= 60; ++second) {
        const qint64 now = start + 1000 * second;
        for (AlertWatch* each : {&watch, &other}) {
            each->feed(tick(u"a"_s, now, 98, 350), now);
            if (second == 5)
                each->feed(QList<Diagnosis>{module}, now);
        }
        if (second > 20) {
            progress.step = second - 20;
            watch.feed(progress, now);
        }
        const QList<Alert> alerts = watch.alerts(now);
        QVERIFY(!has(alerts, u"missing_module"_s));
        wasHint = wasHint || has(alerts, u"output_suspicion"_s);
        if (has(alerts, u"output_suspicion"_s))
            QCOMPARE(alerts.last().level, Alert::Level::Hint);
        if (second > 30)
            QVERIFY2(alerts.isEmpty(), qPrintable(alerts.value(0).title)); // steps come
    }
    QVERIFY(wasHint);
    other.ended(start + 61'000); // it failed: the line was right
    QVERIFY(has(other.alerts(start + 61'000), u"missing_module"_s));
    QVERIFY(!has(other.alerts(start + 61'000), u"output_suspicion"_s));
    watch.completed(start + 61'000);
    QVERIFY(watch.alerts(start + 61'000).isEmpty());
}

void AlertRulesTest::whoCompletedHadNoFailure()
{
    Diagnosis rendezvous;
    rendezvous.kind = u"rendezvous_timeout"_s;
    rendezvous.rule = u"rendezvous-timeout"_s;
    Diagnosis nan;
    nan.kind = u"nan_loss"_s;
    nan.rule = u"loss-nan"_s;
    AlertWatch watch;
    for (int second = 1; second <= 40; ++second)
        watch.feed(tick(u"a"_s, start + 1000 * second, 98, 350), start + 1000 * second);
    watch.feed(QList<Diagnosis>{rendezvous}, start + 40'000);
    QVERIFY(has(watch.alerts(start + 40'000), u"rendezvous_timeout"_s)); // a process died, says the log
    watch.completed(start + 41'000);
    QVERIFY(watch.alerts(start + 41'000).isEmpty());
    watch.feed(QList<Diagnosis>{rendezvous, nan}, start + 42'000); // read at the very end
    const QList<Alert> after = watch.alerts(start + 43'000);
    QCOMPARE(after.size(), 1);
    QCOMPARE(after.first().kind, u"nan_loss"_s); // the training learns nothing, however well it ended
}

/// Connections break when a node dies; its silence is known later.
void AlertRulesTest::deadNodeBeforeBrokenConnections()
{
    for (const bool confirmed : {false, true}) {
        Diagnosis peer;
        peer.kind = u"nccl_error"_s;
        peer.rule = u"collective-peer"_s;
        peer.confirmed = confirmed;
        AlertWatch watch;
        QStringList order;
        for (int second = 1; second <= 80; ++second) {
            const qint64 now = start + 1000 * second;
            watch.feed(tick(u"a"_s, now, 99, second < 50 ? 350 : 95), now);
            if (second < 50)
                watch.feed(tick(u"b"_s, now, 99, 350), now);
            if (second == 52)
                watch.feed(QList<Diagnosis>{peer}, now);
            for (const Alert& alert : watch.alerts(now)) {
                if (!order.contains(alert.kind))
                    order.append(alert.kind);
            }
        }
        QVERIFY2(order.contains(u"dead_node"_s), qPrintable(order.join(u' ')));
        QVERIFY2(
            !order.contains(u"nccl_error"_s) && !order.contains(u"output_suspicion"_s), qPrintable(order.join(u' ')));
    }
}

/// Peers report the lost connection first; torchrun's summary names the rank seconds later. It ended before.
void AlertRulesTest::theCauseIsNoLaterThanItsPeers()
{
    Diagnosis peer;
    peer.kind = u"nccl_error"_s;
    peer.rule = u"collective-peer"_s;
    peer.confirmed = true;
    Diagnosis killed;
    killed.kind = u"process_killed"_s;
    killed.rule = u"killed"_s;
    killed.rank = 3;
    killed.confirmed = true;
    AlertWatch watch;
    for (int second = 1; second <= 40; ++second)
        watch.feed(tick(u"a"_s, start + 1000 * second, 98, 350), start + 1000 * second);
    watch.feed(QList<Diagnosis>{peer}, start + 40'000);
    watch.feed(QList<Diagnosis>{killed}, start + 46'000);
    for (const Alert& alert : watch.alerts(start + 47'000)) {
        if (alert.kind == u"process_killed"_s) {
            QCOMPARE(alert.sinceMs, start + 40'000);
            return;
        }
    }
    QFAIL("the killed rank is not reported");
}

/// All ranks on the first GPU; the others showed work of the job before in the first seconds.
void AlertRulesTest::littleWorkWaitsForTheCause()
{
    AlertWatch watch;
    TrainingProgress progress;
    progress.steps = 100'000;
    QStringList order;
    for (int second = 1; second <= 120; ++second) {
        const qint64 now = start + 1000 * second;
        NodeTick all = tick(u"a"_s, now, second < 6 ? 60 : 45, 120);
        for (int gpu = 1; gpu < 4 && second >= 6; ++gpu) {
            all.gpus[gpu].utilizationPercent = 0;
            all.gpus[gpu].powerWatts = 54;
            all.gpus[gpu].memoryUsedBytes = 4 << 20;
        }
        watch.feed(all, now);
        NodeProcesses processes;
        processes.node = u"a"_s;
        processes.takenMs = now;
        for (int rank = 0; rank < 4; ++rank) {
            RankSample sample;
            sample.pid = 100 + rank;
            sample.rank = rank;
            sample.localRank = rank;
            sample.worldSize = 4;
            sample.cpuPercent = 90;
            sample.state = 'R';
            processes.ranks.append(sample);
        }
        watch.feed(processes, now);
        progress.step = second * 20;
        watch.feed(progress, now);
        for (const Alert& alert : watch.alerts(now)) {
            if (!order.contains(alert.kind))
                order.append(alert.kind);
        }
    }
    QVERIFY2(order.contains(u"crowded_gpu"_s) && !order.contains(u"small_work"_s), qPrintable(order.join(u' ')));
}

/// Two nodes with a task each that imports for 30 s and starts two ranks then: agents by their words, or wrappers of a
/// site that only their number as tasks shows. WORLD_SIZE is set for all, and a binding is asked for.
void AlertRulesTest::startUpIsAPhase_data()
{
    QTest::addColumn<bool>("known");
    QTest::addColumn<QString>("before");
    QTest::newRow("agents") << true << u"starting: 2 agents, workers not yet"_s;
    QTest::newRow("tasks") << false << u"starting: 2 ranks, no step yet"_s;
}

void AlertRulesTest::startUpIsAPhase()
{
    QFETCH(bool, known);
    QFETCH(QString, before);
    JobExpectation job;
    job.nodes = QStringList{u"a"_s, u"b"_s};
    job.gpusPerNode = 2;
    job.ranks = 4;
    for (int rank = 0; rank < 4; ++rank) {
        RankPlace place;
        place.rank = rank;
        place.node = rank / 2;
        place.gpu = place.localRank = rank % 2;
        place.cores = cpusOfList(rank % 2 == 0 ? u"0-7"_s : u"8-15"_s);
        job.placement.append(place);
    }
    AlertWatch watch;
    watch.expect(job);
    watch.started(start);
    QStringList phases;
    for (int second = 1; second <= 90; ++second) {
        const qint64 now = start + 1000 * second;
        for (const int node : {0, 1}) {
            const QString name = job.nodes.at(node);
            NodeTick all = tick(name, now, second < 70 ? 0 : 95, second < 70 ? 90 : 300);
            all.gpus.resize(2);
            watch.feed(all, now);
            NodeProcesses processes;
            processes.node = name;
            processes.takenMs = now;
            processes.cpus = 16;
            processes.agents = known ? 1 : 0;
            const bool works = second >= 30;
            for (int local = 0; local < (works ? 2 : known ? 0 : 1); ++local) {
                RankSample sample;
                sample.pid = 100 + local + (works ? 10 : 0);
                sample.rank = works ? 2 * node + local : node;
                sample.localRank = local;
                sample.worldSize = works ? 4 : 2;
                sample.isByTask = !works;
                sample.cpus = !works ? u"0-15"_s : local == 0 ? u"0-7"_s : u"8-15"_s;
                sample.residentBytes = qint64(1) << 30;
                sample.cpuPercent = 0;
                sample.state = 'S';
                processes.ranks.append(sample);
            }
            watch.feed(processes, now);
        }
        for (const Alert& alert : watch.alerts(now))
            QVERIFY2(alert.level == Alert::Level::Normal, qPrintable(alert.title + u": "_s + alert.seen));
        const QString text = toText(watch.phase());
        if (!text.isEmpty() && !phases.contains(text))
            phases.append(text);
    }
    QCOMPARE(phases,
        QStringList({before, u"starting: 4 ranks, no step yet"_s,
            u"training, after a start-up of 72 s"_s})); // three samples are work
}

/// "draws 318 W (means of 8 s)" is the mean that the same question to the samples gives.
void AlertRulesTest::meansAreThoseOfTheValue()
{
    TelemetrySeries series;
    GpuWindow window;
    for (int second = 0; second < 60; ++second) {
        const qint64 now = start + 1000 * second;
        const NodeTick one = tick(u"a"_s, now, 40 + second * 7 % 50, 200 + second * 13 % 90);
        series.store(one, now);
        window.addSample(one.gpus.first(), now);
        for (const qint64 span : {8000, 16'000}) {
            const GpuWindow::Recent recent = window.recent(now - span);
            const GpuValue power = meanUntil(series, {0, 0}, Measure::Power, now, span);
            const GpuValue use = meanUntil(series, {0, 0}, Measure::Utilization, now, span);
            QVERIFY(power.value && std::abs(*power.value - double(recent.power)) < 0.1);
            QVERIFY(use.value && std::abs(*use.value - double(recent.use)) < 0.01);
        }
    }
}

void AlertRulesTest::busyRanksHideNoStall_data()
{
    QTest::addColumn<bool>("stepped");
    QTest::addColumn<int>("silentSeconds");
    QTest::addColumn<int>("raisedSeconds");
    QTest::newRow("in the midst of its steps") << true << 850 << 1000;
    QTest::newRow("before the first step") << false << 3500 << 3700;
}

/// All GPUs idle while the ranks use their processors: before any step they prepare; later they may poll for others.
void AlertRulesTest::busyRanksHideNoStall()
{
    QFETCH(bool, stepped);
    QFETCH(int, silentSeconds);
    QFETCH(int, raisedSeconds);
    AlertWatch watch;
    watch.started(start);
    constexpr int stops = 100; // seconds
    for (int second = 1; second <= stops + raisedSeconds; second += 2) {
        const qint64 now = start + 1000 * second;
        const bool works = second < stops;
        watch.feed(tick(u"a"_s, now, works ? 95 : 0, works ? 350 : 60), now);
        NodeProcesses processes;
        processes.node = u"a"_s;
        processes.takenMs = now;
        for (int rank = 0; rank < 4; ++rank) {
            RankSample sample;
            sample.pid = 100 + rank;
            sample.rank = rank;
            sample.localRank = rank;
            sample.worldSize = 4;
            sample.cpuPercent = 98;
            sample.state = 'R';
            processes.ranks.append(sample);
        }
        watch.feed(processes, now);
        if (stepped && works) {
            TrainingProgress progress;
            progress.step = second;
            watch.feed(progress, now);
        }
        if (second < stops + silentSeconds)
            QVERIFY2(!has(watch.alerts(now), u"stalled"_s), qPrintable(QString::number(second)));
    }
    QVERIFY(has(watch.alerts(start + 1000LL * (stops + raisedSeconds)), u"stalled"_s));
}

void AlertRulesTest::unknownIsNotZero()
{
    // MIG: neither use nor power; a broken tool: nothing at all.
    AlertWatch watch;
    for (int second = 1; second <= 400; ++second) {
        const qint64 now = start + 1000 * second;
        NodeTick mig = tick(u"a"_s, now, 0, 0);
        NodeTick nothing = tick(u"b"_s, now, 0, 0);
        for (int gpu = 0; gpu < 4; ++gpu) {
            mig.gpus[gpu].utilizationPercent.reset();
            mig.gpus[gpu].powerWatts.reset();
            nothing.gpus[gpu] = GpuSample{};
            nothing.gpus[gpu].index = gpu;
        }
        watch.feed(mig, now);
        watch.feed(nothing, now);
        QVERIFY2(watch.alerts(now).isEmpty(), qPrintable(watch.alerts(now).value(0).title));
    }
}

void AlertRulesTest::cpuLists_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("cpus");
    QTest::newRow("range") << u"1-3,8"_s << QList<int>{1, 2, 3, 8};
    QTest::newRow("one") << u"0"_s << QList<int>{0};
    QTest::newRow("empty") << QString() << QList<int>{};
    QTest::newRow("backwards") << u"7-3"_s << QList<int>{};
    QTest::newRow("words") << u"all"_s << QList<int>{};
}

void AlertRulesTest::cpuLists()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, cpus);
    QCOMPARE(cpusOfList(text), cpus);
    if (!cpus.isEmpty())
        QCOMPARE(numberRanges(cpus), text);
}

RANKWRIGHT_TEST_MAIN(AlertRulesTest)
#include "tst_alertrules.moc"

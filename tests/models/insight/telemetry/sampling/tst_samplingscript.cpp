// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/ranklines.h"
#include "models/insight/telemetry/sampling/telemetryfeed.h"
#include "models/insight/telemetry/sampling/ticklines.h"
#include "tests/models/support/samplerrun.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>

using namespace rankwright;
using test::SamplerRun;
using namespace Qt::StringLiterals;

namespace {

TelemetryFeed::Target twoNodes() { return {u"7100"_s, {u"n1"_s, u"n2"_s}, GpuVendor::Amd, false, 1000}; }

} // namespace

/// The sampling script itself, on this machine, with stubs for srun and the vendors' tools.
class SamplingScriptTest final : public test::Suite {
    Q_OBJECT
private slots:
    void scriptSamples_data();
    void scriptSamples();
    void scriptSaysWhyThereIsNothing_data();
    void scriptSaysWhyThereIsNothing();
    void oldToolsAreAskedForLess_data();
    void oldToolsAreAskedForLess();
    void sshReachesEachNode();
    void scriptPassesRefusalsOn();
    void scriptEndsWithoutHeartbeats();

private:
    enum class Lease { AsItIs, NeverEnds };
    std::unique_ptr<QProcess> startScript(
        const TelemetryFeed::Target& target, const QProcessEnvironment& extra = {}, Lease lease = Lease::AsItIs);
    QTemporaryDir m_tools;
};

std::unique_ptr<QProcess> SamplingScriptTest::startScript(
    const TelemetryFeed::Target& target, const QProcessEnvironment& extra, Lease lease)
{
    const QString tools = m_tools.path();
    const QDir source(rankwright::test::sourcePath(u"/tests/data/telemetry/tools"));
    for (const QString& name : source.entryList(QDir::Files)) {
        const QString copy = tools + u'/' + name;
        if (QFile::copy(source.filePath(name), copy))
            QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, tools + u':' + environment.value(u"PATH"_s));
    environment.insert(extra);
    process->setProcessEnvironment(environment);
    QString command = samplingCommand(target);
    if (lease == Lease::NeverEnds) {
        const QString before = command; // of a fan of steps, of one node
        command.replace(u"left=10"_s, u"left=100000"_s).replace(u"lease_seconds=10"_s, u"lease_seconds=100000"_s);
        if (command == before)
            qFatal("the lease is not where it was");
    }
    process->start(u"/bin/sh"_s, {u"-c"_s, command});
    return process;
}

void SamplingScriptTest::scriptSamples_data()
{
    QTest::addColumn<bool>("oneNode");
    QTest::addColumn<bool>("nvidia");
    QTest::newRow("one step, AMD") << true << false;
    QTest::newRow("a step per node, AMD") << false << false;
    QTest::newRow("a step per node, NVIDIA") << false << true;
}

void SamplingScriptTest::scriptSamples()
{
    QFETCH(bool, oneNode);
    QFETCH(bool, nvidia);
    TelemetryFeed::Target target = twoNodes();
    target.vendor = nvidia ? GpuVendor::Nvidia : GpuVendor::Amd;
    if (oneNode)
        target.nodes = {u"n1"_s};
    const auto process = startScript(target, {}, Lease::NeverEnds);
    QVERIFY(process->waitForStarted());
    QHash<QString, QSet<qint64>> seconds;
    QHash<QString, QSet<int>> gpus;
    GpuSample second;
    const auto isEnough = [&] {
        return std::all_of(target.nodes.cbegin(), target.nodes.cend(),
            [&](const QString& node) { return seconds.value(node).size() >= 3 && gpus.value(node).size() >= 2; });
    };
    for (int waited = 0; !isEnough() && waited < test::longWaitMs; waited += 100) {
        process->write("h\n");
        process->waitForReadyRead(100);
        while (process->canReadLine()) {
            const QByteArray sent = process->readLine();
            QVERIFY2(sent.size() < 1000, sent.constData()); // srun cuts at 1024
            if (parseRankLine(sent.trimmed()) || parseResourceLine(sent.trimmed()) || parseCostLine(sent.trimmed()))
                continue;
            const auto tick = parseTickLine(sent.trimmed());
            QVERIFY_RESULT(tick);
            seconds[tick->node].insert(tick->takenMs / 1000);
            for (const GpuSample& gpu : tick->gpus) {
                gpus[tick->node].insert(gpu.index);
                if (gpu.index == 1)
                    second = gpu;
            }
        }
    }
    for (const QString& node : std::as_const(target.nodes)) {
        QVERIFY2(seconds.value(node).size() >= 3, qPrintable(node));
        QCOMPARE(gpus.value(node).size(), nvidia ? 2 : 14);
    }
    QVERIFY(!second.powerWatts);
    QCOMPARE(second.clockMhz, std::optional<double>(nvidia ? 345 : 1700));
    QCOMPARE(second.throttle, nvidia ? std::optional<Throttles>(Throttles()) : std::nullopt); // idle is not throttling
    QCOMPARE(second.secondaryDie, !nvidia);
    if (nvidia)
        QCOMPARE(second.memoryTotalBytes, std::optional<qint64>(81559LL * 1024 * 1024));
    else
        QCOMPARE(second.memoryUsedBytes, std::optional<qint64>(60000000001));
    process->closeWriteChannel();
    QVERIFY(process->waitForFinished(test::longWaitMs)); // by the end of its input: the lease would not end it
    QCOMPARE(process->exitCode(), 0);
    QCOMPARE(process->readAllStandardError(), QByteArray());
}

void SamplingScriptTest::scriptSaysWhyThereIsNothing_data()
{
    QTest::addColumn<QString>("trouble");
    QTest::addColumn<QString>("reason");
    QTest::newRow("driver") << u"broken"_s << u"Driver not initialized"_s;
    QTest::newRow("hung") << u"hang"_s << u"did not answer within 4 s"_s;
}

void SamplingScriptTest::scriptSaysWhyThereIsNothing()
{
    QFETCH(QString, trouble);
    QFETCH(QString, reason);
    TelemetryFeed::Target target = twoNodes();
    target.nodes = {u"n1"_s};
    QProcessEnvironment environment;
    environment.insert(u"FAKE_GPU"_s, trouble);
    const auto process = startScript(target, environment);
    QVERIFY(process->waitForStarted());
    std::optional<NodeSilence> silence;
    for (int waited = 0; !silence && waited < test::longWaitMs; waited += 500) {
        process->write("h\n");
        process->waitForReadyRead(500);
        while (!silence && process->canReadLine())
            silence = parseSilenceLine(process->readLine().trimmed());
    }
    QVERIFY(silence);
    QCOMPARE(silence->node, u"n1"_s);
    QVERIFY2(silence->reason.contains(reason), qPrintable(silence->reason));
    process->closeWriteChannel();
    QVERIFY(process->waitForFinished(test::longWaitMs));
}

void SamplingScriptTest::oldToolsAreAskedForLess_data()
{
    QTest::addColumn<bool>("nvidia");
    QTest::addColumn<QString>("age");
    QTest::addColumn<bool>("throttle");
    QTest::newRow("nvidia-smi that has renamed the reasons") << true << u"new"_s << true;
    QTest::newRow("nvidia-smi without reasons") << true << u"old"_s << false;
    QTest::newRow("rocm-smi without the option") << false << u"old"_s << false;
}

void SamplingScriptTest::oldToolsAreAskedForLess()
{
    QFETCH(bool, nvidia);
    QFETCH(QString, age);
    QFETCH(bool, throttle);
    TelemetryFeed::Target target = twoNodes();
    target.nodes = {u"n1"_s};
    target.vendor = nvidia ? GpuVendor::Nvidia : GpuVendor::Amd;
    SamplerRun run(target, {{nvidia ? u"FAKE_DRIVER"_s : u"FAKE_GPU"_s, age}});
    std::optional<GpuSample> first;
    QVERIFY(run.readUntil([&first](const QByteArray& line) {
        if (const auto tick = parseTickLine(line))
            first = tick->gpus.first();
        return first.has_value();
    }));
    QVERIFY(first->utilizationPercent && first->powerWatts);
    QCOMPARE(first->clockMhz, nvidia ? std::optional<double>(1755) : std::nullopt);
    QCOMPARE(first->throttle, throttle ? std::optional<Throttles>(Throttle::Power) : std::nullopt);
}

void SamplingScriptTest::sshReachesEachNode()
{
    TelemetryFeed::Target target = twoNodes();
    target.way = SamplingWay::Ssh;
    SamplerRun run(target);
    QSet<QString> seen;
    QVERIFY(run.readUntil([&seen](const QByteArray& line) {
        if (const auto tick = parseTickLine(line))
            seen.insert(tick->node);
        return seen.size() == 2;
    }));
    QVERIFY(seen.contains(u"n1"_s) && seen.contains(u"n2"_s));
    run.process().closeWriteChannel();
    QVERIFY(run.process().waitForFinished(test::longWaitMs));
    QCOMPARE(run.process().readAllStandardError(), QByteArray());
}

void SamplingScriptTest::scriptPassesRefusalsOn()
{
    QProcessEnvironment environment;
    environment.insert(u"FAKE_REFUSE"_s, u"Slurm job 7100 has expired"_s);
    const auto process = startScript(twoNodes(), environment);
    QVERIFY(process->waitForFinished(test::longWaitMs)); // ends by itself although its input stays open
    QCOMPARE(process->exitCode(), 1);
    QVERIFY(process->readAllStandardError().contains("has expired"));
}

void SamplingScriptTest::scriptEndsWithoutHeartbeats()
{
    // a frozen network: no end of file, no heartbeat; both ways of starting at the same time
    TelemetryFeed::Target single = twoNodes();
    single.nodes = {u"n1"_s};
    const auto one = startScript(single);
    const auto two = startScript(twoNodes());
    QVERIFY(one->waitForStarted() && two->waitForStarted());
    one->write("h\n");
    two->write("h\n");
    QVERIFY(one->waitForBytesWritten() && two->waitForBytesWritten());
    QElapsedTimer clock;
    clock.start();
    QVERIFY(one->waitForFinished(test::longWaitMs));
    QVERIFY(two->waitForFinished(test::longWaitMs));
    QVERIFY2(clock.elapsed() > 8000, qPrintable(QString::number(clock.elapsed())));
}

RANKWRIGHT_TEST_MAIN(SamplingScriptTest)
#include "tst_samplingscript.moc"

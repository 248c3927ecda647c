// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/jobsamplerscript.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "models/insight/telemetry/sampling/samplerfiledecoder.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QString source = rankwright::test::sourcePath();

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray record(const QString& name) { return contentsOf(source + u"/tests/data/telemetry/records/"_s + name); }

/// Readings that are busy as a training is: memory that moves by pages, power with one decimal, cells that come and go.
QByteArrayList randomLines(QRandomGenerator& random, int ticks, int gpus)
{
    QByteArrayList lines;
    qint64 ms = 1763750001250;
    for (int tick = 0; tick < ticks; ++tick, ms += 5000 + (random.bounded(5) == 0 ? random.bounded(40) : 0)) {
        QByteArrayList records;
        for (int gpu = 0; gpu < gpus; ++gpu) {
            QByteArray one = QByteArray::number(gpu) + ';' + QByteArray::number(90 + random.bounded(11)) + ';'
                + QByteArray::number(60000000000 + 4096LL * random.bounded(3)) + ";68702699520;";
            one += gpu % 2 ? QByteArray(";;")
                           : QByteArray(QByteArray::number(400 + random.bounded(200) / 10.0, 'f', 1) + ";560.0;");
            one += random.bounded(50) == 0 ? QByteArray(";")
                                           : QByteArray(QByteArray::number(60 + random.bounded(3)) + ';');
            one += gpu % 2 ? "s;" : ";";
            records.append(one + QByteArray::number(1650 + 5 * random.bounded(8)) + ";;1;");
        }
        lines.append("@rw-gpus n1 " + QByteArray::number(ms) + ' ' + records.join('|'));
        if (random.bounded(40) == 0)
            lines.append("@rw-silence n1 " + QByteArray::number(ms + 1000) + " it said: no | such; \"thing\" 10% +5");
        if (random.bounded(60) == 0)
            lines.append("@rw-cost n1 " + QByteArray::number(ms + 1100) + " 12.34;");
    }
    return lines;
}

} // namespace

/// The record that a job writes of its GPUs: what the real shell code writes is read back exactly; what is cut, lost or
/// damaged costs what it held and never gives a wrong figure.
class SamplerFileDecoderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void readsByHand();
    void readsWholeRecords_data();
    void readsWholeRecords();
    void everyCutGivesABeginning();
    void damageCostsNoMoreThanItself();
    void shellWritesWhatIsReadBack_data();
    void shellWritesWhatIsReadBack();
    void shellStopsAtItsLimit();
    void ranksAreThinnedOut();
    void recordsANode_data();
    void recordsANode();
    void fullDiskEndsNothing();
    void isPlainShell();

private:
    QProcessEnvironment environment() const;
    QByteArray compacted(const QByteArrayList& lines, const QString& limit = u"64000000"_s) const;
    QTemporaryDir m_folder;
    QString m_script;
};

void SamplerFileDecoderTest::initTestCase()
{
    QVERIFY(QDir(m_folder.path()).mkpath(u".rankwright"_s));
    m_script = m_folder.filePath(u".rankwright/sampler-1.sh"_s);
    QFile file(m_script);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(samplerScript());
}

QProcessEnvironment SamplerFileDecoderTest::environment() const
{
    QProcessEnvironment made = QProcessEnvironment::systemEnvironment();
    made.insert(u"PATH"_s, source + u"/tests/data/telemetry/tools:"_s + made.value(u"PATH"_s));
    made.insert(u"SLURMD_NODENAME"_s, u"n1"_s);
    made.insert(u"SLURM_JOB_ID"_s, u"77"_s);
    return made;
}

QByteArray SamplerFileDecoderTest::compacted(const QByteArrayList& lines, const QString& limit) const
{
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(u"bash"_s, {m_script, u"compact"_s, u"5"_s, limit});
    process.write(lines.join('\n') + '\n');
    process.closeWriteChannel();
    if (!process.waitForFinished(test::longWaitMs))
        return "timed out";
    return process.readAllStandardOutput() + process.readAllStandardError();
}

void SamplerFileDecoderTest::readsByHand()
{
    SamplerFileDecoder decoder;
    RankGatherer gatherer;
    const QByteArrayList lines = decoder.feed(record(u"two-gcds.rws"_s));
    QCOMPARE(decoder.node(), u"nid005001"_s);
    QCOMPARE(decoder.job(), u"8123456"_s);
    QCOMPARE(decoder.intervalMs(), std::optional(5000));
    QCOMPARE(decoder.damaged(), 0);
    QCOMPARE(lines.size(), 5);
    QCOMPARE(lines.at(1),
        QByteArray("@rw-gpus nid005001 1763750006250 0;98;65000000000;68702699520;419.5;560.0;62;;1700;;1;"
                   "|1;96;64000002048;68702699520;;;58;s;1690;;1;"));
    QCOMPARE(lines.at(3), QByteArray("@rw-silence nid005001 1763750011250 Driver said: \"no\""));
    QCOMPARE(lines.at(4),
        QByteArray("@rw-gpus nid005001 1763750016250 0;;65000000000;68702699520;9.5;560.0;62;;1700;;1;"
                   "|1;0;5;68702699520;;;58;s;1690;;1;"));
    const SamplerContent content = samplerContent(lines, gatherer);
    QCOMPARE(content.ticks.size(), 3);
    QCOMPARE(content.ticks.last().takenMs, 1763750016250);
    QVERIFY(!content.ticks.last().gpus.first().utilizationPercent); // reported no more: unknown, not 0
    QCOMPARE(content.ticks.last().gpus.last().utilizationPercent, std::optional(0.0));
    QVERIFY(content.ticks.last().gpus.last().secondaryDie);
    QCOMPARE(content.processes.size(), 1);
    QCOMPARE(content.processes.first().ranks.first().pid, 41234);
    QCOMPARE(content.processes.first().ranks.first().rank, std::optional(0));
}

void SamplerFileDecoderTest::readsWholeRecords_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<qint64>>("seconds");
    QTest::addColumn<double>("lastUse");
    QTest::addColumn<int>("starts");
    QTest::addColumn<int>("damaged");
    QTest::addColumn<bool>("full");
    // "12 50" was cut by the end of the first run: a time without readings is not a reading
    QTest::newRow("requeued") << u"requeued.rws"_s << QList<qint64>{1763750001, 1763750006, 1763750601, 1763750606}
                              << 7.0 << 2 << 1 << false;
    QTest::newRow("cut last line") << u"cut.rws"_s << QList<qint64>{1763750002, 1763750012} << 10.0 << 1 << 0 << false;
    QTest::newRow("full") << u"full.rws"_s << QList<qint64>{1763750002, 1763750012} << 10.0 << 1 << 0 << true;
    QTest::newRow("requeued, of an earlier release")
        << u"requeued-earlier.rws"_s << QList<qint64>{1763750001, 1763750006, 1763750601, 1763750606} << 7.0 << 2 << 1
        << false;
    QTest::newRow("full, of an earlier release")
        << u"full-earlier.rws"_s << QList<qint64>{1763750002, 1763750012} << 10.0 << 1 << 0 << true;
    QTest::newRow("a line is missing") << u"line-lost.rws"_s << QList<qint64>{1763750002, 1763750602, 1763750612} << 6.0
                                       << 1 << 1 << false;
}

void SamplerFileDecoderTest::readsWholeRecords()
{
    QFETCH(QString, name);
    SamplerFileDecoder decoder;
    RankGatherer gatherer;
    const SamplerContent content = samplerContent(decoder.feed(record(name)), gatherer);
    QList<qint64> seconds;
    for (const NodeTick& tick : content.ticks)
        seconds.append(tick.takenMs / 1000);
    QTEST(seconds, "seconds");
    QFETCH(double, lastUse);
    QCOMPARE(content.ticks.last().gpus.first().utilizationPercent, std::optional(lastUse));
    QTEST(decoder.starts(), "starts");
    QTEST(decoder.damaged(), "damaged");
    QTEST(decoder.isFull(), "full");
}

void SamplerFileDecoderTest::everyCutGivesABeginning()
{
    const QByteArray whole = record(u"requeued.rws"_s) + record(u"two-gcds.rws"_s);
    SamplerFileDecoder decoder;
    const QByteArrayList all = decoder.feed(whole);
    for (qsizetype at = 0; at <= whole.size(); ++at) {
        SamplerFileDecoder first;
        QByteArrayList lines = first.feed(whole.left(at));
        QCOMPARE(lines, all.mid(0, lines.size()));
        lines += first.feed(whole.mid(at));
        QCOMPARE(lines, all);
        // from the middle on: what comes is right, whatever is missing before
        SamplerFileDecoder second;
        for (const QByteArray& line : second.feed("@rw-start 1 nid005001 1 8123456 5000\n" + whole.mid(at)))
            QVERIFY2(all.contains(line), line.constData());
    }
}

void SamplerFileDecoderTest::damageCostsNoMoreThanItself()
{
    QRandomGenerator random(7);
    const QByteArrayList lines = randomLines(random, 400, 4);
    const QByteArray whole = compacted(lines);
    const QSet<QByteArray> right(lines.cbegin(), lines.cend());
    for (int round = 0; round < 60; ++round) {
        QByteArrayList torn = whole.split('\n');
        torn.removeAt(3 + random.bounded(int(torn.size()) - 4)); // a write that was lost
        SamplerFileDecoder decoder;
        const QByteArrayList read = decoder.feed(torn.join('\n'));
        for (const QByteArray& line : read)
            QVERIFY2(right.contains(line), line.constData());
        QVERIFY2(read.size() >= lines.size() - 75, qPrintable(QString::number(read.size())));
    }
}

void SamplerFileDecoderTest::shellWritesWhatIsReadBack_data()
{
    QTest::addColumn<int>("ticks");
    QTest::addColumn<int>("gpus");
    QTest::newRow("1 GPU") << 130 << 1;
    QTest::newRow("8 GPUs") << 300 << 8;
    QTest::newRow("12 GPUs") << 61 << 12;
}

void SamplerFileDecoderTest::shellWritesWhatIsReadBack()
{
    QFETCH(int, ticks);
    QFETCH(int, gpus);
    QRandomGenerator random(20261121);
    QByteArrayList lines = randomLines(random, ticks, gpus);
    lines.insert(3, "@rw-gpus n1 1763750011251 0;007;1.50;0.5;;;;"); // numbers that are written in another way
    lines.insert(4, "@rw-gpus n1 1763750011252 0;7;1.5;10.5;-3;+4;=5;!;");
    lines.insert(5, "@rw-gpus n1 1763750011253 0;7;12345678901234567890;9.5;;;;!;|;|x y;1|\"q\";!");
    QByteArrayList given = lines;
    given.insert(9, "srun: a banner between");
    const QByteArray record = compacted(given);
    SamplerFileDecoder decoder;
    const QByteArrayList read = decoder.feed(record);
    for (qsizetype i = 0; i < qMin(read.size(), lines.size()); ++i)
        QCOMPARE(read.at(i), lines.at(i));
    QCOMPARE(read.size(), lines.size());
    QCOMPARE(decoder.damaged(), 0);
    QCOMPARE(decoder.node(), u"n1"_s);
    QCOMPARE(decoder.job(), u"77"_s);
    const double each = double(record.size()) / (double(ticks) * gpus);
    qInfo("%.1f bytes for each GPU and reading", each);
    if (gpus >= 8)
        QVERIFY2(each < 30, qPrintable(QString::number(each)));
}

void SamplerFileDecoderTest::shellStopsAtItsLimit()
{
    QRandomGenerator random(3);
    const QByteArray record = compacted(randomLines(random, 200, 8), u"4000"_s);
    QVERIFY(record.size() >= 4000 && record.size() < 5500);
    SamplerFileDecoder decoder;
    const auto lines = decoder.feed(record);
    QVERIFY(decoder.isFull());
    QVERIFY(lines.size() > 10);
}

void SamplerFileDecoderTest::ranksAreThinnedOut()
{
    QByteArrayList lines;
    for (int second = 0; second < 60; second += 3) {
        const QByteArray ms = QByteArray::number(1763750000000 + second * 1000);
        lines.append("@rw-node n1 " + ms + " 3000;ib;1;;5;6;8;" + QByteArray::number(second) + ";;n;0;0;n;;1;2;3;");
        lines.append("@rw-ranks n1 " + ms + " 56;100;50;2;|1;0;0;2;0-7;99.0;5;R;0;7;;");
        lines.append("@rw-ranks n1 " + ms + " 56;100;50;2;|2;1;1;2;8-15;99.0;5;R;1;7;;");
    }
    SamplerFileDecoder decoder;
    RankGatherer gatherer;
    const SamplerContent content = samplerContent(decoder.feed(compacted(lines)), gatherer);
    QCOMPARE(content.processes.size(), 4); // each 15 s, both lines of a moment
    QCOMPARE(content.processes.last().ranks.size(), 2);
    for (qsizetype i = 0; i < content.processes.size(); ++i) // what the node has comes with them
        QCOMPARE(content.processes.at(i).resources.value_or(NodeResources()).waiting, std::optional<int>(15 * int(i)));
}

void SamplerFileDecoderTest::recordsANode_data()
{
    QTest::addColumn<QString>("vendor");
    QTest::addColumn<int>("gpus");
    QTest::newRow("AMD") << u"amd"_s << 14;
    QTest::newRow("NVIDIA") << u"nvidia"_s << 2;
}

/// The whole of it on one node: ends with its input, though signals are ignored; a second start goes on in the file.
void SamplerFileDecoderTest::recordsANode()
{
    QFETCH(QString, vendor);
    QFETCH(int, gpus);
    const QString path = m_folder.filePath(u".rankwright/77/n1.rws"_s);
    QFile::remove(path);
    for (int run = 1; run <= 2; ++run) {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.start(u"bash"_s, {m_script, u"node"_s, vendor, u"1"_s});
        QVERIFY(process.waitForStarted());
        const auto hasWritten = [&path, gpus](qsizetype atLeast) {
            SamplerFileDecoder decoder;
            RankGatherer gatherer;
            QSet<int> seen;
            QSet<qint64> seconds;
            for (const NodeTick& tick : samplerContent(decoder.feed(contentsOf(path)), gatherer).ticks) {
                seconds.insert(tick.takenMs / 1000);
                for (const GpuSample& gpu : tick.gpus)
                    seen.insert(gpu.index);
            }
            return seconds.size() >= atLeast && seen.size() == gpus;
        };
        QTRY_VERIFY(hasWritten(4 * run - 2));
        process.terminate(); // what --signal and scancel send
        QTRY_VERIFY(hasWritten(4 * run)); // it goes on all the same
        QCOMPARE(process.state(), QProcess::Running);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(test::longWaitMs));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(process.readAllStandardOutput() + process.readAllStandardError(), QByteArray());
        SamplerFileDecoder decoder;
        RankGatherer gatherer;
        const SamplerContent content = samplerContent(decoder.feed(contentsOf(path)), gatherer);
        QCOMPARE(decoder.starts(), run);
        QCOMPARE(decoder.damaged(), 0);
        QSet<int> seen;
        QSet<qint64> seconds;
        for (const NodeTick& tick : content.ticks) {
            seconds.insert(tick.takenMs / 1000);
            for (const GpuSample& gpu : tick.gpus)
                seen.insert(gpu.index);
        }
        QCOMPARE(seen.size(), gpus);
        QVERIFY2(seconds.size() >= 4 * run, qPrintable(QString::number(seconds.size())));
    }
}

void SamplerFileDecoderTest::fullDiskEndsNothing()
{
    // A file that cannot grow: the sampler waits and tries again, and still ends with its input.
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(u"bash"_s, {u"-c"_s, u"ulimit -f 0; exec bash \"$0\" node amd 1"_s, m_script});
    QVERIFY(process.waitForStarted());
    test::quietFor(2500);
    QCOMPARE(process.state(), QProcess::Running);
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.exitCode(), 0);
}

void SamplerFileDecoderTest::isPlainShell()
{
    QProcess process;
    process.start(u"bash"_s, {u"-n"_s, m_script});
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.exitCode(), 0);
    const QByteArray text = samplerScript();
    QVERIFY(text.startsWith("#!/bin/bash\n"));
    QVERIFY2(text.size() < 64000, qPrintable(QString::number(text.size())));
}

RANKWRIGHT_TEST_MAIN(SamplerFileDecoderTest)
#include "tst_samplerfiledecoder.moc"

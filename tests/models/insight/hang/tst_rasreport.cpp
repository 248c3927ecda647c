// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/rasreport.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Answers of NCCL's RAS service in both forms (tests/data/hang/ras, made up by the published forms), and two polls.
class RasReportTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsJson();
    void readsText();
    void readsOlderText();
    void rcclIsNamed();
    void gpusOfAGroupAreCountedOnce();
    void whatIsNoAnswer();
    void standsStill();
    void growingIsNoStandstill();
    /// Which of two with one name is meant nobody knows: they are left out.
    void twoOfOneNameAreNotCompared();
    void equalIsNoStandstill();

private:
    static RasReport read(const QString& name)
    {
        const auto report = readRasReport(test::recordedFile(u"hang/ras/"_s + name));
        return report ? *report : RasReport();
    }
};

void RasReportTest::readsJson()
{
    const RasReport report = read(u"missing.json"_s);
    QVERIFY(report.isJson);
    QCOMPARE(report.library, u"NCCL"_s);
    QCOMPARE(report.version, u"2.28.7"_s);
    QCOMPARE(report.timeouts, 1);
    QCOMPARE(report.communicators.size(), 1);
    const RasCommunicator& communicator = report.communicators.first();
    QCOMPARE(communicator.hash, u"5be10c44d2a97f03:1:2"_s);
    QCOMPARE(communicator.size, 4);
    QCOMPARE(communicator.answered, 3);
    QCOMPARE(communicator.ranks.size(), 3);
    QCOMPARE(communicator.ranks.at(2).counts.value(u"AllReduce"_s), 40);
    QCOMPARE(communicator.ranks.at(2).pid, 4002);
    QCOMPARE(communicator.ranks.at(1).gpu, 1);
    QCOMPARE(communicator.missing.size(), 1);
    QVERIFY(communicator.missing.first().isDead && communicator.missing.first().isUnresponsive);
    QCOMPARE(communicator.missing.first().rank, 3);
}

void RasReportTest::readsText()
{
    const RasReport report = read(u"mismatch.txt"_s);
    QVERIFY(!report.isJson);
    QCOMPARE(report.version, u"2.28.9"_s);
    QCOMPARE(report.communicators.size(), 9);
    const RasCommunicator& communicator = report.communicators.first();
    QCOMPARE(communicator.hash, u"5be10c44d2a97f03"_s);
    QCOMPARE(communicator.size, 32);
    QCOMPARE(communicator.errors, u"MISMATCH"_s);
    QVERIFY(communicator.status == RasStatus::Running);
    QCOMPARE(communicator.ranks.size(), 1);
    QCOMPARE(communicator.ranks.first().rank, 11);
    QCOMPARE(communicator.ranks.first().pid, 91075);
    QCOMPARE(communicator.ranks.first().host, u"10.20.3.211"_s);
    QCOMPARE(communicator.levels, (QList<RasLevel>{{u"AllReduce"_s, 4812, 31}, {u"AllReduce"_s, 4811, 1}}));
    QCOMPARE(report.communicators.last().answered, 4);
    QCOMPARE(report.communicators.last().errors, u"OK"_s);
    QCOMPARE(report.warnings.size(), 1);
    QCOMPARE(report.errors.size(), 0);
}

void RasReportTest::readsOlderText()
{
    const RasReport report = read(u"old.txt"_s);
    QCOMPARE(report.version, u"2.24.3"_s);
    QCOMPARE(report.missing.size(), 2);
    QVERIFY(report.missing.last().isDead);
    QCOMPARE(report.missing.last().pid, 88121);
    const RasCommunicator& communicator = report.communicators.first();
    QCOMPARE(communicator.missing.size(), 1);
    QCOMPARE(communicator.missing.first().rank, 21);
    QCOMPARE(communicator.ranks.size(), 6);
    QCOMPARE(communicator.ranks.last().counts.value(u"collective"_s), 9119);
    QCOMPARE(communicator.ranks.last().gpu, 7);
    QCOMPARE(report.errors.size(), 3);
}

/// "Ranks in group" counts the GPUs: 3 communicators over the same 8 have 8, not 24.
void RasReportTest::gpusOfAGroupAreCountedOnce()
{
    const auto report
        = readRasReport("NCCL version 2.27.3 compiled with CUDA 12.9\nCommunicators... (0.01s)\n"
                        "    0         3         1         8         8         8   RUNNING      OK\n"
                        "    1         2         1         4         4         3   RUNNING  INCOMPLETE\n");
    QVERIFY_RESULT(report);
    QCOMPARE(report->communicators.size(), 5);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(report->communicators.at(i).answered, std::optional<int>(8));
    QVERIFY(!report->communicators.last().answered);
}

void RasReportTest::rcclIsNamed()
{
    // its JSON has NCCL's names, and HIP's version
    const auto json
        = readRasReport("{\"nccl_version\":\"2.27.7\",\"cuda_runtime_version\":70051831,\"communicators\":[{"
                        "\"hash\":\"0x1\",\"ranks\":[{\"rank\":0,\"host\":\"unknown\",\"pid\":-1}]}]}");
    QVERIFY_RESULT(json);
    QCOMPARE(json->library, u"RCCL"_s);
    QVERIFY(json->communicators.first().ranks.first().host.isEmpty());
    QVERIFY(!json->communicators.first().ranks.first().pid);

    QByteArray text = test::recordedFile(u"hang/ras/mismatch.txt"_s);
    text.replace("NCCL version", "RCCL version");
    const auto report = readRasReport(text);
    QVERIFY_RESULT(report);
    QCOMPARE(report->library, u"RCCL"_s);
    text.replace("\n", "\r\n");
    QVERIFY_RESULT(readRasReport(text));
}

void RasReportTest::whatIsNoAnswer()
{
    const auto refused = readRasReport("SERVER PROTOCOL 2\nERROR: Unknown command set format json\n");
    QVERIFY(!refused);
    QVERIFY(refused.error().fault == Fault::RemoteExit);
    for (const QByteArray& text :
        {QByteArray(), "OK\n"_ba, "SSH-2.0-OpenSSH_9.2\r\n"_ba, "{\"a\":1}"_ba, "{"_ba, "OK\n{\n"_ba})
        QVERIFY(!readRasReport(text));
}

void RasReportTest::standsStill()
{
    for (const auto& [name, collective, pid] : {std::tuple{u"behind.json"_s, u"AllReduce"_s, qint64(4002)},
             {u"mismatch.txt"_s, u"AllReduce"_s, qint64(91075)}}) {
        const RasReport report = read(name);
        const auto found = rasStandstills(report, report);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.first().collective, collective);
        QCOMPARE(found.first().behind.size(), 1);
        QCOMPARE(found.first().behind.first().pid, pid);
        QCOMPARE(found.first().behindCount, 1);
        QCOMPARE(rasMoves(report, report), false);
    }
}

void RasReportTest::growingIsNoStandstill()
{
    const RasReport before = read(u"behind.json"_s);
    RasReport now = before;
    for (RasRank& rank : now.communicators.first().ranks)
        rank.counts[u"AllReduce"_s] += 3;
    QCOMPARE(rasStandstills(before, now).size(), 0);
    QCOMPARE(rasMoves(before, now), true);
    RasReport text = read(u"mismatch.txt"_s);
    RasReport later = text;
    for (RasLevel& level : later.communicators.first().levels)
        level.count += 7;
    for (RasRank& rank : later.communicators.first().ranks)
        rank.counts[u"AllReduce"_s] += 7;
    QCOMPARE(rasStandstills(text, later).size(), 0);
    QCOMPARE(rasMoves(text, later), true);
}

void RasReportTest::twoOfOneNameAreNotCompared()
{
    RasReport report = read(u"behind.json"_s);
    report.communicators.append(report.communicators.first());
    report.communicators.last().ranks[2].counts[u"AllReduce"_s] = 39;
    QCOMPARE(rasMoves(report, report), std::nullopt);
    QCOMPARE(rasStandstills(report, report).size(), 0);
    report.communicators.removeLast();
    report.communicators.first().ranks.append(report.communicators.first().ranks.first());
    report.communicators.first().ranks.last().counts[u"AllReduce"_s] = 7;
    QCOMPARE(rasMoves(report, report), false);
    QCOMPARE(rasStandstills(report, report).first().least, 40);
}

void RasReportTest::equalIsNoStandstill()
{
    RasReport report = read(u"behind.json"_s);
    report.communicators.first().ranks[2].counts[u"AllReduce"_s] = 41;
    QCOMPARE(rasStandstills(report, report).size(), 0);
    QCOMPARE(rasMoves(RasReport(), report), std::nullopt);
}

RANKWRIGHT_TEST_MAIN(RasReportTest)
#include "tst_rasreport.moc"

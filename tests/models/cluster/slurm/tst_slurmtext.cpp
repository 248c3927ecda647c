// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmcommands.h"
#include "models/cluster/slurm/slurmtext.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class SlurmTextTest final : public test::Suite {
    Q_OBJECT
private slots:
    void cells_data();
    void cells();
    void gpuCounts_data();
    void gpuCounts();
    void jobIds();
};

void SlurmTextTest::cells_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("seconds");
    const auto row
        = [](const char* text, qint64 seconds) { QTest::newRow(text) << QString::fromLatin1(text) << seconds; };
    // squeue(1): days-hours:minutes:seconds
    row("0:03", 3);
    row("12:30", 750);
    row("1:02:03", 3723);
    row("1-02:03:04", 93784);
    row("00:00.123", 0);
    for (const char* nothing :
        {"UNLIMITED", "Partition_Limit", "NOT_SET", "INVALID", "infinite", "N/A", "", "5", "-1:00", "1:"})
        row(nothing, -1);
}

void SlurmTextTest::cells()
{
    QFETCH(QString, text);
    QFETCH(qint64, seconds);
    const auto span = slurmSpan(text);
    QCOMPARE(span ? span->count : qint64(-1), seconds);
}

void SlurmTextTest::gpuCounts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("gpus");
    const auto row = [](const char* text, int gpus) { QTest::newRow(text) << QString::fromLatin1(text) << gpus; };
    row("billing=8,cpu=8,gres/gpu=4,mem=40G,node=2", 4);
    row("cpu=8,gres/gpu:mi250=16,gres/gpu=16", 16); // the type repeats the total
    row("gres/gpu:a100=2,gres/gpu:h100=1", 3);
    row("gres:gpu:2", 2);
    row("gres/gpu:8", 8);
    row("gpu:mi250:8(S:0-3)", 8);
    row("gpu:a100:4(IDX:0-1,3),nvme:1", 4);
    row("gpu", 1);
    row("gpu:mi250", 1);
    row("gres/gpu=0", 0);
    row("N/A", -1);
    row("gres/gpumem=4", -1);
    row("craynetwork:1", -1);
    row("", -1);
}

void SlurmTextTest::gpuCounts()
{
    QFETCH(QString, text);
    QFETCH(int, gpus);
    QCOMPARE(gpusIn(text).value_or(-1), gpus);
}

void SlurmTextTest::jobIds()
{
    for (const char* good : {"1", "7102_4", "7102_[5-9%2]", "7102_[1,3-5:2]", "88+1"})
        QVERIFY2(isJobId(QString::fromLatin1(good)), good);
    for (const char* bad : {"", "x", "1;rm", "1 2", "-1", "1_", "12_[", "1\n", "99999999999"})
        QVERIFY2(!isJobId(QString::fromLatin1(bad)), bad);
}

RANKWRIGHT_TEST_MAIN(SlurmTextTest)
#include "tst_slurmtext.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/outputfiles.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Files of a job by Slurm's patterns: sbatch(1) and srun(1), "filename pattern".
class OutputFilesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void steps_data();
    void steps();
    void ranks_data();
    void ranks();
    void workers();
};

void OutputFilesTest::steps_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("isPattern");
    const auto row = [](const char* pattern, const char* path, bool isPattern) {
        QTest::newRow(pattern) << QString::fromLatin1(pattern) << QString::fromLatin1(path) << isPattern;
    };
    row("run-%j.out", "/w/run-77.out", false);
    row("/a/%x_%u.txt", "/a/gpt_mira.txt", false);
    row("log-%t.txt", "/w/log-[0-9]*.txt", true);
    row("log-%3t.txt", "/w/log-[0-9]*.txt", true);
    row("%j/%N.%t.out", "/w/77/*.[0-9]*.out", true);
    row("step%s-%n", "/w/step*-*", true);
    row("%J.out", "/w/77.*.out", true);
    row("100%%t.out", "/w/100%t.out", false);
    row("a\\%t", "/w/a%t", false);
    row("odd[1]*-%t", "/w/odd\\[1\\]\\*-[0-9]*", true);
    row("none", "", false);
    row("all", "", false);
    row("3", "", false);
}

void OutputFilesTest::steps()
{
    QFETCH(QString, pattern);
    QFETCH(QString, path);
    QFETCH(bool, isPattern);
    JobRecord job;
    job.id = u"77"_s;
    job.name = u"gpt"_s;
    job.user = u"mira"_s;
    job.workdir = u"/w"_s;
    job.nodeList = {u"n1"_s, u"n2"_s};
    const auto file = stepOutput(pattern, job);
    QCOMPARE(file ? file->path : QString(), path);
    QCOMPARE(file && file->isPattern, isPattern);
}

void OutputFilesTest::ranks_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("rank");
    QTest::newRow("rank") << u"log-%t.txt"_s << u"/w/log-12.txt"_s << 12;
    QTest::newRow("with zeros") << u"log-%4t.txt"_s << u"/w/log-0012.txt"_s << 12;
    QTest::newRow("node and rank") << u"%N/r%t"_s << u"/w/n2/r3"_s << 3;
    QTest::newRow("node only") << u"%N.txt"_s << u"/w/n2.txt"_s << -1;
    QTest::newRow("other file") << u"log-%t.txt"_s << u"/w/log-12.txt.old"_s << -1;
}

void OutputFilesTest::ranks()
{
    QFETCH(QString, pattern);
    QFETCH(QString, path);
    QFETCH(int, rank);
    JobRecord job;
    job.workdir = u"/w"_s;
    QCOMPARE(rankInName(*stepOutput(pattern, job), path).value_or(-1), rank);
}

void OutputFilesTest::workers()
{
    JobRecord job;
    job.id = u"77"_s;
    job.workdir = u"/w"_s;
    QCOMPARE(agentOutput(u"logs/%j"_s, job).path, u"/w/logs/77/*/attempt_*/*/std*.log"_s);
    QCOMPARE(shortName(u"/w/logs/none_ab/attempt_0/3/stderr.log"_s, {}), u"local rank 3 · stderr"_s);
    QCOMPARE(shortName(u"/w/log-3.txt"_s, 3), u"rank 3 · log-3.txt"_s);
    QCOMPARE(shortName(u"/w/run.out"_s, {}), u"run.out"_s);
}

RANKWRIGHT_TEST_MAIN(OutputFilesTest)
#include "tst_outputfiles.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/text/rankreport.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// The lines that ranks of generated scripts write before their program (tests/practice/test_scripts.py writes real
/// ones).
class RankReportTest final : public test::Suite {
    Q_OBJECT
private slots:
    void says_data();
    void says();
    void otherLinesAreNone();
};

void RankReportTest::says_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("asPlanned");
    QTest::addColumn<QString>("text");
    QTest::newRow("as planned")
        << u"rankwright: rank 0 of 16 on node nid005: cores 49-55 as planned, device 0; other ranks report only what differs"_s
        << true << u"Bound as planned."_s;
    QTest::newRow("cores") << u"rankwright: rank 5 of 16 on node n1: cores 0-63 instead of 9-15, device 5"_s << false
                           << u"Rank 5 on n1 is on cores 0-63 instead of 9-15."_s;
    const QString elsewhere = u"rankwright: rank 5 of 16 on node n1: cores 0-63 instead of 9-15, device 5"_s;
    for (const char* tag :
        {"5: ", " 5: ", "[rank5]: ", "[rank5]:", "[default5]:", "n1: [default5]: ", "nid005001: 5: "})
        QTest::newRow(tag) << QString::fromLatin1(tag) + elsewhere << false
                           << u"Rank 5 on n1 is on cores 0-63 instead of 9-15."_s;
    QTest::newRow("device") << u"rankwright: rank 5 of 16 on node n1: cores 9-15 as planned, device 4 instead of 5"_s
                            << false << u"Rank 5 on n1 has device 4 instead of 5."_s;
    QTest::newRow("both")
        << u"5: rankwright: rank 5 of 8 on node n1: cores 1 instead of 9-15,73-79, device 4 instead of 5"_s << false
        << u"Rank 5 on n1 is on cores 1 instead of 9-15,73-79 and has device 4 instead of 5."_s;
    QTest::newRow("no device") << u"rankwright: rank 3 of 4 on node n1: cores 0-3, no device 3 (visible: 0)"_s << false
                               << u"Rank 3 on n1 sees no device 3."_s;
    QTest::newRow("other hardware")
        << u"rankwright: rank 0 of 4 on node n1: cores 0-1 (planned 49-55, but this node has CPUs 0-1), device 0"_s
        << false << u"Rank 0 on n1 is on cores 0-1; the plan, 49-55, is for other hardware."_s;
    QTest::newRow("no plan")
        << u"rankwright: rank 0 of 1 on node n1: cores 0-6, device 0; other ranks report only what differs"_s << false
        << u"Rank 0 on n1 is on cores 0-6; none are planned."_s;
}

void RankReportTest::says()
{
    QFETCH(QString, line);
    const auto report = readRankReport(line);
    QVERIFY(report);
    QTEST(report->isAsPlanned(), "asPlanned");
    QTEST(rankReportText(*report), "text");
}

void RankReportTest::otherLinesAreNone()
{
    for (const QString& line : {u"rankwright: expected 8 tasks, Slurm gave 4"_s, u"rankwright: rank 3"_s, QString(),
             u"rankwright: rank 9 of 4 on node n1: cores 0, device 0"_s, u"echo rankwright: rank 0 of 1 on node"_s})
        QVERIFY2(!readRankReport(line), qPrintable(line));
}

RANKWRIGHT_TEST_MAIN(RankReportTest)
#include "tst_rankreport.moc"

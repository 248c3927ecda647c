// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/failuremoment.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// When a rank ended, from torchrun's summary and the job's end.
class FailureMomentTest final : public test::Suite {
    Q_OBJECT
private slots:
    void theZoneIsFound_data();
    void theZoneIsFound();
    void isNeverAfterTheEnd();
    void isNothingWithoutATime();
    void theSummaryGivesIt();
};

void FailureMomentTest::theZoneIsFound_data()
{
    QTest::addColumn<int>("zoneMinutes");
    for (const int minutes : {0, 60, 120, -300, 330, 345, -570, 840, -720})
        QTest::addRow("%+d min", minutes) << minutes;
}

void FailureMomentTest::theZoneIsFound()
{
    QFETCH(int, zoneMinutes);
    const QDateTime ended(QDate(2026, 11, 28), QTime(23, 59, 58), Qt::UTC);
    for (const int before : {0, 1, 12, 61, 400}) {
        const QDateTime at = ended.addSecs(-before);
        const QString printed = at.addSecs(60 * zoneMinutes).toString(u"yyyy-MM-dd_HH:mm:ss"_s);
        QCOMPARE(failureMoment(printed, ended.toMSecsSinceEpoch()), std::optional(at.toMSecsSinceEpoch()));
    }
}

/// Clocks of nodes and controller differ by a second or two.
void FailureMomentTest::isNeverAfterTheEnd()
{
    const QDateTime ended(QDate(2026, 11, 28), QTime(12, 0, 0), Qt::UTC);
    QCOMPARE(
        failureMoment(u"2026-11-28_14:00:02"_s, ended.toMSecsSinceEpoch()), std::optional(ended.toMSecsSinceEpoch()));
}

void FailureMomentTest::isNothingWithoutATime()
{
    for (const QString& text : {QString(), u"<N/A>"_s, u"2026-13-41_00:00:00"_s, u"2026-11-28 12:00:00"_s})
        QCOMPARE(failureMoment(text, 1'000'000), std::nullopt);
}

void FailureMomentTest::theSummaryGivesIt()
{
    LogDiagnoser diagnoser;
    diagnoser.feed(
        "RuntimeError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 63.98 GiB\n"
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
        "train.py FAILED\nFailures:\n  <NO_OTHER_FAILURES>\nRoot Cause (first observed failure):\n[0]:\n"
        "  time      : 2026-11-28_23:15:02\n  host      : nid005002\n  rank      : 3 (local_rank: 1)\n"
        "  exitcode  : 1 (pid: 148)\n  error_file: <N/A>\n");
    const QList<Diagnosis> found = diagnoser.diagnoses();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().rank, std::optional(3));
    QCOMPARE(found.first().printedTime, u"2026-11-28_23:15:02"_s);
}

RANKWRIGHT_TEST_MAIN(FailureMomentTest)
#include "tst_failuremoment.moc"

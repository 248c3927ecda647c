// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/jobstate.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class JobStateTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsSlurmsWords_data();
    void readsSlurmsWords();
    void sortsIntoWaitingActiveEnded();
    void everyWordComesBack();
};

void JobStateTest::readsSlurmsWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("state");
    const auto row
        = [](const char* text, JobState state) { QTest::newRow(text) << QString::fromLatin1(text) << int(state); };
    row("RUNNING", JobState::Running);
    row(" PENDING ", JobState::Pending);
    row("CANCELLED by 327001", JobState::Cancelled);
    row("CANCELLED+", JobState::Cancelled); // a column that was cut
    row("OUT_OF_ME+", JobState::OutOfMemory);
    row("NODE_FAIL", JobState::NodeFail);
    row("COMPLET+", JobState::Unknown); // COMPLETED or COMPLETING: not guessed
    row("REQUEUE+", JobState::Unknown);
    row("RUN", JobState::Unknown);
    row("running", JobState::Unknown);
    row("LAUNCH_FAILED", JobState::Unknown); // newer than what we know
    row("", JobState::Unknown);
    row("+", JobState::Unknown);
}

void JobStateTest::readsSlurmsWords()
{
    QFETCH(QString, text);
    QFETCH(int, state);
    QCOMPARE(int(jobStateFrom(text)), state);
}

void JobStateTest::sortsIntoWaitingActiveEnded()
{
    // exactly one of the three for every known state, none for Unknown
    for (int number = int(JobState::Pending); number <= int(JobState::StageOut); ++number) {
        const auto state = JobState(number);
        QVERIFY2(isWaiting(state) + isActive(state) + hasEnded(state) == 1, qPrintable(toText(state)));
    }
    QVERIFY(!isWaiting(JobState::Unknown) && !isActive(JobState::Unknown) && !hasEnded(JobState::Unknown));
    // the mistake of older tools: these are over
    for (const JobState over : {JobState::Completed, JobState::Failed, JobState::Cancelled, JobState::Timeout})
        QVERIFY(hasEnded(over));
    QVERIFY(isActive(JobState::Completing));
    QVERIFY(isWaiting(JobState::Requeued));
}

void JobStateTest::everyWordComesBack()
{
    for (int number = int(JobState::Pending); number <= int(JobState::StageOut); ++number)
        QCOMPARE(int(jobStateFrom(toText(JobState(number)))), number);
}

RANKWRIGHT_TEST_MAIN(JobStateTest)
#include "tst_jobstate.moc"

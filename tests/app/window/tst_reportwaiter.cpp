// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/store/joblog.h"
#include "app/store/usagefiles.h"
#include "app/window/links/connections.h"
#include "app/window/reportwaiter.h"
#include "tests/app/support/openstore.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWidget>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A report that is waited for, from what is kept on this machine.
class ReportWaiterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void endsWhenItIsWhole();
    void isAskedForAgain();
    void stopsWhenNobodyWantsIt();

private:
    struct Bench {
        Bench()
            : catalogue(loadCatalogue()), settings(folder.path()), database(test::openStore(folder.path())),
              log(*database), connections(catalogue, log, settings, &window), waiter(connections, log, folder.path())
        { }
        /// The cluster has told of this job before.
        Result<void> keep(const JobId& job) const
        {
            StoredUsage kept;
            kept.cluster = u"lumi"_s;
            kept.asked = QDateTime::currentDateTimeUtc();
            kept.usage.job.id = job;
            kept.usage.job.state = JobState::Completed;
            kept.accounted = true;
            return storeUsage(folder.path(), kept);
        }
        QTemporaryDir folder;
        Theme theme;
        Catalogue catalogue;
        Settings settings;
        QWidget window;
        std::unique_ptr<Database> database;
        JobLog log;
        Connections connections;
        ReportWaiter waiter;
    };
};

void ReportWaiterTest::endsWhenItIsWhole()
{
    Bench bench;
    QVERIFY_RESULT(bench.keep(u"17"_s));
    QSignalSpy arrived(&bench.waiter, &ReportWaiter::reportArrived);
    QSignalSpy ended(&bench.waiter, &ReportWaiter::reportsEnded);
    bench.waiter.ask(u"lumi"_s, u"17"_s, [](const EfficiencyReport& report) { return report.job.id == u"17"_s; });
    QVERIFY(bench.waiter.isPending());
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(arrived.size(), 1);
    QCOMPARE(arrived.first().first().value<EfficiencyReport>().job.id, u"17"_s);
    QVERIFY(!bench.waiter.isPending());
}

void ReportWaiterTest::isAskedForAgain()
{
    Bench bench;
    QVERIFY_RESULT(bench.keep(u"17"_s));
    QSignalSpy arrived(&bench.waiter, &ReportWaiter::reportArrived);
    QSignalSpy ended(&bench.waiter, &ReportWaiter::reportsEnded);
    int asked = 0;
    bench.waiter.ask(u"lumi"_s, u"17"_s, [&asked](const EfficiencyReport&) { return ++asked > 1; });
    QTRY_COMPARE(arrived.size(), 1);
    QVERIFY(bench.waiter.isPending()); // something is missing yet
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(arrived.size(), 2);
}

void ReportWaiterTest::stopsWhenNobodyWantsIt()
{
    Bench bench;
    QVERIFY_RESULT(bench.keep(u"17"_s));
    QVERIFY_RESULT(bench.keep(u"18"_s));
    QSignalSpy arrived(&bench.waiter, &ReportWaiter::reportArrived);
    bench.waiter.ask(u"lumi"_s, u"17"_s, [](const EfficiencyReport&) { return true; });
    bench.waiter.ask(u"lumi"_s, u"18"_s, [](const EfficiencyReport&) { return true; }); // in its place
    QTRY_COMPARE(arrived.size(), 1);
    QCOMPARE(arrived.first().first().value<EfficiencyReport>().job.id, u"18"_s);
    bench.waiter.ask(u"lumi"_s, u"17"_s, [](const EfficiencyReport&) { return true; });
    bench.waiter.stop();
    QVERIFY(!bench.waiter.isPending());
    test::quietFor(2600);
    QCOMPARE(arrived.size(), 1);
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReportWaiterTest)
#include "tst_reportwaiter.moc"

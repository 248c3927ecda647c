// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/dryrun.h"
#include "models/cluster/slurm/rehearsal.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// At most five dry runs a minute for one cluster.
class DryRunTest final : public Suite {
    Q_OBJECT
private slots:
    void fiveAMinute();
    void aBrokenFileCountsNothing();
    void theSixthIsNotAsked();
};

void DryRunTest::fiveAMinute()
{
    QTemporaryDir folder;
    constexpr qint64 noon = 1'800'000'000'000;
    for (int i = 0; i < 5; ++i)
        QCOMPARE(reserveDryRun(folder.path(), u"lumi"_s, noon + i * 1000), 0);
    QCOMPARE(reserveDryRun(folder.path(), u"lumi"_s, noon + 20'000), 40'000);
    QCOMPARE(reserveDryRun(folder.path(), u"mahti"_s, noon + 20'000), 0); // another cluster
    QCOMPARE(reserveDryRun(folder.path(), u"lumi"_s, noon + 60'000), 0); // the refused one does not count
    QCOMPARE(reserveDryRun(folder.path(), u"lumi"_s, noon + 60'500), 500);
    QCOMPARE(reserveDryRun(folder.path(), u"lumi"_s, noon - 100'000), 0); // the clock was set back
}

void DryRunTest::aBrokenFileCountsNothing()
{
    QTemporaryDir folder;
    QCOMPARE(reserveDryRun(folder.path(), u"../lumi"_s, 1'800'000'000'000), 0);
    const QStringList files = QDir(folder.filePath(u"dryruns"_s)).entryList(QDir::Files);
    QCOMPARE(files.size(), 1); // below its folder, whatever the cluster is called
    QFile file(folder.filePath(u"dryruns/"_s + files.first()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("x\n18000000000009999999999\n-5\n") + QByteArray(2000, '\xff'));
    file.close();
    QCOMPARE(reserveDryRun(folder.path(), u"../lumi"_s, 1'800'000'000'000), 0);
    QCOMPARE(reserveDryRun(u"/proc/nowhere"_s, u"lumi"_s, 1'800'000'000'000), 0); // cannot be kept
}

void DryRunTest::theSixthIsNotAsked()
{
    QTemporaryDir folder;
    FakeShell shell;
    SlurmClient client(shell);
    shell.expect(u"--test-only"_s, rehearsedWell(), true);
    SubmitOrder order;
    order.cluster = u"lumi"_s;
    QList<StartForecast> forecasts;
    for (int i = 0; i < 6; ++i) {
        askDryRun(client, folder.path(), order, this,
            [&forecasts](const Result<StartForecast>& forecast) { forecasts.append(forecast.valueOr({})); });
    }
    QTRY_COMPARE(forecasts.size(), 6);
    QCOMPARE(shell.commands().size(), 5);
    const auto unasked = std::find_if(forecasts.cbegin(), forecasts.cend(),
        [](const StartForecast& one) { return one.answer == StartForecast::Answer::NotAsked; });
    QVERIFY(unasked != forecasts.cend());
    QVERIFY2(rehearsalText(*unasked).contains(u"5 within a minute"_s), qPrintable(unasked->note));
}

RANKWRIGHT_TEST_MAIN(DryRunTest)
#include "tst_dryrun.moc"

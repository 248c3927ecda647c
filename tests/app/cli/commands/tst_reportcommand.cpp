// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/usagefiles.h"
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;
using test::run;

/// The report on what this machine keeps of a job, without a cluster.
class ReportCommandTest final : public test::Suite {
    Q_OBJECT
private slots:
    void saysWhatTheSiteAsksForInPapers_data();
    void saysWhatTheSiteAsksForInPapers();
};

void ReportCommandTest::saysWhatTheSiteAsksForInPapers_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("words"); ///< empty: nothing is known of this site, and nothing is made up
    QTest::newRow("LUMI") << u"lumi"_s << u"We acknowledge the EuroHPC Joint Undertaking"_s;
    QTest::newRow("Roihu") << u"roihu"_s << u"The authors wish to acknowledge CSC"_s;
    QTest::newRow("Raven") << u"raven"_s << QString();
}

void ReportCommandTest::saysWhatTheSiteAsksForInPapers()
{
    QFETCH(const QString, cluster);
    QFETCH(const QString, words);
    const QTemporaryDir folder;
    StoredUsage kept;
    kept.cluster = cluster;
    kept.asked = QDateTime::currentDateTimeUtc();
    kept.accounted = true;
    kept.usage.job.id = u"2"_s;
    kept.usage.job.state = JobState::Completed;
    kept.usage.job.elapsed = Seconds{3600};
    QVERIFY_RESULT(storeUsage(folder.path(), kept));
    const QStringList asked{u"report"_s, cluster, u"2"_s, u"--offline"_s, u"--data-dir"_s, folder.path()};
    const auto text = run(asked);
    QCOMPARE(text.code, 0);
    const auto markdown = run(asked + QStringList{u"--markdown"_s, u"-"_s});
    QCOMPARE(markdown.code, 0);
    const QJsonValue member = run(asked + QStringList{u"--json"_s}).json().value(u"acknowledgement"_s);
    if (words.isEmpty()) {
        QVERIFY(!text.out.contains(u"cknowledge"_s) && !markdown.out.contains(u"cknowledge"_s));
        QVERIFY(member.isNull());
        return;
    }
    QVERIFY2(text.out.contains(u"Acknowledgement: "_s + words), qPrintable(text.out));
    QVERIFY2(markdown.out.contains(u"## Acknowledgement\n\n"_s + words), qPrintable(markdown.out));
    QVERIFY(member.toString().startsWith(words));
}

RANKWRIGHT_TEST_MAIN(ReportCommandTest)
#include "tst_reportcommand.moc"

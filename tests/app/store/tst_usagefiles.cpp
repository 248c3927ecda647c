// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/usagefiles.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

StoredUsage everything()
{
    StoredUsage kept;
    kept.cluster = u"lumi"_s;
    kept.asked = QDateTime::fromSecsSinceEpoch(1'790'000'100, Qt::UTC);
    kept.accounted = true;
    kept.usage.job.id = u"4711"_s;
    kept.usage.job.name = u"gpt-imdb"_s;
    kept.usage.job.state = JobState::Completed;
    kept.usage.job.nodes = 1;
    kept.usage.job.started = QDateTime::fromSecsSinceEpoch(1'790'000'000, Qt::UTC);
    kept.usage.qos = u"normal"_s;
    kept.usage.memory = Bytes::gib(64);
    kept.usage.cpuSeconds = 12.5;
    StepUsage step;
    step.id = u"0"_s;
    step.name = u"python3"_s;
    step.state = JobState::Completed;
    step.elapsed = Seconds{60};
    step.largestTaskMemory = Bytes{1'523'904 * 1024LL};
    kept.usage.steps = {step};
    kept.measured.stepSeconds = 0.25;
    kept.measured.step = 600;
    kept.measured.source = u"the job's log"_s;
    return kept;
}

void writeFile(const QString& folder, const QByteArray& bytes)
{
    QFile file(folder + u"/usage/lumi-4711.json"_s);
    if (!QDir(folder).mkpath(u"usage"_s) || !file.open(QIODevice::WriteOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    file.write(bytes);
}

} // namespace

/// What a cluster reported of a job's use, kept in a file: read back, read from version 1, and reported when it is
/// damaged.
class UsageFilesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsWhatItWrote();
    void version1();
    void damaged_data();
    void damaged();
};

void UsageFilesTest::readsWhatItWrote()
{
    QTemporaryDir folder;
    const auto none = findStoredUsage(folder.path(), u"lumi"_s, u"4711"_s);
    QVERIFY_RESULT(none);
    QVERIFY(!*none);
    QVERIFY_RESULT(storeUsage(folder.path(), everything()));
    const auto back = findStoredUsage(folder.path(), u"lumi"_s, u"4711"_s);
    QVERIFY_RESULT(back);
    QCOMPARE(**back, everything());
}

void UsageFilesTest::version1()
{
    QTemporaryDir folder;
    writeFile(folder.path(), test::recordedFile(u"usage/version1.json"_s));
    const auto back = findStoredUsage(folder.path(), u"lumi"_s, u"4711"_s);
    QVERIFY_RESULT(back);
    StoredUsage expected = everything();
    expected.usage.job.qos = u"normal"_s; // the job's own members stood beside those of its use
    QCOMPARE(**back, expected);
}

void UsageFilesTest::damaged_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("why");
    QTest::newRow("cut") << QByteArray(R"({"version":2,"clu)") << u"this is not JSON"_s;
    QTest::newRow("nothing of it") << QByteArray("{}") << u"$.version: expected a number, found nothing"_s;
    QTest::newRow("newer") << QByteArray(R"({"version":3})") << u"$.version: must be from 1 to 2, found 3"_s;
    QTest::newRow("no use") << QByteArray(R"({"version":2,"cluster":"lumi"})")
                            << u"$.usage: expected an object, found nothing"_s;
    QTest::newRow("number") << QByteArray(
        R"({"version":2,"cluster":"lumi","usage":{"job":{"jobId":"4711"},"cpus":"many","steps":[]}})")
                            << u"$.usage.cpus: expected a whole number, found the text “many”"_s;
    QTest::newRow("step") << QByteArray(
        R"({"version":2,"cluster":"lumi","usage":{"job":{"jobId":"4711"},"steps":[{"step":"0","tasks":true}]}})")
                          << u"$.usage.steps[0].tasks: expected a whole number, found true or false"_s;
    QTest::newRow("another job") << QByteArray(R"({"version":2,"cluster":"lumi","usage":{"job":{"jobId":"5"}}})")
                                 << u"it is of job 5 of lumi"_s;
}

void UsageFilesTest::damaged()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, why);
    QTemporaryDir folder;
    writeFile(folder.path(), json);
    const auto back = findStoredUsage(folder.path(), u"lumi"_s, u"4711"_s);
    QVERIFY(!back);
    QCOMPARE(back.error().what, u"What was kept of job 4711 cannot be read."_s);
    QVERIFY2(back.error().detail.contains(why), qPrintable(back.error().detail));
    QVERIFY(!back.error().remedy.isEmpty());
}

RANKWRIGHT_TEST_MAIN(UsageFilesTest)
#include "tst_usagefiles.moc"

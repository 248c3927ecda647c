// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classplace.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Where an attendee is, as it is kept over restarts.
class ClassPlaceTest final : public test::Suite {
    Q_OBJECT
private slots:
    void comesBackAsItWas();
    void whateverIsKeptIsRead_data();
    void whateverIsKeptIsRead();
    void aNewRunComesFirst();
    void keepsTheNewestRuns();
    void anEndedJobStaysEnded();
    void unknownSaysNothing();
    void theKeyIsOfTitleAndAuthor();
    void aReportAddsWhatItKnows();
    void theDigestIsOfAllThatIsSaid();
};

void ClassPlaceTest::comesBackAsItWas()
{
    ClassPlace place;
    place.exercise = u"two"_s;
    place.hints.insert(u"one"_s, 2);
    place.solutions.insert(u"one"_s);
    place.done.insert(u"one"_s);
    place.shares = true;
    place.owed.insert(u"one"_s);
    RunFacts& run = place.run(u"two"_s, u"17"_s);
    run.at = QDateTime::fromString(u"2026-12-01T08:00:00Z"_s, Qt::ISODate);
    run.state = JobState::Completed;
    run.nodes = 2;
    run.gpus = 16;
    run.ranks = 16;
    run.ranksBound = 14;
    run.leastBusyPercent = 61.5;
    run.leastBusyGpu = u"nid1, GCD 4"_s;
    run.resumed = false;
    run.stepSeconds = 0.35;
    run.samplesPerSecond = 91;
    run.elapsedSeconds = 120;
    run.firstLoss = 2.5;
    run.lastLoss = std::numeric_limits<double>::infinity();
    run.trouble = u"loss is nan"_s;
    run.remedy = u"Lower the learning rate."_s;
    QCOMPARE(readPlace(writePlace(place)), place);
    RunFacts little;
    little.job = u"18"_s;
    place.runs.insert(u"one"_s, {little});
    QCOMPARE(readPlace(writePlace(place)), place); // what is not known stays unknown
}

void ClassPlaceTest::whateverIsKeptIsRead_data()
{
    QTest::addColumn<QByteArray>("kept");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("{\"exercise\": ");
    QTest::newRow("a list") << QByteArray("[1, 2]");
    QTest::newRow("other types") << QByteArray(
        R"({"exercise": 7, "hints": [1], "solutions": {"a": 1}, "done": 3, "runs": {"one": {"job": 1}}, "shares": "yes"})");
    QTest::newRow("runs of nothing") << QByteArray(R"({"runs": {"one": [null, 3, {"nodes": -4}]}})");
}

void ClassPlaceTest::whateverIsKeptIsRead()
{
    QFETCH(const QByteArray, kept);
    const ClassPlace place = readPlace(kept);
    QVERIFY(place.exercise.isEmpty());
    QVERIFY(!place.shares);
    for (const QList<RunFacts>& runs : place.runs)
        QVERIFY(runs.isEmpty());
}

void ClassPlaceTest::aNewRunComesFirst()
{
    ClassPlace place;
    place.run(u"one"_s, u"1"_s).nodes = 1;
    place.run(u"one"_s, u"2"_s).nodes = 2;
    QCOMPARE(place.run(u"one"_s, u"1"_s).nodes, 1);
    QCOMPARE(place.runs.value(u"one"_s).size(), 2);
    QCOMPARE(place.runs.value(u"one"_s).first().job, u"2"_s);
}

void ClassPlaceTest::keepsTheNewestRuns()
{
    ClassPlace place;
    for (int i = 0; i < ClassPlace::mostRuns + 5; ++i)
        place.run(u"one"_s, QString::number(i));
    QCOMPARE(place.runs.value(u"one"_s).size(), ClassPlace::mostRuns);
    QCOMPARE(place.runs.value(u"one"_s).first().job, QString::number(ClassPlace::mostRuns + 4));
}

void ClassPlaceTest::anEndedJobStaysEnded()
{
    RunFacts facts;
    facts.job = u"1"_s;
    JobRecord record;
    record.state = JobState::Completed;
    record.nodes = 2;
    record.elapsed = Seconds{90};
    const QDateTime now = QDateTime::currentDateTimeUtc();
    applyRecord(facts, record, now);
    QCOMPARE(facts.elapsedSeconds, 90.0);
    QCOMPARE(facts.at, now);
    record.state = JobState::Running; // a slower answer
    record.nodes.reset();
    applyRecord(facts, record, now.addSecs(5));
    QCOMPARE(facts.state, JobState::Completed);
    QCOMPARE(facts.nodes, 2);
}

void ClassPlaceTest::unknownSaysNothing()
{
    RunFacts facts;
    facts.state = JobState::Running;
    applyRecord(facts, JobRecord(), QDateTime::currentDateTimeUtc());
    QCOMPARE(facts.state, JobState::Running);
    QVERIFY(!facts.nodes);
    QVERIFY(!facts.at.isValid());
}

void ClassPlaceTest::theKeyIsOfTitleAndAuthor()
{
    const QList<ShippedClass> shipped = shippedClasses();
    QVERIFY(shipped.size() > 1);
    ClassFile changed = shipped.first().file;
    changed.exercises.removeLast();
    QCOMPARE(placeKey(changed), placeKey(shipped.first().file)); // the place survives a new version
    QVERIFY(placeKey(shipped.at(0).file) != placeKey(shipped.at(1).file));
    ClassPlace place;
    place.exercise = u"is-not-there"_s;
    QCOMPARE(place.index(changed), 0);
}

void ClassPlaceTest::aReportAddsWhatItKnows()
{
    RunFacts facts;
    facts.job = u"17"_s;
    facts.state = JobState::Completed;
    facts.resumed = true;
    facts.stepSeconds = 0.5;
    RunFacts seen;
    seen.job = u"17"_s;
    seen.state = JobState::Running; // an older answer
    seen.leastBusyPercent = 97;
    seen.leastBusyGpu = u"n1, GCD 3"_s;
    mergeFacts(facts, seen);
    QCOMPARE(facts.state, JobState::Completed);
    QCOMPARE(facts.resumed, true); // no report knows it
    QCOMPARE(facts.stepSeconds, 0.5);
    QCOMPARE(facts.leastBusyPercent, 97.);
    QCOMPARE(facts.leastBusyGpu, u"n1, GCD 3"_s);
    seen.state = JobState::Failed;
    seen.leastBusyPercent.reset();
    seen.leastBusyGpu.clear();
    mergeFacts(facts, seen);
    QCOMPARE(facts.state, JobState::Failed);
    QCOMPARE(facts.leastBusyGpu, u"n1, GCD 3"_s);
    seen.trouble = u"HIP out of memory"_s;
    seen.remedy = u"Halve it."_s;
    mergeFacts(facts, seen);
    seen.trouble = u"exit code 1"_s; // less is known here
    seen.remedy.clear();
    mergeFacts(facts, seen);
    QCOMPARE(facts.trouble, u"HIP out of memory"_s);
    QCOMPARE(facts.remedy, u"Halve it."_s);
}

void ClassPlaceTest::theDigestIsOfAllThatIsSaid()
{
    ClassFile file;
    file.title = u"A course"_s;
    file.exercises.resize(1);
    const QString before = classDigest(file);
    file.signature.key = u"ssh-ed25519 AAAA"_s;
    QCOMPARE(classDigest(file), before);
    file.progressFolder = u"/scratch/course"_s;
    QVERIFY(classDigest(file) != before);
}

RANKWRIGHT_TEST_MAIN(ClassPlaceTest)
#include "tst_classplace.moc"

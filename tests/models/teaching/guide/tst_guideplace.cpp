// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidedesign.h"
#include "models/teaching/guide/guideplace.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Where a person is in the guided first job, written and read again; what is broken is as if nothing were there.
class GuidePlaceTest final : public test::Suite {
    Q_OBJECT
private slots:
    void comesBackTheSame();
    void nothingToWatchWithoutAJob();
    void aRecordOfAnotherJobIsRefused();
    void brokenContentIsNothing_data();
    void brokenContentIsNothing();
    void randomBytesNeverCrash();

private:
    GuidePlace place() const
    {
        GuidePlace place;
        place.step = GuideStep::Fits;
        place.reached = GuideStep::Script;
        place.spec = guidedDesign(u"lumi"_s, m_catalogue);
        place.spec.account = u"project_465000001"_s;
        return place;
    }
    GuidePlace ended() const
    {
        GuidePlace place = this->place();
        place.step = place.reached = GuideStep::Watch;
        place.job = u"77"_s;
        place.cluster = u"lumi"_s;
        place.launched = place.spec;
        place.spec.name = u"changed-since"_s;
        place.record.id = u"77"_s;
        place.record.state = JobState::Completed;
        place.record.elapsed = Seconds{90};
        place.record.exitCode = 0;
        return place;
    }

    const Catalogue m_catalogue = loadCatalogue();
};

void GuidePlaceTest::comesBackTheSame()
{
    GuidePlace running = ended();
    running.record = {};
    for (const GuidePlace& one : {place(), running, ended()}) {
        const auto again = readGuidePlace(writeGuidePlace(one));
        QVERIFY(again);
        QCOMPARE(again->step, one.step);
        QCOMPARE(again->reached, one.reached);
        QVERIFY(again->spec == one.spec);
        QCOMPARE(again->job, one.job);
        QCOMPARE(again->cluster, one.cluster);
        QVERIFY(again->launched == one.launched);
        QCOMPARE(again->record.state, one.record.state);
        QVERIFY(again->record.elapsed == one.record.elapsed);
    }
}

void GuidePlaceTest::nothingToWatchWithoutAJob()
{
    GuidePlace place = this->place();
    place.step = place.reached = GuideStep::Watch;
    const auto again = readGuidePlace(writeGuidePlace(place));
    QVERIFY(again);
    QCOMPARE(again->step, GuideStep::Launch);
    QCOMPARE(again->reached, GuideStep::Launch);
    place.step = GuideStep::Script;
    place.reached = GuideStep::Where; // a step cannot be shown that was never reached
    QCOMPARE(readGuidePlace(writeGuidePlace(place))->reached, GuideStep::Script);
}

void GuidePlaceTest::aRecordOfAnotherJobIsRefused()
{
    GuidePlace place = ended();
    place.record.id = u"78"_s;
    QVERIFY(!readGuidePlace(writeGuidePlace(place)));
}

void GuidePlaceTest::brokenContentIsNothing_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray whole = writeGuidePlace(place());
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("step 4 of 7");
    QTest::newRow("a list") << QByteArray("[1,2]");
    QTest::newRow("half of it") << whole.first(whole.size() / 2);
    QTest::newRow("no design") << QByteArray(R"({"step":3,"reached":3})");
    QTest::newRow("a step beyond") << QByteArray(whole).replace("\"step\":3", "\"step\":7");
    QTest::newRow("a step before") << QByteArray(whole).replace("\"step\":3", "\"step\":-1");
    QTest::newRow("a step in words") << QByteArray(whole).replace("\"step\":3", "\"step\":\"3\"");
    QTest::newRow("a job nowhere") << QByteArray(whole).replace("\"step\":3", "\"step\":3,\"job\":\"7\"");
    QTest::newRow("too much") << whole + QByteArray(1024 * 1024, ' ');
}

void GuidePlaceTest::brokenContentIsNothing()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(bytes != writeGuidePlace(place()));
    QVERIFY(!readGuidePlace(bytes));
}

/// Bytes changed at random places, and bytes that never were a place: read or not, never a crash, and what was read can
/// be written and read again.
void GuidePlaceTest::randomBytesNeverCrash()
{
    QRandomGenerator random(20261123);
    const QByteArray whole = writeGuidePlace(ended());
    for (int round = 0; round < 2000; ++round) {
        QByteArray bytes = round % 4 ? whole : QByteArray(random.bounded(200), '\0');
        const int changes = round % 4 ? 1 + random.bounded(8) : int(bytes.size());
        for (int change = 0; change < changes; ++change)
            bytes[round % 4 ? random.bounded(int(bytes.size())) : change] = char(random.bounded(256));
        if (round % 3 == 0)
            bytes.truncate(random.bounded(int(bytes.size()) + 1));
        const auto read = readGuidePlace(bytes);
        if (read) {
            const auto again = readGuidePlace(writeGuidePlace(*read));
            QVERIFY(again && again->spec == read->spec && again->step == read->step);
        }
    }
}

RANKWRIGHT_TEST_MAIN(GuidePlaceTest)
#include "tst_guideplace.moc"

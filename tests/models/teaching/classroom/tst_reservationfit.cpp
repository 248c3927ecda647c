// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/reservationfit.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

#include <QTimeZone>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// When a class's reservation is, how large, and how many fit into it.
class ReservationFitTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void peopleAndNodes_data();
    void peopleAndNodes();
    void whatIsNotKnownStaysUnknown();
    void itsHours();
    void ofAClassAndItsCluster();

private:
    static QDateTime at(const QString& text) { return QDateTime::fromString(text, Qt::ISODate); }
};

void ReservationFitTest::initTestCase()
{
    qputenv("TZ", "Europe/Helsinki"); // as at the site
    tzset();
}

void ReservationFitTest::peopleAndNodes_data()
{
    QTest::addColumn<double>("each");
    QTest::addColumn<int>("people");
    QTest::addColumn<int>("nodes"); // for them
    QTest::addColumn<int>("atOnce"); // on 16 nodes
    QTest::newRow("one of eight GCDs") << 0.125 << 30 << 4 << 128;
    QTest::newRow("three of eight: two on a node") << 0.375 << 30 << 15 << 32;
    QTest::newRow("a node") << 1.0 << 30 << 30 << 16;
    QTest::newRow("two nodes") << 2.0 << 30 << 60 << 8;
    QTest::newRow("three nodes: one is left over") << 3.0 << 1 << 3 << 5;
}

void ReservationFitTest::peopleAndNodes()
{
    QFETCH(double, each);
    QFETCH(int, people);
    ReservationFit fit;
    fit.nodes = 16;
    if (each > 0)
        fit.nodesEach = each;
    fit.people = people;
    QTEST(fit.needed().value_or(-1), "nodes");
    QTEST(fit.attendees().value_or(-1), "atOnce");
}

void ReservationFitTest::whatIsNotKnownStaysUnknown()
{
    ReservationFit fit;
    fit.name = u"AI_workshop"_s;
    QVERIFY(!fit.attendees());
    QVERIFY(!fit.needed());
    QCOMPARE(reservationSize(fit), u"size not reported"_s);
    QCOMPARE(reservationTitle(fit, at(u"2026-12-07T10:00:00Z"_s)), u"AI_workshop"_s);
    QVERIFY(reservationState(fit, at(u"2026-12-07T10:00:00Z"_s)).isEmpty());
    fit.nodes = 16;
    QCOMPARE(reservationSize(fit), u"16 nodes"_s);
}

void ReservationFitTest::itsHours()
{
    ReservationFit fit;
    fit.name = u"AI_workshop"_s;
    fit.classBegin = at(u"2026-12-07T07:00:00Z"_s);
    fit.classEnd = at(u"2026-12-09T15:00:00Z"_s);
    QCOMPARE(reservationTitle(fit, at(u"2026-12-01T10:00:00Z"_s)), u"AI_workshop from Mon 7 Dec, 09:00"_s);
    QCOMPARE(reservationTitle(fit, at(u"2026-12-07T05:00:00Z"_s)), u"AI_workshop from 09:00"_s);
    QCOMPARE(reservationState(fit, at(u"2026-12-07T05:00:00Z"_s)), u"opens in 2\u2009h"_s);
    QCOMPARE(reservationTitle(fit, at(u"2026-12-08T10:00:00Z"_s)), u"AI_workshop until Wed 9 Dec, 17:00"_s);
    QCOMPARE(reservationTitle(fit, at(u"2026-12-09T13:00:00Z"_s)), u"AI_workshop until 17:00"_s);
    QCOMPARE(reservationState(fit, at(u"2026-12-09T13:00:00Z"_s)), u"open for 2\u2009h"_s);
    QCOMPARE(reservationTitle(fit, at(u"2026-12-09T15:00:00Z"_s)), u"AI_workshop ended 17:00"_s);
    QVERIFY(reservationState(fit, at(u"2026-12-09T15:00:00Z"_s)).startsWith(u"over"_s));
    // What the cluster says comes before what the class says.
    fit.end = at(u"2026-12-09T12:00:00Z"_s);
    QCOMPARE(reservationTitle(fit, at(u"2026-12-09T11:00:00Z"_s)), u"AI_workshop until 14:00"_s);
}

void ReservationFitTest::ofAClassAndItsCluster()
{
    const Catalogue catalogue = loadCatalogue();
    const QList<ShippedClass> shipped = shippedClasses();
    const auto lumi = std::find_if(shipped.cbegin(), shipped.cend(), [](const ShippedClass& one) {
        return one.name.startsWith(u"lumi-ai-course"_s) && one.file.cluster == u"lumi"_s;
    });
    QVERIFY(lumi != shipped.cend());
    ClassFile file = lumi->file;
    file.reservation.reset();
    QVERIFY(!reservationFit(file));
    file.reservation = ClassReservation{u"AI_workshop"_s, at(u"2026-12-07T07:00:00Z"_s), at(u"2026-12-09T15:00:00Z"_s)};
    SiteFacts facts;
    auto fit = reservationFit(file, catalogue, facts, 30);
    QVERIFY(fit);
    QVERIFY(!fit->nodes && !fit->begin.isValid()); // the cluster did not say
    QCOMPARE(fit->nodesEach, std::optional(2.0)); // the exercise on two whole nodes
    QCOMPARE(fit->needed(), std::optional(60));
    LiveReservation live;
    live.name = u"AI_workshop"_s;
    live.nodes = 40;
    live.begin = at(u"2026-12-07T06:00:00Z"_s);
    live.end = at(u"2026-12-09T16:00:00Z"_s);
    facts.reservations = QList<LiveReservation>{live};
    fit = reservationFit(file, catalogue, facts, 30);
    QCOMPARE(fit->attendees(), std::optional(20));
    QCOMPARE(reservationSize(*fit), u"40 nodes: 20 attendees at once"_s);
    // The sentence of the check says the same figures.
    const QList<SiteVerdict> verdicts = checkClassSite(file, catalogue, facts, 30);
    QVERIFY(std::any_of(verdicts.cbegin(), verdicts.cend(), [](const SiteVerdict& verdict) {
        return verdict.subject == u"Size" && verdict.text.contains(u"60 nodes"_s)
            && verdict.text.contains(u"40 nodes"_s);
    }));
}

RANKWRIGHT_TEST_MAIN(ReservationFitTest)
#include "tst_reservationfit.moc"

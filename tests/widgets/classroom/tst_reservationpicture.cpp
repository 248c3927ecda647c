// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/reservationpicture.h"

#include <QPixmap>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The teacher's figure of a reservation, for eyes and for screen readers.
class ReservationPictureTest final : public test::Suite {
    Q_OBJECT
private slots:
    void saysAllThatItShows_data();
    void saysAllThatItShows();

private:
    static QDateTime at(const QString& text) { return QDateTime::fromString(text, Qt::ISODate); }
};

void ReservationPictureTest::saysAllThatItShows_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<QString>("atOnce");
    QTest::newRow("large enough") << u"enough"_s << 40 << u"40"_s;
    QTest::newRow("too small") << u"small"_s << 16 << u"16"_s;
    QTest::newRow("not reported") << u"unknown"_s << -1 << u"unknown"_s;
}

void ReservationPictureTest::saysAllThatItShows()
{
    QFETCH(QString, what);
    QFETCH(int, nodes);
    QFETCH(QString, atOnce);
    Theme theme;
    ReservationFit fit;
    fit.name = u"AI_workshop"_s;
    fit.classBegin = at(u"2026-12-07T07:00:00Z"_s);
    fit.classEnd = at(u"2026-12-09T15:00:00Z"_s);
    fit.people = 30;
    fit.nodesEach = 1;
    if (nodes >= 0) {
        fit.nodes = nodes;
        fit.begin = at(u"2026-12-07T06:00:00Z"_s);
        fit.end = at(what == u"small" ? u"2026-12-08T16:00:00Z"_s : u"2026-12-09T16:00:00Z"_s);
    }
    ReservationPicture picture;
    picture.setFit(fit, at(u"2026-12-08T10:00:00Z"_s));
    picture.resize(picture.sizeHint());
    const auto table = pictureTableOf(picture);
    QVERIFY(table);
    QStringList values;
    for (const PictureTable::Row& row : table->rows)
        values.append(row.name + u": "_s + row.values.join(u' '));
    QVERIFY2(values.contains(u"Attendees at once: "_s + atOnce), qPrintable(values.join(u'\n')));
    QVERIFY2(values.contains(u"Nodes needed: 30"_s), qPrintable(values.join(u'\n')));
    QCOMPARE(picture.accessibleName(), u"Reservation AI_workshop"_s);
    const QPixmap shown = picture.grab();
    QVERIFY(!shown.isNull());
    const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS");
    if (!folder.isEmpty())
        shown.save(u"%1/reservation-%2.png"_s.arg(folder, what));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReservationPictureTest)
#include "tst_reservationpicture.moc"

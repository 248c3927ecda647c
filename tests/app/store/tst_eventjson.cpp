// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/eventjson.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 moment = 1'790'000'000'000;

Alert idle()
{
    Alert alert;
    alert.kind = u"idle_gpus"_s;
    alert.rule = AlertKind::WrongBinding;
    alert.title = u"2 of 8 GCDs never did any work"_s;
    alert.gpus = {{0, 6}, {0, 7}};
    alert.nodes = {u"n1"_s};
    return alert;
}

} // namespace

/// What recordings keep of alerts and failures: written, read back, read from version 1, and reported when it is
/// damaged.
class EventJsonTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsWhatItWrote();
    void version1();
    void damaged_data();
    void damaged();
};

void EventJsonTest::readsWhatItWrote()
{
    Alert hang;
    hang.kind = u"hang"_s;
    hang.level = Alert::Level::Failure;
    const QList<Alert> alerts{idle(), hang};
    const RecordingEvent written = alertsEvent(alerts, moment);
    QCOMPARE(written.kind, u"alerts"_s);
    QCOMPARE(written.atMs, moment);
    const auto back = alertsIn(written);
    QVERIFY_RESULT(back);
    QCOMPARE(*back, alerts);
    QVERIFY(alertsIn(alertsEvent({}, moment)).valueOr({hang}).isEmpty());
    Diagnosis oom;
    oom.kind = u"oom_gpu"_s;
    oom.rank = 3;
    const auto failures = failuresIn(failuresEvent({oom}, moment));
    QVERIFY_RESULT(failures);
    QCOMPARE(*failures, QList<Diagnosis>{oom});
}

void EventJsonTest::version1()
{
    const RecordingEvent old{moment, u"alerts"_s,
        R"({"alerts":[{"advice":null,"class":"idle_gpus","field":null,"gpus":[{"gpu":6,"node":0},{"gpu":7,"node":0}],
            "level":"warning","meaning":null,"nodes":["n1"],"rank":null,"rule":"A12","seen":null,"since":null,
            "source":null,"title":"2 of 8 GCDs never did any work"}]})"};
    const auto back = alertsIn(old);
    QVERIFY_RESULT(back);
    QCOMPARE(*back, QList<Alert>{idle()});
    // Reported again it has today's members, and only those.
    const auto json = eventJson(old);
    QVERIFY_RESULT(json);
    QCOMPARE(*json, QJsonDocument::fromJson(alertsEvent({idle()}, moment).json).object());
    // A failure has had the same members from the beginning, but for the place in the file.
    const auto failures = failuresIn({moment, u"failures"_s,
        R"({"failures":[{"advice":null,"class":"oom_gpu","evidence":null,"gpu":null,"line":812,"node":"n1","rank":3,
            "rule":"oom-torch","source":null}]})"});
    QVERIFY_RESULT(failures);
    QCOMPARE(failures->size(), 1);
    QCOMPARE(failures->first().line, 812);
    QVERIFY(!failures->first().offset);
}

void EventJsonTest::damaged_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("why");
    const QString alerts = u"the entry “alerts” of 2026-09-21T14:13:20.000Z"_s;
    const QString failures = u"the entry “failures” of 2026-09-21T14:13:20.000Z"_s;
    QTest::newRow("cut") << u"alerts"_s << QByteArray(R"({"alerts":[{"kind)")
                         << alerts + u", line 1, column 18: this is not JSON"_s;
    QTest::newRow("empty") << u"alerts"_s << QByteArray() << alerts + u", line 1, column 1: this is not JSON"_s;
    QTest::newRow("no list") << u"alerts"_s << QByteArray("{}")
                             << alerts + u": $.alerts: expected a list, found nothing"_s;
    QTest::newRow("one of two") << u"alerts"_s
                                << QByteArray(
                                       R"({"alerts":[{"kind":"hang","level":"hint"},{"kind":"hang","level":3}]})")
                                << alerts + u": $.alerts[1].level: expected text, found the number 3"_s;
    QTest::newRow("version 1, GPU") << u"alerts"_s
                                    << QByteArray(R"({"alerts":[{"class":"hang","level":"hint","gpus":[{"gpu":1}]}]})")
                                    << alerts + u": $.alerts[0].gpus[0].row: expected a whole number, found nothing"_s;
    QTest::newRow("failure") << u"failures"_s << QByteArray(R"({"failures":[7]})")
                             << failures
            + u": $.failures: expected an object as element 0 of the list, found the number 7"_s;
}

void EventJsonTest::damaged()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, json);
    const RecordingEvent event{moment, kind, json};
    if (kind == u"alerts"_s) {
        const auto back = alertsIn(event);
        QVERIFY(!back);
        QTEST(back.error().what, "why");
    } else {
        const auto back = failuresIn(event);
        QVERIFY(!back);
        QTEST(back.error().what, "why");
    }
}

RANKWRIGHT_TEST_MAIN(EventJsonTest)
#include "tst_eventjson.moc"

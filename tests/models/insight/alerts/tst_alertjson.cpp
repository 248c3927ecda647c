// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertjson.h"
#include "tests/support/testbase.h"

#include <QJsonDocument>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

Alert everything()
{
    Alert alert;
    alert.kind = u"idle_gpus"_s;
    alert.rule = AlertKind::WrongBinding;
    alert.level = Alert::Level::Hint;
    alert.title = u"4 of 8 GCDs never did any work"_s;
    alert.seen = u"0 % for 61 s"_s;
    alert.sinceMs = 1'790'000'000'250;
    alert.meaning = u"They are paid for."_s;
    alert.advice = u"--ntasks-per-node=8"_s;
    alert.field = u"launch.launcher"_s;
    alert.source = u"Slurm"_s;
    alert.gpus = {{0, 4}, {1, 7}};
    alert.nodes = {u"n1"_s, u"n2"_s};
    alert.rank = 0;
    return alert;
}

} // namespace

/// An alert's members: the same wherever it is reported, and read back as it was.
class AlertJsonTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsWhatItWrote();
    void tellsTheMembersOfTheCommandLine();
    void unknownIsNull();
    void leavesFurtherMembersAlone();
    void aNewerRuleIsKept();
    void damaged_data();
    void damaged();
};

void AlertJsonTest::readsWhatItWrote()
{
    for (const Alert::Level level :
        {Alert::Level::Normal, Alert::Level::Hint, Alert::Level::Warning, Alert::Level::Failure}) {
        Alert alert = everything();
        alert.level = level;
        const auto back = alertFromJson(JsonReader(alertJson(alert)));
        QVERIFY_RESULT(back);
        QCOMPARE(*back, alert);
    }
    Alert bare;
    bare.kind = u"hang"_s;
    const auto back = alertFromJson(JsonReader(alertJson(bare)));
    QVERIFY_RESULT(back);
    QCOMPARE(*back, bare);
}

void AlertJsonTest::tellsTheMembersOfTheCommandLine()
{
    // docs/cli.md, "watch"
    const QByteArray wanted
        = R"({"kind":"idle_gpus","rule":"A12","level":"hint","title":"4 of 8 GCDs never did any work",
        "seen":"0 % for 61 s","since":"2026-09-21T14:13:20.250Z","meaning":"They are paid for.",
        "advice":"--ntasks-per-node=8","field":"launch.launcher","source":"Slurm","rank":0,"nodes":["n1","n2"],
        "gpus":[{"row":0,"index":4},{"row":1,"index":7}]})";
    QCOMPARE(alertJson(everything()), QJsonDocument::fromJson(wanted).object());
}

void AlertJsonTest::unknownIsNull()
{
    const QJsonObject json = alertJson({});
    for (const char* member : {"rule", "seen", "since", "meaning", "advice", "field", "source", "rank"})
        QVERIFY2(json.contains(QLatin1StringView(member)) && json.value(QLatin1StringView(member)).isNull(), member);
}

void AlertJsonTest::leavesFurtherMembersAlone()
{
    QJsonObject json = alertJson(everything());
    json.insert(u"weight"_s, 7);
    const auto back = alertFromJson(JsonReader(json));
    QVERIFY_RESULT(back);
    QCOMPARE(*back, everything());
}

void AlertJsonTest::aNewerRuleIsKept()
{
    QJsonObject json = alertJson(everything());
    json.insert(u"kind"_s, u"cosmic_rays"_s);
    json.insert(u"rule"_s, u"A99"_s);
    const auto back = alertFromJson(JsonReader(json));
    QVERIFY_RESULT(back);
    QVERIFY(!back->rule.value());
    QCOMPARE(alertJson(*back), json);
}

void AlertJsonTest::damaged_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("why");
    QTest::newRow("no kind") << u"kind"_s << QJsonValue() << u"$.kind: expected text, found nothing"_s;
    QTest::newRow("level") << u"level"_s << QJsonValue(u"loud"_s) << u"$.level: “loud” is not a level of an alert"_s;
    QTest::newRow("since") << u"since"_s << QJsonValue(u"yesterday"_s)
                           << u"$.since: expected a time such as 2026-11-21T20:15:00Z, found the text “yesterday”"_s;
    QTest::newRow("rank") << u"rank"_s << QJsonValue(u"3"_s)
                          << u"$.rank: expected a whole number, found the text “3”"_s;
    QTest::newRow("gpus") << u"gpus"_s << QJsonValue(QJsonArray{QJsonObject{{u"row"_s, 0}}})
                          << u"$.gpus[0].index: expected a whole number, found nothing"_s;
    QTest::newRow("nodes") << u"nodes"_s << QJsonValue(u"n1"_s) << u"$.nodes: expected a list, found the text “n1”"_s;
}

void AlertJsonTest::damaged()
{
    QFETCH(QString, member);
    QFETCH(QJsonValue, value);
    QJsonObject json = alertJson(everything());
    json.insert(member, value);
    const auto back = alertFromJson(JsonReader(json));
    QVERIFY(!back);
    QTEST(back.error().what, "why");
}

RANKWRIGHT_TEST_MAIN(AlertJsonTest)
#include "tst_alertjson.moc"

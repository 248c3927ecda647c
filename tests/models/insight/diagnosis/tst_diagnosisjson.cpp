// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisjson.h"
#include "tests/support/testbase.h"

#include <QJsonDocument>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

Diagnosis everything()
{
    Diagnosis diagnosis;
    diagnosis.kind = u"oom_gpu"_s;
    diagnosis.rule = u"oom-torch"_s;
    diagnosis.rank = 3;
    diagnosis.gpu = 0;
    diagnosis.node = u"n1"_s;
    diagnosis.line = 812;
    diagnosis.offset = 5'000'000'000;
    diagnosis.evidence = u"HIP out of memory"_s;
    diagnosis.advice = u"Use a smaller micro-batch."_s;
    diagnosis.source = u"PyTorch"_s;
    return diagnosis;
}

} // namespace

/// A known failure's members: the same wherever it is reported, and read back as it was.
class DiagnosisJsonTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsWhatItWrote();
    void tellsTheMembersOfTheCommandLine();
    void unknownIsNull();
    void leavesFurtherMembersAlone();
    void damaged_data();
    void damaged();
};

void DiagnosisJsonTest::readsWhatItWrote()
{
    Diagnosis bare;
    bare.kind = u"time_limit"_s;
    Diagnosis atTheBeginning = everything();
    atTheBeginning.line = 1;
    atTheBeginning.offset = 0;
    for (const Diagnosis& diagnosis : {everything(), bare, atTheBeginning}) {
        const auto back = diagnosisFromJson(JsonReader(diagnosisJson(diagnosis)));
        QVERIFY_RESULT(back);
        QCOMPARE(*back, diagnosis);
    }
}

void DiagnosisJsonTest::tellsTheMembersOfTheCommandLine()
{
    // docs/cli.md, "parse log"
    const QByteArray wanted = R"({"class":"oom_gpu","rule":"oom-torch","rank":3,"gpu":0,"node":"n1","line":812,
        "offset":5000000000,"evidence":"HIP out of memory","advice":"Use a smaller micro-batch.","source":"PyTorch","confirmed":true})";
    QCOMPARE(diagnosisJson(everything()), QJsonDocument::fromJson(wanted).object());
}

void DiagnosisJsonTest::unknownIsNull()
{
    const QJsonObject json = diagnosisJson({});
    for (const char* member : {"rule", "rank", "gpu", "node", "line", "offset", "evidence", "advice", "source"})
        QVERIFY2(json.contains(QLatin1StringView(member)) && json.value(QLatin1StringView(member)).isNull(), member);
    QCOMPARE(noDiagnosisJson(), (QJsonObject{{u"class"_s, QJsonValue()}}));
}

void DiagnosisJsonTest::leavesFurtherMembersAlone()
{
    QJsonObject json = diagnosisJson(everything());
    json.insert(u"file"_s, u"/scratch/out.txt"_s);
    const auto back = diagnosisFromJson(JsonReader(json));
    QVERIFY_RESULT(back);
    QCOMPARE(*back, everything());
}

void DiagnosisJsonTest::damaged_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QJsonValue>("value");
    QTest::addColumn<QString>("why");
    QTest::newRow("no class") << u"class"_s << QJsonValue() << u"$.class: expected text, found nothing"_s;
    QTest::newRow("rank") << u"rank"_s << QJsonValue(2.5) << u"$.rank: expected a whole number, found the number 2.5"_s;
    QTest::newRow("line") << u"line"_s << QJsonValue(u"812"_s)
                          << u"$.line: expected a whole number, found the text “812”"_s;
    QTest::newRow("evidence") << u"evidence"_s << QJsonValue(QJsonArray())
                              << u"$.evidence: expected text, found a list"_s;
}

void DiagnosisJsonTest::damaged()
{
    QFETCH(QString, member);
    QFETCH(QJsonValue, value);
    QJsonObject json = diagnosisJson(everything());
    json.insert(member, value);
    const auto back = diagnosisFromJson(JsonReader(json));
    QVERIFY(!back);
    QTEST(back.error().what, "why");
}

RANKWRIGHT_TEST_MAIN(DiagnosisJsonTest)
#include "tst_diagnosisjson.moc"

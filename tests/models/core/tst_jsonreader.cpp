// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/jsonreader.h"
#include "tests/support/testbase.h"

#include <QJsonDocument>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

JsonReader readerOf(const char* json) { return JsonReader(QJsonDocument::fromJson(json).object()); }

} // namespace

class JsonReaderTest : public test::Suite {
    Q_OBJECT
private slots:
    void values();
    void missingAndNullAreTheSame();
    void faults_data();
    void faults();
    void whatMustBeThere();
    void times();
    void firstFaultStays();
    void nested();
    void unknownMembers();
    void documents_data();
    void documents();
};

void JsonReaderTest::values()
{
    auto json
        = readerOf(R"({"t":"x","i":9007199254740993,"n":1.5,"f":true,"l":["a","b"],"long":["one","two"],"a":[1]})");
    QCOMPARE(json.text(u"t"_s), u"x"_s);
    QCOMPARE(
        json.integer(u"i"_s, 0, std::numeric_limits<qint64>::max()), qint64(9007199254740993)); // above 2^53: exact
    QCOMPARE(json.number(u"n"_s), 1.5);
    QCOMPARE(json.flag(u"f"_s), true);
    QCOMPARE(json.texts(u"l"_s), QStringList({u"a"_s, u"b"_s}));
    QCOMPARE(json.lines(u"long"_s), u"one\ntwo"_s);
    QCOMPARE(json.lines(u"t"_s), u"x"_s);
    QCOMPARE(json.array(u"a"_s)->size(), 1);
    QVERIFY(!json.fault());
    QVERIFY(json.unknownMembers().isEmpty());
}

void JsonReaderTest::missingAndNullAreTheSame()
{
    auto json = readerOf(R"({"x":null})");
    for (const QString& key : {u"x"_s, u"y"_s}) {
        QVERIFY(!json.text(key) && !json.integer(key, 0, 1) && !json.number(key) && !json.flag(key));
        QVERIFY(!json.texts(key) && !json.lines(key) && !json.object(key) && !json.array(key) && !json.has(key));
        QVERIFY(json.objects(key).isEmpty());
    }
    QVERIFY(!json.fault());
}

void JsonReaderTest::faults_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("text");
    QTest::newRow("text") << QByteArray(R"({"i":"x"})") << u"$.i: expected a whole number, found the text “x”"_s;
    QTest::newRow("fraction") << QByteArray(R"({"i":1.5})") << u"$.i: expected a whole number, found the number 1.5"_s;
    QTest::newRow("range") << QByteArray(R"({"i":11})") << u"$.i: must be from 1 to 10, found 11"_s;
    QTest::newRow("huge") << QByteArray(R"({"i":1e300})") << u"$.i: expected a whole number, found the number 1e+300"_s;
    QTest::newRow("list") << QByteArray(R"({"i":[]})") << u"$.i: expected a whole number, found a list"_s;
    QTest::newRow("flag") << QByteArray(R"({"i":true})") << u"$.i: expected a whole number, found true or false"_s;
}

void JsonReaderTest::faults()
{
    QFETCH(QByteArray, json);
    auto reader = readerOf(json.constData());
    QVERIFY(!reader.integer(u"i"_s, 1, 10));
    QVERIFY(reader.fault().has_value());
    QTEST(reader.fault()->what, "text");
}

void JsonReaderTest::whatMustBeThere()
{
    auto json = readerOf(R"({"name":"x","empty":"","row":0})");
    QCOMPARE(json.requiredText(u"name"_s), u"x"_s);
    QCOMPARE(json.requiredWhole(u"row"_s), 0);
    QVERIFY(!json.fault());
    QCOMPARE(json.requiredText(u"empty"_s), QString());
    QCOMPARE(json.fault()->what, u"$.empty: expected text, found nothing"_s);
    auto other = readerOf(R"({"row":3000000000})");
    QCOMPARE(other.requiredWhole(u"row"_s), 0);
    QCOMPARE(other.fault()->what, u"$.row: must be from -2147483648 to 2147483647, found 3000000000"_s);
    auto third = readerOf("{}");
    QCOMPARE(third.requiredWhole(u"row"_s), 0);
    QCOMPARE(third.fault()->what, u"$.row: expected a whole number, found nothing"_s);
}

void JsonReaderTest::times()
{
    auto json
        = readerOf(R"({"whole":"2026-09-21T14:13:20Z","ms":"2026-09-21T14:13:20.250Z","none":null,"odd":"soon"})");
    QCOMPARE(json.time(u"whole"_s)->toMSecsSinceEpoch(), 1'790'000'000'000);
    QCOMPARE(json.time(u"ms"_s)->toMSecsSinceEpoch(), 1'790'000'000'250);
    QVERIFY(!json.time(u"none"_s) && !json.time(u"missing"_s));
    QVERIFY(!json.fault());
    QVERIFY(!json.time(u"odd"_s));
    QCOMPARE(json.fault()->what, u"$.odd: expected a time such as 2026-11-21T20:15:00Z, found the text “soon”"_s);
}

void JsonReaderTest::firstFaultStays()
{
    auto json = readerOf(R"({"a":1,"b":"x","l":["x",1]})");
    json.text(u"a"_s);
    json.number(u"b"_s);
    json.texts(u"l"_s);
    QCOMPARE(json.fault()->detail, u"$.a"_s);
}

void JsonReaderTest::nested()
{
    auto json = readerOf(R"({"parts":[{"n":1},{"n":"x","odd key":2}],"one":{"deep":{"k":true}}})");
    QList<JsonReader> parts = json.objects(u"parts"_s);
    for (JsonReader& part : parts) {
        part.integer(u"n"_s, 0, 9);
        json.absorb(part);
    }
    QCOMPARE(json.fault()->detail, u"$.parts[1].n"_s);
    auto one = *json.object(u"one"_s);
    auto deep = *one.object(u"deep"_s);
    QCOMPARE(deep.path(), u"$.one.deep"_s);
    one.absorb(deep);
    json.absorb(one);
    QCOMPARE(json.unknownMembers(), QStringList({u"$.parts[1][\"odd key\"]"_s, u"$.one.deep.k"_s}));
}

void JsonReaderTest::unknownMembers()
{
    auto json = readerOf(R"({"a":1,"b":2,"note":"x"})");
    json.number(u"a"_s);
    json.ignore(u"note"_s);
    QCOMPARE(json.unknownMembers(), QStringList{u"$.b"_s});
}

void JsonReaderTest::documents_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text"); // empty: readable
    QTest::newRow("object") << QByteArray("{}") << QString();
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf{}") << QString();
    QTest::newRow("list") << QByteArray("[]") << u"f.json: the file must hold one JSON object"_s;
    QTest::newRow("empty") << QByteArray() << u"f.json, line 1, column 1: this is not JSON"_s;
    QTest::newRow("missing comma") << QByteArray("{\n \"a\": 1\n \"b\": 2}")
                                   << u"f.json, line 3, column 2: this is not JSON"_s;
    QTest::newRow("deep") << QByteArray(100000, '[') << u"f.json, line 1, column 1025: this is not JSON"_s;
}

void JsonReaderTest::documents()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    const auto object = parseJsonObject(bytes, u"f.json"_s);
    QCOMPARE(object.hasValue(), text.isEmpty());
    if (!object)
        QCOMPARE(object.error().what, text);
}

RANKWRIGHT_TEST_MAIN(JsonReaderTest)
#include "tst_jsonreader.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classprogress.h"
#include "tests/support/testbase.h"

#include <QSet>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QDateTime noon = QDateTime::fromString(u"2026-12-01T12:00:00Z"_s, Qt::ISODate);

ProgressLine line(const QString& who, const QString& exercise, int minute, const QString& stuckOn = {}, int seen = 0)
{
    ProgressLine made{
        who, exercise, {CheckState::NotYet, CheckState::NotYet}, stuckOn, noon.addSecs(minute * 60 - 7200)};
    for (int i = 0; i < seen; ++i)
        made.checks[i] = CheckState::Seen;
    return made;
}

} // namespace

class ClassProgressTest final : public test::Suite {
    Q_OBJECT
private slots:
    void roundTrip();
    void hostileLines_data();
    void hostileLines();
    void bounds();
    void namesAreGivenOrNotKnown();
    void table();
};

void ClassProgressTest::roundTrip()
{
    const ProgressLine written = line(u"ada"_s, u"two-nodes"_s, 3, u"node-gpus"_s, 1);
    const QByteArray bytes = progressLine(written);
    QCOMPARE(bytes.count('\n'), 1);
    QVERIFY(bytes.size() <= 1000);
    const ReadProgress read = readProgress(u"ada"_s, bytes + bytes, noon);
    QCOMPARE(read.skipped, 0);
    QCOMPARE(read.lines.size(), 2);
    QVERIFY(read.lines.first() == written);
}

void ClassProgressTest::hostileLines_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("no JSON") << QByteArray("hello");
    QTest::newRow("array") << QByteArray("[1]");
    QTest::newRow("deep") << QByteArray(900, '[');
    QTest::newRow("long") << QByteArray(2000, 'x');
    QTest::newRow("zeros") << QByteArray(40, '\0');
    QTest::newRow("escape") << QByteArray(R"({"exercise":"a\u001b[2J","checks":[],"at":"2026-12-01T11:00:00Z"})");
    QTest::newRow("direction") << QByteArray(R"({"exercise":"a","stuckOn":"\u202ex","at":"2026-12-01T11:00:00Z"})");
    QTest::newRow("markup") << QByteArray(R"({"exercise":"<b>a</b>","at":"2026-12-01T11:00:00Z"})");
    QTest::newRow("no exercise") << QByteArray(R"({"at":"2026-12-01T11:00:00Z"})");
    QTest::newRow("no time") << QByteArray(R"({"exercise":"a"})");
    QTest::newRow("time to come") << QByteArray(R"({"exercise":"a","at":"2027-12-01T11:00:00Z"})");
    QTest::newRow("time long ago") << QByteArray(R"({"exercise":"a","at":"0001-12-01T11:00:00Z"})");
    QTest::newRow("unknown state") << QByteArray(R"({"exercise":"a","checks":["won"],"at":"2026-12-01T11:00:00Z"})");
    QTest::newRow("name with a direction")
        << QByteArray(R"({"exercise":"a","name":"A\u202eb","at":"2026-12-01T11:00:00Z"})");
    QTest::newRow("long name") << QByteArray(R"({"exercise":"a","name":")") + QByteArray(41, 'a')
            + QByteArray(R"(","at":"2026-12-01T11:00:00Z"})");
    QTest::newRow("state of another kind")
        << QByteArray(R"({"exercise":"a","checks":[1],"at":"2026-12-01T11:00:00Z"})");
    QByteArray many = R"({"exercise":"a","checks":[)";
    for (int i = 0; i < 30; ++i)
        many += i > 0 ? ",\"seen\"" : "\"seen\"";
    QTest::newRow("many checks") << many + R"(],"at":"2026-12-01T11:00:00Z"})";
}

void ClassProgressTest::hostileLines()
{
    QFETCH(QByteArray, bytes);
    const QByteArray good = progressLine(line(u"eve"_s, u"one"_s, 1));
    const ReadProgress read = readProgress(u"bob"_s, bytes + '\n' + good, noon);
    QCOMPARE(read.skipped, 1);
    QCOMPARE(read.lines.size(), 1);
    QCOMPARE(read.lines.first().attendee, u"bob"_s); // whoever the line says it is of
}

void ClassProgressTest::bounds()
{
    QVERIFY(readProgress(u"ada"_s, QByteArray(20000, '\n') + QByteArray("x\n").repeated(20000), noon).skipped <= 5000);
    QVERIFY(readProgress(u"../ada"_s, progressLine(line(u"ada"_s, u"one"_s, 1)), noon).lines.isEmpty());
    for (const QString& no : {QString(), u".ssh"_s, u"a/b"_s, u"a\n"_s, u"Ada"_s, QString(21, u'a')})
        QVERIFY(!isAlias(no));
}

void ClassProgressTest::namesAreGivenOrNotKnown()
{
    ProgressLine written = line(u"k7m2p4xq"_s, u"one"_s, 1);
    QVERIFY(!progressLine(written).contains("k7m2p4xq")); // nor a name: the file's own says whose it is
    written.name = u"Ada L."_s;
    const ReadProgress read = readProgress(u"k7m2p4xq"_s, progressLine(written), noon);
    QCOMPARE(read.lines, QList{written});
    QCOMPARE(progressTable(read.lines).first().name, u"Ada L."_s);
    QSet<QString> aliases;
    for (int i = 0; i < 1000; ++i) {
        aliases.insert(newAlias());
        QVERIFY(isAlias(*aliases.cbegin()));
    }
    QCOMPARE(aliases.size(), 1000);
    // Two who give the same name are two.
    ProgressLine other = line(u"zz"_s, u"one"_s, 2);
    other.name = written.name;
    QCOMPARE(progressTable({written, other}).size(), 2);
}

void ClassProgressTest::table()
{
    const QList<ProgressRow> rows = progressTable({line(u"zoe"_s, u"one"_s, 1, {}, 2),
        line(u"zoe"_s, u"two"_s, 5, {}, 1), line(u"ada"_s, u"one"_s, 2, u"oom_gpu"_s),
        line(u"ada"_s, u"one"_s, 9, u"oom_gpu"_s), line(u"bob"_s, u"two"_s, 1, u"node-gpus"_s),
        line(u"bob"_s, u"two"_s, 4, u"oom_gpu"_s), line(u"bob"_s, u"two"_s, 3), line(u"cem"_s, u"one"_s, 8)});
    QStringList names;
    for (const ProgressRow& row : rows)
        names.append(row.attendee);
    QCOMPARE(names, QStringList({u"ada"_s, u"bob"_s, u"cem"_s, u"zoe"_s}));
    QCOMPARE(rows.at(0).stuckSince, noon.addSecs(2 * 60 - 7200));
    QCOMPARE(rows.at(1).stuckSince, noon.addSecs(4 * 60 - 7200)); // lines may come in any order
    QCOMPARE(rows.at(3).done, 1);
    QCOMPARE(rows.at(3).exercise, u"two"_s);
    QCOMPARE(rows.at(3).seen, 1);
    QVERIFY(!rows.at(3).stuckSince.isValid());
}

RANKWRIGHT_TEST_MAIN(ClassProgressTest)
#include "tst_classprogress.moc"

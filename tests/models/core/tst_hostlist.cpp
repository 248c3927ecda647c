// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/hostlist.h"
#include "models/core/nodelist.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Expansions as `scontrol show hostnames` prints them.
class HostlistTest : public test::Suite {
    Q_OBJECT
private slots:
    void expand_data();
    void expand();
    void refused_data();
    void refused();
    void limit();
    void ceilings();
    void listsStayFolded();
    void fold_data();
    void fold();
    void truncatedNeverCrashes();
};

void HostlistTest::expand_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("hosts");
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("one") << u"uan01"_s << u"uan01"_s;
    QTest::newRow("header example") << u"nid[001-003,7],login1"_s << u"nid001 nid002 nid003 nid7 login1"_s;
    QTest::newRow("LUMI") << u"nid[005001-005003]"_s << u"nid005001 nid005002 nid005003"_s;
    QTest::newRow("width grows") << u"n[098-101]"_s << u"n098 n099 n100 n101"_s;
    QTest::newRow("no padding") << u"n[8-11]"_s << u"n8 n9 n10 n11"_s;
    QTest::newRow("two brackets") << u"r[1-2]n[01-02]"_s << u"r1n01 r1n02 r2n01 r2n02"_s;
    QTest::newRow("text after the bracket") << u"rack[0-1]-ib"_s << u"rack0-ib rack1-ib"_s;
    QTest::newRow("several") << u"a1,b[2,4],c"_s << u"a1 b2 b4 c"_s;
}

void HostlistTest::expand()
{
    QFETCH(QString, text);
    const auto result = expandHostlist(text);
    QVERIFY_RESULT(result);
    QTEST(result->join(u' '), "hosts");
}

void HostlistTest::refused_data()
{
    QTest::addColumn<QString>("text");
    const QStringList texts{u"n[1-3"_s, u"n1-3]"_s, u"n[3-1]"_s, u"n[]"_s, u"n[a-b]"_s, u"n[1-]"_s, u"n[-1]"_s,
        u"a,,b"_s, u"n[[1]]"_s, u"n[1,]"_s, u"n[1-2-3]"_s, u"n[99999999999999999999]"_s, u","_s};
    for (const QString& text : texts)
        QTest::newRow(qPrintable(text)) << text;
}

void HostlistTest::refused()
{
    QFETCH(QString, text);
    const auto result = expandHostlist(text);
    QVERIFY(!result.hasValue());
    QVERIFY(!result.error().what.isEmpty());
}

void HostlistTest::limit()
{
    QVERIFY(expandHostlist(u"n[1-10]"_s, 10).hasValue());
    QVERIFY(!expandHostlist(u"n[1-11]"_s, 10).hasValue());
    QVERIFY(!expandHostlist(u"n[1-5],m[1-6]"_s, 10).hasValue());
    QVERIFY(!expandHostlist(u"r[1-4]n[1-4]"_s, 10).hasValue());
    QVERIFY(!expandHostlist(u"n[0-999999999999999999]"_s).hasValue());
    QVERIFY(!expandHostlist(u"a[1-999]b[1-999]c[1-999]d[1-999]e[1-999]f[1-999]g[1-999]h[1-999]"_s).hasValue());
}

/// A reply of a hostile cluster: few bytes that would become gigabytes.
void HostlistTest::ceilings()
{
    const QString longPrefix(10 * 1024, u'x');
    QVERIFY(!expandHostlist(longPrefix + u"[0-60000]"_s).hasValue());
    QVERIFY(!expandHostlist(QString(100 * 1024, u'x') + u"[0-60000]"_s).hasValue());
    QVERIFY(!expandHostlist(longPrefix).hasValue()); // no host is called so
    QVERIFY(!expandHostlist(QString(200, u'x') + u"[0-60000]"_s).hasValue()); // 12 million characters
    QVERIFY(expandHostlist(QString(200, u'x') + u"[0-600]"_s).hasValue());
    QVERIFY(!expandHostlist(u"n,"_s.repeated(200'000) + u'n').hasValue());
    QVERIFY(!expandHostlist(u"n[1,"_s + u"1,"_s.repeated(5'000'000) + u"1]"_s).hasValue());
    for (const QString& text : {u"n[1-10]"_s, u"a1,b[2,4],c"_s, u"r[1-2]n[01-02]"_s, QString()})
        QCOMPARE(*countHostlist(text), int(expandHostlist(text)->size()));
    QVERIFY(!countHostlist(u"n[1-3"_s).hasValue());
}

/// 1,000 jobs of 65,536 nodes are as large as what Slurm wrote.
void HostlistTest::listsStayFolded()
{
    QList<NodeList> jobs;
    for (int i = 0; i < 1000; ++i)
        jobs.append(NodeList::fromSlurm(u"nid[000001-065536]"_s));
    qsizetype held = 0;
    for (const NodeList& nodes : std::as_const(jobs)) {
        QCOMPARE(nodes.size(), 65536);
        held += nodes.folded().size();
    }
    QCOMPARE(held, 1000 * qsizetype(u"nid[000001-065536]"_s.size()));
    QCOMPARE(jobs.first().names().last(), u"nid065536"_s);
    QVERIFY(NodeList::fromSlurm(u"n[1-"_s).isEmpty());
    const QStringList mixed{u"b1"_s, u"a1"_s, u"b2"_s};
    QCOMPARE(NodeList(mixed).names(), mixed); // in their order
    QCOMPARE(NodeList(QStringList{u"n1"_s, u"n2"_s}).folded(), u"n[1-2]"_s);
    QVERIFY(NodeList(QStringList{u"n1"_s, u"n2"_s}) == NodeList::fromSlurm(u"n1,n2"_s));
    QVERIFY(NodeList(QStringList{u"a,b"_s}).isEmpty());
}

void HostlistTest::fold_data()
{
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << QString() << QString();
    QTest::newRow("one") << u"nid005001"_s << u"nid005001"_s;
    QTest::newRow("run") << u"nid005001 nid005002 nid005003"_s << u"nid[005001-005003]"_s;
    QTest::newRow("gap") << u"n1 n2 n4"_s << u"n[1-2,4]"_s;
    QTest::newRow("prefix order") << u"b2 a1 b3"_s << u"b[2-3],a1"_s;
    QTest::newRow("widths are kept apart") << u"n9 n10 n011"_s << u"n[9-10,011]"_s;
    QTest::newRow("not a number") << u"login login"_s << u"login,login"_s;
}

void HostlistTest::fold()
{
    QFETCH(QString, hosts);
    const QStringList list = hosts.split(u' ', Qt::SkipEmptyParts);
    const QString folded = foldHostlist(list);
    QTEST(folded, "text");
    QStringList back = *expandHostlist(folded);
    QStringList sorted = list;
    back.sort();
    sorted.sort();
    QCOMPARE(back, sorted);
}

void HostlistTest::truncatedNeverCrashes()
{
    const QString whole = u"r[1-2]n[01-02],nid[005001-005003,7],login1"_s;
    for (qsizetype length = 0; length < whole.size(); ++length)
        expandHostlist(whole.left(length));
}

RANKWRIGHT_TEST_MAIN(HostlistTest)
#include "tst_hostlist.moc"

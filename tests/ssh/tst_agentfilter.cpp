// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/agentfilter.h"

#include "tests/support/testbase.h"

using namespace rankwright;

class AgentFilterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void filters_data();
    void filters();
    void everyCutIsRefused();
    void noAgent();
};

namespace {

// draft-miller-ssh-agent, section 4.4: byte 12, number of keys, then blob and comment of each.
const QByteArray threeKeys("\x0c\0\0\0\3"
                           "\0\0\0\2k1\0\0\0\1a"
                           "\0\0\0\2k2\0\0\0\0"
                           "\0\0\0\2k3\0\0\0\3ccc",
    5 + 11 + 10 + 13);

} // namespace

void AgentFilterTest::filters_data()
{
    QTest::addColumn<QList<QByteArray>>("allowed");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QByteArray>("kept");
    QTest::newRow("one") << QList<QByteArray>{"k2"} << threeKeys << QByteArray("\x0c\0\0\0\1\0\0\0\2k2\0\0\0\0", 15);
    QTest::newRow("two, in the agent's order") << QList<QByteArray>{
        "k3", "k1"} << threeKeys << QByteArray("\x0c\0\0\0\2\0\0\0\2k1\0\0\0\1a\0\0\0\2k3\0\0\0\3ccc", 5 + 11 + 13);
    QTest::newRow("none") << QList<QByteArray>{""} << threeKeys << QByteArray("\x0c\0\0\0\0", 5);
    QTest::newRow("a signature passes") << QList<QByteArray>{} << QByteArray("\x0e\0\0\0\1s", 6)
                                        << QByteArray("\x0e\0\0\0\1s", 6);
    QTest::newRow("a failure passes") << QList<QByteArray>{} << QByteArray("\x05", 1) << QByteArray("\x05", 1);
}

void AgentFilterTest::filters()
{
    QFETCH(QList<QByteArray>, allowed);
    QFETCH(QByteArray, answer);
    QFETCH(QByteArray, kept);
    const std::optional<QByteArray> filtered = AgentFilter::filtered(answer, allowed);
    QVERIFY(filtered.has_value());
    QCOMPARE(*filtered, kept);
}

void AgentFilterTest::everyCutIsRefused()
{
    for (qsizetype length = 1; length < threeKeys.size(); ++length)
        QVERIFY(!AgentFilter::filtered(threeKeys.left(length), {"k1"}));
    QByteArray lying = threeKeys;
    lying[1] = char(0xff); // four thousand million keys
    QVERIFY(!AgentFilter::filtered(lying, {"k1"}));
    lying = threeKeys;
    lying[5] = char(0xff); // a blob longer than everything
    QVERIFY(!AgentFilter::filtered(lying, {"k1"}));
}

void AgentFilterTest::noAgent()
{
    QVERIFY(!AgentFilter::open(QStringLiteral("/no/such/socket"), {}));
    QVERIFY(!AgentFilter::open(QString(), {}));
    QVERIFY(!AgentFilter::open(QString(300, QLatin1Char('x')), {}));
}

RANKWRIGHT_TEST_MAIN(AgentFilterTest)
#include "tst_agentfilter.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/reconnectpolicy.h"
#include "app/base/retrypolicy.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class RetryPolicyTest final : public test::Suite {
    Q_OBJECT
private slots:
    void doublesToAMinute();
    void neverOverflows();

    /// How many logins a server draws that ends every connection `standsMs` after its login, within `forMs`.
    static QList<qint64> drawn(qint64 standsMs, qint64 forMs, double chance)
    {
        ReconnectPolicy policy;
        QList<qint64> logins;
        for (qint64 now = 0; now < forMs;) {
            policy.noteLogin(now);
            logins.append(now);
            policy.noteLoss(now + standsMs);
            const auto wait = policy.nextDelayMs(now + standsMs, chance);
            if (!wait)
                break;
            now += standsMs + *wait;
        }
        return logins;
    }

    void aServerThatDropsAfterLoginDrawsFewLogins_data();
    void aServerThatDropsAfterLoginDrawsFewLogins();
    void aLinkThatStoodIsOpenedAgainAtOnce();

    /// A cluster that goes down after an hour: each failed try began the waits again, 3,429 tries in the next hour.
    void triesOfAClusterThatIsDownBecomeRare();
    void manyDoNotComeBackAtOnce();
    void refusalsAreForAPerson_data();
    void refusalsAreForAPerson();
};

void RetryPolicyTest::doublesToAMinute()
{
    RetryPolicy policy;
    QList<int> delays;
    for (int i = 0; i < 9; ++i)
        delays.append(policy.nextDelayMs());
    QCOMPARE(delays, QList<int>({1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000}));
    policy.reset();
    QCOMPARE(policy.nextDelayMs(), 1000);
}

void RetryPolicyTest::neverOverflows()
{
    RetryPolicy policy(5000, 60000);
    for (int i = 0; i < 1000; ++i)
        QVERIFY(policy.nextDelayMs() <= 60000);
    QCOMPARE(policy.failures(), 1000);
}

void RetryPolicyTest::aServerThatDropsAfterLoginDrawsFewLogins_data()
{
    QTest::addColumn<qint64>("standsMs");
    for (const qint64 stands : {0, 100, 1000, 60'000, 200'000, 599'000})
        QTest::newRow(qPrintable(QString::number(stands))) << stands;
}

void RetryPolicyTest::aServerThatDropsAfterLoginDrawsFewLogins()
{
    QFETCH(qint64, standsMs);
    for (const double chance : {0.0, 0.5, 1.0}) {
        const QList<qint64> logins = drawn(standsMs, 3 * ReconnectPolicy::dayMs, chance);
        for (const qint64 begin : logins) {
            const auto within = [&](qint64 span) {
                return std::count_if(
                    logins.cbegin(), logins.cend(), [&](qint64 at) { return at >= begin && at - begin < span; });
            };
            QVERIFY2(within(ReconnectPolicy::windowMs) <= 4, qPrintable(QString::number(begin)));
            QVERIFY(within(ReconnectPolicy::dayMs) <= ReconnectPolicy::mostADay);
        }
        QVERIFY(logins.size() >= 4); // a first cut is mended soon
    }
}

void RetryPolicyTest::aLinkThatStoodIsOpenedAgainAtOnce()
{
    ReconnectPolicy policy;
    policy.noteLogin(0);
    QCOMPARE(policy.nextDelayMs(1000, 0), std::optional<qint64>(1000));
    QCOMPARE(policy.nextDelayMs(2000, 0), std::optional<qint64>(2000)); // did not get that far: no login
    policy.noteLogin(4000);
    QCOMPARE(policy.nextDelayMs(5000, 0), std::optional<qint64>(4000)); // short-lived: goes on doubling
    policy.noteLogin(9000);
    const qint64 later = 9000 + ReconnectPolicy::stableMs;
    policy.noteLoss(later);
    QCOMPARE(policy.nextDelayMs(later, 0), std::optional<qint64>(1000));
}

void RetryPolicyTest::triesOfAClusterThatIsDownBecomeRare()
{
    ReconnectPolicy policy;
    policy.noteLogin(0);
    qint64 now = 60 * 60 * 1000;
    policy.noteLoss(now);
    QList<qint64> waits;
    for (const qint64 end = now + 60 * 60 * 1000; now < end;) {
        const auto wait = policy.nextDelayMs(now, 0);
        QVERIFY(wait);
        waits.append(*wait);
        now += *wait + 50;
    }
    QCOMPARE(waits.mid(0, 2), QList<qint64>({1000, 2000}));
    QCOMPARE(waits.at(9), qint64(60000));
    QVERIFY2(waits.size() < 70, qPrintable(QString::number(waits.size())));
}

void RetryPolicyTest::manyDoNotComeBackAtOnce()
{
    ReconnectPolicy policy(RetryPolicy(8000, 60000));
    QCOMPARE(policy.nextDelayMs(0, 0.0), std::optional<qint64>(8000));
    policy.begin();
    QCOMPARE(policy.nextDelayMs(0, 1.0), std::optional<qint64>(10000));
}

void RetryPolicyTest::refusalsAreForAPerson_data()
{
    QTest::addColumn<Fault>("fault");
    QTest::addColumn<bool>("again");
    QTest::newRow("link lost") << Fault::Offline << true;
    QTest::newRow("no answer") << Fault::TimedOut << true;
    QTest::newRow("socket") << Fault::Io << true;
    QTest::newRow("turned away, after a while") << Fault::TurnedAway << true;
    QTest::newRow("login") << Fault::LoginRefused << false;
    QTest::newRow("host key") << Fault::HostKeyRefused << false;
    QTest::newRow("closed by the user") << Fault::Cancelled << false;
    QTest::newRow("wrong settings") << Fault::Invalid << false;
}

void RetryPolicyTest::refusalsAreForAPerson()
{
    QFETCH(Fault, fault);
    QFETCH(bool, again);
    QCOMPARE(worthRetrying({fault, u"x"_s, {}, {}}), again);
}

RANKWRIGHT_TEST_MAIN(RetryPolicyTest)
#include "tst_retrypolicy.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/retrypolicy.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class RetryPolicyTest final : public test::Suite {
    Q_OBJECT
private slots:
    void doublesToAMinute()
    {
        RetryPolicy policy;
        QList<int> delays;
        for (int i = 0; i < 9; ++i)
            delays.append(policy.nextDelayMs());
        QCOMPARE(delays, QList<int>({1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000}));
        policy.reset();
        QCOMPARE(policy.nextDelayMs(), 1000);
    }

    void neverOverflows()
    {
        RetryPolicy policy(5000, 60000);
        for (int i = 0; i < 1000; ++i)
            QVERIFY(policy.nextDelayMs() <= 60000);
        QCOMPARE(policy.failures(), 1000);
    }

    void refusalsAreForAPerson_data()
    {
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<bool>("again");
        QTest::newRow("link lost") << Fault::Offline << true;
        QTest::newRow("no answer") << Fault::TimedOut << true;
        QTest::newRow("socket") << Fault::Io << true;
        QTest::newRow("login") << Fault::LoginRefused << false;
        QTest::newRow("host key") << Fault::HostKeyRefused << false;
        QTest::newRow("closed by the user") << Fault::Cancelled << false;
        QTest::newRow("wrong settings") << Fault::Invalid << false;
    }

    void refusalsAreForAPerson()
    {
        QFETCH(Fault, fault);
        QFETCH(bool, again);
        QCOMPARE(worthRetrying({fault, u"x"_s, {}, {}}), again);
    }
};

RANKWRIGHT_TEST_MAIN(RetryPolicyTest)
#include "tst_retrypolicy.moc"

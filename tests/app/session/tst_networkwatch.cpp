// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/networkwatch.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Sleep and other networks, as far as they can be seen without either.
class NetworkWatchTest final : public test::Suite {
    Q_OBJECT
private slots:
    void standstills_data();
    void standstills();
    void addressesAreNoLoopback();
    void quietWhileNothingHappens();
    void theKernelSpeaksHere();
};

void NetworkWatchTest::standstills_data()
{
    QTest::addColumn<qint64>("wall");
    QTest::addColumn<qint64>("steady");
    QTest::addColumn<bool>("stood");
    QTest::newRow("nothing happened") << qint64(5000) << qint64(5000) << false;
    QTest::newRow("a busy machine") << qint64(12000) << qint64(12000) << false;
    QTest::newRow("slept, steady clock too") << qint64(3600'000) << qint64(5000) << true;
    QTest::newRow("slept, steady clock went on") << qint64(3600'000) << qint64(3600'000) << true;
    QTest::newRow("stopped by the shell") << qint64(60'000) << qint64(60'000) << true;
    QTest::newRow("clock set back by an hour") << qint64(-3595'000) << qint64(5000) << false;
}

void NetworkWatchTest::standstills()
{
    QFETCH(qint64, wall);
    QFETCH(qint64, steady);
    QFETCH(bool, stood);
    QCOMPARE(NetworkWatch::standstillMs(wall, steady, 5000) > 0, stood);
}

void NetworkWatchTest::addressesAreNoLoopback()
{
    const QStringList addresses = hostAddresses();
    for (const QString& address : addresses) {
        QVERIFY2(!address.contains(u" 127."_s) && !address.endsWith(u" ::1"_s), qPrintable(address));
        QVERIFY2(!address.contains(u"fe80:"_s) && !address.contains(u" 169.254."_s), qPrintable(address));
    }
}

void NetworkWatchTest::quietWhileNothingHappens()
{
    NetworkWatch watch;
    QSignalSpy changed(&watch, &NetworkWatch::changed);
    QSignalSpy woke(&watch, &NetworkWatch::machineWoke);
    test::quietFor(300);
    QCOMPARE(watch.hasNetwork(), !hostAddresses().isEmpty());
    QCOMPARE(changed.size(), 0);
    QCOMPARE(woke.size(), 0);
}

void NetworkWatchTest::theKernelSpeaksHere()
{
#ifdef __linux__
    const Descriptor socket = addressChangeSocket();
    QVERIFY(socket.isValid());
    drainAddressChanges(socket.get()); // does not wait
#else
    QVERIFY(!addressChangeSocket().isValid());
#endif
}

RANKWRIGHT_TEST_MAIN(NetworkWatchTest)
#include "tst_networkwatch.moc"

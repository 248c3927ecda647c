// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/portlistener.h"
#include "tests/app/forward/support/tcppeers.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

#include <netinet/in.h>
#include <sys/socket.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// The port on this computer: on 127.0.0.1 alone, the wanted one or the next.
class PortListenerTest final : public Suite {
    Q_OBJECT
private slots:
    void nextFree();
    void loopbackAlone();
    void reservedPorts();
    void closedIsClosed();
};

void PortListenerTest::nextFree()
{
    const TcpService other(TcpService::Kind::Greet);
    PortListener listener;
    const auto port = listener.listen(other.port());
    QVERIFY_RESULT(port);
    QVERIFY2(*port > other.port() && *port <= other.port() + 64, qPrintable(QString::number(*port)));
    PortListener second;
    const auto next = second.listen(*port);
    QVERIFY_RESULT(next);
    QVERIFY(*next != *port);
}

void PortListenerTest::loopbackAlone()
{
    PortListener listener;
    const auto port = listener.listen(0);
    QVERIFY_RESULT(port);
    QSignalSpy waiting(&listener, &PortListener::connectionWaiting);
    const Descriptor mine = connectHere(*port);
    QVERIFY(mine.isValid());
    QTRY_VERIFY(!waiting.isEmpty());
    const Descriptor taken = listener.accept();
    QVERIFY(taken.isValid());
    QVERIFY(!listener.accept().isValid());
    // Another address of this very computer does not lead there.
    const Descriptor other(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(*port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1); // 127.0.0.2
    QVERIFY(::connect(other.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0);
}

void PortListenerTest::reservedPorts()
{
    PortListener listener;
    const auto port = listener.listen(80);
    QVERIFY_RESULT(port);
    QVERIFY(*port >= 8080);
}

void PortListenerTest::closedIsClosed()
{
    PortListener listener;
    const auto port = listener.listen(0);
    QVERIFY_RESULT(port);
    listener.close();
    QCOMPARE(listener.port(), 0);
    QVERIFY(!connectHere(*port).isValid());
}

RANKWRIGHT_TEST_MAIN(PortListenerTest)
#include "tst_portlistener.moc"

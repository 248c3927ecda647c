// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/mux/muxmessages.h"
#include "tests/support/testbase.h"

using namespace rankwright;

/// The packets of OpenSSH's multiplexing, as its PROTOCOL.mux and mux.c have them.
class MuxMessagesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void bytesOfASession();
    void requestsComeBack_data();
    void requestsComeBack();
    void repliesComeBack_data();
    void repliesComeBack();
    void cutShort();
};

namespace {

QByteArray body(const QByteArray& packet) { return packet.mid(4); }

} // namespace

void MuxMessagesTest::bytesOfASession()
{
    MuxSession session;
    session.id = 7;
    session.terminal = true;
    session.terminalType = "vt100";
    session.command = "id";
    const QByteArray expected = QByteArray::fromHex("0000002f"
                                                    "10000002" // MUX_C_NEW_SESSION
                                                    "00000007" // request id
                                                    "00000000" // reserved
                                                    "00000001" // terminal
                                                    "00000000" // X11
                                                    "00000000" // agent
                                                    "00000000" // subsystem
                                                    "ffffffff" // no escape character
                                                    "00000005"
                                                    "7674313030" // vt100
                                                    "00000002"
                                                    "6964"); // id
    QByteArray packet = muxPacket(MuxRequest(session));
    QCOMPARE(packet.left(4).toHex(), QByteArray::number(packet.size() - 4, 16).rightJustified(8, '0'));
    QCOMPARE(body(packet).toHex(), body(expected).toHex());
    QCOMPARE(muxPacket(MuxRequest(MuxHello{})).toHex(), QByteArray("000000080000000100000004"));
    QCOMPARE(muxPacket(MuxRequest(MuxPlain{MuxType::AliveCheck, 3})).toHex(), QByteArray("000000081000000400000003"));
}

void MuxMessagesTest::requestsComeBack_data()
{
    QTest::addColumn<MuxRequest>("request");
    QTest::newRow("hello") << MuxRequest(MuxHello{4});
    QTest::newRow("other version") << MuxRequest(MuxHello{5});
    QTest::newRow("session") << MuxRequest(
        MuxSession{1, false, true, false, true, '~', "xterm", QByteArray("printf '\xff\n'"), {"LANG=C", "LC_ALL="}});
    QTest::newRow("login shell") << MuxRequest(MuxSession{2, true, false, true, false, muxNoEscape, "", "", {}});
    QTest::newRow("standard streams") << MuxRequest(MuxStdioForward{3, "::1", 22});
    QTest::newRow("forward") << MuxRequest(MuxForward{4, false, MuxForward::Dynamic, "127.0.0.1", 1080, "", 0});
    QTest::newRow("forward ends") << MuxRequest(
        MuxForward{5, true, MuxForward::Remote, "", 8080, "/x", muxLocalSocket});
    QTest::newRow("terminate") << MuxRequest(MuxPlain{MuxType::Terminate, 6});
    QTest::newRow("unknown") << MuxRequest(MuxPlain{static_cast<MuxType>(0x1000ffff), 7});
}

void MuxMessagesTest::requestsComeBack()
{
    QFETCH(MuxRequest, request);
    const auto back = readMuxRequest(body(muxPacket(request)));
    QVERIFY(back);
    QVERIFY(*back == request);
}

void MuxMessagesTest::repliesComeBack_data()
{
    QTest::addColumn<MuxReply>("reply");
    QTest::newRow("ok") << MuxReply{MuxType::Ok, 1, 0, {}};
    QTest::newRow("denied") << MuxReply{MuxType::PermissionDenied, 2, 0, "Permission denied"};
    QTest::newRow("failure") << MuxReply{MuxType::Failure, 3, 0, ""};
    QTest::newRow("exit") << MuxReply{MuxType::ExitMessage, 4, 255, {}};
    QTest::newRow("alive") << MuxReply{MuxType::Alive, 5, 4194304, {}};
    QTest::newRow("opened") << MuxReply{MuxType::SessionOpened, 6, 2, {}};
    QTest::newRow("no terminal") << MuxReply{MuxType::TerminalFailed, 7, 0, {}};
}

void MuxMessagesTest::repliesComeBack()
{
    QFETCH(MuxReply, reply);
    const auto back = readMuxReply(body(muxPacket(reply)));
    QVERIFY(back);
    QVERIFY(*back == reply);
}

/// Every length of a session's body but those between two environment strings is refused, and none is read beyond.
void MuxMessagesTest::cutShort()
{
    const QByteArray whole = body(
        muxPacket(MuxRequest(MuxSession{1, false, false, false, false, muxNoEscape, "vt100", "id", {"A=b", "C=d"}})));
    int good = 0;
    for (qsizetype length = 0; length < whole.size(); ++length)
        good += readMuxRequest(whole.left(length)) ? 1 : 0;
    QCOMPARE(good, 2);
    // A text that says to be longer than the packet.
    QVERIFY(!readMuxRequest(QByteArray::fromHex("1000000200000001ffffffff")));
    QVERIFY(!readMuxReply(QByteArray::fromHex("8000000300000001fffffff0")));
    QVERIFY(!readMuxReply({}));
}

Q_DECLARE_METATYPE(rankwright::MuxRequest)
Q_DECLARE_METATYPE(rankwright::MuxReply)

RANKWRIGHT_TEST_MAIN(MuxMessagesTest)
#include "tst_muxmessages.moc"

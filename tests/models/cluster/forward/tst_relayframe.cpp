// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/relayframe.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What goes between us and the relay on a node, in pieces of any size.
class RelayFrameTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void piecesOfAnySize_data();
    void piecesOfAnySize();
    void noiseBeforeTheGreeting();
    void noPython();
    void whatIsNoRelayIsAnError();
    void noiseIsBounded();
    void grants();
};

void RelayFrameTest::piecesOfAnySize_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {1, 2, 3, 7, 64, 100000})
        QTest::newRow(qPrintable(QString::number(size))) << size;
}

void RelayFrameTest::piecesOfAnySize()
{
    QFETCH(int, size);
    const QList<RelayFrame> sent{{RelayFrame::Opened, 1, {}}, {RelayFrame::Data, 1, QByteArray("a\nb\0c", 5)},
        {RelayFrame::NotOpened, 70000, "refused"}, {RelayFrame::Data, 4294967295U, QByteArray(65536, '\n')},
        {RelayFrame::End, 1, {}}, {RelayFrame::Close, 1, {}}};
    QByteArray bytes = "\nRANKWRIGHT-RELAY 1\n";
    for (const RelayFrame& frame : sent)
        bytes += relayBytes(frame) + '\n';
    RelayReader reader;
    QList<RelayFrame> read;
    for (qsizetype at = 0; at < bytes.size(); at += size) {
        const auto frames = reader.feed(bytes.mid(at, size));
        QVERIFY_RESULT(frames);
        read += *frames;
    }
    QCOMPARE(reader.greeting(), RelayReader::Greeting::Relay);
    QCOMPARE(read.size(), sent.size());
    QVERIFY(read == sent);
}

void RelayFrameTest::noiseBeforeTheGreeting()
{
    RelayReader reader;
    QVERIFY_RESULT(reader.feed("Welcome to the node!\nquota: RANKWRIGHT-RELAY\n"));
    QCOMPARE(reader.greeting(), RelayReader::Greeting::None);
    QVERIFY(reader.noise().contains("Welcome"));
    const auto frames = reader.feed("\nRANKWRIGHT-RELAY 1\n" + relayBytes({RelayFrame::Opened, 3, {}}) + '\n');
    QVERIFY_RESULT(frames);
    QCOMPARE(frames->size(), 1);
    RelayReader bare;
    QVERIFY_RESULT(bare.feed("RANKWRIGHT-RELAY 1\n"));
    QCOMPARE(bare.greeting(), RelayReader::Greeting::Relay);
}

void RelayFrameTest::noPython()
{
    RelayReader reader;
    QVERIFY_RESULT(reader.feed("\nRANKWRIGHT-RELAY none\n"));
    QCOMPARE(reader.greeting(), RelayReader::Greeting::NoPython);
}

void RelayFrameTest::whatIsNoRelayIsAnError()
{
    const QByteArray greeting = "\nRANKWRIGHT-RELAY 1\n";
    for (const QByteArray& bad : {QByteArray("Xabcdefghijk"), QByteArray("D\0\0\0\1\x7f\xff\xff\xff", 9),
             QByteArray(relayBytes({RelayFrame::Opened, 1, {}}) + 'x')}) {
        RelayReader reader;
        QVERIFY(!reader.feed(greeting + bad));
    }
}

void RelayFrameTest::noiseIsBounded()
{
    RelayReader reader;
    for (int i = 0; i < 1000; ++i)
        QVERIFY_RESULT(reader.feed(QByteArray(1000, 'x')));
    QVERIFY(reader.noise().size() < 20000);
}

void RelayFrameTest::grants()
{
    QCOMPARE(grantedBytes(relayGrant(5, 70000)), 70000U);
    QCOMPARE(grantedBytes({RelayFrame::Grant, 5, "abc"}), 0U);
    QCOMPARE(grantedBytes({RelayFrame::Data, 5, "abcd"}), 0U);
}

RANKWRIGHT_TEST_MAIN(RelayFrameTest)
#include "tst_relayframe.moc"

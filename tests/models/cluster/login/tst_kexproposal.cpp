// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/kexproposal.h"
#include "tests/support/testbase.h"

#include <QtEndian>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray uint32(quint32 value)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

/// As RFC 4253 writes it: 6 (packet) and 7.1 (its fields).
QByteArray kexInit(const QByteArrayList& lists)
{
    QByteArray payload = char(20) + QByteArray(16, 'c');
    for (const QByteArray& list : lists)
        payload += uint32(quint32(list.size())) + list;
    payload += QByteArray(5, '\0'); // no guess, nothing reserved
    const QByteArray padding(4 + (8 - (payload.size() + 9) % 8) % 8, 'p');
    return uint32(quint32(1 + payload.size() + padding.size())) + char(padding.size()) + payload + padding;
}

const QByteArrayList usual{"curve25519-sha256,kex-strict-s-v00@openssh.com", "ssh-ed25519", "aes256-ctr,aes128-cbc",
    "aes256-ctr", "hmac-sha2-256", "hmac-sha2-256", "none,zlib@openssh.com", "none", "", ""};

KexProposal proposal(const QByteArrayList& lists) { return *readKexProposal("SSH-2.0-x\r\n" + kexInit(lists)); }

QByteArrayList with(int place, const QByteArray& list)
{
    QByteArrayList lists = usual;
    lists[place] = list;
    return lists;
}

} // namespace

/// What both sides of an SSH connection offer, and what they have in common.
class KexProposalTest final : public test::Suite {
    Q_OBJECT
private slots:
    void isRead();
    void isWaitedFor();
    void isSomethingElse_data();
    void isSomethingElse();
    void inCommon_data();
    void inCommon();
    void isHarmless();
};

void KexProposalTest::isRead()
{
    const auto read = readKexProposal("Welcome\r\nto SSH\r\nSSH-2.0-OpenSSH_9.2p1\r\n" + kexInit(usual) + "more");
    QVERIFY(read);
    QCOMPARE(read->names.at(0), (QByteArrayList{"curve25519-sha256", "kex-strict-s-v00@openssh.com"}));
    QCOMPARE(read->names.at(2), (QByteArrayList{"aes256-ctr", "aes128-cbc"}));
    QCOMPARE(read->names.at(6), (QByteArrayList{"none", "zlib@openssh.com"}));
}

void KexProposalTest::isWaitedFor()
{
    const QByteArray whole = "SSH-2.0-x\r\n" + kexInit(usual);
    for (qsizetype length = 0; length < whole.size(); ++length)
        QVERIFY2(!readKexProposal(whole.left(length)), QByteArray::number(length).constData());
    QVERIFY(readKexProposal(whole));
}

void KexProposalTest::isSomethingElse_data()
{
    QTest::addColumn<QByteArray>("begin");
    const QByteArray hello = "SSH-2.0-x\r\n";
    QTest::newRow("no greeting") << kexInit(usual);
    QTest::newRow("a page") << QByteArray("HTTP/1.1 200 OK\r\n\r\n<html>");
    QTest::newRow("another packet") << QByteArray(hello + kexInit(usual)).replace(16, 1, QByteArray(1, char(1)));
    QTest::newRow("endless packet") << QByteArray(hello + uint32(0xffffffff) + QByteArray(100, char(20)));
    QTest::newRow("short packet") << QByteArray(hello + uint32(3) + QByteArray(100, char(20)));
    QTest::newRow("a list beyond the packet") << QByteArray(
        hello + uint32(40) + char(4) + char(20) + QByteArray(16, 'c') + uint32(0x7fffffff) + QByteArray(100, 'x'));
}

void KexProposalTest::isSomethingElse()
{
    QFETCH(QByteArray, begin);
    QVERIFY(!readKexProposal(begin));
}

void KexProposalTest::inCommon_data()
{
    QTest::addColumn<QByteArrayList>("server");
    QTest::addColumn<QByteArrayList>("client");
    QTest::addColumn<QString>("what"); // empty: they agree
    QTest::newRow("the same") << usual << usual << QString();
    QTest::newRow("another key exchange") << with(0, "diffie-hellman-group1-sha1") << usual << u"key exchange"_s;
    QTest::newRow("marks are not algorithms")
        << with(0, "x,ext-info-c") << with(0, "y,ext-info-c") << u"key exchange"_s;
    QTest::newRow("another host key") << with(1, "ssh-dss") << usual << u"host key"_s;
    QTest::newRow("another cipher") << with(3, "3des-cbc") << usual << u"cipher from the server"_s;
    QTest::newRow("another MAC") << with(4, "hmac-md5") << usual << u"MAC to the server"_s;
    QByteArrayList gcm = with(4, "hmac-md5");
    gcm[2] = "aes128-gcm@openssh.com";
    QByteArrayList ours = usual;
    ours[2] = "aes128-gcm@openssh.com,aes256-ctr";
    QTest::newRow("a cipher that needs no MAC") << gcm << ours << QString();
    QTest::newRow("compression forced") << with(6, "zlib") << with(6, "none") << u"compression to the server"_s;
    QTest::newRow("nothing at all") << with(2, "") << usual << u"takes nothing"_s;
}

void KexProposalTest::inCommon()
{
    QFETCH(QByteArrayList, server);
    QFETCH(QByteArrayList, client);
    QFETCH(QString, what);
    const QString said = nothingInCommon(proposal(server), proposal(client));
    QCOMPARE(said.isEmpty(), what.isEmpty());
    QVERIFY2(said.contains(what), qPrintable(said));
}

void KexProposalTest::isHarmless()
{
    const QString said
        = nothingInCommon(proposal(with(2, "\x1b[2J\xc2\x9b,<b>x</b>," + QByteArray(20000, 'a'))), proposal(usual));
    QVERIFY(!said.contains(QChar(0x1b)) && !said.contains(QChar(0x9b)));
    QVERIFY(said.size() < 1000);
}

RANKWRIGHT_TEST_MAIN(KexProposalTest)
#include "tst_kexproposal.moc"

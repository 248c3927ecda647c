// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/reconnectledger.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What is remembered of a host over restarts, and what a broken file does: nothing.
class ReconnectLedgerTest final : public test::Suite {
    Q_OBJECT
    static constexpr qint64 now = 1'790'000'000'000;
    static void write(const ReconnectLedger& ledger, const QByteArray& bytes)
    {
        QDir().mkpath(QFileInfo(ledger.path()).path());
        QFile file(ledger.path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

private slots:
    void keepsWhatItIsGiven();
    void withoutAFolderNothingIsKept();
    void oddHostNamesStayInTheFolder();
    void brokenFilesAreEmpty_data();
    void brokenFilesAreEmpty();
    void aFolderThatCannotBeWrittenDoesNotHurt();
    void aMemoryCountsWhereItIsPlausible();
    void aServerThatTurnsAwayIsLeftAlone();
    void sixtyLoginsADayOfAllPrograms();
};

void ReconnectLedgerTest::keepsWhatItIsGiven()
{
    const QTemporaryDir folder;
    const ReconnectPolicy::Memory memory{{now - 2000, now - 1000}, 3, now};
    ReconnectLedger(folder.path(), u"login:22"_s).update([&](ReconnectPolicy::Memory& held) { held = memory; });
    const ReconnectLedger again(folder.path(), u"login:22"_s);
    QCOMPARE(again.read(), memory);
    QCOMPARE(ReconnectLedger(folder.path(), u"login:23"_s).read(), ReconnectPolicy::Memory());
    QCOMPARE(QFile::permissions(again.path()) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QVERIFY(QFileInfo(again.path()).size() < 300);
}

void ReconnectLedgerTest::withoutAFolderNothingIsKept()
{
    const ReconnectLedger nowhere;
    QVERIFY(!nowhere.isKept());
    int called = 0;
    nowhere.update([&](ReconnectPolicy::Memory& memory) {
        ++called;
        memory.failures = 5;
    });
    QCOMPARE(called, 1);
    QCOMPARE(nowhere.read(), ReconnectPolicy::Memory());
}

void ReconnectLedgerTest::oddHostNamesStayInTheFolder()
{
    const QTemporaryDir folder;
    for (const QString& host : {u"../../etc/passwd:22"_s, u"a/b"_s, QString(5000, u'x'), u"[::1]:22"_s}) {
        const ReconnectLedger ledger(folder.path(), host);
        ledger.update([](ReconnectPolicy::Memory& memory) { memory.failures = 1; });
        QCOMPARE(ledger.read().failures, 1);
        QVERIFY(QFileInfo(ledger.path()).canonicalFilePath().startsWith(QFileInfo(folder.path()).canonicalFilePath()));
    }
}

void ReconnectLedgerTest::brokenFilesAreEmpty_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("half") << QByteArray("{\"version\":1,\"logins\":[17");
    QTest::newRow("another version") << QByteArray("{\"version\":2,\"failures\":7}");
    QTest::newRow("list") << QByteArray("[1,2,3]");
    QTest::newRow("wrong kinds") << QByteArray("{\"version\":1,\"logins\":\"x\",\"failures\":[],\"failedAt\":{}}");
    QTest::newRow("below nothing") << QByteArray("{\"version\":1,\"logins\":[-5,\"a\"],\"failures\":-3}");
    QTest::newRow("huge") << QByteArray("{\"version\":1,\"failures\":7,\"x\":\"") + QByteArray(200'000, 'x') + "\"}";
}

void ReconnectLedgerTest::brokenFilesAreEmpty()
{
    QFETCH(QByteArray, bytes);
    const QTemporaryDir folder;
    const ReconnectLedger ledger(folder.path(), u"login:22"_s);
    write(ledger, bytes);
    QCOMPARE(ledger.read(), ReconnectPolicy::Memory());
    ledger.update([](ReconnectPolicy::Memory& memory) { memory.failures = 2; });
    QCOMPARE(ledger.read().failures, 2); // and is replaced
}

void ReconnectLedgerTest::aFolderThatCannotBeWrittenDoesNotHurt()
{
    const QTemporaryDir folder;
    write(ReconnectLedger(folder.path() + u"/reconnects"_s, u"x"_s), "x"); // makes reconnects/reconnects
    QFile blocker(folder.filePath(u"file"_s));
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    const ReconnectLedger ledger(blocker.fileName(), u"login:22"_s); // a file in place of the folder
    int called = 0;
    ledger.update([&](ReconnectPolicy::Memory& memory) {
        ++called;
        memory.failures = 1;
    });
    QCOMPARE(called, 1);
    QCOMPARE(ledger.read(), ReconnectPolicy::Memory());
}

void ReconnectLedgerTest::aMemoryCountsWhereItIsPlausible()
{
    ReconnectPolicy policy;
    policy.setMemory({{now - 3000, now - 2000, now - 1000, now - 500}, 0, 0}, now);
    QVERIFY(*policy.nextDelayMs(now, 0) > 9 * 60 * 1000); // four within ten minutes, by whichever program
    ReconnectPolicy ahead;
    ahead.setMemory({{now + 900'000, now + 900'001, now + 900'002, now + 900'003}, 9, now + 900'000}, now);
    QCOMPARE(ahead.nextDelayMs(now, 0), std::optional<qint64>(1000)); // a clock that was wrong
    ReconnectPolicy old;
    old.setMemory({{now - 2 * ReconnectPolicy::dayMs}, 9, now - 2 * ReconnectPolicy::forgetMs}, now);
    QCOMPARE(old.nextDelayMs(now, 0), std::optional<qint64>(1000));
    ReconnectPolicy lately;
    lately.setMemory({{}, 4, now - 60'000}, now);
    QCOMPARE(lately.nextDelayMs(now, 0), std::optional<qint64>(16000)); // goes on doubling
}

void ReconnectLedgerTest::aServerThatTurnsAwayIsLeftAlone()
{
    ReconnectPolicy policy;
    QCOMPARE(policy.nextDelayMs(now, 0, ReconnectPolicy::turnedAwayMs), std::optional<qint64>(5 * 60 * 1000));
}

void ReconnectLedgerTest::sixtyLoginsADayOfAllPrograms()
{
    ReconnectPolicy::Memory memory;
    for (int i = 0; i < ReconnectPolicy::mostADay; ++i)
        memory.logins << now - ReconnectPolicy::dayMs + 60'000 * (i + 1);
    ReconnectPolicy policy;
    policy.setMemory(memory, now);
    QCOMPARE(policy.nextDelayMs(now, 0), std::nullopt);
    QVERIFY(policy.nextDelayMs(now + 61'000, 0)); // the first is a day ago
}

RANKWRIGHT_TEST_MAIN(ReconnectLedgerTest)
#include "tst_reconnectledger.moc"

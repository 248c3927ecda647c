// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperplace.h"
#include "app/keeper/keeperposix.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Where the agent's socket lies, and that nothing is used which others could have made or could enter.
class KeeperPlaceTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void runtimeFolder();
    void withoutRuntimeFolder();
    void madePrivate();
    void wrongModes_data();
    void wrongModes();
    void linksAreRefused();
    void anotherUsersFolder();
    void longPaths();
    void oneLock();
    void staleSocket();

private:
    QString at(const QString& name) const { return m_folder->filePath(name); }
    static void setMode(const QString& path, QFile::Permissions more)
    {
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | more);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void KeeperPlaceTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_folder = std::make_unique<QTemporaryDir>(u"/tmp/rwk-XXXXXX"_s); // a path short enough for a socket
    QVERIFY(m_folder->isValid());
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(at(u"run"_s)));
    QVERIFY(makePrivateFolder(at(u"run"_s)));
    QVERIFY(makePrivateFolder(at(u"data"_s)));
}

void KeeperPlaceTest::runtimeFolder()
{
    const KeeperPlace place = keeperPlace(at(u"data"_s));
    QCOMPARE(place.folder, at(u"run/rankwright"_s));
    QVERIFY(place.socket.startsWith(place.folder + u'/'));
    QVERIFY(!QFile::exists(place.folder)); // nothing was made
    QCOMPARE(keeperPlace(at(u"data"_s)), place);
    QVERIFY(keeperPlace(at(u"other"_s)).socket != place.socket); // an agent for each data folder
}

void KeeperPlaceTest::withoutRuntimeFolder()
{
    setMode(at(u"run"_s), QFile::ExeGroup); // others may enter: not a runtime folder
    QCOMPARE(keeperPlace(at(u"data"_s)).folder, at(u"data/agent"_s));
    qputenv("XDG_RUNTIME_DIR", "relative");
    QCOMPARE(keeperPlace(at(u"data"_s)).folder, at(u"data/agent"_s));
    qunsetenv("XDG_RUNTIME_DIR");
    QCOMPARE(keeperPlace(at(u"data"_s)).folder, at(u"data/agent"_s));
}

void KeeperPlaceTest::madePrivate()
{
    const KeeperPlace place = keeperPlace(at(u"data"_s));
    const auto missing = checkKeeperFolder(place);
    QVERIFY(!missing);
    QCOMPARE(missing.error().fault, Fault::Offline);
    QVERIFY_RESULT(prepareKeeperFolder(place));
    QCOMPARE(factsOf(place.folder)->mode, 0700);
    QVERIFY_RESULT(prepareKeeperFolder(place)); // twice does no harm
    const auto listener = listenAt(place.socket);
    QVERIFY_RESULT(listener);
    QCOMPARE(factsOf(place.socket)->mode, 0600);
}

void KeeperPlaceTest::wrongModes_data()
{
    QTest::addColumn<int>("more");
    QTest::newRow("group may enter") << int(QFile::ExeGroup);
    QTest::newRow("others may read") << int(QFile::ReadOther);
    QTest::newRow("others may write") << int(QFile::WriteOther);
}

void KeeperPlaceTest::wrongModes()
{
    QFETCH(int, more);
    const KeeperPlace place = keeperPlace(at(u"data"_s));
    QVERIFY(makePrivateFolder(place.folder));
    setMode(place.folder, QFile::Permissions(more));
    for (const auto& result : {prepareKeeperFolder(place), checkKeeperFolder(place)}) {
        QVERIFY(!result);
        QCOMPARE(result.error().fault, Fault::Invalid);
    }
}

void KeeperPlaceTest::linksAreRefused()
{
    const KeeperPlace place = keeperPlace(at(u"data"_s));
    QVERIFY(makePrivateFolder(at(u"elsewhere"_s)));
    QVERIFY(QFile::link(at(u"elsewhere"_s), place.folder));
    QVERIFY(!prepareKeeperFolder(place));
    QVERIFY(!checkKeeperFolder(place));
    QVERIFY(QFile::remove(place.folder));
    QFile file(place.folder);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(!prepareKeeperFolder(place));
}

void KeeperPlaceTest::anotherUsersFolder()
{
    // "/" is root's, or at least open to others, wherever the tests run.
    const auto result = checkKeeperFolder({u"/"_s, u"/agent.sock"_s, u"/agent.lock"_s});
    QVERIFY(!result);
    QCOMPARE(result.error().fault, Fault::Invalid);
}

void KeeperPlaceTest::longPaths()
{
    const QString folder = at(QString(100, u'x'));
    QVERIFY(makePrivateFolder(folder));
    const KeeperPlace place{folder, folder + u"/agent.sock"_s, folder + u"/agent.lock"_s};
    const auto result = checkKeeperFolder(place);
    QVERIFY(!result);
    QCOMPARE(result.error().fault, Fault::Invalid);
    QVERIFY(result.error().what.contains(u"too long"_s));
    QVERIFY(!listenAt(place.socket));
    QVERIFY(!connectTo(place.socket).isValid());
}

void KeeperPlaceTest::oneLock()
{
    const Descriptor first = acquireLock(at(u"lock"_s));
    QVERIFY(first.isValid());
    QVERIFY(!acquireLock(at(u"lock"_s)).isValid());
    {
        const Descriptor other = acquireLock(at(u"another"_s));
        QVERIFY(other.isValid());
    }
    QVERIFY(acquireLock(at(u"another"_s)).isValid()); // it went with its holder
}

void KeeperPlaceTest::staleSocket()
{
    const QString path = at(u"s"_s);
    {
        const auto killed = listenAt(path);
        QVERIFY_RESULT(killed);
        QVERIFY(connectTo(path).isValid());
    }
    QVERIFY(factsOf(path).has_value()); // as a killed agent leaves it
    QVERIFY(!connectTo(path).isValid());
    const auto next = listenAt(path);
    QVERIFY_RESULT(next);
    QVERIFY(connectTo(path).isValid());
    const Descriptor here = connectTo(path);
    QVERIFY(peerUser(here.get()) == ownUser());
}

RANKWRIGHT_TEST_MAIN(KeeperPlaceTest)
#include "tst_keeperplace.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/login/keymaker.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Keys made by the installed ssh-keygen.
class KeyMakerTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void makesALockedKey();
    void oddPassphrases_data();
    void oddPassphrases();
    void nothingIsOverwritten();
    void freePaths();
    void withoutAPassphraseNoKey();
    void whereNothingCanBeWritten();

private:
    static Result<KeyFile> make(const QString& path, const QByteArray& passphrase)
    {
        KeyMaker maker;
        std::optional<Result<KeyFile>> made;
        QObject guard;
        maker.make(path, Secret(passphrase), &guard, [&made](const Result<KeyFile>& key) { made = key; });
        const bool ended = test::comes([&made] { return made.has_value(); });
        return ended ? *made : fail(Fault::TimedOut, u"ssh-keygen did not end"_s);
    }
    static bool opens(const QString& path, const QString& passphrase)
    {
        QProcess keygen; // a test may do what the program must not: the passphrase is on the command line
        keygen.start(u"ssh-keygen"_s, {u"-y"_s, u"-P"_s, passphrase, u"-f"_s, path});
        return keygen.waitForFinished(test::longWaitMs) && keygen.exitCode() == 0;
    }

    std::unique_ptr<SshHome> m_home;
    int m_count = 0;
};

void KeyMakerTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not installed");
}

void KeyMakerTest::makesALockedKey()
{
    const QString path = KeyMaker::freePath(u"lumi"_s);
    QCOMPARE(path, m_home->path(u".ssh/id_ed25519"_s));
    const auto key = make(path, "correct horse");
    QVERIFY_RESULT(key);
    QCOMPARE(key->type, u"ssh-ed25519"_s);
    QVERIFY(key->isEncrypted && !key->readByOthers);
    QVERIFY(key->publicLine.startsWith("ssh-ed25519 AAAA"));
    const auto onlyMe = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
    QCOMPARE(QFileInfo(path).permissions(), QFile::Permissions(onlyMe));
    QCOMPARE(QFileInfo(m_home->path(u".ssh"_s)).permissions(),
        QFile::Permissions(onlyMe | QFile::ExeOwner | QFile::ExeUser));
    QVERIFY(opens(path, u"correct horse"_s));
    QVERIFY(!opens(path, u"correct hors"_s));
    QVERIFY(!opens(path, QString()));
}

void KeyMakerTest::oddPassphrases_data()
{
    QTest::addColumn<QString>("passphrase");
    QTest::newRow("blanks around") << u"  two words  "_s;
    QTest::newRow("other letters") << u"häufig öfter ß €"_s;
    QTest::newRow("shell") << u"$(id) `id` 'x' \"y\" \\ !"_s;
    QTest::newRow("an option") << u"-N nothing"_s;
    QTest::newRow("long") << QString(500, u'x');
}

void KeyMakerTest::oddPassphrases()
{
    QFETCH(QString, passphrase);
    const QString path = m_home->path(u"odd_%1"_s.arg(++m_count));
    const auto key = make(path, passphrase.toUtf8());
    QVERIFY_RESULT(key);
    QVERIFY(opens(path, passphrase));
}

void KeyMakerTest::nothingIsOverwritten()
{
    const QString path = m_home->path(u"mine"_s);
    SshHome::write(path, "a key of mine");
    QVERIFY(!make(path, "correct horse"));
    QCOMPARE(SshHome::read(path), QByteArray("a key of mine"));
    QVERIFY(QFile::link(m_home->path(u"elsewhere"_s), m_home->path(u"link"_s)));
    QVERIFY(!make(m_home->path(u"link"_s), "correct horse"));
    QVERIFY(!QFile::exists(m_home->path(u"elsewhere"_s)));
}

void KeyMakerTest::freePaths()
{
    SshHome::write(m_home->path(u"x"_s), {});
    QDir(m_home->path(u"."_s)).mkpath(u".ssh"_s);
    SshHome::write(m_home->path(u".ssh/id_ed25519"_s), "taken");
    QCOMPARE(KeyMaker::freePath(u"lumi"_s), m_home->path(u".ssh/id_ed25519_lumi"_s));
    SshHome::write(m_home->path(u".ssh/id_ed25519_lumi.pub"_s), "taken");
    QCOMPARE(KeyMaker::freePath(u"lumi"_s), m_home->path(u".ssh/id_ed25519_lumi2"_s));
    QCOMPARE(KeyMaker::freePath(u"../../etc/x y"_s), m_home->path(u".ssh/id_ed25519_______etc_x_y"_s));
}

void KeyMakerTest::withoutAPassphraseNoKey()
{
    const QString path = m_home->path(u"open"_s);
    QVERIFY(!make(path, {}));
    QVERIFY(!QFile::exists(path));
}

void KeyMakerTest::whereNothingCanBeWritten()
{
    const auto key = make(u"/proc/none/key"_s, "correct horse");
    QVERIFY(!key);
    QVERIFY(!key.error().what.isEmpty());
}

RANKWRIGHT_TEST_MAIN(KeyMakerTest)
#include "tst_keymaker.moc"

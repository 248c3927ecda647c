// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsigner.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtEndian>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// With the real ssh-keygen.
class ClassSignerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void signsAndVerifies();
    void tamperedBytesAreRefused();
    void aChangedKeyIsRefusedUntilForgotten();
    void unsignedIsNotUsable();
    void shippedNeedsNoKey();
    void aDamagedListIsNotTakenForEmpty();
    void keysAreTheOwners();
    void refusesOtherKeys();
    void keysThatProveNothing_data();
    void keysThatProveNothing();

private:
    static ClassFile forged(const QByteArray& key, const QByteArray& r);
    static ClassFile some() { return newClass(u"practice"_s, u"A course"_s, u"Ada"_s); }
    static ClassFile reread(const ClassFile& file) { return readClass(writeClass(file), u"x"_s).value(); }
};

void ClassSignerTest::initTestCase()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
}

void ClassSignerTest::signsAndVerifies()
{
    const QTemporaryDir data;
    const auto key = teacherKey(data.path());
    QVERIFY_RESULT(key);
    const auto made = signClass(some(), *key);
    QVERIFY_RESULT(made);
    const ClassFile file = reread(*made);
    auto verdict = verifyClass(file, data.path());
    QVERIFY_RESULT(verdict);
    QCOMPARE(verdict->trust, ClassTrust::NewKey);
    QVERIFY(verdict->fingerprint.startsWith(u"SHA256:"_s));
    QVERIFY(verdict->isUsable());
    QVERIFY_RESULT(rememberClassKey(file, verdict->fingerprint, data.path()));
    verdict = verifyClass(file, data.path());
    QCOMPARE(verdict->trust, ClassTrust::KnownKey);
    QCOMPARE(*teacherKey(data.path()), *key); // the same again
    const auto again = signClass(file, *key); // a signed one can be signed again
    QVERIFY_RESULT(again);
    QCOMPARE(verifyClass(reread(*again), data.path())->trust, ClassTrust::KnownKey);
}

void ClassSignerTest::tamperedBytesAreRefused()
{
    const QTemporaryDir data;
    const auto made = signClass(some(), *teacherKey(data.path()));
    QVERIFY_RESULT(made);
    QByteArray bytes = writeClass(*made);
    QVERIFY(bytes.contains("\"gpusPerNode\": 1"));
    bytes.replace("\"gpusPerNode\": 1", "\"gpusPerNode\": 8");
    const auto file = readClass(bytes, u"x"_s);
    QVERIFY_RESULT(file);
    const auto verdict = verifyClass(*file, data.path());
    QVERIFY_RESULT(verdict);
    QCOMPARE(verdict->trust, ClassTrust::Broken);
    QVERIFY(!verdict->isUsable());
    QVERIFY(!verdict->why.remedy.isEmpty());
    // another's key under the same signature
    const QTemporaryDir other;
    ClassFile stolen = reread(*made);
    stolen.signature.key = signClass(some(), *teacherKey(other.path()))->signature.key;
    QCOMPARE(verifyClass(stolen, data.path())->trust, ClassTrust::Broken);
}

void ClassSignerTest::aChangedKeyIsRefusedUntilForgotten()
{
    const QTemporaryDir data;
    const QTemporaryDir other;
    const ClassFile first = *signClass(some(), *teacherKey(data.path()));
    const ClassFile second = *signClass(some(), *teacherKey(other.path()));
    QVERIFY_RESULT(rememberClassKey(first, verifyClass(first, data.path())->fingerprint, data.path()));
    const auto verdict = verifyClass(second, data.path());
    QVERIFY_RESULT(verdict);
    QCOMPARE(verdict->trust, ClassTrust::ChangedKey);
    QVERIFY(!verdict->isUsable());
    QVERIFY(verdict->why.what.contains(u"another key"_s));
    QVERIFY(!rememberClassKey(second, verdict->fingerprint, data.path())); // never replaced by the way
    QVERIFY_RESULT(forgetClassKey(second, data.path()));
    QCOMPARE(verifyClass(second, data.path())->trust, ClassTrust::NewKey);
}

void ClassSignerTest::unsignedIsNotUsable()
{
    const QTemporaryDir data;
    const auto verdict = verifyClass(some(), data.path());
    QVERIFY_RESULT(verdict);
    QCOMPARE(verdict->trust, ClassTrust::Unsigned);
    QVERIFY(!verdict->isUsable());
    QVERIFY(!verdict->why.remedy.isEmpty());
}

void ClassSignerTest::shippedNeedsNoKey()
{
    const QTemporaryDir data;
    for (const ShippedClass& one : shippedClasses())
        QCOMPARE(verifyClass(one.file, data.path())->trust, ClassTrust::Shipped);
    ClassFile changed = shippedClasses().first().file;
    changed = unsignedClass(changed);
    changed.title += u"!"_s;
    QCOMPARE(verifyClass(changed, data.path())->trust, ClassTrust::Unsigned);
}

void ClassSignerTest::aDamagedListIsNotTakenForEmpty()
{
    const QTemporaryDir data;
    const ClassFile file = *signClass(some(), *teacherKey(data.path()));
    QFile list(data.filePath(u"classkeys.json"_s));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write("{\"A course");
    list.close();
    QVERIFY(!verifyClass(file, data.path()));
    QVERIFY(!rememberClassKey(file, u"SHA256:x"_s, data.path()));
}

void ClassSignerTest::keysAreTheOwners()
{
    const QTemporaryDir data;
    const auto key = teacherKey(data.path());
    QVERIFY_RESULT(key);
    const auto rights = QFileInfo(*key).permissions();
    QVERIFY(!(rights & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
}

void ClassSignerTest::refusesOtherKeys()
{
    const QTemporaryDir data;
    QVERIFY(!signClass(some(), data.filePath(u"none"_s)));
    QFile text(data.filePath(u"text"_s));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("no key");
    text.close();
    const auto made = signClass(some(), text.fileName());
    QVERIFY(!made);
    QVERIFY(!made.error().remedy.isEmpty());
    ClassFile bad = some();
    bad.account = u"a;b"_s;
    QVERIFY(!signClass(bad, *teacherKey(data.path()))); // nothing that would be refused is signed
}

namespace {

/// A text of SSH: its length in four bytes before it (RFC 4251, section 5).
QByteArray sshText(const QByteArray& bytes)
{
    QByteArray length(4, '\0');
    qToBigEndian(quint32(bytes.size()), length.data());
    return length + bytes;
}

} // namespace

/// Signed by nobody: R and S = 0, which a key of small order may accept for whatever text (OpenSSH, PROTOCOL.sshsig).
ClassFile ClassSignerTest::forged(const QByteArray& key, const QByteArray& r)
{
    ClassFile file = some();
    const QByteArray blob = sshText("ssh-ed25519") + sshText(key);
    const QByteArray signature = sshText("ssh-ed25519") + sshText(r + QByteArray(32, '\0'));
    const QByteArray whole = "SSHSIG" + QByteArray("\0\0\0\1", 4) + sshText(blob) + sshText("rankwright-class")
        + sshText({}) + sshText("sha512") + sshText(signature);
    QString text = QString::fromLatin1(whole.toBase64());
    for (qsizetype at = 70; at < text.size(); at += 71)
        text.insert(at, u'\n');
    file.readBytes = classBytes(file);
    file.signature = {u"ssh-ed25519 "_s + QString::fromLatin1(blob.toBase64()),
        u"-----BEGIN SSH SIGNATURE-----\n"_s + text + u"\n-----END SSH SIGNATURE-----\n"_s};
    return file;
}

void ClassSignerTest::keysThatProveNothing_data()
{
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char* name, const QByteArray& hex) { QTest::newRow(name) << QByteArray::fromHex(hex); };
    const QByteArray zeros(60, '0');
    const QByteArray fs(60, 'f');
    // The eight points of small order: the multiples of L of any point (computed from the curve's equation).
    row("y = 1, order 1", "01" + zeros + "00");
    row("y = p - 1, order 2", "ec" + fs + "7f");
    row("32 zero bytes, order 4", "00" + zeros + "00");
    row("y = 0, other x, order 4", "00" + zeros + "80");
    row("order 8, first", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
    row("order 8, second", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85");
    row("order 8, third", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
    row("order 8, fourth", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa");
    // The same, written in another way: y + p, and the sign of an x that is 0.
    row("y = 1, sign", "01" + zeros + "80");
    row("y = p - 1, sign", "ec" + fs + "ff");
    row("y = p", "ed" + fs + "7f");
    row("y = p, sign", "ed" + fs + "ff");
    row("y = p + 1", "ee" + fs + "7f");
    row("y = p + 1, sign", "ee" + fs + "ff");
    row("y = p + 18", "ff" + fs + "7f"); // no small order, but another name of a key
    row("too short", QByteArray(62, '1'));
    row("too long", QByteArray(66, '1'));
}

void ClassSignerTest::keysThatProveNothing()
{
    QFETCH(const QByteArray, key);
    const QTemporaryDir data;
    // R of order 1 to 8: one of them fits the text, for some keys without any search.
    for (const char* hex : {"0100000000000000000000000000000000000000000000000000000000000000",
             "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
             "0000000000000000000000000000000000000000000000000000000000000000",
             "0000000000000000000000000000000000000000000000000000000000000080"}) {
        const ClassFile file = forged(key, QByteArray::fromHex(hex));
        const auto verdict = verifyClass(file, data.path());
        QVERIFY_RESULT(verdict);
        QCOMPARE(verdict->trust, ClassTrust::Broken);
        QVERIFY(!verdict->isUsable());
        QVERIFY2(
            verdict->why.what.contains(u"proves nothing"_s), qPrintable(verdict->why.what)); // by us, not by a program
    }
}

RANKWRIGHT_TEST_MAIN(ClassSignerTest)
#include "tst_classsigner.moc"

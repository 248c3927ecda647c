// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsigner.h"
#include "models/classroom/classreader.h"
#include "models/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// With the real ssh-keygen.
class ClassSignerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
            QSKIP("ssh-keygen is not here");
    }
    void signsAndVerifies();
    void tamperedBytesAreRefused();
    void aChangedKeyIsRefusedUntilForgotten();
    void unsignedIsNotUsable();
    void shippedNeedsNoKey();
    void aDamagedListIsNotTakenForEmpty();
    void keysAreTheOwners();
    void refusesOtherKeys();

private:
    static ClassFile some() { return newClass(u"practice"_s, u"A course"_s, u"Ada"_s); }
    static ClassFile reread(const ClassFile& file) { return readClass(writeClass(file), u"x"_s).value(); }
};

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
    const auto again = signClass(file, *key); // a signed one can be signed anew
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

RANKWRIGHT_TEST_MAIN(ClassSignerTest)
#include "tst_classsigner.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/solutiontries.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What became of a class that was tried is known of that very file, and of no other.
class SolutionTriesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void ofThisVeryFile();
    void whatCannotBeReadWasNotTried_data();
    void whatCannotBeReadWasNotTried();
    void theNewestAreKept();

private:
    const ClassFile m_file = shippedClasses().first().file;
    const SolutionsTried m_tried{
        u"practice"_s, QDateTime::fromString(u"2026-11-30T18:00:00Z"_s, Qt::ISODate), 6, {u"two-nodes"_s}};
};

void SolutionTriesTest::ofThisVeryFile()
{
    const QTemporaryDir folder;
    QVERIFY(!solutionsTried(m_file, folder.path()));
    QVERIFY_RESULT(saveSolutionsTried(m_file, m_tried, folder.path()));
    QVERIFY(solutionsTried(m_file, folder.path()) == m_tried);
    ClassFile changed = m_file;
    changed.readBytes.clear();
    changed.exercises.first().task += u'!';
    QVERIFY(!solutionsTried(changed, folder.path()));
    SolutionsTried better = m_tried;
    better.failed.clear();
    QVERIFY_RESULT(saveSolutionsTried(changed, better, folder.path()));
    QVERIFY(solutionsTried(changed, folder.path()) == better);
    QVERIFY(solutionsTried(m_file, folder.path()) == m_tried);
}

void SolutionTriesTest::whatCannotBeReadWasNotTried_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("{");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("long") << QByteArray(3 * 1024 * 1024, ' ');
}

void SolutionTriesTest::whatCannotBeReadWasNotTried()
{
    QFETCH(QByteArray, bytes);
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"classtries.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
    file.close();
    QVERIFY(!solutionsTried(m_file, folder.path()));
    QVERIFY_RESULT(saveSolutionsTried(m_file, m_tried, folder.path())); // and it is a whole file afterwards
    QVERIFY(solutionsTried(m_file, folder.path()) == m_tried);
}

void SolutionTriesTest::theNewestAreKept()
{
    const QTemporaryDir folder;
    ClassFile each = m_file;
    each.readBytes.clear();
    SolutionsTried tried = m_tried;
    for (int i = 0; i < 105; ++i) {
        each.title = u"class %1"_s.arg(i);
        tried.at = m_tried.at.addSecs(i);
        QVERIFY_RESULT(saveSolutionsTried(each, tried, folder.path()));
    }
    QVERIFY(solutionsTried(each, folder.path()));
    each.title = u"class 0"_s;
    QVERIFY(!solutionsTried(each, folder.path()));
}

RANKWRIGHT_TEST_MAIN(SolutionTriesTest)
#include "tst_solutiontries.moc"

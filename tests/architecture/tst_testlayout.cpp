// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

/// All suites are named and laid out alike (docs/testing.md), so that one finds the test of a module, and in it what is
/// tested, without reading it.
class TestLayoutTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void suitesStandInTheFolderOfWhatTheyTest();
    void classesAreNamedAfterTheirFile();
    void bodiesStandBehindTheClass();

private:
    /// Path from the root of the tree, and text of each tst_NAME.cpp.
    static QMap<QString, QString> suites();
    /// From "class" to its closing brace; empty: there is none.
    static QString suiteClass(const QString& source);
};

QMap<QString, QString> TestLayoutTest::suites()
{
    const QDir root(rankwright::test::sourcePath());
    QMap<QString, QString> found;
    QDirIterator walk(root.filePath(u"tests"_s), {u"tst_*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        QFile file(walk.next());
        if (file.open(QIODevice::ReadOnly))
            found.insert(root.relativeFilePath(file.fileName()), QString::fromUtf8(file.readAll()));
    }
    return found;
}

QString TestLayoutTest::suiteClass(const QString& source)
{
    static const QRegularExpression head(u"^class \\w+[^;{]*\\{"_s, QRegularExpression::MultilineOption);
    for (auto it = head.globalMatch(source); it.hasNext();) {
        const qsizetype begin = it.next().capturedStart();
        const QString whole = source.mid(begin, source.indexOf(u"\n};"_s, begin) - begin);
        if (whole.contains(u"private slots:"_s))
            return whole;
    }
    return {};
}

void TestLayoutTest::suitesStandInTheFolderOfWhatTheyTest()
{
    const QDir root(rankwright::test::sourcePath());
    const QMap<QString, QString> all = suites();
    QVERIFY(all.size() > 400);
    for (auto it = all.cbegin(); it != all.cend(); ++it) {
        const QString folder = QFileInfo(it.key()).path().section(u'/', 1);
        const bool mirrors
            = QStringList{u"app"_s, u"models"_s, u"ssh"_s, u"widgets"_s}.contains(folder.section(u'/', 0, 0));
        QVERIFY2(!mirrors || root.exists(folder), qPrintable(it.key() + u" has no folder that it tests"_s));
    }
}

void TestLayoutTest::classesAreNamedAfterTheirFile()
{
    const QMap<QString, QString> all = suites();
    for (auto it = all.cbegin(); it != all.cend(); ++it) {
        const QString name = suiteClass(it.value()).section(u' ', 1, 1);
        const QString stem = QFileInfo(it.key()).baseName().mid(4).remove(u'_');
        QVERIFY2(name.compare(stem + u"Test"_s, Qt::CaseInsensitive) == 0,
            qPrintable(u"%1: its class is called %2"_s.arg(it.key(), name)));
        QVERIFY2(name.endsWith(u"Test"_s), qPrintable(it.key()));
    }
}

void TestLayoutTest::bodiesStandBehindTheClass()
{
    // The class lists what is tested. Bodies of one line may stand there.
    // These were left as they were while others worked on them.
    const QStringList later{u"tst_documents"_s, u"tst_submitflow"_s, u"tst_classwindow"_s, u"tst_drawnruns"_s,
        u"tst_journey_class"_s, u"tst_journey_gaps"_s, u"tst_loginreading"_s, u"tst_knownhostsfile"_s,
        u"tst_firstlogindialog"_s};
    static const QRegularExpression body(
        u"\\n    void (\\w+)\\([^{};]*\\)( override)?\\n    \\{"_s, QRegularExpression::MultilineOption);
    const QMap<QString, QString> all = suites();
    for (auto it = all.cbegin(); it != all.cend(); ++it) {
        if (later.contains(QFileInfo(it.key()).baseName()))
            continue;
        for (const QString& section : suiteClass(it.value()).split(u"\nprivate slots:"_s).mid(1)) {
            static const QRegularExpression next(u"\\n(private|public|protected)"_s);
            const auto found = body.match(section.left(section.indexOf(next)));
            QVERIFY2(!found.hasMatch(),
                qPrintable(u"%1: the body of %2() belongs behind the class"_s.arg(it.key(), found.captured(1))));
        }
    }
}

RANKWRIGHT_TEST_MAIN(TestLayoutTest)
#include "tst_testlayout.moc"

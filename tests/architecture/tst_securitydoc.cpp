// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>

using namespace Qt::StringLiterals;

/// docs/security.md names a test for every promise: each exists, as a suite that is built and as a function in it.
class SecurityDocTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void everyPromiseHasItsTest();
    void everyTestExists();

private:
    static QString text(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QString document() { return text(rankwright::test::sourcePath(u"/docs/security.md")); }
    static QString suiteFile(const QString& name);
};

QString SecurityDocTest::suiteFile(const QString& name)
{
    QDirIterator walk(
        rankwright::test::sourcePath(u"/tests"), {name + u".cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    return walk.hasNext() ? walk.next() : QString();
}

/// Tables with a column "held by" have a test in it in every row.
void SecurityDocTest::everyPromiseHasItsTest()
{
    bool inTable = false;
    int promises = 0;
    const QStringList lines = document().split(u'\n');
    for (const QString& line : lines) {
        if (!line.startsWith(u'|')) {
            inTable = false;
            continue;
        }
        const QStringList cells = line.split(u'|');
        if (cells.value(cells.size() - 2).trimmed() == u"held by") {
            inTable = true;
            continue;
        }
        if (!inTable || line.startsWith(u"|---"_s))
            continue;
        ++promises;
        QVERIFY2(cells.value(cells.size() - 2).contains(u"`tst_"_s), qPrintable(line));
    }
    QVERIFY2(promises >= 25, qPrintable(QString::number(promises)));
}

void SecurityDocTest::everyTestExists()
{
    static const QRegularExpression name(u"`(tst_[a-z0-9]+)(?:::([A-Za-z0-9]+))?`"_s);
    const QString words = document();
    int named = 0;
    for (auto each = name.globalMatch(words); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        const QString suite = suiteFile(match.captured(1));
        QVERIFY2(!suite.isEmpty(), qPrintable(match.captured(0)));
        const QString folder = suite.section(u'/', 0, -2);
        QVERIFY2(text(folder + u"/CMakeLists.txt"_s).contains(match.captured(1)),
            qPrintable(match.captured(1) + u" is not built"_s));
        const QString function = match.captured(2);
        if (!function.isEmpty())
            QVERIFY2(text(suite).contains(QRegularExpression(u"\\bvoid %1\\("_s.arg(function))),
                qPrintable(match.captured(0)));
        ++named;
    }
    QVERIFY2(named >= 40, qPrintable(QString::number(named)));
}

RANKWRIGHT_TEST_MAIN(SecurityDocTest)
#include "tst_securitydoc.moc"

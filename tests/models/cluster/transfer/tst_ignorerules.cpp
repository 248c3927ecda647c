// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/ignorerules.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What is left out of a transfer, beside git itself.
class IgnoreRulesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void globs_data();
    void globs();
    void rules_data();
    void rules();
    void agreesWithGit_data();
    void agreesWithGit();
    void longPatternsTakeNoTime();
};

void IgnoreRulesTest::globs_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char* pattern, const char* path, bool matches) {
        QTest::addRow("%s on %s", pattern, path) << QByteArray(pattern) << QByteArray(path) << matches;
    };
    row("*.pt", "model.pt", true);
    row("*.pt", "a/model.pt", false);
    row("a/**/b", "a/b", true);
    row("a/**/b", "a/x/y/b", true);
    row("a/**", "a", false);
    row("a/**", "a/b/c", true);
    row("**/b", "b", true);
    row("**/b", "x/y/b", true);
    row("a**b", "axxb", true);
    row("a**b", "ax/xb", false);
    row("?", "/", false);
    row("[a-c]x", "bx", true);
    row("[!a-c]x", "bx", false);
    row("[]]", "]", true);
    row("[[:digit:]]", "7", true);
    row("[", "[", false);
    row("\\*", "*", true);
    row("\\*", "x", false);
    row("", "", true);
}

void IgnoreRulesTest::globs()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, path);
    QFETCH(bool, matches);
    QCOMPARE(globMatches(pattern, path), matches);
}

void IgnoreRulesTest::rules_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("isFolder");
    QTest::addColumn<bool>("ignored");
    QTest::newRow("any depth") << QByteArray("*.pyc\n") << QByteArray("a/b/c.pyc") << false << true;
    QTest::newRow("tied to the root") << QByteArray("/data\n") << QByteArray("a/data") << true << false;
    QTest::newRow("tied by a slash between") << QByteArray("a/data\n") << QByteArray("b/a/data") << true << false;
    QTest::newRow("folders alone") << QByteArray("data/\n") << QByteArray("data") << false << false;
    QTest::newRow("taken back") << QByteArray("*.pt\n!best.pt\n") << QByteArray("best.pt") << false << false;
    QTest::newRow("the last one decides") << QByteArray("!best.pt\n*.pt\n") << QByteArray("best.pt") << false << true;
    QTest::newRow("comment") << QByteArray("#a\n") << QByteArray("#a") << false << false;
    QTest::newRow("no comment") << QByteArray("\\#a\n") << QByteArray("#a") << false << true;
    QTest::newRow("blanks at the end") << QByteArray("a  \n") << QByteArray("a") << false << true;
    QTest::newRow("a blank that counts") << QByteArray("a\\ \n") << QByteArray("a ") << false << true;
    QTest::newRow("DOS") << QByteArray("a\r\n") << QByteArray("a") << false << true;
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                   "a\n")
                                     << QByteArray("a") << false << true;
    QTest::newRow(".git") << QByteArray() << QByteArray(".git") << true << true;
    QTest::newRow(".git taken back") << QByteArray("!.git\n") << QByteArray(".git") << true << false;
    QTest::newRow("bytes") << QByteArray("\xff*\n") << QByteArray("\xff\xfe") << false << true;
}

void IgnoreRulesTest::rules()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, path);
    QFETCH(bool, isFolder);
    QFETCH(bool, ignored);
    IgnoreRules rules;
    rules.add(text);
    QCOMPARE(rules.ignores(path, isFolder ? FileEntry::Kind::Folder : FileEntry::Kind::File), ignored);
}

void IgnoreRulesTest::agreesWithGit_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text :
        {"*.log", "/*.log", "build/", "/build", "a/b", "a/*", "a/**", "**/b", "a/**/c", "*", "*\n!*.py",
            "*\n!*/\n!*.py", "!a", "a\n!a/b", "[ab]*", "[!a]*", "c?", "\\!x", "x\\ ", "  ", "a/b/", "b/c.log", "**",
            "*/", "/**/c.log", "a**c", "[[:alpha:]].log", "*.l[og]*", "a//b", "/", "!", "a\\", "build\n!build/keep.py"})
        QTest::newRow(QByteArray(text).replace('\n', '|').constData()) << QByteArray(text) + '\n';
}

void IgnoreRulesTest::agreesWithGit()
{
    if (QStandardPaths::findExecutable(u"git"_s).isEmpty())
        QSKIP("git is not there");
    QFETCH(QByteArray, text);
    const QTemporaryDir folder;
    const QByteArrayList files{"a/b/c.log", "a/b/d.py", "a/c.log", "a/x/y/c", "b/c.log", "build/keep.py",
        "build/out.log", "c.log", "c1", "x", "!x", "x ", "z.py", "abc", "ac", "sub/build/o", "sub/a/b"};
    for (const QByteArray& path : files) {
        const QString at = folder.filePath(QString::fromUtf8(path));
        QVERIFY(QDir().mkpath(QFileInfo(at).path()));
        QFile file(at);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QFile ignore(folder.filePath(u".gitignore"_s));
    QVERIFY(ignore.open(QIODevice::WriteOnly) && ignore.write(text) == text.size());
    ignore.close();
    const auto git = [&folder](const QStringList& words, const QByteArray& input) {
        QProcess process;
        process.setWorkingDirectory(folder.path());
        process.start(u"git"_s, QStringList{u"-c"_s, u"core.excludesFile=/dev/null"_s} + words);
        process.write(input);
        process.closeWriteChannel();
        process.waitForFinished(test::longWaitMs);
        return process.readAllStandardOutput();
    };
    git({u"init"_s, u"-q"_s}, {});
    const QByteArrayList theirs
        = git({u"check-ignore"_s, u"-z"_s, u"--stdin"_s, u"--no-index"_s}, files.join('\0') + '\0').split('\0');
    IgnoreRules rules;
    rules.add(text);
    for (const QByteArray& path : files) {
        bool ignored = false; // by itself, or by a folder above it
        for (qsizetype slash = path.indexOf('/'); slash > 0 && !ignored; slash = path.indexOf('/', slash + 1))
            ignored = rules.ignores(path.left(slash), FileEntry::Kind::Folder);
        ignored = ignored || rules.ignores(path, FileEntry::Kind::File);
        QVERIFY2(ignored == theirs.contains(path), path.constData());
    }
}

void IgnoreRulesTest::longPatternsTakeNoTime()
{
    const QByteArray pattern = QByteArray("a*").repeated(200) + 'b';
    QVERIFY(!globMatches(pattern, QByteArray(2000, 'a')));
}

RANKWRIGHT_TEST_MAIN(IgnoreRulesTest)
#include "tst_ignorerules.moc"

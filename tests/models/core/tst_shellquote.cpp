// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/shellquote.h"
#include "tests/support/testbase.h"

#include <QProcess>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The referee is a real shell: what it passes on must be the word that went in.
class ShellQuoteTest : public test::Suite {
    Q_OBJECT
private slots:
    void form_data();
    void form();
    void throughShell_data();
    void throughShell();
};

void ShellQuoteTest::form_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("quoted");
    QTest::newRow("bare") << u"train.py"_s << u"train.py"_s;
    QTest::newRow("option") << u"--epochs=50"_s << u"--epochs=50"_s;
    QTest::newRow("empty") << QString() << u"''"_s;
    QTest::newRow("blank") << u"a b"_s << u"'a b'"_s;
    QTest::newRow("quote") << u"it's"_s << u"'it'\\''s'"_s;
    QTest::newRow("variable") << u"$HOME"_s << u"'$HOME'"_s;
    QTest::newRow("home") << u"~/x"_s << u"'~/x'"_s;
    QTest::newRow("NUL is dropped") << (u"a"_s + QChar(u'\0') + u"b"_s) << u"ab"_s;
    QTest::newRow("only NUL") << QString(QChar(u'\0')) << u"''"_s;
}

void ShellQuoteTest::form()
{
    QFETCH(QString, word);
    QTEST(shellQuote(word), "quoted");
}

void ShellQuoteTest::throughShell_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("plain") << QStringList{u"a"_s, u"b"_s};
    QTest::newRow("nasty") << QStringList{
        u"'; touch /tmp/never; '"_s, u"`id`"_s, u"$(id)"_s, u"a\\b"_s, u"\"x\""_s, u"*"_s, u"!"_s, u"#"_s};
    QTest::newRow("lines") << QStringList{u"a\nb"_s, u"tab\there"_s, u" lead"_s, QString()};
    QTest::newRow("letters") << QStringList{u"Jyväskylä"_s, u"日本"_s, u"-n"_s};
}

void ShellQuoteTest::throughShell()
{
    QFETCH(QStringList, words);
    QProcess shell;
    shell.start(u"/bin/sh"_s, {u"-c"_s, u"printf '%s\\001' "_s + shellQuote(words)});
    QVERIFY(shell.waitForFinished(test::longWaitMs));
    QStringList back = QString::fromUtf8(shell.readAllStandardOutput()).split(QChar(u'\x01'));
    back.removeLast();
    QCOMPARE(back, words);
}

RANKWRIGHT_TEST_MAIN(ShellQuoteTest)
#include "tst_shellquote.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/linediff.h"
#include "widgets/sbatchlexer.h"
#include "widgets/scripteditor.h"
#include "widgets/scriptpanel.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

ScriptDocument documentOf(int nodes, int filler = 120)
{
    ScriptDocument document;
    document.lines.append({u"#!/bin/bash"_s, {}, u"The shell that runs the script."_s, {}});
    document.lines.append(
        {u"#SBATCH --nodes=%1"_s.arg(nodes), {u"resources.nodes"_s}, u"Machines of the job."_s, u"R03"_s});
    document.lines.append({QString(), {}, {}, {}});
    for (int i = 0; i < filler; ++i)
        document.lines.append({u"export VALUE_%1=%1"_s.arg(i), {u"environment.variables"_s}, u"Yours."_s, {}});
    document.lines.append({u"srun --nodes=%1 train.py"_s.arg(nodes), {u"resources.nodes"_s, u"command"_s},
        u"Starts the program."_s, u"R30"_s});
    return document;
}

using Style = SbatchLexer::Style;

/// The style of the first byte of `part` in `script`.
int styleOf(const QByteArray& script, const QByteArray& part)
{
    const qsizetype at = script.indexOf(part);
    qsizetype position = 0;
    for (const auto& run : SbatchLexer::tokenize(script)) {
        position += run.length;
        if (at < position)
            return run.style;
    }
    return -1;
}

} // namespace

class TestScriptEditor final : public test::Suite {
    Q_OBJECT
private slots:
    void coversEveryByte_data();
    void coversEveryByte();
    void tellsDirectivesFromComments();
    void stylesShellText_data();
    void stylesShellText();
    void showsTheDocument();
    void keepsTheViewWhenOtherLinesChange();
    void lightsTheLinesOfAField();
    void saysWhyALineIsThere();
    void asksForTheFieldOfALine();
    void findsText();
    void opensTheSearchStrip();
    void survivesRandomDocuments();
    void findsTheFewestLines();

private:
    Theme m_theme;
};

void TestScriptEditor::coversEveryByte_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("open quote") << QByteArray("echo \"never closed\n$X");
    QTest::newRow("open single quote") << QByteArray("echo 'never\nclosed");
    QTest::newRow("open brace") << QByteArray("echo ${X");
    QTest::newRow("ends in backslash") << QByteArray("srun \\");
    QTest::newRow("dollar alone") << QByteArray("a $ b $");
    QTest::newRow("umlauts") << QByteArray("# Prüfung – läuft\necho \"ü\"");
    QTest::newRow("real") << documentOf(2).text().toUtf8();
}

void TestScriptEditor::coversEveryByte()
{
    QFETCH(QByteArray, script);
    qsizetype sum = 0;
    for (const auto& run : SbatchLexer::tokenize(script)) {
        QVERIFY(run.length > 0);
        sum += run.length;
    }
    QCOMPARE(sum, script.size());
}

// sbatch(1): a directive starts with #SBATCH at the start of a line; "# SBATCH" and "##SBATCH" are comments.
void TestScriptEditor::tellsDirectivesFromComments()
{
    QCOMPARE(styleOf("#!/bin/bash\n#SBATCH --nodes=2\n", "#SBATCH"), int(Style::Directive));
    QCOMPARE(styleOf("# SBATCH --nodes=2\n", "# SBATCH"), int(Style::Comment));
    QCOMPARE(styleOf("##SBATCH --nodes=2\n", "##SBATCH"), int(Style::Comment));
    QCOMPARE(styleOf("  #SBATCH --nodes=2\n", "#SBATCH"), int(Style::Comment));
    QCOMPARE(styleOf("echo a#b\n", "#b"), int(Style::Plain)); // bash: no comment inside a word
}

void TestScriptEditor::stylesShellText_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<int>("style");
    QTest::newRow("keyword") << QByteArray("if true; then") << QByteArray("then") << int(Style::Keyword);
    QTest::newRow("command") << QByteArray("srun train.py") << QByteArray("srun") << int(Style::Command);
    QTest::newRow("assignment") << QByteArray("export NAME=1") << QByteArray("NAME") << int(Style::Variable);
    QTest::newRow("variable") << QByteArray("echo $HOME/x") << QByteArray("$HOME") << int(Style::Variable);
    QTest::newRow("in double quotes") << QByteArray("echo \"a $HOME\"") << QByteArray("$HOME") << int(Style::Variable);
    QTest::newRow("in single quotes") << QByteArray("echo 'a $HOME'") << QByteArray("$HOME") << int(Style::String);
    QTest::newRow("escaped") << QByteArray("echo \"\\$HOME\"") << QByteArray("HOME") << int(Style::String);
    QTest::newRow("option") << QByteArray("srun --nodes=2") << QByteArray("--nodes") << int(Style::Option);
    QTest::newRow("not a keyword in a path") << QByteArray("cat /do/x") << QByteArray("do/") << int(Style::Plain);
}

void TestScriptEditor::stylesShellText()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, part);
    QFETCH(int, style);
    QCOMPARE(styleOf(script, part), style);
}

void TestScriptEditor::showsTheDocument()
{
    ScriptEditor editor;
    const auto document = documentOf(2);
    editor.setDocumentShown(document);
    QCOMPARE(editor.text(), document.text());
    QVERIFY(editor.isReadOnly());
    QTest::keyClicks(&editor, u"abc"_s);
    QCOMPARE(editor.text(), document.text());
    editor.setDocumentShown({});
    QCOMPARE(editor.text(), QString());
    editor.setDocumentShown(document);
    QCOMPARE(editor.text(), document.text());
}

void TestScriptEditor::keepsTheViewWhenOtherLinesChange()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(documentOf(2));
    editor.showLine(80);
    editor.setSelection(84, 0, 84, 6);
    const int first = editor.firstVisibleLine();
    QVERIFY(first > 20);
    const QString chosen = editor.selectedText();
    editor.setDocumentShown(documentOf(16));
    QCOMPARE(editor.firstVisibleLine(), first);
    QCOMPARE(editor.text(), documentOf(16).text());
    editor.setDocumentShown(documentOf(16, 121)); // one line more at the end of the block
    QCOMPARE(editor.firstVisibleLine(), first);
    QVERIFY(!chosen.isEmpty());
}

void TestScriptEditor::lightsTheLinesOfAField()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(documentOf(2));
    editor.lightField(u"resources.nodes"_s);
    QCOMPARE(editor.litLines(), (QList<int>{1, 123}));
    editor.setDocumentShown(documentOf(4)); // still lit after an edit
    QCOMPARE(editor.litLines(), (QList<int>{1, 123}));
    editor.lightField({});
    QVERIFY(editor.litLines().isEmpty());
}

void TestScriptEditor::saysWhyALineIsThere()
{
    ScriptEditor editor;
    editor.setDocumentShown(documentOf(2));
    QCOMPARE(editor.noteOf(1), u"Machines of the job.\nSource: R03"_s);
    QCOMPARE(editor.noteOf(2), QString());
    QCOMPARE(editor.noteOf(-1), QString());
    QCOMPARE(editor.noteOf(5000), QString());
}

void TestScriptEditor::asksForTheFieldOfALine()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(documentOf(2));
    QSignalSpy asked(&editor, &ScriptEditor::fieldRequested);
    editor.setCursorPosition(1, 0);
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().toString(), u"resources.nodes"_s);
    editor.setCursorPosition(2, 0);
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
}

void TestScriptEditor::findsText()
{
    ScriptEditor editor;
    editor.setDocumentShown(documentOf(2));
    QVERIFY(editor.find(u"train.py"_s, true));
    QCOMPARE(editor.selectedText(), u"train.py"_s);
    QVERIFY(editor.find(u"--nodes"_s, true)); // around the end
    int line = -1;
    int index = -1;
    editor.getCursorPosition(&line, &index);
    QCOMPARE(line, 1);
    QVERIFY(editor.find(u"--nodes"_s, true));
    editor.getCursorPosition(&line, &index);
    QCOMPARE(line, 123);
    QVERIFY(editor.find(u"--nodes"_s, false));
    editor.getCursorPosition(&line, &index);
    QCOMPARE(line, 1);
    QVERIFY(!editor.find(u"not there"_s, true));
}

void TestScriptEditor::opensTheSearchStrip()
{
    QWidget host;
    ScriptPanel panel(&host);
    panel.resize(400, 300);
    host.show();
    panel.setDocumentShown(documentOf(2), u"llama"_s);
    auto* field = panel.findChild<QLineEdit*>();
    QVERIFY(field);
    QVERIFY(!field->isVisible());
    QTest::keyClick(&panel.editor(), Qt::Key_F, Qt::ControlModifier);
    QVERIFY(field->isVisible());
    QTest::keyClicks(field, u"srun"_s);
    QCOMPARE(panel.editor().selectedText(), u"srun"_s);
    QTest::keyClicks(field, u"zz"_s);
    QCOMPARE(field->property("invalid").toBool(), true);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
}

void TestScriptEditor::survivesRandomDocuments()
{
    ScriptEditor editor;
    quint32 seed = 7;
    const auto next = [&seed](quint32 below) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 16) % below;
    };
    for (int round = 0; round < 200; ++round) {
        ScriptDocument document;
        for (quint32 i = next(12); i > 0; --i)
            document.lines.append({u"line %1"_s.arg(next(4)), {}, {}, {}});
        editor.setDocumentShown(document);
        QCOMPARE(editor.text(), document.text());
    }
}

void TestScriptEditor::findsTheFewestLines()
{
    QVERIFY(lineDifference({u"a"_s}, {u"a"_s}).isEmpty());
    const QStringList from{u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s};
    QCOMPARE(
        lineDifference(from, {u"a"_s, u"B"_s, u"c"_s, u"D"_s, u"e"_s}), (QList<LineHunk>{{1, 2, 1, 2}, {3, 4, 3, 4}}));
    QCOMPARE(
        lineDifference(from, {u"a"_s, u"c"_s, u"d"_s, u"x"_s, u"e"_s}), (QList<LineHunk>{{1, 2, 1, 1}, {4, 4, 3, 4}}));
    QCOMPARE(lineDifference({}, from), (QList<LineHunk>{{0, 0, 0, 5}}));
}

RANKWRIGHT_WIDGET_TEST_MAIN(TestScriptEditor)
#include "tst_scripteditor.moc"

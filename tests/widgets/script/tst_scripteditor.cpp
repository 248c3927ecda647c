// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linediff.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/longdocument.h"
#include "widgets/base/theme.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptpanel.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// A remark about one line, counted from 1.
ScriptRemark remarkOf(Severity severity, int line, const QString& text, int index)
{
    ScriptRemark remark;
    remark.finding.severity = severity;
    remark.finding.text = text;
    remark.lines = {line, line};
    remark.index = index;
    return remark;
}

} // namespace

class ScriptEditorTest final : public test::Suite {
    Q_OBJECT
private slots:
    void showsTheDocument();
    void reportsWhatIsTyped();
    void endsTheLastLine();
    void keepsTheCursorWhenOthersEdit();
    void leavesUndoToTheDesign();
    void leavesTabToTheWindow();
    void indentsAndComments();
    void underlinesRemarks();
    void offersFixesByKeyboard();
    void showsWhatIsYours();
    void keepsTheViewWhenOtherLinesChange();
    void lightsTheLinesOfAField();
    void saysWhyALineIsThere();
    void asksForTheFieldOfALine();
    void survivesRandomDocuments();
    void findsTheFewestLines();

private:
    Theme m_theme;
};

void ScriptEditorTest::showsTheDocument()
{
    ScriptEditor editor;
    const auto document = test::longDocument(2);
    editor.setDocumentShown(document);
    QCOMPARE(editor.text(), document.text());
    editor.setDocumentShown({});
    QCOMPARE(editor.text(), QString());
    editor.setDocumentShown(document);
    QCOMPARE(editor.text(), document.text());
}

/// What is typed leaves in the same turn as the key, whole, and further keys of the same typing say so.
void ScriptEditorTest::reportsWhatIsTyped()
{
    ScriptEditor editor;
    editor.setDocumentShown(test::longDocument(2));
    QSignalSpy edited(&editor, &ScriptEditor::textEdited);
    editor.setCursorPosition(1, 16); // behind --nodes=
    QTest::keyClicks(&editor, u"16"_s);
    QCOMPARE(edited.count(), 2);
    QCOMPARE(edited.at(1).at(0).toString(),
        test::longDocument(2).text().replace(u"#SBATCH --nodes=2"_s, u"#SBATCH --nodes=162"_s));
    QVERIFY(!edited.at(0).at(1).toBool());
    QVERIFY(edited.at(1).at(1).toBool());
    QTest::keyClick(&editor, Qt::Key_Delete);
    QCOMPARE(edited.count(), 3);
    QVERIFY(edited.at(2).at(1).toBool());
    editor.setCursorPosition(5, 0); // elsewhere: a step of its own
    QTest::keyClicks(&editor, u"x"_s);
    QVERIFY(!edited.at(3).at(1).toBool());
    QTest::keyClick(&editor, Qt::Key_Return); // a line break, too
    QVERIFY(!edited.at(4).at(1).toBool());
    editor.setReadOnly(true);
    QTest::keyClicks(&editor, u"abc"_s);
    QCOMPARE(edited.count(), 5);
}

/// A text whose last line was left without its newline comes out as a script's text: each line ended.
void ScriptEditorTest::endsTheLastLine()
{
    ScriptEditor editor;
    ScriptDocument document;
    document.lines = {{u"a"_s, {}, {}, {}}, {u"b"_s, {}, {}, {}}};
    editor.setDocumentShown(document);
    QSignalSpy edited(&editor, &ScriptEditor::textEdited);
    editor.setCursorPosition(2, 0);
    QTest::keyClick(&editor, Qt::Key_Backspace);
    QCOMPARE(edited.last().first().toString(), u"a\nb\n"_s);
    document.lines.append({u"c"_s, {}, {}, {}});
    editor.setDocumentShown(document);
    QCOMPARE(editor.text(), u"a\nb\nc\n"_s);
}

/// The form changes lines while the cursor is in the text: neither cursor nor view may jump.
void ScriptEditorTest::keepsTheCursorWhenOthersEdit()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(test::longDocument(2));
    editor.setCursorPosition(84, 5);
    editor.showLine(80);
    const int first = editor.firstVisibleLine();
    int line = 0;
    int column = 0;
    editor.setDocumentShown(test::longDocument(16)); // lines 1 and 123 differ
    editor.getCursorPosition(&line, &column);
    QCOMPARE(line, 84);
    QCOMPARE(column, 5);
    QCOMPARE(editor.firstVisibleLine(), first);
    ScriptDocument longer = test::longDocument(16);
    longer.lines.insert(2, ScriptLine{u"#SBATCH --mem=480G"_s, {u"resources.memoryPerNode"_s}, {}, {}});
    editor.setDocumentShown(longer); // a line more above: the same text stays under the cursor
    editor.getCursorPosition(&line, &column);
    QCOMPARE(line, 85);
    QCOMPARE(column, 5);
    QCOMPARE(editor.firstVisibleLine(), first + 1);
    editor.setCursorPosition(1, 12);
    longer.lines[1].text = u"#SBATCH --nodes=512"_s;
    editor.setDocumentShown(longer); // the cursor's own line
    editor.getCursorPosition(&line, &column);
    QCOMPARE(line, 1);
    QCOMPARE(column, 12);
}

void ScriptEditorTest::leavesUndoToTheDesign()
{
    ScriptEditor editor;
    editor.setDocumentShown(test::longDocument(2));
    QSignalSpy undone(&editor, &ScriptEditor::undoRequested);
    QSignalSpy redone(&editor, &ScriptEditor::redoRequested);
    QTest::keyClicks(&editor, u"abc"_s);
    const QString typed = editor.text();
    QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(undone.count(), 1);
    QCOMPARE(editor.text(), typed); // nothing of its own
    QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(redone.count(), 1);
}

void ScriptEditorTest::leavesTabToTheWindow()
{
    QWidget host;
    ScriptEditor editor(&host);
    QLineEdit next(&host);
    host.show();
    QApplication::setActiveWindow(&host);
    editor.setFocus();
    QTest::keyClick(&editor, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), &next);
    QVERIFY(!editor.text().contains(u'\t'));
}

void ScriptEditorTest::indentsAndComments()
{
    ScriptEditor editor;
    ScriptDocument document;
    document.lines = {{u"#SBATCH --nodes=2"_s, {}, {}, {}}, {u"    srun a"_s, {}, {}, {}}};
    editor.setDocumentShown(document);
    editor.setCursorPosition(1, 10);
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(editor.text(2), u"    \n"_s); // indented as the line above
    editor.setCursorPosition(1, 0);
    QTest::keyClick(&editor, Qt::Key_BracketRight, Qt::ControlModifier);
    QCOMPARE(editor.text(1), u"        srun a\n"_s);
    QTest::keyClick(&editor, Qt::Key_BracketLeft, Qt::ControlModifier);
    QTest::keyClick(&editor, Qt::Key_BracketLeft, Qt::ControlModifier);
    QCOMPARE(editor.text(1), u"srun a\n"_s);
    QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(editor.text(1), u"# srun a\n"_s);
    QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(editor.text(1), u"srun a\n"_s);
    editor.setCursorPosition(0, 0);
    QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(editor.text(0), u"##SBATCH --nodes=2\n"_s); // sbatch(1) passes over it
    QTest::keyClick(&editor, Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(editor.text(0), u"#SBATCH --nodes=2\n"_s);
}

/// Squiggles are under what the sentence quotes, in the right line, also behind characters of several bytes.
void ScriptEditorTest::underlinesRemarks()
{
    ScriptEditor editor;
    ScriptDocument document;
    document.lines = {{u"#!/bin/bash"_s, {}, {}, {}}, {u"#SBATCH --comment=Prüfung --mem=4 G"_s, {}, {}, {}},
        {u"    srun x   "_s, {}, {}, {}}};
    editor.setDocumentShown(document);
    ScriptRemark error = remarkOf(Severity::Error, 2, u"The blank in “--mem=4 G” ends the value."_s, 0);
    error.finding.source = u"sbatch(1)"_s;
    error.finding.fix = Fix{u"Write --mem=4G"_s};
    editor.setRemarks({error, remarkOf(Severity::Warning, 3, u"Nothing quoted."_s, 1)});
    const auto underlined = [&editor](int indicator, int line, int column) {
        const long at = editor.positionFromLineIndex(line, column);
        return editor.SendScintilla(QsciScintillaBase::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator), at)
            != 0;
    };
    const int start = int(document.lines.at(1).text.indexOf(u"--mem"_s));
    QVERIFY(!underlined(10, 1, start - 1));
    QVERIFY(underlined(10, 1, start));
    QVERIFY(underlined(10, 1, start + 8));
    QVERIFY(!underlined(10, 0, 3));
    QVERIFY(underlined(9, 2, 4));
    QVERIFY(!underlined(9, 2, 3));
    QVERIFY(!underlined(9, 2, 11));
    QVERIFY(editor.markersAtLine(1) != 0);
    QVERIFY(editor.noteOf(1).contains(u"The blank in"_s));
    QVERIFY(editor.noteOf(1).contains(u"Write --mem=4G"_s));
    QVERIFY(editor.noteOf(1).contains(u"sbatch(1)"_s));
    editor.setRemarks({});
    QVERIFY(!underlined(10, 1, start));
    QCOMPARE(editor.markersAtLine(1), 0u);
}

void ScriptEditorTest::offersFixesByKeyboard()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(test::longDocument(2));
    ScriptRemark error = remarkOf(Severity::Error, 2, u"Wrong."_s, 0);
    error.finding.fix = Fix{u"Write it so"_s};
    editor.setRemarks({error, remarkOf(Severity::Hint, 61, u"Look."_s, 1)});
    QSignalSpy fixed(&editor, &ScriptEditor::fixRequested);
    editor.setCursorPosition(30, 0);
    QTest::keyClick(&editor, Qt::Key_F8);
    QCOMPARE(editor.currentLine(), 60);
    QTest::keyClick(&editor, Qt::Key_F8); // around the end
    QCOMPARE(editor.currentLine(), 1);
    QTest::keyClick(&editor, Qt::Key_F8, Qt::ShiftModifier);
    QCOMPARE(editor.currentLine(), 60);
    QTest::keyClick(&editor, Qt::Key_F8);
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"does not support raise"_s)); // offscreen menus
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"does not support grabbing"_s));
    QTest::keyClick(&editor, Qt::Key_Return, Qt::AltModifier);
    auto* menu = editor.findChild<QMenu*>();
    QVERIFY(menu);
    QCOMPARE(menu->actions().first()->text(), u"Write it so"_s);
    menu->actions().first()->trigger();
    QCOMPARE(fixed.count(), 1);
    QCOMPARE(fixed.first().first().toInt(), 0);
    menu->close();
}

/// Lines of a person's own are distinguished from generated ones, and can be given back.
void ScriptEditorTest::showsWhatIsYours()
{
    ScriptEditor editor;
    ScriptDocument document = test::longDocument(2, 3);
    document.lines.insert(3, ScriptLine{u"echo mine"_s, {u"overrides"_s}, {}, {}});
    editor.setDocumentShown(document);
    QVERIFY(isYours(document.lines.at(3)));
    QVERIFY(!isYours(document.lines.at(1)));
    QVERIFY(editor.noteOf(3).startsWith(u"Yours"_s));
    QVERIFY(editor.markersAtLine(3) != editor.markersAtLine(1));
    QCOMPARE(editor.fieldOf(3), FieldPath());
    QSignalSpy back(&editor, &ScriptEditor::giveBackRequested);
    editor.setCursorPosition(3, 2);
    QTest::keyClick(&editor, Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(back.count(), 1);
    QCOMPARE(back.first().first().toInt(), 3);
}

void ScriptEditorTest::keepsTheViewWhenOtherLinesChange()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(test::longDocument(2));
    editor.showLine(80);
    editor.setSelection(84, 0, 84, 6);
    const int first = editor.firstVisibleLine();
    QVERIFY(first > 20);
    const QString chosen = editor.selectedText();
    editor.setDocumentShown(test::longDocument(16));
    QCOMPARE(editor.firstVisibleLine(), first);
    QCOMPARE(editor.text(), test::longDocument(16).text());
    editor.setDocumentShown(test::longDocument(16, 121)); // one line more at the end of the block
    QCOMPARE(editor.firstVisibleLine(), first);
    QVERIFY(!chosen.isEmpty());
}

void ScriptEditorTest::lightsTheLinesOfAField()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(test::longDocument(2));
    editor.lightField(u"resources.nodes"_s);
    QCOMPARE(editor.litLines(), (QList<int>{1, 123}));
    editor.setDocumentShown(test::longDocument(4)); // still lit after an edit
    QCOMPARE(editor.litLines(), (QList<int>{1, 123}));
    editor.lightField({});
    QVERIFY(editor.litLines().isEmpty());
}

void ScriptEditorTest::saysWhyALineIsThere()
{
    ScriptEditor editor;
    editor.setDocumentShown(test::longDocument(2));
    QCOMPARE(editor.noteOf(1), u"Machines of the job.\nSource: R03"_s);
    QCOMPARE(editor.noteOf(2), QString());
    QCOMPARE(editor.noteOf(-1), QString());
    QCOMPARE(editor.noteOf(5000), QString());
}

void ScriptEditorTest::asksForTheFieldOfALine()
{
    ScriptEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setDocumentShown(test::longDocument(2));
    QSignalSpy asked(&editor, &ScriptEditor::fieldRequested);
    editor.setCursorPosition(1, 0);
    QTest::keyClick(&editor, Qt::Key_F12);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().toString(), u"resources.nodes"_s);
    editor.setCursorPosition(2, 0);
    QTest::keyClick(&editor, Qt::Key_F12);
    QCOMPARE(asked.count(), 1);
}

void ScriptEditorTest::survivesRandomDocuments()
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

void ScriptEditorTest::findsTheFewestLines()
{
    QVERIFY(lineDifference({u"a"_s}, {u"a"_s}).isEmpty());
    const QStringList from{u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s};
    QCOMPARE(
        lineDifference(from, {u"a"_s, u"B"_s, u"c"_s, u"D"_s, u"e"_s}), (QList<LineHunk>{{1, 2, 1, 2}, {3, 4, 3, 4}}));
    QCOMPARE(
        lineDifference(from, {u"a"_s, u"c"_s, u"d"_s, u"x"_s, u"e"_s}), (QList<LineHunk>{{1, 2, 1, 1}, {4, 4, 3, 4}}));
    QCOMPARE(lineDifference({}, from), (QList<LineHunk>{{0, 0, 0, 5}}));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ScriptEditorTest)
#include "tst_scripteditor.moc"

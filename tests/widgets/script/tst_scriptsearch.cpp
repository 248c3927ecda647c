// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/longdocument.h"
#include "widgets/base/theme.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptpanel.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Search and replacement in the script.
class ScriptSearchTest final : public test::Suite {
    Q_OBJECT
private slots:
    void findsText();
    void replacesText();
    void opensTheSearchStrip();

private:
    Theme m_theme;
};

void ScriptSearchTest::findsText()
{
    ScriptEditor editor;
    editor.setDocumentShown(test::longDocument(2));
    QVERIFY(editor.search().find(u"train.py"_s, ScriptSearch::Direction::Forward));
    QCOMPARE(editor.selectedText(), u"train.py"_s);
    QVERIFY(editor.search().find(u"--nodes"_s, ScriptSearch::Direction::Forward)); // around the end
    int line = -1;
    int index = -1;
    editor.getCursorPosition(&line, &index);
    QCOMPARE(line, 1);
    QVERIFY(editor.search().find(u"--nodes"_s, ScriptSearch::Direction::Forward));
    editor.getCursorPosition(&line, &index);
    QCOMPARE(line, 123);
    QVERIFY(editor.search().find(u"--nodes"_s, ScriptSearch::Direction::Backward));
    editor.getCursorPosition(&line, &index);
    QCOMPARE(line, 1);
    QVERIFY(!editor.search().find(u"not there"_s, ScriptSearch::Direction::Forward));
}

void ScriptSearchTest::replacesText()
{
    ScriptEditor editor;
    ScriptDocument document;
    document.lines = {{u"a Aa ü a"_s, {}, {}, {}}, {u"b"_s, {}, {}, {}}};
    editor.setDocumentShown(document);
    QSignalSpy edited(&editor, &ScriptEditor::textEdited);
    QCOMPARE(editor.search().markHits(u"a"_s, Qt::CaseSensitive), 3);
    QCOMPARE(editor.search().markHits(u"a"_s, Qt::CaseInsensitive), 4);
    QVERIFY(editor.search().find(u"a"_s, ScriptSearch::Direction::Forward, Qt::CaseSensitive));
    QVERIFY(editor.search().replaceHit(u"a"_s, u"xyz"_s, Qt::CaseSensitive));
    QCOMPARE(editor.text(0), u"xyz Aa ü a\n"_s);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(editor.search().replaceAll(u"a"_s, u""_s, Qt::CaseSensitive), 2);
    QCOMPARE(editor.text(0), u"xyz A ü \n"_s);
    QCOMPARE(edited.count(), 2); // one edit, however many hits
    QCOMPARE(editor.search().replaceAll(u"nothing"_s, u"x"_s, Qt::CaseSensitive), 0);
    QCOMPARE(edited.count(), 2);
}

void ScriptSearchTest::opensTheSearchStrip()
{
    QWidget host;
    ScriptPanel panel(&host);
    panel.resize(400, 300);
    host.show();
    panel.setDocumentShown(test::longDocument(2), u"llama"_s);
    auto* field = panel.findChild<QLineEdit*>();
    QVERIFY(field);
    QCOMPARE(field->accessibleName(), u"Search in the script"_s);
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

RANKWRIGHT_WIDGET_TEST_MAIN(ScriptSearchTest)
#include "tst_scriptsearch.moc"

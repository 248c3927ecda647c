// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/script/scripteditor.h"

#include <QAbstractButton>
#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Parts of a script that somebody else has set, folded to one line each.
class ScriptFoldsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_editor.reset(); }
    void aPartIsOneStrip();
    void opensAndClosesByKeyboard();
    void theTextIsUntouched();
    void theCursorIsNeverOutOfSight();
    void whatIsWrongIsSeen();
    void anotherTextIsNotFolded();
    void theStripFollowsTheView();
    void aStripOutOfViewGivesTheFocusAway();

private:
    static ScriptDocument document(int lines)
    {
        ScriptDocument made;
        for (int i = 0; i < lines; ++i) {
            ScriptLine line;
            line.text = u"echo %1"_s.arg(i);
            made.lines.append(line);
        }
        return made;
    }
    static ScriptFold part() { return {4, 20, u"the software"_s, u"set by the class"_s}; }
    QAbstractButton* strip() const
    {
        for (auto* each : m_editor->viewport()->findChildren<QAbstractButton*>())
            if (!each->isHidden())
                return each;
        return nullptr;
    }

    Theme m_theme;
    std::unique_ptr<ScriptEditor> m_editor;
};

void ScriptFoldsTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme.setMode(Theme::Mode::Light);
    m_theme.apply();
    m_editor = std::make_unique<ScriptEditor>();
    m_editor->resize(500, 600);
    m_editor->setDocumentShown(document(40));
    m_editor->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_editor.get(), test::longWaitMs));
    QApplication::setActiveWindow(m_editor.get());
}

void ScriptFoldsTest::aPartIsOneStrip()
{
    QVERIFY(!strip());
    m_editor->setFolds({part()});
    QVERIFY(m_editor->folds().isFolded(4) && m_editor->folds().isFolded(20));
    QVERIFY(!m_editor->folds().isFolded(3) && !m_editor->folds().isFolded(21));
    QCOMPARE(m_editor->rowOf(21), 5); // four lines, and the strip
    QVERIFY(strip());
    QCOMPARE(strip()->text(), u"5–21: the software"_s);
    QCOMPARE(strip()->accessibleName(), u"Show lines 5–21: the software, set by the class"_s);
    QVERIFY(strip()->width() >= m_editor->viewport()->width());
    m_editor->setFolds({});
    QVERIFY(!strip());
    QCOMPARE(m_editor->rowOf(21), 21);
}

void ScriptFoldsTest::opensAndClosesByKeyboard()
{
    m_editor->setFolds({part()});
    QVERIFY(strip()->focusPolicy() & Qt::TabFocus);
    strip()->setFocus();
    QTest::keyClick(strip(), Qt::Key_Space);
    QVERIFY(!m_editor->folds().isFolded(4));
    QVERIFY(strip() && strip()->hasFocus());
    QVERIFY(strip()->accessibleName().startsWith(u"Fold lines"_s));
    // A design that changes comes with the same parts: what was opened stays open.
    m_editor->setDocumentShown(document(41));
    QVERIFY(!m_editor->folds().isFolded(4));
    m_editor->setFolds({part()});
    QVERIFY(!m_editor->folds().isFolded(4));
    strip()->setFocus();
    QTest::keyClick(strip(), Qt::Key_Space);
    QVERIFY(m_editor->folds().isFolded(4));
}

void ScriptFoldsTest::theTextIsUntouched()
{
    QSignalSpy edited(m_editor.get(), &ScriptEditor::textEdited);
    m_editor->setFolds({part()});
    QCOMPARE(m_editor->text(), document(40).text());
    QCOMPARE(edited.size(), 0);
    m_editor->setDocumentShown(document(40));
    QVERIFY(m_editor->folds().isFolded(4)); // the same text: nothing has to be folded again
}

void ScriptFoldsTest::theCursorIsNeverOutOfSight()
{
    m_editor->setFolds({part()});
    m_editor->goToLine(10); // as a finding or a search does
    QVERIFY(!m_editor->folds().isFolded(10));
    QCOMPARE(m_editor->currentLine(), 10);
}

void ScriptFoldsTest::whatIsWrongIsSeen()
{
    m_editor->setFolds({part()});
    ScriptRemark remark;
    remark.lines = {13, 13};
    remark.index = 0;
    remark.finding.severity = Severity::Error;
    remark.finding.text = u"wrong"_s;
    m_editor->setRemarks({remark});
    QVERIFY(!m_editor->folds().isFolded(12));
    m_editor->setRemarks({});
    QVERIFY(m_editor->folds().isFolded(12));
}

void ScriptFoldsTest::anotherTextIsNotFolded()
{
    m_editor->setFolds({part()});
    m_editor->setDocumentShown(document(8));
    QVERIFY(!strip());
    QVERIFY(!m_editor->folds().isFolded(5));
    m_editor->setFolds({part()}); // of a longer one
    QCOMPARE(m_editor->text(), document(8).text());
    QVERIFY(!strip());
}

void ScriptFoldsTest::theStripFollowsTheView()
{
    m_editor->setDocumentShown(document(200));
    m_editor->setFolds({{100, 150, u"the software"_s, u"set by the class"_s}});
    QVERIFY(!strip()); // below the edge
    m_editor->SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE, 95ul);
    QTRY_VERIFY(strip());
    const int before = strip()->y();
    m_editor->SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE, 97ul);
    QTRY_VERIFY(strip() && strip()->y() < before);
}

void ScriptFoldsTest::aStripOutOfViewGivesTheFocusAway()
{
    m_editor->setDocumentShown(document(400));
    m_editor->setFolds({part(), {30, 40, u"the launch"_s, u"set by the class"_s}});
    strip()->setFocus();
    m_editor->verticalScrollBar()->setValue(m_editor->verticalScrollBar()->maximum());
    QTRY_VERIFY(!strip());
    QVERIFY(m_editor->hasFocus());
}

RANKWRIGHT_WIDGET_TEST_MAIN(ScriptFoldsTest)
#include "tst_scriptfolds.moc"

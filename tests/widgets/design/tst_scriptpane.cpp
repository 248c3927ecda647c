// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/showndesignpage.h"
#include "widgets/base/quantityedit.h"
#include "widgets/design/findingspanel.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace rankwright;
using test::fieldOf;
using test::retype;

/// The script beside the form: folds, wrapping, where it stands, and the way between a field and its lines.
class ScriptPaneTest final : public test::Suite, private test::ShownDesignPage {
    Q_OBJECT
private slots:
    void init() override;
    void foldsTheScript();
    void wrapsTheScript();
    void keepsTheScriptWhereItIs();
    void opensTheScriptAtItsTop();
    void foldsWhatIsRoutine();
    void endsWithALine();
    void lightsTheFieldsLines();
    void goesFromALineToItsField();
};

void ScriptPaneTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    build();
}

void ScriptPaneTest::foldsTheScript()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    QVERIFY(editor->isVisible());
    m_page->resize(960, 650);
    QApplication::processEvents();
    QVERIFY(!editor->isVisible());
    QVERIFY(m_page->findChild<FindingsPanel*>()->isVisibleTo(m_page));
    for (auto* button : m_page->findChildren<QToolButton*>()) {
        if (button->text() == u"Script")
            button->click();
    }
    QVERIFY(editor->isVisible());
    m_page->resize(1400, 850);
    QApplication::processEvents();
    QVERIFY(editor->isVisible());
    QVERIFY(m_page->findChild<RankMapView*>()->isVisible());
}

/// At 1280 px lines were cut after some 26 characters.
void ScriptPaneTest::wrapsTheScript()
{
    m_page->resize(1211, 754);
    QApplication::processEvents();
    auto* editor = m_page->findChild<ScriptEditor*>();
    const QStringList lines = editor->text().split(u'\n');
    int longest = 0;
    for (int line = 0; line < lines.size(); ++line)
        longest = lines.at(line).size() > lines.at(longest).size() ? line : longest;
    editor->goToLine(longest);
    QTRY_VERIFY(editor->SendScintilla(QsciScintilla::SCI_WRAPCOUNT, ulong(longest)) > 2);
    // Rows that go on are further right than where the line begins.
    const long begin = editor->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, ulong(longest));
    const long end = editor->SendScintilla(QsciScintilla::SCI_GETLINEENDPOSITION, ulong(longest));
    const auto x = [editor](long at) { return editor->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0ul, at); };
    const auto y = [editor](long at) { return editor->SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0ul, at); };
    long second = begin;
    while (second < end && y(second) == y(begin))
        ++second;
    QVERIFY(second < end);
    QVERIFY2(x(second) > editor->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0ul,
                 editor->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, 0ul)),
        qPrintable(QString::number(x(second))));
    QVERIFY(!editor->horizontalScrollBar()->isVisible());
}

/// Typing at a line's end emptied the pane; what is typed or taken back elsewhere left it scrolled.
void ScriptPaneTest::keepsTheScriptWhereItIs()
{
    m_page->resize(1211, 754);
    QApplication::processEvents();
    auto* editor = m_page->findChild<ScriptEditor*>();
    const auto top = [editor] {
        QApplication::processEvents();
        return std::pair(editor->firstVisibleLine(), int(editor->SendScintilla(QsciScintilla::SCI_GETXOFFSET)));
    };
    const auto before = top();
    QCOMPARE(before, std::pair(0, 0));
    auto* nodes = fieldOf<QuantityEdit>(*m_page, field::nodes);
    retype(nodes, u"4"_s);
    QCOMPARE(top(), before);
    QVERIFY(m_design->undo());
    QCOMPARE(top(), before);
    const int line = m_design->derived().script.linesOf(field::nodes).first();
    editor->goToLine(line);
    QCOMPARE(top(), before);
    QTest::keyClick(editor, Qt::Key_End);
    for (const char each : "  # a remark that is much longer than the pane is wide")
        QTest::keyClick(editor, each == 0 ? 'x' : each);
    QCOMPARE(top(), before);
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(top(), before);
    nodes->setFocus();
    editor->SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE, 7ul);
    const auto lower = top();
    retype(nodes, u"8"_s);
    QCOMPARE(top(), lower);
}

void ScriptPaneTest::opensTheScriptAtItsTop()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    editor->goToLine(editor->lines() - 2);
    QApplication::processEvents();
    QVERIFY(editor->firstVisibleLine() > 0);
    JobSpec other = m_design->spec();
    other.name = u"another"_s;
    m_design->replace(other);
    QApplication::processEvents();
    QCOMPARE(editor->firstVisibleLine(), 0);
    QCOMPARE(editor->currentLine(), 0);
}

/// What is the same in every job is one row each, until somebody wants to see it.
void ScriptPaneTest::foldsWhatIsRoutine()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    const auto lineWith
        = [editor](const QString& text) { return int(editor->text().left(editor->text().indexOf(text)).count(u'\n')); };
    const int guards = lineWith(u"# Guards"_s);
    QVERIFY(editor->folds().isFolded(guards));
    QVERIFY(!editor->folds().isFolded(lineWith(u"#SBATCH --nodes"_s)));
    QVERIFY(!editor->folds().isFolded(lineWith(u"# Launch"_s)));
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"4"_s);
    QVERIFY(editor->folds().isFolded(guards));
    editor->goToLine(guards + 1); // as a finding does
    QVERIFY(!editor->folds().isFolded(guards));
    // Another's folds take their place, and give it back.
    m_page->setScriptFolds(QList<ScriptFold>{});
    QVERIFY(!editor->folds().isFolded(lineWith(u"# Environment of every task"_s)));
    m_page->setScriptFolds(std::nullopt);
    QVERIFY(editor->folds().isFolded(lineWith(u"# Environment of every task"_s)));
}

/// Whoever deleted the end of the last line was shown another text than the one that is launched.
void ScriptPaneTest::endsWithALine()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    editor->setFocus();
    editor->setCursorPosition(editor->lines() - 1, 0);
    QTest::keyClick(editor, Qt::Key_Backspace);
    QApplication::processEvents();
    QCOMPARE(editor->text(), m_design->derived().script.text());
}

void ScriptPaneTest::lightsTheFieldsLines()
{
    m_host->activateWindow();
    m_page->focusField(field::nodes);
    QApplication::setActiveWindow(m_host.get());
    fieldOf<QuantityEdit>(*m_page, field::globalBatch)->setFocus();
    fieldOf<QuantityEdit>(*m_page, field::nodes)->setFocus();
    const auto* editor = m_page->findChild<ScriptEditor*>();
    QVERIFY(!editor->litLines().isEmpty());
    QCOMPARE(editor->litLines(), m_design->derived().script.linesOf(field::nodes));
}

void ScriptPaneTest::goesFromALineToItsField()
{
    QApplication::setActiveWindow(m_host.get());
    auto* editor = m_page->findChild<ScriptEditor*>();
    const QList<int> lines = m_design->derived().script.linesOf(field::time);
    QVERIFY(!lines.isEmpty());
    editor->setCursorPosition(lines.first(), 0);
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_F12);
    QCOMPARE(QApplication::focusWidget(), fieldOf<QuantityEdit>(*m_page, field::time));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ScriptPaneTest)
#include "tst_scriptpane.moc"

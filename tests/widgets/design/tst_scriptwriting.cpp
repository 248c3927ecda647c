// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linediff.h"
#include "models/script/document/scriptfindings.h"
#include "tests/support/testbase.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/design/findingspanel.h"
#include "widgets/script/differenceview.h"
#include "widgets/script/scriptcompleter.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptpanel.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Typing in the script changes the design, and back: one history, nothing lost.
class ScriptWritingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void carriesADirectiveToTheForm();
    void carriesTheFormToTheScript();
    void keepsWhatNoFieldSays();
    void undoesTextAndFormAlike();
    void mergesTyping();
    void givesBackTheGeneratedText();
    void remarksOnWhatIsTyped();
    void showsWhatIsSilenced();
    void findsWhatADeletionBreaks();
    void takesBackADeletion();
    void appliesAFixOfTheText();
    void comparesWithTheGeneratedScript();
    void lightsTheField();
    void jumpsFromTheFieldToItsLine();
    void losesNothingInRandomTyping_data();
    void losesNothingInRandomTyping();

private:
    QString text() const { return m_editor->text(); }
    int lineWith(const QString& part) const;
    void typeLine(int after, const QString& line);

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<QWidget> m_host;
    DesignPage* m_page = nullptr;
    ScriptEditor* m_editor = nullptr;
};

void ScriptWritingTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_host.reset();
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py"_s;
    m_design->replace(spec);
    m_host = std::make_unique<QWidget>();
    m_host->resize(1500, 900);
    m_page = new DesignPage(*m_design, m_host.get());
    m_page->resize(1500, 900);
    m_host->show();
    QApplication::setActiveWindow(m_host.get());
    m_editor = m_page->findChild<ScriptEditor*>();
    m_editor->setFocus();
}

int ScriptWritingTest::lineWith(const QString& part) const
{
    for (int line = 0; line < m_editor->lines(); ++line) {
        if (m_editor->text(line).contains(part))
            return line;
    }
    return -1;
}

/// Types a line of its own below another one.
void ScriptWritingTest::typeLine(int after, const QString& line)
{
    m_editor->setCursorPosition(after, int(m_editor->text(after).size()) - 1);
    QTest::keyClick(m_editor, Qt::Key_Return);
    QTest::keyClicks(m_editor, line);
    QTest::keyClick(m_editor, Qt::Key_Escape); // whatever is offered
}

void ScriptWritingTest::carriesADirectiveToTheForm()
{
    const int line = lineWith(u"#SBATCH --nodes=2"_s);
    QVERIFY(line > 0);
    m_editor->setCursorPosition(line, 17);
    QTest::keyClick(m_editor, Qt::Key_Backspace);
    QTest::keyClicks(m_editor, u"4"_s);
    QCOMPARE(m_design->spec().resources.nodes, std::optional<int>(4));
    QCOMPARE(m_page->findChild<QuantityEdit*>(field::nodes)->text(), u"4"_s);
    QCOMPARE(m_editor->text(line), u"#SBATCH --nodes=4\n"_s);
    QCOMPARE(m_editor->currentLine(), line);
}

void ScriptWritingTest::carriesTheFormToTheScript()
{
    const int line = lineWith(u"#SBATCH --time="_s);
    m_editor->setCursorPosition(line, 10);
    m_design->edit(u"Time"_s, [](JobSpec& spec) { spec.time = Seconds{3600}; });
    QCOMPARE(m_editor->text(line), u"#SBATCH --time=01:00:00\n"_s);
    int at = 0;
    int column = 0;
    m_editor->getCursorPosition(&at, &column);
    QCOMPARE(at, line);
    QCOMPARE(column, 10);
}

void ScriptWritingTest::keepsWhatNoFieldSays()
{
    typeLine(lineWith(u"#SBATCH --time="_s), u"#SBATCH --comment=mine"_s);
    typeLine(lineWith(u"export TOKENIZERS_PARALLELISM"_s), u"echo \"begun at $(date)\""_s);
    QCOMPARE(text(), m_design->derived().script.text());
    for (const QString& mine : {u"--comment=mine"_s, u"begun at"_s})
        QVERIFY2(lineWith(mine) > 0, qPrintable(mine));
    // The form goes on, and what was typed stays.
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 8; });
    m_design->edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"other"_s; });
    QVERIFY(text().contains(u"\n#SBATCH --comment=mine\n"_s));
    QVERIFY(text().contains(u"\necho \"begun at $(date)\"\n"_s));
    QVERIFY(text().contains(u"#SBATCH --nodes=8\n"_s));
    const int line = lineWith(u"begun at"_s);
    QVERIFY(isYours(m_design->derived().script.lines.at(line)));
    QVERIFY(m_editor->noteOf(line).contains(u"Yours"_s));
}

void ScriptWritingTest::undoesTextAndFormAlike()
{
    const JobSpec before = m_design->spec();
    const QString script = text();
    typeLine(lineWith(u"#SBATCH --time="_s), u"#SBATCH --comment=mine"_s);
    const QString typed = text();
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 8; });
    m_editor->setFocus();
    QTest::keyClick(m_editor, Qt::Key_Z, Qt::ControlModifier); // the form's step
    QCOMPARE(text(), typed);
    for (int i = 0; i < 3 && m_design->canUndo(); ++i)
        QTest::keyClick(m_editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(text(), script);
    QCOMPARE(m_design->spec(), before);
    QVERIFY(!m_design->canUndo());
    while (m_design->canRedo())
        QTest::keyClick(m_editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_design->spec().resources.nodes, std::optional<int>(8));
    QVERIFY(text().contains(u"--comment=mine"_s));
}

void ScriptWritingTest::mergesTyping()
{
    m_editor->setCursorPosition(lineWith(u"#SBATCH --time="_s), 0);
    QTest::keyClicks(m_editor, u"# a remark "_s);
    const QString typed = text();
    QVERIFY(m_design->undo()); // one step for all of it
    QVERIFY(!m_design->canUndo());
    QVERIFY(m_design->redo());
    QCOMPARE(text(), typed);
}

void ScriptWritingTest::givesBackTheGeneratedText()
{
    const QString script = text();
    typeLine(lineWith(u"export TOKENIZERS_PARALLELISM"_s), u"echo mine"_s);
    m_editor->setCursorPosition(lineWith(u"echo mine"_s), 2);
    QTest::keyClick(m_editor, Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(text(), script);
    // A generated line that was changed.
    const int line = lineWith(u"export PYTHONUNBUFFERED=1"_s);
    m_editor->setCursorPosition(line, int(m_editor->text(line).size()) - 1);
    QTest::keyClicks(m_editor, u"7"_s);
    QVERIFY(isYours(m_design->derived().script.lines.at(line))
        || m_design->spec().environment.variables.value(u"PYTHONUNBUFFERED"_s) == u"17");
    if (isYours(m_design->derived().script.lines.at(line))) {
        QTest::keyClick(m_editor, Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(text(), script);
    }
}

void ScriptWritingTest::remarksOnWhatIsTyped()
{
    // sbatch does not read a directive below a command (sbatch(1)).
    typeLine(lineWith(u"export TOKENIZERS_PARALLELISM"_s), u"#SBATCH --exclusive"_s);
    const int line = lineWith(u"#SBATCH --exclusive"_s);
    QVERIFY(!m_editor->remarksAt(line).isEmpty());
    QVERIFY(!m_editor->noteOf(line).isEmpty());
    bool reported = false;
    for (auto* button : m_page->findChild<FindingsPanel*>()->findChildren<QPushButton*>()) {
        if (button->text() == u"Line %1"_s.arg(line + 1)) {
            reported = true;
            m_editor->setCursorPosition(0, 0);
            button->click();
        }
    }
    QVERIFY(reported);
    auto* launch = m_page->findChild<QPushButton*>(u"launch"_s);
    QVERIFY(!launch->isEnabled()); // an error in a person's own line stops a launch like any other
    QCOMPARE(m_editor->currentLine(), line);
    QVERIFY(m_editor->hasFocus());
}

/// A finding that a comment silences is none, stops no launch, and is there to be seen: a mark, a sentence, a row.
void ScriptWritingTest::showsWhatIsSilenced()
{
    typeLine(lineWith(u"export TOKENIZERS_PARALLELISM"_s), u"# rankwright: ignore L16"_s);
    typeLine(lineWith(u"# rankwright: ignore L16"_s), u"#SBATCH --exclusive"_s);
    const int line = lineWith(u"#SBATCH --exclusive"_s);
    const QList<Finding>& findings = m_design->derived().findings();
    QVERIFY(std::none_of(findings.cbegin(), findings.cend(), [](const Finding& one) { return one.rule == u"L16"; }));
    QString said;
    QApplication::processEvents();
    auto* panel = m_page->findChild<FindingsPanel*>();
    for (const QLabel* label : panel->findChildren<QLabel*>()) // rows on their way out are hidden
        said += label->isVisibleTo(panel) ? label->text() + u'\n' : QString();
    QVERIFY2(
        said.contains(u"Silenced in line %1."_s.arg(line + 1)) && said.contains(u"1 silenced"_s), qPrintable(said));
    QVERIFY2(!said.contains(u"<b>Error.</b>"_s), qPrintable(said));
    QVERIFY(m_editor->markersAtLine(line) != 0);
    QVERIFY2(m_editor->noteOf(line).contains(u"Silenced (L16): "_s), qPrintable(m_editor->noteOf(line)));
    m_editor->setCursorPosition(0, 0);
    m_editor->goToRemark(true); // it is not a finding to go to
    QVERIFY(m_editor->currentLine() != line);
}

void ScriptWritingTest::findsWhatADeletionBreaks()
{
    QVERIFY(m_editor->text(0).startsWith(u"#!/bin/bash"_s));
    for (const ScriptRemark& remark : m_editor->remarks())
        QVERIFY2(remark.finding.severity != Severity::Error, qPrintable(remark.finding.text));
    m_editor->setSelection(0, 0, 1, 0);
    QTest::keyClick(m_editor, Qt::Key_Delete);
    QVERIFY(!m_editor->text(0).startsWith(u"#!/bin/bash"_s));
    // No line is anybody's own, and yet sbatch refuses the script (L16).
    const QList<ScriptLine>& lines = m_design->derived().script.lines;
    QVERIFY(std::none_of(lines.cbegin(), lines.cend(), isYours));
    const QList<ScriptRemark>& remarks = m_editor->remarks();
    QVERIFY(std::any_of(remarks.cbegin(), remarks.cend(), [](const ScriptRemark& remark) {
        return remark.finding.severity == Severity::Error && remark.finding.rule == u"L16" && remark.firstLine() == 0;
    }));
    QString said;
    for (const QLabel* label : m_page->findChild<FindingsPanel*>()->findChildren<QLabel*>())
        said += label->text() + u'\n';
    QVERIFY2(said.contains(u"<b>Error.</b>"_s) && said.contains(u"1 error"_s), qPrintable(said));
}

void ScriptWritingTest::takesBackADeletion()
{
    const auto errors = [this] {
        const QList<Finding>& findings = m_design->derived().findings();
        return std::count_if(findings.cbegin(), findings.cend(),
            [](const Finding& finding) { return finding.severity == Severity::Error; });
    };
    m_editor->setSelection(0, 0, 1, 0);
    QTest::keyClick(m_editor, Qt::Key_Delete);
    QCOMPARE(errors(), 1);
    QTest::keyClick(m_editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(errors(), 0);
    QVERIFY(m_editor->text(0).startsWith(u"#!/bin/bash"_s));
}

void ScriptWritingTest::appliesAFixOfTheText()
{
    typeLine(lineWith(u"export TOKENIZERS_PARALLELISM"_s), u"#SBATCH --exclusive"_s);
    const int line = lineWith(u"#SBATCH --exclusive"_s);
    const QList<int> said = m_editor->remarksAt(line);
    QVERIFY(!said.isEmpty());
    const ScriptRemark remark = m_editor->remarks().at(said.first());
    QVERIFY(!remark.fix().isEmpty());
    const QString before = text();
    emit m_editor->fixRequested(said.first());
    QVERIFY(text() != before);
    for (const ScriptRemark& left : m_editor->remarks())
        QVERIFY2(left.finding.text != remark.finding.text, qPrintable(left.finding.text));
    QVERIFY(m_design->undo()); // one step
    QCOMPARE(text(), before);
}

void ScriptWritingTest::comparesWithTheGeneratedScript()
{
    typeLine(lineWith(u"export TOKENIZERS_PARALLELISM"_s), u"echo mine"_s);
    auto* panel = m_page->findChild<ScriptPanel*>();
    QTest::keyClick(m_editor, Qt::Key_F9);
    QVERIFY(panel->isComparing());
    QCOMPARE(panel->difference().differences(), 1);
    ComparedScript last;
    last.text = u"#!/bin/bash\n"_s;
    m_page->setLastSubmitted(last);
    panel->difference().choose(1);
    QVERIFY(panel->difference().differences() >= 1);
    panel->setComparing(false);
    QVERIFY(m_editor->isVisible());
}

void ScriptWritingTest::lightsTheField()
{
    m_editor->setCursorPosition(lineWith(u"#SBATCH --time="_s), 3);
    const auto lit = [this] {
        QString labels;
        for (auto* label : m_page->findChildren<QLabel*>()) {
            if (label->property("lit").toBool())
                labels += label->text();
        }
        return labels;
    };
    QTRY_COMPARE(lit(), u"Time limit"_s); // with the next paint
    QTest::keyClick(m_editor, Qt::Key_F12);
    QCOMPARE(QApplication::focusWidget()->objectName(), field::time);
}

void ScriptWritingTest::jumpsFromTheFieldToItsLine()
{
    m_page->focusField(field::time);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F12);
    QVERIFY(m_editor->hasFocus());
    QVERIFY(m_editor->text(m_editor->currentLine()).contains(u"--time="_s));
}

void ScriptWritingTest::losesNothingInRandomTyping_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 8; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

/// Keys at random, mixed with edits of the form: what the editor shows is always what the design writes, what was
/// typed is there letter by letter, and undo comes back to the beginning.
void ScriptWritingTest::losesNothingInRandomTyping()
{
    QFETCH(quint32, seed);
    const auto next = [&seed](quint32 below) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 16) % below;
    };
    const QString script = text();
    const JobSpec before = m_design->spec();
    const QString keys = u"abzN= -#\"'$\\{}()<>|&;.,:0123456789SBATCH"_s;
    const QStringList pasted{u"#SBATCH --mem=100G\n"_s, u"export A=1\nexport B=\"x y\"\n"_s, u"cat <<EOF\n"_s, u"\t"_s,
        u"srun hostname\n"_s, u"# Prüfung\n"_s};
    QString typed;
    connect(m_editor, &ScriptEditor::textEdited, this, [&typed](const QString& edited) { typed = edited; });
    for (int round = 0; round < 60; ++round) {
        const int line = int(next(quint32(m_editor->lines())));
        const int length = int(m_editor->text(line).size());
        m_editor->setCursorPosition(line, int(next(quint32(qMax(1, length)))));
        const QString shown = text();
        typed.clear();
        switch (next(7)) {
        case 0: QTest::keyClick(m_editor, Qt::Key_Backspace); break;
        case 1: QTest::keyClick(m_editor, Qt::Key_Delete); break;
        case 2: QTest::keyClick(m_editor, Qt::Key_Return); break;
        case 3:
            QApplication::clipboard()->setText(pasted.at(next(quint32(pasted.size()))));
            QTest::keyClick(m_editor, Qt::Key_V, Qt::ControlModifier);
            break;
        case 4: m_design->edit(u"Nodes"_s, [&next](JobSpec& spec) { spec.resources.nodes = 1 + int(next(4)); }); break;
        default: QTest::keyClick(m_editor, keys.at(next(quint32(keys.size()))).toLatin1()); break;
        }
        m_editor->completer().close();
        QString now = text();
        if (!now.isEmpty() && !now.endsWith(u'\n'))
            now += u'\n';
        QCOMPARE(now, m_design->derived().script.text());
        if (typed.isEmpty())
            continue;
        // Every line that was typed or touched is there letter by letter.
        const QStringList lines = linesOfText(typed);
        const QStringList written = linesOfText(text());
        for (const LineHunk& hunk : lineDifference(linesOfText(shown), lines)) {
            for (qsizetype at = hunk.to; at < hunk.toEnd; ++at)
                QVERIFY2(written.contains(lines.at(at)), qPrintable(lines.at(at)));
        }
    }
    m_editor->disconnect(this);
    while (m_design->canUndo())
        m_design->undo();
    QCOMPARE(m_design->spec(), before);
    QCOMPARE(text(), script);
}

RANKWRIGHT_WIDGET_TEST_MAIN(ScriptWritingTest)
#include "tst_scriptwriting.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/learn/explanationview.h"
#include "widgets/learn/wordsdialog.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QScrollBar>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// The glossary by keyboard: type, move, read, copy.
class WordsDialogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void listsAll();
    void typing();
    void typingInTheList();
    void arrowsAndEnter();
    void opensAtATerm();
    void opensWithASearch();
    void nothingFound();
    void followsTheDesign();
    void copies();
    void relatedOutsideTheSearch();
    void tabs();
    void headsCannotBeChosen();
    void anyText();

private:
    QLineEdit* search() const { return m_dialog->findChild<QLineEdit*>(); }
    QListWidget* list() const { return m_dialog->findChild<QListWidget*>(); }
    QPushButton* button(const QString& text) const;

    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<Design> m_design;
    std::unique_ptr<WordsDialog> m_dialog;
};

void WordsDialogTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    m_design->replace(spec);
    m_dialog = std::make_unique<WordsDialog>(*m_design);
    m_dialog->showAt({});
    QApplication::setActiveWindow(m_dialog.get());
}

void WordsDialogTest::cleanup()
{
    m_dialog.reset();
    m_design.reset();
    m_theme.reset();
}

QPushButton* WordsDialogTest::button(const QString& text) const
{
    for (auto* each : m_dialog->findChildren<QPushButton*>()) {
        if (each->text() == text)
            return each;
    }
    return nullptr;
}

void WordsDialogTest::listsAll()
{
    QCOMPARE(list()->count(), int(terms().size() + questions().size()) + 2);
    QCOMPARE(m_dialog->shown().id, questions().first().id);
    QVERIFY(search()->hasFocus());
}

void WordsDialogTest::typing()
{
    QTest::keyClicks(search(), u"wrold size"_s);
    QCOMPARE(m_dialog->shown().id, u"world-size"_s);
    QVERIFY(m_dialog->shown().numbers.contains(u"8"));
    search()->clear();
    QCOMPARE(list()->count(), int(terms().size() + questions().size()) + 2);
}

void WordsDialogTest::typingInTheList()
{
    list()->setFocus();
    QTest::keyClicks(list(), u"fsdp"_s);
    QCOMPARE(search()->text(), u"fsdp"_s);
    QCOMPARE(m_dialog->shown().id, u"fsdp"_s);
}

void WordsDialogTest::arrowsAndEnter()
{
    QTest::keyClicks(search(), u"rank"_s);
    const QString first = m_dialog->shown().id;
    QTest::keyClick(search(), Qt::Key_Down);
    QVERIFY(m_dialog->shown().id != first);
    QVERIFY(search()->hasFocus());
    QTest::keyClick(search(), Qt::Key_Up);
    QCOMPARE(m_dialog->shown().id, first);
    QTest::keyClick(search(), Qt::Key_Return);
    QVERIFY(m_dialog->isVisible());
    QVERIFY(!search()->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!m_dialog->isVisible());
}

void WordsDialogTest::opensAtATerm()
{
    search()->setText(u"power"_s);
    m_dialog->showAt(u"Micro batch"_s);
    QCOMPARE(m_dialog->shown().id, u"micro-batch"_s);
    m_dialog->showAt(u"who-prints"_s);
    QCOMPARE(m_dialog->shown().id, u"who-prints"_s);
    QVERIFY(m_dialog->shown().text.isEmpty());
}

void WordsDialogTest::opensWithASearch()
{
    m_dialog->showAt(u"is half missing"_s);
    QCOMPARE(search()->text(), u"is half missing"_s);
    QCOMPARE(m_dialog->shown().id, u"half-the-power"_s);
}

void WordsDialogTest::nothingFound()
{
    search()->setText(u"xylophone"_s);
    QCOMPARE(list()->count(), 0);
    bool said = false;
    for (const auto* label : m_dialog->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().startsWith(u"Nothing found"));
    QVERIFY(said);
    QTest::keyClick(search(), Qt::Key_Down);
    QTest::keyClick(search(), Qt::Key_Return);
    QVERIFY(m_dialog->isVisible());
}

void WordsDialogTest::followsTheDesign()
{
    m_dialog->showAt(u"rank"_s);
    QVERIFY(m_dialog->shown().text.contains(u"one GCD."));
    m_design->edit(u"Cluster"_s, [](JobSpec& spec) {
        spec.cluster = u"raven"_s;
        spec.partition.reset();
    });
    QCOMPARE(m_dialog->shown().id, u"rank"_s);
    QVERIFY(m_dialog->shown().text.contains(u"one GPU."));
    for (int row = 0; row < list()->count(); ++row)
        QVERIFY(!list()->item(row)->text().contains(u"my GCDs"));
}

void WordsDialogTest::copies()
{
    m_dialog->showAt(u"mem-per-node"_s);
    QPushButton* copy = button(u"Copy this"_s);
    QVERIFY(copy != nullptr);
    copy->click();
    QVERIFY(QApplication::clipboard()->text().startsWith(u"Is --mem per node or per job?\nPer node"));
    QPushButton* lines = button(u"Copy the lines"_s);
    QVERIFY(lines != nullptr && !lines->isVisible()); // not about the program
    m_dialog->showAt(u"who-prints"_s);
    QVERIFY(lines->isVisible());
    lines->click();
    QVERIFY2(
        QApplication::clipboard()->text().startsWith(u"import os\n"), qPrintable(QApplication::clipboard()->text()));
    QPushButton* thanks = button(u"Copy acknowledgement"_s);
    QVERIFY(thanks != nullptr);
    thanks->click();
    QCOMPARE(QApplication::clipboard()->text(), m_dialog->acknowledgementText());
    QVERIFY(QApplication::clipboard()->text().contains(u"LUMI"));
    m_dialog->setCourse(u"the AI course"_s, {});
    thanks->click();
    QVERIFY(QApplication::clipboard()->text().contains(u"the AI course"));
    m_dialog->setCourse(u"the AI course"_s, u"We thank our teachers."_s);
    thanks->click();
    QCOMPARE(QApplication::clipboard()->text(), u"We thank our teachers."_s);
}

void WordsDialogTest::relatedOutsideTheSearch()
{
    QTest::keyClicks(search(), u"straggler"_s);
    auto* view = m_dialog->findChild<ExplanationView*>();
    emit view->relatedLabel()->linkActivated(u"term:all-reduce"_s);
    QCOMPARE(m_dialog->shown().id, u"all-reduce"_s);
}

/// Tab passes everything once and comes back: no trap.
void WordsDialogTest::tabs()
{
    QSet<QWidget*> seen;
    for (int i = 0; i < 30; ++i) {
        seen.insert(QApplication::focusWidget());
        QVERIFY(m_dialog->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QVERIFY(seen.contains(search()) && seen.contains(list()) && seen.contains(button(u"Close"_s)));
    QVERIFY(seen.contains(m_dialog->findChild<ExplanationView*>()->relatedLabel()));
    for (const QWidget* widget : seen) {
        const auto* pushed = qobject_cast<const QAbstractButton*>(widget);
        QVERIFY2(!widget->accessibleName().isEmpty() || (pushed && !pushed->text().isEmpty()),
            widget->metaObject()->className());
    }
}

void WordsDialogTest::headsCannotBeChosen()
{
    for (int row = 0; row < list()->count(); ++row) {
        list()->setCurrentRow(row);
        if (!list()->item(row)->flags().testFlag(Qt::ItemIsSelectable))
            continue;
        QVERIFY(!m_dialog->shown().title.isEmpty() && !m_dialog->shown().numbers.isEmpty());
        // No line is cut at the right.
        QCOMPARE(list()->horizontalScrollBar()->maximum(), 0);
    }
}

void WordsDialogTest::anyText()
{
    QRandomGenerator random(7);
    for (int run = 0; run < 150; ++run) {
        QString text;
        for (int i = random.bounded(60); i > 0; --i)
            text += QChar(char16_t(random.bounded(run % 3 == 0 ? 0x250 : 0x7f))); // letters that every font has
        search()->setText(text);
    }
    search()->clear();
    QCOMPARE(list()->count(), int(terms().size() + questions().size()) + 2);
}

RANKWRIGHT_WIDGET_TEST_MAIN(WordsDialogTest)
#include "tst_wordsdialog.moc"

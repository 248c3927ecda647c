// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/window/commandpalette.h"
#include "widgets/window/palettemodel.h"
#include "widgets/window/searchbutton.h"
#include "widgets/window/topbar.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>

#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

class CommandPaletteTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void modelHoldsItsPromises();
    void typesAndRuns();
    void escGivesTheFocusBack();
    void arrowsGoRoundAndPastHeadings();
    void whatIsOffSaysWhyAndStays();
    void saysWhenNothingAnswers();
    void tellsAScreenReader();
    void closesWhenSomebodyGoesElsewhere();
    void headingsAreNotChosen();
    void followsTheWindow();
    void theFieldInTheTopBarFolds();

private:
    static QList<PaletteEntry> entries()
    {
        PaletteEntry undo{.id = u"undo"_s, .title = u"Undo"_s, .section = u"Edit"_s, .shortcut = u"Ctrl+Z"_s};
        undo.enabled = false;
        undo.reason = u"Nothing was changed yet."_s;
        return {{.id = u"new"_s, .title = u"New design"_s, .section = u"File"_s, .shortcut = u"Ctrl+N"_s},
            {.id = u"save"_s, .title = u"Save"_s, .section = u"File"_s, .shortcut = u"Ctrl+S"_s}, undo,
            {.id = u"plan"_s, .title = u"Plan"_s, .section = u"View"_s},
            {.id = u"nodes"_s, .title = u"Nodes"_s, .section = u"Fields"_s}};
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
    void type(const QString& text) { QTest::keyClicks(QApplication::focusWidget(), text); }

    Theme m_theme;
    std::unique_ptr<QWidget> m_window;
    QLineEdit* m_other = nullptr;
    QLineEdit* m_further = nullptr;
    CommandPalette* m_palette = nullptr;
};

void CommandPaletteTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme.apply();
    m_window = std::make_unique<QWidget>();
    auto* column = new QVBoxLayout(m_window.get());
    m_other = new QLineEdit(m_window.get());
    m_further = new QLineEdit(m_window.get());
    column->addWidget(m_other);
    column->addWidget(m_further);
    column->addStretch();
    m_palette = new CommandPalette(m_window.get());
    m_window->resize(1024, 700);
    m_window->show();
    QApplication::setActiveWindow(m_window.get());
    m_other->setFocus();
    m_palette->open(entries(), {});
    QApplication::processEvents();
}

void CommandPaletteTest::modelHoldsItsPromises()
{
    PaletteModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setEntries(entries(), {u"plan"_s});
    QCOMPARE(model.index(0).data().toString(), u"Used lately"_s);
    QCOMPARE(model.index(1).data(PaletteModel::IdRole).toString(), u"plan"_s);
    for (const QString& query : {u"s"_s, u"sa"_s, u"zzz"_s, u""_s, u"n"_s})
        model.setQuery(query);
    model.setEntries({}, {});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.entryFrom(0, 1), -1);
}

void CommandPaletteTest::typesAndRuns()
{
    const QSignalSpy chosen(m_palette, &CommandPalette::chosen);
    QVERIFY(m_palette->isVisible());
    type(u"sav"_s);
    QCOMPARE(m_palette->selectedId(), u"save"_s);
    press(Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.first().first().toString(), u"save"_s);
    QVERIFY(!m_palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), m_other);
}

void CommandPaletteTest::escGivesTheFocusBack()
{
    const QSignalSpy chosen(m_palette, &CommandPalette::chosen);
    press(Qt::Key_Escape);
    QVERIFY(!m_palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), m_other);
    QCOMPARE(chosen.count(), 0);
    QCOMPARE(m_other->text(), QString());
}

void CommandPaletteTest::arrowsGoRoundAndPastHeadings()
{
    QCOMPARE(m_palette->selectedId(), u"new"_s);
    QStringList seen;
    for (int i = 0; i < 5; ++i) {
        press(i % 2 ? Qt::Key_Tab : Qt::Key_Down);
        seen.append(m_palette->selectedId());
    }
    QCOMPARE(seen, (QStringList{u"save"_s, u"plan"_s, u"nodes"_s, u"undo"_s, u"new"_s}));
    press(Qt::Key_Up);
    QCOMPARE(m_palette->selectedId(), u"undo"_s);
    press(Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(m_palette->selectedId(), u"new"_s);
    press(Qt::Key_PageDown);
    QCOMPARE(m_palette->selectedId(), u"undo"_s);
    QVERIFY(m_palette->isVisible());
}

void CommandPaletteTest::whatIsOffSaysWhyAndStays()
{
    const QSignalSpy chosen(m_palette, &CommandPalette::chosen);
    type(u"undo"_s);
    press(Qt::Key_Return);
    QCOMPARE(chosen.count(), 0);
    QVERIFY(m_palette->isVisible());
    bool said = false;
    for (const QLabel* label : m_palette->findChildren<QLabel*>())
        said = said || label->text().contains(u"Nothing was changed yet."_s);
    QVERIFY(said);
}

void CommandPaletteTest::saysWhenNothingAnswers()
{
    type(u"zzzz"_s);
    QCOMPARE(m_palette->selectedId(), QString());
    press(Qt::Key_Return);
    press(Qt::Key_Down);
    QVERIFY(m_palette->isVisible());
    QVERIFY(m_palette->findChild<QLineEdit*>()->accessibleDescription().contains(u"Nothing has this name"_s));
}

void CommandPaletteTest::tellsAScreenReader()
{
    const auto* field = m_palette->findChild<QLineEdit*>();
    QVERIFY(!field->accessibleName().isEmpty());
    QVERIFY2(
        field->accessibleDescription().startsWith(u"New design, Ctrl+N"_s), qPrintable(field->accessibleDescription()));
    press(Qt::Key_Down);
    QVERIFY(field->accessibleDescription().startsWith(u"Save"_s));
}

void CommandPaletteTest::closesWhenSomebodyGoesElsewhere()
{
    m_further->setFocus();
    QVERIFY(!m_palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), m_further);
    m_palette->open(entries(), {});
    QTest::mouseClick(m_window.get(), Qt::LeftButton, {}, QPoint(10, 690));
    QVERIFY(!m_palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), m_further);
}

void CommandPaletteTest::headingsAreNotChosen()
{
    const QSignalSpy chosen(m_palette, &CommandPalette::chosen);
    auto* list = m_palette->findChild<QListView*>();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
    QCOMPARE(chosen.count(), 0);
    QVERIFY(m_palette->isVisible());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(2, 0)).center());
    QCOMPARE(chosen.count(), 1);
}

void CommandPaletteTest::followsTheWindow()
{
    m_window->resize(500, 400);
    QApplication::processEvents();
    QVERIFY(m_window->rect().contains(m_palette->geometry()));
}

void CommandPaletteTest::theFieldInTheTopBarFolds()
{
    const Catalogue catalogue = loadCatalogue();
    TopBar bar(catalogue);
    bar.setCluster(u"lumi"_s, u"project_465000001"_s);
    bar.resize(1280, 47);
    bar.show();
    QApplication::processEvents();
    auto* button = bar.findChild<SearchButton*>();
    QVERIFY(!button->isFolded());
    const QSignalSpy asked(&bar, &TopBar::paletteRequested);
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
    // No menu gives way to it, however the window is sized.
    for (const char* title : {"&File", "&Edit", "&Job", "&View", "&Help"})
        bar.menuBar()->addMenu(QString::fromLatin1(title));
    for (int width = 1280; width >= 900; width -= 20) {
        bar.resize(width, 47);
        QApplication::processEvents();
        QVERIFY2(bar.menuBar()->width() >= bar.menuBar()->sizeHint().width(), qPrintable(QString::number(width)));
    }
    bar.resize(560, 47);
    QApplication::processEvents();
    QVERIFY(button->isFolded());
    QVERIFY(!button->accessibleName().isEmpty());
    // “Help” went behind the end of the bar where the connection's chip says more.
    LinkInfo link;
    link.cluster = u"lumi"_s;
    link.title = u"Practice cluster"_s;
    link.state = LinkState::Online;
    link.user = u"ada-lovelace"_s;
    link.latencyMs = 123;
    link.openChannels = 2;
    bar.showLink(link);
    bar.setUnread(12);
    for (int width = 1280; width >= 700; width -= 20) {
        bar.resize(width, 47);
        QApplication::processEvents();
        QVERIFY2(bar.menuBar()->width() >= bar.menuBar()->sizeHint().width(), qPrintable(QString::number(width)));
        QVERIFY2(bar.chip()->width() >= bar.chip()->sizeHint().width(), qPrintable(QString::number(width)));
    }
    QCOMPARE(bar.chip()->text(), link.title);
    QVERIFY(bar.chipText().contains(link.user));
    bar.resize(1280, 47);
    QApplication::processEvents();
    QCOMPARE(bar.chip()->text(), bar.chipText());
}

RANKWRIGHT_WIDGET_TEST_MAIN(CommandPaletteTest)
#include "tst_commandpalette.moc"

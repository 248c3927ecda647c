// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/script/differencepane.h"
#include "widgets/script/differenceview.h"

#include <QAbstractButton>
#include <QApplication>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;

class DifferenceTest final : public test::Suite {
    Q_OBJECT
private slots:
    void pairsRows();
    void rebuildsBothTexts();
    void findsTheChangedWord();
    void walksOverDifferences();
    void tabMeetsTheButtonsAgain();
    void turnsWithTheWidth();
    void longLinesAreWrappedOrScrolledTo();
    void asksForTheOtherText();
    void givesBackEachDifference();
    void saysWhenThereIsNothing();

private:
    Theme m_theme;
};

void DifferenceTest::pairsRows()
{
    const QStringList from{u"a"_s, u"b"_s, u"c"_s};
    const QStringList to{u"a"_s, u"B"_s, u"x"_s, u"c"_s};
    using Row = DifferenceRow;
    QCOMPARE(differenceRows(3, 4, lineDifference(from, to)),
        (QList<Row>{{Row::Same, 0, 0, {}}, {Row::Changed, 1, 1, 0}, {Row::Added, {}, 2, 0}, {Row::Same, 2, 3, {}}}));
    QCOMPARE(differenceRows(4, 3, lineDifference(to, from)),
        (QList<Row>{{Row::Same, 0, 0, {}}, {Row::Changed, 1, 1, 0}, {Row::Removed, 2, {}, 0}, {Row::Same, 3, 2, {}}}));
    QVERIFY(differenceRows(0, 0, {}).isEmpty());
}

/// Whatever the texts: the rows hold each line of both exactly once, in order, and equal lines only side by side.
void DifferenceTest::rebuildsBothTexts()
{
    quint32 seed = 3;
    const auto next = [&seed](quint32 below) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 16) % below;
    };
    for (int round = 0; round < 500; ++round) {
        QStringList from;
        QStringList to;
        for (quint32 i = next(9); i > 0; --i)
            from.append(QString::number(next(4)));
        for (quint32 i = next(9); i > 0; --i)
            to.append(QString::number(next(4)));
        int left = 0;
        int right = 0;
        for (const DifferenceRow& row : differenceRows(from.size(), to.size(), lineDifference(from, to))) {
            if (row.from)
                QCOMPARE(*row.from, left++);
            if (row.to)
                QCOMPARE(*row.to, right++);
            QCOMPARE(row.kind == DifferenceRow::Same, !row.hunk);
            if (row.kind == DifferenceRow::Same)
                QCOMPARE(from.at(*row.from), to.at(*row.to));
        }
        QCOMPARE(left, int(from.size()));
        QCOMPARE(right, int(to.size()));
    }
}

void DifferenceTest::findsTheChangedWord()
{
    QCOMPARE(changedSpan(u"--nodes=2"_s, u"--nodes=16"_s), (ChangedSpan{8, 9, 10}));
    QCOMPARE(changedSpan(u"ab"_s, u"aab"_s), (ChangedSpan{1, 1, 2}));
    QCOMPARE(changedSpan(u"same"_s, u"same"_s), (ChangedSpan{4, 4, 4}));
    QCOMPARE(changedSpan({}, u"x"_s), (ChangedSpan{0, 0, 1}));
}

void DifferenceTest::walksOverDifferences()
{
    DifferenceView view;
    view.resize(400, 400);
    view.show();
    view.setScripts(u"a\nB\nc\nD\n"_s, {{u"Generated"_s, u"a\nb\nc\nd\n"_s, u"what the form says"_s, {}}, {}});
    QCOMPARE(view.differences(), 2);
    view.choose(0);
    QCOMPARE(view.currentDifference(), std::optional(0));
    QTest::keyClick(&view, Qt::Key_F7);
    QCOMPARE(view.currentDifference(), std::optional(1));
    QTest::keyClick(&view, Qt::Key_F7); // around the end
    QCOMPARE(view.currentDifference(), std::optional(0));
    QTest::keyClick(&view, Qt::Key_F7, Qt::ShiftModifier);
    QCOMPARE(view.currentDifference(), std::optional(1));
    QSignalSpy closed(&view, &DifferenceView::closeRequested);
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE(closed.count(), 1);
}

/// In a dialog Tab went past the buttons of the comparison from the second round on.
void DifferenceTest::tabMeetsTheButtonsAgain()
{
    QWidget dialog;
    dialog.resize(900, 400);
    DifferenceView view(&dialog);
    view.resize(900, 360);
    QPushButton close(u"Close"_s, &dialog);
    close.move(0, 370);
    view.setScripts(u"a\nB\n"_s, {{u"Generated"_s, u"a\nb\n"_s, {}, {}}, {}});
    dialog.show();
    QApplication::setActiveWindow(&dialog);
    close.setFocus(Qt::TabFocusReason);
    QWidgetList rounds[2];
    for (QWidgetList& round : rounds) {
        do {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            round.append(QApplication::focusWidget());
        } while (round.size() < 20 && round.last() != &close);
    }
    QCOMPARE(rounds[1], rounds[0]);
    for (const auto* button : view.findChildren<QAbstractButton*>())
        QVERIFY(!button->toolTip().startsWith(u"Difference "_s) || rounds[1].contains(button));
    view.setFocus();
    QCOMPARE(QApplication::focusWidget(), view.findChildren<DifferencePane*>().at(1));
}

void DifferenceTest::turnsWithTheWidth()
{
    QWidget host;
    host.resize(1200, 500);
    DifferenceView view(&host);
    view.setScripts(u"a\nB\nx\nc\n"_s, {{u"Generated"_s, u"a\nb\nc\n"_s, {}, {}}, {}});
    host.show();
    view.resize(400, 400);
    auto panes = view.findChildren<DifferencePane*>();
    QCOMPARE(panes.size(), 2);
    QVERIFY(!view.isSideBySide());
    QCOMPARE(panes.at(1)->text(), u"a\nb\nB\nx\nc"_s); // old above new
    QVERIFY(!panes.at(0)->isVisible());
    view.resize(900, 400);
    QVERIFY(view.isSideBySide());
    QVERIFY(panes.at(0)->isVisible());
    QCOMPARE(panes.at(0)->text(), u"a\nb\n\nc"_s); // filled up where the other has more
    QCOMPARE(panes.at(1)->text(), u"a\nB\nx\nc"_s);
    QVERIFY(panes.at(0)->isReadOnly() && panes.at(1)->isReadOnly());
}

/// Of a long command only the beginning was to be read.
void DifferenceTest::longLinesAreWrappedOrScrolledTo()
{
    DifferenceView view;
    view.setScripts(
        u"a\nsrun python train.py "_s + u"--option value "_s.repeated(40), {{u"Other"_s, u"a\nshort"_s, {}, {}}});
    view.resize(500, 400);
    view.show();
    QApplication::processEvents();
    const QList<DifferencePane*> panes = view.findChildren<DifferencePane*>();
    QCOMPARE(panes.size(), 2);
    DifferencePane* right = panes.last();
    const auto rowsOf = [right](int line) {
        return int(right->SendScintilla(QsciScintillaBase::SCI_WRAPCOUNT, static_cast<unsigned long>(line)));
    };
    QVERIFY(!view.isSideBySide());
    QTRY_VERIFY(rowsOf(2) > 3); // a, short, srun ...
    view.resize(900, 400);
    QApplication::processEvents();
    QVERIFY(view.isSideBySide());
    QScrollBar* bar = right->horizontalScrollBar();
    QTRY_VERIFY(bar->maximum() > 1000);
    bar->setValue(bar->maximum());
    QApplication::processEvents();
    QCOMPARE(bar->value(), bar->maximum()); // the shorter text beside it took it back
    QVERIFY(panes.first()->horizontalScrollBar()->value() > 1000);
}

void DifferenceTest::asksForTheOtherText()
{
    DifferenceView view;
    view.setScripts(u"a\nB\nx\nc\n"_s, {{u"Generated"_s, u"a\nb\nc\n"_s, {}, {}}, {}});
    view.choose(0);
    int line = -1;
    int count = -1;
    QStringList text;
    connect(&view, &DifferenceView::adoptRequested, &view, [&](int at, int lines, const QStringList& with) {
        line = at;
        count = lines;
        text = with;
    });
    QTest::keyClick(&view, Qt::Key_F7); // the only one
    for (auto* button : view.findChildren<QAbstractButton*>()) {
        if (button->accessibleName().startsWith(u"Use the other text"_s))
            button->click();
    }
    QCOMPARE(line, 1);
    QCOMPARE(count, 2);
    QCOMPARE(text, QStringList{u"b"_s});
}

/// Every difference has its own arrow, in one column and in two; a click into one makes it the current one.
void DifferenceTest::givesBackEachDifference()
{
    DifferenceView view;
    view.resize(400, 400);
    view.show();
    view.setScripts(u"a\nB\nc\nD\nx\ne\n"_s, {{u"Generated"_s, u"a\nb\nc\nd\ne\ngone\n"_s, {}, {}}, {}});
    QCOMPARE(view.differences(), 3);
    QList<std::tuple<int, int, QStringList>> asked;
    connect(&view, &DifferenceView::adoptRequested, &view, [&](int at, int lines, const QStringList& with) {
        asked.append({at, lines, with});
    });
    const QList<std::tuple<int, int, QStringList>> wanted{{1, 1, {u"b"_s}}, {3, 2, {u"d"_s}}, {6, 0, {u"gone"_s}}};
    for (const int width : {400, 900}) {
        view.resize(width, 400);
        asked.clear();
        auto* pane = view.findChildren<DifferencePane*>().at(1);
        const int arrow = 1 << 4;
        for (int row = 0; row < pane->lines(); ++row) {
            if (pane->markersAtLine(row) & unsigned(arrow))
                emit pane->arrowClicked(row);
        }
        QCOMPARE(asked, wanted);
    }
    auto* pane = view.findChildren<DifferencePane*>().at(1);
    emit pane->rowClicked(1);
    QCOMPARE(view.currentDifference(), std::optional(0));
    emit pane->rowClicked(0); // no difference there
    QCOMPARE(view.currentDifference(), std::optional(0));
    asked.clear();
    QTest::keyClick(&view, Qt::Key_Backspace, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(asked, QList{wanted.first()});
}

void DifferenceTest::saysWhenThereIsNothing()
{
    DifferenceView view;
    view.setScripts(
        u"a\n"_s, {{u"Generated"_s, u"a\n"_s, {}, {}}, {u"Last"_s, {}, {}, u"Nothing was submitted yet."_s}});
    QCOMPARE(view.differences(), 0);
    view.choose(1);
    QCOMPARE(view.differences(), 0);
    QCOMPARE(view.findChildren<DifferencePane*>().at(1)->text(), u"a"_s);
    view.next(true); // nowhere to go
    QVERIFY(!view.currentDifference());
}

RANKWRIGHT_WIDGET_TEST_MAIN(DifferenceTest)
#include "tst_difference.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/hangfixture.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/theme.h"
#include "widgets/live/hangdialog.h"
#include "widgets/live/hanglanes.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTreeView>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// The dialog "Where does it hang?": what it says while it looks and afterwards, and where its words lead.
class HangDialogTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme.setMode(Theme::Mode::Light); }
    void looksAndCanBeCancelled();
    void wordsChooseRowAndGpu();
    void keysFollowTheWords();
    void theChosenRankShowsItsStack();
    void anEarlierAnswerStaysWithItsTime();
    void anotherJobBeginsAnew();
    void lanesShowWhoIsBehind();
    void lanesAreATable();
    void kernelWaitsAreReadable();
    void theLastKnownIsSaid();
    void withoutARecordThereAreNoLanes();
    void whatHelpsIsSaid();
    void copies();
    void namesOfOthersAreNoMarkup();
    void takesManyRanks();

private:
    static const QDateTime at;
    static void fill(HangDialog& dialog, int ranks = 32)
    {
        dialog.showSubject(u"7"_s, u"lumi"_s, u"llama8b · 7 on LUMI"_s);
        dialog.showAnswer(hangVerdict(shots::hangingEvidence(ranks)), at);
        dialog.show();
    }
    static QLabel* sentence(const HangDialog& dialog)
    {
        for (QLabel* label : dialog.findChildren<QLabel*>()) {
            if (label->textFormat() == Qt::RichText)
                return label;
        }
        return nullptr;
    }
    static QPushButton* button(const HangDialog& dialog, const QString& text)
    {
        for (QPushButton* each : dialog.findChildren<QPushButton*>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }
    /// Follows the link with these words.
    static void follow(const HangDialog& dialog, const QString& words)
    {
        const HangVerdict& verdict = dialog.verdict();
        const QList<HangLink> links = hangLinks(verdict);
        for (qsizetype i = 0; i < links.size(); ++i) {
            if (verdict.sentence.mid(links.at(i).from, links.at(i).length).startsWith(words)) {
                emit sentence(dialog)->linkActivated(QString::number(i));
                return;
            }
        }
        QFAIL(qPrintable(u"no link: "_s + words));
    }
    Theme m_theme;
};

const QDateTime HangDialogTest::at(QDate(2026, 3, 2), QTime(14, 9, 12));

void HangDialogTest::looksAndCanBeCancelled()
{
    HangDialog dialog;
    dialog.showSubject(u"7"_s, u"lumi"_s, u"llama8b · 7 on LUMI"_s);
    dialog.show();
    QVERIFY(!dialog.isModal());
    QSignalSpy cancelled(&dialog, &HangDialog::cancelRequested), asked(&dialog, &HangDialog::hangInspectionRequested);
    dialog.showInspecting(0, 0);
    QVERIFY(shownText(dialog).contains(u"Asking Slurm for the job's nodes"_s));
    dialog.showInspecting(3.4, 4);
    QVERIFY(shownText(dialog).contains(u"Inspecting the ranks on 4 nodes, twice … 3\u2009s."_s));
    QVERIFY(dialog.findChild<QProgressBar*>()->isVisible());
    QVERIFY(!button(dialog, u"Look again"_s)->isVisible());
    QVERIFY(!button(dialog, u"Copy as text"_s)->isEnabled());
    button(dialog, u"Cancel the inspection"_s)->click();
    QCOMPARE(cancelled.size(), 1);
    dialog.showCancelled();
    QVERIFY(!dialog.isInspecting());
    button(dialog, u"Look again"_s)->click();
    QCOMPARE(asked.size(), 1);
    dialog.setWhyNot(u"LUMI is not connected."_s);
    QVERIFY(!button(dialog, u"Look again"_s)->isEnabled());
    QCOMPARE(button(dialog, u"Look again"_s)->accessibleDescription(), u"LUMI is not connected."_s);
}

void HangDialogTest::wordsChooseRowAndGpu()
{
    HangDialog dialog;
    fill(dialog);
    QSignalSpy picked(&dialog, &HangDialog::gpuPicked);
    auto* ranks = dialog.findChild<QTreeView*>();
    follow(dialog, u"31 ranks wait"_s);
    QCOMPARE(ranks->currentIndex().data().toString(), u"31 ranks like this"_s);
    QVERIFY(!ranks->isExpanded(ranks->currentIndex()));
    QVERIFY(shownText(dialog).contains(u"Based on: Flight Recorder of 32 ranks."_s));
    follow(dialog, u"Rank 11"_s);
    QCOMPARE(ranks->currentIndex().data().toString(), u"11"_s);
    QCOMPARE(picked.size(), 0);
    follow(dialog, u"node nid005002, GPU 3"_s);
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked.first().at(0).toString(), u"nid005002"_s);
    QCOMPARE(picked.first().at(1).toInt(), 3);
    follow(dialog, u"dataset.py:88"_s);
    const auto* stack = dialog.findChild<QListWidget*>();
    QCOMPARE(stack->currentItem()->text(), u"read (/home/ada/dataset.py:88)"_s);
    emit ranks->activated(ranks->currentIndex()); // Return, or a double click
    QCOMPARE(picked.size(), 2);
}

void HangDialogTest::keysFollowTheWords()
{
    HangDialog dialog;
    fill(dialog);
    QApplication::setActiveWindow(&dialog);
    QLabel* words = sentence(dialog);
    QVERIFY(words->textInteractionFlags() & Qt::LinksAccessibleByKeyboard);
    QVERIFY(words->focusPolicy() & Qt::TabFocus);
    QCOMPARE(words->accessibleName(), dialog.verdict().sentence);
}

void HangDialogTest::theChosenRankShowsItsStack()
{
    HangDialog dialog;
    fill(dialog);
    auto* ranks = dialog.findChild<QTreeView*>();
    const auto* stack = dialog.findChild<QListWidget*>();
    QCOMPARE(stack->accessibleName(), u"Stack of rank 11"_s); // the odd one is chosen at first
    QCOMPARE(stack->count(), 2);
    ranks->setCurrentIndex(ranks->model()->index(1, 0));
    QCOMPARE(stack->accessibleName(), u"Stack of rank 0, one of 31"_s);
    QCOMPARE(stack->count(), 3);
    QCOMPARE(stack->currentItem()->text(), u"step (/home/ada/train.py:131)"_s);
}

void HangDialogTest::anEarlierAnswerStaysWithItsTime()
{
    HangDialog dialog;
    fill(dialog);
    const QString sentenceBefore = sentence(dialog)->text();
    dialog.showInspecting(2, 4);
    QVERIFY(shownText(dialog).contains(u"Below: what was seen at 14:09:12."_s));
    dialog.showTrouble({Fault::RemoteExit, u"Slurm does not let the measuring step run alongside the job's own."_s, {},
        u"This needs Slurm 20.11 or newer."_s});
    QVERIFY(shownText(dialog).contains(u"The inspection brought no result. Below: what was seen at 14:09:12."_s));
    QVERIFY(shownText(dialog).contains(u"does not let the measuring step run"_s));
    QVERIFY(shownText(dialog).contains(u"20.11"_s));
    QCOMPARE(sentence(dialog)->text(), sentenceBefore);
    dialog.showInspecting(0, 0);
    QVERIFY(!shownText(dialog).contains(u"does not let"_s));
    dialog.showCancelled();
    QVERIFY(shownText(dialog).contains(u"Cancelled. Below: what was seen at 14:09:12."_s));
}

void HangDialogTest::anotherJobBeginsAnew()
{
    HangDialog dialog;
    fill(dialog);
    dialog.showSubject(u"7"_s, u"lumi"_s, u"llama8b · 7 on LUMI"_s);
    QVERIFY(sentence(dialog)->isVisible());
    dialog.showSubject(u"8"_s, u"lumi"_s, u"llama8b · 8 on LUMI"_s);
    QVERIFY(!sentence(dialog)->isVisible());
    QVERIFY(dialog.verdict().rows.isEmpty());
    QVERIFY(!dialog.findChild<QTreeView*>()->isVisible());
    QVERIFY(!dialog.findChild<HangLanes*>()->isVisible());
}

void HangDialogTest::lanesShowWhoIsBehind()
{
    HangDialog dialog;
    fill(dialog);
    auto* lanes = dialog.findChild<HangLanes*>();
    QVERIFY(lanes->isVisible());
    QCOMPARE(lanes->accessibleName(), u"Last operation that each rank called in group fsdp"_s);
    auto* ranks = dialog.findChild<QTreeView*>();
    QTest::keyClick(lanes, Qt::Key_Home);
    QCOMPARE(ranks->currentIndex().data().toString(), u"0"_s);
    QTest::keyClick(lanes, Qt::Key_Right);
    QCOMPARE(ranks->currentIndex().data().toString(), u"1"_s);
    QTest::keyClick(lanes, Qt::Key_End);
    QCOMPARE(ranks->currentIndex().data().toString(), u"31"_s);
    QTest::keyClick(lanes, Qt::Key_Left);
    QCOMPARE(ranks->currentIndex().data().toString(), u"30"_s);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up}) { // the only odd one, around the end
        QTest::keyClick(lanes, key);
        QCOMPARE(ranks->currentIndex().data().toString(), u"11"_s);
    }
    QSignalSpy picked(lanes, &HangLanes::rowPicked);
    QTest::keyClick(lanes, Qt::Key_Return); // the framed one, and no button of the dialog
    QCOMPARE(picked.count(), 1);
    const QVariant framed = picked.first().first();
    QTest::keyClick(lanes, Qt::Key_Right);
    QTest::keyClick(lanes, Qt::Key_Left);
    QCOMPARE(picked.last().first(), framed);
    QVERIFY(dialog.isVisible());
}

/// In the dialog's own size, with the longest names that kernels have.
void HangDialogTest::kernelWaitsAreReadable()
{
    HangDialog dialog;
    HangEvidence evidence = shots::hangingEvidence(64);
    for (RankEvidence& rank : evidence.ranks)
        rank.before->waitChannel = rank.now->waitChannel = u"nfs_wait_bit_killable"_s;
    dialog.showSubject(u"7"_s, u"lumi"_s, u"llama8b · 7 on LUMI"_s);
    dialog.showAnswer(hangVerdict(evidence), at);
    dialog.show();
    QCOMPARE(dialog.width(), 980);
    const auto* ranks = dialog.findChild<QTreeView*>();
    const QAbstractItemView* view = ranks;
    QVERIFY2(ranks->columnWidth(HangTable::Wait) >= view->sizeHintForColumn(HangTable::Wait),
        qPrintable(QString::number(ranks->columnWidth(HangTable::Wait))));
    QVERIFY(!ranks->horizontalScrollBar()->isVisible());
}

void HangDialogTest::theLastKnownIsSaid()
{
    HangEvidence evidence = shots::hangingEvidence();
    RankEvidence& odd = evidence.ranks[11];
    odd.before->state = odd.now->state = ProcessState::Stopped;
    odd.stacks.reset();
    odd.stacksBefore.reset();
    HangDialog dialog;
    dialog.showSubject(u"7"_s, u"lumi"_s, u"llama8b · 7 on LUMI"_s);
    dialog.showAnswer(hangVerdict(evidence), at);
    const auto* stack = dialog.findChild<QListWidget*>();
    QCOMPARE(stack->count(), 2);
    QVERIFY2(
        stack->item(1)->text().startsWith(u"The last that is known: it called "_s), qPrintable(stack->item(1)->text()));
    QVERIFY(dialog.text().contains(u"last known: called"_s));
}

void HangDialogTest::lanesAreATable()
{
    HangLanes lanes;
    lanes.setVerdict(hangVerdict(shots::hangingEvidence()));
    const auto table = pictureTableOf(lanes);
    QVERIFY(table);
    QCOMPARE(table->rows.size(), 2);
    QVERIFY(table->rows.at(0).name.startsWith(u"4"_s) && table->rows.at(0).name.endsWith(u"811"_s));
    QCOMPARE(table->rows.at(0).values, (QStringList{u"1"_s, u"11"_s, u"11"_s}));
    QCOMPARE(table->rows.at(1).values, (QStringList{u"31"_s, u"0–10, 12–31"_s, u"none"_s}));
}

void HangDialogTest::withoutARecordThereAreNoLanes()
{
    HangEvidence evidence = shots::hangingEvidence();
    for (RankEvidence& rank : evidence.ranks) {
        rank.record.reset();
        rank.recordBefore.reset();
    }
    HangDialog dialog;
    dialog.showSubject(u"7"_s, u"lumi"_s, u"llama8b · 7 on LUMI"_s);
    dialog.showAnswer(hangVerdict(evidence), at);
    dialog.show();
    QVERIFY(!dialog.findChild<HangLanes*>()->isVisible());
    QVERIFY(dialog.findChild<QTreeView*>()->isVisible());
}

void HangDialogTest::whatHelpsIsSaid()
{
    HangEvidence evidence = shots::hangingEvidence();
    for (RankEvidence& rank : evidence.ranks) {
        rank.stacks.reset();
        rank.stacksBefore.reset();
        rank.notes = {u"There is no py-spy in PATH."_s};
    }
    HangDialog dialog;
    dialog.showSubject(u"7"_s, u"lumi"_s, u"llama8b · 7 on LUMI"_s);
    dialog.showAnswer(hangVerdict(evidence), at);
    const QString notes = dialog.findChild<QPlainTextEdit*>()->toPlainText();
    QVERIFY2(notes.contains(u"Ranks 0–31: There is no py-spy in PATH."_s), qPrintable(notes));
    QVERIFY2(notes.contains(u"pip install py-spy"_s), qPrintable(notes));
    QCOMPARE(dialog.findChild<QListWidget*>()->item(0)->text(), u"Its Python stack was not reachable."_s);
}

void HangDialogTest::copies()
{
    HangDialog dialog;
    fill(dialog);
    button(dialog, u"Copy as text"_s)->click();
    const QString text = QApplication::clipboard()->text();
    QVERIFY(text.startsWith(u"llama8b · 7 on LUMI, 2026-03-02T14:09:12"_s));
    QVERIFY(text.contains(dialog.verdict().sentence));
}

void HangDialogTest::namesOfOthersAreNoMarkup()
{
    HangEvidence evidence = shots::hangingEvidence(4);
    evidence.ranks[3].node = u"n<b>1"_s;
    HangDialog dialog;
    dialog.showSubject(u"7"_s, u"lumi"_s, u"<i>x</i>"_s);
    dialog.showAnswer(hangVerdict(evidence), at);
    QVERIFY(dialog.verdict().sentence.contains(u"n<b>1"_s));
    QVERIFY(!sentence(dialog)->text().contains(u"<b>"_s));
    QVERIFY(sentence(dialog)->text().contains(u"n&lt;b&gt;1"_s));
}

/// Of 1,024 ranks only what is shown costs anything.
void HangDialogTest::takesManyRanks()
{
    HangDialog dialog;
    QAbstractItemModelTester tester(
        dialog.findChild<QTreeView*>()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    fill(dialog, 1024);
    QCOMPARE(dialog.findChild<QTreeView*>()->model()->rowCount(), 2);
    auto* lanes = dialog.findChild<HangLanes*>();
    QTest::keyClick(lanes, Qt::Key_End);
    QCOMPARE(dialog.findChild<QTreeView*>()->currentIndex().data().toString(), u"1023"_s);
    QVERIFY(!lanes->grab().isNull());
}

RANKWRIGHT_WIDGET_TEST_MAIN(HangDialogTest)
#include "tst_hangdialog.moc"

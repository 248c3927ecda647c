// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/units.h"
#include "models/insight/progress/traininglogreader.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/log/diagnosisstrip.h"
#include "widgets/log/joblogview.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logsearchpanel.h"
#include "widgets/log/patterndialog.h"
#include "widgets/log/terminalcolours.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QToolButton>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

LogLine lineAt(const QString& text, qint64 offset, int file = 0, std::optional<int> rank = {})
{
    LogLine line;
    line.text = text;
    line.offset = offset;
    line.file = file;
    line.rank = rank;
    return line;
}

QList<LogLine> linesFrom(qint64 begin, int count)
{
    QList<LogLine> lines;
    for (int i = 0; i < count; ++i)
        lines.append(lineAt(u"line at %1"_s.arg(begin + 10LL * i), begin + 10LL * i));
    return lines;
}

} // namespace

/// The output's view: parts of long files, files and ranks apart, colours, causes, searches, patterns.
class LogPartsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void coloursCanBeRead_data();
    void coloursCanBeRead();
    void coloursAreShown();
    void cutLinesSayHowMuch();
    void asksForEarlierParts();
    void forgetsWhatIsFarAway();
    void comesBackToTheEnd();
    void filesAndRanksApart();
    void twoSideBySide();
    void errorsOnly();
    void causeLeadsToItsLine();
    void causeReportedElsewhere();
    void lineNumbers();
    void searchPanel();
    void patternDialog();
    void everythingHasAName();

private:
    Theme m_theme;
};

void LogPartsTest::coloursCanBeRead_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void LogPartsTest::coloursCanBeRead()
{
    QFETCH(bool, dark);
    m_theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
    const QColor panel = m_theme.colour(Theme::Token::Panel);
    QList<TerminalColour> colours{{}};
    for (quint32 i = 0; i < 16; ++i)
        colours.append({TerminalColour::Kind::Palette, i});
    for (const quint32 rgb : {0U, 0xffffffU, 0xffff00U, 0x0000ffU, 0x808080U, 0x00ff00U})
        colours.append({TerminalColour::Kind::Rgb, rgb});
    for (const TerminalColour& foreground : std::as_const(colours)) {
        for (const TerminalColour& background : std::as_const(colours)) {
            for (const bool faint : {false, true}) {
                TextStyle style;
                style.foreground = foreground;
                style.background = background;
                style.faint = faint;
                style.inverse = faint && foreground.value % 2 == 1;
                const QTextCharFormat format = terminalFormat(style, m_theme);
                const QColor behind = format.background().style() == Qt::NoBrush ? panel : format.background().color();
                QVERIFY(Theme::contrast(format.foreground().color(), behind) >= 4.5);
            }
        }
    }
    m_theme.setMode(Theme::Mode::Light);
}

void LogPartsTest::coloursAreShown()
{
    JobLogView log;
    TrainingLogReader reader;
    log.append(reader.feed("plain \x1b[31mred\x1b[0m plain\n"));
    QCOMPARE(log.shownText(), u"plain red plain"_s);
    const QTextBlock block = log.findChild<LogPane*>()->document()->firstBlock();
    QStringList inks;
    for (auto part = block.begin(); !part.atEnd(); ++part)
        inks.append(part.fragment().text() + u'=' + part.fragment().charFormat().foreground().color().name());
    QCOMPARE(inks.size(), 3);
    QCOMPARE(inks.at(1), u"red="_s + m_theme.colour(Theme::Token::Bad).name());
}

void LogPartsTest::cutLinesSayHowMuch()
{
    JobLogView log;
    LogLine line = lineAt(u"xxx"_s, 0);
    line.cutBytes = 1234567;
    log.append({line});
    QCOMPARE(log.shownText(), u"xxx … 1,234,567 more bytes"_s);
    log.clear();
    log.append({lineAt(QString(LogPane::longestShown + 1000, u'y'), 0)});
    QVERIFY(log.shownText().endsWith(u"y … 1,000 more bytes"_s)); // a screen full of one line helps nobody
}

void LogPartsTest::asksForEarlierParts()
{
    JobLogView log;
    log.resize(400, 200);
    log.show();
    log.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}});
    log.append(linesFrom(5000, 200));
    QApplication::processEvents();
    auto* bar = log.findChild<LogPane*>()->verticalScrollBar();
    QSignalSpy before(&log, &JobLogView::beforeWanted);
    bar->setValue(0);
    QCOMPARE(before.size(), 1);
    QCOMPARE(before.first().at(1).toLongLong(), qint64(5000));
    bar->setValue(3);
    bar->setValue(0);
    QCOMPARE(before.size(), 1); // one is on its way
    QVERIFY(!log.isFollowing());
    LogPiece piece;
    piece.place = LogPiece::Place::Before;
    piece.begin = 4000;
    piece.end = 5000;
    piece.lines = linesFrom(4000, 100);
    log.showPiece(piece);
    QCOMPARE(log.lineCount(), qsizetype(300));
    QVERIFY(log.shownText().startsWith(u"line at 4000\n"_s));
    QCOMPARE(log.findChild<LogPane*>()->topPlace()->second, qint64(5000)); // one reads on where one was
    log.append({lineAt(u"new"_s, 9000)});
    QCOMPARE(log.lineCount(), qsizetype(301)); // still attached to the end
}

void LogPartsTest::forgetsWhatIsFarAway()
{
    JobLogView log;
    log.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}});
    log.append(linesFrom(100000, JobLogView::maxLines));
    LogPiece piece;
    piece.place = LogPiece::Place::Before;
    piece.begin = 90000;
    piece.end = 100000;
    piece.lines = linesFrom(90000, 1000);
    log.showPiece(piece);
    QCOMPARE(log.lineCount(), qsizetype(JobLogView::maxLines));
    QVERIFY(log.isDetached());
    log.append({lineAt(u"new"_s, 999999)});
    QVERIFY(!log.shownText().contains(u"new"_s));
}

void LogPartsTest::comesBackToTheEnd()
{
    JobLogView log;
    log.resize(400, 200);
    log.show();
    log.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}});
    LogPiece around;
    around.begin = 1000;
    around.end = 3000;
    around.focus = 2005;
    around.lines = linesFrom(1000, 200);
    log.showPiece(around);
    QVERIFY(log.isDetached() && !log.isFollowing());
    QCOMPARE(log.findChild<LogPane*>()->textCursor().selectedText(), u"line at 2000"_s);
    QApplication::processEvents();
    QSignalSpy behind(&log, &JobLogView::behindWanted);
    auto* bar = log.findChild<LogPane*>()->verticalScrollBar();
    bar->setValue(bar->maximum());
    QCOMPARE(behind.size(), 1);
    QCOMPARE(behind.first().at(1).toLongLong(), qint64(3000));
    QSignalSpy latest(&log, &JobLogView::latestWanted);
    for (auto* button : log.controls()->findChildren<QToolButton*>()) {
        if (button->text() == u"Follow"_s)
            button->click();
    }
    QCOMPARE(latest.size(), 1);
    LogPiece end;
    end.begin = 7000;
    end.end = 8000;
    end.reachesEnd = true;
    end.lines = linesFrom(7000, 100);
    log.showPiece(end);
    QVERIFY(!log.isDetached() && log.isFollowing());
    log.append({lineAt(u"new"_s, 8000)});
    QVERIFY(log.shownText().endsWith(u"new"_s));
}

void LogPartsTest::filesAndRanksApart()
{
    JobLogView log;
    log.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}, {1, u"/s/run.err"_s, u"run.err"_s, {}}});
    log.append({lineAt(u"out"_s, 0, 0, 2), lineAt(u"err"_s, 0, 1)});
    auto* choice = log.controls()->findChild<QComboBox*>();
    QCOMPARE(choice->count(), 4); // all, two files, rank 2
    choice->setCurrentText(u"run.err"_s);
    QCOMPARE(log.shownText(), u"err"_s);
    log.append({lineAt(u"more"_s, 4, 1, 3)});
    QCOMPARE(choice->currentText(), u"run.err"_s); // a new rank in the list changes nothing
    QCOMPARE(log.shownText(), u"err\nmore"_s);
    log.setRankFilter(2);
    QCOMPARE(log.shownText(), u"out\nerr"_s);
}

void LogPartsTest::twoSideBySide()
{
    JobLogView log;
    log.append({lineAt(u"a"_s, 0, 0, 0), lineAt(u"b"_s, 2, 0, 1)});
    log.setRankFilter(0);
    log.setSplit(true);
    QCOMPARE(log.shownText(), u"a"_s);
    auto* second = log.findChild<LogPane*>()->parent()->findChild<QComboBox*>();
    QVERIFY(second);
    second->setCurrentText(u"rank 1"_s);
    QCOMPARE(log.secondText(), u"b"_s);
    log.append({lineAt(u"c"_s, 4, 0, 1), lineAt(u"d"_s, 6, 0, 0)});
    QCOMPARE(log.shownText(), u"a\nd"_s);
    QCOMPARE(log.secondText(), u"b\nc"_s);
}

void LogPartsTest::errorsOnly()
{
    JobLogView log;
    LogLine error = lineAt(u"ValueError: x"_s, 5);
    error.isError = true;
    log.append({lineAt(u"fine"_s, 0), error});
    log.setErrorsOnly(true);
    QCOMPARE(log.shownText(), u"ValueError: x"_s);
    log.setErrorsOnly(false);
    QCOMPARE(log.shownText(), u"fine\nValueError: x"_s);
}

void LogPartsTest::causeLeadsToItsLine()
{
    JobLogView log;
    log.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}});
    log.append(linesFrom(1000, 50));
    auto* strip = log.findChild<DiagnosisStrip*>();
    QVERIFY(strip->isHidden());
    Diagnosis cause;
    cause.advice = u"The GPU's memory is full. Halve the micro-batch."_s;
    cause.evidence = u"CUDA <b>out</b> of memory"_s;
    cause.rank = 3;
    cause.line = 12045;
    cause.offset = 1200;
    log.showDiagnoses({cause});
    QVERIFY(!strip->isHidden());
    QVERIFY2(strip->spoken().contains(u"rank 3"_s) && strip->spoken().contains(humanNumber(12045, 0))
            && strip->spoken().contains(u"Halve"_s),
        qPrintable(strip->spoken()));
    QSignalSpy around(&log, &JobLogView::aroundWanted);
    strip->findChild<QPushButton*>()->click();
    QCOMPARE(log.findChild<LogPane*>()->textCursor().selectedText(), u"line at 1200"_s); // it is here
    QCOMPARE(around.size(), 0);
    cause.offset = 10;
    log.showDiagnoses({cause});
    strip->findChild<QPushButton*>()->click();
    QCOMPARE(around.size(), 1); // far away: its surroundings are asked for
    log.clear();
    QVERIFY(strip->isHidden());
}

/// Explained in another place of the page: here is only the line that says it, and the way to it.
void LogPartsTest::causeReportedElsewhere()
{
    JobLogView log;
    log.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}});
    log.append(linesFrom(1000, 50));
    Diagnosis cause;
    cause.kind = u"oom_gpu"_s;
    cause.advice = u"The GPU's memory is full. Halve the micro-batch."_s;
    cause.evidence = u"CUDA out of memory"_s;
    cause.offset = 1200;
    log.showDiagnoses({cause});
    const auto* strip = log.findChild<DiagnosisStrip*>();
    QVERIFY(strip->spoken().contains(u"Halve"_s));
    log.setCauseReportedElsewhere(true);
    QVERIFY2(
        !strip->spoken().contains(u"Halve"_s) && strip->spoken().contains(u"Alerts"_s), qPrintable(strip->spoken()));
    QCOMPARE(log.causes(), QStringList{u"oom_gpu"_s});
    log.showCause(u"oom_gpu"_s);
    QCOMPARE(log.findChild<LogPane*>()->textCursor().selectedText(), u"line at 1200"_s);
    log.clear();
    log.showDiagnoses({cause});
    QVERIFY(strip->spoken().contains(u"Halve"_s)); // nothing is known of another place any more
}

void LogPartsTest::lineNumbers()
{
    JobLogView log;
    log.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}});
    QList<LogLine> lines = linesFrom(1000, 3);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        lines[i].readFrom = 1000;
        lines[i].nth = i + 1;
    }
    log.append(lines);
    auto* pane = log.findChild<LogPane*>();
    const auto numberAt = [pane](int row) { return pane->numberOf(pane->document()->findBlockByNumber(row)); };
    QVERIFY(!numberAt(0)); // not counted yet: no number, not a wrong one
    log.setLinesBefore(0, 1000, 41);
    QCOMPARE(numberAt(0), 42);
    QCOMPARE(numberAt(2), 44);
    pane->resize(400, 200);
    const int without = pane->viewport()->x();
    QSignalSpy toggled(&log, &JobLogView::lineNumbersToggled);
    log.setLineNumbers(true);
    QVERIFY(pane->hasLineNumbers());
    QVERIFY(pane->viewport()->x() > without); // they have their own column
    QCOMPARE(toggled.size(), 0); // not by a person
    QVERIFY(!pane->grab().isNull());
    log.clear();
    log.append(lines);
    QVERIFY(!numberAt(0)); // another job's
}

void LogPartsTest::searchPanel()
{
    QWidget host;
    LogSearchPanel panel(&host);
    panel.begin(u"loss"_s);
    panel.add({{0, 500, u"loss 5"_s}});
    panel.show({});
    QCOMPARE(panel.summary(), u"1 line with “loss”"_s);
    panel.add({{0, 700, u"loss 7"_s}});
    panel.add({{0, 100, u"loss 1"_s}});
    panel.show({});
    QCOMPARE(panel.summary(), u"3 lines with “loss”"_s);
    auto* list = panel.findChild<QListWidget*>();
    QCOMPARE(list->item(0)->text(), u"loss 1"_s); // in the file's order
    LogSearchState state;
    state.searched = 1024 * 1024;
    state.total = 4 * 1024 * 1024;
    state.isRunning = true;
    panel.show(state);
    QVERIFY2(panel.summary().contains(u"3"_s) && panel.summary().contains(u"newest"_s), qPrintable(panel.summary()));
    QSignalSpy chosen(&panel, &LogSearchPanel::hitChosen);
    list->setCurrentRow(1);
    QMetaObject::invokeMethod(list, "itemActivated", Q_ARG(QListWidgetItem*, list->currentItem()));
    QCOMPARE(chosen.first().first().value<LogHit>().offset, qint64(500));
    state.trouble = u"Not a valid regular expression: unbalanced."_s;
    panel.show(state);
    QCOMPARE(panel.summary(), state.trouble);
}

void LogPartsTest::patternDialog()
{
    PatternDialog dialog(u"(?<step>\\d+)"_s);
    QSignalSpy edited(&dialog, &PatternDialog::edited);
    dialog.findChild<QLineEdit*>()->setText(u"(?<step>\\d"_s);
    QCOMPARE(edited.size(), 1);
    QPushButton* use = nullptr;
    for (auto* button : dialog.findChildren<QPushButton*>())
        use = button->text() == u"Use it"_s ? button : use;
    dialog.showPreview({}, 10, u"The bracket is not closed."_s);
    QVERIFY(!use->isEnabled());
    dialog.showPreview({{u"tick 4"_s, u"step 4"_s}}, 10, {});
    QVERIFY(use->isEnabled());
    QCOMPARE(dialog.findChild<QTableWidget*>()->item(0, 0)->text(), u"step 4"_s);
    const auto says = [&dialog](const QString& text) {
        const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text() == text; });
    };
    QVERIFY(says(u"It reads 1 of the last 10 lines."_s));
    dialog.showPreview({}, 10, {});
    QVERIFY(says(u"It matches none of the last 10 lines."_s));
}

void LogPartsTest::everythingHasAName()
{
    JobLogView log;
    PatternDialog dialog({});
    for (QWidget* widget : log.tabStops()) {
        const auto* button = qobject_cast<QToolButton*>(widget);
        QVERIFY(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()));
    }
    for (auto* edit : dialog.findChildren<QLineEdit*>())
        QVERIFY(!edit->accessibleName().isEmpty());
    QVERIFY(!dialog.findChild<QTableWidget*>()->accessibleName().isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(LogPartsTest)
#include "tst_logparts.moc"

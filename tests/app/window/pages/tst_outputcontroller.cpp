// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/outputcontroller.h"
#include "tests/support/testbase.h"
#include "widgets/log/joblogview.h"
#include "widgets/log/logchoice.h"
#include "widgets/log/logsearchpanel.h"

#include <QApplication>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QThreadPool>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

OutputText keptText(const QString& path, const QByteArray& bytes) { return {path, {}, bytes, qint64(bytes.size())}; }

/// One file of `megabytes`, whose lines say `word`.
OutputText longText(const QString& path, const QByteArray& word, int megabytes)
{
    QByteArray bytes;
    for (int line = 0; bytes.size() < (qint64(megabytes) << 20); ++line)
        bytes += "[rank" + QByteArray::number(line % 3) + "]: " + word + ' ' + QByteArray::number(line) + '\n';
    return keptText(path, bytes);
}

JobRecord endedJob()
{
    JobRecord job;
    job.id = u"4711"_s;
    job.state = JobState::Failed;
    return job;
}

} // namespace

/// The output that is kept of jobs that have ended: megabytes that the window does not wait for.
class OutputControllerTest final : public Suite {
    Q_OBJECT
private slots:
    void showsWhatAViewOfAllLinesWould();
    void theWindowDoesNotWait();
    void anotherJobTakesItsPlace();
    void saysHowFarItIs();
    void aDroppedReadingEnds();
    void searchesOfAnotherJobAreDropped();
    void anOutputWithoutLines();
    void aStoppedSearchSaysSo();
    void itIsNotSaidToBeMissingWhileItIsRead();
};

void OutputControllerTest::showsWhatAViewOfAllLinesWould()
{
    QList<OutputText> texts;
    texts.append(keptText(u"/run/a.out"_s, "[rank5]: one\n 10%|#   | 1/10\r 20%|##  | 2/10\r 30%|### | 3/10\ntwo\n"));
    texts.append(longText(u"/run/b.out"_s, "line", 1));
    texts[1].wholeBytes = texts[1].bytes.size() + 500; // of which the first are not kept
    texts.append(keptText(u"/run/c.out"_s, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"));
    JobLogView every;
    every.setFiles(namesOf(texts));
    for (int file = 0; file < int(texts.size()); ++file)
        every.append(linesOf(texts.at(file), file));
    JobLogView view;
    OutputController controller(view);
    controller.showTexts(texts, endedJob());
    QTRY_COMPARE(view.lineCount(), qsizetype(JobLogView::maxLines));
    QCOMPARE(view.newestLines(JobLogView::maxLines), every.newestLines(JobLogView::maxLines));
    QCOMPARE(view.shownText(), every.shownText());
    QCOMPARE(view.causes(), QStringList{u"oom_gpu"_s});
    view.setRankFilter(5); // its line is not among the newest
    QCOMPARE(view.rankFilter(), std::optional(5));
}

void OutputControllerTest::theWindowDoesNotWait()
{
    JobLogView view;
    OutputController controller(view);
    controller.showTexts({longText(u"/run/a.out"_s, "first", 2)}, endedJob());
    QCOMPARE(view.lineCount(), qsizetype(0));
    QTRY_VERIFY(view.shownText().contains(u"first"_s));
}

void OutputControllerTest::anotherJobTakesItsPlace()
{
    JobLogView view;
    OutputController controller(view);
    controller.showTexts({longText(u"/run/a.out"_s, "first", 2)}, endedJob());
    controller.showTexts({keptText(u"/run/b.out"_s, "second\n")}, endedJob());
    QTRY_VERIFY(view.shownText().contains(u"second"_s));
    QVERIFY(QThreadPool::globalInstance()->waitForDone(test::longWaitMs));
    QApplication::processEvents();
    QCOMPARE(view.shownText(), u"second"_s);
    // As does one without any output.
    controller.showTexts({longText(u"/run/a.out"_s, "first", 1)}, endedJob());
    view.clear();
    controller.forget();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(test::longWaitMs));
    QApplication::processEvents();
    QCOMPARE(view.lineCount(), qsizetype(0));
}

void OutputControllerTest::saysHowFarItIs()
{
    JobLogView view;
    OutputController controller(view);
    controller.setSlowAfter(0);
    QList<OutputText> texts;
    for (int file = 0; file < 4; ++file)
        texts.append(longText(u"/run/%1.out"_s.arg(file), "line", 1));
    controller.showTexts(texts, endedJob());
    const auto* pane = view.findChild<QPlainTextEdit*>();
    QVERIFY(pane);
    QTRY_VERIFY2(pane->placeholderText().startsWith(u"The output is read: "_s)
            && pane->placeholderText().endsWith(u" of 4 files …"_s),
        qPrintable(pane->placeholderText()));
    QTRY_COMPARE(view.lineCount(), qsizetype(JobLogView::maxLines));
}

void OutputControllerTest::aDroppedReadingEnds()
{
    TextsReading reading;
    reading.dropped = true;
    const ShownTexts shown = shownTexts({keptText(u"/run/a.out"_s, "one\n")}, endedJob(), 100, reading);
    QVERIFY(shown.lines.isEmpty());
    QCOMPARE(reading.filesRead.load(), 0);
}

void OutputControllerTest::searchesOfAnotherJobAreDropped()
{
    JobLogView view;
    OutputController controller(view);
    controller.showTexts({keptText(u"/run/a.out"_s, "the word\n")}, endedJob());
    QTRY_VERIFY(view.shownText().contains(u"the word"_s));
    emit view.searchWanted(0, {u"word"_s});
    emit view.aroundWanted(0, 0);
    controller.showTexts({keptText(u"/run/b.out"_s, "nothing\n")}, endedJob());
    view.clear();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(test::longWaitMs));
    QTRY_COMPARE(view.shownText(), u"nothing"_s);
}

void OutputControllerTest::anOutputWithoutLines()
{
    JobLogView view;
    OutputController controller(view);
    controller.showTexts({keptText(u"/run/a.out"_s, {})}, endedJob());
    QTRY_COMPARE(view.findChild<QPlainTextEdit*>()->placeholderText(), u"The job wrote nothing."_s);
}

void OutputControllerTest::aStoppedSearchSaysSo()
{
    JobLogView view;
    OutputController controller(view);
    controller.showTexts({longText(u"/run/a.out"_s, "line", 1)}, endedJob());
    QTRY_VERIFY(view.lineCount() > 0);
    auto* panel = view.findChild<LogSearchPanel*>();
    const auto* progress = panel->findChild<QProgressBar*>();
    panel->begin(u"line"_s);
    QVERIFY(!progress->isHidden());
    emit view.searchWanted(0, {u"line"_s});
    emit view.searchCancelled();
    QVERIFY(progress->isHidden());
    QVERIFY2(panel->summary().endsWith(u"stopped there"_s), qPrintable(panel->summary()));
    QVERIFY(QThreadPool::globalInstance()->waitForDone(test::longWaitMs));
    QApplication::processEvents();
    QVERIFY2(panel->summary().startsWith(u"0 lines"_s), qPrintable(panel->summary()));
}

void OutputControllerTest::itIsNotSaidToBeMissingWhileItIsRead()
{
    JobLogView view;
    OutputController controller(view);
    view.setEmptyText(u"There is none."_s);
    controller.showTexts({keptText(u"/run/a.out"_s, "one\n")}, endedJob());
    const auto* pane = view.findChild<QPlainTextEdit*>();
    QCOMPARE(pane->placeholderText(), u"Reading the output …"_s);
    QTRY_COMPARE(view.lineCount(), qsizetype(1));
    QCOMPARE(pane->placeholderText(), u"No line passes what is chosen above."_s); // seen where a filter leaves none
}

RANKWRIGHT_WIDGET_TEST_MAIN(OutputControllerTest)
#include "tst_outputcontroller.moc"

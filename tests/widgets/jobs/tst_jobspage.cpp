// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/jobs/jobdetails.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/jobs/jobtext.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

using namespace rankwright;
using namespace rankwright::shots;

namespace {

JobRow rowOf(const QString& id, const QString& name, JobState state, bool here = true)
{
    JobRow row;
    row.job = runningJob({}, state);
    row.job.id = id;
    row.job.name = name;
    row.cluster = u"lumi"_s;
    row.launchedHere = here;
    row.entryId = here ? u"entry-"_s + id : QString();
    return row;
}

} // namespace

class JobsPageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void emptySaysWhatComes();
    void newestFirst();
    void showsWhoseJobsTheyAreInANarrowWindow();
    void notesBeginWithACapital();
    void filters();
    void keepsItsHeadsWhole();
    void showsNamesAndMomentsWhole();
    void asksForWhatIsChosen();
    void offersWhatIsPossible_data();
    void offersWhatIsPossible();
    void cancelNamesTheJob();
    void keepsTheSelectionWhenReported();
    void keepsWhatIsMarkedInAFact();
    void showsTheScript();
    void limitUse_data();
    void limitUse();
    void noStateWithoutAWord();
    void everyStopHasAName();

private:
    std::unique_ptr<Theme> m_theme;
};

void JobsPageTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void JobsPageTest::emptySaysWhatComes()
{
    JobModel model;
    JobsPage page(model);
    page.show();
    QVERIFY(test::shownText(page).contains(u"No jobs yet"_s));
    QSignalSpy refresh(&page, &JobsPage::refreshRequested);
    test::shownButton(page, u"Ask the cluster again"_s)->click();
    QCOMPARE(refresh.size(), 1);
    model.assign({rowOf(u"1"_s, u"a"_s, JobState::Running)});
    QVERIFY(!test::shownText(page).contains(u"No jobs yet"_s));
}

void JobsPageTest::newestFirst()
{
    JobModel model;
    JobsPage page(model);
    model.assign({rowOf(u"99"_s, u"a"_s, JobState::Running), rowOf(u"100"_s, u"b"_s, JobState::Running)});
    auto* table = page.findChild<RecordTable*>();
    QCOMPARE(table->model()->index(0, 0).data().toString(), u"100"_s); // by number, not by text
}

/// Also at twice the size of everything on a screen of 1920 x 1080: “Submitted” was cut.
void JobsPageTest::keepsItsHeadsWhole()
{
    JobModel model;
    JobsPage page(model);
    model.assign({rowOf(u"1"_s, u"llama"_s, JobState::Running), rowOf(u"2"_s, u"gpt"_s, JobState::Failed)});
    page.show();
    for (const QSize size : {QSize(892, 494), QSize(956, 654), QSize(1212, 754), QSize(1852, 1034)}) {
        page.resize(size);
        QApplication::processEvents();
        auto* table = page.findChild<RecordTable*>();
        const QHeaderView* head = table->horizontalHeader();
        for (int column = 0; column < head->count(); ++column) {
            if (head->isSectionHidden(column))
                continue;
            const QString text = table->model()->headerData(column, Qt::Horizontal).toString();
            const int needed = head->fontMetrics().horizontalAdvance(text);
            QVERIFY2(needed + 16 <= head->sectionSize(column), // and the style's padding
                qPrintable(u"%1 needs %2 of %3 at %4"_s.arg(text)
                               .arg(needed)
                               .arg(head->sectionSize(column))
                               .arg(size.width())));
        }
        const QStringList cut = test::clippedTexts(page);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
    }
}

/// At 1024 × 700 the moment of submission was cut, at 1920 × 1080 a name beside 700 free pixels.
void JobsPageTest::showsNamesAndMomentsWhole()
{
    JobModel model;
    JobsPage page(model);
    const QString name = u"sweep-learning-rate-and-batch-size-of-the-eight-billion-model"_s;
    QList<JobRow> rows{
        rowOf(u"9304960_[5-31%4]"_s, name, JobState::Running), rowOf(u"2"_s, u"gpt"_s, JobState::OutOfMemory)};
    for (JobRow& row : rows)
        row.job.submitted = QDateTime({2026, 3, 2}, {13, 2});
    model.assign(rows);
    page.show();
    auto* table = page.findChild<RecordTable*>();
    const auto reached
        = [table](int column) { return table->columnViewportPosition(column) + table->columnWidth(column); };
    for (const int width : {1852, 956, 1852}) {
        page.resize(width, 654);
        QApplication::processEvents();
        const int room = table->columnWidth(JobModel::nameColumn);
        QVERIFY2(width < 1800 || room >= table->fontMetrics().horizontalAdvance(name) + 24,
            qPrintable(QString::number(room)));
        // With its sign, as the row of a job that ran out of memory shows it.
        QVERIFY(table->columnWidth(JobModel::stateColumn)
            >= table->fontMetrics().horizontalAdvance(toText(JobState::OutOfMemory)) + 22 + 24);
        QVERIFY(table->columnWidth(JobModel::submittedColumn)
            >= table->fontMetrics().horizontalAdvance(model.index(0, JobModel::submittedColumn).data().toString())
                + 24);
        QVERIFY2(reached(JobModel::clusterColumn - 1) <= table->viewport()->width(),
            qPrintable(u"%1 of %2"_s.arg(reached(JobModel::clusterColumn - 1)).arg(table->viewport()->width())));
    }
}

/// With jobs of two clusters “Cluster” was cut at 1024 px: what the details repeat gives way to it, and comes back.
void JobsPageTest::showsWhoseJobsTheyAreInANarrowWindow()
{
    JobModel model;
    JobsPage page(model);
    QList<JobRow> rows{
        rowOf(u"9304960"_s, u"llama"_s, JobState::OutOfMemory), rowOf(u"2"_s, u"gpt"_s, JobState::Failed)};
    rows.first().clusterTitle = u"MareNostrum 5 ACC"_s;
    rows.last().cluster = u"practice"_s;
    rows.last().clusterTitle = u"Practice cluster"_s;
    for (JobRow& row : rows)
        row.job.submitted = QDateTime({2026, 3, 2}, {13, 2});
    model.assign(rows);
    page.show();
    auto* table = page.findChild<RecordTable*>();
    const int column = JobModel::clusterColumn;
    for (const int width : {956, 1852, 956}) {
        page.resize(width, 654);
        QApplication::processEvents();
        QVERIFY(!table->isColumnHidden(column));
        QVERIFY(table->columnWidth(column) >= table->fontMetrics().horizontalAdvance(rows.first().clusterTitle) + 24);
        const int reached = table->columnViewportPosition(column) + table->columnWidth(column);
        QVERIFY2(reached <= table->viewport()->width(),
            qPrintable(u"%1 of %2"_s.arg(reached).arg(table->viewport()->width())));
        QCOMPARE(table->isColumnHidden(JobModel::partitionColumn), width < 1000);
        QVERIFY(!table->isColumnHidden(JobModel::submittedColumn));
    }
    rows.removeLast();
    model.assign(rows);
    QVERIFY(table->isColumnHidden(column) && !table->isColumnHidden(JobModel::partitionColumn));
}

void JobsPageTest::notesBeginWithACapital()
{
    JobModel model;
    JobsPage page(model);
    JobRow row = rowOf(u"2"_s, u"gpt"_s, JobState::Failed);
    row.note = u"out of memory on a GPU"_s;
    model.assign({row});
    page.show();
    const QModelIndex note = model.index(0, model.columnCount() - 1);
    QCOMPARE(note.data().toString(), u"Out of memory on a GPU"_s);
    QVERIFY2(test::shownText(page).contains(u"\nOut of memory on a GPU"_s), qPrintable(test::shownText(page)));
}

void JobsPageTest::filters()
{
    JobModel model;
    JobsPage page(model);
    model.assign({rowOf(u"1"_s, u"llama"_s, JobState::Running), rowOf(u"2"_s, u"gpt"_s, JobState::Failed)});
    page.show();
    auto* table = page.findChild<RecordTable*>();
    auto* filter = page.findChild<QLineEdit*>();
    filter->setText(u"LLA"_s);
    QCOMPARE(table->shownRows(), 1);
    filter->setText(u"failed"_s);
    QCOMPARE(table->shownRows(), 1);
    QCOMPARE(table->model()->index(0, 0).data().toString(), u"2"_s);
    filter->setText(u"nothing like it"_s);
    QCOMPARE(table->shownRows(), 0);
    QVERIFY(test::shownText(page).contains(u"No job matches"_s));
    page.selectJob(u"1"_s); // what is asked for is shown, filter or not
    QVERIFY(table->selectedId().endsWith(u'1'));
    QVERIFY(filter->text().isEmpty());
}

void JobsPageTest::asksForWhatIsChosen()
{
    JobModel model;
    JobsPage page(model);
    QSignalSpy selected(&page, &JobsPage::jobSelected);
    model.assign({rowOf(u"1"_s, u"a"_s, JobState::Running), rowOf(u"2"_s, u"b"_s, JobState::Running)});
    page.show();
    page.selectJob(u"1"_s);
    QCOMPARE(selected.last().first().toString(), u"1"_s);
    QSignalSpy watch(&page, &JobsPage::watchRequested);
    QSignalSpy reopen(&page, &JobsPage::reopenDesignRequested);
    test::shownButton(page, u"Watch live"_s)->click();
    test::shownButton(page, u"Open its design"_s)->click();
    QCOMPARE(watch.first().first().toString(), u"1"_s);
    QCOMPARE(reopen.first().first().toString(), u"entry-1"_s);
}

void JobsPageTest::offersWhatIsPossible_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("here");
    QTest::addColumn<bool>("watch");
    QTest::addColumn<bool>("cancel");
    QTest::addColumn<bool>("reopen");
    QTest::newRow("running") << int(JobState::Running) << true << true << true << true;
    QTest::newRow("pending") << int(JobState::Pending) << true << false << true << true;
    QTest::newRow("completed, somebody else's window") << int(JobState::Completed) << false << false << false << false;
    QTest::newRow("failed") << int(JobState::Failed) << true << false << false << true;
    QTest::newRow("unknown") << int(JobState::Unknown) << true << false << false << true;
}

void JobsPageTest::offersWhatIsPossible()
{
    QFETCH(int, state);
    QFETCH(bool, here);
    QFETCH(bool, watch);
    QFETCH(bool, cancel);
    QFETCH(bool, reopen);
    JobModel model;
    JobsPage page(model);
    model.assign({rowOf(u"1"_s, u"a"_s, JobState(state), here)});
    page.show();
    page.selectJob(u"1"_s);
    QCOMPARE(test::shownButton(page, u"Watch live"_s) != nullptr, watch);
    QCOMPARE(test::shownButton(page, u"Cancel…"_s) != nullptr, cancel);
    QCOMPARE(test::shownButton(page, u"Open its design"_s) != nullptr, reopen);
}

void JobsPageTest::cancelNamesTheJob()
{
    JobModel model;
    JobsPage page(model);
    model.assign({rowOf(u"4711"_s, u"llama"_s, JobState::Pending)});
    page.show();
    QSignalSpy cancel(&page, &JobsPage::cancelRequested);
    QString question;
    QTimer::singleShot(0, this, [&question] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!box)
            return;
        question = box->text();
        QCOMPARE(box->defaultButton()->text(), u"Keep it"_s);
        for (QAbstractButton* one : box->buttons()) {
            if (one->text() == u"Cancel the job"_s)
                one->click();
        }
    });
    test::shownButton(page, u"Cancel…"_s)->click();
    QVERIFY(question.contains(u"llama"_s) && question.contains(u"4711"_s));
    QCOMPARE(cancel.size(), 1);
}

void JobsPageTest::keepsTheSelectionWhenReported()
{
    JobModel model;
    JobsPage page(model);
    QList<JobRow> rows{rowOf(u"1"_s, u"a"_s, JobState::Running), rowOf(u"2"_s, u"b"_s, JobState::Running)};
    model.assign(rows);
    page.show();
    page.selectJob(u"1"_s);
    QSignalSpy selected(&page, &JobsPage::jobSelected);
    rows[0].job.state = JobState::Completed;
    rows.append(rowOf(u"3"_s, u"c"_s, JobState::Pending));
    model.assign(rows);
    QVERIFY(page.findChild<RecordTable*>()->selectedId().endsWith(u'1'));
    QVERIFY(test::shownText(page).contains(u"COMPLETED"_s));
    QCOMPARE(selected.size(), 0);
}

/// The cluster is asked every few seconds: a path that is being marked to be copied stays marked, the keyboard there.
void JobsPageTest::keepsWhatIsMarkedInAFact()
{
    JobDetails details;
    JobRow row = rowOf(u"7"_s, u"llama"_s, JobState::Running);
    row.job.workdir = u"/scratch/project/runs"_s;
    details.resize(900, 500);
    details.showJob(&row);
    details.show();
    QApplication::setActiveWindow(&details);
    QApplication::processEvents();
    QLabel* folder = nullptr;
    for (QLabel* label : details.findChildren<QLabel*>()) {
        if (label->text() == row.job.workdir)
            folder = label;
    }
    QVERIFY(folder);
    QVERIFY(test::shownText(details).contains(u"lumi"_s));
    row.clusterTitle = u"LUMI supercomputer"_s;
    details.showJob(&row);
    QVERIFY(test::shownText(details).contains(u"LUMI supercomputer"_s));
    folder->setFocus(Qt::MouseFocusReason);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(folder));
    folder->setSelection(0, 8);
    row.job.elapsed = Seconds{4321};
    row.job.account = u"another"_s;
    details.showJob(&row);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(folder));
    QCOMPARE(folder->selectedText(), u"/scratch"_s);
    QVERIFY(test::shownText(details).contains(u"another"_s));
}

void JobsPageTest::showsTheScript()
{
    JobModel model;
    JobsPage page(model);
    model.assign({rowOf(u"1"_s, u"a"_s, JobState::Running), rowOf(u"2"_s, u"b"_s, JobState::Running)});
    page.show();
    page.selectJob(u"1"_s);
    page.showScript(u"1"_s, u"#!/bin/bash\n<b>x</b>"_s);
    auto* script = page.findChild<QPlainTextEdit*>();
    QVERIFY(script->isReadOnly());
    QCOMPARE(script->toPlainText(), u"#!/bin/bash\n<b>x</b>"_s);
    page.showScript(u"2"_s, u"another job's"_s); // late answer for a job that is no longer shown
    QCOMPARE(script->toPlainText(), u"#!/bin/bash\n<b>x</b>"_s);
    page.selectJob(u"2"_s);
    QVERIFY(script->toPlainText().isEmpty());
}

void JobsPageTest::limitUse_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("elapsed");
    QTest::addColumn<int>("limit");
    QTest::addColumn<QString>("part");
    QTest::newRow("a sixth of it") << int(JobState::Completed) << 7200 << 43200 << u"(17\u2009%): a shorter limit"_s;
    QTest::newRow("most of it") << int(JobState::Completed) << 36000 << 43200 << u"(83\u2009%)"_s;
    QTest::newRow("cut off") << int(JobState::Timeout) << 43210 << 43200 << u"cut off by its limit"_s;
    QTest::newRow("limit not reported") << int(JobState::Completed) << 7200 << 0 << QString();
    QTest::newRow("not started") << int(JobState::Pending) << 0 << 43200 << QString();
}

void JobsPageTest::limitUse()
{
    QFETCH(int, state);
    QFETCH(int, elapsed);
    QFETCH(int, limit);
    QFETCH(QString, part);
    JobRecord job = runningJob({}, JobState(state));
    job.elapsed = Seconds{elapsed};
    job.timeLimit = limit > 0 ? std::optional(Seconds{limit}) : std::nullopt;
    const QString text = limitUseText(job);
    QCOMPARE(text.isEmpty(), part.isEmpty());
    QVERIFY2(text.contains(part), qPrintable(text));
    if (JobState(state) == JobState::Completed && elapsed > limit / 2)
        QVERIFY(!text.contains(u"shorter"_s));
}

void JobsPageTest::noStateWithoutAWord()
{
    for (int state = 0; state <= int(JobState::StageOut); ++state) {
        QLabel chip;
        showState(&chip, JobState(state), Seconds{60});
        QVERIFY2(chip.text().size() > 3, qPrintable(QString::number(state)));
        QVERIFY(!chip.property("pill").toString().isEmpty());
    }
}

void JobsPageTest::everyStopHasAName()
{
    JobModel model;
    JobsPage page(model);
    model.assign({rowOf(u"1"_s, u"a"_s, JobState::Running)});
    page.show();
    for (const QWidget* one : page.findChildren<QWidget*>()) {
        if (!one->isVisible() || !(one->focusPolicy() & Qt::TabFocus) || one->focusProxy())
            continue;
        const auto* pressed = qobject_cast<const QAbstractButton*>(one);
        const bool named = !one->accessibleName().isEmpty() || (pressed && !pressed->text().isEmpty());
        QVERIFY2(named, one->metaObject()->className());
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(JobsPageTest)
#include "tst_jobspage.moc"

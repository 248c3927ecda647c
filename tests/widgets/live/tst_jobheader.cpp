// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/livefixture.h"
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/theme.h"
#include "widgets/live/jobheader.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"
#include "widgets/window/pageframe.h"

#include <QApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::shots;
using rankwright::test::shownText;

/// The row of the job on the Live page: state, times, progress, price, and what can be done.
class JobHeaderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme.setMode(Theme::Mode::Light); }
    void noCaptionOfTheHeaderIsCut_data();
    void noCaptionOfTheHeaderIsCut();
    void standsInOneLineWithoutItsSecondRow_data();
    void standsInOneLineWithoutItsSecondRow();
    void countsElapsedTimeOn();
    void countsNothingOnWithoutTheCluster();
    void timeLeftIsTheRuns();
    void timeOfAStepAndWhatIsLeft();
    void ranksAreWhereTheyReport();
    void doesNotInventProgress();
    void saysThatItStarts();
    void waitingSaysWhy();
    void cancelsOnlyWhenConfirmed();
    void reportIsAlwaysThere();

private:
    static constexpr qint64 now = 1'772'460'751'000;
    Theme m_theme;
};

void JobHeaderTest::noCaptionOfTheHeaderIsCut_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("hasSecondRow");
    QTest::newRow("1024") << 944 << false;
    QTest::newRow("1280") << 1200 << true;
    QTest::newRow("1920") << 1840 << true;
}

/// "step 9…" and "per st…" said nothing, beside a bar that was a dot at 1280. What has no room goes as a whole, and the
/// bar is the widest thing.
void JobHeaderTest::noCaptionOfTheHeaderIsCut()
{
    QFETCH(int, width);
    QFETCH(bool, hasSecondRow);
    GpuGrid grid;
    LivePage page(grid);
    page.resize(width, 754);
    page.setClock([] { return now; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.setPrice(JobPrice{u"GPU-hours"_s, 8, false, {}});
    page.showLosses(lossCurve(444));
    TrainingProgress progress = progressAt(4440, 12000, 2.314);
    progress.stepSeconds = 0.752;
    page.showProgress(progress);
    page.show();
    QApplication::processEvents();
    const auto* header = page.findChild<JobHeader*>();
    QStringList cut, shown;
    for (const ElidingLabel* label : header->findChildren<ElidingLabel*>()) {
        if (!label->isVisible())
            continue;
        shown.append(label->text());
        if (label->shownText() != label->text())
            cut.append(label->text());
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
    const QString all = shown.join(u'|');
    QCOMPARE(all.contains(u"step 4"_s), hasSecondRow);
    QCOMPARE(all.contains(u"2 nodes"_s), hasSecondRow);
    const auto* bar = header->findChild<QProgressBar*>();
    for (const QWidget* part : header->findChildren<QWidget*>()) {
        if (part->isVisible() && part != bar)
            QVERIFY2(part->width() <= bar->width(),
                qPrintable(u"%1 is %2 wide, the bar %3"_s.arg(QLatin1String(part->metaObject()->className()))
                               .arg(part->width())
                               .arg(bar->width())));
    }
}

void JobHeaderTest::standsInOneLineWithoutItsSecondRow_data()
{
    QTest::addColumn<JobState>("state");
    QTest::newRow("running") << JobState::Running;
    QTest::newRow("failed") << JobState::Failed;
    QTest::newRow("completed") << JobState::Completed;
}

/// The window became narrower, the second row went, and the first stayed where it had been above it.
void JobHeaderTest::standsInOneLineWithoutItsSecondRow()
{
    QFETCH(JobState, state);
    GpuGrid grid;
    auto* page = new LivePage(grid);
    PageFrame frame(page);
    frame.resize(1212, 752);
    const RunShape shape;
    fillRun(grid, shape, {}, now);
    prepare(*page, shape, state, state == JobState::Failed);
    page->setOverview(overviewOf(false, Measure::Utilization));
    Situation situation{.shape = shape, .mood = {}};
    if (state == JobState::Failed)
        situation.diagnoses = {outOfMemory()};
    page->showAlerts(alertsOf(situation));
    page->log().showDiagnoses(situation.diagnoses);
    frame.show();
    QApplication::processEvents();
    const auto* header = page->findChild<JobHeader*>();
    for (const QSize size : {QSize(1852, 1033), QSize(1212, 753), QSize(1212, 673), QSize(956, 653), QSize(892, 493),
             QSize(1852, 1033), QSize(1212, 673), QSize(956, 653)}) {
        frame.resize(size);
        for (int round = 0; round < 5; ++round)
            QApplication::processEvents();
        const auto* bar = header->findChild<QProgressBar*>();
        const int middle = bar->mapTo(header, bar->rect().center()).y();
        bool hasSecondRow = false;
        QStringList places;
        for (const QLabel* label : header->findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty())
                continue;
            hasSecondRow = hasSecondRow || label->property("caption").toBool();
            const int at = label->mapTo(header, label->rect().center()).y();
            if (std::abs(at - middle) > 2)
                places.append(u"%1 at %2, the bar at %3"_s.arg(label->text()).arg(at).arg(middle));
        }
        QVERIFY2(hasSecondRow || places.isEmpty(), qPrintable(u"%1: "_s.arg(size.width()) + places.join(u'\n')));
    }
}

void JobHeaderTest::countsElapsedTimeOn()
{
    GpuGrid grid;
    LivePage page(grid);
    qint64 clock = now;
    page.setClock([&clock] { return clock; });
    page.showJob(runningJob({}));
    page.show();
    clock += 180'000;
    for (int beat = 0; beat < 10; ++beat)
        page.beat();
    QVERIFY2(shownText(page).contains(u"1\u2009h 55\u2009min"_s), qPrintable(shownText(page)));
}

/// W13: with the link dead, state, hours and cost are as they were.
void JobHeaderTest::countsNothingOnWithoutTheCluster()
{
    GpuGrid grid;
    LivePage page(grid);
    page.resize(1216, 754); // with room for all figures
    qint64 clock = now;
    page.setClock([&clock] { return clock; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.showProgress(progressAt(4440, 12000, 2.314));
    page.show();
    page.setAsOf(now);
    const QString before = shownText(page);
    const QString then = u"as of "_s + QDateTime::fromMSecsSinceEpoch(now).toString(u"HH:mm"_s);
    QVERIFY2(before.contains(then), qPrintable(before));
    QVERIFY(before.contains(u"29.9 GCD-hours"_s) && !before.contains(u"per hour"_s));
    QVERIFY(!before.contains(u" left"_s));
    clock += 3'600'000;
    for (int beat = 0; beat < 10; ++beat)
        page.beat();
    QVERIFY2(shownText(page).contains(u"29.9 GCD-hours"_s), qPrintable(shownText(page)));
    page.setAsOf({});
    page.updateJob(runningJob({}));
    QVERIFY(!shownText(page).contains(u"as of"_s));
}

void JobHeaderTest::timeLeftIsTheRuns()
{
    GpuGrid grid;
    LivePage page(grid);
    page.resize(1216, 754);
    page.showJob(runningJob({}));
    page.show();
    TrainingProgress progress;
    progress.stepWithinEpoch = true;
    progress.step = 50;
    progress.steps = 100;
    progress.etaSeconds = 1800; // of this epoch: 36 s a step
    page.showProgress(progress);
    QVERIFY2(shownText(page).contains(u"left of this epoch"_s), qPrintable(shownText(page)));
    progress.epoch = 2;
    progress.epochs = 4; // half an epoch and two more: 250 steps
    page.showProgress(progress);
    QVERIFY2(shownText(page).contains(u"2\u2009h 30\u2009min left"_s), qPrintable(shownText(page)));
}

void JobHeaderTest::timeOfAStepAndWhatIsLeft()
{
    GpuGrid grid;
    LivePage page(grid);
    page.resize(1216, 754);
    page.showJob(runningJob({}));
    page.show();
    TrainingProgress progress = progressAt(400, 1000, 2.3);
    progress.stepSeconds.reset();
    progress.etaSeconds = 7200;
    page.showProgress(progress);
    QVERIFY2(shownText(page).contains(u"2\u2009h left"_s), qPrintable(shownText(page))); // the log's word
    QVERIFY(!shownText(page).contains(u"per step"_s));
    const auto tipOf = [&page](const QString& name) {
        for (const QLabel* label : page.findChildren<QLabel*>())
            if (label->accessibleName() == name)
                return label->parentWidget()->toolTip();
        return QString();
    };
    QVERIFY(tipOf(u"Progress"_s).contains(u"as the log itself reports it"_s));
    progress.stepSeconds = 1.5; // 600 steps: 15 min, whatever the bar says
    page.showProgress(progress);
    QVERIFY2(shownText(page).contains(u"15\u2009min left"_s), qPrintable(shownText(page)));
    QVERIFY(shownText(page).contains(u"1.5\u2009s"_s) && shownText(page).contains(u"per step"_s));
    QVERIFY2(tipOf(u"Progress"_s).contains(u"600 steps of 1.5\u2009s"_s)
            && tipOf(u"Progress"_s).contains(u"own figure is 2\u2009h"_s),
        qPrintable(tipOf(u"Progress"_s)));
    QVERIFY(tipOf(u"Time of a step"_s).contains(u"median"_s));
    progress.stepSeconds = 0.0864;
    page.showProgress(progress);
    QVERIFY2(shownText(page).contains(u"86\u2009ms"_s), qPrintable(shownText(page)));
}

void JobHeaderTest::ranksAreWhereTheyReport()
{
    GpuGrid grid;
    LivePage page(grid);
    fillRun(grid, {}, {}, now);
    page.setClock([] { return now; });
    page.showJob(runningJob({}));
    page.show();
    QVERIFY(!shownText(page).contains(u"rank 0 bound"_s));
    const auto header = [&page] {
        for (const QLabel* label : page.findChildren<QLabel*>())
            if (label->text().contains(u" · "_s) && label->text().contains(u"GCDs"_s))
                return label->text();
        return QString();
    };
    RankBinding binding;
    page.showBinding(binding);
    QVERIFY2(header().endsWith(u"binding not reported"_s), qPrintable(header()));
    binding.addReport(*readRankReport(u"rankwright: rank 0 of 16 on node n1: cores 49-55 as planned, device 0"_s));
    binding.begin();
    page.showBinding(binding);
    QVERIFY2(header().endsWith(u"16 of 16 ranks bound as planned"_s), qPrintable(header()));
    binding.addReport(*readRankReport(u"rankwright: rank 0 of 16 on node n1: cores 49-55 as planned, device 0"_s));
    binding.addReport(*readRankReport(u"rankwright: rank 5 of 16 on node n1: cores 0-63 instead of 9-15, device 5"_s));
    page.showBinding(binding);
    QVERIFY2(header().endsWith(u"1 of 16 ranks not as planned"_s), qPrintable(header()));
    QVERIFY2(
        shownText(page).contains(u"Rank 5 on n1 is on cores 0-63 instead of 9-15."_s), qPrintable(shownText(page)));
    Alert alert; // what the samples say of the same cores is enough
    alert.kind = u"wrong_binding"_s;
    alert.level = Alert::Level::Warning;
    alert.title = u"Rank 5 is bound elsewhere"_s;
    page.showAlerts({alert});
    QVERIFY(!shownText(page).contains(u"Rank 5 on n1 is"_s));
    JobRecord waits = runningJob({});
    waits.state = JobState::Pending;
    page.updateJob(waits);
    QVERIFY(!header().contains(u"not as planned"_s));
}

void JobHeaderTest::doesNotInventProgress()
{
    GpuGrid grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.showProgress({});
    page.show();
    const QString text = shownText(page);
    QVERIFY(text.contains(u"no progress in the log yet"_s));
    QVERIFY(!text.contains(u"\u2009%"_s));
    QVERIFY(!text.contains(u"loss 0"_s));
}

/// Until the first step the place of the progress says how far the start is.
void JobHeaderTest::saysThatItStarts()
{
    GpuGrid grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.showProgress({});
    page.showPhase({JobPhase::Kind::Starting, 2, 0, {}});
    page.show();
    const QString text = shownText(page);
    QVERIFY2(text.contains(u"Starting"_s) && text.contains(u"2 agents, workers not yet"_s), qPrintable(text));
    page.showPhase({JobPhase::Kind::Training, 0, 0, 25'000});
    QVERIFY(shownText(page).contains(u"no progress in the log yet"_s));
    page.resize(1400, 900);
    QTRY_VERIFY(shownText(page).contains(u"start-up 25"_s));
    page.showPhase({JobPhase::Kind::Starting, 0, 4, {}});
    page.showProgress(progressAt(44, 120, 2.3));
    QVERIFY(!shownText(page).contains(u"Starting"_s));
}

void JobHeaderTest::waitingSaysWhy()
{
    GpuGrid grid;
    LivePage page(grid);
    JobRecord job = runningJob({}, JobState::Pending);
    job.elapsed.reset();
    job.reason = u"Priority"_s;
    page.showJob(job);
    page.show();
    const QString text = shownText(page);
    QVERIFY(text.contains(u"PENDING"_s));
    QVERIFY(text.contains(u"waits in the queue"_s));
    QVERIFY(!text.contains(u"GCD-h"_s));
}

void JobHeaderTest::cancelsOnlyWhenConfirmed()
{
    GpuGrid grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.show();
    QSignalSpy cancel(&page, &LivePage::cancelRequested);
    QString question;
    test::answerNext(u"Keep it"_s, &question);
    test::shownButton(page, u"Cancel…"_s)->click();
    QCOMPARE(cancel.size(), 0);
    QVERIFY2(question.contains(u"llama8b"_s) && question.contains(u"9304946"_s), qPrintable(question));
    test::answerNext(u"Cancel the job"_s, &question);
    test::shownButton(page, u"Cancel…"_s)->click();
    QCOMPARE(cancel.size(), 1);
    QCOMPARE(cancel.first().first().toString(), u"9304946"_s);
}

void JobHeaderTest::reportIsAlwaysThere()
{
    GpuGrid grid;
    LivePage page(grid);
    page.setClock([] { return now; });
    page.showJob(runningJob({}, JobState::Pending));
    page.show();
    QPushButton* report = test::shownButton(page, u"Report"_s);
    QVERIFY(report && !report->isEnabled());
    QVERIFY(report->toolTip().contains(u"begun to run"_s)); // and why
    QSignalSpy wanted(&page, &LivePage::reportRequested);
    for (const JobState state : {JobState::Running, JobState::Completed}) {
        page.updateJob(runningJob({}, state));
        QVERIFY(report->isVisible() && report->isEnabled());
        QVERIFY(!report->shortcut().isEmpty());
        report->click();
    }
    QCOMPARE(wanted.size(), 2);
    QCOMPARE(wanted.first().first().toString(), runningJob({}).id);
}

RANKWRIGHT_WIDGET_TEST_MAIN(JobHeaderTest)
#include "tst_jobheader.moc"

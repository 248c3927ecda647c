// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/history/lossplot.h"
#include "widgets/history/timeslider.h"
#include "widgets/live/alertnotes.h"
#include "widgets/live/alerttext.h"
#include "widgets/live/jobheader.h"
#include "widgets/live/livemapcard.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::shots;

namespace {

constexpr qint64 now = 1'772'460'751'000;

/// All text that labels show now.
QString shownText(const QWidget& page)
{
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (label->isVisible())
            texts.append(label->text());
    }
    return texts.join(u'\n');
}

} // namespace

namespace {

/// What makes a page as wide as it is, for the message of a failed test.
QString leastWidths(const QWidget& page)
{
    QStringList parts;
    for (const QWidget* part : page.findChildren<QWidget*>()) {
        if (part->isVisible() && part->minimumSizeHint().width() > 150)
            parts.append(u"%1 %2: %3"_s.arg(QLatin1StringView(part->metaObject()->className()), part->objectName())
                             .arg(part->minimumSizeHint().width()));
    }
    return parts.join(u'\n');
}

} // namespace

class TestLivePage final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void saysWhatToDoWhenNothingIsWatched();
    void showsTheJob();
    void fitsASmallWindow();
    void replayFitsASmallWindow();
    void noCaptionOfTheHeaderIsCut_data();
    void noCaptionOfTheHeaderIsCut();
    void captionOfTheMapIsWholeOrBrief();
    void countsElapsedTimeOn();
    void countsNothingOnWithoutTheCluster();
    void timeLeftIsTheRuns();
    void timeOfAStepAndWhatIsLeft();
    void ranksAreWhereTheyReport();
    void doesNotInventProgress();
    void saysThatItStarts();
    void cancelsOnlyWhenConfirmed();
    void tabComesToCancelLast();
    void clockStopsWhenHidden();
    void anotherJobStartsFromNothing();
    void endedKeepsTheLastPicture();
    void waitingSaysWhy();
    void troubleComesAndGoes();
    void findingLeadsToItsRank();
    void theOddGpuLeadsItsPanel();
    void failureIsExplainedOnce();
    void reportIsAlwaysThere();

private:
    std::unique_ptr<Theme> m_theme;
};

void TestLivePage::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void TestLivePage::saysWhatToDoWhenNothingIsWatched()
{
    GpuGrid grid;
    LivePage page(grid);
    page.show();
    QVERIFY(page.jobId().isEmpty());
    QVERIFY(shownText(page).contains(u"No job is watched"_s));
    QVERIFY(!page.grab().isNull()); // reaches the hidden views too, which must not complain
    QSignalSpy watch(&page, &LivePage::watchRequested);
    QSignalSpy jobs(&page, &LivePage::openJobsRequested);
    QVERIFY(test::shownButton(page, u"Watch my newest job"_s));
    test::shownButton(page, u"Watch my newest job"_s)->click();
    test::shownButton(page, u"Choose a job"_s)->click();
    QCOMPARE(watch.size(), 1);
    QCOMPARE(jobs.size(), 1);
}

void TestLivePage::showsTheJob()
{
    GpuGrid grid;
    LivePage page(grid);
    page.resize(1600, 754);
    page.setClock([] { return now; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.setStrategy(u"FSDP"_s);
    page.showLosses(lossCurve(444));
    page.showProgress(progressAt(4440, 12000, 2.314));
    page.show();
    const QString text = shownText(page);
    // 4440 of 12 000 steps are 37 %; 16 GCDs for 6720 s are 29.87 GCD-hours.
    for (const QString& part : {u"llama8b · 9304946"_s, u"2 nodes · 16 GCDs · FSDP"_s,
             u"RUNNING 1\u2009h 52\u2009min"_s, u"37\u2009%"_s, u"loss 2.314"_s, u"29.9 GCD-hours"_s, u"16 per hour"_s})
        QVERIFY2(text.contains(part), qPrintable(text));
    QVERIFY(text.contains(u"step 4\u2009440 of 12\u2009000"_s));
    QVERIFY2(text.contains(u" left"_s), qPrintable(text));
    // What the site charges, in its unit, as Design and report have it.
    page.setPrice(JobPrice{u"GPU-hours"_s, 8, false, u"4 x nodes x hours"_s});
    const QString priced = shownText(page);
    QVERIFY2(priced.contains(u"14.9 GPU-hours"_s) && priced.contains(u"8 per hour"_s), qPrintable(priced));
    QVERIFY2(!priced.contains(u"GCD-hours"_s), qPrintable(priced));
    page.setPrice(JobPrice{u"GPU-hours"_s, 8, true, u"cores count as well"_s});
    QVERIFY2(shownText(page).contains(u"≥\u200914.9 GPU-hours"_s), qPrintable(shownText(page)));
    JobRecord requeued = runningJob({});
    requeued.state = JobState::Pending;
    requeued.elapsed.reset();
    page.updateJob(requeued);
    const QString waiting = shownText(page);
    QVERIFY2(waiting.contains(u"before it was requeued"_s) && !waiting.contains(u" left"_s), qPrintable(waiting));
}

/// A window of 1024 × 700 leaves 944 pixels beside navigation and scroll bar: nothing of a watched job may be outside,
/// least of all the alerts at the right.
void TestLivePage::fitsASmallWindow()
{
    GpuGrid grid;
    LivePage page(grid);
    page.resize(944, 654);
    page.setClock([] { return now; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.setStrategy(u"FSDP"_s);
    page.setCoverage(0.88);
    page.showLosses(lossCurve(444));
    page.showProgress(progressAt(4440, 12000, 2.314));
    page.show();
    QApplication::processEvents();
    QCOMPARE(page.width(), 944); // a window is never smaller than what it needs
    QStringList wide;
    for (QWidget* part : page.findChildren<QWidget*>()) {
        if (part->isVisible() && part->mapTo(&page, QPoint(part->width(), 0)).x() > page.width())
            wide.append(u"%1: %2 wide, needs %3"_s.arg(QLatin1StringView(part->metaObject()->className()))
                            .arg(part->width())
                            .arg(part->minimumSizeHint().width()));
    }
    QVERIFY2(wide.isEmpty(), qPrintable(wide.join(u'\n')));
}

/// A replay at 1024 × 700 scrolled sideways, and its row of the job never came to rest.
void TestLivePage::replayFitsASmallWindow()
{
    GpuGrid grid;
    GpuGrid past;
    LivePage page(grid);
    page.resize(944, 654);
    page.setClock([] { return now; });
    const qint64 then = now - 1'500'000;
    fillRun(grid, {}, {}, now);
    fillRun(past, {}, {}, then);
    page.showJob(runningJob({}, JobState::Completed));
    page.setStrategy(u"FSDP"_s);
    page.showLosses(lossCurve(444));
    page.showProgress(progressAt(4440, 12000, 2.314));
    PastMoment moment;
    moment.ms = then;
    moment.job = runningJob({});
    moment.progress = progressAt(3450, 12000, 2.398);
    moment.lossStep = 3450;
    page.slider().setState({then, false, true, false, 60.0});
    page.showPast(moment, past);
    page.show();
    QApplication::processEvents();
    QVERIFY2(page.minimumSizeHint().width() <= 944, qPrintable(leastWidths(page)));
    QCOMPARE(page.width(), 944);
}

void TestLivePage::noCaptionOfTheHeaderIsCut_data()
{
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("hasSecondRow");
    QTest::newRow("1024") << 944 << false;
    QTest::newRow("1280") << 1200 << true;
    QTest::newRow("1920") << 1840 << true;
}

/// "step 9…" and "per st…" said nothing, beside a bar that was a dot at 1280. What has no room goes as a whole, and the
/// bar is the widest thing.
void TestLivePage::noCaptionOfTheHeaderIsCut()
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

/// In a window of 1024 px the card had "92 %…".
void TestLivePage::captionOfTheMapIsWholeOrBrief()
{
    GpuGrid grid;
    LivePage page(grid);
    page.setClock([] { return now; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.setCoverage(0.88);
    page.show();
    for (const int width : {1400, 944}) {
        page.resize(width, 754);
        QApplication::processEvents();
        page.updateJob(runningJob({}));
        for (int beat = 0; beat < 20; ++beat)
            page.beat();
        const auto* card = page.findChild<LiveMapCard*>()->findChild<Card*>();
        const QString caption = card->caption();
        QCOMPARE(caption.contains(u"88\u2009% of the seconds seen"_s), width == 1400);
        QVERIFY(!caption.isEmpty());
        QVERIFY2(card->toolTip().contains(u"of the seconds seen"_s) || width == 1400, qPrintable(card->toolTip()));
    }
    JobRecord begun = runningJob({});
    begun.elapsed = Seconds{4};
    page.resize(1400, 754);
    page.updateJob(begun);
    for (int beat = 0; beat < 20; ++beat)
        page.beat();
    QVERIFY(!shownText(page).contains(u"of the seconds seen"_s)); // of four seconds one is missing
}

void TestLivePage::countsElapsedTimeOn()
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

/// W13: with the link dead, state, hours and cost are of then.
void TestLivePage::countsNothingOnWithoutTheCluster()
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

void TestLivePage::timeLeftIsTheRuns()
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

void TestLivePage::timeOfAStepAndWhatIsLeft()
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

void TestLivePage::ranksAreWhereTheyReport()
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
    binding.take(*readRankReport(u"rankwright: rank 0 of 16 on node n1: cores 49-55 as planned, device 0"_s));
    binding.begin();
    page.showBinding(binding);
    QVERIFY2(header().endsWith(u"16 of 16 ranks bound as planned"_s), qPrintable(header()));
    binding.take(*readRankReport(u"rankwright: rank 0 of 16 on node n1: cores 49-55 as planned, device 0"_s));
    binding.take(*readRankReport(u"rankwright: rank 5 of 16 on node n1: cores 0-63 instead of 9-15, device 5"_s));
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

void TestLivePage::doesNotInventProgress()
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
void TestLivePage::saysThatItStarts()
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
    QTRY_VERIFY_WITH_TIMEOUT(shownText(page).contains(u"start-up 25"_s), test::longWaitMs);
    page.showPhase({JobPhase::Kind::Starting, 0, 4, {}});
    page.showProgress(progressAt(44, 120, 2.3));
    QVERIFY(!shownText(page).contains(u"Starting"_s));
}

void TestLivePage::cancelsOnlyWhenConfirmed()
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

void TestLivePage::clockStopsWhenHidden()
{
    GpuGrid grid;
    LivePage page(grid);
    int asked = 0;
    page.setClock([&asked] {
        ++asked;
        return now;
    });
    page.showJob(runningJob({}));
    page.show();
    asked = 0;
    QTRY_VERIFY(asked >= 3); // 10 Hz
    page.hide();
    asked = 0;
    test::quietFor(700);
    QCOMPARE(asked, 0);
}

void TestLivePage::tabComesToCancelLast()
{
    GpuGrid grid;
    LivePage page(grid);
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.show();
    QList<QWidget*> stops;
    for (QWidget* at = page.heatMap().nextInFocusChain(); at != &page.heatMap(); at = at->nextInFocusChain()) {
        if (at->isVisible() && (at->focusPolicy() & Qt::TabFocus) && !at->focusProxy())
            stops.append(at);
    }
    const auto place = [&stops](QWidget* widget) { return stops.indexOf(widget); };
    QList<QWidget*> log = page.findChild<JobLogView*>()->tabStops();
    log.removeIf([](const QWidget* widget) { return !widget->isVisible(); }); // the second part of a split view
    for (qsizetype one = 1; one < log.size(); ++one)
        QVERIFY(place(log.at(one - 1)) < place(log.at(one)));
    QVERIFY(place(log.first()) >= 0);
    QVERIFY(place(test::shownButton(page, u"Cancel…"_s)) > place(log.last()));
    for (QWidget* stop : std::as_const(stops))
        QVERIFY2(
            !stop->accessibleName().isEmpty() || qobject_cast<QAbstractButton*>(stop), stop->metaObject()->className());
}

void TestLivePage::anotherJobStartsFromNothing()
{
    GpuGrid grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.showLosses(lossCurve(50));
    page.showProgress(progressAt(1, 2, 3.5));
    page.appendLog(logLines(true));
    page.showTrouble(TroubleSource::Telemetry, Error{Fault::Offline, u"The sampler fell silent."_s, {}, {}});
    JobRecord other = runningJob({});
    other.id = u"77"_s;
    page.showJob(other);
    page.show();
    QCOMPARE(page.jobId(), u"77"_s);
    QVERIFY(!shownText(page).contains(u"The sampler fell silent."_s));
    QVERIFY(!shownText(page).contains(u"loss 3.5"_s));
    QCOMPARE(page.findChild<JobLogView*>()->lineCount(), 0);
    page.showJob({});
    QVERIFY(shownText(page).contains(u"No job is watched"_s));
}

void TestLivePage::endedKeepsTheLastPicture()
{
    GpuGrid grid;
    LivePage page(grid);
    qint64 clock = now;
    page.setClock([&clock] { return clock; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.resize(1216, 754);
    page.show();
    page.updateJob(runningJob({}, JobState::Completed));
    clock += 7'200'000;
    for (int beat = 0; beat < 10; ++beat)
        page.beat();
    const QString text = shownText(page);
    QVERIFY(text.contains(u"COMPLETED"_s));
    QVERIFY(text.contains(u"last values"_s));
    QVERIFY(!text.contains(u"silent"_s));
    QVERIFY(page.heatMap().isEnded());
    QVERIFY(!test::shownButton(page, u"Cancel…"_s));
    QVERIFY2(text.contains(u"COMPLETED 1\u2009h 52\u2009min"_s), "an ended job's time stands still");
}

void TestLivePage::waitingSaysWhy()
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

void TestLivePage::troubleComesAndGoes()
{
    GpuGrid grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.show();
    page.showTrouble(TroubleSource::Telemetry,
        Error{Fault::TimedOut, u"nid005002 has sent nothing for 12 s."_s, u"srun: timed out"_s, u"Wait."_s});
    QVERIFY(shownText(page).contains(u"nid005002 has sent nothing for 12 s."_s));
    page.showTrouble(TroubleSource::Telemetry, std::nullopt);
    QVERIFY(!shownText(page).contains(u"nid005002"_s));
}

void TestLivePage::findingLeadsToItsRank()
{
    GpuGrid grid;
    LivePage page(grid);
    page.setClock([] { return now; });
    RunMood mood;
    mood.late = GpuAddress{1, 5};
    fillRun(grid, {}, mood, now);
    page.showJob(runningJob({}));
    page.appendLog(logLines(true));
    Alert late;
    late.level = Alert::Level::Warning;
    late.title = u"Rank 13 is late, the others wait for it"_s;
    late.gpus = {GpuAddress{1, 5}};
    late.rank = 13;
    page.showAlerts({late});
    page.show();
    QPushButton* show = test::shownButton(page, u"Show rank 13 and its output"_s);
    QVERIFY(show);
    show->click();
    QCOMPARE(page.heatMap().current(), std::optional(GpuAddress{1, 5}));
    QCOMPARE(page.findChild<JobLogView*>()->rankFilter(), std::optional(13));
}

/// What stands out is beside the map by itself, unless a person has chosen another GPU.
void TestLivePage::theOddGpuLeadsItsPanel()
{
    GpuGrid grid;
    LivePage page(grid);
    page.setClock([] { return now; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.show();
    page.beat();
    QCOMPARE(page.heatMap().current(), std::optional(GpuAddress{0, 0}));
    Alert late;
    late.kind = u"straggler"_s;
    late.level = Alert::Level::Warning;
    late.title = u"Rank 13 is late, the others wait for it"_s;
    late.gpus = {GpuAddress{1, 5}};
    late.rank = 13;
    page.showAlerts({late});
    QCOMPARE(page.heatMap().current(), std::optional(GpuAddress{1, 5}));
    page.showAlerts({}); // it stays: nothing jumps back
    QCOMPARE(page.heatMap().current(), std::optional(GpuAddress{1, 5}));
    QTest::keyClick(&page.heatMap(), Qt::Key_Left);
    const std::optional<GpuAddress> chosen = page.heatMap().current();
    QVERIFY(chosen && *chosen != GpuAddress(1, 5));
    page.showAlerts({late});
    QCOMPARE(page.heatMap().current(), chosen); // a person's choice stays
    page.showJob(runningJob({}));
    page.showAlerts({late}); // another job, nobody has chosen
    QCOMPARE(page.heatMap().current(), std::optional(GpuAddress{1, 5}));
}

void TestLivePage::failureIsExplainedOnce()
{
    GpuGrid grid;
    LivePage page(grid);
    page.setClock([] { return now; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    Diagnosis found;
    found.kind = u"oom_gpu"_s;
    found.evidence = u"HIP out of memory"_s;
    found.advice = u"The GPU's memory is full. Halve the micro-batch."_s;
    found.offset = 12;
    page.log().showDiagnoses({found});
    page.show();
    page.showAlerts({});
    QCOMPARE(shownText(page).count(u"Halve the micro-batch"_s), 1); // in the output alone: nobody else says it
    Alert alert;
    alert.kind = found.kind;
    alert.rule = u"A01"_s;
    alert.level = Alert::Level::Failure;
    alert.title = u"GPU out of memory"_s;
    alert.seen = found.evidence;
    alert.advice = found.advice;
    page.showAlerts({alert});
    QCOMPARE(shownText(page).count(u"Halve the micro-batch"_s), 1); // where the eye goes
    QVERIFY(test::shownButton(page, u"Show its line in the output"_s));
}

void TestLivePage::reportIsAlwaysThere()
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

RANKWRIGHT_WIDGET_TEST_MAIN(TestLivePage)
#include "tst_livepage.moc"

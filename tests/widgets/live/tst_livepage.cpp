// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/segmentedcontrol.h"
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
#include <QToolButton>

using namespace rankwright;
using namespace rankwright::shots;
using rankwright::test::shownText;

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

class LivePageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void saysWhatToDoWhenNothingIsWatched();
    void showsTheJob();
    void fitsASmallWindow();
    void replayFitsASmallWindow();
    void captionOfTheMapIsWholeOrBrief();
    void measuresOfTheMapHaveTheirRoom_data();
    void measuresOfTheMapHaveTheirRoom();
    void tabComesToCancelLast();
    void clockStopsWhenHidden();
    void anotherJobStartsFromNothing();
    void endedKeepsTheLastPicture();

private:
    static constexpr qint64 now = 1'772'460'751'000;
    std::unique_ptr<Theme> m_theme;
};

void LivePageTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void LivePageTest::saysWhatToDoWhenNothingIsWatched()
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

void LivePageTest::showsTheJob()
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
void LivePageTest::fitsASmallWindow()
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
void LivePageTest::replayFitsASmallWindow()
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

/// In a window of 1024 px the card had "92 %…".
void LivePageTest::captionOfTheMapIsWholeOrBrief()
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

void LivePageTest::measuresOfTheMapHaveTheirRoom_data()
{
    QTest::addColumn<int>("nodes");
    for (const int nodes : {2, 4, 128})
        QTest::addRow("%d nodes", nodes) << nodes;
}

/// However narrow the page becomes, and whatever it was before: no measure lies over its neighbour.
void LivePageTest::measuresOfTheMapHaveTheirRoom()
{
    QFETCH(int, nodes);
    GpuGrid grid;
    LivePage page(grid);
    page.setClock([] { return now; });
    page.resize(1800, 900);
    page.show();
    const RunShape shape{.nodes = nodes};
    fillRun(grid, shape, {}, now);
    page.showJob(runningJob(shape));
    const auto* measures = page.findChild<LiveMapCard*>()->findChild<SegmentedControl*>();
    QVERIFY(measures);
    for (const int width : {1800, 1200, 860, 1000, 0}) {
        for (int round = 0; round < 3; ++round) {
            page.resize(qMax(width, page.minimumSizeHint().width()), 900);
            QApplication::processEvents();
        }
        const QList<QToolButton*> segments = measures->findChildren<QToolButton*>();
        for (qsizetype i = 1; i < segments.size(); ++i) {
            const auto reached = segments.at(i - 1)->geometry().right();
            QVERIFY2(reached < segments.at(i)->x(),
                qPrintable(u"%1 wide: %2 reaches %3, %4 begins at %5"_s.arg(page.width())
                               .arg(segments.at(i - 1)->text())
                               .arg(reached)
                               .arg(segments.at(i)->text())
                               .arg(segments.at(i)->x())));
        }
    }
}

void LivePageTest::clockStopsWhenHidden()
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

void LivePageTest::tabComesToCancelLast()
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

void LivePageTest::anotherJobStartsFromNothing()
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

void LivePageTest::endedKeepsTheLastPicture()
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

RANKWRIGHT_WIDGET_TEST_MAIN(LivePageTest)
#include "tst_livepage.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/replaycontroller.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/livepage.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const qint64 begin = QDateTime(QDate(2026, 3, 2), QTime(12, 0)).toMSecsSinceEpoch();
constexpr qint64 length = 3'600'000;

/// Utilisation shows the minute: 0 in the first, 59 in the last.
NodeTick tickAt(const QString& node, qint64 ms)
{
    NodeTick tick{node, ms, {}};
    for (int gpu = 0; gpu < 4; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = double((ms - begin) / 60'000);
        tick.gpus.append(sample);
    }
    return tick;
}

JobRecord jobOf(JobState state)
{
    JobRecord job;
    job.id = u"77"_s;
    job.name = u"gpt"_s;
    job.state = state;
    job.nodes = 2;
    job.gpus = 8;
    job.nodeList = {u"n1"_s, u"n2"_s};
    job.started = QDateTime::fromMSecsSinceEpoch(begin - 60'000);
    job.elapsed = Seconds{(length + 60'000) / 1000};
    if (hasEnded(state))
        job.ended = QDateTime::fromMSecsSinceEpoch(begin + length + 1000);
    return job;
}

QString shownText(const QWidget& page)
{
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (label->isVisible())
            texts.append(label->text());
    }
    return texts.join(u'\n');
}

struct Bench {
    explicit Bench(JobState state = JobState::Running) : page(grid), replay(grid, page)
    {
        grid.reset({u"n1"_s, u"n2"_s}, 4, 1, u"GPU"_s);
        page.setClock([this] { return now; });
        replay.setWallClock([this] { return now; });
        page.resize(1216, 754);
        page.showJob(jobOf(state));
        replay.begin(jobOf(state),
            state == JobState::Running ? ReplayController::Subject::Watched : ReplayController::Subject::Recorded);
        for (qint64 at = 0; at <= length; at += 2000) {
            for (const QString& node : {u"n1"_s, u"n2"_s})
                history->store(tickAt(node, begin + at));
        }
        for (const QString& node : {u"n1"_s, u"n2"_s})
            grid.store(tickAt(node, begin + length), now);
        for (int minute = 0; minute < 60; ++minute) {
            TrainingProgress progress;
            progress.step = minute * 10;
            progress.steps = 600;
            progress.loss = 3.0 - minute * 0.01;
            replay.addProgress(progress, minute * 10.0, begin + minute * 60'000);
        }
        grid.flush(now);
        replay.setHistory(history);
        page.show();
    }
    std::optional<double> shownUse() const
    {
        const GpuSample* sample = page.heatMap().grid().series().latest({0, 0});
        return sample ? sample->utilizationPercent : std::nullopt;
    }
    QPushButton* cancel() const
    {
        for (QPushButton* one : page.findChildren<QPushButton*>()) {
            if (one->text() == u"Cancel…"_s && one->isVisible())
                return one;
        }
        return nullptr;
    }

    qint64 now = begin + length + 500;
    GpuGrid grid;
    LivePage page;
    ReplayController replay;
    std::shared_ptr<MemoryHistory> history = std::make_shared<MemoryHistory>(QStringList{u"n1"_s, u"n2"_s}, 4);
};

} // namespace

/// While a moment of the past is shown, the whole page shows that moment and nothing else, and live goes on behind.
class ReplayControllerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void liveUntilAsked();
    void everythingShowsTheMoment();
    void lossAndOutputAreOfThenOrSayTheyAreNot();
    void scrollsInOneDirectionOnly();
    void livesOnMeanwhile();
    void playsAndComesBack();
    void keysOfTheStrip();
    void silentNodeStaysSilent();
    void endedJobIsReplayed();
    void anotherJobBeginsLive();
    void withoutARecordingTheBuffersServe();

private:
    std::unique_ptr<Theme> m_theme;
};

void ReplayControllerTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void ReplayControllerTest::liveUntilAsked()
{
    Bench bench;
    QCOMPARE(bench.replay.mode(), ReplayClock::Mode::Live);
    QVERIFY(!bench.page.isPast());
    QCOMPARE(bench.shownUse(), std::optional(60.0));
    QVERIFY(shownText(bench.page).contains(u"GPUs now"_s));
    QVERIFY(bench.cancel());
}

void ReplayControllerTest::everythingShowsTheMoment()
{
    Bench bench;
    emit bench.page.slider().momentPicked(begin + 20 * 60'000 + 30'000);
    QVERIFY(bench.page.isPast());
    QCOMPARE(bench.shownUse(), std::optional(20.0));
    const QString text = shownText(bench.page);
    QVERIFY2(text.contains(u"GPUs at 12:20:30"_s), qPrintable(text));
    QVERIFY2(text.contains(u"the past"_s), qPrintable(text));
    QVERIFY2(text.contains(u"RUNNING 21\u2009min"_s), qPrintable(text)); // started a minute before the first sample
    QVERIFY2(text.contains(u"step 200 of 600"_s), qPrintable(text));
    QVERIFY2(text.contains(u"loss 2.8"_s), qPrintable(text));
    QVERIFY2(!text.contains(u"GPUs now"_s), qPrintable(text));
    QVERIFY(!bench.cancel()); // the past cannot be cancelled
    emit bench.page.slider().endWanted();
    QVERIFY(!bench.page.isPast());
    QCOMPARE(bench.shownUse(), std::optional(60.0));
    QVERIFY(bench.cancel());
}

/// Joined late, or in the first minute: what was not reported by then is not shown as if it had been.
void ReplayControllerTest::lossAndOutputAreOfThenOrSayTheyAreNot()
{
    Bench bench(JobState::Completed);
    QList<LossPoint> losses;
    for (int minute = 0; minute < 60; ++minute)
        losses.append({minute * 10.0, 3.0 - minute * 0.01});
    bench.page.showLosses(losses);
    QWidget* plot = nullptr;
    for (QWidget* one : bench.page.findChildren<QWidget*>()) {
        if (one->accessibleName() == u"Loss over steps"_s)
            plot = one;
    }
    QVERIFY(plot);
    emit bench.page.slider().momentPicked(begin + 20 * 60'000 + 30'000);
    QVERIFY2(plot->accessibleDescription().contains(u"last: step 200, loss 2.8"_s),
        qPrintable(plot->accessibleDescription()));
    QVERIFY2(shownText(bench.page).contains(u"21 of 60"_s), qPrintable(shownText(bench.page)));
    QVERIFY2(shownText(bench.page).contains(u"Output to its end"_s), qPrintable(shownText(bench.page)));
    bench.replay.begin(jobOf(JobState::Completed),
        ReplayController::Subject::Recorded); // nothing is known of when its lines were written
    bench.replay.setHistory(bench.history);
    emit bench.page.slider().momentPicked(begin + 60'000);
    QVERIFY(bench.page.isPast());
    QVERIFY2(!plot->accessibleDescription().contains(u"last: step"_s), qPrintable(plot->accessibleDescription()));
    QVERIFY2(shownText(bench.page).contains(u"0 of 60"_s), qPrintable(shownText(bench.page)));
    emit bench.page.slider().endWanted();
    QVERIFY2(plot->accessibleDescription().contains(u"60 points, last: step 590"_s),
        qPrintable(plot->accessibleDescription()));
    QVERIFY(!shownText(bench.page).contains(u"Output to its end"_s));
}

/// A window of 1024 x 700: of a replay nothing lies at the right, out of sight.
void ReplayControllerTest::scrollsInOneDirectionOnly()
{
    Bench bench;
    emit bench.page.slider().momentPicked(begin + 20 * 60'000 + 30'000);
    for (const QSize size : {QSize(956, 654), QSize(892, 494)}) {
        bench.page.resize(size);
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        for (const QScrollArea* area : bench.page.findChildren<QScrollArea*>()) {
            if (area->isVisible())
                QVERIFY2(area->horizontalScrollBar()->maximum() == 0,
                    qPrintable(u"%1 px at %2"_s.arg(area->horizontalScrollBar()->maximum()).arg(size.width())));
        }
    }
}

void ReplayControllerTest::livesOnMeanwhile()
{
    Bench bench;
    emit bench.page.slider().momentPicked(begin + 10 * 60'000);
    bench.now += 60'000;
    NodeTick fresh = tickAt(u"n1"_s, begin + length + 60'000);
    bench.grid.store(fresh, bench.now);
    bench.replay.addTick(fresh, bench.now);
    bench.history->store(fresh);
    bench.page.beat();
    bench.replay.beat();
    QCOMPARE(bench.shownUse(), std::optional(10.0)); // nothing of the present leaks into the past
    QCOMPARE(bench.replay.moment(), begin + 10 * 60'000);
    emit bench.page.slider().endWanted();
    QCOMPARE(bench.shownUse(), std::optional(61.0));
}

void ReplayControllerTest::playsAndComesBack()
{
    Bench bench;
    emit bench.page.slider().momentPicked(begin + length - 120'000);
    emit bench.page.slider().speedChosen(60);
    emit bench.page.slider().playToggled();
    QCOMPARE(bench.replay.mode(), ReplayClock::Mode::Playing);
    bench.now += 1000;
    bench.replay.beat();
    QCOMPARE(bench.replay.moment(), begin + length - 60'000);
    QCOMPARE(bench.shownUse(), std::optional(59.0));
    bench.now += 2000;
    bench.replay.beat();
    QCOMPARE(bench.replay.mode(), ReplayClock::Mode::Live);
    QVERIFY(!bench.page.isPast());
}

void ReplayControllerTest::keysOfTheStrip()
{
    Bench bench;
    TimeStrip& strip = bench.page.slider().strip();
    QTest::keyClick(&strip, Qt::Key_Space); // hold
    QCOMPARE(bench.replay.mode(), ReplayClock::Mode::Held);
    QVERIFY(bench.page.isPast());
    const qint64 held = bench.replay.moment();
    QTest::keyClick(&strip, Qt::Key_Left);
    QCOMPARE(bench.replay.moment(), held - 1000);
    QTest::keyClick(&strip, Qt::Key_Home);
    QCOMPARE(bench.replay.moment(), begin);
    QTest::keyClick(&strip, Qt::Key_End);
    QCOMPARE(bench.replay.mode(), ReplayClock::Mode::Live);
}

void ReplayControllerTest::silentNodeStaysSilent()
{
    Bench bench;
    auto holed = std::make_shared<MemoryHistory>(QStringList{u"n1"_s, u"n2"_s}, 4);
    for (qint64 at = 0; at <= length; at += 1000) {
        holed->store(tickAt(u"n1"_s, begin + at));
        if (at < 600'000)
            holed->store(tickAt(u"n2"_s, begin + at));
    }
    bench.replay.setHistory(holed);
    emit bench.page.slider().momentPicked(begin + 608'000);
    const TelemetrySeries& then = bench.page.heatMap().grid().series();
    QVERIFY(!then.isStale({0, 0}, begin + 608'000));
    QVERIFY(then.isStale({1, 0}, begin + 608'000)); // reported 9 s before: hatched, with its last value
    emit bench.page.slider().momentPicked(begin + 1'800'000);
    QVERIFY(!bench.page.heatMap().grid().series().latest({1, 0}));
}

void ReplayControllerTest::endedJobIsReplayed()
{
    Bench bench(JobState::Completed);
    QVERIFY(!bench.page.isPast()); // its last values
    QCOMPARE(bench.replay.mode(), ReplayClock::Mode::Held);
    emit bench.page.slider().playToggled(); // from the end: from the beginning
    QCOMPARE(bench.replay.moment(), begin);
    QVERIFY(bench.page.isPast());
    QCOMPARE(bench.shownUse(), std::optional(0.0));
    QVERIFY(shownText(bench.page).contains(u"RUNNING"_s)); // as it was then
    emit bench.page.slider().endWanted();
    QVERIFY(!bench.page.isPast());
    QVERIFY(shownText(bench.page).contains(u"COMPLETED"_s));
}

void ReplayControllerTest::anotherJobBeginsLive()
{
    Bench bench;
    emit bench.page.slider().momentPicked(begin + 60'000);
    JobRecord other = jobOf(JobState::Running);
    other.id = u"78"_s;
    bench.grid.reset({}, 0, 1, u"GPU"_s);
    bench.page.showJob(other);
    bench.replay.begin(other, ReplayController::Subject::Watched);
    QVERIFY(!bench.page.isPast());
    QCOMPARE(bench.replay.mode(), ReplayClock::Mode::Live);
    QVERIFY(bench.page.slider().overview().span.length() <= 0);
}

void ReplayControllerTest::withoutARecordingTheBuffersServe()
{
    Bench bench;
    for (qint64 at = 0; at < 120'000; at += 1000)
        bench.grid.store(tickAt(u"n1"_s, begin + at), bench.now + at);
    bench.now += 120'000;
    bench.grid.flush(bench.now);
    bench.replay.setHistory({});
    bench.replay.beat();
    QVERIFY(bench.replay.history().span().length() >= 119'000);
    emit bench.page.slider().momentPicked(bench.now - 30'000);
    QVERIFY(bench.page.isPast());
    QCOMPARE(bench.shownUse(), std::optional(1.0));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReplayControllerTest)
#include "tst_replaycontroller.moc"

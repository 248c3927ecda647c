// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/shots/synthetic.h"
#include "widgets/findingnotes.h"
#include "widgets/gpuhistoryview.h"
#include "widgets/heatmapview.h"
#include "widgets/joblogview.h"
#include "widgets/livefindings.h"
#include "widgets/livepage.h"
#include "widgets/lossplot.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

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

QPushButton* button(const QWidget& page, const QString& text)
{
    for (QPushButton* one : page.findChildren<QPushButton*>()) {
        if (one->text() == text && one->isVisible())
            return one;
    }
    return nullptr;
}

/// Answers the message box that comes next, by the button's text.
void answerNext(const QString& text, QString* question)
{
    QTimer::singleShot(0, qApp, [text, question] {
        for (QWidget* window : QApplication::topLevelWidgets()) {
            auto* box = qobject_cast<QMessageBox*>(window);
            if (!box || !box->isVisible())
                continue;
            *question = box->text();
            for (QAbstractButton* one : box->buttons()) {
                if (one->text() == text)
                    one->click();
            }
        }
    });
}

QList<LiveFinding> findingsFor(const GpuGridModel& grid, const JobRecord& job, const TrainingProgress& progress = {})
{
    return findingsOf({grid, job, progress, {}, findStandouts(grid), {}, job.elapsed});
}

bool anyTitle(const QList<LiveFinding>& findings, const QString& part)
{
    return std::any_of(
        findings.begin(), findings.end(), [&](const LiveFinding& one) { return one.title.contains(part); });
}

} // namespace

class TestLivePage final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void saysWhatToDoWhenNothingIsWatched();
    void showsTheJob();
    void countsElapsedTimeOn();
    void doesNotInventProgress();
    void cancelsOnlyWhenConfirmed();
    void tabComesToCancelLast();
    void clockStopsWhenHidden();
    void anotherJobStartsFromNothing();
    void endedKeepsTheLastPicture();
    void waitingSaysWhy();
    void troubleComesAndGoes();
    void findsTheLateRank();
    void findsTheSilentNode();
    void findsNothingInAHealthyRun();
    void warnsOfTheTimeLimit();
    void findingLeadsToItsRank();
    void logReplacesProgressInPlace();
    void logIsBoundedAndPlain();
    void logFilters();
    void lossTrends_data();
    void lossTrends();
    void gapsStayGaps();

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
    GpuGridModel grid;
    LivePage page(grid);
    page.show();
    QVERIFY(page.jobId().isEmpty());
    QVERIFY(shownText(page).contains(u"No job is watched"_s));
    QVERIFY(!page.grab().isNull()); // reaches the hidden views too, which must not complain
    QSignalSpy watch(&page, &LivePage::watchRequested);
    QSignalSpy jobs(&page, &LivePage::openJobsRequested);
    QVERIFY(button(page, u"Watch my newest job"_s));
    button(page, u"Watch my newest job"_s)->click();
    button(page, u"Choose a job"_s)->click();
    QCOMPARE(watch.size(), 1);
    QCOMPARE(jobs.size(), 1);
}

void TestLivePage::showsTheJob()
{
    GpuGridModel grid;
    LivePage page(grid);
    page.resize(1216, 754);
    page.setClock([] { return now; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.setStrategy(u"FSDP"_s);
    page.showLosses(lossCurve(444));
    page.showProgress(progressAt(4440, 12000, 2.314));
    page.show();
    const QString text = shownText(page);
    // 4440 of 12 000 steps are 37 %; 16 GCDs for 6720 s are 29.87 GCD-hours.
    for (const QString& part :
        {u"llama8b · 9304946"_s, u"2 nodes · 16 GCDs · FSDP"_s, u"RUNNING 1\u2009h 52\u2009min"_s, u"37\u2009%"_s,
            u"loss 2.314"_s, u"29.9\u2009GCD-h"_s, u"16 per hour"_s})
        QVERIFY2(text.contains(part), qPrintable(text));
    QVERIFY(text.contains(u"step 4\u2009440 of 12\u2009000"_s));
}

void TestLivePage::countsElapsedTimeOn()
{
    GpuGridModel grid;
    LivePage page(grid);
    qint64 clock = now;
    page.setClock([&clock] { return clock; });
    page.showJob(runningJob({}));
    page.show();
    clock += 180'000;
    for (int beat = 0; beat < 4; ++beat)
        page.beat();
    QVERIFY2(shownText(page).contains(u"1\u2009h 55\u2009min"_s), qPrintable(shownText(page)));
}

void TestLivePage::doesNotInventProgress()
{
    GpuGridModel grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.showProgress({});
    page.show();
    const QString text = shownText(page);
    QVERIFY(text.contains(u"no progress in the log yet"_s));
    QVERIFY(!text.contains(u"\u2009%"_s));
    QVERIFY(!text.contains(u"loss 0"_s));
}

void TestLivePage::cancelsOnlyWhenConfirmed()
{
    GpuGridModel grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.show();
    QSignalSpy cancel(&page, &LivePage::cancelRequested);
    QString question;
    answerNext(u"Keep it"_s, &question);
    button(page, u"Cancel…"_s)->click();
    QCOMPARE(cancel.size(), 0);
    QVERIFY2(question.contains(u"llama8b"_s) && question.contains(u"9304946"_s), qPrintable(question));
    answerNext(u"Cancel the job"_s, &question);
    button(page, u"Cancel…"_s)->click();
    QCOMPARE(cancel.size(), 1);
    QCOMPARE(cancel.first().first().toString(), u"9304946"_s);
}

void TestLivePage::clockStopsWhenHidden()
{
    GpuGridModel grid;
    LivePage page(grid);
    int asked = 0;
    page.setClock([&asked] {
        ++asked;
        return now;
    });
    page.showJob(runningJob({}));
    page.show();
    asked = 0;
    QTRY_VERIFY_WITH_TIMEOUT(asked >= 3, 3000); // 4 Hz
    page.hide();
    asked = 0;
    QTest::qWait(700);
    QCOMPARE(asked, 0);
}

void TestLivePage::tabComesToCancelLast()
{
    GpuGridModel grid;
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
    const QList<QWidget*> log = page.findChild<JobLogView*>()->tabStops();
    for (qsizetype one = 1; one < log.size(); ++one)
        QVERIFY(place(log.at(one - 1)) < place(log.at(one)));
    QVERIFY(place(log.first()) >= 0);
    QVERIFY(place(button(page, u"Cancel…"_s)) > place(log.last()));
    for (QWidget* stop : std::as_const(stops))
        QVERIFY2(
            !stop->accessibleName().isEmpty() || qobject_cast<QAbstractButton*>(stop), stop->metaObject()->className());
}

void TestLivePage::anotherJobStartsFromNothing()
{
    GpuGridModel grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.showLosses(lossCurve(50));
    page.showProgress(progressAt(1, 2, 3.5));
    page.appendLog(logLines(true));
    page.showTrouble(u"feed"_s, {Fault::Offline, u"The sampler fell silent."_s, {}, {}});
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
    GpuGridModel grid;
    LivePage page(grid);
    qint64 clock = now;
    page.setClock([&clock] { return clock; });
    fillRun(grid, {}, {}, now);
    page.showJob(runningJob({}));
    page.resize(1216, 754);
    page.show();
    page.updateJob(runningJob({}, JobState::Completed));
    clock += 7'200'000;
    for (int beat = 0; beat < 4; ++beat)
        page.beat();
    const QString text = shownText(page);
    QVERIFY(text.contains(u"COMPLETED"_s));
    QVERIFY(text.contains(u"last values"_s));
    QVERIFY(!text.contains(u"silent"_s));
    QVERIFY(page.heatMap().isEnded());
    QVERIFY(!button(page, u"Cancel…"_s));
    QVERIFY2(text.contains(u"COMPLETED 1\u2009h 52\u2009min"_s), "an ended job's time stands still");
}

void TestLivePage::waitingSaysWhy()
{
    GpuGridModel grid;
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
    GpuGridModel grid;
    LivePage page(grid);
    page.showJob(runningJob({}));
    page.show();
    page.showTrouble(
        u"feed"_s, {Fault::TimedOut, u"nid005002 has sent nothing for 12 s."_s, u"srun: timed out"_s, u"Wait."_s});
    QVERIFY(shownText(page).contains(u"nid005002 has sent nothing for 12 s."_s));
    page.showTrouble(u"feed"_s, {});
    QVERIFY(!shownText(page).contains(u"nid005002"_s));
}

void TestLivePage::findsTheLateRank()
{
    // The picture known from public reports: ranks that wait in a collective show 100 % at 90 to 140 W per MI250X, the
    // one that works draws 300 W.
    GpuGridModel grid;
    RunMood mood;
    mood.late = GpuAddress{1, 5};
    fillRun(grid, {}, mood, now);
    const QList<LiveFinding> findings = findingsFor(grid, runningJob({}));
    QVERIFY(!findings.isEmpty());
    QCOMPARE(findings.first().tone, Tone::Warn);
    QVERIFY2(findings.first().title.contains(u"Rank 13 is late"_s), qPrintable(findings.first().title));
    QCOMPARE(findings.first().gpu, std::optional(GpuAddress{1, 5}));
}

void TestLivePage::findsTheSilentNode()
{
    GpuGridModel grid;
    RunMood mood;
    mood.silentNode = 1;
    fillRun(grid, {}, mood, now);
    const QList<LiveFinding> findings = findingsFor(grid, runningJob({}));
    QVERIFY(anyTitle(findings, u"nid005526 is silent"_s));
    QVERIFY(!anyTitle(findings, u"Nothing unusual"_s));
}

void TestLivePage::findsNothingInAHealthyRun()
{
    GpuGridModel grid;
    fillRun(grid, {}, {}, now);
    const QList<LiveFinding> findings = findingsFor(grid, runningJob({}));
    for (const LiveFinding& finding : findings)
        QVERIFY2(finding.tone != Tone::Warn && finding.tone != Tone::Bad, qPrintable(finding.title));
    QVERIFY(anyTitle(findings, u"Nothing unusual"_s));
    QVERIFY(anyTitle(findings, u"normal"_s)); // one power value per package
    GpuGridModel single;
    fillRun(single, {.gpus = 4, .perPackage = 1}, {}, now);
    QVERIFY(!anyTitle(findingsFor(single, runningJob({})), u"per package"_s));
}

void TestLivePage::warnsOfTheTimeLimit()
{
    GpuGridModel grid;
    fillRun(grid, {}, {}, now);
    JobRecord job = runningJob({});
    job.timeLimit = Seconds{8000}; // 1280 s left
    TrainingProgress progress = progressAt(10, 20, 2);
    progress.etaSeconds = 3600;
    QVERIFY(anyTitle(findingsFor(grid, job, progress), u"time limit comes first"_s));
    progress.etaSeconds = 1200;
    QVERIFY(!anyTitle(findingsFor(grid, job, progress), u"time limit"_s));
}

void TestLivePage::findingLeadsToItsRank()
{
    GpuGridModel grid;
    LivePage page(grid);
    page.setClock([] { return now; });
    RunMood mood;
    mood.late = GpuAddress{1, 5};
    fillRun(grid, {}, mood, now);
    page.showJob(runningJob({}));
    page.appendLog(logLines(true));
    page.show();
    QPushButton* show = button(page, u"Show its output"_s);
    QVERIFY(show);
    show->click();
    QCOMPARE(page.heatMap().current(), std::optional(GpuAddress{1, 5}));
    QCOMPARE(page.findChild<JobLogView*>()->rankFilter(), std::optional(13));
}

void TestLivePage::logReplacesProgressInPlace()
{
    JobLogView log;
    log.append({{u"start"_s, 0, false, false}, {u" 1%"_s, 0, false, true}, {u" 2%"_s, 0, false, true}});
    log.append({{u" 3%"_s, 0, false, true}});
    QCOMPARE(log.shownText(), u"start\n 3%"_s);
    log.append({{u" 9%"_s, 1, false, true}, {u"done"_s, 0, false, false}}); // another rank's bar is its own line
    QCOMPARE(log.shownText(), u"start\n 3%\n 9%\ndone"_s);
    QCOMPARE(log.lineCount(), 4);
}

void TestLivePage::logIsBoundedAndPlain()
{
    JobLogView log;
    QList<LogLine> many;
    for (int line = 0; line < JobLogView::maxLines + 500; ++line)
        many.append({u"line %1"_s.arg(line), {}, false, false});
    log.append(many);
    QCOMPARE(log.lineCount(), qsizetype(JobLogView::maxLines));
    QVERIFY(!log.shownText().startsWith(u"line 0\n"_s));
    QVERIFY(log.shownText().endsWith(u"line %1"_s.arg(JobLogView::maxLines + 499)));
    log.append({{u"<b>not bold</b> <img src=x>"_s, 3, true, false}});
    QVERIFY(log.shownText().endsWith(u"<b>not bold</b> <img src=x>"_s));
}

void TestLivePage::logFilters()
{
    JobLogView log;
    log.append({{u"a"_s, 0, false, false}, {u"b"_s, 21, false, false}, {u"srun: c"_s, {}, false, false}});
    log.setRankFilter(21);
    QCOMPARE(log.shownText(), u"b\nsrun: c"_s); // what belongs to no rank may concern every one
    log.append({{u"d"_s, 0, false, false}, {u"e"_s, 21, true, false}});
    QCOMPARE(log.shownText(), u"b\nsrun: c\ne"_s);
    log.setRankFilter({});
    QCOMPARE(log.shownText(), u"a\nb\nsrun: c\nd\ne"_s);
    auto* ranks = log.controls()->findChild<QComboBox*>();
    QCOMPARE(ranks->count(), 3);
    QCOMPARE(ranks->itemText(2), u"rank 21"_s);
}

void TestLivePage::lossTrends_data()
{
    QTest::addColumn<QList<LossPoint>>("losses");
    QTest::addColumn<bool>("known");
    QTest::addColumn<double>("change");
    QList<LossPoint> falling;
    QList<LossPoint> flat;
    for (int step = 0; step <= 400; step += 10) {
        falling.append({double(step), 5 - 0.001 * step});
        flat.append({double(step), 2});
    }
    QTest::newRow("none") << QList<LossPoint>() << false << 0.0;
    QTest::newRow("too few") << falling.first(5) << false << 0.0;
    QTest::newRow("0.001 per step") << falling << true << -0.1;
    QTest::newRow("flat") << flat << true << 0.0;
}

void TestLivePage::lossTrends()
{
    QFETCH(QList<LossPoint>, losses);
    QFETCH(bool, known);
    QFETCH(double, change);
    const std::optional<LossTrend> trend = lossTrend(losses);
    QCOMPARE(trend.has_value(), known);
    if (known) {
        QCOMPARE(trend->steps, 100.0);
        QVERIFY2(std::abs(trend->change - change) < 0.012, qPrintable(QString::number(trend->change)));
    }
}

void TestLivePage::gapsStayGaps()
{
    const float nan = std::nanf("");
    QList<TelemetrySeries::Point> points;
    for (const qint64 at : {0, 1000, 2000, 3000, 30'000, 31'000})
        points.append({at, 0, 50.F, 10.F, at == 2000 ? nan : 300.F, nan});
    QCOMPARE(strokesOf(points, Measure::Utilization, 5000).size(), 2);
    QCOMPARE(strokesOf(points, Measure::Utilization, 5000).first().size(), 4);
    QCOMPARE(strokesOf(points, Measure::Power, 1500).size(), 3);
    QVERIFY(strokesOf(points, Measure::Temperature, 5000).isEmpty()); // never told is no line at zero
}

RANKWRIGHT_WIDGET_TEST_MAIN(TestLivePage)
#include "tst_livepage.moc"

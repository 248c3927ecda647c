// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"

#include <QPushButton>

using namespace rankwright;
using namespace rankwright::shots;
using rankwright::test::shownText;

/// What is wrong with a job, on the Live page: said once, where it leads to, and what the panel beside the map shows
/// then.
class LiveFindingsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme.setMode(Theme::Mode::Light); }
    void findingLeadsToItsRank();
    void theOddGpuLeadsItsPanel();
    void failureIsExplainedOnce();
    void troubleComesAndGoes();

private:
    static constexpr qint64 now = 1'772'460'751'000;
    Theme m_theme;
};

void LiveFindingsTest::findingLeadsToItsRank()
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
void LiveFindingsTest::theOddGpuLeadsItsPanel()
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

void LiveFindingsTest::failureIsExplainedOnce()
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
    alert.rule = AlertKind::OutputFailure;
    alert.level = Alert::Level::Failure;
    alert.title = u"GPU out of memory"_s;
    alert.seen = found.evidence;
    alert.advice = found.advice;
    page.showAlerts({alert});
    QCOMPARE(shownText(page).count(u"Halve the micro-batch"_s), 1); // where the eye goes
    QVERIFY(test::shownButton(page, u"Show its line in the output"_s));
}

void LiveFindingsTest::troubleComesAndGoes()
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

RANKWRIGHT_WIDGET_TEST_MAIN(LiveFindingsTest)
#include "tst_livefindings.moc"

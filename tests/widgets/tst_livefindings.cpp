// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/shots/synthetic.h"
#include "widgets/livefindings.h"
#include "widgets/theme.h"

#include <QApplication>

using namespace rankwright;
using namespace rankwright::shots;

namespace {

constexpr qint64 now = 1'772'460'751'000;

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

/// What a running job is remarked on.
class TestLiveFindings final : public test::Suite {
    Q_OBJECT
private slots:
    void findsTheLateRank();
    void findsTheSilentNode();
    void findsNothingInAHealthyRun();
    void warnsOfTheTimeLimit();

private:
    Theme m_theme;
};

void TestLiveFindings::findsTheLateRank()
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

void TestLiveFindings::findsTheSilentNode()
{
    GpuGridModel grid;
    RunMood mood;
    mood.silentNode = 1;
    fillRun(grid, {}, mood, now);
    const QList<LiveFinding> findings = findingsFor(grid, runningJob({}));
    QVERIFY(anyTitle(findings, u"nid005526 is silent"_s));
    QVERIFY(!anyTitle(findings, u"Nothing unusual"_s));
}

void TestLiveFindings::findsNothingInAHealthyRun()
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

void TestLiveFindings::warnsOfTheTimeLimit()
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

RANKWRIGHT_WIDGET_TEST_MAIN(TestLiveFindings)
#include "tst_livefindings.moc"

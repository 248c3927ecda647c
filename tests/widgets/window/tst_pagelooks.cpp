// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/livefixture.h"
#include "tests/shots/planfixture.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/looks.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/design/designpage.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"
#include "widgets/plan/planpage.h"
#include "widgets/window/mainwindow.h"

#include <QLineEdit>
#include <QTabWidget>

#include <functional>
#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;
using namespace rankwright::shots;

/// The pages with what they are for in them: jobs of every state, a live map, a moment of the past, a plan, clusters in
/// every state of their connection, as they stand in the window. Nothing is cut, over another, nameless, pale or mute,
/// and Tab comes round. With RANKWRIGHT_SHOTS=FOLDER each is kept as a picture in every look and size.
class PageLooksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void isReadable_data();
    void isReadable();

private:
    struct State {
        QString name;
        std::function<void(PageLooksTest&)> enter;
    };
    static QList<State> states();
    static QList<JobRow> manyJobs();
    void jobs(const QList<JobRow>& rows, const QString& selected, int tab = 0);
    void live(const RunShape& shape, const RunMood& mood, JobState state = JobState::Running, bool failing = false);
    void past(const RunShape& shape, bool playing, JobState state);
    void cluster(const QString& name, const LinkInfo& link);
    LivePage& page() const { return *m_window->pages().live; }

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<JobModel> m_jobs;
    std::unique_ptr<GpuGrid> m_grid;
    std::unique_ptr<GpuGrid> m_past;
    std::unique_ptr<MainWindow> m_window;
};

void PageLooksTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme.setMode(Theme::Mode::Light);
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.name = u"llama8b"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py --config 8b.yaml"_s;
    spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    spec.resources.nodes = 2;
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    m_design->replace(spec);
    m_jobs = std::make_unique<JobModel>();
    m_grid = std::make_unique<GpuGrid>();
    m_past = std::make_unique<GpuGrid>();
    m_window = std::make_unique<MainWindow>(*m_design, m_theme,
        MainWindow::Pages{new DesignPage(*m_design), new JobsPage(*m_jobs), new LivePage(*m_grid),
            new ClustersPage(m_catalogue), new PlanPage(*m_design)});
    LinkInfo online;
    online.cluster = u"lumi"_s;
    online.title = u"LUMI"_s;
    online.state = LinkState::Online;
    online.user = u"ada"_s;
    online.latencyMs = 38;
    online.account = u"project_465000001"_s;
    online.openChannels = 2;
    online.bytesPerSecond = 900;
    online.commandsPerMinute = 4;
    online.slurmVersion = u"24.05.8"_s;
    m_window->showLink(online);
    m_window->show();
    QApplication::setActiveWindow(m_window.get());
}

void PageLooksTest::cleanup()
{
    m_window.reset();
    m_past.reset();
    m_grid.reset();
    m_jobs.reset();
    m_design.reset();
}

/// A list as a researcher has it after a month: tasks of an array, two clusters, other people's names.
QList<JobRow> PageLooksTest::manyJobs()
{
    QList<JobRow> rows = jobRows();
    const JobRow running = rows.at(1);
    for (JobRow& row : rows) {
        row.clusterTitle = u"LUMI"_s;
        row.gpuWord = u"GCD"_s;
    }
    const auto task = [&rows, &running](const QString& id, JobState state, const QString& reason, const QString& note) {
        JobRow row = running;
        row.clusterTitle = u"LUMI"_s;
        row.gpuWord = u"GCD"_s;
        row.job.id = id;
        row.job.name = u"sweep-learning-rate-and-batch-size-of-the-eight-billion-model"_s;
        row.job.state = state;
        row.job.reason = reason;
        row.job.nodes = 1;
        row.job.gpus = 8;
        if (state == JobState::Pending) {
            row.job.elapsed.reset();
            row.job.started = {};
            row.job.nodeList = {};
        }
        row.note = note;
        row.entryId.clear();
        rows.prepend(row);
    };
    task(u"9304960_[5-31%4]"_s, JobState::Pending, u"JobArrayTaskLimit"_s,
        u"waits until fewer tasks of its array run than it allows at once"_s);
    task(u"9304960_4"_s, JobState::Running, {}, {});
    task(u"9304960_3"_s, JobState::NodeFail, {}, u"a node failed"_s);
    task(u"9304960_2"_s, JobState::Completed, {}, {});
    JobRow other = rows.last();
    other.cluster = u"mahti"_s;
    other.clusterTitle = u"Mahti"_s;
    other.gpuWord = u"GPU"_s;
    other.job.id = u"4402177"_s;
    other.job.name = u"vit-large"_s;
    other.job.state = JobState::Unknown;
    other.note = u"not known: the link was lost while submitting"_s;
    rows.append(other);
    return rows;
}

void PageLooksTest::jobs(const QList<JobRow>& rows, const QString& selected, int tab)
{
    m_jobs->assign(rows);
    JobsPage& page = *m_window->pages().jobs;
    page.setFreshness(u"asked 3 s ago"_s);
    page.selectJob(selected);
    page.showScript(selected,
        u"#!/bin/bash\n#SBATCH --job-name=llama8b\n#SBATCH --account=project_462000265\n#SBATCH "
        u"--partition=standard-g\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --time=12:00:00\n\n"
        u"set -euo pipefail\nsrun python3 train.py\n"_s);
    if (auto* tabs = page.findChild<QTabWidget*>())
        tabs->setCurrentIndex(tab);
    m_window->showPage(MainWindow::Page::Jobs);
}

void PageLooksTest::live(const RunShape& shape, const RunMood& mood, JobState state, bool failing)
{
    fillRun(*m_grid, shape, mood, now);
    prepare(page(), shape, state, failing);
    page().setOverview(overviewOf(mood.late.has_value(), Measure::Utilization));
    page().slider().setState({now, !hasEnded(state), false, !hasEnded(state), 1});
    if (mood.late)
        page().heatMap().setCurrent(mood.late);
    Situation situation{.shape = shape, .mood = mood};
    if (failing)
        situation.diagnoses = {outOfMemory()};
    if (shape.nodes < 10)
        page().showAlerts(alertsOf(situation));
    page().log().showDiagnoses(situation.diagnoses);
    m_window->showPage(MainWindow::Page::Live);
}

void PageLooksTest::past(const RunShape& shape, bool playing, JobState state)
{
    live(shape, {}, state);
    const qint64 then = now - 1'500'000;
    RunMood late;
    late.late = GpuAddress{1, 5};
    fillRun(*m_past, shape, late, then);
    PastMoment moment;
    moment.ms = then;
    moment.job = runningJob(shape);
    moment.job.elapsed = Seconds{6720 - 1500};
    moment.progress = progressAt(3450, 12000, 2.398);
    moment.lossStep = 3450;
    moment.alerts = alertsOf({.shape = shape, .mood = late});
    page().slider().setState({then, false, playing, !hasEnded(state), playing ? 60.0 : 1.0});
    page().showPast(moment, *m_past);
    page().heatMap().setCurrent(GpuAddress{1, 5});
}

void PageLooksTest::cluster(const QString& name, const LinkInfo& link)
{
    ClustersPage& page = *m_window->pages().clusters;
    page.selectCluster(name);
    page.showLink(link);
    m_window->showLink(link);
    m_window->showPage(MainWindow::Page::Clusters);
}

QList<PageLooksTest::State> PageLooksTest::states()
{
    const RunMood late{.late = GpuAddress{1, 5}};
    const RunMood silent{.utilisation = 97, .silentNode = 1, .neverNode = 3};
    return {{u"jobs-running"_s, [](auto& t) { t.jobs(manyJobs(), u"9304946"_s); }},
        {u"jobs-pending"_s, [](auto& t) { t.jobs(manyJobs(), u"9304947"_s); }},
        {u"jobs-array-task"_s, [](auto& t) { t.jobs(manyJobs(), u"9304960_[5-31%4]"_s); }},
        {u"jobs-failed"_s,
            [](auto& t) {
                t.jobs(manyJobs(), u"9304877"_s);
                t.m_window->pages().jobs->showDiagnoses(u"9304877"_s, {outOfMemory()});
            }},
        {u"jobs-unknown"_s, [](auto& t) { t.jobs(manyJobs(), u"4402177"_s); }},
        {u"jobs-script"_s, [](auto& t) { t.jobs(manyJobs(), u"9304902"_s, 1); }},
        {u"jobs-none-found"_s,
            [](auto& t) {
                t.jobs(manyJobs(), u"9304902"_s);
                t.m_window->pages().jobs->template findChild<QLineEdit*>()->setText(u"no such job"_s);
            }},
        {u"live-late"_s, [late](auto& t) { t.live({}, late); }},
        {u"live-where"_s,
            [late](auto& t) {
                t.page().setInspectionCheck([] { return QString(); });
                t.live({}, late);
            }},
        {u"live-silent"_s, [silent](auto& t) { t.live({.nodes = 4}, silent); }},
        {u"live-failed"_s, [](auto& t) { t.live({}, {}, JobState::Failed, true); }},
        {u"live-ended"_s, [](auto& t) { t.live({}, {.utilisation = 98}, JobState::Completed); }},
        {u"live-128-nodes"_s, [](auto& t) { t.live({.nodes = 128}, {.utilisation = 94}); }},
        {u"live-compared"_s,
            [late](auto& t) {
                t.live({}, late);
                t.page().heatMap().setPins({{1, 5}, {0, 2}, {1, 0}});
            }},
        {u"live-lost"_s,
            [](auto& t) {
                t.live({}, {});
                t.page().setAsOf(now);
                t.page().showTrouble(TroubleSource::Telemetry,
                    Error{Fault::Offline, u"The connection to lumi was lost."_s, u"No packet for 45 s."_s,
                        u"It is tried again by itself; the recording goes on where the job's own record fills the gap."_s});
            }},
        {u"live-pending"_s,
            [](auto& t) {
                JobRecord job = runningJob({}, JobState::Pending);
                job.elapsed.reset();
                job.reason = u"Priority"_s;
                job.started = QDateTime::fromMSecsSinceEpoch(now + 3600'000);
                t.page().showJob(job);
                t.m_window->showPage(MainWindow::Page::Live);
            }},
        {u"live-past"_s, [](auto& t) { t.past({}, false, JobState::Running); }},
        {u"live-replay"_s, [](auto& t) { t.past({}, true, JobState::Completed); }},
        {u"plan-found"_s,
            [](auto& t) {
                t.m_window->showPage(MainWindow::Page::Plan);
                t.m_window->pages().plan->showResult(test::searchResult());
                t.m_window->pages().plan->showSpeedup(test::speedup(), u"Beyond 128 GCDs more will not help."_s);
            }},
        {u"clusters-online"_s,
            [](auto& t) {
                LinkInfo link;
                link.cluster = u"lumi"_s;
                link.title = u"LUMI"_s;
                link.state = LinkState::Online;
                link.user = u"ada"_s;
                link.latencyMs = 38;
                link.slurmVersion = u"24.05.8"_s;
                link.banners = {{u"lumi.csc.fi"_s,
                    u"Maintenance on Monday from 8:00 to 18:00: jobs that would reach into it wait.\nSee the status page."_s}};
                t.cluster(u"lumi"_s, link);
            }},
        {u"clusters-connecting"_s,
            [](auto& t) {
                LinkInfo link;
                link.cluster = u"practice"_s;
                link.state = LinkState::Connecting;
                link.activity = u"Starting slurmctld (3 of 9)"_s;
                link.activityFraction = 0.33;
                t.cluster(u"practice"_s, link);
            }},
        {u"clusters-lost"_s,
            [](auto& t) {
                LinkInfo link;
                link.cluster = u"raven"_s;
                link.title = u"Raven"_s;
                link.state = LinkState::Lost;
                link.error = Error{Fault::Offline, u"The connection to raven was lost."_s, u"no packet for 45 s"_s,
                    u"Check the network, then connect again."_s};
                t.cluster(u"raven"_s, link);
            }},
        {u"messages"_s, [](auto& t) {
             t.jobs(manyJobs(), u"9304946"_s);
             t.m_window->showNotice({Notice::JobEnd, u"9304902"_s},
                 u"Job 9304902 (gpt-imdb) on LUMI has ended: COMPLETED after 40 min."_s, u"Report"_s, [] {});
             t.m_window->showNotice({Notice::JobEnd, u"9304877"_s},
                 u"Job 9304877 (gpt-imdb) on LUMI has ended: FAILED after 1 min 36 s."_s, u"Show"_s, [] {});
         }}};
}

void PageLooksTest::isReadable_data()
{
    QTest::addColumn<int>("state");
    // The others are for the eye: they differ little from these in what can be cut or pale.
    const QStringList daily{u"jobs-array-task"_s, u"jobs-failed"_s, u"live-late"_s, u"live-where"_s, u"live-failed"_s,
        u"live-pending"_s, u"live-replay"_s, u"plan-found"_s, u"clusters-online"_s, u"messages"_s};
    for (int state = 0; state < int(states().size()); ++state) {
        if (test::takesPictures() || daily.contains(states().at(state).name))
            QTest::addRow("%s", qPrintable(states().at(state).name)) << state;
    }
}

void PageLooksTest::isReadable()
{
    QFETCH(int, state);
    const State shown = states().at(state);
    shown.enter(*this);
    const auto contents = shown.name == u"live-pending"_s ? test::Contents::None : test::Contents::Some;
    const QStringList faults = test::windowFaults(*m_window, m_theme, shown.name, contents);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

RANKWRIGHT_WIDGET_TEST_MAIN(PageLooksTest)
#include "tst_pagelooks.moc"

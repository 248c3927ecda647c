// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pictures of the Live, Jobs and Clusters pages and of the login dialogs in light and dark at two sizes:
//   QT_QPA_PLATFORM=offscreen shots_live FOLDER [part of a name]
#include "tests/shots/camera.h"
#include "tests/shots/livefixture.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/clusters/connectdialog.h"
#include "widgets/clusters/hostkeydialog.h"
#include "widgets/clusters/promptdialog.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"

#include <QApplication>
#include <QTabWidget>
#include <QTextStream>

using namespace rankwright;
using namespace rankwright::shots;

namespace {

void shootPast(const Camera& camera, const QString& name, const RunShape& shape, bool playing)
{
    if (!camera.wants(name))
        return;
    GpuGrid grid;
    GpuGrid past;
    LivePage page(grid);
    fillRun(grid, shape, {}, now);
    const qint64 then = now - 1'500'000;
    RunMood late;
    late.late = GpuAddress{1, 5};
    fillRun(past, shape, late, then);
    prepare(page, shape, JobState::Running, false);
    page.setOverview(overviewOf(true, Measure::Utilization));
    PastMoment moment;
    moment.ms = then;
    moment.job = runningJob(shape);
    moment.job.elapsed = Seconds{6720 - 1500};
    moment.progress = progressAt(3450, 12000, 2.398);
    moment.lossStep = 3450;
    page.slider().setState({then, false, playing, true, playing ? 60.0 : 1.0});
    page.showPast(moment, past);
    page.heatMap().setCurrent(GpuAddress{1, 5});
    camera.capture(name, page);
}

void shootCompared(const Camera& camera)
{
    if (!camera.wants(u"live_pinned"_s))
        return;
    GpuGrid grid;
    LivePage page(grid);
    RunMood late;
    late.late = GpuAddress{1, 5};
    fillRun(grid, {}, late, now);
    prepare(page, {}, JobState::Running, true);
    page.setOverview(overviewOf(true, Measure::Utilization));
    page.heatMap().setPins({{1, 5}, {0, 2}, {1, 0}});
    page.heatMap().setCurrent(GpuAddress{1, 5});
    camera.capture(u"live_pinned"_s, page);
}

void shootRun(const Camera& camera, const QString& name, const RunShape& shape, const RunMood& mood,
    JobState state = JobState::Running, Measure measure = Measure::Utilization, std::optional<GpuAddress> current = {})
{
    if (!camera.wants(name))
        return;
    GpuGrid grid;
    LivePage page(grid);
    fillRun(grid, shape, mood, now);
    prepare(page, shape, state, mood.late.has_value());
    page.heatMap().setMeasure(measure);
    const bool ended = hasEnded(state);
    page.setOverview(overviewOf(mood.late.has_value(), measure == Measure::Power ? measure : Measure::Utilization));
    page.slider().setState({now, !ended, false, !ended, 1});
    if (current)
        page.heatMap().setCurrent(current);
    camera.capture(name, page);
}

void shootLive(const Camera& camera)
{
    const RunShape lumi;
    RunMood late;
    late.late = GpuAddress{1, 5};
    shootRun(camera, u"live_late"_s, lumi, late, JobState::Running, Measure::Utilization, GpuAddress{1, 5});
    shootRun(camera, u"live_power"_s, lumi, late, JobState::Running, Measure::Power, GpuAddress{1, 5});
    shootRun(camera, u"live_healthy_memory"_s, {.nodes = 4}, {}, JobState::Running, Measure::Memory);
    RunMood silent;
    silent.utilisation = 97;
    silent.silentNode = 1;
    shootRun(camera, u"live_silent"_s, {.nodes = 3}, silent);
    RunMood mixed;
    mixed.utilisation = 94;
    mixed.neverNode = 40;
    mixed.silentNode = 17;
    shootRun(camera, u"live_64"_s, {.nodes = 64}, mixed);
    RunMood lateMany;
    lateMany.late = GpuAddress{37, 2};
    shootRun(camera, u"live_64_late"_s, {.nodes = 64}, lateMany, JobState::Running, Measure::Power, GpuAddress{37, 2});
    shootRun(camera, u"live_1024"_s, {.nodes = 1024}, mixed, JobState::Running, Measure::Temperature);
    shootRun(camera, u"live_16"_s, {.nodes = 16}, mixed);
    const RunShape a100{.nodes = 2,
        .gpus = 4,
        .perPackage = 1,
        .word = u"GPU"_s,
        .prefix = u"g"_s,
        .first = 1101,
        .memoryTotal = 40,
        .cap = 400};
    RunMood busy{.utilisation = 98, .power = 372, .memory = 33.4};
    shootRun(camera, u"live_a100_heat"_s, a100, busy, JobState::Running, Measure::Temperature);
    shootRun(camera, u"live_a100"_s, a100, busy);
    shootRun(camera, u"live_ended"_s, lumi, {.utilisation = 98}, JobState::Completed);
    shootPast(camera, u"live_past"_s, lumi, false);
    shootPast(camera, u"live_replay"_s, {.nodes = 16}, true);
    shootCompared(camera);
    if (camera.wants(u"live_empty"_s)) {
        GpuGrid grid;
        LivePage page(grid);
        camera.capture(u"live_empty"_s, page);
    }
    if (camera.wants(u"live_pending"_s)) {
        GpuGrid grid;
        LivePage page(grid);
        JobRecord job = runningJob(lumi, JobState::Pending);
        job.elapsed.reset();
        job.reason = u"Priority"_s;
        job.started = QDateTime::fromMSecsSinceEpoch(now + 3600'000);
        page.showJob(job);
        camera.capture(u"live_pending"_s, page);
    }
}

void shootJobs(const Camera& camera)
{
    const auto shoot = [&camera](const QString& name, const QList<JobRow>& rows, const QString& job, int tab) {
        if (!camera.wants(name))
            return;
        JobModel model;
        model.assign(rows);
        JobsPage page(model);
        page.setFreshness(u"asked 3 s ago"_s);
        page.selectJob(job);
        page.showScript(job,
            u"#!/bin/bash\n#SBATCH --job-name=llama8b\n#SBATCH --account=project_462000265\n#SBATCH "
            u"--partition=standard-g\n"
            "#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --time=12:00:00\n\nset -euo pipefail\nsrun python3 train.py\n"_s);
        if (auto* tabs = page.findChild<QTabWidget*>())
            tabs->setCurrentIndex(tab);
        camera.capture(name, page);
    };
    shoot(u"jobs_running"_s, jobRows(), u"9304946"_s, 0);
    shoot(u"jobs_failed"_s, jobRows(), u"9304877"_s, 0);
    shoot(u"jobs_script"_s, jobRows(), u"9304902"_s, 1);
    shoot(u"jobs_empty"_s, {}, {}, 0);
}

void shootClusters(const Camera& camera)
{
    const Catalogue catalogue = loadCatalogue();
    const auto shoot = [&](const QString& name, const QString& cluster, const LinkInfo& link) {
        if (!camera.wants(name))
            return;
        ClustersPage page(catalogue);
        page.selectCluster(cluster);
        page.showLink(link);
        camera.capture(name, page);
    };
    LinkInfo online;
    online.cluster = u"lumi"_s;
    online.state = LinkState::Online;
    online.user = u"ada"_s;
    online.latencyMs = 38;
    online.slurmVersion = u"24.05.8"_s;
    shoot(u"clusters_lumi"_s, u"lumi"_s, online);
    LinkInfo starting;
    starting.cluster = u"practice"_s;
    starting.state = LinkState::Connecting;
    starting.activity = u"Starting slurmctld (3 of 9)"_s;
    starting.activityFraction = 0.33;
    shoot(u"clusters_practice"_s, u"practice"_s, starting);
    LinkInfo lost;
    lost.cluster = u"raven"_s;
    lost.state = LinkState::Lost;
    lost.error = Error{Fault::Offline, u"The connection to raven was lost."_s, u"no packet for 45 s"_s,
        u"Check the network, then connect again."_s};
    shoot(u"clusters_raven"_s, u"raven"_s, lost);
}

void shootDialogs(const Camera& camera)
{
    if (!camera.wants(u"dialog"_s) || camera.size.width() > 1300)
        return;
    LoginPrompt key;
    key.kind = LoginPrompt::Kind::HostKey;
    key.host = u"ada@lumi.csc.fi:22"_s;
    key.keyType = u"ssh-ed25519"_s;
    key.fingerprint = u"SHA256:qCFZThjRw8nf0CiZ9rU7b6Zirjq8slAIl5r0xWaVoD0"_s;
    key.knownHostsFile = u"~/.ssh/known_hosts"_s;
    HostKeyDialog unknown(key);
    camera.takeDialog(u"dialog_key_unknown"_s, unknown);
    key.published = {key.fingerprint};
    HostKeyDialog matching(key);
    camera.takeDialog(u"dialog_key_match"_s, matching);
    key.published = {u"SHA256:ypbqdMWtk9ZdXEROkeEpv+3PCEXWjPLGI79IXGHe9ac"_s};
    HostKeyDialog wrong(key);
    camera.takeDialog(u"dialog_key_wrong"_s, wrong);
    LoginPrompt code;
    code.kind = LoginPrompt::Kind::KeyboardInteractive;
    code.host = u"ada@gate.mpcdf.mpg.de:22"_s;
    code.instruction = u"Please enter your password and the code of your second factor."_s;
    code.questions = {{u"Password: "_s, false}, {u"OTP: "_s, true}};
    PromptDialog prompt(code);
    camera.takeDialog(u"dialog_prompt"_s, prompt);
    ConnectDialog connecting(u"LUMI"_s, {u"lumi.csc.fi"_s, 22, {}, {}, {}});
    camera.takeDialog(u"dialog_connect"_s, connecting);
}

} // namespace

int main(int argc, char** argv)
{
    return takePictures(argc, argv, [](const Camera& camera) {
        shootLive(camera);
        shootJobs(camera);
        shootClusters(camera);
        shootDialogs(camera);
    });
}

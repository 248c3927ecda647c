// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pictures of the Live page when something is to be said, and of what belongs to it: alerts as the program itself
// derives them from made-up samples, groups, comparison, a failed job, a lost link, the list of recordings.
//   QT_QPA_PLATFORM=offscreen shots_alerts FOLDER [part of a name]
#include "tests/shots/alertfixture.h"
#include "tests/shots/camera.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/jobs/recordingsdialog.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"

#include <QApplication>
#include <QMenu>
#include <QToolButton>

using namespace rankwright;
using namespace rankwright::shots;

namespace {

void prepare(LivePage& page, const RunShape& shape, JobState state = JobState::Running, bool failing = false)
{
    page.setClock([] { return now; });
    page.showJob(runningJob(shape, state));
    page.setStrategy(u"FSDP"_s);
    page.showProgress(progressAt(4440, 12000, 2.314));
    page.showLosses(lossCurve(444));
    page.log().setLineNumbers(true);
    QList<LogLine> lines = logLines(failing);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        lines[i].offset = 4'200'000 + i * 60;
        lines[i].readFrom = 4'200'000;
        lines[i].nth = i + 1;
    }
    page.log().setLinesBefore(0, 4'200'000, 12'031);
    page.appendLog(lines);
    page.setSamplingCost(u"Watching costs 1 channel, 2 steps of the job, 3.1 MiB received · 0.9 kB/s now · "
                         "41 s of processor time on all nodes together · recorded: 4.2 MiB"_s);
    TimeOverview overview;
    overview.span = {now - 6'600'000, now};
    overview.high = 100;
    for (int place = 0; place < 480; ++place) {
        const qint64 from = overview.span.fromMs + overview.span.length() * place / 480;
        HistoryBucket bucket{{from, overview.span.fromMs + overview.span.length() * (place + 1) / 480}, 16, 0, 0, 0};
        bucket.mean = place < 14 ? 6.F * float(place) : 94.F + 3.F * float(std::sin(place * 0.7));
        bucket.least = std::max(0.F, bucket.mean - 9.F);
        bucket.most = std::min(100.F, bucket.mean + 6.F);
        overview.curve.append(bucket);
        overview.progress.append({from, 0.37 * place / 480.0});
    }
    overview.marks = {{TimelineMark::Kind::State, Alert::Level::Normal, overview.span.fromMs + 20'000,
        overview.span.fromMs + 20'000, u"began to run"_s}};
    page.setOverview(overview);
    page.slider().setState({now, !hasEnded(state), false, !hasEnded(state), 1});
}

QList<RankPlace> placed(const RunShape& shape, int tensor, int stages)
{
    QList<RankPlace> all;
    for (int rank = 0; rank < shape.nodes * shape.gpus; ++rank) {
        RankPlace place;
        place.rank = rank;
        place.node = rank / shape.gpus;
        place.gpu = rank % shape.gpus;
        place.tensorGroup = rank / tensor;
        place.stage = rank / (shape.nodes * shape.gpus / stages);
        place.dataGroup = rank % tensor;
        all.append(place);
    }
    return all;
}

void shootAlerts(const Camera& camera)
{
    const auto shoot = [&camera](const QString& name, const Situation& situation, JobState state, bool failing) {
        if (!camera.wants(name))
            return;
        GpuGrid grid;
        LivePage page(grid);
        fillRun(grid, situation.shape, situation.mood, now);
        prepare(page, situation.shape, state, failing);
        page.log().showDiagnoses(situation.diagnoses);
        page.showAlerts(alertsOf(situation));
        if (situation.mood.late)
            page.heatMap().setCurrent(situation.mood.late);
        camera.capture(name, page);
    };
    RunMood late;
    late.late = GpuAddress{1, 5};
    shoot(u"alerts_late"_s, {.mood = late}, JobState::Running, false);
    RunMood severe = late;
    severe.memory = 11.2;
    shoot(u"alerts_three"_s, {.mood = severe, .lossBreaks = true}, JobState::Running, false);
    shoot(u"alerts_failed"_s, {.diagnoses = {outOfMemory()}}, JobState::Failed, true);
    shoot(u"alerts_failing"_s, {.diagnoses = {outOfMemory()}}, JobState::Running, true);
    RunMood many;
    many.utilisation = 97;
    many.silentNode = 1;
    shoot(u"alerts_silent"_s, {.shape = {.nodes = 4}, .mood = many}, JobState::Running, false);
    const RunShape two{.nodes = 1,
        .gpus = 2,
        .perPackage = 1,
        .word = u"GPU"_s,
        .prefix = u"g"_s,
        .first = 1101,
        .memoryTotal = 40,
        .cap = 400};
    shoot(u"alerts_2gpus"_s, {.shape = two, .mood = {.utilisation = 98, .power = 372, .memory = 33.4}},
        JobState::Running, false);
}

void shootGroups(const Camera& camera)
{
    const auto shoot = [&camera](const QString& name, const RunShape& shape, HeatMapOverlay overlay, int pins) {
        if (!camera.wants(name))
            return;
        GpuGrid grid;
        LivePage page(grid);
        RunMood mood;
        mood.utilisation = 94;
        fillRun(grid, shape, mood, now);
        grid.setPlacement(placed(shape, 8, 4));
        prepare(page, shape);
        page.showAlerts(alertsOf({.shape = shape, .mood = mood}));
        page.heatMap().setOverlay(overlay);
        QList<HeatMapPin> pinned;
        for (int pin = 0; pin < pins; ++pin)
            pinned.append({pin % shape.nodes, (pin * 3) % shape.gpus});
        page.heatMap().setPins(pinned);
        page.heatMap().setCurrent(GpuAddress{0, 0});
        camera.capture(name, page);
    };
    shoot(u"groups_ranks"_s, {.nodes = 4}, HeatMapOverlay::Ranks, 0);
    shoot(u"groups_stages"_s, {.nodes = 8}, HeatMapOverlay::Stage, 0);
    shoot(u"groups_pins"_s, {.nodes = 4}, HeatMapOverlay::None, 3);
    shoot(u"groups_64_stages"_s, {.nodes = 64}, HeatMapOverlay::Stage, 0);
}

void shootRest(const Camera& camera)
{
    GpuGrid grid;
    LivePage page(grid);
    fillRun(grid, {}, {}, now);
    prepare(page, {});
    if (camera.wants(u"rest_lost"_s)) {
        page.showTrouble(TroubleSource::Telemetry,
            Error{Fault::Offline, u"The connection to lumi was lost."_s, u"No packet for 45 s."_s,
                u"It is tried again by itself; the recording goes on where the job's own record fills the gap."_s});
        camera.capture(u"rest_lost"_s, page);
        page.showTrouble(TroubleSource::Telemetry, std::nullopt);
    }
    if (camera.wants(u"rest_export"_s)) {
        page.resize(camera.size - QSize(64, 46));
        page.show();
        QApplication::processEvents();
        for (auto* button : page.findChildren<QToolButton*>()) {
            if (button->accessibleName() != u"Export"_s || !button->menu())
                continue;
            QMenu& menu = *button->menu();
            menu.ensurePolished();
            menu.resize(menu.sizeHint());
            const QPoint under = button->mapTo(&page, QPoint(button->width() - menu.width(), button->height() + 2));
            camera.capture(u"rest_export"_s, page, &menu, under);
        }
    }
}

void shootRecordings(const Camera& camera)
{
    if (!camera.wants(u"rest_recordings"_s))
        return;
    RecordingModel model;
    QList<RecordingRow> rows;
    const auto add
        = [&rows](const QString& job, const QString& name, JobState state, int nodes, int hours, double mib) {
              RecordingRow row;
              row.path = u"/home/ada/.local/share/rankwright/recordings/lumi-%1.rwr"_s.arg(job);
              row.cluster = u"lumi"_s;
              row.job.id = job;
              row.job.name = name;
              row.job.state = state;
              const qint64 from = now - (9'304'947 - job.toLongLong()) * 1'700'000;
              row.span = {from, from + hours * 3'600'000LL};
              row.nodes = nodes;
              row.gpusPerNode = 8;
              row.gpuWord = u"GCD"_s;
              row.bytes = qint64(mib * 1024 * 1024);
              row.isWritten = state == JobState::Running;
              rows.append(row);
          };
    add(u"9304946"_s, u"llama8b"_s, JobState::Running, 4, 2, 4.2);
    add(u"9304902"_s, u"gpt-imdb"_s, JobState::Completed, 2, 1, 0.9);
    add(u"9304877"_s, u"gpt-imdb"_s, JobState::Failed, 2, 1, 0.2);
    add(u"9304811"_s, u"scaling-4"_s, JobState::Timeout, 4, 12, 10.1);
    add(u"9304790"_s, u"scaling-64"_s, JobState::Cancelled, 64, 3, 71.4);
    add(u"9304602"_s, u"llama70b"_s, JobState::Unknown, 16, 26, 118.0);
    model.assign(rows);
    RecordingsDialog dialog(model, 2LL << 30);
    camera.takeDialog(u"rest_recordings"_s, dialog);
}

} // namespace

int main(int argc, char** argv)
{
    return takePictures(argc, argv, [](const Camera& camera) {
        shootAlerts(camera);
        shootGroups(camera);
        shootRest(camera);
        shootRecordings(camera);
    });
}

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A job of 1,024 nodes x 8 GPUs at 1 Hz through the Live page: a generator takes the place of srun, everything behind
// the channel is the program's own (feed, parser, series, model, page).
//   bench_map [seconds of the accelerated run, 1800] [seconds of the real-time run, 60]
#include "models/insight/telemetry/sampling/telemetryfeed.h"
#include "models/tables/grid/gpugrid.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/jobgenerator.h"
#include "tests/bench/usage.h"
#include "tests/support/fakeshell.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/livepage.h"

#include <QApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QScrollBar>

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int nodes = 1024;
constexpr int gpus = 8;

/// The page of such a job with a feed behind it.
struct Setup {
    explicit Setup(QSize size) : page(grid)
    {
        const QStringList names = generator.nodes();
        page.setClock([this] { return clock > 0 ? clock : QDateTime::currentMSecsSinceEpoch(); });
        JobRecord job;
        job.id = u"1"_s;
        job.name = u"bench"_s;
        job.state = JobState::Running;
        job.nodes = nodes;
        job.gpus = nodes * gpus;
        job.nodeList = names;
        page.showJob(job);
        grid.reset(names, gpus, 2, u"GCD"_s);
        page.resize(size);
        page.show();
        test::FakeShell::Reply stream;
        stream.staysOpen = true;
        shell.expect(u"srun"_s, stream, true);
        feed = std::make_unique<TelemetryFeed>(shell, TelemetryFeed::Target{u"1"_s, names, GpuVendor::Amd, true, 1000});
        QObject::connect(feed.get(), &TelemetryFeed::tickArrived, &page, [this](const NodeTick& tick) {
            grid.store(tick, clock > 0 ? clock : QDateTime::currentMSecsSinceEpoch());
        });
        feed->start();
        QApplication::processEvents();
    }

    bench::JobGenerator generator{nodes, gpus};
    qint64 clock = 0; ///< the run's own time when accelerated; 0: the wall's
    GpuGrid grid;
    LivePage page;
    test::FakeShell shell;
    std::unique_ptr<TelemetryFeed> feed;
};

/// Half an hour of a job, as fast as it goes: what a second of the job costs, and the memory in the end.
void benchAccelerated(int seconds)
{
    constexpr int beats = 10;
    const double before = bench::residentMib();
    Setup setup(QSize(1856, 1034));
    setup.clock = 1'772'460'000'000;
    const double start = bench::cpuSeconds();
    for (int second = 0; second < seconds; ++second) {
        for (int beat = 0; beat < beats; ++beat) {
            setup.clock += 1000 / beats;
            setup.shell.newest()->say(
                setup.generator.gpuLines(beat * nodes / beats, (beat + 1) * nodes / beats, setup.clock));
            setup.page.beat();
            QApplication::processEvents();
        }
    }
    const double used = bench::cpuSeconds() - start;
    bench::report("1,024 x 8 at 1 Hz, accelerated: share of one core", {100 * used / seconds}, "%");
    bench::report("resident memory before it", {before}, "MiB");
    bench::report("resident memory after it", {bench::residentMib()}, "MiB");
}

/// The same in real time, with every tick's way from the node's clock to the pixel.
void benchRealTime(int seconds)
{
    Setup setup(QSize(1856, 1034));
    QList<qint64> waiting, flushed;
    QList<double> ages;
    QObject::connect(&setup.grid, &GpuGrid::rowsFlushed, &setup.page, [&] {
        flushed += waiting;
        waiting.clear();
    });
    QObject::connect(&setup.page.heatMap(), &HeatMapView::painted, &setup.page, [&] {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (const qint64 taken : std::as_const(flushed))
            ages.append(double(now - taken));
        flushed.clear();
    });
    QElapsedTimer wall;
    wall.start();
    const double start = bench::cpuSeconds();
    qint64 sent = 0;
    QTimer source;
    source.setTimerType(Qt::PreciseTimer);
    QObject::connect(&source, &QTimer::timeout, &setup.page, [&] {
        const qint64 due = wall.elapsed() * nodes / 1000;
        while (sent < due) {
            const int from = int(sent % nodes);
            const int to = int(std::min<qint64>(nodes, from + due - sent));
            const qint64 now = QDateTime::currentMSecsSinceEpoch();
            for (int line = from; line < to; ++line)
                waiting.append(now);
            setup.shell.newest()->say(setup.generator.gpuLines(from, to, now));
            sent += to - from;
        }
    });
    source.start(10);
    QEventLoop loop;
    QTimer::singleShot(seconds * 1000, &loop, &QEventLoop::quit);
    loop.exec();
    const double share = 100 * (bench::cpuSeconds() - start) / (double(wall.elapsed()) / 1000);
    bench::report("1,024 x 8 at 1 Hz, real time: share of one core", {share}, "%");
    bench::report("sample to pixel, median", {bench::quantile(ages, 0.5)}, "ms");
    bench::report("sample to pixel, 95th percentile", {bench::quantile(ages, 0.95)}, "ms");
    bench::report("sample to pixel, 99th percentile", {bench::quantile(ages, 0.99)}, "ms");
    bench::report("ticks seen", {double(ages.size())}, "");
}

/// Processor time, which a busy machine does not stretch.
double timed(const std::function<void()>& act)
{
    const double start = bench::cpuSeconds();
    act();
    return 1000 * (bench::cpuSeconds() - start);
}

/// Frames of the map alone in a full screen of 1920 x 1080: everything again, scrolling, zooming; in processor time.
void benchFrames()
{
    GpuGrid grid;
    const QStringList names = bench::JobGenerator(nodes, gpus).nodes();
    grid.reset(names, gpus, 2, u"GCD"_s);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (const QString& name : names) {
        NodeTick tick{name, now, {}};
        for (int gpu = 0; gpu < gpus; ++gpu) {
            GpuSample sample;
            sample.index = gpu;
            sample.utilizationPercent = 60 + gpu * 5;
            tick.gpus.append(sample);
        }
        grid.store(tick, now);
    }
    grid.flush(now);
    HeatMapView view(grid);
    view.resize(1920, 1080);
    view.show();
    QApplication::processEvents();
    const auto repaints = [&](const char* what, const std::function<void(int)>& change) {
        QList<double> runs;
        for (int run = 0; run < 60; ++run) {
            runs.append(timed([&] {
                change(run);
                view.viewport()->repaint();
            }));
        }
        bench::report(what, runs, "ms");
        bench::report("    95th percentile", {bench::quantile(runs, 0.95)}, "ms");
    };
    repaints("full repaint, 8,192 GPUs in 32 groups", [](int) {});
    view.setFold(HeatMapView::Fold::Nodes);
    repaints("full repaint, every node, as it fits", [](int) {});
    for (int out = 0; out < 3; ++out)
        view.zoom(-1, QPoint(900, 500));
    repaints("full repaint, every node, as small as it goes", [](int) {});
    repaints("zoom step and repaint", [&](int run) { view.zoom(run % 6 < 3 ? 1 : -1, QPoint(900, 500)); });
    view.fit();
    for (int in = 0; in < 3; ++in)
        view.zoom(1, QPoint(900, 500));
    QApplication::processEvents();
    QList<double> scrolls;
    for (int run = 0; run < 60; ++run) {
        scrolls.append(timed([&] {
            view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + (run % 20 < 10 ? 30 : -30));
            QApplication::processEvents();
        }));
    }
    bench::report("scroll by 30 pixels and repaint, large cells", scrolls, "ms");
    bench::report("    95th percentile", {bench::quantile(scrolls, 0.95)}, "ms");
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme;
    theme.setMode(Theme::Mode::Dark);
    theme.apply();
    const QStringList words = QApplication::arguments();
    benchFrames();
    if (const int seconds = words.value(2, u"60"_s).toInt(); seconds > 0)
        benchRealTime(seconds);
    if (const int seconds = words.value(1, u"1800"_s).toInt(); seconds > 0)
        benchAccelerated(seconds);
    return 0;
}

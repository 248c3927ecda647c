// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/gpugrid.h"
#include "tests/bench/benchreport.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/livepage.h"

#include <QApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

NodeTick tickOf(const QString& node, int gpus, int second)
{
    NodeTick tick{node, QDateTime::currentMSecsSinceEpoch(), {}};
    for (int gpu = 0; gpu < gpus; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = 50 + 40 * std::sin(second + gpu);
        sample.memoryUsedBytes = qint64(40e9 + 1e9 * gpu);
        sample.memoryTotalBytes = 68702699520;
        if (gpu % 2 == 0)
            sample.powerWatts = 300 + 20 * std::sin(second);
        sample.secondaryDie = gpu % 2 == 1;
        sample.temperatureCelsius = 55;
        tick.gpus.append(sample);
    }
    return tick;
}

/// A tick of every node arrives; how long the GUI thread is busy until its cells are painted.
void benchPaint(int nodes)
{
    GpuGrid grid;
    LivePage page(grid);
    page.resize(1280, 744);
    JobRecord job;
    job.id = u"1"_s;
    job.name = u"bench"_s;
    job.state = JobState::Running;
    page.showJob(job);
    QStringList names;
    for (int node = 0; node < nodes; ++node)
        names.append(u"nid%1"_s.arg(node + 1, 6, 10, QLatin1Char('0')));
    grid.reset(names, 8, 2, u"GCD"_s);
    page.show();
    QApplication::processEvents();
    QList<double> runs;
    for (int second = 0; second < 40; ++second) {
        QElapsedTimer timer;
        timer.start();
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (const QString& name : names)
            grid.store(tickOf(name, 8, second), now);
        grid.flush(now);
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        runs.append(double(timer.nsecsElapsed()) / 1e6);
    }
    bench::report(
        qPrintable(u"ticks of %1 nodes x 8 stored and painted, GUI thread busy"_s.arg(nodes)), runs.mid(5), "ms");
}

/// The journey through a real sshd and a real Slurm: node's clock at the sample to cell painted, and memory.
int benchJourney()
{
    QTemporaryDir folder;
    QProcess process;
    process.setProgram(qEnvironmentVariable("RANKWRIGHT_PROGRAM"));
    process.setArguments({u"--data-dir"_s, folder.filePath(u"data"_s), u"--journey"_s, folder.path()});
    process.start();
    if (!process.waitForFinished(400000) || process.exitCode() != 0) {
        std::printf("the journey failed: %s\n", process.readAllStandardError().right(400).constData());
        process.kill();
        process.waitForFinished();
        return 1;
    }
    QFile file(folder.filePath(u"journey.json"_s));
    if (!file.open(QIODevice::ReadOnly))
        return 1;
    const QByteArray json = file.readAll();
    std::printf("journey on the practice cluster (one run, 2 nodes x 8 GCDs sampled at 1 Hz):\n%s\n", json.constData());
    return 0;
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
    for (int nodes : {2, 64, 1024})
        benchPaint(nodes);
    return benchJourney();
}

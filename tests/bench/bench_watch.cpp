// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A job of 1,024 nodes x 8 GPUs at 1 Hz, in real time, through all that the window has: session, feed, alerts,
// recording, series, the whole Live page. Only the connection is played: a generator takes the place of srun and of the
// job's output.
//   bench_watch [seconds, 60; with RANKWRIGHT_HALF_HOUR set 1800] [nodes, 1024] [picture of the page at the end]
#include "app/session/clustersession.h"
#include "app/store/joblog.h"
#include "app/window/pages/livecontroller.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/designjson.h"
#include "models/tables/grid/gpugrid.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/jobgenerator.h"
#include "tests/bench/usage.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/livepage.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int gpus = 8;
constexpr int ranksEverySeconds = 10;
constexpr int minuteMs = 60'000;
constexpr int frameSeconds = 8;

qint64 now() { return QDateTime::currentMSecsSinceEpoch(); }

ClusterProfile profileOf()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile* found = catalogue.find(u"lumi"_s);
    if (!found)
        qFatal("the catalogue has no LUMI");
    ClusterProfile profile = *found;
    profile.launch.monitorAllNodesInOneStep = true; // every node every second
    return profile;
}

JobSpec designOf(int nodes)
{
    JobSpec spec;
    spec.name = u"bench"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = gpus;
    spec.launcher = Launcher::Srun;
    spec.parallel.strategy = Strategy::Fsdp;
    return spec;
}

/// The window's parts around a played connection.
class Watched {
public:
    explicit Watched(int nodes)
        : generator(nodes, gpus), database(test::openStore(folder.path())), log(*database), page(grid), live(grid, page)
    {
        auto made = std::make_unique<test::FakeShell>();
        shell = made.get();
        job.id = u"4711"_s;
        job.name = u"bench"_s;
        job.user = u"somebody"_s;
        job.partition = u"standard-g"_s;
        job.state = JobState::Running;
        job.nodes = nodes;
        job.gpus = nodes * gpus;
        job.nodeList = generator.nodes();
        job.started = QDateTime::currentDateTimeUtc();
        job.submitted = job.started;
        job.standardOutput = u"/scratch/run/slurm-4711.out"_s;
        expectAnswers();
        session = std::make_unique<ClusterSession>(profileOf(), std::move(made), log);
        if (const auto entry
            = log.record({u"token"_s, u"lumi"_s, u"bench"_s, writeDesign(designOf(nodes)), "#!/bin/bash\n", {}}))
            (void)log.markKnown(entry->id, job.id);
        live.setRecordings(folder.filePath(u"recordings"_s));
        live.follow(*session, job.id);
        live.watch()->update(job);
        page.resize(1856, 1034); // a screen of 1920 x 1080 without the window's navigation and title
        page.show();
        QApplication::processEvents();
        for (test::FakeProcess* process : shell->running()) {
            if (process->command().line.contains(u"@rw-bytes"_s))
                output = process;
            else if (process->command().line.contains(u"srun"_s))
                stream = process;
        }
        if (!output || !stream)
            qFatal("the window asked for no samples, or for no output");
        output->say("@rw-following\n");
    }

    /// One line of the training each second, and some of what else a job prints.
    void printLines(int second)
    {
        QByteArray text;
        for (int line = 0; line < 20; ++line)
            text += "rank " + QByteArray::number(line) + ": allreduce of bucket 7 took 0.0123 s, 25.0 MB\n";
        text += "step " + QByteArray::number(second) + "/100000 | loss " + QByteArray::number(2.0 + 5.0 / (1 + second))
            + " | lr 1.0e-04 | 812.5 samples/s\n";
        output->say("@rw-bytes 0 " + QByteArray::number(m_printed) + ' ' + QByteArray::number(text.size()) + ' '
            + QByteArray::number(m_printed + text.size()) + '\n' + text);
        m_printed += text.size();
    }

    QTemporaryDir folder;
    bench::JobGenerator generator;
    std::unique_ptr<Database> database;
    JobLog log;
    GpuGrid grid;
    LivePage page;
    JobRecord job;
    test::FakeShell* shell = nullptr;
    std::unique_ptr<ClusterSession> session;
    LiveController live; ///< goes first, as it does in the window
    QPointer<test::FakeProcess> stream;
    QPointer<test::FakeProcess> output;

private:
    void expectAnswers()
    {
        shell->expect(u"squeue"_s, {test::squeueRecord(job)}, true);
        test::FakeShell::Reply open;
        open.staysOpen = true;
        shell->expect(u"@rw-bytes"_s, open, true);
        shell->expect(u"srun"_s, open, true);
        shell->expect(u""_s, {}, true);
    }
    qint64 m_printed = 0;
};

/// Sends lines when they are due, and measures how long each takes to the pixel.
class Curve {
public:
    explicit Curve(Watched& watched) : m_watched(watched)
    {
        m_wall.start();
        QObject::connect(&watched.grid, &GpuGrid::rowsFlushed, &watched.page, [this] {
            m_flushed += m_waiting;
            m_waiting.clear();
        });
        QObject::connect(&watched.page.heatMap(), &HeatMapView::painted, &watched.page, [this] {
            const qint64 at = now();
            for (const qint64 taken : std::as_const(m_flushed))
                ages.append(double(at - taken));
            m_flushed.clear();
        });
        m_source.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_source, &QTimer::timeout, &watched.page, [this] { send(); });
        m_source.start(20);
    }
    qint64 elapsedMs() const { return m_wall.elapsed(); }
    double makingSeconds() const { return m_making; }

    QList<double> ages; ///< ms from the node's stamp to the painted cell

private:
    void send()
    {
        const double start = bench::threadSeconds();
        const int nodes = int(m_watched.generator.nodes().size());
        const qint64 due = m_wall.elapsed() * nodes / 1000;
        while (m_sent < due) {
            const int from = int(m_sent % nodes);
            const int to = int(std::min<qint64>(nodes, from + due - m_sent));
            const qint64 taken = now();
            const int second = int(m_sent / nodes);
            QByteArray text = m_watched.generator.gpuLines(from, to, taken);
            // Each node reports its ranks every tenth second, as the plan has it at this size.
            const int part = nodes / ranksEverySeconds + 1;
            const int first = std::max(from, second % ranksEverySeconds * part);
            const int last = std::min(to, (second % ranksEverySeconds + 1) * part);
            if (first < last)
                text += m_watched.generator.rankLines(first, last, taken);
            for (int line = from; line < to; ++line)
                m_waiting.append(taken);
            const double made = bench::threadSeconds();
            m_making += made - start;
            m_watched.stream->say(text);
            m_sent += to - from;
            if (to == nodes)
                m_watched.printLines(second);
        }
    }

    Watched& m_watched;
    QElapsedTimer m_wall;
    QTimer m_source;
    QList<qint64> m_waiting, m_flushed;
    qint64 m_sent = 0;
    double m_making = 0;
};

void turnFor(qint64 ms)
{
    QEventLoop loop;
    QTimer::singleShot(int(ms), Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Somebody scrolls or zooms at 60 frames a second while everything goes on: what the GUI thread has to do for each
/// frame, samples and alerts between them included.
void benchFrames(Watched& watched, const char* what, const std::function<void(int)>& move)
{
    QList<double> costs, gaps;
    QElapsedTimer since;
    double spent = bench::threadSeconds();
    int frame = 0;
    const auto counted = QObject::connect(&watched.page.heatMap(), &HeatMapView::painted, &watched.page, [&] {
        const double used = bench::threadSeconds();
        costs.append(1000 * (used - spent));
        spent = used;
        if (since.isValid())
            gaps.append(double(since.nsecsElapsed()) / 1e6);
        since.start();
    });
    QTimer hand;
    hand.setTimerType(Qt::PreciseTimer);
    QObject::connect(&hand, &QTimer::timeout, &watched.page, [&] { move(frame++); });
    hand.start(16);
    turnFor(frameSeconds * 1000);
    QObject::disconnect(counted);
    bench::report(qPrintable(u"%1: work of a frame"_s.arg(QLatin1String(what))), costs, "ms");
    bench::report("    95th percentile", {bench::quantile(costs, 0.95)}, "ms");
    bench::report("    99th percentile", {bench::quantile(costs, 0.99)}, "ms");
    bench::report("    frames each second (the hand moves 62 times)", {double(costs.size()) / frameSeconds}, "");
    bench::report("    between two frames, 95th percentile", {bench::quantile(gaps, 0.95)}, "ms");
}

void benchHands(Watched& watched)
{
    HeatMapView& map = watched.page.heatMap();
    const auto scroll = [&map](int frame) {
        QScrollBar* bar = map.verticalScrollBar();
        bar->setValue(bar->value() + (frame % 120 < 60 ? 12 : -12));
    };
    const QPoint centre = map.viewport()->rect().center();
    map.setFold(HeatMapView::Fold::Nodes);
    turnFor(500);
    benchFrames(watched, "zoom, every node", [&](int frame) {
        if (frame % 6 == 0)
            map.zoom(frame / 6 % 12 < 6 ? 1 : -1, centre);
        else
            scroll(frame);
    });
    map.fit();
    for (int in = 0; in < 3; ++in)
        map.zoom(1, centre);
    benchFrames(watched, "scroll, small squares", scroll);
    map.setLevel(HeatMapLevel::Compact);
    turnFor(200);
    benchFrames(watched, "scroll, figures", scroll);
    map.setLevel(HeatMapLevel::Cards);
    turnFor(200);
    benchFrames(watched, "scroll, cards", scroll);
    map.fit();
    map.setFold(HeatMapView::Fold::Groups);
}

qint64 bytesIn(const QString& folder)
{
    qint64 bytes = 0;
    for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files))
        bytes += file.size();
    return bytes;
}

void benchWatch(Watched& watched, int seconds)
{
    Curve curve(watched);
    double before = bench::cpuSeconds();
    const double first = before;
    double making = 0;
    QList<double> shares, resident;
    const int minutes = std::max(1, seconds * 1000 / minuteMs);
    const qint64 part = std::min(minuteMs, seconds * 1000);
    for (int minute = 0; minute < minutes; ++minute) {
        const qint64 from = curve.elapsedMs();
        turnFor(part);
        const double used = bench::cpuSeconds();
        shares.append(100 * (used - before) / (double(curve.elapsedMs() - from) / 1000));
        resident.append(bench::residentMib());
        before = used;
        std::printf(
            "minute %2d: %5.1f %% of one core, %6.1f MiB resident\n", minute + 1, shares.last(), resident.last());
        std::fflush(stdout);
    }
    making = curve.makingSeconds();
    const double all = double(curve.elapsedMs()) / 1000;
    bench::report("share of one core, each minute", shares, "%");
    bench::report("    all of it", {100 * (before - first) / all}, "%");
    bench::report("    of which the generator makes its lines", {100 * making / all}, "%");
    bench::report("resident memory at the end of each minute", resident, "MiB");
    bench::report("    the most there ever was", {bench::mostResidentMib()}, "MiB");
    bench::report("sample to pixel, median", {bench::quantile(curve.ages, 0.5)}, "ms");
    bench::report("    95th percentile", {bench::quantile(curve.ages, 0.95)}, "ms");
    bench::report("    99th percentile", {bench::quantile(curve.ages, 0.99)}, "ms");
    bench::report("    ticks seen", {double(curve.ages.size())}, "");
    bench::report("alerts that stand", {double(watched.live.watch()->alerts().all().size())}, "");
    bench::report("recording", {double(bytesIn(watched.folder.filePath(u"recordings"_s))) / 1e6}, "MB");
    benchHands(watched);
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
    const bool halfHour = qEnvironmentVariableIsSet("RANKWRIGHT_HALF_HOUR");
    const double rest = bench::residentMib();
    Watched watched(words.value(2, u"1024"_s).toInt());
    bench::report("resident memory before the job", {rest}, "MiB");
    benchWatch(watched, words.value(1, halfHour ? u"1800"_s : u"60"_s).toInt());
    if (words.size() > 3)
        watched.page.grab().save(words.at(3));
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/watchjson.h"
#include "app/store/eventjson.h"
#include "app/store/recordingreader.h"
#include "app/store/recordingwriter.h"
#include "app/window/pages/livecontroller.h"
#include "models/core/units.h"
#include "models/insight/report/historysummary.h"
#include "models/insight/telemetry/history/samplegaps.h"
#include "tests/app/support/clirun.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/history/historyplot.h"
#include "widgets/history/lossplot.h"
#include "widgets/live/alertnotes.h"
#include "widgets/live/livepage.h"

#include <QLabel>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int momentsOfAJob = 200;

/// A made-up job: its ticks are the truth that everything shown is held against.
struct MadeJob {
    QString id;
    QString gpuWord = u"GPU"_s;
    int nodes = 2;
    int gpus = 4;
    int dies = 1;
    int powerDie = 0; ///< which die of a package reports its power
    int seconds = 400;
    int every = 1; ///< s between samples
    bool reportsMemory = true;
    bool reportsProcesses = true;
    std::optional<GpuAddress> late = {};
    QList<std::pair<int, int>> silent = {}; ///< stretches without a sample of any node, s
    int lastNodeEnds = 0; ///< s after which the last node is silent; 0: never
    JobState state = JobState::Completed;
};

QString nodeName(int node) { return u"nid00%1"_s.arg(5001 + node); }

class Truth {
public:
    explicit Truth(const MadeJob& job) : m_job(job)
    {
        QRandomGenerator random(job.id.toUInt());
        for (int second = 0; second < job.seconds; second += job.every) {
            const bool silent = std::any_of(job.silent.begin(), job.silent.end(),
                [second](const auto& stretch) { return second >= stretch.first && second < stretch.second; });
            for (int node = 0; node < job.nodes && !silent; ++node) {
                if (job.lastNodeEnds == 0 || node + 1 < job.nodes || second < job.lastNodeEnds)
                    m_ticks.append(tickAt(random, node, recordedStart + second * 1000LL + 137LL * node));
            }
        }
    }
    const QList<NodeTick>& ticks() const { return m_ticks; }
    /// As everything that shows it should have it.
    std::optional<double> value(GpuAddress gpu, Measure measure, qint64 ms) const
    {
        const NodeTick* newest = nullptr;
        for (const NodeTick& tick : m_ticks) {
            if (tick.node == nodeName(gpu.node) && tick.takenMs <= ms)
                newest = &tick;
        }
        if (!newest)
            return {};
        const int die = measure == Measure::Power ? gpu.gpu / m_job.dies * m_job.dies + m_job.powerDie : gpu.gpu;
        return TelemetrySeries::value(newest->gpus.at(die), measure);
    }

private:
    NodeTick tickAt(QRandomGenerator& random, int node, qint64 ms) const
    {
        NodeTick tick{nodeName(node), ms, {}};
        for (int index = 0; index < m_job.gpus; ++index) {
            const bool late = m_job.late && *m_job.late == GpuAddress{node, index};
            GpuSample gpu;
            gpu.index = index;
            gpu.utilizationPercent = late ? 20 + random.bounded(30) : 5 + random.bounded(95);
            if (m_job.reportsMemory)
                gpu.memoryUsedBytes = (qint64(2 + random.bounded(50)) << 30) + (qint64(random.bounded(1024)) << 20);
            gpu.memoryTotalBytes = qint64(64) << 30;
            gpu.secondaryDie = index % m_job.dies != m_job.powerDie;
            if (!gpu.secondaryDie) {
                gpu.powerWatts = 90 + random.bounded(400);
                gpu.powerCapWatts = 560;
            }
            gpu.temperatureCelsius = 40 + random.bounded(40);
            gpu.clockMhz = 800 + random.bounded(900);
            if (m_job.reportsProcesses)
                gpu.processes = 1;
            tick.gpus.append(gpu);
        }
        return tick;
    }

    MadeJob m_job;
    QList<NodeTick> m_ticks;
};

QString record(const QString& folder, const MadeJob& job, const Truth& truth)
{
    QStringList nodes;
    for (int node = 0; node < job.nodes; ++node)
        nodes.append(nodeName(node));
    RecordingFacts facts = recordedJob(job.id, nodes);
    facts.gpuWord = job.gpuWord;
    facts.gpusPerPackage = job.dies;
    facts.gpusPerNode = job.gpus;
    facts.job.state = job.state;
    facts.job.nodes = job.nodes;
    facts.job.gpus = job.nodes * job.gpus;
    facts.job.ended = facts.job.started.addSecs(job.seconds);
    facts.job.elapsed = Seconds{job.seconds};
    auto writer = RecordingWriter::open(folder, facts);
    if (!writer)
        qFatal("%s", qPrintable(writer.error().oneLine()));
    (*writer)->setNodes(nodes);
    for (const NodeTick& tick : truth.ticks())
        (*writer)->append(tick, tick.takenMs);
    QList<LossPoint> losses;
    for (int second = 20; second < job.seconds; second += 5) {
        TrainingProgress progress;
        progress.step = second;
        progress.steps = job.seconds;
        progress.loss = 4 - second * 0.005;
        losses.append({double(second), *progress.loss});
        (*writer)->note(progress, recordedStart + second * 1000LL);
        (*writer)->note(losses, recordedStart + second * 1000LL);
    }
    if (job.state == JobState::Failed) {
        Diagnosis found;
        found.kind = u"oom_gpu"_s;
        found.rule = u"gpu-memory"_s;
        found.rank = 1;
        found.evidence = u"CUDA out of memory"_s;
        (*writer)->note(failuresEvent({found}, recordedStart + (job.seconds - 2) * 1000LL));
    }
    if (const auto done = (*writer)->commit(recordedStart + job.seconds * 1000LL); !done)
        qFatal("%s", qPrintable(done.error().oneLine()));
    return (*writer)->path();
}

/// Differences, in words.
class Differences {
public:
    void compare(const QString& where, const QString& shown, const QString& wanted)
    {
        ++m_compared;
        if (shown != wanted)
            m_found.append(u"%1: “%2” instead of “%3”"_s.arg(where, shown, wanted));
    }
    int compared() const { return m_compared; }
    QString text() const { return u"%1 of %2\n"_s.arg(m_found.size()).arg(m_compared) + m_found.mid(0, 8).join(u'\n'); }
    bool isEmpty() const { return m_found.isEmpty(); }

private:
    int m_compared = 0;
    QStringList m_found;
};

/// Everything on the page that shows a figure of the current GPU, and the map's cell of every other.
void compareFigures(const LivePage& page, const Truth& truth, qint64 ms, const QString& when, Differences& differ)
{
    const HeatMapView& map = page.heatMap();
    const GpuGrid& grid = map.grid();
    const GpuAddress current = *map.current();
    const auto* plot = page.findChild<HistoryPlot*>();
    for (const Measure measure : allMeasures) {
        const QString wanted = figureWithUnit(measure, truth.value(current, measure, ms));
        const QString where = u"%1, %2 of %3.%4, "_s.arg(when, toText(measure)).arg(current.node).arg(current.gpu);
        differ.compare(where + u"history"_s, plot->figure(measure).text, wanted);
        differ.compare(where + u"how the history's is made"_s, plot->figure(measure).made, {});
        const QString spoken = speakGpu(grid, current, measure, map.state());
        const QString said = toText(measure) + (wanted == u"–"_s ? u" not reported"_s : QString(u' ' + wanted));
        differ.compare(where + u"screen reader"_s, spoken.contains(said) ? said : spoken, said);
        QString line;
        for (const QString& one : describeGpu(grid, current, map.state()).split(u'\n')) {
            if (one.startsWith(toText(measure) + u": "_s))
                line = one.mid(toText(measure).size() + 2);
        }
        const QString figure
            = measure == Measure::Processes ? figureOf(measure, truth.value(current, measure, ms)) : wanted;
        differ.compare(where + u"tool tip"_s, line.startsWith(figure) ? figure : line, figure);
    }
    for (int node = 0; node < grid.nodeCount(); ++node) {
        for (int gpu = 0; gpu < grid.gpusPerNode(); ++gpu) {
            const float cell = map.field().at({node, gpu}).value;
            differ.compare(u"%1, map %2.%3"_s.arg(when).arg(node).arg(gpu),
                figureWithUnit(map.measure(), std::isnan(cell) ? std::nullopt : std::optional(double(cell))),
                figureWithUnit(map.measure(), truth.value({node, gpu}, map.measure(), ms)));
        }
    }
    // "Memory: 51.2 GiB of 64 GiB" is the fullest of what the map shows.
    for (const AlertText& finding : page.findChild<AlertNotes*>()->findings()) {
        if (!finding.title.startsWith(u"Memory: "_s) || !finding.gpu)
            continue;
        const QString fullest = figureWithUnit(Measure::Memory, truth.value(*finding.gpu, Measure::Memory, ms));
        differ.compare(when + u", alerts"_s, finding.title.mid(8).section(u" of "_s, 0, 0), fullest);
    }
}

} // namespace

/// Figures that are shown twice agree: map, tool tip, screen reader, figures beside the curves, alerts, slider, report
/// and command line, at any moment of any job.
class FiguresAgreeTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void replayed_data();
    void replayed();
    void live();

private:
    void compareWithCommandLine(const QString& path, const Truth& truth, Differences& differ) const;
    static void compareWithWatch(const MadeJob& job, const Truth& truth, Differences& differ);
    std::unique_ptr<Theme> m_theme;
    QTemporaryDir m_folder;
};

Q_DECLARE_METATYPE(MadeJob)

void FiguresAgreeTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void FiguresAgreeTest::replayed_data()
{
    QTest::addColumn<MadeJob>("job");
    const auto row = [](const char* name, const MadeJob& job) { QTest::newRow(name) << job; };
    row("MI250X, healthy", {.id = u"1"_s, .gpuWord = u"GCD"_s, .gpus = 8, .dies = 2});
    row("MI250X, power on the other die", {.id = u"2"_s, .gpuWord = u"GCD"_s, .gpus = 8, .dies = 2, .powerDie = 1});
    row("MI250X, one late", {.id = u"3"_s, .gpuWord = u"GCD"_s, .gpus = 8, .dies = 2, .late = GpuAddress{1, 5}});
    row("A100, healthy, memory not reported", {.id = u"4"_s, .reportsMemory = false, .reportsProcesses = false});
    row("A100, gaps", {.id = u"5"_s, .silent = {{50, 54}, {90, 97}, {150, 154}, {200, 222}, {260, 264}, {300, 303}}});
    row("A100, sampled every 10 s", {.id = u"6"_s, .seconds = 1200, .every = 10, .silent = {{400, 460}}});
    row("A100, failed, a node fell silent", {.id = u"7"_s, .lastNodeEnds = 300, .state = JobState::Failed});
    row("A100, timed out", {.id = u"8"_s, .nodes = 1, .state = JobState::Timeout});
}

void FiguresAgreeTest::replayed()
{
    QFETCH(const MadeJob, job);
    const Truth truth(job);
    const QString path = record(m_folder.path(), job, truth);
    GpuGrid grid;
    LivePage page(grid);
    LiveController controller(grid, page);
    QVERIFY_RESULT(controller.open(path));
    page.resize(1280, 900);
    page.show();
    auto* plot = page.findChild<HistoryPlot*>();
    plot->setMeasures({allMeasures.begin(), allMeasures.end()});
    auto reader = RecordingReader::open(path);
    QVERIFY_RESULT(reader);
    const TimeSpan span = (*reader)->span();
    QRandomGenerator random(7);
    Differences differ;
    for (int place = 0; place <= momentsOfAJob; ++place) {
        const bool last = place == momentsOfAJob;
        const qint64 ms = last ? span.toMs : span.fromMs + span.length() * place / momentsOfAJob;
        page.heatMap().setMeasure(allMeasures.at(std::size_t(place) % allMeasures.size()));
        if (last)
            emit page.slider().endWanted();
        else
            emit page.slider().momentPicked(ms);
        QCOMPARE(page.isPast(), !last);
        page.heatMap().setCurrent(GpuAddress{random.bounded(job.nodes), random.bounded(job.gpus)});
        compareFigures(page, truth, ms, last ? u"at the end"_s : u"%1 s"_s.arg((ms - span.fromMs) / 1000), differ);
        // Header and loss curve: the same step.
        const auto* loss = page.findChild<LossPlot*>();
        QString header;
        for (const QLabel* label : page.findChildren<QLabel*>()) {
            if (label->text().startsWith(u"step "_s))
                header = label->text().section(u' ', 1, 1);
        }
        const QString described = loss->findChild<QWidget*>()->accessibleDescription();
        const QString step = described.section(u"last: step "_s, 1).section(u',', 0, 0);
        if (!header.isEmpty() || !step.isEmpty())
            differ.compare(u"%1 s, loss"_s.arg((ms - span.fromMs) / 1000), step, header);
        differ.compare(u"slider"_s, QString::number(page.slider().state().momentMs), QString::number(ms));
    }
    compareWithCommandLine(path, truth, differ);
    compareWithWatch(job, truth, differ);
    // Gaps: slider and curves, command line, report.
    const QList<TimeSpan> gaps = page.slider().overview().gaps;
    differ.compare(u"gaps of the slider"_s, gapsText(gaps), gapsText(gapsWithin(**reader)));
    differ.compare(u"gaps of the report"_s, gapsText(summarise(**reader).gaps), gapsText(gaps));
    const Answer shown = run({u"recordings"_s, u"show"_s, path, u"--json"_s, u"--data-dir"_s, m_folder.path()});
    differ.compare(u"gaps of the command line"_s, QString::number(shown.json().value(u"gaps"_s).toArray().size()),
        QString::number(gaps.size()));
    const QString words = run({u"recordings"_s, u"show"_s, path, u"--data-dir"_s, m_folder.path()}).out;
    differ.compare(u"gaps of the command line, in words"_s,
        gaps.isEmpty() || words.contains(gapsText(gaps)) ? gapsText(gaps) : words, gapsText(gaps));
    QVERIFY2(differ.isEmpty(), qPrintable(differ.text()));
    QVERIFY2(differ.compared() > 30 * momentsOfAJob, qPrintable(QString::number(differ.compared())));
}

/// Samples as exported and peaks as reported are those that map and curves show.
void FiguresAgreeTest::compareWithCommandLine(const QString& path, const Truth& truth, Differences& differ) const
{
    const Answer rows
        = run({u"recordings"_s, u"export"_s, path, u"--format"_s, u"jsonl"_s, u"--data-dir"_s, m_folder.path()});
    QMap<QString, double> peaks;
    int count = 0;
    for (const QString& line : rows.out.split(u'\n', Qt::SkipEmptyParts)) {
        const QJsonObject row = QJsonDocument::fromJson(line.toUtf8()).object();
        const int node = row.value(u"node"_s).toString().right(1).toInt() - 1;
        const GpuAddress gpu{node, row.value(u"index"_s).toInt()};
        const qint64 ms = QDateTime::fromString(row.value(u"time"_s).toString(), Qt::ISODateWithMs).toMSecsSinceEpoch();
        const auto figure = [&](const QString& key) {
            const QJsonValue value = row.value(key);
            return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
        };
        const std::optional<double> bytes = figure(u"memoryUsedBytes"_s);
        const std::optional<double> gib = bytes ? std::optional(*bytes / double(1 << 30)) : std::nullopt;
        ++count;
        differ.compare(u"export, use"_s, figureWithUnit(Measure::Utilization, figure(u"utilizationPercent"_s)),
            figureWithUnit(Measure::Utilization, truth.value(gpu, Measure::Utilization, ms)));
        differ.compare(u"export, memory"_s, figureWithUnit(Measure::Memory, gib),
            figureWithUnit(Measure::Memory, truth.value(gpu, Measure::Memory, ms)));
        if (const std::optional<double> power = figure(u"powerWatts"_s))
            differ.compare(u"export, power"_s, figureWithUnit(Measure::Power, power),
                figureWithUnit(Measure::Power, truth.value(gpu, Measure::Power, ms)));
        const QString key = u"%1.%2"_s.arg(gpu.node).arg(gpu.gpu);
        peaks.insert(key, std::max(peaks.value(key), gib.value_or(0)));
    }
    qsizetype samples = 0;
    for (const NodeTick& tick : truth.ticks())
        samples += tick.gpus.size();
    differ.compare(u"rows of the export"_s, QString::number(count), QString::number(samples));
    const auto reader = RecordingReader::open(path);
    for (const GpuSummary& gpu : summarise(**reader).gpus) {
        const double peak = peaks.value(u"%1.%2"_s.arg(gpu.address.node).arg(gpu.address.gpu));
        differ.compare(u"report, memory's peak"_s,
            figureWithUnit(Measure::Memory, gpu.memoryPeak ? gpu.memoryPeak->inGib() : 0),
            figureWithUnit(Measure::Memory, peak));
    }
}

/// What `watch` prints of each sample is what the map shows then.
void FiguresAgreeTest::compareWithWatch(const MadeJob& job, const Truth& truth, Differences& differ)
{
    QString printed;
    QTextStream out(&printed);
    WatchJson printer(out);
    printer.setGpusPerPackage(job.dies);
    for (const NodeTick& tick : truth.ticks())
        printer.printTick(tick, tick.takenMs);
    for (const QString& line : printed.split(u'\n', Qt::SkipEmptyParts)) {
        const QJsonObject row = QJsonDocument::fromJson(line.toUtf8()).object();
        const GpuAddress gpu{row.value(u"node"_s).toString().right(1).toInt() - 1, row.value(u"index"_s).toInt()};
        const qint64 ms = QDateTime::fromString(row.value(u"time"_s).toString(), Qt::ISODateWithMs).toMSecsSinceEpoch();
        const auto compare = [&](Measure measure, const QString& key, double unit = 1) {
            const QJsonValue value = row.value(key);
            const auto shown = value.isDouble() ? std::optional(value.toDouble() / unit) : std::nullopt;
            differ.compare(u"watch, "_s + key, figureWithUnit(measure, shown),
                figureWithUnit(measure, truth.value(gpu, measure, ms)));
        };
        compare(Measure::Utilization, u"utilizationPercent"_s);
        compare(Measure::Memory, u"memoryUsedBytes"_s, double(Bytes::gib(1).count));
        compare(Measure::Power, u"powerWatts"_s);
        compare(Measure::Temperature, u"temperatureCelsius"_s);
        compare(Measure::Clock, u"clockMhz"_s);
        compare(Measure::Processes, u"processes"_s);
    }
}

/// The same while samples come, with late and missing ones.
void FiguresAgreeTest::live()
{
    for (const int dies : {1, 2}) {
        const MadeJob job{
            .id = QString::number(20 + dies), .gpus = 8, .dies = dies, .seconds = 240, .silent = {{80, 92}}};
        const Truth truth(job);
        GpuGrid grid;
        grid.reset({nodeName(0), nodeName(1)}, job.gpus, dies, u"GPU"_s);
        LivePage page(grid);
        qint64 now = recordedStart;
        page.setClock([&now] { return now; });
        JobRecord record = recordedJob(job.id, {nodeName(0), nodeName(1)}).job;
        page.showJob(record);
        page.resize(1280, 900);
        page.show();
        page.findChild<HistoryPlot*>()->setMeasures({allMeasures.begin(), allMeasures.end()});
        QRandomGenerator random(9);
        Differences differ;
        qsizetype next = 0;
        for (int second = 1; second < job.seconds; ++second) {
            now = recordedStart + second * 1000LL;
            for (; next < truth.ticks().size() && truth.ticks().at(next).takenMs <= now; ++next)
                grid.store(truth.ticks().at(next), truth.ticks().at(next).takenMs);
            page.heatMap().setMeasure(allMeasures.at(std::size_t(second) % allMeasures.size()));
            page.heatMap().setCurrent(GpuAddress{random.bounded(job.nodes), random.bounded(job.gpus)});
            page.showAlerts({});
            page.beat();
            compareFigures(page, truth, now, u"live, %1 s"_s.arg(second), differ);
        }
        QVERIFY2(differ.isEmpty(), qPrintable(differ.text()));
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(FiguresAgreeTest)
#include "tst_figuresagree.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingreader.h"
#include "app/store/recordingwriter.h"
#include "models/insight/report/historysummary.h"
#include "tests/app/support/recordedjob.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <memory>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int commitEvery = 4; // seconds, as JobRecorder does
constexpr qint64 second = 1000;

double milliseconds(const QElapsedTimer& timer) { return double(timer.nsecsElapsed()) / 1e6; }

/// Noise as on real runs with slow waves above it, drawn beforehand: the generator is not part of the figures.
class Ticks {
public:
    explicit Ticks(int gpus)
    {
        QRandomGenerator random(7);
        for (int i = 0; i < 997; ++i)
            m_ticks.append(trainingTick(random, u"n"_s, 0, gpus));
    }
    NodeTick at(const QString& node, int row, int at)
    {
        NodeTick tick = m_ticks.at((qsizetype(at) * 31 + row * 7) % m_ticks.size());
        tick.node = node;
        tick.takenMs = recordedStart + at * second + (row * 13 + at * 7) % 9;
        return tick;
    }

private:
    QList<NodeTick> m_ticks;
};

std::unique_ptr<RecordingWriter> writerOf(const QString& folder, const QStringList& nodes)
{
    auto writer = RecordingWriter::open(folder, recordedJob(u"1"_s, nodes));
    if (!writer)
        qFatal("%s", qPrintable(writer.error().oneLine()));
    return std::move(*writer);
}

QStringList namesOf(int nodes)
{
    QStringList names;
    for (int node = 0; node < nodes; ++node)
        names.append(u"nid%1"_s.arg(node + 1, 6, 10, QLatin1Char('0')));
    return names;
}

/// Records `seconds` of a job; returns the file's path.
QString benchWriting(const QString& folder, int nodes, int seconds, const char* what)
{
    const QStringList names = namesOf(nodes);
    auto writer = writerOf(folder, names);
    const QString path = writer->path();
    Ticks ticks(8);
    QRandomGenerator random(3);
    QList<double> commits;
    double processor = 0;
    for (int at = 0; at < seconds; ++at) {
        QList<NodeTick> made;
        QList<NodeProcesses> reported;
        for (int row = 0; row < nodes; ++row) {
            made.append(ticks.at(names.at(row), row, at));
            if (at % 5 == 0)
                reported.append(trainingProcesses(random, names.at(row), recordedStart + at * second));
        }
        const double before = bench::cpuSeconds();
        for (const NodeTick& tick : std::as_const(made))
            writer->append(tick, tick.takenMs);
        for (const NodeProcesses& one : std::as_const(reported))
            writer->append(one, one.takenMs);
        if (at % commitEvery == commitEvery - 1) {
            QElapsedTimer timer;
            timer.start();
            if (const auto done = writer->commit(recordedStart + at * second); !done)
                qFatal("%s", qPrintable(done.error().oneLine()));
            commits.append(milliseconds(timer));
        }
        processor += bench::cpuSeconds() - before;
    }
    writer.reset();
    std::printf("\n%s: %d nodes x 8 GPUs, %d s at 1 Hz, processes every 5 s\n", what, nodes, seconds);
    bench::report("one commit (4 s of the job), disk included", commits, "ms");
    bench::report("processor time, share of one core", {processor / seconds * 100}, "%");
    bench::report("processor time for one node's tick", {processor / seconds / nodes * 1e6}, "us");
    bench::report("file", {double(QFileInfo(path).size()) / 1e6}, "MB");
    bench::report("bytes for one GPU's sample", {double(QFileInfo(path).size()) / (8.0 * nodes * seconds)}, "bytes");
    return path;
}

void benchReading(const QString& path, int seconds)
{
    QList<double> opened, frames, next, whole, hour, minutes, gaps;
    QRandomGenerator random(5);
    const TimeSpan all{recordedStart, recordedStart + seconds * second};
    for (int run = 0; run < 15; ++run) {
        QElapsedTimer timer;
        timer.start();
        auto reader = RecordingReader::open(path);
        if (!reader)
            qFatal("%s", qPrintable(reader.error().oneLine()));
        // What a page shows first: shape, newest picture, the whole curve of one GPU.
        const TimeSpan span = (*reader)->span();
        const int count = int((*reader)->nodes().size()) + int((*reader)->frameAt(span.toMs - 1).size());
        (*reader)->buckets({0, 0}, Measure::Utilization, span, 800);
        opened.append(count > 1 ? milliseconds(timer) : 1e9);
        const qint64 moment = recordedStart + random.bounded(seconds) * second;
        const auto time = [&timer](QList<double>& runs, const auto& work) {
            timer.restart();
            work();
            runs.append(milliseconds(timer));
        };
        time(frames, [&] { (*reader)->frameAt(moment + 10); });
        time(next, [&] { (*reader)->frameAt(moment + 1010); });
        time(whole, [&] { (*reader)->buckets({0, run % 8}, Measure::Power, all, 800); });
        const qint64 from = recordedStart + random.bounded(qMax(1, seconds - 3600)) * second;
        time(hour, [&] { (*reader)->buckets({0, run % 8}, Measure::Power, {from, from + 3600 * second}, 800); });
        time(minutes, [&] { (*reader)->buckets({0, run % 8}, Measure::Memory, {from, from + 300 * second}, 300); });
        time(gaps, [&] { (*reader)->gaps(5000); });
    }
    bench::report("opened, with newest picture and whole curve of a GPU", opened, "ms");
    bench::report("picture at any moment", frames, "ms");
    bench::report("picture a second later", next, "ms");
    bench::report("curve of a GPU over all of it, 800 buckets", whole, "ms");
    bench::report("the same over one hour", hour, "ms");
    bench::report("the same over five minutes, 300 buckets", minutes, "ms");
    bench::report("gaps", gaps, "ms");
}

/// What the report and the replay of a whole recording cost.
void benchSummary(const QString& path, int runs)
{
    QList<double> opened, summed, wall;
    for (int run = 0; run < runs; ++run) {
        double start = bench::cpuSeconds();
        const auto reader = RecordingReader::open(path);
        if (!reader)
            qFatal("%s", qPrintable(reader.error().oneLine()));
        const qsizetype nodes = (*reader)->frameAt((*reader)->span().toMs - 1).size();
        opened.append(nodes > 0 ? 1000 * (bench::cpuSeconds() - start) : 1e9);
        QElapsedTimer timer;
        timer.start();
        start = bench::cpuSeconds();
        const HistorySummary summary = summarise(**reader);
        summed.append(summary.isEmpty() ? 1e9 : 1000 * (bench::cpuSeconds() - start));
        wall.append(milliseconds(timer));
    }
    bench::report("opened, with newest picture, processor time", opened, "ms");
    bench::report("summed up for the report, processor time", summed, "ms");
    bench::report("    by the clock", wall, "ms");
    bench::report("resident memory; the most there ever was", {bench::residentMib(), bench::mostResidentMib()}, "MiB");
}

} // namespace

/// With an argument only the day, or only the thousand nodes: "day", "wide"; a second one: of how many seconds. A
/// recording's path instead: what opening it and summing it up cost.
int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const QString only = QCoreApplication::arguments().value(1);
    const int asked = QCoreApplication::arguments().value(2).toInt();
    if (QFileInfo(only).isFile()) {
        benchSummary(only, 3);
        return 0;
    }
    QTemporaryDir folder;
    if (!qEnvironmentVariableIsEmpty("RANKWRIGHT_KEEP_RECORDING"))
        folder.setAutoRemove(false);
    if (only != u"wide") {
        const QString path = benchWriting(folder.filePath(u"day"_s), 1, asked > 0 ? asked : 86'400, "one node");
        benchReading(path, asked > 0 ? asked : 86'400);
        benchSummary(path, 5);
    }
    if (only != u"day") {
        const QString path = benchWriting(folder.filePath(u"wide"_s), 1024, asked > 0 ? asked : 1800, "a large job");
        benchReading(path, asked > 0 ? asked : 1800);
        benchSummary(path, 1);
    }
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/telemetryfeed.h"
#include "models/insight/telemetry/sampling/ticklines.h"
#include "models/insight/telemetry/telemetryseries.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"

#include <QCoreApplication>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int gpusPerNode = 8;

/// A line as an MI250X node sends it; figures change from second to second, as real ones do.
QByteArray lineOf(const QByteArray& node, int second)
{
    QByteArray line = "@rw-gpus " + node + ' ' + QByteArray::number(1763719200000 + 1000LL * second) + ' ';
    for (int gpu = 0; gpu < gpusPerNode; ++gpu) {
        const bool primary = gpu % 2 == 0;
        line += QByteArray::number(gpu) + ';' + QByteArray::number(80 + (second + gpu) % 20) + ';'
            + QByteArray::number(42949672960LL + 4096LL * second) + ";68702699520;";
        line
            += primary ? QByteArray("3" + QByteArray::number(10 + second % 80) + ".5;500;57;;") : QByteArray(";;57;s;");
        line += gpu < gpusPerNode - 1 ? "1700;;1;|" : "1700;;1;";
    }
    return line;
}

void benchParse()
{
    const QByteArray line = lineOf("nid005001", 7);
    QList<double> runs;
    for (int run = 0; run < 9; ++run) {
        const double start = bench::cpuSeconds();
        int good = 0;
        for (int i = 0; i < 50000; ++i)
            good += parseTickLine(line).hasValue() ? 1 : 0;
        if (good != 50000)
            std::printf("the tick line of this benchmark is not read\n");
        runs.append(50000.0 * gpusPerNode / (bench::cpuSeconds() - start));
    }
    bench::report("device samples parsed, one core", runs, "per second");
}

/// A connection whose output the benchmark writes.
class Stream final : public RemoteProcess {
public:
    void write(const QByteArray& input) override { Q_UNUSED(input); }
    void closeInput() override { }
};

class Link final : public RemoteShell {
public:
    LinkState state() const override { return LinkState::Online; }
    std::optional<Error> lastError() const override { return {}; }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override
    {
        Q_UNUSED(command);
        auto made = std::make_unique<Stream>();
        stream = made.get();
        return made;
    }
    Stream* stream = nullptr;
};

double residentMegabytes() { return bench::residentMib() * 1.048576; }

/// Bytes of all nodes go through the feed into the series, second by second, in pieces as a connection delivers them.
void benchStream(int nodes)
{
    QStringList names;
    for (int node = 0; node < nodes; ++node)
        names.append(u"nid%1"_s.arg(node + 1, 6, 10, QLatin1Char('0')));
    Link link;
    TelemetryFeed feed(link, {u"1"_s, names, GpuVendor::Amd, true});
    const double before = residentMegabytes();
    TelemetrySeries series;
    series.setShape(names, gpusPerNode);
    qint64 now = 0;
    QObject::connect(&feed, &TelemetryFeed::tickArrived, &feed, [&](const NodeTick& tick) { series.store(tick, now); });
    feed.start();
    QList<double> runs;
    for (int second = 0; second < 660; ++second) { // longer than the series remembers
        now = 1763719200000 + 1000LL * second;
        QByteArray bytes;
        for (const QString& name : names)
            bytes += lineOf(name.toUtf8(), second) + '\n';
        const double began = bench::cpuSeconds();
        static constexpr qsizetype piece = 32768;
        for (qsizetype at = 0; at < bytes.size(); at += piece)
            emit link.stream->outputArrived(bytes.mid(at, piece));
        runs.append(100 * (bench::cpuSeconds() - began));
    }
    if (feed.cost().ticks != 660LL * nodes)
        std::printf("only %lld ticks arrived\n", static_cast<long long>(feed.cost().ticks));
    bench::report(qPrintable(u"feed and series, %1 nodes x 8 GPUs at 1 Hz, share of a core"_s.arg(nodes)), runs, "%");
    bench::report(qPrintable(u"memory of 600 s of %1 x 8 GPUs"_s.arg(nodes)), {residentMegabytes() - before}, "MB");
    feed.stop();
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    benchParse();
    for (const int nodes : {64, 1024})
        benchStream(nodes);
    return 0;
}

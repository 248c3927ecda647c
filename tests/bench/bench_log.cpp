// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"

using namespace rankwright;

namespace {

/// An ordinary log: what frameworks print at each step, and lines that report nothing.
QByteArray ordinaryLog(int lines)
{
    QByteArray log;
    for (int i = 0; i < lines; ++i) {
        const QByteArray n = QByteArray::number(i);
        switch (i % 4) {
        case 0:
            log += "[rank0]:[titan] root - INFO - step: " + n
                + "  loss:  7.5000  grad_norm:  1.3  memory: 49.66GiB(52.28%)  tps: 5,856  mfu: 34.29%\n";
            break;
        case 1:
            log += " iteration " + n + "/ 500000 | consumed samples: " + n
                + " | elapsed time per iteration (ms): 512.5 | lm loss: 4.5E+00 | loss scale: 1.0 |\n";
            break;
        case 2:
            log += "2026-03-01 10:00:00,123 - data.loader - INFO - shard " + n + " of /scratch/data/part opened\n";
            break;
        default: log += "3: worker " + n + " took 12 samples from the queue, 5 are waiting, cache hits 93 %\n"; break;
        }
    }
    return log;
}

template <typename Feed>
void throughput(const char* what, const QByteArray& log, Feed feed)
{
    QList<double> runs;
    for (int run = 0; run < 5; ++run) {
        const double start = bench::cpuSeconds();
        feed(log);
        runs.append(double(log.size()) / 1e6 / (bench::cpuSeconds() - start));
    }
    bench::report(what, runs, "MB/s");
}

} // namespace

/// What reading a job's output costs: MB for each second of processor time.
int main()
{
    const QByteArray log = ordinaryLog(400'000);
    constexpr qsizetype piece = 256 * 1024;
    throughput("known failures sought in an ordinary log", log, [](const QByteArray& bytes) {
        LogDiagnoser diagnoser;
        for (qsizetype at = 0; at < bytes.size(); at += piece)
            diagnoser.feed(bytes.mid(at, piece));
        if (!diagnoser.diagnoses().isEmpty())
            std::exit(1);
    });
    throughput("newest progress read from it", log, [](const QByteArray& bytes) {
        TrainingLogReader reader;
        reader.setSummaryOnly(true);
        for (qsizetype at = 0; at < bytes.size(); at += piece)
            reader.feed(bytes.mid(at, piece));
        reader.finish();
        if (!reader.progress().step)
            std::exit(1);
    });
    throughput("both, as parse log does", log, [](const QByteArray& bytes) {
        LogDiagnoser diagnoser;
        TrainingLogReader reader;
        reader.setSummaryOnly(true);
        for (qsizetype at = 0; at < bytes.size(); at += piece) {
            const QByteArray part = bytes.mid(at, piece);
            diagnoser.feed(part);
            reader.feed(part);
        }
    });
    throughput("lines, colours, progress and loss curve, as the window does", log.left(8'000'000),
        [](const QByteArray& bytes) {
            TrainingLogReader reader;
            for (qsizetype at = 0; at < bytes.size(); at += 65536)
                reader.feed(bytes.mid(at, 65536));
        });
    return 0;
}

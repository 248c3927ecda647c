// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/joboutput.h"
#include "ssh/localshell.h"
#include "tests/bench/benchreport.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

using namespace rankwright;

namespace {

constexpr int lines = 10'000'000;

double residentMib()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toDouble() * 4096 / 1048576 : 0;
}

/// Turns the event loop until `isDone`; milliseconds, or -1 after 30 s.
template <typename Done>
double waitFor(Done isDone)
{
    QElapsedTimer clock;
    clock.start();
    QEventLoop loop;
    QTimer poll;
    poll.setInterval(1);
    QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
        if (isDone() || clock.elapsed() > 30000)
            loop.quit();
    });
    poll.start();
    loop.exec();
    return clock.elapsed() > 30000 ? -1 : double(clock.nsecsElapsed()) / 1e6;
}

bool writeLog(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    QByteArray block;
    for (int i = 0; i < lines; ++i) {
        block += "[rank0]: step " + QByteArray::number(i)
            + "/10000000 loss 2.3456 lr 1e-4 1234.5 samples/s of a long log\n";
        if (block.size() > 4'000'000 || i + 1 == lines) {
            file.write(block);
            block.clear();
        }
    }
    return true;
}

} // namespace

/// The output of a job with ten million lines, read by the real script on this machine: opening, memory, lag, search.
int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QTemporaryDir folder;
    JobRecord job;
    job.id = QStringLiteral("1");
    job.standardOutput = folder.filePath(QStringLiteral("run.out"));
    job.workdir = folder.path();
    if (!writeLog(job.standardOutput))
        return 1;
    LocalShell shell;
    QList<double> opens, lags, searches;
    const double before = residentMib();
    for (int run = 0; run < 5; ++run) {
        JobOutput output(shell);
        QElapsedTimer clock;
        clock.start();
        output.start(job);
        opens.append(waitFor([&] { return output.progress().step == std::optional<qint64>(lines - 1 + run * 100); }));
        QFile file(job.standardOutput);
        if (!file.open(QIODevice::Append))
            return 1;
        for (int i = 1; i <= 100; ++i) {
            const qint64 step = lines - 1 + run * 100 + i;
            waitFor([&, pause = QElapsedTimer()]() mutable {
                if (!pause.isValid())
                    pause.start();
                return pause.elapsed() > 37 + i % 53; // not in step with the script
            });
            file.write("[rank0]: step " + QByteArray::number(step) + "/10000000 loss 2.3 1.0 samples/s\n");
            file.flush();
            lags.append(waitFor([&] { return output.progress().step == std::optional<qint64>(step); }));
        }
    }
    bench::report("10-million-line log opened (newest 1 MiB read)", opens, "ms");
    bench::report("a new line until it is read", lags, "ms");
    std::printf("%-58s  %.0f ms\n", "  at the 95th percentile", bench::quantile(lags, 0.95));
    std::printf("%-58s  %.1f MiB before, %.1f MiB after\n", "resident memory", before, residentMib());
    for (int run = 0; run < 3; ++run) {
        LogSearch search(shell);
        search.start(job.standardOutput, 0, {QStringLiteral("step 12345/")});
        searches.append(waitFor([&] { return !search.state().isRunning; }));
    }
    bench::report("search through all of it for one line", searches, "ms");
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clioutput.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/slurmtext.h"
#include "tests/bench/benchreport.h"

#include <QElapsedTimer>
#include <QFile>

#include <cstdlib>

#include <sys/resource.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int rows = 300'000;
constexpr int runs = 3;

/// squeue's answer to queueCommand(): a site's whole queue, a third of it running on four nodes.
QByteArray answer()
{
    const QByteArray mark = QString(QChar::fromLatin1(recordMark)).toUtf8();
    const QByteArray cell = QString(QChar::fromLatin1(cellMark)).toUtf8();
    QByteArray all;
    all.reserve(rows * 330);
    for (int i = 0; i < rows; ++i) {
        const bool runsNow = i % 3 == 0;
        const QByteArray number = QByteArray::number(4'000'000 + i);
        const QByteArrayList cells{number, runsNow ? "RUNNING" : "PENDING", runsNow ? "None" : "Priority",
            "train-llama-" + number, "ada", "project_465000001", "standard-g", "4",
            runsNow ? QByteArray("nid00[5001-5004]") : QByteArray(), "gres/gpu:mi250:8", runsNow ? "1:02:03" : "0:00",
            "2-00:00:00", "2026-11-20T08:00:00", runsNow ? "2026-11-20T09:00:00" : "N/A", "N/A", "rw-0123456789abcdef",
            "/scratch/project_465000001/ada/runs/" + number};
        all += mark + cells.join(cell) + '\n';
    }
    return all;
}

double residentMib()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return double(used.ru_maxrss) / 1024;
}

} // namespace

/// `jobs` of a queue with 300,000 jobs: its answer read, and printed as JSON.
int main()
{
    const QByteArray text = answer();
    std::printf("squeue's answer: %.0f MiB, peak resident memory before reading %.0f MiB\n",
        double(text.size()) / (1 << 20), residentMib());
    QList<double> read, printed;
    for (int run = 0; run < runs; ++run) {
        QElapsedTimer clock;
        clock.start();
        const auto jobs = parseSqueue(text);
        read.append(double(clock.nsecsElapsed()) / 1e9);
        if (!jobs || jobs->size() != rows || jobs->first().nodeList.size() != 4)
            std::abort();
        if (run == 0)
            std::printf("peak resident memory after reading %.0f MiB\n", residentMib());
        QFile sink(u"/dev/null"_s);
        if (!sink.open(QIODevice::WriteOnly))
            std::abort();
        QTextStream out(&sink);
        clock.start();
        {
            JsonArrayPrinter list(out);
            for (const JobRecord& job : *jobs)
                list.add(jobRecordJson(job));
        }
        printed.append(double(clock.nsecsElapsed()) / 1e9);
    }
    bench::report("a queue of 300,000 jobs, read", read, "s");
    bench::report("the same, printed as JSON", printed, "s");
    std::printf("peak resident memory at the end %.0f MiB\n", residentMib());
    return 0;
}

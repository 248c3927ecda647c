// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis.h"
#include "tests/bench/benchreport.h"

#include <QElapsedTimer>

using namespace rankwright;

/// Microseconds for each healthy line that the search for known failures costs.
int main()
{
    QByteArray log;
    const int lines = 200'000;
    for (int i = 0; i < lines; ++i)
        log += "[rank0]:[titan] root - INFO - step: " + QByteArray::number(i)
            + "  loss:  7.5000  grad_norm:  1.3  memory: 49.66GiB(52.28%)  tps: 5,856  mfu: 34.29%\n";
    QList<double> runs;
    for (int run = 0; run < 5; ++run) {
        QElapsedTimer timer;
        timer.start();
        LogDiagnoser diagnoser;
        for (qsizetype at = 0; at < log.size(); at += 65536)
            diagnoser.feed(log.mid(at, 65536));
        if (!diagnoser.diagnoses().isEmpty())
            return 1;
        runs.append(double(timer.nsecsElapsed()) / 1e3 / lines);
    }
    bench::report("known failures sought in a healthy line", runs, "us");
    return 0;
}

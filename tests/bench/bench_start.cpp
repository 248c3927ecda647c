// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchreport.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// Resident memory of a process in MiB (Linux: /proc), negative when it can't be read.
double residentMib(qint64 pid)
{
    QFile status(u"/proc/%1/status"_s.arg(pid));
    if (!status.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.mid(6).trimmed().split(' ').first().toDouble() / 1024.0;
    }
    return -1;
}

} // namespace

/// Starts the window program as a user does and waits for its first painted window; then its memory at rest.
int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const QString program = qEnvironmentVariable("RANKWRIGHT_PROGRAM");
    if (program.isEmpty()) {
        std::printf("set RANKWRIGHT_PROGRAM to the window program\n");
        return 2;
    }
    QTemporaryDir data;
    QList<double> start, memory;
    for (int run = 0; run < 12; ++run) {
        QProcess process;
        process.setProgram(program);
        process.setArguments({u"--data-dir"_s, data.path(), u"--trace-paint"_s});
        QElapsedTimer timer;
        timer.start();
        process.start();
        QByteArray output;
        while (!output.contains("first paint") && process.waitForReadyRead(20000))
            output += process.readAllStandardOutput();
        const double elapsed = double(timer.nsecsElapsed()) / 1e6;
        if (!output.contains("first paint")) {
            std::printf("the program painted nothing: %s\n", process.readAllStandardError().constData());
            return 1;
        }
        if (run > 1)
            start.append(elapsed);
        if (run % 4 == 3) {
            QThread::sleep(3);
            memory.append(residentMib(process.processId()));
        }
        process.kill();
        process.waitForFinished();
    }
    bench::report("start of the process to first painted window", start, "ms");
    bench::report("resident memory at rest, 3 s after the start", memory, "MiB");
    return 0;
}

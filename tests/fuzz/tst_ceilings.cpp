// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/slurmtext.h"
#include "models/core/hostlist.h"
#include "tests/fuzz/fuzztargets.h"
#include "tests/support/testbase.h"

#include <functional>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool countsMemory = false; // the sanitizers' own memory
#else
constexpr bool countsMemory = true;
#endif

constexpr qsizetype smallBytes = 48 * 1024;
constexpr qsizetype largeBytes = 4 * smallBytes;
constexpr rlim_t mostAddressBytes = rlim_t(2) << 30;
// Beside this much for what is made once: what a byte of input may cost. Text becomes UTF-16, and a line an object.
constexpr double fixedMib = 24;
constexpr double mostPerByte = 400;
// Four times the input takes four times as long; sixteen times where each byte looks at all others.
constexpr double mostTimes = 9;
constexpr double leastSeconds = 0.15; ///< below, the clock's steps count for more than the work

using Reader = std::function<void(const QByteArray&)>;

struct Effort {
    bool ended = false;
    double seconds = 0;
    double mib = 0;
};

/// In a process of its own, whose memory is limited: what it takes is what the system counts for it.
Effort effortOf(const Reader& read, const QByteArray& input)
{
    const pid_t child = ::fork();
    if (child == 0) {
        if (countsMemory) {
            const rlimit limit{mostAddressBytes, mostAddressBytes};
            ::setrlimit(RLIMIT_AS, &limit);
        }
        read(input);
        ::_exit(0);
    }
    int status = -1;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return {WIFEXITED(status) && WEXITSTATUS(status) == 0, seconds(used.ru_utime) + seconds(used.ru_stime),
        double(used.ru_maxrss) / 1024};
}

QByteArray repeated(
    const QByteArray& piece, qsizetype bytes, const QByteArray& before = {}, const QByteArray& after = {})
{
    return before + piece.repeated(int(qMax<qsizetype>(1, bytes / piece.size()))) + after;
}

/// Texts that make a careless reader slow or large: of about this many bytes.
QList<std::pair<const char*, QByteArray>> hostile(qsizetype bytes)
{
    const QByteArray record(1, recordMark), cell(1, cellMark);
    return {
        {"one long line", repeated("a", bytes)},
        {"empty lines", repeated("\n", bytes)},
        {"brackets that never close", repeated("[", bytes)},
        {"objects in objects", repeated("{\"a\":", bytes)},
        {"a list of numbers", repeated("1,", bytes, "{\"nodes\":[", "1]}")},
        {"many members", repeated("\"x\":{\"y\":[1]},", bytes, "{", "\"z\":0}")},
        {"quotes", repeated("\"'", bytes)},
        {"substitutions", repeated("$(", bytes, "#!/bin/bash\n")},
        {"directives", repeated("#SBATCH --gres=gpu:8\n", bytes, "#!/bin/bash\n")},
        {"here-documents", repeated("cat <<A\n", bytes, "#!/bin/bash\n")},
        {"colours", repeated("\x1b[31m", bytes)},
        {"bars over one another", repeated("\r 5%|#| 1/20 [00:01<00:19, 1.0it/s]", bytes)},
        {"steps", repeated("step 1/9 loss 3.0\n", bytes)},
        {"host ranges", repeated("n[0-9],", bytes)},
        {"a prefix of many hosts", repeated("p", bytes, {}, "[0-60000]")},
        {"records without cells", repeated(record + "1\n", bytes)},
        {"records of node lists",
            repeated(record
                    + QByteArrayList{"7", "RUNNING", "None", "n", "u", "a", "p", "9", "n[0-99999]", "gpu:8", "1:00",
                        "1:00", "N/A", "N/A", "N/A", "c", "/"}
                          .join(cell)
                    + '\n',
                bytes)},
    };
}

} // namespace

Q_DECLARE_METATYPE(Reader)

/// H8: whatever comes from outside takes memory and time in proportion to its bytes. The time is compared with the same
/// reader's time for a quarter, never with a clock on the wall.
class CeilingsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void theMeterSees();
    void inProportion_data();
    void inProportion();
};

/// A reader that keeps a page for each byte, one that looks at each byte once for every other, one that breaks a
/// promise.
void CeilingsTest::theMeterSees()
{
    const auto greedy = [](const QByteArray& bytes) {
        QByteArrayList kept;
        for (qsizetype i = 0; i < bytes.size() / 4; ++i)
            kept.append(QByteArray(4096, 'x'));
    };
    const auto slow = [](const QByteArray& bytes) {
        volatile qsizetype same = 0;
        for (qsizetype i = 0; i < bytes.size(); i += 16) {
            for (qsizetype j = 0; j < bytes.size(); j += 16)
                same = same + (bytes.at(i) == bytes.at(j));
        }
    };
    const QByteArray small(smallBytes, 'a'), large(largeBytes, 'a');
    const double idle = effortOf([](const QByteArray&) {}, {}).mib;
    if (countsMemory)
        QVERIFY(effortOf(greedy, large).mib - idle > fixedMib + mostPerByte * double(largeBytes) / (1 << 20));
    QVERIFY(effortOf(slow, large).seconds > mostTimes * qMax(effortOf(slow, small).seconds, leastSeconds / 10));
    QVERIFY(!effortOf([](const QByteArray&) { ::_exit(3); }, large).ended);
}

void CeilingsTest::inProportion_data()
{
    QTest::addColumn<Reader>("read");
    const auto row = [](const char* name, const Reader& read) { QTest::newRow(name) << read; };
    row("catalogue file", fuzz::catalogueFile);
    row("design file", fuzz::designFile);
    row("model configuration", fuzz::modelConfiguration);
    row("table of runs", fuzz::runTable);
    row("batch script", fuzz::batchScript);
    row("job log", fuzz::jobLog);
    row("GPU tool", fuzz::gpuToolOutput);
    row("sampler's file", fuzz::samplerFile);
    row("recorded piece", fuzz::recordedChunk);
    row("recorded entry", fuzz::recordedEntry);
    row("relayed port", fuzz::relayedPort);
    row("transferred files", fuzz::transferredFiles);
    row("sampling stream", fuzz::samplingStream);
    row("lines of a hanging job", fuzz::collectedLines);
    row("Flight Recorder's dump", fuzz::flightRecorderDump);
    row("RAS answer", fuzz::rasAnswer);
    row("Python stacks", fuzz::pythonStacks);
    row("squeue", [](const QByteArray& bytes) { (void)parseSqueue(bytes); });
    row("sacct", [](const QByteArray& bytes) { (void)parseSacct(bytes); });
    row("scontrol", [](const QByteArray& bytes) { (void)mergeScontrol({}, bytes); });
    row("discovery", [](const QByteArray& bytes) { (void)parseDiscovery(bytes, 1); });
    row("node list", [](const QByteArray& bytes) {
        (void)expandHostlist(QString::fromUtf8(bytes));
        (void)countHostlist(QString::fromUtf8(bytes));
    });
}

void CeilingsTest::inProportion()
{
    QFETCH(Reader, read);
    const auto small = hostile(smallBytes), large = hostile(largeBytes);
    const double idle = effortOf([](const QByteArray&) {}, {}).mib;
    for (qsizetype i = 0; i < large.size(); ++i) {
        const QByteArray what = large.at(i).first;
        const Effort more = effortOf(read, large.at(i).second);
        const QByteArray ended = what + ": the reader was ended, by its own promises or for memory";
        QVERIFY2(more.ended, ended.constData());
        if (countsMemory) {
            const double most = fixedMib + mostPerByte * double(largeBytes) / (1 << 20);
            const QByteArray taken = what + ": " + QByteArray::number(more.mib - idle) + " MiB";
            QVERIFY2(more.mib - idle <= most, taken.constData());
        }
        if (more.seconds < leastSeconds)
            continue;
        const Effort less = effortOf(read, small.at(i).second);
        const QByteArray took = what + ": " + QByteArray::number(more.seconds) + " s, a quarter of it "
            + QByteArray::number(less.seconds) + " s";
        QVERIFY2(more.seconds <= mostTimes * qMax(less.seconds, leastSeconds / 10), took.constData());
    }
}

RANKWRIGHT_TEST_MAIN(CeilingsTest)
#include "tst_ceilings.moc"

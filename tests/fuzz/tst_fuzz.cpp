// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzztargets.h"
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QRandomGenerator>

#include <array>
#include <csignal>
#include <ctime>
#include <utility>

#include <unistd.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

using Target = void (*)(const QByteArray&);

const QString source = rankwright::test::sourcePath();

/// Inputs that found something once (tests/fuzz/corpus/NAME), and good ones to start from.
QList<QByteArray> seedsOf(const QString& name, const QStringList& folders, const QString& pattern)
{
    QList<QByteArray> seeds;
    const auto take = [&](const QString& folder, const QStringList& names) {
        QStringList paths;
        QDirIterator files(folder, names, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext())
            paths.append(files.next());
        paths.sort(); // a folder's order is its file system's
        for (const QString& path : std::as_const(paths)) {
            QFile file(path);
            if (file.open(QIODevice::ReadOnly))
                seeds.append(file.readAll());
        }
    };
    take(source + u"/tests/fuzz/corpus/"_s + name, {u"*"_s});
    for (const QString& folder : folders)
        take(source + u'/' + folder, {pattern});
    return seeds;
}

/// A word of another seed, or one that readers trip over.
QByteArray strangeWord(QRandomGenerator& random, const QByteArray& other)
{
    static const QList<QByteArray> words{"null", "0", "-1", "1e999", "9223372036854775808", "\"\"", "[]", "{}", "true",
        "#SBATCH --nodes=", "\n#SBATCH ", "$(", "\"", "'", "\\", "<<EOF\n", "\r\n", "\xef\xbb\xbf", "\xc2\xa0",
        QByteArray(1, char(0)), "\xff\xfe", "srun ", "--gres=gpu:", "99999999999999999999", "0x7f", "2-00:00:00",
        "\"1T\"", "\"-5G\""};
    if (random.bounded(3) == 0 && !other.isEmpty()) {
        const int from = random.bounded(int(other.size()));
        return other.mid(from, random.bounded(60));
    }
    return words.at(random.bounded(int(words.size())));
}

QByteArray mutated(QRandomGenerator& random, QByteArray bytes, const QByteArray& other)
{
    const int changes = 1 + random.bounded(4);
    for (int i = 0; i < changes && !bytes.isEmpty(); ++i) {
        const int at = random.bounded(int(bytes.size()));
        switch (random.bounded(6)) {
        case 0: bytes[at] = char(random.bounded(256)); break;
        case 1: bytes.remove(at, random.bounded(1, 40)); break;
        case 2: bytes.insert(at, strangeWord(random, other)); break;
        case 3: bytes.truncate(at); break;
        case 4: {
            const int from = random.bounded(int(bytes.size()));
            bytes.insert(at, bytes.mid(from, random.bounded(80)));
            break;
        }
        default: bytes[at] = char(bytes.at(at) ^ (1 << random.bounded(8))); break;
        }
    }
    return bytes;
}

/// Writes the input that is tried when the process ends by a signal (a broken promise ends it by SIGABRT), then lets
/// whoever handled the signal before handle it.
class InputOnCrash {
public:
    InputOnCrash()
    {
        struct sigaction action { };
        action.sa_handler = write;
        action.sa_flags = SA_ONSTACK;
        for (std::size_t i = 0; i < signalNumbers.size(); ++i)
            sigaction(signalNumbers.at(i), &action, &before.at(i));
    }
    ~InputOnCrash() { restore(); }
    Q_DISABLE_COPY_MOVE(InputOnCrash)

    static void isTried(const QByteArray& bytes) { shown = "\ninput (base64): " + bytes.toBase64() + "\n"; }

private:
    static void restore()
    {
        for (std::size_t i = 0; i < signalNumbers.size(); ++i)
            sigaction(signalNumbers.at(i), &before.at(i), nullptr);
    }
    static void write(int number)
    {
        [[maybe_unused]] const auto written
            = ::write(STDERR_FILENO, shown.constData(), static_cast<std::size_t>(shown.size()));
        restore();
        raise(number);
    }

    static constexpr std::array signalNumbers{SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static inline std::array<struct sigaction, signalNumbers.size()> before{};
    static inline QByteArray shown; ///< made beforehand: a handler may not allocate
};

} // namespace

/// The fuzz targets without a fuzzer: known inputs, and changed ones. By itself each target tries a fixed number of
/// them from a fixed seed, so that every machine tries the same. A crash is the failure; the input is printed.
class FuzzTest : public test::Suite {
    Q_OBJECT
private slots:
    void catalogueFiles();
    void classFiles();
    void designFiles() { run(fuzz::designFile, seedsOf(u"design"_s, {u"tests/data/scripts"_s}, u"*.json"_s)); }
    void fieldsOfScripts();
    void batchScripts();
    void scriptReadings();
    void scriptLints();
    void scriptsCutAtEveryByte_data();
    void scriptsCutAtEveryByte();
    void jobLogs() { run(fuzz::jobLog, seedsOf(u"log"_s, {u"tests/data/logs"_s}, u"*.txt"_s)); }
    void gpuToolOutputs() { run(fuzz::gpuToolOutput, seedsOf(u"gpu"_s, {u"tests/data/telemetry"_s}, u"*"_s)); }
    void samplerFiles();
    void muxPackets() { run(fuzz::muxPackets, seedsOf(u"mux"_s, {}, {})); }
    void relayedPorts() { run(fuzz::relayedPort, seedsOf(u"relay"_s, {}, {})); }
    void messagesOfTheAgent() { run(fuzz::keeperMessages, seedsOf(u"keeper"_s, {}, {})); }
    void jobFiles() { run(fuzz::jobFile, seedsOf(u"jobfile"_s, {}, {})); }
    void transfersOfFiles() { run(fuzz::transferredFiles, seedsOf(u"files"_s, {}, {})); }
    void collectedLines() { run(fuzz::collectedLines, seedsOf(u"collected"_s, {}, {})); }
    void samplingStreams() { run(fuzz::samplingStream, seedsOf(u"sampling"_s, {}, {})); }
    void flightRecorderDumps();
    void rasAnswers() { run(fuzz::rasAnswer, seedsOf(u"ras"_s, {u"tests/data/hang/ras"_s}, u"*"_s)); }
    void stacksOfPython() { run(fuzz::pythonStacks, seedsOf(u"stacks"_s, {}, {})); }
    void runTables() { run(fuzz::runTable, seedsOf(u"runs"_s, {}, {})); }
    void recordedChunks() { run(fuzz::recordedChunk, seedsOf(u"recording"_s, {}, {})); }
    void slurmAnswers();
    void keptOutputs() { run(fuzz::keptOutputs, seedsOf(u"kept"_s, {}, {})); }
    void keyExchanges() { run(fuzz::keyExchange, seedsOf(u"keyexchange"_s, {}, {})); }
    void sshCertificates() { run(fuzz::sshCertificate, seedsOf(u"certificate"_s, {}, {})); }
    void certificatesCutAtEveryByte();
    void modelConfigurations() { run(fuzz::modelConfiguration, seedsOf(u"hfconfig"_s, {}, {})); }

private:
    /// `tries`: changed inputs; fewer where one takes long.
    static void run(Target target, const QList<QByteArray>& seeds, int tries = 1000)
    {
        QVERIFY2(seeds.size() >= 4, "no seeds were found");
        const InputOnCrash onCrash;
        const auto tryOut = [target](const QByteArray& input) {
            InputOnCrash::isTried(input);
            target(input);
        };
        tryOut({});
        for (const QByteArray& seed : seeds)
            tryOut(seed);
        // RANKWRIGHT_FUZZ_SECONDS: longer (of processor time), and with other inputs each time
        const qint64 seconds = qEnvironmentVariableIntValue("RANKWRIGHT_FUZZ_SECONDS");
        QRandomGenerator random(seconds > 0 ? QRandomGenerator::global()->generate() : 20261121U);
        const auto tryNext = [&] {
            // one draw after the other: within one expression the compiler chooses their order
            const QByteArray& seed = seeds.at(random.bounded(int(seeds.size())));
            const QByteArray& other = seeds.at(random.bounded(int(seeds.size())));
            tryOut(mutated(random, seed, other));
        };
        int tried = 0;
        if (seconds > 0) {
            const std::clock_t begin = std::clock();
            for (; (std::clock() - begin) / CLOCKS_PER_SEC < seconds; ++tried)
                tryNext();
        } else {
            for (; tried < tries; ++tried)
                tryNext();
        }
        qInfo("%d changed inputs of %lld seeds", tried, static_cast<long long>(seeds.size()));
    }
};

void FuzzTest::catalogueFiles()
{
    run(fuzz::catalogueFile, seedsOf(u"catalogue"_s, {u"resources/catalogue"_s}, u"*.json"_s));
}

void FuzzTest::classFiles()
{
    run(fuzz::classFile, seedsOf(u"class"_s, {u"resources/classes"_s, u"tests/data/classroom"_s}, u"*.rwclass"_s));
}

void FuzzTest::slurmAnswers()
{
    QList<QByteArray> seeds = seedsOf(u"slurm"_s, {u"tests/data/slurm"_s, u"tests/data/usage"_s}, u"*"_s);
    for (QByteArray& seed : seeds) // control characters stand there as their pictures
        seed = QString::fromUtf8(seed)
                   .replace(QChar(0x241d), QChar(0x1d))
                   .replace(QChar(0x241e), QChar(0x1e))
                   .replace(QChar(0x241f), QChar(0x1f))
                   .toUtf8();
    run(fuzz::slurmAnswer, seeds, 300);
}

void FuzzTest::fieldsOfScripts()
{
    run(fuzz::scriptFields,
        seedsOf(u"script"_s, {u"tests/data/strangers"_s, u"tests/data/handwritten"_s, u"tests/data/containers"_s},
            u"*.sh"_s),
        400);
}

void FuzzTest::batchScripts()
{
    run(fuzz::batchScript, seedsOf(u"script"_s, {u"tests/data/scripts"_s, u"tests/data/handwritten"_s}, u"*.sh"_s));
}

void FuzzTest::scriptReadings()
{
    run(fuzz::scriptReading, seedsOf(u"script"_s, {u"tests/data/scripts"_s, u"tests/data/handwritten"_s}, u"*.sh"_s),
        500);
}

void FuzzTest::scriptLints()
{
    run(fuzz::scriptLint, seedsOf(u"script"_s, {u"tests/data/scripts"_s, u"tests/data/handwritten"_s}, u"*.sh"_s));
}

void FuzzTest::scriptsCutAtEveryByte_data()
{
    QTest::addColumn<QString>("path");
    // here-documents, quotes within quotes, arrays, characters of several bytes
    for (const QString& path : {u"scripts/lumi-chain-requeue.sh"_s, u"handwritten/nemo-read-document.sh"_s,
             u"handwritten/accelerate-multinode-arrays.sh"_s})
        QTest::newRow(qPrintable(path)) << path;
}

void FuzzTest::scriptsCutAtEveryByte()
{
    QFETCH(QString, path);
    QFile file(source + u"/tests/data/"_s + path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = QByteArray(file.readAll()).append("\n# \xe2\x80\x9c\xc3\xa9\xf0\x9f\x98\x80\n");
    for (qsizetype length = 0; length <= text.size(); ++length)
        fuzz::batchScript(text.left(length));
}

void FuzzTest::samplerFiles()
{
    run(fuzz::samplerFile, seedsOf(u"samplerfile"_s, {u"tests/data/telemetry/records"_s}, u"*.rws"_s));
}

void FuzzTest::flightRecorderDumps()
{
    run(fuzz::flightRecorderDump, seedsOf(u"flightrecord"_s, {u"tests/data/hang/records"_s}, u"*"_s));
}

void FuzzTest::certificatesCutAtEveryByte()
{
    QFile file(source + u"/tests/fuzz/corpus/certificate/user.txt"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    for (qsizetype length = 0; length <= text.size(); ++length)
        fuzz::sshCertificate(text.left(length));
}

RANKWRIGHT_TEST_MAIN(FuzzTest)
#include "tst_fuzz.moc"

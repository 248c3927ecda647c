// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/collect/collectplan.h"
#include "models/insight/hang/collect/collectreader.h"
#include "models/insight/hang/hangverdict.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

// What ranks of Python are made of. Each says "ready" and goes on when its standard input ends.
const QString holdMemory = u"hold = bytearray(48 << 20)\n"_s;
const QString optIn = u"import faulthandler, os\n"
                      "faulthandler.register(int(os.environ['RANKWRIGHT_STACKS']), "
                      "file=open(os.memfd_create('rankwright-stacks'), 'w'), all_threads=True)\n"_s;
const QString standStill = u"import sys\ndef load():\n    sys.stdin.read()\nprint('ready', flush=True)\nload()\n"_s;

/// A process that is a rank of job 7100 by its environment.
class Rank final {
public:
    Rank(int number, const QString& program, const QHash<QString, QString>& more = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        const QHash<QString, QString> usual{{u"RANK"_s, QString::number(number)},
            {u"LOCAL_RANK"_s, QString::number(number)}, {u"WORLD_SIZE"_s, u"3"_s}, {u"SLURM_JOB_ID"_s, u"7100"_s},
            {u"SLURM_STEP_ID"_s, u"0"_s}, {u"SLURM_PROCID"_s, QString::number(number)}};
        for (auto [name, value] : usual.asKeyValueRange())
            environment.insert(name, value);
        for (auto [name, value] : more.asKeyValueRange())
            environment.insert(name, value);
        m_process.setProcessEnvironment(environment);
        m_process.start(u"python3"_s, {u"-c"_s, program});
        while (!m_process.canReadLine() && m_process.waitForReadyRead(test::longWaitMs)) { }
    }
    ~Rank()
    {
        signal(u"-CONT"_s);
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(test::longWaitMs))
            m_process.kill();
        m_process.waitForFinished(test::longWaitMs);
    }
    Q_DISABLE_COPY_MOVE(Rank)

    bool isAlive() const
    {
        QCoreApplication::processEvents(); // its end, if it has come
        return m_process.state() == QProcess::Running;
    }
    void signal(const QString& which) const
    {
        QProcess::execute(u"kill"_s, {which, QString::number(m_process.processId())});
    }
    qint64 pid() const { return m_process.processId(); }

private:
    QProcess m_process;
};

/// The real program on this machine, with a stub for srun.
HangEvidence look(const QString& rasNode = {}, int heartbeats = 1000, const QString& tools = {})
{
    CollectLimits limits;
    limits.gapMs = 300;
    CollectPlan plan = collectPlan({u"7100"_s, {u"here"_s}, {}, SamplingWay::Step, true}, limits);
    plan.rasNodes = rasNode.isEmpty() ? QStringList() : QStringList{rasNode};
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s,
        test::sourcePath(u"/tests/data/telemetry/tools") + u':' + (tools.isEmpty() ? QString() : tools + u':')
            + environment.value(u"PATH"_s));
    environment.insert(u"SLURMD_NODENAME"_s, u"here"_s);
    environment.insert(u"SLURM_JOB_ID"_s, u"7100"_s);
    environment.insert(u"SLURM_STEP_ID"_s, u"9"_s);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(u"/bin/sh"_s, {u"-c"_s, collectCommand(plan).line});
    CollectReader reader;
    while (process.state() != QProcess::NotRunning) {
        if (heartbeats-- > 0)
            process.write("\n");
        else
            process.closeWriteChannel();
        process.waitForReadyRead(100);
        reader.feed(process.readAllStandardOutput());
    }
    reader.feed(process.readAllStandardOutput());
    return reader.evidence({u"here"_s}, CollectReader::Asked::AllNodes);
}

} // namespace

/// The program that looks at the ranks of a node, on this one: what it sees, and that it harms nobody.
class CollectNodeTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void stacksOfThoseThatOptedIn();

    /// py-spy comes first, with the words that its manual has; where it may not read the rank, the signal is left.
    void stacksByPySpy();

    /// Every sign alone is not enough: the signal would end these.
    void nobodyElseGetsASignal();

    /// Signals with a meaning of their own are none to ask by, whatever stands in the variable.
    void noSignalThatEndsOrStops();
    void aStoppedOne();

    /// As PyTorch does it: a byte in the pipe, and a pickle appears; the program goes on.
    void flightRecorder();

    /// What a time limit had written is read, what lay there before is not, and only pickles are.
    void recordsThatLieThere();

    /// A server that talks NCCL's RAS protocol, of a version that knows JSON and of one that does not.
    void ras_data();
    void ras();

    /// The end of its input ends it, in the middle of its work.
    void endsWithItsInput();
};

void CollectNodeTest::initTestCase()
{
    if (QStandardPaths::findExecutable(u"python3"_s).isEmpty())
        QSKIP("there is no python3");
}

void CollectNodeTest::stacksOfThoseThatOptedIn()
{
    Rank zero(0, holdMemory + optIn + standStill, {{u"RANKWRIGHT_STACKS"_s, u"57"_s}});
    Rank one(1, holdMemory + standStill);
    const HangEvidence seen = look();
    QVERIFY2(seen.isComplete, qPrintable(seen.notes.join(u' ')));
    QCOMPARE(seen.ranks.size(), 2);
    QCOMPARE(seen.worldSize, std::optional<int>(3));
    const RankEvidence& first = seen.ranks.at(0);
    QCOMPARE(first.pid, std::optional<qint64>(zero.pid()));
    QVERIFY(first.stacks && first.stacksBefore);
    QCOMPARE(first.stacks->mainThread()->frames.first().function, u"load"_s);
    QVERIFY(first.before && first.now);
    QCOMPARE(first.now->state, std::optional(ProcessState::Sleeping));
    QCOMPARE(first.now->io, first.before->io); // what asking wrote is not the program's own
    QVERIFY(first.now->cpuTicks);
    QVERIFY(!seen.ranks.at(1).stacks);
    QVERIFY(seen.ranks.at(1).notes.join(u' ').contains(u"no Python stacks"_s));
    QVERIFY(zero.isAlive() && one.isAlive());
}

void CollectNodeTest::stacksByPySpy()
{
    const QTemporaryDir tools;
    const QString tool = tools.filePath(u"py-spy"_s);
    const auto put = [&tool](const QByteArray& text) {
        QFile file(tool);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("#!/bin/bash\n" + text);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    };
    Rank zero(0, holdMemory + optIn + standStill, {{u"RANKWRIGHT_STACKS"_s, u"57"_s}});
    Rank one(1, holdMemory + standStill);
    put("[ \"$1 $2 $4 $#\" = 'dump --pid --json 4' ] || exit 2\n"
        "printf '[\\n {\"pid\": %s, \"thread_id\": 1, \"thread_name\": \"MainThread\", \"active\": true, \"owns_gil\": false, "
        "\"frames\": [{\"name\": \"step\", \"filename\": \"/a/train.py\", \"line\": 88}]}\\n]\\n' \"$3\"\n");
    const HangEvidence spied = look({}, 1000, tools.path());
    QCOMPARE(spied.ranks.size(), 2);
    for (const RankEvidence& rank : spied.ranks) {
        QVERIFY2(rank.stacks && rank.stacksBefore, qPrintable(rank.notes.join(u' ')));
        QCOMPARE(rank.stacks->source, StackSource::PySpyJson);
        QCOMPARE(rank.stacks->mainThread()->frames.first().function, u"step"_s);
    }
    put("echo 'Error: Permission Denied: Try running again with elevated permissions' >&2; exit 1\n");
    const HangEvidence refused = look({}, 1000, tools.path());
    QVERIFY(refused.ranks.at(0).stacks && refused.ranks.at(0).stacksBefore);
    QCOMPARE(refused.ranks.at(0).stacks->source, StackSource::FaultHandler);
    QVERIFY(!refused.ranks.at(1).stacks);
    QVERIFY2(refused.ranks.at(1).notes.join(u' ').contains(u"Permission Denied"_s),
        qPrintable(refused.ranks.at(1).notes.join(u' ')));
    put("sleep 100\n");
    const HangEvidence stuck = look({}, 1000, tools.path());
    QVERIFY2(stuck.isComplete, "one that does not answer is left behind");
    QVERIFY(stuck.ranks.at(0).stacks && !stuck.ranks.at(1).stacks);
    QVERIFY(zero.isAlive() && one.isAlive());
}

void CollectNodeTest::nobodyElseGetsASignal()
{
    const QString file = u"import os, signal\nkept = os.memfd_create('rankwright-stacks')\n"_s;
    Rank variable(0, holdMemory + standStill, {{u"RANKWRIGHT_STACKS"_s, u"10"_s}});
    Rank noHandler(1, holdMemory + file + standStill, {{u"RANKWRIGHT_STACKS"_s, u"57"_s}});
    Rank noFile(2, holdMemory + u"import signal, sys\nsignal.signal(57, lambda *a: sys.exit(1))\n"_s + standStill,
        {{u"RANKWRIGHT_STACKS"_s, u"57"_s}});
    const HangEvidence seen = look();
    QCOMPARE(seen.ranks.size(), 3);
    for (const RankEvidence& rank : seen.ranks) {
        QVERIFY(!rank.stacks);
        QVERIFY2(rank.notes.join(u' ').contains(u"RANKWRIGHT_STACKS is set, but"_s), qPrintable(rank.notes.join(u' ')));
    }
    QVERIFY(variable.isAlive() && noHandler.isAlive() && noFile.isAlive());
}

void CollectNodeTest::noSignalThatEndsOrStops()
{
    const QString file = u"import os\nkept = os.memfd_create('rankwright-stacks')\n"_s;
    const auto withSignal = [](const QString& number) {
        return QHash<QString, QString>{{u"RANKWRIGHT_STACKS"_s, number}};
    };
    const QStringList numbers{u"9"_s, u"15"_s, u"19"_s, u"2"_s, u"1"_s, u"0"_s, u"-1"_s, u"99"_s, u"1; kill 1"_s};
    for (qsizetype first = 0; first < numbers.size(); first += 3) {
        Rank zero(0, holdMemory + file + standStill, withSignal(numbers.at(first)));
        Rank one(1, holdMemory + file + standStill, withSignal(numbers.at(first + 1)));
        Rank two(2, holdMemory + file + standStill, withSignal(numbers.at(first + 2)));
        QCOMPARE(look().ranks.size(), 3);
        QVERIFY2(zero.isAlive() && one.isAlive() && two.isAlive(), qPrintable(numbers.at(first)));
    }
}

void CollectNodeTest::aStoppedOne()
{
    Rank zero(0, holdMemory + optIn + standStill, {{u"RANKWRIGHT_STACKS"_s, u"57"_s}});
    zero.signal(u"-STOP"_s);
    const HangEvidence seen = look();
    QCOMPARE(seen.ranks.size(), 1);
    QCOMPARE(seen.ranks.first().now->state, std::optional(ProcessState::Stopped));
    QVERIFY(!seen.ranks.first().stacks);
    QCOMPARE(seen.ranks.first().notes, QStringList(u"It is stopped, so it cannot print its stacks."_s));
    // py-spy reads it as it stands, and need not hold it
    const QTemporaryDir tools;
    QFile tool(tools.filePath(u"py-spy"_s));
    QVERIFY(tool.open(QIODevice::WriteOnly));
    tool.write(
        "#!/bin/bash\n[ \"$1 $2 $4 $5\" = 'dump --pid --json --nonblocking' ] || exit 2\n"
        "echo '[{\"thread_name\": \"MainThread\", \"frames\": [{\"name\": \"load\", \"filename\": \"d.py\", \"line\": 88}]}]'\n");
    tool.close();
    QVERIFY(tool.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const HangEvidence spied = look({}, 1000, tools.path());
    QVERIFY2(spied.ranks.first().stacks, qPrintable(spied.ranks.first().notes.join(u' ')));
    QCOMPARE(spied.ranks.first().stacks->mainThread()->frames.first().line, std::optional<int>(88));
    QVERIFY(zero.isAlive());
}

void CollectNodeTest::flightRecorder()
{
    const QTemporaryDir folder;
    const QString recorder = uR"(
import os, pickle, threading
pipe, prefix = os.environ["TORCH_NCCL_DEBUG_INFO_PIPE_FILE"] + "0.pipe", os.environ["TORCH_FR_DUMP_TEMP_FILE"] + "0"
os.mkfifo(pipe)
reader = os.open(pipe, os.O_RDWR)
count = 0
def serve():
    global count
    while os.read(reader, 1):
        count += 1
        entries = [{"record_id": count, "pg_id": 0, "process_group": ("0", "default_pg"), "collective_seq_id": 41 + count,
                    "profiling_name": "nccl:all_reduce", "state": "scheduled", "frames": []}]
        with open(prefix, "wb") as stream:
            pickle.dump({"version": "2.5", "entries": entries}, stream, 2)
threading.Thread(target=serve, daemon=True).start()
)"_s;
    Rank zero(0, holdMemory + recorder + standStill,
        {{u"TORCH_NCCL_DEBUG_INFO_PIPE_FILE"_s, folder.filePath(u"trace_"_s)},
            {u"TORCH_FR_DUMP_TEMP_FILE"_s, folder.filePath(u"record_"_s)}});
    const QString unread = u"import os; os.mkfifo(os.environ['TORCH_NCCL_DEBUG_INFO_PIPE_FILE'] + '1.pipe')\n"_s;
    const Rank one(
        1, holdMemory + unread + standStill, {{u"TORCH_NCCL_DEBUG_INFO_PIPE_FILE"_s, folder.filePath(u"nobody_"_s)}});
    const Rank two(
        2, holdMemory + standStill, {{u"TORCH_NCCL_DEBUG_INFO_PIPE_FILE"_s, folder.filePath(u"missing_"_s)}});
    const HangEvidence seen = look();
    QCOMPARE(seen.ranks.size(), 3);
    const RankEvidence& first = seen.ranks.at(0);
    QVERIFY2(first.record && first.recordBefore, qPrintable(first.notes.join(u' ')));
    QCOMPARE(first.recordBefore->entries.first().sequence, std::optional<qint64>(42));
    QCOMPARE(first.record->entries.first().sequence, std::optional<qint64>(43));
    QCOMPARE(first.record->entries.first().name, u"all_reduce"_s);
    QVERIFY(!seen.ranks.at(1).record);
    const QString nobody = u"Nobody reads the pipe of its Flight Recorder."_s;
    QVERIFY(seen.ranks.at(1).notes.contains(nobody));
    QVERIFY(!seen.ranks.at(2).record && !seen.ranks.at(2).notes.contains(nobody)); // it was never made: no news
    QVERIFY(zero.isAlive() && one.isAlive() && two.isAlive());
}

void CollectNodeTest::recordsThatLieThere()
{
    const QTemporaryDir folder;
    const auto put = [&folder](const QString& name, const QByteArray& bytes) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    put(u"record_2"_s, "\x80\x02}q\x00.");
    QProcess::execute(u"touch"_s, {u"-d"_s, u"2020-01-01"_s, folder.filePath(u"record_2"_s)});
    const QHash<QString, QString> prefix{{u"TORCH_NCCL_DEBUG_INFO_TEMP_FILE"_s, folder.filePath(u"record_"_s)}};
    Rank zero(0, holdMemory + standStill, prefix);
    Rank one(1, holdMemory + standStill, prefix);
    Rank two(2, holdMemory + standStill, prefix);
    put(u"record_0"_s, QByteArray::fromHex("80027d7100580700000076657273696f6e71015803000000322e357102732e"));
    put(u"record_1"_s, "a secret\n");
    const HangEvidence seen = look();
    QCOMPARE(seen.ranks.size(), 3);
    QVERIFY2(seen.ranks.at(0).record.has_value(), qPrintable(seen.ranks.at(0).notes.join(u' ')));
    QCOMPARE(seen.ranks.at(0).record->version, u"2.5"_s);
    QVERIFY(!seen.ranks.at(1).record && !seen.ranks.at(2).record);
}

void CollectNodeTest::ras_data()
{
    QTest::addColumn<bool>("knowsJson");
    QTest::addColumn<QString>("library");
    QTest::newRow("NCCL, json") << true << u"NCCL"_s;
    QTest::newRow("NCCL, text") << false << u"NCCL"_s;
    QTest::newRow("RCCL, json") << true << u"RCCL"_s;
    QTest::newRow("RCCL, text") << false << u"RCCL"_s;
}

void CollectNodeTest::ras()
{
    QFETCH(bool, knowsJson);
    QFETCH(QString, library);
    const QString server = uR"(
import socket, threading
listener = socket.create_server(("127.0.0.1", 0))
def serve():
    while True:
        client, _ = listener.accept()
        stream = client.makefile("rw")
        form = "text"
        for line in stream:
            words = line.strip()
            if words.startswith("CLIENT PROTOCOL"):
                stream.write("SERVER PROTOCOL 2\n")
            elif words.startswith("TIMEOUT"):
                stream.write("OK\n")
            elif words == "SET FORMAT json" and KNOWS:
                form = "json"
                stream.write("OK\n")
            elif words == "VERBOSE STATUS":
                stream.write(open(FOLDER + "/answer." + form).read())
                stream.flush()
                break
            else:
                stream.write("ERROR: Unknown command\n")
            stream.flush()
        client.shutdown(socket.SHUT_RDWR)
        client.close()
threading.Thread(target=serve, daemon=True).start()
open(FOLDER + "/port", "w").write(str(listener.getsockname()[1]))
)"_s;
    const QTemporaryDir folder;
    Rank zero(0,
        u"KNOWS, FOLDER = %1, %2\n"_s.arg(knowsJson ? u"True"_s : u"False"_s, u'"' + folder.path() + u'"') + server
            + holdMemory + standStill);
    QFile port(folder.filePath(u"port"_s));
    QVERIFY(port.open(QIODevice::ReadOnly));
    Rank one(1, holdMemory + standStill, {{u"NCCL_RAS_ADDR"_s, u"127.0.0.1:"_s + QString::fromLatin1(port.readAll())}});
    const Rank two(2, holdMemory + standStill);
    // one communicator, whose rank that is our second one has launched an operation less
    const auto put = [&](const QString& form, const QString& recorded, const QByteArray& theirs) {
        QByteArray bytes = test::recordedFile(u"hang/ras/"_s + recorded);
        bytes = bytes.mid(qMax<qsizetype>(0, bytes.indexOf("NCCL version")))
                    .replace(theirs, QByteArray::number(one.pid()));
        if (library == "RCCL"_L1)
            bytes.replace("NCCL version", "RCCL version").replace("nccl_version", "rccl_version");
        QFile file(folder.filePath(u"answer."_s + form));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    put(u"json"_s, u"behind.json"_s, "4002");
    put(u"text"_s, u"mismatch.txt"_s, "91075");
    const HangEvidence seen = look(u"here"_s);
    QCOMPARE(seen.ras.size(), 1);
    QCOMPARE(seen.ras.first().node, u"here"_s);
    QVERIFY(seen.ras.first().before && seen.ras.first().now);
    QCOMPARE(seen.ras.first().now->isJson, knowsJson);
    QCOMPARE(seen.ras.first().now->library, library);
    const HangVerdict verdict = hangVerdict(seen);
    QVERIFY2(verdict.odd == QList<int>{1} && verdict.sentence.contains(u"has not entered AllReduce"_s),
        qPrintable(verdict.sentence));
    QVERIFY(zero.isAlive() && one.isAlive() && two.isAlive());
}

void CollectNodeTest::endsWithItsInput()
{
    Rank zero(0, holdMemory + standStill);
    const HangEvidence seen = look({}, 0);
    QVERIFY(!seen.isComplete);
    QVERIFY(zero.isAlive());
}

RANKWRIGHT_TEST_MAIN(CollectNodeTest)
#include "tst_collectnode.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remoteprogram.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QByteArray full = "@rw-node nid005001 1795257891159 3002;cxi;4;100000000000;1200000000;1100000000;33;3;"
                        "cl_sync_io_wait;j;740;20;j;128849018880;90000000000;2000000000;30000000000;";

NodeResources ofFull()
{
    NodeResources resources;
    resources.network = NetworkKind::Slingshot;
    resources.links = 4;
    resources.capacity = 100'000'000'000;
    resources.received = 1'200'000'000;
    resources.sent = 1'100'000'000;
    resources.processes = 33;
    resources.waiting = 3;
    resources.waitsIn = u"cl_sync_io_wait"_s;
    resources.pressureOf = resources.memoryOf = ResourceScope::Job;
    resources.someWait = 0.74;
    resources.allWait = 0.02;
    resources.memoryLimit = 128849018880;
    resources.anonymous = 90'000'000'000;
    resources.shared = 2'000'000'000;
    resources.cached = 30'000'000'000;
    return resources;
}

QString plain(QString text) { return text.replace(u'\u2009', u' '); }

} // namespace

/// What a node has beside its GPUs: the line, its values and their words.
class ResourceLinesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsALine();
    void unknownIsNotZero();
    void refuses_data();
    void refuses();
    void oddCellsAreUnknown();
    void belongsToItsRanks();
    void words();
    void linksThatSayNothing();
    void whoWaitsForAFile_data();
    void whoWaitsForAFile();
};

void ResourceLinesTest::readsALine()
{
    const auto line = parseResourceLine(QByteArray("12: " + full));
    QVERIFY(line);
    QCOMPARE(line->node, u"nid005001"_s);
    QCOMPARE(line->takenMs, qint64(1795257891159));
    QVERIFY(line->resources == ofFull());
    QCOMPARE(line->resources.held(), std::optional<qint64>(92'000'000'000));
    QCOMPARE(line->resources.droppable(), std::optional<qint64>(28'000'000'000));
    QCOMPARE(line->resources.linkShare(), std::optional<double>(0.012));
    NodeResources shared = ofFull(); // Grace Hopper
    shared.onGpus = 7'000'000'000;
    QVERIFY(parseResourceLine(QByteArray(full + "7000000000;"))->resources == shared);
    QVERIFY(parseResourceLine(QByteArray(full + "70000"))->resources == ofFull()); // cut
}

void ResourceLinesTest::unknownIsNotZero()
{
    const auto line = parseResourceLine("@rw-node n1 5 ;;;;;;;;;;;;;;;;;");
    QVERIFY(line);
    QVERIFY(line->resources == NodeResources());
    QVERIFY(!line->resources.held() && !line->resources.droppable() && !line->resources.linkShare());
    QVERIFY(networkText(line->resources).isEmpty() && fileWaitText(line->resources).isEmpty());
    QVERIFY(hostMemoryText(line->resources).isEmpty());
}

void ResourceLinesTest::refuses_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line : {"", "@rw-node n1 5 ", "@rw-node n1 x ;;;;;;;;;;;;;;;;;", "@rw-ranks n1 5 ;;;0;",
             "@rw-node n1 5 3000;ib;1;2;3;4;5;0;;n;1;2;n;;7;8;90"}) // cut: a digit may be missing
        QTest::newRow(line) << QByteArray(line);
}

void ResourceLinesTest::refuses()
{
    QFETCH(QByteArray, line);
    QVERIFY(!parseResourceLine(line));
}

void ResourceLinesTest::oddCellsAreUnknown()
{
    const auto line = parseResourceLine(
        "@rw-node n1 5 3000;token;-1;1e9;0x1;12345678901234567890;7;7000000;a b<i>;x;1001;-5;q;max;;;;");
    QVERIFY(line);
    NodeResources expected;
    expected.processes = 7;
    QVERIFY(line->resources == expected);
    // any byte anywhere: read or refused
    QRandomGenerator random(5);
    for (int round = 0; round < 5000; ++round) {
        QByteArray bytes = full.left(random.bounded(full.size()));
        for (int i = 0; i < 4 && !bytes.isEmpty(); ++i)
            bytes[random.bounded(bytes.size())] = char(random.bounded(256));
        if (const auto read = parseResourceLine(bytes))
            QVERIFY(!read->node.isEmpty());
    }
}

void ResourceLinesTest::belongsToItsRanks()
{
    RankGatherer gatherer;
    const QByteArrayList lines{full, "@rw-ranks nid005001 1795257891159 8;;;2;0;|1;0;;;;;;;;;;",
        "@rw-ranks nid005001 1795257891159 8;;;2;0;|2;1;;;;;;;;;;", // the moment is whole
        "@rw-ranks nid005001 1795257894160 8;;;0;0;", // its line was lost
        "@rw-ranks nid005002 1795257891159 8;;;0;0;"}; // another node
    const SamplerContent content = samplerContent(lines, gatherer);
    QCOMPARE(content.processes.size(), 3);
    QCOMPARE(content.processes.at(0).ranks.size(), 2);
    QVERIFY(content.processes.at(0).resources == ofFull());
    QVERIFY(!content.processes.at(1).resources && !content.processes.at(2).resources);
}

void ResourceLinesTest::words()
{
    NodeResources resources = ofFull();
    QCOMPARE(
        plain(networkText(resources)), u"Slingshot, 4 links: 1.2 GB/s in, 1.1 GB/s out, 1.2 % of what they carry"_s);
    QCOMPARE(plain(fileWaitText(resources)),
        u"3 of 33 processes wait for files (cl_sync_io_wait); some waited 74 % of the time for input or output"_s);
    QCOMPARE(plain(hostMemoryText(resources)), u"the job holds 85.7 GiB of 120 GiB, page cache 26.1 GiB"_s);
    resources.waiting = 0;
    resources.waitsIn.clear();
    resources.pressureOf = ResourceScope::Node;
    resources.someWait = 0;
    QCOMPARE(plain(fileWaitText(resources)),
        u"none of 33 processes waits for files; some on the node waited 0 % of the time for input or output"_s);
    QCOMPARE(plain(rateText(999'400'000)), u"999 MB/s"_s);
    QCOMPARE(plain(rateText(0)), u"0 MB/s"_s);
}

/// No share where the counters do not see the traffic, or no link says what it can carry.
void ResourceLinesTest::linksThatSayNothing()
{
    NodeResources resources = ofFull();
    resources.network = NetworkKind::SlingshotInterfaces;
    QVERIFY(!resources.linkShare());
    QVERIFY(networkText(resources).contains(u"without what passes the kernel by"_s));
    resources = ofFull();
    resources.capacity = 0;
    QVERIFY(!resources.linkShare());
    resources.capacity.reset();
    QVERIFY(!resources.linkShare());
}

void ResourceLinesTest::whoWaitsForAFile_data()
{
    QTest::addColumn<QStringList>("processes"); // "STATE FUNCTION"
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("Lustre") << QStringList{u"D cl_sync_io_wait"_s, u"S futex_wait_queue"_s, u"R 0"_s}
                            << QByteArray("1 cl_sync_io_wait");
    QTest::newRow("nothing told") << QStringList{u"D 0"_s, u"D"_s} << QByteArray("2 ");
    QTest::newRow("a GPU's driver") << QStringList{u"D amdgpu_bo_move"_s, u"D uvm_va_space_down"_s} << QByteArray("0 ");
    QTest::newRow("a lock of NVIDIA's driver")
        << QStringList{u"D os_acquire_rwlock_write"_s, u"D _nv012345rm"_s} << QByteArray("0 ");
    QTest::newRow("the map of its memory")
        << QStringList{u"D vm_mmap_pgoff"_s, u"D do_madvise.part.0"_s} << QByteArray("0 ");
    QTest::newRow("runs meanwhile") << QStringList{u"D 0 R"_s, u"D 0 D"_s, u"D 0 S"_s} << QByteArray("1 ");
    QTest::newRow("a child that starts") << QStringList{u"D kernel_clone"_s} << QByteArray("0 ");
    QTest::newRow("gone on since") << QStringList{u"D do_poll.constprop.0"_s} << QByteArray("0 ");
    QTest::newRow("not a name") << QStringList{u"D a;b|c"_s} << QByteArray("1 ");
}

/// The function of the node's program, with processes that are made up: none waits for a disk at will.
void ResourceLinesTest::whoWaitsForAFile()
{
    QFETCH(QStringList, processes);
    QFETCH(QByteArray, told);
    const QTemporaryDir root;
    QString program = remoteProgram(u"node-ranks.sh"_s) + remoteProgram(u"node-resources.sh"_s) + u"root=$1\n"_s;
    for (qsizetype i = 0; i < processes.size(); ++i) {
        const QString pid = QString::number(4'000'000 + i);
        program += u"is_watched[%1]=1 state[%1]=%2\n"_s.arg(pid, processes.at(i).left(1));
        QDir().mkpath(root.filePath(u"proc/"_s + pid));
        QFile file(root.filePath(u"proc/%1/wchan"_s.arg(pid)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(processes.at(i).section(u' ', 1, 1).toUtf8()); // the kernel ends it with no line
        if (const QString later = processes.at(i).section(u' ', 2); !later.isEmpty()) {
            QFile stat(root.filePath(u"proc/%1/stat"_s.arg(pid)));
            QVERIFY(stat.open(QIODevice::WriteOnly));
            stat.write(u"%1 (a) D) %2 1 1 0\n"_s.arg(pid, later).toUtf8());
        }
    }
    QProcess bash;
    bash.start(u"bash"_s, {u"-c"_s, program + u"count_waiting; echo \"$waiting $waits_in\""_s, u"x"_s, root.path()});
    QVERIFY(bash.waitForFinished(test::longWaitMs));
    QCOMPARE(bash.readAllStandardOutput(), told + '\n');
}

RANKWRIGHT_TEST_MAIN(ResourceLinesTest)
#include "tst_resourcelines.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/collect/collectreader.h"
#include "models/insight/hang/hangverdict.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QByteArray stacks = "Current thread 0x00007f0000000000 (most recent call first):\n"
                          "  File \"/home/ada/train.py\", line 88 in load\n"
                          "  File \"/home/ada/train.py\", line 12 in <module>\n";

QByteArray packed(const QByteArray& text)
{
    QProcess gzip;
    gzip.start(u"gzip"_s, {u"-cn"_s});
    gzip.write(text);
    gzip.closeWriteChannel();
    gzip.waitForFinished(test::longWaitMs);
    return gzip.readAllStandardOutput().toBase64();
}

QByteArray line(const QByteArray& node, const QByteArray& cells)
{
    return "@rw-hang " + node + " 1795908707712 " + cells + '\n';
}

/// In pieces of `length`, as the program sends them.
QByteArray text(const QByteArray& node, const QByteArray& pid, const QByteArray& name, const QByteArray& letters,
    qsizetype length = 40)
{
    QByteArray lines;
    int count = 0;
    for (qsizetype at = 0; at < letters.size(); at += length)
        lines += line(node,
            "piece;" + pid + ';' + name + ';' + QByteArray::number(count++) + ';' + letters.mid(at, length) + ';');
    return lines + line(node, "text;" + pid + ';' + name + ';' + QByteArray::number(count) + ';');
}

QByteArray rank(const QByteArray& node, const QByteArray& pid, const QByteArray& number)
{
    return line(node, "rank;" + pid + ';' + number + ";1;4;python3 train.py --name a%3Bb%25;")
        + line(node, "look;" + pid + ";1;S;futex_do_wait;202;;100;200;300;62;")
        + line(node, "look;" + pid + ";2;D;nfs_wait;0;;101;201;301;63;");
}

HangEvidence read(const QByteArray& lines, const QStringList& nodes = {u"n1"_s}, qsizetype step = 100000)
{
    CollectReader reader;
    for (qsizetype at = 0; at < lines.size(); at += step)
        reader.feed(lines.mid(at, step));
    return reader.evidence(nodes, CollectReader::Asked::AllNodes);
}

} // namespace

/// What nodes said becomes what is known of each rank; what was lost is missing and said to be.
class CollectReaderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void aWholeNode();
    void nodesMixedLineByLine();

    /// A line that is lost takes what it said with it, and nothing else: a rank that is missing because of us must not
    /// look like one that has ended.
    void whatIsLostIsSaid();
    void cutAtEveryByte();
    void whatIsNoneOfOurs();
    void textsThatAreNone();
    void aRankThatEndedMeanwhile();
    void hostileWords();
    void aSecondLookReplaces();

    /// What two nodes of a real Slurm printed of four ranks of PyTorch (gloo) that hang as tests/practice/hangs.py has
    /// it, and who is then accused.
    void ofRealJobs_data();
    void ofRealJobs();
    void ofARealJob();

    /// 8,192 ranks, of which 66 nodes were asked for stacks: the one that reads a file is found.
    void ofAThousandNodes();
};

void CollectReaderTest::aWholeNode()
{
    const QByteArray lines = line("n1", "begin;2;0;") + rank("n1", "41", "3") + rank("n1", "42", "s2")
        + text("n1", "41", "stacks1", packed(stacks)) + line("n1", "same;41;stacks2;stacks1;")
        + line("n1", "note;42;there is no py-spy;") + line("n1", "note;;a note of the node;")
        + line("n1", "waiting;41;2;77;nfs_wait;") + line("n1", "end;4000;1;");
    for (const qsizetype step : {qsizetype(1), qsizetype(7), qsizetype(100000)}) {
        const HangEvidence seen = read(lines, {u"n1"_s}, step);
        QVERIFY(seen.isComplete);
        QCOMPARE(seen.worldSize, std::optional<int>(4));
        QCOMPARE(seen.ranks.size(), 2);
        QCOMPARE(seen.notes, QStringList(u"Node n1: a note of the node."_s));
        const RankEvidence& two = seen.ranks.at(0);
        const RankEvidence& three = seen.ranks.at(1);
        QCOMPARE(two.rank, std::optional<int>(2));
        QCOMPARE(two.notes, QStringList(u"There is no py-spy."_s));
        QCOMPARE(three.rank, std::optional<int>(3));
        QCOMPARE(three.node, u"n1"_s);
        QCOMPARE(three.gpu, std::optional<int>(1));
        QCOMPARE(three.pid, std::optional<qint64>(41));
        QCOMPARE(three.command, u"python3 train.py --name a;b%"_s);
        QCOMPARE(three.before->state, std::optional(ProcessState::Sleeping));
        QCOMPARE(three.now->state, std::optional(ProcessState::DiskSleep));
        QCOMPARE(three.now->waitChannel, u"nfs_wait"_s);
        QCOMPARE(three.now->syscall, std::optional<int>(0));
        QCOMPARE(three.now->io.readChars, std::optional<qint64>(101));
        QCOMPARE(three.now->io.writtenChars, std::optional<qint64>(201));
        QCOMPARE(three.now->io.readBytes, std::optional<qint64>(301));
        QCOMPARE(three.now->cpuTicks, std::optional<qint64>(63));
        QVERIFY(three.stacks && three.stacksBefore);
        QCOMPARE(*three.stacks, *three.stacksBefore);
        QCOMPARE(three.stacks->threads.first().frames.first().line, std::optional<int>(88));
        QVERIFY(three.notes.contains(u"Its process 77 waits for a file system (nfs_wait)."_s));
    }
}

void CollectReaderTest::nodesMixedLineByLine()
{
    const QByteArray one = line("n1", "begin;1;0;") + rank("n1", "41", "0")
        + text("n1", "41", "stacks2", packed(stacks)) + line("n1", "end;9;1;");
    const QByteArray two = line("n2", "begin;1;0;") + rank("n2", "41", "1")
        + text("n2", "41", "stacks2", packed(stacks)) + line("n2", "end;9;1;");
    QByteArray mixed;
    const QList<QByteArray> first = one.split('\n'), second = two.split('\n');
    for (qsizetype i = 0; i < first.size() - 1; ++i)
        mixed += first.at(i) + '\n' + second.at(i) + '\n';
    const HangEvidence seen = read(mixed, {u"n1"_s, u"n2"_s});
    QVERIFY(seen.isComplete);
    QCOMPARE(seen.ranks.size(), 2);
    QVERIFY(seen.ranks.at(0).stacks && seen.ranks.at(1).stacks);
    QCOMPARE(seen.ranks.at(1).node, u"n2"_s);
}

void CollectReaderTest::whatIsLostIsSaid()
{
    const QByteArray lines = line("n1", "begin;1;0;") + rank("n1", "41", "0")
        + text("n1", "41", "stacks2", packed(stacks)) + line("n1", "end;9;1;");
    const QList<QByteArray> all = lines.chopped(1).split('\n');
    for (qsizetype lost = 0; lost < all.size(); ++lost) {
        QByteArray rest;
        for (qsizetype i = 0; i < all.size(); ++i)
            rest += i == lost ? QByteArray() : all.at(i) + '\n';
        const HangEvidence seen = read(rest);
        const bool isText = all.at(lost).contains(" piece;") || all.at(lost).contains(" text;");
        const bool isNode
            = all.at(lost).contains(" begin;") || all.at(lost).contains(" rank;") || all.at(lost).contains(" end;");
        QCOMPARE(seen.isComplete, !isNode);
        QCOMPARE(!seen.notes.isEmpty(), isNode);
        if (!seen.ranks.isEmpty())
            QCOMPARE(seen.ranks.first().stacks.has_value(), !isText);
    }
    QCOMPARE(read(lines, {u"n1"_s, u"n2"_s, u"n3"_s}).notes, QStringList(u"No answer from n[2-3]."_s));
    QVERIFY(!read(lines, {u"n1"_s, u"n2"_s}).isComplete);
}

void CollectReaderTest::cutAtEveryByte()
{
    const QByteArray lines = line("n1", "begin;1;0;") + rank("n1", "41", "0")
        + text("n1", "41", "stacks2", packed(stacks)) + line("n1", "end;9;1;");
    for (qsizetype length = 0; length < lines.size(); ++length)
        QVERIFY(!read(lines.left(length)).isComplete);
}

void CollectReaderTest::whatIsNoneOfOurs()
{
    const HangEvidence seen = read(
        "srun: error: something\n@rw-gpus n1 5 0;1;2;\n@rw-hang n1 x begin;1;\n@rw-hang n1 5 ?;1;\n@rw-hang n1 5 rank;0;0;0;1;c;\n"
        "@rw-hang n1 5 rank;99999999999;0;0;1;c;\n@rw-hang n1 5 rank;5;x;0;1;c;\n@rw-hang n1 5 rank;5;1;0;1;c\n\n\0\n"
        + QByteArray(100000, 'x') + '\n');
    QVERIFY(seen.ranks.isEmpty());
    QVERIFY(!seen.isComplete);
}

void CollectReaderTest::textsThatAreNone()
{
    const QByteArray head = line("n1", "begin;1;0;") + rank("n1", "41", "0");
    const HangEvidence refused
        = read(head + text("n1", "41", "stacks1", packed("Error: Permission Denied: Try again\nmore\n")));
    QVERIFY(!refused.ranks.first().stacks);
    QCOMPARE(refused.ranks.first().notes, QStringList(u"No Python stacks: Error: Permission Denied: Try again."_s));
    QVERIFY(!read(head + text("n1", "41", "record2", packed("\x80\x02(dp0\n."))).ranks.first().notes.isEmpty());
    QVERIFY(!read(head + text("n1", "41", "stacks2", "!!!!")).ranks.first().notes.isEmpty());
    QVERIFY(!read(head + text("n1", "41", "stacks2", QByteArray("hello").toBase64())).ranks.first().notes.isEmpty());
    QVERIFY(!read(head + text("n1", "41", "stacks2", packed(QByteArray(20 << 20, ' ')))).ranks.first().stacks);
    const HangEvidence unknown = read(head + text("n1", "99", "stacks2", packed(stacks)));
    QCOMPARE(unknown.ranks.size(), 1);
    QVERIFY(!unknown.ranks.first().stacks);
}

void CollectReaderTest::aRankThatEndedMeanwhile()
{
    const HangEvidence seen = read(line("n1", "begin;1;0;") + line("n1", "rank;41;0;0;2;c;")
        + line("n1", "look;41;1;S;x;1;;1;1;1;1;") + line("n1", "gone;41;2;") + line("n1", "end;9;1;"));
    QVERIFY(seen.ranks.first().hasEnded);
}

void CollectReaderTest::hostileWords()
{
    const HangEvidence seen = read(line("n\x1b[31m1", "begin;1;0;")
        + line("n\x1b[31m1", "rank;41;0;0;2;a\x1b]0;b\x07%1B%0A;") + line("n\x1b[31m1", "note;;\u202e%0aboo\x1b;"));
    for (const QString& shown : seen.notes + QStringList{seen.ranks.value(0).node, seen.ranks.value(0).command})
        QVERIFY2(
            !shown.contains(u'\x1b') && !shown.contains(u'\n') && !shown.contains(QChar(0x202e)), qPrintable(shown));
}

void CollectReaderTest::aSecondLookReplaces()
{
    HangEvidence first = read(line("n1", "begin;1;0;") + rank("n1", "41", "0") + line("n1", "end;9;0;")
            + line("n2", "begin;1;0;") + rank("n2", "42", "1") + line("n2", "end;9;0;"),
        {u"n1"_s, u"n2"_s});
    const HangEvidence second = read(line("n1", "begin;1;0;") + rank("n1", "41", "0")
        + text("n1", "41", "stacks2", packed(stacks)) + line("n1", "note;;late;") + line("n1", "end;9;1;"));
    replaceRanks(first, second);
    QCOMPARE(first.ranks.size(), 2);
    QVERIFY(first.ranks.at(0).stacks.has_value());
    QVERIFY(first.notes.contains(u"Node n1: late."_s));
    QVERIFY(first.isComplete);
}

void CollectReaderTest::ofRealJobs_data()
{
    QTest::addColumn<QList<int>>("odd");
    QTest::addColumn<QString>("function");
    QTest::addColumn<QString>("words"); ///< of the sentence
    const auto row = [](const char* kind, const QList<int>& odd, const QString& function, const QString& words) {
        QTest::newRow(kind) << odd << function << words;
    };
    row("loader", {2}, u"load_batch"_s, u"has not entered all_reduce"_s);
    row("file", {3}, u"load_batch"_s, u"waiting for a file or pipe to open"_s);
    row("disk", {3}, u"load_batch"_s, u"it stands in read() at hangs.py:46, waiting for the file system"_s);
    row("lock", {1}, u"take_lock"_s, u"waiting for a lock"_s);
    row("exception", {2}, u"close_logger"_s, u"has not entered all_reduce"_s);
    row("skipped", {3}, u"main"_s, u"waits in barrier at"_s);
    row("order", {2}, u"train_step"_s, u"waits in broadcast at"_s);
    row("uneven", {1}, u"main"_s, u"waits in barrier at"_s);
    row("guarded", {0}, u"train_step"_s, u"waits in barrier at"_s);
    row("stop", {3}, {}, u"is stopped"_s);
    row("dead", {2}, {}, u"has no process any more. 3 ranks wait at hangs.py:94 for it."_s);
    row("slow", {}, {}, u"Nothing hangs"_s);
    // sizes are in records alone
    row("size", {}, {}, u"they brought unequal sizes"_s);
    row("size-recorded", {2}, u"train_step"_s, u"elements at hangs.py:102, the others with"_s);
    // of jobs that were not prepared for it: nobody is accused without a reason, and no hang is denied
    row("slow-bare", {}, {}, u"Nothing hangs"_s);
    row("lock-bare", {}, {}, u"All 4 ranks stand still, in the system call futex: without Python stacks"_s);
    row("order-bare", {}, {}, u"All 4 ranks stand still, in the system call futex: without Python stacks"_s);
}

void CollectReaderTest::ofRealJobs()
{
    QFETCH(QList<int>, odd);
    QFETCH(QString, function);
    QFETCH(QString, words);
    QFile file(
        test::sourcePath(u"/tests/data/hang/collected-%1.txt"_s.arg(QString::fromUtf8(QTest::currentDataTag()))));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const HangEvidence seen = read(file.readAll(), {u"nid005001"_s, u"nid005002"_s});
    QVERIFY(seen.isComplete);
    QVERIFY(seen.secondsBetween && *seen.secondsBetween > 2.5 && *seen.secondsBetween < 6);
    const HangVerdict verdict = hangVerdict(seen);
    QVERIFY2(verdict.odd == odd && verdict.sentence.contains(words), qPrintable(verdict.sentence));
    if (!odd.isEmpty())
        QCOMPARE(verdict.rows.first().function, function);
}

void CollectReaderTest::ofARealJob()
{
    QFile file(test::sourcePath(u"/tests/data/hang/collected-loader.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const HangEvidence seen = read(file.readAll(), {u"nid005001"_s, u"nid005002"_s});
    QVERIFY(seen.isComplete);
    QVERIFY2(seen.notes.isEmpty(), qPrintable(seen.notes.join(u' ')));
    QCOMPARE(seen.ranks.size(), 4);
    QCOMPARE(seen.worldSize, std::optional<int>(4));
    for (const RankEvidence& rank : seen.ranks) {
        QVERIFY(rank.stacks && rank.stacksBefore && rank.now && rank.before);
        const QString function = rank.stacks->mainThread()->frames.first().function;
        QCOMPARE(function, rank.rank == 2 ? u"load_batch"_s : u"all_reduce"_s);
    }
}

void CollectReaderTest::ofAThousandNodes()
{
    const QByteArray waits
        = packed("Current thread 0x00007f0000000000 (most recent call first):\n"
                 "  File \"/v/site-packages/torch/distributed/distributed_c10d.py\", line 9 in all_reduce\n"
                 "  File \"/home/ada/train.py\", line 12 in step\n");
    const QByteArray loads = packed(stacks);
    QByteArray lines;
    QStringList nodes;
    for (int n = 0; n < 1024; ++n) {
        const QByteArray node = "n" + QByteArray::number(1000 + n);
        nodes.append(QString::fromLatin1(node));
        lines += line(node, "begin;8;0;");
        const bool isDeep = n % 16 == 0 || n == 751;
        for (int gpu = 0; gpu < 8; ++gpu) {
            const QByteArray pid = QByteArray::number(4000 + gpu);
            const bool isOdd = n == 751 && gpu == 3;
            const QByteArray seen = isOdd ? "D;nfs_wait_bit_killable;0" : "S;futex_do_wait;202";
            lines += line(node,
                "rank;" + pid + ';' + QByteArray::number(8 * n + gpu) + ';' + QByteArray::number(gpu)
                    + ";8192;python3 train.py;");
            lines += line(node, "look;" + pid + ";1;" + seen + ";;100;200;300;62;9;");
            lines += line(node, "look;" + pid + ";2;" + seen + ";;100;200;300;62;9;");
            if (isDeep)
                lines += text(node, pid, "stacks1", isOdd ? loads : waits, 720)
                    + line(node, "same;" + pid + ";stacks2;stacks1;");
        }
        lines += line(node, "end;4000;1;");
    }
    const HangEvidence seen = read(lines, nodes, 32768);
    QVERIFY(seen.isComplete);
    QCOMPARE(seen.ranks.size(), 8192);
    const HangVerdict verdict = hangVerdict(seen);
    QCOMPARE(verdict.sentence,
        u"Rank 6011 (node n1751, GPU 3) has not entered all_reduce; it stands in read() at train.py:88, waiting for the file "
        "system. 519 ranks wait for it."_s);
}

RANKWRIGHT_TEST_MAIN(CollectReaderTest)
#include "tst_collectreader.moc"

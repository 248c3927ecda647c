// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/joboutput.h"
#include "app/watch/outputfilesofjob.h"
#include "ssh/localshell.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A job's output against the real shell, grep, tail and stat of this machine.
class JobOutputTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init();
    void opensTheEndOfALongFile();
    void theEndDecidesWhatStands_data();
    void theEndDecidesWhatStands();
    void readsOtherParts();
    void piecesFitTogether();
    void linesHaveTheirNumbers();
    void searches_data();
    void searches();
    void searchIsCancelled();
    void searchStopsAtItsLimit();
    void seeksTheCauseInWhatWasNotRead();
    void requeuedJobWritesItAnew();
    void ranksReportBeforeWhatIsRead();
    void ranksReportInPieces();
    void severalFiles();
    void filesOfAScript();
    void filesOfAForgottenJob();

private:
    void write(const QString& name, const QByteArray& bytes, bool append = false);
    QString path(const QString& name = u"run 1.out"_s) const { return m_folder->filePath(name); }
    JobRecord job() const;
    std::unique_ptr<QTemporaryDir> m_folder;
    LocalShell m_shell;
};

void JobOutputTest::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void JobOutputTest::write(const QString& name, const QByteArray& bytes, bool append)
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly | (append ? QIODevice::Append : QIODevice::Truncate)));
    QVERIFY(file.write(bytes) == bytes.size());
}

JobRecord JobOutputTest::job() const
{
    JobRecord record;
    record.id = u"77"_s;
    record.name = u"gpt"_s;
    record.state = JobState::Running;
    record.standardOutput = path();
    record.workdir = m_folder->path();
    return record;
}

namespace {

QByteArray numbered(int from, int to)
{
    QByteArray log;
    for (int i = from; i < to; ++i)
        log += "line " + QByteArray::number(i) + " of a long log that says little\n";
    return log;
}

} // namespace

void JobOutputTest::opensTheEndOfALongFile()
{
    const QByteArray before = numbered(0, 100000);
    write(u"run 1.out"_s, before + "step 5/9 loss 1.5\n");
    JobOutput output(m_shell);
    QList<LogLine> lines;
    connect(&output, &JobOutput::linesArrived, this, [&](const QList<LogLine>& more) { lines += more; });
    QSignalSpy diagnoses(&output, &JobOutput::diagnosesChanged);
    output.start(job());
    QTRY_COMPARE(output.progress().step, std::optional<qint64>(5));
    QVERIFY(lines.first().isNote && lines.size() < 40000);
    QCOMPARE(output.files().size(), 1);
    write(u"run 1.out"_s, "FileNotFoundError: [Errno 2] No such file or directory: '/d'\n", true);
    QTRY_VERIFY(!output.diagnoses().isEmpty());
    QTRY_COMPARE(output.diagnoses().first().line, qint64(100002)); // counted on the other side
    QCOMPARE(output.diagnoses().first().offset, qint64(before.size() + 18));
    QSignalSpy ended(&output, &JobOutput::ended);
    write(u"run 1.out"_s, "last words", true);
    output.finishUp(3000, JobState::Failed);
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(lines.last().text, u"last words"_s);
}

/// One rule for a job that is watched and for one that is replayed.
void JobOutputTest::theEndDecidesWhatStands_data()
{
    QTest::addColumn<JobState>("state");
    QTest::addColumn<int>("found");
    QTest::addColumn<int>("confirmed");
    QTest::newRow("completed") << JobState::Completed << 0 << 0;
    QTest::newRow("failed") << JobState::Failed << 1 << 1;
    QTest::newRow("time limit") << JobState::Timeout << 1 << 1;
    QTest::newRow("cancelled") << JobState::Cancelled << 1 << 0;
    QTest::newRow("not known") << JobState::Unknown << 1 << 0;
}

void JobOutputTest::theEndDecidesWhatStands()
{
    QFETCH(JobState, state);
    QFETCH(int, found);
    QFETCH(int, confirmed);
    write(u"run 1.out"_s, "FileNotFoundError: [Errno 2] No such file or directory: '/d'\n");
    JobOutput output(m_shell);
    QSignalSpy ended(&output, &JobOutput::ended);
    output.start(job());
    output.finishUp(3000, state);
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(output.diagnoses().size(), found);
    QCOMPARE(confirmedOf(output.diagnoses()).size(), confirmed);
}

void JobOutputTest::readsOtherParts()
{
    write(u"run 1.out"_s, numbered(0, 100000));
    JobOutput output(m_shell);
    QString newest;
    connect(&output, &JobOutput::linesArrived, this, [&](const QList<LogLine>& lines) { newest = lines.last().text; });
    output.start(job());
    QTRY_VERIFY(newest.startsWith(u"line 99999 "_s));
    QSignalSpy pieces(&output, &JobOutput::pieceArrived);
    const qint64 offset = numbered(0, 5000).size();
    output.askAround(0, offset);
    QTRY_COMPARE(pieces.size(), 1);
    const auto around = pieces.last().first().value<LogPiece>();
    QVERIFY(!around.reachesEnd && around.focus == offset);
    const auto isThere
        = [&](const LogLine& line) { return line.offset == offset && line.text.startsWith(u"line 5000 "_s); };
    QVERIFY(std::any_of(around.lines.cbegin(), around.lines.cend(), isThere));
    QVERIFY(around.lines.first().text.startsWith(u"line "_s) && around.lines.last().text.endsWith(u"little"_s));
    output.askLatest(0);
    QTRY_COMPARE(pieces.size(), 2);
    const auto latest = pieces.last().first().value<LogPiece>();
    QVERIFY(latest.reachesEnd && latest.lines.last().text.startsWith(u"line 99999 "_s));
}

/// "line 5000 ..." is line 5001 of the file, wherever it was read and whatever was counted.
void JobOutputTest::linesHaveTheirNumbers()
{
    write(u"run 1.out"_s, numbered(0, 60000));
    JobOutput output(m_shell);
    QList<LogLine> lines;
    std::map<qint64, qint64> before{{0, 0}};
    connect(&output, &JobOutput::linesArrived, this, [&](const QList<LogLine>& more) { lines += more; });
    connect(&output, &JobOutput::pieceArrived, this, [&](const LogPiece& piece) { lines += piece.lines; });
    connect(&output, &JobOutput::linesCounted, this,
        [&](int, qint64 readFrom, qint64 linesBefore) { before[readFrom] = linesBefore; });
    output.start(job());
    QTRY_VERIFY(!lines.isEmpty() && lines.last().text.startsWith(u"line 59999 "_s));
    const qint64 begin = lines.at(lines.first().isNote ? 1 : 0).offset.value();
    QSignalSpy pieces(&output, &JobOutput::pieceArrived);
    output.askAround(0, numbered(0, 5000).size());
    QTRY_COMPARE(pieces.size(), 1);
    const qint64 around = pieces.last().first().value<LogPiece>().begin;
    const qint64 behind = pieces.last().first().value<LogPiece>().end;
    QTRY_VERIFY(before.contains(around) && before.contains(begin)); // counted by the cluster
    output.askBefore(0, around);
    QTRY_COMPARE(pieces.size(), 2);
    output.askBehind(0, behind);
    QTRY_COMPARE(pieces.size(), 3);
    QTRY_VERIFY(before.contains(behind));
    int whole = 0;
    for (const LogLine& line : std::as_const(lines)) {
        const QString number = line.text.section(u' ', 1, 1);
        if (line.isNote || !line.text.startsWith(u"line "_s) || !line.text.endsWith(u"little"_s))
            continue; // of the first one only a part may be there
        QVERIFY(before.contains(line.readFrom.value()));
        QCOMPARE(before.at(line.readFrom.value()) + line.nth, number.toLongLong() + 1);
        ++whole;
    }
    QVERIFY(whole > 20000);
}

void JobOutputTest::piecesFitTogether()
{
    const QByteArray log = numbered(0, 30000);
    write(u"run 1.out"_s, log);
    JobOutput output(m_shell);
    output.start(job());
    QTRY_VERIFY(!output.files().isEmpty());
    QSignalSpy pieces(&output, &JobOutput::pieceArrived);
    output.askAround(0, log.size() / 2);
    QTRY_COMPARE(pieces.size(), 1);
    auto piece = pieces.last().first().value<LogPiece>();
    QStringList texts;
    for (const LogLine& line : std::as_const(piece.lines))
        texts.append(line.text);
    qint64 begin = piece.begin;
    qint64 end = piece.end;
    while (begin > 0) {
        pieces.clear();
        output.askBefore(0, begin);
        QTRY_COMPARE(pieces.size(), 1);
        piece = pieces.last().first().value<LogPiece>();
        QCOMPARE(piece.end, begin);
        begin = piece.begin;
        for (qsizetype i = piece.lines.size() - 1; i >= 0; --i)
            texts.prepend(piece.lines.at(i).text);
    }
    while (end < log.size()) {
        pieces.clear();
        output.askBehind(0, end);
        QTRY_COMPARE(pieces.size(), 1);
        piece = pieces.last().first().value<LogPiece>();
        end = piece.end;
        for (const LogLine& line : std::as_const(piece.lines))
            texts.append(line.text);
    }
    QVERIFY(piece.reachesEnd);
    QCOMPARE(texts.join(u'\n').toUtf8() + '\n', log);
}

void JobOutputTest::searches_data()
{
    QTest::addColumn<LogQuery>("query");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("plain") << LogQuery{u"needle"_s}
                           << QStringList{u"a Needle here"_s, u"step needle 2"_s, u"no newline needle"_s};
    QTest::newRow("case") << LogQuery{u"Needle"_s, false, true} << QStringList{u"a Needle here"_s};
    QTest::newRow("expression") << LogQuery{u"^(a|b) N"_s, true} << QStringList{u"a Needle here"_s};
    QTest::newRow("letters of expressions") << LogQuery{u"100% [x] \\(y).*"_s} << QStringList{u"100% [x] \\(y).*"_s};
    QTest::newRow("through colours") << LogQuery{u"loss: 7.5"_s} << QStringList{u"loss: 7.5 red"_s};
    QTest::newRow("in a bar") << LogQuery{u"2/9 ["_s} << QStringList{u"22%|##  | 2/9 [00:01]"_s};
    QTest::newRow("begins with a dash") << LogQuery{u"--lr"_s} << QStringList{u"run --lr 1"_s};
    QTest::newRow("not there") << LogQuery{u"haystack"_s} << QStringList{};
}

void JobOutputTest::searches()
{
    QFETCH(LogQuery, query);
    QFETCH(QStringList, expected);
    QByteArray log
        = "a Needle here\n" + QByteArray(40, '-') + "\nloss: \x1b[31m7\x1b[0m.5 red\nrun --lr 1\n100% [x] \\(y).*\n";
    log += numbered(0, 900000); // more than one piece
    log += "step needle 2\r11%|#   | 1/9 [00:00]\r22%|##  | 2/9 [00:01]\rdone\nno newline needle";
    write(u"run 1.out"_s, log);
    LogSearch search(m_shell);
    QList<LogHit> hits;
    connect(&search, &LogSearch::found, this, [&](const QList<LogHit>& more) { hits += more; });
    search.start(path(), 3, query);
    QVERIFY(search.state().isRunning);
    QTRY_VERIFY(!search.state().isRunning);
    QCOMPARE(search.state().trouble, QString());
    QVERIFY(!search.state().isCutShort && search.state().searched == log.size());
    std::sort(hits.begin(), hits.end(), [](const LogHit& a, const LogHit& b) { return a.offset < b.offset; });
    QStringList texts;
    for (const LogHit& hit : std::as_const(hits)) {
        QCOMPARE(hit.file, 3);
        QVERIFY(log.mid(hit.offset).startsWith(hit.text.left(6).toUtf8()));
        texts.append(hit.text);
    }
    QCOMPARE(texts, expected);
}

void JobOutputTest::searchIsCancelled()
{
    QFile big(path(u"big"_s));
    QVERIFY(big.open(QIODevice::WriteOnly) && big.resize(20LL * 1024 * 1024 * 1024)); // no byte of it is on the disk
    LogSearch search(m_shell);
    search.start(path(u"big"_s), 0, {u"x"_s});
    QTRY_VERIFY(search.state().searched > 0);
    search.cancel();
    QVERIFY(!search.state().isRunning && search.state().isCutShort);
    search.start(path(u"big"_s), 0, {u"(unclosed"_s, true});
    QTRY_VERIFY(!search.state().isRunning);
    QVERIFY2(search.state().trouble.contains(u"Not a valid regular expression"_s), qPrintable(search.state().trouble));
    search.start(path(u"nowhere"_s), 0, {u"x"_s});
    QTRY_VERIFY(!search.state().isRunning);
    QVERIFY(!search.state().trouble.isEmpty());
}

void JobOutputTest::searchStopsAtItsLimit()
{
    write(u"run 1.out"_s, numbered(0, 50000));
    LogSearch search(m_shell);
    search.start(path(), 0, {u"line"_s});
    QTRY_VERIFY(!search.state().isRunning);
    QCOMPARE(search.state().hits, LogSearch::mostHits);
    QVERIFY(search.state().isCutShort && search.state().trouble.isEmpty());
}

void JobOutputTest::seeksTheCauseInWhatWasNotRead()
{
    write(u"run 1.out"_s,
        numbered(0, 100) + "3: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB. GPU 1 has a total\n"
            + numbered(100, 100000) + "srun: error: n1: task 3: Exited with exit code 1\n");
    JobOutput output(m_shell);
    output.start(job());
    QTRY_VERIFY(!output.diagnoses().isEmpty());
    QCOMPARE(output.diagnoses().first().kind, u"failed_exit"_s);
    output.finishUp(3000, JobState::Failed);
    QTRY_COMPARE(output.diagnoses().first().kind, u"oom_gpu"_s);
    QCOMPARE(output.diagnoses().first().rank.value_or(-1), 3);
    QCOMPARE(output.diagnoses().first().offset, qint64(numbered(0, 100).size()));
}

void JobOutputTest::requeuedJobWritesItAnew()
{
    write(u"run 1.out"_s,
        "step 10/99 loss 2.5\nslurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-03-01T08:00:00 DUE TO JOB REQUEUE "
        "***\n");
    JobOutput output(m_shell);
    QSignalSpy changed(&output, &JobOutput::diagnosesChanged);
    output.start(job());
    QTRY_COMPARE(output.diagnoses().size(), 1);
    QCOMPARE(output.diagnoses().first().kind, u"preempted"_s);
    write(u"run 1.out"_s, "step 1/99 loss 4.5\n");
    QTRY_VERIFY(output.diagnoses().isEmpty());
    QCOMPARE(changed.size(), 2);
    QTRY_COMPARE(output.progress().step, std::optional<qint64>(1));
}

/// Who joins late reads the end of the file; the ranks' lines stand at its beginning.
void JobOutputTest::ranksReportBeforeWhatIsRead()
{
    write(u"run 1.out"_s,
        " 5: rankwright: rank 5 of 16 on node n1: cores 0-63 instead of 9-15, device 5\n"
        " 0: rankwright: rank 0 of 16 on node n1: cores 49-55 as planned, device 0; other ranks report only what "
        "differs\n"
            + numbered(0, 100000) + "step 5/9 loss 1.5\n");
    JobOutput output(m_shell);
    QCOMPARE(output.binding().state(), RankBinding::State::NotReported);
    output.start(job());
    QTRY_COMPARE(output.binding().state(), RankBinding::State::Differs);
    QTRY_COMPARE(output.binding().bound(), std::optional(15)); // with the first step that is read
    QCOMPARE(output.binding().differing().first().rank, 5);
    output.forgetBinding(); // it waits again
    QCOMPARE(output.binding().state(), RankBinding::State::NotReported);
}

void JobOutputTest::ranksReportInPieces()
{
    write(u"run 1.out"_s, "[default0]:rankwright: rank 0 of 2 on no");
    JobOutput output(m_shell);
    QSignalSpy changed(&output, &JobOutput::bindingChanged);
    output.start(job());
    test::quietFor(300);
    QVERIFY(changed.isEmpty());
    write(u"run 1.out"_s, "de n1: cores 0-6 as planned, device 0; other ranks report only what differs\n", true);
    QTRY_COMPARE(output.binding().state(), RankBinding::State::Pending); // rank 1 may still have to say something
    write(u"run 1.out"_s, "step 1/9 loss 2.5\n", true);
    QTRY_COMPARE(output.binding().state(), RankBinding::State::Bound);
    QCOMPARE(output.binding().bound(), std::optional(2));
    // queued again, into the same file: until the training goes on nothing is known of rank 1
    write(u"run 1.out"_s, "rankwright: rank 0 of 2 on node n2: cores 0-6 as planned, device 0\n", true);
    QTRY_COMPARE(output.binding().state(), RankBinding::State::Pending);
    QCOMPARE(output.binding().starts(), 2);
    QSignalSpy ended(&output, &JobOutput::ended);
    output.finishUp(3000, JobState::Completed);
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(output.binding().state(), RankBinding::State::Bound); // it completed: all have looked
}

void JobOutputTest::severalFiles()
{
    write(u"run 1.out"_s, "step 1/9 loss 2\n");
    write(u"rank-0.txt"_s, "hello from zero\n");
    LogTail tail(m_shell, {OutputFile{path(), false, {}, {}}, *stepOutput(u"rank-%t.txt"_s, job())});
    QMap<QString, QByteArray> got;
    connect(&tail, &LogTail::bytesArrived, this,
        [&](const QByteArray& bytes, int file) { got[tail.files().at(file).path.section(u'/', -1)] += bytes; });
    tail.start();
    QTRY_COMPARE(got.value(u"rank-0.txt"_s), QByteArray("hello from zero\n"));
    write(u"rank-12.txt"_s, "and twelve\n");
    QTRY_COMPARE(got.value(u"rank-12.txt"_s), QByteArray("and twelve\n"));
    QCOMPARE(tail.files().last().rank.value_or(-1), 12);
    write(u"run 1.out"_s, "short\n"); // written again
    QTRY_COMPARE(got.value(u"run 1.out"_s), QByteArray("step 1/9 loss 2\nshort\n"));
}

void JobOutputTest::filesOfAScript()
{
    const QByteArray answer
        = "JobId=77 JobName=gpt StdErr=/s/run-77.err StdIn=/dev/null StdOut=/s/run.out\n\n@rw-script\n#!/bin/bash\n"
          "#SBATCH --nodes=2\nLOGS=/s/logs\nsrun --output=$LOGS/r%t.txt -e ${SLURM_JOB_ID}-%t.err torchrun "
          "--nproc_per_node=8 "
          "--log_dir /s/agent-%j --redirects 3 train.py\n";
    QStringList paths;
    for (const OutputFile& file : outputFilesOf(job(), answer))
        paths.append(file.path);
    QCOMPARE(paths,
        QStringList({path(), u"/s/run-77.err"_s, u"/s/logs/r[0-9]*.txt"_s, m_folder->path() + u"/77-[0-9]*.err"_s,
            u"/s/agent-77/*/attempt_*/*/std*.log"_s}));
    QCOMPARE(outputFilesOf(job()).size(), 1);
    JobRecord unreported = job();
    unreported.standardOutput.clear();
    QCOMPARE(
        outputPathOf(unreported, "#!/bin/bash\n#SBATCH -o logs/%x-%j.txt\n"), m_folder->path() + u"/logs/gpt-77.txt"_s);
    QCOMPARE(outputPathOf(unreported, {}), m_folder->path() + u"/slurm-77.out"_s);
}

/// The controller knows the job no longer: files that have its number in their name are found in its folder.
void JobOutputTest::filesOfAForgottenJob()
{
    write(u"test-77.out"_s, "loss 1\n");
    write(u"test-77.pt"_s, "weights");
    write(u"run.o77"_s, "loss 2\n");
    write(u"test-770.out"_s, "another job\n");
    JobRecord forgotten = job();
    forgotten.standardOutput.clear();
    std::optional<QByteArray> answer;
    m_shell.run(outputQuestion(forgotten), this,
        [&](const Result<CommandOutcome>& outcome) { answer = outcome ? outcome->output : QByteArray(); });
    QTRY_VERIFY(answer);
    QStringList names;
    for (const OutputFile& file : outputFilesOf(forgotten, *answer))
        names.append(file.path.section(u'/', -1));
    QCOMPARE(names, QStringList({u"run.o77"_s, u"test-77.out"_s}));
    const QByteArray archived = "\n@rw-script\n#!/bin/bash\n#SBATCH -o logs/%j.txt\n\n@rw-named\n";
    QCOMPARE(outputFilesOf(forgotten, archived).value(0).path, m_folder->path() + u"/logs/77.txt"_s);
}

RANKWRIGHT_TEST_MAIN(JobOutputTest)
#include "tst_joboutput.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/endedrecord.h"
#include "app/recording/gapkeeper.h"
#include "app/store/recordingreader.h"
#include "models/insight/telemetry/sampling/jobsamplerscript.h"
#include "models/insight/telemetry/sampling/ticklines.h"
#include "ssh/localshell.h"
#include "tests/support/fakeshell.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 start = 1763750000000;
constexpr int seconds = 1500; // a record of 25 minutes, in five stretches between full readings

QByteArray tickLine(const QString& node, qint64 ms)
{
    const QByteArray use = QByteArray::number((ms / 1000) % 101);
    return "@rw-gpus " + node.toUtf8() + ' ' + QByteArray::number(ms) + " 0;" + use
        + ";1000;2000;300.0;560.0;61;;1700;;1;|1;" + use + ";1000;2000;;;60;s;1700;;1;";
}

NodeTick tickOf(const QString& node, qint64 ms) { return *parseTickLine(tickLine(node, ms)); }

} // namespace

/// Records that jobs wrote by themselves: put in place, read by stretches of time, listed, removed; and a history that
/// becomes whole from them. The commands run in a real shell.
class GapFillerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void missing_data();
    void missing();
    void singleNodesAreMissing();
    void bringsWhatIsAskedFor_data();
    void bringsWhatIsAskedFor();
    void saysWhenThereIsNothing_data();
    void saysWhenThereIsNothing();
    void brokenLinkKeepsWhatCame();
    void historyBecomesWhole();
    void endedJobGetsARecording();
    void asksOnceForWhatIsNotThere();
    void givesUpWhatIsRefused();
    void longRecordsComeInParts();
    void placesTheSampler();
    void listsAndRemoves();

private:
    QByteArray outputOf(const RemoteCommand& command, int* status = nullptr);
    static JobRecord job(JobState state);
    QTemporaryDir m_folder;
    LocalShell m_shell;
};

void GapFillerTest::initTestCase()
{
    QVERIFY(QDir(m_folder.path()).mkpath(u".rankwright/4711"_s));
    QFile script(m_folder.filePath(u"sampler.sh"_s));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(samplerScript());
    script.close();
    for (const QString& node : {u"n1"_s, u"n2"_s}) {
        QByteArray lines;
        for (qint64 ms = start; ms < start + seconds * 1000; ms += 5000)
            lines += tickLine(node, ms) + '\n';
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SLURMD_NODENAME"_s, node);
        environment.insert(u"SLURM_JOB_ID"_s, u"4711"_s);
        shell.setProcessEnvironment(environment);
        shell.setStandardOutputFile(m_folder.filePath(u".rankwright/4711/"_s + node + u".rws"_s));
        shell.start(u"bash"_s, {script.fileName(), u"compact"_s, u"5"_s, u"64000000"_s});
        shell.write(lines);
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished(test::longWaitMs));
    }
}

JobRecord GapFillerTest::job(JobState state)
{
    JobRecord made;
    made.id = u"4711"_s;
    made.state = state;
    made.started = QDateTime::fromMSecsSinceEpoch(start);
    if (hasEnded(state))
        made.ended = QDateTime::fromMSecsSinceEpoch(start + seconds * 1000);
    return made;
}

QByteArray GapFillerTest::outputOf(const RemoteCommand& command, int* status)
{
    QByteArray output;
    bool over = false;
    m_shell.run(command, this, [&](const Result<CommandOutcome>& outcome) {
        over = true;
        output = outcome ? outcome->output + outcome->errorOutput : outcome.error().oneLine().toUtf8();
        if (status != nullptr)
            *status = outcome ? outcome->exitStatus.value_or(-1) : -1;
    });
    const bool came = test::comes([&] { return over; });
    return came ? output : QByteArray("timed out");
}

void GapFillerTest::missing_data()
{
    QTest::addColumn<QList<TimeSpan>>("seen"); // with a tick each second, both ends included
    QTest::addColumn<QList<TimeSpan>>("missing");
    using Spans = QList<TimeSpan>;
    QTest::newRow("nothing seen") << Spans{} << Spans{{0, 600000}};
    QTest::newRow("all seen") << Spans{{0, 600000}} << Spans{};
    QTest::newRow("opened late") << Spans{{100000, 600000}} << Spans{{0, 100000}};
    QTest::newRow("closed early") << Spans{{0, 500000}} << Spans{{500000, 600000}};
    QTest::newRow("asleep") << Spans{{0, 200000}, {230000, 600000}} << Spans{{200000, 230000}};
    QTest::newRow("short silence") << Spans{{0, 200000}, {206000, 600000}} << Spans{};
    QTest::newRow("seen beyond the job") << Spans{{-50000, 200000}, {300000, 700000}} << Spans{{200000, 300000}};
}

void GapFillerTest::missing()
{
    QFETCH(QList<TimeSpan>, seen);
    MemoryHistory history;
    for (const TimeSpan& span : seen) {
        for (qint64 ms = span.fromMs; ms <= span.toMs; ms += 1000)
            history.store(tickOf(u"n1"_s, start + ms));
    }
    QList<TimeSpan> found;
    for (const MissingSpan& missing : missingSpans(history, {start, start + 600000}, 6500)) {
        QVERIFY(missing.node.isEmpty());
        // the span of a history may end with its last sample or just behind it
        found.append({(missing.span.fromMs - start) / 10 * 10, missing.span.toMs - start});
    }
    QTEST(found, "missing");
}

void GapFillerTest::singleNodesAreMissing()
{
    MemoryHistory history;
    for (qint64 ms = 0; ms <= 600000; ms += 1000) {
        history.store(tickOf(u"n1"_s, start + ms));
        if (ms < 200000 || ms > 300000)
            history.store(tickOf(u"n2"_s, start + ms));
    }
    const QList<MissingSpan> missing = missingSpans(history, {start, start + 600000}, 6500);
    QCOMPARE(missing.size(), 1);
    QCOMPARE(missing.first().node, u"n2"_s);
    // by buckets of the asked width: what is left out at the edges is shorter than that
    QVERIFY(qAbs(missing.first().span.fromMs - start - 200000) <= 6600);
    QVERIFY(qAbs(missing.first().span.toMs - start - 300000) <= 6600);
}

void GapFillerTest::bringsWhatIsAskedFor_data()
{
    QTest::addColumn<QList<MissingSpan>>("asked");
    QTest::addColumn<QSet<QString>>("nodes");
    QTest::addColumn<int>("ticks");
    using Spans = QList<MissingSpan>;
    const TimeSpan middle{start + 400000, start + 420000};
    QTest::newRow("all nodes") << Spans{{{}, middle}} << QSet<QString>{u"n1"_s, u"n2"_s}
                               << 120; // a stretch is 60 readings
    QTest::newRow("one node") << Spans{{u"n2"_s, middle}} << QSet<QString>{u"n2"_s} << 60;
    QTest::newRow("two stretches") << Spans{{u"n1"_s, middle}, {u"n1"_s, {start + 1400000, start + 1490000}}}
                                   << QSet<QString>{u"n1"_s} << 120;
    QTest::newRow("over an edge") << Spans{{u"n1"_s, {start + 290000, start + 310000}}} << QSet<QString>{u"n1"_s}
                                  << 120;
    QTest::newRow("all of it") << Spans{{{}, {start, start + seconds * 1000}}} << QSet<QString>{u"n1"_s, u"n2"_s}
                               << 600;
    QTest::newRow("later than the record") << Spans{{{}, {start + 9000000, start + 9900000}}} << QSet<QString>{} << 0;
}

void GapFillerTest::bringsWhatIsAskedFor()
{
    QFETCH(QList<MissingSpan>, asked);
    QFETCH(int, ticks);
    GapFiller filler(m_shell);
    std::optional<Result<GapSummary>> end;
    connect(&filler, &GapFiller::finished, this, [&](const Result<GapSummary>& outcome) { end = outcome; });
    QList<NodeTick> came;
    connect(&filler, &GapFiller::ticksFilled, this, [&](const QList<NodeTick>& more) { came += more; });
    QVERIFY(filler.fill(m_folder.path(), u"4711"_s, asked));
    QVERIFY(!filler.fill(m_folder.path(), u"4711"_s, asked)); // one round at a time
    QTRY_VERIFY(end.has_value());
    const Result<GapSummary>& outcome = *end;
    QVERIFY_RESULT(outcome);
    QCOMPARE(came.size(), ticks);
    QCOMPARE(outcome->ticks, ticks);
    QCOMPARE(outcome->reachMs, start + (seconds - 5) * 1000);
    QCOMPARE(outcome->intervalMs, ticks > 0 ? std::optional(5000) : std::nullopt);
    QVERIFY(!outcome->noRecord && !outcome->limited);
    QSet<QString> nodes;
    for (const NodeTick& tick : std::as_const(came)) {
        nodes.insert(tick.node);
        QCOMPARE(tick, tickOf(tick.node, tick.takenMs)); // every cell as it was sampled
    }
    QTEST(nodes, "nodes");
    for (const MissingSpan& span : asked) {
        for (qint64 ms = (span.span.fromMs + 4999) / 5000 * 5000; ms < qMin(span.span.toMs, start + seconds * 1000);
             ms += 5000) {
            QVERIFY(std::any_of(came.cbegin(), came.cend(), [&](const NodeTick& tick) {
                return tick.takenMs == ms && (span.node.isEmpty() || span.node == tick.node);
            }));
        }
    }
}

void GapFillerTest::saysWhenThereIsNothing_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("no such job") << m_folder.path();
    QTest::newRow("no such folder") << m_folder.filePath(u"gone"_s);
    QTest::newRow("home") << QString();
}

void GapFillerTest::saysWhenThereIsNothing()
{
    QFETCH(QString, folder);
    GapFiller filler(m_shell);
    std::optional<Result<GapSummary>> end;
    connect(&filler, &GapFiller::finished, this, [&](const Result<GapSummary>& outcome) { end = outcome; });
    QVERIFY(!filler.fill(m_folder.path(), u"4711"_s, {}));
    QVERIFY(filler.fill(folder, u"4712"_s, {{{}, {start, start + 1}}}));
    QTRY_VERIFY(end.has_value());
    const Result<GapSummary>& outcome = *end;
    QVERIFY_RESULT(outcome);
    QVERIFY(outcome->noRecord);
}

void GapFillerTest::brokenLinkKeepsWhatCame()
{
    test::FakeShell shell;
    test::FakeShell::Reply reply;
    reply.output = "@rw-start 1 n1 1763750000000 4711 5000\n10 =1763750000000 0!;50;1000;2000;;;;;\n11 50";
    reply.failure = Error{Fault::Offline, u"The link broke."_s, {}, {}};
    shell.expect(u".rankwright"_s, reply);
    GapFiller filler(shell);
    std::optional<Result<GapSummary>> end;
    connect(&filler, &GapFiller::finished, this, [&](const Result<GapSummary>& outcome) { end = outcome; });
    qsizetype ticks = 0;
    connect(&filler, &GapFiller::ticksFilled, this, [&](const QList<NodeTick>& more) { ticks += more.size(); });
    QVERIFY(filler.fill(u"/home/ada"_s, u"4711"_s, {{{}, {start, start + 10000}}}));
    QTRY_VERIFY(end.has_value());
    QVERIFY(!end->hasValue());
    QVERIFY(ticks <= 1); // the second line was cut
    QVERIFY(!filler.isRunning());
}

void GapFillerTest::historyBecomesWhole()
{
    MemoryHistory history;
    for (qint64 ms = start; ms < start + seconds * 1000; ms += 1000) {
        const bool away = ms >= start + 300000 && ms < start + 900000; // the laptop was closed for ten minutes
        if (!away && ms < start + 1300000) // and again before the end
            history.store(tickOf(u"n1"_s, ms));
        if (!away && ms < start + 1300000)
            history.store(tickOf(u"n2"_s, ms));
    }
    GapKeeper keeper(m_shell, history);
    keeper.setPatience({10, 50, 10, 10, 90000});
    connect(&keeper, &GapKeeper::ticksFilled, this, [&](const QList<NodeTick>& ticks) {
        for (const NodeTick& tick : ticks)
            history.store(tick);
    });
    QSignalSpy settled(&keeper, &GapKeeper::recordRead);
    JobRecord ended = job(JobState::Completed);
    ended.workdir = m_folder.path();
    keeper.update(ended);
    QTRY_COMPARE(settled.size(), 1);
    QVERIFY(history.gaps(5500).isEmpty());
    qint64 covered = 0; // seconds with a sample in the five up to them, as the record's interval gives
    for (qint64 ms = start + 1000; ms <= start + seconds * 1000; ms += 1000)
        covered += history.frameAt(ms, 5000).size() == 2 ? 1 : 0;
    QVERIFY2(covered >= seconds * 99 / 100, qPrintable(QString::number(covered)));
    QVERIFY(missingSpans(history, {start, start + seconds * 1000}, 6500).isEmpty());
}

/// Nobody watched it: what it wrote of itself becomes its recording, once.
void GapFillerTest::endedJobGetsARecording()
{
    QTemporaryDir data;
    RecordingFacts facts;
    facts.cluster = u"lumi"_s;
    facts.job = job(JobState::Completed);
    facts.job.workdir = m_folder.path();
    facts.job.nodeList = QStringList{u"n1"_s, u"n2"_s};
    RecordingFacts none = facts; // wrote no record
    none.job.id = u"99"_s;
    RecordingFacts running = facts;
    running.job.state = JobState::Running;
    EndedRecord records(m_shell, data.path());
    const auto bring = [&](const QList<RecordingFacts>& jobs) {
        std::optional<qint64> ticks;
        records.bring(jobs, [&ticks](qint64 brought) { ticks = brought; });
        return test::comes([&] { return ticks.has_value(); }) ? *ticks : -1;
    };
    QCOMPARE(bring({running, none, facts}), qint64(2 * seconds / 5));
    QVERIFY(findRecording(data.path(), u"lumi"_s, u"99"_s).isEmpty()); // no empty file for it
    const auto reader = RecordingReader::open(findRecording(data.path(), u"lumi"_s, u"4711"_s));
    QVERIFY_RESULT(reader);
    QCOMPARE((*reader)->nodes(), facts.job.nodeList);
    QCOMPARE((*reader)->span().fromMs, start);
    QCOMPARE((*reader)->info().facts.job.state, JobState::Completed);
    QCOMPARE(bring({facts}), qint64(0)); // nothing is missing any more
}

void GapFillerTest::asksOnceForWhatIsNotThere()
{
    test::FakeShell shell;
    shell.setState(LinkState::Online);
    shell.expect(u".rankwright"_s, {"@rw-end none\n", {}}, true);
    MemoryHistory history;
    GapKeeper keeper(shell, history);
    keeper.setPatience({10, 20, 10, 20, 1000});
    JobRecord running = job(JobState::Running);
    running.workdir = u"/home/ada"_s;
    keeper.update(running);
    QTRY_COMPARE(shell.commands().size(), 1);
    test::quietFor(150);
    keeper.update(running);
    test::quietFor(150);
    QCOMPARE(shell.commands().size(), 1); // it wrote none: left alone until it has ended
    QSignalSpy settled(&keeper, &GapKeeper::recordRead);
    JobRecord ended = job(JobState::Completed);
    ended.workdir = running.workdir;
    keeper.update(ended);
    QTRY_COMPARE(settled.size(), 1);
    QCOMPARE(shell.commands().size(), 2);
}

void GapFillerTest::givesUpWhatIsRefused()
{
    test::FakeShell shell;
    shell.setState(LinkState::Online);
    shell.expect(u".rankwright"_s, {{}, "awk: not found\n", 127}, true);
    MemoryHistory history;
    GapKeeper keeper(shell, history);
    keeper.setPatience({10, 20, 10, 20, 1000});
    QSignalSpy settled(&keeper, &GapKeeper::recordRead);
    JobRecord ended = job(JobState::Completed);
    ended.workdir = u"/home/ada"_s;
    keeper.update(ended);
    QTRY_COMPARE(settled.size(), 1);
    QCOMPARE(shell.commands().size(), 3);
}

void GapFillerTest::longRecordsComeInParts()
{
    MemoryHistory history;
    GapKeeper keeper(m_shell, history);
    keeper.setPatience({10, 30, 10, 10, 90000});
    keeper.filler().setLimit(4000); // of some 11 kB
    connect(&keeper, &GapKeeper::ticksFilled, this, [&](const QList<NodeTick>& ticks) {
        for (const NodeTick& tick : ticks)
            history.store(tick);
    });
    QSignalSpy settled(&keeper, &GapKeeper::recordRead);
    int rounds = 0;
    connect(&keeper, &GapKeeper::roundEnded, this, [&](const Result<GapSummary>&) { ++rounds; });
    JobRecord ended = job(JobState::Completed);
    ended.workdir = m_folder.path();
    keeper.update(ended);
    QTRY_COMPARE(settled.size(), 1);
    QVERIFY(rounds > 1);
    QCOMPARE(history.nodes().size(), 2);
    QVERIFY(missingSpans(history, {start, start + seconds * 1000}, 6500).isEmpty());
}

void GapFillerTest::placesTheSampler()
{
    QTemporaryDir folder;
    const QString name = u".rankwright/sampler-1.sh"_s;
    int status = -1;
    QCOMPARE(outputOf(placeSamplerCommand(name, folder.path()), &status), QByteArray());
    QCOMPARE(status, 0);
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), samplerScript());
    // a link that breaks in the middle leaves the old one
    RemoteCommand half = placeSamplerCommand(name, folder.path());
    half.input.truncate(half.input.size() / 2);
    outputOf(half, &status);
    QVERIFY(status != 0);
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), samplerScript());
    QCOMPARE(QDir(folder.filePath(u".rankwright"_s)).entryList(QDir::Files), QStringList{u"sampler-1.sh"_s});
    outputOf(placeSamplerCommand(name, folder.filePath(u"missing"_s)), &status);
    QVERIFY(status != 0);
}

void GapFillerTest::listsAndRemoves()
{
    QTemporaryDir folder;
    for (const QString& path : {u".rankwright/12"_s, u".rankwright/7_3"_s, u".rankwright/other"_s, u"data"_s})
        QVERIFY(QDir(folder.path()).mkpath(path));
    for (const QString& path : {u".rankwright/12/a.rws"_s, u".rankwright/12/b.rws"_s, u".rankwright/7_3/a.rws"_s,
             u".rankwright/sampler-1.sh"_s, u"data/a.rws"_s}) {
        QFile file(folder.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("12345\n");
    }
    const auto list = readRecordList(outputOf(listRecordsCommand(folder.path())));
    QVERIFY_RESULT(list);
    QCOMPARE(list->size(), 2);
    QCOMPARE(list->first().job, u"12"_s);
    QCOMPARE(list->first().nodes, 2);
    QCOMPARE(list->first().bytes, 12);
    QVERIFY(qAbs(list->first().changedMs - QDateTime::currentMSecsSinceEpoch()) < 60000);
    const QStringList wanted{u"12"_s, u"7_3"_s, u"99"_s, u"../data"_s, u"."_s, u"-rf"_s, u"12/../../data"_s};
    QCOMPARE(readRemoved(outputOf(removeRecordsCommand(folder.path(), wanted))), QStringList({u"12"_s, u"7_3"_s}));
    QVERIFY(QFile::exists(folder.filePath(u"data/a.rws"_s)));
    QVERIFY(QFile::exists(folder.filePath(u".rankwright/sampler-1.sh"_s)));
    QVERIFY(!QFile::exists(folder.filePath(u".rankwright/12"_s)));
}

RANKWRIGHT_TEST_MAIN(GapFillerTest)
#include "tst_gapfiller.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/jobnews.h"

#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

FollowedJob jobIn(JobState state)
{
    FollowedJob job;
    job.job = u"4711"_s;
    job.name = u"llama"_s;
    job.cluster = u"LUMI"_s;
    job.state = state;
    return job;
}

FollowedJob atStep(qint64 step)
{
    FollowedJob job = jobIn(JobState::Running);
    job.progress = TrainingProgress();
    job.progress->step = step;
    return job;
}

FollowedJob troubled(FollowedJob job, const QString& trouble)
{
    job.trouble = trouble;
    return job;
}

QList<JobNewsKind> kinds(const QList<JobNews>& news)
{
    QList<JobNewsKind> all;
    for (const JobNews& one : news)
        all.append(one.kind);
    return all;
}

using Kinds = QList<JobNewsKind>;
using Kind = JobNewsKind;

} // namespace

Q_DECLARE_METATYPE(std::optional<FollowedJob>)

class JobNewsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void whatIsTold_data();
    void whatIsTold();
    void wordsAreExact();
    void wordsDoNoHarm();
    void aNewRunHasNewsOfItsOwn();
    void onlyWhatIsWrongIsTrouble();
    void anEndNamesItsCause();
    void stepsThatCount_data();
    void stepsThatCount();
};

void JobNewsTest::whatIsTold_data()
{
    QTest::addColumn<std::optional<FollowedJob>>("before");
    QTest::addColumn<FollowedJob>("now");
    QTest::addColumn<Kinds>("told");
    QTest::addColumn<Kinds>("news");
    const std::optional<FollowedJob> never;
    const auto row
        = [](const char* name, const std::optional<FollowedJob>& before, const FollowedJob& now, const Kinds& told,
              const Kinds& news) { QTest::newRow(name) << before << now << told << news; };
    const FollowedJob waits = jobIn(JobState::Pending);
    const FollowedJob runs = jobIn(JobState::Running);
    const FollowedJob done = jobIn(JobState::Completed);
    row("seen for the first time, waiting", never, waits, {}, {});
    row("joined while it runs", never, runs, {}, {});
    row("joined in the middle of training", never, atStep(200), {}, {});
    row("joined when it is over", never, done, {}, {});
    row("joined, and something is wrong", never, troubled(runs, u"hangs"_s), {}, {Kind::Trouble});
    row("goes on waiting", waits, waits, {}, {});
    row("configuring is not yet started", waits, jobIn(JobState::Configuring), {}, {});
    row("starts", waits, runs, {}, {Kind::Started});
    row("starts, as it was never heard of", jobIn(JobState::Unknown), runs, {}, {Kind::Started});
    row("start was told", waits, runs, {Kind::Started}, {});
    row("resumes", jobIn(JobState::Suspended), runs, {Kind::Started}, {});
    row("step 0 is none", runs, atStep(0), {}, {});
    row("first step", runs, atStep(1), {Kind::Started}, {Kind::FirstStep});
    row("a first step that is reported late", runs, atStep(50), {Kind::Started}, {Kind::FirstStep});
    row("joined before, and its log is read", runs, atStep(50), {}, {});
    row("start and step at once are one", waits, atStep(1), {}, {Kind::FirstStep});
    row("second step", atStep(1), atStep(2), {}, {});
    row("first step was told", runs, atStep(1), {Kind::Started, Kind::FirstStep}, {});
    row("something is wrong", runs, troubled(runs, u"a"_s), {}, {Kind::Trouble});
    row("something else is wrong later", troubled(runs, u"a"_s), troubled(runs, u"b"_s), {Kind::Trouble}, {});
    row("wrong with the first step", runs, troubled(atStep(1), u"a"_s), {Kind::Started},
        {Kind::FirstStep, Kind::Trouble});
    row("ends", runs, done, {}, {Kind::Ended});
    row("ends while it waits", waits, jobIn(JobState::Cancelled), {}, {Kind::Ended});
    row("ends wrong: the end says it", runs, troubled(jobIn(JobState::Failed), u"a"_s), {}, {Kind::Ended});
    row("end was told", runs, done, {Kind::Ended}, {});
    row("stays ended", done, done, {}, {});
}

void JobNewsTest::whatIsTold()
{
    QFETCH(const std::optional<FollowedJob>, before);
    QFETCH(const FollowedJob, now);
    QFETCH(const Kinds, told);
    QFETCH(const Kinds, news);
    QCOMPARE(kinds(jobNews(before, now, told)), news);
}

void JobNewsTest::wordsAreExact()
{
    FollowedJob runs = jobIn(JobState::Running);
    runs.nodes = 2;
    const JobNews start = jobNews(jobIn(JobState::Pending), runs, {}).value(0);
    QCOMPARE(start.title, u"Job 4711 (llama) on LUMI has started"_s);
    QCOMPARE(start.text, u"It runs on 2 nodes."_s);
    FollowedJob first = atStep(1);
    first.progress->loss = 2.5;
    const JobNews step = jobNews(runs, first, {Kind::Started}).value(0);
    QCOMPARE(step.title, u"Job 4711 (llama) on LUMI has done its first step"_s);
    QCOMPARE(step.text, u"It trains: loss 2.5."_s);
    const JobNews wrong = jobNews(runs, troubled(runs, u"Rank 3 hangs"_s), {}).value(0);
    QCOMPARE(wrong.title, u"Job 4711 (llama) on LUMI: something is wrong"_s);
    QCOMPARE(wrong.text, u"Rank 3 hangs"_s);
    FollowedJob ended = jobIn(JobState::Failed);
    ended.verdict = u"It failed with exit code 1."_s;
    const JobNews end = jobNews(runs, ended, {}).value(0);
    QCOMPARE(end.title, u"Job 4711 (llama) on LUMI has ended"_s);
    QCOMPARE(end.text, u"It failed with exit code 1."_s);
    ended.verdict.clear();
    QCOMPARE(jobNews(runs, ended, {}).value(0).text, u"FAILED"_s);
    FollowedJob bare;
    bare.job = u"7"_s;
    bare.state = JobState::Running;
    FollowedJob before = bare;
    before.state = JobState::Pending;
    QCOMPARE(jobNews(before, bare, {}).value(0).title, u"Job 7 has started"_s);
}

void JobNewsTest::wordsDoNoHarm()
{
    FollowedJob job = jobIn(JobState::Running);
    job.name = u"a\u001b[31m\nb\u202e"_s + QString(500, u'x');
    const JobNews wrong = jobNews({}, troubled(job, u"one\n\u009btwo"_s + QString(5000, u'y')), {}).value(0);
    for (const QChar c : QString(wrong.title + wrong.text))
        QVERIFY(c.category() != QChar::Other_Control && c != QChar(0x202e));
    QVERIFY(wrong.title.size() < 250);
    QVERIFY(wrong.text.size() < 250);
}

void JobNewsTest::aNewRunHasNewsOfItsOwn()
{
    const Kinds all{Kind::Started, Kind::FirstStep, Kind::Trouble};
    QCOMPARE(stillTold(jobIn(JobState::Running), atStep(3), all), all);
    QCOMPARE(stillTold(jobIn(JobState::Pending), jobIn(JobState::Pending), all), all);
    QCOMPARE(stillTold(jobIn(JobState::Running), jobIn(JobState::Pending), all), Kinds());
    QCOMPARE(stillTold(jobIn(JobState::Unknown), jobIn(JobState::Pending), all), all);
}

void JobNewsTest::anEndNamesItsCause()
{
    JobRecord job;
    job.state = JobState::Failed;
    job.exitCode = 1;
    Diagnosis cause;
    cause.kind = u"oom_gpu"_s;
    cause.confirmed = false; // it only may be one
    const QString outcome = endInWords(job, {});
    QVERIFY(!outcome.isEmpty());
    QCOMPARE(endInWords(job, {cause}), outcome);
    cause.confirmed = true;
    const QString named = endInWords(job, {cause});
    QVERIFY2(named.endsWith(u". "_s + outcome) && named.contains(u"out of memory"_s), qPrintable(named));
    job.state = JobState::Completed;
    QVERIFY(!endInWords(job, {cause}).contains(u"out of memory"_s));
}

void JobNewsTest::onlyWhatIsWrongIsTrouble()
{
    Alert hint;
    hint.level = Alert::Level::Hint;
    hint.title = u"far more memory than needed"_s;
    Alert warning;
    warning.level = Alert::Level::Warning;
    warning.title = u"idle"_s;
    QCOMPARE(troubleOf({}), QString());
    QCOMPARE(troubleOf({hint}), QString());
    QCOMPARE(troubleOf({hint, warning}), u"idle"_s);
}

void JobNewsTest::stepsThatCount_data()
{
    QTest::addColumn<std::optional<qint64>>("step");
    QTest::addColumn<std::optional<double>>("loss");
    QTest::addColumn<bool>("stepped");
    const std::optional<qint64> noStep;
    const std::optional<double> noLoss;
    QTest::newRow("nothing") << noStep << noLoss << false;
    QTest::newRow("step 0") << std::optional<qint64>(0) << std::optional<double>(9.0) << false;
    QTest::newRow("step 1") << std::optional<qint64>(1) << noLoss << true;
    QTest::newRow("a loss alone") << noStep << std::optional<double>(9.0) << true;
}

void JobNewsTest::stepsThatCount()
{
    QFETCH(const std::optional<qint64>, step);
    QFETCH(const std::optional<double>, loss);
    TrainingProgress progress;
    progress.step = step;
    progress.loss = loss;
    QTEST(hasStepped(progress), "stepped");
}

RANKWRIGHT_TEST_MAIN(JobNewsTest)
#include "tst_jobnews.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/failuretitle.h"
#include "models/insight/diagnosis/explain.h"
#include "tests/app/support/clirun.h"
#include "tests/app/support/jobviews.h"
#include "tests/support/reportcontradictions.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

#include <cmath>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr double replayEveryS = 120;

/// What is wrong with what is said of a job, in words.
class Objections {
public:
    void expect(bool holds, const QString& text)
    {
        if (!holds)
            m_all.append(text);
    }
    void near(const QString& what, std::optional<double> shown, std::optional<double> wanted, double share)
    {
        const bool alike = shown.has_value() == wanted.has_value()
            && (!shown || std::abs(*shown - *wanted) <= share * std::max(std::abs(*shown), std::abs(*wanted)));
        expect(alike, u"%1: %2 instead of %3"_s.arg(what, text(shown), text(wanted)));
    }
    void same(const QString& what, const QString& shown, const QString& wanted)
    {
        expect(shown == wanted, u"%1: “%2” instead of “%3”"_s.arg(what, shown, wanted));
    }
    QString text() const { return m_all.join(u"\n    "_s); }
    bool isEmpty() const { return m_all.isEmpty(); }

private:
    static QString text(std::optional<double> value) { return value ? QString::number(*value, 'g', 6) : u"nothing"_s; }
    QStringList m_all;
};

QString inWords(const Statement& one)
{
    return u"%1 s to %2 s: %3 “%4” %5"_s.arg(one.fromS).arg(one.toS).arg(
        one.alert.kind, one.alert.title, one.alert.seen);
}

/// Nobody is accused, and nothing is wrong: only that is said which is true of the job.
void checkHealthy(const MadeJob& job, const QList<Statement>& said, const QString& view, Objections& objections)
{
    for (const Statement& one : said) {
        const bool isTrue = one.alert.level == Alert::Level::Normal || job.truth.also.contains(one.alert.kind);
        objections.expect(isTrue, view + u", "_s + inWords(one));
    }
}

/// Class, rank and node of what was planted, soon, and nothing else.
void checkPlanted(
    const MadeJob& job, const QList<Statement>& said, const QString& view, double withinS, Objections& objections)
{
    const MadeTruth& truth = job.truth;
    const auto isRight = [&](const Statement& one) {
        return one.alert.kind == truth.alert && (!truth.rank || one.alert.rank == truth.rank)
            && (truth.node.isEmpty() || one.alert.nodes.contains(truth.node));
    };
    QStringList words;
    for (const Statement& one : said) {
        words.append(inWords(one));
        const bool isTrue = one.alert.level <= Alert::Level::Hint || one.alert.kind == truth.alert
            || one.alert.kind == truth.cause || truth.also.contains(one.alert.kind);
        objections.expect(isTrue, view + u", "_s + words.last());
    }
    const auto found = std::find_if(said.begin(), said.end(), isRight);
    objections.expect(found != said.end(), view + u": not said. "_s + words.join(u" | "_s));
    if (found != said.end())
        objections.expect(found->fromS >= truth.faultS - 1 && found->fromS <= truth.faultS + withinS,
            u"%1: said %2 s after it began: "_s.arg(view).arg(found->fromS - truth.faultS) + inWords(*found));
}

std::optional<double> figureOf(const EfficiencyReport& report, const QString& key)
{
    const ReportFigure* figure = report.figure(key);
    return figure ? figure->value : std::nullopt;
}

std::optional<double> numberOf(const QJsonObject& json, const QString& member)
{
    const QJsonValue value = json.value(member);
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

/// No figure is another one elsewhere, and each is that of the samples, the output and Slurm.
void checkFigures(const MadeJob& job, const JobViews& views, const JobViews::Reported& reported, const Answer& json,
    const Answer& text, Objections& objections)
{
    const EfficiencyReport& report = reported.report;
    const JobRow row = views.row();
    const JobViews::Sums sums = views.sums();
    const double ran = double(job.record(job.seconds).elapsed->count);
    // duration and end
    objections.same(u"Jobs, id"_s, row.job.id, report.job.id);
    objections.same(u"Jobs, state"_s, toText(row.job.state), toText(report.job.state));
    objections.near(u"Jobs, run time"_s, double(row.job.elapsed.value_or(Seconds{-1}).count), ran, 0);
    objections.near(u"report, run time"_s, figureOf(report, u"time"_s), ran, 0);
    objections.same(u"Jobs, end"_s, row.note, explainOutcome(report.job));
    if (job.state != JobState::Completed)
        objections.expect(report.verdict.startsWith(row.note), u"verdict without its end: "_s + report.verdict);
    objections.near(u"GPU-hours"_s, figureOf(report, u"gpuHours"_s), job.nodes * job.gpus * ran / 3600, 1e-9);
    // use, power, energy
    objections.near(u"use"_s, figureOf(report, u"gpuUse"_s), sums.use, 0.02);
    const double joules = figureOf(report, u"gpuEnergy"_s).value_or(0) * 3.6e6;
    objections.near(u"energy"_s, joules, sums.energyJoules, 0.03);
    const int meters = report.recorded ? report.recorded->meters : 0;
    objections.near(u"power times time"_s,
        figureOf(report, u"power"_s).value_or(0) * meters * (report.recorded ? report.recorded->powerSeenShare : 0)
            * (report.recorded ? report.recorded->jobSeconds() : 0),
        joules, 0.03);
    objections.expect(sums.unused.size() == job.truth.unused, u"the job itself: %1 unused"_s.arg(sums.unused.size()));
    const bool says = report.findings.join(u' ').contains(u"Never at work"_s)
        || report.verdict.contains(u"never did any work"_s) || report.verdict.contains(u"did any work"_s);
    objections.expect(says == (job.truth.unused > 0), u"unused GPUs: "_s + report.findings.join(u" / "_s));
    // the training
    if (job.truth.stepSeconds)
        objections.near(u"live, step"_s, views.progress().stepSeconds, job.truth.stepSeconds, 0.05);
    objections.near(u"report, step"_s, figureOf(report, u"stepTime"_s), views.progress().stepSeconds, 1e-9);
    if (job.truth.steps) {
        objections.near(u"live, steps"_s, double(views.progress().step.value_or(-1)), double(*job.truth.steps), 0);
        objections.near(u"report, steps"_s, figureOf(report, u"steps"_s), double(*job.truth.steps), 0);
    }
    // the command line
    const QJsonObject shown = json.json().value(u"jobs"_s).toArray().at(0).toObject();
    objections.near(u"JSON, run time"_s, numberOf(shown, u"elapsedSeconds"_s), ran, 0);
    for (const auto& [member, key] : {std::pair(u"gpuUsePercent"_s, u"gpuUse"_s), {u"gpuPowerWatts"_s, u"power"_s},
             {u"gpuEnergyKilowattHours"_s, u"gpuEnergy"_s}, {u"stepSeconds"_s, u"stepTime"_s},
             {u"samplesPerSecond"_s, u"samplesPerSecond"_s}, {u"cpusBusy"_s, u"cpu"_s}})
        objections.near(u"JSON, "_s + member, numberOf(shown, member), figureOf(report, key), 1e-9);
    for (const QString& key : {u"gpuUse"_s, u"gpuEnergy"_s, u"stepTime"_s, u"gpuHours"_s}) {
        if (const ReportFigure* figure = report.figure(key); figure && figure->value)
            objections.expect(text.out.contains(figure->text), u"text without %1, %2"_s.arg(key, figure->text));
    }
    objections.same(u"JSON, grade"_s, shown.value(u"grade"_s).toString(), toText(report.grade));
    objections.same(u"JSON, verdict"_s, shown.value(u"verdict"_s).toString(), report.verdict);
    if (!report.diagnoses.isEmpty()) { // without the output the command line knows it from the alerts
        const QString title = failureTitle(report.diagnoses.first(), OutputState::Whole);
        objections.expect(text.out.contains(title), u"text without its cause, “%1”: "_s.arg(title) + text.out);
    }
    for (const QString& one : contradictionsIn(report, reported.inputs))
        objections.expect(false, u"the report contradicts itself: "_s + one);
}

/// The cause is one, wherever it is named.
void checkCause(const MadeJob& job, const JobViews& views, const EfficiencyReport& report, Objections& objections)
{
    QStringList kinds;
    for (const Diagnosis& one : report.diagnoses)
        kinds.append(one.kind);
    const QString live = job.state == JobState::Completed ? QString() : firstFailure(views.failures());
    objections.same(u"report, cause"_s, kinds.value(0), job.truth.cause);
    objections.same(u"live, cause"_s, live, job.truth.cause);
    if (!report.diagnoses.isEmpty() && !views.failures().isEmpty()) {
        const Diagnosis &one = report.diagnoses.first(), &other = views.failures().first();
        objections.expect(one.rank == other.rank && one.node == other.node && one.kind == other.kind,
            u"live and report name different ranks: %1 and %2"_s.arg(other.rank.value_or(-1))
                .arg(one.rank.value_or(-1)));
        if (job.truth.rank && job.truth.alert == job.truth.cause)
            objections.expect(one.rank == job.truth.rank, u"rank %1 failed first"_s.arg(one.rank.value_or(-1)));
    }
    objections.expect(
        job.truth.mayStandStill || !report.verdict.contains(u"stood still"_s), u"stood still: "_s + report.verdict);
}

void checkViews(const MadeJob& job, const JobViews& views, const QString& folder, Objections& objections)
{
    const JobViews::Reported reported = views.report();
    const QStringList asked{
        u"report"_s, job.machine.cluster, reported.report.job.id, u"--offline"_s, u"--data-dir"_s, folder};
    const Answer json = run(asked + QStringList{u"--json"_s}), text = run(asked);
    objections.expect(json.code == 0 && text.code == 0, json.err + text.err);
    checkFigures(job, views, reported, json, text, objections);
    checkCause(job, views, reported.report, objections);
    for (const QString& finding : reported.report.findings)
        objections.expect(!finding.contains(u"fail"_s) || !job.truth.cause.isEmpty() || !job.truth.alert.isEmpty(),
            u"finding: "_s + finding);
}

} // namespace

/// Fifty made-up jobs of minutes to hours, each watched from its start to its end: the live page, the replay, the
/// report, the Jobs page and the command line evaluate from the same statements. Twenty are healthy, and nobody is
/// accused; in the others class, rank and node are right.
class OneVerdictTest final : public Suite {
    Q_OBJECT
private slots:
    void healthy_data();
    void healthy();
    void planted_data();
    void planted();

private:
    Catalogue m_catalogue = loadCatalogue({});
};

Q_DECLARE_METATYPE(MadeJob)

void OneVerdictTest::healthy_data()
{
    QTest::addColumn<MadeJob>("job");
    for (const MadeJob& job : healthyJobs())
        QTest::newRow(job.name.constData()) << job;
}

void OneVerdictTest::healthy()
{
    QFETCH(MadeJob, job);
    QTemporaryDir folder;
    JobViews views(job, m_catalogue, folder.path());
    views.watch();
    Objections objections;
    checkHealthy(job, views.live(), u"live"_s, objections);
    checkHealthy(job, views.replay(replayEveryS), u"replay"_s, objections);
    checkViews(job, views, folder.path(), objections);
    QVERIFY2(objections.isEmpty(), qPrintable(u"\n    "_s + objections.text()));
}

void OneVerdictTest::planted_data()
{
    QTest::addColumn<MadeJob>("job");
    for (const MadeJob& job : faultyJobs())
        QTest::newRow(job.name.constData()) << job;
}

void OneVerdictTest::planted()
{
    QFETCH(MadeJob, job);
    QTemporaryDir folder;
    JobViews views(job, m_catalogue, folder.path());
    views.watch();
    Objections objections;
    const QList<Statement> replayed = views.replay(replayEveryS / 4);
    if (job.truth.alert.isEmpty()) {
        checkHealthy(job, views.live(), u"live"_s, objections);
        checkHealthy(job, replayed, u"replay"_s, objections);
    } else {
        checkPlanted(job, views.live(), u"live"_s, job.truth.withinS, objections);
        if (job.truth.faultS + job.truth.withinS + replayEveryS < job.seconds)
            checkPlanted(job, replayed, u"replay"_s, job.truth.withinS + replayEveryS / 2, objections);
    }
    checkViews(job, views, folder.path(), objections);
    QVERIFY2(objections.isEmpty(), qPrintable(u"\n    "_s + objections.text()));
}

RANKWRIGHT_TEST_MAIN(OneVerdictTest)
#include "tst_oneverdict.moc"

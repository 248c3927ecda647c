// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/design.h"
#include "models/teaching/guide/guidechecks.h"
#include "models/teaching/guide/guideclosing.h"
#include "models/teaching/guide/guidescript.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What the guide says before and after a launch: the script's parts, the checks, the three sentences at the end.
class GuideTextsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void partsHoldTheWholeScript_data();
    void partsHoldTheWholeScript();
    void checksLeadToTheirSteps();
    void entriesAreAskedForOnRealClusters();
    void expectationsSayWhatIsNotKnown();
    void summaryGrowsWithTheSteps();
    void stagesFollowSlurm();
    void closesWithThreeSentences();
    void closesWithoutAReport();
    void closesAFailure();

private:
    Derived derivedOf(const GuideContext& context) const { return derive(context.spec, context.profile()); }
    GuideContext context(const QString& cluster) const { return {m_catalogue, guidedDesign(cluster, m_catalogue)}; }

    const Catalogue m_catalogue = loadCatalogue();
};

void GuideTextsTest::partsHoldTheWholeScript_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    for (const QString& cluster : {u"practice"_s, u"lumi"_s, u"leonardo"_s, u"alps-clariden"_s, u"mahti"_s}) {
        for (const auto& [nodes, gpus] : {std::pair(1, 1), std::pair(1, 4), std::pair(2, 4)})
            QTest::addRow("%s %dx%d", qPrintable(cluster), nodes, gpus) << cluster << nodes << gpus;
    }
}

void GuideTextsTest::partsHoldTheWholeScript()
{
    QFETCH(QString, cluster);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    GuideContext asked = context(cluster);
    asked.spec.resources.nodes = nodes;
    asked.spec.resources.gpusPerNode = gpus;
    const Derived derived = derivedOf(asked);
    const auto parts = guideScriptParts(derived.script, derived.resolved);
    QVERIFY2(parts.size() >= 4 && parts.size() <= 6, qPrintable(QString::number(parts.size())));
    QSet<int> lines;
    QSet<QString> ids;
    for (const GuideScriptPart& part : parts) {
        ids.insert(part.id);
        QVERIFY(!part.title.isEmpty() && part.text.endsWith(u'.'));
        for (const int line : part.lines) {
            QVERIFY(!lines.contains(line));
            lines.insert(line);
        }
    }
    QVERIFY(ids.contains(u"request"_s) && ids.contains(u"launch"_s));
    for (int line = 0; line < derived.script.lines.size(); ++line)
        QCOMPARE(lines.contains(line), !derived.script.lines.at(line).text.trimmed().isEmpty());
    // The orders to Slurm are in the first part, the program in the last.
    for (const int line : derived.script.linesOf(field::nodes))
        QVERIFY(!derived.script.lines.at(line).text.startsWith(u"#SBATCH"_s) || parts.first().lines.contains(line));
    const auto launch = std::find_if(
        parts.cbegin(), parts.cend(), [](const GuideScriptPart& part) { return part.id == u"launch"_s; });
    QString text;
    for (const int line : launch->lines)
        text += derived.script.lines.at(line).text + u'\n';
    QVERIFY2(text.contains(derived.resolved.command.section(u' ', 0, 0)), qPrintable(text));
}

void GuideTextsTest::checksLeadToTheirSteps()
{
    GuideContext asked = context(u"lumi"_s);
    GuideSurroundings around;
    const auto find = [](const QList<GuideCheck>& checks, const QString& id) {
        for (const GuideCheck& check : checks) {
            if (check.id == id)
                return check;
        }
        return GuideCheck();
    };
    auto checks = guideChecks(derivedOf(asked), asked, around);
    QCOMPARE(find(checks, u"connection"_s).tone, Tone::Bad);
    QVERIFY(find(checks, u"findings"_s).blocks()); // no project pays yet
    QVERIFY(find(checks, u"program"_s).blocks());
    QCOMPARE(find(checks, u"memory"_s).tone, Tone::Good);
    around.link.activity = u"reading the SSH configuration"_s;
    QCOMPARE(find(guideChecks(derivedOf(asked), asked, around), u"connection"_s).tone, Tone::Busy);
    around.isOnline = true;
    asked.spec.account = u"project_465000001"_s;
    asked.spec.command = u"train.py"_s;
    checks = guideChecks(derivedOf(asked), asked, around);
    for (const GuideCheck& check : checks)
        QVERIFY2(!check.blocks(), qPrintable(check.title + check.text));
    asked.spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    asked.spec.resources.nodes = 1;
    asked.spec.resources.gpusPerNode = 8;
    asked.spec.parallel.strategy = Strategy::Ddp;
    const GuideCheck memory = find(guideChecks(derivedOf(asked), asked, around), u"memory"_s);
    QVERIFY(memory.blocks());
    QCOMPARE(memory.leadsTo, GuideStep::Fits);
}

void GuideTextsTest::entriesAreAskedForOnRealClusters()
{
    const GuideContext practice = context(u"practice"_s);
    QVERIFY(guideLaunchEntries(derivedOf(practice), practice).isEmpty());
    GuideContext lumi = context(u"lumi"_s);
    ClusterFacts facts;
    facts.accounts = {u"project_465000001"_s};
    lumi.facts = facts;
    const auto entries = guideLaunchEntries(derivedOf(lumi), lumi);
    QCOMPARE(entries.size(), 3);
    QCOMPARE(entries.first().field, QString(field::account));
    QCOMPARE(entries.first().choices, facts.accounts);
    QVERIFY(!entries.first().trouble.isEmpty());
    lumi.settled.locks.insert(QString(field::account), u"of the class"_s);
    QCOMPARE(guideLaunchEntries(derivedOf(lumi), lumi).size(), 2);
}

void GuideTextsTest::expectationsSayWhatIsNotKnown()
{
    const GuideContext lumi = context(u"lumi"_s);
    const QDateTime now = QDateTime::currentDateTime();
    GuideSurroundings around;
    const auto unknown = guideExpectation(derivedOf(lumi), lumi, around, now);
    QVERIFY(unknown.start.contains(u"Not known"_s));
    QVERIFY2(unknown.cost.contains(u"GPU-hour"_s), qPrintable(unknown.cost));
    StartForecast forecast;
    forecast.start = now.addSecs(7200);
    around.forecast = Result<StartForecast>(forecast);
    QVERIFY(guideExpectation(derivedOf(lumi), lumi, around, now).start.contains(u"2"_s));
    const auto slurm = [&] { return guideChecks(derivedOf(lumi), lumi, around).last(); };
    QCOMPARE(slurm().tone, Tone::Good);
    around.forecast = Result<StartForecast>(fail(Fault::RemoteExit, u"The project has used up its time."_s));
    QCOMPARE(slurm().tone, Tone::Warn);
    QVERIFY(slurm().text.contains(u"used up"_s));
    QVERIFY(!slurm().blocks());
    // a dry run that was not asked is neither yes nor no
    StartForecast unasked;
    unasked.answer = StartForecast::Answer::NotAsked;
    unasked.note = u"No dry run was made: five a minute."_s;
    around.forecast = Result<StartForecast>(unasked);
    QCOMPARE(slurm().tone, Tone::Quiet);
    QVERIFY(slurm().title.contains(u"not known"_s));
    QCOMPARE(slurm().text, unasked.note);
    around.forecast = Result<StartForecast>(StartForecast()); // taken, without an estimate
    QCOMPARE(slurm().tone, Tone::Good);
    QVERIFY(guideExpectation(derivedOf(lumi), lumi, around, now).start.contains(u"Not known"_s));
    GuideContext nowhere = lumi;
    nowhere.spec.cluster = u"no such cluster"_s;
    QVERIFY(guideExpectation(derivedOf(nowhere), nowhere, {}, now).cost.contains(u"Not known"_s));
}

void GuideTextsTest::summaryGrowsWithTheSteps()
{
    const GuideContext asked = context(u"practice"_s);
    const Derived derived = derivedOf(asked);
    QCOMPARE(guideSummary(derived, asked, GuideStep::Where).size(), 1);
    QCOMPARE(guideSummary(derived, asked, GuideStep::What).last().text, u"GPT-Neo 1.3B"_s);
    const auto all = guideSummary(derived, asked, GuideStep::Launch);
    QVERIFY(all.size() >= 4);
    QCOMPARE(all.at(2).text, u"8 GCDs"_s);
    QCOMPARE(all.at(3).text, u"DDP"_s);
}

void GuideTextsTest::stagesFollowSlurm()
{
    const QDateTime now = QDateTime::currentDateTime();
    JobRecord record;
    QCOMPARE(guideStage(record, GuideLaunch::NotYet), GuideStage::NotLaunched);
    QCOMPARE(guideStage(record, GuideLaunch::Done), GuideStage::Queued);
    record.state = JobState::Pending;
    record.reason = u"Priority"_s;
    QCOMPARE(guideStage(record, GuideLaunch::Done), GuideStage::Queued);
    QVERIFY(guideStageText(record, now).contains(u"ahead of yours"_s));
    record.state = JobState::Running;
    QVERIFY(!guideStageText(record, now).contains(u'0')); // not known since when
    record.started = now.addSecs(-75);
    record.nodeList = {u"nid1"_s};
    QCOMPARE(guideStage(record, GuideLaunch::Done), GuideStage::Running);
    QVERIFY(guideStageText(record, now).contains(u"nid1"_s));
    record.state = JobState::Completed;
    QCOMPARE(guideStage(record, GuideLaunch::Done), GuideStage::Completed);
    record.state = JobState::Failed;
    QCOMPARE(guideStage(record, GuideLaunch::Done), GuideStage::Ended);
}

void GuideTextsTest::closesWithThreeSentences()
{
    JobRecord record;
    record.state = JobState::Completed;
    record.gpus = 8;
    record.elapsed = Seconds{90};
    EfficiencyReport report;
    ReportFigure use;
    use.key = u"gpuUse"_s;
    use.value = 87;
    use.text = u"87 %"_s;
    ReportFigure cost;
    cost.key = u"cost"_s;
    cost.value = 0.1;
    cost.text = u"0.1 GPU-hours"_s;
    cost.of = u"of at most 1"_s;
    report.figures = {use, cost};
    ReportAdvice advice;
    advice.text = u"Ask for 5 minutes"_s;
    report.advice = {advice};
    const GuideClosing real = guideClosing(record, &report, u"GCD"_s, GuideBilling::Billed);
    QVERIFY2(real.use.contains(u"8 GCDs"_s) && real.use.contains(u"87 %"_s), qPrintable(real.use));
    QVERIFY2(real.cost.contains(u"0.1 GPU-hours"_s) && real.cost.contains(u"of at most 1"_s), qPrintable(real.cost));
    QCOMPARE(real.next, u"Next: ask for 5 minutes."_s);
    const GuideClosing free = guideClosing(record, &report, u"GCD"_s, GuideBilling::Free);
    QVERIFY(free.cost.startsWith(u"It cost nothing"_s));
    for (const QString& sentence : {real.use, real.cost, real.next, free.cost})
        QVERIFY2(sentence.endsWith(u'.') && !sentence.contains(u".."_s), qPrintable(sentence));
}

void GuideTextsTest::closesWithoutAReport()
{
    JobRecord record;
    record.state = JobState::Completed;
    const GuideClosing closing = guideClosing(record, nullptr, u"GPU"_s, GuideBilling::Billed);
    QVERIFY(closing.use.contains(u"not known"_s));
    QVERIFY(closing.cost.contains(u"not known"_s));
    QVERIFY(!closing.use.contains(u'0') && !closing.cost.contains(u'0'));
    QVERIFY(!closing.next.isEmpty());
}

void GuideTextsTest::closesAFailure()
{
    JobRecord record;
    record.state = JobState::OutOfMemory;
    record.gpus = 1;
    const GuideClosing closing = guideClosing(record, nullptr, u"GPU"_s, GuideBilling::Free);
    QVERIFY2(closing.use.contains(u"memory"_s), qPrintable(closing.use));
    QVERIFY(closing.next.contains(u"Live"_s));
}

RANKWRIGHT_TEST_MAIN(GuideTextsTest)
#include "tst_guidetexts.moc"

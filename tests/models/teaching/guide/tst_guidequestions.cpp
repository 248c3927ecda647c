// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/estimatetext.h"
#include "models/script/document/design.h"
#include "models/teaching/guide/guidechecks.h"
#include "models/teaching/guide/guideclosing.h"
#include "models/teaching/guide/guidequestions.h"
#include "tests/support/testbase.h"

#include <QRegularExpression>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The guide's questions against what the estimate says of the same designs.
class GuideQuestionsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void everySiteAndModel_data();
    void everySiteAndModel();
    void enterAloneLeadsToALaunch();
    void choosingIsOneAnswer_data();
    void choosingIsOneAnswer();
    void ownSizesAreShownAsTheyAre();
    void whatDoesNotFitCanBeLookedAt();
    void tooManyNodesAreRefusedByName();
    void anotherClusterTakesNoNamesAlong();
    void thePracticeProgramDoesWhatIsShown();
    void lockedQuestionsHaveOneAnswer();
    void onlyWhatIsAllowedIsOffered();
    void newWordsAreExplainedAtOnce();
    void entriesAreReadOrRefused();
    void theBatchIsSharedEvenly();

private:
    GuideContext context(const QString& cluster, const QJsonObject& model = {}) const
    {
        GuideContext made{m_catalogue, guidedDesign(cluster, m_catalogue)};
        if (!model.isEmpty())
            made.spec = withModel(made, model);
        if (const ClusterProfile* profile = m_catalogue.find(cluster))
            made.spec.account = profile->launch.accountExample;
        return made;
    }
    QStringList errorsOf(const JobSpec& spec) const
    {
        const ClusterProfile* profile = m_catalogue.find(spec.cluster);
        const Derived derived = derive(spec, *profile);
        QStringList texts;
        for (const Finding& finding : derived.findings()) {
            if (finding.severity == Severity::Error)
                texts.append(finding.slug + u": "_s + finding.text);
        }
        return texts;
    }

    const Catalogue m_catalogue = loadCatalogue();
};

namespace {

const QList<GuideStep> asking{GuideStep::Where, GuideStep::What, GuideStep::HowMany, GuideStep::Fits};

int advisedIn(const GuideQuestion& question)
{
    return int(std::count_if(
        question.answers.cbegin(), question.answers.cend(), [](const GuideAnswer& answer) { return answer.advised; }));
}

} // namespace

void GuideQuestionsTest::everySiteAndModel_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QJsonObject>("model");
    for (const QString& cluster : {u"practice"_s, u"lumi"_s, u"leonardo"_s, u"alps-clariden"_s}) {
        for (const double size : {60e6, 350e6, 1.3e9, 7e9, 13e9, 70e9})
            QTest::addRow("%s, %.0f million", qPrintable(cluster), size / 1e6)
                << cluster << QJsonObject{{u"parameters"_s, size}};
        QTest::addRow("%s, Llama 3 8B", qPrintable(cluster)) << cluster << QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    }
}

void GuideQuestionsTest::everySiteAndModel()
{
    QFETCH(QString, cluster);
    QFETCH(QJsonObject, model);
    const GuideContext asked = context(cluster, model);
    const ClusterProfile& profile = asked.profile();
    static const QRegularExpression digit(u"\\d"_s);
    for (const GuideStep step : asking) {
        const GuideQuestion question = guideQuestion(step, asked);
        const QString at = guideStepName(step);
        QVERIFY2(question.answers.size() >= 2 && question.answers.size() <= 4,
            qPrintable(u"%1: %2 answers"_s.arg(at).arg(question.answers.size())));
        QVERIFY2(question.chosenAnswer(), qPrintable(at));
        QVERIFY2(advisedIn(question) <= 1, qPrintable(at));
        QVERIFY2(question.chosenAnswer()->spec == asked.spec, qPrintable(at)); // choosing it again changes nothing
        QSet<QString> ids;
        for (const GuideAnswer& answer : question.answers) {
            ids.insert(answer.id);
            QVERIFY2(!answer.title.isEmpty() && answer.why.contains(digit),
                qPrintable(u"%1, %2: %3"_s.arg(at, answer.title, answer.why)));
            QVERIFY2(answer.why.contains(u"The price:"_s) || !answer.estimate, qPrintable(answer.why));
            if (step != GuideStep::HowMany && step != GuideStep::Fits)
                continue;
            // No verdict but the estimate's of that very design.
            const GuideTrial trial = tried(answer.spec, profile, {});
            QVERIFY_RESULT(trial.estimate);
            if (answer.verdict != u"Never starts")
                QCOMPARE(answer.verdict, EstimateText::verdict(trial.estimate->memory.verdict));
            if (step == GuideStep::Fits)
                QCOMPARE(answer.works(), trial.estimate->memory.verdict != FitVerdict::DoesNotFit);
        }
        QCOMPARE(ids.size(), question.answers.size());
        QVERIFY2(guideObstacle(question).isEmpty(), qPrintable(at + u": "_s + guideObstacle(question)));
    }
    QCOMPARE(errorsOf(asked.spec).join(u'\n'), QString());
}

/// At each step the answer that is chosen already, and the design can be sent.
void GuideQuestionsTest::enterAloneLeadsToALaunch()
{
    for (const QString& cluster : {u"practice"_s, u"lumi"_s, u"leonardo"_s}) {
        GuideContext asked = context(cluster);
        for (const GuideStep step : asking) {
            const GuideQuestion question = guideQuestion(step, asked);
            QVERIFY(question.chosenAnswer());
            asked.spec = question.chosenAnswer()->spec;
        }
        QCOMPARE(errorsOf(asked.spec).join(u'\n'), QString());
        const GuideTrial trial = tried(asked.spec, asked.profile(), {});
        QVERIFY_RESULT(trial.estimate);
        QVERIFY(mayRun(trial.estimate->memory));
    }
}

void GuideQuestionsTest::choosingIsOneAnswer_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::newRow("practice") << u"practice"_s;
    QTest::newRow("LUMI") << u"lumi"_s;
    QTest::newRow("Leonardo") << u"leonardo"_s;
}

/// Whatever is chosen is then the chosen one, at this step and when one comes back.
void GuideQuestionsTest::choosingIsOneAnswer()
{
    QFETCH(QString, cluster);
    const GuideContext begun = context(cluster);
    for (const GuideStep step : asking) {
        for (const GuideAnswer& answer : guideQuestion(step, begun).answers) {
            GuideContext asked = begun;
            asked.spec = answer.spec;
            const GuideQuestion again = guideQuestion(step, asked);
            QVERIFY2(again.chosenAnswer(), qPrintable(answer.id));
            QCOMPARE(again.chosenAnswer()->title, answer.title);
            for (const GuideStep other : asking) {
                const GuideQuestion there = guideQuestion(other, asked);
                QVERIFY2(there.chosenAnswer(), qPrintable(guideStepName(other) + u" after "_s + answer.title));
                QVERIFY(there.answers.size() <= 4);
            }
        }
    }
}

/// A design that came from elsewhere is one of the answers, never changed in passing.
void GuideQuestionsTest::ownSizesAreShownAsTheyAre()
{
    GuideContext asked = context(u"lumi"_s);
    asked.spec.resources.nodes = 3;
    asked.spec.resources.gpusPerNode = 5;
    asked.spec.training.globalBatch = 60;
    asked.spec.parallel.strategy = Strategy::Zero1;
    const GuideQuestion sizes = guideQuestion(GuideStep::HowMany, asked);
    QVERIFY(sizes.chosenAnswer());
    QCOMPARE(sizes.chosenAnswer()->spec, asked.spec);
    const GuideQuestion ways = guideQuestion(GuideStep::Fits, asked);
    QVERIFY(ways.chosenAnswer());
    QCOMPARE(ways.chosenAnswer()->spec, asked.spec);
}

void GuideQuestionsTest::whatDoesNotFitCanBeLookedAt()
{
    GuideContext asked = context(u"lumi"_s, {{u"preset"_s, u"llama-3-8b"_s}});
    const GuideAnswer* copies = nullptr;
    const GuideQuestion before = guideQuestion(GuideStep::Fits, asked);
    copies = before.answer(u"ddp"_s);
    QVERIFY(copies);
    QVERIFY(!copies->works());
    QCOMPARE(copies->tone, Tone::Bad);
    QVERIFY(copies->obstacle.contains(u"GiB"_s));
    asked.spec = copies->spec;
    const GuideQuestion after = guideQuestion(GuideStep::Fits, asked);
    QCOMPARE(after.chosenAnswer()->id, u"ddp"_s);
    QVERIFY(!guideObstacle(after).isEmpty());
    QCOMPARE(advisedIn(after), 1);
    // The size is not what is wrong: one can go back through it.
    QCOMPARE(guideObstacle(guideQuestion(GuideStep::HowMany, asked)), QString());
}

void GuideQuestionsTest::tooManyNodesAreRefusedByName()
{
    GuideContext asked = context(u"practice"_s);
    ClusterFacts facts;
    ClusterFacts::PartitionFact one;
    one.name = u"standard-g"_s;
    one.nodes = 1;
    facts.partitions = {one};
    asked.facts = facts;
    const GuideQuestion question = guideQuestion(GuideStep::HowMany, asked);
    const GuideAnswer* two = question.answer(u"2x8"_s);
    QVERIFY(two);
    QVERIFY2(two->obstacle.contains(u"1 node"_s), qPrintable(two->obstacle));
    QVERIFY(question.chosenAnswer()->works());
}

void GuideQuestionsTest::anotherClusterTakesNoNamesAlong()
{
    GuideContext asked = context(u"practice"_s);
    asked.spec.partition = u"small-g"_s;
    asked.spec.workdir = u"/home/somebody"_s;
    QVERIFY(asked.spec.command->startsWith(u"train_ddp.py"_s));
    const JobSpec moved = movedTo(asked.spec, u"leonardo"_s, m_catalogue);
    QVERIFY(!moved.partition && !moved.account && !moved.workdir && !moved.command);
    QCOMPARE(moved.model, asked.spec.model);
    const JobSpec back = movedTo(moved, u"practice"_s, m_catalogue);
    QVERIFY(back.command->startsWith(u"train_ddp.py"_s));
    QCOMPARE(movedTo(back, u"practice"_s, m_catalogue), back);
}

void GuideQuestionsTest::thePracticeProgramDoesWhatIsShown()
{
    const GuideContext asked = context(u"practice"_s);
    const ClusterProfile* practice = m_catalogue.find(u"practice"_s);
    for (const GuideAnswer& size : guideQuestion(GuideStep::HowMany, asked).answers) {
        const ResolvedSpec resolved = resolve(size.spec, *practice);
        const BatchPlan plan = planBatch(resolved);
        const QString batch = u" --global-batch %1 --micro-batch %2 "_s.arg(plan.globalBatch).arg(plan.microBatch);
        QVERIFY2(size.spec.command->contains(batch), qPrintable(*size.spec.command + batch));
        // One process without a launcher has no rank from anybody.
        QCOMPARE(size.spec.command->contains(u"--alone"_s), resolved.worldSize() == 1);
    }
}

void GuideQuestionsTest::lockedQuestionsHaveOneAnswer()
{
    GuideContext asked = context(u"lumi"_s);
    asked.spec.resources.nodes = 1;
    asked.spec.resources.gpusPerNode = 8;
    const QString why = u"The class works on one node."_s;
    asked.settled.locks = {{QString(field::cluster), why}, {QString(field::model), why}, {QString(field::nodes), why},
        {QString(field::gpusPerNode), why}};
    for (const GuideStep step : {GuideStep::Where, GuideStep::What, GuideStep::HowMany}) {
        const GuideQuestion question = guideQuestion(step, asked);
        QCOMPARE(question.answers.size(), 1);
        QCOMPARE(question.lockedWhy, why);
        QVERIFY(question.entries.isEmpty());
        QCOMPARE(guideObstacle(question), QString());
    }
    QVERIFY(guideQuestion(GuideStep::Fits, asked).lockedWhy.isEmpty());
    QVERIFY(!withEntry(asked, field::model, u"7B"_s));
}

/// A class: two nodes would be put back to one, and more than 4 GPUs are refused. What is chosen is never left out.
void GuideQuestionsTest::onlyWhatIsAllowedIsOffered()
{
    GuideContext asked = context(u"lumi"_s);
    asked.spec.resources.nodes = 1;
    asked.spec.resources.gpusPerNode = 8;
    const auto ids = [&](GuideStep step) {
        QStringList ids;
        for (const GuideAnswer& answer : guideQuestion(step, asked).answers)
            ids.append(answer.id);
        return ids;
    };
    QVERIFY(ids(GuideStep::HowMany).contains(u"2x8"_s));
    asked.settled.locks = {{QString(field::nodes), u"The class sets this to 1."_s}};
    asked.settled.kept = [](JobSpec spec) {
        spec.resources.nodes = 1;
        return spec;
    };
    asked.settled.refusal = [](const JobSpec&) { return QString(); };
    QVERIFY(ids(GuideStep::HowMany).contains(u"1x1"_s) && ids(GuideStep::HowMany).contains(u"1x8"_s));
    QVERIFY(!ids(GuideStep::HowMany).contains(u"2x8"_s));
    for (const GuideAnswer& answer : guideQuestion(GuideStep::Fits, asked).answers)
        QCOMPARE(answer.spec.resources.nodes, 1);
    asked.settled.refusal = [](const JobSpec& spec) {
        return spec.resources.gpusPerNode.value_or(8) > 4 ? u"The class allows 4 GPUs."_s : QString();
    };
    const GuideQuestion refused = guideQuestion(GuideStep::HowMany, asked);
    QVERIFY(refused.chosenAnswer());
    QCOMPARE(guideObstacle(refused), u"The class allows 4 GPUs."_s);
    QVERIFY(refused.answer(u"1x1"_s) && refused.answer(u"1x1"_s)->works());
    asked.spec = refused.answer(u"1x1"_s)->spec;
    const GuideQuestion settled = guideQuestion(GuideStep::HowMany, asked);
    QCOMPARE(settled.answers.size(), 1);
    QCOMPARE(settled.lockedWhy, u"The class sets this to 1."_s);
    QCOMPARE(guideObstacle(settled), QString());
}

/// What a site calls its GPUs is said before the first question that uses the word; where it is "GPU", nothing is.
void GuideQuestionsTest::newWordsAreExplainedAtOnce()
{
    QVERIFY(guideQuestion(GuideStep::Where, context(u"lumi"_s)).text.contains(u"A GCD is what Slurm counts"_s));
    QVERIFY(!guideQuestion(GuideStep::Where, context(u"leonardo"_s)).text.contains(u"what Slurm counts"_s));
    QVERIFY(guideQuestion(GuideStep::Watch, context(u"lumi"_s)).text.contains(u"it goes on"_s));
    QVERIFY(!guideWatchText(GuideStage::Completed).contains(u"it goes on"_s));
}

void GuideQuestionsTest::entriesAreReadOrRefused()
{
    const GuideContext asked = context(u"lumi"_s);
    const auto sized = withEntry(asked, field::model, u"7B"_s);
    QVERIFY_RESULT(sized);
    QCOMPARE(guideModelName(*sized), u"a model of 7 billion parameters"_s);
    const auto named = withEntry(asked, field::model, u"Qwen2.5 7B"_s);
    QVERIFY_RESULT(named);
    QCOMPARE(guideModelName(*named), u"Qwen2.5 7B"_s);
    for (const QString& nonsense : {u"no such model"_s, u"-3B"_s, QString(4000, u'x'), u"<b>"_s}) {
        const auto refused = withEntry(asked, field::model, nonsense);
        QVERIFY(!refused);
        QVERIFY(!refused.error().what.isEmpty());
    }
    QVERIFY(!withEntry(asked, field::cluster, u"no such cluster"_s));
    const auto moved = withEntry(asked, field::cluster, u"Leonardo"_s);
    if (moved)
        QCOMPARE(moved->cluster, u"leonardo"_s);
    const auto paid = withEntry(asked, field::account, u"  project_465000002 "_s);
    QVERIFY_RESULT(paid);
    QCOMPARE(paid->account, u"project_465000002"_s);
    QVERIFY(!withEntry(asked, field::time, u"1:00"_s));
}

void GuideQuestionsTest::theBatchIsSharedEvenly()
{
    for (const int nodes : {1, 2, 3, 7, 12}) {
        GuideContext asked = context(u"lumi"_s);
        asked.spec.resources.nodes = nodes;
        asked.spec.resources.gpusPerNode = 8;
        const JobSpec spec = settled(asked.spec, m_catalogue, {});
        const ResolvedSpec resolved = resolve(spec, asked.profile());
        QVERIFY(spec.training.globalBatch);
        QCOMPARE(*spec.training.globalBatch % resolved.dataParallel(), 0);
        QVERIFY(planBatch(resolved).exact);
        const GuideLocks locks{{QString(field::globalBatch), u"of the class"_s}};
        QCOMPARE(settled(asked.spec, m_catalogue, locks).training.globalBatch, asked.spec.training.globalBatch);
    }
}

RANKWRIGHT_TEST_MAIN(GuideQuestionsTest)
#include "tst_guidequestions.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/acknowledgement.h"
#include "models/teaching/learn/explanation.h"
#include "tests/models/support/learndesigns.h"
#include "tests/support/testbase.h"

#include <QSet>

using namespace Qt::StringLiterals;
using namespace rankwright;
using namespace rankwright::test;

/// What learners ask is answered at every site, with its figures or with what is not known.
class QuestionsTest final : public Suite {
    Q_OBJECT
private slots:
    void everyQuestionIsWhole();
    void answersEverywhere_data();
    void answersEverywhere();
    void byHand_data();
    void byHand();
    void anyCluster();
    void followsTheDesign();
    void acknowledges();
    void linesToCopy_data();
    void linesToCopy();
    void aStepNeedsNoModel();
};

void QuestionsTest::everyQuestionIsWhole()
{
    QVERIFY(questions().size() >= 20);
    QSet<QString> ids;
    for (const Question& question : questions()) {
        QVERIFY2(!ids.contains(question.id), qPrintable(question.id));
        ids.insert(question.id);
        // An id names one thing: links and the glossary go by it.
        const Term* term = findTerm(question.id);
        QVERIFY2(term == nullptr || term->id != question.id, qPrintable(question.id));
        QVERIFY2(question.text.endsWith(u'?') && question.words.size() >= 2, qPrintable(question.id));
        QVERIFY2(question.answer != nullptr && !question.related.isEmpty(), qPrintable(question.id));
        for (const QString& other : question.related)
            QVERIFY2(
                findTerm(other) != nullptr && findTerm(other)->id == other, qPrintable(question.id + u": " + other));
        QCOMPARE(findQuestion(question.id), &question);
    }
    QVERIFY(findQuestion(u"no-such-question"_s) == nullptr);
}

void QuestionsTest::answersEverywhere_data()
{
    QTest::addColumn<QString>("cluster");
    for (const QString& name : learnCatalogue().names())
        QTest::newRow(qPrintable(name)) << name;
}

void QuestionsTest::answersEverywhere()
{
    QFETCH(QString, cluster);
    for (const JobSpec& spec : manySpecs(cluster)) {
        const Derived derived = derivedFor(spec);
        for (const Question& question : questions()) {
            const Explanation shown = explain(question, &derived);
            const QString fault = faultIn(shown.numbers);
            QVERIFY2(fault.isEmpty(), qPrintable(cluster + u", " + question.id + u": " + fault));
            QVERIFY2(shown.numbers.size() >= 20, qPrintable(cluster + u", " + question.id));
            QVERIFY2(shown.numbers.endsWith(u'.'), qPrintable(cluster + u", " + question.id + u": " + shown.numbers));
            QVERIFY2(!shown.title.contains(u'{'), qPrintable(question.id));
        }
    }
}

void QuestionsTest::byHand_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("question");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* cluster, const char* question, const QString& part) {
        QTest::addRow("%s %s", cluster, question)
            << QString::fromLatin1(cluster) << QString::fromLatin1(question) << part;
    };
    // LUMI, small-g: 0.5 x max(ceil(cores/8), ceil(memory/64 GiB), GCDs); 14 cores are 2 slices, 120 GiB too.
    row("lumi", "billed-for-cores",
        u"No. On small-g one GCD with its share of 7 cores costs 0.5 GPU-hours for each hour; with 14 cores it costs 1 GPU-hour, as "
        u"much as 2 GCDs."_s);
    row("lumi", "billed-for-memory", u"with 120 GiB it costs 1 GPU-hour, as much as 2 GCDs."_s);
    row("lumi", "mem-per-node", u"--mem=480G and has 2 nodes: 960 GiB in all."_s);
    row("lumi", "what-it-costs", u"8 GPU-hours for each hour, at most 96 GPU-hours for the time limit of 12 h"_s);
    row("lumi", "unused-time", u"it costs 48 GPU-hours instead of 96 GPU-hours."_s);
    row("lumi", "half-the-power",
        u"one sensor serves the 2 GCDs of a package (MI250X). A node of LUMI shows 4 readings for its 8 GCDs"_s);
    row("lumi", "normal-power",
        u"up to 500 W, for its 2 GCDs together. Well-fed training is near that; full use below about 150 W"_s);
    row("lumi", "normal-power", u"About 300 W means one GCD works, about 500 W both."_s);
    row("lumi", "cores-of-a-node",
        u"64 cores, of which the system keeps 8 for itself, so that it does not disturb yours: 56 remain, 7 for each GCD."_s);
    row("lumi", "nccl-or-rccl", u"that word starts RCCL"_s);
    row("lumi", "visible-devices-set", u"It is not set here, because nothing has to be hidden"_s);
    row("lumi", "gpus-per-task", u"only together with --gres-flags=allow-task-sharing"_s);
    row("lumi", "who-prints", u"each line is there 16 times"_s);
    row("lumi", "seeds", u"(here + 0 to + 15)"_s);
    row("lumi", "learning-rate-with-batch", u"from 2 to 64 samples: × 32, or × 5.66."_s);
    row("lumi", "spawn-or-fork", u"LUMI says: If loader workers crash at start"_s);
    row("lumi", "spawn-or-fork", u"starts up to 48 workers on a node."_s);
    row("lumi", "how-many-workers", u"num_workers=6"_s);
    row("lumi", "batch-and-gpus", u"here 2 × 2 × 16 = 64. Twice as many GCDs would make 128 of it"_s);
    row("lumi", "all-gpus-used", u"16 GCDs busy"_s);
    row("lumi", "half-a-gpu", u"one GCD with 64 GiB is the smallest piece"_s);
    row("lumi", "notify-me", u"Not by mail"_s);
    row("lumi", "look-inside", u"take no SSH"_s);
    row("lumi", "log-is-empty", u"sets PYTHONUNBUFFERED"_s);
    row("raven", "billed-for-cores", u"Raven publishes no billing formula"_s);
    row("raven", "nccl-or-rccl", u"it is NCCL itself"_s);
    row("raven", "half-the-power", u"On Raven no: each GPU reports its own power"_s);
    row("raven", "normal-power", u"up to 400 W"_s);
    row("raven", "batch-and-gpus", u"here 32 × 1 × 4 = 128"_s);
    row("raven", "visible-devices-set", u"CUDA_VISIBLE_DEVICES lists the GPUs"_s);
    row("raven", "cores-of-a-node", u"72 cores of a node, 18 for each GPU."_s);
    // Roihu bills GPUs alone (CSC: 200 GPU BU for each); Puhti adds a unit for each core.
    row("puhti", "billed-for-cores", u"No. "_s);
    row("roihu", "billed-for-cores", u"Yes. "_s);
    row("frontier", "torchrun-or-srun", u"not torchrun: OLCF strongly discourages torchrun"_s);
    row("perlmutter", "visible-devices-set", u"CUDA_VISIBLE_DEVICES"_s);
}

void QuestionsTest::byHand()
{
    QFETCH(QString, cluster);
    QFETCH(QString, question);
    QFETCH(QString, part);
    JobSpec spec;
    spec.cluster = cluster;
    const Derived derived = derivedFor(cluster == u"lumi" ? lumiSpec() : cluster == u"raven" ? ravenSpec() : spec);
    const Question* known = findQuestion(question);
    QVERIFY(known != nullptr);
    const QString answer = typed(known->answer(LearnFigures(derived)));
    QVERIFY2(answer.contains(part), qPrintable(answer + u"\nlacks: " + part));
}

/// Of a cluster that nothing is known of, its title is not a name.
void QuestionsTest::anyCluster()
{
    JobSpec spec;
    spec.cluster = u"generic"_s;
    const Derived derived = derivedFor(spec);
    QCOMPARE(explain(*findQuestion(u"billed-for-cores"_s), &derived).numbers,
        u"The partitions of this cluster are not described here, so this is not known."_s);
    QVERIFY(explain(*findTerm(u"billing-unit"_s), &derived).numbers.startsWith(u"This cluster publishes no"));
}

/// The same question, another design: another answer.
void QuestionsTest::followsTheDesign()
{
    JobSpec one = lumiSpec();
    one.partition = u"small-g"_s;
    one.resources.nodes = 1;
    one.resources.gpusPerNode = 1;
    const Derived small = derivedFor(one);
    QVERIFY(findQuestion(u"who-prints"_s)->answer(LearnFigures(small)).contains(u"has one rank"_s));
    QVERIFY(findQuestion(u"seeds"_s)->answer(LearnFigures(small)).contains(u"one seed"_s));
    JobSpec own = lumiSpec();
    own.environment.variables.insert(u"ROCR_VISIBLE_DEVICES"_s, u"0,1"_s);
    const Derived set = derivedFor(own);
    QVERIFY(findQuestion(u"visible-devices-set"_s)->answer(LearnFigures(set)).contains(u"sets it to"_s));
    QVERIFY(findTerm(u"visible-devices"_s)->numbers(LearnFigures(set)).contains(u"sets ROCR_VISIBLE_DEVICES to"_s));
}

void QuestionsTest::linesToCopy_data()
{
    QTest::addColumn<QString>("question");
    QTest::addColumn<QString>("part");
    QTest::newRow("backend") << u"nccl-or-rccl"_s << u"backend=\"nccl\")  # on AMD GPUs this is RCCL"_s;
    QTest::newRow("rank 0") << u"who-prints"_s << u"if is_first:\n    print("_s;
    QTest::newRow("DDP") << u"dataparallel-or-ddp"_s << u"DistributedDataParallel(model.to(local_rank)"_s;
    QTest::newRow("seeds") << u"seeds"_s << u"sampler.set_epoch(epoch)"_s;
    QTest::newRow("spawn") << u"spawn-or-fork"_s << u"multiprocessing_context=\"spawn\""_s;
    QTest::newRow("workers: 7 cores a rank") << u"how-many-workers"_s << u"batch_size=4, num_workers=6"_s;
    // 16 ranks × 4 samples: 16 times the batch of one rank
    QTest::newRow("learning rate") << u"learning-rate-with-batch"_s
                                   << u"lr = base_lr * 16 ** 0.5  # Adam, batch of 64"_s;
    QTest::newRow("sampler") << u"same-data"_s << u"sampler=sampler)"_s;
}

void QuestionsTest::linesToCopy()
{
    QFETCH(QString, question);
    QFETCH(QString, part);
    JobSpec spec = lumiSpec();
    spec.parallel.strategy = Strategy::Ddp;
    spec.training.microBatch = 4;
    spec.training.globalBatch = 64;
    const Derived derived = derivedFor(spec);
    const QString code = explain(*findQuestion(question), &derived).code;
    QVERIFY2(code.contains(part), qPrintable(code));
    QVERIFY2(code.endsWith(u'\n') && !code.contains(u"%1"_s), qPrintable(code));
}

/// The three phases are said and drawn of a design that names none.
void QuestionsTest::aStepNeedsNoModel()
{
    JobSpec spec = lumiSpec();
    spec.parallel.strategy = Strategy::Ddp;
    const Derived derived = derivedFor(spec);
    const Question* question = findQuestion(u"step-of-ddp"_s);
    QVERIFY(question != nullptr);
    QVERIFY(question->picture == TinyPicture::Step);
    const QString answer = explain(*question, &derived).numbers;
    for (const QString& part : {u"Forward:"_s, u"Backward:"_s, u"Step:"_s, u"each of 16 ranks"_s, u"RCCL"_s})
        QVERIFY2(answer.contains(part), qPrintable(answer));
    QVERIFY(pictureText(TinyPicture::Step, pictureFigures(derived)).contains(u"forward"_s));
}

void QuestionsTest::acknowledges()
{
    ClusterProfile site;
    site.title = u"Home"_s;
    site.operatorName = u"the institute"_s;
    const Acknowledgement plain = acknowledgement(site);
    QVERIFY(!plain.known && plain.source.isEmpty());
    QCOMPARE(plain.text, u"The computations of this work were carried out on Home, operated by the institute."_s);
    QCOMPARE(acknowledgement(site, u"AI course\n2026"_s).text,
        u"The computations were carried out on Home, operated by the institute, during AI course 2026."_s);
    site.quirks.append({u"acknowledgement"_s, u"We thank Home\nfor its computers."_s, u"home page"_s});
    const Acknowledgement own = acknowledgement(site);
    QVERIFY(own.known);
    QCOMPARE(own.text, u"We thank Home for its computers."_s);
    QCOMPARE(own.source, u"home page"_s);
    QCOMPARE(acknowledgement(site, u"the course"_s).text, own.text);
    site.quirks.append({u"acknowledgement.course"_s, u"Home was used in {course}."_s, u"home page"_s});
    QCOMPARE(acknowledgement(site, u"the AI course"_s).text, u"Home was used in the AI course."_s);
    QCOMPARE(acknowledgement(site).text, own.text);
    QCOMPARE(acknowledgement(site, {}, u"As the class says."_s).text, u"As the class says."_s);
    ClusterProfile nameless;
    QVERIFY(acknowledgement(nameless).text.contains(u"a Slurm cluster"_s));
}

RANKWRIGHT_TEST_MAIN(QuestionsTest)
#include "tst_questions.moc"

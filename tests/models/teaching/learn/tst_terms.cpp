// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/fieldtable.h"
#include "models/teaching/learn/explanation.h"
#include "models/teaching/learn/term.h"
#include "tests/models/support/learndesigns.h"
#include "tests/support/testbase.h"

#include <QSet>

using namespace Qt::StringLiterals;
using namespace rankwright;
using namespace rankwright::test;

/// Every term has all its parts, and its numbers are those of the design.
class TermsTest final : public Suite {
    Q_OBJECT
private slots:
    void everyTermIsWhole();
    void wordsOfTheField_data();
    void wordsOfTheField();
    void numbersEverywhere_data();
    void numbersEverywhere();
    void byHand_data();
    void byHand();
    void saysTheSitesWord();
    void withoutACluster();
    void fieldsHaveTerms();
    void picturesAreTold();
};

void TermsTest::everyTermIsWhole()
{
    QVERIFY(terms().size() >= 45);
    static const QRegularExpression id(u"^[a-z0-9]+(?:-[a-z0-9]+)*$"_s);
    static const QRegularExpression sentenceEnd(u"[.;:] "_s);
    QSet<QString> ids;
    for (const Term& term : terms()) {
        QVERIFY2(id.match(term.id).hasMatch(), qPrintable(term.id));
        QVERIFY2(!ids.contains(term.id), qPrintable(term.id));
        ids.insert(term.id);
        QVERIFY2(!term.name.isEmpty() && !term.alsoCalled.isEmpty(), qPrintable(term.id));
        QVERIFY2(term.text.endsWith(u'.') && term.text.contains(sentenceEnd), qPrintable(term.id));
        QVERIFY2(term.text.size() > 60 && term.text.size() < 340, qPrintable(term.id));
        QVERIFY2(term.numbers != nullptr, qPrintable(term.id));
        QVERIFY2(term.related.size() >= 2, qPrintable(term.id));
    }
    for (const Term& term : terms()) {
        for (const QString& other : term.related)
            QVERIFY2(ids.contains(other) && other != term.id, qPrintable(term.id + u" -> " + other));
    }
}

void TermsTest::wordsOfTheField_data()
{
    QTest::addColumn<QString>("word");
    // The words of the issue and of the manuals, in spellings that people use.
    for (const QString& word : {u"GCD"_s, u"gpus"_s, u"package"_s, u"nodes"_s, u"partition"_s, u"account"_s,
             u"project"_s, u"GPU-hour"_s, u"billing unit"_s, u"rank"_s, u"LOCAL_RANK"_s, u"local rank"_s,
             u"WORLD_SIZE"_s, u"world-size"_s, u"task"_s, u"srun"_s, u"sbatch"_s, u"torchrun"_s, u"rendezvous"_s,
             u"MASTER_ADDR"_s, u"launcher"_s, u"micro batch"_s, u"micro-batch"_s, u"global batch"_s,
             u"gradient accumulation"_s, u"accumulation"_s, u"DDP"_s, u"FSDP"_s, u"ZeRO"_s, u"zero-1"_s, u"ZeRO-2"_s,
             u"zero3"_s, u"tensor parallel"_s, u"pipeline parallel"_s, u"pipeline bubble"_s, u"expert parallel"_s,
             u"context parallel"_s, u"all-reduce"_s, u"allreduce"_s, u"all-gather"_s, u"reduce-scatter"_s, u"NCCL"_s,
             u"rccl"_s, u"NUMA"_s, u"CPU mask"_s, u"binding"_s, u"ROCR_VISIBLE_DEVICES"_s, u"CUDA_VISIBLE_DEVICES"_s,
             u"container"_s, u"SIF"_s, u"module"_s, u"bf16"_s, u"mixed precision"_s, u"activation recomputation"_s,
             u"optimiser states"_s, u"optimizer state"_s, u"LoRA"_s, u"checkpoint"_s, u"time limit"_s, u"requeue"_s,
             u"job array"_s, u"reservation"_s, u"QoS"_s, u"data loader workers"_s, u"epoch"_s, u"step"_s, u"MFU"_s,
             u"power draw"_s, u"straggler"_s, u"--mem"_s, u"backfill"_s, u"queue"_s, u"Slurm"_s, u"gradients"_s})
        QTest::newRow(qPrintable(word)) << word;
}

void TermsTest::wordsOfTheField()
{
    QFETCH(QString, word);
    const Term* term = findTerm(word);
    if (word == u"data loader workers")
        term = findTerm(u"data-loader workers"_s);
    QVERIFY2(term != nullptr, qPrintable(word));
    QVERIFY(findTerm(u"no such word"_s) == nullptr);
    QVERIFY(findTerm({}) == nullptr);
}

void TermsTest::numbersEverywhere_data()
{
    QTest::addColumn<QString>("cluster");
    for (const QString& name : learnCatalogue().names())
        QTest::newRow(qPrintable(name)) << name;
}

void TermsTest::numbersEverywhere()
{
    QFETCH(QString, cluster);
    for (const JobSpec& spec : manySpecs(cluster)) {
        const Derived derived = derivedFor(spec);
        for (const Term& term : terms()) {
            const Explanation shown = explain(term, &derived);
            for (const QString& part : {shown.title, shown.text, shown.numbers}) {
                if (term.id == u"job-array" && part == shown.text)
                    continue; // "0-9%4" is Slurm's
                const QString fault = part == shown.numbers || part == shown.text ? faultIn(part) : QString();
                QVERIFY2(fault.isEmpty(), qPrintable(cluster + u", " + term.id + u": " + fault));
            }
            QVERIFY2(shown.numbers.endsWith(u'.') || shown.numbers.endsWith(u'?'),
                qPrintable(cluster + u", " + term.id + u": " + shown.numbers));
        }
    }
}

/// Figures worked out by hand from the sites' own pages.
void TermsTest::byHand_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("term");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* cluster, const char* term, const QString& part) {
        QTest::addRow("%s %s", cluster, term) << QString::fromLatin1(cluster) << QString::fromLatin1(term) << part;
    };
    // LUMI: 8 GCDs of 64 GiB on a node, 56 cores and 480 GiB for jobs; 4 GPU-hours for a node and hour.
    row("lumi", "gcd", u"A node of LUMI has 8 GCDs, 64 GiB of memory each. This design takes 16 GCDs on 2 nodes."_s);
    row("lumi", "gpu", u"LUMI counts GCDs as GPUs"_s);
    row("lumi", "package", u"An MI250X holds 2 GCDs: the 16 GCDs of this design are 8 packages."_s);
    row("lumi", "node", u"up to 8 GCDs, 56 cores and 480 GiB. This design takes 2 nodes."_s);
    row("lumi", "numa", u"4 NUMA domains; rank 0 of this design has GCD 0, which is in domain 3."_s);
    row("lumi", "cpu-binding", u"Rank 0 gets the cores 49-55 beside GCD 0, as a mask 0x00fe000000000000."_s);
    row("lumi", "network", u"100 GB/s"_s);
    row("lumi", "world-size", u"2 nodes × 8 GCDs on each = a world size of 16."_s);
    row("lumi", "rank", u"16 ranks, numbered 0 to 15"_s);
    row("lumi", "local-rank", u"from 0 to 7; rank 8 is local rank 0 of the second node."_s);
    row("lumi", "billing-unit",
        u"An hour of this design costs 8 GPU-hours, its whole time limit of 12 h 96 GPU-hours."_s);
    row("lumi", "accumulation", u"each rank adds up 2 micro-batches before it steps"_s);
    row("lumi", "global-batch", u"2 samples × 2 accumulation steps × 16 data-parallel ranks = 64"_s);
    row("lumi", "mem", u"--mem=480G: that much on each of its 2 nodes."_s);
    row("lumi", "nccl", u"On LUMI it is RCCL"_s);
    row("lumi", "power-draw", u"An MI250X of LUMI may draw 500 W, for its 2 GCDs together"_s);
    row("lumi", "torchrun", u"torchrun runs once on each of 2 nodes and starts 8 ranks there."_s);
    row("lumi", "data-loader", u"7 cores: begin with num_workers=6"_s);
    row("lumi", "learning-rate", u"to this design's 64: × 32 by the linear rule, × 5.66 by the square root."_s);
    row("lumi", "login-node", u"lumi.csc.fi"_s);
    // Raven: 4 A100 on a node, 72 cores, 500000 MiB = 488.3 GiB; no prices, no core map.
    row("raven", "gcd", u"Raven has none: one A100 40 GB is one GPU for Slurm and for PyTorch."_s);
    row("raven", "gpu",
        u"A node of Raven has 4 GPUs, 40 GiB of memory each (A100 40 GB). This design takes 4 GPUs on 1 node."_s);
    row("raven", "node", u"up to 4 GPUs, 72 cores and 488.3 GiB."_s);
    row("raven", "package", u"On Raven a package holds one GPU (A100)"_s);
    row("raven", "billing-unit", u"Raven publishes no billing formula"_s);
    row("raven", "nccl", u"On Raven it is NCCL"_s);
    row("raven", "global-batch", u"32 samples × 1 accumulation step × 4 data-parallel ranks = 128"_s);
    row("raven", "power-draw", u"The limit of one A100 of Raven is 400 W."_s);
    row("raven", "network", u"never use the network"_s);
    row("raven", "numa", u"is not known before it starts"_s);
}

void TermsTest::byHand()
{
    QFETCH(QString, cluster);
    QFETCH(QString, term);
    QFETCH(QString, part);
    const Derived derived = derivedFor(cluster == u"lumi" ? lumiSpec() : ravenSpec());
    const Term* known = findTerm(term);
    QVERIFY(known != nullptr);
    const QString numbers = typed(known->numbers(LearnFigures(derived)));
    QVERIFY2(numbers.contains(part), qPrintable(numbers + u"\nlacks: " + part));
}

void TermsTest::saysTheSitesWord()
{
    const Derived lumi = derivedFor(lumiSpec());
    const Derived raven = derivedFor(ravenSpec());
    QVERIFY(explain(*findTerm(u"rank"_s), &lumi).text.contains(u"one GCD."_s));
    QVERIFY(explain(*findTerm(u"rank"_s), &raven).text.contains(u"one GPU."_s));
    QVERIFY(explain(*findTerm(u"package"_s), &lumi).text.contains(u"Two GCDs"_s));
}

void TermsTest::withoutACluster()
{
    for (const Term& term : terms()) {
        const Explanation shown = explain(term, nullptr);
        QVERIFY2(
            shown.numbers.isEmpty() && !shown.text.contains(u'{') && !shown.title.contains(u'{'), qPrintable(term.id));
    }
}

void TermsTest::fieldsHaveTerms()
{
    int known = 0;
    for (const SpecField& field : specFields()) {
        const QString id = termOfField(field.path);
        if (id.isEmpty())
            continue;
        ++known;
        const Term* term = findTerm(id);
        QVERIFY2(term != nullptr && term->id == id, qPrintable(QString(field.path) + u": " + id));
    }
    QVERIFY2(known >= 35, qPrintable(QString::number(known)));
    QCOMPARE(termOfField(field::nodes), u"node"_s);
    QCOMPARE(termOfField(field::microBatch), u"micro-batch"_s);
    QCOMPARE(termOfField(u"model.preset"_s), u"parameters"_s);
    QCOMPARE(termOfField(u"no.such.field"_s), QString());
    QCOMPARE(termOfField({}), QString());
}

void TermsTest::picturesAreTold()
{
    const PictureFigures lumi = pictureFigures(derivedFor(lumiSpec()));
    QCOMPARE(lumi.gpusOfNode, 8);
    QCOMPARE(lumi.perPackage, 2);
    QCOMPARE(lumi.ranks, 16);
    QCOMPARE(lumi.accumulation, 2);
    for (const PictureFigures& figures : {lumi, PictureFigures()}) {
        for (const Term& term : terms()) {
            const QString told = pictureText(term.picture, figures);
            QVERIFY2(faultIn(told).isEmpty() && told.endsWith(u'.'), qPrintable(term.id + u": " + told));
        }
    }
}

RANKWRIGHT_TEST_MAIN(TermsTest)
#include "tst_terms.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/motion/motions.h"
#include "models/planner/motion/stepphases.h"
#include "models/script/document/design.h"
#include "tests/support/testbase.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Moving pictures: what they say is compared with figures computed by hand.
class MotionsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void ringSendsWhatIsPublished();
    void saysTheAllReduceOfADesign();
    void drawsWithoutAModel();
    void phasesOfAStep();
    void saysWhatShardsSend();
    void countsTheTensorSums();
    void saysTheBubble();
    void reducesLargePipelines();
    void addsUpPasses();
    void saysWhetherWorkersKeepUp();
    void offersWhatApplies();
    void framesAreWhole_data();
    void framesAreWhole();
    void followsARealDesign();
};

namespace {

constexpr double gib = 1073741824.0;

MotionFigures ddp(int ranks)
{
    MotionFigures figures;
    figures.gpuWord = u"GCD"_s;
    figures.gpus = ranks;
    figures.data = ranks;
    figures.shardGroup = ranks;
    figures.microBatch = 4;
    figures.globalBatch = 4 * ranks;
    figures.weights = 2 * gib;
    figures.gradients = 4 * gib;
    figures.optimizer = 12 * gib;
    return figures;
}

QString allSentences(const MotionPicture& picture)
{
    QStringList sentences;
    for (const MotionFrame& frame : picture.frames)
        sentences.append(frame.sentence);
    return sentences.join(u'\n');
}

const QList<MotionKind> everyKind{MotionKind::AllReduce, MotionKind::Sharding, MotionKind::Tensor, MotionKind::Pipeline,
    MotionKind::Accumulation, MotionKind::Loading};

} // namespace

void MotionsTest::ringSendsWhatIsPublished()
{
    // Patarasuk and Yuan 2009: 2 (n - 1) / n of the bytes.
    QCOMPARE(ringAllReduceBytes(16 * gib, 1), 0.0);
    QCOMPARE(ringAllReduceBytes(16 * gib, 2), 16 * gib);
    QCOMPARE(ringAllReduceBytes(16 * gib, 16), 30 * gib);
    QCOMPARE(motionSize(512.0 * 1048576), u"512\u2009MiB"_s);
    QCOMPARE(motionSize(14.94 * gib), u"14.9\u2009GiB"_s);
    QCOMPARE(motionSize(1.5 * 1048576), u"1.5\u2009MiB"_s);
}

void MotionsTest::saysTheAllReduceOfADesign()
{
    // 4 GiB over 8 ranks: 7/8 of 4 GiB in each half, 7 GiB in all; 4096 MiB in buckets of 25 MiB are 164.
    const QString text = allSentences(motionPicture(MotionKind::AllReduce, ddp(8)));
    for (const QString& part : {u"8 ranks"_s, u"3.5\u2009GiB"_s, u"7\u2009GiB"_s, u"7/8"_s, u"164 buckets"_s,
             u"2\u2009GiB"_s, u"32 sequences"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u" in:\n"_s + text));
    const QString alone = allSentences(motionPicture(MotionKind::AllReduce, ddp(1)));
    QVERIFY2(alone.contains(u"nothing travels"_s) && !alone.contains(u"ring"_s), qPrintable(alone));
}

void MotionsTest::drawsWithoutAModel()
{
    MotionFigures figures = ddp(16);
    figures.weights.reset();
    figures.gradients.reset();
    figures.optimizer.reset();
    for (const MotionKind kind : everyKind) {
        const MotionPicture picture = motionPicture(kind, figures);
        const QString text = allSentences(picture);
        QVERIFY2(!picture.frames.isEmpty(), qPrintable(text));
        // A figure that is not known is not there at all, least of all as 0.
        QVERIFY2(
            !text.contains(u"GiB"_s) && !text.contains(u"( "_s) && !text.contains(u" 0\u2009"_s), qPrintable(text));
    }
    // No sizes, yet the ring with its 15 rounds is there.
    const MotionPicture ring = motionPicture(MotionKind::AllReduce, figures);
    QVERIFY(allSentences(ring).contains(u"15 rounds"_s));
    QVERIFY(
        std::any_of(ring.frames.begin(), ring.frames.end(), [](const MotionFrame& f) { return !f.arrows.isEmpty(); }));
}

/// In which phases something travels: DDP in the backward pass alone (Li et al. 2020, section 3.2); ZeRO-1 and -2 also
/// after the optimiser's step; ZeRO-3 and FSDP in both passes (Rajbhandari et al. 2020, section 7).
void MotionsTest::phasesOfAStep()
{
    const auto travelling = [](MotionFigures figures, Sharding sharding) {
        figures.sharding = sharding;
        QString phases;
        for (const StepPhase& phase : stepPhases(figures)) {
            phases += phase.exchanges ? u'x' : u'-';
            if (!phase.exchanges && phase.travels != u"Nothing travels."_s)
                return QString();
        }
        return phases;
    };
    QCOMPARE(travelling(ddp(8), Sharding::None), u"-x-"_s);
    QCOMPARE(travelling(ddp(8), Sharding::OptimizerStates), u"-xx"_s);
    QCOMPARE(travelling(ddp(8), Sharding::Gradients), u"-xx"_s);
    QCOMPARE(travelling(ddp(8), Sharding::Full), u"xx-"_s);
    QCOMPARE(travelling(ddp(1), Sharding::None), u"---"_s);
    MotionFigures stages = ddp(1);
    stages.pipeline = 4;
    QCOMPARE(travelling(stages, Sharding::None), u"xx-"_s);
    MotionFigures often = ddp(8);
    often.accumulation = 4;
    QVERIFY(stepPhases(often).at(1).computes.contains(u"4 times"_s));
}

void MotionsTest::saysWhatShardsSend()
{
    MotionFigures figures = ddp(16);
    figures.strategy = Strategy::Fsdp;
    figures.sharding = Sharding::Full;
    figures.layers = 32;
    figures.layerWeights = 0.5 * gib;
    // 18 GiB of states over 16 ranks: 1.125 GiB each. A layer: 15/16 of 512 MiB are 480 MiB. A pass: weights of 32
    // layers (16 GiB) twice and gradients (4 GiB) once, 15/16 of 36 GiB = 33.75 GiB.
    const QString text = allSentences(motionPicture(MotionKind::Sharding, figures));
    for (const QString& part :
        {u"1.1\u2009GiB instead of 18\u2009GiB"_s, u"512\u2009MiB"_s, u"480\u2009MiB"_s, u"33.8\u2009GiB"_s, u"1/16"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u" in:\n"_s + text));
    figures.strategy = Strategy::Zero1;
    figures.sharding = Sharding::OptimizerStates;
    // ZeRO-1: weights and gradients whole, 12/16 GiB of optimiser: 2 + 4 + 0.75.
    const QString zero = allSentences(motionPicture(MotionKind::Sharding, figures));
    QVERIFY2(zero.contains(u"6.8\u2009GiB instead of 18\u2009GiB"_s), qPrintable(zero));
    QVERIFY2(zero.contains(u"sends 3.8\u2009GiB"_s), qPrintable(zero)); // 15/16 of 4 GiB of gradients
    QVERIFY2(zero.contains(u"sends 1.9\u2009GiB"_s), qPrintable(zero)); // 15/16 of 2 GiB of weights
}

void MotionsTest::countsTheTensorSums()
{
    MotionFigures figures = ddp(2);
    figures.tensor = 4;
    figures.layers = 10;
    figures.layerWeights = 0.25 * gib;
    figures.boundary = 64.0 * 1048576;
    // 2 * 3/4 of 64 MiB = 96 MiB an all-reduce; four a layer, ten layers: 3840 MiB.
    const QString text = allSentences(motionPicture(MotionKind::Tensor, figures));
    for (const QString& part :
        {u"96\u2009MiB"_s, u"3.8\u2009GiB"_s, u"256\u2009MiB of each layer's 1\u2009GiB"_s, u"1/4"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u" in:\n"_s + text));
}

void MotionsTest::saysTheBubble()
{
    MotionFigures figures = ddp(1);
    figures.pipeline = 4;
    figures.accumulation = 8;
    figures.layers = 32;
    // Narayanan et al. 2021: (p - 1) / (m + p - 1) = 3/11 = 27 %.
    const MotionPicture picture = motionPicture(MotionKind::Pipeline, figures);
    const QString last = picture.frames.last().sentence;
    QVERIFY2(last.contains(u"3/11"_s) && last.contains(u"27\u2009%"_s), qPrintable(last));
    QVERIFY(picture.frames.first().sentence.contains(u"32 layers"_s));
    // Every pass is in the last frame: 4 stages, 8 micro-batches, forward and backward.
    int passes = 0;
    for (const MotionBox& box : picture.frames.last().boxes)
        passes += box.role == MotionRole::Forward || box.role == MotionRole::Backward ? 1 : 0;
    QCOMPARE(passes, 64);
    // A box that was drawn stays where it is.
    const MotionFrame& middle = picture.frames.at(3);
    for (const MotionBox& box : middle.boxes) {
        const auto& after = picture.frames.at(4).boxes;
        const auto same = std::find_if(after.begin(), after.end(), [&](const MotionBox& b) { return b.id == box.id; });
        QVERIFY(same != after.end());
        QCOMPARE(same->area, box.area);
    }
}

void MotionsTest::reducesLargePipelines()
{
    MotionFigures figures = ddp(1);
    figures.pipeline = 16;
    figures.accumulation = 128;
    const MotionPicture picture = motionPicture(MotionKind::Pipeline, figures);
    QVERIFY2(picture.frames.first().sentence.contains(u"16 stages"_s), qPrintable(picture.frames.first().sentence));
    QVERIFY(picture.frames.first().sentence.contains(u"drawn: 4 stages, 8 micro-batches"_s));
    QVERIFY2(picture.frames.last().sentence.contains(u"15/143"_s), qPrintable(picture.frames.last().sentence));
    // Drawn are 4 stages and 8 micro-batches: 3/11 of the time.
    QVERIFY2(picture.frames.last().sentence.contains(u"smaller drawing 27\u2009%"_s),
        qPrintable(picture.frames.last().sentence));
    bool named = false;
    for (const MotionBox& box : picture.frames.last().boxes)
        named = named || box.label.contains(u"… stage 16"_s);
    QVERIFY(named);
    QVERIFY(picture.frames.last().boxes.size() < 80);
}

void MotionsTest::addsUpPasses()
{
    MotionFigures figures = ddp(4);
    figures.accumulation = 8;
    figures.globalBatch = 128;
    const QString text = allSentences(motionPicture(MotionKind::Accumulation, figures));
    QVERIFY2(text.contains(u"4 × 8 × 4 = 128"_s), qPrintable(text));
    QVERIFY2(text.contains(u"6\u2009GiB"_s), qPrintable(text)); // 2 * 3/4 of 4 GiB, once
}

void MotionsTest::saysWhetherWorkersKeepUp()
{
    MotionFigures figures = ddp(4);
    figures.accumulation = 4;
    figures.stepSeconds = 2;
    figures.cores = 7;
    // A pass takes 0.5 s; seven workers share the work: 3.5 s for one batch.
    const QString text = allSentences(motionPicture(MotionKind::Loading, figures));
    QVERIFY2(text.contains(u"500\u2009ms"_s) && text.contains(u"3.5\u2009s"_s), qPrintable(text));
    figures.stepSeconds.reset();
    QVERIFY(!allSentences(motionPicture(MotionKind::Loading, figures)).contains(u"\u2009s"_s));
}

void MotionsTest::offersWhatApplies()
{
    MotionFigures figures = ddp(8);
    QCOMPARE(motionsFor(figures), (QList{MotionKind::AllReduce, MotionKind::Loading}));
    figures.sharding = Sharding::Full;
    figures.accumulation = 2;
    figures.tensor = 2;
    QCOMPARE(motionsFor(figures),
        (QList{MotionKind::Tensor, MotionKind::Sharding, MotionKind::Accumulation, MotionKind::Loading}));
    QCOMPARE(motionsFor(MotionFigures()), QList{MotionKind::Loading});
}

void MotionsTest::framesAreWhole_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<qint64>("accumulation");
    QTest::addColumn<int>("degree");
    for (const int ranks : {1, 2, 3, 5, 8, 4096}) {
        for (const qint64 accumulation : {1, 2, 8, 100000}) {
            for (const int degree : {1, 2, 7, 64})
                QTest::addRow("%d ranks, %d passes, degree %d", ranks, int(accumulation), degree)
                    << ranks << accumulation << degree;
        }
    }
}

/// Whatever the figures are: at most twelve frames, each a sentence of its own, everything on the sheet.
void MotionsTest::framesAreWhole()
{
    QFETCH(int, ranks);
    QFETCH(qint64, accumulation);
    QFETCH(int, degree);
    MotionFigures figures = ddp(ranks);
    figures.accumulation = accumulation;
    figures.tensor = degree;
    figures.pipeline = degree;
    figures.sharding = ranks % 2 ? Sharding::Full : Sharding::Gradients;
    const QRectF sheet(QPointF(), motionSheet);
    for (const MotionKind kind : everyKind) {
        const MotionPicture picture = motionPicture(kind, figures);
        QVERIFY(!picture.title.isEmpty() && !motionName(kind).isEmpty());
        QVERIFY(!picture.frames.isEmpty() && picture.frames.size() <= 12);
        QCOMPARE(picture.kind, kind);
        QSet<QString> sentences;
        for (const MotionFrame& frame : picture.frames) {
            // No placeholder is left over.
            static const QRegularExpression placeholder(u"%[0-9]"_s);
            QVERIFY2(
                frame.sentence.endsWith(u'.') && !frame.sentence.contains(placeholder), qPrintable(frame.sentence));
            QVERIFY2(frame.sentence.size() < 260, qPrintable(frame.sentence));
            QVERIFY(!sentences.contains(frame.sentence));
            sentences.insert(frame.sentence);
            QVERIFY(frame.milliseconds >= 3000 && frame.milliseconds <= 9000);
            QSet<QString> ids;
            for (const MotionBox& box : frame.boxes) {
                QVERIFY2(!ids.contains(box.id), qPrintable(box.id));
                ids.insert(box.id);
                QVERIFY2(
                    sheet.adjusted(-0.1, -0.1, 0.1, 0.1).contains(box.area) && box.area.isValid(), qPrintable(box.id));
                QVERIFY(box.filled >= 0 && box.filled <= 1);
            }
            for (const MotionArrow& arrow : frame.arrows)
                QVERIFY(sheet.contains(arrow.from) && sheet.contains(arrow.to));
        }
    }
}

/// From a design to the sentence: DDP on two nodes of LUMI, a model of 125 M parameters.
void MotionsTest::followsARealDesign()
{
    const Catalogue catalogue = loadCatalogue();
    Design design(catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.resources.nodes = 2;
    spec.resources.gpusPerNode = 8;
    spec.parallel.strategy = Strategy::Ddp;
    spec.training.microBatch = 4;
    spec.training.globalBatch = 128;
    design.replace(spec);
    const Derived& bare = design.derived();
    MotionFigures figures = motionFigures(bare.resolved, bare.batch, bare.estimate);
    QCOMPARE(figures.gpuWord, u"GCD"_s);
    QCOMPARE(figures.data, 16);
    QCOMPARE(figures.accumulation, 2);
    QVERIFY(!figures.gradients && !figures.layers);
    design.edit(u"Model"_s, [](JobSpec& s) { s.model = {{u"preset"_s, u"gpt2"_s}}; });
    const Derived& known = design.derived();
    if (!known.estimate)
        QSKIP("the list has no such model");
    figures = motionFigures(known.resolved, known.batch, known.estimate);
    QCOMPARE(figures.layers, std::optional(known.estimate->run.workload.shape.layers));
    QCOMPARE(*figures.gradients, known.estimate->memory.parts.gradients);
    const QString text = allSentences(motionPicture(motionsFor(figures).first(), figures));
    const QString sent = motionSize(2.0 * 15 / 16 * known.estimate->memory.parts.gradients);
    QVERIFY2(text.contains(sent), qPrintable(sent + u" in:\n"_s + text));
}

RANKWRIGHT_TEST_MAIN(MotionsTest)
#include "tst_motions.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/estimate/network/modelshape.h"
#include "models/planner/estimate/network/plannerdata.h"
#include "models/planner/estimate/network/typicalshape.h"
#include "tests/support/testbase.h"

#include <QSet>

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

ModelShape gpt(int layers, qint64 hidden, int heads, qint64 vocab)
{
    ModelShape shape;
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = shape.kvHeads = heads;
    shape.headSize = heads > 0 && hidden % heads == 0 ? hidden / heads : 0;
    shape.ffn = 4 * hidden;
    shape.vocab = vocab;
    return shape;
}

ModelShape mixtral(int experts, int perToken)
{
    ModelShape shape = findListedModel(u"mixtral-8x7b"_s)->shape;
    shape.experts = experts;
    shape.expertsPerToken = perToken;
    return shape;
}

} // namespace

/// Parameter counts against the figures that the models' makers publish.
class ModelShapeTest : public test::Suite {
    Q_OBJECT
private slots:
    void listed_data();
    void listed();
    void listIsWhole();
    void active_data();
    void active();
    void partsAddUp_data();
    void partsAddUp();
    void refuses_data();
    void refuses();
    void typical_data();
    void typical();
    void typicalRefuses_data();
    void typicalRefuses();
};

void ModelShapeTest::listed_data()
{
    QTest::addColumn<qsizetype>("index");
    for (qsizetype i = 0; i < listedModels().size(); ++i)
        QTest::newRow(qPrintable(listedModels().at(i).name)) << i;
}

void ModelShapeTest::listed()
{
    QFETCH(qsizetype, index);
    const ListedModel& model = listedModels().at(index);
    QVERIFY(checkShape(model.shape));
    QVERIFY(!model.shape.source.isEmpty());
    QVERIFY(model.published);
    const qint64 counted = countParameters(model.shape).total;
    if (model.exact)
        QCOMPARE(counted, *model.published);
    else // published rounded: to two digits for most
        QVERIFY2(std::abs(double(counted) / double(*model.published) - 1) < 0.03, qPrintable(QString::number(counted)));
}

void ModelShapeTest::listIsWhole()
{
    const auto read = readModelList(plannerData(u"models.json"_s), u"models.json"_s);
    QVERIFY2(read, read ? "" : qPrintable(read.error().oneLine()));
    QVERIFY(read->size() >= 109);
    QSet<QString> names;
    for (const ListedModel& model : *read) {
        QVERIFY2(!names.contains(model.name), qPrintable(model.name));
        names.insert(model.name);
    }
}

void ModelShapeTest::active_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("published"); // of the papers' tables
    QTest::newRow("Mixtral 8x7B: 13B (2401.04088)") << u"mixtral-8x7b"_s << 12.9e9;
    QTest::newRow("Mixtral 8x22B: 39B") << u"mixtral-8x22b"_s << 39e9;
    QTest::newRow("Qwen3 30B-A3B: 3.3B (2505.09388)") << u"qwen3-30b-a3b"_s << 3.3e9;
    QTest::newRow("Qwen3 235B-A22B: 22B") << u"qwen3-235b-a22b"_s << 22e9;
    QTest::newRow("DeepSeek-V3: 37B (2412.19437)") << u"deepseek-v3"_s << 37e9;
    QTest::newRow("DeepSeek-V2: 21B (2405.04434)") << u"deepseek-v2"_s << 21e9;
    QTest::newRow("dense: all") << u"llama-3-8b"_s << 8.03e9;
}

void ModelShapeTest::active()
{
    QFETCH(QString, name);
    QFETCH(double, published);
    const double counted = double(countParameters(findListedModel(name)->shape).active);
    QVERIFY2(std::abs(counted / published - 1) < 0.03, qPrintable(QString::number(counted)));
}

void ModelShapeTest::partsAddUp_data() { listed_data(); }

void ModelShapeTest::partsAddUp()
{
    QFETCH(qsizetype, index);
    const ParameterCount count = countParameters(listedModels().at(index).shape);
    QCOMPARE(count.blocks + count.embedding + count.head + count.other, count.total);
    QVERIFY(count.active <= count.total && count.active > 0);
    QVERIFY(count.experts <= count.blocks);
    QVERIFY(count.blockNorms < count.block);
}

void ModelShapeTest::refuses_data()
{
    QTest::addColumn<ModelShape>("shape");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("suggests");
    constexpr qint64 huge = 1'000'000'000'000'000'000;
    ModelShape kv = gpt(2, 768, 12, 1000);
    kv.kvHeads = 5;
    ModelShape negative = gpt(2, 768, 12, 1000);
    negative.ffn = -1;
    ModelShape wide = gpt(100'000, 10'000'000, 1000, 1000);
    ModelShape sparse = mixtral(1'000'000, 2);
    sparse.denseLayers = sparse.layers;
    sparse.denseFfn = 1;
    ModelShape depth = findListedModel(u"resnet-50"_s)->shape;
    depth.layers = 51;
    ModelShape patch = findListedModel(u"vit-b-16"_s)->shape;
    patch.patch = 0;
    ModelShape net = findListedModel(u"stable-diffusion-1.5"_s)->shape;
    net.channels.clear();
    QTest::newRow("no layers") << gpt(0, 768, 12, 1000) << u"0 layers"_s << u"at least 1"_s;
    QTest::newRow("minus layers") << gpt(-3, 768, 12, 1000) << u"-3 layers"_s << u"at least 1"_s;
    QTest::newRow("no heads") << gpt(2, 768, 0, 1000) << u"heads is 0"_s << u"1 to"_s;
    QTest::newRow("heads do not divide") << gpt(2, 768, 10, 1000) << u"768 cannot be split over 10"_s << u"8 or 12"_s;
    QTest::newRow("kv heads do not divide") << kv << u"12 attention heads cannot share 5"_s << u"4 or 6"_s;
    QTest::newRow("10^18 wide") << gpt(2, huge, 12, 1000) << u"hidden size"_s << u"whole number"_s;
    QTest::newRow("10^18 words") << gpt(2, 768, 12, huge) << u"vocabulary"_s << u"whole number"_s;
    QTest::newRow("10^20 parameters") << wide << u"would have 1.2e+20 parameters"_s << u"10^12"_s;
    QTest::newRow("negative") << negative << u"feed-forward width is -1"_s << u"from 1"_s;
    QTest::newRow("no words") << gpt(2, 768, 12, 0) << u"vocabulary is 0"_s << u"from 1"_s;
    QTest::newRow("more experts per token than there are") << mixtral(8, 9) << u"9 of 8 experts"_s << u"1 to 8"_s;
    QTest::newRow("no expert per token") << mixtral(8, 0) << u"0 of 8 experts"_s << u"1 to 8"_s;
    QTest::newRow("experts in no block") << sparse << u"blocks without experts"_s << u"from 0"_s;
    QTest::newRow("ResNet of 51 layers") << depth << u"no ResNet of 51"_s << u"50"_s;
    QTest::newRow("no patch") << patch << u"image patch is 0"_s << u"from 1"_s;
    QTest::newRow("no levels") << net << u"0 levels"_s << u"1 to 16"_s;
}

void ModelShapeTest::refuses()
{
    QFETCH(ModelShape, shape);
    QFETCH(QString, says);
    QFETCH(QString, suggests);
    const auto checked = checkShape(shape);
    QVERIFY(!checked);
    QVERIFY2(checked.error().what.contains(says), qPrintable(checked.error().what));
    QVERIFY2(checked.error().remedy.contains(suggests), qPrintable(checked.error().remedy));
}

void ModelShapeTest::typical_data()
{
    QTest::addColumn<double>("parameters");
    for (const double parameters :
        {1e5, 1e6, 1e7, 1.25e8, 3.5e8, 1.3e9, 2.7e9, 7e9, 1.3e10, 3e10, 7e10, 1.75e11, 4e11, 1e12, 1e14})
        QTest::newRow(qPrintable(QString::number(parameters))) << parameters;
}

void ModelShapeTest::typical()
{
    QFETCH(double, parameters);
    const auto shape = typicalShape(parameters);
    QVERIFY(shape);
    QVERIFY(checkShape(*shape));
    QVERIFY(shape->assumed);
    QVERIFY(shape->note.contains(QString::number(shape->layers)));
    const double counted = double(countParameters(*shape).total);
    QVERIFY2(std::abs(counted / parameters - 1) < (parameters < 1e6 ? 0.1 : 0.06),
        qPrintable(shape->note + QString::number(counted)));
    if (parameters > 1e8) {
        QCOMPARE(shape->layers % 2, 0);
        QCOMPARE(shape->hidden % shape->heads, 0);
        QCOMPARE(shape->heads % 2, 0);
    }
}

void ModelShapeTest::typicalRefuses_data()
{
    QTest::addColumn<double>("parameters");
    QTest::newRow("none") << 0.0;
    QTest::newRow("minus") << -7e9;
    QTest::newRow("10^18") << 1e18;
    QTest::newRow("infinite") << double(INFINITY);
    QTest::newRow("not a number") << std::nan("");
}

void ModelShapeTest::typicalRefuses()
{
    QFETCH(double, parameters);
    const auto shape = typicalShape(parameters);
    QVERIFY(!shape);
    QVERIFY(shape.error().remedy.contains(u"7e9"_s));
}

RANKWRIGHT_TEST_MAIN(ModelShapeTest)
#include "tst_modelshape.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/hfconfig.h"
#include "models/planner/estimate/network/modelchoice.h"
#include "models/planner/estimate/network/modellist.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <cmath>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QJsonObject json(const QByteArray& text) { return QJsonDocument::fromJson(text).object(); }

QJsonArray configurations()
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/hfconfigs.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
}

} // namespace

/// The four forms in which a design names its model, and the configurations of Hugging Face (remade by hand, with the
/// parameter counts that its model pages print).
class ModelChoiceTest : public test::Suite {
    Q_OBJECT
private slots:
    void configs_data();
    void configs();
    void configRefused_data();
    void configRefused();
    void unknownType();
    void recentMixtures_data();
    void recentMixtures();
    void groupsOfExperts();
    void insideAnother();
    void spellings_data();
    void spellings();
    void unknownNames();
    void byCount_data();
    void byCount();
    void byFigures_data();
    void byFigures();
    void refused_data();
    void refused();
    void byFile();
};

void ModelChoiceTest::configs_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& row : configurations())
        QTest::newRow(qPrintable(row[u"name"_s].toString())) << row.toObject();
    QVERIFY(configurations().size() >= 40);
}

void ModelChoiceTest::configs()
{
    QFETCH(QJsonObject, row);
    const auto shape = shapeFromHfConfig(QJsonDocument(row[u"config"_s].toObject()).toJson());
    QVERIFY2(shape, shape ? "" : qPrintable(shape.error().oneLine()));
    QCOMPARE(countParameters(*shape).total, row[u"parameters"_s].toInteger());
    QVERIFY(!shape->assumed);
}

void ModelChoiceTest::configRefused_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("says");
    const QByteArray gpt2 = R"({"model_type":"gpt2","n_layer":12,"n_head":12,"vocab_size":50257,"n_positions":1024)";
    QTest::newRow("no JSON") << QByteArray("hello") << u"config.json"_s;
    QTest::newRow("a list") << QByteArray("[1]") << u"config.json"_s;
    QTest::newRow("empty") << QByteArray() << u"config.json"_s;
    QTest::newRow("member missing") << gpt2 + "}" << u"“hidden_size” is missing"_s;
    QTest::newRow("text") << gpt2 + R"(,"n_embd":"768"})" << u"“n_embd” is not a whole number"_s;
    QTest::newRow("half") << gpt2 + R"(,"n_embd":768.5})" << u"“n_embd” is not a whole number"_s;
    QTest::newRow("negative") << gpt2 + R"(,"n_embd":-768})" << u"“n_embd” is not a whole number"_s;
    QTest::newRow("10^18") << gpt2 + R"(,"n_embd":1000000000000000000})" << u"“n_embd” is not a whole number"_s;
    QTest::newRow("heads do not divide") << gpt2 + R"(,"n_embd":770})" << u"770 cannot be split over 12"_s;
    QTest::newRow("too large") << gpt2 + R"(,"n_embd":12000000})" << u"would have"_s;
    QTest::newRow("MLA without its rank") << QByteArray(
        R"({"model_type":"deepseek_v3","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":10})")
                                          << u"“kv_lora_rank” is missing"_s;
    QTest::newRow("ResNet without stages") << QByteArray(R"({"model_type":"resnet"})") << u"“depths” is missing"_s;
    QTest::newRow("a ResNet of another depth")
        << QByteArray(R"({"model_type":"resnet","depths":[1,1,1,1]})") << u"no ResNet of 14 layers"_s;
}

void ModelChoiceTest::configRefused()
{
    QFETCH(QByteArray, config);
    QFETCH(QString, says);
    const auto shape = shapeFromHfConfig(config);
    QVERIFY(!shape);
    QVERIFY2(shape.error().oneLine().contains(says), qPrintable(shape.error().oneLine()));
    QVERIFY(!shape.error().oneLine().contains(u'\n'));
}

void ModelChoiceTest::unknownType()
{
    const auto shape = shapeFromHfConfig(R"({"model_type":"brandnew","hidden_size":4096,"num_hidden_layers":32,
        "num_attention_heads":32,"intermediate_size":11008,"vocab_size":32000,"hidden_act":"silu","rms_norm_eps":1e-5})");
    QVERIFY(shape);
    QVERIFY(shape->assumed);
    QVERIFY(shape->note.contains(u"brandnew"_s));
    QCOMPARE(countParameters(*shape).total, 6'738'415'616); // those are Llama 2 7B's figures
}

/// Configurations of 2025 and 2026, shortened, beside the counts that their model cards print (rounded; without the
/// towers of those that see or hear): total and what a token passes (gpt-oss' without its embedding).
void ModelChoiceTest::recentMixtures_data()
{
    QTest::addColumn<QJsonObject>("row");
    QFile file(rankwright::test::sourcePath(u"/tests/data/hfmixtures.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).array();
    for (const QJsonValue& row : rows)
        QTest::newRow(qPrintable(row[u"name"_s].toString())) << row.toObject();
    QVERIFY(rows.size() >= 10);
}

void ModelChoiceTest::recentMixtures()
{
    QFETCH(QJsonObject, row);
    QJsonObject config = row[u"config"_s].toObject();
    const auto near = [](qint64 counted, double published) {
        return std::abs(double(counted) / published - 1) < 0.05; // published to two digits
    };
    const auto shape = shapeFromHfConfig(QJsonDocument(config).toJson());
    QVERIFY2(shape, shape ? "" : qPrintable(shape.error().oneLine()));
    const ParameterCount count = countParameters(*shape);
    QVERIFY2(near(count.total, row[u"published"_s].toDouble()), qPrintable(QString::number(count.total)));
    const double active = row[u"active"_s].toDouble();
    QVERIFY2(double(count.active) < 1.2 * active && double(count.active) > 0.75 * active,
        qPrintable(QString::number(count.active)));
    if (const ListedModel* listed = findListedModel(row[u"name"_s].toString()); listed != nullptr) {
        QVERIFY(std::abs(double(countParameters(listed->shape).total) / double(count.total) - 1) < 1e-6);
        QCOMPARE(listed->shape.experts, shape->experts);
    }
    // A type that nobody knows yet has its experts and its latent attention by the same members.
    const QString type = config[u"model_type"_s].toString();
    if (!config.contains(u"text_config"_s) && type != u"nemotron_h"_s) {
        config[u"model_type"_s] = u"brandnew"_s;
        const auto unknown = shapeFromHfConfig(QJsonDocument(config).toJson());
        QVERIFY2(unknown, unknown ? "" : qPrintable(unknown.error().oneLine()));
        QVERIFY(unknown->assumed && unknown->note.contains(u"brandnew"_s));
        QVERIFY2(near(countParameters(*unknown).total, row[u"published"_s].toDouble()),
            qPrintable(QString::number(countParameters(*unknown).total)));
    }
}

/// DeepSeek-V3's configuration, shortened: as in the list.
void ModelChoiceTest::groupsOfExperts()
{
    const auto shape = shapeFromHfConfig(R"({"model_type":"deepseek_v3","hidden_size":7168,"num_hidden_layers":61,
        "num_attention_heads":128,"vocab_size":129280,"intermediate_size":18432,"moe_intermediate_size":2048,
        "n_routed_experts":256,"num_experts_per_tok":8,"n_shared_experts":1,"n_group":8,"topk_group":4,
        "first_k_dense_replace":3,"kv_lora_rank":512,"q_lora_rank":1536,"qk_rope_head_dim":64,"qk_nope_head_dim":128,
        "v_head_dim":128})");
    QVERIFY2(shape, shape ? "" : qPrintable(shape.error().oneLine()));
    const ListedModel* listed = findListedModel(u"deepseek-v3"_s);
    QVERIFY(listed);
    QCOMPARE(shape->expertGroups, listed->shape.expertGroups);
    QCOMPARE(shape->groupsPerToken, listed->shape.groupsPerToken);
    QCOMPARE(shape->expertGroups, 8);
    QCOMPARE(shape->groupsPerToken, 4);
}

void ModelChoiceTest::insideAnother()
{
    const auto shape = shapeFromHfConfig(R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text",
        "hidden_size":1152,"num_hidden_layers":26,"num_attention_heads":4,"num_key_value_heads":1,"head_dim":256,
        "intermediate_size":6912,"vocab_size":262144},"vision_config":{"hidden_size":1152}})");
    QVERIFY(shape);
    QCOMPARE(countParameters(*shape).total, 999'885'952);
    QVERIFY(shape->note.contains(u"language model"_s));
}

void ModelChoiceTest::spellings_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    const QList<std::pair<const char*, const char*>> all{{"llama-3-8b", "llama-3-8b"}, {"Llama 3/3.1 8B", "llama-3-8b"},
        {"LLAMA3-8B", "llama-3-8b"}, {"meta-llama/Llama-3.1-8B-Instruct", "llama-3-8b"},
        {"Meta-Llama-3-70B", "llama-3-70b"}, {"llama-3.3-70b", "llama-3-70b"},
        {"meta-llama/Llama-2-7b-hf", "llama-2-7b"}, {"gpt2", "gpt-2-small"}, {"openai-community/gpt2-xl", "gpt-2-xl"},
        {"bert-base-uncased", "bert-base"}, {"google-bert/bert-large-cased", "bert-large"},
        {"mistralai/Mixtral-8x7B-v0.1", "mixtral-8x7b"}, {"resnet50", "resnet-50"}, {"ViT-B/16", "vit-b-16"},
        {"google/vit-base-patch16-224", "vit-b-16"}, {"EleutherAI/gpt-neox-20b", "gpt-neox-20b"},
        {"Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b"}, {"bigscience/bloom", "bloom-176b"},
        {"deepseek-ai/DeepSeek-V3", "deepseek-v3"}, {" T5-3B ", "t5-3b"}};
    for (const auto& [text, name] : all)
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(name);
}

void ModelChoiceTest::spellings()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    const ListedModel* model = findListedModel(text);
    QVERIFY(model != nullptr);
    QCOMPARE(model->name, name);
    QCOMPARE(chooseModel({{u"preset"_s, text}}).value(), model->shape);
}

void ModelChoiceTest::unknownNames()
{
    const auto shape = chooseModel({{u"preset"_s, u"lama-3-8b"_s}});
    QVERIFY(!shape);
    QVERIFY(shape.error().what.contains(u"“lama-3-8b”"_s));
    QVERIFY2(shape.error().remedy.contains(u"llama-3-8b, "_s), qPrintable(shape.error().remedy));
    QCOMPARE(nearestModels(u"mixtrall 8x7"_s).first(), u"mixtral-8x7b"_s);
    QCOMPARE(nearestModels(QString(100'000, u'x')).size(), 3);
    QCOMPARE(nearestModels(QString()).size(), 3);
}

void ModelChoiceTest::byCount_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<double>("parameters");
    QTest::newRow("number") << QByteArray(R"({"parameters": 7e9})") << 7e9;
    QTest::newRow("text") << QByteArray(R"({"parameters": "13B"})") << 13e9;
    QTest::newRow("text in millions") << QByteArray(R"({"parameters": "350 m"})") << 350e6;
    QTest::newRow("null beside") << QByteArray(R"({"preset": null, "parameters": 1e9})") << 1e9;
}

void ModelChoiceTest::byCount()
{
    QFETCH(QByteArray, model);
    QFETCH(double, parameters);
    const auto shape = chooseModel(json(model));
    QVERIFY(shape);
    QVERIFY(std::abs(double(countParameters(*shape).total) / parameters - 1) < 0.06);
    QVERIFY(shape->assumed && !shape->note.isEmpty());
}

void ModelChoiceTest::byFigures_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<qint64>("parameters");
    QTest::newRow("Llama 2 7B") << QByteArray(
        R"({"layers":32,"hidden":4096,"heads":32,"kvHeads":32,"ffn":11008,"vocab":32000,
        "tiedEmbeddings":false,"gatedMlp":true})")
                                << qint64(6'738'415'616);
    QTest::newRow("Llama 2 7B, the least figures")
        << QByteArray(R"({"layers":32,"hidden":4096})") << qint64(6'738'415'616);
    QTest::newRow("Llama 3 8B") << QByteArray(
        R"({"layers":32,"hidden":4096,"heads":32,"kvHeads":8,"ffn":14336,"vocab":128256})")
                                << qint64(8'030'261'248);
    QTest::newRow("Mixtral 8x7B") << QByteArray(
        R"({"layers":32,"hidden":4096,"heads":32,"kvHeads":8,"ffn":14336,"vocab":32000,
        "experts":8,"expertsPerToken":2})")
                                  << qint64(46'702'792'704);
    QTest::newRow("GPT-2 XL") << QByteArray(
        R"({"layers":48,"hidden":1600,"heads":25,"ffn":6400,"vocab":50257,"gatedMlp":false,
        "maxSequence":1024})") << qint64(1'557'611'200);
}

void ModelChoiceTest::byFigures()
{
    QFETCH(QByteArray, model);
    QFETCH(qint64, parameters);
    const auto shape = chooseModel(json(model));
    QVERIFY2(shape, shape ? "" : qPrintable(shape.error().oneLine()));
    QCOMPARE(countParameters(*shape).total, parameters);
    QVERIFY(shape->note.contains(u"are assumed"_s));
}

void ModelChoiceTest::refused_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QString>("says");
    QTest::newRow("none") << QByteArray("{}") << u"names no model"_s;
    QTest::newRow("only nulls") << QByteArray(R"({"preset":null})") << u"names no model"_s;
    QTest::newRow("two") << QByteArray(R"({"preset":"gpt2","parameters":1e9})") << u"by preset and by parameters"_s;
    QTest::newRow("preset and figures") << QByteArray(R"({"preset":"gpt2","layers":2})")
                                        << u"by preset and by figures"_s;
    QTest::newRow("a number as preset") << QByteArray(R"({"preset":3})") << u"“preset” is not text"_s;
    QTest::newRow("empty preset") << QByteArray(R"({"preset":" "})") << u"preset of the model is empty"_s;
    QTest::newRow("10^18 parameters") << QByteArray(R"({"parameters":1e18})") << u"no typical model of 1e+18"_s;
    QTest::newRow("minus") << QByteArray(R"({"parameters":-7e9})") << u"no typical model of -7e+09"_s;
    QTest::newRow("a word as count") << QByteArray(R"({"parameters":"many"})") << u"not a number"_s;
    QTest::newRow("true as count") << QByteArray(R"({"parameters":true})") << u"not a number"_s;
    QTest::newRow("hidden missing") << QByteArray(R"({"layers":12})") << u"$.model.hidden: the figures"_s;
    QTest::newRow("no layers") << QByteArray(R"({"layers":0,"hidden":768})") << u"0 layers"_s;
    QTest::newRow("minus layers") << QByteArray(R"({"layers":-2,"hidden":768})") << u"-2 layers"_s;
    QTest::newRow("half a layer") << QByteArray(R"({"layers":2.5,"hidden":768})")
                                  << u"$.model.layers: expected a whole number"_s;
    QTest::newRow("heads do not divide") << QByteArray(R"({"layers":2,"hidden":768,"heads":10})")
                                         << u"768 cannot be split over 10"_s;
    QTest::newRow("10^18 hidden") << QByteArray(R"({"layers":2,"hidden":1000000000000000000})") << u"hidden size"_s;
    QTest::newRow("no file") << QByteArray(R"({"hfConfig":"nowhere/config.json"})") << u"cannot be read"_s;
}

void ModelChoiceTest::refused()
{
    QFETCH(QByteArray, model);
    QFETCH(QString, says);
    const auto shape = chooseModel(json(model));
    QVERIFY(!shape);
    QVERIFY2(shape.error().oneLine().contains(says), qPrintable(shape.error().oneLine()));
    QVERIFY(!shape.error().oneLine().contains(u'\n'));
    QVERIFY(!shape.error().remedy.isEmpty() || shape.error().what.contains(u"$.model"_s));
}

void ModelChoiceTest::byFile()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"config.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"model_type":"gpt2","n_embd":768,"n_layer":12,"n_head":12,"n_positions":1024,"vocab_size":50257})");
    file.close();
    for (const QString& path : {u"config.json"_s, u"."_s, folder.path(), file.fileName()}) {
        const auto shape = chooseModel({{u"hfConfig"_s, path}}, folder.path());
        QVERIFY2(shape, shape ? "" : qPrintable(shape.error().oneLine()));
        QCOMPARE(countParameters(*shape).total, 124'439'808);
    }
    const QJsonObject absolute = withAbsolutePath({{u"hfConfig"_s, u"config.json"_s}}, folder.path());
    QCOMPARE(absolute[u"hfConfig"_s].toString(), file.fileName());
    QVERIFY(chooseModel(absolute));
}

RANKWRIGHT_TEST_MAIN(ModelChoiceTest)
#include "tst_modelchoice.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <sys/stat.h>

using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;
using namespace Qt::StringLiterals;

namespace { } // namespace

/// `models`, and `batch` with terms instead of a design.
class CliModelsTest : public test::Suite {
    Q_OBJECT
private slots:
    void wholeList();
    void oneModel();
    void configuration();
    void configurationThatIsNoFile_data();
    void configurationThatIsNoFile();
    void unknown();
    void batchTerms_data();
    void batchTerms();
    void batchWithDesign();
    void batchRefused_data();
    void batchRefused();
};

void CliModelsTest::wholeList()
{
    const Answer answer = run({u"models"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.err.isEmpty());
    QVERIFY(answer.jsonArray().size() >= 109);
    for (const QJsonValue& model : answer.jsonArray()) {
        for (const QString& key : {u"name"_s, u"parameters"_s, u"layers"_s, u"hidden"_s, u"heads"_s, u"kvHeads"_s,
                 u"ffn"_s, u"vocab"_s, u"family"_s, u"title"_s, u"maxSequence"_s, u"source"_s})
            QVERIFY2(model.toObject().contains(key), qPrintable(key));
        QVERIFY(model[u"parameters"_s].toDouble() > 1e6);
        QVERIFY(model[u"heads"_s] != QJsonValue(0)); // unknown is null, never 0
    }
    QVERIFY(run({u"models"_s}).out.contains(u"llama-3-8b"_s));
}

void CliModelsTest::oneModel()
{
    const Answer answer = run({u"models"_s, u"Llama 3.1 8B"_s, u"--json"_s});
    QCOMPARE(answer.jsonArray().size(), 1);
    const QJsonObject model = answer.jsonArray().first().toObject();
    QCOMPARE(model[u"name"_s].toString(), u"llama-3-8b"_s);
    QCOMPARE(model[u"parameters"_s].toInteger(), 8'030'261'248);
    QCOMPARE(run({u"models"_s, u"t5-base"_s, u"--json"_s}).jsonArray().first()[u"layers"_s].toInt(), 24);
    QVERIFY(run({u"models"_s, u"resnet-50"_s, u"--json"_s}).jsonArray().first()[u"heads"_s].isNull());
}

void CliModelsTest::configuration()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"config.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"model_type":"gpt2","n_embd":768,"n_layer":12,"n_head":12,"n_positions":1024,"vocab_size":50257})");
    file.close();
    const Answer answer = run({u"models"_s, file.fileName(), u"--json"_s});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.jsonArray().first()[u"parameters"_s].toInteger(), 124'439'808);
}

void CliModelsTest::configurationThatIsNoFile_data()
{
    QTest::addColumn<QString>("place");
    QTest::newRow("named pipe") << u"pipe"_s;
    QTest::newRow("folder with a pipe in it") << u"folder"_s;
    QTest::newRow("link to an endless device") << u"link"_s;
    QTest::newRow("an endless device") << u"/dev/zero"_s;
    QTest::newRow("terminal") << u"/dev/tty"_s;
}

/// H11: a design may come from anybody. Nothing is waited for, and one sentence says what is wrong.
void CliModelsTest::configurationThatIsNoFile()
{
    QFETCH(QString, place);
    QTemporaryDir folder;
    QCOMPARE(::mkfifo(QFile::encodeName(folder.filePath(u"pipe"_s)).constData(), 0600), 0);
    QVERIFY(QDir(folder.path()).mkdir(u"folder"_s));
    QCOMPARE(::mkfifo(QFile::encodeName(folder.filePath(u"folder/config.json"_s)).constData(), 0600), 0);
    QVERIFY(QFile::link(u"/dev/zero"_s, folder.filePath(u"link"_s)));
    QFile design(folder.filePath(u"design.json"_s));
    QVERIFY(design.open(QIODevice::WriteOnly));
    design.write(QJsonDocument(QJsonObject{{u"version"_s, 1}, {u"name"_s, u"x"_s}, {u"cluster"_s, u"lumi"_s},
                                   {u"model"_s, QJsonObject{{u"hfConfig"_s, place}}}})
                     .toJson());
    design.close();
    const QString whole = QDir(folder.path()).filePath(place);
    for (const QStringList& words : {QStringList{u"models"_s, whole}, QStringList{u"estimate"_s, design.fileName()},
             QStringList{u"check"_s, design.fileName()}}) {
        const Answer answer = run(words);
        const QString said = answer.out + answer.err;
        QVERIFY2(answer.code != 0, qPrintable(words.first() + u": "_s + said));
        QVERIFY2(said.contains(u"is not a file"_s), qPrintable(words.first() + u": "_s + said));
        QVERIFY2(said.count(u"is not a file"_s) == 1, qPrintable(words.first() + u": "_s + said));
    }
}

void CliModelsTest::unknown()
{
    const Answer answer = run({u"models"_s, u"mixtrall-8x7b"_s, u"--json"_s});
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QVERIFY2(answer.err.contains(u"The nearest are mixtral-8x7b"_s), qPrintable(answer.err));
}

void CliModelsTest::batchTerms_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QList<int>>("solved"); // global, micro, accumulation, ranks
    QTest::newRow("accumulation") << QStringList{u"--global=2048"_s, u"--micro=2"_s, u"--ranks=8"_s}
                                  << QList<int>{2048, 2, 128, 8};
    QTest::newRow("global") << QStringList{u"--accumulation=64"_s, u"--ranks=4"_s} << QList<int>{256, 1, 64, 4};
    QTest::newRow("nearest") << QStringList{u"--global=100"_s, u"--micro=8"_s, u"--ranks=4"_s}
                             << QList<int>{96, 8, 3, 4};
}

void CliModelsTest::batchTerms()
{
    QFETCH(QStringList, options);
    QFETCH(QList<int>, solved);
    const Answer answer = run(QStringList{u"batch"_s, u"--json"_s, u"--samples=1281167"_s} + options);
    QCOMPARE(answer.code, 0);
    const QJsonObject batch = answer.json();
    QCOMPARE((QList<int>{batch[u"globalBatch"_s].toInt(), batch[u"microBatch"_s].toInt(),
                 batch[u"gradientAccumulation"_s].toInt(), batch[u"dataParallel"_s].toInt()}),
        solved);
    QVERIFY(batch[u"warmupSteps"_s].toDouble() > 0);
    QVERIFY(batch[u"stepsPerEpoch"_s].toDouble() > 0);
}

void CliModelsTest::batchWithDesign()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"design.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"version": 1, "cluster": "lumi", "resources": {"nodes": 4, "gpusPerNode": 8},
        "training": {"globalBatch": 512}})");
    file.close();
    const QJsonObject batch = run({u"batch"_s, file.fileName(), u"--accumulation=4"_s, u"--json"_s}).json();
    QCOMPARE(batch[u"globalBatch"_s].toInt(), 512);
    QCOMPARE(batch[u"dataParallel"_s].toInt(), 32);
    QCOMPARE(batch[u"microBatch"_s].toInt(), 4);
}

void CliModelsTest::batchRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("nothing") << QStringList();
    QTest::newRow("a word") << QStringList{u"--global=many"_s};
    QTest::newRow("no ranks") << QStringList{u"--ranks=0"_s};
    QTest::newRow("minus samples") << QStringList{u"--global=8"_s, u"--samples=-1"_s};
}

void CliModelsTest::batchRefused()
{
    QFETCH(QStringList, options);
    const Answer answer = run(QStringList{u"batch"_s, u"--json"_s} + options);
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QCOMPARE(answer.err.count(u'\n'), 1);
}

RANKWRIGHT_TEST_MAIN(CliModelsTest)
#include "tst_climodels.moc"

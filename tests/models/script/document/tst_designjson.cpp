// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/designjson.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// The example of the command line's contract.
const QByteArray example = R"({
  "version": 1,
  "name": "gpt-imdb",
  "cluster": "lumi",
  "partition": "small-g",
  "account": "project_462000265",
  "reservation": null,
  "time": "01:00:00",
  "resources": { "nodes": 1, "gpusPerNode": 2, "cpusPerGpu": null, "memoryPerNode": null },
  "model": { "preset": "llama-3-8b" },
  "training": { "framework": null, "globalBatch": 128, "microBatch": null, "sequence": 4096,
                "precision": "bf16-mixed", "optimizer": "adamw",
                "activationCheckpointing": "none", "attention": "flash",
                "datasetSamples": null, "epochs": null },
  "parallel": { "strategy": "ddp", "tensor": 1, "pipeline": 1 },
  "launcher": "torchrun",
  "environment": { "container": null, "modules": [], "variables": {} },
  "command": "train.py --epochs 50",
  "workdir": null
})";

QByteArray with(const QByteArray& members) { return "{\"version\": 1, \"cluster\": \"lumi\", " + members + "}"; }

JobSpec fullSpec()
{
    JobSpec spec;
    spec.name = u"näme \"x\""_s;
    spec.cluster = u"practice"_s;
    spec.partition = QString();
    spec.account = u"project_465000001"_s;
    spec.reservation = QChar(0xfeff) + u"workshop"_s; // a byte order mark that came with a text
    spec.time = Seconds{259201};
    spec.resources = {2, 8, 7, Bytes{515396075521}}; // not a whole MiB
    spec.model = {{u"parameters"_s, 7e9}};
    spec.training = {Framework::Fsdp2, qint64(9007199254740993), 4, 4096, Precision::Fp16Mixed, Optimizer::AdamW8bit,
        ActivationCheckpointing::Selective, AttentionKind::Standard, Offload::OptimizerStates, Float8::Rowwise, true,
        false, 0.0125, FrozenWeights::Nf4, true, LossKind::Fused, false, qint64(1) << 60, qint64(1) << 61, 0.1};
    spec.adapter = {AdapterMethod::Dora, 16, 32.5, {u"q_proj"_s, u"all-linear"_s}, Quantisation::Nf4Double};
    spec.parallel = {Strategy::ThreeD, 4, 2, 2, 8, 5, false, true, false};
    spec.launcher = Launcher::Lightning;
    spec.environment.container = u"none"_s;
    spec.environment.modules = {u"a"_s, u"b/1.0"_s};
    spec.environment.binds = {u"/flash"_s, u"/pfs:/pfs"_s};
    spec.options = {u"gp_short"_s, u"gpu80"_s, u"nid005138"_s, true, Bytes{int64_t(900) << 30}, false,
        NumaBinding::CoreComplex, u"pmix"_s, u"none"_s, u"USR1@300"_s, true, 5, u"--resume \"last one\""_s, u"1-10%1"_s,
        u"afterok:12"_s, u"%x-%j.log"_s, u"%x-%j.err"_s, u"ada@example.org"_s, u"END,FAIL"_s};
    spec.environment.variables = {{u"A"_s, u"1\n2"_s}, {u"odd name"_s, QString()}};
    spec.command = u"train.py --text \"a b\""_s;
    spec.workdir = u"/scratch/x"_s;
    return spec;
}

} // namespace

class DesignJsonTest : public test::Suite {
    Q_OBJECT
private slots:
    void contractExample();
    void roundTrip_data();
    void roundTrip();
    void tolerantForms_data();
    void tolerantForms();
    void faults_data();
    void faults();
    void unknownWords_data();
    void unknownWords();
    void unknownMembers();
    void everyMemberIsWritten();
    void truncatedNeverCrashes();
    void mutatedNeverCrashes();
};

void DesignJsonTest::contractExample()
{
    const auto design = readDesign(example, u"d.json"_s);
    QVERIFY_RESULT(design);
    const JobSpec& spec = design->spec;
    QCOMPARE(spec.name, u"gpt-imdb"_s);
    QCOMPARE(spec.cluster, u"lumi"_s);
    QCOMPARE(spec.partition, u"small-g"_s);
    QVERIFY(!spec.reservation);
    QCOMPARE(spec.time->count, 3600);
    QCOMPARE(spec.resources.gpusPerNode, 2);
    QVERIFY(!spec.resources.cpusPerGpu);
    QCOMPARE(spec.model.value(u"preset"_s).toString(), u"llama-3-8b"_s);
    QCOMPARE(spec.training.globalBatch, qint64(128));
    QCOMPARE(spec.training.precision, Precision::Bf16Mixed);
    QCOMPARE(spec.parallel.strategy, Strategy::Ddp);
    QCOMPARE(spec.launcher, Launcher::Torchrun);
    QCOMPARE(spec.command, u"train.py --epochs 50"_s);
    QVERIFY(design->unknownMembers.isEmpty());
}

void DesignJsonTest::roundTrip_data()
{
    QTest::addColumn<JobSpec>("spec");
    JobSpec minimal;
    QTest::newRow("empty") << minimal;
    QTest::newRow("full") << fullSpec();
    QTest::newRow("example") << readDesign(example, u"d.json"_s)->spec;
    for (int i = 0; i <= static_cast<int>(Strategy::Horovod); ++i) {
        JobSpec spec;
        spec.parallel.strategy = static_cast<Strategy>(i);
        spec.launcher = static_cast<Launcher>(i % 6);
        spec.training.precision = static_cast<Precision>(i % 5);
        QTest::newRow(qPrintable(toText(*spec.parallel.strategy))) << spec;
    }
}

void DesignJsonTest::roundTrip()
{
    QFETCH(JobSpec, spec);
    const QByteArray json = writeDesign(spec);
    const auto back = readDesign(json, u"d.json"_s);
    QVERIFY_RESULT(back);
    QVERIFY(back->spec == spec);
    QVERIFY(back->unknownMembers.isEmpty());
    QCOMPARE(writeDesign(back->spec), json);
}

void DesignJsonTest::tolerantForms_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("texts") << QByteArray(R"("time": "01:00:00", "resources": {"memoryPerNode": "480G"})")
                           << qint64(3600) << qint64(515396075520);
    QTest::newRow("minutes and bytes") << QByteArray(R"("time": 90, "resources": {"memoryPerNode": 64424509440})")
                                       << qint64(5400) << qint64(64424509440);
    QTest::newRow("days") << QByteArray(R"("time": "2-00:00:00", "resources": {"memoryPerNode": "125000"})")
                          << qint64(172800) << qint64(131072000000);
    QTest::newRow("bare text is minutes, as in Slurm")
        << QByteArray(R"("time": "48", "resources": {"memoryPerNode": "1T"})") << qint64(2880) << qint64(1099511627776);
}

void DesignJsonTest::tolerantForms()
{
    QFETCH(QByteArray, members);
    const auto design = readDesign(with(members), u"d.json"_s);
    QVERIFY_RESULT(design);
    QTEST(design->spec.time->count, "seconds");
    QTEST(design->spec.resources.memoryPerNode->count, "bytes");
}

void DesignJsonTest::faults_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("path");
    QTest::newRow("no version") << QByteArray(R"({"cluster": "lumi"})") << u"$.version"_s;
    QTest::newRow("newer version") << QByteArray(R"({"version": 2, "cluster": "lumi"})") << u"$.version"_s;
    QTest::newRow("version as text") << QByteArray(R"({"version": "1", "cluster": "lumi"})") << u"$.version"_s;
    QTest::newRow("no cluster") << QByteArray(R"({"version": 1})") << u"$.cluster"_s;
    QTest::newRow("cluster null") << QByteArray(R"({"version": 1, "cluster": null})") << u"$.cluster"_s;
    QTest::newRow("nodes as text") << with(R"("resources": {"nodes": "4"})") << u"$.resources.nodes"_s;
    QTest::newRow("half a node") << with(R"("resources": {"nodes": 1.5})") << u"$.resources.nodes"_s;
    QTest::newRow("beyond int") << with(R"("resources": {"nodes": 3000000000})") << u"$.resources.nodes"_s;
    QTest::newRow("resources as list") << with(R"("resources": [])") << u"$.resources"_s;
    QTest::newRow("time") << with(R"("time": "1h")") << u"$.time"_s;
    QTest::newRow("time negative") << with(R"("time": -5)") << u"$.time"_s;
    QTest::newRow("time list") << with(R"("time": [1])") << u"$.time"_s;
    QTest::newRow("memory") << with(R"("resources": {"memoryPerNode": "lots"})") << u"$.resources.memoryPerNode"_s;
    QTest::newRow("memory negative") << with(R"("resources": {"memoryPerNode": -1})") << u"$.resources.memoryPerNode"_s;
    QTest::newRow("strategy") << with(R"("parallel": {"strategy": "DDP"})") << u"$.parallel.strategy"_s;
    QTest::newRow("launcher") << with(R"("launcher": "mpirun")") << u"$.launcher"_s;
    QTest::newRow("precision") << with(R"("training": {"precision": "int4"})") << u"$.training.precision"_s;
    QTest::newRow("optimizer") << with(R"("training": {"optimizer": "adam w"})") << u"$.training.optimizer"_s;
    QTest::newRow("variable") << with(R"("environment": {"variables": {"A": 1}})") << u"$.environment.variables.A"_s;
    QTest::newRow("module") << with(R"("environment": {"modules": ["a", 2]})") << u"$.environment.modules"_s;
    QTest::newRow("model as text") << with(R"("model": "llama")") << u"$.model"_s;
    QTest::newRow("command as list") << with(R"("command": ["train.py"])") << u"$.command"_s;
}

void DesignJsonTest::faults()
{
    QFETCH(QByteArray, json);
    const auto design = readDesign(json, u"d.json"_s);
    QVERIFY(!design.hasValue());
    QTEST(design.error().detail, "path");
    QVERIFY2(design.error().what.startsWith(u"d.json: $"_s), qPrintable(design.error().what));
    QVERIFY(!design.error().what.contains(u'\n'));
    QVERIFY(!design.error().remedy.isEmpty());
}

void DesignJsonTest::unknownWords_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* member, const QString& words) {
        QTest::newRow(member) << with(QByteArray("\"training\": {\"") + member + "\": \"lamb\"}")
                              << u"d.json: $.training.%1: expected one of %2; found “lamb”"_s.arg(
                                     QLatin1StringView(member), words);
    };
    row("framework",
        u"pytorch, fsdp2, fsdp1, deepspeed, megatron-core, megatron-deepspeed, nemo, hf-trainer, lightning, "
        u"torchtune, trl, peft, axolotl, llama-factory, litgpt, unsloth, ms-swift, generic"_s);
    row("precision", u"fp32, tf32, fp16-mixed, bf16-mixed, bf16"_s);
    row("optimizer",
        u"adamw, adamw8bit, adafactor, sgd, sgd-momentum, adamw-paged, adamw8bit-paged"_s); // LAMB is known of
                                                                                            // published runs only
    row("activationCheckpointing", u"none, selective, full"_s);
    row("attention", u"flash, standard"_s);
    row("offload", u"none, optimizer, all, activations"_s);
    row("frozen", u"bf16, int8, nf4"_s);
    row("loss", u"full, chunked, fused"_s);
}

void DesignJsonTest::unknownWords()
{
    QFETCH(QByteArray, json);
    const auto design = readDesign(json, u"d.json"_s);
    QVERIFY(!design.hasValue());
    QTEST(design.error().what, "what");
}

void DesignJsonTest::unknownMembers()
{
    const auto design = readDesign(
        with(R"("sauna": 1, "resources": {"gpus": 8}, "model": {"anything": 1}, "note": "mine")"), u"d.json"_s);
    QVERIFY_RESULT(design);
    QCOMPARE(design->unknownMembers, QStringList({u"$.sauna"_s, u"$.resources.gpus"_s}));
}

void DesignJsonTest::everyMemberIsWritten()
{
    const QByteArray json = writeDesign({});
    for (const char* member : {"version", "name", "cluster", "partition", "account", "reservation", "time", "resources",
             "nodes", "gpusPerNode", "cpusPerGpu", "memoryPerNode", "model", "training", "framework", "globalBatch",
             "microBatch", "sequence", "precision", "optimizer", "activationCheckpointing", "attention",
             "datasetSamples", "epochs", "parallel", "strategy", "tensor", "pipeline", "launcher", "environment",
             "container", "modules", "variables", "command", "workdir"})
        QVERIFY2(json.contains(QByteArray("\"").append(member).append("\":")), member);
}

void DesignJsonTest::truncatedNeverCrashes()
{
    for (const QByteArray& whole : {example, writeDesign(fullSpec())}) {
        const qsizetype end = whole.lastIndexOf('}');
        for (qsizetype length = 0; length <= end; ++length) {
            const auto design = readDesign(whole.left(length), u"d.json"_s);
            QVERIFY(!design.hasValue());
            QVERIFY(!design.error().what.isEmpty());
        }
    }
}

void DesignJsonTest::mutatedNeverCrashes()
{
    QRandomGenerator random(20261121); // fixed: a failure can be repeated
    const QByteArray whole = writeDesign(fullSpec());
    const QByteArrayList pieces{
        "null", "true", "-1", "1e400", "\"\"", "[]", "{}", "\\u0000", "99999999999999999999", "\xff", ":", ","};
    int readable = 0;
    for (int round = 0; round < 4000; ++round) {
        QByteArray json = whole;
        const int hits = 1 + int(random.bounded(4));
        for (int hit = 0; hit < hits; ++hit) {
            const qsizetype at = random.bounded(int(json.size()));
            if (random.bounded(2) == 0)
                json[at] = char(random.bounded(256));
            else
                json.replace(at, random.bounded(6), pieces.at(random.bounded(int(pieces.size()))));
        }
        const auto design = readDesign(json, u"d.json"_s);
        if (!design) {
            QVERIFY(!design.error().what.isEmpty());
            continue;
        }
        ++readable;
        const auto again = readDesign(writeDesign(design->spec), u"again.json"_s);
        QVERIFY_RESULT(again);
        QVERIFY(again->spec == design->spec);
    }
    QVERIFY(readable > 0);
}

RANKWRIGHT_TEST_MAIN(DesignJsonTest)
#include "tst_designjson.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "app/store/measuredruns.h"
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;

namespace {

/// The columns of a table of runs that estimates need.
const char* const tableHead
    = "id,source,hardware,gpu_mem_gb,n_nodes,gpus_per_node,n_gpus,model,params_b,layers,hidden,heads,kv_heads,ffn,"
      "vocab,"
      "seq_len,strategy,tp,pp,dp,zero_stage,micro_batch,grad_accum,global_batch,precision,optimizer,act_ckpt,attention,"
      "peak_mem_gib_per_gpu,fits,tokens_per_s_per_gpu,tflops_per_gpu,mfu,step_time_s,notes\n";

} // namespace

/// The planner's commands, as docs/cli.md promises them.
class CliPlanTest final : public test::Suite {
    Q_OBJECT
private slots:
    void estimateHasTheContractsMembers();
    void estimateSaysNo();
    void estimateWithoutModel();
    void estimateOfAnImpossibleSize_data();
    void estimateOfAnImpossibleSize();
    void estimateOfATable();
    void tableRowThatLacksSomething();
    void searchHasTheContractsMembers();
    void searchOptions_data();
    void searchOptions();
    void demandsHold_data();
    void demandsHold();
    void clustersAreSearched();
    void demandsThatAreNone();
    void adviseHasTheContractsMembers();
    void adviseSaysNo();
    void nonsense_data();
    void nonsense();
    void textForms();
    void ownRunsCorrectAndCanBeLeftOut();

private:
    QString file(const QByteArray& text, const QString& name);
    QString design(const QByteArray& members);
    QTemporaryDir m_folder;
    int m_files = 0;
};

QString CliPlanTest::file(const QByteArray& text, const QString& name)
{
    const QString path = m_folder.filePath(name.arg(++m_files));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(path));
    file.write(text);
    return path;
}

QString CliPlanTest::design(const QByteArray& members)
{
    return file("{\"version\": 1, \"cluster\": \"lumi\", " + members + "}", u"design-%1.json"_s);
}

void CliPlanTest::estimateHasTheContractsMembers()
{
    const Answer answer = run({u"estimate"_s, u"--json"_s,
        design(R"("resources": {"nodes": 2, "gpusPerNode": 8}, "model": {"preset": "llama-3-8b"},
            "training": {"globalBatch": 512, "microBatch": 1, "sequence": 4096, "activationCheckpointing": "full"},
            "parallel": {"strategy": "fsdp"})")});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    const QJsonObject json = answer.json();
    QCOMPARE(json.value(u"fits"_s), true);
    const QString verdict = json.value(u"verdict"_s).toString();
    QVERIFY(verdict == u"fits" || verdict == u"probably");
    const QJsonObject memory = json.value(u"memory"_s).toObject();
    double sum = 0;
    for (const QString& part :
        {u"weights"_s, u"gradients"_s, u"optimizer"_s, u"activations"_s, u"temporary"_s, u"overhead"_s}) {
        const QJsonValue bytes = memory.value(u"parts"_s).toObject().value(part);
        QVERIFY2(bytes.isDouble() && bytes.toDouble() >= 0, qPrintable(part));
        sum += bytes.toDouble();
    }
    const double total = memory.value(u"totalBytes"_s).toDouble();
    QVERIFY(qAbs(sum / total - 1) < 0.001);
    QVERIFY(memory.value(u"lowBytes"_s).toDouble() < total && total < memory.value(u"highBytes"_s).toDouble());
    // 63.9 GiB of a GCD's 64 (measured, memory facts section 4)
    QVERIFY(qAbs(memory.value(u"usableBytes"_s).toDouble() / (63.9 * 1073741824) - 1) < 0.02);
    QVERIFY(memory.value(u"worstRank"_s).isDouble());
    const QJsonObject step = json.value(u"step"_s).toObject();
    for (const QString& figure :
        {u"seconds"_s, u"lowSeconds"_s, u"highSeconds"_s, u"tokensPerSecondPerGpu"_s, u"tflopsPerGpu"_s, u"mfu"_s})
        QVERIFY2(step.value(figure).toDouble() > 0, qPrintable(figure));
    for (const QString& part : {u"compute"_s, u"communication"_s, u"bubble"_s, u"other"_s})
        QVERIFY(step.value(u"parts"_s).toObject().value(part).isDouble());
    // 512 x 4096 tokens a step on 16 GPUs
    const double rate = 512.0 * 4096 / 16 / step.value(u"seconds"_s).toDouble();
    QVERIFY(qAbs(step.value(u"tokensPerSecondPerGpu"_s).toDouble() / rate - 1) < 1e-6);
}

void CliPlanTest::estimateSaysNo()
{
    const Answer answer = run({u"estimate"_s, u"--json"_s,
        design(R"("resources": {"nodes": 1, "gpusPerNode": 8}, "model": {"preset": "llama-3-8b"},
            "training": {"microBatch": 1}, "parallel": {"strategy": "ddp"})")});
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.json().value(u"fits"_s), false);
    QCOMPARE(answer.json().value(u"verdict"_s), u"does-not-fit"_s);
    const QJsonArray remedies = answer.json().value(u"remedies"_s).toArray();
    QVERIFY(!remedies.isEmpty());
}

void CliPlanTest::estimateOfAnImpossibleSize_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QString>("field");
    for (const char* value : {"0", "-4"}) {
        const auto add = [&value](const char* group, const char* member) {
            QTest::addRow("%s %s", member, value) << QByteArray("\"") + group + "\": {\"" + member + "\": " + value
                    + "}" << QString::fromLatin1(group) + u'.' + QString::fromLatin1(member);
        };
        add("training", "globalBatch");
        add("training", "microBatch");
        add("training", "sequence");
        add("training", "epochs");
        add("resources", "nodes");
        add("resources", "gpusPerNode");
    }
}

/// What `check` calls an error was estimated as if it were not there.
void CliPlanTest::estimateOfAnImpossibleSize()
{
    QFETCH(QByteArray, members);
    QFETCH(QString, field);
    const QString path = design(R"("model": {"preset": "gpt-2-small"}, )" + members);
    const Answer answer = run({u"estimate"_s, u"--json"_s, path});
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QCOMPARE(answer.err.count(u'\n'), 1);
    QVERIFY2(answer.err.contains(field), qPrintable(answer.err));
    const Answer checked = run({u"check"_s, path});
    QCOMPARE(checked.code, 1);
    QVERIFY2(checked.out.contains(u"R104"_s) && checked.out.contains(field), qPrintable(checked.out));
}

void CliPlanTest::estimateWithoutModel()
{
    const Answer answer = run({u"estimate"_s, u"--json"_s, design(R"("name": "x")")});
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QCOMPARE(answer.err.count(u'\n'), 1);
    QVERIFY2(answer.err.contains(u"model"), qPrintable(answer.err));
}

void CliPlanTest::estimateOfATable()
{
    // As published: torchtitan's Llama 3 8B on 8 H100, compiled (47.65 GiB reserved); and a run that nobody measured.
    const QString table = file(QByteArray(tableHead)
            + "a,github:pytorch/torchtitan commit 069bae286 (2025-02-27),H100-SXM-80GB,80,1,8,8,Llama 3/3.1 "
              "8B,8.0303,32,4096,32,8,14336,128256,8192,"
              "FSDP2,1,1,8,3,1,1,8,bf16 (fp32 params/reduce),AdamW (fused),selective(op),flash(SDPA),,yes,,,,,"
              "mem_kind=reserved; compile=1\n"
              "b,\"somewhere, else\",A100-SXM-80GB,80,8,8,64,7B,6.7384,32,4096,32,32,11008,32000,2048,"
              "FSDP full shard,1,1,64,3,8,1,512,bf16,AdamW,none,flash,,,,,,,\n",
        u"runs-%1.csv"_s);
    const Answer answer = run({u"estimate"_s, u"--json"_s, u"--runs"_s, table});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    const QJsonArray rows = answer.jsonArray();
    QCOMPARE(rows.size(), 2);
    const QJsonObject first = rows.at(0).toObject();
    QCOMPARE(first.value(u"id"_s), u"a"_s);
    QCOMPARE(first.value(u"counter"_s), u"reserved"_s);
    QVERIFY(qAbs(first.value(u"memoryBytes"_s).toDouble() / (47.65 * 1073741824) - 1) < 0.18);
    QCOMPARE(rows.at(1).toObject().value(u"counter"_s), u"smi"_s);
    for (const QJsonValue& row : rows) {
        for (const QString& member : {u"framework"_s, u"verdict"_s})
            QVERIFY2(row.toObject().value(member).isString(), qPrintable(member));
        for (const QString& member : {u"memoryBytes"_s, u"lowBytes"_s, u"highBytes"_s, u"stepSeconds"_s,
                 u"tokensPerSecondPerGpu"_s, u"tflopsPerGpu"_s})
            QVERIFY2(row.toObject().value(member).toDouble() > 0, qPrintable(member));
    }
}

void CliPlanTest::tableRowThatLacksSomething()
{
    const QString table
        = file(QByteArray(tableHead) + "x,s,Abacus 3000,,,,,Mystery,,,,,,,,,,,,,,,,,,,,,,,,,,,\n", u"runs-%1.csv"_s);
    const Answer answer = run({u"estimate"_s, u"--json"_s, u"--runs"_s, table});
    QCOMPARE(answer.code, 0);
    const QJsonObject row = answer.jsonArray().at(0).toObject();
    QVERIFY(row.value(u"memoryBytes"_s).isNull());
    QVERIFY(row.value(u"stepSeconds"_s).isNull());
    QVERIFY(row.value(u"verdict"_s).isNull());
    QVERIFY(!row.value(u"note"_s).toString().isEmpty());

    const Answer noTable = run({u"estimate"_s, u"--runs"_s, file("hello", u"runs-%1.csv"_s)});
    QCOMPARE(noTable.code, 2);
    QCOMPARE(noTable.err.count(u'\n'), 1);
}

void CliPlanTest::searchHasTheContractsMembers()
{
    const Answer answer = run({u"search"_s, u"--json"_s, u"--max-nodes"_s, u"8"_s, u"--top"_s, u"5"_s,
        design(R"("model": {"preset": "llama-3-8b"}, "training": {"globalBatch": 512})")});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    const QJsonObject json = answer.json();
    QVERIFY(json.value(u"examined"_s).toDouble() >= json.value(u"feasible"_s).toDouble());
    QVERIFY(json.value(u"elapsedSeconds"_s).toDouble() > 0);
    const QJsonArray candidates = json.value(u"candidates"_s).toArray();
    QCOMPARE(candidates.size(), 5);
    for (const QJsonValue& one : candidates) {
        for (const QString& member : {u"nodes"_s, u"gpus"_s, u"data"_s, u"tensor"_s, u"pipeline"_s, u"microBatch"_s,
                 u"gradientAccumulation"_s, u"memoryBytes"_s, u"stepSeconds"_s, u"tokensPerSecond"_s, u"cost"_s})
            QVERIFY2(one.toObject().value(member).toDouble() > 0, qPrintable(member));
        for (const QString& member : {u"strategy"_s, u"activationCheckpointing"_s, u"why"_s})
            QVERIFY2(!one.toObject().value(member).toString().isEmpty(), qPrintable(member));
        QVERIFY(one.toObject().value(u"nodes"_s).toInt() <= 8);
    }
    for (const QJsonValue& one : json.value(u"rejected"_s).toArray())
        QVERIFY(one.toObject().value(u"count"_s).toDouble() > 0);
}

void CliPlanTest::searchOptions_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("objective") << QStringList{u"--objective"_s, u"speed"_s};
    QTest::newRow("no nodes") << QStringList{u"--max-nodes"_s, u"0"_s};
    QTest::newRow("nodes in words") << QStringList{u"--max-nodes"_s, u"many"_s};
    QTest::newRow("top") << QStringList{u"--top"_s, u"-3"_s};
}

void CliPlanTest::searchOptions()
{
    QFETCH(QStringList, options);
    const Answer answer = run(QStringList{u"search"_s, design(R"("model": {"preset": "gpt-2-small"})")} + options);
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QVERIFY2(answer.err.contains(options.first()), qPrintable(answer.err));
}

void CliPlanTest::demandsHold_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<double>("within"); // seconds; 0: no limit
    QTest::addColumn<double>("budget"); // GPU-hours of LUMI
    QTest::addColumn<int>("nodes");
    QTest::newRow("two days") << QStringList{u"--within"_s, u"2d"_s} << 172800.0 << 0.0 << 0;
    QTest::newRow("a budget") << QStringList{u"--budget"_s, u"600"_s} << 0.0 << 600.0 << 0;
    QTest::newRow("nodes") << QStringList{u"--max-nodes"_s, u"4"_s} << 0.0 << 0.0 << 4;
    QTest::newRow("all") << QStringList{u"--within"_s, u"36h"_s, u"--budget"_s, u"900"_s, u"--max-nodes"_s, u"16"_s}
                         << 129600.0 << 900.0 << 16;
}

/// A data set of two billion tokens; every layout listed keeps to what was asked, checkpoints and restarts included.
void CliPlanTest::demandsHold()
{
    QFETCH(QStringList, options);
    QFETCH(double, within);
    QFETCH(double, budget);
    QFETCH(int, nodes);
    const Answer answer = run(
        QStringList{u"search"_s, u"--json"_s} + options + QStringList{design(R"("model": {"preset": "llama-3.2-1b"},
            "training": {"globalBatch": 256, "sequence": 4096, "datasetTokens": 2000000000})")});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    const QJsonObject json = answer.json();
    QCOMPARE(json.value(u"costOf"_s).toString(), u"the whole training"_s);
    const QJsonArray candidates = json.value(u"candidates"_s).toArray();
    QVERIFY(!candidates.isEmpty());
    for (const QJsonValue& value : candidates) {
        const QJsonObject one = value.toObject();
        const double seconds = one.value(u"totalSeconds"_s).toDouble();
        QVERIFY(seconds >= 2e9 / one.value(u"tokensPerSecond"_s).toDouble() * 0.999);
        QVERIFY(within == 0 || seconds <= within);
        QVERIFY(budget == 0 || one.value(u"totalCost"_s).toDouble() <= budget);
        QVERIFY(nodes == 0 || one.value(u"nodes"_s).toInt() <= nodes);
        QCOMPARE(one.value(u"globalBatch"_s).toInt(), 256);
        QVERIFY(one.value(u"efficiency"_s).toDouble() <= 1);
    }
}

void CliPlanTest::clustersAreSearched()
{
    const QString file = design(R"("model": {"preset": "llama-3-8b"}, "training": {"globalBatch": 512})");
    const Answer answer = run({u"search"_s, u"--json"_s, u"--clusters"_s, u"leonardo,marenostrum5"_s, file});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    QSet<QString> names;
    for (const QJsonValue& one : answer.json().value(u"candidates"_s).toArray())
        names.insert(one.toObject().value(u"cluster"_s).toString());
    QCOMPARE(names, QSet<QString>({u"leonardo"_s, u"marenostrum5"_s}));
    const Answer unknown = run({u"search"_s, u"--clusters"_s, u"leonardo,nowhere"_s, file});
    QVERIFY(unknown.code != 0);
    QVERIFY2(unknown.err.contains(u"nowhere"_s), qPrintable(unknown.err));
}

/// What nobody can keep to ends with exit code 1 and the reason.
void CliPlanTest::demandsThatAreNone()
{
    const Answer answer = run({u"search"_s, u"--json"_s, u"--within"_s, u"1m"_s,
        design(
            R"("model": {"preset": "llama-3-8b"}, "training": {"globalBatch": 512, "datasetTokens": 1000000000000})")});
    QCOMPARE(answer.code, 1);
    QString reasons;
    for (const QJsonValue& one : answer.json().value(u"rejected"_s).toArray())
        reasons += one.toObject().value(u"reason"_s).toString() + u'\n';
    QVERIFY2(reasons.contains(u"take longer than"_s), qPrintable(reasons));
}

void CliPlanTest::adviseHasTheContractsMembers()
{
    const Answer answer = run({u"advise"_s, u"--json"_s, design(R"("model": {"preset": "llama-3-8b"})")});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    const QJsonObject json = answer.json();
    QVERIFY(!json.value(u"strategy"_s).toString().isEmpty());
    QVERIFY(!json.value(u"launcher"_s).toString().isEmpty());
    QVERIFY(json.value(u"nodes"_s).toInt() >= 1);
    QVERIFY(json.value(u"gpusPerNode"_s).toInt() >= 1);
    QVERIFY(json.value(u"reason"_s).toString().count(u'.') >= 2);
    QVERIFY(json.value(u"alternatives"_s).isArray());
}

/// Nothing fits: exit code 1, and a document with the members of an answer all the same.
void CliPlanTest::adviseSaysNo()
{
    const Answer answer = run({u"advise"_s, u"--json"_s,
        design(R"("model": {"preset": "llama-3-8b"}, "resources": {"nodes": 1, "gpusPerNode": 1})")});
    QCOMPARE(answer.code, 1);
    QVERIFY(!answer.err.isEmpty());
    const QJsonObject json = answer.json();
    for (const QString& member : {u"strategy"_s, u"launcher"_s, u"nodes"_s, u"gpusPerNode"_s, u"best"_s}) {
        QVERIFY2(json.contains(member), qPrintable(member));
        QVERIFY2(json.value(member).isNull(), qPrintable(member));
    }
    QVERIFY2(json.value(u"reason"_s).toString().contains(u"No layout"_s), qPrintable(answer.out));
    QVERIFY(json.value(u"alternatives"_s).isArray());
}

void CliPlanTest::nonsense_data()
{
    QTest::addColumn<QByteArray>("members");
    const auto row = [](const char* name, const char* members) { QTest::newRow(name) << QByteArray(members); };
    row("unknown preset", R"("model": {"preset": "llama-9"})");
    row("no parameters", R"("model": {"parameters": 0})");
    row("negative parameters", R"("model": {"parameters": -7e9})");
    row("10^18 parameters", R"("model": {"parameters": 1e18})");
    row("heads do not divide", R"("model": {"layers": 12, "hidden": 768, "heads": 7, "ffn": 3072, "vocab": 50257})");
    row("no layers", R"("model": {"layers": 0, "hidden": 768, "heads": 12, "ffn": 3072, "vocab": 50257})");
    row("huge layers", R"("model": {"layers": 1000000000, "hidden": 999999999, "heads": 1, "ffn": 1, "vocab": 1})");
    row("empty model", R"("model": {})");
    row("two forms", R"("model": {"preset": "gpt-2-small", "parameters": 7e9})");
    row("no such file", R"("model": {"hfConfig": "/nowhere/config.json"})");
    row("tensor does not divide heads",
        R"("model": {"preset": "gpt-2-xl"}, "resources": {"nodes": 1, "gpusPerNode": 8}, "parallel": {"strategy": "tensor", "tensor": 8})");
    row("more stages than layers",
        R"("model": {"preset": "gpt-2-small"}, "resources": {"nodes": 4, "gpusPerNode": 8}, "parallel": {"strategy": "pipeline", "pipeline": 32})");
}

/// One clear sentence, never a figure.
void CliPlanTest::nonsense()
{
    QFETCH(QByteArray, members);
    const Answer answer = run({u"estimate"_s, u"--json"_s, design(members)});
    QCOMPARE(answer.code, 2);
    QVERIFY2(answer.out.isEmpty(), qPrintable(answer.out));
    QCOMPARE(answer.err.count(u'\n'), 1);
    QVERIFY2(answer.err.size() > 40 && answer.err.size() < 400, qPrintable(answer.err));
}

void CliPlanTest::textForms()
{
    const QString path = design(R"("model": {"preset": "gpt-2-small"}, "resources": {"nodes": 1, "gpusPerNode": 8})");
    for (const QString& command : {u"estimate"_s, u"search"_s, u"advise"_s}) {
        const Answer answer = run({command, path});
        QVERIFY2(answer.code == 0, qPrintable(answer.err));
        QVERIFY(!answer.out.isEmpty() && !answer.out.startsWith(u'{'));
    }
}

/// W1: the correction stands beside the estimate, and can be left out, switched off and forgotten.
void CliPlanTest::ownRunsCorrectAndCanBeLeftOut()
{
    const QString path = design(R"("model": {"preset": "gpt-2-xl"}, "partition": "standard-g",
        "training": {"framework": "fsdp2"}, "parallel": {"strategy": "fsdp"})");
    const QString folder = m_folder.filePath(u"data"_s);
    const QStringList estimate{u"estimate"_s, path, u"--json"_s, u"--data-dir"_s, folder};
    const auto memoryOf = [&](const QStringList& words) { return run(words).json()[u"memory"_s].toObject(); };
    const QJsonObject published = memoryOf(estimate);
    const double total = published[u"totalBytes"_s].toDouble();
    QVERIFY(total > 0);
    QVERIFY(!QFileInfo::exists(folder)); // an estimate makes no database
    QVERIFY(QDir().mkpath(folder));
    {
        auto database = Database::open(folder);
        QVERIFY_RESULT(database);
        MeasuredRun learned;
        learned.cluster = u"lumi"_s;
        learned.family = u"decoder"_s;
        learned.stack = u"fsdp2"_s;
        learned.when = QDateTime::currentDateTimeUtc();
        learned.predictedBytes = 20e9;
        learned.exactBytes = 10e9;
        learned.measuredBytes = 18e9;
        for (const QString& job : {u"1"_s, u"2"_s}) {
            learned.job = job;
            QVERIFY_RESULT(MeasuredRuns(**database).add(learned));
        }
    }
    const QJsonObject corrected = run(estimate).json();
    QVERIFY(corrected[u"memory"_s].toObject()[u"totalBytes"_s].toDouble() < total);
    const QJsonObject note = corrected[u"correction"_s].toObject()[u"memory"_s].toObject();
    QCOMPARE(note[u"runs"_s].toInt(), 2);
    QVERIFY(note[u"percent"_s].toDouble() < -1);
    QVERIFY(corrected[u"correction"_s].toObject()[u"time"_s].isNull());
    const Answer text = run({u"estimate"_s, path, u"--data-dir"_s, folder});
    QVERIFY2(text.out.contains(u"corrected by 2 runs, −"), qPrintable(text.out));
    QCOMPARE(memoryOf(estimate + QStringList{u"--uncorrected"_s}), published);
    QCOMPARE(run({u"learning"_s, u"off"_s, u"--data-dir"_s, folder}).code, 0);
    QCOMPARE(memoryOf(estimate), published);
    QCOMPARE(run({u"learning"_s, u"on"_s, u"--data-dir"_s, folder}).code, 0);
    QVERIFY(memoryOf(estimate) != published);
    const QJsonObject listed = run({u"learning"_s, u"--json"_s, u"--data-dir"_s, folder}).json();
    QCOMPARE(listed[u"runs"_s].toArray().size(), 2);
    QCOMPARE(run({u"learning"_s, u"forget"_s, u"--data-dir"_s, folder}).code, 0);
    QCOMPARE(memoryOf(estimate), published);
    QCOMPARE(run({u"learning"_s, u"fogret"_s, u"--data-dir"_s, folder}).code, 2);
}

RANKWRIGHT_TEST_MAIN(CliPlanTest)
#include "tst_cliplan.moc"

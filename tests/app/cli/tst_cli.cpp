// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/jsonreader.h"
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;

namespace {

QStringList namesOf(const QJsonArray& objects)
{
    QStringList names;
    for (const QJsonValue& one : objects)
        names.append(one.toObject().value(u"name"_s).toString());
    return names;
}

} // namespace

class CliTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void helpAndVersion();
    void usageErrors_data();
    void usageErrors();
    void wrongValuesOfBind();
    void unreadableDesigns_data();
    void unreadableDesigns();
    void clusters();
    void scriptIsPlainText();
    void checkReportsUnknownMembers();
    void checkSaysNo();
    void costOfPublishedExamples_data();
    void costOfPublishedExamples();
    void costWithoutAFormulaIsNull();
    void bindGivesThePublishedMasks();
    void bindLeavesSharedNodesOpen();
    void batchIsSolved_data();
    void batchIsSolved();
    void everyCommandHasATextForm_data();
    void everyCommandHasATextForm();
    void programReadsStandardInput();

private:
    QString designFile(const QByteArray& members);

    QTemporaryDir m_folder;
    int m_files = 0;
};

QString CliTest::designFile(const QByteArray& members)
{
    const QString path = m_folder.filePath(u"design-%1.json"_s.arg(++m_files));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(path));
    file.write("{" + members + "}");
    return path;
}

void CliTest::helpAndVersion()
{
    const Answer help = run({u"--help"_s});
    QCOMPARE(help.code, 0);
    for (const CliCommand& command : allCommands()) {
        const QString name = QString::fromLatin1(command.name);
        QVERIFY2(help.out.contains(u"\n  "_s + name + u' '), command.name);
        const Answer one = run({name, u"--help"_s});
        QCOMPARE(one.code, 0);
        QVERIFY2(one.out.startsWith(u"Usage: rankwright-cli "_s + name), command.name);
        QVERIFY(one.err.isEmpty());
    }
    QCOMPARE(run({u"--version"_s}).out, u"rankwright-cli %1\n"_s.arg(QLatin1String(RANKWRIGHT_VERSION)));
}

void CliTest::usageErrors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("reported");
    QTest::newRow("nothing") << QStringList{} << u"no command given"_s;
    QTest::newRow("unknown command") << QStringList{u"scrpt"_s} << u"“scrpt”"_s;
    QTest::newRow("unknown option") << QStringList{u"clusters"_s, u"--jsn"_s} << u"--jsn"_s;
    QTest::newRow("unknown short option") << QStringList{u"clusters"_s, u"-j"_s} << u"-j"_s;
    QTest::newRow("too few") << QStringList{u"script"_s} << u"usage: rankwright-cli script DESIGN"_s;
    QTest::newRow("too many") << QStringList{u"script"_s, u"a"_s, u"b"_s} << u"“b”"_s;
    QTest::newRow("no host name") << QStringList{u"connect"_s, u"lumi"_s, u"--host"_s, u"a b"_s}
                                  << u"“a b” is not a host name"_s;
    QTest::newRow("no user name") << QStringList{u"connect"_s, u"lumi"_s, u"--user"_s, u"a b"_s}
                                  << u"“a b” is not a user name"_s;
    QTest::newRow("no configuration") << QStringList{u"connect"_s, u"lumi"_s, u"--config"_s, u"/nonexistent"_s}
                                      << u"cannot be read"_s;
    QTest::newRow("neither word nor option")
        << QStringList{u"estimate"_s} << u"estimate needs a design; give a design file"_s;
}

void CliTest::usageErrors()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, reported);
    const Answer answer = run(arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QCOMPARE(answer.err.count(u'\n'), 1);
    QVERIFY2(answer.err.contains(reported), qPrintable(answer.err));
}

void CliTest::wrongValuesOfBind()
{
    const QString path = designFile(R"("version": 1, "cluster": "lumi", "resources": {"nodes": 1, "gpusPerNode": 8})");
    for (const QStringList& options :
        {QStringList{u"--gpus-per-task"_s, u"0"_s}, {u"--gpus-per-task"_s, u"x"_s}, {u"--order"_s, u"0,,["_s}}) {
        const Answer answer = run(QStringList{u"bind"_s, path} + options);
        QCOMPARE(answer.code, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.contains(options.first()), qPrintable(answer.err));
    }
}

void CliTest::unreadableDesigns_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QString>("place");
    QTest::newRow("not JSON") << QByteArray(R"("version": 1,, )") << u"line"_s;
    QTest::newRow("wrong type") << QByteArray(R"("version": 1, "cluster": "lumi", "resources": {"nodes": "two"})")
                                << u"$.resources.nodes"_s;
    QTest::newRow("unknown cluster") << QByteArray(R"("version": 1, "cluster": "lumii")") << u"$.cluster"_s;
    QTest::newRow("other version") << QByteArray(R"("version": 7, "cluster": "lumi")") << u"$.version"_s;
}

void CliTest::unreadableDesigns()
{
    QFETCH(QByteArray, members);
    QFETCH(QString, place);
    const QString path = designFile(members);
    for (const QString& command : {u"script"_s, u"check"_s, u"cost"_s, u"bind"_s, u"batch"_s}) {
        const Answer answer = run({command, path, u"--json"_s});
        QCOMPARE(answer.code, 2);
        QVERIFY(answer.out.isEmpty());
        QCOMPARE(answer.err.count(u'\n'), 1);
        QVERIFY2(answer.err.contains(path) && answer.err.contains(place), qPrintable(answer.err));
    }
    const Answer missing = run({u"script"_s, m_folder.filePath(u"no such file"_s)});
    QCOMPARE(missing.code, 2);
    QVERIFY2(missing.err.contains(u"no such file"_s), qPrintable(missing.err));
}

void CliTest::clusters()
{
    const Answer answer = run({u"clusters"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY(namesOf(answer.jsonArray()).contains(u"practice"_s));
    const QJsonArray all = answer.jsonArray();
    const auto lumi = std::find_if(
        all.begin(), all.end(), [](const QJsonValue& one) { return one.toObject().value(u"name"_s) == u"lumi"_s; });
    QVERIFY(lumi != all.end());
    // LUMI user guide: hardware/lumig, runjobs/scheduled-jobs/partitions
    const QJsonObject profile = (*lumi).toObject();
    QCOMPARE(profile.value(u"title"_s), u"LUMI"_s);
    QCOMPARE(profile.value(u"gpusPerNode"_s), 8);
    QCOMPARE(profile.value(u"gpuMemoryBytes"_s).toDouble(), 64.0 * 1024 * 1024 * 1024);
    for (const QJsonValue& one : profile.value(u"partitions"_s).toArray()) {
        const QJsonObject partition = one.toObject();
        if (partition.value(u"name"_s) == u"standard-g"_s) {
            QCOMPARE(partition.value(u"shared"_s), false);
            QCOMPARE(partition.value(u"maxNodes"_s), 1024);
            QCOMPARE(partition.value(u"maxSeconds"_s), 2 * 86400);
            QVERIFY(partition.value(u"maxGpusPerJob"_s).isNull()); // not limited: unknown is null
        }
    }
}

void CliTest::scriptIsPlainText()
{
    const QString path = rankwright::test::sourcePath(u"/tests/data/scripts/lumi-4node-srun-masks");
    QFile golden(path + u".sh"_s);
    QVERIFY(golden.open(QIODevice::ReadOnly));
    const QString wanted = QString::fromUtf8(golden.readAll());
    QCOMPARE(run({u"script"_s, path + u".json"_s}).out, wanted);
    QCOMPARE(run({u"script"_s, u"--json"_s, path + u".json"_s}).out, wanted);
}

void CliTest::checkReportsUnknownMembers()
{
    const Answer answer = run({u"check"_s, u"--json"_s, designFile(R"("version": 1, "cluster": "lumi",
        "account": "project_462000265", "resources": {"nods": 2, "nodes": 1, "gpusPerNode": 1}, "colour": 1)")});
    QStringList unknown;
    for (const QJsonValue& one : answer.json().value(u"findings"_s).toArray()) {
        const QJsonObject finding = one.toObject();
        for (const QString& member : {u"severity"_s, u"rule"_s, u"slug"_s, u"line"_s, u"field"_s, u"text"_s, u"fix"_s})
            QVERIFY2(finding.contains(member), qPrintable(member));
        if (finding.value(u"slug"_s) == u"unknown-member"_s) {
            QCOMPARE(finding.value(u"severity"_s), u"warning"_s);
            unknown.append(finding.value(u"field"_s).toString());
        }
    }
    unknown.sort();
    QCOMPARE(unknown, (QStringList{u"colour"_s, u"resources.nods"_s}));
    QCOMPARE(answer.code, 0);
}

void CliTest::checkSaysNo()
{
    // LUMI user guide: small-g takes at most 4 nodes
    const Answer answer = run({u"check"_s, u"--json"_s, designFile(R"("version": 1, "cluster": "lumi",
        "account": "project_462000265", "partition": "small-g", "resources": {"nodes": 5, "gpusPerNode": 8})")});
    QCOMPARE(answer.code, 1);
    bool found = false;
    for (const QJsonValue& one : answer.json().value(u"findings"_s).toArray()) {
        const QJsonObject finding = one.toObject();
        found
            = found || (finding.value(u"severity"_s) == u"error"_s && finding.value(u"slug"_s) == u"partition-limit"_s);
    }
    QVERIFY2(found, qPrintable(answer.out));
}

void CliTest::costOfPublishedExamples_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<double>("amount");
    QTest::addColumn<QString>("decidedBy");
    // LUMI user guide, billing page, and the training materials' examples
    QTest::newRow("standard-g, 4 nodes, a day")
        << QByteArray(R"("partition": "standard-g", "time": "1-00:00:00", "resources": {"nodes": 4, "gpusPerNode": 8})")
        << 384.0 << u"nodes"_s;
    QTest::newRow("one GCD, memory decides") << QByteArray(R"("partition": "small-g", "time": "1-00:00:00",
            "resources": {"nodes": 1, "gpusPerNode": 1, "memoryPerNode": "128G"})")
                                             << 24.0 << u"memory"_s;
    QTest::newRow("one GCD, 14 cores decide") << QByteArray(R"("partition": "small-g", "time": "01:00:00",
            "resources": {"nodes": 1, "gpusPerNode": 1, "cpusPerGpu": 14})")
                                              << 1.0 << u"cores"_s;
    QTest::newRow("the advised request") << QByteArray(
        R"("partition": "small-g", "time": "01:00:00", "resources": {"nodes": 1, "gpusPerNode": 1})")
                                         << 0.5 << u"gpus"_s;
    QTest::newRow("dev-g follows small-g")
        << QByteArray(R"("partition": "dev-g", "time": "03:00:00", "resources": {"nodes": 1, "gpusPerNode": 1})") << 1.5
        << u"gpus"_s;
}

void CliTest::costOfPublishedExamples()
{
    QFETCH(QByteArray, request);
    QFETCH(double, amount);
    QFETCH(QString, decidedBy);
    const Answer answer = run({u"cost"_s, u"--json"_s, designFile(R"("version": 1, "cluster": "lumi", )" + request)});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(u"unit"_s), u"GPU-hours"_s);
    QCOMPARE(answer.json().value(u"amount"_s).toDouble(), amount);
    QCOMPARE(answer.json().value(u"decidedBy"_s), decidedBy);
    for (const QString& share : {u"gpus"_s, u"cores"_s, u"memory"_s})
        QVERIFY(answer.json().value(u"shares"_s).toObject().contains(share));
}

void CliTest::costWithoutAFormulaIsNull()
{
    // No billing formula is published for Raven: unknown is null, never 0.
    const Answer answer = run({u"cost"_s, u"--json"_s, designFile(R"("version": 1, "cluster": "raven")")});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.json().contains(u"amount"_s));
    QVERIFY(answer.json().value(u"amount"_s).isNull());
    QVERIFY(answer.json().value(u"perHour"_s).isNull());
}

void CliTest::bindGivesThePublishedMasks()
{
    const Answer answer = run({u"bind"_s, u"--json"_s, designFile(R"("version": 1, "cluster": "lumi",
        "partition": "standard-g", "launcher": "srun", "resources": {"nodes": 2, "gpusPerNode": 8})")});
    QCOMPARE(answer.code, 0);
    const QJsonArray ranks = answer.json().value(u"ranks"_s).toArray();
    QCOMPARE(ranks.size(), 16);
    // LUMI user guide, distribution-binding; rocm-smi --showtoponuma
    const char* masks[] = {"0x00fe000000000000", "0xfe00000000000000", "0x0000000000fe0000", "0x00000000fe000000",
        "0x00000000000000fe", "0x000000000000fe00", "0x000000fe00000000", "0x0000fe0000000000"};
    const int firstCores[] = {49, 57, 17, 25, 1, 9, 33, 41};
    const int numa[] = {3, 3, 1, 1, 0, 0, 2, 2};
    for (int i = 0; i < 16; ++i) {
        const QJsonObject rank = ranks.at(i).toObject();
        QCOMPARE(rank.value(u"rank"_s), i);
        QCOMPARE(rank.value(u"node"_s), i / 8);
        QCOMPARE(rank.value(u"localRank"_s), i % 8);
        QCOMPARE(rank.value(u"gpu"_s), i % 8);
        QCOMPARE(rank.value(u"numa"_s), numa[i % 8]);
        QCOMPARE(rank.value(u"cores"_s).toArray().size(), 7);
        QCOMPARE(rank.value(u"cores"_s).toArray().first(), firstCores[i % 8]);
        QCOMPARE(rank.value(u"mask"_s), QString::fromLatin1(masks[i % 8]));
    }
}

void CliTest::bindLeavesSharedNodesOpen()
{
    const Answer answer = run({u"bind"_s, u"--json"_s, designFile(R"("version": 1, "cluster": "lumi",
        "partition": "small-g", "resources": {"nodes": 1, "gpusPerNode": 2})")});
    QCOMPARE(answer.code, 0);
    const QJsonObject rank = answer.json().value(u"ranks"_s).toArray().first().toObject();
    QVERIFY(rank.value(u"cores"_s).toArray().isEmpty());
    QVERIFY(rank.value(u"mask"_s).isNull());
    QVERIFY(!answer.json().value(u"reason"_s).toString().isEmpty());
}

void CliTest::batchIsSolved_data()
{
    QTest::addColumn<QByteArray>("training");
    QTest::addColumn<int>("globalBatch");
    QTest::addColumn<int>("microBatch");
    QTest::addColumn<int>("accumulation");
    QTest::addColumn<bool>("exact");
    // per-GPU batch 32 on 4 and 8 GPUs is a global batch of 128 and 256 (MPCDF course, multi-GPU chapter)
    QTest::newRow("micro 32 on 8") << QByteArray(R"("microBatch": 32)") << 256 << 32 << 1 << true;
    QTest::newRow("accumulated") << QByteArray(R"("globalBatch": 128, "microBatch": 4)") << 128 << 4 << 4 << true;
    QTest::newRow("cannot be met") << QByteArray(R"("globalBatch": 100, "microBatch": 4)") << 96 << 4 << 3 << false;
}

void CliTest::batchIsSolved()
{
    QFETCH(QByteArray, training);
    QFETCH(int, globalBatch);
    QFETCH(int, microBatch);
    QFETCH(int, accumulation);
    QFETCH(bool, exact);
    const Answer answer = run({u"batch"_s, u"--json"_s,
        designFile(R"("version": 1, "cluster": "lumi",
        "resources": {"nodes": 1, "gpusPerNode": 8}, "parallel": {"strategy": "ddp"}, "training": {)"
            + training + "}")});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(u"globalBatch"_s), globalBatch);
    QCOMPARE(answer.json().value(u"microBatch"_s), microBatch);
    QCOMPARE(answer.json().value(u"gradientAccumulation"_s), accumulation);
    QCOMPARE(answer.json().value(u"dataParallel"_s), 8);
    QCOMPARE(answer.json().value(u"exact"_s), exact);
    QCOMPARE(answer.json().value(u"nearest"_s).toArray().isEmpty(), exact);
    QVERIFY(answer.json().value(u"stepsPerEpoch"_s).isNull());
    QVERIFY(answer.json().value(u"learningRateScale"_s).toObject().contains(u"sqrt"_s));
}

void CliTest::everyCommandHasATextForm_data()
{
    QTest::addColumn<QStringList>("arguments");
    const QString path = rankwright::test::sourcePath(u"/tests/data/scripts/lumi-2gcd-torchrun.json");
    QTest::newRow("clusters") << QStringList{u"clusters"_s};
    for (const QString& command : {u"check"_s, u"cost"_s, u"bind"_s, u"batch"_s})
        QTest::newRow(qPrintable(command)) << QStringList{command, path};
}

void CliTest::everyCommandHasATextForm()
{
    QFETCH(QStringList, arguments);
    const Answer answer = run(arguments);
    QCOMPARE(answer.code, 0);
    QVERIFY(!answer.out.isEmpty());
    QVERIFY(!answer.out.startsWith(u'{') && !answer.out.startsWith(u'['));
    QVERIFY(answer.out.endsWith(u'\n'));
}

void CliTest::programReadsStandardInput()
{
    const QString program = QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s;
    if (!QFile::exists(program))
        QSKIP("rankwright-cli is not built beside the tests");
    QProcess process;
    process.start(program, {u"cost"_s, u"-"_s, u"--json"_s});
    process.write(R"({"version": 1, "cluster": "lumi", "partition": "standard-g", "time": "01:00:00"})");
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.exitCode(), 0);
    const QJsonObject answer = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QCOMPARE(answer.value(u"amount"_s).toDouble(), 4.0); // a LUMI-G node costs 4 GPU-hours an hour

    process.start(program, {u"cost"_s, u"-"_s});
    process.write("nothing");
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("standard input"));
}

RANKWRIGHT_TEST_MAIN(CliTest)
#include "tst_cli.moc"

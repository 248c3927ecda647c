// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/document/designjson.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

QString goldenFolder() { return rankwright::test::sourcePath(u"/tests/data/scripts/"); }

/// The design of one golden script, tests/data/scripts/NAME.json.
QByteArray designOf(const QString& name)
{
    QFile file(goldenFolder() + name + u".json"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Finished {
    int code = -1;
    QByteArray output;
};

Finished runOnText(const QString& program, const QStringList& arguments, const QByteArray& text)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.write(text);
    process.closeWriteChannel();
    if (!process.waitForFinished(test::longWaitMs))
        return {-1, "timed out or not started"};
    return {process.exitCode(), process.readAll()};
}

} // namespace

class ScriptWriterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue(); }

    void golden_data();
    void golden();
    void everyLineIsExplained_data() { golden_data(); }
    void everyLineIsExplained();
    void findsLinesOfAField();
    void commandForms_data();
    void commandForms();
    void siteSpellings();
    void memoryIsLeftOutWhereItFollowsTheGpus();
    void ownVariableReplacesTheSites();
    void setupThatLoadsModulesNeedsALoginShell();
    void namesThatCannotBeExportedAreReportedNotSet();
    void unbalancedCommandStopsTheJob();
    void launchersThatCannotStartTheStrategyStopTheJob();
    void suffixOfTheFastNetwork();
    void firstHostSurvivesALongNodeList();

private:
    ResolvedSpec resolvedFrom(const QString& name, const ClusterProfile& profile);
    QString scriptOf(const QString& name);

    Catalogue m_catalogue;
};

ResolvedSpec ScriptWriterTest::resolvedFrom(const QString& name, const ClusterProfile& profile)
{
    const Result<ReadDesign> design = readDesign(designOf(name), name);
    if (!design)
        qFatal("%s", qPrintable(design.error().oneLine()));
    return resolve(design->spec, profile);
}

QString ScriptWriterTest::scriptOf(const QString& name)
{
    const Result<ReadDesign> design = readDesign(designOf(name), name);
    if (!design)
        qFatal("%s", qPrintable(design.error().oneLine()));
    const ClusterProfile* profile = m_catalogue.find(design->spec.cluster);
    if (profile == nullptr)
        qFatal("no such cluster");
    return writeScript(resolve(design->spec, *profile), *profile).text();
}

void ScriptWriterTest::golden_data()
{
    QTest::addColumn<QString>("name");
    const QStringList designs = QDir(goldenFolder()).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    QVERIFY(designs.size() >= 12);
    for (const QString& file : designs)
        QTest::newRow(qPrintable(file)) << file.chopped(5);
}

void ScriptWriterTest::golden()
{
    QFETCH(QString, name);
    const QByteArray script = scriptOf(name).toUtf8();
    QFile file(goldenFolder() + name + u".sh"_s);
    if (qEnvironmentVariableIsSet("UPDATE_GOLDENS")) {
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(script);
    } else {
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName() + u": run with UPDATE_GOLDENS=1"_s));
        QCOMPARE(QString::fromUtf8(script).split(u'\n'), QString::fromUtf8(file.readAll()).split(u'\n'));
    }
    const Finished syntax = runOnText(u"bash"_s, {u"-n"_s}, script);
    QVERIFY2(syntax.code == 0, syntax.output.constData());
    const QString shellcheck = QStandardPaths::findExecutable(u"shellcheck"_s);
    if (shellcheck.isEmpty())
        QSKIP("shellcheck is not installed");
    const Finished checked = runOnText(shellcheck, {u"--shell=bash"_s, u"-"_s}, script);
    QVERIFY2(checked.code == 0, checked.output.constData());
}

void ScriptWriterTest::everyLineIsExplained()
{
    QFETCH(QString, name);
    const Result<ReadDesign> read = readDesign(designOf(name), name);
    QVERIFY_RESULT(read);
    const ClusterProfile& profile = *m_catalogue.find(read->spec.cluster);
    const ScriptDocument document = writeScript(resolve(read->spec, profile), profile);
    bool inCommand = false; // from the first line after the directives
    for (const ScriptLine& line : document.lines) {
        QVERIFY2(!line.text.contains(u'\n'), qPrintable(line.text));
        QCOMPARE(line.text.isEmpty(), line.reason.isEmpty());
        if (line.text.startsWith(u"#SBATCH"_s)) {
            QVERIFY2(!inCommand, qPrintable(u"late directive: "_s + line.text)); // R37
            QVERIFY2(!line.source.isEmpty(), qPrintable(line.text));
        }
        inCommand = inCommand || (!line.text.isEmpty() && !line.text.startsWith(u'#'));
    }
    QVERIFY(document.text().startsWith(u"#!/bin/bash"_s)); // R37: nothing above it
    QVERIFY(document.text().endsWith(u'\n'));
}

void ScriptWriterTest::findsLinesOfAField()
{
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    const ScriptDocument document = writeScript(resolvedFrom(u"lumi-4node-torchrun"_s, profile), profile);
    const auto texts = [&](const QString& field) {
        QStringList found;
        for (const int line : document.linesOf(field))
            found.append(document.lines.at(line).text);
        return found;
    };
    QVERIFY(texts(u"resources.nodes"_s).contains(u"#SBATCH --nodes=4"_s));
    QVERIFY(texts(u"resources"_s).contains(u"#SBATCH --nodes=4"_s));
    QVERIFY(texts(u"resources"_s).contains(u"#SBATCH --mem=480G"_s));
    QVERIFY(texts(u"environment"_s).contains(u"export WANDB_MODE=offline"_s));
    QVERIFY(texts(u"reservation"_s).contains(u"#SBATCH --reservation=course"_s));
    // Continuation lines know where they come from, too.
    const QStringList ofNodes = texts(u"resources.nodes"_s);
    QVERIFY(std::any_of(
        ofNodes.cbegin(), ofNodes.cend(), [](const QString& t) { return t.contains(u"--rdzv_endpoint"_s); }));
    QVERIFY(texts(u"resource"_s).isEmpty());
    QVERIFY(texts({}).isEmpty());
}

void ScriptWriterTest::commandForms_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("bySrun");
    QTest::addColumn<QString>("byAgent");
    QTest::newRow("script") << u"train.py -x 1"_s << u"python3 train.py -x 1"_s << u"train.py -x 1"_s;
    QTest::newRow("interpreter") << u"python train.py"_s << u"python3 train.py"_s << u"train.py"_s;
    QTest::newRow("module") << u"-m pkg.train --a"_s << u"python3 -m pkg.train --a"_s << u"-m pkg.train --a"_s;
    QTest::newRow("python -m") << u"python3 -m pkg"_s << u"python3 -m pkg"_s << u"-m pkg"_s;
    QTest::newRow("unbuffered") << u"python3 -u train.py"_s << u"python3 -u train.py"_s << u"train.py"_s;
    QTest::newRow("interpreter options") << u"python3 -W ignore t.py"_s << u"python3 -W ignore t.py"_s
                                         << u"--no_python python3 -W ignore t.py"_s;
    QTest::newRow("other program") << u"./run.sh 'a b'"_s << u"./run.sh 'a b'"_s << u"--no_python ./run.sh 'a b'"_s;
    QTest::newRow("operators stay words")
        << u"t.py a > b; c | d && $X"_s << u"python3 t.py a '>' 'b;' c '|' d '&&' '$X'"_s
        << u"t.py a '>' 'b;' c '|' d '&&' '$X'"_s;
}

void ScriptWriterTest::commandForms()
{
    QFETCH(QString, command);
    QFETCH(QString, bySrun);
    QFETCH(QString, byAgent);
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    for (const Launcher launcher : {Launcher::Srun, Launcher::Torchrun}) {
        ResolvedSpec resolved = resolvedFrom(u"practice-1node-srun"_s, profile);
        resolved.launcher = launcher;
        resolved.command = command;
        const QString last = writeScript(resolved, profile).lines.last().text.trimmed();
        QCOMPARE(last, launcher == Launcher::Srun ? bySrun : byAgent);
    }
}

void ScriptWriterTest::siteSpellings()
{
    // R04, section 7: Raven asks by gres with a constraint and without a partition.
    ClusterProfile profile = *m_catalogue.find(u"practice"_s);
    profile.launch.gpuRequest = GpuRequest::Gres;
    profile.launch.extraDirectives = {u"--constraint=gpu"_s};
    for (Partition& partition : profile.partitions)
        partition.partitionWritten = false;
    profile.launch.accountRequired = false;
    ResolvedSpec resolved = resolvedFrom(u"practice-1node-srun"_s, profile);
    resolved.spec.partition.reset();
    resolved.account.clear();
    const QString script = writeScript(resolved, profile).text();
    QVERIFY(script.contains(u"\n#SBATCH --gres=gpu:mi250:4\n"_s));
    QVERIFY(script.contains(u"\n#SBATCH --constraint=gpu\n"_s));
    QVERIFY(!script.contains(u"--gpus"_s));
    QVERIFY(!script.contains(u"--partition"_s));
    QVERIFY(!script.contains(u"ACCOUNT"_s));
}

void ScriptWriterTest::memoryIsLeftOutWhereItFollowsTheGpus()
{
    // R05: Mahti and Roihu give memory with the GPUs.
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    ResolvedSpec resolved = resolvedFrom(u"practice-1node-srun"_s, profile);
    QVERIFY(writeScript(resolved, profile).text().contains(u"#SBATCH --mem=240G"_s));
    resolved.memoryPerNode.reset();
    QVERIFY(!writeScript(resolved, profile).text().contains(u"--mem"_s));
}

void ScriptWriterTest::ownVariableReplacesTheSites()
{
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    ResolvedSpec resolved = resolvedFrom(u"lumi-4node-torchrun"_s, profile);
    resolved.spec.environment.variables = {{u"NCCL_SOCKET_IFNAME"_s, u"hsn"_s}, {u"MIOPEN_USER_DB_PATH"_s, u"/x"_s}};
    const QString script = writeScript(resolved, profile).text();
    QCOMPARE(script.count(u"NCCL_SOCKET_IFNAME="_s), 1);
    QVERIFY(script.contains(u"\nexport NCCL_SOCKET_IFNAME=hsn\n"_s));
    QCOMPARE(script.count(u"MIOPEN_USER_DB_PATH="_s), 1);
    QVERIFY(script.contains(u"\nexport MIOPEN_USER_DB_PATH=/x\n"_s));
}

void ScriptWriterTest::setupThatLoadsModulesNeedsALoginShell()
{
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    ResolvedSpec resolved = resolvedFrom(u"practice-1node-srun"_s, profile);
    const auto head = [&](const QStringList& setup) {
        resolved.spec.environment.setup = setup;
        return writeScript(resolved, profile).text().section(u'\n', 0, 0);
    };
    QCOMPARE(head({u"export A=1"_s, u"echo module load"_s}), u"#!/bin/bash"_s);
    QCOMPARE(head({u"export A=1"_s, u"module load cuda"_s}), u"#!/bin/bash -l"_s);
    QCOMPARE(head({u"# of the group\n  conda activate torch"_s}), u"#!/bin/bash -l"_s);
}

void ScriptWriterTest::namesThatCannotBeExportedAreReportedNotSet()
{
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    ResolvedSpec resolved = resolvedFrom(u"practice-1node-srun"_s, profile);
    resolved.spec.environment.variables
        = {{u"A B"_s, u"1"_s}, {u"UID"_s, u"0"_s}, {u"X=$(id);Y"_s, u"2"_s}, {u"N\n#SBATCH --nodes=9"_s, u"3"_s}};
    const QString script = writeScript(resolved, profile).text();
    QCOMPARE(script.count(u"# NOT SET: "_s), 4);
    QVERIFY(!script.contains(u"export UID"_s));
    QVERIFY(!script.contains(u"\n#SBATCH --nodes=9"_s));
    QCOMPARE(runOnText(u"bash"_s, {u"-n"_s}, script.toUtf8()).code, 0);
}

void ScriptWriterTest::unbalancedCommandStopsTheJob()
{
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    ResolvedSpec resolved = resolvedFrom(u"practice-1node-srun"_s, profile);
    for (const QString& command :
        {u"train.py 'open"_s, u"train.py \"open"_s, u"train.py open\\"_s, u""_s, u"python3"_s}) {
        resolved.command = command;
        const QByteArray script = writeScript(resolved, profile).text().toUtf8();
        QVERIFY(!script.contains("srun --"));
        QCOMPARE(runOnText(u"bash"_s, {u"-n"_s}, script).code, 0);
        const QByteArray inJob = "SLURM_NTASKS=4 SLURM_GPUS_ON_NODE=4\n" + script;
        const Finished finished = runOnText(u"bash"_s, {}, inJob);
        QCOMPARE(finished.code, 1);
        QVERIFY2(finished.output.startsWith("rankwright: The "), finished.output.constData());
    }
}

void ScriptWriterTest::launchersThatCannotStartTheStrategyStopTheJob()
{
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    ResolvedSpec resolved = resolvedFrom(u"practice-1node-srun"_s, profile);
    resolved.strategy = Strategy::Horovod; // needs one task per GPU (Horovod documentation, MPI)
    for (const Launcher launcher : {Launcher::Accelerate, Launcher::Deepspeed, Launcher::Torchrun}) {
        resolved.launcher = launcher;
        const QString script = writeScript(resolved, profile).text();
        QVERIFY(script.contains(u"\nstop 'Horovod needs one task for each GPU, which "_s + toText(launcher)));
        QVERIFY(!script.contains(u"srun --"_s));
    }
}

void ScriptWriterTest::suffixOfTheFastNetwork()
{
    // R11: JUWELS needs an "i" behind the host name.
    ClusterProfile profile = *m_catalogue.find(u"practice"_s);
    profile.launch.masterAddressSuffix = u"i"_s;
    const QString script = writeScript(resolvedFrom(u"practice-2node-srun"_s, profile), profile).text();
    QVERIFY(script.contains(u"\nMASTER_ADDR=\"$MASTER_ADDR\"i\n"_s));
}

void ScriptWriterTest::firstHostSurvivesALongNodeList()
{
    // With head instead of sed, pipefail ends every job of more than some 400 nodes: scontrol's pipe breaks.
    const QString script = scriptOf(u"practice-2node-torchrun"_s);
    const QString line = script.mid(script.indexOf(u"MASTER_ADDR=\"$(scontrol"_s)).section(u'\n', 0, 0);
    const QByteArray bash = "set -euo pipefail\nscontrol() { seq -f 'nid%06.0f' 1 200000; }\nSLURM_JOB_NODELIST=x\n"
        + line.toUtf8() + "\necho \"first $MASTER_ADDR\"\n";
    const Finished finished = runOnText(u"bash"_s, {}, bash);
    QCOMPARE(finished.code, 0);
    QCOMPARE(finished.output, QByteArray("first nid000001\n"));
}

RANKWRIGHT_TEST_MAIN(ScriptWriterTest)
#include "tst_scriptwriter.moc"

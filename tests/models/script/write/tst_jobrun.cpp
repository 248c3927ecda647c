// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/plannedrun.h"
#include "models/script/write/lifecycle.h"
#include "models/script/write/scriptwriter.h"
#include "models/script/write/trainerconfig.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// Slurm as far as a script sees it, on one node: each task is run once, as node 1 of 2 and local rank 3.
const char* const fakeSlurm = R"sh(
srun() {
    while [[ ${1:-} == --* ]]; do shift; done
    SLURM_NODEID=1 SLURM_LOCALID=3 SLURM_PROCID=11 "$@"
}
scontrol() { if [[ $1 == show ]]; then printf 'n1\nn2\n'; else echo "SCONTROL $*"; fi; }
module() { :; }
export SLURM_JOB_ID=40937 SLURM_NNODES=2 SLURM_CPUS_PER_TASK=7 SLURM_JOB_NODELIST=n1 SLURM_NODEID=0 SLURM_PROCID=0
export SLURM_LOCALID=0 SLURM_JOB_ACCOUNT=p USER=ada
)sh";

/// What the programs on the path do: print their own name and words.
const char* const reporter
    = "#!/bin/sh\n[ \"$1\" = -c ] && exit 0\necho \"RUN $(basename \"$0\") $*\"\nexit ${RW_EXIT:-0}\n";
/// As the real one with -c: runs the rest there.
const char* const taskset = "#!/bin/sh\necho \"TASKSET $2\"\nshift 2\nexec \"$@\"\n";
/// torchrun as far as needed here: starts the words behind --no_python as its fourth worker.
const char* const agent
    = "#!/bin/sh\nwhile [ \"$1\" != --no_python ]; do shift; done\nshift\nLOCAL_RANK=3 exec \"$@\"\n";

} // namespace

/// What generated scripts do when they run: who is notified of what, and what follows when they end.
class JobRunTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void signalsAsSbatchReadsThem_data();
    void signalsAsSbatchReadsThem();
    void machineRankIsReadInTheTask();
    void workersAreBoundByLocalRank();
    void queuesAgainOnlyAtTheLimit_data();
    void queuesAgainOnlyAtTheLimit();
    void aShortJobThatIsDoneIsNotQueuedAgain_data();
    void aShortJobThatIsDoneIsNotQueuedAgain();
    void continuationsAreReported_data();
    void continuationsAreReported();
    void deepspeedConfigAgreesWithTheBatch();
    void titanDegreesMultiplyUp();
    void megatronLeavesGivenArgumentsAlone();
    void megatronKnowsTheNamedModel();
    void megatronDeepspeedHasItsOwnNames();
    void megatronArgumentsForMegatronAlone();
    void megatronTakesGivenGroupsWhole();
    void megatronIsNoFolder();
    void workersRunWithoutTheCheck();
    void condaByAnyPath_data();
    void condaByAnyPath();
    void namesOfInterpretersAreText();
    void filesOfTheHomeFolder();
    void engineFileWithABase();
    void openPrecisionIsTheEstimates();
    void configurationStaysWithItsOwner();

private:
    JobSpec spec(Launcher launcher, int nodes, int gpus) const;
    QString run(const JobSpec& design, const QByteArray& before = {}, int* code = nullptr) const;

    Catalogue m_catalogue;
    QTemporaryDir m_folder;
};

void JobRunTest::initTestCase()
{
    m_catalogue = loadCatalogue();
    const auto write = [&](const QString& name, const char* text) {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    for (const QString& name : {u"python3"_s, u"accelerate"_s, u"deepspeed"_s})
        write(name, reporter);
    write(u"taskset"_s, taskset);
    write(u"torchrun"_s, agent);
    write(u"train.py"_s, "");
}

JobSpec JobRunTest::spec(Launcher launcher, int nodes, int gpus) const
{
    JobSpec design;
    design.cluster = u"practice"_s;
    design.account = u"project_465000001"_s;
    design.partition = u"small-g"_s;
    design.time = Seconds{3600};
    design.resources = {nodes, gpus, {}, {}};
    design.parallel.strategy = gpus * nodes == 1 ? Strategy::Single : Strategy::Ddp;
    design.launcher = launcher;
    design.environment.container = u"none"_s;
    design.command = u"train.py 'a b'"_s;
    return design;
}

QString JobRunTest::run(const JobSpec& design, const QByteArray& before, int* code) const
{
    const ClusterProfile& profile = *m_catalogue.find(design.cluster);
    const ResolvedSpec resolved = resolve(design, profile);
    const QByteArray program = fakeSlurm + before + "\nexport SLURM_NTASKS="
        + QByteArray::number(resolved.tasksPerNode() * resolved.nodes) + " SLURM_GPUS_ON_NODE="
        + QByteArray::number(resolved.gpusPerNode) + "\n" + writeScript(resolved, profile).text().toUtf8();
    QProcess bash;
    bash.setProcessChannelMode(QProcess::MergedChannels);
    bash.setWorkingDirectory(m_folder.path());
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, m_folder.path() + u":/usr/bin:/bin"_s);
    bash.setProcessEnvironment(environment);
    bash.start(u"bash"_s, {});
    bash.write(program);
    bash.closeWriteChannel();
    bash.waitForFinished(test::longWaitMs);
    if (code != nullptr)
        *code = bash.exitCode();
    return QString::fromUtf8(bash.readAll());
}

void JobRunTest::signalsAsSbatchReadsThem_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("read"); // sbatch(1): [{R|B}:]<sig_num>[@sig_time], 60 seconds by default
    QTest::newRow("name") << u"USR1@300"_s << u"USR1 300"_s;
    QTest::newRow("SIG") << u"SIGUSR1@90"_s << u"USR1 90"_s;
    QTest::newRow("number") << u"10@120"_s << u"10 120"_s;
    QTest::newRow("default") << u"term"_s << u"TERM 60"_s;
    QTest::newRow("batch shell") << u"B:TERM@300"_s << u"TERM 300 batch"_s;
    QTest::newRow("too early") << u"USR1@70000"_s << QString();
    QTest::newRow("no signal") << u"SOON@5"_s << QString();
    QTest::newRow("words") << u"USR1 300"_s << QString();
}

void JobRunTest::signalsAsSbatchReadsThem()
{
    QFETCH(QString, text);
    QFETCH(QString, read);
    const auto signal = parseSignal(text);
    QCOMPARE(signal.has_value(), !read.isEmpty());
    if (signal)
        QCOMPARE(u"%1 %2"_s.arg(signal->name).arg(signal->seconds) + (signal->batchShellOnly ? u" batch"_s : QString()),
            read);
}

void JobRunTest::machineRankIsReadInTheTask()
{
    // In the batch shell SLURM_NODEID is 0 on every node: all commands would claim to be the first (R27).
    const QString reported = run(spec(Launcher::Accelerate, 2, 4));
    QVERIFY2(reported.contains(u"RUN accelerate launch --machine_rank=1 "_s), qPrintable(reported));
    QVERIFY2(
        reported.contains(u" --num_machines=2 --num_processes=8 --main_process_ip=n1 --main_process_port=10937 "_s),
        qPrintable(reported));
}

void JobRunTest::workersAreBoundByLocalRank()
{
    // LUMI user guide, distribution-binding: GCD 3 is beside cores 25 to 31
    JobSpec design = spec(Launcher::Torchrun, 1, 8);
    const QString reported = run(design);
    QVERIFY2(reported.contains(u"TASKSET 25-31\n"_s) && reported.contains(u"RUN python3 train.py a b"_s),
        qPrintable(reported));
    design.options.cpuBinding = false;
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    QVERIFY(!writeScript(resolve(design, profile), profile).text().contains(u"taskset"_s));
    design.options.cpuBinding.reset();
    QVERIFY(writeScript(resolve(design, profile), profile)
                .text()
                .contains(u"cores=(49-55 57-63 17-23 25-31 1-7 9-15 33-39 41-47)"_s));
}

void JobRunTest::queuesAgainOnlyAtTheLimit_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<bool>("again");
    // one hour, a signal 300 s before it: what ends later than 3210 s was ended by the limit
    QTest::newRow("done early") << QByteArray("SECONDS=100") << false;
    QTest::newRow("at the limit") << QByteArray("SECONDS=3500") << true;
    QTest::newRow("failed early") << QByteArray("SECONDS=100; export RW_EXIT=7") << false;
    QTest::newRow("ended by the signal") << QByteArray("SECONDS=3500; export RW_EXIT=7") << true;
    QTest::newRow("often enough") << QByteArray("SECONDS=3500; export SLURM_RESTART_COUNT=5") << false;
    // On a busy machine the timer, which has nothing to wait for, is gone before the script's next command.
    QTest::newRow("often enough, and the timer is gone at once")
        << QByteArray("SECONDS=3500; export SLURM_RESTART_COUNT=5; trap '/bin/sleep 0.02' DEBUG") << false;
    QTest::newRow("once more") << QByteArray("SECONDS=3500; export SLURM_RESTART_COUNT=4") << true;
}

void JobRunTest::queuesAgainOnlyAtTheLimit()
{
    QFETCH(QByteArray, before);
    QFETCH(bool, again);
    JobSpec design = spec(Launcher::Srun, 1, 4);
    design.options.requeueAtLimit = 5;
    int code = -1;
    const QString reported = run(design, before, &code);
    QCOMPARE(reported.contains(u"SCONTROL requeue 40937"_s), again);
    QCOMPARE(code, before.contains("RW_EXIT") ? 7 : 0);
}

void JobRunTest::aShortJobThatIsDoneIsNotQueuedAgain_data()
{
    QTest::addColumn<int>("limit");
    QTest::addColumn<QString>("signal");
    QTest::addColumn<int>("seconds");
    QTest::addColumn<bool>("again");
    // slurmctld looks every 30 s whether the signal is due within the next 30: that much earlier it comes at most
    QTest::newRow("2 min, lead chosen: done after a quarter") << 120 << QString() << 34 << false;
    QTest::newRow("2 min, lead chosen: ended by the signal") << 120 << QString() << 61 << true;
    QTest::newRow("2 min, USR1@30: done after a third") << 120 << u"USR1@30"_s << 42 << false;
    QTest::newRow("3 min, USR1@60: done after a quarter") << 180 << u"USR1@60"_s << 50 << false;
    QTest::newRow("3 min, USR1@60: ended by the signal") << 180 << u"USR1@60"_s << 95 << true;
    QTest::newRow("10 min, USR1@300: done after a third") << 600 << u"USR1@300"_s << 220 << false;
    QTest::newRow("10 min, USR1@300: ended by the signal") << 600 << u"USR1@300"_s << 275 << true;
    QTest::newRow("a lead that leaves no time for work") << 120 << u"USR1@110"_s << 40 << true;
}

void JobRunTest::aShortJobThatIsDoneIsNotQueuedAgain()
{
    QFETCH(int, limit);
    QFETCH(QString, signal);
    QFETCH(int, seconds);
    QFETCH(bool, again);
    JobSpec design = spec(Launcher::Srun, 1, 4);
    design.time = Seconds{limit};
    design.options.requeueAtLimit = 5;
    if (!signal.isEmpty())
        design.options.signal = signal;
    const QString reported = run(design, "SECONDS=" + QByteArray::number(seconds));
    QCOMPARE(reported.contains(u"SCONTROL requeue 40937"_s), again);
}

void JobRunTest::continuationsAreReported_data()
{
    QTest::addColumn<QString>("array");
    QTest::addColumn<QString>("dependency");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<bool>("reported");
    QTest::newRow("first run") << QString() << QString() << QByteArray() << false; // the count is unset then
    QTest::newRow("queued again") << QString() << QString() << QByteArray("export SLURM_RESTART_COUNT=1") << true;
    QTest::newRow("first of a chain") << u"1-3%1"_s << QString()
                                      << QByteArray("export SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1") << false;
    QTest::newRow("second of a chain") << u"1-3%1"_s << QString()
                                       << QByteArray("export SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=1") << true;
    QTest::newRow("second of a sweep") << u"1-3"_s << QString()
                                       << QByteArray("export SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=1") << false;
    QTest::newRow("behind another") << QString() << u"afterany:12"_s << QByteArray() << true;
    QTest::newRow("behind its data") << QString() << u"afterok:12"_s << QByteArray() << false;
}

void JobRunTest::continuationsAreReported()
{
    QFETCH(QString, array);
    QFETCH(QString, dependency);
    QFETCH(QByteArray, before);
    QFETCH(bool, reported);
    JobSpec design = spec(Launcher::Srun, 1, 4);
    design.options.requeue = true;
    design.options.resumeArguments = u"--resume"_s;
    if (!array.isEmpty())
        design.options.array = array;
    if (!dependency.isEmpty())
        design.options.dependency = dependency;
    const QString heard = run(design, before);
    QVERIFY2(heard.contains(u"RUN python3 train.py a b"_s), qPrintable(heard));
    QCOMPARE(heard.contains(u"a b --resume\n"_s), reported);
}

void JobRunTest::deepspeedConfigAgreesWithTheBatch()
{
    // DeepSpeed documentation: train_batch_size = micro-batch x accumulation x ranks
    JobSpec design = spec(Launcher::Torchrun, 2, 4);
    design.parallel.strategy = Strategy::Zero3;
    design.training.globalBatch = 96;
    design.training.microBatch = 3;
    design.training.precision = Precision::Bf16Mixed;
    const auto object = [&] {
        QByteArray text;
        const ConfigFile file = deepspeedConfig(resolve(design, *m_catalogue.find(u"practice"_s)));
        for (const ScriptLine& line : file.lines)
            text += line.text.toUtf8() + '\n';
        return QJsonDocument::fromJson(text).object();
    };
    QJsonObject config = object();
    QCOMPARE(config.value(u"train_micro_batch_size_per_gpu"_s).toInt() * 8
            * config.value(u"gradient_accumulation_steps"_s).toInt(),
        96);
    QCOMPARE(config.value(u"zero_optimization"_s).toObject().value(u"stage"_s).toInt(), 3);
    QVERIFY(config.value(u"bf16"_s).toObject().value(u"enabled"_s).toBool());
    QVERIFY(!config.contains(u"optimizer"_s)); // a learning rate would have to be guessed
    design.training.framework
        = Framework::HfTrainer; // transformers documentation, DeepSpeed: "auto" avoids contradictions
    config = object();
    QCOMPARE(config.value(u"train_micro_batch_size_per_gpu"_s).toString(), u"auto"_s);
}

void JobRunTest::titanDegreesMultiplyUp()
{
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    for (const Strategy strategy : {Strategy::Ddp, Strategy::Fsdp, Strategy::Hsdp, Strategy::ThreeD}) {
        JobSpec design = spec(Launcher::Torchrun, 2, 8);
        design.parallel = {strategy, 2, 2, {}};
        int product = 1;
        const ConfigFile file = titanConfig(resolve(design, profile));
        for (const ScriptLine& line : file.lines) {
            if (line.text.contains(u"_degree = "_s))
                product *= line.text.section(u"= "_s, 1).toInt();
        }
        QCOMPARE(product, 16);
    }
}

void JobRunTest::megatronLeavesGivenArgumentsAlone()
{
    JobSpec design = spec(Launcher::Torchrun, 2, 8);
    design.parallel = {Strategy::ThreeD, 4, 2, {}};
    design.training.sequence = 2048;
    design.command = u"train.py --tensor_model_parallel_size 8 --seq-length=1024"_s;
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    const QString script = writeScript(resolve(design, profile), profile).text();
    QCOMPARE(script.count(u"tensor_model_parallel_size"_s) + script.count(u"tensor-model-parallel-size"_s), 1);
    QCOMPARE(script.count(u"seq-length"_s), 1);
    QVERIFY(script.contains(u"--pipeline-model-parallel-size=2"_s));
    QVERIFY(script.contains(u"export CUDA_DEVICE_MAX_CONNECTIONS=1"_s)); // Megatron-LM asserts it for tensor parallel
}

/// S6
void JobRunTest::megatronKnowsTheNamedModel()
{
    JobSpec design = spec(Launcher::Torchrun, 2, 8);
    design.parallel = {Strategy::ThreeD, 4, 2, {}};
    design.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    design.command = u"pretrain_gpt.py"_s;
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    const auto script = [&] { return writeScript(resolve(design, profile), profile).text(); };
    const QString named = script();
    for (const QString& argument : {u"--num-layers=32"_s, u"--hidden-size=4096"_s, u"--num-attention-heads=32"_s,
             u"--num-query-groups=8"_s, u"--seq-length=4096"_s, u"--max-position-embeddings=4096"_s, u"--bf16"_s})
        QVERIFY2(named.contains(argument), qPrintable(argument + u" in\n"_s + named));
    design.training.sequence = 8192;
    QVERIFY(script().contains(u"--seq-length=8192"_s) && script().contains(u"--max-position-embeddings=8192"_s));
    design.command = u"pretrain_gpt.py --num-layers 4 --max-position-embeddings 9000"_s;
    QCOMPARE(script().count(u"--num-layers"_s), 1);
    QCOMPARE(script().count(u"--max-position-embeddings"_s), 1);
    design.command = u"pretrain_gpt.py"_s;
    design.model = QJsonObject{{u"layers"_s, 24}, {u"hidden"_s, 2048}, {u"heads"_s, 16}};
    QVERIFY(script().contains(u"--num-layers=24"_s) && script().contains(u"--seq-length="_s));
}

/// Megatron-DeepSpeed stops at options of today's Megatron-LM: its own are those of its megatron/arguments.py.
void JobRunTest::megatronDeepspeedHasItsOwnNames()
{
    JobSpec design = spec(Launcher::Srun, 2, 8);
    design.parallel = {Strategy::ThreeD, 4, 2, {}};
    design.training.framework = Framework::MegatronDeepspeed;
    design.model = QJsonObject{{u"preset"_s, u"mixtral-8x7b"_s}};
    design.command = u"pretrain_gpt.py"_s;
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    const QString script = writeScript(resolve(design, profile), profile).text();
    for (const QString& argument : {u"--num-key-value-heads=8"_s, u"--normalization=rmsnorm"_s,
             u"--use-rotary-position-embeddings"_s, u"--topk=2"_s, u"--expert-interval=1"_s})
        QVERIFY2(script.contains(argument), qPrintable(argument + u" in\n"_s + script));
    for (const QString& argument :
        {u"--group-query-attention"_s, u"--num-query-groups"_s, u"--moe-router-topk"_s, u"--position-embedding-type"_s})
        QVERIFY2(!script.contains(argument), qPrintable(argument));
}

/// S6
void JobRunTest::megatronArgumentsForMegatronAlone()
{
    JobSpec design = spec(Launcher::Torchrun, 2, 8);
    design.parallel = {Strategy::ThreeD, 4, 2, {}};
    design.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    design.command = u"train.py"_s;
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    const auto script = [&] { return writeScript(resolve(design, profile), profile).text(); };
    QVERIFY2(
        !script().contains(u"model-parallel-size"_s) && !script().contains(u"--num-layers"_s), qPrintable(script()));
    design.training.framework = Framework::MegatronCore; // its user says so
    QVERIFY(script().contains(u"--tensor-model-parallel-size=4"_s));
    design.training.framework.reset();
    design.command = u"-m megatron.training"_s;
    QVERIFY(script().contains(u"--tensor-model-parallel-size=4"_s));
}

/// One of several options that exclude each other is in the command: none of the others is added.
void JobRunTest::megatronTakesGivenGroupsWhole()
{
    JobSpec design = spec(Launcher::Torchrun, 2, 8);
    design.parallel = {Strategy::ThreeD, 4, 2, {}};
    design.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    design.training.activationCheckpointing = ActivationCheckpointing::Full;
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    const auto script = [&] { return writeScript(resolve(design, profile), profile).text(); };
    design.command = u"pretrain_gpt.py --fp16 --seq-length 8192"_s;
    QVERIFY2(!script().contains(u"--bf16"_s), qPrintable(script()));
    QVERIFY2(script().contains(u"--max-position-embeddings=8192"_s), qPrintable(script()));
    design.command = u"pretrain_gpt.py --fp8-format=hybrid --seq_length=16384"_s;
    QVERIFY(script().contains(u"--max-position-embeddings=16384"_s));
    QVERIFY(script().contains(u"--bf16"_s)); // fp8 is computed besides one of the two
    design.command = u"pretrain_gpt.py --recompute-granularity selective"_s;
    QVERIFY2(!script().contains(u"--recompute-method"_s) && !script().contains(u"--recompute-num-layers"_s),
        qPrintable(script()));
    design.command = u"pretrain_gpt.py --max-position-embeddings 2048"_s; // Megatron-LM: at least the sequence
    QVERIFY2(script().contains(u"--seq-length=2048"_s), qPrintable(script()));
}

void JobRunTest::megatronIsNoFolder()
{
    JobSpec design = spec(Launcher::Torchrun, 2, 8);
    design.parallel = {Strategy::ThreeD, 4, 2, {}};
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    const auto script = [&] { return writeScript(resolve(design, profile), profile).text(); };
    for (const QString& command : {u"train.py --data /data/megatron/my_text"_s, u"train.py --name megatron-baseline"_s,
             u"/scratch/megatron/train.py"_s, u"-m my.trainer --tokenizer megatron"_s}) {
        design.command = command;
        QVERIFY2(!script().contains(u"--tensor-model-parallel-size"_s), qPrintable(command));
    }
    for (const QString& command :
        {u"-m megatron.training"_s, u"python3 -u Megatron-LM/pretrain_gpt.py"_s, u"python -m megatron.core.run"_s,
            u"examples/pretrain_megatron.py"_s, u"train.py --pipeline-model-parallel-size 2"_s}) {
        design.command = command;
        QVERIFY2(script().contains(u"--tensor-model-parallel-size"_s), qPrintable(command));
    }
}

/// A container may start with an environment of its own: the program runs all the same.
void JobRunTest::workersRunWithoutTheCheck()
{
    for (const Launcher launcher : {Launcher::Torchrun, Launcher::Srun}) {
        JobSpec design = spec(launcher, 2, 8);
        const QString heard = run(design,
            "srun() { while [[ ${1:-} == --* ]]; do shift; done; env -u CHECK_RANK "
            "SLURM_NODEID=1 SLURM_LOCALID=3 SLURM_PROCID=11 \"$@\"; }\n");
        QVERIFY2(heard.contains(u"RUN python3 train.py a b"_s), qPrintable(heard));
    }
}

void JobRunTest::condaByAnyPath_data()
{
    QTest::addColumn<QString>("conda");
    QTest::newRow("by name") << u"torch"_s;
    QTest::newRow("path") << m_folder.filePath(u"env"_s);
    QTest::newRow("path with a slash behind") << m_folder.filePath(u"env/"_s);
    QTest::newRow("relative path") << u"./env"_s;
    QTest::newRow("of the home folder") << u"~/env"_s;
}

/// conda itself writes the folder's full name, or the name of an environment.
void JobRunTest::condaByAnyPath()
{
    QFETCH(QString, conda);
    QDir(m_folder.path()).mkdir(u"env"_s);
    JobSpec design = spec(Launcher::Srun, 1, 4);
    design.environment.conda = conda;
    const QByteArray folder = m_folder.path().toUtf8();
    const QByteArray hook = "export HOME=" + folder
        + "\nconda() { [[ $1 == activate ]] || return 0\nexport CONDA_PREFIX=" + folder
        + "/env CONDA_DEFAULT_ENV=" + folder + "/env\n[[ $2 != torch ]] || CONDA_DEFAULT_ENV=torch; }\n";
    const QString heard = run(design, hook);
    QVERIFY2(heard.contains(u"RUN python3 train.py a b"_s), qPrintable(heard));
    const QString failed = run(design, "export HOME=" + folder + "\nconda() { return 0; }\n");
    QVERIFY2(!failed.contains(u"RUN python3"_s) && failed.contains(u"conda could not activate"_s), qPrintable(failed));
}

/// What stands between double quotes of a message is never executed, and all words of a site's Python are asked.
void JobRunTest::namesOfInterpretersAreText()
{
    JobSpec design = spec(Launcher::Srun, 1, 4);
    const QString file = m_folder.filePath(u"uses.py"_s);
    QFile program(file);
    QVERIFY(program.open(QIODevice::WriteOnly) && program.write("import torch\n") > 0);
    program.close();
    design.command = u"'/opt/my \"$(echo RAN)\" `echo RAN` env/bin/python' uses.py"_s;
    const QString heard = run(design);
    QVERIFY2(!heard.contains(u"RAN"_s) && heard.contains(u"finds no PyTorch"_s), qPrintable(heard));
    ClusterProfile profile = *m_catalogue.find(design.cluster);
    profile.launch.pythonCommand = u"conda run -n x python3"_s;
    design.command = u"uses.py"_s;
    const QString script = writeScript(resolve(design, profile), profile).text();
    QVERIFY2(script.contains(u"conda run -n x python3 -c 'import importlib.util"_s), qPrintable(script));
}

/// "~/" is the home folder wherever a design names a file.
void JobRunTest::filesOfTheHomeFolder()
{
    JobSpec design = spec(Launcher::Srun, 2, 4);
    design.cluster = u"alps-clariden"_s;
    design.partition.reset();
    const ClusterProfile& profile = *m_catalogue.find(design.cluster);
    design.environment.container = u"~/my env.toml"_s;
    const QString script = writeScript(resolve(design, profile), profile).text();
    QVERIFY2(script.contains(u"SIF=~/'my env.toml'"_s), qPrintable(script));
    QVERIFY2(script.contains(u"--environment=\"$SIF\""_s), qPrintable(script));
    design.environment.container = u"edf/my.toml"_s;
    QVERIFY(writeScript(resolve(design, profile), profile).text().contains(u"--environment=\"$PWD/$SIF\""_s));
    design.cluster = u"lumi"_s;
    design.environment.container = u"~/torch.sif"_s;
    const ClusterProfile& lumi = *m_catalogue.find(design.cluster);
    QVERIFY(writeScript(resolve(design, lumi), lumi).text().contains(u"SIF=~/torch.sif"_s));
}

/// An environment definition file may take the hook from the one it is based on.
void JobRunTest::engineFileWithABase()
{
    JobSpec design = spec(Launcher::Srun, 2, 4);
    design.cluster = u"alps-clariden"_s;
    design.partition.reset();
    design.environment.container = u"my.toml"_s;
    const auto heardWith = [&](const QByteArray& text) {
        QFile file(m_folder.filePath(u"my.toml"_s));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
        file.close();
        return run(design);
    };
    QVERIFY2(heardWith("base_environment = \"ngc\"\n").contains(u"RUN python"_s),
        qPrintable(heardWith("base_environment = \"ngc\"\n")));
    QVERIFY(heardWith("com.hooks.aws_ofi_nccl.enabled = \"true\"\n").contains(u"RUN python"_s));
    const QString without = heardWith("image = \"x.sqsh\"\n");
    QVERIFY2(!without.contains(u"RUN python"_s) && without.contains(u"aws_ofi_nccl"_s), qPrintable(without));
}

/// S4: what the estimate reckons with is what the written files say.
void JobRunTest::openPrecisionIsTheEstimates()
{
    for (const QString& cluster : {u"lumi"_s, u"puhti"_s}) {
        const ClusterProfile& profile = *m_catalogue.find(cluster);
        JobSpec design = spec(Launcher::Accelerate, 1, 4);
        design.cluster = cluster;
        design.model = QJsonObject{{u"preset"_s, u"gpt-2-small"_s}};
        const ResolvedSpec resolved = resolve(design, profile);
        const auto run = planRun(resolved, planBatch(resolved), profile);
        QVERIFY_RESULT(run);
        const bool bf16 = run->workload.precision == Precision::Bf16Mixed;
        QCOMPARE(bf16, cluster == u"lumi");
        const QString accelerate = writeScript(resolved, profile).text();
        QVERIFY2(accelerate.contains(bf16 ? u"mixed_precision: bf16"_s : u"mixed_precision: fp16"_s),
            qPrintable(accelerate));
        design.launcher = Launcher::Torchrun;
        design.parallel.strategy = Strategy::Zero2;
        const QString deepspeed = writeScript(resolve(design, profile), profile).text();
        QVERIFY2(deepspeed.contains(bf16 ? u"\"bf16\": { \"enabled\": true }"_s : u"\"fp16\": { \"enabled\": true }"_s),
            qPrintable(deepspeed));
    }
}

void JobRunTest::configurationStaysWithItsOwner()
{
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    JobSpec design = spec(Launcher::Torchrun, 2, 8);
    design.parallel.strategy = Strategy::Zero2;
    const auto script = [&] { return writeScript(resolve(design, profile), profile).text(); };
    QVERIFY(script().contains(u"--deepspeed --deepspeed_config=\"$JOB_FILES/ds_config.json\""_s));
    design.options.config = u"my.json"_s;
    QVERIFY(script().contains(u"--deepspeed --deepspeed_config=my.json"_s) && !script().contains(u"ds_config.json"_s));
    design.options.config = u"none"_s;
    QVERIFY(!script().contains(u"deepspeed_config"_s));
    design.options.config.reset();
    design.command = u"train.py --deepspeed_config=own.json"_s;
    QCOMPARE(script().count(u"deepspeed_config"_s), 1);
}

RANKWRIGHT_TEST_MAIN(JobRunTest)
#include "tst_jobrun.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/catalogue.h"
#include "models/document/designjson.h"
#include "models/lint/lintrequest.h"
#include "models/script/read/scriptedit.h"
#include "models/script/read/scriptimport.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// A design's script, read and written again, is the same job: for every site, strategy and launcher, one node and two,
/// whole and shared ones; as a script of ours and as a stranger's (without the line that names us).
class ReadBackTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue({}); }
    void everySite_data();
    void everySite();
    void setupLinesComeBack();
    void keptCommandsAreNeverWrittenTwice();
    void keptCommandsSurviveTheFile();
    void interpreterComesBack_data();
    void interpreterComesBack();
    void foreignFolderComesBack();
    void edits();

private:
    JobSpec specOf(const QString& cluster, Strategy strategy, Launcher launcher, int nodes, bool whole) const;
    Catalogue m_catalogue;
};

JobSpec ReadBackTest::specOf(const QString& cluster, Strategy strategy, Launcher launcher, int nodes, bool whole) const
{
    JobSpec spec;
    spec.name = u"again"_s;
    spec.cluster = cluster;
    spec.account = u"project_1"_s;
    spec.time = Seconds{3600};
    spec.resources.nodes = nodes;
    if (!whole)
        spec.resources.gpusPerNode = 1;
    spec.parallel.strategy = strategy;
    spec.launcher = launcher;
    spec.command = u"train.py --name 'a b' --lr 0.1"_s;
    spec.environment.variables.insert(u"NCCL_DEBUG"_s, u"INFO"_s);
    return spec;
}

void ReadBackTest::everySite_data()
{
    QTest::addColumn<QString>("cluster");
    for (const QString& name : m_catalogue.names())
        QTest::newRow(qPrintable(name)) << name;
}

void ReadBackTest::everySite()
{
    QFETCH(QString, cluster);
    const ClusterProfile& profile = *m_catalogue.find(cluster);
    for (const Strategy strategy :
        {Strategy::Single, Strategy::Ddp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3, Strategy::Fsdp,
            Strategy::Hsdp, Strategy::Tensor, Strategy::Pipeline, Strategy::ThreeD, Strategy::Horovod}) {
        for (const Launcher launcher : {Launcher::Torchrun, Launcher::Srun, Launcher::Accelerate, Launcher::Deepspeed,
                 Launcher::Lightning, Launcher::Horovod}) {
            for (const int form : {0, 1, 2, 3}) {
                const JobSpec spec = specOf(cluster, strategy, launcher, 1 + form % 2, form < 2);
                const QString text = writeScript(resolve(spec, profile), profile).text();
                const QByteArray what
                    = (toText(strategy) + u' ' + toText(launcher) + u' ' + QString::number(form)).toUtf8();
                const BatchText own = parseBatch(text);
                const JobSpec again = designOf(readScript(own, profile), own, profile);
                QVERIFY2(writeScript(resolve(again, profile), profile).text() == text, what.constData());

                static const QSet<Strategy> asForeign{Strategy::Single, Strategy::Ddp, Strategy::Zero2, Strategy::Fsdp,
                    Strategy::Tensor, Strategy::Horovod};
                if (form == 1 || form == 2 || !asForeign.contains(strategy))
                    continue;
                QStringList lines = text.split(u'\n');
                lines[1] = u"# a job"_s; // now it is nobody's
                const BatchText theirs = parseBatch(lines.join(u'\n'));
                const JobSpec read = designOf(readScript(theirs, profile), theirs, profile);
                const BatchText written = parseBatch(writeScript(resolve(read, profile), profile).text());
                const lint::LintRequest asked = lint::readRequest(theirs), asks = lint::readRequest(written);
                QVERIFY2(asked.nodes == asks.nodes && asked.tasksPerNode == asks.tasksPerNode
                        && asked.gpusPerNode == asks.gpusPerNode && asked.cpusPerTask == asks.cpusPerTask,
                    qPrintable(QString::fromUtf8(what) + u'\n' + written.text));
                QCOMPARE(written.launches.size(), theirs.launches.size());
            }
        }
    }
}

void ReadBackTest::setupLinesComeBack()
{
    for (const QString& cluster : {u"generic"_s, u"raven"_s, u"lumi"_s}) {
        const ClusterProfile& profile = *m_catalogue.find(cluster);
        JobSpec spec = specOf(cluster, Strategy::Ddp, Launcher::Torchrun, 2, true);
        spec.environment.container = u"none"_s;
        spec.environment.setup = {u"source ./env.sh"_s, u"export DATA=$(pwd)/data"_s, u"ulimit -s unlimited"_s};
        const QString text = writeScript(resolve(spec, profile), profile).text();
        QVERIFY(text.indexOf(u"source ./env.sh\nexport DATA=$(pwd)/data\nulimit -s unlimited\n"_s)
            < text.indexOf(u"set -euo pipefail"_s));
        const BatchText batch = parseBatch(text);
        const JobSpec again = designOf(readScript(batch, profile), batch, profile);
        QCOMPARE(again.environment.setup, spec.environment.setup);
        QVERIFY(cluster == u"raven" || again.overrides.isEmpty()); // its --constraint may stand at two places
        const Result<ReadDesign> file = readDesign(writeDesign(spec), u"again"_s);
        QVERIFY_RESULT(file);
        QCOMPARE(file->spec, spec);
    }
}

static QString loopOfSeeds()
{
    return u"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=01:00:00\n#SBATCH --gpus-per-node=1\n#SBATCH --partition=gpu\n\n"
           "for seed in 1 2; do\n  srun python3 train.py --seed $seed\ndone\n"_s;
}

/// Whatever the fields say later, the user's commands are there once, and the design's not at all.
void ReadBackTest::keptCommandsAreNeverWrittenTwice()
{
    const ClusterProfile& profile = *m_catalogue.find(u"generic"_s);
    const BatchText batch = parseBatch(loopOfSeeds());
    JobSpec spec = designOf(readScript(batch, profile), batch, profile);
    QVERIFY(keepsCommands(spec.overrides));
    const QString commands = u"\nfor seed in 1 2; do\n  srun python3 train.py --seed $seed\ndone\n"_s;
    const QString first = writeScript(resolve(spec, profile), profile).text();
    QVERIFY2(first.endsWith(commands), qPrintable(first));
    QCOMPARE(first.count(u"#SBATCH"_s), 4);
    spec.resources.nodes = 4;
    spec.launcher = Launcher::Torchrun;
    spec.parallel.strategy = Strategy::Ddp;
    spec.environment.modules = {u"cuda"_s};
    spec.environment.setup = {u"source x"_s};
    spec.options.mailUser = u"a@example.org"_s;
    const QString text = writeScript(resolve(spec, profile), profile).text();
    QVERIFY2(text.contains(u"#SBATCH --nodes=4\n"), qPrintable(text));
    QVERIFY2(text.contains(u"#SBATCH --mail-user=a@example.org\n"), qPrintable(text));
    QVERIFY2(text.endsWith(commands), qPrintable(text));
    QCOMPARE(parseBatch(text).launches.size(), 1);
    QVERIFY(!text.contains(u"module load"));
}

void ReadBackTest::keptCommandsSurviveTheFile()
{
    const ClusterProfile& profile = *m_catalogue.find(u"generic"_s);
    const BatchText batch = parseBatch(loopOfSeeds());
    const JobSpec spec = designOf(readScript(batch, profile), batch, profile);
    const Result<ReadDesign> file = readDesign(writeDesign(spec), u"again"_s);
    QVERIFY_RESULT(file);
    QCOMPARE(file->spec, spec);
}

/// Which Python or agent starts, and its own options: in the design's command, or kept with all commands.
void ReadBackTest::interpreterComesBack_data()
{
    QTest::addColumn<QString>("launch");
    QTest::addColumn<bool>("asField");
    QTest::addRow("path") << u"srun /opt/envs/x/bin/python train.py --lr 1"_s << true;
    QTest::addRow("path, agent")
        << u"srun /opt/envs/x/bin/python3 -m torch.distributed.run --standalone --nproc_per_node=1 train.py"_s << true;
    QTest::addRow("path of the agent") << u"srun /opt/envs/x/bin/torchrun --standalone --nproc_per_node=1 train.py"_s
                                       << false;
    QTest::addRow("variable") << u"srun $CONDA_PREFIX/bin/python train.py"_s << false;
    QTest::addRow("options") << u"srun python3 -W ignore train.py"_s << false;
    QTest::addRow("how many by a file") << u"accelerate launch --config_file=one.yaml train.py"_s << false;
    QTest::addRow("name of the runtime") << u"srun singularity exec --nv image.sif python3 train.py"_s << false;
    QTest::addRow("old launcher") << u"srun python3 -m torch.distributed.launch --nproc_per_node=1 train.py"_s << false;
    QTest::addRow("old launcher, by environment")
        << u"srun python3 -m torch.distributed.launch --use_env --nproc_per_node=1 train.py"_s << true;
    QTest::addRow("plain") << u"srun python3 -u train.py"_s << true;
}

void ReadBackTest::interpreterComesBack()
{
    QFETCH(QString, launch);
    QFETCH(bool, asField);
    const ClusterProfile& profile = *m_catalogue.find(u"generic"_s);
    const QString head
        = u"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n#SBATCH --time=01:00:00\n"
          "#SBATCH --gpus-per-node=1\n#SBATCH --partition=gpu\n#SBATCH --cpus-per-task=8\n#SBATCH --mem=32G\n\n"_s;
    const BatchText batch = parseBatch(head + launch + u'\n');
    const JobSpec spec = designOf(readScript(batch, profile), batch, profile);
    const QString text = writeScript(resolve(spec, profile), profile).text();
    QVERIFY2(keepsCommands(spec.overrides) != asField, qPrintable(text));
    const QString path = launch.section(u' ', 1, 1);
    QVERIFY2(!path.contains(u'/') || text.contains(u' ' + path + u' '), qPrintable(text));
    QVERIFY2(text.contains(u"-W ignore"_s) == launch.contains(u"-W ignore"_s), qPrintable(text));
}

/// "cd -- FOLDER || exit 1" is what the writer writes, too; a stranger's leads somewhere else.
void ReadBackTest::foreignFolderComesBack()
{
    const ClusterProfile& profile = *m_catalogue.find(u"generic"_s);
    for (const QString& folder : {u"\"/data/my project\""_s, u"/data/project"_s, u"\"${SLURM_SUBMIT_DIR:-.}\"/src"_s}) {
        const BatchText batch = parseBatch(u"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=01:00:00\n"
                                           "#SBATCH --gpus-per-node=1\n#SBATCH --partition=gpu\n\ncd -- "_s
            + folder + u" || exit 1\nsrun python3 train.py\n"_s);
        const JobSpec spec = designOf(readScript(batch, profile), batch, profile);
        const QString text = writeScript(resolve(spec, profile), profile).text();
        QVERIFY2(text.contains(u"cd -- "_s + folder) || spec.workdir, qPrintable(text));
    }
}

/// Typing into a script whose commands are kept: they stay kept, and what was typed is there.
void ReadBackTest::edits()
{
    const ClusterProfile& profile = *m_catalogue.find(u"generic"_s);
    const BatchText batch = parseBatch(loopOfSeeds());
    const JobSpec spec = designOf(readScript(batch, profile), batch, profile);
    QString typed = batch.text;
    typed.replace(u"in 1 2;"_s, u"in 1 2 3;"_s).replace(u"--nodes=1"_s, u"--nodes=2"_s);
    const ScriptEdit edit = applyScriptEdit(spec, profile, typed);
    QCOMPARE(writeScript(resolve(edit.exact, profile), profile).text(), typed);
    QVERIFY(keepsCommands(edit.exact.overrides));
    QCOMPARE(edit.exact.resources.nodes, std::optional(2));
}

RANKWRIGHT_TEST_MAIN(ReadBackTest)
#include "tst_readback.moc"

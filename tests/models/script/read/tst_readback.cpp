// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/designjson.h"
#include "models/script/document/scriptlosses.h"
#include "models/script/lint/lintrequest.h"
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
    void interpreterComesBack_data();
    void interpreterComesBack();
    void foreignFolderComesBack();

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
                if (theirs.launches.isEmpty()) // a design that cannot be: its script stops with a sentence
                    continue;
                const JobSpec read = rewrittenDesignOf(readScript(theirs, profile), profile);
                const BatchText written = parseBatch(writeScript(resolve(read, profile), profile).text());
                const lint::LintRequest asked = lint::readRequest(theirs), asks = lint::readRequest(written);
                QVERIFY2(asked.nodes == asks.nodes && asked.tasksPerNode == asks.tasksPerNode
                        && asked.gpusPerNode == asks.gpusPerNode && asked.cpusPerTask == asks.cpusPerTask,
                    qPrintable(QString::fromUtf8(what) + u'\n' + written.text));
                QVERIFY2(written.launches.size() == theirs.launches.size(),
                    qPrintable(QString::fromUtf8(what) + u'\n' + theirs.text + u'\n' + written.text));
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

/// Which Python or agent starts, and its own options: in the design's command, or said to be lost.
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
    const ScriptReading reading = readScript(batch, profile);
    const WrittenScript written = writtenScript(resolve(rewrittenDesignOf(reading, profile), profile), profile);
    QStringList losses;
    for (const NotUnderstood& part : scriptLosses(batch, reading, written.batch)) {
        if (part.line >= 10) // the launch
            losses.append(part.text + u": "_s + part.why);
    }
    QVERIFY2(losses.isEmpty() == asField, qPrintable(losses.join(u'\n') + u'\n' + written.text()));
}

/// "cd -- FOLDER || exit 1" is what the writer writes, too; a stranger's leads somewhere else.
void ReadBackTest::foreignFolderComesBack()
{
    const ClusterProfile& profile = *m_catalogue.find(u"generic"_s);
    for (const QString& folder : {u"\"/data/my project\""_s, u"/data/project"_s, u"\"${SLURM_SUBMIT_DIR:-.}\"/src"_s}) {
        const BatchText batch = parseBatch(u"#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=01:00:00\n"
                                           "#SBATCH --gpus-per-node=1\n#SBATCH --partition=gpu\n\ncd -- "_s
            + folder + u" || exit 1\nsrun python3 train.py\n"_s);
        const ScriptReading reading = readScript(batch, profile);
        const JobSpec spec = rewrittenDesignOf(reading, profile);
        const WrittenScript written = writtenScript(resolve(spec, profile), profile);
        bool isSaid = written.text().contains(u"cd -- "_s + folder) || spec.workdir;
        for (const NotUnderstood& part : scriptLosses(batch, reading, written.batch))
            isSaid = isSaid || part.line == 7;
        QVERIFY2(isSaid, qPrintable(written.text()));
    }
}

RANKWRIGHT_TEST_MAIN(ReadBackTest)
#include "tst_readback.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"
#include "models/script/bind/valuetracer.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Why a field of a stranger's script cannot be set: true of that script, with what to do.
class FieldReasonsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void refusals_data();
    void refusals();
    void unreadBySlurm_data();
    void unreadBySlurm();
    void whoDecides_data();
    void whoDecides();
};

void FieldReasonsTest::refusals_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const QString& script, const QString& edit, const QString& why) {
        QTest::newRow(name) << u"#!/bin/bash\n"_s + script << edit << why;
    };
    row("an image that a condition adds",
        u"#SBATCH -t 9\nR=srun\nif [ $T ]; then R+=\" --container-image=/a\"; fi\n$R python t.py\n"_s,
        u"environment.container=/b"_s, u"Line 4 names a container (--container-image)"_s);
    row("an image in a text that is read later",
        u"#SBATCH -t 9\nC=\"singularity exec /a.sif python t.py\"\neval \"${L[1]}\"\n"_s,
        u"environment.container=/b.sif"_s, u"Line 3 names a container (singularity exec)"_s);
    row("options of another step, which may hold its image",
        u"#SBATCH -t 9\nsrun --container-image=/a ./one &\nsrun $ARGS -N 1 ./two\n"_s, u"environment.container=/b"_s,
        u"what $ARGS in line 4 brings may name another image"_s);
    row("a container that runs already", u"#SBATCH -t 9\ndocker exec w python t.py\n"_s,
        u"environment.container=r/b:2"_s, u"Line 3 enters a container that runs already"_s);
    row("no image in a user environment", u"#SBATCH --uenv=a/1:v1\nsrun python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"set environment.uenv"_s);
    row("a view in a line of its own", u"#SBATCH --uenv=a/1:v1\n#SBATCH --view=spack\nsrun python t.py\n"_s,
        u"environment.uenv=b/2:v1"_s, u"Line 2 names the environment and line 3 its view"_s);
    row("an argument that a condition says again",
        u"#SBATCH -t 9\nA=\"--lr 1\"\nif [ $T ]; then A+=\" --lr 2\"; fi\nsrun python t.py $A\n"_s,
        u"arguments.--lr=3"_s, u"line 4 adds to $A in a condition"_s);
    row("a word that a condition makes longer",
        u"#SBATCH -t 9\nA=\"--lr 1\"\nif [ $T ]; then A+=e-3; fi\nsrun python t.py $A\n"_s, u"arguments.--lr=3"_s,
        u"line 4 adds to $A in a condition"_s);
    row("a program that the image names", u"#SBATCH -t 9\nsrun singularity run --nv /a.sif\n"_s, u"program=t.py"_s,
        u"starts the program that its image names"_s);
    row("modules in a condition", u"#SBATCH -t 9\nif [ $T ]; then module load a; fi\nsrun python t.py\n"_s,
        u"environment.modules=b"_s, u"Line 3 loads modules in a condition: change them there"_s);
    row("no modules", u"#SBATCH -t 9\nsrun python t.py\n"_s, u"environment.modules=b"_s,
        u"write “module load NAME” before the program"_s);
    row("an environment that a function activates",
        u"#SBATCH -t 9\non() {\n  source v/bin/activate\n}\non\nsrun python t.py\n"_s, u"environment.setup=source w"_s,
        u"Line 4 sets the environment up in the function on"_s);
    row("a folder in a condition", u"#SBATCH -t 9\nif [ $T ]; then cd /a; fi\nsrun python t.py\n"_s, u"workdir=/b"_s,
        u"Line 3 changes the folder in a condition"_s);
    row("a folder without a name", u"#SBATCH -t 9\ncd\nsrun python t.py\n"_s, u"workdir=/b"_s,
        u"Line 3 changes the folder without naming one"_s);
    row("directives behind a command", u"echo\n#SBATCH -N 1\nsrun python t.py\n"_s, u"time=10"_s,
        u"a command stands before them (line 2)"_s);
    row("GPUs without a plain number", u"#SBATCH --gres=gpu:a100:0.25\nsrun python t.py\n"_s,
        u"resources.gpusPerNode=2"_s, u"Line 2 asks for GPUs without a plain number (--gres=gpu:a100:0.25)"_s);
    row("GPUs of a job that nodes cannot share", u"#SBATCH -N 2\n#SBATCH --gpus=3\nsrun python t.py\n"_s,
        u"resources.gpusPerNode=2"_s, u"Line 3 asks for GPUs of the whole job"_s);
    row("nodes of the launcher", u"#SBATCH -N 2\nsrun torchrun --nnodes=$SLURM_NNODES t.py\n"_s, u"launcher.nodes=4"_s,
        u"It follows the number of nodes"_s);
    row("a computed number of processes", u"#SBATCH -N 2\nsrun accelerate launch --num_processes=$((A + 2)) t.py\n"_s,
        u"launcher.processes=4"_s, u"The shell computes $((A + 2)) while the job runs"_s);
    row("a variable that is set too late", u"#SBATCH -t 9\nsrun python t.py\nexport A=1\n"_s,
        u"environment.variables.A=2"_s, u"Line 4 sets $A only after the command that would read it"_s);
    row("no launcher", u"#SBATCH -N 2\nsrun python t.py\n"_s, u"launcher.processes=4"_s, u"No launcher (torchrun"_s);
    row("a launcher without the option", u"#SBATCH -N 2\nsrun torchrun t.py\n"_s, u"launcher.port=4"_s,
        u"No option of torchrun (line 3) says it"_s);
    row("a variable that is not exported", u"#SBATCH -N 2\nA=1\nsrun python t.py\n"_s, u"environment.variables.A=2"_s,
        u"Line 3 sets $A without exporting it"_s);
}

void FieldReasonsTest::refusals()
{
    QFETCH(QString, script);
    QFETCH(QString, edit);
    QFETCH(QString, why);
    const auto edited = setFields(script, {{edit.section(u'=', 0, 0), edit.section(u'=', 1), false}});
    QVERIFY(!edited.hasValue());
    const QString said = edited.error().oneLine();
    QVERIFY2(said.contains(why), qPrintable(said));
    // one of two ways to say what to do, never both
    QVERIFY2(said.count(u"in the text") <= 1, qPrintable(said));
}

/// A value with which sbatch refuses the job: it can be set, what it was cannot be given back.
void FieldReasonsTest::unreadBySlurm_data()
{
    QTest::addColumn<QString>("directives");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("unread");
    QTest::newRow("a time") << u"#SBATCH --time=01H\n"_s << u"time"_s << u"01H"_s;
    QTest::newRow("a time, said twice") << u"#SBATCH --time=01H --accoi\n#SBATCH --time=01H --account=a\n"_s
                                        << u"time"_s << u"01H"_s;
    QTest::newRow("a time that people say") << u"#SBATCH -t 2h\n"_s << u"time"_s << u"2h"_s;
    QTest::newRow("a size") << u"#SBATCH --mem=lots\n"_s << u"resources.memoryPerNode"_s << u"lots"_s;
    QTest::newRow("no limit") << u"#SBATCH -t Unlimited\n"_s << u"time"_s << QString();
    QTest::newRow("minutes") << u"#SBATCH -t 90\n"_s << u"time"_s << QString();
}

void FieldReasonsTest::unreadBySlurm()
{
    QFETCH(QString, directives);
    QFETCH(QString, path);
    QFETCH(QString, unread);
    const ScriptFields fields = bindScript(u"#!/bin/bash\n"_s + directives + u"srun python t.py\n"_s);
    const ScriptField* field = fields.find(path);
    QVERIFY(field != nullptr && field->canBeSet());
    const QStringList expected = unread.isEmpty()
        ? QStringList()
        : QStringList{u"“%1” is no value that Slurm reads: it refuses the job."_s.arg(unread)};
    QCOMPARE(field->notes, expected);
}

/// Who decides a value that stands nowhere in the script.
void FieldReasonsTest::whoDecides_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const QString& script, const QString& why) {
        QTest::newRow(name) << u"#!/bin/bash\n#SBATCH -t 9\n"_s + script << why;
    };
    row("bash", u"srun python t.py --a=x$RANDOM\n"_s, u"bash sets $RANDOM"_s);
    row("Slurm", u"srun python t.py --a=x$SLURM_JOB_ID\n"_s, u"Slurm sets $SLURM_JOB_ID"_s);
    row("Slurm, of devices", u"srun python t.py --a=x$CUDA_VISIBLE_DEVICES\n"_s, u"Slurm sets $CUDA_VISIBLE_DEVICES"_s);
    row("the submission", u"srun python t.py --a=x$1\n"_s, u"$1 is what the script is started with"_s);
    row("the shell", u"srun python t.py --a=x$?\n"_s, u"the shell computes $?"_s);
    row("a loop", u"for S in 1 2; do srun python t.py --a=x$S; done\n"_s,
        u"line 3 goes through several values of $S"_s);
    row("what is read", u"read S\nsrun python t.py --a=x$S\n"_s, u"line 3 reads $S"_s);
    row("nobody", u"S=1\nunset S\nsrun python t.py --a=x$S\n"_s, u"line 4 unsets $S"_s);
    row("a module", u"srun python t.py --a=x$DATA\n"_s, u"this script does not set $DATA; a module"_s);
    row("a function", u"f() { S=1; }\nf\nsrun python t.py --a=x$S\n"_s, u"line 3 sets $S in the function f"_s);
    row("two pieces", u"S=1\nS+=2\nsrun python t.py --a=x$S\n"_s, u"line 4 adds to $S"_s);
}

void FieldReasonsTest::whoDecides()
{
    QFETCH(QString, script);
    QFETCH(QString, why);
    const BatchText batch = parseBatch(script);
    QVERIFY(!batch.launches.isEmpty());
    const Launch& launch = batch.launches.first();
    const TracedValue traced = ValueTracer(batch).trace(launch.layers.last().words.last(), launch.command);
    QVERIFY2(traced.why.contains(why), qPrintable(traced.why));
}

RANKWRIGHT_TEST_MAIN(FieldReasonsTest)
#include "tst_fieldreasons.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Steps of a stranger's script that are not one plain command: in loops, beside directives that say no number, in
/// texts that a shell reads again. They go with the job.
class FieldStepsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void edits_data();
    void edits();
    void launcherOfOneNodeIsNoted();
    void otherStepsAreNoted();
};

void FieldStepsTest::edits_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const QString& before, const QString& edit, const QString& after) {
        QTest::newRow(name) << u"#!/bin/bash\n"_s + before << edit << u"#!/bin/bash\n"_s + after;
    };
    row("steps of a loop, one after the other",
        u"#SBATCH -N 2\nfor i in 1 2; do\nsrun -N 2 -n 8 python t.py --i $i\ndone\n"_s, u"resources.nodes=4"_s,
        u"#SBATCH -N 4\nfor i in 1 2; do\nsrun -N 4 -n 16 python t.py --i $i\ndone\n"_s);
    row("steps of a loop, beside each other",
        u"#SBATCH -N 2\nfor i in 1 2; do\nsrun -N 1 python t.py --i $i &\ndone\nwait\n"_s, u"resources.nodes=4"_s,
        u"#SBATCH -N 4\nfor i in 1 2; do\nsrun -N 1 python t.py --i $i &\ndone\nwait\n"_s);
    row("a smaller step of a loop", u"#SBATCH -t 9\nfor i in 1 2; do\nsrun -N 1 -n 1 python t.py --i $i\ndone\n"_s,
        u"resources.nodes=4"_s,
        u"#SBATCH -N 4\n#SBATCH -t 9\nfor i in 1 2; do\nsrun -N 1 -n 1 python t.py --i $i\ndone\n"_s);
    row("the launcher of a loop",
        u"#SBATCH --gres=gpu:8\nfor i in 1 2; do\ntorchrun --nproc_per_node 8 t.py --i $i\ndone\n"_s,
        u"resources.gpusPerNode=4"_s,
        u"#SBATCH --gres=gpu:4\nfor i in 1 2; do\ntorchrun --nproc_per_node 4 t.py --i $i\ndone\n"_s);
    row("a script for several parts", u"#SBATCH -t 9\n./part.sh $A fr\n./other\n./part.sh $A it\n"_s, u"command+=--x"_s,
        u"#SBATCH -t 9\n./part.sh $A fr --x\n./other\n./part.sh $A it --x\n"_s);
    row("tasks of steps in loops, by the GPUs",
        u"#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-task=1\nfor i in 1 2; do\n"
        "srun -n$((SLURM_NNODES*4)) --ntasks-per-node=4 python t.py --i $i\ndone\n"_s,
        u"resources.gpusPerNode=2"_s,
        u"#SBATCH --ntasks-per-node=2\n#SBATCH --gpus-per-task=1\nfor i in 1 2; do\n"
        "srun -n$((SLURM_NNODES*2)) --ntasks-per-node=2 python t.py --i $i\ndone\n"_s);
    row("a directive that is no number beside a step that is one",
        u"#SBATCH --nodes={nodes}\n#SBATCH --ntasks-per-node=1\nsrun -N 1 -n 1 python t.py\n"_s, u"resources.nodes=4"_s,
        u"#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\nsrun -N 1 -n 1 python t.py\n"_s);
}

void FieldStepsTest::edits()
{
    QFETCH(QString, before);
    QFETCH(QString, edit);
    QFETCH(QString, after);
    const bool appends = edit.section(u'=', 0, 0).endsWith(u'+');
    const QString path = edit.section(u'=', 0, 0).remove(u'+');
    const auto edited = setFields(before, {{path, edit.section(u'=', 1), appends}});
    QVERIFY2(edited.hasValue(), qPrintable(edited ? QString() : edited.error().oneLine()));
    QCOMPARE(edited->text, after);
}

/// torchrun without srun has no part on a further node.
void FieldStepsTest::launcherOfOneNodeIsNoted()
{
    const QString head = u"#!/bin/bash\n#SBATCH -N 1\n"_s;
    const QList<FieldEdit> edits{{u"resources.nodes"_s, u"2"_s, false}};
    const auto alone = setFields(head + u"torchrun --nnodes 1 --nproc_per_node 4 t.py\n"_s, edits);
    QVERIFY(alone.hasValue());
    QVERIFY2(alone->notes.join(u'\n').contains(u"(line 3) starts on the first node only"),
        qPrintable(alone->notes.join(u'\n')));
    const auto everywhere = setFields(head + u"srun torchrun --nnodes 1 --nproc_per_node 4 t.py\n"_s, edits);
    QVERIFY(everywhere.hasValue());
    QCOMPARE(everywhere->notes, QStringList());
}

/// Steps that do not go with the job would be refused by srun where they ask for more than it has.
void FieldStepsTest::otherStepsAreNoted()
{
    const QString head = u"#!/bin/bash\n#SBATCH -N 4\n#SBATCH --gpus-per-node=4\n"_s;
    const QString beside
        = head + u"for i in 0 1; do\nsrun -N 1 -n 1 --gpus-per-node=4 python t.py --i $i &\ndone\nwait\n"_s;
    const auto fewer = setFields(beside, {{u"resources.gpusPerNode"_s, u"2"_s, false}});
    QVERIFY(fewer.hasValue());
    QCOMPARE(fewer->notes,
        QStringList(u"Line 5 stays as it is and asks for more than the job has now: --gpus-per-node=4."_s));
    const auto more = setFields(beside, {{u"resources.nodes"_s, u"8"_s, false}});
    QVERIFY(more.hasValue());
    QCOMPARE(more->notes, QStringList());
    const auto check = setFields(
        head + u"srun -N 4 ./check\nsrun -N 4 python t.py --nodes 4\n"_s, {{u"resources.nodes"_s, u"2"_s, false}});
    QVERIFY(check.hasValue());
    QCOMPARE(check->notes,
        (QStringList{u"Line 4 stays as it is and asks for more than the job has now: -N 4."_s,
            u"arguments.--nodes stays as it is: 4."_s}));
}

RANKWRIGHT_TEST_MAIN(FieldStepsTest)
#include "tst_fieldsteps.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Texts that a second shell reads (here-documents, bash -c, eval), and images that only a variable names: what is set
/// arrives as it was typed, or is refused.
class ReadAgainTest final : public test::Suite {
    Q_OBJECT
private slots:
    void edits_data();
    void edits();
    void refusals_data();
    void refusals();
    void whatDependsIsNoted();

private:
    static FieldEdit editOf(const QString& text)
    {
        const qsizetype equals = text.indexOf(u'=');
        const bool appends = text.at(equals - 1) == u'+';
        return {text.left(equals - (appends ? 1 : 0)), text.mid(equals + 1), appends};
    }
};

void ReadAgainTest::edits_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const QString& before, const QString& edit, const QString& after) {
        QTest::newRow(name) << u"#!/bin/bash\n"_s + before << edit << u"#!/bin/bash\n"_s + after;
    };
    row("a program in a here-document that the ranks' shell reads",
        u"#SBATCH -t 9\nread -r -d '' T <<'E' || true\nset -e\nexport R=$SLURM_PROCID\nuv run python t.py \\\n  --a 1 $O\nE\n"
        "srun bash -c \"export X=1; ${T}\"\n"_s,
        u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nread -r -d '' T <<'E' || true\nset -e\nexport R=$SLURM_PROCID\nuv run python t.py \\\n  --a 2 $O\nE\n"
        "srun bash -c \"export X=1; ${T}\"\n"_s);
    row("an argument that is handed on to a here-document",
        u"#SBATCH -t 9\nO=\"a.b=1 --lr 3\"\nread -r -d '' T <<'E'\ncd x\npython t.py ${O}\nE\n"
        "srun bash -c \"export O=\\\"${O}\\\"; $T\"\n"_s,
        u"arguments.a.b=2"_s,
        u"#SBATCH -t 9\nO=\"a.b=2 --lr 3\"\nread -r -d '' T <<'E'\ncd x\npython t.py ${O}\nE\n"
        "srun bash -c \"export O=\\\"${O}\\\"; $T\"\n"_s);
    row("added in a here-document that a variable keeps",
        u"#SBATCH -t 9\nT=$(cat <<E\necho \"at \\$(date)\"\npython t.py --a \"$A\"\nE\n)\nsrun bash -c \"$T\"\n"_s,
        u"command+=--x 1"_s,
        u"#SBATCH -t 9\nT=$(cat <<E\necho \"at \\$(date)\"\npython t.py --a \"$A\" --x 1\nE\n)\nsrun bash -c \"$T\"\n"_s);
    row("a text in a here-document", u"#SBATCH -t 9\nread -r -d '' T <<'E'\na b\nE\nsrun python t.py --p \"$T\"\n"_s,
        u"arguments.--p=c"_s, u"#SBATCH -t 9\nread -r -d '' T <<'E'\nc\nE\nsrun python t.py --p \"$T\"\n"_s);
    row("a value that the ranks' shell would split", u"#SBATCH -t 9\nL=1\nsrun bash -c \"python t.py --lr=$L\"\n"_s,
        u"arguments.--lr=a b"_s, u"#SBATCH -t 9\nL=1\nsrun bash -c \"python t.py '--lr=a b'\"\n"_s);
    row("a variable in single quotes of the ranks' shell",
        u"#SBATCH -t 9\nL=1\nsrun bash -c \"python t.py --lr '$L'\"\n"_s, u"arguments.--lr=a b"_s,
        u"#SBATCH -t 9\nL='a b'\nsrun bash -c \"python t.py --lr '$L'\"\n"_s);
    row("a dollar in a quoted here-document",
        u"#SBATCH -t 9\ncat > w.sh <<'E'\npython t.py --a 1\nE\nsrun bash w.sh\n"_s, u"arguments.--a=$HOME"_s,
        u"#SBATCH -t 9\ncat > w.sh <<'E'\npython t.py --a '$HOME'\nE\nsrun bash w.sh\n"_s);
    row("a training in front of lesser work of the same text",
        u"#SBATCH -t 9\nsrun bash -c \"torchrun t.py --a 1; python plot.py --a 5; ./x.sh\"\n"_s, u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nsrun bash -c \"torchrun t.py --a 2; python plot.py --a 5; ./x.sh\"\n"_s);
    row("a training that is fed into another program",
        u"#SBATCH -t 9\nsrun bash -c \"python t.py --a 1 | python f.py --a 5\"\n"_s, u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nsrun bash -c \"python t.py --a 2 | python f.py --a 5\"\n"_s);
    row("in front of the batch script's arguments, of which only the first is in the text",
        u"#SBATCH -t 9\nsrun bash -c \"python t.py --a 1 $@\"\n"_s, u"command+=--b 2"_s,
        u"#SBATCH -t 9\nsrun bash -c \"python t.py --a 1 --b 2 $@\"\n"_s);
    row("an argument in front of the batch script's own",
        u"#SBATCH -t 9\nsrun bash -c 'cd x\n '\"torchrun -m t --a 1 $@\" &\nwait\n"_s, u"arguments.--b=2"_s,
        u"#SBATCH -t 9\nsrun bash -c 'cd x\n '\"torchrun -m t --a 1 --b 2 $@\" &\nwait\n"_s);
    row("behind all arguments as one word", u"#SBATCH -t 9\nsrun bash -c \"python t.py --a 1 $*\"\n"_s,
        u"command+=--b 2"_s, u"#SBATCH -t 9\nsrun bash -c \"python t.py --a 1 $* --b 2\"\n"_s);
    row("behind a variable that opens an environment",
        u"#SBATCH -t 9\nsrun bash -c '$WITH_CONDA; python t.py --a 1'\n"_s, u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nsrun bash -c '$WITH_CONDA; python t.py --a 2'\n"_s);
    row("behind a variable that ends in &&",
        u"#SBATCH -t 9\nM=\"rm -rf /a && mkdir /a && \"\nL=\"python -u -m accelerate.commands.launch --x 1\"\nP=\"t.py --a 1\"\n"
        "C=\"$M $L $P\"\nsrun bash -c \"$C\"\n"_s,
        u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nM=\"rm -rf /a && mkdir /a && \"\nL=\"python -u -m accelerate.commands.launch --x 1\"\nP=\"t.py --a 2\"\n"
        "C=\"$M $L $P\"\nsrun bash -c \"$C\"\n"_s);
    row("a text that eval reads", u"#SBATCH -t 9\nC=\"python t.py --a 1\"\neval \"$C\"\n"_s, u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nC=\"python t.py --a 2\"\neval \"$C\"\n"_s);
    row("the image of a module's wrapper",
        u"#SBATCH -t 9\nmodule load m\nsrun singularity_wrapper exec python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -t 9\nmodule load m\nexport SIF=/b.sif\nsrun singularity_wrapper exec python t.py\n"_s);
    row("an image that the submitting shell may name",
        u"#SBATCH -t 9\nif [ -n \"$I\" ]; then\nA=(--container-image $I)\nfi\nsrun \"${A[@]}\" python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -t 9\nexport I=/b.sif\nif [ -n \"$I\" ]; then\nA=(--container-image $I)\nfi\nsrun \"${A[@]}\" python t.py\n"_s);
    row("an image behind options to which a condition adds",
        u"#SBATCH -t 9\nI=/a.sif\nB=\"--bind /home\"\n[ -d /b ] && B=\"$B,/b\"\napptainer exec --nv $B $I python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -t 9\nI=/b.sif\nB=\"--bind /home\"\n[ -d /b ] && B=\"$B,/b\"\napptainer exec --nv $B $I python t.py\n"_s);
    row("image of a container whose name and options variables hold",
        u"#SBATCH -t 9\nN=c1\ndocker run -d --name=\"$N\" \"${M[@]}\" \"$I\" sleep 9\n(\nE=(-e A=1)\ndocker exec \"${E[@]}\" $N ./run.sh\n) | tee log\n"_s,
        u"environment.container=r/b:2"_s,
        u"#SBATCH -t 9\nN=c1\ndocker run -d --name=\"$N\" \"${M[@]}\" \"r/b:2\" sleep 9\n(\nE=(-e A=1)\ndocker exec \"${E[@]}\" $N ./run.sh\n) | tee log\n"_s);
    row("image of a container that a started one enters",
        u"#SBATCH -t 9\nD=\"nvidia-docker run --rm --name=c1\"\n$D $I sleep 9 &\n$(eval echo $S) docker exec -e A=1 c1 ./run.sh\n"_s,
        u"environment.container=r/b:2"_s,
        u"#SBATCH -t 9\nD=\"nvidia-docker run --rm --name=c1\"\n$D r/b:2 sleep 9 &\n$(eval echo $S) docker exec -e A=1 c1 ./run.sh\n"_s);
}

void ReadAgainTest::edits()
{
    QFETCH(QString, before);
    QFETCH(QString, edit);
    QFETCH(QString, after);
    const auto edited = setFields(before, {editOf(edit)});
    QVERIFY2(edited.hasValue(), qPrintable(edited ? QString() : edited.error().oneLine()));
    QCOMPARE(edited->text, after);
}

void ReadAgainTest::refusals_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const QString& script, const QString& edit, const QString& why) {
        QTest::newRow(name) << u"#!/bin/bash\n"_s + script << edit << why;
    };
    const QString again = u"no place in them takes these words"_s;
    row("a dollar in a here-document", u"#SBATCH -t 9\ncat > w.sh <<E\npython t.py --a 1\nE\nsrun bash w.sh\n"_s,
        u"arguments.--a=$HOME"_s, again);
    row("a dollar in a text of the ranks' shell", u"#SBATCH -t 9\nsrun bash -c \"python t.py --a 1\"\n"_s,
        u"arguments.--a=$HOME"_s, again);
    row("a dollar added to a text of the ranks' shell", u"#SBATCH -t 9\nC=\"python t.py\"\nsrun bash -c \"$C\"\n"_s,
        u"command+=--a '$HOME'"_s, again);
    row("a backtick in a text of the ranks' shell", u"#SBATCH -t 9\nC=\"python t.py --a 1\"\nsrun bash -c \"$C\"\n"_s,
        u"arguments.--a=a`b"_s, u"cannot be set"_s);
    row("a dollar in a variable that is handed on",
        u"#SBATCH -t 9\nO=\" a.b=1 \"\nread -r -d '' T <<'E'\ncd x\npython t.py $O\nE\nsrun bash -c \"O=\\\"$O\\\"; $T\"\n"_s,
        u"arguments.a.b=$HOME"_s, again);
    row("a here-document that a condition chooses",
        u"#SBATCH -t 9\nif x; then\nread -r -d '' T <<'E'\npython t.py --a 1\nE\nelse\nread -r -d '' T <<'E'\npython t.py --a 2\nE\nfi\n"
        "srun bash -c \"export X=1; $T\"\n"_s,
        u"arguments.--a=3"_s, u"Decided while the job runs"_s);
    row("a program that a text chooses",
        u"#SBATCH -t 9\nsrun bash -c 'if [ $A ]; then python a.py; else python b.py; fi'\n"_s, u"command+=--x"_s,
        u"The text of a shell in line 3 starts one of several programs"_s);
    row("two programs that a text starts", u"#SBATCH -t 9\nsrun bash -c 'python a.py --a 1; python b.py --a 5'\n"_s,
        u"arguments.--a=2"_s, u"The text of a shell in line 3 starts several programs"_s);
    row("a program that a written file chooses",
        u"#SBATCH -t 9\ncat > w.sh <<'E'\nif [ $A ]; then python a.py; else python b.py; fi\nE\nsrun bash w.sh\n"_s,
        u"program=c.py"_s, u"starts one of several programs"_s);
    row("words that eval reads again", u"#SBATCH -t 9\nC=\"python t.py --a 1\"\neval $C\n"_s, u"arguments.--a=b c"_s,
        again);
    row("a variable that need not be the image",
        u"#SBATCH -t 9\nD=\"docker run --rm --name=c $O\"\n$D $V $I sleep 9 &\ndocker exec c ./run.sh\n"_s,
        u"environment.container=/b.sif"_s, u"it may hold the image or options in front of it"_s);
    row("an image whose variable decides more",
        u"#SBATCH -t 9\nif [ \"$I\" ]; then\nexport P=a.py\nA=(--container-image $I)\nfi\nsrun \"${A[@]}\" python $P\n"_s,
        u"environment.container=/b.sif"_s, u"line 5 sets $A in a condition"_s);
    row("a NUL", u"#SBATCH -N 1\nsrun torchrun --nproc_per_node=4"_s + QChar(0) + u"t.py\n"_s, u"resources.nodes=2"_s,
        u"Line 3 holds a NUL character"_s);
    row("several images, one of them among unknown options",
        u"#SBATCH -t 9\nG=$(f)\nO=\"$G\"\nO+=\" --container-image=$I\"\nsrun --container-image=$J ./a &\nsrun $O ./b &\n"_s,
        u"environment.container=/b.sif"_s, u"may name another image"_s);
}

void ReadAgainTest::refusals()
{
    QFETCH(QString, script);
    QFETCH(QString, edit);
    QFETCH(QString, why);
    const auto edited = setFields(script, {editOf(edit)});
    QVERIFY(!edited.hasValue());
    QVERIFY2(edited.error().oneLine().contains(why), qPrintable(edited.error().oneLine()));
}

/// A variable that names an image may decide more.
void ReadAgainTest::whatDependsIsNoted()
{
    const QString script = u"#!/bin/bash\n#SBATCH -t 9\nif [ -n \"$I\" ]; then\nA=(--container-image $I)\nfi\n"
                           "srun \"${A[@]}\" python t.py\n"_s;
    const auto edited = setFields(script, {editOf(u"environment.container=/b.sif"_s)});
    QVERIFY(edited.hasValue());
    QCOMPARE(
        edited->notes, QStringList(u"Line 3 asks for $I: what the script does where it is set is done as well."_s));
}

RANKWRIGHT_TEST_MAIN(ReadAgainTest)
#include "tst_readagain.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Which of the commands of a stranger's script is its training: the one whose arguments a person edits. Where that is
/// not certain the field says why.
class LaunchChoiceTest final : public test::Suite {
    Q_OBJECT
private slots:
    void programs_data();
    void programs();
    void refusals_data();
    void refusals();
    void optionsThatOnlyTheJobKnows();
};

void LaunchChoiceTest::programs_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("command");
    const auto row = [](const char* name, const QString& script, const QString& command) {
        QTest::newRow(name) << u"#!/bin/bash\n#SBATCH -t 9\n"_s + script << command;
    };
    row("a server behind those of Ray", u"srun ray start --head --block &\nvllm serve m --lr 1\n"_s,
        u"vllm serve m --lr 1"_s);
    row("Python behind servers of Ray", u"srun ray start --head --block &\npython t.py\nray stop\n"_s, u"t.py"_s);
    row("Ray alone", u"srun ray start --head --block\n"_s, u"ray start --head --block"_s);
    row("Ray ended within the ranks' text", u"srun bash -c 'ray start --head; python t.py --a 1; ray stop'\n"_s,
        u"t.py --a 1"_s);
    row("files copied behind the training", u"srun bash -c 'time cp a b; time python t.py; time /bin/cp c d'\n"_s,
        u"t.py"_s);
    row("a container that is taken away", u"./train --a 1\ndocker rm -f c\n"_s, u"./train --a 1"_s);
    row("an image that is built behind it", u"./train --a 1\napptainer build a.sif a.def\n"_s, u"./train --a 1"_s);
    row("an environment that is made", u"./train --a 1\nuv sync\npoetry install\n"_s, u"./train --a 1"_s);
    row("a question about a version", u"./train --a 1\nhipcc --version\n"_s, u"./train --a 1"_s);
    row("a shell with options", u"bash prepare.sh\nbash -x train.sh --a 1\n"_s, u"train.sh --a 1"_s);
    row("a shell with a text", u"./train --a 1\nbash -xc 'echo done'\n"_s, u"./train --a 1"_s);
    row("time with an option", u"time -p ./train --a 1\n"_s, u"./train --a 1"_s);
    row("a tool behind time", u"./train --a 1\ntime -p spack install x\n"_s, u"./train --a 1"_s);
    row("a step that does nothing", u"srun ./train --a 1\nsrun --container-image=a.sqsh true\nsrun -N1 ibv_devinfo\n"_s,
        u"./train --a 1"_s);
    row("a program that may fail", u"srun python t.py --a 1 || true\n"_s, u"t.py --a 1"_s);
    row("Python behind horovodrun", u"horovodrun -np 4 --autotune -H a:4 python -u t.py --a 1\n"_s, u"t.py --a 1"_s);
    row("a condition", u"if ! srun python t.py --a 1; then\necho no\nfi\n"_s, u"t.py --a 1"_s);
    row("fed by a pipe", u"cat a | srun python t.py --a 1 | gzip > b\n"_s, u"t.py --a 1"_s);
    row("a tunnel behind it", u"jupyter lab --a 1 &\nssh -N -R 1:a:1 b\n"_s, u"jupyter lab --a 1"_s);
    row("a report about the environment", u"python -m torch.utils.collect_env\n./train --a 1\n"_s, u"./train --a 1"_s);
    row("a variable for the program", u"/usr/bin/env A=1 ./train --a 1\n"_s, u"./train --a 1"_s);
    for (const auto& prefix : {u"nice -n 10"_s, u"timeout -k 5 1h"_s, u"taskset -c 0-3"_s, u"numactl -N 0 -m 0"_s,
             u"stdbuf -oL"_s, u"/usr/bin/time -v"_s})
        row(qPrintable(u"behind "_s + prefix), u"srun "_s + prefix + u" ./train --a 1\n"_s, u"./train --a 1"_s);
    for (const auto& prefix : {u"exec"_s, u"timeout -k 5 1h"_s, u"numactl -N 0"_s,
             u"conda run -n a --no-capture-output"_s, u"uv run --no-sync --with a"_s, u"poetry run"_s,
             u"pixi run -e cuda"_s, u"nsys profile -o a --trace=cuda"_s})
        row(qPrintable(u"in the batch shell, behind "_s + prefix), prefix + u" ./train --a 1\n"_s, u"./train --a 1"_s);
    row("what is installed or looked for",
        u"pip install deepspeed accelerate\nif pgrep -f torchrun; then ps aux | grep -c torchrun; fi\n"
        "srun python t.py --a 1\n"_s,
        u"t.py --a 1"_s);
    row("another task of one tool", u"ollama serve &\nollama pull m\nollama run m --a 1\n"_s, u"ollama run m --a 1"_s);
    row("output that goes to a file from here on", u"exec > log 2>&1\n./train --a 1\n"_s, u"./train --a 1"_s);
    row("behind the options of a profiler", u"srun rocprofv3 --stats -d out -- python t.py --a 1\n"_s, u"t.py --a 1"_s);
    row("inputs of GNU parallel", u"parallel -j 4 python t.py --a {} ::: 1 2\n"_s, u"t.py --a {}"_s);
    row("a number that is made of itself", u"N=$(wc -l < h)\nN=$(($N*1))\nmpirun -np $N ./train --a 1\n"_s,
        u"./train --a 1"_s);
    row("a variable as a command behind it", u"srun python t.py --a 1\n$CLEANUP\n"_s, u"t.py --a 1"_s);
    row("a tool in a variable behind it", u"C='rm -f x'\nsrun python t.py --a 1\n$C\n"_s, u"t.py --a 1"_s);
    row("a step of make", u"srun make -j 4 all\n"_s, u"make -j 4 all"_s);
    row("a step of xargs", u"srun xargs ./run\n"_s, u"xargs ./run"_s);
    row("a text that eval reads", u"eval \"python t.py --a 1\"\n"_s, u"t.py --a 1"_s);
    row("a command in a container that runs", u"$(eval echo $S) docker exec -e A=1 c ./run.sh --a 1\n"_s,
        u"./run.sh --a 1"_s);
    row("a command in a variable", u"C=\"./train --a 1\"\n./prepare\n$C --b 2\n"_s, u"./train --a 1 --b 2"_s);
}

void LaunchChoiceTest::programs()
{
    QFETCH(QString, script);
    QFETCH(QString, command);
    const ScriptFields fields = bindScript(script);
    const ScriptField* field = fields.find(u"command"_s);
    QVERIFY(field != nullptr);
    QVERIFY2(field->canBeSet(), qPrintable(field->why));
    QCOMPARE(field->value, command);
    const auto edited = setFields(script, {{u"command"_s, u"--added 7"_s, true}});
    QVERIFY2(edited.hasValue(), edited ? "" : qPrintable(edited.error().oneLine()));
    QCOMPARE(bindScript(edited->text).find(u"command"_s)->value, command + u" --added 7"_s);
}

void LaunchChoiceTest::refusals_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const QString& script, const QString& why) {
        QTest::newRow(name) << u"#!/bin/bash\n#SBATCH -t 9\n"_s + script << why;
    };
    row("a check that may fail behind a program", u"srun ./train.sh\nsrun python -m checker log || true\n"_s,
        u"Several commands start a program (lines 3, 4)"_s);
    row("a check in a container, which may fail",
        u"docker exec c bash ./train.sh\ndocker exec c python3 -m checker || :\n"_s,
        u"Several commands start a program (lines 3, 4)"_s);
    row("a training that may fail, and what looks at it", u"srun python t.py || true\npython eval.py\n"_s,
        u"Several commands start a program (lines 3, 4)"_s);
    row("what the submission names", u"./prepare\n$COMMAND --a 1\n"_s, u"Line 4 starts what $COMMAND says"_s);
    row("what the submission names, behind Ray", u"srun ray start --block &\n${COMMAND}\n"_s,
        u"Line 4 starts what ${COMMAND} says"_s);
    row("elements of a list that eval reads", u"L=(\"python a.py\" \"python b.py\")\neval \"${L[i]}\"\n"_s,
        u"Line 4 starts what \"${L[i]}\" says"_s);
    row("a launcher that only the job knows", u"srun python prepare.py\n$LAUNCHER train.sh\n"_s,
        u"Line 4 starts what $LAUNCHER says"_s);
    row("commands of one launcher with unknown options", u"mpirun $OPTIONS ./one\nmpirun $OPTIONS ./two\n"_s,
        u"Several commands start a program (lines 3, 4)"_s);
    row("a question and what follows from it", u"if python check.py; then\n./train\nfi\n"_s,
        u"Several commands start a program (lines 3, 4)"_s);
    row("another job", u"cat > job.sh <<E\nsrun python t.py\nE\nsbatch job.sh\n"_s,
        u"line 6 submits another job: change it where that job is written"_s);
    row("tasks without a program", u"./prepare\nS=/opt/bin/srun\n$S -l bash -c 'echo a; hostname'\n"_s,
        u"Line 5 starts tasks, but no program of the job is there"_s);
    row("all tasks of the job, and what looks at their log",
        u"#SBATCH --ntasks-per-node=8\nsrun ./launch.sh t.py\npython throughput.py log\n"_s,
        u"Several commands start a program (lines 4, 5)"_s);
    row("programs in a file", u"srun -n 4 --multi-prog tasks.conf\n"_s,
        u"Line 3 starts several programs in one step"_s);
    row("programs beside each other", u"srun --het-group=0 ./a --x 1 : --het-group=1 ./b\n"_s,
        u"Line 3 starts several programs in one step"_s);
    row("a script of GNU parallel", u"parallel ./t.sh ::: 1 2\n"_s, u"Line 3 starts what parallel says"_s);
    row("nothing but tools", u"uv sync\ngit pull\n"_s, u"No command that starts a program"_s);
}

void LaunchChoiceTest::refusals()
{
    QFETCH(QString, script);
    QFETCH(QString, why);
    const auto edited = setFields(script, {{u"command"_s, u"--added 7"_s, true}});
    QVERIFY(!edited.hasValue());
    const QString said = edited.error().oneLine();
    QVERIFY2(said.contains(why), qPrintable(said));
    QVERIFY2(said.count(u"in the text") <= 1, qPrintable(said));
}

/// Another program in their place would be started with the old one as its argument.
void LaunchChoiceTest::optionsThatOnlyTheJobKnows()
{
    const QString script = u"#!/bin/bash\n#SBATCH -t 9\nmpirun $OPTIONS ./train --a 1\n"_s;
    QVERIFY(bindScript(script).find(u"command"_s)->canBeSet());
    const auto edited = setFields(script, {{u"program"_s, u"./other"_s, false}});
    QVERIFY(!edited.hasValue());
    QVERIFY2(edited.error().oneLine().contains(u"$OPTIONS"_s), qPrintable(edited.error().oneLine()));
    const QString plain = u"#!/bin/bash\n#SBATCH -t 9\nmpirun ./train --a 1\n"_s;
    QVERIFY(setFields(plain, {{u"program"_s, u"./other"_s, false}}).hasValue());
}

RANKWRIGHT_TEST_MAIN(LaunchChoiceTest)
#include "tst_launchchoice.moc"

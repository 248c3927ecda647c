// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// A stranger's script, edited in the places of its fields (sbatch(1), srun(1), bash(1) say what each place means).
class ScriptFieldsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void values_data();
    void values();
    void edits_data();
    void edits();
    void defaultsAreNoted();
    void whatIsComputedIsNoted();
    void refusals_data();
    void refusals();
    void otherShells();
    void placesHoldTheValue();
    void everyByteStays();
    void editsInAnyOrder();
    void largerThanSbatchTakes();

private:
    static QString valueOf(const QString& script, const QString& path)
    {
        const ScriptFields fields = bindScript(script);
        const ScriptField* field = fields.find(path);
        return field == nullptr ? u"(none)"_s : field->canBeSet() ? field->value : u"("_s + field->value + u')';
    }
    static FieldEdit editOf(const QString& text)
    {
        const qsizetype equals = text.indexOf(u'=');
        const bool appends = text.at(equals - 1) == u'+';
        return {text.left(equals - (appends ? 1 : 0)), text.mid(equals + 1), appends};
    }
};

void ScriptFieldsTest::values_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* name, const QString& script, const QString& path, const QString& value) {
        QTest::newRow(name) << u"#!/bin/bash\n"_s + script << path << value;
    };
    const QString nodes = u"resources.nodes"_s, gpus = u"resources.gpusPerNode"_s;
    row("quotes that only a shell which reads the text again takes for such",
        u"A=\"--method 'a|b' --lr 1\"\nsrun python t.py $A\n"_s, u"arguments.--method"_s, u"'a|b'"_s);
    row("quotes of the ranks' shell", u"A=\"--method 'a|b c' --lr 1\"\nsrun bash -c \"python t.py $A\"\n"_s,
        u"arguments.--method"_s, u"a|b c"_s);
    row("nodes", u"#SBATCH --nodes=2 # two\nsrun python t.py\n"_s, nodes, u"2"_s);
    row("nodes, short", u"#SBATCH -N2\nsrun python t.py\n"_s, nodes, u"2"_s);
    row("nodes of a step in a loop", u"#SBATCH -t 10\nfor i in 1 2; do srun -N 1 python t.py & done\n"_s, nodes, u""_s);
    row("the last one counts", u"#SBATCH -N 2\n#SBATCH -N 4\nsrun python t.py\n"_s, nodes, u"4"_s);
    row("behind the first command", u"#SBATCH -t 10\necho\n#SBATCH -N 4\nsrun python t.py\n"_s, nodes, u""_s);
    row("a default that : sets",
        u"#SBATCH --gres=gpu:8\n: ${N:=8} \"${P:='1 2'}\"\nsrun torchrun --nproc_per_node=$N t.py --p \"$P\"\n"_s,
        u"launcher.processes"_s, u"8"_s);
    row("a default that : sets, in quotes", u"#SBATCH -t 9\n: ${P:='1 2'} ${Q:=$P}\nsrun python t.py --p \"$P\"\n"_s,
        u"arguments.--p"_s, u"1 2"_s);
    row("a default that : does not set", u"#SBATCH -t 9\nP=3\n: ${P:=4}\nsrun python t.py --p \"$P\"\n"_s,
        u"arguments.--p"_s, u"3"_s);
    row("gres with a type", u"#SBATCH --gres=gpu:a100:4,tmp:10\nsrun python t.py\n"_s, gpus, u"4"_s);
    row("gres without a number", u"#SBATCH --gres=gpu\nsrun python t.py\n"_s, gpus, u"1"_s);
    row("GPUs of a job", u"#SBATCH -N 2\n#SBATCH --gpus=8\nsrun python t.py\n"_s, gpus, u"4"_s);
    row("GPUs of a task", u"#SBATCH -N 2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-task=1\nsrun python t.py\n"_s,
        gpus, u"4"_s);
    row("pip is not a program of the job", u"python -m pip install x\n"_s, u"command"_s, u"()"_s);
    row("minutes", u"#SBATCH -t 90\nsrun python t.py\n"_s, u"time"_s, u"01:30:00"_s);
    row("memory", u"#SBATCH --mem 480G\nsrun python t.py\n"_s, u"resources.memoryPerNode"_s, u"480G"_s);
    row("a declaration is not a program of the job", u"#SBATCH -t 9\nreadonly A=1\nmkdir $A\n"_s, u"command"_s,
        u"()"_s);
    row("program of a pipe", u"#SBATCH -t 9\npython t.py --lr 1 2>&1 | tee log\n"_s, u"command"_s, u"t.py --lr 1"_s);
    row("unknown interpreter", u"#SBATCH -t 9\n\"$PY\" t.py --lr 1 | tee log\n"_s, u"command"_s, u"t.py --lr 1"_s);
    row("scancel behind a here-document", u"#SBATCH -t 9\npython t.py\nscancel 1 <<E\nx\nE\n"_s, u"program"_s,
        u"t.py"_s);
    row("program of a pipe of the ranks' shell",
        u"#SBATCH -t 9\nsrun bash -c \"python t.py --lr 1 2>&1 | tee log\"\n"_s, u"command"_s, u"t.py --lr 1"_s);
    row("program of a pipe in a variable",
        u"#SBATCH -t 9\nC=\"python t.py --lr 1 |& grep -v x | tee log\"\nsrun bash -c \"$C\"\n"_s, u"command"_s,
        u"t.py --lr 1"_s);
    row("program of a pipe in a wrapper",
        u"#SBATCH -t 9\ncat > w.sh <<'E'\npython t.py --lr 1 | tee log\nE\nsrun bash w.sh\n"_s, u"command"_s,
        u"t.py --lr 1"_s);
    row("variables of a command", u"#SBATCH -t 9\nCMD=\"python t.py\n  --lr 1\"\nsrun bash -c \"$CMD --x 2\"\n"_s,
        u"command"_s, u"t.py --lr 1 --x 2"_s);
    row("a command that grows for the ranks' shell",
        u"#SBATCH -t 9\nCMD=\"torchrun t.py\"\nCMD=\"$CMD --a 1\"\nCMD=\"$CMD --b 2\"\nsrun bash -c \"$CMD\"\n"_s,
        u"command"_s, u"t.py --a 1 --b 2"_s);
    row("a command that grows in a loop",
        u"#SBATCH -t 9\nfor C in 1 2; do\nCMD=\"torchrun t.py\"\nCMD=\"$CMD --a $C\"\nsrun bash -c \"$CMD\"\ndone\n"_s,
        u"command"_s, u"t.py --a $C"_s);
    row("array of words", u"#SBATCH -t 9\nA=(--lr 1)\nA+=(--x 2)\nsrun python t.py \"${A[@]}\"\n"_s, u"command"_s,
        u"t.py --lr 1 --x 2"_s);
    row("set in a condition", u"#SBATCH -t 9\nif true; then N=2; fi\nsrun torchrun --nnodes=$N t.py\n"_s,
        u"launcher.nodes"_s, u"()"_s);
    row("Slurm's own number", u"#SBATCH -N 2\nsrun torchrun --nnodes=$SLURM_NNODES t.py\n"_s, u"launcher.nodes"_s,
        u"(2)"_s);
    row("Slurm's own number of GPUs",
        u"#SBATCH -N 2\n#SBATCH --gpus-per-node=4\nsrun torchrun --nproc_per_node=$SLURM_GPUS_ON_NODE t.py\n"_s,
        u"launcher.processes"_s, u"(4)"_s);
    row("Slurm's own number where no directive says one",
        u"#SBATCH -t 9\nsrun torchrun --nnodes=$SLURM_NNODES t.py\n"_s, u"launcher.nodes"_s, u"()"_s);
    row("image in a variable", u"#SBATCH -t 9\nSIF=/a/b.sif\nsrun singularity exec $SIF python t.py\n"_s,
        u"environment.container"_s, u"/a/b.sif"_s);
    row("image of a module", u"#SBATCH -t 9\nmodule load pt\nsrun singularity exec \"$SIF\" python t.py\n"_s,
        u"environment.container"_s, u"$SIF"_s);
    row("pyxis", u"#SBATCH -t 9\nsrun --container-image=/a.sqsh python t.py\n"_s, u"environment.container"_s,
        u"/a.sqsh"_s);
    row("argument", u"#SBATCH -t 9\nLR=0.1\nsrun python t.py --lr=$LR a.b=3\n"_s, u"arguments.--lr"_s, u"0.1"_s);
    row("argument of hydra", u"#SBATCH -t 9\nsrun python t.py a.b=3\n"_s, u"arguments.a.b"_s, u"3"_s);
    row("modules", u"#SBATCH -t 9\nmodule load a b/2\nml c\nsrun python t.py\n"_s, u"environment.modules"_s,
        u"a b/2 c"_s);
    row("variable", u"#SBATCH -t 9\nexport A=1\nsrun python t.py\n"_s, u"environment.variables.A"_s, u"1"_s);
    row("two programs", u"#SBATCH -t 9\nsrun python a.py\nsrun python b.py\n"_s, u"command"_s, u"()"_s);
    row("a function that starts its words", u"#SBATCH -t 9\nrun() { srun \"$@\"; }\nrun t.py --lr 1\n"_s, u"command"_s,
        u"t.py --lr 1"_s);
    row("set in the small shell", u"#SBATCH -t 9\nN=2\nsrun bash -c 'N=4; torchrun --nnodes=$N t.py'\n"_s,
        u"launcher.nodes"_s, u"()"_s);
    row("here-document of a wrapper",
        u"#SBATCH -t 9\ncat > w.sh <<'E'\nexport R=1\nexec \"$@\"\nE\nsrun bash w.sh python t.py --lr 1\n"_s,
        u"command"_s, u"t.py --lr 1"_s);
}

void ScriptFieldsTest::values()
{
    QFETCH(QString, script);
    QFETCH(QString, path);
    QFETCH(QString, value);
    QCOMPARE(valueOf(script, path), value);
}

void ScriptFieldsTest::edits_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("after");
    const auto row = [](const char* name, const QString& before, const QString& edit, const QString& after) {
        QTest::newRow(name) << u"#!/bin/bash\n"_s + before << edit << u"#!/bin/bash\n"_s + after;
    };
    row("in the author's spelling", u"#SBATCH -N2 # two\nsrun python t.py\n"_s, u"resources.nodes=4"_s,
        u"#SBATCH -N4 # two\nsrun python t.py\n"_s);
    row("a default that : sets", u"#SBATCH --gres=gpu:8\n: ${N:=8}\nsrun torchrun --nproc_per_node=$N t.py\n"_s,
        u"resources.gpusPerNode=4"_s, u"#SBATCH --gres=gpu:4\n: ${N:=4}\nsrun torchrun --nproc_per_node=$N t.py\n"_s);
    row("a world of nodes times a variable, nodes",
        u"#SBATCH -N 2\n#SBATCH --gres=gpu:4\nG=4\nexport WORLD_SIZE=$((G * SLURM_NNODES))\nsrun python t.py\n"_s,
        u"resources.nodes=4"_s,
        u"#SBATCH -N 4\n#SBATCH --gres=gpu:4\nG=4\nexport WORLD_SIZE=$((G * SLURM_NNODES))\nsrun python t.py\n"_s);
    row("a world of nodes times a variable, GPUs",
        u"#SBATCH -N 2\n#SBATCH --gres=gpu:4\nG=4\nexport WORLD_SIZE=$((G * SLURM_NNODES))\nsrun python t.py\n"_s,
        u"resources.gpusPerNode=2"_s,
        u"#SBATCH -N 2\n#SBATCH --gres=gpu:2\nG=2\nexport WORLD_SIZE=$((G * SLURM_NNODES))\nsrun python t.py\n"_s);
    row("hours as people say them", u"#SBATCH -t 01:30:00\nsrun python t.py\n"_s, u"time=8h"_s,
        u"#SBATCH -t 08:00:00\nsrun python t.py\n"_s);
    row("minutes as people say them", u"#SBATCH -t 30\nsrun python t.py\n"_s, u"time=90m"_s,
        u"#SBATCH -t 90\nsrun python t.py\n"_s);
    row("days as people say them", u"#SBATCH --time=1-12\nsrun python t.py\n"_s, u"time=2d"_s,
        u"#SBATCH --time=2-00\nsrun python t.py\n"_s);
    row("a switch taken from its own line", u"srun python t.py \\\n    --amp \\\n    --lr 1\n"_s,
        u"arguments.--amp=false"_s, u"srun python t.py \\\n    --lr 1\n"_s);
    row("a switch that begins a line", u"srun python t.py \\\n    --amp --lr 1\n"_s, u"arguments.--amp=false"_s,
        u"srun python t.py \\\n    --lr 1\n"_s);
    row("a switch on the last line", u"srun python t.py --lr 1 \\\n    --amp\nwait\n"_s, u"arguments.--amp=false"_s,
        u"srun python t.py --lr 1\nwait\n"_s);
    row("a switch of a list", u"A=(\n  --lr 1\n  --amp\n)\nsrun python t.py \"${A[@]}\"\n"_s,
        u"arguments.--amp=false"_s, u"A=(\n  --lr 1\n)\nsrun python t.py \"${A[@]}\"\n"_s);
    row("words taken from the end of a line", u"srun python t.py --lr 1 --wd 2 3\n"_s, u"command=t.py --lr 1"_s,
        u"srun python t.py --lr 1\n"_s);
    row("the program behind a substitution that the ranks' shell makes",
        u"L=\"torchrun --nnodes 2 --role \\$(hostname -s|tr -dc '0-9'): --tee 3 \"\nsrun bash -c \"$L train.py\"\n"_s,
        u"program=other.py"_s,
        u"L=\"torchrun --nnodes 2 --role \\$(hostname -s|tr -dc '0-9'): --tee 3 \"\nsrun bash -c \"$L other.py\"\n"_s);
    row("quotes in a text that the ranks' shell reads",
        u"A=\"--method 'type:a|b' --lr 1\"\nsrun bash -c \"python t.py $A\"\n"_s, u"arguments.--method=type:c|d"_s,
        u"A=\"--method 'type:c|d' --lr 1\"\nsrun bash -c \"python t.py $A\"\n"_s);
    row("a word that ends with a blank", u"srun python t.py --a 'x '\n"_s, u"arguments.--a=y "_s,
        u"srun python t.py --a 'y '\n"_s);
    row("a function whose arms start what it is given",
        u"f() {\n  if [ $A ]; then srun apptainer exec a.sif python \"$@\"; else python \"$@\"; fi\n}\nf t.py --a 1\n"_s,
        u"command+=--b 2"_s,
        u"f() {\n  if [ $A ]; then srun apptainer exec a.sif python \"$@\"; else python \"$@\"; fi\n}\nf t.py --a 1 --b 2\n"_s);
    row("the same program in both arms", u"if [ $A ]; then srun torchrun t.py; else python t.py; fi\n"_s,
        u"command+=--b 2"_s, u"if [ $A ]; then srun torchrun t.py --b 2; else python t.py --b 2; fi\n"_s);
    row("tasks go with nodes", u"#SBATCH --nodes 2\n#SBATCH -n 16\nsrun -N 2 -n 16 python t.py\n"_s,
        u"resources.nodes=4"_s, u"#SBATCH --nodes 4\n#SBATCH -n 32\nsrun -N 4 -n 32 python t.py\n"_s);
    row("a variable that both use", u"#SBATCH -N 2\nNNODES=2\nsrun -N $NNODES torchrun --nnodes $NNODES t.py\n"_s,
        u"resources.nodes=3"_s, u"#SBATCH -N 3\nNNODES=3\nsrun -N $NNODES torchrun --nnodes $NNODES t.py\n"_s);
    row("processes of all nodes",
        u"#SBATCH -N 2\n#SBATCH --gres=gpu:4\nsrun accelerate launch --num_machines 2 --num_processes 8 t.py\n"_s,
        u"resources.nodes=4"_s,
        u"#SBATCH -N 4\n#SBATCH --gres=gpu:4\nsrun accelerate launch --num_machines 4 --num_processes 16 t.py\n"_s);
    row("the type stays", u"#SBATCH --gres=gpu:a100:4\n#SBATCH --ntasks-per-node=4\nsrun python t.py\n"_s,
        u"resources.gpusPerNode=2"_s, u"#SBATCH --gres=gpu:a100:2\n#SBATCH --ntasks-per-node=2\nsrun python t.py\n"_s);
    row("no number yet", u"#SBATCH --gres=gpu\nsrun python t.py\n"_s, u"resources.gpusPerNode=2"_s,
        u"#SBATCH --gres=gpu:2\nsrun python t.py\n"_s);
    row("processes of the agent",
        u"#SBATCH --gpus-per-node=8\n#SBATCH --ntasks-per-node=1\nsrun torchrun --nproc_per_node=8 t.py\n"_s,
        u"resources.gpusPerNode=4"_s,
        u"#SBATCH --gpus-per-node=4\n#SBATCH --ntasks-per-node=1\nsrun torchrun --nproc_per_node=4 t.py\n"_s);
    row("a factor", u"#SBATCH -N 2\n#SBATCH --gpus-per-node=8\nsrun -n $((SLURM_NNODES*8)) python t.py\n"_s,
        u"resources.gpusPerNode=4"_s,
        u"#SBATCH -N 2\n#SBATCH --gpus-per-node=4\nsrun -n $((SLURM_NNODES*4)) python t.py\n"_s);
    row("a variable with one word has other uses", u"C=c.json\ncat a > $C\nsrun python t.py --config $C\n"_s,
        u"command+=--b 2"_s, u"C=c.json\ncat a > $C\nsrun python t.py --config $C --b 2\n"_s);
    row("a variable with arguments grows", u"ARGS=\"--a 1\"\nsrun python t.py $ARGS\n"_s, u"command+=--b 2"_s,
        u"ARGS=\"--a 1 --b 2\"\nsrun python t.py $ARGS\n"_s);
    row("a factor of expr",
        u"#SBATCH -N 2\n#SBATCH --gres=gpu:4\nG=4\nN=$(expr $SLURM_NNODES \\* $G)\n"
        "srun accelerate launch --num_processes=$N t.py\n"_s,
        u"resources.gpusPerNode=2"_s,
        u"#SBATCH -N 2\n#SBATCH --gres=gpu:2\nG=2\nN=$(expr $SLURM_NNODES \\* $G)\n"
        "srun accelerate launch --num_processes=$N t.py\n"_s);
    row("nodes that only the launcher names",
        u"#SBATCH -n 1\n#SBATCH -t 9\nsrun accelerate launch --num_machines=1 --num_processes=4 t.py\n"_s,
        u"resources.nodes=2"_s,
        u"#SBATCH -N 2\n#SBATCH -n 2\n#SBATCH -t 9\nsrun accelerate launch --num_machines=2 --num_processes=8 t.py\n"_s);
    row("a folder within the image's path", u"R=/a\nI=$R/i.sif\nsrun apptainer exec $I python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"R=/a\nI=/b.sif\nsrun apptainer exec $I python t.py\n"_s);
    row("an image that is empty unless the submitting shell names it",
        u"IMG=\"${IMG:-}\"\nCMD=(srun --container-image=\"$IMG\")\nif [ $M ]; then CMD+=(--container-mounts=$M); fi\n"
        "\"${CMD[@]}\" python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"IMG=\"/b.sif\"\nCMD=(srun --container-image=\"$IMG\")\nif [ $M ]; then CMD+=(--container-mounts=$M); fi\n"
        "\"${CMD[@]}\" python t.py\n"_s);
    row("no image of enroot import", u"srun enroot import docker://x\nsrun --container-image=x.sqsh python t.py\n"_s,
        u"environment.container=y.sqsh"_s,
        u"srun enroot import docker://x\nsrun --container-image=y.sqsh python t.py\n"_s);
    row("one GPU for each task", u"#SBATCH -N 2\n#SBATCH -n 8\n#SBATCH --gpus-per-task=1\nsrun python t.py\n"_s,
        u"resources.gpusPerNode=2"_s, u"#SBATCH -N 2\n#SBATCH -n 4\n#SBATCH --gpus-per-task=1\nsrun python t.py\n"_s);
    row("nodes that follow from the tasks",
        u"#SBATCH -n 8\n#SBATCH --ntasks-per-node=4\n#SBATCH --gres=gpu:4\nsrun python t.py\n"_s,
        u"resources.gpusPerNode=2"_s,
        u"#SBATCH -n 4\n#SBATCH --ntasks-per-node=2\n#SBATCH --gres=gpu:2\nsrun python t.py\n"_s);
    row("list of devices", u"#SBATCH --gres=gpu:4\nexport CUDA_VISIBLE_DEVICES=\"0,1,2,3\"\npython t.py\n"_s,
        u"resources.gpusPerNode=2"_s, u"#SBATCH --gres=gpu:2\nexport CUDA_VISIBLE_DEVICES=\"0,1\"\npython t.py\n"_s);
    row("minutes", u"#SBATCH -t 30\nsrun python t.py\n"_s, u"time=02:00:00"_s, u"#SBATCH -t 120\nsrun python t.py\n"_s);
    row("days", u"#SBATCH --time=0-00:30:00\nsrun python t.py\n"_s, u"time=26:00:00"_s,
        u"#SBATCH --time=1-02:00:00\nsrun python t.py\n"_s);
    row("seconds that minutes cannot say", u"#SBATCH -t 30\nsrun python t.py\n"_s, u"time=00:00:30"_s,
        u"#SBATCH -t 00:00:30\nsrun python t.py\n"_s);
    row("memory in its unit", u"#SBATCH --mem=480000M\nsrun python t.py\n"_s, u"resources.memoryPerNode=100G"_s,
        u"#SBATCH --mem=102400M\nsrun python t.py\n"_s);
    row("a new directive", u"#SBATCH -N 1\n#SBATCH -t 10\n\nsrun python t.py\n"_s, u"account=acc"_s,
        u"#SBATCH -A acc\n#SBATCH -N 1\n#SBATCH -t 10\n\nsrun python t.py\n"_s);
    row("a new one of the long kind", u"#SBATCH --account=a\n#SBATCH --nodes=1\n\nsrun python t.py\n"_s, u"time=10"_s,
        u"#SBATCH --account=a\n#SBATCH --nodes=1\n#SBATCH --time=00:10:00\n\nsrun python t.py\n"_s);
    row("line ends", u"#SBATCH --nodes=1\r\nsrun python t.py\r\n"_s, u"name=x"_s,
        u"#SBATCH --job-name=x\r\n#SBATCH --nodes=1\r\nsrun python t.py\r\n"_s);
    row("no last newline", u"#SBATCH --nodes=1\nsrun python t.py"_s, u"command+= --x 1"_s,
        u"#SBATCH --nodes=1\nsrun python t.py --x 1"_s);
    row("an argument on a continued line", u"#SBATCH -t 9\nsrun python t.py \\\n    --lr 0.1 \\\n    --x 2\n"_s,
        u"arguments.--lr=0.2"_s, u"#SBATCH -t 9\nsrun python t.py \\\n    --lr 0.2 \\\n    --x 2\n"_s);
    row("an argument in a variable", u"#SBATCH -t 9\nLR=0.1\nsrun python t.py --lr=$LR\n"_s, u"arguments.--lr=0.2"_s,
        u"#SBATCH -t 9\nLR=0.2\nsrun python t.py --lr=$LR\n"_s);
    row("of two branches: where it is used",
        u"#SBATCH -t 9\nif x; then LR=1; else LR=2; fi\nsrun python t.py --lr $LR\n"_s, u"arguments.--lr=3"_s,
        u"#SBATCH -t 9\nif x; then LR=1; else LR=2; fi\nsrun python t.py --lr 3\n"_s);
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
    row("image of a container that a started one enters",
        u"#SBATCH -t 9\nD=\"nvidia-docker run --rm --name=c1\"\n$D $I sleep 9 &\n$(eval echo $S) docker exec -e A=1 c1 ./run.sh\n"_s,
        u"environment.container=r/b:2"_s,
        u"#SBATCH -t 9\nD=\"nvidia-docker run --rm --name=c1\"\n$D r/b:2 sleep 9 &\n$(eval echo $S) docker exec -e A=1 c1 ./run.sh\n"_s);
    row("added behind a variable in bash -c",
        u"#SBATCH -t 9\nfor P in 1 2; do\nO=\"train.iters=$P data.len=8\"\nC=\"python t.py --recipe r\"\nC=\"$C $O\"\nsrun bash -c \"$C\"\ndone\n"_s,
        u"command+=--x 1"_s,
        u"#SBATCH -t 9\nfor P in 1 2; do\nO=\"train.iters=$P data.len=8\"\nC=\"python t.py --recipe r\"\nC=\"$C $O\"\nsrun bash -c \"$C --x 1\"\ndone\n"_s);
    row("added within bash -c", u"#SBATCH -t 9\nsrun bash -c \"RANK=\\$SLURM_PROCID python t.py --lr 1\"\n"_s,
        u"command+= --x 1"_s, u"#SBATCH -t 9\nsrun bash -c \"RANK=\\$SLURM_PROCID python t.py --lr 1 --x 1\"\n"_s);
    row("added before a pipe of the ranks' shell",
        u"#SBATCH -t 9\nC=\"python t.py --lr 1 2>&1 | tee log\"\nsrun bash -c \"$C\"\n"_s, u"command+=--x 1"_s,
        u"#SBATCH -t 9\nC=\"python t.py --lr 1 --x 1 2>&1 | tee log\"\nsrun bash -c \"$C\"\n"_s);
    row("added before the backslash that ends the file", u"#SBATCH -t 9\nN=a\ntorchrun t.py --name $N \\"_s,
        u"command+=--x 1"_s, u"#SBATCH -t 9\nN=a\ntorchrun t.py --name $N --x 1 \\"_s);
    row("added to a command that grows",
        u"#SBATCH -t 9\nCMD=\"torchrun t.py\"\nCMD=\"$CMD --a 1\"\nsrun bash -c \"$CMD\"\n"_s, u"command+=--x 1"_s,
        u"#SBATCH -t 9\nCMD=\"torchrun t.py\"\nCMD=\"$CMD --a 1 --x 1\"\nsrun bash -c \"$CMD\"\n"_s);
    row("added to a variable", u"#SBATCH -t 9\nCMD=\"python t.py --lr 1 \"\nsrun $CMD\n"_s, u"command+=--x 1"_s,
        u"#SBATCH -t 9\nCMD=\"python t.py --lr 1 --x 1 \"\nsrun $CMD\n"_s);
    row("added where the command goes on",
        u"#SBATCH -t 9\nF=a.yaml\nCMD=\"python t.py $F\n\"\nsrun bash -c \"$CMD\"\n"_s, u"command+=--x 1"_s,
        u"#SBATCH -t 9\nF=a.yaml\nCMD=\"python t.py $F --x 1\n\"\nsrun bash -c \"$CMD\"\n"_s);
    row("what the submitting shell may set",
        u"#SBATCH -t 9\nSIF=${SIF:-/a.sif}\nsrun singularity exec $SIF python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"#SBATCH -t 9\nSIF=/b.sif\nsrun singularity exec $SIF python t.py\n"_s);
    row("what the script is started with", u"#SBATCH -t 9\nC=\"${1:-a.json}\"\nsrun python t.py --config \"$C\"\n"_s,
        u"arguments.--config=b.json"_s, u"#SBATCH -t 9\nC=\"b.json\"\nsrun python t.py --config \"$C\"\n"_s);
    row("what the script is started with, in quotes of the ranks' shell",
        u"#SBATCH -t 9\nM=\"${1:-'a/b'}\"\nsrun bash -c \"python t.py --model $M\"\n"_s, u"arguments.--model=c/d"_s,
        u"#SBATCH -t 9\nM=\"c/d\"\nsrun bash -c \"python t.py --model $M\"\n"_s);
    row("added behind all arguments", u"#SBATCH -t 9\nsrun python t.py \"$@\"\n"_s, u"command+=--x 1"_s,
        u"#SBATCH -t 9\nsrun python t.py \"$@\" --x 1\n"_s);
    row("words with blanks", u"#SBATCH -t 9\nsrun python t.py --a 1\n"_s, u"arguments.--a=b c"_s,
        u"#SBATCH -t 9\nsrun python t.py --a 'b c'\n"_s);
    row("words with blanks in quotes", u"#SBATCH -t 9\nsrun bash -c 'python t.py --a 1'\n"_s, u"arguments.--a=b c"_s,
        u"#SBATCH -t 9\nsrun bash -c 'python t.py --a \"b c\"'\n"_s);
    row("a whole command", u"#SBATCH -t 9\nsrun python t.py --a 1 --b 2 --c\n"_s, u"command=t.py --a 1 --d 3 --c"_s,
        u"#SBATCH -t 9\nsrun python t.py --a 1 --d 3 --c\n"_s);
    row("the same program twice", u"#SBATCH -t 9\nif x; then srun python t.py --a; else srun python t.py; fi\n"_s,
        u"command+=--x"_s, u"#SBATCH -t 9\nif x; then srun python t.py --a --x; else srun python t.py --x; fi\n"_s);
    row("an argument of the shown one of two commands",
        u"#SBATCH -t 9\nif x; then srun python t.py; else srun python t.py --a 1; fi\n"_s, u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nif x; then srun python t.py; else srun python t.py --a 2; fi\n"_s);
    row("an argument of the other one of two commands",
        u"#SBATCH -t 9\nif x; then srun python t.py --a 1; else srun python t.py; fi\n"_s, u"arguments.--a=2"_s,
        u"#SBATCH -t 9\nif x; then srun python t.py --a 2; else srun python t.py --a 2; fi\n"_s);
    row("image", u"#SBATCH -t 9\nSIF=/a.sif\nsrun singularity exec -B /x $SIF python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -t 9\nSIF=/b.sif\nsrun singularity exec -B /x $SIF python t.py\n"_s);
    row("image of a container that a step before makes",
        u"#SBATCH -N 1\nsrun --container-image=\"$C\" --container-name=\"$N\" true\n"
        "srun --container-name=\"$N\" python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -N 1\nsrun --container-image=\"/b.sif\" --container-name=\"$N\" true\n"
        "srun --container-name=\"$N\" python t.py\n"_s);
    row("image that a condition chooses",
        u"#SBATCH -N 1\nI=a\nif [ $T = 1 ]; then\nI=b\nfi\nsrun --container-image \"$I\" python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -N 1\nI=a\nif [ $T = 1 ]; then\nI=b\nfi\nsrun --container-image \"/b.sif\" python t.py\n"_s);
    row("image of a module", u"#SBATCH -t 9\nsrun singularity exec $SIF python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"#SBATCH -t 9\nsrun singularity exec /b.sif python t.py\n"_s);
    row("image of a function that starts what it is given",
        u"#SBATCH -t 9\nSIF=/a.sif\nrun() {\n  singularity exec \"$SIF\" \"$@\"\n}\nrun python p.py\nrun python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -t 9\nSIF=/b.sif\nrun() {\n  singularity exec \"$SIF\" \"$@\"\n}\nrun python p.py\nrun python t.py\n"_s);
    row("image whose program sbatch names", u"#SBATCH -t 9\nsingularity exec --nv /a.sif $@\n"_s,
        u"environment.container=/b.sif"_s, u"#SBATCH -t 9\nsingularity exec --nv /b.sif $@\n"_s);
    row("image that is its own program", u"#SBATCH -t 9\nsrun singularity run --nv /a.sif\n"_s,
        u"environment.container=/b.sif"_s, u"#SBATCH -t 9\nsrun singularity run --nv /b.sif\n"_s);
    row("image that a command finds",
        u"#SBATCH -t 9\nSIF=$(ls /i/*.sif | tail -1)\nsrun singularity exec $SIF python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"#SBATCH -t 9\nSIF=/b.sif\nsrun singularity exec $SIF python t.py\n"_s);
    row("image in the folder that a command names",
        u"#SBATCH -t 9\nsrun --container-image=$(pwd)/a.sqsh python t.py\n"_s, u"environment.container=/b.sqsh"_s,
        u"#SBATCH -t 9\nsrun --container-image=/b.sqsh python t.py\n"_s);
    row("image behind options of the environment", u"#SBATCH -t 9\nsrun singularity exec $BINDS $SIF python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"#SBATCH -t 9\nsrun singularity exec $BINDS /b.sif python t.py\n"_s);
    row("image behind a variable that podman passes on",
        u"#SBATCH -t 9\nsrun podman-hpc run --rm -e HOME -w /w a:1 python t.py\n"_s, u"environment.container=b:2"_s,
        u"#SBATCH -t 9\nsrun podman-hpc run --rm -e HOME -w /w b:2 python t.py\n"_s);
    row("environment without a value of singularity", u"#SBATCH -t 9\nsrun singularity exec -e /a.sif python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"#SBATCH -t 9\nsrun singularity exec -e /b.sif python t.py\n"_s);
    row("definition file of an environment", u"#SBATCH -t 9\nsrun --environment=/a.toml python t.py\n"_s,
        u"environment.container=/b.toml"_s, u"#SBATCH -t 9\nsrun --environment=/b.toml python t.py\n"_s);
    row("definition file of a directive", u"#SBATCH -t 9\n#SBATCH --environment=a\nsrun python t.py\n"_s,
        u"environment.container=b"_s, u"#SBATCH -t 9\n#SBATCH --environment=b\nsrun python t.py\n"_s);
    row("image of a command that grows",
        u"#SBATCH -t 9\nRUN=\"srun -l\"\nRUN+=\" --container-image=/a.sqsh\"\n$RUN python t.py\n"_s,
        u"environment.container=/b.sqsh"_s,
        u"#SBATCH -t 9\nRUN=\"srun -l\"\nRUN+=\" --container-image=/b.sqsh\"\n$RUN python t.py\n"_s);
    row("arguments that grow", u"#SBATCH -t 9\nA=\"--lr 1\"\nA+=\" --x 2\"\nsrun python t.py $A\n"_s,
        u"arguments.--lr=3"_s, u"#SBATCH -t 9\nA=\"--lr 3\"\nA+=\" --x 2\"\nsrun python t.py $A\n"_s);
    row("arguments to which a loop adds others",
        u"#SBATCH -t 9\nA=\"--lr 1\"\nfor i in 1 2; do A+=\" --x $i\"; done\nsrun python t.py $A\n"_s,
        u"arguments.--lr=3"_s,
        u"#SBATCH -t 9\nA=\"--lr 3\"\nfor i in 1 2; do A+=\" --x $i\"; done\nsrun python t.py $A\n"_s);
    row("arguments of a command that holds itself",
        u"#SBATCH -t 9\nC=\"python t.py\"\nC=\"$C --a 1\"\nC=\"$C --b 2\"\nsrun bash -c \"cd /x && $C\"\n"_s,
        u"arguments.--a=3"_s,
        u"#SBATCH -t 9\nC=\"python t.py\"\nC=\"$C --a 3\"\nC=\"$C --b 2\"\nsrun bash -c \"cd /x && $C\"\n"_s);
    row("arguments of a command that grows in a loop",
        u"#SBATCH -t 9\nfor S in 1 2; do\nC=\"python t.py --a 1\"\nC=\"$C --s $S\"\nsrun bash -c \"$C\"\ndone\n"_s,
        u"arguments.--a=3"_s,
        u"#SBATCH -t 9\nfor S in 1 2; do\nC=\"python t.py --a 3\"\nC=\"$C --s $S\"\nsrun bash -c \"$C\"\ndone\n"_s);
    row("image of a command to which a condition adds, in a loop",
        u"#SBATCH -t 9\nR=\"srun --container-image=/a\"\nif [ $M ]; then\nR=\"$R --container-mounts=$M\"\nfi\n"
        "for S in 1 2; do\n$R python t.py --s $S\ndone\n"_s,
        u"environment.container=/b"_s,
        u"#SBATCH -t 9\nR=\"srun --container-image=/b\"\nif [ $M ]; then\nR=\"$R --container-mounts=$M\"\nfi\n"
        "for S in 1 2; do\n$R python t.py --s $S\ndone\n"_s);
    row("program in a folder that only the job knows", u"#SBATCH -t 9\n$W/tools/watch.py --a 1\n"_s,
        u"arguments.--a=2"_s, u"#SBATCH -t 9\n$W/tools/watch.py --a 2\n"_s);
    row("argument that a command finds", u"#SBATCH -t 9\nD=$(ls /a)\nsrun python t.py --data $D\n"_s,
        u"arguments.--data=/b"_s, u"#SBATCH -t 9\nD=/b\nsrun python t.py --data $D\n"_s);
    row("image of a command that the submitting shell may set",
        u"#SBATCH -t 9\nSIF=/a.sif\nsrun ${CMD:-singularity exec \"$SIF\"} python t.py\n"_s,
        u"environment.container=/b.sif"_s,
        u"#SBATCH -t 9\nSIF=/b.sif\nsrun ${CMD:-singularity exec \"$SIF\"} python t.py\n"_s);
    row("image within a command that the submitting shell may set",
        u"#SBATCH -t 9\nsrun ${CMD:-singularity exec --nv /a.sif} python t.py\n"_s, u"environment.container=/b.sif"_s,
        u"#SBATCH -t 9\nsrun ${CMD:-singularity exec --nv /b.sif} python t.py\n"_s);
    row("image of a step whose output is kept",
        u"#SBATCH -t 9\nout=$(srun --container-image=/a.sqsh python t.py --lr 1)\n"_s,
        u"environment.container=/b.sqsh"_s,
        u"#SBATCH -t 9\nout=$(srun --container-image=/b.sqsh python t.py --lr 1)\n"_s);
    row("argument of a step whose output is kept", u"#SBATCH -t 9\nout=$(srun python t.py --lr 1)\n"_s,
        u"arguments.--lr=2"_s, u"#SBATCH -t 9\nout=$(srun python t.py --lr 2)\n"_s);
    row("image of docker behind its options",
        u"#SBATCH -t 9\nsrun docker run --rm --gpus all -e HOME -v /x:/y r/a:1 python t.py\n"_s,
        u"environment.container=r/b:2"_s,
        u"#SBATCH -t 9\nsrun docker run --rm --gpus all -e HOME -v /x:/y r/b:2 python t.py\n"_s);
    row("image of a container that is entered",
        u"#SBATCH -t 9\ndocker run -d --name w r/a:1 sleep 9\ndocker exec w python t.py\n"_s,
        u"environment.container=r/b:2"_s,
        u"#SBATCH -t 9\ndocker run -d --name w r/b:2 sleep 9\ndocker exec w python t.py\n"_s);
    row("folders of docker", u"#SBATCH -t 9\nsrun docker run -v /x:/y r/a:1 python t.py\n"_s,
        u"environment.binds=/z:/y"_s, u"#SBATCH -t 9\nsrun docker run -v /z:/y r/a:1 python t.py\n"_s);
    row("image of sarus", u"#SBATCH -t 9\nsrun sarus run --mpi --mount=type=bind,src=/a,dst=/b r/a:1 python t.py\n"_s,
        u"environment.container=r/b:2"_s,
        u"#SBATCH -t 9\nsrun sarus run --mpi --mount=type=bind,src=/a,dst=/b r/b:2 python t.py\n"_s);
    row("image of Charliecloud", u"#SBATCH -t 9\nsrun ch-run -w -b /x:/y /a -- python t.py --lr 1\n"_s,
        u"environment.container=/b"_s, u"#SBATCH -t 9\nsrun ch-run -w -b /x:/y /b -- python t.py --lr 1\n"_s);
    row("bundle of Slurm's own option", u"#SBATCH -t 9\nsrun --container=/a python t.py\n"_s,
        u"environment.container=/b"_s, u"#SBATCH -t 9\nsrun --container=/b python t.py\n"_s);
    row("user environment of a command", u"#SBATCH -t 9\nsrun uenv run --view=default a/1:v1 -- python t.py\n"_s,
        u"environment.uenv=b/2:v1"_s, u"#SBATCH -t 9\nsrun uenv run --view=default b/2:v1 -- python t.py\n"_s);
    row("program of a user environment", u"#SBATCH -t 9\nuenv run a/1:v1 -- ./train --lr 1\n"_s, u"program=./other"_s,
        u"#SBATCH -t 9\nuenv run a/1:v1 -- ./other --lr 1\n"_s);
    row("user environment of a directive", u"#SBATCH --uenv=a/1:v1\nsrun python t.py\n"_s, u"environment.uenv=b/2:v1"_s,
        u"#SBATCH --uenv=b/2:v1\nsrun python t.py\n"_s);
    row("user environment of a step", u"#SBATCH -t 9\nsrun --uenv=a/1:v1 --view=default python t.py\n"_s,
        u"environment.uenv=b/2:v1"_s, u"#SBATCH -t 9\nsrun --uenv=b/2:v1 --view=default python t.py\n"_s);
    row("module", u"#SBATCH -t 9\nmodule load a/1 b\nsrun python t.py\n"_s, u"environment.modules=a/2 b"_s,
        u"#SBATCH -t 9\nmodule load a/2 b\nsrun python t.py\n"_s);
    row("a new variable", u"#SBATCH -t 9\nexport A=1\nsrun python t.py\n"_s, u"environment.variables.B=x y"_s,
        u"#SBATCH -t 9\nexport A=1\nexport B='x y'\nsrun python t.py\n"_s);
}

void ScriptFieldsTest::edits()
{
    QFETCH(QString, before);
    QFETCH(QString, edit);
    QFETCH(QString, after);
    const auto edited = setFields(before, {editOf(edit)});
    QVERIFY2(edited.hasValue(), qPrintable(edited ? QString() : edited.error().oneLine()));
    QCOMPARE(edited->text, after);
}

void ScriptFieldsTest::defaultsAreNoted()
{
    const QString script = u"#!/bin/bash\n#SBATCH -N 1\n: ${LR:=1}\nsrun python t.py --lr $LR\n"_s;
    const auto edited = setFields(script, {editOf(u"arguments.--lr=2"_s)});
    QVERIFY(edited.hasValue());
    QVERIFY2(edited->notes.contains(u"Line 3 sets $LR only if nothing set it before."_s),
        qPrintable(edited->notes.join(u'\n')));
    const auto other = setFields(script, {editOf(u"resources.nodes=2"_s)});
    QVERIFY(other.hasValue());
    QVERIFY2(other->notes.isEmpty(), qPrintable(other->notes.join(u'\n')));
}

void ScriptFieldsTest::whatIsComputedIsNoted()
{
    const QString script = u"#!/bin/bash\n#SBATCH -N 1\nLENGTH=$((1024 * 8))\nTOKENS=$(((512 + LENGTH) * 3))\n"
                           "OTHER=$((2 * LENGTHS))\nsrun python t.py --length $LENGTH --tokens $TOKENS\n"_s;
    const auto edited = setFields(script, {editOf(u"arguments.--length=42"_s)});
    QVERIFY(edited.hasValue());
    QCOMPARE(edited->notes, QStringList(u"Line 4 computes $TOKENS from it."_s));
}

void ScriptFieldsTest::refusals_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const QString& script, const QString& edit, const QString& why) {
        QTest::newRow(name) << u"#!/bin/bash\n"_s + script << edit << why;
    };
    row("one node only", u"#SBATCH -N 1\nsrun torchrun --standalone --nproc_per_node 4 t.py\n"_s,
        u"resources.nodes=2"_s, u"--standalone"_s);
    row("several components", u"#SBATCH -N 1\n#SBATCH hetjob\n#SBATCH -N 2\nsrun python t.py\n"_s,
        u"resources.nodes=2"_s, u"several components"_s);
    row("no directive", u"srun python t.py\n"_s, u"time=10"_s, u"no #SBATCH line"_s);
    row("no time", u"#SBATCH -t 9\nsrun python t.py\n"_s, u"time=soon"_s, u"not a value that Slurm reads"_s);
    row("no number", u"#SBATCH -N 1\nsrun python t.py\n"_s, u"resources.nodes=0"_s,
        u"not a whole number of at least 1"_s);
    row("two programs", u"#SBATCH -t 9\nsrun python a.py\nsrun python b.py\n"_s, u"command+=--x"_s, u"lines 3, 4"_s);
    row("commands that say different values",
        u"#SBATCH -t 9\nsrun python p.py --out a --n 1\nsrun python p.py --out b --n 1\n"_s, u"arguments.--out=c"_s,
        u"a value of its own"_s);
    row("one program, another task of it",
        u"#SBATCH -t 9\nsrun axolotl preprocess a.yaml\nsrun axolotl train a.yaml\n"_s, u"command+=--x"_s,
        u"lines 3, 4"_s);
    row("launchers of which one runs",
        u"#SBATCH -t 9\na() {\n  srun torchrun --no-python $1\n}\nb() {\n  srun python other.py $1\n}\n"
        "if [ $MODE = a ]; then a x; else b x; fi\n"_s,
        u"command+=--x"_s, u"which of them runs"_s);
    row("a step in the other arm", u"#SBATCH -t 9\nif [ $A ]; then srun torchrun a.py; else srun ./b; fi\n"_s,
        u"command+=--x"_s, u"which of them runs"_s);
    row("the image of another step", u"#SBATCH -N 1\nsrun --container-image=a.sqsh prepare --all\nsrun python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"Line 3 takes an image, but not for the program"_s);
    row("an image among the options that a condition sets",
        u"#SBATCH -N 1\nif [ $T ]; then\nA=\"--container-image=a -l\"\nfi\nsrun $A python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"line 4 sets $A in a condition"_s);
    row("options or an image", u"#SBATCH -t 9\nsrun singularity exec $WITH $WHAT python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"Line 3 takes $WITH, which this script does not set"_s);
    row("the image of a module's wrapper, in a condition",
        u"#SBATCH -t 9\n[ $A ] && srun singularity_wrapper exec python t.py\n"_s, u"environment.container=/b.sif"_s,
        u"write “export SIF=IMAGE” before this line"_s);
    row("an image that another condition takes",
        u"#SBATCH -t 9\nif [ \"$U\" ]; then\nA=(--container-image $I)\nfi\nsrun \"${A[@]}\" python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"line 4 sets $A in a condition"_s);
    row("an image that only a started script takes", u"#SBATCH -t 9\nexport SIF=/a.sif\nsrun ./run.sh python t.py\n"_s,
        u"environment.container=/b.sif"_s, u"set environment.variables.SIF"_s);
    row("no image", u"#SBATCH -t 9\nsrun python a.py\n"_s, u"environment.container=/b.sif"_s,
        u"takes a container image"_s);
    row("no such field", u"#SBATCH -t 9\nsrun python a.py\n"_s, u"colour=red"_s, u"no such field"_s);
    row("GPUs that tasks cannot share",
        u"#SBATCH -N 1\n#SBATCH --ntasks-per-node=2\n#SBATCH --gpus-per-task=2\nsrun python t.py\n"_s,
        u"resources.gpusPerNode=3"_s, u"multiple"_s);
    row("a command that a file holds", u"#SBATCH -t 9\nCMD=$(cat run.txt)\nsrun $CMD\n"_s, u"program=t.py"_s,
        u"Decided while the job runs"_s);
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
    row("a program that a written file chooses",
        u"#SBATCH -t 9\ncat > w.sh <<'E'\nif [ $A ]; then python a.py; else python b.py; fi\nE\nsrun bash w.sh\n"_s,
        u"program=c.py"_s, u"starts one of several programs"_s);
    row("words that eval reads again", u"#SBATCH -t 9\nC=\"python t.py --a 1\"\neval $C\n"_s, u"arguments.--a=b c"_s,
        again);
    row("a NUL", u"#SBATCH -N 1\nsrun torchrun --nproc_per_node=4"_s + QChar(0) + u"t.py\n"_s, u"resources.nodes=2"_s,
        u"Line 3 holds a NUL character"_s);
    row("several images, one of them among unknown options",
        u"#SBATCH -t 9\nG=$(f)\nO=\"$G\"\nO+=\" --container-image=$I\"\nsrun --container-image=$J ./a &\nsrun $O ./b &\n"_s,
        u"environment.container=/b.sif"_s, u"may name another image"_s);
    row("a line break", u"#SBATCH -t 9\nsrun python a.py\n"_s, u"name=a\nrm -rf x"_s, u"one line"_s);
}

void ScriptFieldsTest::refusals()
{
    QFETCH(QString, script);
    QFETCH(QString, edit);
    QFETCH(QString, why);
    const auto edited = setFields(script, {editOf(edit)});
    QVERIFY(!edited.hasValue());
    QVERIFY2(edited.error().oneLine().contains(why), qPrintable(edited.error().oneLine()));
}

void ScriptFieldsTest::otherShells()
{
    const QString script = u"#!/bin/tcsh\n#SBATCH -N 2\nsetenv N 2\nsrun -N $N python t.py\n"_s;
    QCOMPARE(valueOf(script, u"resources.nodes"_s), u"2"_s);
    QVERIFY(bindScript(script).find(u"command"_s)->why.contains(u"tcsh"_s));
}

/// Line, column and length are where an editor would light the value up.
void ScriptFieldsTest::placesHoldTheValue()
{
    const QString script
        = u"\ufeff#!/bin/bash\n#SBATCH --job-name=\"a b\" -N 2\nW=/data\ncd $W\nsrun -N 2 python t.py --lr 0.5\n"_s;
    const ScriptFields fields = bindScript(script);
    const QStringList lines = script.mid(1).split(u'\n');
    const auto textsOf = [&](const QString& path) {
        QStringList texts;
        for (const ScriptPlace& place : fields.find(path)->places)
            texts.append(lines.at(place.line - 1).mid(place.column - 1, place.length));
        return texts;
    };
    QCOMPARE(textsOf(u"name"_s), QStringList{u"\"a b\""_s});
    QCOMPARE(textsOf(u"resources.nodes"_s), (QStringList{u"2"_s, u"2"_s}));
    QCOMPARE(textsOf(u"workdir"_s), QStringList{u"/data"_s});
    QCOMPARE(textsOf(u"arguments.--lr"_s), QStringList{u"0.5"_s});
}

/// Setting each field to what it is, or to another value and back, leaves every other byte alone.
void ScriptFieldsTest::everyByteStays()
{
    const QString script
        = u"#!/bin/bash\r\n#SBATCH -N 2  # n\r\n\t\r\n#SBATCH --gres=gpu:4\r\nexport A='x  y'\r\nsrun  python\tt.py --lr 1 \\\r\n  --b \"c d\""_s;
    const ScriptFields fields = bindScript(script);
    for (auto it = fields.fields.cbegin(); it != fields.fields.cend(); ++it) {
        if (it->state != ScriptField::State::Bound)
            continue;
        const auto same = setFields(script, {{it.key(), it->value, false}});
        QVERIFY2(same.hasValue(), qPrintable(it.key() + (same ? QString() : same.error().oneLine())));
        QCOMPARE(same->text, script);
    }
    const auto there = setFields(script, {{u"resources.nodes"_s, u"8"_s, false}, {u"arguments.--lr"_s, u"7"_s, false}});
    QVERIFY(there.hasValue());
    const auto back
        = setFields(there->text, {{u"arguments.--lr"_s, u"1"_s, false}, {u"resources.nodes"_s, u"2"_s, false}});
    QVERIFY(back.hasValue());
    QCOMPARE(back->text, script);
}

/// Edits of different fields in either order give the same script.
void ScriptFieldsTest::editsInAnyOrder()
{
    const QString script
        = u"#!/bin/bash\n#SBATCH -J a\n#SBATCH --nodes=2\n#SBATCH --ntasks=8\n#SBATCH --gres=gpu:a100:4\n"
          "module load m/1\nexport X=1\nLR=0.1\nIMG=/a.sif\n"
          "srun singularity exec $IMG python t.py --lr $LR --steps 10 --flag\n"_s;
    const QList<FieldEdit> edits{{u"resources.nodes"_s, u"4"_s, false}, {u"resources.gpusPerNode"_s, u"2"_s, false},
        {u"time"_s, u"02:00:00"_s, false}, {u"account"_s, u"acc"_s, false}, {u"partition"_s, u"p"_s, false},
        {u"name"_s, u"b"_s, false}, {u"arguments.--lr"_s, u"0.5"_s, false}, {u"arguments.--steps"_s, u"20"_s, false},
        {u"environment.container"_s, u"/b.sif"_s, false}, {u"environment.variables.X"_s, u"2"_s, false},
        {u"environment.modules"_s, u"m/2"_s, false}, {u"resources.memoryPerNode"_s, u"10G"_s, false},
        {u"options.qos"_s, u"q"_s, false}};
    const auto whole = setFields(script, edits);
    QVERIFY2(whole.hasValue(), qPrintable(whole ? QString() : whole.error().oneLine()));
    QRandomGenerator random(30);
    for (int i = 0; i < 20; ++i) {
        QList<FieldEdit> order = edits;
        for (qsizetype at = order.size() - 1; at > 0; --at)
            order.swapItemsAt(at, random.bounded(static_cast<int>(at) + 1));
        const auto other = setFields(script, order);
        QVERIFY2(other.hasValue(), qPrintable(other ? QString() : other.error().oneLine()));
        QCOMPARE(other->text, whole->text);
    }
}

void ScriptFieldsTest::largerThanSbatchTakes()
{
    const QString script = u"#!/bin/bash\n#SBATCH -N 2\nsrun python t.py\n"_s + QString(largestScript, u'#') + u'\n';
    QVERIFY(bindScript(script).fields.isEmpty());
    const auto edited = setFields(script, {{u"resources.nodes"_s, u"4"_s, false}});
    QVERIFY(!edited);
    QVERIFY2(edited.error().what.contains(u"4 MB"), qPrintable(edited.error().oneLine()));
}

RANKWRIGHT_TEST_MAIN(ScriptFieldsTest)
#include "tst_scriptfields.moc"

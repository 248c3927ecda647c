// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/batchtext.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Launch lines taken apart, in the spellings of public scripts (script_rules, section 0.3 and the frameworks' guides).
class LaunchReaderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void layers_data();
    void layers();
    void optionsAndVariables();
    void helpersAreNoTraining();

private:
    static QString described(const LaunchLayer& layer);
    static QStringList launches(const QString& body);
};

/// "kind:name(option=value,...)[words]" of a layer.
QString LaunchReaderTest::described(const LaunchLayer& layer)
{
    static const QStringList kinds{
        u"srun"_s, u"mpi"_s, u"container"_s, u"shell"_s, u"env"_s, u"wrapper"_s, u"agent"_s, u"python"_s, u"program"_s};
    QStringList options;
    for (const BatchOption& option : layer.options)
        options.append(option.hasValue ? option.name + u'=' + option.value : option.name);
    QString text = kinds.at(int(layer.kind));
    if (layer.kind == LaunchLayer::Kind::Agent || layer.kind == LaunchLayer::Kind::Container)
        text += u':' + layer.name;
    if (!options.isEmpty())
        text += u'(' + options.join(u',') + u')';
    if (!layer.variables.isEmpty())
        text += u'{' + layer.variables.keys().join(u',') + u'}';
    if (layer.kind == LaunchLayer::Kind::Program) {
        QStringList words;
        for (const ShellWord& word : layer.words)
            words.append(word.value);
        text = words.join(u' ');
    }
    return text;
}

QStringList LaunchReaderTest::launches(const QString& body)
{
    QStringList all;
    for (const Launch& launch : parseBatch(u"#!/bin/bash\n"_s + body + u'\n').launches) {
        QStringList layers;
        for (const LaunchLayer& layer : launch.layers)
            layers.append(described(layer));
        all.append(layers.join(u" > "));
    }
    return all;
}

void LaunchReaderTest::layers_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* body, const char* expected) {
        QTest::newRow(body) << QString::fromUtf8(body) << QString::fromUtf8(expected).split(u'\n', Qt::SkipEmptyParts);
    };
    row("srun python3 train.py --a 1", "srun > python > train.py --a 1");
    row("srun -n 8 --cpu-bind=none -u python -u -m pkg x",
        "srun(ntasks=8,cpu-bind=none,unbuffered) > python(u) > -m pkg x");
    row("srun torchrun --standalone --nproc_per_node=4 t.py",
        "srun > agent:torchrun(standalone,nproc-per-node=4) > t.py");
    row("srun python -m torch.distributed.run --nnodes 2 --nproc-per-node 8 t.py a",
        "srun > python > agent:torch.distributed.run(nnodes=2,nproc-per-node=8) > t.py a");
    row("srun torchrun --no_python ./run.sh a", "srun > agent:torchrun(no-python) > ./run.sh a");
    row("srun torchrun --nnodes=2 -m torchtitan.train --x",
        "srun > agent:torchrun(nnodes=2,m) > -m torchtitan.train --x");
    row("srun python $(which torchrun) --nnodes=1 t.py", "srun > python > agent:torchrun(nnodes=1) > t.py");
    row("srun singularity exec --rocm -B /a:/b $SIF bash -c 'RANK=$SLURM_PROCID python t.py'",
        "srun > container:singularity exec(rocm,B=/a:/b) > shell{RANK} > python > t.py");
    row("srun bash -c \"export RANK=\\$SLURM_PROCID LOCAL_RANK=\\$SLURM_LOCALID; singularity exec i.sif python t.py\"",
        "srun > shell{LOCAL_RANK,RANK} > container:singularity exec > python > t.py");
    row("srun bash -c 'export RANK=$SLURM_PROCID; exec \"$@\"' _ python t.py", "srun > shell{RANK} > python > t.py");
    row("L=\"torchrun --nnodes $N \\\n  --nproc_per_node=8\"\nsrun $L t.py",
        "srun > agent:torchrun(nnodes=$N,nproc-per-node=8) > t.py");
    row("A=(--nnodes=2)\nA+=(--max_restarts 0)\nC=(torchrun \"${A[@]}\" t.py)\nsrun \"${C[@]}\" \"$@\"",
        "srun > agent:torchrun(nnodes=2,max-restarts=0) > t.py $@");
    row("L=\"python -u -m torch.distributed.run --nproc_per_node 8\"\nCMD=\"pre.py --tp 4\"\n"
        "srun --jobid $SLURM_JOBID bash -c \"$L --node_rank \\$SLURM_PROCID $CMD\" 2>&1 | tee log",
        "srun(jobid=$SLURM_JOBID) > shell > python(u) > "
        "agent:torch.distributed.run(nproc-per-node=8,node-rank=$SLURM_PROCID) > pre.py --tp 4");
    row("srun bash -c \"accelerate launch --multi_gpu --num_processes 16 --machine_rank \\$SLURM_NODEID t.py\"",
        "srun > shell > agent:accelerate launch(multi-gpu,num-processes=16,machine-rank=$SLURM_NODEID) > t.py");
    row("accelerate launch --config_file c.yaml t.py", "agent:accelerate launch(config-file=c.yaml) > t.py");
    row("srun apptainer_wrapper exec accelerate launch t.py",
        "srun > container:apptainer_wrapper exec > agent:accelerate launch > t.py");
    row("srun apptainer_wrapper exec deepspeed t.py --deepspeed --deepspeed_config d.json",
        "srun > container:apptainer_wrapper exec > agent:deepspeed > t.py --deepspeed --deepspeed_config d.json");
    row("mpirun -np 16 -H a:4,b:4 -bind-to none -x PATH -mca pml ob1 python t.py",
        "mpi(np=16,H=a:4,b:4,bind-to=none,x=PATH,mca=pml ob1) > python > t.py");
    row("srun shifter --module=gpu,nccl-plugin python t.py",
        "srun > container:shifter(module=gpu,nccl-plugin) > python > t.py");
    row("srun --container-image=a.sqsh --container-mounts=/x:/x -l python t.py",
        "srun(container-image=a.sqsh,container-mounts=/x:/x,label) > python > t.py");
    row("cat <<EOF > select_gpu\n#!/bin/bash\nexport ROCR_VISIBLE_DEVICES=\\$SLURM_LOCALID\nexec \\$*\nEOF\nchmod +x "
        "select_gpu\n"
        "srun --cpu-bind=${B} ./select_gpu ./app x",
        "srun(cpu-bind=${B}) > wrapper{ROCR_VISIBLE_DEVICES} > ./app x");
    row("srun ./wrap.sh python t.py", "srun > wrapper > python > t.py");
    row("srun numactl --cpunodebind=0 python t.py", "srun > wrapper > python > t.py");
    row("time srun python t.py", "srun > python > t.py");
    row("exec srun python t.py", "srun > python > t.py");
    row("srun env A=1 B=2 python t.py", "srun > env{A,B} > python > t.py");
    row("srun --multi-prog conf.txt", "srun(multi-prog) > conf.txt");
    row("srun ./gpu_check -l", "srun > ./gpu_check -l");
    row("python t.py && echo done", "python > t.py");
    row("if ! srun python t.py; then exit 1; fi", "srun > python > t.py");
    row("srun python t.py &\nwait", "srun > python > t.py");
    row("f() { srun python t.py; }\nf", "srun > python > t.py");
    row("${SRUN:-srun} python t.py", "srun > python > t.py");
    row("srun uv run python t.py", "srun > wrapper > python > t.py");
    row("for s in 1 2; do srun python t.py $s; done", "srun > python > t.py $s");
    row("L=\"bash -c 'python t.py'\"\nsrun python a.py", "srun > python > a.py");
    row("srun bash run.sh", "srun > shell > run.sh");
}

void LaunchReaderTest::layers()
{
    QFETCH(QString, body);
    QFETCH(QStringList, expected);
    QCOMPARE(launches(body), expected);
}

void LaunchReaderTest::optionsAndVariables()
{
    const BatchText batch = parseBatch(u"#!/bin/bash\nsrun --ntasks=4 \\\n  torchrun --nnodes=$SLURM_NNODES \\\n"
                                       "  --rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT t.py\n"_s);
    QCOMPARE(batch.launches.size(), 1);
    const Launch& launch = batch.launches.first();
    QCOMPARE(launch.line, 2);
    QCOMPARE(launch.lastLine, 4);
    const LaunchLayer* agent = launch.layer(LaunchLayer::Kind::Agent);
    QVERIFY(agent != nullptr);
    const BatchOption* endpoint = agent->option(u"rdzv-endpoint"_s);
    QVERIFY(endpoint != nullptr);
    QCOMPARE(endpoint->line, 4);
    QCOMPARE(endpoint->value, u"$MASTER_ADDR:$MASTER_PORT"_s);
    QCOMPARE(endpoint->word->expansions.size(), 2);
    QCOMPARE(endpoint->word->expansions.last().at, 13);
    const BatchText open = parseBatch(u"#!/bin/bash\nsrun $CMD x\n"_s);
    QCOMPARE(open.launches.first().unresolved, QStringList{u"CMD"_s});
}

void LaunchReaderTest::helpersAreNoTraining()
{
    for (const char* body : {"module load pytorch", "echo srun python x.py", "pip install x", "python -c 'print(1)'",
             "python --version", "python -m venv v", "MODEL_NAME=gpt-no-torchrun", "# srun python x", "cd x && ls",
             "cat > run.sh <<'E'\nsrun python x\nE", "scancel $X", "A=$(srun hostname)", "source activate python"})
        QVERIFY2(launches(QString::fromUtf8(body)).isEmpty(), body);
}

RANKWRIGHT_TEST_MAIN(LaunchReaderTest)
#include "tst_launchreader.moc"

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a job is started: questions of LUMI's and MPCDF's courses; facts from the manuals of PyTorch, Slurm, NCCL and
// RCCL.
#include "models/teaching/learn/question.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/enumwords.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString backendAnswer(F f)
{
    const QString rule = u"Write backend=\"nccl\" on AMD and NVIDIA alike: PyTorch keeps NVIDIA's name."_s;
    if (!f.knowsNode())
        return rule
            + u" On AMD GPUs the same word starts RCCL; which GPUs %1 has is not described here."_s.arg(f.siteName());
    if (f.isAmd())
        return rule
            + u" On %1 with its %2 that word starts RCCL, AMD's library with the same calls."_s.arg(
                f.siteName(), f.node.gpu.model);
    return rule + u" On %1 with its %2 it is NCCL itself; RCCL is AMD's."_s.arg(f.siteName(), f.node.gpu.model);
}

/// The reason that the script itself gives for a line that sets a variable.
QString reasonOf(F f, const QString& variable)
{
    for (const ScriptLine& line : f.derived.script.lines) {
        if (line.text.contains(variable + u'=') && !line.text.trimmed().startsWith(u'#') && !line.reason.isEmpty())
            return line.reason;
    }
    return {};
}

QString visibleAnswer(F f)
{
    const QString name = f.visibleVariable();
    const QString what = u"%1 lists the %2 that a process may see, in the order in which it numbers them from 0."_s.arg(
        name, f.words());
    const QString value = f.scriptValue(name);
    if (!value.isEmpty())
        return u"%1 The script of this design sets it to %2. %3"_s.arg(what, value, reasonOf(f, name)).trimmed();
    const int each = f.resolved.gpusPerNode;
    if (each == 1)
        return u"%1 It is not set here, because Slurm shows this job only the one %2 that it was given."_s.arg(
            what, f.word());
    return u"%1 It is not set here, because nothing has to be hidden: every rank sees all %2 that the job has on its node and "
           u"takes the one with its local rank, and %3 can copy directly between them. A program that always takes device 0 "
           u"would need it."_s.arg(what, f.gpus(each), f.library());
}

QString gpusPerTaskAnswer(F f)
{
    const QString instead = u"Rankwright writes --%1."_s.arg(
        f.site.launch.gpuRequest == GpuRequest::Gres ? u"gres=gpu:N"_s : u"gpus-per-node=N"_s);
    if (!f.site.launch.gpusPerTask)
        return u"What it does on %1 is not published. At several sites it fences each task's %2 off, so that direct copies fail. %3"_s
            .arg(f.siteName(), f.word(), f.site.launch.gpuRequest == GpuRequest::None ? QString() : instead)
            .trimmed();
    switch (*f.site.launch.gpusPerTask) {
    case GpusPerTask::Works: return u"On %1 it works."_s.arg(f.siteName());
    case GpusPerTask::NeedsSharing:
        return u"On %1 only together with --gres-flags=allow-task-sharing: alone it fences each task's %2 off, and %3 can no "
               u"longer copy directly between them. %4"_s.arg(f.siteName(), f.word(), f.library(), instead);
    case GpusPerTask::Breaks:
        return u"On %1 better not: it fences each task's %2 off, and %3 can no longer copy directly between them. %4"_s
            .arg(f.siteName(), f.word(), f.library(), instead);
    }
    return {};
}

QString printAnswer(F f)
{
    const int ranks = f.resolved.worldSize();
    if (ranks == 1)
        return u"This design has one rank, so every line comes from it. With more, let rank 0 alone print."_s;
    return u"All %1 do, unless the program asks first: if int(os.environ[\"RANK\"]) == 0: print(...). Without it each line is there "
           u"%2 times; trackers and checkpoints need the same test. Frameworks such as Lightning and the HF Trainer do it for you."_s
               .arg(f.ranks(), humanNumber(ranks, 0));
}

QString backendCode(F f)
{
    return u"import os\nimport torch\nimport torch.distributed as dist\n\n"
           "torch.cuda.set_device(int(os.environ[\"LOCAL_RANK\"]))\n"
           "dist.init_process_group(backend=\"nccl\")%1\n"_s.arg(
               f.isAmd() ? u"  # on AMD GPUs this is RCCL"_s : QString());
}

QString printCode(F)
{
    return u"import os\n\nis_first = int(os.environ.get(\"RANK\", \"0\")) == 0\n"
           "if is_first:\n    print(f\"step {step}: loss {loss.item():.4f}\", flush=True)\n"_s;
}

/// DataParallel is advised against by PyTorch's own documentation (torch.nn.DataParallel, notes/cuda.html).
QString dataParallelAnswer(F f)
{
    const QString rule
        = u"DistributedDataParallel, one process for each %1. DataParallel is one process for all %2 of a node: it copies the "
          u"model to them at every step, its threads share one Python lock, and it cannot use a second node."_s.arg(
              f.word(), f.words());
    const int ranks = f.resolved.worldSize();
    if (ranks == 1)
        return rule + u" With the one %1 of this design neither is needed."_s.arg(f.word());
    return rule
        + u" This design starts %1: with DataParallel each of them would put its work on all %2 of its node."_s.arg(
            f.ranks(), f.words());
}

QString dataParallelCode(F)
{
    return u"import os\nfrom torch.nn.parallel import DistributedDataParallel\n\n"
           "local_rank = int(os.environ[\"LOCAL_RANK\"])\n"
           "model = DistributedDataParallel(model.to(local_rank), device_ids=[local_rank])\n"_s;
}

QString hangAnswer(F f)
{
    const int ranks = f.resolved.worldSize();
    const QString expected = u"All %1 have to meet before the first step"_s.arg(f.ranks());
    if (ranks == 1)
        return u"This design has one rank, which waits for nobody: look at the log for what it loads."_s;
    if (f.startsRanksBySrun())
        return expected
            + u": look whether %1 of %2 started, whether MASTER_ADDR is the first node and whether the port is free."_s
                  .arg(counted(ranks, u"task"_s), counted(ranks, u"task"_s));
    return expected
        + u": look whether %1 started on each of %2, with the same rendezvous id and the first node as end point. --standalone "
          u"on several nodes gives one world for each node, without any error."_s.arg(
              f.launcher(), nodesText(f.resolved.nodes));
}

QString launcherAnswer(F f)
{
    QString answer
        = u"Both do the same: RANK, LOCAL_RANK and WORLD_SIZE for every rank. torchrun needs one task on each node, srun "
          u"one for each rank and lets Slurm bind each to its cores."_s;
    for (const DiscouragedLauncher& one : f.site.launch.discouraged)
        answer += u" On %1 not %2: %3"_s.arg(f.siteName(), one.launcher, asSentence(one.reason));
    const QString preferred = f.site.launch.preferredLauncher;
    if (!preferred.isEmpty())
        answer += u" %1 advises %2."_s.arg(f.siteName(), preferred);
    return answer + u" This design uses %1."_s.arg(f.launcher());
}

QString bindingAnswer(F f)
{
    const RankPlaces& places = f.derived.ranks;
    const QString why
        = u"Each rank feeds its %1 from the cores beside it; on far cores, or on a core shared with another rank, it "
          u"waits."_s.arg(f.word());
    if (places.bound && !places.ranks.isEmpty())
        return u"%1 This design binds: rank 0 gets %2 beside %3 %4."_s.arg(why,
            counted(places.ranks.first().cores.size(), u"core"_s), f.word(), QString::number(places.ranks.first().gpu));
    return places.unboundReason.isEmpty() ? why : why + u" This design does not: "_s + asSentence(places.unboundReason);
}

QString firstNodeAnswer(F f)
{
    if (f.resolved.worldSize() == 1)
        return u"Nothing, in this design: one rank meets nobody."_s;
    if (f.scriptValue(u"MASTER_ADDR"_s).isEmpty())
        return u"Nothing: in this design %1 finds the meeting point of its %2 by itself."_s.arg(
            f.launcher(), f.ranks());
    return u"The first node of the job and a free port. Both are known only when the job starts, so the script asks Slurm then and "
           u"gives them to all %1."_s.arg(f.ranks());
}

QString pytorchAnswer(F f)
{
    if (!f.resolved.container.isEmpty())
        return u"From the container %1, which this design uses."_s.arg(f.resolved.container.section(u'/', -1));
    const auto& own = f.resolved.spec.environment;
    if (own.venv || own.conda || own.uenv)
        return u"From the environment that this design names."_s;
    const QStringList modules = own.modules.isEmpty() ? f.site.modulesOf(f.resolved.partition) : own.modules;
    if (f.site.launch.bringsTorch && !modules.isEmpty())
        return u"From the modules of %1: %2."_s.arg(f.siteName(), modules.join(u", "_s));
    if (!f.site.launch.torchAdvice.isEmpty())
        return asSentence(f.site.launch.torchAdvice);
    return u"This design names nothing that brings it, and what %1 offers is not known here: name a container, a module or an "
           u"environment of your own."_s.arg(f.siteName());
}

} // namespace

QList<Question> launchQuestions()
{
    return {
        {u"nccl-or-rccl"_s, u"Do I write nccl or rccl?"_s,
            {u"backend"_s, u"AMD"_s, u"init_process_group"_s, u"NCCL"_s, u"RCCL"_s, u"DistributedDataParallel"_s},
            TinyPicture::Ring, {u"nccl"_s, u"all-reduce"_s}, backendAnswer, backendCode},
        {u"dataparallel-or-ddp"_s, u"DataParallel or DistributedDataParallel?"_s,
            {u"DataParallel"_s, u"nn.DataParallel"_s, u"DP"_s, u"DDP"_s, u"wrap the model"_s, u"device_ids"_s},
            TinyPicture::Replicas, {u"ddp"_s, u"rank"_s, u"local-rank"_s}, dataParallelAnswer, dataParallelCode},
        {u"visible-devices-set"_s,
            u"What is ROCR_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES, and why is it set here, or not?"_s,
            {u"ROCR_VISIBLE_DEVICES"_s, u"CUDA_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s, u"not set"_s},
            TinyPicture::Node, {u"visible-devices"_s, u"local-rank"_s}, visibleAnswer},
        {u"gpus-per-task"_s, u"Is --gpus-per-task safe here?"_s,
            {u"--gpus-per-node"_s, u"bug in Slurm"_s, u"allow-task-sharing"_s, u"gpu-bind"_s}, TinyPicture::Node,
            {u"task"_s, u"gpu-link"_s}, gpusPerTaskAnswer},
        {u"who-prints"_s, u"Who prints: rank 0 only?"_s,
            {u"print"_s, u"log"_s, u"many times"_s, u"rank 0"_s, u"output"_s, u"save"_s}, TinyPicture::Ranks,
            {u"rank-zero"_s, u"rank"_s, u"checkpoint"_s}, printAnswer, printCode},
        {u"hangs-at-start"_s, u"Why does my job hang at its start?"_s,
            {u"hang"_s, u"stuck"_s, u"initialisation"_s, u"DDP initialization hangs"_s, u"timeout"_s, u"rendezvous"_s},
            TinyPicture::Meeting, {u"rendezvous"_s, u"master-addr"_s, u"world-size"_s}, hangAnswer},
        {u"torchrun-or-srun"_s, u"torchrun or srun: which one starts my ranks?"_s,
            {u"launcher"_s, u"torchrun"_s, u"srun"_s, u"agent"_s}, TinyPicture::Tree,
            {u"launcher"_s, u"torchrun"_s, u"srun"_s}, launcherAnswer},
        {u"why-binding"_s, u"Why should ranks be bound to cores?"_s,
            {u"cpu mask"_s, u"binding"_s, u"affinity"_s, u"numa"_s, u"bind"_s}, TinyPicture::Cores,
            {u"cpu-binding"_s, u"numa"_s}, bindingAnswer},
        {u"master-address"_s, u"What do I put into MASTER_ADDR and MASTER_PORT?"_s,
            {u"MASTER_ADDR"_s, u"MASTER_PORT"_s, u"address already in use"_s, u"port"_s, u"first node"_s},
            TinyPicture::Meeting, {u"master-addr"_s, u"rendezvous"_s}, firstNodeAnswer},
        {u"where-pytorch"_s, u"Where does PyTorch come from in my job?"_s,
            {u"container"_s, u"module"_s, u"No module named torch"_s, u"install"_s, u"conda"_s, u"venv"_s},
            TinyPicture::Box, {u"container"_s, u"module"_s}, pytorchAnswer},
    };
}

} // namespace rankwright::inline teaching

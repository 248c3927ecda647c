// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: PyTorch's manuals of torchrun and torch.distributed, srun(1), the manuals of NCCL and RCCL.
#include "models/teaching/learn/term.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/enumwords.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString rankNumbers(F f)
{
    const int last = f.resolved.worldSize() - 1;
    if (last == 0)
        return u"This design has one rank, rank 0, on one %1."_s.arg(f.word());
    return u"This design has %1, numbered 0 to %2; rank 0 is the first one of the first node."_s.arg(
        f.ranks(), humanNumber(last, 0));
}

QString localRankNumbers(F f)
{
    const int each = f.resolved.gpusPerNode;
    if (each == 1)
        return u"With one %1 on each node of this design every local rank is 0."_s.arg(f.word());
    if (f.resolved.nodes == 1)
        return u"On the node of this design the local ranks run from 0 to %1; with one node they equal the ranks."_s
            .arg(each - 1);
    return u"On each of the %1 of this design the local ranks run from 0 to %2; rank %3 is local rank 0 of the second "
           u"node."_s.arg(nodesText(f.resolved.nodes), QString::number(each - 1), QString::number(each));
}

QString worldNumbers(F f)
{
    return u"%1 × %2 on each = a world size of %3."_s.arg(
        nodesText(f.resolved.nodes), f.gpus(f.resolved.gpusPerNode), humanNumber(f.resolved.worldSize(), 0));
}

QString torchrunNumbers(F f)
{
    if (f.resolved.launcher != Launcher::Torchrun || f.startsRanksBySrun())
        return u"This design starts its %1 by %2, without torchrun."_s.arg(f.ranks(), f.launcher());
    return u"In this design torchrun runs once on each of %1 and starts %2 there."_s.arg(
        nodesText(f.resolved.nodes), counted(f.resolved.gpusPerNode, u"rank"_s));
}

QString rendezvousNumbers(F f)
{
    if (f.resolved.worldSize() == 1)
        return u"This design has one rank, so there is no other to meet."_s;
    if (f.startsRanksBySrun())
        return u"In this design the %1 meet at rank 0, on the first node of the job."_s.arg(f.ranks());
    if (f.resolved.nodes == 1)
        return u"This design stays on one node, so its %1 meet there and need no address."_s.arg(f.ranks());
    return u"In this design %1, one on each node, meet on the first node of the job and then start their ranks."_s.arg(
        counted(f.resolved.nodes, u"agent"_s));
}

QString addressNumbers(F f)
{
    const QString value = f.scriptValue(u"MASTER_ADDR"_s);
    if (value.isEmpty())
        return u"The script of this design does not set it: %1"_s.arg(f.resolved.worldSize() == 1
                ? u"one rank needs no address."_s
                : u"%1 finds it by itself."_s.arg(f.launcher()));
    const QString suffix = f.site.launch.masterAddressSuffix;
    const QString added = suffix.isEmpty()
        ? QString()
        : u" On %1 “%2” is added to the name, so that the fast network is used."_s.arg(f.siteName(), suffix);
    return u"Which node is the first is known only when the job starts, so the script asks Slurm for its name then.%1"_s
        .arg(added);
}

QString launcherNumbers(F f)
{
    const QString now = u"This design is started by %1"_s.arg(f.launcher());
    for (const Choice& choice : f.derived.choices) {
        if (choice.field == field::launcher && !choice.reason.isEmpty())
            return now + u": "_s + asSentence(choice.reason);
    }
    return now + u", as it says."_s;
}

QString libraryNumbers(F f)
{
    if (!f.knowsNode())
        return u"Which of the two it is depends on the GPUs of %1, which are not described here."_s.arg(f.siteName());
    return u"On %1 it is %2, and PyTorch's name for it is still backend=\"nccl\"."_s.arg(f.siteName(), f.library());
}

QString rankZeroNumbers(F f)
{
    const int others = f.resolved.worldSize() - 1;
    if (others == 0)
        return u"This design has rank 0 only, so every line is its own."_s;
    return u"Without “if rank == 0” each line of this design would be printed %1 times."_s.arg(
        humanNumber(f.resolved.worldSize(), 0));
}

QString seedNumbers(F f)
{
    if (f.resolved.worldSize() == 1)
        return u"This design has one rank: one seed is enough."_s;
    return u"This design has %1: the same seed for the weights on all, seed + rank for what should differ."_s.arg(
        f.ranks());
}

} // namespace

QList<Term> launchTerms()
{
    return {
        {u"rank"_s, u"Rank"_s, {u"RANK"_s, u"process"_s, u"global rank"_s, u"ranks"_s, u"SLURM_PROCID"_s},
            u"A rank is one process of the training, and also its number in the whole job, counted from 0. Usually each rank "
            u"drives one {gpu}."_s,
            TinyPicture::Ranks, {u"local-rank"_s, u"world-size"_s, u"task"_s, u"rank-zero"_s}, true, rankNumbers},
        {u"local-rank"_s, u"Local rank"_s, {u"LOCAL_RANK"_s, u"SLURM_LOCALID"_s, u"localrank"_s},
            u"The local rank counts the ranks of one node, from 0 again on each node. A program uses it to choose its {gpu}: "
            u"torch.cuda.set_device(local_rank)."_s,
            TinyPicture::Ranks, {u"rank"_s, u"visible-devices"_s, u"cpu-binding"_s}, true, localRankNumbers},
        {u"world-size"_s, u"World size"_s, {u"WORLD_SIZE"_s, u"world"_s, u"number of ranks"_s, u"SLURM_NTASKS"_s},
            u"The world size is the number of all ranks of a training together. A log that says world size 1 where more was "
            u"meant shows that the ranks did not find each other."_s,
            TinyPicture::Ranks, {u"rank"_s, u"rendezvous"_s, u"global-batch"_s}, true, worldNumbers},
        {u"rank-zero"_s, u"Rank 0"_s, {u"rank 0"_s, u"main process"_s, u"master process"_s, u"who prints"_s},
            u"Rank 0 does what is needed once: it prints, saves checkpoints and writes to the tracker. All others compute "
            u"the same but stay silent."_s,
            TinyPicture::Ranks, {u"rank"_s, u"checkpoint"_s, u"master-addr"_s}, true, rankZeroNumbers},
        {u"launcher"_s, u"Launcher"_s, {u"accelerate"_s, u"deepspeed launcher"_s, u"mpirun"_s, u"starter"_s},
            u"The launcher starts the ranks and tells each who it is: srun one task for each rank, or an agent such as "
            u"torchrun on each node. Use one of them, never both for the same ranks."_s,
            TinyPicture::Tree, {u"torchrun"_s, u"srun"_s, u"rendezvous"_s, u"rank"_s}, false, launcherNumbers},
        {u"torchrun"_s, u"torchrun"_s,
            {u"torch.distributed.run"_s, u"torch.distributed.launch"_s, u"torchelastic"_s, u"agent"_s,
                u"nproc_per_node"_s},
            u"torchrun is PyTorch's own agent: started once on each node, it starts the ranks there and sets RANK, LOCAL_RANK "
            u"and WORLD_SIZE for them. Under Slurm srun starts it, one task for each node."_s,
            TinyPicture::Tree, {u"launcher"_s, u"rendezvous"_s, u"local-rank"_s, u"srun"_s}, false, torchrunNumbers},
        {u"rendezvous"_s, u"Rendezvous"_s,
            {u"rdzv"_s, u"c10d"_s, u"rdzv_endpoint"_s, u"standalone"_s, u"meeting point"_s},
            u"At the rendezvous all ranks, or their agents, meet and agree on who is who. If one does not come, the others "
            u"wait until a time-out: the usual reason for a job that hangs at its start."_s,
            TinyPicture::Meeting, {u"master-addr"_s, u"torchrun"_s, u"world-size"_s}, false, rendezvousNumbers},
        {u"master-addr"_s, u"MASTER_ADDR, MASTER_PORT"_s,
            {u"MASTER_ADDR"_s, u"MASTER_PORT"_s, u"master address"_s, u"master port"_s},
            u"MASTER_ADDR is the name of the node where the ranks meet, MASTER_PORT the door there. It has to be the node of "
            u"rank 0; localhost is right on one node only."_s,
            TinyPicture::Meeting, {u"rendezvous"_s, u"rank-zero"_s, u"network"_s}, false, addressNumbers},
        {u"nccl"_s, u"NCCL, RCCL"_s, {u"NCCL"_s, u"RCCL"_s, u"backend"_s, u"gloo"_s, u"collective library"_s},
            u"NCCL (NVIDIA) and RCCL (AMD) are the libraries that move data between {gpus}: all-reduce and its relatives. "
            u"RCCL has the same calls, so PyTorch keeps the name nccl for both."_s,
            TinyPicture::Ring, {u"all-reduce"_s, u"network"_s, u"gpu-link"_s}, false, libraryNumbers},
        {u"seed"_s, u"Seed"_s, {u"random seed"_s, u"manual_seed"_s, u"reproducibility"_s, u"seeds"_s},
            u"A seed makes random numbers repeatable. Every rank starts from the same weights, but should drop out and augment with numbers of its own."_s,
            TinyPicture::Ranks, {u"rank"_s, u"data-loader"_s, u"epoch"_s}, false, seedNumbers},
    };
}

} // namespace rankwright::inline teaching

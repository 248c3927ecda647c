// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: sbatch(1), srun(1), slurm.conf(5), the sites' catalogue entries.
#include "models/teaching/learn/term.h"

#include "models/core/quantitytext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString slurmNumbers(F f)
{
    const qsizetype count = f.site.partitions.size();
    if (count == 0)
        return u"Which partitions Slurm has on %1 is not described here."_s.arg(f.siteName());
    return u"On %1 this program knows %2 of Slurm; this design goes to %3."_s.arg(
        f.siteName(), counted(count, u"partition"_s), f.partition());
}

QString clusterNumbers(F f)
{
    if (f.site.nodes.isEmpty())
        return u"This design is for %1, whose nodes are not described here."_s.arg(f.siteName());
    const NodeShape& node = f.knowsNode() ? f.node : f.site.nodes.first();
    const QString count = node.count ? u"%1 nodes"_s.arg(humanNumber(*node.count, 0)) : u"nodes"_s;
    return u"This design is for %1: %2 with %3 each."_s.arg(f.siteName(), count, gpusText(node.gpus, node.gpu.word));
}

QString partitionNumbers(F f)
{
    if (f.resolved.partition.isEmpty())
        return u"The partitions of %1 are not described here, and the design names none yet."_s.arg(f.siteName());
    const Partition& info = f.resolved.partitionInfo;
    QStringList limits;
    if (!info.node.isEmpty())
        limits.append(info.shared ? u"nodes are shared with others"_s : u"whole nodes only"_s);
    if (info.maxNodes)
        limits.append(u"at most %1"_s.arg(nodesText(*info.maxNodes)));
    if (info.maxGpusPerJob)
        limits.append(u"at most %1 for a job"_s.arg(f.gpus(*info.maxGpusPerJob)));
    if (const auto most = info.maxTimeFor(f.resolved.nodes))
        limits.append(u"at most %1"_s.arg(humanDuration(*most)));
    const QString first = u"This design goes to %1"_s.arg(f.resolved.partition);
    if (limits.isEmpty())
        return first + u"; its limits are not published."_s;
    return first + u": "_s + limits.join(u", "_s) + u'.';
}

QString accountNumbers(F f)
{
    if (!f.resolved.account.isEmpty())
        return u"Jobs of this design are charged to %1."_s.arg(f.resolved.account);
    const QString example = f.site.launch.accountExample;
    const QString looks = example.isEmpty() ? QString() : u" A name looks like %1."_s.arg(example);
    if (f.site.launch.accountRequired)
        return u"This design names none yet, and %1 takes no job without one.%2"_s.arg(f.siteName(), looks);
    return u"This design names none; whether %1 then takes your default one is its own rule.%2"_s.arg(
        f.siteName(), looks);
}

QString billNumbers(F f)
{
    const auto& accounts = f.derived.cost.billingAccounts;
    if (!accounts || accounts->isEmpty())
        return u"%1 publishes no billing formula, so the cost of this design is not known."_s.arg(f.siteName());
    const CostQuote::BillingAccount& bill = accounts->first();
    QString text = u"An hour of this design costs %1, its whole time limit of %2 %3."_s.arg(
        amountText(bill.perHour, bill.unit), humanDuration(f.resolved.time), amountText(bill.amount, bill.unit));
    if (!bill.summed && bill.shares.size() > 1 && bill.decidedBy)
        text += u" The largest share decides: here %1."_s.arg(billedText(*bill.decidedBy, f.resolved.node.gpu.word));
    return text;
}

QString sbatchNumbers(F f)
{
    int directives = 0;
    for (const ScriptLine& line : f.derived.script.lines)
        directives += line.text.startsWith(u"#SBATCH") ? 1 : 0;
    if (directives == 0)
        return u"The script of this design has no #SBATCH line."_s;
    return u"The script of this design has %1 for sbatch; after the first command it reads no more of them."_s.arg(
        counted(directives, u"#SBATCH line"_s));
}

QString srunNumbers(F f)
{
    const int tasks = f.resolved.tasksPerNode();
    return u"In this design srun starts %1 on each of %2: %3."_s.arg(counted(tasks, u"task"_s),
        nodesText(f.resolved.nodes),
        f.startsRanksBySrun() ? u"every task is a rank"_s
                              : u"the task is %1, which starts the ranks"_s.arg(f.launcher()));
}

QString taskNumbers(F f)
{
    const int tasks = f.resolved.tasksPerNode();
    const QString cores = f.resolved.coresOpen ? QString()
                                               : u" Each task has %1."_s.arg(counted(f.resolved.cpusPerTask(),
                                                   f.node.cpusAreThreads ? u"hardware thread"_s : u"core"_s));
    return u"This design has %1 on each node, %2 in all, for %3.%4"_s.arg(
        counted(tasks, u"task"_s), humanNumber(double(tasks) * f.resolved.nodes, 0), f.ranks(), cores);
}

QString jobNumbers(F f)
{
    return u"This design is one job on %1: %2 for up to %3."_s.arg(
        f.siteName(), f.size(), humanDuration(f.resolved.time));
}

QString queueNumbers(F f)
{
    return u"A job of %1 for %2 waits until that many are free at the same time. Only %3 can say when that is: a dry "
           u"run "
           u"asks it without queueing."_s.arg(
               nodesText(f.resolved.nodes), humanDuration(f.resolved.time), f.siteName());
}

QString backfillNumbers(F f)
{
    return u"This design asks for %1 for %2: any gap of that size will do. A shorter time limit fits more gaps."_s.arg(
        nodesText(f.resolved.nodes), humanDuration(f.resolved.time));
}

QString timeNumbers(F f)
{
    const QString now = u"This design asks for %1."_s.arg(humanDuration(f.resolved.time));
    const auto most = f.resolved.partitionInfo.maxTimeFor(f.resolved.nodes);
    if (!most)
        return now + u" The most that %1 gives is not published."_s.arg(f.partition());
    return u"This design asks for %1; %2 gives up to %3 to a job of this size."_s.arg(
        humanDuration(f.resolved.time), f.partition(), humanDuration(*most));
}

QString requeueNumbers(F f)
{
    const auto& options = f.resolved.spec.options;
    QString failure = u"The design leaves requeueing after a node failure to the site."_s;
    if (options.requeue)
        failure = *options.requeue ? u"After a node failure this job is queued again."_s
                                   : u"After a node failure this job is not queued again."_s;
    const int times = options.requeueAtLimit.value_or(0);
    if (times < 1)
        return failure + u" At its time limit it ends."_s;
    return failure + u" At its time limit it queues itself again, %1 at most."_s.arg(counted(times, u"time"_s));
}

QString arrayNumbers(F f)
{
    if (const auto& array = f.resolved.spec.options.array; array && !array->isEmpty())
        return u"This design is the array %1: each element takes %2."_s.arg(*array, f.size());
    return u"This design is a single job, no array."_s;
}

QString reservationNumbers(F f)
{
    if (const auto& name = f.resolved.spec.reservation; name && !name->isEmpty())
        return u"This design uses the reservation %1: its nodes wait for you, and for nobody else."_s.arg(*name);
    return u"This design names none, so it waits in the ordinary queue of %1."_s.arg(f.partition());
}

QString qosNumbers(F f)
{
    if (const auto& qos = f.resolved.spec.options.qos; qos && !qos->isEmpty())
        return u"This design asks for the QoS %1."_s.arg(*qos);
    if (!f.resolved.partitionInfo.qos.isEmpty())
        return u"On %1 the QoS %2 belongs to this queue; the script asks for it."_s.arg(
            f.siteName(), f.resolved.partitionInfo.qos);
    return u"This design names none, so it gets what the project has by default."_s;
}

QString memNumbers(F f)
{
    if (f.node.memoryFollowsGpus)
        return u"%1 gives memory with each %2%3: the script asks for none."_s.arg(
            f.siteName(), f.word(), f.node.memoryPerGpu ? u" (%1)"_s.arg(humanBytes(*f.node.memoryPerGpu)) : QString());
    if (!f.resolved.memoryPerNode)
        return u"This design asks for no memory; what a job gets then is not known for %1."_s.arg(f.siteName());
    const QString each = slurmMemory(*f.resolved.memoryPerNode);
    if (f.resolved.nodes == 1)
        return u"This design asks for --mem=%1 on its one node; on two nodes it would still be %1 for each."_s.arg(
            each);
    return u"This design asks for --mem=%1: that much on each of its %2."_s.arg(each, nodesText(f.resolved.nodes));
}

QString loginNumbers(F f)
{
    if (f.site.login.host.isEmpty())
        return u"The login node of %1 is not known here."_s.arg(f.siteName());
    const QString node = f.site.login.nodeLogin ? *f.site.login.nodeLogin
            ? u" While a job of yours runs, you may also log in to its nodes."_s
            : u" Its compute nodes take no login: Rankwright looks in through Slurm."_s
                                                : QString();
    return u"On %1 it is %2.%3"_s.arg(f.siteName(), f.site.login.host, node);
}

QString moduleNumbers(F f)
{
    if (!f.resolved.container.isEmpty())
        return u"This design runs in a container, which brings its software along."_s;
    const QStringList own = f.resolved.spec.environment.modules;
    const QStringList modules = own.isEmpty() ? f.site.modulesOf(f.resolved.partition) : own;
    if (modules.isEmpty())
        return u"This design loads none, and none are proposed for %1."_s.arg(f.siteName());
    return u"This design loads %1."_s.arg(modules.join(u", "_s));
}

QString containerNumbers(F f)
{
    if (f.resolved.container.isEmpty())
        return u"This design runs without a container."_s;
    return u"This design runs in %1."_s.arg(f.resolved.container.section(u'/', -1));
}

} // namespace

QList<Term> slurmTerms()
{
    return {
        {u"job"_s, u"Job"_s, {u"batch job"_s, u"Slurm job"_s, u"jobs"_s},
            u"A job is a piece of work that Slurm runs for you: a number of nodes for some time, and a script. It "
            u"has a number, "
            u"waits in a queue, runs, and ends with a state such as COMPLETED."_s,
            TinyPicture::Queue, {u"sbatch"_s, u"queue"_s, u"task"_s, u"time-limit"_s}, false, jobNumbers},
        {u"slurm"_s, u"Slurm"_s, {u"scheduler"_s, u"batch system"_s, u"workload manager"_s},
            u"Slurm is the program that shares a cluster among its users: it takes jobs, decides when and where each runs, and "
            u"counts what it used. Everything that is launched here goes through it."_s,
            TinyPicture::Queue, {u"job"_s, u"sbatch"_s, u"srun"_s, u"queue"_s}, false, slurmNumbers},
        {u"cluster"_s, u"Cluster"_s,
            {u"supercomputer"_s, u"machine room"_s, u"practice cluster"_s, u"HPC"_s, u"site"_s},
            u"A cluster is many computers that are used as one: login nodes to arrive at, compute nodes to work on, and a shared "
            u"file system. The practice cluster is a small one on your own computer, for learning."_s,
            TinyPicture::Nodes, {u"node"_s, u"login-node"_s, u"slurm"_s}, false, clusterNumbers},
        {u"partition"_s, u"Partition"_s, {u"queue name"_s, u"partitions"_s},
            u"A partition is a group of nodes with rules of its own: who may use it, for how long, whole nodes or parts. "
            u"Choosing one is choosing a queue."_s,
            TinyPicture::Nodes, {u"queue"_s, u"qos"_s, u"time-limit"_s, u"node"_s}, false, partitionNumbers},
        {u"account"_s, u"Account (project)"_s, {u"project"_s, u"account"_s, u"allocation"_s, u"project number"_s},
            u"The account is the project that pays for the job; Slurm calls it --account. You get it with your access to "
            u"the cluster, or from the teacher of a course."_s,
            TinyPicture::Project, {u"billing-unit"_s, u"reservation"_s}, false, accountNumbers},
        {u"billing-unit"_s, u"GPU-hour, billing unit"_s,
            {u"GPU-hour"_s, u"GPU hours"_s, u"billing unit"_s, u"BU"_s, u"node-hour"_s, u"core-hour"_s, u"budget"_s,
                u"cost"_s, u"price"_s},
            u"What a job takes from the project is counted in the site's own unit, by a formula of the site. Only the time "
            u"that the job really runs is billed, for everything that is reserved, whether it is used or not."_s,
            TinyPicture::Bill, {u"account"_s, u"time-limit"_s, u"mem"_s}, false, billNumbers},
        {u"task"_s, u"Task"_s, {u"tasks"_s, u"ntasks"_s, u"--ntasks-per-node"_s},
            u"A task is one process that srun starts. Either every task is a rank, or one task on each node is an agent "
            u"such as torchrun that starts the ranks there."_s,
            TinyPicture::Tree, {u"srun"_s, u"rank"_s, u"torchrun"_s}, true, taskNumbers},
        {u"srun"_s, u"srun"_s, {u"job step"_s, u"step"_s, u"slurm step"_s},
            u"srun starts tasks on the nodes that a job has. What is in the batch script without srun runs once, on "
            u"the first node only."_s,
            TinyPicture::Tree, {u"sbatch"_s, u"task"_s, u"launcher"_s}, false, srunNumbers},
        {u"sbatch"_s, u"sbatch"_s, {u"batch script"_s, u"#SBATCH"_s, u"directive"_s, u"job script"_s, u"submit"_s},
            u"sbatch hands a script to Slurm, which runs it later on the first node of the job. The #SBATCH lines at its top "
            u"say what is asked for; below them is ordinary shell."_s,
            TinyPicture::Script, {u"srun"_s, u"job"_s, u"queue"_s}, false, sbatchNumbers},
        {u"queue"_s, u"Queue"_s, {u"pending"_s, u"PD"_s, u"waiting"_s, u"priority"_s, u"fair share"_s},
            u"Jobs that cannot start yet wait in the queue, ordered by priority: how long they wait, how much the project "
            u"has used, how large they are. The reason is shown beside a waiting job."_s,
            TinyPicture::Queue, {u"backfill"_s, u"partition"_s, u"qos"_s}, false, queueNumbers},
        {u"backfill"_s, u"Backfill"_s, {u"back-fill"_s, u"gap"_s},
            u"While Slurm keeps nodes free for a large job, small ones may run in the gap if they end in time. That is why "
            u"an honest, short time limit lets a job start sooner."_s,
            TinyPicture::Gap, {u"queue"_s, u"time-limit"_s}, false, backfillNumbers},
        {u"time-limit"_s, u"Time limit"_s, {u"wall time"_s, u"walltime"_s, u"--time"_s, u"TIMEOUT"_s},
            u"The time limit is how long the job may run; then Slurm stops it, finished or not. Ask for somewhat more than "
            u"you expect: unused time costs nothing, but a shorter job starts sooner."_s,
            TinyPicture::Clock, {u"checkpoint"_s, u"requeue"_s, u"backfill"_s}, false, timeNumbers},
        {u"requeue"_s, u"Requeue"_s, {u"--requeue"_s, u"restart"_s, u"resubmit"_s, u"preemption"_s},
            u"A requeued job goes back to the queue under the same number and starts from the top of its script. It only "
            u"helps when the program loads its newest checkpoint by itself."_s,
            TinyPicture::Loop, {u"checkpoint"_s, u"time-limit"_s}, false, requeueNumbers},
        {u"job-array"_s, u"Job array"_s, {u"array"_s, u"--array"_s, u"sweep"_s},
            u"A job array is many jobs from one script, told apart by SLURM_ARRAY_TASK_ID. It is made for the same training "
            u"with different settings; 0-9%4 means ten of them, four at once."_s,
            TinyPicture::Stack, {u"job"_s, u"queue"_s}, false, arrayNumbers},
        {u"reservation"_s, u"Reservation"_s, {u"--reservation"_s, u"course nodes"_s},
            u"A reservation keeps nodes free for some people at some time, for instance for a course. Only a job that names "
            u"it gets these nodes."_s,
            TinyPicture::Nodes, {u"account"_s, u"queue"_s, u"partition"_s}, false, reservationNumbers},
        {u"qos"_s, u"QoS"_s, {u"quality of service"_s, u"--qos"_s},
            u"A quality of service is a set of limits and a priority that a job can ask for beside its partition. Sites use "
            u"it for debugging, for long jobs or for very large ones."_s,
            TinyPicture::Queue, {u"partition"_s, u"queue"_s}, false, qosNumbers},
        {u"mem"_s, u"--mem"_s, {u"memory of a node"_s, u"host memory"_s, u"RAM"_s, u"mem"_s, u"--mem-per-gpu"_s},
            u"--mem asks for memory of the node, where data loaders and Python live, and it counts for each node, not for the "
            u"whole job. It has nothing to do with the memory of the {gpus}."_s,
            TinyPicture::Memory, {u"gpu-memory"_s, u"billing-unit"_s, u"data-loader"_s}, false, memNumbers},
        {u"login-node"_s, u"Login node"_s, {u"front end"_s, u"head node"_s, u"login"_s},
            u"The login node is where you arrive by SSH, to edit, copy and submit. It is shared by everyone: training belongs "
            u"into jobs on the compute nodes."_s,
            TinyPicture::Network, {u"node"_s, u"sbatch"_s}, false, loginNumbers},
        {u"module"_s, u"Module"_s, {u"module load"_s, u"Lmod"_s, u"modules"_s},
            u"Modules switch software of the site on, such as a PyTorch or a compiler: module load pytorch. They change "
            u"variables of the shell and last until it ends."_s,
            TinyPicture::Box, {u"container"_s, u"sbatch"_s}, false, moduleNumbers},
        {u"container"_s, u"Container, SIF image"_s,
            {u"container"_s, u"SIF"_s, u"Singularity"_s, u"Apptainer"_s, u"image"_s, u"Docker"_s},
            u"A container is one file that holds a whole software installation, so that a program finds the same libraries "
            u"everywhere. Folders of the cluster have to be made visible in it (bind)."_s,
            TinyPicture::Box, {u"module"_s, u"nccl"_s}, false, containerNumbers},
    };
}

} // namespace rankwright::inline teaching

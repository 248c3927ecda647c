// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/madecourse.h"

namespace rankwright::test {

using namespace Qt::StringLiterals;
using Layout = MadeCourse::Layout;

namespace {

constexpr int usualSteps = 600;

/// A training that has begun well; everything of the fault comes behind.
MadeCourse begun(const char* name, Made kind, int nodes, int gpus, unsigned seed, int everyMs = 2000)
{
    MadeCourse course(name, kind, nodes, gpus, seed);
    course.job.everyMs = everyMs;
    course.total = 20'000;
    course.job.limitS = 100'000;
    course.pass(60, imports());
    course.train({.stepSeconds = 1.0, .steps = usualSteps, .logEvery = 5});
    course.job.truth.faultS = course.now;
    return course;
}

/// One rank does something else than the others.
Doing odd(int who, const RankDoing& what, const RankDoing& others)
{
    return [=](int rank, double) { return rank == who ? what : others; };
}

QByteArray watchdogOf(int rank)
{
    const QByteArray who = QByteArray::number(rank);
    return "[rank" + who + "]:[E626 06:24:44.903881913 ProcessGroupNCCL.cpp:616] [Rank " + who
        + "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=808, OpType=ALLREDUCE, NumelIn=2359296, "
          "NumelOut=2359296, Timeout(ms)=600000) ran for 600020 milliseconds before timing out.\n";
}

/// The others' collective ends the job after its ten minutes.
MadeJob endedByTimeout(MadeCourse& course, int reporter)
{
    course.print(watchdogOf(reporter));
    course.print("srun: error: nid005001: task " + QByteArray::number(reporter) + ": Aborted\n");
    course.job.truth.cause = u"nccl_timeout"_s;
    course.job.truth.mayStandStill = true;
    return course.end(JobState::Failed);
}

QByteArray cancelledLine(const MadeCourse& course, const QByteArray& why = {})
{
    return "slurmstepd: error: *** JOB " + QByteArray::number(7000 + course.job.seed)
        + " ON nid005001 CANCELLED AT 2026-09-21T15:13:20" + why + " ***\n";
}

MadeJob cancelled(MadeCourse& course)
{
    course.print(cancelledLine(course));
    course.job.truth.cause = u"cancelled"_s;
    return course.end(JobState::Cancelled);
}

MadeJob deadRank()
{
    MadeCourse course = begun("a rank dies", Made::Mi250x, 2, 8, 31, 4000);
    course.job.gone = {{11, course.now}};
    course.pass(610, always(spins()));
    course.job.truth.alert = u"lost_rank"_s;
    course.job.truth.rank = 11;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 20;
    return endedByTimeout(course, 3);
}

MadeJob slowGpu()
{
    MadeCourse course = begun("a straggler", Made::A100, 2, 4, 32);
    course.train({.stepSeconds = 2.5,
        .steps = 150,
        .of = odd(
            5, {.compute = 0.96, .wait = 0.02, .intensity = 0.8}, {.compute = 0.35, .wait = 0.63, .intensity = 0.8})});
    course.job.truth.alert = u"straggler"_s;
    course.job.truth.rank = 5;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 40;
    course.job.truth.stepSeconds.reset();
    return course.end();
}

MadeJob hotGpu()
{
    MadeCourse course = begun("a throttled GPU", Made::A100, 2, 4, 33);
    course.train({.stepSeconds = 1.6,
        .steps = 250,
        .of = odd(6,
            {.compute = 0.96,
                .wait = 0.02,
                .intensity = 0.45,
                .clock = 0.6,
                .celsius = 93,
                .throttle = Throttle::Thermal},
            {.compute = 0.55, .wait = 0.42, .intensity = 0.8})});
    course.job.truth.alert = u"throttled"_s;
    course.job.truth.rank = 6;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 30;
    course.job.truth.also = {u"straggler"_s};
    course.job.truth.stepSeconds.reset();
    return course.end();
}

MadeJob stuckRank()
{
    MadeCourse course = begun("a rank is stuck", Made::Mi250x, 2, 8, 34);
    course.pass(610, odd(11, rests(0.5, 'S'), spins()));
    course.job.truth.alert = u"hang"_s;
    course.job.truth.rank = 11;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 40;
    return endedByTimeout(course, 3);
}

MadeJob allHang()
{
    MadeCourse course = begun("all ranks hang", Made::H100, 2, 4, 35);
    course.pass(900, always(spins()));
    course.job.truth.alert = u"hang"_s;
    course.job.truth.withinS = 120;
    course.job.truth.mayStandStill = true;
    return cancelled(course);
}

MadeJob oneUnused()
{
    MadeCourse course("one GPU unused", Made::A100, 1, 4, 36);
    course.job.everyMs = 2000;
    course.job.ranksPerNode = course.job.worldSize = 3;
    course.total = 900;
    course.pass(60, imports());
    course.job.truth.faultS = course.now;
    course.train({.stepSeconds = 1.0, .steps = 900, .logEvery = 10});
    course.job.truth.alert = u"idle_gpus"_s;
    course.job.truth.node = course.job.nodeName(0);
    course.job.truth.withinS = 40;
    course.job.truth.unused = 1;
    return course.end();
}

MadeJob halfUnused()
{
    MadeCourse course("half of the GPUs unused", Made::Mi250x, 2, 8, 37);
    course.job.everyMs = 4000;
    course.job.ranksPerNode = 4;
    course.job.worldSize = 8;
    course.total = 900;
    course.pass(60, imports());
    course.job.truth.faultS = course.now;
    course.train({.stepSeconds = 1.0, .steps = 900, .logEvery = 10});
    course.job.truth.alert = u"idle_gpus"_s;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 40;
    course.job.truth.unused = 8;
    return course.end();
}

MadeJob fullGpu()
{
    MadeCourse course = begun("a GPU's memory runs out", Made::Mi250x, 1, 8, 38);
    course.print(
        "[rank5]: torch.OutOfMemoryError: HIP out of memory. Tried to allocate 1.88 GiB. GPU 5 has a total capacity of "
        "63.98 GiB of which 1.70 GiB is free. Of the allocated memory 58.91 GiB is allocated by PyTorch, and 2.40 "
        "GiB is reserved by PyTorch but unallocated.\n");
    course.job.gone = {{5, course.now + 2}};
    course.pass(12, always(spins()));
    course.print("srun: error: nid005001: task 5: Exited with exit code 1\nsrun: Terminating StepId=7038.0\n");
    course.job.truth.alert = course.job.truth.cause = u"oom_gpu"_s;
    course.job.truth.rank = 5;
    course.job.truth.withinS = 20;
    course.job.truth.also = {u"output_suspicion"_s, u"lost_rank"_s};
    return course.end(JobState::Failed);
}

MadeJob fullHost()
{
    MadeCourse course = begun("the node's memory runs out", Made::H100, 2, 4, 39);
    const double from = course.now;
    course.job.hostLeft = [from](double second) { return second < from ? 0.3 : second < from + 200 ? 0.012 : 0.004; };
    course.train({.stepSeconds = 1.0, .steps = 240, .logEvery = 5});
    course.print("slurmstepd: error: Detected 1 oom_kill event in StepId=7039.0. Some of the step tasks have been OOM "
                 "Killed.\nsrun: error: nid005002: task 6: Out Of Memory\nsrun: Terminating StepId=7039.0\n");
    course.job.truth.alert = u"host_memory"_s;
    course.job.truth.node = course.job.nodeName(0);
    course.job.truth.withinS = 30;
    course.job.truth.cause = u"oom_host"_s;
    return course.end(JobState::OutOfMemory);
}

MadeJob lostLoss()
{
    MadeCourse course = begun("the loss is lost", Made::A100, 1, 4, 40);
    for (int i = 0; i < 40; ++i) {
        course.step += 5;
        course.pass(5, works());
        course.print("step " + QByteArray::number(course.step) + "/20000 loss nan lr 1.000e-04\n");
    }
    course.job.truth.steps = course.step;
    course.job.truth.alert = u"loss_nan"_s;
    course.job.truth.withinS = 20;
    course.print(cancelledLine(course));
    course.job.truth.cause = u"nan_loss"_s;
    return course.end(JobState::Cancelled);
}

MadeJob wrongCores()
{
    MadeCourse course = begun("ranks on the wrong cores", Made::Mi250x, 1, 8, 41);
    course.job.design
        = R"({"version":1,"name":"bound","cluster":"lumi","partition":"standard-g","account":"project_462000265",
"time":"04:00:00","workdir":"/scratch/made","resources":{"nodes":1,"gpusPerNode":8},"launcher":"srun",
"parallel":{"strategy":"ddp"},"environment":{"container":"none"},"options":{"cpuBinding":true},"command":"train.py"})";
    course.job.cpus = [](int local) { return u"%1-%2"_s.arg(1 + 8 * local).arg(7 + 8 * local); };
    course.train({.stepSeconds = 1.0, .steps = 200, .logEvery = 5});
    course.job.truth.alert = u"wrong_binding"_s;
    course.job.truth.faultS = 0;
    course.job.truth.withinS = 40;
    course.job.truth.node = course.job.nodeName(0);
    return course.end();
}

MadeJob littleWork()
{
    MadeCourse course("little work", Made::A100, 1, 4, 42);
    course.job.everyMs = 2000;
    course.total = 15'000;
    course.pass(40, imports());
    course.job.truth.faultS = course.now;
    course.train({.stepSeconds = 0.06, .steps = 15'000, .logEvery = 50, .of = works(0.2, 0.08, 0.6, 0.5)});
    course.job.truth.alert = u"small_work"_s;
    course.job.truth.withinS = 90;
    return course.end();
}

MadeJob slowLoader()
{
    MadeCourse course("waits for its data", Made::A100, 2, 4, 43);
    course.job.everyMs = 2000;
    course.total = 600;
    course.pass(60, imports());
    course.job.truth.faultS = course.now;
    course.train({.stepSeconds = 2.2, .steps = 500, .of = works(0.32, 0.03, 0.8)});
    course.job.truth.alert = u"data_loading"_s;
    course.job.truth.withinS = 90;
    return course.end();
}

MadeJob leak()
{
    MadeCourse course = begun("memory grows", Made::H100, 1, 4, 44);
    const double from = course.now;
    course.train(
        {.stepSeconds = 1.0, .steps = 600, .logEvery = 5, .of = [](int rank, double second) {
             return RankDoing{
                 .compute = 0.88, .wait = 0.1, .intensity = 0.8, .memory = rank == 2 ? 0.955 + 0.00007 * second : 0.8};
         }});
    course.job.truth.faultS = from;
    course.print(
        "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 2 has a total capacity of "
        "63.98 GiB of which 0.10 GiB is free.\nsrun: error: nid005001: task 2: Exited with exit code 1\n");
    course.job.truth.alert = u"memory_growing"_s;
    course.job.truth.rank = 2;
    course.job.truth.withinS = 180;
    course.job.truth.cause = u"oom_gpu"_s;
    return course.end(JobState::Failed);
}

MadeJob silentNode()
{
    MadeCourse course = begun("a node is silent", Made::Mi250x, 2, 8, 45);
    course.job.holes = {{1, course.now, course.now + 200}};
    course.train({.stepSeconds = 1.0, .steps = 500, .logEvery = 5});
    course.job.truth.alert = u"silent_node"_s;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 20;
    return course.end();
}

/// The link hung: nothing is wrong with the job.
MadeJob lateSamples()
{
    MadeCourse course = begun("samples come late", Made::H100, 2, 4, 46);
    course.job.lateFromS = course.now;
    course.job.lateToS = course.now + 90;
    course.train({.stepSeconds = 1.0, .steps = 400, .logEvery = 5});
    return course.end();
}

/// The GPU itself is well: its figures are missing, and that is all.
MadeJob failingTool()
{
    MadeCourse course = begun("a GPU's tool fails", Made::A100, 2, 4, 47);
    course.job.holes = {{1, course.now, course.now + 400, 3}};
    course.train({.stepSeconds = 1.0, .steps = 400, .logEvery = 5});
    return course.end();
}

MadeJob cancelledByUser()
{
    MadeCourse course = begun("cancelled by its user", Made::Mi300a, 2, 2, 48);
    course.job.truth.also = {u"cancelled"_s};
    return cancelled(course);
}

MadeJob requeued()
{
    MadeCourse course = begun("preempted and started again", Made::A100, 1, 4, 49);
    course.print(cancelledLine(course, " DUE TO PREEMPTION"));
    course.now += 10;
    course.job.requeuedS = course.now;
    course.pass(60, imports());
    course.job.truth.also = {u"preempted"_s};
    course.print("resumed from checkpoint at step 600\n");
    course.total = 1200;
    course.train({.stepSeconds = 1.0, .steps = 600, .logEvery = 5});
    return course.end();
}

MadeJob noCheckpoint()
{
    MadeCourse course("the time limit comes first", Made::Mi250x, 1, 8, 50);
    course.job.everyMs = 4000;
    course.job.limitS = 1500;
    course.total = 9000;
    course.pass(60, imports());
    course.job.truth.faultS = course.now;
    course.train({.stepSeconds = 1.0, .steps = 1440, .logEvery = 5});
    course.print(cancelledLine(course, " DUE TO TIME LIMIT"));
    course.job.truth.alert = course.job.truth.cause = u"time_limit"_s;
    course.job.truth.withinS = 90;
    return course.end(JobState::Timeout);
}

MadeJob deadNode()
{
    MadeCourse course = begun("a node dies", Made::Mi250x, 2, 8, 51);
    course.job.holes = {{1, course.now, course.now + 1000}};
    course.pass(300, always(spins()));
    course.print(
        "slurmstepd: error: *** JOB 7051 ON nid005001 CANCELLED AT 2026-09-21T02:11:09 DUE TO NODE FAILURE, SEE "
        "SLURMCTLD LOG FOR DETAILS ***\nsrun: error: Node failure on nid005002\n");
    course.job.truth.alert = u"dead_node"_s;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 40;
    course.job.truth.cause = u"node_failure"_s;
    course.job.truth.mayStandStill = true;
    course.job.truth.also = {u"silent_node"_s};
    return course.end(JobState::NodeFail);
}

MadeJob missingRank()
{
    MadeCourse course("a rank never starts", Made::Mi250x, 1, 8, 52);
    course.job.everyMs = 2000;
    course.job.gone = {{5, 0}};
    course.pass(40, imports());
    course.job.truth.faultS = 0;
    course.pass(500, always({.memory = 0.02, .cpu = 0.5, .state = 'S'}));
    course.job.truth.alert = u"missing_rank"_s;
    course.job.truth.rank = 5;
    course.job.truth.withinS = 30;
    course.job.truth.unused = 8;
    course.job.truth.mayStandStill = true;
    return cancelled(course);
}

MadeJob unjoinedRank()
{
    MadeCourse course("a rank does not join", Made::Mi250x, 1, 8, 53);
    course.job.everyMs = 2000;
    course.pass(40, imports());
    course.job.truth.faultS = course.now;
    course.pass(500, odd(5, {.memory = 0, .cpu = 0.5, .state = 'S'}, {.memory = 0.02, .cpu = 0.5, .state = 'S'}));
    course.job.truth.alert = u"missing_rank"_s;
    course.job.truth.rank = 5;
    course.job.truth.withinS = 30;
    course.job.truth.unused = 8;
    course.job.truth.mayStandStill = true;
    return cancelled(course);
}

MadeJob crowded()
{
    MadeCourse course("all ranks on one GPU", Made::Mi250x, 1, 8, 54);
    course.job.everyMs = 2000;
    course.job.gpuOf = [](int) { return 0; };
    course.total = 400;
    course.pass(60, imports());
    course.job.truth.faultS = course.now;
    course.train({.stepSeconds = 2.0, .steps = 300, .logEvery = 2, .of = works(0.12, 0, 0.8, 0.1)});
    course.job.truth.alert = u"crowded_gpu"_s;
    course.job.truth.node = course.job.nodeName(0);
    course.job.truth.withinS = 40;
    course.job.truth.unused = 7;
    return course.end();
}

MadeJob sharedCores()
{
    MadeCourse course = begun("all ranks on the same cores", Made::H100, 1, 4, 55);
    course.job.cpus = [](int) { return u"0-7"_s; };
    course.job.truth.alert = u"shared_cores"_s;
    course.job.truth.faultS = 0;
    course.job.truth.withinS = 30;
    course.job.truth.node = course.job.nodeName(0);
    return course.end();
}

MadeJob slowNetwork()
{
    MadeCourse course("the network is slow", Made::H100, 2, 4, 56);
    course.job.everyMs = 4000;
    course.total = 300;
    course.pass(60, imports());
    course.job.truth.faultS = course.now;
    course.train({.stepSeconds = 3.0, .steps = 250, .of = works(0.08, 0.9, 0.8)});
    course.job.truth.alert = u"waiting_collective"_s;
    course.job.truth.withinS = 130;
    return course.end();
}

MadeJob stalled()
{
    MadeCourse course = begun("all ranks sleep", Made::A100, 2, 4, 57);
    course.pass(700, always(rests(0.5, 'S')));
    course.job.truth.alert = u"stalled"_s;
    course.job.truth.withinS = 90;
    course.job.truth.mayStandStill = true;
    return cancelled(course);
}

MadeJob exception()
{
    MadeCourse course = begun("an exception", Made::A100, 1, 4, 58);
    course.print(
        "[rank2]: Traceback (most recent call last):\n[rank2]:   File \"/scratch/made/train.py\", line 88, in <module>\n"
        "[rank2]:     batch = next(batches)\n[rank2]: ValueError: bad record 7 in shard-0042\n");
    course.job.gone = {{2, course.now + 2}};
    course.pass(10, always(spins()));
    course.print("srun: error: nid005001: task 2: Exited with exit code 1\nsrun: Terminating StepId=7058.0\n");
    course.job.truth.alert = course.job.truth.cause = u"python_exception"_s;
    course.job.truth.rank = 2;
    course.job.truth.withinS = 20;
    course.job.truth.also = {u"output_suspicion"_s, u"lost_rank"_s};
    return course.end(JobState::Failed);
}

MadeJob nativeFault()
{
    MadeCourse course = begun("a fault in native code", Made::Mi250x, 1, 8, 59);
    course.job.gone = {{6, course.now}};
    course.pass(6, always(spins()));
    course.print("srun: error: nid005001: task 6: Segmentation fault (core dumped)\nsrun: Terminating StepId=7059.0\n");
    course.job.truth.alert = course.job.truth.cause = u"segfault"_s;
    course.job.truth.rank = 6;
    course.job.truth.withinS = 20;
    course.job.truth.also = {u"lost_rank"_s};
    return course.end(JobState::Failed);
}

MadeJob brokenGpu()
{
    MadeCourse course = begun("a GPU falls off the bus", Made::H100, 2, 4, 60);
    course.print(
        "nid005002: NVRM: Xid (PCI:0000:1b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.\n"
        "[rank6]: RuntimeError: CUDA error: unspecified launch failure\n");
    course.job.gone = {{6, course.now + 2}};
    course.pass(10, always(spins()));
    course.print("srun: error: nid005002: task 6: Exited with exit code 1\nsrun: Terminating StepId=7060.0\n");
    course.job.truth.alert = course.job.truth.cause = u"gpu_hardware"_s;
    course.job.truth.rank = 6;
    course.job.truth.node = course.job.nodeName(1);
    course.job.truth.withinS = 20;
    course.job.truth.also = {u"output_suspicion"_s, u"lost_rank"_s};
    return course.end(JobState::Failed);
}

} // namespace

QList<MadeJob> faultyJobs()
{
    return {deadRank(), slowGpu(), hotGpu(), stuckRank(), allHang(), oneUnused(), halfUnused(), fullGpu(), fullHost(),
        lostLoss(), wrongCores(), littleWork(), slowLoader(), leak(), silentNode(), lateSamples(), failingTool(),
        cancelledByUser(), requeued(), noCheckpoint(), deadNode(), missingRank(), unjoinedRank(), crowded(),
        sharedCores(), slowNetwork(), stalled(), exception(), nativeFault(), brokenGpu()};
}

} // namespace rankwright::test

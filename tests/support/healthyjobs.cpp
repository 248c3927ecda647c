// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/madecourse.h"

#include <algorithm>
#include <cmath>

namespace rankwright::test {

using namespace Qt::StringLiterals;
using Layout = MadeCourse::Layout;

namespace {

MadeJob shortSteps()
{
    MadeCourse course("steps of 20 ms", Made::A100, 1, 4, 1);
    course.total = 90'000;
    course.pass(40, imports());
    course.train(
        {.stepSeconds = 0.02, .steps = 90'000, .logEvery = 100, .layout = Layout::Bar, .of = works(0.9, 0.04, 0.55)});
    return course.end();
}

MadeJob longSteps()
{
    MadeCourse course("steps of 90 s", Made::Mi250x, 2, 8, 2);
    course.total = 80;
    course.pass(90, imports());
    course.train({.stepSeconds = 90, .steps = 80, .layout = Layout::Megatron, .of = stepping(90, 0.88, 0.1)});
    return course.end();
}

MadeJob longImports()
{
    MadeCourse course("imports of 10 min", Made::Mi250x, 2, 8, 3);
    course.total = 900;
    course.pass(600, imports());
    course.train({.stepSeconds = 1.5, .steps = 900, .logEvery = 5});
    return course.end();
}

/// All ranks evaluate: short kernels, no line until it is over.
MadeJob longEvaluations()
{
    MadeCourse course("evaluations of 8 min", Made::H100, 1, 4, 4);
    course.total = 3 * 1000;
    course.pass(60, imports());
    for (int epoch = 0; epoch < 3; ++epoch) {
        course.train({.stepSeconds = 0.8, .steps = 1000, .logEvery = 10});
        course.pass(480, works(0.45, 0, 0.5));
        course.print("validation loss 2.31 accuracy 0.61\n");
    }
    return course.end();
}

/// In turns rank 0 alone writes, and all of them do.
MadeJob longCheckpoints()
{
    MadeCourse course("checkpoints of 3 to 6 min", Made::Mi250x, 2, 8, 5);
    course.total = 3000;
    course.pass(60, imports());
    const RankDoing writes = rests(35, 'D');
    for (const double seconds : {340.0, 180.0, 350.0}) {
        course.train({.stepSeconds = 1.2, .steps = 1000, .logEvery = 5});
        if (seconds == 180)
            course.pass(seconds, always(writes));
        else
            course.pass(seconds, first(writes, spins()));
        course.print("saved checkpoint\n");
    }
    return course.end();
}

MadeJob unevenData()
{
    MadeCourse course("uneven data", Made::A100, 2, 4, 6);
    course.total = 2000;
    course.pass(45, imports());
    course.train({.stepSeconds = 1.1, .steps = 2000, .logEvery = 10, .of = [](int rank, double) {
                      // rank 5 has sequences that are longer by 15 %: the others wait for it that long
                      return RankDoing{
                          .compute = rank == 5 ? 0.95 : 0.82, .wait = rank == 5 ? 0.03 : 0.16, .intensity = 0.8};
                  }});
    return course.end();
}

MadeJob cpuPhases()
{
    MadeCourse course("CPU phases between epochs", Made::A100, 1, 4, 7);
    course.total = 4 * 700;
    course.pass(40, imports());
    for (int epoch = 0; epoch < 4; ++epoch) {
        course.train({.stepSeconds = 0.7, .steps = 700, .logEvery = 10});
        course.pass(240, always(rests(98, 'R')));
    }
    return course.end();
}

/// Requests come in the morning and at noon; between them it waits.
MadeJob inferenceServer()
{
    MadeCourse course("inference server", Made::H100, 1, 4, 8);
    course.pass(90, imports());
    course.print("INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)\n");
    for (const double idle : {240.0, 420.0, 90.0, 480.0}) {
        for (int request = 0; request < 12; ++request) {
            course.pass(25, works(0.9, 0.08, 0.45, 0.9));
            course.print("INFO:     10.0.0.7:51123 - \"POST /v1/completions HTTP/1.1\" 200 OK\n");
        }
        course.pass(idle, always({.memory = 0.9, .cpu = 2, .state = 'S', .celsius = 40}));
    }
    course.job.truth.mayStandStill = true; // it is cancelled when nobody needs it any more
    return course.end(JobState::Cancelled);
}

MadeJob inferenceBatch()
{
    MadeCourse course("inference batch", Made::H100, 1, 4, 9);
    course.total = 4000;
    course.pass(120, imports());
    course.train(
        {.stepSeconds = 0.6, .steps = 4000, .logEvery = 10, .layout = Layout::Bar, .of = works(0.95, 0.03, 0.6, 0.9)});
    return course.end();
}

/// A first small tensor on each GPU, then the compiler for a quarter of an hour and more.
MadeJob compiles()
{
    MadeCourse course("compiles for 17 min", Made::H100, 1, 4, 10);
    course.total = 1500;
    course.pass(50, imports());
    course.pass(40, works(0.4, 0, 0.4, 0.5));
    course.pass(1020, [](int, double second) {
        return rests(int(second) % 5 == 0 ? 60 : 640, 'R'); // as many threads as it has cores
    });
    course.train({.stepSeconds = 0.9, .steps = 1500, .logEvery = 10});
    return course.end();
}

/// Rank 0 makes the tokens, the others sleep at a barrier.
MadeJob preparesData()
{
    MadeCourse course("prepares data for 20 min", Made::Mi250x, 1, 8, 11);
    course.total = 1200;
    course.pass(60, imports());
    course.pass(1200, first({.memory = 0.02, .cpu = 99}, {.memory = 0.02, .cpu = 0.5, .state = 'S'}));
    course.train({.stepSeconds = 1.3, .steps = 1200, .logEvery = 10});
    return course.end();
}

/// Four stages of a pipeline, launched elsewhere: nobody said so.
MadeJob pipelineBubbles()
{
    MadeCourse course("pipeline bubbles", Made::Mi250x, 2, 8, 12);
    course.total = 400;
    course.pass(80, imports());
    course.train({.stepSeconds = 6, .steps = 400, .layout = Layout::Megatron, .of = [](int rank, double) {
                      const int stage = rank / 4;
                      const double share = stage == 3 ? 0.79 : stage == 0 ? 0.69 : 0.73;
                      return RankDoing{.compute = share, .wait = 0.97 - share};
                  }});
    return course.end();
}

/// Each expert has now more, now fewer tokens.
MadeJob unevenExperts()
{
    MadeCourse course("uneven experts", Made::A100, 2, 4, 13);
    course.total = 1500;
    course.pass(60, imports());
    course.train({.stepSeconds = 1.4, .steps = 1500, .logEvery = 5, .of = [](int rank, double second) {
                      const double share = 0.7 + 0.2 * std::sin(second / 17 + rank * 2.4);
                      return RankDoing{.compute = share, .wait = 0.97 - share};
                  }});
    return course.end();
}

MadeJob oneGpu()
{
    MadeCourse course("one GPU", Made::A100, 1, 1, 14);
    course.job.machine.partition = u"gpusmall"_s;
    course.total = 5000;
    course.pass(30, imports());
    course.train({.stepSeconds = 0.45, .steps = 5000, .logEvery = 10, .layout = Layout::Bar});
    return course.end();
}

MadeJob oneWholeNode()
{
    MadeCourse course("eight GCDs of a node", Made::Mi250x, 1, 8, 15);
    course.total = 3000;
    course.batch = 256;
    course.pass(70, imports());
    course.train({.stepSeconds = 0.9, .steps = 3000, .logEvery = 10, .burst = 4096});
    return course.end();
}

/// Seven GCDs: the last package is half another's.
MadeJob halfAPackage()
{
    MadeCourse course("half a package", Made::Mi250x, 1, 7, 16);
    course.job.machine.partition = u"small-g"_s;
    course.total = 2000;
    course.pass(60, imports());
    course.train({.stepSeconds = 1.1, .steps = 2000, .logEvery = 5});
    return course.end();
}

/// Its kernels wait for memory: full use at 38 % of the power limit.
MadeJob memoryBound()
{
    MadeCourse course("bound by memory", Made::Mi300a, 2, 2, 17);
    course.total = 2000;
    course.pass(60, imports());
    course.train({.stepSeconds = 1.0, .steps = 2000, .logEvery = 5, .of = works(0.97, 0.01, 0.25)});
    return course.end();
}

/// Answers of different length are made first, and then it learns from them.
MadeJob rollouts()
{
    MadeCourse course("reinforcement learning", Made::H100, 2, 4, 18);
    course.total = 60;
    course.pass(90, imports());
    course.train({.stepSeconds = 100, .steps = 50, .of = [](int rank, double second) {
                      const double within = std::fmod(second, 100);
                      const double longest = 60 - 4 * (rank * 5 % 8); // who is ready first waits longest
                      if (within < longest)
                          return RankDoing{.compute = 0.72, .intensity = 0.5, .memory = 0.9};
                      if (within < 60)
                          return rests(4, 'S');
                      return RankDoing{.compute = 0.85, .wait = 0.12, .intensity = 0.85, .memory = 0.8};
                  }});
    return course.end(JobState::Cancelled);
}

MadeJob accumulates()
{
    MadeCourse course("gradient accumulation", Made::Mi250x, 1, 8, 19);
    course.total = 300;
    course.pass(60, imports());
    course.train(
        {.stepSeconds = 12, .steps = 300, .layout = Layout::Bar, .of = stepping(12, 0.84, 0.12), .burst = 1024});
    return course.end();
}

/// One of a chain of jobs: it saves, and Slurm ends it.
MadeJob plannedLimit()
{
    MadeCourse course("ends at its time limit", Made::Mi250x, 2, 8, 20);
    course.total = 100'000;
    course.job.limitS = 3600;
    course.pass(300, imports());
    for (const double evaluation : {900.0, 800.0}) {
        course.train({.stepSeconds = 1.0, .steps = 600, .logEvery = 10});
        course.pass(evaluation, works(0.6, 0.1, 0.6));
        course.print("validation loss 2.2\n");
    }
    course.train({.stepSeconds = 1.0, .steps = 300, .logEvery = 10});
    course.print("signal 10: saving\nsaved checkpoint checkpoints/step-1500\n");
    course.pass(100, always(rests(30, 'D')));
    course.print(
        "slurmstepd: error: *** JOB 7020 ON nid005001 CANCELLED AT 2026-09-21T15:13:20 DUE TO TIME LIMIT ***\n");
    course.job.truth.also = {u"time_limit"_s};
    course.job.truth.cause = u"time_limit"_s;
    return course.end(JobState::Timeout);
}

} // namespace

QList<MadeJob> healthyJobs()
{
    return {shortSteps(), longSteps(), longImports(), longEvaluations(), longCheckpoints(), unevenData(), cpuPhases(),
        inferenceServer(), inferenceBatch(), compiles(), preparesData(), pipelineBubbles(), unevenExperts(), oneGpu(),
        oneWholeNode(), halfAPackage(), memoryBound(), rollouts(), accumulates(), plannedLimit()};
}

} // namespace rankwright::test

// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/madecourse.h"

#include <cmath>

namespace rankwright::test {

namespace {

constexpr double shortStepS = 1; ///< what is within shorter steps no sample shows

} // namespace

MadeCourse::MadeCourse(const char* name, Made kind, int nodes, int gpus, unsigned seed)
{
    job.name = name;
    job.machine = machineOf(kind);
    job.nodes = nodes;
    job.gpus = job.ranksPerNode = gpus;
    job.worldSize = nodes * gpus;
    job.seed = seed;
    const int seldom = int(seed % 5); // 2 to 10 s
    job.everyMs = 2000 * (seldom + 1);
}

void MadeCourse::pass(double seconds, const Doing& of)
{
    job.stretches.append({now, now + seconds, of});
    now += seconds;
}

QByteArray MadeCourse::lineOf(const Training& training) const
{
    const double rate = 1 / training.stepSeconds;
    switch (training.layout) {
    case Layout::Lines:
        return batch > 0
            ? QByteArray(QByteArrayLiteral("step ") + QByteArray::number(step) + '/' + QByteArray::number(total)
                + " loss " + QByteArray::number(loss, 'f', 4) + ' ' + QByteArray::number(batch * rate, 'f', 1)
                + " samples/s\n")
            : QByteArray(QByteArrayLiteral("step ") + QByteArray::number(step) + '/' + QByteArray::number(total)
                + " loss " + QByteArray::number(loss, 'f', 4) + " lr 1.000e-04\n");
    case Layout::Bar:
        return QByteArrayLiteral("\r ") + QByteArray::number(step * 100 / total) + "%|###   | "
            + QByteArray::number(step) + '/' + QByteArray::number(total) + " [00:10<00:20, "
            + (rate >= 1 ? QByteArray(QByteArray::number(rate, 'f', 2) + "it/s")
                         : QByteArray(QByteArray::number(training.stepSeconds, 'f', 2) + "s/it"))
            + ", loss=" + QByteArray::number(loss, 'f', 3) + ']';
    case Layout::Megatron:
        return QByteArrayLiteral(" iteration ") + QByteArray::number(step).rightJustified(8) + '/'
            + QByteArray::number(total).rightJustified(8)
            + " | consumed samples: 512 | elapsed time per iteration (ms): "
            + QByteArray::number(training.stepSeconds * 1000, 'f', 1)
            + " | lm loss: " + QByteArray::number(loss, 'E', 6)
            + " | number of skipped iterations:   0 | number of nan iterations:   0 |\n";
    case Layout::Silent: break;
    }
    return {};
}

void MadeCourse::train(const Training& training)
{
    const double from = now;
    QByteArray waiting;
    for (int done = 1; done <= training.steps; ++done) {
        ++step;
        loss = 1.8 + 7 / (1 + 0.01 * double(step));
        // a per cent of unevenness, that comes back to the mean
        now = from + training.stepSeconds * (done + 0.3 * std::sin(done * 1.7));
        if (step % training.logEvery != 0)
            continue;
        waiting += lineOf(training);
        if (waiting.isEmpty() || waiting.size() < training.burst)
            continue;
        print(waiting);
        waiting.clear();
    }
    now = from + training.stepSeconds * training.steps;
    if (!waiting.isEmpty())
        print(waiting);
    job.stretches.append({from, now, training.of ? training.of : works()});
    if (training.layout != Layout::Silent) {
        job.truth.stepSeconds = training.stepSeconds;
        job.truth.steps = step / training.logEvery * training.logEvery;
    }
}

MadeJob MadeCourse::end(JobState state)
{
    job.seconds = now;
    job.state = state;
    if (state == JobState::Failed)
        job.exitCode = job.exitCode.value_or(1);
    else if (state == JobState::Completed)
        job.exitCode = 0;
    return job;
}

Doing always(const RankDoing& what)
{
    return [what](int, double) { return what; };
}

Doing works(double compute, double wait, double intensity, double memory)
{
    return always({.compute = compute, .wait = wait, .intensity = intensity, .memory = memory});
}

Doing stepping(double stepSeconds, double computeShare, double waitShare, double intensity)
{
    if (stepSeconds < shortStepS)
        return works(computeShare, waitShare, intensity);
    return [=](int, double second) {
        const double within = std::fmod(second, stepSeconds) / stepSeconds;
        RankDoing now{.intensity = intensity};
        now.compute = within < computeShare ? 1 : 0;
        now.wait = within >= computeShare && within < computeShare + waitShare ? 1 : 0;
        return now;
    };
}

Doing imports()
{
    return [](int rank, double second) {
        const bool reads = (int(second) + rank) % 3 == 0;
        return RankDoing{.memory = 0, .cpu = reads ? 25.0 : 95.0, .state = reads ? 'D' : 'R'};
    };
}

Doing first(const RankDoing& rank0, const RankDoing& others)
{
    return [=](int rank, double) { return rank == 0 ? rank0 : others; };
}

RankDoing spins() { return {.wait = 1, .cpu = 100}; }

RankDoing rests(double cpu, char state) { return {.cpu = cpu, .state = state, .celsius = 42}; }

} // namespace rankwright::test

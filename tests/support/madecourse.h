// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/madejob.h"

namespace rankwright::test {

/// Writes a made-up job from its beginning to its end, one stretch after another.
class MadeCourse {
public:
    MadeCourse(const char* name, Made kind, int nodes, int gpus, unsigned seed);

    /// How the training reports its steps.
    enum class Layout { Lines, Bar, Megatron, Silent };
    struct Training {
        double stepSeconds = 1;
        int steps = 100; ///< in this stretch
        int logEvery = 1;
        Layout layout = Layout::Lines;
        Doing of = {}; ///< while it trains; empty: works()
        qsizetype burst = 0; ///< the output is handed on in pieces of this many bytes; 0: at once
    };
    void pass(double seconds, const Doing& of);
    void train(const Training& training);
    void print(const QByteArray& text) { job.output.append({now, text}); }
    /// Ends at this moment.
    MadeJob end(JobState state = JobState::Completed);

    MadeJob job;
    double now = 0; ///< s
    qint64 step = 0; ///< done
    qint64 total = 0; ///< steps that the output says there are
    int epoch = 0; ///< of a bar
    int batch = 0; ///< samples of a step, where the output says its rate in samples; 0: it says none
    double loss = 9;

private:
    QByteArray lineOf(const Training& training) const;
};

/// The same in each second, alike on all.
Doing always(const RankDoing& what);
/// A usual step: nearly all of it is work, the rest is the exchange of gradients.
Doing works(double compute = 0.88, double wait = 0.1, double intensity = 0.8, double memory = 0.7);
/// Within each step first work, then waiting for others, then nothing.
Doing stepping(double stepSeconds, double computeShare, double waitShare, double intensity = 0.8);
/// Imports: the processor and the file system.
Doing imports();
/// Rank 0 does one thing, the others another.
Doing first(const RankDoing& rank0, const RankDoing& others);
/// At full use and low power.
RankDoing spins();
/// Nothing on the GPU, its memory held.
RankDoing rests(double cpu, char state);

} // namespace rankwright::test
